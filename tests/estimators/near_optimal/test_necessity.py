"""What doing without a column costs, against brute force over all lists."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import near_optimal_oracle
import numpy as np
import pandas as pd
import pytest
from constrained_oracle import Demands
from oracle import Data

from surelist import InputError, RuleLists, SurelistError, UncertifiedWarning, near_optimal
from surelist.search import engine

LAMBDA = Fraction(1, 50)
SIZES: list[dict[str, Any]] = [
    {"max_clauses": 1, "max_length": 3},
    {"max_clauses": 2, "max_length": 2},
]


def drawn(seed: int, **given: Any) -> tuple[pd.DataFrame, Any, RuleLists]:
    """Four columns, of which one can stand in for another in every third problem."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 2, (40, 4)), columns=["a", "b", "c", "d"])
    if seed % 3 == 0:
        X["d"] = X["a"]
    noisy = rng.random(40) < 0.15
    y = ((X["a"] & X["b"]) | X["c"]).to_numpy() ^ noisy
    plain = {"regularization": 0.02, "min_support": 0, **SIZES[seed % 2]}
    return X, y, near_optimal(X, y, tolerance=0, **(plain | given))


def every_list(lists: RuleLists, y: Any) -> list[tuple[Fraction, set[int]]]:
    """The objective of every list, and its antecedents."""
    captures = np.array(
        [each.captures(lists._source.prepared.data.matrix) for each in lists._source.antecedents]
    ).T
    data = Data(
        captures=tuple(tuple(map(int, row)) for row in captures),
        labels=tuple(map(int, y)),
        weights=(1,) * len(y),
        n_classes=2,
        n_antecedents=captures.shape[1],
    )
    longest = lists._source.parameters.max_length or 0
    costs = ((Fraction(0), Fraction(1)), (Fraction(1), Fraction(0)))
    demands = Demands(prices=(LAMBDA,) * captures.shape[1], costs=costs, max_length=longest)
    found = []
    for length in range(longest + 1):
        for prefix in permutations(range(captures.shape[1]), length):
            made = near_optimal_oracle.listed(data, demands, prefix)
            found += [] if made is None else [(made.objective, set(prefix))]
    return found


def ways(lists: RuleLists) -> list[list[frozenset[str]]]:
    """For each antecedent the columns of each of its names."""
    return [
        [frozenset(clause.name for clause in name) for name in (each.clauses, *each.aliases)]
        for each in lists._source.antecedents
    ]


@pytest.mark.parametrize("seed", range(6))
def test_columns_cost_what_brute_force_finds(seed: int) -> None:
    _, y, lists = drawn(seed)
    every, names = every_list(lists, y), ways(lists)
    short = [min(map(len, each)) for each in names]
    for use in lists.necessity():
        can = {
            place
            for place, each in enumerate(names)
            if any(use.name in name and len(name) == short[place] for name in each)
        }
        must = {place for place, each in enumerate(names) if all(use.name in n for n in each)}
        best_with = min(objective for objective, rules in every if rules & can)
        best_without = min(objective for objective, rules in every if not rules & must)
        assert (use.best_with, use.best_without) == (best_with, best_without)
        assert (use.difference, use.status) == (best_without - best_with, "optimal")
    if seed % 3 == 0:
        assert lists.necessity("d")["d"].best_with == lists.necessity("a")["a"].best_with


@pytest.mark.parametrize("seed", [1, 2])
def test_antecedents_cost_what_brute_force_finds(seed: int) -> None:
    _, y, lists = drawn(seed)
    every = every_list(lists, y)
    for place, name in enumerate(lists._source.names):
        use = lists.necessity(name)[name]
        assert use.best_with == min(objective for objective, rules in every if place in rules)
        assert use.best_without == min(o for o, rules in every if place not in rules)


@pytest.mark.parametrize("seed", range(3))
def test_within_a_set_both_answers_are_the_same(seed: int) -> None:
    X, y, lists = drawn(seed)
    given: dict[str, Any] = {"regularization": 0.02, "min_support": 0, **SIZES[seed % 2]}
    large = near_optimal(X, y, tolerance=20, **given)
    exact = lists.necessity()
    for use in large.columns():
        assert (use.best_with, use.best_without) == (
            exact[use.name].best_with,
            exact[use.name].best_without,
        )


def test_a_column_that_another_one_can_stand_in_for_is_not_needed() -> None:
    X, y, _ = drawn(0)
    lists = near_optimal(X, y, tolerance=0.5, regularization=0.02, max_clauses=1, max_length=3)
    for use in lists.columns():
        if use.name in ("a", "d"):
            assert use.best_without == lists.optimum
    for name, other in (("a", "d"), ("d", "a")):
        kept = lists.filter(without=name)
        assert len(kept) == len(lists)
        assert not any(f"({name})" in str(each) for each in kept)
        assert any(f"({other})" in str(each) for each in kept)
        assert len(lists.filter(using=name)) == lists.columns()[name].n_lists
    assert len(lists.filter(without=["a", "d"])) < len(lists)
    assert len(lists.filter(using=["a", "d"])) == 0


def test_what_is_demanded_has_no_list_without_it() -> None:
    X, y, lists = drawn(2, required=["a"], max_clauses=1)
    use = lists.necessity("a")["a"]
    assert (use.best_without, use.difference) == (None, None)
    assert use.best_with == lists.optimum
    forbidden = near_optimal(X, y, regularization=0.02, max_clauses=1, forbidden=["a"])
    assert forbidden.necessity("a")["a"].best_with is None
    assert "none" in str(forbidden.necessity("a"))


def test_prices_by_name_and_unknown_names() -> None:
    X, _, _ = drawn(0)
    given: dict[str, Any] = {"regularization": 0.02, "max_clauses": 1, "antecedent_costs": {"d": 2}}
    lists = near_optimal(X, X["a"].to_numpy(), tolerance=0, **given)
    assert lists.necessity("a")["a"].difference == Fraction(1, 50)  # d costs twice as much
    with pytest.raises(InputError, match="no column and no antecedent 'x'"):
        lists.necessity("x")


@pytest.mark.slow
def test_a_limit_leaves_what_was_found() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 2, (300, 16)), columns=[f"x{i}" for i in range(16)])
    y = rng.integers(0, 2, 300)
    lists = near_optimal(
        X, y, tolerance=0, regularization=0.002, max_clauses=2, max_length=2, work_limit=2
    )
    loose = lists._source.parameters
    object.__setattr__(loose, "work_limit", 1)
    use = lists.necessity("x0")["x0"]
    assert (use.difference, use.status) == (None, "work_limit")
    with pytest.raises(SurelistError, match="work_limit"):
        lists.necessity("x0", certificate=True)


def test_ctrl_c_ends_all_searches_and_keeps_what_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X, y = np.eye(6, dtype=int).repeat(20, axis=0), ["a", "b", "c", "a", "b", "c"]
    lists = near_optimal(X, np.repeat(y, 20), tolerance=0, regularization=0.01, max_clauses=1)
    every = lists.necessity()
    assert len(every) == 6
    # Ctrl-C strikes while a search ends, so that this one has an optimum all the same.
    calls, search = [0], engine.run

    def struck(*given: Any) -> bool:
        calls[0] += 1
        ended = search(*given)
        return ended or calls[0] == 3

    monkeypatch.setattr("surelist.search.run.run", struck)
    with pytest.warns(UncertifiedWarning, match="2 of 6 names are answered"):
        some = lists.necessity()
    assert [each.name for each in some] == ["x0", "x1"]
    assert all(each == every[each.name] for each in some)
    assert calls[0] == 3
    calls[0] = 2
    with pytest.raises(KeyboardInterrupt):
        lists.necessity("x0")
