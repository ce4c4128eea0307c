"""Tables of SQLite and PostgreSQL, streamed into DuckDB a batch of rows at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from surelist._common.moments import naive_utc
from surelist._common.sql import quoted_name
from surelist.errors import FormatError, InputError
from surelist.sources.duckdb.csv_files import typed_sql
from surelist.sources.duckdb.database import Database

__all__ = ["copy_postgresql", "copy_sqlite"]

_BATCH = 50_000

# The numpy types in which batches are handed to DuckDB.
_CARRIED: dict[str, Any] = {
    "BIGINT": np.int64,
    "DOUBLE": np.float64,
    "BOOLEAN": np.bool_,
    "DATE": "datetime64[us]",
    "TIMESTAMP": "datetime64[us]",
    "TIMESTAMPTZ": "datetime64[us]",
    "VARCHAR": object,
}

# PostgreSQL's numbers (OIDs) of types.
_POSTGRESQL_TYPES = {
    16: "BOOLEAN",
    20: "BIGINT",
    21: "BIGINT",
    23: "BIGINT",
    26: "BIGINT",
    700: "DOUBLE",
    701: "DOUBLE",
    1700: "DOUBLE",
    1082: "DATE",
    1114: "TIMESTAMP",
    1184: "TIMESTAMPTZ",
    18: "VARCHAR",
    19: "VARCHAR",
    25: "VARCHAR",
    1042: "VARCHAR",
    1043: "VARCHAR",
    2950: "VARCHAR",
}


def copy_sqlite(database: Database, path: str, sql: str) -> str:
    """Copy the result of a query of a SQLite file; return the name of the table.

    SQLite's columns hold values of any type. A column of integers stays so, one of numbers becomes
    floats, and text in which every value is an ISO 8601 date becomes dates.
    """
    try:
        # Read-only, whatever the SQL says.
        connection = sqlite3.connect(f"file:{quote(str(Path(path).absolute()))}?mode=ro", uri=True)
    except sqlite3.Error as error:
        raise FormatError(f"SQLite: {error}", path) from None
    try:
        names = [
            each[0] for each in connection.execute(f"SELECT * FROM ({sql}) LIMIT 0").description
        ]
        kinds = _sqlite_kinds(connection, sql, names, path)
        cursor = connection.execute(sql)
        return _copy(database, names, kinds, iter(lambda: cursor.fetchmany(_BATCH), []))
    except sqlite3.Error as error:
        raise FormatError(f"SQLite: {error}", path) from None
    finally:
        connection.close()


def _sqlite_kinds(
    connection: sqlite3.Connection, sql: str, names: Sequence[str], path: str
) -> list[str]:
    parts = ("integer", "real", "text", "blob")
    asked = ", ".join(
        f"max(typeof({quoted_name(name)}) = '{part}')" for name in names for part in parts
    )
    answers = connection.execute(f"SELECT {asked} FROM ({sql})").fetchone()
    kinds = []
    for index, name in enumerate(names):
        whole, real, text, blob = map(bool, answers[len(parts) * index :][: len(parts)])
        if blob or (text and (whole or real)):
            what = "BLOBs" if blob else "numbers and texts"
            raise FormatError(
                f"column {name!r} holds {what}; convert it with CAST, or leave it out", path
            )
        kinds.append("VARCHAR" if text else "DOUBLE" if real else "BIGINT")
    return kinds


def copy_postgresql(database: Database, url: str, sql: str) -> str:
    """Copy the result of a query of PostgreSQL; return the name of the table."""
    try:
        import psycopg
    except ImportError:
        raise InputError("PostgreSQL needs psycopg: pip install 'surelist[postgresql]'") from None
    try:
        with psycopg.connect(url) as connection:
            connection.read_only = True
            with connection.cursor(name="surelist") as cursor:
                cursor.itersize = _BATCH
                cursor.execute(sql.encode())
                described = cursor.description or []
                names = [each.name for each in described]
                kinds = [_postgresql_kind(each.name, each.type_code) for each in described]
                batches = iter(lambda: cursor.fetchmany(_BATCH), [])
                return _copy(database, names, kinds, batches)
    except psycopg.Error as error:
        text = str(error).strip().splitlines() or [type(error).__name__]
        raise InputError(f"PostgreSQL: {text[0]}") from None


def _postgresql_kind(name: str, code: int) -> str:
    if code in _POSTGRESQL_TYPES:
        return _POSTGRESQL_TYPES[code]
    # Types that users define, such as enumerations: compared as text.
    return "VARCHAR" if code >= 16384 else _refuse(name, code)


def _refuse(name: str, code: int) -> str:
    raise InputError(
        f"column {name!r} has a type (number {code}) that no condition can compare; convert it "
        "by CAST, or leave it out"
    )


def _copy(
    database: Database,
    names: Sequence[str],
    kinds: Sequence[str],
    batches: Iterator[Sequence[Sequence[Any]]],
) -> str:
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise InputError(f"two columns are called {twice!r}; give each its own name")
    columns = ", ".join(
        f"{quoted_name(name)} {kind}" for name, kind in zip(names, kinds, strict=True)
    )
    raw = database.create(f"({columns})")
    for batch in batches:
        carried: dict[str, Any] = {}
        for index, values in enumerate(zip(*batch, strict=True)):
            carried[f"c{index}"] = _carried(values, kinds[index])
            carried[f"m{index}"] = np.array([value is None for value in values], dtype=np.bool_)
        # Not as masked arrays: DuckDB before 2.0 takes no notice of their masks.
        cells = ", ".join(f"CASE WHEN m{i} THEN NULL ELSE c{i} END" for i in range(len(names)))
        database.connection.register("surelist_batch", carried)
        database.run(f"INSERT INTO {raw} SELECT {cells} FROM surelist_batch")
        database.connection.unregister("surelist_batch")
    return _with_dates(database, raw, names, kinds)


def _carried(values: Sequence[Any], kind: str) -> Any:
    """Return the values of a column as an array; what stands for a missing one does not matter."""
    if kind == "VARCHAR":
        texts = np.empty(len(values), dtype=object)
        texts[:] = [None if value is None else str(value) for value in values]
        return texts
    if kind in ("DATE", "TIMESTAMP", "TIMESTAMPTZ"):
        return np.array([_moment(value) for value in values], dtype=_CARRIED[kind])
    return np.array([0 if value is None else value for value in values], dtype=_CARRIED[kind])


def _moment(value: Any) -> Any:
    if value is None:
        return np.datetime64("NaT", "us")
    return np.datetime64(naive_utc(value) if isinstance(value, date) else str(value), "us")


def _with_dates(database: Database, raw: str, names: Sequence[str], kinds: Sequence[str]) -> str:
    """Read a column of text as dates if every value is one."""
    typed = [
        typed_sql(database, raw, name, (), only_dates=True)
        if kind == "VARCHAR"
        else quoted_name(name)
        for name, kind in zip(names, kinds, strict=True)
    ]
    if all(sql == quoted_name(name) for sql, name in zip(typed, names, strict=True)):
        return raw
    columns = ", ".join(
        f"{sql} AS {quoted_name(name)}" for sql, name in zip(typed, names, strict=True)
    )
    table = database.create(f"AS SELECT {columns} FROM {raw}")
    database.run(f"DROP TABLE {raw}")
    return table
