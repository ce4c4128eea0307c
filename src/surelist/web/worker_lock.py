"""The lock that tells which process works in the folder of a run.

A search outlives a page that is closed or killed: it stops, and writes what it has found. The next
page has to wait for that. The process keeps a file in the folder locked; the system releases the
lock when the process ends, however it ends.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import IO

__all__ = ["lock_folder", "worker_of"]

_LOCK = "worker"
# Whoever asks whether there is a worker shares the lock for a moment.
_PATIENCE = 5.0
_PAUSE = 0.02


def lock_folder(folder: Path) -> IO[str] | None:
    """Lock a folder for this process, until the returned file is closed.

    Returns None where another process has locked it, and not only to look who has.
    """
    file = (folder / _LOCK).open("a+", encoding="ascii")
    ends = time.monotonic() + _PATIENCE
    while not _locked(file, alone=True):
        if time.monotonic() > ends:
            file.close()
            return None
        time.sleep(_PAUSE)
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()
    return file


def worker_of(folder: Path) -> int | None:
    """Return the id of the process that has locked a folder; None where there is none.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from surelist.web.worker_lock import worker_of
    >>> with TemporaryDirectory() as folder:
    ...     print(worker_of(Path(folder)))
    None
    """
    try:
        with (folder / _LOCK).open("r+", encoding="ascii") as file:
            return None if _locked(file, alone=False) else int(file.read() or 0) or None
    except (FileNotFoundError, ValueError):
        return None


def _locked(file: IO[str], *, alone: bool) -> bool:
    """Lock a file, for this process alone or shared with others; return whether that worked."""
    try:
        import fcntl
    except ImportError:  # not on Windows, where a search ends with its page
        return True
    try:
        fcntl.flock(file, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
