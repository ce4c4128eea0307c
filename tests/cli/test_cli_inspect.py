"""``surelist inspect``, and what ``surelist fit`` says about its columns."""

from __future__ import annotations

from pathlib import Path

from cli_helpers import Captured, run


def leaking(folder: Path) -> Path:
    """A table whose column ``closed`` gives the label away."""
    path = folder / "loans.csv"
    rows = ["case_id,amount,sex,closed,defaulted"]
    for row in range(120):
        defaulted = "yes" if row * 7 % 13 < 5 else "no"
        closed = "early" if defaulted == "yes" else "on time"
        sex = "f" if row % 2 else "m"
        rows.append(f"{row},{100 + row * 37 % 90},{sex},{closed},{defaulted}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_inspect_says_what_it_found(tmp_path: Path, capfd: Captured) -> None:
    found = run(capfd, "inspect", leaking(tmp_path), "--label", "defaulted")
    assert found.code == 0
    assert found.err == ""
    assert [line.split()[:2] for line in found.out.splitlines()] == [
        ["warning", "closed"],
        ["warning", "case_id"],
        ["suggestion", "sex"],
    ]


def test_inspect_for_machines_and_without_a_label(tmp_path: Path, capfd: Captured) -> None:
    path = leaking(tmp_path)
    found = run(capfd, "inspect", path, "--json", "--drop", "case_id").json
    assert found["label"] is None
    assert [each["kind"] for each in found["findings"]] == ["duplicate", "protected"]
    spoken = run(capfd, "inspect", path)
    assert "what gives it away is not looked for" in spoken.err
    assert "case_id" in spoken.out
    assert "closed alone tells" not in spoken.out


def test_fit_warns_before_and_beside_its_result(tmp_path: Path, capfd: Captured) -> None:
    path = leaking(tmp_path)
    found = run(capfd, "fit", path, "--label", "defaulted", "--max-clauses", "1")
    assert found.code == 0
    notes = found.err.splitlines()
    assert notes[0].startswith("surelist: note: closed alone tells the label of 100 %")
    assert notes[1].startswith("surelist: note: case_id")
    assert len(notes) == 2
    assert "caution       the rules ask about closed; see" in found.out
    machine = run(capfd, "fit", path, "--label", "defaulted", "--max-clauses", "1", "--json").json
    assert [each["column"] for each in machine["findings"]] == ["closed", "case_id"]


def test_fit_says_nothing_where_the_columns_are_left_out(tmp_path: Path, capfd: Captured) -> None:
    out = ("--drop", "closed", "--drop", "case_id", "--max-clauses", "1")
    found = run(capfd, "fit", leaking(tmp_path), "--label", "defaulted", *out)
    assert found.err == ""
    assert "caution" not in found.out


def test_a_wrong_flag_is_said_alone(tmp_path: Path, capfd: Captured) -> None:
    found = run(capfd, "fit", leaking(tmp_path), "--label", "defaulted", "--bounds", "x")
    assert found.code == 2
    assert found.err.count("\n") == 1
