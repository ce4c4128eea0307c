"""Another antecedent in an earlier rule: against brute force, and against the engine without it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from surelist import _core
from tests.core.test_pair_count import data, optima, problem, run

WITHOUT = [name for name in _core.bound_names() if name != "replacement"]


@pytest.mark.parametrize("seed", range(8))
def test_alone_it_keeps_the_optimum(seed: int) -> None:
    made = data(seed, 50 + 10 * seed, 5, (1, 3, 100_000)[seed % 3])
    for regularization, expected in optima(made):
        for bounds in (_core.bound_names(), ["replacement"], ["replacement", "lookahead"]):
            search = run(made, regularization, bounds=bounds, max_length=3, beam_width=0)
            assert Fraction(search.objective, search.scale) == expected


@pytest.mark.parametrize("by_length", [False, True])
def test_it_changes_no_optimum_and_spares_expansions(by_length: bool) -> None:
    expanded = dict.fromkeys(("with", "without"), 0)
    pruned = 0
    for seed in range(6):
        made = data(seed, 300, 10, 1 + 2 * (seed % 2))
        options: dict[str, Any] = {"by_length": by_length, "beam_width": 0}
        on = run(made, "0.01", bounds=_core.bound_names(), **options)
        off = run(made, "0.01", bounds=WITHOUT, **options)
        assert on.objective == off.objective
        assert off.pruned["replacement"] == 0
        pruned += on.pruned["replacement"]
        expanded["with"] += on.counters["expanded"]
        expanded["without"] += off.counters["expanded"]
    assert expanded["with"] < expanded["without"]
    assert pruned > 0


def test_rules_that_every_list_begins_with_stay() -> None:
    made = data(3, 60, 5, 1)
    for first in range(5):
        constraints = {"first": [first], "bounds": ["replacement"], "max_length": 3}
        on = run(made, "0.002", **constraints, beam_width=0)
        off = run(made, "0.002", **(constraints | {"bounds": []}), beam_width=0)
        assert on.objective == off.objective
        assert on.prefix[0] == first


def test_a_forbidden_antecedent_is_not_put_in() -> None:
    made = data(4, 60, 5, 1)
    best = run(made, "0.002", max_length=3).prefix
    for forbidden in best:
        options: dict[str, Any] = {"forbidden": [forbidden], "max_length": 3, "beam_width": 0}
        on = run(made, "0.002", bounds=["replacement"], **options)
        off = run(made, "0.002", bounds=[], **options)
        assert on.objective == off.objective


def test_three_classes_do_not_use_it() -> None:
    made = data(5, 60, 5, 1)
    search = _core.Search(_core.Problem(made[0], made[1], made[2], 3), "0.01", max_length=3)
    assert search.run() == "optimal"
    assert search.pruned["replacement"] == 0
    assert problem(made).n_classes == 2
