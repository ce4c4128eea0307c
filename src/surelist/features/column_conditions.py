"""Candidate conditions on one column."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import shown
from surelist.conditions.conditions import Condition, Equals, Interval, IsTrue, Missing, OneOf
from surelist.conditions.values import Value
from surelist.errors import InputError
from surelist.features.cuts import (
    N_PARTS,
    Weighted,
    entropy_cuts,
    leeway,
    neat_moment,
    neat_number,
    quantile_cuts,
    uniform_cuts,
    weigh,
)
from surelist.tables.column import Column

__all__ = [
    "Choice",
    "Counted",
    "Labelled",
    "between",
    "column_conditions",
    "end_between",
    "frequent_categories",
    "in_order",
    "taken_as_is",
]

# A list of more rare categories than these is not readable, and no condition either.
_MOST_MERGED = 20


@dataclass(frozen=True, eq=False)
class Labelled:
    """The class and whole weight of each row; one class where there are no labels."""

    codes: NDArray[np.int32]
    weights: NDArray[np.int64]
    n_classes: int

    @property
    def supervised(self) -> bool:
        """Whether there are labels to cut by."""
        return self.n_classes > 1

    @property
    def totals(self) -> NDArray[np.int64]:
        """Weight of all rows by class."""
        totals = np.bincount(self.codes, weights=self.weights, minlength=self.n_classes)
        return totals.astype(np.int64)

    def take(self, rows: NDArray[np.intp]) -> Labelled:
        """Return some of the rows."""
        return Labelled(self.codes[rows], self.weights[rows], self.n_classes)

    def inside(self, rows: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Weight of some rows by class."""
        # Multiplying is several times faster than gathering scattered rows.
        inside = np.bincount(self.codes, weights=self.weights * rows, minlength=self.n_classes)
        return inside.astype(np.int64)


@dataclass(frozen=True)
class Choice:
    """How to cut a column: the parameters of `Binarizer`, checked."""

    strategy: str
    n_cuts: int | None
    """At most; None: wherever two values differ."""
    intervals: bool
    min_frequency: Fraction
    category: bool = False
    given: tuple[Any, ...] | None = None

    def but(self, **changes: Any) -> Choice:
        """Return a copy with some parameters changed."""
        return replace(self, **changes)


@dataclass(frozen=True, eq=False)
class Counted:
    """A condition with the weight by class of the training rows that fulfil it."""

    condition: Condition
    inside: NDArray[np.int64]

    @property
    def own(self) -> bool:
        """Whether it is a column of 0 and 1 as it came, which always stays."""
        return self.condition.is_column

    def varies(self, total: NDArray[np.int64]) -> bool:
        """Whether some rows fulfil the condition and some do not."""
        return self.own or 0 < self.inside.sum() < total.sum()

    def information(self, total: NDArray[np.int64]) -> float:
        """How many bits the condition tells about the class, or where there is one, at all."""
        if len(total) == 1:
            return _entropy([self.inside.sum(), total.sum() - self.inside.sum()])
        share = float(self.inside.sum()) / float(total.sum())
        rest = _entropy(total - self.inside)
        return _entropy(total) - share * _entropy(self.inside) - (1 - share) * rest


def _entropy(weights: Sequence[Any] | NDArray[Any]) -> float:
    total = float(sum(weights))
    shares = [float(weight) / total for weight in weights if weight > 0]
    return -math.fsum(share * math.log2(share) for share in shares)


def column_conditions(column: Column, labelled: Labelled, choice: Choice) -> list[Counted]:
    """Return the conditions on a column, each with what it captures."""
    column = in_order(column, choice)
    if not labelled.weights.all():
        # Rows of weight zero are ignored: their values must not decide whether a column is whole.
        rows = np.flatnonzero(labelled.weights)
        column, labelled = column.take(rows), labelled.take(rows)
    found: list[Counted] = []
    if taken_as_is(column, choice):
        found = _binary(column, labelled)
    elif not column.missing.all():
        rows = np.flatnonzero(~column.missing)
        values = column.values if column.codes is None else column.codes
        weighted = weigh(
            values[rows], labelled.codes[rows], labelled.weights[rows], labelled.n_classes
        )
        if column.kind == "text" or choice.category:
            found = _categories(column, weighted, labelled, choice)
        else:
            found = _cut(column, weighted, choice, labelled)
    if column.missing.any():
        found.append(Counted(Missing(column.name), labelled.inside(column.missing)))
    return found


def taken_as_is(column: Column, choice: Choice) -> bool:
    """Whether a column of 0 and 1 is its own feature."""
    return column.binary and not choice.category and choice.given is None


def frequent_categories(
    column: Column, weighted: Weighted, labelled: Labelled, choice: Choice
) -> list[Counted]:
    """Return the conditions on categories of which only those that are not rare are at hand.

    For columns of so many categories that the others could not be merged anyway; ``labelled`` are
    rows of the weight of all of them.
    """
    return _categories(column, weighted, labelled, choice)


def in_order(column: Column, choice: Choice) -> Column:
    """Return the column as an ordinal one, where its texts are given in an order."""
    if choice.given is None or column.kind != "text":
        return column
    order = choice.given
    position = {value: index for index, value in enumerate(order)}
    strange = [value for value in column.values if value not in position]
    if strange or len(position) < len(order):
        problem = f"{shown(strange[0])} is not there" if strange else "a value occurs twice"
        raise InputError(
            f"columns[{column.name!r}] must list every value once, from the lowest on: {problem}"
        )
    assert column.codes is not None
    ranks = np.array([position[value] for value in column.values] + [-1], dtype=np.intp)
    values = np.empty(len(order), dtype=object)
    values[:] = order
    return replace(column, kind="ordinal", values=values, codes=ranks[column.codes])


def _binary(column: Column, labelled: Labelled) -> list[Counted]:
    conditions: list[Condition] = [IsTrue(column.name)]
    if column.missing.any():
        # Without this, no condition would tell 0 from missing.
        conditions.append(Equals(column.name, False if column.values.dtype.kind == "b" else 0))
    return [
        Counted(condition, labelled.inside(column.fulfils(condition))) for condition in conditions
    ]


# Categories.


def _categories(
    column: Column, weighted: Weighted, labelled: Labelled, choice: Choice
) -> list[Counted]:
    least = choice.min_frequency * int(labelled.weights.sum())
    is_rare = weighted.totals < math.ceil(least)
    groups: list[tuple[Any, ...]] = [(index,) for index in np.flatnonzero(~is_rare)]
    # A column of names or numbers that each occur once or twice has nothing that could be merged.
    if 0 < np.count_nonzero(is_rare) <= _MOST_MERGED:
        groups.append(tuple(np.flatnonzero(is_rare)))
    found = []
    for group in groups:
        members = sorted((_plain(column, weighted.values[i]) for i in group), key=_sortable)
        condition = (
            Equals(column.name, members[0])
            if len(members) == 1
            else OneOf(column.name, tuple(members))
        )
        # Single categories in their own order, merged ones last: it does not depend on the rows'.
        place = (len(members) > 1, _sortable(members[0]))
        found.append((place, Counted(condition, weighted.weights[list(group)].sum(axis=0))))
    return [counted for _, counted in sorted(found, key=lambda each: each[0])]


def _sortable(value: Value) -> tuple[str, Any]:
    return ("", value) if not isinstance(value, str) else ("text", value)


def _plain(column: Column, value: Any) -> Value:
    """Return a value as Python has it, which is how conditions hold it."""
    if column.codes is not None:
        value = column.values[value]
    if isinstance(value, np.datetime64):
        return _moment(column, value)
    plain: Value = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, float) and column.codes is None and column.whole and math.isfinite(plain):
        return int(plain)
    return plain


def _moment(column: Column, value: np.datetime64) -> date | datetime:
    moment: datetime = value.astype("datetime64[us]").item()
    if column.kind == "date":
        return moment.date()
    return moment.replace(tzinfo=UTC) if column.aware else moment


# Cuts.


def _cut(column: Column, weighted: Weighted, choice: Choice, labelled: Labelled) -> list[Counted]:
    if choice.given is not None and column.kind != "ordinal":
        cuts = _given_cuts(column, weighted, choice.given)
    else:
        cuts = _chosen_cuts(column, weighted, choice, labelled)
    order = tuple(column.values.tolist()) if column.kind == "ordinal" else ()
    sums = np.vstack([np.zeros_like(weighted.weights[:1]), np.cumsum(weighted.weights, axis=0)])
    found: list[Counted] = []
    for position, end in cuts:
        below = Interval(column.name, None, end, high_closed=False, order=order)
        found.append(Counted(below, sums[position]))
        found.append(Counted(Interval(column.name, end, order=order), sums[-1] - sums[position]))
    if choice.intervals:
        neighbours = combinations(cuts, 2) if choice.n_cuts is None else pairwise(cuts)
        for (first, low), (last, high) in neighbours:
            inside = between(column, low, high, order)
            found.append(Counted(inside, sums[last] - sums[first]))
    return found


def between(column: Column, low: Any, high: Any, order: tuple[Value, ...]) -> Condition:
    """Return ``low ≤ column < high``, with the last whole number or value instead of the next."""
    last = None
    if order:
        last = order[order.index(high) - 1]
    elif column.values.dtype.kind in "iu":
        last = high - 1
    elif column.kind == "date":
        last = date.fromordinal(high.toordinal() - 1)
    if last is None:
        return Interval(column.name, low, high, high_closed=False)
    if last == low:
        return Equals(column.name, low)
    return Interval(column.name, low, last, order=order)


def _chosen_cuts(
    column: Column, weighted: Weighted, choice: Choice, labelled: Labelled
) -> list[tuple[int, Any]]:
    """Positions among the distinct values, each with the end to write there."""
    if choice.n_cuts is None:
        every = range(1, len(weighted.values))
        return [(position, end_between(column, weighted.values, position)) for position in every]
    targets: dict[int, float] = {}
    if choice.strategy == "uniform" and column.kind != "ordinal":
        targets = uniform_cuts(weighted, choice.n_cuts)
        positions = list(targets)
    elif choice.strategy == "supervised":
        least = math.ceil(choice.min_frequency * int(labelled.weights.sum()))
        positions = entropy_cuts(weighted, choice.n_cuts, least)
    else:
        positions = quantile_cuts(weighted, choice.n_cuts)
    ends = [_end(column, weighted, position, targets.get(position)) for position in positions]
    return list(dict.fromkeys(ends))


def end_between(column: Column, values: NDArray[Any], position: int) -> Value:
    """Return what to write for a cut between two neighbours among the distinct values."""
    low, high = values[position - 1], values[position]
    if column.kind == "ordinal":
        end: Value = column.values[high]
        return end
    if column.kind != "number":
        return _moment(column, neat_moment(low, high))
    return neat_number(low, high, column.whole)


def _end(
    column: Column, weighted: Weighted, position: int, target: float | None
) -> tuple[int, Value]:
    """Choose what to write for a cut, and where it then is."""
    if column.kind != "number":
        return position, end_between(column, weighted.values, position)
    low, high = weighted.values[position - 1], weighted.values[position]
    if target is None and len(weighted.values) > N_PARTS:
        # Among so many values a cut may move a little, to where a shorter number is.
        low, high, target = leeway(weighted, position)
    end = neat_number(low, high, column.whole, target)
    values = weighted.values
    # In their own type: whole numbers without a sign would be compared as floats.
    own = values.dtype.type(end) if values.dtype.kind in "iu" else end
    return int(np.searchsorted(values, own, side="left")), end


def _day(cut: Any) -> Any:
    """Return the day that a text such as "2024-01-31" names; anything else as it is."""
    if not isinstance(cut, str):
        return cut
    try:
        return date.fromisoformat(cut)
    except ValueError:
        return cut


def _given_cuts(
    column: Column, weighted: Weighted, given: tuple[Any, ...]
) -> list[tuple[int, Any]]:
    cuts = []
    for each in given:
        cut = _day(each) if column.kind in ("date", "datetime") else each
        fits = (
            isinstance(cut, int | float) and not isinstance(cut, bool) and cut == cut
            if column.kind == "number"
            else isinstance(cut, date)
        )
        if not fits:
            raise InputError(
                f"columns[{column.name!r}]: {shown(cut)} is no place to cut a {column.kind} column"
            )
        if column.kind == "datetime" and not isinstance(cut, datetime):
            cut = datetime(cut.year, cut.month, cut.day, tzinfo=UTC if column.aware else None)
        if isinstance(cut, float) and cut.is_integer() and column.whole:
            cut = int(cut)
        absent = np.zeros(len(weighted.values), dtype=np.bool_)
        above = Interval(column.name, cut).holds(weighted.values, absent)
        cuts.append((len(weighted.values) - int(above.sum()), cut))
    return sorted({cut: (position, cut) for position, cut in cuts}.values())
