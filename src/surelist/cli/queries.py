"""Rows that DuckDB reads: several files, files too large for memory, and databases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surelist.cli.data import Rows, find_label
from surelist.cli.options import DataOptions, Engine, EngineOptions, LabelOptions
from surelist.errors import InputError

if TYPE_CHECKING:
    from surelist.cli.live import Watcher
    from surelist.sources.duckdb import Query

__all__ = ["choose_columns", "cuts_text", "is_for_duckdb", "open_query_rows"]

# Files of more bytes are left to DuckDB, if it is installed.
_LARGE = 1 << 30
_MOST_TO_LIST = 8


def is_for_duckdb(data: DataOptions, engine: EngineOptions) -> bool:
    """Decide who reads the rows.

    Raises
    ------
    InputError
        Where flags contradict each other.
    """
    if data.data is None or str(data.data) == "-":
        if engine.query is not None or engine.engine is Engine.DUCKDB:
            raise InputError("--query and --engine duckdb need DATA: files, or a database")
        return False
    several = not data.data.exists()
    if engine.engine is Engine.MEMORY:
        if engine.query is not None:
            raise InputError("--query needs --engine duckdb, or auto")
        return False
    if engine.query is not None or engine.engine is Engine.DUCKDB:
        return True
    if several:
        return bool(re.search(r"[*?\[]|^postgres(ql)?:/", str(data.data)))
    if not data.data.is_file():
        return False  # a pipe: what is read to look at it is gone
    large = data.data.stat().st_size > _LARGE and find_spec("duckdb") is not None
    return large or _is_database(data.data)


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            begin = file.read(16)
    except OSError:
        return False  # said later, in words
    return begin == b"SQLite format 3\0" or begin[8:12] == b"DUCK"


def open_query_rows(
    data: DataOptions,
    engine: EngineOptions,
    watcher: Watcher,
    kinds: Mapping[str, str] | None = None,
) -> Rows:
    """Open rows for DuckDB; nothing but their columns is known yet."""
    from surelist.sources.duckdb.csv_files import CsvOptions
    from surelist.sources.duckdb.sources import open_query

    csv = CsvOptions(data.delimiter, data.encoding, data.missing or ())
    # A path holds no two slashes in a row, a URL does.
    name = re.sub(r"^(postgres(?:ql)?):/+", r"\1://", str(data.data))
    source, database = (name, None) if engine.query is None else (engine.query, name)
    if database is not None and data.data is not None and not _names_database(data.data, name):
        raise InputError(
            f"--query is for databases; {name} is none. Write the files into the query instead, as "
            "DATA of another --engine cannot be asked"
        )
    query = open_query(
        source,
        database=database,
        memory_limit=engine.duckdb_memory,
        progress=watcher.reading,
        csv=csv,
        kinds=kinds,
    )
    return Rows(query, None, None)


def _names_database(path: Path, name: str) -> bool:
    return "://" in name or (path.exists() and _is_database(path))


def choose_columns(rows: Rows, columns: LabelOptions) -> Rows:
    """Say which column is the label; the user may be asked."""
    query: Query = rows.table
    label = columns.label or find_label(query, from_stdin=False)
    query.choose(label, columns.weight, columns.drop or ())
    return Rows(query, label, None)


def cuts_text(query: Any) -> str | None:
    """Say how cut points were chosen, if there are any."""
    sketched = [name for name, how in query.cut_points.items() if how == "sketched"]
    if not query.cut_points:
        return None
    if not sketched:
        return "chosen from all values"
    names = ", ".join(sketched[:_MOST_TO_LIST]) + (", …" if len(sketched) > _MOST_TO_LIST else "")
    return f"chosen by a sample of the rows for {names}; otherwise from all values"
