"""Reading features: any table of 0/1 columns becomes one matrix of bytes and a name per column.

Data frames are recognised by what they can do, not by their type, so neither pandas nor polars has
to be installed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import is_masked, missing, shown
from surelist.errors import InputError
from surelist.tables.column_names import default_names, frame_names, require_columns

__all__ = ["Features", "read_features"]

_ONLY_BINARY = "only 0/1 columns are accepted (bools, or the numbers 0 and 1)"

# Rows checked at once: keeps the temporaries of a large matrix in cache.
_BLOCK = 1 << 16


@dataclass(frozen=True, eq=False)
class Features:
    """A 0/1 matrix, and what its columns are called."""

    matrix: NDArray[np.uint8]
    names: tuple[str, ...]
    named: bool
    """Whether the names are the user's, not made up here as x0, x1, …"""


def read_features(X: Any) -> Features:
    """Turn an array, a nested list, or a pandas or polars data frame into a 0/1 matrix.

    Raises
    ------
    InputError
        Where X is not two-dimensional, has no columns or two of one name, or where a value is
        neither 0 nor 1. The message names the first such value, its row and its column.

    Examples
    --------
    >>> from surelist.tables.binary_matrix import read_features
    >>> read_features([[0, 1], [True, 0.0]]).names
    ('x0', 'x1')
    """
    if hasattr(type(X), "tocsr"):  # of its type: a column may have that name
        raise InputError("sparse matrices are not accepted; pass X.toarray()")
    if hasattr(X, "collect_schema") and hasattr(X, "collect"):
        raise InputError("a lazy frame has no data yet; pass X.collect()")
    if _is_frame(X):
        names, named = frame_names(list(X.columns))
        require_columns(X.shape)
        return Features(_read_frame(X, names), names, named)
    array = _as_array(X)
    require_columns(array.shape)
    names = default_names(array.shape[1])
    return Features(_read_matrix(array, names), names, False)


def _is_frame(X: Any) -> bool:
    return hasattr(X, "columns") and (hasattr(X, "iloc") or hasattr(X, "to_series"))


def _as_array(X: Any) -> NDArray[Any]:
    if is_masked(X):
        raise InputError(f"X has masked, that is missing, values: {_ONLY_BINARY}")
    try:
        array = np.asarray(X)
    except ValueError as error:
        raise InputError(f"X is not a matrix: {error}") from None
    if array.ndim != 2:
        raise InputError(
            f"expected a 2D array of rows and 0/1 columns, got {array.ndim}D. Reshape your data: "
            "X.reshape(-1, 1) for one feature, X.reshape(1, -1) for one row"
        )
    if array.dtype.kind == "c":
        raise InputError(f"Complex data not supported: {_ONLY_BINARY}")
    return array


def _read_matrix(array: NDArray[Any], names: Sequence[str]) -> NDArray[np.uint8]:
    if array.dtype == np.bool_:
        return np.ascontiguousarray(array).view(np.uint8)
    matrix = np.empty(array.shape, dtype=np.uint8)
    for start in range(0, len(array), _BLOCK):
        block = array[start : start + _BLOCK]
        ones, binary = _compare(block)
        if not binary.all():
            row, column = np.argwhere(~binary)[0]
            _refuse(names[column], start + int(row), block[row, column])
        matrix[start : start + _BLOCK] = ones
    return matrix


def _read_frame(X: Any, names: Sequence[str]) -> NDArray[np.uint8]:
    matrix = np.empty(X.shape, dtype=np.uint8)
    for index, column in enumerate(_frame_columns(X)):
        ones, binary = _compare(column)
        if not binary.all():
            row = int(np.argmin(binary))
            _refuse(names[index], row, column[row])
        matrix[:, index] = ones
    return matrix


def _frame_columns(X: Any) -> Iterator[NDArray[Any]]:
    for index in range(X.shape[1]):
        column = X.iloc[:, index] if hasattr(X, "iloc") else X.to_series(index)
        yield np.asarray(column.to_numpy())


def _compare(values: NDArray[Any]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Where the values are one, and where they are zero or one."""
    if values.dtype.kind in "biuf":
        ones = values == 1
        return ones, ones | (values == 0)
    if values.dtype.kind == "O":
        # Objects compare in surprising ways (pandas.NA == 0 is neither true nor false).
        flat = [_object_bit(value) for value in values.ravel()]
        bits = np.array(flat, dtype=np.int8).reshape(values.shape)
        return bits == 1, bits >= 0
    nothing = np.zeros(values.shape, dtype=np.bool_)
    return nothing, nothing


def _object_bit(value: object) -> int:
    """Return 0 or 1 for a number that is one of them, -1 for anything else."""
    if not isinstance(value, Real | np.bool_):
        return -1
    return 1 if value == 1 else 0 if value == 0 else -1


def _refuse(name: str, row: int, value: Any) -> NoReturn:
    raise InputError(f"column {name!r}, row {row}: {_describe(value)}, not 0 or 1; {_ONLY_BINARY}")


def _describe(value: object) -> str:
    name = missing(value)
    return f"the value is {shown(value)}" if name is None else f"the value is missing ({name})"
