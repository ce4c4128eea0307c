"""Fair lists against brute force, and demands that make no sense."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import count, islice
from typing import Any

import pytest
from fair_problems import check, random_case

from surelist import Fairness, InputError, _core
from surelist.problem.fairness import METRICS, constraints_of, read_fairness

N_CASES = 40


@pytest.mark.parametrize("metric", METRICS)
def test_the_best_fair_list_is_that_of_brute_force(metric: str) -> None:
    cases = ((seed, random_case(seed, metric)) for seed in count())
    known = ((seed, case) for seed, case in cases if case is not None)
    checked = [check(case, random.Random(seed)) for seed, case in islice(known, N_CASES)]
    assert any(each is not None for each in checked)
    assert any(each is None for each in checked)


@pytest.mark.parametrize("off", _core.fair_bound_names())
def test_every_bound_can_be_switched_off(off: str) -> None:
    case = random_case(1, "statistical_parity")
    assert case is not None
    wanted = case.search()
    search = case.search(bounds=[name for name in _core.fair_bound_names() if name != off])
    assert (search.objective, search.found) == (wanted.objective, wanted.found)


def test_bounds_exclude_prefixes_and_exclude_none_when_they_are_off() -> None:
    counters = {f"by_{name}": name for name in ("feasibility", "domination", "value")}
    seen = dict.fromkeys(counters, 0)
    for seed in range(200):
        if (case := random_case(seed, "equalized_odds")) is None:
            continue
        for counter, bound in counters.items():
            on = [name for name in _core.fair_bound_names() if name != "gain_potential"]
            seen[counter] += case.search(bounds=[*on]).counters[counter]
            off = case.search(bounds=[name for name in on if not name.startswith(bound)])
            assert off.counters[counter] == 0
    assert all(seen.values()), seen


def test_steps_of_any_size_give_the_same_result() -> None:
    case = random_case(3, "statistical_parity")
    assert case is not None
    wanted = case.search()
    search = case.prepared_search()
    bounds = []
    while search.step(1):
        bounds.append(search.lower_bound)
        assert search.proven_length is not None
    assert search.objective == wanted.objective == search.lower_bound
    assert bounds == sorted(bounds)
    assert search.proven_length is None


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"metric": "demographic"}, "metric must be one of"),
    ({"metric": []}, "metric must be one of"),
    ({"metric": None}, "demands nothing"),
    ({"tolerance": 1.5}, "tolerance must be a number from 0 to 1"),
    ({"tolerance": "much"}, "tolerance must be a number from 0 to 1"),
    ({"tolerance": True}, "tolerance must be a number from 0 to 1"),
    ({"ratio": -0.1}, "ratio must be a number from 0 to 1"),
    ({"tolerance": Fraction(1, 10**12)}, "too many digits"),
    ({"labels": "any"}, 'labels must be "free" or "majority"'),
    ({"sensitive": 3}, "sensitive must be a column"),
    ({"max_error": {3: 0.1}}, "must name groups by text"),
    ({"max_error": {"a": 2}}, "max_error of a must be a number from 0 to 1"),
    ({"allow_sensitive": 1}, "allow_sensitive must be True or False"),
    ({"metrics": "x"}, "fairness has no parameter 'metrics'"),
]


@pytest.mark.parametrize(("given", "message"), REFUSED)
def test_demands_without_sense_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_fairness(given)


def test_what_is_no_fairness_is_refused() -> None:
    with pytest.raises(InputError, match="fairness must be None, a Fairness or a dict"):
        read_fairness("statistical_parity")


@pytest.mark.parametrize(
    ("metric", "totals", "message"),
    [
        ("statistical_parity", [0, 0, 3, 4], "'a' has no rows, so its selection rate"),
        ("equal_opportunity", [5, 0, 3, 4], "'a' has no rows of the positive class"),
        ("predictive_equality", [5, 1, 0, 4], "'b' has no rows of the negative class"),
    ],
)
def test_groups_without_a_rate_are_explained(metric: str, totals: list[int], message: str) -> None:
    demand = read_fairness(Fairness(metric))
    assert demand is not None
    with pytest.raises(InputError, match=message):
        constraints_of(demand, totals, ["a", "b"])


def test_a_group_that_does_not_exist_is_refused() -> None:
    demand = read_fairness(Fairness(None, max_error={"c": 0.5}))
    assert demand is not None
    with pytest.raises(InputError, match="there is no group 'c'; there are a, b"):
        constraints_of(demand, [1, 2, 3, 4], ["a", "b"])
