"""``n_cuts="all"``: optimal over every cut of every column, as brute force says."""

from __future__ import annotations

import os
from datetime import date
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from cut_oracle import GRADES, Table, best, random_table
from sklearn.datasets import load_breast_cancer, load_iris

import surelist
from surelist import Binarizer, InputError, RuleListClassifier, UncertifiedWarning, _core
from surelist.problem import cut_problem
from surelist.problem.cut_problem import serves

N_TABLES = int(os.environ.get("SURELIST_CUT_TABLES", "250"))


def frame(table: Table) -> pd.DataFrame:
    columns: dict[str, Any] = {}
    for name, values in table.columns.items():
        if name.startswith("ordinal"):
            columns[name] = pd.Categorical(values, categories=GRADES, ordered=True)
        elif name.startswith("real"):
            columns[name] = np.array([np.nan if v is None else v for v in values])
        elif name.startswith("whole"):
            columns[name] = pd.array(values, dtype="Int64")
        elif name.startswith("bool"):
            columns[name] = pd.array(values, dtype="boolean")
        else:
            columns[name] = pd.Series(values, dtype=object)
    return pd.DataFrame(columns)


def fitted(table: Table, **settings: Any) -> RuleListClassifier:
    binarizer = Binarizer(n_cuts="all", min_frequency=0, intervals=table.intervals)
    model = RuleListClassifier(
        regularization=Fraction(table.regularization),
        max_clauses=table.clauses,
        max_length=table.max_length,
        binarizer=binarizer,
        **settings,
    )
    return model.fit(frame(table), table.labels, sample_weight=table.weights)


def objective(model: RuleListClassifier, table: Table) -> Fraction:
    """Recompute the objective from predictions alone."""
    weights = table.weights or [1] * len(table.labels)
    wrong = model.predict(frame(table)) != np.array(table.labels)
    loss = sum(weight for weight, missed in zip(weights, wrong, strict=True) if missed)
    price = Fraction(table.regularization) * len(model.rule_list_.rules)
    return Fraction(loss, sum(weights)) + price


@pytest.mark.slow
@pytest.mark.parametrize("part", range(5))
def test_all_cuts_are_as_good_as_brute_force(part: int) -> None:
    for seed in range(part * N_TABLES, (part + 1) * N_TABLES):
        table = random_table(seed)
        model = fitted(table)
        assert model.status_ == "optimal", seed
        assert model.objective_exact_ == best(table) == objective(model, table), seed
        assert model.lower_bound_exact_ == model.objective_exact_
        assert not hasattr(model, "antecedents_")  # so it was the search over chains


@pytest.mark.slow
def test_intervals_between_any_two_cuts_are_as_good_as_brute_force() -> None:
    for seed in range(60):
        table = random_table(seed, intervals=True)
        model = fitted(table)
        assert model.objective_exact_ == best(table) == objective(model, table), seed


@pytest.mark.slow
@pytest.mark.parametrize("kind", [{"clauses": 2}, {"intervals": True}])
def test_pairs_of_cuts_are_as_good_as_brute_force(
    kind: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cut_problem, "FEW", -1)  # the general search is for few rules
    for seed in range(N_TABLES):
        table = random_table(seed, **kind)
        model = fitted(table)
        assert model.status_ == "optimal", seed
        assert model.objective_exact_ == best(table) == objective(model, table), seed
        assert not hasattr(model, "antecedents_")  # so it was the search over chains


@pytest.mark.slow
def test_pairs_of_many_cuts_are_as_good_as_the_general_search() -> None:
    chance = np.random.default_rng(8)
    for n_classes in (2, 3):
        X = chance.integers(0, 40, (70, 2)).astype(float)
        y = (X[:, 0] // 14 + (X[:, 1] > 25) + chance.integers(0, 2, 70)).astype(int) % n_classes
        for clauses, intervals in ((2, False), (1, True)):
            binarizer = Binarizer(n_cuts="all", min_frequency=0, intervals=intervals)
            found = [
                RuleListClassifier(
                    0.03, max_length=2, max_clauses=clauses, binarizer=binarizer, policy=policy
                )
                .fit(X, y)
                .objective_exact_
                for policy in ("lower_bound", "breadth_first")
            ]
            assert found[0] == found[1]


def test_longer_lists_of_few_rules_are_left_to_the_general_search() -> None:
    X = np.array([[at % 7, at % 5] for at in range(35)], float)
    y = (X[:, 0] > 2) & (X[:, 1] < 3)
    for length, general in ((2, False), (3, True), (None, True)):
        model = RuleListClassifier(
            0.02, max_clauses=2, max_length=length, binarizer=Binarizer(n_cuts="all")
        ).fit(X, y)
        assert model.status_ == "optimal"
        assert hasattr(model, "antecedents_") == general
        assert model.objective_exact_ == Fraction(1, 50)


@pytest.mark.slow
def test_lists_of_three_intervals_are_as_good_as_the_general_search() -> None:
    data = load_iris(as_frame=True)
    found = []
    for policy in ("lower_bound", "breadth_first"):
        binarizer = Binarizer(n_cuts="all", intervals=True)
        model = RuleListClassifier(
            0.01, max_clauses=1, max_length=3, binarizer=binarizer, policy=policy
        ).fit(data.data.iloc[:, 1:3], data.target)
        found.append(model.objective_exact_)
    assert found[0] == found[1]


def test_a_stopped_search_over_pairs_keeps_its_best_list_and_bound() -> None:
    data = load_breast_cancer(as_frame=True)
    model = RuleListClassifier(
        0.005, max_clauses=2, max_length=2, work_limit=0.3, binarizer=Binarizer(n_cuts="all")
    )
    with pytest.warns(UncertifiedWarning):
        model.fit(data.data, data.target)
    assert model.status_ == "work_limit"
    assert model.proven_length_ in (0, 1)
    assert model.lower_bound_exact_ < model.objective_exact_ < Fraction(1, 5)


@pytest.mark.parametrize("seed", range(20))
def test_the_general_search_over_all_cuts_finds_the_same(seed: int) -> None:
    table = random_table(seed)
    general = fitted(table, policy="breadth_first")
    assert hasattr(general, "antecedents_")
    assert general.objective_exact_ == fitted(table).objective_exact_


@pytest.mark.parametrize("kernels", ["baseline", "avx2", "avx512"])
@pytest.mark.parametrize("factor", [1, 10**5, 10**11])
def test_every_kernel_and_every_width_finds_the_same(kernels: str, factor: int) -> None:
    chance = np.random.default_rng(5)
    for n_classes in (2, 3):
        keys = [chance.integers(0, 30, 200).astype(np.int32) for _ in range(3)]
        labels = chance.integers(0, n_classes, 200).astype(np.int32)
        weights = np.full(200, factor, dtype=np.int64)
        found = []
        for name in ("auto", kernels):
            try:
                search = _core.CutSearch(
                    keys, [30] * 3, labels, weights, n_classes, "0.02", max_length=3, kernels=name
                )
            except _core.InputError:
                pytest.skip(f"this processor has no {name}")
            assert search.run() == "optimal"
            found.append(Fraction(search.found()["objective"], search.scale))
        assert found[0] == found[1]


def test_a_cut_is_written_as_a_short_number_between_two_values() -> None:
    X = pd.DataFrame({"x": [1.0, 2.0, 14.97, 15.02, 30.0, 31.0], "day": [date(2020, 1, 1)] * 6})
    y = [0, 0, 0, 1, 1, 1]
    model = RuleListClassifier(0.05, max_clauses=1, max_length=2, binarizer=Binarizer(n_cuts="all"))
    assert "15" in str(model.fit(X, y).rule_list_)
    assert model.score(X, y) == 1


def test_single_columns_may_be_cut_everywhere() -> None:
    data = load_breast_cancer(as_frame=True)
    X = data.data
    binarizer = Binarizer(n_cuts=1, columns={X.columns[0]: "all"}, min_frequency=0.01)
    model = RuleListClassifier(0.02, max_clauses=1, max_length=2, binarizer=binarizer)
    model.fit(X, data.target)
    fewer = RuleListClassifier(
        0.02, max_clauses=1, max_length=2, binarizer=Binarizer(n_cuts=1)
    ).fit(X, data.target)
    assert model.status_ == "optimal"
    assert model.objective_exact_ <= fewer.objective_exact_


def test_finer_cuts_are_never_worse_and_the_model_can_be_saved(tmp_path: Any) -> None:
    data = load_breast_cancer(as_frame=True)
    objectives = []
    for n_cuts in (3, 10, "all"):
        binarizer = Binarizer(n_cuts=n_cuts)
        model = RuleListClassifier(0.01, max_clauses=1, max_length=2, binarizer=binarizer)
        objectives.append(model.fit(data.data, data.target).objective_exact_)
    assert objectives[-1] == min(objectives)
    model.save(tmp_path / "model.json")
    again = surelist.load(tmp_path / "model.json")
    assert (again.predict(data.data) == model.predict(data.data)).all()
    assert again.get_params()["binarizer"].n_cuts == "all"


def test_limits_end_the_search_with_what_is_proven() -> None:
    data = load_breast_cancer(as_frame=True)
    settings: dict[str, Any] = {"max_clauses": 1, "binarizer": Binarizer(n_cuts="all")}
    model = RuleListClassifier(0.002, work_limit=0.3, **settings)
    with pytest.warns(UncertifiedWarning):
        model.fit(data.data, data.target)
    assert model.status_ == "work_limit"
    assert model.proven_length_ is not None
    assert model.proven_length_ >= 2
    assert model.lower_bound_exact_ < model.objective_exact_
    again = RuleListClassifier(0.002, work_limit=0.3, **settings)
    with pytest.warns(UncertifiedWarning):
        assert str(again.fit(data.data, data.target).rule_list_) == str(model.rule_list_)
    with pytest.warns(UncertifiedWarning):
        timed = RuleListClassifier(0.002, time_limit=0.2, **settings).fit(data.data, data.target)
    assert timed.status_ == "time_limit"
    with pytest.warns(UncertifiedWarning):
        small = RuleListClassifier(0.002, memory_limit=10_000, **settings).fit(
            data.data, data.target
        )
    assert small.status_ == "memory_limit"
    assert small.objective_ < 0.2


def test_progress_is_reported_and_may_end_the_search() -> None:
    data = load_breast_cancer(as_frame=True)
    seen: list[Any] = []

    def enough(moment: Any) -> None:
        seen.append(moment)
        raise KeyboardInterrupt

    model = RuleListClassifier(
        0.002,
        max_clauses=1,
        binarizer=Binarizer(n_cuts="all"),
        progress=enough,
        trace_interval=0.01,
    )
    with pytest.warns(UncertifiedWarning):
        model.fit(data.data, data.target)
    assert model.status_ == "interrupted"
    assert len(seen) == 1
    assert len(seen[0].prefix) + 1 == len(seen[0].labels)
    assert (model.trace_.lower_bound <= model.trace_.objective).all()


def test_what_the_search_over_chains_does_not_serve_goes_to_the_general_one() -> None:
    X = pd.DataFrame({"x": [1, 2, 3, 4] * 5, "z": [5, 5, 6, 7] * 5})
    y = ["a", "b", "b", "a"] * 5
    for given in (
        {"max_clauses": 2},
        {"max_clauses": 1, "negations": True},
        {"max_clauses": 1, "required": ["x < 3"]},
        {"max_clauses": 1, "cost_matrix": [[0, 2], [1, 0]]},
        {"max_clauses": 1, "initial_rule_list": ["x < 3"]},
    ):
        model = RuleListClassifier(0.05, binarizer=Binarizer(n_cuts="all"), **given).fit(X, y)
        assert model.status_ == "optimal"
        assert len(model.antecedents_) >= 6


def test_settings_that_make_no_sense_are_refused() -> None:
    X, y = [[1.0], [2.0], [3.0]], [0, 1, 1]
    with pytest.raises(InputError, match="max_features"):
        Binarizer(n_cuts="all", max_features=3).fit(X, y)
    with pytest.raises(InputError, match="n_cuts must be"):
        Binarizer(n_cuts="every").fit(X, y)
    with pytest.raises(InputError, match=r"columns\['x0'\]"):
        Binarizer(columns={"x0": "every"}).fit(X, y)
    assert Binarizer(n_cuts="all").fit(X, y).get_feature_names_out().tolist() == [
        "x0 < 2",
        "x0 ≥ 2",
        "x0 < 3",
        "x0 ≥ 3",
    ]


def test_a_matrix_that_would_not_fit_in_memory_is_refused_in_words() -> None:
    X = np.random.default_rng(0).random((20_000, 4))
    model = RuleListClassifier(max_clauses=3, binarizer=Binarizer(n_cuts="all"))
    with pytest.raises(InputError, match="max_clauses=1"):
        model.fit(X, X[:, 0] > 0.5)


def test_the_search_over_chains_is_for_rows_in_memory() -> None:
    from surelist.problem.parameters import read_parameters
    from surelist.problem.settings import Settings

    settings = Settings(max_clauses=1)
    parameters = read_parameters(settings)
    assert serves([[1.0]], settings, parameters, Binarizer(n_cuts="all"))
    assert not serves([[1.0]], settings, parameters, Binarizer(n_cuts=3))
