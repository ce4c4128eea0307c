"""Random problems with constraints and prices, as brute force and as the engine take them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import constrained_oracle
import numpy as np
from constrained_oracle import Demands
from oracle import Data

from surelist import _core


@dataclass(frozen=True)
class Constrained:
    """A random problem with demands, as brute force and as the engine take it."""

    data: Data
    demands: Demands
    regularization: Fraction
    unit: int

    @classmethod
    def draw(cls, seed: int) -> Constrained:
        random = Random(seed)
        n_classes = random.choice([2, 2, 2, 3])
        n_antecedents = random.randint(1, 5)
        n_rows = random.randint(2, 14)
        data = Data(
            captures=tuple(
                tuple(random.randint(0, 1) for _ in range(n_antecedents)) for _ in range(n_rows)
            ),
            labels=tuple(random.randrange(n_classes) for _ in range(n_rows)),
            weights=tuple(random.choice([1, 1, 2, 5]) for _ in range(n_rows)),
            n_classes=n_classes,
            n_antecedents=n_antecedents,
        )
        regularization = random.choice(
            [Fraction(0), Fraction(1, 100), Fraction(1, 30), Fraction(1, 7)]
        )
        unit = random.choice([1, 1, 2, 3])
        return cls(data, draw_demands(random, data, regularization, unit), regularization, unit)

    @property
    def base(self) -> Fraction:
        return min(self.demands.prices)

    def search(self, **options: Any) -> _core.Search:
        problem, regularization, demanded = self.arguments()
        return _core.Search(problem, regularization, **demanded, **options)

    def arguments(self) -> tuple[_core.Problem, str, dict[str, Any]]:
        """Return problem, λ and constraints as the engine takes them."""
        total = sum(self.data.weights) * self.unit
        beyond = [(price - self.base) * total for price in self.demands.prices]
        factor = math.lcm(*(share.denominator for share in beyond))
        problem = _core.Problem(
            np.array(self.data.captures, dtype=np.uint8).reshape(len(self.data.labels), -1),
            np.array(self.data.labels, dtype=np.int32),
            np.array(self.data.weights, dtype=np.int64) * factor,
            self.data.n_classes,
            costs=[int(cost * self.unit) for row in self.demands.costs for cost in row],
            unit=self.unit,
        )
        demanded = {
            "max_length": self.demands.max_length,
            "surcharges": [int(share * factor) for share in beyond],
            "rule_label": self.demands.rule_label,
            "first": list(self.demands.first),
            "required": sorted(self.demands.required),
            "forbidden": sorted(self.demands.forbidden),
        }
        return problem, str(self.base), demanded

    def check(self, expected: Fraction, **options: Any) -> None:
        search = self.search(**options)
        status = search.run()
        found = Fraction(search.objective, search.scale)
        assert (status, found) == ("optimal", expected), (self, options, search.prefix)
        assert search.lower_bound == search.objective
        assert self.demands.allow(search.prefix)
        again = constrained_oracle.objective(self.data, self.demands, search.prefix)
        assert again == found, (self, options, search.prefix)
        if self.demands.rule_label is not None:
            assert set(search.labels) <= {self.demands.rule_label}


def draw_demands(random: Random, data: Data, regularization: Fraction, unit: int) -> Demands:
    antecedents = list(range(data.n_antecedents))
    random.shuffle(antecedents)
    first = tuple(antecedents[: random.choice([0, 0, 0, 1, 2])])
    rest = antecedents[len(first) :]
    required = frozenset(rest[: random.choice([0, 0, 1, 2])])
    free = rest[len(required) :]
    forbidden = frozenset(free[: random.choice([0, 0, 0, 1])])
    least = len(first) + len(required)
    priced = random.random() < 0.5
    matrix = random.random() < 0.5
    classes = range(data.n_classes)

    def cost(actual: int, predicted: int) -> Fraction:
        if matrix:
            return Fraction(random.choice([0, 1, 2, 5] if actual != predicted else [0, 0, 1]), unit)
        return Fraction(int(actual != predicted))

    return Demands(
        prices=tuple(
            regularization
            * (random.choice([Fraction(1), Fraction(2), Fraction(1, 2)]) if priced else 1)
            for _ in antecedents
        ),
        costs=tuple(tuple(cost(c, q) for q in classes) for c in classes),
        rule_label=random.choice([None, None, *classes]),
        first=first,
        required=required | (frozenset(first[:1]) if random.random() < 0.2 else frozenset()),
        forbidden=forbidden,
        max_length=random.choice([None, None, None, least, least + 1]),
    )
