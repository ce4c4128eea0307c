"""The database of the page: data sets and runs, in SQLite, each with a folder of its own.

Names that users give are text in the database and never part of a path: the names of folders are
random identifiers.
"""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import shutil
import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

__all__ = ["DATABASE", "PARTS", "Store", "is_id"]

DATABASE = "surelist.db"
PARTS = ("data", "runs", "uploads")

_ID = re.compile(r"[0-9a-f]{16}")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS datasets (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, created REAL NOT NULL,
  bytes INTEGER NOT NULL, summary TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS runs (
  id TEXT PRIMARY KEY, dataset TEXT NOT NULL REFERENCES datasets(id) ON DELETE CASCADE,
  name TEXT NOT NULL, settings TEXT NOT NULL, created REAL NOT NULL, started REAL, finished REAL,
  state TEXT NOT NULL, outcome TEXT NOT NULL DEFAULT '{}'
);
CREATE TABLE IF NOT EXISTS jobs (
  run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, kind TEXT NOT NULL,
  created REAL NOT NULL, state TEXT NOT NULL, outcome TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (run, kind)
);
"""
_VERSION = 1


def is_id(text: str) -> bool:
    """Whether a text has the form of an identifier.

    Examples
    --------
    >>> from surelist.web.store import is_id
    >>> is_id("0123456789abcdef"), is_id("../../etc/passwd")
    (True, False)
    """
    return _ID.fullmatch(text) is not None


class Store:
    """Data sets, runs and what belongs to them, in a folder that may be deleted at any time.

    Parameters
    ----------
    folder : Path
        Made where it is not there, readable by its owner alone.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from surelist.web.store import Store
    >>> with TemporaryDirectory() as folder:
    ...     store = Store(Path(folder))
    ...     data = store.add_dataset(store.new_id(), "people.csv", "table", 120, {"rows": 3})
    ...     print([each["name"] for each in store.datasets()])
    ...     store.close()
    ['people.csv']
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for each in (folder, *(folder / part for part in PARTS)):
            each.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._database = sqlite3.connect(
            folder / DATABASE, isolation_level=None, check_same_thread=False
        )
        (folder / DATABASE).chmod(0o600)
        self._database.row_factory = sqlite3.Row
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA foreign_keys = ON")
        # Overwrite what is deleted, and keep temporary data in memory.
        self._database.execute("PRAGMA secure_delete = ON")
        self._database.execute("PRAGMA temp_store = MEMORY")
        self._database.executescript(_SCHEMA)
        self._database.execute(f"PRAGMA user_version = {_VERSION}")
        self._sweep()

    def close(self) -> None:
        """Close the database, and remove uploads that no data set uses."""
        self._sweep()
        self._database.close()

    def _sweep(self) -> None:
        """Remove unused uploads, and folders that belong to no data set and no run."""
        for part, table in (("uploads", None), ("data", "datasets"), ("runs", "runs")):
            known = set()
            if table is not None:
                known = {row["id"] for row in self._database.execute(f"SELECT id FROM {table}")}
            for path in (self.folder / part).iterdir():
                if is_id(path.name) and path.name not in known:
                    _remove(path)

    @staticmethod
    def new_id() -> str:
        """Return a new identifier."""
        return secrets.token_hex(8)

    def data_folder(self, dataset: str) -> Path:
        """Return the folder of a data set."""
        return self._folder("data", dataset)

    def run_folder(self, run: str) -> Path:
        """Return the folder of a run."""
        return self._folder("runs", run)

    def upload_path(self, upload: str) -> Path:
        """Return the file of an upload that no data set has taken yet."""
        return self._folder("uploads", upload)

    def _folder(self, kind: str, name: str) -> Path:
        if not is_id(name):
            raise ValueError("not an identifier")
        return self.folder / kind / name

    # Data sets.

    def add_dataset(
        self, dataset: str, name: str, kind: str, size: int, summary: dict[str, Any]
    ) -> dict[str, Any]:
        """Add a data set whose folder is in place."""
        self._database.execute(
            "INSERT INTO datasets VALUES (?, ?, ?, ?, ?, ?)",
            (dataset, name, kind, time.time(), size, json.dumps(summary)),
        )
        found = self.dataset(dataset)
        assert found is not None
        return found

    def datasets(self) -> list[dict[str, Any]]:
        """Return all data sets, the newest first."""
        query = "SELECT * FROM datasets ORDER BY created DESC, rowid DESC"
        return [_read(row) for row in self._database.execute(query)]

    def dataset(self, dataset: str) -> dict[str, Any] | None:
        """Return a data set, or None."""
        return self._one("SELECT * FROM datasets WHERE id = ?", dataset)

    def update_summary(self, dataset: str, summary: dict[str, Any]) -> None:
        """Replace what is known of a data set."""
        self._database.execute(
            "UPDATE datasets SET summary = ? WHERE id = ?", (json.dumps(summary), dataset)
        )

    def delete_dataset(self, dataset: str) -> None:
        """Forget a data set and its runs."""
        runs = [run["id"] for run in self.runs(dataset)]
        self._delete("DELETE FROM datasets WHERE id = ?", dataset)
        for run in runs:
            _remove(self.run_folder(run))
        _remove(self.data_folder(dataset))

    # Runs.

    def add_run(self, run: str, dataset: str, name: str, settings: dict[str, Any]) -> None:
        """Add a run, as queued."""
        self._database.execute(
            "INSERT INTO runs (id, dataset, name, settings, created, state) "
            "VALUES (?, ?, ?, ?, ?, 'queued')",
            (run, dataset, name, json.dumps(settings), time.time()),
        )

    def runs(self, dataset: str | None = None) -> list[dict[str, Any]]:
        """Return runs, of one data set or all, the newest first."""
        query = "SELECT * FROM runs WHERE ? IS NULL OR dataset = ? ORDER BY created DESC"
        return [_read(row) for row in self._database.execute(query, (dataset, dataset))]

    def run(self, run: str) -> dict[str, Any] | None:
        """Return a run, or None."""
        return self._one("SELECT * FROM runs WHERE id = ?", run)

    def update_run(self, run: str, **values: Any) -> None:
        """Set columns of a run."""
        self._update("runs", values, "id = ?", (run,))

    def rename_run(self, run: str, name: str) -> None:
        """Give a run another name."""
        self.update_run(run, name=name)

    def delete_run(self, run: str) -> None:
        """Forget a run."""
        self._delete("DELETE FROM runs WHERE id = ?", run)
        _remove(self.run_folder(run))

    def _delete(self, query: str, key: str) -> None:
        """Delete rows, and shrink the file, so that no trace of them is left."""
        self._database.execute(query, (key,))
        with contextlib.suppress(sqlite3.OperationalError):  # not enough room to rewrite the file
            self._database.execute("VACUUM")
        # The write-ahead log still holds what was deleted.
        self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    # Jobs: what is done with a finished run, at most one of each kind.

    def put_job(self, run: str, kind: str) -> None:
        """Add a job as running; replace an earlier one of its kind."""
        self._database.execute(
            "INSERT OR REPLACE INTO jobs (run, kind, created, state) VALUES (?, ?, ?, 'running')",
            (run, kind, time.time()),
        )

    def update_job(self, run: str, kind: str, **values: Any) -> None:
        """Set columns of a job."""
        self._update("jobs", values, "run = ? AND kind = ?", (run, kind))

    def jobs(self, run: str) -> dict[str, dict[str, Any]]:
        """Return the jobs of a run by kind."""
        rows = self._database.execute("SELECT * FROM jobs WHERE run = ?", (run,))
        return {row["kind"]: _read(row) for row in rows}

    def delete_job(self, run: str, kind: str) -> None:
        """Forget a job."""
        self._database.execute("DELETE FROM jobs WHERE run = ? AND kind = ?", (run, kind))

    def take_interrupted_jobs(self) -> list[tuple[str, str]]:
        """Remove jobs that were running when the page ended; return their runs and kinds."""
        rows = self._database.execute("SELECT run, kind FROM jobs WHERE state = 'running'")
        found = [(row["run"], row["kind"]) for row in rows.fetchall()]
        self._database.execute("DELETE FROM jobs WHERE state = 'running'")
        return found

    def _one(self, query: str, key: str) -> dict[str, Any] | None:
        row = self._database.execute(query, (key,)).fetchone()
        return None if row is None else _read(row)

    def _update(self, table: str, values: dict[str, Any], where: str, key: Iterable[Any]) -> None:
        # Names of columns come from this program, never from a request.
        columns = ", ".join(f"{name} = ?" for name in values)
        given = [json.dumps(v) if isinstance(v, dict) else v for v in values.values()]
        self._database.execute(f"UPDATE {table} SET {columns} WHERE {where}", (*given, *key))


def _remove(path: Path) -> None:
    """Remove a file, or a folder with all that is in it."""
    if not path.is_dir() or path.is_symlink():
        path.unlink(missing_ok=True)
        return
    # Renamed first, so that a process that still writes there by the old name fails.
    gone = path.with_name(secrets.token_hex(8))
    with contextlib.suppress(OSError):
        path = path.rename(gone)
    shutil.rmtree(path, ignore_errors=True)


def _read(row: sqlite3.Row) -> dict[str, Any]:
    found = dict(row)
    for name in ("summary", "settings", "outcome"):
        if name in found:
            found[name] = json.loads(found[name])
    return found
