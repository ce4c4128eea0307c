"""Have a certificate checked by the program that is proven correct.

The folder ``proof/`` has a checker written in Coq, and the proof that what it accepts is true.
`make proof` checks that proof and compiles the program, ``surelist-verified``. It knows numbers
only: what the data mean, and whether the header is well-formed, `checker.py` works out. This module
writes the problem and the closed prefixes for the program, and reads its verdict.

The program knows the rules of format 1. A proof of format 2 gives other reasons, too; where one is
given, the prefix is closed instead, and its children, and so on, as far as format 1 asks. That may
be done in any way: whatever is closed, the program checks.
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
    CLOSED,
    DataError,
    _entries,
    _expect_prefixes,
    _Proof,
    _proof,
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
        problem, version = self.problem, self.problem.claim.version
        longest = min(problem.m, problem.longest)
        entries = list(_entries(self.source, version, problem.m, longest))
        self.n_closed = len(entries)
        _expect_prefixes(problem, self.n_closed)
        closed = sorted({tuple(prefix) for prefix, reason, _ in entries if reason == CLOSED})
        if version > 1:
            self._agree()
            closed = sorted(_Completed(problem, self.source).close(closed))
        self.prefixes = closed
        self.n_states = len(self.prefixes)  # those with the same state are all checked

    def _agree(self, show: bool = False) -> None:
        """Let the reference check: what it refuses is not worth completing."""
        reference = _proof(self.problem, self.source)
        reference.read()
        reference.check(show)

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
        self._agree(show)
        _refuse("the verified checker refuses what the reference accepts, a defect of one of them")


class _Completed(_Proof):
    """Closed prefixes, and those that format 1 asks for in addition."""

    def close(self, prefixes: list[tuple[int, ...]]) -> set[tuple[int, ...]]:
        """Return them with every child that nothing else justifies, and its children."""
        start = self.problem.walk([self.problem.claim.constraints.first])
        found, new = set[tuple[int, ...]](), self._add(prefixes)
        if not (self.is_closed(start) | start.is_bounded()).all():
            new += self._add([tuple(self.problem.claim.constraints.first)])
        while new:
            found |= set(new)
            new, some = [], new
            for begin in range(0, len(some), self.batch):
                batch = some[begin : begin + self.batch]
                left = self.open_children(self.problem.walk([list(path) for path in batch]))
                new += self._add([(*batch[row], int(child)) for row, child in left])
        return found

    def _add(self, prefixes: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Close those whose state is not closed yet."""
        added = []
        for begin in range(0, len(prefixes), self.batch):
            batch = prefixes[begin : begin + self.batch]
            states = self.problem.walk([list(path) for path in batch])
            for path, (key, terms, cost) in zip(batch, self.names(states), strict=True):
                alike = self.closed.setdefault(key, {})
                if terms not in alike or cost < alike[terms][0]:
                    alike[terms] = cost, 0
                    added.append(path)
        return added


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
