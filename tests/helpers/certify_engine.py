"""Certificates of the engine for the problems of `certify`, and for larger ones."""

from __future__ import annotations

import copy
import math
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import certify
import numpy as np
from both_checkers import verify

from surelist import Verification, _core


def search(case: certify.Case, log: str, **options: Any) -> _core.Search:
    """Set up the engine's search for a case, with its constraints, prices and costs."""
    problem = certify.Problem(case)
    header = case.header
    rows = len(case.y)
    captures = np.zeros((rows, len(problem.captured)), np.uint8)
    for a, captured in enumerate(problem.captured):
        captures[sorted(captured), a] = 1
    base = min(problem.price, default=Fraction(header["regularization"]))
    beyond = [(price - base) * problem.unit for price in problem.price]
    factor = math.lcm(1, *(share.denominator for share in beyond))
    if factor * (sum(problem.weight) + max(beyond, default=0)) >= 2**62:
        raise ValueError("prices have too many digits for the engine to count with")
    costs = header["costs"]
    limits = header["constraints"]
    labels = limits["rule_labels"]
    return _core.Search(
        _core.Problem(
            captures,
            np.array(problem.label, np.int32),
            np.array(problem.weight, np.int64) * factor,
            problem.n_classes,
            costs=[cost for line in costs["matrix"] for cost in line] if costs else [],
            unit=costs["unit"] if costs else 1,
        ),
        str(base),
        max_length=limits["max_length"],
        surcharges=[int(share * factor) for share in beyond],
        rule_label=None if labels is None else labels[0],
        first=limits["first"],
        required=limits["required"],
        forbidden=limits["forbidden"],
        closed_log=log,
        **options,
    )


def chunks(log: Path) -> list[bytes]:
    """What the engine wrote, chunk by chunk."""
    data, found = log.read_bytes(), []
    while data:
        size = int.from_bytes(data[:4], "little")
        found.append(data[8 : 8 + size])
        data = data[8 + size :]
    return found


def paths(chunk: bytes) -> list[certify.Path]:
    """Listed prefixes of a chunk, read in the plainest way."""
    numbers, number, shift = [], 0, 0
    for byte in chunk:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number, shift = 0, 0
    found: list[certify.Path] = []
    before: certify.Path = ()
    at = 0
    while at < len(numbers):
        shared, end = numbers[at], at + 2 + numbers[at + 1]
        before = before[:shared] + tuple(numbers[at + 2 : end])
        reason, *witness = numbers[end : end + 2]
        if reason not in (certify.DELETION, certify.INSERTION, certify.SIBLING):
            witness = []
        found.append(certify.Listed(before, (reason, *witness)))
        at = end + 1 + len(witness)
    return found


def prove(case: certify.Case, **options: Any) -> certify.Case:
    """Let the engine solve a case, and put together what it leaves behind."""
    header = copy.deepcopy(case.header)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "closed"
        engine = search(case, str(log), **options)
        header["status"] = engine.run()
        proof = engine.length_proof
        settled = log if proof is None else log.with_name("closed.length")
        closed = [path for chunk in chunks(settled) for path in paths(chunk)]
    header |= {"version": 2, "order": engine.order}
    header["rule_list"] = {
        "prefix": engine.prefix,
        "labels": engine.labels,
        "default_label": engine.default_label,
    }
    header["objective"] = str(Fraction(engine.objective, engine.scale))
    header["lower_bound"] = str(Fraction(engine.lower_bound, engine.scale))
    if proof is not None:
        header["proven_length"] = proof[0]
        header["lower_bound"] = str(Fraction(proof[1], engine.scale))
    header["counts"] = {"closed_prefixes": len(closed)}
    proven = certify.Case(case.columns, case.y, case.sample_weight, header, closed)
    header["fingerprint"] = certify.fingerprint(proven)
    return proven


def options(rng: np.random.Generator) -> dict[str, Any]:
    """Draw how the engine goes about it."""
    bounds = _core.bound_names()
    chosen: dict[str, Any] = {
        "policy": str(rng.choice(_core.policy_names())),
        "symmetry": str(rng.choice(_core.symmetry_names())),
        "n_jobs": int(rng.choice([1, 1, 2])),
        "beam_width": int(rng.choice([0, 3, 100])),
    }
    if rng.random() < 0.5:
        chosen["bounds"] = [name for name in bounds if rng.random() < 0.7]
    if rng.random() < 0.3:  # stages, which are cut short, too
        chosen |= {"by_length": True, "without_tree": True}
        chosen["work_limit"] = int(rng.choice([100, 1000, 10**9])) * int(rng.integers(1, 50))
    elif rng.random() < 0.4:
        chosen["max_prefixes"] = int(rng.integers(1, 30))
    if rng.random() < 0.1:
        chosen["memory_limit"] = 200_000
    return chosen


def one_label_at_most(case: certify.Case) -> certify.Case:
    """The engine's rules predict any label or one; a choice of two becomes one."""
    labels = case.header["constraints"]["rule_labels"]
    if labels is not None:
        case.header["constraints"]["rule_labels"] = labels[:1]
    return case


def check(case: certify.Case) -> Verification:
    return verify(certify.to_bytes(case), case.columns, case.y, sample_weight=case.sample_weight)
