"""Which process is at work in the folder of a run.

A search outlives a page that is closed or killed: it stops, and writes down what it has found. The
next page has to wait for that. The process keeps a file of the folder locked; the system lets the
lock go when the process ends, however it ends.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

__all__ = ["begin_work", "worker_of"]

_LOCK = "worker"


def begin_work(folder: Path) -> IO[str] | None:
    """Say that this process is at work in a folder, until the returned file is closed.

    Returns None where another one is.
    """
    file = (folder / _LOCK).open("a+", encoding="ascii")
    if not _locked(file):
        file.close()
        return None
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()
    return file


def worker_of(folder: Path) -> int | None:
    """Return the id of the process that is at work in a folder; None where there is none.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from surelist.web.at_work import worker_of
    >>> with TemporaryDirectory() as folder:
    ...     print(worker_of(Path(folder)))
    None
    """
    try:
        with (folder / _LOCK).open("r+", encoding="ascii") as file:
            return None if _locked(file) else int(file.read() or 0) or None
    except (FileNotFoundError, ValueError):
        return None


def _locked(file: IO[str]) -> bool:
    """Lock a file, and say whether that worked."""
    try:
        import fcntl
    except ImportError:  # not on Windows, where a search ends with its page
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
