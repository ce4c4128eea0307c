"""The optimum under constraints by brute force: every allowed rule list, one by one.

Shares nothing with the engine and little with `oracle`: costs are a matrix, rules may be priced one
by one, have only one label to predict, and lists must begin with, contain or avoid antecedents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from oracle import Data


@dataclass(frozen=True)
class Demands:
    """What is asked of a rule list besides a small objective."""

    prices: tuple[Fraction, ...]  # of a rule, by antecedent
    costs: tuple[tuple[Fraction, ...], ...]  # by class, then prediction
    rule_label: int | None = None
    first: tuple[int, ...] = ()
    required: frozenset[int] = frozenset()
    forbidden: frozenset[int] = frozenset()
    max_length: int | None = None

    def allow(self, prefix: Sequence[int]) -> bool:
        return (
            tuple(prefix[: len(self.first)]) == self.first
            and self.required <= set(prefix)
            and not self.forbidden & set(prefix)
            and (self.max_length is None or len(prefix) <= self.max_length)
        )


def loss(data: Data, demands: Demands, rows: set[int], label: int) -> Fraction:
    total = sum(data.weights)
    costs = (data.weights[n] * demands.costs[data.labels[n]][label] for n in rows)
    return sum(costs, Fraction(0)) / total


def objective(data: Data, demands: Demands, prefix: Sequence[int]) -> Fraction:
    """Prices plus loss, each label the best one allowed."""
    classes = range(data.n_classes)
    allowed = classes if demands.rule_label is None else [demands.rule_label]
    left = set(range(len(data.labels)))
    total = Fraction(0)
    for antecedent in prefix:
        captured = left & data.captured_by[antecedent]
        left -= captured
        total += demands.prices[antecedent]
        total += min(loss(data, demands, captured, label) for label in allowed)
    return total + min(loss(data, demands, left, label) for label in classes)


def allowed_prefixes(data: Data, demands: Demands) -> Iterator[tuple[int, ...]]:
    for length in range(data.n_antecedents + 1):
        for prefix in permutations(range(data.n_antecedents), length):
            if demands.allow(prefix):
                yield prefix


def optimum_by_sets(data: Data, demands: Demands) -> Fraction:
    """The same optimum in less time: each set of rows and demands left is solved only once.

    What a list costs from some rule on depends only on the rows that reach it, on what is still
    required and, where lengths are bounded, on how many rules it may have.
    """
    classes = range(data.n_classes)
    allowed = classes if demands.rule_label is None else [demands.rule_label]
    free = [a for a in range(data.n_antecedents) if a not in demands.forbidden]
    solved: dict[tuple[frozenset[int], frozenset[int], int | None], Fraction | None] = {}

    def pay(left: frozenset[int], antecedent: int) -> Fraction:
        captured = set(left & data.captured_by[antecedent])
        return demands.prices[antecedent] + min(
            loss(data, demands, captured, label) for label in allowed
        )

    def least(left: frozenset[int], missing: frozenset[int], rules: int | None) -> Fraction | None:
        key = (left, missing, rules)
        if key not in solved:
            best = None
            if not missing:
                best = min(loss(data, demands, set(left), label) for label in classes)
            for antecedent in () if rules == 0 else free:
                # A rule that captures nothing only costs, unless it is asked for.
                if antecedent in missing or left & data.captured_by[antecedent]:
                    rest = least(
                        left - data.captured_by[antecedent],
                        missing - {antecedent},
                        None if rules is None else rules - 1,
                    )
                    if rest is not None:
                        total = pay(left, antecedent) + rest
                        best = total if best is None else min(best, total)
            solved[key] = best
        return solved[key]

    most = demands.max_length
    rules = None if most is None else most - len(demands.first)
    left, start = frozenset(range(len(data.labels))), Fraction(0)
    for antecedent in demands.first:
        start += pay(left, antecedent)
        left -= data.captured_by[antecedent]
    missing = demands.required - set(demands.first)
    rest = None if rules is not None and rules < 0 else least(left, missing, rules)
    if rest is None or set(demands.first) & demands.forbidden:
        raise ValueError("no rule list is allowed")
    return start + rest


def optimum(data: Data, demands: Demands) -> Fraction:
    return min(objective(data, demands, prefix) for prefix in allowed_prefixes(data, demands))
