"""Parquet and Arrow files into columns, safe against files that unpack to absurd sizes.

Both formats can hold much in few bytes: one long text can stand for a million rows, and so can one
number. So sizes are checked before anything is unpacked, and texts stay in dictionaries.
"""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np

from surelist._common.decompression import check_unpacked
from surelist._common.file_kinds import kind_of_content
from surelist.errors import FormatError
from surelist.tables.arrow_sizes import message_sizes, pages_size
from surelist.tables.column import Column
from surelist.tables.table import Table

__all__ = ["arrow_column", "read_arrow"]

_FILE_END = b"ARROW1"
_STREAM_AT = 8  # in an Arrow file


def read_arrow(data: bytes, name: str) -> Any:
    """Read a Parquet, Arrow or Feather file as a pyarrow table.

    Raises
    ------
    FormatError
        Where pyarrow is not there, or the file is damaged or unpacks absurdly far.
    """
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        from pyarrow import feather
    except ImportError:
        raise FormatError(
            "reading Parquet or Arrow needs pyarrow: pip install 'surelist[parquet]'", name
        ) from None
    try:
        kind = kind_of_content(data)
        if kind == "parquet":
            return _read_parquet(data, name)
        if kind == "arrow stream":
            return _read_stream(pa.py_buffer(data), name)
        if kind == "arrow":
            return _read_stream(_stream_in_file(data), name)
        return feather.read_table(io.BytesIO(data))  # the first version, which packs nothing
    except FormatError:
        raise
    except (pa.ArrowException, OSError, ValueError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise FormatError(f"the file is damaged ({first}); fetch or write it again", name) from None


def _read_parquet(data: bytes, name: str) -> Any:
    import pyarrow as pa
    from pyarrow import parquet

    file = parquet.ParquetFile(io.BytesIO(data))
    schema, metadata = file.schema_arrow, file.metadata
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    leaves = [file.schema.column(index) for index in range(metadata.num_columns)]
    # A number that repeats takes no room in the file, but it does in memory.
    in_memory = metadata.num_rows * sum(_bits(field.type) for field in schema) // 8
    in_lists = sum(
        group.column(index).num_values * _leaf_bits(leaf)
        for group in groups
        for index, leaf in enumerate(leaves)
    )
    said = sum(each.total_byte_size for each in groups)
    check_unpacked(max(in_memory, in_lists // 8, said), len(data), name)
    check_unpacked(pages_size(data, metadata), len(data), name)
    texts = [leaf.path for leaf in leaves if _is_bytes(leaf)]
    file = parquet.ParquetFile(io.BytesIO(data), read_dictionary=texts)
    parts, size = [], 0
    for index in range(metadata.num_row_groups):
        parts.append(file.read_row_group(index))
        size += parts[-1].nbytes  # what the file says of itself may be wrong
        check_unpacked(size, len(data), name)
    return pa.concat_tables(parts, promote_options="permissive") if parts else file.read()


def _stream_in_file(data: bytes) -> Any:
    """Return the stream in an Arrow file; before and after it are magic bytes, and an index."""
    import pyarrow as pa

    tail = len(_FILE_END)
    if not data.endswith(_FILE_END):
        raise ValueError("it does not end as it should")
    index = int.from_bytes(data[-tail - 4 : -tail], "little")
    return pa.py_buffer(data)[_STREAM_AT : max(_STREAM_AT, len(data) - tail - 4 - index)]


def _read_stream(data: Any, name: str) -> Any:
    import pyarrow as pa

    reader = pa.ipc.open_stream(data)
    bits, rows, size = sum(_bits(field.type) for field in reader.schema), 0, 0
    for n_rows, n_bytes in message_sizes(data):
        rows, size = rows + n_rows, size + n_bytes
        # Rows without values take no room in the file, nor do those that repeat.
        check_unpacked(max(size, rows * bits // 8), data.size, name)
    batches = list(reader)
    for batch in batches:
        batch.validate(full=True)  # its numbers are places in memory
    return pa.Table.from_batches(batches, schema=reader.schema)


def _bits(kind: Any) -> int:
    """Return how many bits a value takes; a text takes the number of its place."""
    try:
        return int(kind.bit_width)
    except ValueError:
        return 32


def _leaf_bits(leaf: Any) -> int:
    """Return how many bits a value of a Parquet column takes, one of a list among them."""
    bits = {"BOOLEAN": 1, "INT64": 64, "DOUBLE": 64, "INT96": 64}
    if leaf.physical_type == "FIXED_LEN_BYTE_ARRAY":
        return 8 * int(leaf.length)
    return bits.get(leaf.physical_type, 32)


def _is_bytes(leaf: Any) -> bool:
    """Whether values of a Parquet column are of any length, so that a dictionary pays."""
    return bool(leaf.physical_type == "BYTE_ARRAY" and leaf.logical_type.type != "DECIMAL")


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    types = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(fits(kind) for fits in types)


def arrow_column(frame: Any, table: Table, index: int, path: str) -> Column:
    """Return a column of a pyarrow table, texts by way of a dictionary of the different ones."""
    import pyarrow as pa

    column, name = frame.column(index), table.names[index]
    kind = column.type
    held = kind.value_type if pa.types.is_dictionary(kind) else kind
    if not _is_text(held):
        return table.column(index)
    if pa.types.is_string_view(kind):
        column = column.dictionary_encode()  # a copy might repeat one long text for each row
    elif not pa.types.is_dictionary(kind):
        column = column.cast(pa.large_string()).dictionary_encode()
    column = column.unify_dictionaries().combine_chunks()
    if isinstance(column, pa.ChunkedArray):  # which has no chunks
        return table.column(index)
    texts = column.dictionary.to_pylist()
    _refuse_long(texts, name, path)
    return _texts(name, texts, column.indices.fill_null(-1).to_numpy(zero_copy_only=False))


def _refuse_long(texts: list[str | None], name: str, path: str) -> None:
    """Refuse texts that no CSV file could hold: each condition on them would repeat them."""
    longest = max((len(text) for text in texts if text is not None), default=0)
    if longest > (most := csv.field_size_limit()):
        raise FormatError(
            f"column {name!r} holds a text of {longest:,} characters; {most:,} is the most: "
            "shorten it, or leave the column out",
            path,
        )


def _texts(name: str, texts: list[str | None], given: Any) -> Column:
    """Make a column of texts, which come in the order of their first rows."""
    places = given.astype(np.intp)
    used, first = np.unique(places, return_index=True)
    position: dict[str, int] = {}
    codes = np.full(len(texts) + 1, -1, dtype=np.intp)  # the last for -1, which is missing
    for place in used[np.argsort(first)].tolist():
        text = None if place < 0 else texts[place]
        if text is not None:
            codes[place] = position.setdefault(text, len(position))
    values = np.empty(len(position), dtype=object)
    values[:] = list(position)
    own = codes[places]
    return Column(name, "text", values, own < 0, own)
