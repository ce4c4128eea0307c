"""Columns compared with values: exact, whatever number meets whatever type of numbers."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import shown
from surelist.conditions.values import Value
from surelist.errors import InputError

__all__ = ["Flags", "above", "fits", "nearest", "same"]

Flags = NDArray[np.bool_]


def same(values: NDArray[Any], value: Value) -> Flags:
    """Return where values are equal to one."""
    kind = values.dtype.kind
    if kind == "M":
        return _equal(values, _moment(value)) if isinstance(value, date) else _none(values)
    if kind == "O":
        # One by one: numpy would make a text of its own of the value, which cannot end in a NUL.
        return np.fromiter((each == value for each in values), np.bool_, len(values))
    if kind not in "biuf" or not isinstance(value, int | float):
        return _none(values)
    if kind == "f":
        near = nearest(value)
        return _equal(values, near) if near == value else _none(values)
    if isinstance(value, float) and not value.is_integer():  # nor infinite
        return _none(values)
    if not fits(values.dtype, int(value)):
        return _none(values)
    return _equal(values, int(value))


def above(values: NDArray[Any], end: Value, closed: bool) -> Flags:
    """Return where values are above an end, or at it where it is closed."""
    kind = values.dtype.kind
    if kind == "M" and isinstance(end, date):
        limit: Any = _moment(end)
    elif kind == "f" and isinstance(end, int | float):
        limit = nearest(end)
        if limit != end:  # no float lies between the end and the float nearest to it
            closed = limit > end
    elif kind in "biu" and isinstance(end, int | float):
        return _above_whole(values, end, closed)
    else:
        raise InputError(f"values of type {values.dtype} cannot be compared with {shown(end)}")
    return np.asarray(values >= limit if closed else values > limit, dtype=np.bool_)


def _above_whole(values: NDArray[Any], end: int | float, closed: bool) -> Flags:
    if isinstance(end, float) and math.isinf(end):
        return np.full(len(values), end < 0)
    least = math.ceil(end)
    if least == end and not closed:
        least += 1
    if fits(values.dtype, least):
        return np.asarray(values >= least, dtype=np.bool_)
    return np.full(len(values), least < 0)


def fits(dtype: np.dtype[Any], number: int) -> bool:
    """Return whether a type of whole numbers has this one."""
    if dtype.kind == "b":
        return 0 <= number <= 1
    info = np.iinfo(dtype)
    return int(info.min) <= number <= int(info.max)


def nearest(value: int | float) -> float:
    """Return the float nearest to a number, infinite for those beyond all others."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _moment(value: date) -> np.datetime64:
    if isinstance(value, datetime) and value.tzinfo is not None:
        value = value.astimezone(UTC).replace(tzinfo=None)
    return np.datetime64(value, "us")


def _equal(values: NDArray[Any], value: Any) -> Flags:
    return np.asarray(values == value, dtype=np.bool_)


def _none(values: NDArray[Any]) -> Flags:
    return np.zeros(len(values), dtype=np.bool_)
