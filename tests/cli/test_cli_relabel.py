"""Labels as people have them, in a terminal: fitted, inspected, verified and bundled."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_helpers import Captured, run


@pytest.fixture
def marks(tmp_path: Path) -> Path:
    path = tmp_path / "marks.csv"
    rows = ["hours,class,points"]
    for row in range(150):
        hours = row * 7 % 20
        points = "" if row % 30 == 7 else 3 * hours + row % 5
        rows.append(f"{hours},{'abc'[row % 3]},{points}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


FLAGS = ("--label", "points", "--label-cut", "30", "--skip-unlabelled")


def test_a_label_of_numbers_is_cut_and_proven(marks: Path, tmp_path: Path, capfd: Captured) -> None:
    proof, model = tmp_path / "proof.cert", tmp_path / "model.json"
    found = run(capfd, "fit", marks, *FLAGS, "--certificate", proof, "-o", model)
    assert found.code == 0, found.err
    assert "predict ≥ 30" in found.out
    assert "5 rows without a label in 'points' left out" in found.err
    assert "145 rows" in found.out
    checked = run(capfd, "verify", proof, marks, *FLAGS)
    assert checked.code == 0, checked.err
    assert "read by the package's reader, which made the labels" in checked.out
    bundle = tmp_path / "audit.zip"
    packed = run(capfd, "bundle", model, proof, marks, *FLAGS, "-o", bundle)
    assert packed.code == 0, packed.err
    again = run(capfd, "verify", bundle, marks)  # the manifest says how the labels were made
    assert again.code == 0, again.err
    assert "has the rule list that was proven" in again.out
    other = run(capfd, "verify", proof, marks, "--label", "points", "--label-cut", "31")
    assert other.code != 0


def test_classes_are_merged(marks: Path, capfd: Captured) -> None:
    flags = ("--label", "class", "--drop", "points", "--merge-labels", "rest=b,c")
    found = run(capfd, "fit", marks, *flags, "--json")
    labels = {rule["label"] for rule in found.json["rules"]}
    assert labels <= {"a", "rest"}
    inspected = run(capfd, "inspect", marks, *flags)
    assert inspected.code == 0


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        (("--label", "class", "--label-cut", "1"), "only if it holds numbers"),
        (("--label", "class", "--merge-labels", "rest"), "write NEW=OLD,OLD"),
        (("--label", "class", "--merge-labels", "x=z"), "no label 'z'"),
        (("--label", "points"), "is missing"),
    ],
)
def test_what_cannot_be(marks: Path, capfd: Captured, flags: tuple[str, ...], reason: str) -> None:
    found = run(capfd, "fit", marks, *flags)
    assert found.code == 2
    assert reason in found.error


def test_a_workbook_is_a_table(marks: Path, tmp_path: Path, capfd: Captured) -> None:
    import csv

    import openpyxl

    book = openpyxl.Workbook()
    assert book.active is not None
    with marks.open(newline="", encoding="utf-8") as file:
        for number, row in enumerate(csv.reader(file)):
            cells = [cell if not number or not cell.isdecimal() else int(cell) for cell in row]
            book.active.append(cells)
    path = tmp_path / "marks.xlsx"
    book.save(path)
    one = run(capfd, "fit", marks, *FLAGS, "--json").json
    two = run(capfd, "fit", path, *FLAGS, "--json").json
    assert one["rules"] == two["rules"]
    assert one["objective_exact"] == two["objective_exact"]
