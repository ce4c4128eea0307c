"""Reading a data set of the page: its size is checked first, then the package reads it."""

from __future__ import annotations

import contextlib
import filecmp
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from surelist._common.decompression import DAMAGED_GZIP, DAMAGED_GZIP_TEXT, unpacked_if_gzip
from surelist._common.file_kinds import ARROW_KINDS, BEGINNING, ZIP, kind_of_content
from surelist._common.files import put_files
from surelist.errors import FormatError
from surelist.runs.rows import Source, read_corels
from surelist.tables.column import Column
from surelist.tables.csv_text import delimiter_by_name
from surelist.tables.files import is_text, open_table
from surelist.tables.xlsx import NO_WORKBOOK, is_xlsx, sheet_as_csv
from surelist.web.file_names import ABOUT, LABELS, SOURCE
from surelist.web.kept_table import keep_table, kept_table
from surelist.web.limits import LONGEST_NAME, MB, Limits

if TYPE_CHECKING:
    from surelist.checker import CsvFile

__all__ = [
    *("cell_texts", "check_bounds", "csv_source", "keep_source", "open_source"),
    *("same_data", "workbook_as_csv"),
]

_CHUNK = 1 << 20
_DELIMITERS = b",;\t|"
_NEEDED = "a CSV, Excel (.xlsx), Parquet, Arrow or CORELS text file is needed"
# Files that are not tables, by their first bytes, and the message for each.
_BINARY = {
    ZIP: NO_WORKBOOK,
    b"%PDF": f"this looks like a PDF; {_NEEDED}",
    b"\x89PNG": f"this looks like a picture; {_NEEDED}",
    b"\xff\xd8\xff": f"this looks like a picture; {_NEEDED}",
    b"GIF8": f"this looks like a picture; {_NEEDED}",
    b"\x7fELF": f"this looks like a program; {_NEEDED}",
    b"\x80\x04": f"this looks like a pickle; {_NEEDED}",
    b"\x80\x05": f"this looks like a pickle; {_NEEDED}",
    b"\xd0\xcf\x11\xe0": "this looks like an old workbook (.xls): save it as .xlsx or CSV",
}


def open_source(folder: Path, limits: Limits, kinds: Mapping[str, str] | None = None) -> Source:
    """Read the data set in a folder; ``kinds`` says what some columns have to hold.

    Raises
    ------
    FormatError
        For a file that cannot be read, or is larger than the limits allow.
    """
    about = _about(folder)
    # By names without folders, so that no message can show a path.
    with contextlib.chdir(folder):
        return _open(about, limits, kinds)


def keep_source(folder: Path, source: Source) -> None:
    """Keep what was read of a data set, so that its file is not read again."""
    about = _about(folder)
    if about["kind"] != "corels":
        keep_table(folder, about, source.table)


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


def same_data(first: Path, second: Path) -> bool:
    """Whether two data sets are one file that was sent twice, and is read alike."""
    if first == second:
        return True
    ours, theirs = (_about(folder) for folder in (first, second))
    if any(ours.get(name) != theirs.get(name) for name in ("kind", "missing")):
        return False
    if _delimiter(ours) != _delimiter(theirs):
        return False
    parts = (SOURCE, LABELS) if ours["kind"] == "corels" else (SOURCE,)
    return all(filecmp.cmp(first / part, second / part, shallow=False) for part in parts)


def workbook_as_csv(folder: Path, limits: Limits) -> str | None:
    """Replace a workbook by the CSV text of its first sheet; return what the sheet is called.

    The text is what search and checker read, so that both read the same.
    """
    path = folder / SOURCE
    with path.open("rb") as file:
        if file.read(len(ZIP)) != ZIP:
            return None
    data = path.read_bytes()
    if not is_xlsx(data):
        return None
    text, sheet = sheet_as_csv(data, SOURCE)
    if len(text) > limits.unpacked:
        raise FormatError(f"the sheet is larger than {limits.unpacked // MB:,} MB as text", SOURCE)
    put_files({path: [text.encode()]})
    return sheet


def _about(folder: Path) -> dict[str, Any]:
    about: dict[str, Any] = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    return about


def _delimiter(about: dict[str, Any]) -> str | None:
    """Return what the name that a file was uploaded under says of its delimiter."""
    return delimiter_by_name(str(about.get("name", "")))


def _open(about: dict[str, Any], limits: Limits, kinds: Mapping[str, str] | None) -> Source:
    path, labels = Path(SOURCE), Path(LABELS)
    if about["kind"] == "corels":
        for each in (path, labels):
            check_bounds(each, limits, lines=limits.columns)
        source = read_corels(path, labels)
        _check_count("rows", source.table.n_rows, limits.rows, path)
        return source
    table = kept_table(Path(), about) if kinds is None else None
    if table is None:
        check_bounds(path, limits)
        missing = about.get("missing", ())
        table = open_table(path, delimiter=_delimiter(about), missing=missing, kinds=kinds)
    _check_count("rows", table.n_rows, limits.rows, path)
    _check_count("columns", len(table.names), limits.columns, path)
    _check_names(table.names, path)
    return Source(table)


def check_bounds(path: Path, limits: Limits, lines: int | None = None) -> None:
    """Refuse a file that would be too large once it is unpacked, without unpacking it to memory.

    ``lines`` is how many it may have; None is a header and as many as rows are allowed.
    """
    with path.open("rb") as file:
        head = file.read(BEGINNING)
        file.seek(0)
        kind = kind_of_content(head)
        problem = next((said for mark, said in _BINARY.items() if head.startswith(mark)), None)
        if kind in ("sqlite", "duckdb"):
            problem = f"this looks like a database; {_NEEDED}"
        if problem is not None:
            raise FormatError(problem, path)
        if kind == "parquet":
            _check_parquet(path, limits)
        elif kind not in ARROW_KINDS:
            try:
                _check_text(unpacked_if_gzip(file), limits, lines, path)
            except DAMAGED_GZIP:
                raise FormatError(DAMAGED_GZIP_TEXT, path) from None


def _check_text(stream: IO[bytes], limits: Limits, lines: int | None, path: Path) -> None:
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


def _check_names(names: Sequence[str], path: Path) -> None:
    for number, name in enumerate(names, start=1):
        if len(name) > LONGEST_NAME:
            raise FormatError(
                f"the name of column {number} has {len(name):,} characters; "
                f"{LONGEST_NAME:,} are the most allowed: shorten it",
                path,
            )


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
