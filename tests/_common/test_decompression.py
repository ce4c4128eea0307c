"""Small files that would unpack to large ones are refused, or stay small; by every reader."""

from __future__ import annotations

import gzip
import io
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from cli_helpers import run

from surelist import FormatError
from surelist.estimators.corels import text_files as corels_text
from surelist.runs.rows import Source
from surelist.tables import csv_text
from surelist.tables.files import open_table
from surelist.web.dataset_files import open_source
from surelist.web.file_names import ABOUT, SOURCE
from surelist.web.limits import Limits
from surelist.web.summary import summarize

MB = 1 << 20


def packed(line: bytes, times: int, head: bytes = b"x,y\n") -> bytes:
    return gzip.compress(head + line * times, 9)


@pytest.fixture
def few_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if little memory were harmless: tests need not fill any."""
    monkeypatch.setattr("surelist._common.decompression._HARMLESS", MB // 4)


@pytest.mark.slow
@pytest.mark.usefixtures("few_bytes")
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_gzip_bombs_are_refused(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    engine: str,
) -> None:
    bomb = tmp_path / "bomb.csv.gz"
    bomb.write_bytes(packed(b"0,1\n1,0\n", MB // 16))
    assert bomb.stat().st_size < 5000
    error = run(capfd, "fit", bomb, "-l", "y", "--engine", engine).error
    assert "it unpacks from 0.0 to more than 0.2 MiB" in error
    assert "unpack it first, or set SURELIST_MOST_UNPACKED" in error
    monkeypatch.setenv("SURELIST_MOST_UNPACKED", str(MB))
    assert run(capfd, "fit", bomb, "-l", "y", "--engine", engine).code == 0
    monkeypatch.setenv("SURELIST_MOST_UNPACKED", "much")
    assert "must be a number of bytes; got 'much'" in run(capfd, "fit", bomb, "-l", "y").error


@pytest.mark.slow
@pytest.mark.usefixtures("few_bytes")
def test_what_packs_as_data_do_is_read(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    rows = "\n".join(f"{a},{b}" for a, b in rng.integers(0, 9, (80_000, 2)))
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress(f"x,y\n{rows}".encode(), 1))
    assert open_table(path).shape == (80_000, 2)


@pytest.mark.usefixtures("few_bytes")
def test_corels_text_is_bounded(tmp_path: Path) -> None:
    out, label = tmp_path / "a.out.gz", tmp_path / "a.label"
    label.write_text("{n} 1 0\n{y} 0 1\n")
    out.write_bytes(packed(b" 0 1", MB, b"{x}"))  # one long line
    with pytest.raises(FormatError, match=r"a\.out\.gz:1: it unpacks"):
        corels_text.read(out, label)


def write_parquet(table: pa.Table, **how: Any) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream, compression="zstd", **how)
    return stream.getvalue()


@pytest.mark.usefixtures("few_bytes")
@pytest.mark.parametrize(
    ("table", "how"),
    [
        ({"x": ["a" * 3 * MB, "b" * 3 * MB]}, {"use_dictionary": False}),
        ({"x": ["a" * 3 * MB, "b" * 3 * MB]}, {}),
        ({"x": np.zeros(MB), "y": np.ones(MB, np.int64)}, {}),
        ({"x": np.zeros(5 * MB, np.int8)}, {"row_group_size": MB}),
    ],
)
def test_parquet_that_says_much_in_few_bytes_is_refused(
    tmp_path: Path, table: dict[str, Any], how: dict[str, Any]
) -> None:
    data = write_parquet(pa.table(table), **how)
    assert len(data) < 20_000
    path = tmp_path / "data.parquet"
    path.write_bytes(data)
    with pytest.raises(FormatError, match="unpacks from"):
        open_table(path)


@pytest.mark.usefixtures("few_bytes")
def test_arrow_is_bounded(tmp_path: Path) -> None:
    batch = pa.record_batch({"x": np.zeros(MB, np.int8)})
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    for kind in (pa.ipc.new_file, pa.ipc.new_stream):
        path = tmp_path / kind.__name__
        with kind(path, batch.schema, options=options) as writer:
            for _ in range(6):
                writer.write_batch(batch)
        assert path.stat().st_size < 20_000
        with pytest.raises(FormatError, match="unpacks from"):
            open_table(path)


# Buffers point to their pool without keeping it alive, and some are freed late.
POOLS: list[Any] = []


@pytest.fixture
def pool() -> Iterator[Any]:
    """Count what pyarrow takes meanwhile."""
    usual = pa.default_memory_pool()
    counting = pa.proxy_memory_pool(usual)
    POOLS.append(counting)
    pa.set_memory_pool(counting)
    yield counting
    pa.set_memory_pool(usual)


def write_arrow(batch: pa.RecordBatch, kind: str, **how: Any) -> bytes:
    stream = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression="zstd", **how)
    with getattr(pa.ipc, f"new_{kind}")(stream, batch.schema, options=options) as writer:
        writer.write_batch(batch)
    return stream.getvalue()


def one_text_often() -> pa.Array:
    """Forty thousand rows of 100 kB each that are all the same ones."""
    few = pa.array(["a" * 100_000, "b" * 100_000], pa.string_view())
    _, views, *texts = few.buffers()
    views = pa.py_buffer(views.to_pybytes()[:32] * 20_000)
    return pa.Array.from_buffers(pa.string_view(), 40_000, [None, views, *texts])


@pytest.mark.usefixtures("few_bytes")
@pytest.mark.parametrize("kind", ["file", "stream"])
@pytest.mark.parametrize(
    "column",
    [
        pa.array(np.zeros(8 * MB, np.int8)),
        pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["a" * 4 * MB, "b" * 4 * MB])),
        pa.array(["a" * 4 * MB, "b" * 4 * MB]),
        pa.nulls(8 * MB),
        pa.RunEndEncodedArray.from_arrays([8 * MB], ["x"]),
    ],
    ids=["numbers", "dictionary", "text", "nothing", "runs"],
)
def test_one_large_batch_is_refused_before_it_is_unpacked(
    tmp_path: Path, pool: Any, column: pa.Array, kind: str
) -> None:
    path = tmp_path / "data.arrow"
    path.write_bytes(write_arrow(pa.record_batch({"x": column}), kind))
    assert path.stat().st_size < 20_000
    before = pool.max_memory()
    with pytest.raises(FormatError, match="unpacks from"):
        open_table(path)
    assert pool.max_memory() - before < MB


@pytest.mark.parametrize("kind", ["file", "stream"])
def test_batches_are_read_whole_or_not_at_all(tmp_path: Path, kind: str) -> None:
    rng = np.random.default_rng(4)
    texts = pa.array([f"text {number}" for number in rng.integers(0, 9, 1000)])
    columns = {
        "x": rng.random(1000),
        "y": texts.dictionary_encode(),
        "z": pa.array([None, True] * 500),
    }
    path = tmp_path / "data.arrow"
    path.write_bytes(data := write_arrow(pa.record_batch(columns), kind))
    table = open_table(path)
    assert np.array_equal(table.column(0).values, columns["x"])
    assert table.column(1).values[table.column(1).codes].tolist() == texts.to_pylist()
    for size in range(8, len(data) - 12, 97):
        path.write_bytes(data[:size])
        with pytest.raises(FormatError, match=r"damaged|no rows"):
            open_table(path)


def test_places_beyond_the_values_are_refused(tmp_path: Path) -> None:
    places = pa.array([0, 7, 1], pa.int32())
    column = pa.DictionaryArray.from_arrays(places, pa.array(["a", "b"]), safe=False)
    path = tmp_path / "data.arrow"
    path.write_bytes(write_arrow(pa.record_batch({"x": column}), "file"))
    with pytest.raises(FormatError, match="damaged"):
        open_table(path)


def test_views_of_one_text_are_not_copied(tmp_path: Path, pool: Any) -> None:
    path = tmp_path / "data.arrow"
    path.write_bytes(write_arrow(pa.record_batch({"x": one_text_often()}), "file"))
    before = pool.max_memory()
    read = open_table(path).column(0)
    assert pool.max_memory() - before < 20 * MB
    assert read.codes is not None
    assert read.codes[:3].tolist() == [0, 1, 0]


@pytest.mark.usefixtures("few_bytes")
def test_what_a_parquet_file_says_of_itself_is_not_believed(tmp_path: Path, pool: Any) -> None:
    data = write_parquet(pa.table({"x": ["a" * 4 * MB]}), use_dictionary=False)
    chunk = pq.read_metadata(io.BytesIO(data)).row_group(0).column(0)
    for size in {chunk.total_uncompressed_size, chunk.total_uncompressed_size * 2}:
        data = data.replace(varint(2 * size), b"\x82\x80\x80\x00")
    assert pq.read_metadata(io.BytesIO(data)).row_group(0).total_byte_size == 1
    path = tmp_path / "data.parquet"
    path.write_bytes(data)
    before = pool.max_memory()
    with pytest.raises(FormatError, match="unpacks from"):
        open_table(path)
    assert pool.max_memory() - before < MB


def varint(number: int) -> bytes:
    digits = [number >> shift & 127 for shift in range(0, number.bit_length(), 7)]
    return bytes([*(digit | 128 for digit in digits[:-1]), digits[-1]])


@pytest.mark.usefixtures("few_bytes")
def test_lists_are_counted_by_their_values(tmp_path: Path, pool: Any) -> None:
    path = tmp_path / "data.parquet"
    path.write_bytes(write_parquet(pa.table({"x": [np.zeros(MB, np.int64)]})))
    before = pool.max_memory()
    with pytest.raises(FormatError, match="unpacks from"):
        open_table(path)
    assert pool.max_memory() - before < MB


def test_bytes_of_a_dictionary_are_not_repeated(tmp_path: Path, pool: Any) -> None:
    column = pa.array([b"a" * 100_000, b"b" * 100_000]).dictionary_encode()
    column = column.take(pa.array([0, 1] * 5_000))
    path = tmp_path / "data.parquet"
    data = write_parquet(pa.table({"x": column, "y": range(10_000)}), store_schema=False)
    path.write_bytes(data)
    before = pool.max_memory()
    assert len(open_table(path).named_column("y", "a test").values) == 10_000
    assert pool.max_memory() - before < 20 * MB


@pytest.mark.parametrize("store_schema", [False, True])
def test_texts_of_a_dictionary_are_not_repeated(tmp_path: Path, store_schema: bool) -> None:
    """Ten thousand rows of 100 kB each: a gigabyte, if each had its own."""
    long = ["a" * 100_000, "b" * 100_000, "c"]
    codes = pa.array([None if row % 4 == 1 else row % 4 * 2 // 3 for row in range(40_000)])
    column = pa.DictionaryArray.from_arrays(codes.cast(pa.int32()), pa.array(long))
    path = tmp_path / "data.parquet"
    path.write_bytes(write_parquet(pa.table({"x": column}), store_schema=store_schema))
    before = pa.total_allocated_bytes()
    read = open_table(path).column(0)
    assert pa.total_allocated_bytes() - before < 20 * MB
    assert read.kind == "text"
    assert read.codes is not None
    assert read.values.tolist() == long
    assert read.codes[:5].tolist() == [0, -1, 1, 2, 0]


def test_texts_longer_than_csv_allows_are_refused_where_they_are_used(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    path.write_bytes(write_parquet(pa.table({"x": ["a" * 200_000, "b"], "z": [1, 2]})))
    table = open_table(path)
    assert table.named_column("z", "a test").values.tolist() == [1, 2]
    with pytest.raises(FormatError, match="'x' holds a text of 200,000 characters; 131,072 is"):
        table.named_column("x", "a test")


@pytest.mark.slow
def test_memory_stays_a_small_multiple(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Different numbers in every cell are the most that a CSV file can ask for."""
    monkeypatch.setattr(csv_text, "_CHUNK", 1 << 12)  # as in a larger file, the first rows are few
    monkeypatch.setattr(csv_text, "_MOST_KNOWN", 1 << 12)
    rng = np.random.default_rng(2)
    cells = rng.random((60_000, 4)).round(12)
    path = tmp_path / "data.csv"
    np.savetxt(path, cells, "%.12f", ",", header="a,b,c,d", comments="")
    tracemalloc.start()
    try:
        table = open_table(path)
        columns = [table.column(index) for index in range(4)]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 6 * path.stat().st_size
    assert np.array_equal(np.stack([column.values for column in columns], axis=1), cells)


def source_of(tmp_path: Path, data: bytes) -> Source:
    (tmp_path / SOURCE).write_bytes(data)
    (tmp_path / ABOUT).write_text('{"kind": "table", "name": "data"}')
    return open_source(tmp_path, Limits())


def test_summaries_cut_long_cells(tmp_path: Path) -> None:
    long = "a" * 100_000
    summary = summarize(source_of(tmp_path, f"x,y\n{long},1\nb,{long[:-1]}\n".encode()))
    assert len(str(summary)) < 5000
    assert summary["preview"][0] == ["a" * 199 + "…", "1"]
    assert {"value": "a" * 199 + "…", "count": 1} in summary["columns"][0]["values"]


def test_the_message_of_a_long_cell_blames_no_quote() -> None:
    from surelist.tables.csv_text import parse_csv

    long = b"x" * 140_000
    with pytest.raises(FormatError, match=r"d:3: a field has more than 131,072 characters"):
        parse_csv(b"a,b\n1,2\n1," + long + b"\n", "d")
    with pytest.raises(
        FormatError, match=r"d:2: a quote opens in this row and is not closed within"
    ):
        parse_csv(b'a,b\n1,"2\n' + b"3,4\n" * 40_000, "d")
