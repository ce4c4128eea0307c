"""Data frames as tables: pandas, polars, pyarrow or whatever else narwhals knows."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np

from surelist.errors import InputError
from surelist.tables.column import (
    EXACT,
    Column,
    from_moments,
    from_numbers,
    from_objects,
    ordinal,
    require_exact,
    unusable,
)
from surelist.tables.column_names import frame_names, refuse_two_of, require_columns
from surelist.tables.table import Table

__all__ = ["FrameTable", "open_frame"]


class FrameTable(Table):
    """A data frame."""

    def __init__(self, frame: nw.DataFrame[Any]) -> None:
        names, named = frame_names(list(frame.columns))
        require_columns(frame.shape)
        super().__init__(names, named, frame.shape[0])
        self._frame = frame

    def read(self, index: int) -> Column:
        """Return one column."""
        return _from_series(self.names[index], self._frame[:, index])


def open_frame(X: Any) -> FrameTable | None:
    """Open a data frame of any library; None where X is none.

    Raises
    ------
    InputError
        Where the frame is lazy, has no columns, or two of one name.
    """
    try:
        frame = nw.from_native(X, pass_through=True)
    except nw.exceptions.DuplicateError:
        refuse_two_of(list(getattr(X, "column_names", X.columns)))  # pyarrow's columns are the data
        raise
    if isinstance(frame, nw.LazyFrame):
        raise InputError("a lazy frame has no data yet; pass X.collect()")
    return FrameTable(frame) if isinstance(frame, nw.DataFrame) else None


def _from_series(name: str, series: Any) -> Column:
    kind = series.dtype
    if isinstance(kind, nw.Enum):
        return ordinal(name, series.to_list(), tuple(kind.categories))
    if kind.is_numeric() or kind == nw.Boolean:
        return _numbers(name, series)
    if isinstance(kind, nw.Datetime):
        if kind.time_zone is not None:
            series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        moments = series.to_numpy().astype("datetime64[us]")
        return from_moments(name, "datetime", moments, aware=kind.time_zone is not None)
    if kind == nw.Date:
        return from_moments(name, "date", series.to_numpy().astype("datetime64[us]"))
    if kind == nw.Categorical:
        return from_objects(name, series.to_list(), category=True)
    if kind in (nw.String, nw.Object, nw.Unknown):
        return from_objects(name, series.to_list())
    raise unusable(name, f"its type is {kind}")


def _numbers(name: str, series: Any) -> Column:
    """Numbers keep their type where none is missing; pandas would make floats of nullable ones."""
    absent = series.is_null().to_numpy().astype(np.bool_)
    if series.dtype in (nw.Int128, nw.UInt128):
        return from_objects(name, series.to_list())
    if isinstance(series.dtype, nw.Decimal):
        decimals = series
        # Arrow's own cast is often off in the last digit; by way of text it is exact.
        series = series.cast(nw.String).cast(nw.Float64)
        if (series.abs() >= EXACT).any():
            require_exact(name, [value for value in decimals.to_list() if value is not None])
    if absent.any() and (series.dtype.is_integer() or series.dtype == nw.Boolean):
        series = series.fill_null(False if series.dtype == nw.Boolean else 0)
    values = series.to_numpy()
    if values.dtype.kind == "O":
        return from_objects(name, values.tolist())
    return from_numbers(name, values, absent)
