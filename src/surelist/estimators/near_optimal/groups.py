"""Error rates of every list of a set in groups of rows: how much equally good models differ."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import missing, shown
from surelist.errors import InputError
from surelist.estimators.near_optimal.answers import Range
from surelist.estimators.near_optimal.found import FoundLists
from surelist.estimators.near_optimal.points import Points
from surelist.estimators.near_optimal.source import Source

__all__ = ["RATES", "GroupRates", "read_groups"]

RATES = ("FPR", "FNR", "error")
_SMALL = 1 << 31  # products of two such numbers are exact in 64 bits


@dataclass(frozen=True, eq=False)
class GroupRates:
    """For each list and group, the weight of mistakes of one kind, and what it is a share of.

    Attributes
    ----------
    groups : tuple
        The groups, in order of first occurrence.
    counts : dict of str to array, lists × groups
        "FPR": weight of negative rows predicted positive. "FNR": of positive ones predicted
        negative. "error": of rows predicted wrong.
    totals : dict of str to array
        For each group the weight of all rows that the rate counts.
    """

    groups: tuple[Any, ...]
    counts: dict[str, NDArray[np.int64]]
    totals: dict[str, NDArray[np.int64]]

    def rate(self, name: str) -> NDArray[np.float64]:
        """Return a rate for each list and group; NaN where a group has no such rows."""
        with np.errstate(invalid="ignore"):
            rates: NDArray[np.float64] = self.counts[name] / self.totals[name]
        return rates

    def gap(self, name: str) -> NDArray[np.float64]:
        """Return for each list how far apart the rates of groups are."""
        rates = self.rate(name)[:, self.totals[name] > 0]
        if rates.shape[1] < 2:
            return np.zeros(len(rates))
        gap: NDArray[np.float64] = rates.max(axis=1) - rates.min(axis=1)
        return gap

    def is_gap_within(self, name: str, most: Fraction) -> NDArray[np.bool_]:
        """Return which lists have a gap of at most this, compared exactly."""
        counts, totals = self.counts[name], self.totals[name]
        large = max(int(totals.max(initial=0)), most.numerator, most.denominator) ** 2 >= _SMALL
        if large:
            counts, totals = counts.astype(object), totals.astype(object)
        within = np.ones(len(counts), np.bool_)
        known = np.flatnonzero(self.totals[name] > 0)
        for a, b in combinations(known, 2):
            difference = abs(counts[:, a] * totals[b] - counts[:, b] * totals[a])
            within &= (
                difference * most.denominator <= most.numerator * totals[a] * totals[b]
            ).astype(np.bool_)
        return within

    def ranges(self) -> list[Range]:
        """Return the range of each rate in each group, and of the gaps."""
        found = []
        for name in self.counts:
            rates = self.rate(name)
            for place, group in enumerate(self.groups):
                if self.totals[name][place] > 0 and len(rates):
                    column = rates[:, place]
                    found.append(Range(f"{name}, {group}", column.min(), column.max()))
            gap = self.gap(name)
            if len(gap):
                found.append(Range(f"{name}, gap", gap.min(), gap.max()))
        return found


def read_groups(source: Source, found: FoundLists, group: Any, positive: Any = None) -> GroupRates:
    """Count the mistakes of all lists by group.

    Parameters
    ----------
    source, found
        The lists.
    group : array-like
        For each training row, the group that it belongs to; None: all are one group. Rows without
        a value are a group, too.
    positive : label, optional
        The positive class; the default is the second of two. With more classes and without it,
        there is only the "error".

    Raises
    ------
    InputError
    """
    data = source.prepared.data
    groups, codes = _codes(group, len(data.matrix), data.n_rows is None)
    n_classes, n_groups = len(source.classes), len(groups)
    points = Points(source, found)
    weights = np.zeros((len(points), n_groups, n_classes), np.int64)
    np.add.at(weights, (points.of_row, codes, data.codes), data.weights)
    _, first, back = np.unique(found.alike, return_index=True, return_inverse=True)
    predicted = _by_prediction(points, first, weights, n_classes)
    rates = _rates(groups, predicted, weights.sum(axis=0), _positive(source, positive))
    # Many lists predict the same: the rates of a million lists are those of far fewer predictions.
    counts = {name: of_prediction[back.ravel()] for name, of_prediction in rates.counts.items()}
    return replace(rates, counts=counts)


def _codes(group: Any, n_rows: int, has_rows: bool) -> tuple[tuple[Any, ...], NDArray[np.intp]]:
    if group is None:
        return ("all",), np.zeros(n_rows, np.intp)
    if not has_rows:
        raise InputError("rates by group need the rows in memory: pass a data frame")
    if isinstance(group, str):
        raise InputError(f"group must have a value for each row, such as X[{group!r}]")
    try:
        values = [None if missing(value) else value for value in group]
        places = {value: place for place, value in enumerate(dict.fromkeys(values))}
    except TypeError:
        raise InputError("group must have one value for each row, such as a column") from None
    if len(values) != n_rows:
        raise InputError(
            f"group must have a value for each of the {n_rows} rows; got {len(values)}"
        )
    return tuple(places), np.array([places[value] for value in values], np.intp)


def _positive(source: Source, positive: Any) -> int | None:
    classes = list(source.classes)
    if positive is None:
        return 1 if len(classes) == 2 else None
    if positive not in classes:
        raise InputError(f"positive is {shown(positive)}; the classes are {shown(classes)}")
    return classes.index(positive)


def _by_prediction(
    points: Points, lists: NDArray[np.intp], weights: NDArray[np.int64], n_classes: int
) -> NDArray[np.int64]:
    """Return for each list the weight by predicted class, group and actual class."""
    flat = weights.reshape(len(weights), -1)
    exact = int(flat.sum()) < 1 << 53  # sums of floats are exact up to here, and fast
    parts = []
    for predicted in points.predictions(lists):
        by_class = [
            ((predicted == q).astype(np.float64) @ flat.astype(np.float64)).astype(np.int64)
            if exact
            else (predicted == q).astype(np.int64) @ flat
            for q in range(n_classes)
        ]
        parts.append(np.stack(by_class, axis=1))
    shape = (len(lists), n_classes, *weights.shape[1:])
    return np.concatenate(parts).reshape(shape) if parts else np.zeros(shape, np.int64)


def _rates(
    groups: tuple[Any, ...],
    predicted: NDArray[np.int64],
    totals: NDArray[np.int64],
    positive: int | None,
) -> GroupRates:
    """Return the rates of predictions × predicted class × group × actual class."""
    n_classes = totals.shape[1]
    right = sum(predicted[:, q, :, q] for q in range(n_classes))
    counts = {"error": predicted.sum(axis=(1, 3)) - right}
    of = {"error": totals.sum(axis=1)}
    if positive is not None:
        negative = [c for c in range(n_classes) if c != positive]
        false_positive = predicted[:, positive][:, :, negative].sum(axis=2)
        false_negative = predicted[:, negative][:, :, :, positive].sum(axis=1)
        counts = {"FPR": false_positive, "FNR": false_negative, **counts}
        of = {"FPR": totals[:, negative].sum(axis=1), "FNR": totals[:, positive], **of}
    return GroupRates(groups, counts, of)
