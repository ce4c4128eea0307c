"""RuleListClassifier(fairness=…): groups, labels, rates, limits."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import surelist
from surelist import (
    Fairness,
    InputError,
    RuleListClassifier,
    RuleListClassifierCV,
    UncertifiedWarning,
    regularization_path,
)


def table(n_rows: int = 400, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray[Any, Any]]:
    """People of two groups: skill counts, and one group has fewer of the skilled."""
    rng = np.random.default_rng(seed)
    group = rng.choice(["a", "b"], n_rows, p=[0.6, 0.4])
    skill = rng.random(n_rows) < np.where(group == "a", 0.7, 0.35)
    town = rng.random(n_rows) < np.where(group == "a", 0.8, 0.3)
    youth = rng.random(n_rows) < 0.5
    y = np.where(rng.random(n_rows) < np.where(skill, 0.85, 0.2), "hired", "not")
    X = pd.DataFrame({"group": group, "skill": skill, "town": town, "youth": youth})
    return X, y


def fit(X: Any, y: Any, fairness: Any, **options: Any) -> RuleListClassifier:
    model = RuleListClassifier(0.01, max_clauses=1, negations=True, fairness=fairness)
    model.set_params(**options).fit(X, y)
    return model


def test_a_tolerance_holds_and_costs() -> None:
    X, y = table()
    free = fit(X, y, Fairness("statistical_parity", "group", 1, positive="hired"))
    fair = fit(X, y, Fairness("statistical_parity", "group", 0.1, positive="hired"))
    assert (free.status_, fair.status_) == ("optimal", "optimal")
    gap, before = (m.fairness_.unfairness("statistical_parity") for m in (fair, free))
    assert gap <= Fraction(1, 10) < before
    assert fair.objective_exact_ > free.objective_exact_
    plain = RuleListClassifier(0.01, max_clauses=1, negations=True).fit(X.drop(columns="group"), y)
    assert free.objective_exact_ == plain.objective_exact_
    predicted = fair.predict(X)
    rates = [(predicted[X["group"] == g] == "hired").mean() for g in "ab"]
    assert [float(each.selection_rate) for each in fair.fairness_.groups] == pytest.approx(rates)


def test_rules_leave_the_sensitive_column_alone_unless_it_is_allowed() -> None:
    X, y = table()
    fairness = {"metric": "statistical_parity", "sensitive": "group", "tolerance": 0.02}
    hidden = fit(X, y, fairness)
    allowed = fit(X, y, fairness | {"allow_sensitive": True})
    assert not any("group" in str(each) for each in hidden.antecedents_)
    assert any("group" in str(each) for each in allowed.antecedents_)
    assert allowed.objective_exact_ <= hidden.objective_exact_
    assert list(hidden.feature_names_in_) == list(X.columns)


def test_groups_may_be_columns_combinations_or_a_vector() -> None:
    X, y = table()
    by_column = fit(X, y, Fairness("equal_opportunity", "group", 0.05))
    by_vector = RuleListClassifier(
        0.01, max_clauses=1, negations=True, fairness=Fairness("equal_opportunity", tolerance=0.05)
    ).fit(X.drop(columns="group"), y, sensitive_features=X["group"])
    assert by_column.objective_exact_ == by_vector.objective_exact_
    assert by_column.fairness_ == by_vector.fairness_
    four = fit(X, y, Fairness("equal_opportunity", ["group", "youth"], 0.3))
    names = [group.name for group in four.fairness_.groups]
    assert names == ["a, False", "a, True", "b, False", "b, True"]


def test_majority_labels_are_a_smaller_set_of_lists() -> None:
    X, y = table()
    demand = {"metric": "statistical_parity", "sensitive": "group", "tolerance": 0.05}
    free = fit(X, y, demand)
    majority = fit(X, y, demand | {"labels": "majority"})
    assert majority.objective_exact_ >= free.objective_exact_
    assert (free.fairness_.labels, majority.fairness_.labels) == ("free", "majority")
    free_rules, rules = free.rule_list_.all_rules, majority.rule_list_.all_rules
    assert all(2 * rule.correct >= rule.captured for rule in rules)
    assert any(2 * rule.correct < rule.captured for rule in free_rules)


def test_a_demand_that_no_list_satisfies_is_said_to_be_so() -> None:
    X, y = table()
    with pytest.raises(InputError, match=r"no rule list over these antecedents .* that is proven"):
        fit(X, y, Fairness(None, "group", max_error=0.0))
    # Over majority labels only that is proven.
    with pytest.raises(InputError, match=r'no rule list with majority labels .* labels="free"'):
        fit(X, y, Fairness(None, "group", max_error=0.0, labels="majority"))


def test_bounds_on_groups_hold() -> None:
    X, y = table()
    model = fit(
        X, y, Fairness(None, "group", max_error={"b": 0.3}, min_selection=0.25, positive="hired")
    )
    a, b = model.fairness_.groups
    assert b.error_rate <= Fraction(3, 10)
    assert min(a.selection_rate, b.selection_rate) >= Fraction(1, 4)


def test_limits_keep_the_best_list_and_say_what_is_proven() -> None:
    X, y = table()
    demand = Fairness("statistical_parity", "group", 0.02)
    with pytest.warns(UncertifiedWarning, match="work limit"):
        model = fit(X, y, demand, work_limit=1e-6)
    assert model.status_ == "work_limit"
    assert 0 <= model.lower_bound_exact_ < model.objective_exact_
    best = fit(X, y, demand)
    assert model.lower_bound_exact_ <= best.objective_exact_ <= model.objective_exact_
    assert model.fairness_.unfairness("statistical_parity") <= Fraction(1, 50)


def test_ctrl_c_keeps_the_best_list() -> None:
    X, y = table()

    def stop(_: object) -> None:
        raise KeyboardInterrupt

    demand = Fairness("equalized_odds", "group", 0.02)
    model = RuleListClassifier(0.001, max_clauses=2, negations=True, fairness=demand, progress=stop)
    with pytest.warns(UncertifiedWarning, match="interrupted"):
        model.fit(X, y)
    assert model.status_ == "interrupted"
    assert model.fairness_.unfairness("equalized_odds") <= Fraction(1, 50)


def test_sample_weights_weigh_rates() -> None:
    X, y = table()
    weights = np.where(X["group"] == "a", 3, 1)
    model = RuleListClassifier(
        0.01, max_clauses=1, fairness=Fairness("statistical_parity", "group", 0.1)
    ).fit(X, y, weights)
    assert [group.weight for group in model.fairness_.groups] == [
        3 * int((X["group"] == "a").sum()),
        int((X["group"] == "b").sum()),
    ]


def test_models_are_cloned_saved_and_loaded(tmp_path: Path) -> None:
    X, y = table()
    model = fit(X, y, Fairness("statistical_parity", "group", 0.1))
    assert clone(model).get_params()["fairness"] == model.fairness
    model.save(tmp_path / "model.json")
    read = surelist.load(tmp_path / "model.json")
    assert read.fairness_ == model.fairness_
    assert read.fairness == model.fairness
    assert (read.predict(X) == model.predict(X)).all()


def test_a_grid_search_chooses_among_fair_lists() -> None:
    X, y = table()
    demand = {"metric": "statistical_parity", "tolerance": 0.1}
    by_column = RuleListClassifier(max_clauses=1, fairness=demand | {"sensitive": "group"})
    by_vector = RuleListClassifier(max_clauses=1).set_params(fairness=demand)
    grid = {"regularization": [0.02, 0.3]}
    column = GridSearchCV(by_column, grid, cv=2).fit(X, y)
    vector = GridSearchCV(by_vector, grid, cv=2)
    vector.fit(X.drop(columns="group"), y, sensitive_features=X["group"].to_numpy())
    for search in (column, vector):
        assert search.best_params_ == {"regularization": 0.02}
        best = search.best_estimator_
        assert best.fairness_.unfairness("statistical_parity") <= Fraction(1, 10)
    assert column.best_estimator_.objective_exact_ == vector.best_estimator_.objective_exact_


def test_a_fair_list_to_start_from_is_taken() -> None:
    X, y = table()
    demand = Fairness("statistical_parity", "group", 0.1)
    model = fit(X, y, demand)
    with pytest.warns(UncertifiedWarning):
        again = fit(X, y, demand, initial_rule_list=model, work_limit=1e-9)
    assert again.objective_exact_ == model.objective_exact_


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"class_weight": "balanced"}, "say what mistakes cost by cost_matrix"),
        ({"policy": "curiosity"}, "with fairness, policy must be"),
        ({"initial_rule_list": ["skill"]}, "initial_rule_list must be a RuleList"),
        ({"fairness": Fairness("statistical_parity", "colour")}, "no sensitive column 'colour'"),
        ({"fairness": Fairness("statistical_parity")}, "one of the two, not both"),
        (
            {"fairness": Fairness("statistical_parity", "group", positive="fired")},
            "positive must be one of the classes",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(options: dict[str, Any], message: str) -> None:
    X, y = table()
    with pytest.raises(InputError, match=message):
        fit(X, y, **{"fairness": Fairness("statistical_parity", "group"), **options})


def test_sensitive_features_need_fairness_and_one_value_per_row() -> None:
    X, y = table()
    with pytest.raises(InputError, match="sensitive_features are for a model with fairness"):
        RuleListClassifier().fit(X, y, sensitive_features=X["group"])
    model = RuleListClassifier(fairness=Fairness("statistical_parity"))
    with pytest.raises(InputError, match="sensitive_features has 3"):
        model.fit(X, y, sensitive_features=["a", "b", "a"])
    with pytest.raises(InputError, match="make 1 group of rows"):
        model.fit(X, y, sensitive_features=["a"] * len(X))


def test_paths_and_cross_validation_refuse_fairness() -> None:
    X, y = table()
    with pytest.raises(InputError, match="cross-validation does not choose"):
        RuleListClassifierCV(fairness=Fairness("statistical_parity", "group")).fit(X, y)
    with pytest.raises(InputError, match="a path over λ has no fairness="):
        regularization_path(X, y, fairness=Fairness("statistical_parity", "group"))


def test_the_report_prints_rates_by_group() -> None:
    X, y = table()
    text = str(fit(X, y, Fairness("statistical_parity", "group", 0.1)).fairness_)
    assert text.splitlines()[0].endswith("error rate  group")
    assert [line.split()[-1] for line in text.splitlines()[1:]] == ["a", "b"]
