"""Files that commands write: whole or not at all, and over existing files only with --force."""

from __future__ import annotations

import contextlib
import glob
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from surelist._common.files import put_files, target_of
from surelist.cli.printing import is_shown_whole, note
from surelist.cli.wording import worded
from surelist.errors import InputError

__all__ = ["NotWrittenError", "Unwritten", "claim", "write_bytes", "write_text"]


class NotWrittenError(InputError):
    """The result of a command could not be written; there is an exit code for that."""


class Unwritten:
    """Remembers that a file could not be written.

    The command still prints its result, and then ends with an exit code of its own.
    """

    def __init__(self) -> None:
        self.any = False

    def attempt(self, path: Path | None, write: Callable[[], object]) -> Path | None:
        """Write a file, if a path is given; return the path if it was written."""
        if path is None:
            return None
        try:
            write()
        except (InputError, OSError) as error:
            note(worded(error))
            self.any = True
            return None
        return path


def claim(force: bool, *paths: Path | None, inputs: Iterable[Path | None] = ()) -> None:
    """Refuse outputs that exist already, before any work is done for them.

    An output that is one of the inputs is refused in any case, and one that is given twice.

    Raises
    ------
    InputError
        Naming the file.
    """
    claimed: set[Path] = set()
    inputs = list(inputs)
    read = [path.stat() for path in _existing(inputs)]
    if any(str(path) == "-" for path in inputs):
        with contextlib.suppress(OSError):  # there may be no standard input
            read.append(os.fstat(0))
    for path in paths:
        if path is None or str(path) == "-":
            continue
        target = target_of(path)
        if target.exists() and any(os.path.samestat(target.stat(), source) for source in read):
            raise InputError(f"{path}: is read here, and would be lost; write to another file")
        if target.exists() and not force:
            raise InputError(f"{path}: exists already; --force replaces it")
        if not target.parent.is_dir():
            raise InputError(f"{path}: there is no folder {target.parent}; make it first")
        if not os.access(target.parent, os.W_OK):
            raise InputError(f"{path}: the folder {target.parent} may not be written to")
        if target in claimed or any(_same(target, other) for other in claimed):
            raise InputError(f"{path}: given for two files; give each a path of its own")
        claimed.add(target)


def _existing(inputs: Iterable[Path | None]) -> Iterator[Path]:
    """Yield the files that inputs name; some are patterns such as data/*.parquet."""
    for path in inputs:
        if path is None:
            continue
        try:
            exists = path.exists()
            found = [str(path)] if exists else glob.glob(str(path), recursive=True)  # noqa: PTH207
            yield from (Path(each) for each in found if Path(each).is_file())
        except (OSError, ValueError):
            continue  # not a path, but a URL of a database, say; its reader checks it


def _same(one: Path, other: Path) -> bool:
    """Whether two paths lead to the same existing file."""
    return one.exists() and other.exists() and one.samefile(other)


def write_text(path: Path | None, text: str, force: bool) -> None:
    """Write text to a file; None and ``-`` are standard output."""
    if path is None or str(path) == "-":
        if not is_shown_whole(text, sys.stdout):
            encoding = sys.stdout.encoding.removeprefix("plain-")
            note(
                f"standard output is in {encoding}, which lacks some characters; "
                "--output writes UTF-8"
            )
        sys.stdout.write(text)
        return
    write_bytes(path, text.encode(), force)


def write_bytes(path: Path, data: bytes, force: bool) -> None:
    """Write a file.

    Raises
    ------
    InputError
        Where the file may not be written.
    NotWrittenError
        Where it cannot be, on a full disk, say.
    """
    claim(force, path)
    try:
        put_files({target_of(path): [data]})
    except InputError as error:
        raise NotWrittenError(worded(error)) from error
