"""A CSV file means the same to `surelist fit`, to `surelist verify` and to the checker alone."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from cli_helpers import run

from surelist import csv_columns
from surelist.csv_text import TextColumn
from surelist.verify import DataError, main, verify

CELLS = {
    "numbers": ["1", "2", "-3", "+4"],
    "fractions": ["0.5", " 2.25", "-1e3", ".5", "7."],
    "gaps": ["1", "NA", "", "3", "n/a", "#N/A", "NaN", "NULL"],
    "infinite": ["1", "inf", "-Inf", "2.5"],
    "flags": ["true", "False", "TRUE", "false"],
    "postcodes": ["0012", "12", "00012", "1200"],
    "texts": ["None", "none", " na ", "NAN", "a b", "ä"],
    "quoted": ['"a,b;c"', '"d ""e"""', '"two\nlines"', "plain"],
    "dates": ["2020-02-29", "2021-01-01", "1999-12-31", ""],
    "moments": ["2020-02-29 12:30", "2020-02-29T12:31:05", "2020-01-01 00:00", "NaT"],
    "zones": ["2020-02-29 12:30Z", "2020-02-29T13:00+01:00", "2020-02-29 07:00 +00:00"],
}


def write(path: Path, cells: list[str], delimiter: str, encoding: str = "utf-8") -> Path:
    """Rows of a column, a flag and a label that both tell."""
    rng = np.random.default_rng(len(cells))
    lines = [delimiter.join((" column", "flag", "label "))]
    for row in range(120):
        cell, flag = row % len(cells), int(rng.integers(2))
        label = "yes" if (cell % 2 == flag) != (rng.random() < 0.1) else "no"
        lines.append(delimiter.join((cells[cell], str(flag), label)))
        if row % 50 == 7:
            lines.append("")
    path.write_bytes("\r\n".join([*lines, ""]).encode(encoding))
    return path


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("name", CELLS)
def test_files_mean_the_same(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, delimiter: str
) -> None:
    encoding = "utf-8-sig" if delimiter == ";" else "utf-8"
    data = write(tmp_path / "data.csv", CELLS[name], delimiter, encoding)
    proof = tmp_path / "proof.cert"
    fit = run(capfd, "fit", data, "-l", "label", "-r", "0.02", "--certificate", proof)
    assert fit.code == 0, fit.err
    assert run(capfd, "verify", proof, data).code == 0
    assert main([str(proof), str(data), "--label", "label"]) == 0
    # The proof is about the column, so it matters what is in it.
    changed = data.read_text(encoding=encoding).replace("yes", "no", 1)
    data.write_text(changed, encoding=encoding)
    assert main([str(proof), str(data), "--label", "label"]) == 4


def test_missing_texts_are_the_same() -> None:
    assert set(import_module("surelist.verify").MISSING) == csv_columns.MISSING


@pytest.mark.parametrize("name", CELLS)
def test_cells_mean_the_same(name: str) -> None:
    """What a column of cells is read as is among the meanings of each cell."""
    cells = [cell for cell in CELLS[name] if not cell.startswith('"')]
    column = csv_columns.read_column(TextColumn(name, cells, np.arange(len(cells))))
    meanings = import_module("surelist.verify")._cell_meanings
    for row, cell in enumerate(cells):
        found = meanings(cell)
        assert (found == ()) == column.missing[row]
        if found:
            at = row if column.codes is None else column.codes[row]
            assert column.values[at : at + 1].tolist()[0] in found


def test_rows_come_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many rows are read at a time, the groups are the same."""
    module = import_module("surelist.verify")
    data = write(tmp_path / "data.csv", CELLS["gaps"], ",")
    assert run_fit(data, tmp_path / "proof.cert") == 0
    whole = verify(tmp_path / "proof.cert", data, label="label")
    original, sizes = module._batches, []

    def few(X: object, names: object, needed: object, _: int) -> object:
        for n, table in original(X, names, needed, 7):
            sizes.append(n)
            yield n, table

    monkeypatch.setattr(module, "_batches", few)
    assert verify(tmp_path / "proof.cert", data, label="label") == whole
    assert sizes == [7] * 17 + [1]
    labels = ["yes"] * 121
    with pytest.raises(DataError, match="labels"):
        verify(tmp_path / "proof.cert", data, labels)
    with pytest.raises(DataError, match="labels"):
        verify(tmp_path / "proof.cert", data, labels[:100])


def run_fit(data: Path, proof: Path) -> int:
    from surelist.cli import main as surelist

    return surelist(["fit", str(data), "-l", "label", "-r", "0.02", "--certificate", str(proof)])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"column,flag,label\n1,2\n", "not 3 columns"),
        (b"column,flag,flag,label\n1,1,1,yes\n", "of different names"),
        (b"flag,label\n1,yes\n", "no column 'column'"),
        (b"column,flag,label\n\xff,1,yes\n", "no CSV file in UTF-8"),
        (b'column,flag,label\n"1"x,1,yes\n', "no CSV file"),
        (b"", "no column"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, text: bytes, reason: str) -> None:
    proof, data = tmp_path / "proof.cert", tmp_path / "data.csv"
    assert run_fit(write(data, CELLS["numbers"], ","), proof) == 0
    data.write_bytes(text)
    with pytest.raises(DataError, match=reason):
        verify(proof, data, label="label")
