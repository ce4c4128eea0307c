"""The folder of the page: marked as its own, locked, and closed to other users.

The page deletes files in its folder. So it uses a folder only if it has made it itself, if the
folder is empty, or if a mark in it says that the page made it and nothing else is in it.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from surelist._common.file_kinds import kind_of_file
from surelist.errors import InputError, Message
from surelist.web.browser_link import LINK_FILE
from surelist.web.store import DATABASE, PARTS, is_id

__all__ = ["MARK", "claimed", "close_to_others"]

MARK = "surelist-page.txt"
_LOCK = "lock"
_FIRST_LINE = "surelist page 1"
_TEXT = f"""{_FIRST_LINE}

`surelist serve` keeps its data sets and runs in this folder, and deletes what it no longer needs.
Put nothing else here. While the page is closed, the whole folder may be deleted.
"""
# All names that the page uses in its folder; the first versions wrote no mark.
_OWN = {_LOCK, MARK, LINK_FILE, DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", *PARTS}
_OF_FILE_MANAGERS = {".DS_Store", "Thumbs.db", "desktop.ini"}


@contextlib.contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Lock the folder for this page alone while the context lasts; make it if need be.

    Raises
    ------
    InputError
        Where it holds anything that the page has not made, cannot be closed to other users, or
        another page uses it. Nothing in it that the page has not made has changed then.
    """
    with contextlib.ExitStack() as held:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _check_ours(folder)
            held.enter_context(_locked(folder))
            close_to_others(folder)
            _mark(folder)
        except OSError as error:
            reason = error.strerror
            raise InputError(Message("folder_unusable", folder=folder, reason=reason)) from None
        yield


def _check_ours(folder: Path) -> None:
    """Refuse a folder that holds anything that the page has not made; write nothing."""
    found = sorted(path.name for path in folder.iterdir())
    mark = _first_line(folder / MARK) if MARK in found else b""
    if mark not in (b"", _FIRST_LINE.encode()):
        raise InputError(Message("folder_newer", folder=folder, mark=MARK))
    allowed = _OWN | _OF_FILE_MANAGERS if mark else _OWN
    strange = next((name for name in found if name not in allowed), None)
    if strange is None and not mark:
        strange = _strange_unmarked(folder, found)
    if strange is None:
        strange = _strange_inside(folder, found)
    if strange is not None:
        if mark:
            raise InputError(Message("folder_shared", folder=folder, name=strange))
        proposed = folder / "surelist"
        raise InputError(Message("folder_foreign", folder=folder, name=strange, proposed=proposed))


def _first_line(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.readline(100).strip()


def _strange_unmarked(folder: Path, found: list[str]) -> str | None:
    """Return the name of a file that the page has not made, in a folder without a mark."""
    if set(found) <= {_LOCK, MARK}:  # left by a page that was killed as it began
        return next((name for name in found if (folder / name).stat().st_size), None)
    if DATABASE not in found:
        return found[0]
    if LINK_FILE in found:  # the versions that wrote it wrote the mark, too
        return LINK_FILE
    database = folder / DATABASE
    if database.stat().st_size and kind_of_file(database) != "sqlite":
        return DATABASE
    return None


def _strange_inside(folder: Path, found: list[str]) -> str | None:
    """Return a file that the page has not made, among its data sets and runs."""
    for part in PARTS:
        inside = (folder / part).iterdir() if part in found else iter(())
        strange = next((path.name for path in inside if not is_id(path.name)), None)
        if strange is not None:
            return f"{part}/{strange}"
    return None


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock the folder: two pages would each take the runs of the other for abandoned."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        yield
        return
    with (folder / _LOCK).open("w", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(Message("folder_in_use", folder=folder)) from None
        yield


def _mark(folder: Path) -> None:
    path = folder / MARK
    if not path.exists() or path.stat().st_size == 0:
        path.write_text(_TEXT, encoding="utf-8")


def close_to_others(folder: Path) -> None:
    """Remove the permissions of all but the owner from the folder and everything in it."""
    for path in (folder, *folder.rglob("*")):
        mode = path.lstat().st_mode
        if stat.S_IMODE(mode) & 0o077 and not stat.S_ISLNK(mode):
            os.chmod(path, stat.S_IMODE(mode) & 0o700)  # noqa: PTH101
