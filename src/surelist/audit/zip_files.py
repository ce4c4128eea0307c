"""ZIP archives: the same files give the same bytes; archives of others are read with care.

Written archives hold no dates and are not compressed, so that the same files give the same bytes on
any machine. An archive of others may be made to do harm: it may unpack to terabytes, name files
outside its folder, or hold two files of one name, of which different programs see different ones.
So names are compared with those that are expected and never used as paths, and sizes are counted
while unpacking.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Collection, Mapping
from pathlib import Path

from surelist._common.files import PathLike
from surelist.errors import FormatError

__all__ = ["is_zip", "unpack_zip", "zip_bytes"]

_MAGIC = b"PK\x03\x04"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest that a ZIP archive can name
_CHUNK = 1 << 20
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1


def is_zip(path: PathLike) -> bool:
    """Whether a file begins as a ZIP archive does; False for a file that cannot be read."""
    try:
        with Path(path).open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except (OSError, ValueError):
        return False


def zip_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of some files: the same for the same names and contents.

    Examples
    --------
    >>> from surelist.audit.zip_files import zip_bytes
    >>> zip_bytes({"b": b"2", "a": b"1"}) == zip_bytes({"a": b"1", "b": b"2"})
    True
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            about = zipfile.ZipInfo(name, _EPOCH)
            about.create_system, about.external_attr = 3, 0o644 << 16
            archive.writestr(about, files[name])
    return packed.getvalue()


def unpack_zip(path: PathLike, folder: Path, allowed: Collection[str], most: int) -> set[str]:
    """Unpack an archive into a folder; return the names of its files.

    Parameters
    ----------
    path : path
    folder : Path
        An empty folder.
    allowed : collection of str
        The only names that the archive may hold, each at most once.
    most : int
        The most bytes that it may unpack to.

    Raises
    ------
    FormatError
        For an archive that is damaged, too large, or holds anything else.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            _check(entries, allowed, most, path)
            for entry in entries:
                _unpack(archive, entry, folder / entry.filename)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError) as error:
        raise FormatError(f"the archive is damaged ({error}); fetch it again", path) from None
    return {entry.filename for entry in entries}


def _check(
    entries: list[zipfile.ZipInfo], allowed: Collection[str], most: int, path: PathLike
) -> None:
    """Refuse what is not expected before anything is unpacked."""
    names = [entry.filename for entry in entries]
    for name in names:
        if name not in allowed:
            raise FormatError(f"it holds {name[:80]!r}, which is no part of a bundle", path)
        if names.count(name) > 1:
            raise FormatError(f"it holds two files called {name!r}", path)
    for entry in entries:
        if entry.flag_bits & _ENCRYPTED:
            raise FormatError(f"{entry.filename!r} in it is encrypted", path)
        if entry.compress_type not in _METHODS:
            raise FormatError(f"{entry.filename!r} in it is packed in an unusual way", path)
    if sum(entry.file_size for entry in entries) > most:
        raise FormatError(f"it unpacks to more than {most:,} bytes", path)


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path) -> None:
    """Unpack one file, but no more of it than the archive says that there is."""
    left = entry.file_size
    with archive.open(entry) as source, target.open("xb") as file:
        while chunk := source.read(_CHUNK):
            left -= len(chunk)
            if left < 0:
                raise zipfile.BadZipFile(f"{entry.filename!r} is longer than it claims")
            file.write(chunk)
    if left:
        raise zipfile.BadZipFile(f"{entry.filename!r} is shorter than it claims")
