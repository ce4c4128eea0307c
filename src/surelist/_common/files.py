"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import gzip
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from secrets import token_hex

from surelist.errors import InputError

__all__ = ["PathLike", "put_files", "target_of"]

PathLike = str | os.PathLike[str]


def target_of(path: PathLike) -> Path:
    """Return the regular file that a path stands for, through links; it need not exist.

    Raises
    ------
    InputError
        Where the path is none, or leads to something that is not a file.
    """
    name = os.fsdecode(path)
    try:
        # Through a link to the file it points to: replacing the link itself would part the two.
        target = Path(os.path.realpath(name))
        occupied = target.exists() and not target.is_file()
    except (OSError, ValueError) as error:
        raise InputError(f"{name!r}: not a path ({error})") from error
    if occupied:
        raise InputError(f"{name}: not a regular file; choose another path")
    return target


def put_files(files: dict[Path, Iterable[bytes]], *, compress: bool = True) -> None:
    """Write each file beside its target and, once all are complete, move them into place.

    A file whose name ends in ``.gz`` is compressed, unless ``compress`` forbids it.
    """
    staged = {target: target.with_name(f".surelist-{token_hex(8)}.tmp") for target in files}
    try:
        for target, lines in files.items():
            packed = compress and target.suffix.lower() == ".gz"
            _write_new(staged[target], lines, compress=packed)
            if target.exists():
                shutil.copymode(target, staged[target])
        for target, temporary in staged.items():
            temporary.replace(target)
    except OSError as error:
        advice = "check that the folder exists, may be written to and has room"
        raise InputError(f"{target}: cannot be written ({error.strerror}); {advice}") from error
    finally:
        for temporary in staged.values():
            with contextlib.suppress(OSError):
                temporary.unlink()


def _write_new(path: Path, lines: Iterable[bytes], *, compress: bool) -> None:
    with path.open("xb") as file:
        if compress:  # without name and time, so that equal data give equal files
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packer:
                packer.writelines(lines)
        else:
            file.writelines(lines)
        file.flush()
        os.fsync(file.fileno())
