"""Checkpoints: the state of a search in a file, from which `surelist.resume` continues.

The file holds all that is needed: parameters, the groups of the training rows, the engine's state
and, where a certificate is wanted, the closed prefixes so far. It is replaced as a whole, so that
there is a complete one at any moment. docs/scale.md describes the format.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from surelist._common.files import put_files
from surelist._common.strict_json import DamagedError, parse
from surelist._common.version import version
from surelist.errors import FormatError, InputError

__all__ = ["FORMAT", "VERSION", "Checkpoint", "read_checkpoint", "refuse_unfinished"]

FORMAT = "surelist checkpoint"
VERSION = 4
_MAGIC = f"{FORMAT} ".encode()
_MOST_PART = 1 << 40
_DIGEST = 32


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """The contents of a checkpoint: a header that JSON can hold, and parts of bytes by name."""

    header: dict[str, Any]
    parts: dict[str, bytes]

    def write(self, path: Path) -> None:
        """Write the file atomically: on failure the earlier one stays.

        Raises
        ------
        InputError
            Where it cannot be written.
        """
        put_files({path: self._pieces()}, compress=False, content="the checkpoint", reuse=True)

    def _pieces(self) -> list[bytes]:
        packed = {name: zlib.compress(part, 1) for name, part in self.parts.items()}
        sizes = {name: [len(packed[name]), len(part)] for name, part in self.parts.items()}
        header = {"software": version(), **self.header, "parts": sizes}
        text = json.dumps(header, ensure_ascii=False)
        pieces = [_MAGIC + f"{VERSION}\n".encode(), text.encode() + b"\n", *packed.values()]
        digest = hashlib.sha256()
        for piece in pieces:
            digest.update(piece)
        return [*pieces, digest.digest()]

    def part(self, name: str) -> bytes:
        """Return a part.

        Raises
        ------
        DamagedError
            Where there is none of that name.
        """
        if name not in self.parts:
            raise DamagedError("parts", f"the part {name!r} is missing")
        return self.parts[name]

    def array(self, name: str, dtype: Any, width: int) -> Any:
        """Return a part as an array of so many columns, which may be changed.

        Raises
        ------
        DamagedError
        """
        part = self.part(name)
        if len(part) % (width * np.dtype(dtype).itemsize):
            raise DamagedError(f"parts.{name}", f"its size is not that of rows of {width} columns")
        return np.frombuffer(part, dtype=dtype).reshape(-1, width).copy()


def read_checkpoint(path: str | os.PathLike[str]) -> Checkpoint:
    """Read a checkpoint.

    Raises
    ------
    FormatError
        For a file that cannot be read, is no checkpoint, is damaged, or of another version.
    """
    name = os.fsdecode(path)
    try:
        data = Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise FormatError(f"the checkpoint cannot be read ({error})", name) from None
    magic, found, rest = data.partition(b"\n")
    if not found or not magic.startswith(_MAGIC):
        raise FormatError("this is no checkpoint of a search", name)
    if magic != _MAGIC + f"{VERSION}".encode():
        raise FormatError(
            f"this is a {magic.decode(errors='replace')}; version {VERSION} is understood here: "
            f"resume it with the version of surelist that wrote it{_writer(rest)}",
            name,
        )
    if hashlib.sha256(data[:-_DIGEST]).digest() != data[-_DIGEST:]:
        raise FormatError("the checkpoint is cut short or damaged: its checksum is wrong", name)
    try:
        return _read_parts(data[len(magic) + 1 : -_DIGEST])
    except (UnicodeError, json.JSONDecodeError, zlib.error) as error:
        raise FormatError(f"the checkpoint is damaged: {error}", name) from None
    except DamagedError as error:
        raise FormatError(f"the checkpoint is damaged: {error}", name) from None


def _writer(rest: bytes) -> str:
    try:
        return f", {parse(rest.splitlines()[0].decode(), infinite=True)['software'].text()}"
    except (IndexError, ValueError):
        return ""


def _read_parts(data: bytes) -> Checkpoint:
    line, _, rest = data.partition(b"\n")
    top = parse(line.decode(), infinite=True)  # a trace has infinite numbers
    if b"\\ud" in line.lower():  # unpaired surrogates, which cannot be written again
        json.dumps(top.value, ensure_ascii=False).encode()
    parts: dict[str, bytes] = {}
    for name, place in top["parts"].fields():
        sizes = [size.whole(0, _MOST_PART) for size in place.items()]
        if len(sizes) != 2:
            raise place.fault("expected two sizes, packed and unpacked")
        packed, unpacked = sizes
        parts[name] = zlib.decompressobj().decompress(rest[:packed], unpacked + 1)
        if len(parts[name]) != unpacked:
            raise place.fault("the part has another length")
        rest = rest[packed:]
    return Checkpoint({key: top.value[key] for key in top.value if key != "parts"}, parts)


def refuse_unfinished(path: Path) -> None:
    """Refuse to begin a new search over the checkpoint of one that has not ended.

    Raises
    ------
    InputError
    """
    if not path.exists():
        return
    try:
        status: Mapping[str, Any] | str = read_checkpoint(path).header["status"]
    except (FormatError, KeyError):
        status = "unknown"
    if status != "optimal":
        raise InputError(
            f"{path} exists already, and may hold a search that has not ended: go on with "
            "surelist.resume or `surelist resume`, or remove it first"
        )
