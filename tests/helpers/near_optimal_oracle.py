"""All rule lists within a threshold by brute force: every allowed order of antecedents, one by one.

Works on rows, uses no bound, computes with fractions, and imports nothing of the package. What
counts as a list, and which lists are one entry, is written down here again, from
docs/near_optimal.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import constrained_oracle
from constrained_oracle import Demands
from oracle import Data


@dataclass(frozen=True)
class Listed:
    """A rule list with its labels, what it predicts for each row, and its objective."""

    prefix: tuple[int, ...]
    labels: tuple[int, ...]
    default: int
    predictions: tuple[int, ...]
    objective: Fraction


@dataclass
class Entry:
    """The orders of the same rules that predict the same."""

    objective: Fraction
    default: int
    predictions: tuple[int, ...]
    orders: list[tuple[tuple[int, int], ...]] = field(default_factory=list)

    @property
    def first(self) -> tuple[tuple[int, int], ...]:
        """The first of them by antecedents: what the entry is shown as."""
        return min(self.orders)


def listed(data: Data, demands: Demands, prefix: Sequence[int]) -> Listed | None:
    """Label a prefix; None where a rule captures nothing that is not demanded."""
    classes = list(range(data.n_classes))
    allowed = classes if demands.rule_label is None else [demands.rule_label]
    counted = [n for n in range(len(data.labels)) if data.weights[n] > 0]
    left, labels = set(counted), []
    predicted = dict.fromkeys(counted, -1)

    def cheapest(rows: set[int], among: list[int]) -> int:
        losses = [constrained_oracle.loss(data, demands, rows, label) for label in among]
        return among[losses.index(min(losses))]

    for antecedent in prefix:
        captured = left & data.captured_by[antecedent]
        if not captured and antecedent not in {*demands.first, *demands.required}:
            return None
        labels.append(cheapest(captured, allowed))
        predicted.update(dict.fromkeys(captured, labels[-1]))
        left -= captured
    default = cheapest(left, classes)
    predicted.update(dict.fromkeys(left, default))
    objective = constrained_oracle.objective(data, demands, prefix)
    predictions = tuple(predicted[n] for n in counted)
    return Listed(tuple(prefix), tuple(labels), default, predictions, objective)


def all_lists(data: Data, demands: Demands) -> Iterator[Listed]:
    for prefix in constrained_oracle.allowed_prefixes(data, demands):
        found = listed(data, demands, prefix)
        if found is not None:
            yield found


def entries(data: Data, demands: Demands, threshold: Fraction) -> list[Entry]:
    """Return every entry within the threshold: by objective, length, then rules."""
    known: dict[tuple[object, ...], Entry] = {}
    for found in all_lists(data, demands):
        if found.objective > threshold:
            continue
        rules = tuple(zip(found.prefix, found.labels, strict=True))
        key = (frozenset(rules), found.default, found.predictions)
        entry = known.setdefault(key, Entry(found.objective, found.default, found.predictions))
        assert entry.objective == found.objective  # orders of one entry cost the same
        entry.orders.append(rules)
    return sorted(known.values(), key=lambda e: (e.objective, len(e.first), e.first))
