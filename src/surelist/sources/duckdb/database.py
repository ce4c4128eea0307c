"""A DuckDB connection with a memory limit, which reports the progress of queries."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

from surelist._common.scratch import Scratch
from surelist.errors import InputError
from surelist.sources.duckdb.conditions import literal

__all__ = ["Database", "import_duckdb"]

# Seconds between two progress reports.
_LOOK_EVERY = 0.1


def import_duckdb() -> Any:
    """Return the module duckdb, or say how to install it."""
    try:
        import duckdb
    except ImportError:
        raise InputError(
            "data beyond memory needs DuckDB: pip install 'surelist[duckdb]'"
        ) from None
    return duckdb


class Database:
    """A connection to DuckDB, and a folder for what does not fit in memory.

    Parameters
    ----------
    connection : DuckDB connection, optional
        The user's own, whose settings are not changed. None makes one.
    memory_limit : str
        What DuckDB may hold in memory.
    threads : int, optional
        None is one for each processor.
    temp_directory : path, optional
        Where DuckDB may write what does not fit; None is the system's place for such files.
    """

    def __init__(
        self,
        connection: Any = None,
        *,
        memory_limit: str = "2GB",
        threads: int | None = None,
        temp_directory: str | os.PathLike[str] | None = None,
    ) -> None:
        duckdb = import_duckdb()
        self.listener: Callable[[float], object] | None = None
        self._error = duckdb.Error
        self._out_of_memory = duckdb.OutOfMemoryException
        self.own = connection is None
        self._scratch = Scratch(temp_directory)
        try:
            if connection is not None:
                self.connection: Any = connection.cursor()
            else:
                config: dict[str, Any] = {
                    "memory_limit": memory_limit,
                    "temp_directory": str(self._scratch.path),
                    "autoinstall_known_extensions": False,
                    # Groups do not depend on the order of rows, and keeping it takes memory.
                    "preserve_insertion_order": False,
                }
                if threads is not None:
                    config["threads"] = threads
                self.connection = duckdb.connect(":memory:", config=config)
                self.connection.execute("SET enable_progress_bar = true")
                self.connection.execute("SET enable_progress_bar_print = false")
        except self._error as error:
            self._scratch.close()
            raise self._refused(error) from None
        self.folder = self._scratch.path
        self._copies = 0
        self.close = weakref.finalize(self, _close, self.connection, self._scratch)

    def fetch(self, sql: str) -> dict[str, Any]:
        """Run a query; return its columns as arrays, masked where a value is NULL."""
        return dict(self._run(lambda: self.connection.execute(sql).fetchnumpy()))

    def run(self, sql: str) -> None:
        """Run a statement."""
        self._run(lambda: self.connection.execute(sql))

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a query with a small result."""
        return list(self._run(lambda: self.connection.execute(sql).fetchall()))

    def stream(self, sql: str, most: int) -> Iterator[list[tuple[Any, ...]]]:
        """Run a query; yield its rows in batches of at most this size."""
        try:
            result = self.connection.execute(sql)
            while rows := result.fetchmany(most):
                yield rows
        except self._error as error:
            raise self._refused(error) from None

    def one_thread(self, sql: str) -> dict[str, Any]:
        """Run a query on one thread, so that its result does not depend on scheduling."""
        (before,) = self.rows("SELECT current_setting('threads')")
        self.run("SET threads = 1")
        try:
            return self.fetch(sql)
        finally:
            self.run(f"SET threads = {before[0]}")

    def create(self, content: str) -> str:
        """Make a temporary table, removed when the database is closed; return its name.

        ``content`` is what follows the name in SQL: ``AS SELECT …``, or columns in parentheses.
        """
        self._copies += 1
        if not self.own:
            name = f"surelist_{id(self)}_{self._copies}"
            self.run(f"CREATE TEMP TABLE {name} {content}")
            return name
        if self._copies == 1:
            # A file, because DuckDB compresses files but not tables in memory.
            self.run(f"ATTACH {literal(str(self.folder / 'rows.duckdb'))} AS surelist_rows")
        name = f"surelist_rows.rows_{self._copies}"
        self.run(f"CREATE TABLE {name} {content}")
        return name

    def _run(self, work: Callable[[], Any]) -> Any:
        """Run in another thread, while this one reports progress and can be interrupted."""
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(work)
            try:
                while not wait([running], _LOOK_EVERY).done:
                    self._tell()
            except BaseException:
                self.connection.interrupt()
                raise
            try:
                return running.result()
            except self._error as error:
                raise self._refused(error) from None

    def _tell(self) -> None:
        if self.listener is not None:
            share = float(self.connection.query_progress())
            self.listener(min(max(share / 100, 0.0), 1.0))

    def _refused(self, error: Exception) -> InputError:
        text = str(error).strip().splitlines()
        problem = " ".join(line.strip() for line in text[:2]) if text else type(error).__name__
        if isinstance(error, self._out_of_memory):
            problem += "; raise memory_limit, or use fewer features"
        return InputError(f"DuckDB: {problem}")


def _close(connection: Any, scratch: Scratch) -> None:
    connection.close()
    scratch.close()
