"""Read and write the CORELS text format.

Up to three files describe one data set. Each line is a name in braces and then one bit per row of
the data, so a file is the *transpose* of a table::

    train.out      {sex:Male} 0 1 1            one line per antecedent: which rows it captures
                   {sex:Male,age:18-20} 0 0 1  (the clauses of a conjunction separated by commas)
    train.label    {recidivate:No} 1 0 0       one line per class: which rows carry that label,
                   {recidivate:Yes} 0 1 1      exactly one class per row
    train.minor    {group_minority} 0 0 1      one line: the rows whose label is not the majority of
                                               their equivalent-points group (optional)

The reader forgives what cannot be misunderstood (spacing, tabs, CRLF, blank lines, a byte-order
mark, leading zeros, gzip) and refuses everything else, naming file, line and column: a line
skipped in silence would be a different problem, whose certified optimum means nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from surelist._common.decompression import DAMAGED_GZIP_TEXT, unpacked
from surelist._common.file_kinds import is_gzip
from surelist._common.files import PathLike, put_files, target_of
from surelist.errors import FormatError, InputError

__all__ = ["CorelsData", "minority_of", "read", "write"]

_SPACE, _TAB, _ZERO, _ONE = b" \t01"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_TOKEN = re.compile(rb"[^ \t]+")
# A name ends at the first closing brace and a line at the first newline; a carriage return or NUL
# inside a name is damage, not a name; a lone surrogate has no UTF-8.
_NOT_IN_NAMES = re.compile("[{}\r\n\0\ud800-\udfff]")


@dataclass(frozen=True, eq=False)
class CorelsData:
    """A data set as the CORELS text files hold it.

    Attributes
    ----------
    antecedents : tuple of str
        Names, without braces.
    captures : ndarray of uint8, shape (rows, antecedents)
        1 where the antecedent captures the row.
    classes : tuple of str
        Names of the labels, without braces.
    labels : ndarray of int32, shape (rows,)
        Index into `classes`.
    minority : ndarray of bool, shape (rows,), or None
        Rows whose label is not the majority of their equivalent-points group, if known.
    """

    antecedents: tuple[str, ...]
    captures: NDArray[np.uint8]
    classes: tuple[str, ...]
    labels: NDArray[np.int32]
    minority: NDArray[np.bool_] | None = None


def read(out: PathLike, label: PathLike, minor: PathLike | None = None) -> CorelsData:
    r"""Read a data set from CORELS text files, gzipped or not.

    Parameters
    ----------
    out : path
        Antecedents. A file without any line means a data set without antecedents.
    label : path
        Labels, two classes or more.
    minor : path, optional
        Minority rows; refused if they contradict the other two files.

    Raises
    ------
    FormatError
        A file cannot be opened, or breaks the format; says in which line and column.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     out, label = Path(folder, "train.out"), Path(folder, "train.label")
    ...     _ = out.write_text("{sex:Male} 0 1 1\n{age:18-20} 0 0 1\n")
    ...     _ = label.write_text("{recidivate:No} 1 0 0\n{recidivate:Yes} 0 1 1\n")
    ...     data = read(out, label)
    >>> data.antecedents, data.captures.tolist()
    (('sex:Male', 'age:18-20'), [[0, 0], [1, 0], [1, 1]])
    >>> [data.classes[code] for code in data.labels]
    ['recidivate:No', 'recidivate:Yes', 'recidivate:Yes']
    """
    out_path, label_path = os.fsdecode(out), os.fsdecode(label)
    # Names and bits only: the text of a large file need not stay in memory.
    columns = {entry.name: entry.bits for entry in _entries(out_path)}
    entries = list(_entries(label_path))
    if len(entries) < 2:
        problem = f"expected a line per class and two classes or more, found {len(entries)}"
        raise FormatError(problem, label_path, entries[0].line.number if entries else None)
    captures = np.zeros((entries[0].bits.size, 0), np.uint8)
    if columns:
        # The rows of an antecedent stay side by side: readers take one column after another.
        captures = np.stack(list(columns.values())).T
        _check_rows(entries[0], len(captures), f"in {out_path}")
    classes = tuple(entry.name for entry in entries)
    data = CorelsData(tuple(columns), captures, classes, _labels(entries))
    if minor is None:
        return data
    return replace(data, minority=_minority(os.fsdecode(minor), data, label_path))


@dataclass(frozen=True, eq=False)
class _Line:
    """One line that is not blank, without its line ending and trailing blanks."""

    path: str
    number: int
    text: bytes

    def error(self, offset: int, problem: str) -> FormatError:
        """Make the error for what is wrong at a byte offset; the text before it is UTF-8."""
        column = len(self.text[:offset].decode()) + 1
        return FormatError(problem, self.path, self.number, column)


@dataclass(frozen=True, eq=False)
class _Entry:
    """One parsed line: `text[start:]` holds the bits."""

    line: _Line
    name: str
    start: int
    bits: NDArray[np.uint8]

    def error_at_row(self, row: int, problem: str) -> FormatError:
        """Make the error for row `row` (from 0), or for the line's end if it has fewer rows."""
        blank = _blanks(self.line.text, self.start)
        tokens = self.start + 1 + np.flatnonzero(blank[:-1] & ~blank[1:])
        offset = int(tokens[row]) if row < tokens.size else len(self.line.text)
        return self.line.error(offset, problem)


def _lines(path: str) -> Iterator[_Line]:
    """Yield the lines of a text file that are not blank, unpacking gzip on the way."""
    number = 0
    try:
        with Path(path).open("rb") as file:
            head = file.peek(2)[:2]
            if not head and path.lower().endswith(".gz"):
                raise EOFError  # gzip reads a file of no bytes as an empty text
            size = os.fstat(file.fileno()).st_size
            stream = unpacked(file, size, path) if is_gzip(head) else file
            for number, raw in enumerate(stream, 1):
                text = raw.removeprefix(_BYTE_ORDER_MARK) if number == 1 else raw
                text = text.rstrip(b" \t\r\n")
                if text:
                    yield _Line(path, number, text)
    except EOFError:
        raise FormatError(DAMAGED_GZIP_TEXT, path, 1) from None
    except FormatError as error:
        raise FormatError(error.problem, path, number + 1) from None
    except (OSError, ValueError) as error:  # ValueError: a path that no file system can hold
        reason = getattr(error, "strerror", None) or error
        raise FormatError(f"the file cannot be read ({reason}); check the path", path) from error


def _entries(path: str) -> Iterator[_Entry]:
    """Parse a file line by line: distinct names, as many bits in each line as in the first."""
    seen: dict[str, int] = {}
    first: _Entry | None = None
    for line in _lines(path):
        entry = _parse(line)
        first = first or entry
        if entry.name in seen:
            problem = f"the name {_quote(entry.name)} is already on line {seen[entry.name]}"
            raise line.error(line.text.index(b"{"), f"{problem}; rename or remove one of the two")
        _check_rows(entry, first.bits.size, f"on line {first.line.number}")
        seen[entry.name] = line.number
        yield entry


def _parse(line: _Line) -> _Entry:
    """Split one line into its name and bits."""
    _check_text(line)
    text = line.text
    opening = len(text) - len(text.lstrip(b" \t"))
    if text[opening] != ord("{"):
        raise line.error(opening, "expected '{': a line is a name in braces and bits, {name} 0 1")
    closing = text.find(b"}", opening)
    if closing < 0:
        raise line.error(opening, "this '{' is never closed; put '}' after the name")
    name = text[opening + 1 : closing].decode()
    if not name.strip():
        raise line.error(opening + 1, "the name is empty; write one between the braces")
    if wrong := _NOT_IN_NAMES.search(name):
        offset = opening + 1 + len(name[: wrong.start()].encode())
        raise line.error(offset, f"a name cannot hold {wrong.group()!r}; remove it")
    start = closing + 1
    if start == len(text):
        raise line.error(start, "no bits after the name; write one 0 or 1 per row")
    if text[start] not in (_SPACE, _TAB):
        raise line.error(start, "expected a space after '}'")
    return _Entry(line, name, start, _bits(line, start))


def _check_text(line: _Line) -> None:
    if not line.text.isascii():
        try:
            line.text.decode()
        except UnicodeDecodeError as error:
            byte = line.text[error.start]
            problem = f"byte 0x{byte:02x} is not UTF-8 text; save the file as UTF-8"
            raise line.error(error.start, problem) from None
    if (offset := line.text.find(b"\0")) >= 0:
        raise line.error(offset, "NUL byte: the file is damaged, or UTF-16; save it as UTF-8")


def _bits(line: _Line, start: int) -> NDArray[np.uint8]:
    """Parse the bits, ``0*[01]`` between blanks; `start` is the blank after the name."""
    body = np.frombuffer(line.text, np.uint8, offset=start)
    # What every writer writes, " 0 1 1", needs a fraction of the general rule's passes.
    if body.size % 2 == 0 and (body[0::2] == _SPACE).all():
        bits = np.subtract(body[1::2], _ZERO, dtype=np.uint8)
        if (bits <= 1).all():
            return bits
    blank = _blanks(line.text, start)
    last = ~blank  # becomes: the last character of each token
    last[:-1] &= blank[1:]
    good = blank | (body == _ZERO) | (last & (body == _ONE))
    if not good.all():
        raise _token_error(line, start + int(good.argmin()))
    return np.subtract(body[last], _ZERO, dtype=np.uint8)


def _blanks(text: bytes, start: int) -> NDArray[np.bool_]:
    body = np.frombuffer(text, np.uint8, offset=start)
    return np.asarray((body == _SPACE) | (body == _TAB), np.bool_)


def _token_error(line: _Line, offset: int) -> FormatError:
    """Make the error for the token around a byte offset."""
    begin = 1 + max(line.text.rfind(blank, 0, offset) for blank in (b" ", b"\t"))
    match = _TOKEN.match(line.text, begin)
    token = match.group().decode() if match else ""
    hint = "; separate the bits by spaces" if set(token) <= {"0", "1"} else ""
    return line.error(begin, f"expected 0 or 1, found {_quote(token)}{hint}")


def _check_rows(entry: _Entry, rows: int, where: str) -> None:
    if entry.bits.size != rows:
        problem = f"expected {rows} bits, as {where}, found {entry.bits.size}"
        raise entry.error_at_row(rows, f"{problem}; every line needs one bit per row of the data")


def _labels(entries: list[_Entry]) -> NDArray[np.int32]:
    """Turn one indicator per class into one class code per row."""
    marks = np.stack([entry.bits for entry in entries])
    count = marks.sum(axis=0, dtype=np.int64)
    if (count != 1).any():
        row = int((count != 1).argmax())
        if count[row] == 0:
            problem = f"row {row + 1} has no label: its bit is 0 for every class; set one to 1"
            raise entries[-1].error_at_row(row, problem)
        first, second = (entries[code] for code in np.flatnonzero(marks[:, row])[:2])
        problem = f"row {row + 1} has two labels: line {first.line.number} has a 1 for it too"
        raise second.error_at_row(row, f"{problem}; set one to 0")
    return np.asarray(marks.argmax(axis=0), np.int32)


def _minority(path: str, data: CorelsData, label_path: str) -> NDArray[np.bool_]:
    """Read a ``.minor`` file and hold it against the data."""
    entries = list(_entries(path))
    if len(entries) != 1:
        problem = f"expected one line, {{group_minority}} 0 1, found {len(entries)} lines"
        raise FormatError(problem, path, entries[1].line.number if entries else None)
    (entry,) = entries
    _check_rows(entry, data.labels.size, f"in {label_path}")
    minority = entry.bits.astype(np.bool_)
    if wrong := _contradiction(replace(data, minority=minority)):
        raise entry.error_at_row(wrong[0], f"{wrong[1]}; make the file anew or leave it out")
    return minority


def _quote(text: str, limit: int = 40) -> str:
    """Quote for a message; a damaged file may hold names and tokens of any length."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


def minority_of(
    captures: NDArray[np.uint8], labels: NDArray[np.int32], n_classes: int
) -> NDArray[np.bool_]:
    """Mark the rows whose label is not the majority of their equivalent-points group.

    Rows captured by exactly the same antecedents form a group; no rule list can tell them apart,
    so each misclassifies at least the minority. Where classes tie, the lowest code is the majority.

    Parameters
    ----------
    captures : ndarray of 0/1, shape (rows, antecedents)
    labels : ndarray of int, shape (rows,)
        Class codes, 0 to `n_classes` - 1.
    n_classes : int

    Returns
    -------
    ndarray of bool, shape (rows,)

    Examples
    --------
    >>> captures = np.array([[0, 1], [0, 1], [0, 1], [1, 1]], np.uint8)
    >>> minority_of(captures, np.array([0, 1, 1, 0], np.int32), n_classes=2).tolist()
    [True, False, False, False]
    """
    _check_arrays(captures, labels, n_classes)
    group, counts = _group_counts(captures, labels, n_classes)
    return np.asarray(labels != counts.argmax(axis=1)[group], np.bool_)


def _group_counts(
    captures: NDArray[np.uint8], labels: NDArray[np.int32], n_classes: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return each row's group, and rows per group and class."""
    packed = np.packbits(captures.astype(np.bool_), axis=1)
    # A matrix may be stored by columns; words are seen along rows.
    packed = np.ascontiguousarray(np.pad(packed, ((0, 0), (0, -packed.shape[1] % 4))))
    group = np.zeros(len(captures), np.int64)
    # Refining by 32 antecedents at a time keeps the sort on plain integers, which is many times
    # faster than a sort of whole rows.
    for word in packed.view(np.uint32).T if packed.size else ():
        _, group = np.unique((group << 32) | word, return_inverse=True)
    n_groups = int(group.max(initial=-1)) + 1
    code = group * n_classes + labels.astype(np.int64)
    counts = np.bincount(code, minlength=n_groups * n_classes)
    return group, counts.reshape(n_groups, n_classes)


def _contradiction(data: CorelsData) -> tuple[int, str] | None:
    """Find the first row whose group has a wrong number of minority rows.

    Only numbers are compared: where classes tie, any of them may be the majority.
    """
    group, counts = _group_counts(data.captures, data.labels, len(data.classes))
    size = counts.sum(axis=1)
    expected = size - counts.max(axis=1)
    marked = np.bincount(group[data.minority], minlength=size.size)
    wrong = (marked != expected)[group]
    if not wrong.any():
        return None
    row = int(wrong.argmax())
    its = group[row]
    return row, (
        f"row {row + 1} is in an equivalent-points group of {size[its]} rows with {marked[its]} "
        f"marked as minority, but by their labels {expected[its]} are"
    )


def write(data: CorelsData, out: PathLike, label: PathLike, minor: PathLike | None = None) -> None:
    """Write a data set as CORELS text files, compressed where a name ends in ``.gz``.

    No file is put in place before all of them are written out in full.

    Parameters
    ----------
    data : CorelsData
    out, label : path
    minor : path, optional
        Written if given; computed by `minority_of` if `data` does not hold it.

    Raises
    ------
    InputError
        The data are inconsistent, a name cannot be written, or a file cannot be.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> captures, labels = np.array([[0], [1]], np.uint8), np.array([1, 0], np.int32)
    >>> data = CorelsData(("sex:Male",), captures, ("No", "Yes"), labels)
    >>> with TemporaryDirectory() as folder:
    ...     out, label = Path(folder, "train.out"), Path(folder, "train.label")
    ...     write(data, out, label)
    ...     print(out.read_text() + label.read_text(), end="")
    {sex:Male} 0 1
    {No} 0 1
    {Yes} 1 0
    """
    _check(data)
    indicators = (data.labels == code for code in range(len(data.classes)))
    files: dict[Path, Iterable[bytes]] = {}
    _add_file(files, out, map(_format, data.antecedents, data.captures.T))
    _add_file(files, label, map(_format, data.classes, indicators))
    if minor is not None:
        minority = data.minority
        if minority is None:
            minority = minority_of(data.captures, data.labels, len(data.classes))
        _add_file(files, minor, [_format("group_minority", minority)])
    put_files(files)


def _format(name: str, bits: NDArray[np.uint8] | NDArray[np.bool_]) -> bytes:
    text = np.full(2 * bits.size, _SPACE, np.uint8)
    text[1::2] = np.where(bits, _ONE, _ZERO)
    return b"{" + name.encode() + b"}" + text.tobytes() + b"\n"


def _add_file(files: dict[Path, Iterable[bytes]], path: PathLike, lines: Iterable[bytes]) -> None:
    target = target_of(path)
    if target in files:
        raise InputError(f"{os.fsdecode(path)}: given for two files; give each a path of its own")
    files[target] = lines


def _check(data: CorelsData) -> None:
    """Refuse whatever `read` would not give back unchanged."""
    _check_names(data.antecedents, "antecedent")
    _check_names(data.classes, "class")
    _check_arrays(data.captures, data.labels, len(data.classes))
    rows, width = data.captures.shape
    if width != len(data.antecedents):
        raise InputError(f"captures has {width} columns for {len(data.antecedents)} antecedents")
    if rows == 0 or len(data.classes) < 2:
        found = f"found {rows} rows and {len(data.classes)} classes"
        raise InputError(f"{found}; the format needs at least one row and two classes")
    if data.minority is None:
        return
    if data.minority.shape != (rows,) or data.minority.dtype != np.bool_:
        raise InputError(f"minority must be a Boolean array of shape ({rows},)")
    if wrong := _contradiction(data):
        raise InputError(f"minority: {wrong[1]}; compute it with minority_of or leave it out")


def _check_names(names: tuple[str, ...], kind: str) -> None:
    seen: set[str] = set()
    for name in names:
        if not name.strip() or _NOT_IN_NAMES.search(name):
            rule = "a name must not be blank, nor hold braces, line breaks, NUL or surrogates"
            raise InputError(f"{kind} {_quote(name)}: {rule}; rename it")
        if name in seen:
            raise InputError(f"{kind} {_quote(name)}: the name occurs twice; rename one of them")
        seen.add(name)


def _check_arrays(captures: NDArray[np.uint8], labels: NDArray[np.int32], n_classes: int) -> None:
    if captures.ndim != 2 or ((captures != 0) & (captures != 1)).any():
        raise InputError("captures must be a matrix of 0 and 1, with a column per antecedent")
    rows = len(captures)
    if labels.shape != (rows,) or not np.issubdtype(labels.dtype, np.integer):
        found = f"found {labels.dtype} of shape {labels.shape}"
        raise InputError(f"labels must be {rows} class codes, one per row of captures; {found}")
    outside = (labels < 0) | (labels >= n_classes)
    if outside.any():
        row = int(outside.argmax())
        raise InputError(f"labels: {labels[row]} in row {row + 1} is not in 0..{n_classes - 1}")
