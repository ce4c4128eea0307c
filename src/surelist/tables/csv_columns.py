"""What a column of text means: numbers, truth values, dates, or text.

A column is of the narrowest kind that holds for every value in it. Digits with a leading zero, such
as postcodes, are text: as numbers they would lose the zero. Whole numbers that would lose digits
are text, too. docs/raw_tables.md states the rules; `surelist.checker` implements them again,
independently, and `surelist.sources.duckdb.csv_files` hands these patterns to DuckDB.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import UTC, date, datetime
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import shown
from surelist.tables.column import Column
from surelist.tables.csv_text import TextColumn

__all__ = ["MISSING", "PATTERNS", "NotOfKindError", "almost_numbers", "read_column"]

MISSING = frozenset({"", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "NaT"})

_REAL = r"[+-]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?"
_INFINITE = r"[+-]?[iI][nN][fF]([iI][nN][iI][tT][yY])?"
_DATE = r"[0-9]{4}-(0[1-9]|1[0-2])-[0-3][0-9]"
_TIME = r"[ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?"
_ZONE = r"(Z| ?[+-]([01][0-9]|2[0-3]):?[0-5][0-9])"

# Spelled out for DuckDB's regular expressions, too: \d and "any case" mean more than ASCII to some.
PATTERNS = {
    "truth": r"[tT][rR][uU][eE]|[fF][aA][lL][sS][eE]",
    "whole": r"[+-]?(0|[1-9][0-9]*)",
    "comma": _REAL.replace(r"\.", ",") + "|" + _INFINITE,
    "real": _REAL + "|" + _INFINITE,
    "infinite": _INFINITE,
    "date": _DATE,
    "datetime": f"{_DATE}({_TIME})?",
    "aware": f"{_DATE}{_TIME}{_ZONE}",
}
_MOST_DIGITS = 20  # of a whole number in 64 bits; Python does not read very long ones at all
_EXACT = 2**53  # up to here every whole number is a float, too


@cache
def _matcher(kind: str) -> Callable[[str], re.Match[str] | None]:
    return re.compile(PATTERNS[kind]).fullmatch


class NotOfKindError(Exception):
    """A text that is not of the requested kind; ``code`` says which text."""

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
        "number", "date", "datetime" or "text", as `surelist.tables.table.Column` has
        them. None: the narrowest kind that every value is of.
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
    >>> from surelist.tables.csv_columns import read_column
    >>> from surelist.tables.csv_text import TextColumn
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
    """Return the code of the first text that is no number, in a column that is nearly all numbers.

    Return -1 for any other column. Nearly all: at least nine rows in ten.
    """
    if read.kind != "text":
        return -1
    counts = np.bincount(column.codes, minlength=len(column.texts))
    texts = [text.strip() for text in column.texts]
    numbers = [text not in missing and _is_real(text) for text in texts]
    other = [text not in missing and not _is_real(text) for text in texts]
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
            wanted = odd.wanted or self._name
            raise NotOfKindError(wanted, odd.text, int(codes[odd.index])) from None
        full = np.zeros(len(texts), dtype=array.dtype)
        full[present] = array
        if self.kind != "number":
            full[~present] = np.datetime64("NaT", "us")
        missing = ~present[column.codes]
        aware = self.kind == "datetime" and _aware(values)
        return Column(column.name, self.kind, full[column.codes], missing, aware=aware)


class _Odd(Exception):  # noqa: N818 - never leaves this file
    def __init__(self, index: int, text: str, wanted: str | None = None) -> None:
        self.index, self.text, self.wanted = index, text, wanted


def _require(values: list[str], fits: Callable[[str], object]) -> None:
    for index, text in enumerate(values):
        if not fits(text):
            raise _Odd(index, text)


def _numbers(values: list[str], comma: bool) -> NDArray[Any]:
    if all(map(_matcher("truth"), values)):
        return np.array([text.lower() == "true" for text in values], dtype=np.bool_)
    if all(map(_matcher("whole"), values)) and (whole := _whole(values)) is not None:
        return whole
    if comma and all(map(_matcher("comma"), values)):
        values = [text.replace(",", ".") for text in values]
    _require(values, _matcher("real"))
    if all(map(_matcher("infinite"), values)):
        raise _Odd(0, values[0])
    numbers = np.fromiter(map(float, values), np.float64, len(values))
    for index in np.flatnonzero(np.abs(numbers) >= _EXACT).tolist():
        if not _is_real(values[index]):
            raise _Odd(index, values[index], "a number that can be held without loss")
    return numbers


def _whole(values: list[str]) -> NDArray[Any] | None:
    """Return whole numbers in 64 bits, with a sign or without; None where they do not fit."""
    if max(map(len, values)) > _MOST_DIGITS + 1:
        return None
    with suppress(OverflowError):
        return np.fromiter(map(int, values), np.int64, len(values))
    numbers = list(map(int, values))
    fits = min(numbers) >= 0 and max(numbers) < 2**64
    return np.array(numbers, dtype=np.uint64) if fits else None


def _is_real(text: str) -> bool:
    """Whether a text is a number that a float stands for; whole ones must be exact."""
    if _matcher("whole")(text):
        return len(text) <= _MOST_DIGITS and abs(int(text)) <= _EXACT
    if _matcher("infinite")(text):
        return True
    return _matcher("real")(text) is not None and math.isfinite(float(text))


def _dates(values: list[str], _: bool) -> NDArray[Any]:
    _require(values, _matcher("date"))
    return _moments(values, date.fromisoformat)


def _datetimes(values: list[str], _: bool) -> NDArray[Any]:
    """Moments all carry a time zone or none does; a column of both is text."""
    _require(values, _matcher("aware" if _aware(values) else "datetime"))
    return _moments(values, _universal)


def _universal(text: str) -> datetime:
    moment = datetime.fromisoformat(text.replace(" +", "+").replace(" -", "-"))
    return moment if moment.tzinfo is None else moment.astimezone(UTC).replace(tzinfo=None)


def _aware(values: list[str]) -> bool:
    return _matcher("aware")(values[0]) is not None


def _moments(values: list[str], read: Callable[[str], date]) -> NDArray[Any]:
    found = np.empty(len(values), dtype="datetime64[us]")
    for index, text in enumerate(values):
        try:
            found[index] = np.datetime64(read(text), "us")
        except (ValueError, OverflowError):  # the 30th of February, or beyond the year 9999
            raise _Odd(index, text) from None
    return found


def _text(column: TextColumn, texts: list[str], present: NDArray[np.bool_]) -> Column:
    """Merge texts that differ only in the spaces around them."""
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
