"""Temporary folders for data that do not fit in memory, removed with the process that made them.

A process that is killed removes nothing, so the next one does it. Each folder holds a file that its
owner keeps locked; the system releases the lock when the owner ends, however it ends. So a folder
whose file can be locked has no owner any more. Process ids would not do: they are used again, and
containers have their own.
"""

from __future__ import annotations

import os
import platform
import shutil
import stat
import sys
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

__all__ = ["Scratch", "remove_abandoned"]

_PREFIX = "surelist-"
_LOCK = ".owner"


class Scratch:
    """A new folder, removed when it is closed, when nothing refers to it, or when the process ends.

    Making one also removes the folders that killed processes have left beside it.

    Parameters
    ----------
    directory : path, optional
        Where; None is the system's place for temporary files.

    Attributes
    ----------
    path : Path
    close : callable
        Removes the folder and all that is in it.

    Examples
    --------
    >>> from surelist._common.scratch import Scratch
    >>> scratch = Scratch()
    >>> scratch.path.is_dir()
    True
    >>> scratch.close()
    >>> scratch.path.exists()
    False
    """

    def __init__(self, directory: str | os.PathLike[str] | None = None) -> None:
        place = tempfile.gettempdir() if directory is None else os.fspath(directory)
        remove_abandoned(place)
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
        held = _hold(self.path)
        self.close = weakref.finalize(self, _remove, str(self.path), held, os.getpid())


def remove_abandoned(directory: str | os.PathLike[str]) -> None:
    """Remove folders whose owners have ended: those of this user, made on this machine."""
    if sys.platform == "win32":
        return
    with suppress(OSError):
        for path in list(_folders(directory)):
            held = _lock(path / _LOCK)
            if held is not None:
                _remove(str(path), held, os.getpid())


def _folders(directory: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield folders with our prefix that belong to this user; others may write there, too."""
    with os.scandir(directory) as entries:
        for entry in entries:
            if not entry.name.startswith(_PREFIX):
                continue
            with suppress(OSError):
                found = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid():
                    yield Path(entry.path)


def _hold(folder: Path) -> int | None:
    """Keep a file of the folder locked; None where the system has no such locks."""
    if sys.platform == "win32":
        return None
    import fcntl

    new = folder / f"{_LOCK}.new"
    held = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # On a disk that machines share, a lock may be known to one machine only.
        os.write(held, platform.node().encode())
        # Renamed after locking: no other process can lock it first.
        new.rename(folder / _LOCK)
    except OSError:  # without a lock, only its owner will remove the folder
        os.close(held)
        return None
    return held


def _lock(path: Path) -> int | None:
    """Lock the file of a folder that another process made; None where its owner is alive."""
    import fcntl

    held = None
    try:
        held = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # It may have been removed and made again since it was opened.
        same = os.path.samestat(os.fstat(held), path.lstat())
        if same and os.read(held, 1000) == platform.node().encode():
            return held
    except OSError:
        pass
    if held is not None:
        os.close(held)
    return None


def _remove(folder: str, held: int | None, owner: int) -> None:
    if os.getpid() != owner:
        return  # a fork of the process that made it
    shutil.rmtree(folder, ignore_errors=True)
    if held is not None:
        os.close(held)
