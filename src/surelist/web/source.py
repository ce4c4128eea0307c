"""A data set in its folder: bounded before it is read, read by the package's own readers."""

from __future__ import annotations

import contextlib
import gzip
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from surelist.errors import FormatError, InputError
from surelist.estimators.corels import text_files as corels_text
from surelist.tables.files import FileTable, is_text, label_values, open_table, table_of_bits
from surelist.tables.table import Column
from surelist.web.limits import MB, Limits
from surelist.web.names import ABOUT, LABELS, SOURCE

if TYPE_CHECKING:
    from surelist.checker import CsvFile

__all__ = ["Source", "cell_texts", "check_bounds", "csv_source", "open_source", "take_rows"]

_CHUNK = 1 << 20
_DELIMITERS = b",;\t|"
_BINARY = {
    b"PK\x03\x04": "a ZIP archive or spreadsheet",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"\x7fELF": "a program",
    b"\x80\x04": "a pickle",
    b"\x80\x05": "a pickle",
    b"SQLite format 3": "a database",
    b"\xd0\xcf\x11\xe0": "a spreadsheet",
}


@dataclass(frozen=True, eq=False)
class Source:
    """A table, and its labels where they came in a file of their own.

    Attributes
    ----------
    table : FileTable
    labels : ndarray or None
        One label per row; None where a column has to be chosen for that.
    """

    table: FileTable
    labels: Any = None

    def labelled(self, label: str | None) -> Any:
        """Return one label per row, from a column or from the file of labels."""
        if self.labels is not None:
            return self.labels
        if label is None:
            raise InputError("choose the column to predict")
        return label_values(self.table, self.table.named_column(label, "the label"))


def open_source(folder: Path, limits: Limits) -> Source:
    """Read the data set in a folder.

    Raises
    ------
    FormatError
        For a file that cannot be read, or is larger than the limits allow.
    """
    about = _about(folder)
    # By names without folders, so that no message can give a path away.
    with contextlib.chdir(folder):
        return _open(about, limits)


def csv_source(folder: Path, limits: Limits) -> CsvFile | None:
    """Return the data set in a folder for the checker's own reader, if it is CSV text.

    Raises
    ------
    FormatError
        For a file that is larger than the limits allow.
    """
    from surelist.checker import CsvFile

    about, path = _about(folder), folder / SOURCE
    if about["kind"] == "corels" or not is_text(path):
        return None
    check_bounds(path, limits)
    # As bytes: a path would stand in messages.
    return CsvFile(path.read_bytes(), _delimiter(about), missing=about.get("missing", ()))


def _about(folder: Path) -> dict[str, Any]:
    about: dict[str, Any] = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    return about


def _delimiter(about: dict[str, Any]) -> str | None:
    """Return what the name of a file says of its delimiter."""
    name = str(about.get("name", "")).lower().removesuffix(".gz")
    return "\t" if name.endswith((".tsv", ".tab")) else None


def _open(about: dict[str, Any], limits: Limits) -> Source:
    path, labels = Path(SOURCE), Path(LABELS)
    if about["kind"] == "corels":
        for each in (path, labels):
            check_bounds(each, limits, lines=limits.columns)
        read = corels_text.read(path, labels)
        _check_count("rows", len(read.labels), limits.rows, path)
        table = table_of_bits(read.captures, read.antecedents, str(path))
        return Source(table, np.array(read.classes)[read.labels])
    check_bounds(path, limits)
    table = open_table(path, delimiter=_delimiter(about), missing=about.get("missing", ()))
    _check_count("rows", table.n_rows, limits.rows, path)
    _check_count("columns", len(table.names), limits.columns, path)
    return Source(table)


def check_bounds(path: Path, limits: Limits, lines: int | None = None) -> None:
    """Refuse a file that would be too large once it is unpacked, before that is done.

    ``lines`` is how many it may have; None is a header and as many as rows are allowed.
    """
    with path.open("rb") as file:
        head = file.read(16)
        file.seek(0)
        for mark, what in _BINARY.items():
            if head.startswith(mark):
                raise FormatError(
                    f"this looks like {what}; a CSV, Parquet or CORELS text file is needed", path
                )
        if head.startswith(b"PAR1"):
            _check_parquet(path, limits)
        elif not head.startswith((b"ARROW1", b"FEA1", b"\xff\xff\xff\xff")):
            stream: Any = gzip.GzipFile(fileobj=file) if head.startswith(b"\x1f\x8b") else file
            try:
                _check_text(stream, limits, lines, path)
            except (EOFError, zlib.error, gzip.BadGzipFile):
                problem = "the gzip data is cut short or damaged; fetch it again"
                raise FormatError(problem, path) from None


def _check_text(stream: BinaryIO, limits: Limits, lines: int | None, path: Path) -> None:
    """Count bytes, lines, and the fields of the first line, a chunk at a time."""
    size = n_lines = fields = 0
    in_header = True
    while chunk := stream.read(_CHUNK):
        size += len(chunk)
        if size > limits.unpacked:
            most = f"{limits.unpacked // MB:,} MB"
            raise FormatError(f"the file is larger than {most} once it is unpacked", path)
        n_lines += chunk.count(b"\n")
        if in_header and lines is None:
            line, end, _ = chunk.partition(b"\n")
            fields += max(line.count(delimiter) for delimiter in _DELIMITERS)
            in_header = not end
            _check_count("columns", fields, limits.columns, path)
        # Some rows more than are allowed, because fields may hold line breaks.
        _check_count("lines", n_lines, 2 * limits.rows if lines is None else lines, path)


def _check_parquet(path: Path, limits: Limits) -> None:
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        from pyarrow import parquet
    except ImportError:
        return  # the reader says what to install
    try:
        metadata = parquet.read_metadata(path)
        unpacked = sum(
            metadata.row_group(index).total_byte_size for index in range(metadata.num_row_groups)
        )
    except (pa.ArrowException, OSError, ValueError):
        raise FormatError("the file is damaged; fetch or write it again", path) from None
    _check_count("rows", metadata.num_rows, limits.rows, path)
    _check_count("columns", metadata.num_columns, limits.columns, path)
    if unpacked > limits.unpacked:
        most = f"{limits.unpacked // MB:,} MB"
        raise FormatError(f"the file is larger than {most} once it is unpacked", path)


def _check_count(what: str, count: int, most: int, path: Path) -> None:
    if count > most:
        raise FormatError(f"there are more than {most:,} {what}, which is the most allowed", path)


def take_rows(table: FileTable, rows: NDArray[np.intp]) -> FileTable:
    """Return some rows of a table."""
    return table.take(rows)


def cell_texts(column: Column, rows: Sequence[int]) -> list[str | None]:
    """Return cells as text, None where there is no value."""
    taken = column.take(np.asarray(rows, dtype=np.intp))
    if taken.codes is not None:
        known = [*map(str, taken.values.tolist()), None]
        return [known[code] for code in taken.codes]
    if taken.kind in ("date", "datetime"):
        unit = "D" if taken.kind == "date" else "s"
        texts = taken.values.astype(f"datetime64[{unit}]").astype(str).tolist()
    elif taken.values.dtype.kind == "f":
        texts = [f"{value:.12g}" for value in taken.values.tolist()]
    else:
        texts = [str(value) for value in taken.values.tolist()]
    return [None if gone else text for text, gone in zip(texts, taken.missing, strict=True)]
