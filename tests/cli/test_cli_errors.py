"""What the command line refuses: in one line, with an exit code, and nothing half-written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_helpers import PEOPLE_LIST, Captured, run


def test_the_label_is_found_or_has_to_be_named(people: Path, capfd: Captured) -> None:
    error = run(capfd, "fit", people)
    assert error.code == 2
    assert "Name it by --label: 'age', 'sex', 'postcode', 'member'" in error.error
    people.write_text(people.read_text().replace("member", "Target"))
    found = run(capfd, "fit", people)
    assert found.code == 0
    assert found.err == "surelist: note: predicting the column 'Target' (--label names another)\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit"], "no data: name a file"),
        (["fit", "no.csv", "-l", "y"], "no.csv: cannot be read (No such file or directory)"),
        (["fit", "{data}", "-l", "nope"], "{data}: there is no column 'nope' for --label"),
        (["fit", "{data}", "--lable", "y"], "No such option: --lable"),
        (["fit", "{data}", "-l", "member", "-r", "many"], "--regularization must be a number"),
        (["fit", "{data}", "-l", "member", "-r", "2"], "regularization must be a number of at l"),
        (["fit", "{data}", "-l", "member", "--policy", "x"], "Invalid value for '--policy'"),
        (["fit", "{data}", "-l", "member", "--bound", "x"], "bounds must be"),
        (["fit", "{data}", "-l", "member", "--column", "age"], "--column age: write NAME=HOW"),
        (["fit", "{data}", "-l", "member", "--class-weight", "x=1"], "--class-weight x=1: write"),
        (["fit", "{data}", "-l", "member", "--drop", "x"], "{data}: there is no column 'x' for"),
        (["fit", "{data}", "-l", "member", "-o", "no/m.json"], "no/m.json: there is no folder"),
        (["fit", "{data}", "--rules", "a.out"], "{data} and --rules: give one of them"),
        (["fit", "--rules", "a.out"], "--rules and --labels belong together"),
        (["fit", "--rules", "{data}", "--labels", "{data}"], "{data}:1:1: expected"),
        (["predict", "{data}", "{data}"], "{data}:1:1: this is not JSON"),
        (["explain"], "Missing argument"),
        (["no-such-command"], "No such command 'no-such-command'"),
        (["convert", "--rules", "a", "--labels", "b", "--json"], "--json needs --output"),
    ],
)
def test_errors_are_one_line_and_exit_two(
    people: Path, capfd: Captured, arguments: list[str], message: str
) -> None:
    given = [argument.replace("{data}", str(people)) for argument in arguments]
    finished = run(capfd, *given)
    assert finished.code == 2
    if "--json" in arguments:
        assert json.loads(finished.err)["error"].startswith(message)
    else:
        assert finished.error.startswith(message.replace("{data}", str(people))), finished.err
    assert sorted(people.parent.iterdir()) == [people]


def test_broken_rows_are_named_by_line(people: Path, capfd: Captured) -> None:
    people.write_text(people.read_text() + "1,2\n")
    assert run(capfd, "fit", people, "-l", "member").error.startswith(
        f"{people}:62: 2 fields where the header has 4"
    )
    finished = run(capfd, "fit", people, "-l", "member", "--json")
    document = json.loads(finished.err)
    assert (document["exit_code"], document["path"], document["line"]) == (2, str(people), 62)
    people.write_text("x,y\n1,a\n0,\n")
    assert run(capfd, "fit", people, "-l", "y").error == (
        f"{people}:3: the label 'y' is missing; remove the row or fill it in"
    )


def test_outputs_are_never_overwritten_unasked(
    people: Path, people_model: Path, capfd: Captured
) -> None:
    before = people_model.read_bytes()
    other = people.with_name("other")
    other.write_bytes(b"other")
    commands: list[tuple[object, ...]] = [
        ("fit", people, "-l", "member", "-o", people_model),
        ("predict", people_model, people, "-o", other),
        ("export", people_model, "-o", other),
        ("convert", people, "-l", "member", "--rules", people_model, "--labels", other),
    ]
    for command in commands:
        assert "exists already; --force replaces it" in run(capfd, *command).error
        assert (people_model.read_bytes(), other.read_bytes()) == (before, b"other")
    assert run(capfd, "export", people_model, "-o", people, "--force").code == 0
    assert people.read_text(encoding="utf-8").splitlines() == PEOPLE_LIST


def test_a_failed_write_leaves_what_was_there(
    people: Path, people_model: Path, capfd: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, there = people_model.read_bytes(), sorted(people.parent.iterdir())

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    finished = run(capfd, "fit", people, "-l", "member", "-o", people_model, "--force")
    assert finished.code == 5
    assert "cannot be written (No space left on device)" in finished.err
    assert people_model.read_bytes() == before
    assert sorted(people.parent.iterdir()) == there


def test_debug_shows_the_traceback(people: Path, capfd: Captured) -> None:
    finished = run(capfd, "fit", people, "-l", "nope", "--debug")
    assert finished.code == 2
    assert "Traceback" in finished.err
    assert finished.err.splitlines()[-1].startswith("surelist: error: ")


def test_defects_are_one_line_too(
    people: Path, capfd: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("two\nlines")

    monkeypatch.setattr("surelist.runs.fit.fit_model", broken)
    finished = run(capfd, "fit", people, "-l", "member")
    assert finished.code == 1
    assert finished.error.startswith("ZeroDivisionError: two lines; please report this defect")
