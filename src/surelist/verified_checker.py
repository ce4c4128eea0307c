"""Have a certificate checked by the program that is proven correct.

The folder ``proof/`` has a checker written in Coq, and the proof that what it accepts is true.
`make proof` checks that proof and compiles the program, ``surelist-verified``. It knows numbers
only: what the data mean, and whether the header is well-formed, `checker.py` works out. This module
writes the problem and the closed prefixes for the program, and reads its verdict.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from surelist.checker import (
    DataError,
    _expect_prefixes,
    _prefixes,
    _Proof,
    _refuse,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["PROGRAM", "VerifiedProof", "find_program"]

PROGRAM = "surelist-verified"
VARIABLE = "SURELIST_VERIFIED"  # of the environment: where the program is
MOST_LENGTH = 10**6  # a greatest length beyond this does not matter: lists are not so long


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
    """The closed prefixes, in the program that is proven correct."""

    name = "verified"

    def __init__(self, problem: Any, source: Any) -> None:
        self.problem, self.source, self.program = problem, source, find_program()
        self.prefixes: list[tuple[int, ...]] = []
        self.n_closed = self.n_states = self.n_children = 0

    def read(self) -> None:
        """Collect the prefixes, in the order in which neighbours share most."""
        problem = self.problem
        prefixes = _prefixes(self.source, problem.m, min(problem.m, problem.longest))
        found = [tuple(prefix) for prefix in prefixes]
        self.n_closed = len(found)
        _expect_prefixes(problem, self.n_closed)
        self.prefixes = sorted(set(found))
        self.n_states = len(self.prefixes)  # those with the same state are all checked

    def check(self, show: bool) -> None:
        """Run the program; where it refuses, let the reference say why."""
        text = "\n".join(_problem_lines(self.problem, self.prefixes)).encode()
        ran = subprocess.run([self.program], input=text, capture_output=True, check=False)
        if ran.returncode == 0:
            self.n_children = self.n_states * self.problem.m
        elif ran.returncode == 4:
            self._explain(show)
        else:
            why = ran.stderr.decode(errors="replace").strip() or f"exit code {ran.returncode}"
            raise DataError(f"the verified checker gave no verdict: {why}")

    def _explain(self, show: bool) -> None:
        reference = _Proof(self.problem, self.source)
        reference.read()
        reference.check(show)
        _refuse("the verified checker refuses what the reference accepts, a defect of one of them")


def _problem_lines(problem: Any, prefixes: list[tuple[int, ...]]) -> Iterator[str]:
    """Give the problem and the certificate as numbers, as proof/main.ml reads them."""
    claim, limits = problem.claim, problem.claim.constraints
    n_groups, n_classes = problem.costs.shape
    yield f"surelist-problem-1 {problem.m} {n_classes}"
    yield _joined(int(price) for price in problem.prices)
    yield str(n_groups)
    bits = (problem.captures.view(np.uint8) + ord("0")).tobytes().decode()
    for group, costs in enumerate(problem.costs.tolist()):
        captured = bits[group * problem.m : (group + 1) * problem.m] or "-"
        yield f"{captured} {_joined(int(cost) * int(problem.factor) for cost in costs)}"
    for some in (problem.labels, limits.first, limits.required, limits.forbidden):
        yield _counted(some)
    yield _optional(limits.max_length)
    chosen = claim.rule_list
    rules = [number for rule in zip(chosen.prefix, chosen.labels, strict=True) for number in rule]
    yield f"{len(chosen.prefix)} {_joined(rules)} {chosen.default_label}"
    yield f"{int(claim.objective * problem.scale)} {_rounded_up(claim.lower_bound * problem.scale)}"
    yield _optional(claim.proven_length)
    yield str(len(prefixes))
    yield from map(_counted, prefixes)
    yield "end"


def _joined(numbers: Any) -> str:
    return " ".join(map(str, numbers))


def _counted(numbers: Any) -> str:
    return f"{len(numbers)} {_joined(numbers)}"


def _optional(number: int | None) -> str:
    return "none" if number is None else f"some {min(number, MOST_LENGTH)}"


def _rounded_up(number: Any) -> int:
    return -int(-number // 1)
