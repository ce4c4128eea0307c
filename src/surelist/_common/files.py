"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import gzip
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import IO, cast

from surelist.errors import InputError

__all__ = ["TEMPORARY", "PathLike", "put_files", "target_of"]

# What temporary files of this module are called, where they have names of their own.
TEMPORARY = ".surelist-*.tmp"

PathLike = str | os.PathLike[str]


def target_of(path: PathLike) -> Path:
    """Return the regular file that a path leads to, through links; it need not exist.

    Raises
    ------
    InputError
        Where it is not a path, or leads to something that is not a regular file.
    """
    name = os.fsdecode(path)
    try:
        # Follow links: replacing a link by a file would leave the file it points to unchanged.
        target = Path(os.path.realpath(name))
        occupied = target.exists() and not target.is_file()
    except (OSError, ValueError) as error:
        raise InputError(f"{name!r}: not a path ({error})") from error
    if occupied:
        raise InputError(f"{name}: not a regular file; choose another path")
    return target


def put_files(
    files: dict[Path, Iterable[bytes]],
    *,
    compress: bool = True,
    content: str = "",
    reuse: bool = False,
) -> None:
    """Write each file beside its target and, once all are complete, move them into place.

    Parameters
    ----------
    files : dict of Path to iterable of bytes
        The pieces of each file, in order.
    compress : bool
        Whether a file whose name ends in ``.gz`` is compressed.
    content : str
        What the files hold, for the message where one cannot be written.
    reuse : bool
        Whether temporary files have always the same name, so that a process that is killed leaves
        at most one: for a file that is written over and over by one process.

    Raises
    ------
    InputError
        Where a file cannot be written. None of the targets has changed then.
    """
    staged = {target: target.with_name(_temporary(target, reuse)) for target in files}
    try:
        for target, pieces in files.items():
            packed = compress and target.suffix.lower() == ".gz"
            _write(staged[target], pieces, "wb" if reuse else "xb", compress=packed)
            if target.exists():
                shutil.copymode(target, staged[target])
        for target, temporary in staged.items():
            temporary.replace(target)
    except OSError as error:
        advice = "check that the folder exists, may be written to and has room"
        what = f"{content} cannot" if content else "cannot"
        raise InputError(f"{target}: {what} be written ({error.strerror}); {advice}") from error
    finally:
        for temporary in staged.values():
            with contextlib.suppress(OSError):
                temporary.unlink()


def _temporary(target: Path, reuse: bool) -> str:
    return f".{target.name}.part" if reuse else TEMPORARY.replace("*", os.urandom(8).hex())


def _write(path: Path, pieces: Iterable[bytes], mode: str, *, compress: bool) -> None:
    with cast("IO[bytes]", path.open(mode)) as file:
        if compress:  # without name and time, so that equal data give equal files
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packer:
                packer.writelines(pieces)
        else:
            file.writelines(pieces)
        file.flush()
        os.fsync(file.fileno())
