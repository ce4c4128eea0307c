"""Sensitive groups: the values of a column, or combinations of several, or a vector of the user's.

The columns that make the groups are left out of what rules may ask, unless the user allows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import counted, shown
from surelist.conditions.values import Value
from surelist.errors import InputError
from surelist.tables.column import Column
from surelist.tables.table import Table, read_table

__all__ = ["SensitiveGroups", "TableWithout", "sensitive_groups"]

_MOST_GROUPS = 32


@dataclass(frozen=True, eq=False)
class SensitiveGroups:
    """The groups, and which of them each row belongs to.

    Attributes
    ----------
    columns : tuple of str
        The columns that make them; empty where the user passed them beside the table.
    values : tuple of tuples
        Of each group, one value per column; None where it is missing.
    names : tuple of str
    codes : ndarray of int
        The group of each row; 0 for rows of weight zero.
    """

    columns: tuple[str, ...]
    values: tuple[tuple[Value | None, ...], ...]
    names: tuple[str, ...]
    codes: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.names)


class TableWithout(Table):
    """A table without some of its columns."""

    def __init__(self, table: Table, columns: Sequence[str]) -> None:
        kept = [index for index, name in enumerate(table.names) if name not in columns]
        if not kept:
            raise InputError(
                "no column is left beside the sensitive ones; pass allow_sensitive=True to let "
                "rules ask about them"
            )
        super().__init__(tuple(table.names[i] for i in kept), table.named, table.n_rows)
        self._table = table
        self._kept = kept

    @property
    def all_names(self) -> tuple[str, ...]:
        """The names of all columns, with those left out."""
        return self._table.names

    def read(self, index: int) -> Column:
        """Return one column."""
        return self._table.column(self._kept[index])


def sensitive_groups(
    table: Table, columns: tuple[str, ...], given: Any, weights: NDArray[np.int64]
) -> SensitiveGroups:
    """Find the groups of all rows.

    Parameters
    ----------
    table : Table
    columns : tuple of str
        The columns that make the groups.
    given : array-like or None
        One value per row, or several columns of them, instead.
    weights : ndarray of int
        Rows of weight zero make no groups.

    Raises
    ------
    InputError
    """
    if bool(columns) == (given is not None):
        raise InputError(
            "name the sensitive columns in Fairness(sensitive=…), or pass sensitive_features to "
            "fit: one of the two, not both"
        )
    source = table if given is None else _read_given(given, table.n_rows)
    wanted = columns or source.names
    for name in wanted:
        if name not in source.names:
            known = ", ".join(source.names[:20])
            raise InputError(f"there is no sensitive column {shown(name)}; there are {known}")
    found = [_values(source.column(source.names.index(name))) for name in wanted]
    used = np.flatnonzero(weights)
    stacked = np.stack([codes[used] for _, codes in found], axis=1)
    distinct, inverse = np.unique(stacked, axis=0, return_inverse=True)
    if not 2 <= len(distinct) <= _MOST_GROUPS:
        raise InputError(
            f"the sensitive columns make {counted(len(distinct), 'group')} of rows; there must be "
            f"2 to {_MOST_GROUPS}: choose another column, or put values together"
        )
    values = [tuple(found[i][0][code] for i, code in enumerate(row)) for row in distinct.tolist()]
    names = [", ".join(map(_text, group)) for group in values]
    if len(set(names)) < len(names):
        raise InputError("two sensitive groups have the same name; rename their values")
    order = sorted(range(len(names)), key=names.__getitem__)
    codes = np.zeros(table.n_rows, np.int32)
    codes[used] = np.argsort(order)[inverse.reshape(-1)]
    return SensitiveGroups(
        columns, tuple(values[i] for i in order), tuple(names[i] for i in order), codes
    )


def _read_given(given: Any, n_rows: int) -> Table:
    """Read what was passed to ``fit`` beside the table."""
    if hasattr(given, "to_frame"):  # a series
        given = given.to_frame()
    elif not hasattr(given, "columns"):
        array = np.asarray(given, dtype=None if isinstance(given, np.ndarray) else object)
        if array.ndim == 0:
            raise InputError(
                "sensitive_features must be a sequence with a value for each row, or a table"
            )
        given = array.reshape(len(array), -1) if array.ndim < 2 else array
    table = read_table(given)
    if table.n_rows != n_rows:
        raise InputError(f"X has {n_rows} rows but sensitive_features has {table.n_rows}")
    return table


def _values(column: Column) -> tuple[list[Value | None], NDArray[np.intp]]:
    """Return the distinct values of a column and the position of each row's value."""
    if column.kind in ("date", "datetime"):
        raise InputError(f"the sensitive column {column.name!r} holds dates; put them together")
    if column.codes is not None:
        values = [*column.values.tolist(), None]
        return values, np.where(column.codes < 0, len(values) - 1, column.codes)
    present = ~column.missing
    distinct, inverse = np.unique(column.values[present], return_inverse=True)
    codes = np.full(len(column.missing), len(distinct), np.intp)
    codes[present] = inverse.reshape(-1)
    return [*distinct.tolist(), None], codes


def _text(value: Value | None) -> str:
    if value is None:
        return "missing"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
