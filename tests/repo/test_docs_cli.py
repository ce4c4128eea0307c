"""What the pages say about the command line is so: transcripts are run, tables are complete."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from cli_helpers import PROGRAM
from cli_reference import current, reference
from repository import ROOT

PAGES = ["README.md", "docs/audit.md", "docs/cli.md"]


def steps(text: str) -> list[tuple[str, str]]:
    """Every command of a page's ``console`` blocks, with what it prints."""
    found: list[tuple[str, str]] = []
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.M | re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def timeless(text: str) -> str:
    """The text without what differs from run to run."""
    return re.sub(r"in [\d.]+ s, [\d.]+ [kMG]B$", "in …", text, flags=re.M)


@pytest.mark.parametrize("page", PAGES)
def test_transcripts_are_what_happens(page: str, tmp_path: Path) -> None:
    found = steps((ROOT / page).read_text(encoding="utf-8"))
    assert len(found) > 2
    for command, output in found:
        name, *arguments = shlex.split(command)
        assert name == "surelist", command
        finished = subprocess.run(
            [*PROGRAM, *arguments],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        assert finished.returncode == 0, finished.stdout
        if output:  # a command without output stands there for itself
            assert timeless(finished.stdout) == timeless(output), command


def test_the_reference_is_up_to_date() -> None:
    assert current() == reference(), "run python tests/helpers/cli_reference.py"


def test_every_flag_says_what_it_is_for() -> None:
    rows = re.findall(r"^\| `.*$", reference(), re.M)
    assert len(rows) > 80
    assert [row for row in rows if row.endswith("|  |")] == []
