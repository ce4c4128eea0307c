"""Columns as codes: what all checks look at.

Every check asks which rows share a value, and some ask for the order of values. So each column is
turned into codes once; those of numbers and dates are in the order of the values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist.tables.column import Column, from_moments

__all__ = ["FEW", "CodedColumn", "CodedLabels", "coded"]

# Up to so many values, numbers are looked at as categories, too.
FEW = 12

_DATE = r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?"


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """A column as codes.

    Attributes
    ----------
    column : Column
    codes : ndarray of int
        From 0 on; -1 where there is no value.
    n_distinct : int
        How many values occur.
    ordered : bool
        Whether the codes are in the order of numbers or dates.
    """

    column: Column
    codes: NDArray[np.intp]
    n_distinct: int
    ordered: bool

    @property
    def name(self) -> str:
        """What the column is called."""
        return self.column.name

    @cached_property
    def n_missing(self) -> int:
        """How many rows have no value."""
        return int((self.codes < 0).sum())

    @property
    def few(self) -> bool:
        """Whether each value can be looked at by itself."""
        return not self.ordered or self.n_distinct <= FEW

    def value_text(self, code: int) -> str:
        """Return a value as text."""
        if self.column.codes is None:
            row = int(np.argmax(self.codes == code))
            value = self.column.values[row]
            if self.column.kind in ("date", "datetime"):
                return str(value.astype("datetime64[D]"))
            return f"{value:g}" if isinstance(value, np.floating) else str(value)
        row = int(np.argmax(self.codes == code))
        return str(self.column.values[self.column.codes[row]])


@dataclass(frozen=True, eq=False)
class CodedLabels:
    """The labels as codes.

    Attributes
    ----------
    codes : ndarray of int
    classes : tuple of str
    name : str or None
        What the column of labels is called, where that is known.
    """

    codes: NDArray[np.intp]
    classes: tuple[str, ...]
    name: str | None = None

    @property
    def counts(self) -> NDArray[np.intp]:
        """Rows of each class."""
        return np.bincount(self.codes, minlength=len(self.classes))

    @property
    def n_minority(self) -> int:
        """How many rows are not of the most frequent class."""
        return len(self.codes) - int(self.counts.max())


def coded(column: Column) -> CodedColumn:
    """Turn a column into codes; texts that are all dates, as in data frames, become dates."""
    column = _as_dates(column)
    values = column.values if column.codes is None else column.codes
    if column.missing.any():
        present = ~column.missing
        codes = np.full(len(values), -1, dtype=np.intp)
        n_distinct, codes[present] = _dense(values[present])
    else:
        n_distinct, codes = _dense(values)
    return CodedColumn(column, codes, n_distinct, column.codes is None)


def _dense(values: NDArray[Any]) -> tuple[int, NDArray[np.intp]]:
    """Return how many values are distinct, and the rank of each row's value among them."""
    if values.dtype in (np.bool_, np.uint8) and len(values) > 0 and values.max() <= 1:
        # Flags are not sorted: for a hundred columns, sorting takes longer than many searches.
        least, most = int(values.min()), int(values.max())
        return 1 + most - least, values.astype(np.intp) - least
    distinct, dense = np.unique(values, return_inverse=True)
    return len(distinct), dense


def _as_dates(column: Column) -> Column:
    if column.kind != "text" or column.codes is None or len(column.values) == 0:
        return column
    texts = [str(value) for value in column.values.tolist()]
    if not all(re.fullmatch(_DATE, text) for text in texts):
        return column
    try:
        days = np.array([text[:10] for text in texts], dtype="datetime64[us]")
    except ValueError:  # 2015-02-30
        return column
    moments = np.append(days, np.datetime64("NaT", "us"))[column.codes]
    return from_moments(column.name, "date", moments)
