"""Files are told apart by their first bytes."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from pyarrow import feather, parquet

from surelist._common.file_kinds import is_gzip, kind_of_content, kind_of_file

TABLE = pa.table({"age": np.arange(5)})


def write_stream(path: Path) -> None:
    with pa.ipc.new_stream(path, TABLE.schema) as stream:
        stream.write_table(TABLE)


def write_sqlite(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE people (age INTEGER)")
    connection.close()


def write_duckdb(path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE people (age INTEGER)")


WRITERS: dict[str, Callable[[Path], object]] = {
    "parquet": lambda path: parquet.write_table(TABLE, path),
    "arrow": lambda path: feather.write_feather(TABLE, str(path)),
    "arrow stream": write_stream,
    "feather": lambda path: path.write_bytes(b"FEA1" + bytes(20)),  # nobody writes it any more
    "sqlite": write_sqlite,
    "duckdb": write_duckdb,
    "gzip": lambda path: path.write_bytes(gzip.compress(b"age\n1\n")),
    "text": lambda path: path.write_bytes(b"age\n1\n"),
}


@pytest.mark.parametrize("kind", WRITERS)
def test_a_file_is_what_wrote_it(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    WRITERS[kind](path)
    assert kind_of_file(path) == kind
    assert kind_of_content(path.read_bytes()) == kind
    assert is_gzip(path.read_bytes()) == (kind == "gzip")


def test_text_may_say_duck_where_a_database_does() -> None:
    assert kind_of_content(b"animals,DUCK,GOOSE\n1,2,3\n") == "text"


def test_few_bytes_are_text() -> None:
    assert kind_of_content(b"") == kind_of_content(b"P") == "text"
