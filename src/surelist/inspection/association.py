"""How well one column alone predicts another: the measure behind the checks for leaks.

The figure is the share of the mistakes of always predicting the most frequent class that vanish
when the best use is made of the column: 0 says nothing, 1 tells every label (Goodman and Kruskal's
λ). Values that are rare count together, so that a column of names does not tell everything by
telling rows apart. Of numbers, intervals are used: as many as there are classes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from surelist.inspection.coded import CodedColumn, CodedLabels

__all__ = ["counts_by_value", "mistakes_left", "share_told"]

_RARE = 5  # rows; a value of fewer is counted with other rare ones
_MOST_VALUES = 30
_MOST_BINS = 64
_MOST_INTERVALS = 10


def share_told(
    column: CodedColumn, labels: CodedLabels, counts: NDArray[np.intp] | None = None
) -> float:
    """Return the share of mistakes that vanish when the column is known.

    ``counts`` are its `counts_by_value`, where they are at hand.
    """
    return 1 - mistakes_left(column, labels, counts) / max(1, labels.n_minority)


def counts_by_value(column: CodedColumn, labels: CodedLabels) -> NDArray[np.intp]:
    """Count rows by value and class; the last row is that of missing values."""
    n_classes = len(labels.classes)
    values = column.codes
    if column.n_missing:
        values = np.where(values < 0, column.n_distinct, values)
    table = np.bincount(
        values * n_classes + labels.codes, minlength=(column.n_distinct + 1) * n_classes
    )
    return table.reshape(-1, n_classes)


def mistakes_left(
    column: CodedColumn, labels: CodedLabels, counts: NDArray[np.intp] | None = None
) -> int:
    """Return how many rows are misclassified at least when nothing but the column is known."""
    if counts is None:
        counts = counts_by_value(column, labels)
    present, missing = counts[:-1], counts[-1]
    if column.few:
        return _by_groups(np.vstack([_pooled(present), missing]))
    return _by_intervals(present) + _by_groups(missing[None, :])


def _by_groups(counts: NDArray[np.intp]) -> int:
    return int(counts.sum() - counts.max(axis=1, initial=0).sum())


def _pooled(counts: NDArray[np.intp]) -> NDArray[np.intp]:
    """Add up the values that are rare, and all but the most frequent ones."""
    totals = counts.sum(axis=1)
    if len(totals) <= _MOST_VALUES and totals.min(initial=_RARE) >= _RARE:
        return counts
    order = np.argsort(-totals, kind="stable")
    kept = order[:_MOST_VALUES][totals[order[:_MOST_VALUES]] >= _RARE]
    rest = counts.sum(axis=0) - counts[kept].sum(axis=0)
    return np.vstack([counts[kept], rest])


def _by_intervals(counts: NDArray[np.intp]) -> int:
    """Return the mistakes of the best intervals, as many as there are classes."""
    n_classes = counts.shape[1]
    before = np.vstack([np.zeros(n_classes, dtype=counts.dtype), np.cumsum(counts, axis=0)])
    after = before[-1] - before
    if n_classes == 2:
        return int((before.min(axis=1) + after.min(axis=1)).min())
    edges = _edges(before.sum(axis=1))
    inside = before[edges][None, :, :] - before[edges][:, None, :]
    cost = inside.sum(axis=2) - inside.max(axis=2)
    best = cost[0]
    impossible = np.iinfo(cost.dtype).max // 2
    forward = np.where(np.tri(len(edges), k=-1, dtype=np.bool_), impossible, cost)
    for _ in range(min(n_classes, _MOST_INTERVALS) - 1):
        best = (best[:, None] + forward).min(axis=0)
    return int(best[-1])


def _edges(totals: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return which values begin a bin, so that bins hold about the same number of rows."""
    n_values = len(totals) - 1
    if n_values <= _MOST_BINS:
        return np.arange(n_values + 1)
    wanted = np.linspace(0, totals[-1], _MOST_BINS + 1)
    return np.unique(np.searchsorted(totals, wanted))
