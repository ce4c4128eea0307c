"""Raw tables, column by column: pandas, polars, pyarrow or whatever narwhals knows, and arrays.

A column becomes one of a few kinds, whatever library it came from: numbers (bools among them),
dates, datetimes, texts, or ordinals, which are categories in a given order. Columns are read when
they are asked for, so a model that uses three of five hundred columns reads three.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cached_property
from numbers import Integral, Real
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import missing as missing_name
from surelist._common.messages import shown
from surelist.conditions.compare import Flags
from surelist.conditions.conditions import Condition, Equals, Interval, Missing, OneOf
from surelist.conditions.values import Value
from surelist.errors import InputError
from surelist.tables.column_names import (
    ColumnTypeError,
    default_names,
    frame_names,
    refuse_two_of,
    require_columns,
)

__all__ = ["Column", "ColumnTypeError", "Columns", "Table", "example_of", "read_table"]

_EXACT = 2**53  # up to here every whole number is a float, too


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
        if isinstance(condition, Missing):
            return self.missing.copy()
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
        value = example_of(condition)
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
        # Beyond 2**53 every float is whole, and none of them was meant as a count.
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


def example_of(condition: Condition) -> Value:
    """Return a value of the kind that a condition compares with."""
    if isinstance(condition, Equals):
        return condition.value
    if isinstance(condition, OneOf):
        return condition.values[0] if condition.values else ""
    if isinstance(condition, Interval):
        end = condition.low if condition.high is None else condition.high
        return "" if end is None else end
    return True


@dataclass(eq=False)
class Table:
    """A raw table, whose columns are read when they are asked for."""

    source: Any
    names: tuple[str, ...]
    named: bool
    """Whether the names are the user's, not made up here as x0, x1, …"""
    n_rows: int
    _read: dict[int, Column] = field(default_factory=dict)

    def column(self, index: int) -> Column:
        """Return one column."""
        if index not in self._read:
            name = self.names[index]
            if isinstance(self.source, nw.DataFrame):
                column = _from_series(name, self.source[:, index])
            else:
                column = _from_array(name, self.source[:, index])
            if column.codes is None:
                return column  # quick to read again, and a wide table needs the memory
            self._read[index] = column
        return self._read[index]


class Columns(Mapping[str, Column]):
    """The columns of a table by name; none is read before it is asked for."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self._position = {name: index for index, name in enumerate(table.names)}

    def __getitem__(self, name: str) -> Column:
        column: Column = self._table.column(self._position[name])
        return column

    def __contains__(self, name: object) -> bool:
        return name in self._position

    def __iter__(self) -> Iterator[str]:
        return iter(self._position)

    def __len__(self) -> int:
        return len(self._position)


def read_table(X: Any) -> Table:
    """Open a data frame, an array or a nested list as a table.

    Raises
    ------
    InputError
        Where X is not two-dimensional, or has no columns, or two of one name.

    Examples
    --------
    >>> from surelist.tables.table import read_table
    >>> table = read_table([[25, "Male"], [31, None]])
    >>> [table.column(index).kind for index in range(2)], table.column(1).missing.tolist()
    (['number', 'text'], [False, True])
    """
    if isinstance(X, Table):
        return X
    if hasattr(type(X), "tocsr"):  # of its type: a column may have that name
        raise ColumnTypeError("sparse matrices are not accepted; pass X.toarray()")
    source = _open(X)
    if isinstance(source, nw.LazyFrame):
        raise InputError("a lazy frame has no data yet; pass X.collect()")
    if isinstance(source, nw.DataFrame):
        columns = list(source.columns)
        names, named = frame_names(columns)
        require_columns(source.shape)
        return Table(source, names, named, source.shape[0])
    array = _as_array(X)
    require_columns(array.shape)
    return Table(array, default_names(array.shape[1]), False, len(array))


def _open(X: Any) -> Any:
    try:
        return nw.from_native(X, pass_through=True)
    except nw.exceptions.DuplicateError:
        refuse_two_of(list(getattr(X, "column_names", X.columns)))  # pyarrow's columns are the data
        raise


def _as_array(X: Any) -> NDArray[Any]:
    if np.ma.is_masked(X):
        raise InputError("X has masked values; pass X.filled(numpy.nan), which says missing")
    try:
        array = np.asarray(X)
        if array.dtype.kind in "US" and not isinstance(X, np.ndarray):
            # A nested list of numbers and texts: numpy would turn the numbers into text.
            array = np.asarray(X, dtype=object)
    except ValueError as error:
        raise InputError(f"X is not a matrix: {error}") from None
    if array.ndim != 2:
        raise InputError(
            f"Expected 2D array of rows and columns, got {array.ndim}D array instead. "
            "Reshape your data: X.reshape(-1, 1) for one feature, X.reshape(1, -1) for one row"
        )
    if array.dtype.kind == "c":
        raise InputError("Complex data not supported: pass real and imaginary parts as two columns")
    return array


# One column into its kind.


def _from_series(name: str, series: Any) -> Column:
    kind = series.dtype
    if isinstance(kind, nw.Enum):
        return _ordinal(name, series, tuple(kind.categories))
    if kind.is_numeric() or kind == nw.Boolean:
        return _numbers(name, series)
    if isinstance(kind, nw.Datetime):
        if kind.time_zone is not None:
            series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        moments = series.to_numpy().astype("datetime64[us]")
        return _moments(name, "datetime", moments, aware=kind.time_zone is not None)
    if kind == nw.Date:
        return _moments(name, "date", series.to_numpy().astype("datetime64[us]"))
    if kind == nw.Categorical:
        return _from_objects(name, series.to_list(), category=True)
    if kind in (nw.String, nw.Object, nw.Unknown):
        return _from_objects(name, series.to_list())
    raise _unusable(name, f"its type is {kind}")


def _numbers(name: str, series: Any) -> Column:
    """Numbers keep their type where none is missing; pandas would make floats of nullable ones."""
    absent = series.is_null().to_numpy().astype(np.bool_)
    if series.dtype in (nw.Int128, nw.UInt128):
        return _from_objects(name, series.to_list())
    if isinstance(series.dtype, nw.Decimal):
        decimals = series
        # Arrow's own cast is often off in the last digit; by way of text it is exact.
        series = series.cast(nw.String).cast(nw.Float64)
        if (series.abs() >= _EXACT).any():
            _require_exact(name, [value for value in decimals.to_list() if value is not None])
    if absent.any() and (series.dtype.is_integer() or series.dtype == nw.Boolean):
        series = series.fill_null(False if series.dtype == nw.Boolean else 0)
    values = series.to_numpy()
    if values.dtype.kind == "O":
        return _from_objects(name, values.tolist())
    return _number(name, values, absent)


def _number(name: str, values: NDArray[Any], absent: Flags | None = None) -> Column:
    if values.dtype.kind == "f":
        values = values.astype(np.float64, copy=False)
        nan = np.isnan(values)
        absent = nan if absent is None else nan | absent
    elif absent is None:
        absent = np.zeros(len(values), dtype=np.bool_)
    return Column(name, "number", values, absent)


def _moments(name: str, kind: str, values: NDArray[Any], aware: bool = False) -> Column:
    return Column(name, kind, values, np.isnat(values), aware=aware)


def _from_array(name: str, values: NDArray[Any]) -> Column:
    kind = values.dtype.kind
    if kind in "biuf":
        if values.dtype.itemsize > 8:
            values = values.astype(np.float64)
        return _number(name, np.ascontiguousarray(values))
    if kind == "M":
        unit = np.datetime_data(values.dtype)[0]
        return _moments(
            name, "date" if unit in "YMWD" else "datetime", values.astype("datetime64[us]")
        )
    if kind in "UO":
        return _from_objects(name, values.tolist())
    raise _unusable(name, f"its type is {values.dtype}")


def _factorize(name: str, values: list[Any]) -> tuple[list[Any], NDArray[np.intp]]:
    """Distinct values as they first occur, and each row's position among them."""
    try:
        # 1 and True are one key, which is as well: a column of both is a column of numbers.
        distinct = dict(zip(dict.fromkeys(values), range(len(values)), strict=False))
    except TypeError:
        row = next(row for row, value in enumerate(values) if not _hashable(value))
        raise _unusable(name, _odd(row, values[row])) from None
    codes = np.fromiter(map(distinct.__getitem__, values), dtype=np.intp, count=len(values))
    return list(distinct), codes


def _hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _from_objects(name: str, values: list[Any], category: bool = False) -> Column:
    distinct, codes = _factorize(name, values)
    absent = _absent(distinct)
    present = [value for value, gone in zip(distinct, absent, strict=True) if not gone]
    kinds = {"text"} if set(map(type, present)) == {str} else set(map(_kind_of, present))
    if "" in kinds:
        row = next(
            row for row, value in enumerate(values) if value in present and not _kind_of(value)
        )
        raise _unusable(name, _odd(row, values[row]))
    if len(kinds) > 1:
        raise _unusable(name, f"it mixes {' and '.join(f'{kind}s' for kind in sorted(kinds))}")
    kind = kinds.pop() if kinds else "text"
    if category and not all(value in (0, 1) for value in present):
        kind = "text"  # numbers, too, where the user has called them categories
    if kind == "text":
        return _text(name, present, absent, codes)
    # Distinct values are turned into an array once each, then handed out to their rows.
    if kind == "number":
        array = _number_array(name, present)
        column = np.zeros(len(distinct), dtype=array.dtype)
        column[~absent] = array
        return _number(name, column[codes], absent[codes])
    aware = kind == "datetime" and any(getattr(value, "tzinfo", None) for value in present)
    moments = np.full(len(distinct), np.datetime64("NaT"), dtype="datetime64[us]")
    moments[~absent] = [_naive(value) for value in present]
    return _moments(name, kind, moments[codes], aware)


def _absent(distinct: list[Any]) -> Flags:
    if set(map(type, distinct)) <= {str}:  # there may be a million names, none of them missing
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
    _require_exact(name, numbers)
    return np.array([float(number) for number in numbers], dtype=np.float64)


def _require_exact(name: str, numbers: list[Any]) -> None:
    """Refuse whole numbers that would lose digits as floats; a fraction means the float next to it.

    A float is what it is: none of it is lost.
    """
    for number in numbers:
        if isinstance(number, float | np.floating) or -_EXACT <= number <= _EXACT:
            continue
        if _is_whole(number):
            raise InputError(
                f"column {name!r} holds {shown(number)}, which neither 64 bits nor a float hold "
                "exactly beside the other values; pass the column as text, or as floats"
            )


def _is_whole(number: Any) -> bool:
    if isinstance(number, Decimal):  # which may have an exponent that no whole number should
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


def _ordinal(name: str, series: Any, order: tuple[Value, ...]) -> Column:
    position = {value: index for index, value in enumerate(order)}
    distinct, codes = _factorize(name, series.to_list())
    ranks = np.array([position.get(value, -1) for value in distinct], dtype=np.intp)
    own = ranks[codes] if len(codes) else codes
    return Column(name, "ordinal", _objects(order), own < 0, own)


def _objects(values: Sequence[Any]) -> NDArray[Any]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _odd(row: int, value: object) -> str:
    return f"row {row} holds {shown(value)}, a {type(value).__name__}"


def _unusable(name: str, why: str) -> ColumnTypeError:
    # "argument must be … string … number" is what scikit-learn's estimator checks look for.
    return ColumnTypeError(
        f"column {name!r}: every column of the argument must be uniformly strings, numbers, bools "
        f"or dates, but {why}; convert or drop it"
    )
