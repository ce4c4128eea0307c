"""Files that commands write: whole or not at all, and never over another without being told to."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from surelist._files import put_files, target_of
from surelist.errors import InputError

__all__ = ["claim", "write_bytes", "write_text"]


def claim(force: bool, *paths: Path | None) -> None:
    """Refuse outputs that exist already, before any work is done for them.

    Raises
    ------
    InputError
        Naming the file.
    """
    claimed: set[Path] = set()
    for path in paths:
        if path is None or str(path) == "-":
            continue
        target = target_of(path)
        if target.exists() and not force:
            raise InputError(f"{path}: exists already; --force replaces it")
        if not target.parent.is_dir():
            raise InputError(f"{path}: there is no folder {target.parent}; make it first")
        if not os.access(target.parent, os.W_OK):
            raise InputError(f"{path}: the folder {target.parent} may not be written to")
        if target in claimed:
            raise InputError(f"{path}: given for two files; give each a path of its own")
        claimed.add(target)


def write_text(path: Path | None, text: str, force: bool) -> None:
    """Write text to a file; None and ``-`` are standard output."""
    if path is None or str(path) == "-":
        sys.stdout.write(text)
        return
    write_bytes(path, text.encode(), force)


def write_bytes(path: Path, data: bytes, force: bool) -> None:
    """Write a file."""
    claim(force, path)
    put_files({target_of(path): [data]})
