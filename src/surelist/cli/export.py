"""``surelist export``: a rule list in another language."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from surelist.cli.apply_model import ModelFile, read_model
from surelist.cli.options import OutputOptions, with_flag_groups
from surelist.cli.printing import print_json
from surelist.cli.writing import claim, write_text

__all__ = ["Format", "export"]


class Format(StrEnum):
    """What `surelist.export.export` knows."""

    TEXT = "text"
    LATEX = "latex"
    PYTHON = "python"
    SQL = "sql"
    JSON = "json"
    DOT = "dot"


@with_flag_groups
def export(
    *,
    model: ModelFile,
    output: OutputOptions,
    language: Annotated[
        Format,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="text as it prints; latex, a table; python, a function; sql, a CASE expression; "
            "json, exact; dot, a picture for Graphviz.",
        ),
    ] = Format.TEXT,
    table: Annotated[
        str | None, typer.Option("--table", metavar="NAME", help="For sql: the table's name.")
    ] = None,
    function: Annotated[
        str | None,
        typer.Option("--function", metavar="NAME", help="For python: the function's name."),
    ] = None,
) -> None:
    """Write the rule list as text, LaTeX, Python, SQL or JSON."""
    claim(output.force, output.output, inputs=[model])
    given = {"table": table, "function": function}
    options = {name: value for name, value in given.items() if value is not None}
    text = read_model(model).rule_list.export(language.value, **options)
    if not output.json:
        write_text(output.output, text.removesuffix("\n") + "\n", output.force)
        return
    document = {"model": str(model), "format": language.value}
    if output.output is None:
        print_json(document | {"text": text})
    else:
        write_text(output.output, text.removesuffix("\n") + "\n", output.force)
        print_json(document | {"output": str(output.output)})
