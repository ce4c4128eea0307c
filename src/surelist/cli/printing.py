"""What people and machines get to see: results on standard output, the rest on standard error.

On a terminal things are coloured and wrapped; anywhere else they are plain text, whose lines are
never broken, so that they can be searched and compared.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

__all__ = [
    "fail",
    "is_terminal",
    "json_text",
    "note",
    "on_terminal",
    "print_facts",
    "print_json",
    "print_lines",
]


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream leads to a person."""
    return stream is not None and not stream.closed and stream.isatty()


def on_terminal(stream: TextIO) -> Console:
    """Return a rich console on a terminal's stream."""
    from rich.console import Console

    return Console(file=stream, highlight=False)


def fail(message: str, code: int, as_json: bool, more: Mapping[str, Any] | None = None) -> int:
    """Say in one line what went wrong; return the exit code."""
    if as_json:
        document = {"error": message, "exit_code": code, **(more or {})}
        sys.stderr.write(json.dumps(document, ensure_ascii=False) + "\n")
    else:
        _say("error", message, "bold red")
    return code


def note(message: str) -> None:
    """Say something beside the result."""
    _say("note", message, "bold yellow")


def _say(kind: str, message: str, style: str) -> None:
    line = " ".join(message.split("\n"))
    if is_terminal(sys.stderr):
        from rich.text import Text

        text = Text.assemble("surelist: ", (f"{kind}: ", style), line)
        on_terminal(sys.stderr).print(text, soft_wrap=True)
    else:
        sys.stderr.write(f"surelist: {kind}: {line}\n")


def print_json(document: Any) -> None:
    """Print a document for machines on standard output."""
    sys.stdout.write(json_text(document))


def json_text(document: Any) -> str:
    """Return a document as text."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def print_lines(lines: Sequence[str]) -> None:
    """Print a rule list."""
    if not is_terminal(sys.stdout):
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        return
    from rich.table import Table

    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for line in lines:
        word = next((word for word in ("else if ", "if ", "else ") if line.startswith(word)), "")
        table.add_row(word.strip(), _styled(line.removeprefix(word)))
    on_terminal(sys.stdout).print(table)


def _styled(line: str) -> Text:
    """Set the words of a rule off from its names."""
    from rich.text import Text

    condition, predict, label = line.rpartition("predict ")
    antecedent = condition.removesuffix("then ")
    words = condition[len(antecedent) :] + predict
    return Text.assemble(antecedent, (words, "dim"), (label, "bold cyan"))


def print_facts(facts: Mapping[str, str]) -> None:
    """Print names and values, one below the other."""
    if not is_terminal(sys.stdout):
        width = max(map(len, facts))
        lines = [f"{name:<{width}}   {value}\n" for name, value in facts.items()]
        sys.stdout.write("".join(lines))
        return
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts.items():
        first, colon, rest = value.partition(":")
        style = {"optimal": "bold green"}.get(first, "bold yellow" if name == "status" else "")
        table.add_row(name, Text.assemble((first, style), colon, rest))
    on_terminal(sys.stdout).print(table)
