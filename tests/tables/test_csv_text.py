"""CSV as people's programs write it: whatever is clear is read, whatever is not is refused."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surelist.errors import FormatError, InputError
from surelist.tables.csv_text import parse_csv, read_bytes

ROWS = [["age", "city"], ["25", "Köln"], ["31", "Zürich"]]


def written(delimiter: str, ending: str, encoding: str) -> bytes:
    return "".join(delimiter.join(row) + ending for row in ROWS).encode(encoding)


def rows_of(data: bytes, **options: Any) -> list[list[str]]:
    parsed = parse_csv(data, "data.csv", **options)
    texts = [[column.texts[code] for code in column.codes] for column in parsed.columns]
    names = [column.name for column in parsed.columns]
    return [names, *map(list, zip(*texts, strict=True))]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1"])
def test_encoding_and_delimiter_are_found(delimiter: str, ending: str, encoding: str) -> None:
    data = written(delimiter, ending, encoding)
    parsed = parse_csv(data, "data.csv")
    assert rows_of(data) == ROWS
    assert parsed.delimiter == delimiter
    assert parsed.lines.tolist() == [2, 3]
    assert bool(parsed.notes) == (encoding == "latin-1")
    assert all("Windows-1252" in note for note in parsed.notes)


def test_given_encoding_and_delimiter_count() -> None:
    assert rows_of("a;b\nä;,\n".encode("cp850"), encoding="cp850", delimiter=";")[1] == ["ä", ","]
    assert rows_of(b"a\tb,c\n1\t2,3\n", delimiter="tab") == [["a", "b,c"], ["1", "2,3"]]
    with pytest.raises(InputError, match="there is no encoding 'klingon'"):
        parse_csv(b"a\n1\n", "data.csv", encoding="klingon")
    with pytest.raises(InputError, match="the delimiter must be one character"):
        parse_csv(b"a\n1\n", "data.csv", delimiter="::")
    with pytest.raises(FormatError, match=r"data.csv:2: byte 0xff is not utf-8"):
        parse_csv(b"a\n\xff\n", "data.csv", encoding="utf-8")


def test_quotes_hold_delimiters_quotes_and_line_breaks() -> None:
    data = b'name,said\n"Smith, John","He said ""no"".\nTwice."\nx,y\n'
    parsed = parse_csv(data, "data.csv")
    assert rows_of(data)[1] == ["Smith, John", 'He said "no".\nTwice.']
    assert parsed.lines.tolist() == [2, 4]


def test_blank_lines_are_no_rows() -> None:
    parsed = parse_csv(b"\na,b\n\n1,2\n\n\n3,4", "data.csv")
    assert parsed.lines.tolist() == [4, 7]


def test_a_first_column_without_a_name_is_row_names() -> None:
    parsed = parse_csv(b",age\n0,25\n1,31\n", "data.csv")
    assert [column.name for column in parsed.columns] == ["age"]
    assert "row names" in parsed.notes[0]


def test_names_that_occur_twice_are_numbered() -> None:
    parsed = parse_csv(b"a,a.1,a,b\n1,2,3,4\n", "data.csv")
    assert [column.name for column in parsed.columns] == ["a", "a.1", "a.2", "b"]
    assert "'a.2'" in parsed.notes[0]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "data.csv: the file is empty"),
        (b"\n\n", "data.csv: the file is empty"),
        (b"a,b\n1,2\n1,2,3\n", "data.csv:3: 3 fields where the header has 2"),
        (b"a,b\n1,2\n\n1\n", "data.csv:4: 1 fields where the header has 2"),
        (b'a,b\n1,2\n1,"2\n3,4\n', "data.csv:3: a quote opens in this row and is never closed"),
        (b'a,b\n1,"2"3\n', "data.csv:2: text follows a closing quote"),
        (b"a,,c\n1,2,3\n", "data.csv:1: column 2 has no name"),
        (b"a,b\n1,\0\n", "data.csv:2: NUL byte"),
        (b"a,b\n1,\x81\n", "data.csv:2: byte 0x81 is not utf-8 text; pass the right encoding"),
        (b"\xff\xfea\0,\0b\0\n", "data.csv:1: byte"),
    ],
)
def test_damage_is_refused_with_its_line(data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_csv(data, "data.csv")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_gzip_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n1,2\n"))
    assert read_bytes(path) == b"a,b\n1,2\n"
    path.write_bytes(gzip.compress(b"a,b\n1,2\n" * 99)[:-20])
    with pytest.raises(FormatError, match="gzip data is cut short"):
        read_bytes(path)
    with pytest.raises(FormatError, match="cannot be read"):
        read_bytes(tmp_path)


texts = st.text(st.characters(exclude_characters="\r\n\0", exclude_categories=["Cs"]), max_size=6)


@pytest.mark.slow
@given(
    st.integers(2, 4).flatmap(
        lambda width: st.lists(
            st.lists(texts, min_size=width, max_size=width), min_size=1, max_size=8
        )
    ),
    st.sampled_from(",;\t|"),
    st.booleans(),
)
def test_what_the_standard_library_writes_comes_back(
    rows: list[list[str]], delimiter: str, mark: bool
) -> None:
    names = [f"c{index}" for index in range(len(rows[0]))]
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerows([names, *rows])
    data = text.getvalue().encode("utf-8-sig" if mark else "utf-8")
    # A field may begin with what looks like a mark of its own; a mark in front settles it.
    assert rows_of(data, delimiter=delimiter) == [names, *rows]


@pytest.mark.slow
def test_many_rows_keep_their_order() -> None:
    numbers = np.arange(50_000) % 977
    data = b"n,m\n" + b"".join(b"%d,%d\n" % (n, -n) for n in numbers)
    parsed = parse_csv(data, "data.csv")
    column = parsed.columns[0]
    assert np.array_equal(np.array(column.texts, dtype=int)[column.codes], numbers)
    assert parsed.lines.tolist() == list(range(2, 50_002))


@pytest.mark.slow
def test_columns_whose_texts_all_differ_keep_their_order() -> None:
    """Each row has its own text, after many rows without; one is asked for by its place."""
    numbers = [*([7] * 20_000), *range(90_000)]
    parsed = parse_csv(b"n,m\n" + b"".join(b"%d,x\n" % n for n in numbers), "data.csv")
    column = parsed.columns[0]
    texts = list(column.texts)
    assert [int(texts[code]) for code in column.codes] == numbers
    assert [column.texts[code] for code in column.codes[-3:]] == ["89997", "89998", "89999"]
    assert column.texts[0] == "7"
    assert len(texts) == len(column.texts) < len(numbers)
