"""What a column of text means: numbers, truth values, dates, or text.

A column is of the narrowest kind that holds for every value in it. Digits with a leading zero, such
as postcodes, are text: as numbers they would lose it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._shown import shown
from surelist.csv_text import TextColumn
from surelist.tables import Column

__all__ = ["MISSING", "NotOfKindError", "almost_numbers", "read_column"]

MISSING = frozenset({"", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "NaT"})

_WHOLE = re.compile(r"[+-]?(0|[1-9]\d{0,17})")
_REAL = re.compile(r"[+-]?((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?")
_REAL_COMMA = re.compile(r"[+-]?(0|[1-9]\d*)(,\d+)?")
_INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_ZONE = re.compile(r":\d{2}.*(Z|[+-]\d{2}:?\d{2})$")
_DATETIME = re.compile(
    r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z| ?\+\d{2}:?\d{2}|-\d{2}:?\d{2})?"
)
_TRUTH = {"true": True, "false": False}


class NotOfKindError(Exception):
    """A text that is not of the kind that was asked for; ``code`` says which."""

    def __init__(self, kind: str, text: str, code: int) -> None:
        super().__init__(f"expected {kind}, found {shown(text)}")
        self.code = code


def read_column(
    column: TextColumn,
    *,
    kind: str | None = None,
    missing: Collection[str] = MISSING,
    decimal_comma: bool = False,
) -> Column:
    """Read a column of text.

    Parameters
    ----------
    column : TextColumn
    kind : str, optional
        "number", "date", "datetime" or "text", as `surelist.tables.Column` has them. None: what all
        values are.
    missing : collection of str
        Texts that stand for no value.
    decimal_comma : bool, default=False
        Whether 1,5 is a number, too.

    Raises
    ------
    NotOfKindError
        For a value of another kind than the one asked for.

    Examples
    --------
    >>> import numpy as np
    >>> from surelist.csv_columns import read_column
    >>> from surelist.csv_text import TextColumn
    >>> ages = read_column(TextColumn("age", ["25", " 31", "NA"], np.array([0, 1, 2, 0])))
    >>> ages.kind, ages.values.tolist(), ages.missing.tolist()
    ('number', [25, 31, 0, 25], [False, False, True, False])
    """
    texts = [text.strip() for text in column.texts]
    present = np.array([text not in missing for text in texts], dtype=np.bool_)
    for reader in _READERS:
        if kind not in (None, reader.kind):
            continue
        try:
            return reader.read(column, texts, present, decimal_comma)
        except NotOfKindError:
            if kind is not None:
                raise
    return _text(column, texts, present)


def almost_numbers(column: TextColumn, read: Column, missing: Collection[str] = MISSING) -> int:
    """Return the code of a text that alone, or nearly so, keeps a column from being numbers.

    -1 where the column is no such column. Rows decide: nine in ten have to be numbers.
    """
    if read.kind != "text":
        return -1
    counts = np.bincount(column.codes, minlength=len(column.texts))
    texts = [text.strip() for text in column.texts]
    other = [text not in missing and _REAL.fullmatch(text) is None for text in texts]
    numbers = [text not in missing and _REAL.fullmatch(text) is not None for text in texts]
    if not any(other) or counts[other].sum() * 9 > counts[numbers].sum():
        return -1
    return other.index(True)


class _Reader:
    """One kind of value: which texts are of it, and what they stand for."""

    def __init__(self, kind: str, name: str, read_all: Callable[..., NDArray[Any]]) -> None:
        self.kind = kind
        self._name = name
        self._read_all = read_all

    def read(
        self, column: TextColumn, texts: list[str], present: NDArray[np.bool_], comma: bool
    ) -> Column:
        if not present.any():
            raise NotOfKindError(self._name, "", 0)
        values = [text for text, there in zip(texts, present, strict=True) if there]
        try:
            array = self._read_all(values, comma)
        except _Odd as odd:
            codes = np.flatnonzero(present)
            raise NotOfKindError(self._name, odd.text, int(codes[odd.index])) from None
        full = np.zeros(len(texts), dtype=array.dtype)
        full[present] = array
        if self.kind != "number":
            full[~present] = np.datetime64("NaT")
        missing = ~present[column.codes]
        aware = self.kind == "datetime" and _aware(values)
        return Column(column.name, self.kind, full[column.codes], missing, aware=aware)


class _Odd(Exception):  # noqa: N818 - never leaves this file
    def __init__(self, index: int, text: str) -> None:
        self.index, self.text = index, text


def _require(values: list[str], fits: Callable[[str], object]) -> None:
    for index, text in enumerate(values):
        if not fits(text):
            raise _Odd(index, text)


def _numbers(values: list[str], comma: bool) -> NDArray[Any]:
    if all(text.lower() in _TRUTH for text in values):
        return np.array([_TRUTH[text.lower()] for text in values], dtype=np.bool_)
    if all(map(_WHOLE.fullmatch, values)):
        return np.array(list(map(int, values)), dtype=np.int64)
    if comma and all(map(_REAL_COMMA.fullmatch, values)):
        values = [text.replace(",", ".") for text in values]
    _require(values, lambda text: _REAL.fullmatch(text) or _INFINITE.fullmatch(text))
    if all(map(_INFINITE.fullmatch, values)):
        raise _Odd(0, values[0])
    return np.array(list(map(float, values)), dtype=np.float64)


def _dates(values: list[str], _: bool) -> NDArray[Any]:
    _require(values, _DATE.fullmatch)
    return _moments(values, date.fromisoformat)


def _datetimes(values: list[str], _: bool) -> NDArray[Any]:
    _require(values, lambda text: _DATETIME.fullmatch(text) or _DATE.fullmatch(text))
    aware = _aware(values)
    _require(values, lambda text: _aware([text]) == aware)
    return _moments(values, _universal)


def _universal(text: str) -> datetime:
    moment = datetime.fromisoformat(text.replace(" +", "+"))
    return moment if moment.tzinfo is None else moment.astimezone(UTC).replace(tzinfo=None)


def _aware(values: list[str]) -> bool:
    """Whether moments carry a time zone; a column of both kinds is text."""
    return _ZONE.search(values[0]) is not None


def _moments(values: list[str], read: Callable[[str], date]) -> NDArray[Any]:
    found = np.empty(len(values), dtype="datetime64[us]")
    for index, text in enumerate(values):
        try:
            found[index] = np.datetime64(read(text), "us")
        except ValueError:  # the 30th of February
            raise _Odd(index, text) from None
    return found


def _text(column: TextColumn, texts: list[str], present: NDArray[np.bool_]) -> Column:
    """Texts that differ by blanks around them alone are the same."""
    distinct = {text: 0 for text, there in zip(texts, present, strict=True) if there}
    for position, text in enumerate(distinct):
        distinct[text] = position
    positions = [distinct.get(text, -1) for text in texts]
    codes = np.array(positions, dtype=np.intp)[column.codes]
    values = np.empty(len(distinct), dtype=object)
    values[:] = list(distinct)
    return Column(column.name, "text", values, codes < 0, codes)


_READERS = (
    _Reader("number", "a number", _numbers),
    _Reader("date", "a date such as 2024-12-31", _dates),
    _Reader("datetime", "a moment such as 2024-12-31 23:59", _datetimes),
)
