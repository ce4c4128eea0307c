"""Standard output and error that lack characters, are full, or lead nowhere."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_helpers import PEOPLE_LIST, PROGRAM

from surelist.cli.printing import is_shown_whole, show_anything


def program(*arguments: object, encoding: str = "utf-8", **more: Any) -> Any:
    """Run a command as a program of its own; bytes come out."""
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more},
        env=os.environ | {"PYTHONIOENCODING": encoding},
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_signs_that_an_encoding_lacks_are_replaced(
    people: Path, people_model: Path, encoding: str
) -> None:
    plain = [line.replace("≥", ">=") for line in PEOPLE_LIST]
    fit = ("fit", people, "-l", "member", "--drop", "postcode")
    fitted = program(*fit, encoding=encoding)
    assert (fitted.returncode, fitted.stderr) == (0, b"")
    text = fitted.stdout.decode(encoding)
    assert text.splitlines()[:3] == plain
    assert "0.01 x 2 rules" in text or "0.01 × 2 rules" in text
    exported = program("export", people_model, encoding=encoding)
    assert exported.stdout.decode(encoding).splitlines() == plain
    assert b"which lacks some characters; --output writes UTF-8" in exported.stderr
    text_file = people.with_name("list.txt")
    program("export", people_model, "-o", text_file, encoding=encoding)
    assert text_file.read_text(encoding="utf-8").splitlines() == PEOPLE_LIST
    machine = program(*fit, "--json", encoding=encoding)
    assert json.loads(machine.stdout.decode(encoding))["text"] == PEOPLE_LIST


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp437"])
def test_help_is_shown_in_any_encoding(encoding: str) -> None:
    shown = program("fit", "--help", encoding=encoding)
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert "--regularization" in shown.stdout.decode(encoding)
    if encoding == "ascii":
        assert b"--regularization lambda" in shown.stdout


def test_other_characters_become_their_numbers(tmp_path: Path) -> None:
    rows = tmp_path / "ряды.csv"
    rows.write_text("возраст,label\n" + "1,да\n0,нет\n" * 5, encoding="utf-8")
    explained = program("fit", rows, "-l", "label", encoding="ascii")
    assert explained.returncode == 0
    name = "возраст".encode("ascii", "backslashreplace").decode()
    assert name in explained.stdout.decode("ascii")
    missing = program("fit", tmp_path / "нет.csv", encoding="ascii")
    assert (missing.returncode, missing.stdout) == (2, b"")
    assert b"surelist: error: " in missing.stderr
    missing.stderr.decode("ascii")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_standard_output_is_said(people: Path) -> None:
    for given in (("fit", people, "-l", "member"), ("--help",)):
        with Path("/dev/full").open("wb") as full:
            finished = program(*given, stdout=full)
        assert finished.returncode == 5
        assert finished.stderr.decode() == (
            "surelist: error: not everything could be written to standard output "
            "(No space left on device)\n"
        )
        with Path("/dev/full").open("wb") as full:
            assert program(*given, stdout=full, stderr=full).returncode == 5


def test_a_file_that_cannot_be_written_is_said(people: Path, people_model: Path) -> None:
    def full() -> None:  # no file of more than ten bytes
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))

    output = people.with_name("output")
    for given in (
        ("export", people_model),
        ("predict", people_model, people),
        ("fit", people, "-l", "member"),
    ):
        finished = program(*given, "-o", output, preexec_fn=full)
        assert finished.returncode == 5
        assert b"cannot be written (File too large)" in finished.stderr
        assert not output.exists()
    missing = program("export", people_model, "-o", people / "output", preexec_fn=full)
    assert missing.returncode == 2


INTERRUPTED_WHILE_IMPORTING = """
import sys

class Finder:
    def find_spec(self, name, *_):
        if name == "surelist.cli.app":
            raise KeyboardInterrupt

from surelist.cli import main
sys.meta_path.insert(0, Finder())
sys.exit(main(["--version"]))
"""


def test_ctrl_c_while_the_program_starts_is_one_line() -> None:
    command = [sys.executable, "-c", INTERRUPTED_WHILE_IMPORTING]
    finished = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert finished.returncode == 130
    assert finished.stderr == "surelist: error: interrupted before there was a result\n"


def test_a_reader_that_is_gone_is_said(people: Path, people_model: Path) -> None:
    output = people.with_name("again.json")
    commands = (
        ("explain", people_model, people),
        ("fit", people, "-l", "member", "--drop", "postcode", "-o", output),
    )
    for given in commands:
        reader, writer = os.pipe()
        os.close(reader)
        finished = program(*given, stdout=writer)
        os.close(writer)
        assert finished.returncode == 5
        assert b"not everything could be written to standard output" in finished.stderr
        assert b"defect" not in finished.stderr
    assert output.exists()


def test_streams_that_were_closed_lead_nowhere(people: Path) -> None:
    output = people.with_name("model.json")
    closed = ["sh", "-c", '"$@" >&- 2>&-', "sh"]
    command = [*closed, *PROGRAM, "fit", str(people), "-l", "member", "-o", str(output)]
    assert subprocess.run(command, check=False, timeout=120).returncode == 0
    assert output.exists()


def test_nothing_is_lost_where_a_stream_takes_everything() -> None:
    show_anything()
    show_anything()

    class Stream:
        encoding = "ascii"

    assert is_shown_whole("abc", Stream())  # type: ignore[arg-type]
    assert not is_shown_whole("λ", Stream())  # type: ignore[arg-type]
