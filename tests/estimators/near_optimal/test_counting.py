"""Counted sets are those that are kept elsewhere: same lists, same number, fair samples."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

import pytest
from problems import DEMANDS, random_problem

from surelist import (
    InputError,
    RuleLists,
    UncertifiedWarning,
    count_near_optimal,
    near_optimal,
)

PLAIN: dict[str, Any] = {"max_clauses": 1, "min_support": 0, "regularization": 0.02}


@pytest.mark.parametrize("given", DEMANDS, ids=str)
def test_the_count_is_that_of_the_set_that_is_kept(given: dict[str, Any]) -> None:
    for seed in range(3):
        X, y = random_problem(seed)
        kept = near_optimal(X, y, tolerance=0.5, **PLAIN, **given)
        counted = count_near_optimal(X, y, tolerance=0.5, **PLAIN, **given)
        assert counted.complete
        assert counted.count == kept.n_orders
        assert counted.count_entries() == kept.count == len(kept)
        assert (counted.optimum, counted.complete_up_to) == (kept.optimum, kept.complete_up_to)
        assert Counter(map(str, counted)) == Counter(map(str, kept))


@pytest.fixture(scope="module")
def both() -> tuple[RuleLists, Any]:
    X, y = random_problem(3, rows=60, features=6)
    given = {"tolerance": 2, "max_length": 4, **PLAIN}
    return near_optimal(X, y, **given), count_near_optimal(X, y, **given)


def test_samples_are_fair_and_can_be_drawn_again(both: tuple[RuleLists, Any]) -> None:
    kept, counted = both
    assert counted.count > 20 * 10  # else all lists are made and some chosen
    texts, seen, draws = set(kept.texts()), Counter[str](), 80
    for seed in range(draws):
        drawn = counted.sample(10, random_state=seed)
        assert len(set(drawn.texts())) == 10
        assert set(drawn.texts()) <= texts
        seen.update(drawn.texts())
    # Each entry is drawn with the same chance, however many orders it has: chi-squared.
    expected = draws * 10 / len(texts)
    chi = sum((seen[text] - expected) ** 2 / expected for text in texts)
    degrees = len(texts) - 1
    assert chi < degrees + 5 * (2 * degrees) ** 0.5
    again = counted.sample(10, random_state=0)
    assert list(again.texts()) == list(counted.sample(10, random_state=0).texts())
    orders = dict(zip(kept.texts(), kept.orders.tolist(), strict=True))
    assert all(orders[t] == n for t, n in zip(again.texts(), again.orders.tolist(), strict=True))
    assert again.n_predictions == len({tuple(each.predict(rows_of_both())) for each in again})
    assert (again.status, again.complete, again.complete_up_to) == ("sample", False, None)
    assert "drawn at random" in str(again)


def rows_of_both() -> Any:
    return random_problem(3, rows=60, features=6)[0]


def test_a_sample_of_all_is_all(both: tuple[RuleLists, Any]) -> None:
    kept, counted = both
    everything = counted.sample(10**6)
    assert list(everything.texts()) == list(kept.texts())
    assert everything.n_predictions == kept.n_predictions
    stored = kept.sample(7, random_state=1)
    assert list(stored.texts()) == list(kept.sample(7, random_state=1).texts())
    assert set(stored.texts()) < set(kept.texts())
    assert len(kept.sample(10**6)) == kept.count


def test_the_estimate_is_near(both: tuple[RuleLists, Any]) -> None:
    kept, counted = both
    estimate, error = counted.estimate_entries(3000, random_state=1)
    assert error > 0
    assert abs(estimate - len(kept)) < 5 * error


@pytest.mark.slow
def test_limits_leave_a_smaller_set_that_is_counted() -> None:
    X, y = random_problem(8, rows=300, features=20)
    given = {"tolerance": 2, "max_length": 6, **PLAIN} | {"regularization": 0.005}
    reached = []
    for work in (0.008, 0.03):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UncertifiedWarning)
            counted = count_near_optimal(X, y, work_limit=work, **given)
        if counted.complete_up_to is None or counted.complete:
            continue
        kept = near_optimal(X, y, objective=counted.complete_up_to, **given | {"tolerance": None})
        assert (counted.status, counted.count) == ("work_limit", kept.n_orders)
        assert len(counted.sample(3)) == 3
        reached.append(counted)
    assert reached
    with pytest.warns(UncertifiedWarning, match="before any set was complete"):
        nothing = count_near_optimal(X, y, work_limit=1e-6, **given)
    assert (nothing.count, nothing.count_entries(), list(nothing)) == (0, 0, [])
    assert "nothing is complete" in str(nothing)
    assert len(nothing.sample(2)) == 0


def test_a_large_set_takes_little_memory() -> None:
    X, y = random_problem(9, rows=200, features=14)
    counted = count_near_optimal(
        X, y, objective=0.9, max_length=6, memory_limit="20MB", **PLAIN | {"regularization": 0.001}
    )
    assert counted.count > 10**6
    assert counted._counter.nbytes < 20_000_000
    assert len(counted.sample(5, random_state=0)) == 5


@pytest.mark.parametrize(
    ("wrong", "message"),
    [({"certificate": True}, "no certificate"), ({"tolerance": -1}, "tolerance")],
)
def test_wrong_input_is_refused(wrong: dict[str, Any], message: str) -> None:
    X, y = random_problem(0)
    with pytest.raises(InputError, match=message):
        count_near_optimal(X, y, **wrong)


def test_wrong_samples_are_refused(both: tuple[RuleLists, Any]) -> None:
    for lists in both:
        for wrong in ({"n": 0}, {"n": 1.5}, {"n": 2, "random_state": -1}):
            with pytest.raises(InputError):
                lists.sample(**wrong)
