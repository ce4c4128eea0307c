"""Folders for what is needed only while a process lives, and is too large for memory.

A process that is killed cannot tidy up after itself, so the next one does. Each folder holds a file
that its owner keeps locked; the system lets the lock go when the owner ends, however it ends. So a
folder whose lock can be had has no owner. No process id is asked for: those are used again, and
mean something else in every container.
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
    """A new folder, which goes when it is closed, when nobody refers to it, or with the process.

    Folders beside it that killed processes have left are removed on the way.

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
    """Remove the folders whose owners are gone: ours alone, and only made on this machine."""
    if sys.platform == "win32":
        return
    with suppress(OSError):
        for path in list(_folders(directory)):
            held = _lock(path / _LOCK)
            if held is not None:
                _remove(str(path), held, os.getpid())


def _folders(directory: str | os.PathLike[str]) -> Iterator[Path]:
    """Give what looks like our folders; in a place that all may write to, anything may lie."""
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
        # On a disk that machines share, locks may hold on one of them only.
        os.write(held, platform.node().encode())
        # Under its name it is locked from the beginning: nobody can be faster.
        new.rename(folder / _LOCK)
    except OSError:  # no lock, so nobody will ever remove it but its owner
        os.close(held)
        return None
    return held


def _lock(path: Path) -> int | None:
    """Lock the file of a folder that somebody else has made; None where its owner lives."""
    import fcntl

    held = None
    try:
        held = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Somebody may have removed it, and another one made it again, since it was opened.
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
        return  # a copy of the process, which has not made it
    shutil.rmtree(folder, ignore_errors=True)
    if held is not None:
        os.close(held)
