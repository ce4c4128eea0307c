"""Limits on decompression: a small file must not fill the memory.

Ordinary text compresses at most a hundredfold. So a file may unpack to a hundred times its size, or
to 256 MiB if that is more. For anything beyond, the user has to raise the limit.
"""

from __future__ import annotations

import gzip
import io
import os
import zlib
from typing import IO, Any, cast

from surelist._common.file_kinds import is_gzip
from surelist.errors import FormatError, InputError

__all__ = [
    "DAMAGED_GZIP",
    "DAMAGED_GZIP_TEXT",
    "MOST_UNPACKED",
    "check_unpacked",
    "unpacked",
    "unpacked_if_gzip",
]

# What Python's gzip raises for data that are damaged, and what to say then.
DAMAGED_GZIP = (EOFError, zlib.error, gzip.BadGzipFile)
DAMAGED_GZIP_TEXT = "the gzip data is cut short or damaged; fetch or pack the file again"
# The environment variable that allows more, or less.
MOST_UNPACKED = "SURELIST_MOST_UNPACKED"

_HARMLESS = 256 << 20
_RATIO = 100
_CHUNK = 1 << 20


def check_unpacked(size: int, packed: int, name: str) -> None:
    """Refuse a file of ``packed`` bytes that unpacks to ``size`` bytes, if these are too many.

    Raises
    ------
    FormatError

    Examples
    --------
    >>> from surelist._common.decompression import check_unpacked
    >>> check_unpacked(1 << 30, 50 << 20, "data.csv.gz")
    >>> check_unpacked(1 << 30, 1 << 20, "data.csv.gz")
    Traceback (most recent call last):
    ...
    surelist.errors.FormatError: data.csv.gz: it unpacks from 1.0 to more than 256.0 MiB, as ...
    """
    most = _most(packed)
    if size > most:
        raise FormatError(
            f"it unpacks from {packed / 2**20:.1f} to more than {most / 2**20:.1f} MiB, as hardly "
            f"any data does; if you trust it, unpack it first, or set {MOST_UNPACKED} to as many "
            "bytes as you allow",
            name,
        )


def _most(packed: int) -> int:
    given = os.environ.get(MOST_UNPACKED, "")
    if not given:
        return max(_HARMLESS, _RATIO * packed)
    if not given.isascii() or not given.isdigit():
        raise InputError(f"{MOST_UNPACKED} must be a number of bytes; got {given!r}")
    return int(given[:20])


def unpacked(file: IO[bytes], packed: int, name: str) -> Any:
    """Return a stream of what a gzipped file of so many bytes holds, within the bounds."""
    return io.BufferedReader(_Bounded(gzip.GzipFile(fileobj=file), packed, name), _CHUNK)


def unpacked_if_gzip(file: IO[bytes]) -> IO[bytes]:
    """Return a stream of what a file holds, unpacked where it is gzipped.

    For callers that read no more than a limit of their own: nothing bounds it here. Reading from it
    may raise what `DAMAGED_GZIP` names.
    """
    packed = is_gzip(file.read(2))
    file.seek(0)
    return cast("IO[bytes]", gzip.GzipFile(fileobj=file)) if packed else file


class _Bounded(io.RawIOBase):
    """Unpacks, and counts the bytes that come out."""

    def __init__(self, stream: gzip.GzipFile, packed: int, name: str) -> None:
        self._stream, self._packed, self._name = stream, packed, name
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        try:
            data = self._stream.read1(len(buffer))  # what stands before damaged data is still read
        except DAMAGED_GZIP:
            raise FormatError(DAMAGED_GZIP_TEXT, self._name) from None
        self._size += len(data)
        check_unpacked(self._size, self._packed, self._name)
        buffer[: len(data)] = data
        return len(data)
