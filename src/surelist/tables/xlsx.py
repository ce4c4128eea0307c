"""Sheets of .xlsx workbooks, as the text of a CSV file.

A sheet is turned into CSV text first and then read like any other, so that its cells mean the same
to every reader, the checker's among them. Only values are read: of a formula, what the program that
saved the workbook had computed. What a workbook unpacks to is checked before it is.
"""

from __future__ import annotations

import io
import zipfile
from datetime import date, datetime, time
from typing import Any

from surelist._common.file_kinds import ZIP
from surelist._common.text_tables import csv_table
from surelist.errors import FormatError

__all__ = ["NO_WORKBOOK", "is_xlsx", "sheet_as_csv"]

NO_WORKBOOK = (
    "this is a workbook (.xlsx) that is cut off or damaged, or another ZIP archive: "
    "fetch or save the workbook again, or unpack the archive"
)

_PARTS = ("[Content_Types].xml", "xl/workbook.xml")
_MOST_UNPACKED = 1 << 30
_MOST_RATIO = 200


def is_xlsx(data: bytes) -> bool:
    """Whether a file is a workbook, by what it holds."""
    if not data.startswith(ZIP):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return set(_PARTS) <= set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError):
        return False


def sheet_as_csv(data: bytes, path: str) -> tuple[str, str]:
    """Return the first sheet of a workbook as CSV text, and what the sheet is called.

    Raises
    ------
    FormatError
        For a workbook that is damaged, empty or too large, or where openpyxl is not installed.
    """
    try:
        import openpyxl
    except ImportError:
        problem = "a workbook is read by openpyxl, which is missing: pip install 'surelist[xlsx]'"
        raise FormatError(problem, path) from None
    _check_size(data, path)
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        rows = [list(row) for row in sheet.iter_rows(values_only=True)]
        name = str(sheet.title)
        book.close()
    except Exception as error:  # what openpyxl raises for damaged files is not documented
        kind = type(error).__name__
        raise FormatError(f"the workbook cannot be read ({kind}); save it again", path) from None
    while rows and all(cell is None for cell in rows[-1]):
        rows.pop()
    filled = (at + 1 for row in rows for at, cell in enumerate(row) if cell is not None)
    width = max(filled, default=0)
    if len(rows) < 2 or width == 0:
        raise FormatError(f"the sheet {name!r} has no rows below its header line", path)
    _check_header([*rows[0], *[None] * width][:width], name, path)
    columns = [[row[at] if at < len(row) else None for row in rows] for at in range(width)]
    header, *body = zip(*map(_texts, columns), strict=True)
    return csv_table(header, body), name


def _check_header(cells: list[Any], name: str, path: str) -> None:
    """Refuse a sheet whose first row does not name the columns, such as one with a title above."""
    empty = [at + 1 for at, cell in enumerate(cells) if cell is None or not str(cell).strip()]
    if empty:
        raise FormatError(
            f"column {empty[0]} has no name in the first row of the sheet {name!r}: that row has "
            "to name the columns. Delete titles above it, and unmerge cells",
            path,
        )


def _texts(cells: list[Any]) -> list[str]:
    """Return a column as text: dates without a time where none of them has one."""
    timed = any(isinstance(cell, datetime) and cell.time() != time(0) for cell in cells)
    return [_text(cell, timed) for cell in cells]


def _check_size(data: bytes, path: str) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
    if size > _MOST_UNPACKED or size > _MOST_RATIO * len(data) + (1 << 24):
        raise FormatError("the workbook unpacks to more than any table does", path)


def _text(cell: Any, timed: bool) -> str:
    """Return a cell as CSV text has it: whole numbers without a point, dates as ISO writes them."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return str(int(cell))
    if isinstance(cell, datetime):
        return cell.isoformat(sep="T") if timed else cell.date().isoformat()
    if isinstance(cell, date):
        return cell.isoformat()
    return str(cell)
