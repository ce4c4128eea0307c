"""The optimum by brute force, from the paper's definition of a rule list.

Everything the engine claims is held against this file, so it shares nothing with the engine: it
works on rows rather than groups of equivalent points, uses no bound, and computes with fractions.
`optimum_by_enumeration` is the definition itself: every ordered choice of distinct antecedents, up
to `max_length` of them. `optimum` gives the same number in less time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations


@dataclass(frozen=True)
class Data:
    """Rows as they come: what each antecedent captures (0 or 1), a label code, a whole weight."""

    captures: tuple[tuple[int, ...], ...]
    labels: tuple[int, ...]
    weights: tuple[int, ...]
    n_classes: int
    n_antecedents: int

    @cached_property
    def captured_by(self) -> tuple[frozenset[int], ...]:
        """The rows that each antecedent captures."""
        return tuple(
            frozenset(n for n, row in enumerate(self.captures) if row[s])
            for s in range(self.n_antecedents)
        )

    def weight(self, rows: Iterable[int], label: int | None = None) -> int:
        """Weight of the rows, or of those among them that carry the label."""
        return sum(self.weights[n] for n in rows if label is None or self.labels[n] == label)

    def loss(self, rows: Iterable[int], predicted: int) -> Fraction:
        """Share of the whole weight that lies in `rows` and is misclassified there."""
        rows = list(rows)
        wrong = self.weight(rows) - self.weight(rows, predicted)
        return Fraction(wrong, self.weight(range(len(self.labels))))

    def majority_loss(self, rows: Iterable[int]) -> Fraction:
        """The loss of the best label for `rows`."""
        rows = list(rows)
        return min(self.loss(rows, label) for label in range(self.n_classes))


def objective(
    data: Data,
    regularization: Fraction,
    prefix: Sequence[int],
    labels: Sequence[int] | None = None,
    default: int | None = None,
) -> Fraction:
    """Loss plus λ per rule of one rule list; labels that are not given are majorities."""
    if len(set(prefix)) != len(prefix):
        raise ValueError(f"antecedents of a rule list are distinct: {list(prefix)}")
    if labels is not None and len(labels) != len(prefix):
        raise ValueError(f"{len(prefix)} rules, but {len(labels)} labels")
    left = set(range(len(data.labels)))
    total = regularization * len(prefix)
    for k, antecedent in enumerate(prefix):
        captured = left & data.captured_by[antecedent]
        left -= captured
        total += data.majority_loss(captured) if labels is None else data.loss(captured, labels[k])
    return total + (data.majority_loss(left) if default is None else data.loss(left, default))


def optimum_by_enumeration(
    data: Data, regularization: Fraction, max_length: int | None = None
) -> Fraction:
    """The least objective of all rule lists, looking at every single one."""
    longest = data.n_antecedents if max_length is None else min(max_length, data.n_antecedents)
    return min(
        objective(data, regularization, prefix)
        for length in range(longest + 1)
        for prefix in permutations(range(data.n_antecedents), length)
    )


def optimum(data: Data, regularization: Fraction, max_length: int | None = None) -> Fraction:
    """The least objective of all rule lists, each set of rows not captured solved only once.

    What a list costs from some rule on depends only on the rows that reach it. Antecedents that
    capture none of them are passed over: such a rule never lowers the objective.
    """
    solved: dict[tuple[frozenset[int], int], Fraction] = {}

    def least(left: frozenset[int], rules: int) -> Fraction:
        if (left, rules) not in solved:
            best = data.majority_loss(left)
            for captured in data.captured_by if rules > 0 else ():
                if captured & left:
                    first = regularization + data.majority_loss(captured & left)
                    best = min(best, first + least(left - captured, rules - 1))
            solved[left, rules] = best
        return solved[left, rules]

    longest = data.n_antecedents if max_length is None else min(max_length, data.n_antecedents)
    return least(frozenset(range(len(data.labels))), longest)
