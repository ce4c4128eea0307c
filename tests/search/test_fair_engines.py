"""The second search, by length: it finds what the first one does, and never more than there is."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import fair_problems
import pytest

from surelist import _core
from surelist.problem.fairness import METRICS
from surelist.search import fair_engines
from surelist.search.fair_engines import FairEngines


def engines(case: fair_problems.FairCase) -> FairEngines:
    def make(max_length: int | None) -> _core.FairSearch:
        return case.prepared_search(max_length=max_length)

    allowed = case.allowed
    demanded = {*allowed.get("first", ()), *allowed.get("required", ())}
    return FairEngines(make, allowed.get("max_length"), least=len(demanded))


@pytest.mark.parametrize("metric", METRICS)
def test_both_together_find_the_optimum(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_engines, "_ALONE", 0)
    seeds = iter(range(1000))
    for _ in range(12):
        case = next(
            each
            for seed in seeds
            if (each := fair_problems.random_case(f"engines {seed}", metric)) is not None
        )
        both, wanted = engines(case), case.optimum()
        rng = random.Random(7)
        while both.step(rng.choice([1, 100, 10**5])):
            proven = both.proven_length or 0
            if both.main.found and proven:
                shorter: dict[str, Any] = case.allowed | {
                    "max_length": min(proven, case.allowed.get("max_length", proven))
                }
                best = case.optimum(shorter)
                assert best is None or both.objective <= best
        found = both.objective if both.main.found else None
        assert found == wanted
        assert both.proven_length is None


def test_counters_and_memory_are_those_of_both(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_engines, "_ALONE", 0)
    case = fair_problems.random_case(3, "statistical_parity")
    assert case is not None
    both = engines(case)
    while both.step(10):
        assert both.counters["work"] >= both.main.counters["work"]
        assert both.nbytes >= both.main.nbytes
    assert both.objective == Fraction(both.main.objective, both.main.scale)
