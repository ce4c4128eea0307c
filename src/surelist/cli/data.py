"""Rows for a command: read from what the user named, with the label found or asked for."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from surelist.cli.options import DataOptions, LabelOptions, RelabelOptions
from surelist.cli.printing import is_terminal, note
from surelist.cli.wording import worded
from surelist.errors import InputError, Message
from surelist.runs.relabel import Relabelling, relabelled
from surelist.runs.rows import USUAL_LABELS, Columns, Rows, Source, choose_columns, read_corels

if TYPE_CHECKING:
    from surelist.sources.duckdb import Query
    from surelist.tables.files import FileTable

__all__ = ["open_source", "relabelling", "tell_notes", "training_rows", "usual_label"]


def open_source(
    options: DataOptions, kinds: Mapping[str, str] | None = None, content: bytes | None = None
) -> Source:
    """Read DATA, or --rules and --labels.

    ``kinds`` says what some columns hold, where that is known; ``content`` is what DATA holds,
    unpacked, where it has been read already.
    """
    if options.rules is not None or options.labels is not None:
        if options.data is not None:
            raise InputError(f"{options.data} and --rules: give one of them, not both")
        if options.rules is None or options.labels is None:
            raise InputError("--rules and --labels belong together: name both files")
        return read_corels(options.rules, options.labels)
    if options.data is None:
        raise InputError("no data: name a file, - for standard input, or --rules and --labels")
    from surelist.tables.files import open_table

    table = open_table(
        options.data,
        delimiter=options.delimiter,
        encoding=options.encoding,
        missing=options.missing or (),
        kinds=kinds,
        content=content,
    )
    return Source(table)


def relabelling(options: RelabelOptions | None) -> Relabelling:
    """Read the flags that say how a column becomes the labels.

    Raises
    ------
    InputError
        For a merge that cannot be read.
    """
    if options is None:
        return Relabelling()
    merge: dict[str, str] = {}
    for text in options.merge_labels or ():
        new, equals, old = text.partition("=")
        if not equals or not new or not old:
            raise InputError(f"--merge-labels {text}: write NEW=OLD,OLD, such as bad=late,lost")
        merge |= dict.fromkeys(old.split(","), new)
    return Relabelling(options.label_cut, merge, options.skip_unlabelled)


def training_rows(
    source: Source,
    columns: LabelOptions,
    from_stdin: bool = False,
    relabel: RelabelOptions | None = None,
) -> Rows:
    """Separate features, labels and weights.

    Where no flag names the label, the user is asked for it, unless the rows came ``from_stdin``,
    from where answers would come, too.
    """
    label = columns.label
    if source.is_corels and label is not None:
        raise InputError("--label is for tables; the labels of --rules come from --labels")
    if not source.is_corels and label is None:
        label = _find_label(source.table, from_stdin)
    source = relabelled(source, label, relabelling(relabel))
    return choose_columns(source, Columns(label, columns.weight, columns.drop or ()))


def _find_label(table: FileTable | Query, from_stdin: bool) -> str | None:
    """Return the column with a usual name for labels, or the user's answer; None without either."""
    if (usual := usual_label(table)) is not None:
        return usual
    if not from_stdin and is_terminal(sys.stdin) and is_terminal(sys.stderr):
        return _ask_label(table.names)
    return None


def usual_label(table: FileTable | Query) -> str | None:
    """Return the only column with a usual name for labels, and note that it is taken."""
    usual = [name for name in table.names if name.lower() in USUAL_LABELS]
    if len(usual) != 1:
        return None
    table.notes.append(Message("label_assumed", column=usual[0]))
    return usual[0]


def _ask_label(names: Sequence[str]) -> str:
    import typer

    typer.echo("Which column is to be predicted?", err=True)
    for number, name in enumerate(names, start=1):
        typer.echo(f"  {number:>3}  {name}", err=True)
    while True:
        answer = str(typer.prompt("Number or name", default=names[-1], err=True)).strip()
        if answer in names:
            return answer
        if answer.isdecimal() and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        typer.echo(f"There is no column {answer!r}.", err=True)


def tell_notes(table: FileTable | Query) -> None:
    """Print what was decided while a table was read."""
    for text in dict.fromkeys(table.notes):
        note(worded(text))
