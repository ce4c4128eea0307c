"""The CORELS text format: what is read, what is refused and where, what is written."""

from __future__ import annotations

import gzip
import os
import pickle
import stat
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from surelist.corels_text import CorelsData, minority_of, read, write
from surelist.errors import FormatError, InputError, SurelistError

OUT = b"{a} 0 1 1\n{b,c} 1 0 1\n"
LABEL = b"{no} 1 0 0\n{yes} 0 1 1\n"
MINOR = b"{group_minority} 0 0 0\n"


SUFFIXES = ("out", "label", "minor")


class Files:
    """Three files in a folder, replaced by every `put`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.out, self.label, self.minor = (folder / f"t.{kind}" for kind in SUFFIXES)
        self.paths = (self.out, self.label, self.minor)

    def put(self, out: bytes = OUT, label: bytes = LABEL, minor: bytes = MINOR) -> Files:
        for path, content in zip(self.paths, (out, label, minor), strict=True):
            path.write_bytes(content)
        return self

    def read(self) -> CorelsData:
        return read(*self.paths)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return Files(tmp_path_factory.mktemp("scratch"))


def assert_same(found: CorelsData, expected: CorelsData) -> None:
    assert found.antecedents == expected.antecedents
    assert found.classes == expected.classes
    assert (found.minority is None) == (expected.minority is None)
    for name in ("captures", "labels", "minority"):  # strict: the same shape and dtype too
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), strict=True)


def small(**changes: Any) -> CorelsData:
    fields: dict[str, Any] = {
        "antecedents": ("a", "b,c"),
        "captures": np.array([[0, 1], [1, 0], [1, 1]], np.uint8),
        "classes": ("no", "yes"),
        "labels": np.array([0, 1, 1], np.int32),
        "minority": np.zeros(3, np.bool_),
    }
    return CorelsData(**(fields | changes))


def test_reads_names_captures_labels_and_maybe_minority(files: Files) -> None:
    assert_same(files.put().read(), small())
    assert_same(read(str(files.out), files.label), small(minority=None))


FORGIVEN = {
    "trailing blanks": b"{a} 0 1 1 \t \n{b,c} 1 0 1\t\n",
    "CRLF": b"{a} 0 1 1\r\n{b,c} 1 0 1\r\n",
    "no last newline": b"{a} 0 1 1\n{b,c} 1 0 1",
    "CRLF cut to CR": b"{a} 0 1 1\r\n{b,c} 1 0 1\r",
    "blank lines": b"\n \t\r\n{a} 0 1 1\n\n{b,c} 1 0 1\n\n \n\n",
    "blanks before the name": b"  {a} 0 1 1\n\t{b,c} 1 0 1\n",
    "repeated blanks": b"{a}   0 1\t\t1\n{b,c}\t1 \t 0  1\n",
    "leading zeros": b"{a} 00 01 0001\n{b,c} 1 000 01\n",
    "byte-order mark": b"\xef\xbb\xbf{a} 0 1 1\n{b,c} 1 0 1\n",
    "byte-order mark on a blank line": b"\xef\xbb\xbf\n{a} 0 1 1\n{b,c} 1 0 1\n",
    "gzip by content, whatever the name": gzip.compress(OUT),
    "gzip in two members": gzip.compress(OUT[:7]) + gzip.compress(OUT[7:]),
}


@pytest.mark.parametrize("out", FORGIVEN.values(), ids=FORGIVEN.keys())
def test_forgives_what_cannot_be_misunderstood(files: Files, out: bytes) -> None:
    assert_same(files.put(out=out).read(), small())


def test_names_keep_their_spaces_and_letters(files: Files) -> None:
    names = ("sex = Male , age: 18–20", " λ ", "x\u2028y\tz", "#", "\ufeff")
    files.put(out="".join(f"{{{name}}} 0 1 1\n" for name in names).encode())
    assert read(files.out, files.label).antecedents == names


@pytest.mark.parametrize("out", [b"", b"\n", b"\xef\xbb\xbf", b" \r\n\n"])
def test_no_antecedents_take_their_rows_from_the_labels(files: Files, out: bytes) -> None:
    expected = small(antecedents=(), captures=np.zeros((3, 0), np.uint8), minority=None)
    assert_same(read(files.put(out=out).out, files.label), expected)


def test_more_than_two_classes(files: Files) -> None:
    data = files.put(label=b"{x} 0 0 1\n{y} 0 0 0\n{z} 1 1 0\n").read()
    assert [data.classes[code] for code in data.labels] == ["z", "z", "x"]


@pytest.mark.parametrize("minor", [b"{m} 1 0 0 0 1 1", b"{m} 0 1 0 0 1 1", b"{m} 0 1 0 1 1 0"])
def test_a_tie_has_its_minority_on_any_side(files: Files, minor: bytes) -> None:
    # Rows 1 and 2 tie between two classes, rows 4 to 6 between three.
    out = b"{a} 1 1 0 0 0 0\n{b} 0 0 1 0 0 0\n"
    label = b"{x} 1 0 0 1 0 0\n{y} 0 1 0 0 1 0\n{z} 0 0 1 0 0 1\n"
    minority = files.put(out, label, minor).read().minority
    assert minority is not None
    assert minority.tolist() == [bit == "1" for bit in minor.decode().split()[1:]]


LONG = b"x" * 100_000
REFUSED_OUT: dict[str, tuple[bytes, str, str]] = {
    "no opening brace": (b"a} 0 1 1", "1:1", "expected '{'"),
    "no name": (b"{a} 0 1 1\n  0 1 1", "2:3", "expected '{'"),
    "no closing brace": (b"{a} 0 1 1\n\t{b 0 1 1", "2:2", "never closed"),
    "empty name": (b"{} 0 1 1", "1:2", "name is empty"),
    "blank name": (b"{ \t} 0 1 1", "1:2", "name is empty"),
    "opening brace in name": ("{é{b} 0 1 1".encode(), "1:3", "cannot hold '{'"),
    "carriage return in name": (b"{a\rb} 0 1 1", "1:3", r"cannot hold '\r'"),
    "closing brace in name": (b"{a}b} 0 1 1", "1:4", "expected a space"),
    "no space after name": (b"{a}0 1 1", "1:4", "expected a space"),
    "no bits": (b"{a}", "1:4", "no bits"),
    "no bits but blanks": (b"{a}  \t\r\n", "1:4", "no bits"),
    "another digit": (b"{a} 0 2 1", "1:7", "expected 0 or 1, found '2'"),
    "last bit": (b"{a} 0 1 x", "1:9", "found 'x'"),
    "fraction": (b"{a} 0  1.0 1", "1:8", "found '1.0'"),
    "bit and letter": (b"{a} 0\t0x 1", "1:7", "found '0x'"),
    "bits not separated": (b"{a} 0101", "1:5", "found '0101'; separate the bits by spaces"),
    "ten": (b"{a} 0 10 1", "1:7", "found '10'; separate"),
    "form feed": (b"{a} 0\x0c1 1", "1:5", r"found '0\x0c1'"),
    "other blank": ("{a} 0\u00a01 1".encode(), "1:5", r"found '0\xa01'"),
    "other digits": ("{a} 0 １ 1".encode(), "1:7", "found '１'"),
    "lone CR line ends": (b"{a} 0 1 1\r{b} 1 0 1\r", "1:9", r"found '1\r{b}'"),
    "long token": (b"{a} 0 " + LONG + b" 1", "1:7", f"found '{'x' * 39}…'"),
    "columns count characters": ("{é,λ} 0 2 1".encode(), "1:9", "found '2'"),
    "mark is no column": (b"\xef\xbb\xbf{a} 0 2 1", "1:7", "found '2'"),
    "blank lines count": (b"\n\r\n{a} 0 1 1\n\n{b} 1 x 1\n", "5:7", "found 'x'"),
    "fewer bits": (b"\n{a} 0 1 1\n{b} 1 0 \n", "3:8", "expected 3 bits, as on line 2, found 2"),
    "more bits": (b"{a} 0 1 1\n{b} 1  0 1 0 1", "2:12", "expected 3 bits, as on line 1, found 5"),
    "same name": (b"{a} 0 1 1\n{b} 0 0 1\n {a} 1 0 1", "3:2", "'a' is already on line 1"),
    "not UTF-8 in name": (b"{a} 0 1 1\n{\xff} 0 1 1", "2:2", "byte 0xff is not UTF-8"),
    "not UTF-8 in bits": ("{é} 0 ".encode() + b"\xe9 1", "1:7", "byte 0xe9 is not UTF-8"),
    "cut character": (b"{a} 0 1 1 \xc3", "1:11", "byte 0xc3 is not UTF-8"),
    "surrogate": (b"{\xed\xa0\x80} 0 1 1", "1:2", "byte 0xed is not UTF-8"),
    "NUL in name": (b"{a\0} 0 1 1", "1:3", "NUL byte"),
    "NUL in bits": (b"{a} 0 1 \0", "1:9", "NUL byte"),
    "UTF-16 with mark": ("{a} 0 1 1".encode("utf-16"), "1:1", "not UTF-8"),
    "UTF-16 without mark": ("{a} 0 1 1".encode("utf-16-le"), "1:2", "NUL byte"),
    "second mark": (b"\xef\xbb\xbf{a} 0 1 1\n\xef\xbb\xbf{b} 0 1 1", "2:1", "expected '{'"),
}
REFUSED_LABEL: dict[str, tuple[bytes, str, str]] = {
    "empty": (b"", "", "two classes or more, found 0"),
    "blank": (b"\n \n", "", "two classes or more, found 0"),
    "one class": (b"\n{yes} 1 1 1\n", "2", "two classes or more, found 1"),
    "same class": (b"{no} 1 0 0\n{no} 0 1 1\n", "2:1", "'no' is already on line 1"),
    "no label": (b"{no} 1 0  0\n{yes} 0 1  0\n", "2:12", "row 3 has no label"),
    "two labels": (b"{no} 1 0 1\n{yes} 0 1 1\n", "2:11", "row 3 has two labels: line 1"),
    "three labels": (b"{x} 0 1 1\n{y} 1 1 0\n{z} 0 1 0\n", "2:7", "row 2 has two labels"),
    "fewer rows": (b"{no} 1 0\n{yes} 0 1\n", "1:9", "/t.out, found 2"),
    "more rows": (b"{no} 1 0 0 0\n{yes} 0 1 1 1\n", "1:12", "/t.out, found 4"),
}
REFUSED_MINOR: dict[str, tuple[bytes, str, str]] = {
    "empty": (b"", "", "found 0 lines"),
    "label file": (LABEL, "2", "found 2 lines"),
    "fewer rows": (b"{m} 0 0", "1:8", "/t.label, found 2"),
    "more rows": (b"{m} 0 0 0 0", "1:11", "/t.label, found 4"),
    "wrong": (
        b"\n{m} 0 0  1\n",
        "2:10",
        "row 3 is in an equivalent-points group of 1 rows with 1 ",
    ),
}


TABLES = zip(SUFFIXES, (REFUSED_OUT, REFUSED_LABEL, REFUSED_MINOR), strict=True)
REFUSED = [
    pytest.param(kind, *case, id=f"{kind}: {name}")
    for kind, table in TABLES
    for name, case in table.items()
]


@pytest.mark.parametrize(("kind", "content", "place", "problem"), REFUSED)
def test_refuses_with_file_line_and_column(
    files: Files, kind: str, content: bytes, place: str, problem: str
) -> None:
    path = str(files.put(**{kind: content}).folder / f"t.{kind}")
    with pytest.raises(FormatError) as caught:
        files.read()
    error = caught.value
    assert str(error).startswith(f"{path}:{place}: " if place else f"{path}: ")
    assert problem in str(error)
    assert len(str(error)) < 300 + len(path)
    line, column, *_ = [*(int(part) for part in place.split(":") if part), None, None]
    assert (error.path, error.line, error.column) == (path, line, column)


def test_an_inconsistent_minor_file_names_the_first_row_of_its_group(files: Files) -> None:
    out, label = b"{a} 0 1 0 1 0\n", b"{no} 1 0 1 1 1\n{yes} 0 1 0 0 0\n"
    # Rows 2 and 4 tie, so one of them is the minority; rows 1, 3 and 5 agree.
    files.put(out, label, b"{m} 0 1 0 0 0\n").read()
    files.put(out, label, b"{m} 0 0 0 0 0\n")
    with pytest.raises(FormatError, match=r"minor:1:7: row 2 .* of 2 .* 0 marked .* 1 are"):
        files.read()


@pytest.mark.parametrize("kind", SUFFIXES)
def test_every_cut_of_a_gzip_file_is_refused(files: Files, kind: str) -> None:
    files.put()
    path = files.folder / f"t.{kind}"
    whole = gzip.compress(path.read_bytes(), mtime=0)
    packed = path.with_name(f"{path.name}.gz")
    paths = [packed if path.suffix == f".{kind}" else path for path in files.paths]
    packed.write_bytes(whole)
    assert_same(read(*paths), small())
    for end in range(len(whole)):
        packed.write_bytes(whole[:end])
        with pytest.raises(FormatError) as caught:
            read(*paths)
        assert caught.value.path == str(packed)
        if end != 1:  # one byte does not tell gzip from text
            assert "gzip data is cut short" in str(caught.value)


def test_damaged_gzip_is_refused_with_the_line_reached(files: Files) -> None:
    whole = gzip.compress(OUT, mtime=0)
    wrong_checksum = whole[:-8] + bytes([whole[-8] ^ 1]) + whole[-7:]
    for damaged in (wrong_checksum, whole + b"rest"):
        with pytest.raises(FormatError, match=r"t\.out:3: the gzip data is .* damaged"):
            files.put(out=damaged).read()


@pytest.mark.parametrize("name", ["absent", "", ".", "nul\0byte", "x" * 5000])
def test_a_path_that_cannot_be_opened_is_refused(files: Files, name: str) -> None:
    path = str(files.put().folder) + "/" + name
    for paths in ((path, files.label), (files.out, path), (files.out, files.label, path)):
        with pytest.raises(FormatError, match="cannot be read") as caught:
            read(*paths)
        assert (caught.value.path, caught.value.line) == (path, None)


NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="{}\r\n\0"), min_size=1, max_size=8
).filter(str.strip)


@st.composite
def data_sets(draw: st.DrawFn) -> CorelsData:
    rows = draw(st.integers(1, 12))
    antecedents = draw(st.lists(NAMES, max_size=5, unique=True))
    classes = draw(st.lists(NAMES, min_size=2, max_size=4, unique=True))
    captures = draw(arrays(np.uint8, (rows, len(antecedents)), elements=st.integers(0, 1)))
    labels = draw(arrays(np.int32, rows, elements=st.integers(0, len(classes) - 1)))
    minority = draw(st.sampled_from([None, minority_of(captures, labels, len(classes))]))
    return CorelsData(tuple(antecedents), captures, tuple(classes), labels, minority)


@settings(deadline=None)
@given(data=data_sets(), packed=st.booleans())
def test_what_is_written_reads_back(scratch: Files, data: CorelsData, packed: bool) -> None:
    paths = [path.with_name(f"{path.name}.gz") if packed else path for path in scratch.paths]
    if data.minority is None:
        paths.pop()
    write(data, *paths)
    assert_same(read(*paths), data)
    assert all((path.read_bytes()[:2] == b"\x1f\x8b") == packed for path in paths[1:])


@settings(deadline=None)
@given(data=data_sets(), choose=st.data())
def test_a_spoiled_bit_is_found_where_it_is(
    scratch: Files, data: CorelsData, choose: st.DataObject
) -> None:
    write(data, *scratch.paths)
    path = choose.draw(st.sampled_from(scratch.paths[1:]))
    lines = path.read_text("utf-8").removesuffix("\n").split("\n")
    number = choose.draw(st.integers(0, len(lines) - 1))
    row = choose.draw(st.integers(0, len(data.labels) - 1))
    name, values = lines[number].rsplit("} ", 1)
    tokens = values.split(" ")
    tokens[row] = "x"
    gap = choose.draw(st.sampled_from([" ", "\t", "  "]))
    lines[number] = name + "} " + gap.join(tokens)
    path.write_text("\n".join(lines), "utf-8", newline="\n")
    column = len(name) + 3 + row * (1 + len(gap))
    with pytest.raises(FormatError) as caught:
        scratch.read()
    place = (caught.value.path, caught.value.line, caught.value.column)
    assert place == (str(path), number + 1, column)


FRAGMENTS = [b"{", b"}", b" ", b"\t", b"0", b"1", b"01", b"\n", b"\r", b"\0", b"\xff", "é".encode()]
FRAGMENTS += [b"\xef\xbb\xbf", b"\x1f\x8b", b"{a} 0 1 1\n", b"{b} 1 0 0\n", gzip.compress(OUT)[:20]]
RUBBISH = st.one_of(st.binary(max_size=40), st.lists(st.sampled_from(FRAGMENTS)).map(b"".join))


@settings(deadline=None, max_examples=300)
@given(out=RUBBISH | st.just(OUT), label=RUBBISH | st.just(LABEL), minor=RUBBISH)
def test_rubbish_is_read_or_refused_never_worse(
    scratch: Files, out: bytes, label: bytes, minor: bytes
) -> None:
    scratch.put(out, label, minor)
    for paths in (scratch.paths, scratch.paths[:2]):
        try:
            data = read(*paths)
        except FormatError:
            continue
        write(data, *scratch.paths)  # whatever is read can be written
        assert_same(read(*paths), data)


def brute_force_minority(rows: list[tuple[int, ...]], labels: list[int]) -> list[bool]:
    majority = {}
    for row in set(rows):
        counts = Counter(label for other, label in zip(rows, labels, strict=True) if other == row)
        majority[row] = min(counts, key=lambda label: (-counts[label], label))
    return [majority[row] != label for row, label in zip(rows, labels, strict=True)]


@settings(deadline=None)
@given(width=st.sampled_from([0, 1, 7, 8, 31, 32, 33, 64, 65, 100]), draw=st.data())
def test_minority_of_agrees_with_brute_force(width: int, draw: st.DataObject) -> None:
    # Few distinct rows that differ in few places, so that groups are large and hard to tell apart.
    flips = st.frozensets(st.integers(0, max(0, width - 1)), max_size=2)
    kinds = draw.draw(st.lists(flips, min_size=1, max_size=4))
    picked = draw.draw(st.lists(st.sampled_from(kinds), max_size=20))
    rows = [tuple(int(column in kind) for column in range(width)) for kind in picked]
    labels = draw.draw(arrays(np.int32, len(rows), elements=st.integers(0, 2)))
    found = minority_of(np.array(rows, np.uint8).reshape(len(rows), width), labels, 3)
    assert found.dtype == np.bool_
    assert found.tolist() == brute_force_minority(rows, labels.tolist())


def test_rows_that_differ_in_any_antecedent_are_told_apart() -> None:
    assert not minority_of(np.eye(100, dtype=np.uint8), np.arange(100, dtype=np.int32), 100).any()


def test_ten_million_bits_need_no_loop_in_python(files: Files) -> None:
    half = 5_000_000
    files.put(b"{a}" + b"\t0  1" * half, b"{n}" + b" 0 1" * half + b"\n{y}" + b" 1 0" * half)
    start = time.process_time()
    data = read(files.out, files.label)
    assert time.process_time() - start < 4  # a loop over the bits takes several times as long
    assert data.captures.shape == (2 * half, 1)
    assert data.captures.sum() == data.labels[::2].sum() == half
    assert data.labels[1::2].sum() == 0


def test_write_lays_files_out_as_the_original(files: Files) -> None:
    write(small(minority=None), *files.paths)
    assert [path.read_bytes() for path in files.paths] == [OUT, LABEL, MINOR]
    write(small(antecedents=(), captures=np.zeros((3, 0), np.uint8), minority=None), *files.paths)
    assert [path.read_bytes() for path in files.paths[:2]] == [b"", LABEL]
    assert files.minor.read_bytes() == b"{group_minority} 1 0 0\n"


UNWRITABLE: dict[str, tuple[dict[str, Any], str]] = {
    "opening brace": ({"antecedents": ("a", "b{")}, r"antecedent 'b\{': a name must not"),
    "closing brace": ({"antecedents": ("a", "}")}, "antecedent '}': a name must not"),
    "newline": ({"classes": ("no\n", "yes")}, r"class 'no\\n': a name must not"),
    "carriage return": ({"classes": ("no", "\ryes")}, r"class '\\ryes': a name must not"),
    "NUL": ({"antecedents": ("a", "\0")}, r"antecedent '\\x00': a name must not"),
    "surrogate": ({"antecedents": ("a", "\udcff")}, r"antecedent '\\udcff': a name must not"),
    "empty name": ({"antecedents": ("", "b")}, "antecedent '': a name must not be blank"),
    "blank name": ({"classes": ("no", " \t")}, "a name must not be blank"),
    "same antecedent": ({"antecedents": ("a", "a")}, "antecedent 'a': the name occurs twice"),
    "same class": ({"classes": ("no", "no")}, "class 'no': the name occurs twice"),
    "too few names": ({"antecedents": ("a",)}, "2 columns for 1 antecedents"),
    "one dimension": ({"captures": np.zeros(3, np.uint8)}, "captures must be a matrix"),
    "not a bit": ({"captures": np.full((3, 2), 2, np.uint8)}, "captures must be a matrix of 0"),
    "not a number": ({"captures": np.full((3, 2), np.nan)}, "captures must be a matrix of 0"),
    "too few labels": ({"labels": np.zeros(2, np.int32)}, r"labels must be 3 .* shape \(2,\)"),
    "real labels": ({"labels": np.zeros(3)}, "labels must be 3 class codes.*float64"),
    "label too high": ({"labels": np.array([0, 1, 2])}, r"labels: 2 in row 3 is not in 0\.\.1"),
    "label too low": ({"labels": np.array([0, -1, 1])}, r"labels: -1 in row 2 is not in 0\.\.1"),
    "one class": ({"classes": ("no",), "labels": np.zeros(3, np.int32)}, "3 rows and 1 classes"),
    "no rows": ({"captures": np.zeros((0, 2)), "labels": np.zeros(0, int)}, "0 rows and 2 classes"),
    "short minority": ({"minority": np.ones(2, bool)}, r"must be a Boolean array of shape \(3,\)"),
    "counted minority": ({"minority": np.zeros(3, int)}, "minority must be a Boolean array"),
    "wrong minority": ({"minority": np.ones(3, bool)}, "minority: row 1 .* 1 marked .* 0 are"),
}


@pytest.mark.parametrize(("changes", "problem"), UNWRITABLE.values(), ids=UNWRITABLE.keys())
def test_what_would_not_read_back_is_not_written(
    files: Files, changes: dict[str, Any], problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        write(small(**changes), *files.paths)
    assert list(files.folder.iterdir()) == []


def test_all_files_are_replaced_or_none(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    files.put(b"old", b"old", b"old")
    synced: list[int] = []

    def full_disk(descriptor: int) -> None:
        synced.append(descriptor)
        if len(synced) == 3:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(InputError, match=r"t\.minor: cannot be written \(No space left"):
        write(small(), *files.paths)
    assert sorted(files.folder.iterdir()) == sorted(files.paths)
    assert {path.read_bytes() for path in files.paths} == {b"old"}


def test_places_that_cannot_be_written_to_are_refused(files: Files) -> None:
    refused: dict[str | Path, str] = {
        files.folder / "absent" / "t.label": r"t\.label: cannot be written \(No such file",
        files.folder / ".." / files.folder.name / "t.out": "given for two files",
        files.folder: "not a regular file",
        os.devnull: "not a regular file",
        "nul\0byte": "not a path",
    }
    for path, problem in refused.items():
        with pytest.raises(InputError, match=problem):
            write(small(), files.out, path)
    assert list(files.folder.iterdir()) == []


def test_links_and_permissions_outlive_a_rewrite(files: Files) -> None:
    files.out.write_bytes(b"old")
    files.out.chmod(0o604)
    link = files.folder / "link.out"
    link.symlink_to(files.out)
    previous = os.umask(0o027)
    try:
        write(small(), link, files.label)
    finally:
        os.umask(previous)
    assert link.is_symlink()
    assert files.out.read_bytes() == OUT
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (files.out, files.label)]
    assert modes == [0o604, 0o640]  # the old file's own, the new file's by the umask


def test_gzip_files_hold_no_name_and_no_time(files: Files) -> None:
    write(small(), files.folder / "t.out.GZ", files.label)
    packed = (files.folder / "t.out.GZ").read_bytes()
    assert gzip.decompress(packed) == OUT
    assert packed[3:8] == bytes(5)  # flags and time: equal data give equal files


def test_a_format_error_survives_pickling() -> None:
    error = FormatError("bad", Path("t.out"), 3, 14)
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error) == "t.out:3:14: bad"
    assert (copy.path, copy.line, copy.column) == ("t.out", 3, 14)
    assert FormatError.__mro__[1:5] == (InputError, SurelistError, ValueError, Exception)


REAL: dict[str, tuple[int, tuple[int, int], list[int]]] = {  # files, shape, rows per class
    "compas/compas_train": (3, (6489, 155), [3583, 2906]),
    "compas/compas_test": (2, (721, 155), [377, 344]),
    "nyclu/weapon_0_train": (2, (50742, 46), [25371, 25371]),
}


@pytest.mark.parametrize("stem", REAL)
def test_real_files_come_back_byte_for_byte(data_dir: Path, files: Files, stem: str) -> None:
    count, shape, rows_per_class = REAL[stem]
    originals = [data_dir / f"{stem}.{suffix}.gz" for suffix in SUFFIXES[:count]]
    data = read(*originals)
    assert data.captures.shape == shape
    assert np.bincount(data.labels).tolist() == rows_per_class
    write(data, *files.paths[:count])
    for original, copy in zip(originals, files.paths[:count], strict=True):
        assert copy.read_bytes() == gzip.decompress(original.read_bytes())


def test_the_authors_minor_file_agrees_with_ours(data_dir: Path) -> None:
    stem = str(data_dir / "compas" / "compas_train")
    data = read(*(f"{stem}.{suffix}.gz" for suffix in SUFFIXES))
    assert data.minority is not None
    ours = minority_of(data.captures, data.labels, 2)
    assert data.minority.sum() == ours.sum() == 2063
    assert len(np.unique(data.captures, axis=0)) == 194


def test_minority_does_not_depend_on_how_the_matrix_is_stored() -> None:
    captures = np.array([[0, 1], [0, 1], [0, 1], [1, 1]], np.uint8)
    labels = np.array([0, 1, 1, 0], np.int32)
    by_columns = minority_of(np.asfortranarray(captures), labels, 2)
    assert by_columns.tolist() == minority_of(captures, labels, 2).tolist()
