"""The CORELS text format: what is refused, and where."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path

import pytest
from corels_files import LABEL, OUT, SUFFIXES, Files, assert_same, data_sets, small
from hypothesis import given, settings
from hypothesis import strategies as st

from surelist.errors import FormatError, InputError, SurelistError
from surelist.estimators.corels.text_files import CorelsData, read, write

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


@pytest.mark.slow
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


@pytest.mark.slow
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


def test_a_format_error_survives_pickling() -> None:
    error = FormatError("bad", Path("t.out"), 3, 14)
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error) == "t.out:3:14: bad"
    assert (copy.path, copy.line, copy.column) == ("t.out", 3, 14)
    assert FormatError.__mro__[1:5] == (InputError, SurelistError, ValueError, Exception)
