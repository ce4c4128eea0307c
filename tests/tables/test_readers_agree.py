"""A cell of a CSV file means the same to all readers: the search, DuckDB and the checker."""

from __future__ import annotations

import csv
import gzip
from datetime import date, datetime
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from odd_cells import cells, columns

from surelist.checker import CsvFile, DataError
from surelist.errors import InputError
from surelist.sources.duckdb import csv_files
from surelist.sources.duckdb.sources import open_query
from surelist.tables.column import Column
from surelist.tables.csv_columns import MISSING, read_column
from surelist.tables.csv_text import TextColumn
from surelist.tables.files import open_table, plain_values

CELLS = cells()
BESIDE = [["1"], ["0.5"], ["1,5"], ["-1"], ["x"], ["2020-01-01"], ["2020-01-01 10:00"]]
# What the checker calls the notations that DuckDB is asked about.
NAMES = {"real": "point", "datetime": "moment", "aware": "zoned"}


def ours(texts: list[str], comma: bool) -> Column:
    column = TextColumn("x", texts, np.arange(len(texts)))
    return read_column(column, decimal_comma=comma)


def notation(column: Column) -> str:
    """Return what a column was read as, in the checker's words."""
    if column.kind == "number":
        return {"b": "truth", "i": "signed", "u": "unsigned"}.get(column.values.dtype.kind, "point")
    return {"datetime": "zoned" if column.aware else "moment"}.get(column.kind, column.kind)


def checkers(texts: list[str], comma: bool) -> Any:
    column = import_module("surelist.checker")._CsvColumn(())
    column.look(texts, comma)
    return column


def test_there_are_thousands_of_cells() -> None:
    assert len(CELLS) > 5000
    pools = {kind: len(pool) for kind, pool in by_notation().items()}
    assert set(pools) == {
        "truth",
        "signed",
        "unsigned",
        "point",
        "comma",
        "date",
        "moment",
        "zoned",
        "text",
        "missing",
    }
    assert min(pools.values()) >= 4


@cache
def by_notation() -> dict[str, list[str]]:
    pools: dict[str, list[str]] = {}
    for cell in CELLS:
        read = ours([cell], comma=False)
        kind = "missing" if read.missing.all() else notation(read)
        if kind == "text" and ours([cell], comma=True).kind == "number":
            kind = "comma"
        pools.setdefault(kind, []).append(cell)
    return pools


@pytest.mark.slow
@pytest.mark.parametrize("comma", [False, True])
def test_each_cell_means_the_same(comma: bool) -> None:
    """Alone, and beside cells of each kind: to the search and to the checker."""
    for index, cell in enumerate(CELLS):
        for beside in ([], BESIDE[index % len(BESIDE)]):
            texts = [cell, *beside]
            read, checker = ours(texts, comma), checkers(texts, comma)
            compare(texts, plain_values(read), [checker.meanings(t, comma) for t in texts])
            if not read.missing.all():
                assert notation(read) == checker.notation.replace("comma", "point"), texts


def compare(texts: list[str], values: list[Any], meanings: list[tuple[Any, ...]]) -> None:
    for text, value, found in zip(texts, values, meanings, strict=True):
        if value is None:
            assert found == (), (texts, text)
        elif isinstance(value, str):
            assert found == (value,), (texts, text)
        else:
            assert same(value, found[-1]), (texts, text, value, found)


def same(value: Any, other: Any) -> bool:
    """Equal, and of the same type; a date is a midnight."""
    return type(_moment(value)) is type(other) and _moment(value) == other


def _moment(value: Any) -> Any:
    return datetime(value.year, value.month, value.day) if type(value) is date else value


def test_duckdb_finds_the_same_notations() -> None:
    """For each cell in SQL, as for columns of very many different texts."""
    module = import_module("surelist.checker")
    tests = csv_files.notation_tests()
    texts = [text for text in dict.fromkeys(cell.strip() for cell in CELLS) if text not in MISSING]
    with duckdb.connect() as connection:
        connection.register("given", {"t": np.array(texts, dtype=object)})
        asked = ", ".join(tests.values())
        answers = connection.execute(f"SELECT t, {asked} FROM given").fetchall()
    assert len(answers) == len(texts)
    for text, *held in answers:
        found = {NAMES.get(key, key) for key, holds in zip(tests, held, strict=True) if holds}
        assert found == set(module._notations(text, True)), repr(text)


@pytest.mark.slow
@pytest.mark.parametrize("delimiter", [",", ";"])
@pytest.mark.parametrize("many", [False, True])
def test_files_are_read_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, delimiter: str, many: bool
) -> None:
    """Value by value, through the files: quotes, line breaks and all."""
    if many:
        monkeypatch.setattr(csv_files, "_MOST_TEXTS", 0)
    made = columns(by_notation(), 60, 25)
    path = tmp_path / "data.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(["n", *(f"c{index}" for index in range(len(made)))])
        writer.writerows([row, *cells] for row, cells in enumerate(zip(*made, strict=True)))
    names = [f"c{index}" for index in range(len(made))]
    in_memory = open_table(path)
    needed = {name: set[str]() for name in ["n", *names]}
    ((n_rows, checked),) = CsvFile(path).tables(needed, 1000)
    query = open_query(path).choose("n")
    by_row = dict[int, dict[str, Any]]()
    for batch in query.batches(["n", *names], 1000):
        for each in zip(*batch.values(), strict=True):
            by_row[each[0]] = dict(zip(batch, each, strict=True))
    assert n_rows == len(by_row) == in_memory.n_rows == 25
    for name, texts in zip(names, made, strict=True):
        values = plain_values(in_memory.named_column(name, "a test"))
        meanings, codes = checked[name]
        compare(texts, values, [meanings[code] for code in codes])
        for row, value in enumerate(values):
            other = by_row[row][name]
            assert (value is None) == (other is None), (texts, value, other)
            assert value is None or same(value, other), (texts, value, other)
    query.database.close()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("packed", [False, True])
def test_layouts_are_found_alike(
    tmp_path: Path, encoding: str, ending: str, delimiter: str, packed: bool
) -> None:
    rows = [
        ["", "a", "a", "b c ", "a.1"],
        ["r", "1", "ä", "x y", "2,5"],
        ["s", "NA", '"q"', "", "3"],
    ]
    text = ending.join(
        delimiter.join(cell if delimiter not in cell else f'"{cell}"' for cell in row)
        for row in [*rows[:2], [""], rows[2]]
    )
    data = text.encode(encoding)
    path = tmp_path / "data"
    path.write_bytes(gzip.compress(data) if packed else data)
    table, own = open_table(path), CsvFile(path)
    assert tuple(own.names()[1:]) == table.names == ("a", "a.2", "b c", "a.1")
    ((n, found),) = own.tables({name: set() for name in table.names}, 1000)
    assert n == table.n_rows == 2
    for name in table.names:
        meanings, codes = found[name]
        compare(
            ["?"] * 2,
            plain_values(table.named_column(name, "a test")),
            [meanings[c] for c in codes],
        )


STRUCTURES = {
    "lines end in CR": b"a,b\r1,x\r2,y\r",
    "blank lines": b"a,b\n\n1,x\n\n\n2,y\n\n",
    "quotes within": b'a,b\n1,x"y\n2,z\n3,y"z"\n',
    "doubled quotes": b'a,b\n1,"x""y"\n2,""""\n',
    "line breaks": b'a,b\n1,"x\ny"\n2,"x\r\ny"\n3,"x\ry"\n',
    "quotes after a blank": b'a,b\n1, "x,y"\n2, ""\n "3",z\n',
    "quotes after blanks": b'a,b\n1,  "x"\n2,y\n',
    "quotes after a tab": b'a,b\n1,\t"x"\n',
    "blanks in quotes": b'a,b\n1,"  x  "\n2, y \n',
    "blanks after quotes": b'a,b\n1,"x" \n2,z\n',
    "text after quotes": b'a,b\n1,"x"y\n2,z\n',
    "a quote not closed": b'a,b\n1,"x\n2,y\n',
    "a blank row": b"a,b\n,\n1,x\n",
    "a row of blanks": b"a,b\n1,x\n  \n2,y\n",
    "a comment": b"a,b\n#1,x\n2,y\n",
    "a backslash": b'a,b\n1,"x\\"\n2,y\n',
    "a NUL": b"a,b\n1,x\0y\n2,z\n",
    "Ctrl-Z": b"a,b\n1,x\x1a\n2,z\n",
    "separators of lines": "a,b\n1,x\u2028y\n2,x\x85y\n3,x\x0by\x0c\n".encode(),
    "too few cells": b"a,b\n1\n2,y\n",
    "too many cells": b"a,b\n1,2,3\n2,y\n",
    "a mark": b"\xef\xbb\xbfa,b\n1,x\n",
    "UTF-16": "a,b\n1,\u00e4\n".encode("utf-16"),
    "big-endian UTF-16": b"\xfe\xff" + "a,b\n1,\u00e4\n".encode("utf-16-be"),
    "no encoding": b"a,b\n1,\xe4\n",
    "row names": b",b\nr,1\ns,2\n",
    "names twice": b"a,a\n1,2\n3,4\n",
    "names by case": b"a,A\n1,2\n3,4\n",
    "no name": b"a,b,\n1,x,\n",
    "a name in two lines": b'"a\nb",c\n1,x\n',
    "a blank line first": b"\na,b\n1,x\n",
    "no line break at the end": b"a,b\n1,x\n2,y",
    "mixed line breaks": b"a,b\r\n1,x\n2,y\r\n",
    "a long cell": b"a,b\n1," + b"x" * 140_000 + b"\n",
}


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("name", STRUCTURES)
def test_what_is_read_is_read_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, cut: bool
) -> None:
    """Each reader may refuse a file, but none reads it in another way."""
    if cut:  # as in a large file, of which our own parser sees the beginning alone
        monkeypatch.setattr(csv_files, "_SNIFFED", 4)
    path = tmp_path / "data.csv"
    path.write_bytes(STRUCTURES[name])
    found = [read for read in (in_memory(path), by_checker(path), by_duckdb(path)) if read]
    assert all(read == found[0] for read in found)
    # DuckDB alone forgives blanks after quotes, which change nothing.
    assert len(found) != 1 or name == "blanks after quotes"


def in_memory(path: Path) -> Any:
    try:
        table = open_table(path)
    except InputError:
        return None
    columns = {name: plain_values(table.named_column(name, "a test")) for name in table.names}
    return {name: [_moment(value) for value in values] for name, values in columns.items()}


def by_checker(path: Path) -> Any:
    try:
        names = [name for name in CsvFile(path).names() if name]
        needed = {name: set[str]() for name in names}
        found = dict(*(some for _, some in CsvFile(path).tables(needed, 100)))
    except DataError:
        return None
    return {
        name: [(meanings[code] or (None,))[-1] for code in codes]
        for name, (meanings, codes) in found.items()
    }


def by_duckdb(path: Path) -> Any:
    try:
        query = open_query(path, threads=1)
    except InputError:
        return None
    found: dict[str, Any] = dict(*query.batches(query.names, 100))
    query.database.close()
    return found
