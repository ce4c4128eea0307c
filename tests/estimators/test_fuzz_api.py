"""The fuzzer of the public interface: a short run of it, and that it finds what is wrong."""

from __future__ import annotations

import ast
import math
import sys
from fractions import Fraction
from pathlib import Path

import api_reference
import fuzz_api
import pytest
from api_cases import Case, draw

from surelist.problem.costs import Prices


def test_a_short_run_finds_nothing() -> None:
    tally = fuzz_api.fuzz(math.inf, seed=0, most=120)
    assert tally.failures == []
    assert tally.outcomes["optimal"] > 60
    assert tally.outcomes["refused"] < 40


def test_the_cases_have_everything() -> None:
    cases = [draw(seed) for seed in range(400)]
    assert draw(7) == draw(7)
    given = {name for case in cases for name in case.parameters}
    assert {"first", "required", "forbidden", "antecedents", "dnf", "cost_matrix"} <= given
    assert {"max_length", "min_support", "n_jobs", "memory_limit", "antecedent_costs"} <= given
    assert {name for case in cases for name in case.checks} == set(fuzz_api.CHECKS)
    assert {kind for case in cases for kind, _ in case.columns.values()} >= {"text", "day", "real"}
    assert any(case.spoiled for case in cases)


def test_what_is_wrong_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Costs that are left out count for nothing, as if the dearest mistake were the one given."""

    def dearest(self: Prices) -> Fraction:
        costs = [cost for row in self.matrix.values() for cost in row.values()]
        return max(costs, default=Fraction(1))

    cases = (draw(seed) for seed in range(2000))
    case = next(
        case
        for case in cases
        if isinstance(case.parameters.get("cost_matrix"), dict)
        and not case.spoiled
        and fails(monkeypatch, case, dearest)
    )
    with monkeypatch.context() as patch:
        patch.setattr(Prices, "dearest", property(dearest))
        small = fuzz_api.shrunk(case, seconds=20)
        how = fuzz_api.outcome(small)[1]
    assert "brute force" in how
    assert len(small.y) <= len(case.y)
    assert len(small.parameters) <= len(case.parameters)
    script = fuzz_api.script(small, how)
    compile(script, "failure.py", "exec")
    assert "cost_matrix" in script


def fails(patched: pytest.MonkeyPatch, case: Case, dearest: object) -> bool:
    with patched.context() as patch:
        patch.setattr(Prices, "dearest", property(dearest))  # type: ignore[arg-type]
        return fuzz_api.outcome(case)[0] == "failed"


def test_the_reference_imports_nothing_from_the_package() -> None:
    tree = ast.parse(Path(api_reference.__file__).read_text(encoding="utf-8"))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
        )
        if name is not None
    }
    assert imported <= sys.stdlib_module_names
