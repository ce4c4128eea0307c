"""A search that leaves out too much is caught.

The real engine solves another problem than the certificate claims: a larger λ, fewer antecedents, a
shorter list, other weights. To the checker that is an engine whose bounds are too strong. What is
too strong in the engine's own code, `seeded_engine.py` builds; that takes a compiler and a minute,
so it is a part of `make fuzz-certificates`.
"""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import certify
import certify_engine
import mutate
import numpy as np
import pytest
import seeded_checker
import seeded_engine
from repository import ROOT

Change = Callable[[certify.Case, np.random.Generator], object]


def larger_price(case: certify.Case, _: np.random.Generator) -> None:
    case.header["regularization"] = str(
        Fraction(case.header["regularization"]) * 3 + Fraction(1, 50)
    )
    if case.header["prices"]:
        case.header["prices"] = [str(2 * Fraction(price)) for price in case.header["prices"]]


def withheld(case: certify.Case, rng: np.random.Generator) -> None:
    limits = case.header["constraints"]
    kept = {*limits["first"], *limits["required"], *limits["forbidden"]}
    some = [
        a for a in range(len(case.header["antecedents"])) if a not in kept and rng.random() < 0.5
    ]
    limits["forbidden"] = [*limits["forbidden"], *some]


def shorter(case: certify.Case, _: np.random.Generator) -> None:
    limits = case.header["constraints"]
    least = len({*limits["first"], *limits["required"]})
    longest = (
        len(case.header["antecedents"]) if limits["max_length"] is None else limits["max_length"]
    )
    limits["max_length"] = min(longest, least + 1)


def other_weights(case: certify.Case, rng: np.random.Generator) -> None:
    weights = case.sample_weight or [1.0] * len(case.y)
    case.sample_weight = [weight * float(rng.integers(1, 6)) for weight in weights]
    case.header["weights"] |= {"kind": "whole", "sample_weight": True}


def claimed_of(case: certify.Case, solved: certify.Case) -> certify.Case:
    """What the engine left behind for one problem, as a certificate of optimality for another."""
    made = copy.deepcopy(case)
    made.closed = solved.closed
    made.header |= {key: solved.header[key] for key in ("version", "order")}
    made.header["rule_list"] = chosen = solved.header["rule_list"]
    made.header["counts"] = {"closed_prefixes": len(made.closed)}
    problem = certify.Problem(made)
    objective = problem.objective(chosen["prefix"], chosen["labels"], chosen["default_label"])
    made.header["objective"] = made.header["lower_bound"] = str(objective)
    made.header["fingerprint"] = certify.fingerprint(made)
    return made


@pytest.mark.parametrize("change", [larger_price, withheld, shorter, other_weights])
def test_an_engine_that_solves_another_problem_is_caught(change: Change) -> None:
    wrong = refused = 0
    for seed in range(120):
        case = certify_engine.one_label_at_most(certify.draw(seed))
        solved = copy.deepcopy(case)
        change(solved, np.random.default_rng(seed))
        made = claimed_of(case, certify_engine.prove(solved))
        wrong += not mutate.is_true(made)
        mutant = mutate.Mutant(made, certify.to_bytes(made), mutate.INCOMPLETE)
        refused += mutate.judge(mutant) == "refused"  # or else it is true
    assert wrong > 5
    assert refused >= wrong


def test_faults_are_seeded_where_the_bounds_are() -> None:
    """The engine's bounds are where the test that changes them looks for them."""
    text = (ROOT / "core" / "problem" / "bounds.hpp").read_text(encoding="utf-8")
    changed = seeded_engine.seed_faults(text)
    for name in seeded_engine.FAULTS:
        assert f'seeded("{name}") ? (' in changed


@pytest.mark.skipif(
    "SURELIST_FUZZ_CERTIFICATES" not in os.environ,
    reason="builds the engine; `make fuzz-certificates` runs it",
)
def test_an_engine_with_a_bound_too_strong_is_caught() -> None:
    folder = ROOT / "build" / "seeded_engine"
    script = Path(seeded_engine.__file__)
    done = subprocess.run(
        [sys.executable, script, folder, "300"], stdout=subprocess.PIPE, text=True, check=True
    )
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)
    assert set(found) == set(seeded_engine.ALL_FAULTS)
    assert found.pop("") == {"right, accepted": 300}
    for fault, counts in found.items():
        assert "wrong, accepted" not in counts, fault
        # A list that is deleted wrongly is mostly found in another order all the same.
        claim = "right" if fault == "deletion_improves" else "wrong"
        assert counts[f"{claim}, refused: incomplete"] > 0, (fault, counts)
        reasons = set(counts) - {"right, accepted", seeded_engine.BY_ITSELF}
        assert all(re.search(f"incomplete|{mutate.INCOMPLETE}", reason) for reason in reasons)


def test_faults_are_seeded_where_the_conditions_are(tmp_path: Path) -> None:
    """The sources of both parts have what the tests that change them look for."""
    for room in ("core", "checker"):
        shutil.copytree(ROOT / room, tmp_path / room)
    seeded_engine.seed_engine(tmp_path)
    seeded_checker.seed_faults(tmp_path)


@pytest.mark.skipif(
    "SURELIST_FUZZ_CERTIFICATES" not in os.environ,
    reason="builds the checker; `make fuzz-certificates` runs it",
)
def test_the_forger_gets_past_a_compiled_checker_that_lacks_a_condition() -> None:
    folder = ROOT / "build" / "seeded_checker"
    assert seeded_checker.first_shown(folder, -1, 20) is None
    for number, fault in enumerate(seeded_checker.FAULTS):
        assert seeded_checker.first_shown(folder, number, 100) is not None, fault
