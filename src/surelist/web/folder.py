"""The folder that the page keeps: its own, marked as such, and closed to everybody else.

The page deletes files in its folder. So it takes one only where it has made the folder itself,
where the folder is empty, or where a mark in it says that it is the page's and nothing else is
in it.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from surelist.errors import InputError
from surelist.web.doorway import DOOR
from surelist.web.store import DATABASE, PARTS, is_id

__all__ = ["MARK", "claimed", "close_to_others"]

MARK = "surelist-page.txt"
_LOCK = "lock"
_FIRST_LINE = "surelist page 1"
_TEXT = f"""{_FIRST_LINE}

`surelist serve` keeps its data sets and runs in this folder, and deletes what it no longer needs.
Put nothing else here. While the page is closed, the whole folder may be deleted.
"""
# All that there ever is in such a folder; the mark came later than the rest.
_OWN = {_LOCK, MARK, DOOR, DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", *PARTS}
_OF_FILE_MANAGERS = {".DS_Store", "Thumbs.db", "desktop.ini"}


@contextlib.contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Have the folder for this page alone, made where it is not there.

    Raises
    ------
    InputError
        Where it holds anything that is not the page's, cannot be closed to other users, or
        another page uses it. Nothing of anybody else's in it has changed then.
    """
    with contextlib.ExitStack() as held:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _check_ours(folder)
            held.enter_context(_locked(folder))
            close_to_others(folder)
            _mark(folder)
        except OSError as error:
            raise InputError(f"--folder {folder}: cannot be used ({error.strerror})") from None
        yield


def _check_ours(folder: Path) -> None:
    """Refuse a folder in which anything is not the page's; write nothing."""
    found = sorted(path.name for path in folder.iterdir())
    mark = _first_line(folder / MARK) if MARK in found else b""
    if mark not in (b"", _FIRST_LINE.encode()):
        raise InputError(
            f"--folder {folder}: {MARK} in it is of a newer Surelist, or not of the page; "
            "install that, or name another folder"
        )
    allowed = _OWN | _OF_FILE_MANAGERS if mark else _OWN
    strange = next((name for name in found if name not in allowed), None)
    if strange is None and not mark:
        strange = _strange_unmarked(folder, found)
    if strange is None:
        strange = _strange_inside(folder, found)
    if strange is not None:
        raise InputError(
            f"--folder {folder}: it holds {strange!r}, which is not the page's; move that elsewhere"
            if mark
            else f"--folder {folder}: it holds {strange!r}, which is not the page's; "
            f"name a new or an empty folder, such as {folder / 'surelist'}"
        )


def _first_line(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.readline(100).strip()


def _strange_unmarked(folder: Path, found: list[str]) -> str | None:
    """Return what is not the page's in a folder without a mark that looks like one of the page."""
    if set(found) <= {_LOCK, MARK}:  # a page that was killed as it began
        return next((name for name in found if (folder / name).stat().st_size), None)
    if DATABASE not in found:
        return found[0]
    if DOOR in found:  # which came with the mark
        return DOOR
    if _first_line(folder / DATABASE)[:15] not in (b"", b"SQLite format 3"):
        return DATABASE
    return None


def _strange_inside(folder: Path, found: list[str]) -> str | None:
    """Return what is not the page's among its data sets and runs."""
    for part in PARTS:
        inside = (folder / part).iterdir() if part in found else iter(())
        strange = next((path.name for path in inside if not is_id(path.name)), None)
        if strange is not None:
            return f"{part}/{strange}"
    return None


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other pages from the folder: each would take the other's runs for abandoned."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        yield
        return
    with (folder / _LOCK).open("w", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(
                f"another surelist serve uses {folder}; end it, or choose another --folder"
            ) from None
        yield


def _mark(folder: Path) -> None:
    path = folder / MARK
    if not path.exists() or path.stat().st_size == 0:
        path.write_text(_TEXT, encoding="utf-8")


def close_to_others(folder: Path) -> None:
    """Take from everybody but the owner what they may do with the folder and all that is in it."""
    for path in (folder, *folder.rglob("*")):
        mode = path.lstat().st_mode
        if stat.S_IMODE(mode) & 0o077 and not stat.S_ISLNK(mode):
            os.chmod(path, stat.S_IMODE(mode) & 0o700)  # noqa: PTH101
