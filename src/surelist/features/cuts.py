"""Cut points: where to cut the values of one column, and which number to write there.

Cuts depend only on the whole weight of each distinct value. So neither the order of the rows can
change a cut, nor whether a row occurs twice or has the weight 2. The supervised cuts are exact:
among all ways to cut a column into a number of parts, each of enough weight, dynamic programming
finds one with the least entropy of the labels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "N_PARTS",
    "Weighted",
    "entropy_cuts",
    "leeway",
    "neat_moment",
    "neat_number",
    "quantile_cuts",
    "uniform_cuts",
    "weigh",
]

# A column with more distinct values than these is first cut into so many parts of equal weight.
N_PARTS = 256

# How far a cut through many values may move: this part of the weight, to either side.
_LEEWAY = 512


@dataclass(frozen=True, eq=False)
class Weighted:
    """The distinct values of a column in ascending order, and their weight by class."""

    values: NDArray[Any]
    weights: NDArray[np.int64]

    @cached_property
    def totals(self) -> NDArray[np.int64]:
        """Weight of each value."""
        totals: NDArray[np.int64] = self.weights.sum(axis=1)
        return totals


def weigh(
    values: NDArray[Any], labels: NDArray[Any], weights: NDArray[np.int64], n_classes: int
) -> Weighted:
    """Collapse rows of positive weight into distinct values.

    Examples
    --------
    >>> import numpy as np
    >>> from surelist.features.cuts import weigh
    >>> ages = weigh(np.array([30, 20, 30]), np.array([0, 1, 1]), np.array([1, 2, 1]), n_classes=2)
    >>> ages.values.tolist(), ages.weights.tolist()
    ([20, 30], [[0, 2], [1, 1]])
    """
    distinct, inverse = np.unique(values, return_inverse=True)
    cells = inverse.ravel().astype(np.int64) * n_classes + labels
    # The weights of all rows together stay below 2**53, so sums of them in floats are exact.
    table = np.bincount(cells, weights=weights, minlength=len(distinct) * n_classes)
    return Weighted(distinct, table.astype(np.int64).reshape(len(distinct), n_classes))


# Positions: a cut at i separates the values before the i-th from the rest.


def quantile_cuts(column: Weighted, n_cuts: int) -> list[int]:
    """Cut where the weight so far first reaches each of the equal shares."""
    reached = np.cumsum(column.totals)
    total = int(reached[-1])
    wanted = [-(-part * total // (n_cuts + 1)) for part in range(1, n_cuts + 1)]
    positions = np.searchsorted(reached, np.array(wanted), side="left") + 1
    return sorted({int(position) for position in positions} - {len(reached)})


def uniform_cuts(column: Weighted, n_cuts: int) -> dict[int, float]:
    """Cut the range of the finite values into equal parts; return where, and at what number."""
    numbers = column.values.astype(np.float64)
    finite = numbers[np.isfinite(numbers)]
    if len(finite) == 0 or finite[0] == finite[-1]:
        return {}
    shares = [part / (n_cuts + 1) for part in range(1, n_cuts + 1)]
    targets = [float(finite[0] * (1 - share) + finite[-1] * share) for share in shares]
    cuts = {int(np.searchsorted(numbers, target, side="left")): target for target in targets}
    return {position: cuts[position] for position in sorted(cuts) if 0 < position < len(numbers)}


def entropy_cuts(column: Weighted, n_cuts: int, least: int) -> list[int]:
    """Cut into at most ``n_cuts + 1`` parts of at least the weight ``least``, by least entropy.

    Examples
    --------
    >>> import numpy as np
    >>> from surelist.features.cuts import entropy_cuts, weigh
    >>> column = weigh(np.arange(6), np.array([0, 0, 1, 1, 0, 0]), np.ones(6, np.int64), 2)
    >>> entropy_cuts(column, n_cuts=2, least=1)
    [2, 4]
    """
    edges = _candidates(column.totals)
    parts = np.add.reduceat(column.weights, edges[:-1], axis=0)
    # A common factor of all weights must not change the entropy, not even in its last bit.
    parts //= max(1, int(np.gcd.reduce(parts, axis=None)))
    scale = max(1, int(column.weights.sum()) // max(1, int(parts.sum())))
    cost = _part_costs(parts, -(-least // scale))
    best, choices = cost[0], []
    costs = [best[-1]]
    for _ in range(n_cuts):
        through = best[:, None] + cost
        choices.append(through.argmin(axis=0))
        best = through.min(axis=0)
        costs.append(best[-1])
    return [int(edges[position]) for position in _trace_back(costs, choices)]


def _candidates(totals: NDArray[np.int64]) -> NDArray[np.intp]:
    """Edges of the finest parts: every value its own, or parts of about equal weight."""
    if len(totals) <= N_PARTS:
        return np.arange(len(totals) + 1)
    inner = quantile_cuts(Weighted(totals, totals[:, None]), N_PARTS - 1)
    return np.array([0, *inner, len(totals)], dtype=np.intp)


def _part_costs(parts: NDArray[np.int64], least: int) -> NDArray[np.float64]:
    """Entropy of each run of parts, from the row's to before the column's; inf where it is none."""
    n_parts = len(parts)
    sums = np.zeros((n_parts + 1, parts.shape[1] + 1))
    sums[1:, :-1] = np.cumsum(parts, axis=0)
    sums[:, -1] = sums[:, :-1].sum(axis=1)
    cost = np.zeros((n_parts + 1, n_parts + 1))
    for label in range(parts.shape[1] + 1):
        weight = np.maximum(sums[None, :, label] - sums[:, None, label], 0)
        bits = weight * np.log2(np.maximum(weight, 1))
        cost += bits if label == parts.shape[1] else -bits
    weight = sums[None, :, -1] - sums[:, None, -1]
    cost[weight < max(least, 1)] = np.inf
    return cost


def _trace_back(costs: list[Any], choices: list[NDArray[np.intp]]) -> list[int]:
    """Read the cuts off the dynamic program: the fewest of least cost, up to rounding."""
    finite = [cost for cost in costs if np.isfinite(cost)]
    if not finite:
        return []
    slack = 1e-9 * (1 + costs[0])
    n_cuts = next(i for i, cost in enumerate(costs) if cost <= min(finite) + slack)
    cuts: list[int] = []
    position = len(choices[0]) - 1 if choices else 0
    for choice in reversed(choices[:n_cuts]):
        position = int(choice[position])
        cuts.append(position)
    return cuts[::-1]


def leeway(column: Weighted, position: int) -> tuple[float, float, float]:
    """Return between which values a cut may move, and where it is."""
    reached = np.cumsum(column.totals)
    room = int(reached[-1]) // _LEEWAY
    here = int(reached[position - 1])
    first = int(np.searchsorted(reached, max(here - room, int(reached[0])), side="left"))
    last = int(np.searchsorted(reached, min(here + room, int(reached[-2])), side="right"))
    numbers = [column.values[index] for index in (min(first, position - 1), max(last, position))]
    middle = _middle(float(column.values[position - 1]), float(column.values[position]))
    return numbers[0], numbers[1], middle


# Numbers and moments to write down: t with low < t ≤ high, so that ``x < t`` tells them apart.


def neat_number(low: Any, high: Any, whole: bool, target: float | None = None) -> int | float:
    """Return the number of fewest digits above ``low`` and not above ``high``.

    Examples
    --------
    >>> from surelist.features.cuts import neat_number
    >>> neat_number(14.97, 15.01, whole=False), neat_number(22, 26, whole=True)
    (15.0, 24)
    """
    if whole:
        if not np.isfinite(low) or not np.isfinite(high):
            return int(low) + 1 if np.isfinite(low) else int(high) if np.isfinite(high) else 0
        return _neat_whole(int(low), int(high), target)
    low, high = float(low), float(high)
    middle = _middle(low, high) if target is None else min(max(target, low), high)
    for digits in range(17):
        number = float(f"{middle:.{digits}e}")
        if low < number <= high:
            return number
    return float(high)


def _neat_whole(low: int, high: int, target: float | None) -> int:
    middle: int = (
        (low + high + 1) // 2 if target is None else min(max(round(target), low + 1), high)
    )
    # No more zeros than leave a digit of the middle: 50 is not to become 100.
    for zeros in reversed(range(len(str(abs(middle))))):
        power = int(10**zeros)
        number = (2 * middle + power) // (2 * power) * power
        if low < number <= high:
            return number
    return middle


def _middle(low: float, high: float) -> float:
    if math.isinf(low):
        return high
    if math.isinf(high):
        return 2 * abs(low) + 1
    return low / 2 + high / 2


def neat_moment(low: np.datetime64, high: np.datetime64) -> np.datetime64:
    """Return the start of the longest unit of time above ``low`` and not above ``high``.

    Examples
    --------
    >>> import numpy as np
    >>> from surelist.features.cuts import neat_moment
    >>> str(neat_moment(np.datetime64("2012-11-03", "us"), np.datetime64("2013-02-17", "us")))
    '2013-01-01T00:00:00.000000'
    """
    for unit in ("Y", "M", "D", "h", "m", "s"):
        start: np.datetime64 = high.astype(f"datetime64[{unit}]").astype("datetime64[us]")
        if start > low:
            return start
    return high
