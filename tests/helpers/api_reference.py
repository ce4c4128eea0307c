"""What the public interface has to answer, worked out from its documentation alone.

The brute force behind `fuzz_api`: raw rows as plain Python values, conditions asked one row at a
time, weights made whole by the rule in the documentation, and the optimum over all rule lists. It
imports nothing from the package; of a condition it only reads the attributes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any

Row = Mapping[str, Any]
Literal = tuple[Any, bool]  # a condition, and whether it is negated
Conjunction = tuple[Literal, ...]


def is_missing(value: Any) -> bool:
    return value is None or value != value


def holds(condition: Any, row: Row) -> bool:
    """Whether a row fulfils a condition."""
    value = row[condition.column]
    kind = type(condition).__name__
    if kind == "Missing":
        return is_missing(value)
    if is_missing(value):
        return False
    if kind == "IsTrue":
        return bool(value == 1)
    if kind == "Equals":
        return bool(value == condition.value)
    if kind == "OneOf":
        return value in condition.values
    if condition.order:
        order = list(condition.order)
        if value not in order:
            return False
        position = order.index(value)
        ends = [
            None if end is None else order.index(end) for end in (condition.low, condition.high)
        ]
        return _within(position, ends[0], ends[1], condition)
    return _within(value, condition.low, condition.high, condition)


def _within(value: Any, low: Any, high: Any, condition: Any) -> bool:
    above = low is None or low < value or (condition.low_closed and low == value)
    below = high is None or value < high or (condition.high_closed and value == high)
    return bool(above and below)


def captures(conjunction: Conjunction, row: Row) -> bool:
    return all(holds(condition, row) != negated for condition, negated in conjunction)


def whole_weights(
    y: Sequence[Any], sample_weight: Sequence[float] | None, class_weight: Any
) -> list[int]:
    """Weights as whole numbers: as they are, or rounded to parts of about 2**-40 of the total."""
    given = [1.0] * len(y) if sample_weight is None else list(map(float, sample_weight))
    if class_weight == "balanced":
        totals = {
            label: math.fsum(w for w, own in zip(given, y, strict=True) if own == label)
            for label in y
        }
        factors = {
            label: max(totals.values()) / total if total else 0.0 for label, total in totals.items()
        }
    else:
        factors = {label: float((class_weight or {}).get(label, 1)) for label in y}
    given = [weight * factors[label] for weight, label in zip(given, y, strict=True)]
    total = sum(map(Fraction, given), Fraction(0))
    if all(weight.is_integer() for weight in given) and total < 2**53:
        return list(map(int, given))
    exponent = 40 - math.frexp(total)[1] if total < 2**1000 else 40 - total.__floor__().bit_length()
    scaled = [round(Fraction(weight) * Fraction(2) ** exponent) for weight in given]
    divisor = math.gcd(*scaled)
    return [weight // divisor for weight in scaled]


@dataclass
class Names:
    """Antecedents that capture the same rows: the names that are allowed, and the least price."""

    price: Fraction | None = None  # of a rule, in multiples of λ; None: all names are forbidden
    conjunctions: set[frozenset[Literal]] = field(default_factory=set)


@dataclass
class Problem:
    """Rows of positive weight, and what a rule list may be like."""

    rows: list[Row]
    codes: list[int]
    weights: list[int]
    costs: list[list[Fraction]]  # by class, then prediction
    regularization: Fraction
    rule_label: int | None = None
    first: list[int] = field(default_factory=list)  # what is captured, as bits of rows
    required: set[int] = field(default_factory=set)
    max_length: int | None = None
    antecedents: dict[int, Names] = field(default_factory=dict)  # by what they capture

    @property
    def total(self) -> int:
        return sum(self.weights)

    def captured(self, conjunction: Conjunction) -> int:
        return sum(1 << n for n, row in enumerate(self.rows) if captures(conjunction, row))

    def weight(self, rows: int) -> int:
        return sum(weight for n, weight in enumerate(self.weights) if rows >> n & 1)

    def add(self, conjunction: Conjunction, price: Fraction, *, forbidden: bool = False) -> None:
        """Let rule lists use an antecedent, unless it is forbidden."""
        names = self.antecedents.setdefault(self.captured(conjunction), Names())
        if not forbidden:
            names.conjunctions.add(frozenset(conjunction))
            names.price = price if names.price is None else min(price, names.price)

    def loss(self, rows: int, label: int) -> Fraction:
        wrong = sum(
            (
                weight * self.costs[code][label]
                for n, (weight, code) in enumerate(zip(self.weights, self.codes, strict=True))
                if rows >> n & 1
            ),
            Fraction(0),
        )
        return wrong / self.total

    def optimum(self, regularization: Fraction | None = None, longest: int | None = None) -> Any:
        """The least objective of all rule lists that are allowed; None where none is."""
        return _Optimum(self, self.regularization if regularization is None else regularization).of(
            self.max_length if longest is None else longest
        )


class _Optimum:
    """Every set of rows that rules can leave is solved once, in whole numbers."""

    def __init__(self, problem: Problem, regularization: Fraction) -> None:
        self.problem = problem
        priced = {
            m: names.price * regularization
            for m, names in problem.antecedents.items()
            if names.price is not None
        }
        numbers = [
            *priced.values(),
            *(cost / problem.total for row in problem.costs for cost in row),
        ]
        self.scale = math.lcm(*(number.denominator for number in numbers))
        self.prices = {mask: int(price * self.scale) for mask, price in priced.items()}
        self.labels = list(range(len(problem.costs)))
        self.rule_labels = self.labels if problem.rule_label is None else [problem.rule_label]
        unit = [
            [
                int(problem.weights[n] * cost / problem.total * self.scale)
                for cost in problem.costs[code]
            ]
            for n, code in enumerate(problem.codes)
        ]
        self.unit = unit
        self.losses: dict[int, list[int]] = {}
        self.solved: dict[tuple[int, frozenset[int], int | None], int | None] = {}

    def loss(self, rows: int, labels: Iterable[int]) -> int:
        if rows not in self.losses:
            own = [n for n in range(len(self.unit)) if rows >> n & 1]
            self.losses[rows] = [sum(self.unit[n][q] for n in own) for q in self.labels]
        return min(self.losses[rows][q] for q in labels)

    def of(self, longest: int | None) -> Fraction | None:
        problem = self.problem
        left, paid = (1 << len(problem.rows)) - 1, 0
        for mask in problem.first:
            if mask not in self.prices:
                return None
            paid += self.prices[mask] + self.loss(left & mask, self.rule_labels)
            left &= ~mask
        rules = None if longest is None else longest - len(problem.first)
        if rules is not None and rules < 0:
            return None
        rest = self.least(left, frozenset(problem.required - set(problem.first)), rules)
        return None if rest is None else Fraction(paid + rest, self.scale)

    def least(self, left: int, missing: frozenset[int], rules: int | None) -> int | None:
        key = (left, missing, rules)
        if key not in self.solved:
            best = None if missing else self.loss(left, self.labels)
            for mask, price in self.prices.items() if rules != 0 else ():
                if left & mask or mask in missing:
                    fewer = None if rules is None else rules - 1
                    rest = self.least(left & ~mask, missing - {mask}, fewer)
                    if rest is not None:
                        total = price + self.loss(left & mask, self.rule_labels) + rest
                        best = total if best is None else min(best, total)
            self.solved[key] = best
        return self.solved[key]


def conjunctions(conditions: Sequence[Any], most: int, negations: bool) -> Iterable[Conjunction]:
    """All conjunctions of up to so many clauses about different features."""
    signs = (False, True) if negations else (False,)
    for size in range(1, most + 1):
        for chosen in combinations(conditions, size):
            found: list[Conjunction] = [()]
            for condition in chosen:
                found = [(*one, (condition, sign)) for one in found for sign in signs]
            yield from found
