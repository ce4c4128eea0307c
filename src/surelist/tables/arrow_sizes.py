"""The unpacked sizes of Parquet and Arrow files, as their headers state them.

pyarrow allocates a whole batch or page before its size can be checked, and has no limit for that.
But each packed buffer of Arrow begins with its unpacked length, and each page of Parquet has it in
its header. pyarrow allocates by these numbers, so they are added up here. The summary at the end of
a Parquet file says the same, unless it was tampered with.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

__all__ = ["message_sizes", "pages_size"]

# In Arrow's flatbuffers: fields of Message, of DictionaryBatch and of RecordBatch.
_KIND, _HEADER = 1, 2
_RECORDS = 1
_LENGTH, _BUFFERS, _COMPRESSION = 0, 2, 3
_DICTIONARY_KIND, _BATCH_KIND = 2, 3

# In Thrift's compact protocol: types, and fields of Parquet's PageHeader.
_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _STRUCT = 1, 2, 3, 4, 5, 6, 7, 8, 12
_UNPACKED, _PACKED = 2, 3
_DEEPEST = 4


def message_sizes(stream: Any) -> Iterator[tuple[int, int]]:
    """Give for each batch and dictionary of an Arrow stream its rows, and its bytes unpacked.

    Raises
    ------
    ValueError
        For a damaged stream; pyarrow's errors are among these.
    """
    import pyarrow as pa  # type: ignore[import-untyped]

    reader = pa.ipc.MessageReader.open_stream(stream)
    while True:
        try:
            message = reader.read_next_message()
        except StopIteration:
            return
        if message.metadata is None:
            return
        try:
            yield _batch_size(memoryview(message.metadata), message.body)
        except struct.error:
            raise ValueError("a message points beyond its end") from None


def _batch_size(metadata: memoryview, body: Any) -> tuple[int, int]:
    """Return rows and bytes of a message; none for one that holds no rows."""
    message = _Table(metadata, _number("<I", metadata, 0))
    kind = message.number(_KIND, "<B")
    if kind not in (_DICTIONARY_KIND, _BATCH_KIND):
        return 0, 0
    batch = message.table(_HEADER)
    batch = batch.table(_RECORDS) if kind == _DICTIONARY_KIND else batch
    held = memoryview(b"" if body is None else body)
    if not batch.place(_COMPRESSION):
        return batch.number(_LENGTH, "<q"), len(held)
    size = 0
    for offset, length in batch.pairs(_BUFFERS):
        unpacked = _number("<q", held, offset) if length else 0
        size += length if unpacked < 0 else unpacked  # -1 is a buffer that was left as it is
    return batch.number(_LENGTH, "<q"), size


def _number(form: str, data: memoryview, at: int) -> int:
    (number,) = struct.unpack_from(form, data, at)
    return int(number)


class _Table:
    """A table of a flatbuffer: fields by number, each of which may be absent."""

    def __init__(self, data: memoryview, at: int) -> None:
        self.data, self.at = data, at

    def place(self, field: int) -> int:
        """Return where a field stands, 0 if it is absent."""
        places = self.at - _number("<i", self.data, self.at)
        entry = 4 + 2 * field
        if entry >= _number("<H", self.data, places):
            return 0
        offset = _number("<H", self.data, places + entry)
        return self.at + offset if offset else 0

    def number(self, field: int, form: str) -> int:
        at = self.place(field)
        return _number(form, self.data, at) if at else 0

    def table(self, field: int) -> _Table:
        at = self.place(field)
        return _Table(self.data, at + _number("<I", self.data, at))

    def pairs(self, field: int) -> Iterator[tuple[int, int]]:
        """Give the members of a vector of pairs of long numbers."""
        at = self.place(field)
        at += _number("<I", self.data, at) if at else 0
        for index in range(_number("<I", self.data, at) if at else 0):
            offset, length = struct.unpack_from("<qq", self.data, at + 4 + 16 * index)
            yield offset, length


def pages_size(data: bytes, metadata: Any) -> int:
    """Return the bytes of all pages of a Parquet file, unpacked, by the headers of the pages.

    Raises
    ------
    ValueError
        For a damaged file.
    """
    size = 0
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        for chunk in map(group.column, range(group.num_columns)):
            at = chunk.data_page_offset
            if chunk.has_dictionary_page:
                at = min(at, chunk.dictionary_page_offset)
            end = at + chunk.total_compressed_size
            header = _Compact(data, at)
            while header.at < end:
                page = header.struct()
                size += page.get(_UNPACKED, 0)
                header.skip(page.get(_PACKED, 0))
    return size


class _Compact:
    """A reader of Thrift's compact protocol that finds the whole numbers of a struct."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at = data, at

    def struct(self, depth: int = 0) -> dict[int, int]:
        """Read a struct; return its fields, with 0 for those that are no whole numbers."""
        if depth > _DEEPEST:
            raise ValueError("a page header is too deep")
        found, field = dict[int, int](), 0
        while head := self._byte():
            field = field + (head >> 4) if head >> 4 else self._number()
            found[field] = self._value(head & 15, depth)
        return found

    def skip(self, count: int) -> None:
        if count < 0:
            raise ValueError("a page header has a negative length")
        self.at += count

    def _value(self, kind: int, depth: int) -> int:
        if kind in (_I16, _I32, _I64):
            return self._number()
        if kind == _STRUCT:
            self.struct(depth + 1)
        elif kind == _BINARY:
            self.skip(self._varint())
        elif kind in (_BYTE, _DOUBLE):
            self.skip(1 if kind == _BYTE else 8)
        elif kind not in (_TRUE, _FALSE):  # which need no bytes of their own
            raise ValueError(f"a page header holds a value of type {kind}")
        return 0

    def _byte(self) -> int:
        if not 0 <= self.at < len(self.data):
            raise ValueError("a page header lies beyond the end of the file")
        self.at += 1
        return self.data[self.at - 1]

    def _varint(self) -> int:
        number = shift = 0
        while (byte := self._byte()) > 127 and shift < 63:
            number, shift = number | (byte & 127) << shift, shift + 7
        return number | byte << shift

    def _number(self) -> int:
        zigzag = self._varint()
        return zigzag >> 1 ^ -(zigzag & 1)
