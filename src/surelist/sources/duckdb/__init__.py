"""Rows beyond memory: files and databases, read by DuckDB.

`from_query` names the rows. `RuleListClassifier.fit` and `surelist.regularization_path` accept its
result in place of X and y. See docs/big_data.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from typing import Any

from surelist.sources.duckdb.progress import Reading
from surelist.sources.duckdb.rows import Query
from surelist.sources.duckdb.sources import MAX_DISTINCT, MAX_GROUPS, open_query

__all__ = ["Query", "Reading", "from_query"]


def from_query(
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    label: str,
    weight: str | None = None,
    drop: Collection[str] = (),
    database: Any = None,
    memory_limit: str = "2GB",
    threads: int | None = None,
    temp_directory: str | os.PathLike[str] | None = None,
    max_distinct: int = MAX_DISTINCT,
    max_groups: int = MAX_GROUPS,
    progress: bool | Callable[[Reading], object] = False,
) -> Query:
    """Name rows to learn from that need not fit in memory.

    The rows are not loaded. Fitting asks DuckDB for the counts of values, chooses the same
    conditions as for a data frame, and lets DuckDB group the rows by them; only the groups are
    loaded. Needs the extra ``duckdb``.

    Parameters
    ----------
    source : str, path or list of them
        Files (CSV, TSV or Parquet; ``*``, ``**`` and ``?`` stand for several), SQL such as
        ``"SELECT * FROM 'data/*.parquet' WHERE year > 2020"``, or the name of a table in the
        ``database``.
    label : str
        The column to predict.
    weight : str, optional
        The column of the weights of rows.
    drop : collection of str
        Columns to leave out.
    database : path, URL or DuckDB connection, optional
        The database that SQL and table names refer to: a file of DuckDB or SQLite; PostgreSQL as
        ``"postgresql://…"``, which needs psycopg; or your own connection to DuckDB.
    memory_limit : str, default="2GB"
        What DuckDB may hold in memory; it spills the rest to ``temp_directory``.
    threads : int, optional
        Threads of DuckDB; None is one for each processor.
    temp_directory : path, optional
        None is the system's. CSV files, tables of SQLite and PostgreSQL and results of SQL are
        first copied there, compressed, because they are read several times.
    max_distinct : int, default=100_000
        Columns of numbers or dates with more distinct values are cut by a sample of the rows;
        ``cut_points`` says which.
    max_groups : int, default=5_000_000
        More groups than this are refused instead of loaded.
    progress : bool or callable, default=False
        True shows a bar on a terminal's standard error; a function is called about ten times a
        second with a `surelist.query.Reading`.

    Returns
    -------
    Query
        Pass it to ``fit`` as X, without y.

    Raises
    ------
    InputError
        For rows that cannot be read.

    Examples
    --------
    >>> from surelist import RuleListClassifier, from_query
    >>> rows = "SELECT range % 4 AS age, range % 4 < 2 AS young FROM range(1000)"
    >>> data = from_query(rows, label="young")
    >>> print(RuleListClassifier(max_clauses=1).fit(data).rule_list_)
    if (age < 2) then predict True
    else predict False
    """
    query = open_query(
        source,
        database=database,
        memory_limit=memory_limit,
        threads=threads,
        temp_directory=temp_directory,
        max_distinct=max_distinct,
        max_groups=max_groups,
        progress=progress,
    )
    return query.choose(label, weight, drop)
