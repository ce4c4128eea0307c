"""The tables of flags in docs/cli.md, made from the commands themselves.

``python tests/helpers/cli_reference.py`` writes them anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from surelist.cli.app import COMMANDS, functions_of, with_commands

__all__ = ["PAGE", "current", "reference"]

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cli.md"
_BEGIN, _END = "<!-- begin reference -->\n", "<!-- end reference -->\n"


def reference() -> str:
    """Describe every command and flag."""
    group: Any = typer.main.get_command(with_commands(functions_of(COMMANDS)))
    return "\n".join(line for name in group.commands for line in _command(group.commands[name]))


def _command(command: Any) -> Iterator[str]:
    yield f"### surelist {command.name}\n"
    paragraphs = re.split(r"\n\s*\n", command.help.strip())
    yield from (" ".join(paragraph.split()) + "\n" for paragraph in paragraphs)
    yield "| flag | meaning |"
    yield "|:---|:---|"
    for parameter in command.params:
        if parameter.name != "help":
            meaning = " ".join((parameter.help or "").split()).replace("|", "\\|")
            default = _default(parameter)
            yield f"| {_names(parameter)} | {meaning}{default} |"
    yield ""


def _names(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{parameter.metavar}`"
    names = ", ".join(f"`{name}`" for name in [*parameter.opts, *parameter.secondary_opts])
    return names if parameter.metavar is None else f"{names} {parameter.metavar}"


def _default(parameter: Any) -> str:
    shown = getattr(parameter, "show_default", False) and parameter.default
    return f" [default: {getattr(shown, 'value', shown)}]" if shown else ""


def current() -> str:
    """Return what stands on the page."""
    text = PAGE.read_text(encoding="utf-8")
    return text.partition(_BEGIN)[2].partition(_END)[0]


if __name__ == "__main__":
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(_BEGIN)
    PAGE.write_text(
        before + _BEGIN + reference() + _END + rest.partition(_END)[2], encoding="utf-8"
    )
