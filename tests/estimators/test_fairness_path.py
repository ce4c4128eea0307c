"""The front of objective against unfairness."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from surelist import Fairness, InputError, RuleListClassifier, fairness_path
from surelist.plot import plot_fairness_path


def table(seed: int = 0, n_rows: int = 300) -> tuple[pd.DataFrame, np.ndarray[Any, Any]]:
    rng = np.random.default_rng(seed)
    group = rng.choice(["a", "b"], n_rows)
    skill = rng.random(n_rows) < np.where(group == "a", 0.7, 0.4)
    town = rng.random(n_rows) < np.where(group == "a", 0.8, 0.3)
    y = (rng.random(n_rows) < np.where(skill, 0.85, 0.2)).astype(int)
    return pd.DataFrame({"group": group, "skill": skill, "town": town}), y


def front(**options: Any) -> Any:
    X, y = table()
    fairness = Fairness("statistical_parity", "group")
    return fairness_path(X, y, fairness=fairness, negations=True, **options)


def test_a_front_falls_in_unfairness_and_every_point_is_the_best_at_its_tolerance() -> None:
    found = front()
    assert found.certified
    assert found.ended == "fair"
    unfairness = [point.unfairness for point in found.points]
    objectives = [point.objective for point in found.points]
    assert unfairness == sorted(unfairness, reverse=True)
    assert objectives == sorted(objectives)
    assert unfairness[-1] == 0
    X, y = table()
    for point in found.points:
        assert point.unfairness <= point.tolerance
        demand = Fairness("statistical_parity", "group", point.unfairness.limit_denominator(10**8))
        best = RuleListClassifier(negations=True, fairness=demand).fit(X, y)
        assert best.objective_exact_ >= point.objective


def test_tolerances_may_be_given() -> None:
    found = front(tolerances=[0.3, 0.1, 0])
    assert [point.tolerance for point in found.points] == [Fraction(3, 10), Fraction(1, 10), 0]
    assert found.ended == "tolerances"
    assert len(str(found).splitlines()) == 4
    assert [point["tolerance"] for point in found.to_dict()["points"]] == ["3/10", "1/10", "0"]


def test_what_is_proven_of_a_tolerance_holds_for_smaller_ones() -> None:
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.integers(0, 2, (300, 8)), columns=[f"f{i}" for i in range(8)])
    group, y = rng.choice(["a", "b", "c"], 300), rng.integers(0, 2, 300)
    options: dict[str, Any] = {"max_clauses": 1, "negations": True, "regularization": 0.004}
    options |= {"sensitive_features": group, "fairness": Fairness("equalized_odds")}
    tolerances = [0.3, 0.2, 0.1, 0.05, 0]
    short = fairness_path(X, y, tolerances=tolerances, work_limit=2e-3, **options)
    bounds = [point.lower_bound for point in short.points]
    own = [point.model.lower_bound_exact_ for point in short.points]
    assert bounds == sorted(bounds)
    assert all(bound >= each for bound, each in zip(bounds, own, strict=True))
    assert bounds != own
    assert not short.certified
    long = fairness_path(X, y, tolerances=tolerances, **options)
    assert long.certified
    for bound, point in zip(bounds, long.points, strict=True):
        assert bound <= point.objective


def test_a_front_that_cannot_end_fair_says_why() -> None:
    X, y = table()
    fairness = Fairness("conditional_use_accuracy_equality", "group")
    found = fairness_path(X, y, fairness=fairness, negations=True)
    assert "no rule list over these antecedents" in found.ended


def test_rates_on_other_rows_and_their_picture() -> None:
    found = front()
    X, y = table(1)
    held_out = found.on(X, y, X["group"])
    assert [len(report.groups) for report in held_out] == [2] * len(found)
    assert sum(group.weight for group in held_out[0].groups) == len(X)
    axes = plot_fairness_path(found, held_out=held_out)
    assert [panel.get_ylabel() for panel in axes] == ["objective", "selection rate"]
    with pytest.raises(InputError, match="must be one of a, b"):
        found.on(X, y, ["c"] * len(X))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fairness": None}, "one metric"),
        ({"fairness": {"metric": ["equal_opportunity", "statistical_parity"]}}, "one metric"),
        ({"fairness": {"ratio": 0.8}}, "leave ratio out"),
        ({"fairness": {}, "depth": 3}, "no such parameter: depth"),
        ({"fairness": {"sensitive": "group"}, "step": 0}, "step must be above 0"),
        ({"fairness": {"sensitive": "group"}, "tolerances": 0.1}, "sequence of numbers"),
        ({"fairness": {}, "sensitive_features": "group"}, "a value for each row"),
    ],
)
def test_what_makes_no_front_is_refused(options: dict[str, Any], message: str) -> None:
    X, y = table()
    with pytest.raises(InputError, match=message):
        fairness_path(X, y, **options)


def test_ctrl_c_ends_the_front_and_not_one_point_alone() -> None:
    def stop(_: object) -> None:
        raise KeyboardInterrupt

    found = front(progress=stop, regularization=0.001)
    assert found.ended == "interrupted"
    assert len(found) == 1
    assert found.points[0].status in ("interrupted", "optimal")
