"""CSV files into columns of text: finds encoding and delimiter, names the line of every error.

The standard library parses. This module decides what the standard library leaves open: the
encoding, the delimiter, and that a row with too few or too many fields is an error.
"""

from __future__ import annotations

import codecs
import csv
import io
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.decompression import unpacked
from surelist._common.file_kinds import is_gzip
from surelist._common.files import PathLike
from surelist.errors import FormatError, InputError, Message

__all__ = [
    "CsvText",
    "TextColumn",
    "delimiter_by_name",
    "named_delimiter",
    "parse_csv",
    "read_bytes",
]

_DELIMITERS = (",", ";", "\t", "|")
_NAMED_DELIMITERS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|"}
_SAMPLE = 1 << 16
_CHUNK = 1 << 14
_PIECE = 1 << 20
_MOST_KNOWN = 1 << 14
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
    """A column as text: its different texts, and which of them each row has.

    If nearly all texts differ, a text may occur in the list more than once.
    """

    name: str
    texts: Sequence[str]
    codes: NDArray[np.signedinteger[Any]]


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
    lines: NDArray[np.uint32]
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
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FormatError(f"cannot be read ({reason}); check the path", name) from None
    if not is_gzip(data):
        return data
    found = io.BytesIO()  # its buffer can be read without a copy
    with unpacked(io.BytesIO(data), len(data), name) as stream:
        while piece := stream.read(_PIECE):
            found.write(piece)
    return found.getvalue()


def parse_csv(
    data: bytes,
    path: str,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    header_only: bool = False,
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
    header_only : bool, default=False
        Whether to leave the rows alone; the data may then end anywhere.

    Raises
    ------
    FormatError
        With the line of what is wrong.

    Examples
    --------
    >>> from surelist.tables.csv_text import parse_csv
    >>> parsed = parse_csv(b"age;sex\r\n25;Male\r\n31;Female\r\n", "people.csv")
    >>> parsed.delimiter, [column.name for column in parsed.columns], parsed.lines.tolist()
    (';', ['age', 'sex'], [2, 3])
    """
    notes: list[str] = []
    beginning, encoding = _look(data, path, encoding, notes)
    delimiter = named_delimiter(delimiter) if delimiter else _find_delimiter(beginning)
    # Decoded piece by piece: the whole text would take up to four times as much as the bytes.
    with io.TextIOWrapper(io.BytesIO(data), encoding, newline="") as stream:
        rows = _Rows(stream, path, delimiter)
        names = _distinct(rows.header(), path, notes)
        growing = [_GrowingColumn() for _ in names]
        lines = [np.empty(0, np.uint32)]
        while not header_only and (chunk := list(islice(rows, _CHUNK))):
            lines.append(np.fromiter((line for line, _ in chunk), np.uint32, len(chunk)))
            cells = zip(*(row for _, row in chunk), strict=True)
            for column, fields in zip(growing, cells, strict=True):
                column.add(fields)
    columns = [growing.pop(0).grown(name) for name in names]  # frees its parts
    if names[0] == "":
        notes.append(Message("row_names", path=path))
        columns = columns[1:]
    return CsvText(path, columns, np.concatenate(lines), delimiter, encoding, tuple(notes))


def _distinct(names: list[str], path: str, notes: list[str]) -> list[str]:
    """Give names that occur more than once a number, as pandas does."""
    taken = set(names)
    found: dict[str, None] = {}
    numbers: dict[str, int] = {}  # the last number that each name was given
    for name in names:
        own = name
        while own in found or (own != name and own in taken):
            numbers[name] = numbers.get(name, 0) + 1
            own = f"{name}.{numbers[name]}"
        if own != name:
            notes.append(Message("column_renamed", path=path, name=name, new=own))
        found[own] = None
    return list(found)


class _Codes(dict[str, int]):
    """Assigns a number to each new text."""

    def __missing__(self, text: str) -> int:
        self[text] = code = len(self)
        return code


class _GrowingColumn:
    """Collects the cells of a column: each text once, or all texts if nearly all differ.

    A separate string takes five times the memory of its characters, an entry of a dictionary ten
    times.
    """

    def __init__(self) -> None:
        self._codes = _Codes()
        self._texts: _Joined | None = None
        self._parts: list[NDArray[np.signedinteger[Any]]] = [np.empty(0, np.int8)]
        self._n_rows = 0

    def add(self, fields: tuple[str, ...]) -> None:
        """Take the cells of some more rows."""
        self._n_rows += len(fields)
        if self._texts is not None:
            first = len(self._texts)
            self._texts.add(fields)
            self._parts.append(np.arange(first, first + len(fields), dtype=np.int32))
            return
        known = map(self._codes.__getitem__, fields)
        codes = np.fromiter(known, np.int32, len(fields))
        self._parts.append(codes.astype(np.min_scalar_type(-len(self._codes))))
        if len(self._codes) > max(_MOST_KNOWN, self._n_rows // 2):
            self._texts = _Joined()
            self._texts.add(tuple(self._codes))
            self._codes.clear()

    def grown(self, name: str) -> TextColumn:
        """Return the column."""
        texts = list(self._codes) if self._texts is None else self._texts
        return TextColumn(name, texts, np.concatenate(self._parts))


class _Joined(Sequence[str]):
    """Texts that are kept together, with NULs between them: no text has one."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._ends = [0]

    def add(self, texts: tuple[str, ...]) -> None:
        """Add some texts."""
        self._parts.append("\0".join(texts))
        self._ends.append(self._ends[-1] + len(texts))

    def __len__(self) -> int:
        return self._ends[-1]

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(part.split("\0") for part in self._parts)

    def __getitem__(self, index: Any) -> Any:
        at = bisect_right(self._ends, index) - 1
        return self._parts[at].split("\0")[index - self._ends[at]]


class _Rows:
    """The rows of a CSV text, each with the line it begins on; blank lines are skipped."""

    def __init__(self, lines: Iterable[str], path: str, delimiter: str) -> None:
        self._reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
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
            problem = Message(
                "field_count", found=len(row), expected=self._width, delimiter=self._delimiter
            )
            raise FormatError(problem, self._path, line)
        return line, row

    def _damaged(self, error: csv.Error, line: int) -> FormatError:
        problem = str(error)
        most = f"{csv.field_size_limit():,} characters"
        if "unexpected end of data" in problem:
            problem = "a quote opens in this row and is never closed; close or remove it"
        elif "field larger" in problem and self._reader.line_num > line:
            problem = (
                f"a quote opens in this row and is not closed within {most}; close or remove it, "
                "or shorten the field"
            )
        elif "field larger" in problem:
            problem = f"a field has more than {most}, which is the most; shorten or remove it"
        elif "expected after" in problem:
            problem = "text follows a closing quote; double the quotes inside a quoted field"
        return FormatError(problem, self._path, line)


def _look(data: bytes, path: str, encoding: str | None, notes: list[str]) -> tuple[str, str]:
    """Decode everything once; return the beginning, and the encoding as given or found."""
    found = encoding or next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return _check_text(data, path, found), found
    except LookupError:
        raise InputError(Message("encoding_unknown", encoding=encoding)) from None
    except UnicodeError as error:
        if encoding is not None or found != "utf-8":
            raise _undecodable(data, path, found) from error
    try:
        beginning = _check_text(data, path, "cp1252")
    except UnicodeError:
        raise _undecodable(data, path, "utf-8") from None
    notes.append(Message("encoding_assumed", path=path))
    return beginning, "cp1252"


def _check_text(data: bytes, path: str, encoding: str) -> str:
    """Decode piece by piece, refuse a NUL, and return the beginning."""
    with io.TextIOWrapper(io.BytesIO(data), encoding, newline="") as stream:
        beginning = piece = stream.read(_SAMPLE + 1)
        line = 1
        while piece:
            if "\0" in piece:
                line += piece.count("\n", 0, piece.index("\0"))
                raise FormatError(Message("nul_byte"), path, line)
            line += piece.count("\n")
            piece = stream.read(_PIECE)
    return beginning


def _undecodable(data: bytes, path: str, encoding: str) -> FormatError:
    """Return the error with the first place that cannot be decoded."""
    try:
        data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"byte 0x{data[error.start]:02x}"
        return FormatError(Message("encoding_wrong", what=what, encoding=encoding), path, line)
    except UnicodeError as error:  # it does not say where
        text = Message("encoding_wrong", what=f"the file ({error})", encoding=encoding)
        return FormatError(text, path)
    return FormatError(Message("encoding_wrong", what="the file", encoding=encoding), path)


def named_delimiter(delimiter: str) -> str:
    """Return the delimiter as a character; the user may give its name, such as "tab"."""
    delimiter = _NAMED_DELIMITERS.get(delimiter.lower(), delimiter)
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise InputError(Message("delimiter_invalid", delimiter=delimiter))
    return delimiter


def delimiter_by_name(name: str) -> str | None:
    r"""Return the delimiter that a file name implies; None if it implies none.

    Examples
    --------
    >>> from surelist.tables.csv_text import delimiter_by_name
    >>> delimiter_by_name("people.TSV.gz"), delimiter_by_name("people.csv")
    ('\t', None)
    """
    return "\t" if name.lower().removesuffix(".gz").endswith((".tsv", ".tab")) else None


def _find_delimiter(text: str) -> str:
    """Choose the delimiter that splits the first lines into the same number of fields, and most."""
    sample, cut = text[:_SAMPLE], len(text) > _SAMPLE
    if cut:
        sample = sample[: sample.rfind("\n") + 1] or sample
    return max(_DELIMITERS, key=lambda delimiter: _merit(sample, delimiter, cut))


def _merit(sample: str, delimiter: str, cut: bool) -> tuple[bool, int]:
    lines = io.StringIO(sample, newline="")
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    try:
        widths = [len(row) for row in islice(reader, 100) if row]
    except csv.Error:
        return False, 0
    if len(widths) > 2 and cut:
        widths.pop()
    even = len(set(widths)) == 1 and widths[0] > 1
    return even, widths[0] if widths else 0
