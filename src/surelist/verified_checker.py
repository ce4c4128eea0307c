"""Check a certificate by the program that is proven correct.

The folder ``proof/`` has a checker written in Coq, and the proof that what it accepts is true.
`make proof` checks that proof and compiles the program, ``surelist-verified``. It knows numbers
only: what the data mean, and whether the header is well-formed, `checker.py` works out. This module
writes the problem and the listed prefixes for the program, and reads its verdict.

It knows the rules of both formats, and checks the prefixes for the reasons that the file gives.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from surelist.checker import (
    BEST_FIRST,
    WITH_WITNESS,
    DataError,
    _entries,
    _expect_prefixes,
    _proof,
    _refuse,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    Reasons = dict[tuple[int, ...], tuple[int, int]]  # of each prefix, with its witness

__all__ = ["PROGRAM", "VerifiedProof", "find_program"]

PROGRAM = "surelist-verified"
VARIABLE = "SURELIST_VERIFIED"  # of the environment: where the program is
VERDICTS = (0, b"accepted"), (4, b"refused")  # exit code and first word of what it prints


def find_program() -> str:
    """Return the path of the program: as the environment says, beside Python, or on the path."""
    if named := os.environ.get(VARIABLE):
        if not os.access(named, os.X_OK):
            raise DataError(f"{VARIABLE} is {named!r}, which is no program")
        return named
    beside = Path(sys.executable).parent / PROGRAM
    found = str(beside) if os.access(beside, os.X_OK) else shutil.which(PROGRAM)
    if found is None:
        needs = "make proof, on a machine with Coq 8.16 and OCaml"
        raise DataError(f"the verified checker is not installed: build it by {needs}")
    return found


class VerifiedProof:
    """The listed prefixes, in the program that is proven correct."""

    name = "verified"

    def __init__(self, problem: Any, source: Any) -> None:
        self.problem, self.source, self.program = problem, source, find_program()
        self.reasons: Reasons = {}
        self.n_closed = self.n_states = self.n_children = 0

    def read(self) -> None:
        """Collect the prefixes, each with the reason that counts."""
        problem, version = self.problem, self.problem.claim.version
        longest = min(problem.m, problem.longest)
        for prefix, *why in _entries(self.source, version, problem.m, longest):
            self.n_closed += 1
            path = tuple(prefix)
            known = self.reasons.get(path)
            if known is None or BEST_FIRST.index(why[0]) < BEST_FIRST.index(known[0]):
                self.reasons[path] = why[0], why[1]
        _expect_prefixes(problem, self.n_closed)
        self.n_states = len(self.reasons)  # those with the same state are all checked

    def check(self, show: bool) -> None:
        """Run the program; where it refuses, let the reference say why."""
        claim = self.problem.claim
        if claim.version > 1 and not all(
            _is_list(path, claim.constraints) for path in self.reasons
        ):
            self._explain(show)
        if not self._accepts("\n".join(_problem_lines(self.problem, self.reasons)).encode()):
            self._explain(show)
        self.n_children = self.n_states * self.problem.m

    def _accepts(self, text: bytes) -> bool:
        ran = subprocess.run([self.program], input=text, capture_output=True, check=False)
        said = ran.stdout.partition(b",")[0]  # so that another program is not believed
        if (ran.returncode, said) not in VERDICTS:
            why = ran.stderr.decode(errors="replace").strip() or f"exit code {ran.returncode}"
            raise DataError(f"the verified checker gave no verdict: {why}")
        return ran.returncode == 0

    def _ask_reference(self, show: bool) -> None:
        reference = _proof(self.problem, self.source)
        reference.read()
        reference.check(show)

    def _explain(self, show: bool) -> NoReturn:
        self._ask_reference(show)
        _refuse("the verified checker refuses what the reference accepts, a defect of one of them")


def _is_list(path: tuple[int, ...], limits: Any) -> bool:
    """Whether a listed prefix begins as all lists have to, and has nothing forbidden."""
    begins = path[: len(limits.first)] == tuple(limits.first)
    return begins and set(limits.forbidden).isdisjoint(path)


def _problem_lines(problem: Any, reasons: Reasons) -> Iterator[str]:
    """Give the problem and the certificate as numbers, as proof/main.ml reads them."""
    claim, limits = problem.claim, problem.claim.constraints
    n_groups, n_classes = problem.costs.shape
    yield f"surelist-problem-{claim.version} {problem.m} {n_classes}"
    yield _joined(int(price) for price in problem.prices)
    yield str(n_groups)
    bits = (problem.captures.view(np.uint8) + ord("0")).tobytes().decode()
    for group, costs in enumerate(problem.costs.tolist()):
        captured = bits[group * problem.m : (group + 1) * problem.m] or "-"
        yield f"{captured} {_joined(int(cost) * int(problem.factor) for cost in costs)}"
    for some in (sorted(problem.labels), limits.first, limits.required, limits.forbidden):
        yield _counted(some)
    yield _optional(limits.max_length, problem.m)
    chosen = claim.rule_list
    rules = [number for rule in zip(chosen.prefix, chosen.labels, strict=True) for number in rule]
    yield f"{len(chosen.prefix)} {_joined(rules)} {chosen.default_label}"
    best, bound = claim.objective * problem.scale, claim.lower_bound * problem.scale
    yield f"{_whole(best)} {math.ceil(bound)}"
    yield _optional(claim.proven_length, problem.m)
    yield from _prefix_lines(claim, reasons)
    yield "end"


def _prefix_lines(claim: Any, reasons: Reasons) -> Iterator[str]:
    """Give the prefixes, sorted in format 1; in format 2 behind `first`, with ranks and reasons."""
    if claim.version == 1:
        yield str(len(reasons))
        yield from map(_counted, sorted(reasons))
        return
    places = np.argsort(np.array(claim.order, np.int64))
    yield _joined(places.tolist())
    yield str(len(reasons))
    skipped = len(claim.constraints.first)
    for path, (reason, witness) in reasons.items():
        why = f"{reason} {witness}" if reason in WITH_WITNESS else f"{reason}"
        yield f"{_counted(path[skipped:])} {why}"


def _joined(numbers: Any) -> str:
    return " ".join(map(str, numbers))


def _counted(numbers: Any) -> str:
    return f"{len(numbers)} {_joined(numbers)}"


def _optional(length: int | None, m: int) -> str:
    """Give a greatest length. Beyond the number of antecedents, lists cannot be longer anyway."""
    return "none" if length is None else f"some {min(length, m)}"


def _whole(number: Fraction) -> int:
    """Give the objective to scale: that of no list is between two whole numbers."""
    if number.denominator != 1:
        _refuse("the objective is not what any rule list costs on the data")
    return number.numerator
