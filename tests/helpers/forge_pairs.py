"""Forge proofs of pairs of cuts: trees of any boxes and families, and mutations of true ones.

No proof may make the checker accept more than what the best list of so many rules costs, which
brute force knows. ``python tests/helpers/forge_pairs.py 10000`` tries so many tables.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from cut_oracle import least
from forge_cuts import Case, encoded, scaled_up

from surelist import cuts_checker, pairs_checker
from surelist.checker import VerificationError


class PairCase(Case):
    """Random chains over few rows, and lists of up to two or three rules of two cuts each."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.length = self.chance.choice([2, 2, 3])
        self.pairs = pairs_checker.pairs_of_chains(len(self.keys))

    def optimum(self, problem: Any) -> int:
        """Return the least cost of a list, by brute force."""
        single = {
            sum(1 << row for row, key in enumerate(keys) if key < cut)
            for keys, n in zip(self.keys, self.n_cuts, strict=True)
            for cut in range(1, n + 1)
        }
        both = {one & other for one, other in combinations(sorted(single), 2)}
        price = Fraction(self.regularization)
        found = least(sorted((single | both) - {0}), self.classes, self.weights, price, self.length)
        return scaled_up(found, problem)

    def tree(self) -> bytes:
        """Return well-formed trees for each pair and number of rules, with any families."""
        numbers: list[int] = []
        for n in range(2, self.length + 1):
            for pair in range(len(self.pairs)):
                self._tree(numbers, pair, n)
        return encoded(numbers)

    def _tree(self, numbers: list[int], pair: int, n_rules: int) -> None:
        ends = [[*self.n_cuts, 0][chain] + 1 for chain in self.pairs[pair]]
        every = list(range(len(self.pairs)))
        self._box(numbers, [[0, ends[0]], [0, ends[1]]], n_rules, every)

    def _box(
        self, numbers: list[int], box: list[list[int]], n_rules: int, waiting: list[int]
    ) -> None:
        open_axes = [axis for axis in (0, 1) if box[axis][0] < box[axis][1]]
        if not open_axes or self.chance.random() < 0.3:
            numbers.append(self.chance.choice([0, 0, 0, 3]))
            if numbers[-1] == 0:
                self._families(numbers, n_rules, waiting)
            return
        axis = self.chance.choice(open_axes)
        low, high = box[axis]
        cut = self.chance.randrange(low, high)
        families = [f for f in range(len(self.pairs)) if self.chance.random() < 0.2]
        numbers += [1 + axis, cut, len(families), *np.diff([0, *families]).tolist()]
        self._families(numbers, n_rules, families)
        left = [f for f in waiting if f not in families]
        for part in ([low, cut], [cut + 1, high]):
            parts = [part if each == axis else box[each] for each in (0, 1)]
            self._box(numbers, parts, n_rules, left)

    def _families(self, numbers: list[int], n_rules: int, families: list[int]) -> None:
        if n_rules > 2:
            for family in families:
                self._tree(numbers, family, n_rules - 1)


def accepted(case: PairCase, problem: Any, proof: bytes, target: int) -> bool | None:
    """Return whether a proof shows a target; None where it is refused for its form."""
    reader = cuts_checker.Proof(problem, proof)
    try:
        reader.check_pairs(case.pairs, case.length, target, 1)
    except VerificationError as error:
        return False if "not complete" in str(error) else None
    return True


def forge(seed: int, make: Callable[[int], PairCase] = PairCase) -> int:
    """Try forgeries on one table; return how many were well-formed."""
    case = make(seed)
    true = case.proof()
    problem = case.problem()
    optimum = case.optimum(problem)
    claimed = case.objective - problem.unit * problem.base
    assert claimed <= optimum, f"seed {seed}: {claimed} is above {optimum}"
    assert accepted(case, problem, true, claimed), f"seed {seed}: the true proof is refused"
    proofs = [true, *(case.tree() for _ in range(4)), *(case.mutated(true) for _ in range(4))]
    found = [accepted(case, problem, proof, optimum + 1) for proof in proofs]
    assert True not in found, f"seed {seed}: a forgery shows more than the optimum"
    return sum(each is not None for each in found)


def main(n_tables: int) -> None:
    """Forge proofs for so many tables."""
    n = sum(forge(seed) for seed in range(n_tables))
    print(f"{9 * n_tables:,} forgeries: {n:,} well-formed, none accepted")


if __name__ == "__main__":
    main(int(sys.argv[1]))
