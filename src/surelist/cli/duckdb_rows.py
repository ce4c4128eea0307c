"""Rows that DuckDB reads: several files, files too large for memory, and databases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surelist._common.file_kinds import kind_of_file
from surelist.cli.options import DataOptions, Engine, EngineOptions
from surelist.errors import InputError
from surelist.runs.rows import Source

if TYPE_CHECKING:
    from surelist.cli.progress_display import Watcher

__all__ = ["cuts_text", "is_for_duckdb", "open_query_source"]

# Larger files, in bytes, are read by DuckDB where it is installed.
_LARGE = 1 << 30
_MOST_TO_LIST = 8


def is_for_duckdb(data: DataOptions, engine: EngineOptions) -> bool:
    """Return whether DuckDB reads the rows, and not this package itself.

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
        return False  # a pipe, of which nothing can be read twice
    large = data.data.stat().st_size > _LARGE and find_spec("duckdb") is not None
    return large or _is_database(data.data)


def _is_database(path: Path) -> bool:
    try:
        return kind_of_file(path) in ("sqlite", "duckdb")
    except OSError:
        return False  # the reader says why it cannot be read


def open_query_source(
    data: DataOptions,
    engine: EngineOptions,
    watcher: Watcher,
    kinds: Mapping[str, str] | None = None,
) -> Source:
    """Open rows for DuckDB; nothing but their columns is known yet."""
    from surelist.sources.duckdb.csv_files import CsvOptions
    from surelist.sources.duckdb.sources import open_query

    csv = CsvOptions(data.delimiter, data.encoding, data.missing or ())
    # A path holds no two slashes in a row, a URL does.
    name = re.sub(r"^(postgres(?:ql)?):/+", r"\1://", str(data.data))
    source, database = (name, None) if engine.query is None else (engine.query, name)
    if database is not None and data.data is not None and not _names_database(data.data, name):
        raise InputError(
            f"--query needs a database; {name} is a file. Leave --query out, or give the SQL as "
            "DATA and --engine duckdb"
        )
    query = open_query(
        source,
        database=database,
        memory_limit=engine.duckdb_memory,
        progress=watcher.reading,
        csv=csv,
        kinds=kinds,
    )
    return Source(query)


def _names_database(path: Path, name: str) -> bool:
    return "://" in name or (path.exists() and _is_database(path))


def cuts_text(query: Any) -> str | None:
    """Return how cut points were chosen; None where there are none."""
    sketched = [name for name, how in query.cut_points.items() if how == "sketched"]
    if not query.cut_points:
        return None
    if not sketched:
        return "chosen from all values"
    names = ", ".join(sketched[:_MOST_TO_LIST]) + (", …" if len(sketched) > _MOST_TO_LIST else "")
    return f"chosen by a sample of the rows for {names}; otherwise from all values"
