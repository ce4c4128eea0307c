"""Forge proofs of all cuts: well-formed ones of any content, and mutations of true ones.

Whatever a proof says, the checker must never show more than what the best list costs, which brute
force knows. ``python tests/helpers/forge_cuts.py 10000`` tries so many tables.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
from cut_oracle import least

from surelist import _core, cuts_checker
from surelist.checker import VerificationError
from surelist.fast_cuts_checker import cut_proof


@dataclass
class Case:
    """Random chains over few rows, and the least cost of a list, in the checker's numbers."""

    seed: int
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = chance = random.Random(self.seed)
        n_rows, self.n_classes = chance.randint(2, 12), chance.choice([2, 2, 3])
        self.keys: list[list[int]] = []
        self.n_cuts: list[int] = []
        for _ in range(chance.randint(1, 3)):
            n = chance.randint(1, 4)
            keys = [chance.randint(0, n) for _ in range(n_rows)]
            self.keys.append(keys)
            self.n_cuts.append(n)
            if chance.random() < 0.6:  # the other side of the same column
                self.keys.append([n - key for key in keys])
                self.n_cuts.append(n)
        self.classes = [chance.randrange(self.n_classes) for _ in range(n_rows)]
        self.weights = [chance.choice([1, 1, 2, 5]) for _ in range(n_rows)]
        self.regularization = chance.choice(["1/100", "1/20", "1/10", "3/20", "0"])
        self.length = chance.randint(1, 4)
        if chance.random() < 0.2:  # more than 32 bits
            self.weights = [weight * 10**10 for weight in self.weights]
        self.pairs: list[tuple[int, int]] = []  # rules ask one cut

    def problem(self) -> Any:
        """Return the problem as the checker sees it."""
        claim = SimpleNamespace(
            classes=list(range(self.n_classes)),
            regularization=Fraction(self.regularization),
            proven_length=self.length,
        )
        rows = cuts_checker._Rows(
            np.array(self.keys, np.int32),
            self.n_cuts,
            list(range(len(self.keys))),
            np.array(self.classes, np.intp),
            np.array(self.weights, np.int64),
            np.zeros((0, len(self.classes)), np.bool_),
        )
        return cuts_checker._Problem(claim, rows)

    def optimum(self, problem: Any) -> int:
        """Return the least cost of a list, by brute force."""
        antecedents = {
            sum(1 << row for row, key in enumerate(keys) if key < cut)
            for keys, n in zip(self.keys, self.n_cuts, strict=True)
            for cut in range(1, n + 1)
        }
        price = Fraction(self.regularization)
        best = least(sorted(antecedents), self.classes, self.weights, price, self.length)
        return scaled_up(best, problem)

    def proof(self) -> bytes:
        """Return the proof of the search."""
        search = _core.CutSearch(
            [np.array(keys, np.int32) for keys in self.keys],
            self.n_cuts,
            np.array(self.classes, np.int32),
            np.array(self.weights, np.int64),
            self.n_classes,
            self.regularization,
            max_length=self.length,
            logging=True,
            pairs=self.pairs,
        )
        assert search.run() == "optimal"
        # A longer list may be the best one, if no list of its length can cost less.
        self.length, self.objective = search.proof_length, int(search.found()["objective"])
        return search.proof

    def forged(self, n_last: int) -> bytes:
        """Return a well-formed proof of any content."""
        numbers: list[int] = []
        self._state(numbers, self.length, n_last)
        return encoded(numbers)

    def _state(self, numbers: list[int], k: int, n_last: int) -> None:
        chance, n_chains = self.chance, len(self.keys)
        if k < 2:
            return
        share = chance.choice([0, 0.5, 1, 1])
        pairs = [
            (first, last)
            for first in range(n_chains)
            for last in range(n_last)
            if chance.random() < share
        ]
        numbers.append(len(pairs))
        for first, last in pairs:
            cuts = [c for c in range(1, self.n_cuts[first] + 1) if chance.random() < 0.5]
            numbers += [first, last, len(cuts), *np.diff([0, *cuts]).tolist()]
        for n in range(3, k + 1):
            n_named = chance.choice([0, 1, 2, 5]) if k < 4 else chance.choice([0, 1, 2])
            numbers.append(n_named)
            before = [0] * n_chains
            for _ in range(n_named):
                chain = chance.randrange(n_chains)
                cut = chance.randint(0, self.n_cuts[chain])
                sources = [chance.randint(0, before[chain]) for _ in range(2)]
                before[chain] += 1
                numbers += [chain, cut, *sources]
                self._state(numbers, n - 1, n_last)

    def mutated(self, proof: bytes) -> bytes:
        """Return a proof with some numbers changed, struck out or repeated."""
        numbers, chance = list(cuts_checker._numbers(proof)), self.chance
        for _ in range(chance.choice([1, 1, 2, 5])):
            if not numbers:
                break
            at = chance.randrange(len(numbers))
            way = chance.randrange(4)
            if way == 0:
                numbers[at] = max(0, numbers[at] + chance.choice([-2, -1, 1, 2]))
            elif way == 1:
                del numbers[at : at + chance.randint(1, 4)]
            elif way == 2:
                numbers[at:at] = numbers[at : at + chance.randint(1, 4)]
            else:
                numbers[at] = chance.randint(0, 6)
        return encoded(numbers)


def scaled_up(objective: Fraction, problem: Any) -> int:
    """Return an objective in the whole numbers that the checker counts in."""
    scaled = objective * problem.unit * problem.total - problem.unit * problem.base
    assert scaled.denominator == 1
    return int(scaled)


def encoded(numbers: list[int]) -> bytes:
    """Write numbers to base 128."""
    found = bytearray()
    for number in numbers:
        while number >= 128:
            found.append(number & 127 | 128)
            number >>= 7
        found.append(number)
    return bytes(found)


def shown(problem: Any, proof: bytes, length: int, checkers: tuple[str, ...]) -> int | None:
    """Return what all checkers say that a proof shows; None where it is refused for its form."""

    def shown_by(checker: str) -> int | None:
        try:
            return cut_proof(checker, None)(problem, proof, False).check(length)
        except VerificationError:
            return None

    values = {checker: shown_by(checker) for checker in checkers}
    assert len(set(values.values())) == 1, values
    return values[checkers[0]]


def forge(seed: int, checkers: tuple[str, ...] = ("reference", "fast")) -> tuple[int, int]:
    """Try forgeries on one table; return how many were well-formed, and how many showed it all.

    All checkers have to say the same.
    """
    case = Case(seed)
    true = case.proof()
    problem = case.problem()
    optimum = case.optimum(problem)
    found = shown(problem, true, case.length, checkers)
    claimed = case.objective - problem.unit * problem.base
    assert found is not None, f"seed {seed}: the proof of the search is refused"
    assert claimed <= found <= optimum, f"seed {seed}: {claimed}, {found}, {optimum}"
    well_formed = complete = 0
    proofs = [case.forged(len(problem.last)) for _ in range(4)]
    proofs += [case.mutated(true) for _ in range(4)]
    for proof in proofs:
        value = shown(problem, proof, case.length, checkers)
        if value is not None:
            well_formed += 1
            assert value <= optimum, f"seed {seed}: a forgery shows {value}, above {optimum}"
            complete += value == optimum
    return well_formed, complete


def main(n_tables: int) -> None:
    """Forge proofs for so many tables."""
    counts = np.array([forge(seed) for seed in range(n_tables)]).sum(axis=0)
    print(f"{8 * n_tables:,} forgeries: {counts[0]:,} well-formed, of which {counts[1]:,} prove it")


if __name__ == "__main__":
    main(int(sys.argv[1]))
