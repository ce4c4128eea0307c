"""The file of a certificate: its parts, packed from the log of closed prefixes that a search wrote.

docs/certificate_format.md describes both.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from surelist._common.files import PathLike
from surelist.errors import SurelistError

__all__ = ["MAGIC", "MAGICS", "count_prefixes", "pack", "with_header"]

MAGIC = b"surelist certificate 2\n"
MAGICS = (MAGIC, b"surelist certificate 1\n")  # of files that can be read
_MOST_RAW = 1 << 20
_LEVEL = 4  # of compression: a tenth larger than by level 6, in a third of its time
# A block that shrinks more than this is stored as it is: checkers refuse it otherwise, so that a
# small file never means much work.
_MOST_RATIO = 64


def pack(header: Mapping[str, Any], log: PathLike) -> Iterator[bytes]:
    """Return the file piece by piece: header, blocks, end and checksum."""
    digest = hashlib.sha256()
    for piece in _pieces(header, log):
        digest.update(piece)
        yield piece
    yield digest.digest()


def with_header(packed: bytes, header: Mapping[str, Any]) -> bytes:
    """Return a file with the same closed prefixes behind another header."""
    blocks = packed[packed.index(b"\n", len(MAGIC)) + 1 : -hashlib.sha256().digest_size]
    whole = _head(header) + blocks
    return whole + hashlib.sha256(whole).digest()


def count_prefixes(log: PathLike) -> int:
    """Return how many closed prefixes there are in a log."""
    return sum(count for count, _ in _chunks(log))


def _pieces(header: Mapping[str, Any], log: PathLike) -> Iterator[bytes]:
    yield _head(header)
    for _, chunk in _chunks(log):
        packed = zlib.compress(chunk, _LEVEL)
        if len(chunk) > _MOST_RATIO * len(packed):
            packed = zlib.compress(chunk, 0)
        yield len(packed).to_bytes(4, "little") + len(chunk).to_bytes(4, "little") + packed
    yield bytes(8)


def _head(header: Mapping[str, Any]) -> bytes:
    text = json.dumps(header, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return MAGIC + text.encode() + b"\n"


def _chunks(log: PathLike) -> Iterator[tuple[int, bytes]]:
    """Return for each chunk how many prefixes are in it, and its bytes."""
    with Path(log).open("rb") as file:
        while head := file.read(8):
            size, count = (int.from_bytes(part, "little") for part in (head[:4], head[4:]))
            chunk = file.read(size)
            if len(head) < 8 or not 0 < len(chunk) == size:
                raise _defect("is cut short")
            if size > _MOST_RAW:
                raise _defect("has a chunk that is too large")
            yield count, chunk


def _defect(what: str) -> SurelistError:
    return SurelistError(f"the log of closed prefixes {what}: please report this as a defect")
