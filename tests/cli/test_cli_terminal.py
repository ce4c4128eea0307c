"""On a terminal: the display, the question for the label, and Ctrl-C."""

from __future__ import annotations

import json
import math
import os
import re
import signal
import subprocess
import time
from io import StringIO
from pathlib import Path

import pytest
from cli_helpers import PROGRAM, in_terminal, write_people, write_slow
from rich.console import Console

import surelist
from surelist._common.progress import Progress
from surelist.cli.progress_display import picture

MOMENT = Progress(
    time=75.2,
    objective=0.348094,
    lower_bound=0.301,
    expanded=61_000,
    queue=1_200,
    memory=52_000_000,
    prefix=("(priors > 3)", "(age < 21) and (sex = Male)"),
    remaining=14.25,
)


def drawn(moment: Progress, width: int) -> list[str]:
    console = Console(file=StringIO(), width=width, force_terminal=True, color_system=None)
    with console.capture() as capture:
        console.print(picture(moment, 5120, width))
    return [line.rstrip() for line in re.sub(r"\x1b\[[\d;]*m", "", capture.get()).splitlines()]


def plain(seen: str) -> str:
    """What a terminal shows, without colours and movements."""
    return re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", seen).replace("\r", "")


def test_the_display_says_everything_at_a_glance() -> None:
    assert drawn(MOMENT, 80) == [
        "searching    1 min 15 s   Ctrl-C keeps the best list",
        "objective    0.348094",
        "lower bound  0.301000",
        f"gap          {'━' * 40} 0.047094 (86% proven)",
        "prefixes     61,000 (5,120 a second), 1,200 open",
        "memory       52 MB",
        "remaining    at most 10^14.2 prefixes",
        "best rule list so far",
        "  if (priors > 3)",
        "  else if (age < 21) and (sex = Male)",
    ]


@pytest.mark.parametrize("width", [30, 40, 200])
def test_the_display_fits_any_terminal(width: int) -> None:
    for prefix in ((), ("(a very long antecedent)" * 20,), tuple(f"(x{i})" for i in range(40))):
        for remaining in (math.nan, -math.inf, 1e6):
            moment = Progress(1e5, 0.0, 0.0, 0, 0, 10**10, prefix, remaining)
            lines = drawn(moment, width)
            assert max(map(len, lines)) <= width
            assert len(lines) < 40


def test_a_result_on_a_terminal_is_coloured_and_folded(tmp_path: Path) -> None:
    people = write_people(tmp_path)
    command = ["fit", people, "-l", "member", "--drop", "postcode"]
    code, seen = in_terminal(command, columns=60)
    assert code == 0
    assert "\x1b[1;36myes" in seen or "\x1b[1;36m" in seen
    shown = plain(seen)
    assert "(age < 30) then predict yes" in shown
    assert max(map(len, shown.split("lower bound")[-1].splitlines())) <= 60


def test_the_label_is_asked_for(tmp_path: Path) -> None:
    people = write_people(tmp_path)
    answers = [b"nope\n", b"4\n"]

    def answer(_: int, seen: str) -> bytes | None:
        asked = seen.count("Number or name")
        return answers.pop(0) if asked == 3 - len(answers) and answers else None

    code, seen = in_terminal(["fit", people, "--drop", "postcode"], answer)
    assert code == 0
    assert "There is no column 'nope'." in seen
    assert "label member" in seen


def test_ctrl_c_gives_the_best_list_its_gap_and_exit_code_three(tmp_path: Path) -> None:
    model = tmp_path / "model.json"
    pressed = False

    def press(_: int, seen: str) -> bytes | None:
        nonlocal pressed
        if pressed or "best rule list so far" not in seen:
            return None
        pressed = True
        return b"\x03"

    command = ["fit", write_slow(tmp_path), "-r", "0.0001", "-o", model]
    code, seen = in_terminal(command, press)
    assert pressed
    assert code == 3
    assert "interrupted" in seen
    assert "a better rule list may exist, by at most" in " ".join(plain(seen).split())
    assert str(model) in plain(seen).replace("\n              ", "")
    assert "Traceback" not in seen
    loaded = surelist.load(model)
    assert loaded.status_ == "interrupted"
    assert 0 < loaded.lower_bound_ < loaded.objective_


def test_a_signal_ends_a_search_without_a_terminal_too(tmp_path: Path) -> None:
    command = [*PROGRAM, "fit", str(write_slow(tmp_path)), "-r", "0.0001", "--json", "--progress"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    for line in process.stderr:
        if "lower bound" in line:
            break
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 3
    assert json.loads(out)["status"] == "interrupted"


def test_a_signal_before_the_search_is_one_line(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = [*PROGRAM, "fit", str(pipe), "-l", "y"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with pipe.open("w") as writer:  # returns when the program has begun to read
        writer.write("x,y\n")
        writer.flush()
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)
    assert (process.returncode, out) == (130, "")
    assert err == "surelist: error: interrupted before there was a result\n"


def test_nothing_is_shown_where_there_is_no_terminal(tmp_path: Path) -> None:
    command = [*PROGRAM, "fit", str(write_slow(tmp_path)), "-r", "0.001", "--time-limit", "1"]
    finished = subprocess.run([*command, "-l", "label"], capture_output=True, text=True)
    assert finished.returncode == 3
    assert finished.stderr == ""
    assert "\x1b" not in finished.stdout


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    people = write_people(tmp_path)
    model = tmp_path / "model.json"
    fit = [*PROGRAM, "fit", str(people), "-l", "member", "-o", str(model)]
    subprocess.run(fit, check=True, capture_output=True)
    many = tmp_path / "many.csv"
    many.write_text(people.read_text() + "20,Male,0012,yes\n" * 50_000)
    command = [*PROGRAM, "predict", str(model), str(many)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    process.wait(timeout=300)
    process.stderr.close()
