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

import numpy as np

from surelist._common.files import PathLike
from surelist.errors import SurelistError

__all__ = ["MAGIC", "count_prefixes", "pack"]

MAGIC = b"surelist certificate 1\n"
_MOST_RAW = 1 << 20
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


def count_prefixes(log: PathLike) -> int:
    """Return how many closed prefixes there are in a log."""
    return sum(map(_count, _chunks(log)))


def _pieces(header: Mapping[str, Any], log: PathLike) -> Iterator[bytes]:
    text = json.dumps(header, sort_keys=True, ensure_ascii=False, allow_nan=False)
    yield MAGIC + text.encode() + b"\n"
    for chunk in _chunks(log):
        packed = zlib.compress(chunk, 6)
        if len(chunk) > _MOST_RATIO * len(packed):
            packed = zlib.compress(chunk, 0)
        yield len(packed).to_bytes(4, "little") + len(chunk).to_bytes(4, "little") + packed
    yield bytes(8)


def _chunks(log: PathLike) -> Iterator[bytes]:
    with Path(log).open("rb") as file:
        while length := file.read(4):
            chunk = file.read(int.from_bytes(length, "little"))
            if len(length) < 4 or not 0 < len(chunk) == int.from_bytes(length, "little"):
                raise _defect("is cut short")
            if len(chunk) > _MOST_RAW:
                raise _defect("has a chunk that is too large")
            yield chunk


def _count(chunk: bytes) -> int:
    data = np.frombuffer(chunk, np.uint8)
    # Numbers end where the high bit is clear; the second of a prefix says how many follow it.
    ends = np.flatnonzero(data < 128).tolist()
    count, at, end = 0, 0, len(ends)
    while at < end:
        if at + 1 == end:
            raise _defect("is not complete")
        added = 0
        for byte in reversed(chunk[ends[at] + 1 : ends[at + 1] + 1]):
            added = added << 7 | byte & 127
        at += 2 + added
        count += 1
    if at != end:
        raise _defect("is not complete")
    return count


def _defect(what: str) -> SurelistError:
    return SurelistError(f"the log of closed prefixes {what}: please report this as a defect")
