"""Types of columns in DuckDB, and their values as a `tables.table.Column`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.sql import quoted_name
from surelist.errors import InputError
from surelist.sources.duckdb.conditions import SqlColumn
from surelist.sources.duckdb.database import Database, import_duckdb
from surelist.tables.column import Column

__all__ = ["column_of", "describe", "label_column", "label_values", "weight_sql"]

_WHOLE: Mapping[str, Any] = {
    "TINYINT": np.int8,
    "SMALLINT": np.int16,
    "INTEGER": np.int32,
    "BIGINT": np.int64,
    "UTINYINT": np.uint8,
    "USMALLINT": np.uint16,
    "UINTEGER": np.uint32,
    "UBIGINT": np.uint64,
}
_DECIMAL = re.compile(r"DECIMAL\(.*")
_EXACT = 2**53  # up to here, floats hold every whole number
_MOMENT = re.compile(r"TIMESTAMP(_S|_MS|_NS)?")
_ZONED = "TIMESTAMP WITH TIME ZONE"
_TEXT = ("VARCHAR", "JSON", '"NULL"', "NULL")
# Parquet files, as `sources` names them in SQL.
_PARQUET = re.compile(r"read_parquet\((?P<list>\[.*\])\)|(?P<file>'.*\.parquet')", re.S | re.I)


def describe(database: Database, scan: str) -> dict[str, SqlColumn | str]:
    """Return each column of a table; for one that cannot be used, why not and what to do."""
    found: dict[str, SqlColumn | str] = {}
    misread = _misread(database, scan)
    for name, kind, *_ in database.rows(f"DESCRIBE SELECT * FROM {scan}"):
        if name in found:
            raise InputError(f"two columns are called {name!r}; give each its own name")
        untestable = f"has the type {kind}, which no condition can test"
        advice = "convert it, or leave it out with drop"
        column = _read_type(database, scan, name, kind) or f"{untestable}; {advice}"
        found[name] = misread.get(name, column)
    return found


def _misread(database: Database, scan: str) -> dict[str, str]:
    """Return the columns of Parquet files that this version of DuckDB reads wrongly, and why.

    Before version 2.0, DuckDB read decimals of more than 38 digits as other numbers, and raised no
    error.
    """
    files = _PARQUET.fullmatch(scan)
    version = import_duckdb().__version__
    if files is None or int(version.partition(".")[0]) >= 2:
        return {}
    sql = f"SELECT name, precision FROM parquet_schema({files['list'] or files['file']})"
    return {
        name: f"has decimals of {precision} digits, which DuckDB {version} reads wrongly; install "
        "DuckDB 2.0 or later, or leave the column out with drop"
        for name, precision in database.rows(f"{sql} WHERE precision > 38")
    }


def _read_type(database: Database, scan: str, name: str, kind: str) -> SqlColumn | None:
    own = quoted_name(name)
    if kind == "BOOLEAN":
        return SqlColumn(name, "number", own, np.dtype(np.bool_))
    if kind in _WHOLE:
        return SqlColumn(name, "number", own, np.dtype(_WHOLE[kind]))
    if kind in ("FLOAT", "DOUBLE"):
        number = own if kind == "DOUBLE" else f"{own}::DOUBLE"
        # NaN is missing. If a Parquet file's statistics do not mention NaN, DuckDB takes isnan for
        # false everywhere. A value wrapped in a list hides its origin from that optimization.
        sql = f"CASE WHEN isnan([{own}][1]) THEN NULL ELSE {number} END"
        return SqlColumn(name, "number", sql, np.dtype(np.float64))
    if kind in ("HUGEINT", "UHUGEINT"):
        return _wide(database, scan, name)
    if _DECIMAL.fullmatch(kind):
        large = f"bool_or(abs({own}) > {_EXACT} AND {own} = trunc({own}))"
        ((lost,),) = database.rows(f"SELECT {large} FROM {scan}") if _digits(kind) > 15 else [(0,)]
        if lost:
            raise _inexact(name)
        return SqlColumn(name, "number", f"{own}::DOUBLE", np.dtype(np.float64))
    moment = np.dtype(np.int64)
    if kind == "DATE":
        return SqlColumn(name, "date", f"epoch_us({own})", moment)
    if kind == _ZONED or _MOMENT.fullmatch(kind):
        return SqlColumn(name, "datetime", f"epoch_us({own})", moment, aware=kind == _ZONED)
    text = np.dtype(object)
    if kind in _TEXT:
        return SqlColumn(name, "text", f"{own}::VARCHAR", text)
    if kind.startswith("ENUM("):
        ((order,),) = database.rows(f"SELECT enum_range(NULL::{kind})")
        return SqlColumn(name, "ordinal", f"{own}::VARCHAR", text, order=tuple(order))
    return None


def _wide(database: Database, scan: str, name: str) -> SqlColumn:
    """Return a column of whole numbers of 128 bits, such as sums are, in 64 bits."""
    own = quoted_name(name)
    ((least, most),) = database.rows(f"SELECT min({own}), max({own}) FROM {scan}")
    if least is None or (least >= -(2**63) and most < 2**63):
        return SqlColumn(name, "number", f"{own}::BIGINT", np.dtype(np.int64))
    if least >= 0 and most < 2**64:
        return SqlColumn(name, "number", f"{own}::UBIGINT", np.dtype(np.uint64))
    raise _inexact(name)


def _digits(kind: str) -> int:
    """Return how many digits a decimal type has before the point."""
    width, scale = re.findall(r"[0-9]+", kind)
    return int(width) - int(scale)


def _inexact(name: str) -> InputError:
    return InputError(
        f"column {name!r} holds an integer that neither 64 bits nor a float hold exactly; CAST "
        "the column to VARCHAR or DOUBLE"
    )


def column_of(column: SqlColumn, values: Any) -> Column:
    """Make a column of the values that a query returned."""
    missing = np.ma.getmaskarray(values).copy()
    held = np.ma.getdata(values)
    if column.dtype.kind == "O":
        return _texts(column, held.tolist(), missing)
    numbers = held.astype(column.dtype)
    numbers[missing] = 0
    if column.kind == "number":
        return Column(column.name, "number", numbers, missing)
    moments = numbers.view("datetime64[us]")
    moments[missing] = np.datetime64("NaT", "us")
    return Column(column.name, column.kind, moments, missing, aware=column.aware)


def _texts(column: SqlColumn, texts: list[Any], missing: NDArray[np.bool_]) -> Column:
    order = column.order
    if column.kind != "ordinal":
        order = tuple(dict.fromkeys(t for t, gone in zip(texts, missing, strict=True) if not gone))
    position = {text: index for index, text in enumerate(order)}
    codes = np.array(
        [-1 if gone else position[text] for text, gone in zip(texts, missing, strict=True)],
        dtype=np.intp,
    )
    values = np.empty(len(order), dtype=object)
    values[:] = order
    return Column(column.name, column.kind, values, codes < 0, codes)


# Labels and weights.


def label_column(column: SqlColumn) -> SqlColumn:
    """Return the column as labels: dates become text."""
    if column.kind not in ("date", "datetime"):
        return column
    form = "%Y-%m-%d" if column.kind == "date" else "%Y-%m-%dT%H:%M:%S"
    sql = f"strftime(make_timestamp({column.sql}), '{form}')"
    return SqlColumn(column.name, "text", sql, np.dtype(object))


def label_values(column: SqlColumn, values: Any) -> NDArray[Any]:
    """Return labels as an array of their own type."""
    held = np.ma.getdata(values)
    if column.dtype.kind == "O":
        return np.array([str(value) for value in held.tolist()])
    return held.astype(column.dtype)


def weight_sql(column: SqlColumn) -> str:
    """Return the expression of the weights of rows.

    Raises
    ------
    InputError
        If they are not numbers.
    """
    if column.kind != "number":
        raise InputError(f"the weights {column.name!r} must be numbers, not {column.kind} values")
    if column.dtype.kind == "b":
        return f"{column.sql}::TINYINT::DOUBLE"
    return column.sql if column.dtype.kind == "f" else f"{column.sql}::DOUBLE"
