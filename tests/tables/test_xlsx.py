"""Workbooks are read as the CSV text of their first sheet; hostile ones are refused."""

from __future__ import annotations

import io
import zipfile
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from surelist.errors import FormatError
from surelist.tables.files import open_table, plain_values
from surelist.tables.xlsx import is_xlsx, sheet_as_csv


def workbook(rows: list[list[Any]], title: str = "People") -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = title
    for row in rows:
        sheet.append(row)
    book.create_sheet("Other").append(["not", "read"])
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


ROWS: list[list[Any]] = [
    ["age", "since", "at", "member", "note"],
    [25, date(2020, 2, 29), datetime(2020, 1, 1, 12, 30), True, "a, b"],
    [31.5, date(2021, 1, 1), datetime(2020, 1, 2), False, None],
    [None, date(2022, 1, 1), datetime(2020, 1, 3, 1), True, "c"],
]


def test_cells_become_what_csv_text_has(tmp_path: Path) -> None:
    path = tmp_path / "people.xlsx"
    path.write_bytes(workbook([*ROWS, [None] * 5]))
    assert is_xlsx(path.read_bytes())
    table = open_table(path)
    assert table.n_rows == 3
    kinds = {name: table.column(at).kind for at, name in enumerate(table.names)}
    assert kinds == {
        "age": "number",
        "since": "date",
        "at": "datetime",
        "member": "number",
        "note": "text",
    }
    assert plain_values(table.column(0)) == [25, 31.5, None]
    assert plain_values(table.column(4)) == ["a, b", None, "c"]
    assert any("sheet 'People' is read" in note for note in table.notes)


@pytest.mark.parametrize(
    "title", [["Report of 2024"], [None, "Report of 2024"], [" ", None, None], [None]]
)
def test_a_title_above_the_names_is_pointed_out(title: list[Any]) -> None:
    with pytest.raises(FormatError, match=r"first row of the sheet 'People'.*Delete titles"):
        sheet_as_csv(workbook([title, *ROWS]), "people.xlsx")


def test_an_empty_sheet_says_so() -> None:
    with pytest.raises(FormatError, match="no rows below its header"):
        sheet_as_csv(workbook([["a", "b"]]), "x")


def test_a_bomb_and_a_damaged_workbook_are_refused(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
        archive.writestr("xl/workbook.xml", "<x/>")
        archive.writestr("xl/worksheets/sheet1.xml", b"\0" * 60_000_000)
    path = tmp_path / "bomb.xlsx"
    path.write_bytes(packed.getvalue())
    with pytest.raises(FormatError, match="more than any table"):
        open_table(path)
    good = workbook(ROWS)
    with zipfile.ZipFile(io.BytesIO(good)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files["xl/workbook.xml"] = b"<not xml"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    with pytest.raises(FormatError, match="cannot be read"):
        sheet_as_csv(packed.getvalue(), "x")
    assert not is_xlsx(good[:200])
    path.write_bytes(good[: len(good) // 2])
    with pytest.raises(FormatError, match="cut off or damaged"):
        open_table(path)
    assert not is_xlsx(b"age,sex\n")
