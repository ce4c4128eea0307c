"""Running the command line: in this process where that will do, else as a program of its own."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from surelist.cli import main

__all__ = [
    "PEOPLE_LIST",
    "PROGRAM",
    "Captured",
    "Finished",
    "in_terminal",
    "run",
    "write_people",
    "write_slow",
]

Captured = pytest.CaptureFixture[str]

PROGRAM = [sys.executable, "-m", "surelist.cli"]

# What is optimal for the table of `write_people`.
PEOPLE_LIST = [
    "if (age < 30) then predict yes",
    "else if (age ≥ 60) and (sex = Female) then predict yes",
    "else predict no",
]


@dataclass(frozen=True)
class Finished:
    """A command that ran."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> str:
        """The one line that says what was wrong."""
        assert self.out == ""
        assert self.err.count("\n") == 1, self.err
        prefix = "surelist: error: "
        assert self.err.startswith(prefix)
        return self.err.removeprefix(prefix).rstrip("\n")


def run(capfd: Captured, *arguments: object) -> Finished:
    """Run a command in this process."""
    code = main([str(argument) for argument in arguments])
    out, err = capfd.readouterr()
    return Finished(code, out, err)


def in_terminal(
    arguments: Sequence[object],
    act: Callable[[int, str], bytes | None] = lambda _, __: None,
    *,
    columns: int = 80,
    timeout: float = 300,
) -> tuple[int, str]:
    """Run a command on a pseudo-terminal; ``act`` sees what is on it and may type an answer."""
    keeper, terminal = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": "40"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [*PROGRAM, *map(str, arguments)],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment,
        start_new_session=True,
        # Only of the terminal that controls a session does Ctrl-C become a signal.
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(terminal)
    seen = b""
    ends = time.monotonic() + timeout
    while time.monotonic() < ends:
        if select.select([keeper], [], [], 0.1)[0]:
            try:
                part = os.read(keeper, 65536)
            except OSError:  # Linux says so when the other side is closed
                break
            if not part:
                break
            seen += part
        answer = act(process.pid, seen.decode(errors="replace"))
        if answer is not None:
            os.write(keeper, answer)
    else:
        process.send_signal(signal.SIGKILL)
        pytest.fail(f"still running after {timeout} s: {seen.decode(errors='replace')}")
    os.close(keeper)
    return process.wait(timeout=300), seen.decode()


def write_people(folder: Path, name: str = "people.csv") -> Path:
    """A small table that two rules describe without error."""
    path = folder / name
    rows = ["age,sex,postcode,member"]
    for number in range(60):
        age, sex = 18 + number, "Male" if number % 3 else "Female"
        member = "yes" if age < 30 or (sex == "Female" and age >= 60) else "no"
        rows.append(f"{age},{sex},0{number % 5}12,{member}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def write_slow(folder: Path) -> Path:
    """Random bits with random labels: a search that nobody waits for."""
    path = folder / "slow.csv"
    state = 12345
    rows = [",".join([f"x{i}" for i in range(60)] + ["label"])]
    for _ in range(2000):
        bits = []
        for _ in range(61):
            state = (1103515245 * state + 12345) % 2**31
            bits.append(str(state >> 16 & 1))
        rows.append(",".join(bits))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path
