"""The trace of a search in JSON, which has no infinity: those are written as text."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.strict_json import Place
from surelist.search.trace import Trace

__all__ = ["check_samples", "read_trace", "trace_to_dict"]

_COUNTS = {"counters", "pruned"}
_LATER = frozenset({"proven_length"})  # than the first files
_TABLES = {"queue_logical", "queue_physical"}
_MOST_CELLS = 1 << 27  # of a table whose rows are filled up to the longest one
_DTYPES: dict[str, type] = {
    **dict.fromkeys(
        ("time", "objective", "lower_bound", "remaining_fine", "remaining_coarse"), np.float64
    ),
    "improved": np.bool_,
}


def trace_to_dict(trace: Trace) -> dict[str, Any]:
    """Return a trace as something that JSON can hold.

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> from surelist.search.trace_json import trace_to_dict
    >>> model = RuleListClassifier().fit([[0, 1], [1, 0]] * 5, [0, 1] * 5)
    >>> trace_to_dict(model.trace_)["counters"]["longest_prefix"]
    0
    """
    data: dict[str, Any] = {}
    for field in fields(Trace):
        value = getattr(trace, field.name)
        if field.name in _COUNTS:
            data[field.name] = {name: _number(number) for name, number in value.items()}
        elif field.name == "pruned_by":
            data[field.name] = {name: array.tolist() for name, array in value.items()}
        elif _DTYPES.get(field.name) is np.float64:
            data[field.name] = [_number(number) for number in value.tolist()]
        else:
            data[field.name] = value.tolist()
    return data


def _number(value: Any) -> Any:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def read_trace(place: Place) -> Trace:
    """Read what `trace_to_dict` returned.

    Raises
    ------
    DamagedError
    """
    names = {field.name for field in fields(Trace)}
    given = set(place.keys(names - _LATER, _LATER).value)
    read: dict[str, Any] = {}
    for name in sorted(given):
        inner = place[name]
        if name in _COUNTS:
            read[name] = {key: _read_number(value) for key, value in inner.fields()}
        elif name == "pruned_by":
            read[name] = {key: _read_array(value, np.int64) for key, value in inner.fields()}
        elif name in _TABLES:
            read[name] = _read_table(inner)
        else:
            read[name] = _read_array(inner, _DTYPES.get(name, np.int64))
    samples = len(read["time"])
    for name in names - given:  # not in older files: nothing is claimed
        read[name] = _zeros(samples)
    for name, value in read.items():
        arrays = value.values() if name == "pruned_by" else () if name in _COUNTS else (value,)
        if any(len(array) != samples for array in arrays):
            raise place[name].fault(f"expected {samples} samples, as there are times")
    return Trace(**read)


def check_samples(place: Place, bounds: Collection[str]) -> None:
    """Check that these can be the samples of a search, as the engine gives them.

    Raises
    ------
    DamagedError
    """
    names = {field.name for field in fields(Trace)} - {*_COUNTS, "pruned_by"} | {"pruned"}
    place.keys(names)
    samples = len(place["time"].items())
    for name in sorted(names):
        inner = place[name]
        if len(inner.items()) != samples:
            raise inner.fault(f"expected {samples} samples, as there are times")
        if name == "pruned":
            for item in inner.items():
                for bound in item.keys(set(bounds)).fields():
                    bound[1].whole(0, 2**63)
        elif name in _TABLES:
            widths = [len(_read_array(row, np.int64)) for row in inner.items()]
            if max(widths, default=0) * samples > _MOST_CELLS:
                raise inner.fault("its rows are too long")
        else:
            _read_array(inner, _DTYPES.get(name, np.int64))


def _read_number(place: Place) -> Any:
    value = place.value
    if type(value) in (int, float):
        return value
    if value in ("inf", "-inf", "nan"):
        return float(value)
    raise place.fault("expected a number")


def _read_real(place: Place) -> float:
    try:
        return float(_read_number(place))
    except OverflowError:
        raise place.fault("expected a number that is not so large") from None


def _read_array(place: Place, dtype: type) -> NDArray[Any]:
    if dtype is np.bool_:
        values: list[Any] = [item.flag() for item in place.items()]
    elif dtype is np.int64:
        values = [item.whole(-(2**63), 2**63) for item in place.items()]
    else:
        values = [_read_real(item) for item in place.items()]
    array: NDArray[Any] = np.array(values, dtype=dtype)
    array.setflags(write=False)
    return array


def _zeros(samples: int) -> NDArray[np.int64]:
    array = np.zeros(samples, dtype=np.int64)
    array.setflags(write=False)
    return array


def _read_table(place: Place) -> NDArray[np.int64]:
    rows = [_read_array(row, np.int64) for row in place.items()]
    if len({len(row) for row in rows}) > 1:
        raise place.fault("its rows are of different lengths")
    table = np.array(rows, dtype=np.int64).reshape(len(rows), len(rows[0]) if rows else 0)
    table.setflags(write=False)
    return table
