"""CSV files into columns of text: encoding and delimiter found, every slip named with its line.

The standard library's reader does the parsing. What it leaves open is decided here, once for the
whole program: what the bytes mean, what separates the fields, and that a row with too few or too
many of them is refused instead of padded.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from surelist._files import PathLike
from surelist.errors import FormatError, InputError

__all__ = ["CsvText", "TextColumn", "parse_csv", "read_bytes"]

_DELIMITERS = (",", ";", "\t", "|")
_NAMED_DELIMITERS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|"}
_SAMPLE = 1 << 16
_CHUNK = 1 << 14
_GZIP_MAGIC = b"\x1f\x8b"
# The longer marks first: UTF-32's begins as UTF-16's does.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, eq=False)
class TextColumn:
    """A column as it was written: its distinct texts, and which of them each row has."""

    name: str
    texts: list[str]
    codes: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class CsvText:
    """A CSV file, parsed but not interpreted.

    Attributes
    ----------
    path : str
        For messages.
    columns : list of TextColumn
    lines : ndarray of int
        The line on which each row begins, counted from 1.
    delimiter, encoding : str
        As given or found.
    notes : tuple of str
        What was decided that a user may want to know.
    """

    path: str
    columns: list[TextColumn]
    lines: NDArray[np.int64]
    delimiter: str
    encoding: str
    notes: tuple[str, ...] = ()


def read_bytes(path: PathLike) -> bytes:
    """Read a whole file, unpacked where it is gzipped; ``-`` is standard input.

    Raises
    ------
    FormatError
        Where there is no such file, or it cannot be read.
    """
    name = str(path)
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return gzip.decompress(data) if data.startswith(_GZIP_MAGIC) else data
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise FormatError("the gzip data is cut short or damaged; fetch it again", name) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FormatError(f"cannot be read ({reason}); check the path", name) from None


def parse_csv(
    data: bytes, path: str, *, delimiter: str | None = None, encoding: str | None = None
) -> CsvText:
    r"""Parse CSV with a header line.

    Parameters
    ----------
    data : bytes
    path : str
        For messages.
    delimiter, encoding : str, optional
        None finds out: the delimiter is the one among comma, semicolon, tab and ``|`` that cuts all
        lines into the same number of fields; the encoding is UTF-8, with or without a mark,
        UTF-16 or UTF-32 with one, or else Windows-1252.

    Raises
    ------
    FormatError
        With the line of what is wrong.

    Examples
    --------
    >>> from surelist.csv_text import parse_csv
    >>> parsed = parse_csv(b"age;sex\r\n25;Male\r\n31;Female\r\n", "people.csv")
    >>> parsed.delimiter, [column.name for column in parsed.columns], parsed.lines.tolist()
    (';', ['age', 'sex'], [2, 3])
    """
    notes: list[str] = []
    text, encoding = _decode(data, path, encoding, notes)
    delimiter = _named(delimiter) if delimiter else _find_delimiter(text)
    rows = _Rows(text, path, delimiter)
    names = _distinct(rows.header(), path, notes)
    codes: list[_Codes] = [_Codes() for _ in names]
    parts: list[list[NDArray[np.intp]]] = [[] for _ in names]
    lines: list[int] = []
    while chunk := list(islice(rows, _CHUNK)):
        lines += [line for line, _ in chunk]
        for index, fields in enumerate(zip(*(row for _, row in chunk), strict=True)):
            known = map(codes[index].__getitem__, fields)
            parts[index].append(np.fromiter(known, np.intp, len(chunk)))
    columns = [
        TextColumn(name, list(codes[index]), np.concatenate([np.empty(0, np.intp), *parts[index]]))
        for index, name in enumerate(names)
    ]
    if names[0] == "":
        notes.append(f"{path}: the first column has no name: taken as row names and left out")
        columns = columns[1:]
    return CsvText(path, columns, np.array(lines, np.int64), delimiter, encoding, tuple(notes))


def _distinct(names: list[str], path: str, notes: list[str]) -> list[str]:
    """Give names that occur more than once a number, as pandas does."""
    taken = set(names)
    found: dict[str, None] = {}
    numbers: dict[str, int] = {}  # the last one that a name has got
    for name in names:
        own = name
        while own in found or (own != name and own in taken):
            numbers[name] = numbers.get(name, 0) + 1
            own = f"{name}.{numbers[name]}"
        if own != name:
            notes.append(f"{path}: two columns are called {name!r}: the second is {own!r} here")
        found[own] = None
    return list(found)


class _Codes(dict[str, int]):
    """Hands out a number for each new text."""

    def __missing__(self, text: str) -> int:
        self[text] = code = len(self)
        return code


class _Rows:
    """The rows of a CSV text, each with the line it begins on; blank lines are none."""

    def __init__(self, text: str, path: str, delimiter: str) -> None:
        self._reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        self._path = path
        self._delimiter = delimiter
        self._width: int | None = None

    def header(self) -> list[str]:
        """Read the names of the columns."""
        line, row = next(self, (1, None))
        if row is None:
            raise FormatError("the file is empty; a header line and rows are needed", self._path)
        names = [name.strip() for name in row]
        if "" in names[1:]:
            number = names.index("", 1) + 1
            problem = f"column {number} has no name; give each column a name in this line"
            raise FormatError(problem, self._path, line)
        self._width = len(names)
        return names

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        return self

    def __next__(self) -> tuple[int, list[str]]:
        while True:
            line = self._reader.line_num + 1
            try:
                row = next(self._reader)
            except csv.Error as error:
                raise self._damaged(error, line) from None
            if row:
                break
        if self._width is not None and len(row) != self._width:
            raise FormatError(
                f"{len(row)} fields where the header has {self._width}; mend the line, quote "
                f"fields that hold {self._delimiter!r}, or name another --delimiter",
                self._path,
                line,
            )
        return line, row

    def _damaged(self, error: csv.Error, line: int) -> FormatError:
        problem = str(error)
        if "unexpected end of data" in problem or "field larger" in problem:
            problem = "a quote opens in this row and is never closed; close or remove it"
        elif "expected after" in problem:
            problem = "text follows a closing quote; double the quotes inside a quoted field"
        return FormatError(problem, self._path, line)


def _decode(data: bytes, path: str, encoding: str | None, notes: list[str]) -> tuple[str, str]:
    if encoding is not None:
        found = encoding
    else:
        found = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(found)
    except LookupError:
        raise InputError(
            f"--encoding {encoding}: no such encoding; utf-8, utf-16 and latin-1 are some"
        ) from None
    except UnicodeDecodeError as error:
        if encoding is not None or found != "utf-8":
            raise _undecodable(data, path, found, error.start) from None
        text, found = _western(data, path, error.start), "cp1252"
        notes.append(f"{path}: not UTF-8: read as Windows-1252 (--encoding says otherwise)")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        problem = "NUL byte: the file is damaged, or UTF-16 (then --encoding utf-16)"
        raise FormatError(problem, path, line)
    return text, found


def _western(data: bytes, path: str, start: int) -> str:
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        raise _undecodable(data, path, "utf-8", start) from None


def _undecodable(data: bytes, path: str, encoding: str, start: int) -> FormatError:
    line = data.count(b"\n", 0, start) + 1
    problem = f"byte 0x{data[start]:02x} is not {encoding} text; name the right --encoding"
    return FormatError(problem, path, line)


def _named(delimiter: str) -> str:
    delimiter = _NAMED_DELIMITERS.get(delimiter.lower(), delimiter)
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise InputError(f"--delimiter must be one character or 'tab'; got {delimiter!r}")
    return delimiter


def _find_delimiter(text: str) -> str:
    """Choose what cuts the first lines into the same number of fields, the more the better."""
    sample = text[:_SAMPLE]
    if len(text) > _SAMPLE:
        sample = sample[: sample.rfind("\n") + 1] or sample
    return max(_DELIMITERS, key=lambda delimiter: _merit(sample, delimiter))


def _merit(sample: str, delimiter: str) -> tuple[bool, int]:
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
    try:
        widths = [len(row) for row in islice(reader, 100) if row]
    except csv.Error:
        return False, 0
    if len(widths) > 2 and len(sample) == _SAMPLE:
        widths.pop()
    even = len(set(widths)) == 1 and widths[0] > 1
    return even, widths[0] if widths else 0
