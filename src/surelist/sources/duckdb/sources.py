"""Where rows are: files, recognised by their first bytes; tables; SQL.

Parquet files and DuckDB tables are read in place, column by column. CSV would be parsed again for
every column, tables of other databases sent again, and a query run again, so these are copied once.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from surelist._common.file_kinds import kind_of_file
from surelist._common.messages import shown
from surelist._common.sql import quoted_name
from surelist.errors import FormatError, InputError
from surelist.sources.duckdb.columns import describe
from surelist.sources.duckdb.conditions import literal
from surelist.sources.duckdb.copying import copy_postgresql, copy_sqlite
from surelist.sources.duckdb.csv_files import CsvOptions, copy_csv
from surelist.sources.duckdb.database import Database, import_duckdb
from surelist.sources.duckdb.progress import Meter, Reading
from surelist.sources.duckdb.rows import Query

__all__ = ["MAX_DISTINCT", "MAX_GROUPS", "find_files", "open_query"]

MAX_DISTINCT = 100_000
MAX_GROUPS = 5_000_000

_SQL = re.compile(r"\s*(\(|(select|with|from|values|table|pivot|unpivot|summarize)\b)", re.I)
# SQL that only names a table or Parquet files.
_PLAIN = re.compile(
    r"\s*(?:select\s+\*\s+)?from\s+(?P<table>'[^']*\.parquet'|[\w.]+|\"[^\"]+\")\s*;?\s*", re.I
)
# Names of kinds of files that differ here: CSV is the only text, gzipped or not.
_KINDS = {"text": "csv", "gzip": "csv", "feather": "arrow", "arrow stream": "arrow"}
_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*){0,2}")
_POSTGRESQL = re.compile(r"postgres(ql)?://")


def open_query(
    source: Any,
    *,
    database: Any = None,
    memory_limit: str = "2GB",
    threads: int | None = None,
    temp_directory: str | os.PathLike[str] | None = None,
    max_distinct: int = MAX_DISTINCT,
    max_groups: int = MAX_GROUPS,
    progress: bool | Callable[[Reading], object] = False,
    csv: CsvOptions | None = None,
    kinds: Mapping[str, str] | None = None,
) -> Query:
    """Open rows; `Query.choose` then assigns the columns.

    The parameters are those of `surelist.from_query`; ``csv`` is the format of CSV files, and
    ``kinds`` has the types of some of their columns, if known.
    """
    _require_count("max_distinct", max_distinct, 1000)
    _require_count("max_groups", max_groups, 1)
    if threads is not None:
        _require_count("threads", threads, 1)
    held = Database(
        _connection(database),
        memory_limit=memory_limit,
        threads=threads,
        temp_directory=temp_directory,
    )
    meter = Meter(progress, held)
    try:
        scan, path, notes = _scan(source, database, held, meter, csv or CsvOptions(), kinds or {})
        columns = describe(held, scan)
    except BaseException:
        held.close()
        raise
    # Pandas writes row names to these columns.
    columns = {n: c for n, c in columns.items() if not n.startswith("__index_level_")}
    return Query(
        held,
        scan,
        columns,
        path=path,
        max_distinct=max_distinct,
        max_groups=max_groups,
        notes=notes,
        meter=meter,
    )


def find_files(source: Any) -> list[str]:
    """Return the files that a path, a pattern or a list of them names, in order.

    Raises
    ------
    FormatError
        If there are none.
    """
    found: list[str] = []
    for each in [source] if isinstance(source, str | os.PathLike) else source:
        if not isinstance(each, str | os.PathLike):
            raise InputError(f"rows are named by a path, a pattern or SQL; got {shown(each)}")
        pattern = os.fspath(each)
        files = [pattern]
        if not Path(pattern).exists():
            files = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - absolute ones, too
        if not files:
            raise FormatError("there is no such file; check the path", pattern)
        found += files
    if not found:
        raise InputError("no files are named")
    return found


def _require_count(name: str, value: Any, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InputError(f"{name} must be a whole number of at least {least}; got {shown(value)}")


def _connection(database: Any) -> Any:
    """Return the connection that the user passed as the database; None otherwise."""
    if database is None or isinstance(database, str | os.PathLike):
        return None
    if isinstance(database, import_duckdb().DuckDBPyConnection):
        return database
    raise InputError(
        "database must be a path, a postgresql:// URL or a DuckDB connection; "
        f"got {shown(database)}"
    )


def _scan(
    source: Any,
    database: Any,
    held: Database,
    meter: Meter,
    csv: CsvOptions,
    kinds: Mapping[str, str],
) -> tuple[str, str, list[str]]:
    """Return what to SELECT from, what to call it in messages, and notes."""
    if database is None:
        if isinstance(source, str) and _SQL.match(source) and not Path(source).exists():
            return _scan_sql(source, held, meter), "the query", []
        return _from_files(find_files(source), held, meter, csv, kinds)
    if not isinstance(source, str):
        raise InputError(
            f"with database=, source must be the name of a table or SQL; got {shown(source)}"
        )
    if isinstance(database, str) and _POSTGRESQL.match(database):
        with meter.step("copying rows from PostgreSQL"):
            table = copy_postgresql(held, database, _select_sql(source))
        return table, _source_name(source), []
    if isinstance(database, str | os.PathLike):
        path = os.fspath(database)
        if _kind_of(path) == "sqlite":
            with meter.step("copying rows from SQLite"):
                return copy_sqlite(held, path, _select_sql(source)), _source_name(source), []
        held.run(f"ATTACH {literal(path)} AS surelist_source (READ_ONLY)")
        held.run("USE surelist_source")
    return _scan_sql(source, held, meter), _source_name(source), []


def _from_files(
    files: Sequence[str], held: Database, meter: Meter, csv: CsvOptions, kinds: Mapping[str, str]
) -> tuple[str, str, list[str]]:
    called = files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1} more files"
    found = {_kind_of(path) for path in files}
    if len(found) > 1:
        raise InputError(f"{called}: files of different kinds: {', '.join(sorted(found))}")
    kind = found.pop()
    if kind == "parquet":
        names = ", ".join(map(literal, files))
        return f"read_parquet([{names}])", called, []
    if kind == "arrow":
        raise FormatError("Arrow files are read in memory only; convert to Parquet", called)
    if kind != "csv":
        raise FormatError(
            "the file is a database: pass it as database=, and a table name or SQL as source",
            called,
        )
    with meter.step(f"copying rows from {called}"):
        return copy_csv(held, files, csv, kinds), called, csv.notes


def _kind_of(path: str) -> str:
    try:
        kind = kind_of_file(path)
    except OSError as error:
        raise FormatError(f"cannot be read ({error.strerror}); check the path", path) from None
    return _KINDS.get(kind, kind)


def _source_name(source: str) -> str:
    return "the query" if _SQL.match(source) else f"table {source}"


def _select_sql(source: str) -> str:
    """Return the SELECT to run in SQLite or PostgreSQL."""
    if _SQL.match(source):
        return source.strip().rstrip(";")
    return f"SELECT * FROM {_table(source)}"


def _table(name: str) -> str:
    return name if _NAME.fullmatch(name) else quoted_name(name)


def _scan_sql(source: str, held: Database, meter: Meter) -> str:
    if not _SQL.match(source):
        return _table(source)
    if plain := _PLAIN.fullmatch(source):
        return plain["table"]
    # Run the query once: it may take long, or use random().
    with meter.step("running the query"):
        return held.create(f"AS {source.strip().rstrip(';')}")
