"""One column of a table, and how values of any library become one.

A column is of one of a few kinds: numbers (bools among them), dates, datetimes, texts, or ordinals,
which are categories in a given order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cached_property
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import missing as missing_name
from surelist._common.messages import shown
from surelist.conditions.compare import Flags
from surelist.conditions.conditions import Condition
from surelist.conditions.values import Value
from surelist.errors import InputError
from surelist.tables.column_names import ColumnTypeError

__all__ = [
    "EXACT",
    "Column",
    "from_array",
    "from_moments",
    "from_numbers",
    "from_objects",
    "ordinal",
    "require_exact",
    "unusable",
]

EXACT = 2**53  # up to here every whole number is a float, too


@dataclass(frozen=True, eq=False)
class Column:
    """One column: one value per row, or codes of few distinct values.

    Attributes
    ----------
    name : str
    kind : str
        "number", "date", "datetime", "text" or "ordinal".
    values : ndarray
        Numbers and ``datetime64[us]`` row by row; texts and ordinals once each, as objects.
    missing : ndarray of bool
        Where a row has no value.
    codes : ndarray of int or None
        For texts and ordinals the position of each row's value; -1 where it is missing.
    aware : bool
        Whether the moments carry a time zone; they are then kept as UTC.
    """

    name: str
    kind: str
    values: NDArray[Any]
    missing: Flags
    codes: NDArray[np.intp] | None = None
    aware: bool = False

    def fulfils(self, condition: Condition) -> Flags:
        """Return which rows fulfil a condition on this column."""
        if condition.about_missing:
            return condition.holds(self.values, self.missing)
        if self.missing.all():
            return np.zeros(len(self.missing), dtype=np.bool_)
        self._require(condition)
        if self.codes is None:
            return condition.holds(self.values, self.missing)
        # Each distinct value is looked at once; the code -1 finds the False at the end.
        present = np.zeros(len(self.values), dtype=np.bool_)
        held: Flags = np.append(condition.holds(self.values, present), False)[self.codes]
        return held

    def _require(self, condition: Condition) -> None:
        """Refuse a condition on another kind of values than the column holds."""
        value = condition.example
        if isinstance(value, str):
            wanted, fits = "text", self.codes is not None
        elif isinstance(value, date):
            wanted, fits = "dates", self.kind in ("date", "datetime")
        else:
            # Categories may be numbers, too.
            textual = self.codes is not None and any(isinstance(v, str) for v in self.values[:1])
            wanted, fits = "numbers", not textual and self.kind not in ("date", "datetime")
        if not fits:
            raise InputError(
                f"column {self.name!r} holds {self.kind} values, but {str(condition)!r} asks for "
                f"{wanted}; pass columns of the same types as in training"
            )

    def take(self, rows: NDArray[np.intp]) -> Column:
        """Return some rows of the column."""
        codes = None if self.codes is None else self.codes[rows]
        values = self.values[rows] if self.codes is None else self.values
        return replace(self, values=values, missing=self.missing[rows], codes=codes)

    @cached_property
    def whole(self) -> bool:
        """Whether all numbers are whole, so that cuts should be, too."""
        if self.values.dtype.kind in "biu":
            return True
        present = self.values[~self.missing]
        finite = present[np.isfinite(present)]
        # Beyond 2**53 every float is whole, so this would say nothing about the column.
        return bool(len(finite)) and bool(np.all((finite % 1 == 0) & (np.abs(finite) < 2**53)))

    @cached_property
    def binary(self) -> bool:
        """Whether there are no numbers but 0 and 1, and at least one of them."""
        if self.kind != "number":
            return False
        if self.values.dtype.kind == "b":
            return True
        zero_or_one = (self.values == 0) | (self.values == 1) | self.missing
        return bool(zero_or_one.all()) and not bool(self.missing.all())


def from_numbers(name: str, values: NDArray[Any], absent: Flags | None = None) -> Column:
    """Return a column of numbers; NaN is missing, and so is what ``absent`` says."""
    if values.dtype.kind == "f":
        values = values.astype(np.float64, copy=False)
        nan = np.isnan(values)
        absent = nan if absent is None else nan | absent
    elif absent is None:
        absent = np.zeros(len(values), dtype=np.bool_)
    return Column(name, "number", values, absent)


def from_moments(name: str, kind: str, values: NDArray[Any], aware: bool = False) -> Column:
    """Return a column of dates or datetimes, as ``datetime64[us]``; NaT is missing."""
    return Column(name, kind, values, np.isnat(values), aware=aware)


def from_array(name: str, values: NDArray[Any]) -> Column:
    """Return a column of the values of an array, one per row."""
    kind = values.dtype.kind
    if kind in "biuf":
        if values.dtype.itemsize > 8:
            values = values.astype(np.float64)
        return from_numbers(name, np.ascontiguousarray(values))
    if kind == "M":
        unit = np.datetime_data(values.dtype)[0]
        return from_moments(
            name, "date" if unit in "YMWD" else "datetime", values.astype("datetime64[us]")
        )
    if kind in "UO":
        return from_objects(name, values.tolist())
    raise unusable(name, f"its type is {values.dtype}")


def _factorize(name: str, values: list[Any]) -> tuple[list[Any], NDArray[np.intp]]:
    """Distinct values as they first occur, and each row's position among them."""
    try:
        # 1 and True are one key; that does no harm, as both are numbers.
        distinct = dict(zip(dict.fromkeys(values), range(len(values)), strict=False))
    except TypeError:
        row = next(row for row, value in enumerate(values) if not _hashable(value))
        raise unusable(name, _odd(row, values[row])) from None
    codes = np.fromiter(map(distinct.__getitem__, values), dtype=np.intp, count=len(values))
    return list(distinct), codes


def _hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def from_objects(name: str, values: list[Any], category: bool = False) -> Column:
    """Return a column of Python objects: texts, numbers or dates, but not some of each."""
    distinct, codes = _factorize(name, values)
    absent = _absent(distinct)
    present = [value for value, gone in zip(distinct, absent, strict=True) if not gone]
    kinds = {"text"} if set(map(type, present)) == {str} else set(map(_kind_of, present))
    if "" in kinds:
        row = next(
            row for row, value in enumerate(values) if value in present and not _kind_of(value)
        )
        raise unusable(name, _odd(row, values[row]))
    if len(kinds) > 1:
        raise unusable(name, f"it mixes {' and '.join(f'{kind}s' for kind in sorted(kinds))}")
    kind = kinds.pop() if kinds else "text"
    if category and not all(value in (0, 1) for value in present):
        kind = "text"  # numbers, too, where the user has called them categories
    if kind == "text":
        return _text(name, present, absent, codes)
    # Each distinct value is converted once, then copied to its rows.
    if kind == "number":
        array = _number_array(name, present)
        column = np.zeros(len(distinct), dtype=array.dtype)
        column[~absent] = array
        return from_numbers(name, column[codes], absent[codes])
    aware = kind == "datetime" and any(getattr(value, "tzinfo", None) for value in present)
    moments = np.full(len(distinct), np.datetime64("NaT", "us"), dtype="datetime64[us]")
    moments[~absent] = [_naive(value) for value in present]
    return from_moments(name, kind, moments[codes], aware)


def _absent(distinct: list[Any]) -> Flags:
    if set(map(type, distinct)) <= {str}:  # quick for columns of a million names
        return np.zeros(len(distinct), dtype=np.bool_)
    return np.array([missing_name(value) is not None for value in distinct], dtype=np.bool_)


def _kind_of(value: object) -> str:
    if isinstance(value, str):
        return "text"
    if isinstance(value, Real | np.bool_ | Decimal):
        return "number"
    if isinstance(value, datetime | np.datetime64):
        return "datetime"
    return "date" if isinstance(value, date) else ""


def _number_array(name: str, numbers: list[Any]) -> NDArray[Any]:
    if all(isinstance(number, bool | np.bool_) for number in numbers):
        return np.array(numbers, dtype=np.bool_)
    if all(isinstance(number, Integral | np.bool_) for number in numbers):
        whole = [int(number) for number in numbers]
        if not whole or (min(whole) >= -(2**63) and max(whole) < 2**63):
            return np.array(whole, dtype=np.int64)
        if min(whole) >= 0 and max(whole) < 2**64:
            return np.array(whole, dtype=np.uint64)
    require_exact(name, numbers)
    return np.array([float(number) for number in numbers], dtype=np.float64)


def require_exact(name: str, numbers: list[Any]) -> None:
    """Refuse whole numbers that would lose digits as floats.

    Fractions are rounded to the nearest float; floats lose nothing.
    """
    for number in numbers:
        if isinstance(number, float | np.floating) or -EXACT <= number <= EXACT:
            continue
        if _is_whole(number):
            raise InputError(
                f"column {name!r} holds {shown(number)}, which neither 64 bits nor a float hold "
                "exactly beside the other values; pass the column as text, or as floats"
            )


def _is_whole(number: Any) -> bool:
    if isinstance(number, Decimal):  # int(number) would write out a huge exponent
        return number.is_finite() and number == number.to_integral_value()
    return bool(number == int(number))


def _naive(value: Any) -> np.datetime64:
    if isinstance(value, datetime) and value.tzinfo is not None:
        value = value.astimezone(UTC).replace(tzinfo=None)
    return np.datetime64(value, "us")


def _text(name: str, present: list[Any], absent: Flags, codes: NDArray[np.intp]) -> Column:
    positions = np.cumsum(~absent) - 1
    positions[absent] = -1
    own = positions[codes].astype(np.intp) if len(codes) else codes
    return Column(name, "text", _objects(present), own < 0, own)


def ordinal(name: str, given: list[Any], order: tuple[Value, ...]) -> Column:
    """Return a column of categories whose ``order`` is known, from the lowest to the highest."""
    position = {value: index for index, value in enumerate(order)}
    distinct, codes = _factorize(name, given)
    ranks = np.array([position.get(value, -1) for value in distinct], dtype=np.intp)
    own = ranks[codes] if len(codes) else codes
    return Column(name, "ordinal", _objects(order), own < 0, own)


def _objects(values: Sequence[Any]) -> NDArray[Any]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _odd(row: int, value: object) -> str:
    return f"row {row} holds {shown(value)}, a {type(value).__name__}"


def unusable(name: str, why: str) -> ColumnTypeError:
    """Make the error for a column of values that no condition can be about."""
    # "argument must be … string … number" is what scikit-learn's estimator checks look for.
    return ColumnTypeError(
        f"column {name!r}: every column of the argument must be uniformly strings, numbers, bools "
        f"or dates, but {why}; convert or drop it"
    )
