"""Checkpoints: the state of a search in a file, from which `surelist.resume` goes on.

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
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from surelist.errors import FormatError, InputError

__all__ = ["FORMAT", "VERSION", "Checkpoint", "read_checkpoint", "refuse_unfinished"]

FORMAT = "surelist checkpoint"
VERSION = 1
_MAGIC = f"{FORMAT} ".encode()
_MOST_HEADER = 1 << 28
_DIGEST = 32


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """What a file says: a header that JSON can hold, and parts of bytes by name."""

    header: dict[str, Any]
    parts: dict[str, bytes]

    def write(self, path: Path) -> None:
        """Put the file in place: whole, or the one before stays.

        Raises
        ------
        InputError
            Where it cannot be written.
        """
        # Always the same name beside it: a process that is killed leaves at most one such file.
        temporary = path.with_name(f".{path.name}.part")
        try:
            with temporary.open("wb") as file:
                for piece in self._pieces():
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except OSError as error:
            raise InputError(
                f"{path}: the checkpoint cannot be written ({error.strerror}); check that the "
                "folder exists, may be written to and has room"
            ) from error

    def _pieces(self) -> list[bytes]:
        packed = {name: zlib.compress(part, 1) for name, part in self.parts.items()}
        sizes = {name: [len(packed[name]), len(part)] for name, part in self.parts.items()}
        header = {"software": version("surelist"), **self.header, "parts": sizes}
        text = json.dumps(header, ensure_ascii=False)
        pieces = [_MAGIC + f"{VERSION}\n".encode(), text.encode() + b"\n", *packed.values()]
        digest = hashlib.sha256()
        for piece in pieces:
            digest.update(piece)
        return [*pieces, digest.digest()]

    def array(self, name: str, dtype: Any) -> Any:
        """Return a part as an array, which may be changed."""
        return np.frombuffer(self.parts[name], dtype=dtype).copy()


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
    except (KeyError, TypeError, ValueError, zlib.error) as error:
        raise FormatError(f"the checkpoint is damaged: {error!r}", name) from None


def _writer(rest: bytes) -> str:
    try:
        return f", {json.loads(rest.splitlines()[0])['software']}"
    except (IndexError, KeyError, TypeError, ValueError):
        return ""


def _read_parts(data: bytes) -> Checkpoint:
    line, _, rest = data.partition(b"\n")
    header = json.loads(line)
    parts: dict[str, bytes] = {}
    for name, (packed, unpacked) in header.pop("parts").items():
        unpacker = zlib.decompressobj()
        parts[name] = unpacker.decompress(rest[:packed], unpacked + 1)
        if len(parts[name]) != unpacked:
            raise ValueError(f"the part {name!r} has another length")
        rest = rest[packed:]
    return Checkpoint(header, parts)


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
