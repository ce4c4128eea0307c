"""Sets of near-optimal lists through the public interface, against brute force."""

from __future__ import annotations

import warnings
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import near_optimal_oracle
import numpy as np
import pandas as pd
import pytest
from constrained_oracle import Demands
from near_optimal_oracle import Entry
from oracle import Data
from problems import hard_problem, random_problem

from surelist import (
    InputError,
    RuleList,
    RuleListClassifier,
    RuleLists,
    UncertifiedWarning,
    VerificationError,
    _core,
    load,
    near_optimal,
    verify,
)
from surelist.datasets import load_breast_cancer
from surelist.estimators.near_optimal.goal import read_goal
from surelist.estimators.near_optimal.search import engine_options, start

NEAR_OPTIMAL_BOUNDS = ("equivalent_points", "lookahead", "gain_potential", "one_sided_support")
PLAIN: dict[str, Any] = {"max_clauses": 1, "min_support": 0}


def brute_force(lists: RuleLists, X: Any, y: Any, threshold: Fraction, **more: Any) -> list[Entry]:
    """Every entry, with the antecedents as the set numbers them."""
    antecedents = lists._source.antecedents
    captures = np.array([each.captures(np.asarray(X)) for each in antecedents]).T
    classes, codes = np.unique(y, return_inverse=True)
    n = len(antecedents)
    data = Data(
        captures=tuple(tuple(map(int, row)) for row in captures),
        labels=tuple(map(int, codes)),
        weights=(1,) * len(codes),
        n_classes=len(classes),
        n_antecedents=n,
    )
    costs = tuple(tuple(Fraction(int(c != q)) for q in range(len(classes))) for c in classes_of(y))
    demands = Demands(prices=(lists[0].regularization,) * n, costs=costs, **more)
    return near_optimal_oracle.entries(data, demands, threshold)


def classes_of(y: Any) -> range:
    return range(len(np.unique(y)))


def written(lists: RuleLists) -> list[tuple[Any, ...]]:
    """Rules by position and code, default, orders and objective of each list."""
    result = []
    for index in range(len(lists)):
        rules = lists.found.rules(index)
        pairs = tuple(zip(rules.prefix, rules.labels, strict=True))
        orders = int(lists.orders[index])
        result.append((pairs, rules.default_label, orders, lists[index].objective))
    return result


def expected(entries: list[Entry]) -> list[tuple[Any, ...]]:
    return [(e.first, e.default, len(e.orders), e.objective) for e in entries]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("classes", [2, 3])
def test_a_tolerance_gives_every_list(seed: int, classes: int) -> None:
    X, y = random_problem(seed, classes=classes)
    for tolerance in (0, 0.05, Fraction(1, 3)):
        lists = near_optimal(X, y, tolerance=tolerance, regularization=0.02, **PLAIN)
        assert lists.optimum is not None
        model = RuleListClassifier(regularization=0.02, **PLAIN).fit(X, y)
        assert lists.optimum == model.objective_exact_
        threshold = lists.optimum * (1 + Fraction(str(tolerance)))
        assert (lists.status, lists.complete_up_to) == ("complete", threshold)
        entries = brute_force(lists, X, y, threshold)
        assert written(lists) == expected(entries)
        assert lists.n_orders == sum(len(entry.orders) for entry in entries)
        assert lists.n_predictions == len({entry.predictions for entry in entries})


@pytest.mark.parametrize("seed", range(4))
def test_an_objective_and_the_n_best(seed: int) -> None:
    X, y = random_problem(seed)
    given: dict[str, Any] = {"regularization": 0.02, "max_length": 3, **PLAIN}
    lists = near_optimal(X, y, objective=0.4, **given)
    assert written(lists) == expected(brute_force(lists, X, y, Fraction(2, 5), max_length=3))
    every = brute_force(lists, X, y, Fraction(100), max_length=3)
    for n in (1, 5, 17, 10**6):
        best = near_optimal(X, y, n=n, **given)
        last = every[min(n, len(every)) - 1].objective
        assert written(best) == expected([e for e in every if e.objective <= last])
        assert best.complete


@pytest.mark.parametrize("goal", [{"tolerance": 0.3}, {"n": 4}])
def test_distinct_predictions(goal: dict[str, Any]) -> None:
    X, y = random_problem(3)
    given: dict[str, Any] = {"regularization": 0.02, "max_length": 3, **PLAIN}
    lists = near_optimal(X, y, distinct="predictions", **goal, **given)
    assert lists.complete_up_to is not None
    entries = brute_force(lists, X, y, lists.complete_up_to, max_length=3)
    first: dict[tuple[int, ...], list[Entry]] = {}
    for entry in entries:
        first.setdefault(entry.predictions, []).append(entry)
    assert written(lists) == expected([alike[0] for alike in first.values()])
    assert lists.n_alike is not None
    assert lists.n_alike.tolist() == [len(alike) for alike in first.values()]
    assert lists.n_predictions == len(first)
    if "n" in goal:
        assert len(lists) >= goal["n"]


@pytest.fixture(scope="module")
def some() -> tuple[Any, Any, RuleLists]:
    X, y = random_problem(5, rows=80)
    table = pd.DataFrame(X, columns=["age", "sex", "job", "home"])
    return table, y, near_optimal(table, y, tolerance=0.4, regularization=0.02, **PLAIN)


def test_it_is_a_sequence(some: tuple[Any, Any, RuleLists]) -> None:
    _, _, lists = some
    assert len(lists) > 10
    assert all(isinstance(each, RuleList) for each in lists)
    assert [float(each.objective) for each in lists] == pytest.approx(lists.objectives.tolist())
    assert lists[-1] == lists[len(lists) - 1]
    assert list(lists[2:5]) == [lists[2], lists[3], lists[4]]
    with pytest.raises(IndexError, match="beyond"):
        lists[len(lists)]
    assert lists.best == lists[0]
    table = lists.table(3)
    assert table["rules"][0].startswith("if (")
    assert len(lists.table()) == len(lists)
    assert "complete up to" in str(lists)
    assert "<table>" in lists._repr_html_()


def test_columns_say_what_is_needed(some: tuple[Any, Any, RuleLists]) -> None:
    X, y, lists = some
    columns = lists.columns()
    for use in columns:
        lacking = RuleListClassifier(regularization=0.02, forbidden=[use.name], **PLAIN).fit(X, y)
        if use.best_without is None:
            assert lists.complete_up_to is not None
            assert lacking.objective_exact_ > lists.complete_up_to
        else:
            assert use.best_without == lacking.objective_exact_
        holding = [each for each in lists if f"({use.name})" in str(each)]
        assert use.n_lists == len(holding)
        assert use.best_with == min((each.objective for each in holding), default=None)
    assert {use.name.strip("()") for use in lists.antecedents()} <= set(X.columns)
    assert list(columns.to_frame()["name"]) == ["age", "sex", "job", "home"]
    assert "best without" in str(columns)
    assert columns["age"].name == "age"
    with pytest.raises(InputError, match="there is no 'income'"):
        columns["income"]


def test_ranges_are_those_of_the_predictions(some: tuple[Any, Any, RuleLists]) -> None:
    X, y, lists = some
    group = np.where(X["job"] == 1, "works", "rests")
    predicted = np.array([each.predict(X) for each in lists])
    ranges = lists.ranges(group)
    accuracy = (predicted == y).mean(axis=1)
    assert ranges["accuracy"].least == pytest.approx(accuracy.min())
    assert ranges["accuracy"].greatest == pytest.approx(accuracy.max())
    false_positive = {}
    for name in ("works", "rests"):
        rows = (group == name) & (y == 0)
        false_positive[name] = (predicted[:, rows] == 1).mean(axis=1)
        assert ranges[f"FPR, {name}"].least == pytest.approx(false_positive[name].min())
        rows = (group == name) & (y == 1)
        missed = (predicted[:, rows] == 0).mean(axis=1)
        assert ranges[f"FNR, {name}"].greatest == pytest.approx(missed.max())
    gap = abs(false_positive["works"] - false_positive["rests"])
    np.testing.assert_allclose(lists.rates(group).gap("FPR"), gap, atol=1e-12)
    most = round(float(np.median(gap)), 3)
    fair = lists.filter(group=group, max_gap=most)
    assert len(fair) == int((gap <= most + 1e-12).sum())
    assert 0 < len(fair) < len(lists)


def test_large_weights_are_compared_exactly() -> None:
    X, y = random_problem(6)
    weights = np.full(len(y), 2.0**33)
    small = near_optimal(X, y, tolerance=1.5, regularization=0.02, **PLAIN)
    large = near_optimal(
        X, y, tolerance=1.5, regularization=0.02, sample_weight=weights * (1 + 1e-9), **PLAIN
    )
    group = X[:, 2].tolist()
    most = round(float(np.quantile(small.rates(group).gap("FPR"), 0.3)), 3)
    kept = [len(lists.filter(group=group, max_gap=most)) for lists in (small, large)]
    assert 0 < kept[0] == kept[1] < len(small)


def test_a_row_gets_the_share_of_lists(some: tuple[Any, Any, RuleLists]) -> None:
    X, _, lists = some
    for row in range(5):
        shares = lists.explain_row(X.iloc[[row]])
        predicted = [each.predict(X.iloc[[row]])[0] for each in lists]
        assert shares == {c: pytest.approx(predicted.count(c) / len(lists)) for c in (0, 1)}
    with pytest.raises(InputError, match="one row"):
        lists.explain_row(X)
    with pytest.raises(InputError, match="no column 'age'"):
        lists.explain_row(X[["sex"]].iloc[[0]])


def test_filters(some: tuple[Any, Any, RuleLists]) -> None:
    _, _, lists = some
    for name in ("age", "sex"):
        lacking = lists.filter(without=name)
        assert list(lacking) == [each for each in lists if f"({name})" not in str(each)]
        assert list(lists.filter(using=f"({name})")) == [
            each for each in lists if f"({name})" in str(each)
        ]
    short = lists.filter(max_length=1)
    assert list(short) == [each for each in lists if len(each) <= 1]
    assert list(lists.filter(where=lambda each: len(each) == 2)) == [
        each for each in lists if len(each) == 2
    ]
    for wrong in (
        {"without": "income"},
        {"group": [1]},
        {"group": [1], "max_gap": 0.1},
        {"max_gap": 0.1},
        {"group": [0] * 80, "max_gap": 0.1, "rate": "TPR"},
        {"group": [0] * 80, "max_gap": -1},
    ):
        with pytest.raises(InputError):
            lists.filter(**wrong)


def test_any_list_becomes_a_model(some: tuple[Any, Any, RuleLists], tmp_path: Path) -> None:
    X, _, lists = some
    best, worse = lists.model(0), lists.model(len(lists) - 1)
    assert (best.status_, best.gap_) == ("optimal", 0)
    assert worse.status_ == "near_optimal"
    assert worse.gap_ == pytest.approx(float(lists[-1].objective - lists[0].objective))
    worse.save(tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    assert again.status_ == "near_optimal"
    assert again.rule_list_ == lists[-1]
    assert again.predict(X).tolist() == lists[-1].predict(X).tolist()
    assert "CASE" in worse.export("sql")


def test_every_list_has_a_certificate_of_its_own(some: tuple[Any, Any, RuleLists]) -> None:
    X, y, lists = some
    for index in (0, 1, len(lists) - 1):
        model = lists.model(index, certificate=True)
        for checker in ("fast", "reference"):
            proven = verify(model.certificate_, X, y, checker=checker)
            assert proven.lower_bound == lists.optimum
            assert proven.objective == lists[index].objective
            assert proven.optimal == (model.status_ == "optimal")
    assert not hasattr(lists.model(1), "certificate_")
    header = model.certificate_.header
    better = lists[0].objective  # that the worst list is as good as the best one
    forged = model.certificate_.of_list(*header["rule_list"].values(), better)
    with pytest.raises(VerificationError, match="objective"):
        verify(forged, X, y)


def test_raw_tables_weights_costs_and_constraints() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.integers(18, 80, 200), "city": rng.choice(["a", "b", "c"], 200)})
    y = np.where((X["age"] > 50) & (X["city"] == "a"), "yes", "no")
    given: dict[str, Any] = {
        "regularization": 0.02,
        "class_weight": {"yes": 3, "no": 1},
        "cost_matrix": {"yes": {"no": 2}},
        "antecedent_costs": "clauses",
        "first": ["city = a"],
        "max_length": 2,
    }
    lists = near_optimal(X, y, tolerance=0.2, **given)
    assert lists.complete
    assert all(str(each).startswith("if (city = a)") for each in lists)
    assert lists.optimum == RuleListClassifier(**given).fit(X, y).objective_exact_
    shares = lists.explain_row(X.iloc[[0]])
    assert sum(shares.values()) == pytest.approx(1)


def test_limits_say_what_is_complete() -> None:
    X, y = hard_problem()
    given: dict[str, Any] = {"regularization": 0.002, "max_clauses": 2}
    with pytest.warns(UncertifiedWarning, match="complete|ended"):
        lists = near_optimal(X, y, tolerance=0.5, work_limit=0.2, **given)
    assert lists.status == "work_limit"
    assert not lists.complete
    assert lists.best.objective <= 1
    if lists.complete_up_to is not None:
        assert all(each <= float(lists.complete_up_to) + 1e-12 for each in lists.objectives)
    X, y = random_problem(8, rows=200, features=7)
    with pytest.warns(UncertifiedWarning):
        small = near_optimal(X, y, tolerance=20, max_length=3, memory_limit="500kB", **given)
    assert small.status == "memory_limit"
    assert small.complete_up_to is not None
    assert small.threshold is not None
    assert small.complete_up_to < small.threshold


def test_what_is_known_beyond_a_limit_is_a_whole_set() -> None:
    X, y = random_problem(8, rows=120, features=4)
    given: dict[str, Any] = {"regularization": 0.005, "max_length": 4, **PLAIN}
    for work in (0.0003, 0.001):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UncertifiedWarning)
            lists = near_optimal(X, y, tolerance=1, work_limit=work, **given)
        if lists.complete_up_to is not None:
            entries = brute_force(lists, X, y, lists.complete_up_to, max_length=4)
            assert written(lists) == expected(entries)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"tolerance": -0.1}, "tolerance"),
        ({"tolerance": "5 %"}, "tolerance"),
        ({"tolerance": float("nan")}, "tolerance"),
        ({"tolerance": 0.1, "n": 3}, "one of"),
        ({"n": 0}, "n must"),
        ({"n": 10**30}, "n must be at most"),
        ({"tolerance": Decimal("nan")}, "tolerance"),
        ({"n": True}, "n must"),
        ({"objective": float("inf")}, "objective"),
        ({"distinct": "rules"}, "distinct"),
        ({"colour": "red"}, "no such parameter"),
        ({"checkpoint": "x"}, "checkpoint"),
        ({"n_jobs": "tcp://host:1"}, "one machine"),
        ({"regularization": 2}, "regularization"),
        ({"fairness": {"metric": "equal_opportunity", "tolerance": 0.1}}, "no fairness"),
    ],
)
def test_wrong_input_is_refused(wrong: dict[str, Any], message: str) -> None:
    X, y = random_problem(0)
    with pytest.raises(InputError, match=message):
        near_optimal(X, y, **wrong)


def test_a_threshold_below_the_optimum_gives_an_empty_complete_set() -> None:
    X, y = random_problem(0)
    lists = near_optimal(X, y, objective=0.0001, regularization=0.02, **PLAIN)
    assert (len(lists), lists.complete) == (0, True)
    assert len(lists.ranges()) == 0
    assert str(lists.columns()).count("\n") > 0
    assert "0 rule lists" in str(lists)
    assert len(lists.best) >= 0


def test_the_name_of_a_column_is_no_group() -> None:
    """The set has no table that it could be looked up in."""
    X, y = random_problem(0)
    lists = near_optimal(X, y, regularization=0.02, **PLAIN)
    for group in ("x0", ["x0"]):
        with pytest.raises(InputError, match="for each"):
            lists.ranges(group=group)


@pytest.mark.slow
def test_breast_cancer_by_sight() -> None:
    data = load_breast_cancer()
    lists = near_optimal(data.X, data.y, tolerance=0.05, regularization=0.01, max_clauses=1)
    assert (len(lists), lists.n_orders) == (7, 26)
    assert float(lists.optimum or 0) == pytest.approx(0.0955712, abs=1e-6)


def test_predictions_stand_for_all_lists_in_every_answer() -> None:
    """What a column is worth, and which lists a filter keeps, do not depend on which list of
    those that predict the same is shown."""
    X, y = random_problem(5, rows=80)
    table = pd.DataFrame(X, columns=["age", "sex", "job", "home"])
    given: dict[str, Any] = {"tolerance": 0.6, "regularization": 0.02, **PLAIN}
    every = near_optimal(table, y, **given)
    alike = near_optimal(table, y, distinct="predictions", **given)
    assert len(alike) == every.n_predictions < len(every)
    assert [vars(use) for use in alike.columns()] == [vars(use) for use in every.columns()]
    assert [vars(use) for use in alike.antecedents()] == [vars(use) for use in every.antecedents()]
    assert str(alike.ranges(table["sex"])) == str(every.ranges(table["sex"]))
    assert alike.n_orders == every.n_orders
    for chosen in ({"without": "sex"}, {"using": "job"}, {"max_length": 1}):
        some, of_all = alike.filter(**chosen), every.filter(**chosen)
        assert some.n_alike is not None
        assert (len(some), some.n_alike.sum()) == (of_all.n_predictions, len(of_all))
        assert set(some.texts()) <= set(of_all.texts())
    assert alike.table()["alike"].tolist() == alike.n_alike.tolist()  # type: ignore[union-attr]
    short = alike[:3]
    assert short.n_alike is not None
    assert len(short.filter(max_length=99)) == 3
    assert sum(each.n_lists for each in short.columns()) >= short.n_alike.max()


def test_slices_keep_their_order_and_their_answers(some: tuple[Any, Any, RuleLists]) -> None:
    _, _, lists = some
    back = lists[::-1]
    assert list(back) == list(lists)[::-1]
    assert str(back) == str(lists)
    assert [vars(use) for use in back.columns()] == [vars(use) for use in lists.columns()]


def test_a_set_that_ends_with_its_last_list_says_so() -> None:
    X, y = random_problem(5, rows=80)
    only = near_optimal(X, y, tolerance=0, regularization=0.02, **PLAIN)
    assert str(only).endswith("complete up to the last of them")
    assert only.complete_up_to == only.optimum == only[len(only) - 1].objective


def test_rows_without_a_group_are_one_group(some: tuple[Any, Any, RuleLists]) -> None:
    table, _, lists = some
    group = np.where(table["sex"] == 1, np.nan, table["job"])
    rates = lists.rates(group)
    assert set(rates.groups) == {None, 0.0, 1.0}
    assert rates.totals["error"].sum() == len(table)
    with pytest.raises(InputError, match="one value for each row"):
        lists.rates(np.zeros((len(table), 2)))
    for wrong in ("3", -1, True, 1.5):
        with pytest.raises(InputError, match="max_length"):
            lists.filter(max_length=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "switch",
    [{"symmetry": "none"}]
    + [
        {"bounds": [each for each in NEAR_OPTIMAL_BOUNDS if each != name]}
        for name in NEAR_OPTIMAL_BOUNDS[1:]  # the first one saves nothing on these rows
    ],
    ids=str,
)
def test_every_switch_reaches_the_engine_and_changes_no_set(switch: dict[str, Any]) -> None:
    data = load_breast_cancer()
    given: dict[str, Any] = {"regularization": 0.01, "max_clauses": 1, "max_length": 3}

    def found(**more: Any) -> tuple[int, list[list[int]]]:
        goal = read_goal(0.3, None, None, "text")
        started = start(data.X, data.y, goal, None, given | more)
        options = engine_options(started.prepared, started.parameters)
        engine = _core.NearOptimal(started.prepared.problem, **options)
        assert engine.run(str(engine.scale * 124 // 1000)) == "complete"
        return engine.n_expanded, engine.lists["prefixes"].tolist()

    (expanded, lists), (more_expanded, same) = found(), found(**switch)
    assert same == lists
    assert len(lists) > 1000
    assert more_expanded > expanded
