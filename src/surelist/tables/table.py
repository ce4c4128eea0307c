"""Tables of raw columns, wherever they come from.

`Table` is the interface. There are three implementations: `ArrayTable` here, for arrays and nested
lists; `surelist.tables.frames.FrameTable`, for data frames; `surelist.tables.files.FileTable`, for
files. Columns are read when they are asked for: a model that uses three of five hundred columns
reads three.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import is_masked
from surelist.errors import InputError
from surelist.tables.column import Column, from_array
from surelist.tables.column_names import ColumnTypeError, default_names, require_columns

__all__ = ["ArrayTable", "Column", "ColumnTypeError", "Columns", "Table", "read_table"]


class Table(ABC):
    """A table of raw columns.

    Attributes
    ----------
    names : tuple of str
        The name of each column.
    named : bool
        Whether the names are the user's, not made up here as x0, x1, …
    n_rows : int
    """

    def __init__(self, names: tuple[str, ...], named: bool, n_rows: int) -> None:
        self.names = names
        self.named = named
        self.n_rows = n_rows
        self._read: dict[int, Column] = {}

    def column(self, index: int) -> Column:
        """Return one column; those that take long to read are kept."""
        if index in self._read:
            return self._read[index]
        column = self.read(index)
        if column.codes is not None or self.keeps_all:
            self._read[index] = column
        return column

    # Numbers of an array are quick to read again, and a wide table needs the memory.
    keeps_all = False

    @abstractmethod
    def read(self, index: int) -> Column:
        """Read one column."""

    def __len__(self) -> int:
        return self.n_rows

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.n_rows, len(self.names)


class ArrayTable(Table):
    """A two-dimensional array, whose columns have no names of their own."""

    def __init__(self, array: NDArray[Any]) -> None:
        require_columns(array.shape)
        super().__init__(default_names(array.shape[1]), False, len(array))
        self._array = array

    def read(self, index: int) -> Column:
        """Return one column."""
        return from_array(self.names[index], self._array[:, index])


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
    if not isinstance(X, list | tuple | np.ndarray):
        from surelist.tables.frames import open_frame

        if (frame := open_frame(X)) is not None:
            return frame
    return ArrayTable(_as_array(X))


def _as_array(X: Any) -> NDArray[Any]:
    if is_masked(X):
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
