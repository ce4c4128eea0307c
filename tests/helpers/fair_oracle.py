"""The best fair rule list by brute force, from the definitions of the metrics.

Everything that is claimed of fair lists is held against this file, so it shares nothing with the
package: it works on rows, tries every order of antecedents with every choice of labels, and
computes every rate as a fraction of weights of rows, group by group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations, product

from oracle import Data

Costs = tuple[tuple[Fraction, ...], ...]
PLAIN: Costs = ((Fraction(0), Fraction(1)), (Fraction(1), Fraction(0)))

# Which rates a metric compares: the rows that count, by class, and those of them that are meant.
METRICS: Mapping[str, tuple[str, ...]] = {
    "statistical_parity": ("selection",),
    "equal_opportunity": ("true_positive",),
    "predictive_equality": ("false_positive",),
    "equalized_odds": ("true_positive", "false_positive"),
    "predictive_parity": ("precision",),
    "conditional_use_accuracy_equality": ("precision", "negative_precision"),
}


@dataclass(frozen=True)
class Fair:
    """What is demanded of a list's predictions."""

    metrics: tuple[str, ...] = ()
    tolerance: Fraction | None = None
    ratio: Fraction | None = None
    max_error: Mapping[int, Fraction] = field(default_factory=dict)
    min_selection: Mapping[int, Fraction] = field(default_factory=dict)
    max_selection: Mapping[int, Fraction] = field(default_factory=dict)


def rate(
    data: Data, groups: tuple[int, ...], group: int, predicted: tuple[int, ...], what: str
) -> Fraction | None:
    """One rate of one sensitive group; None where it divides by nothing."""
    rows = [n for n in range(len(predicted)) if groups[n] == group]
    base = {
        "selection": rows,
        "error": rows,
        "true_positive": [n for n in rows if data.labels[n] == 1],
        "false_positive": [n for n in rows if data.labels[n] == 0],
        "precision": [n for n in rows if predicted[n] == 1],
        "negative_precision": [n for n in rows if predicted[n] == 0],
    }[what]
    if what in ("selection", "true_positive", "false_positive"):
        meant = [n for n in base if predicted[n] == 1]
    elif what == "error":
        meant = [n for n in base if predicted[n] != data.labels[n]]
    else:
        meant = [n for n in base if predicted[n] == data.labels[n]]
    total = data.weight(base)
    return Fraction(data.weight(meant), total) if total else None


def unfairness(
    data: Data, groups: tuple[int, ...], predicted: tuple[int, ...], metric: str
) -> Fraction | None:
    """The greatest difference of the metric's rates; None where only some of them exist."""
    worst = Fraction(0)
    for what in METRICS[metric]:
        rates = [rate(data, groups, group, predicted, what) for group in sorted(set(groups))]
        known = [each for each in rates if each is not None]
        if 0 < len(known) < len(rates):
            return None
        if known:
            worst = max(worst, max(known) - min(known))
    return worst


def _alike(data: Data, groups: tuple[int, ...], predicted: tuple[int, ...], fair: Fair) -> bool:
    for metric in fair.metrics:
        for what in METRICS[metric]:
            rates = [rate(data, groups, group, predicted, what) for group in sorted(set(groups))]
            known = [each for each in rates if each is not None]
            if 0 < len(known) < len(rates):
                return False
            if not known:
                continue
            if fair.tolerance is not None and max(known) - min(known) > fair.tolerance:
                return False
            if fair.ratio is not None and min(known) < fair.ratio * max(known):
                return False
    return True


def is_fair(data: Data, groups: tuple[int, ...], predicted: tuple[int, ...], fair: Fair) -> bool:
    """Whether predictions for all rows satisfy every demand."""
    for group, most in fair.max_error.items():
        error = rate(data, groups, group, predicted, "error")
        if error is not None and error > most:
            return False
    for group, least in fair.min_selection.items():
        selected = rate(data, groups, group, predicted, "selection")
        if selected is not None and selected < least:
            return False
    for group, most in fair.max_selection.items():
        selected = rate(data, groups, group, predicted, "selection")
        if selected is not None and selected > most:
            return False
    return _alike(data, groups, predicted, fair)


def predictions(data: Data, prefix: tuple[int, ...], labels: tuple[int, ...]) -> tuple[int, ...]:
    """What a list predicts for every row; the default label is the last one."""
    predicted = []
    for n in range(len(data.labels)):
        first = next((k for k, s in enumerate(prefix) if data.captures[n][s]), len(prefix))
        predicted.append(labels[first])
    return tuple(predicted)


def _loss(data: Data, costs: Costs, predicted: tuple[int, ...]) -> Fraction:
    total = sum(data.weights)
    pairs = zip(data.weights, data.labels, predicted, strict=True)
    return (
        sum((weight * costs[label][guess] for weight, label, guess in pairs), Fraction(0)) / total
    )


def _majority(
    data: Data,
    costs: Costs,
    prefix: tuple[int, ...],
    rule_label: int | None,
) -> tuple[int, ...]:
    """Each label the cheapest for what its rule captures; 0 where both cost the same."""
    left, labels = set(range(len(data.labels))), []
    for position in range(len(prefix) + 1):
        last = position == len(prefix)
        captured = left if last else left & data.captured_by[prefix[position]]
        left = left - captured
        cost = [sum(data.weights[n] * costs[data.labels[n]][q] for n in captured) for q in (0, 1)]
        labels.append(int(cost[1] < cost[0]) if last or rule_label is None else rule_label)
    return tuple(labels)


def lists(
    data: Data,
    costs: Costs,
    *,
    majority: bool = False,
    max_length: int | None = None,
    rule_label: int | None = None,
    forbidden: frozenset[int] = frozenset(),
    first: tuple[int, ...] = (),
    required: frozenset[int] = frozenset(),
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Every allowed list: its prefix, and its labels with the default last."""
    usable = [s for s in range(data.n_antecedents) if s not in forbidden]
    longest = len(usable) if max_length is None else min(max_length, len(usable))
    for length in range(longest + 1):
        for prefix in permutations(usable, length):
            if prefix[: len(first)] != first or not required <= set(prefix):
                continue
            if majority:
                yield prefix, _majority(data, costs, prefix, rule_label)
                continue
            choices = [(0, 1) if rule_label is None else (rule_label,)] * length
            for labels in product(*choices, (0, 1)):
                yield prefix, labels


def objectives(
    data: Data,
    groups: tuple[int, ...],
    fair: Fair,
    prices: tuple[Fraction, ...],
    costs: Costs = PLAIN,
    **allowed: object,
) -> list[Fraction]:
    """The objectives of all fair lists, rising; of lists that predict the same, the cheapest."""
    cheapest: dict[tuple[int, ...], Fraction] = {}
    for prefix, labels in lists(data, costs, **allowed):  # type: ignore[arg-type]
        predicted = predictions(data, prefix, labels)
        price = sum((prices[s] for s in prefix), Fraction(0))
        if price < cheapest.get(predicted, price + 1):
            cheapest[predicted] = price
    return sorted(
        price + _loss(data, costs, predicted)
        for predicted, price in cheapest.items()
        if is_fair(data, groups, predicted, fair)
    )


def optimum(
    data: Data,
    groups: tuple[int, ...],
    fair: Fair,
    prices: tuple[Fraction, ...],
    costs: Costs = PLAIN,
    **allowed: object,
) -> Fraction | None:
    """The least objective of all fair lists; None where there is none."""
    return next(iter(objectives(data, groups, fair, prices, costs, **allowed)), None)
