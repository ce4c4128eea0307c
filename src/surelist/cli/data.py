"""Rows for a command: read from whatever the user named, with the label found or asked for."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from surelist.cli.options import DataOptions, LabelOptions
from surelist.cli.printing import is_terminal, note
from surelist.errors import FormatError, InputError
from surelist.tables.files import label_values, plain_values

if TYPE_CHECKING:
    from surelist.sources.duckdb import Query
    from surelist.tables.files import FileTable

__all__ = [
    "Rows",
    "find_label",
    "label_values",
    "open_rows",
    "plain_values",
    "training_rows",
]

_USUAL = ("label", "target", "class", "outcome", "y")


@dataclass(frozen=True, eq=False)
class Rows:
    """A table, and the labels and weights of its rows where they are known.

    The table may be a `surelist.query.Query`, whose rows are elsewhere, with labels and weights.
    """

    table: Any
    label: str | None
    labels: Any
    weights: Any = None
    from_corels: bool = False

    @property
    def elsewhere(self) -> bool:
        """Whether the rows are not in memory."""
        return hasattr(self.table, "cut_points")

    @property
    def known_labels(self) -> list[Any]:
        """The different labels, in order."""
        labels = self.table.label_counts().labels if self.elsewhere else self.labels
        return sorted(set(labels.tolist()))

    def training(self) -> dict[str, Any]:
        """Return what to fit to, by the names of the parameters."""
        if self.elsewhere:
            return {"X": self.table}
        return {"X": self.table, "y": self.labels, "sample_weight": self.weights}

    def tell(self) -> None:
        """Pass on what was decided while reading."""
        for text in dict.fromkeys(self.table.notes):
            note(text)


def open_rows(
    options: DataOptions, kinds: Mapping[str, str] | None = None, content: bytes | None = None
) -> Rows:
    """Read DATA, or --rules and --labels; labels are known for the latter.

    ``content`` is what DATA holds, unpacked, if it has been read already.
    """
    if options.rules is not None or options.labels is not None:
        return _corels_rows(options)
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
    return Rows(table, None, None)


def _corels_rows(options: DataOptions) -> Rows:
    if options.data is not None:
        raise InputError(f"{options.data} and --rules: give one of them, not both")
    if options.rules is None or options.labels is None:
        raise InputError("--rules and --labels belong together: name both files")
    import numpy as np

    from surelist.estimators.corels import text_files as corels_text
    from surelist.tables.files import table_of_bits

    read = corels_text.read(options.rules, options.labels)
    table = table_of_bits(read.captures, read.antecedents, str(options.rules))
    labels = np.array(read.classes)[read.labels]
    return Rows(table, str(options.labels), labels, from_corels=True)


def training_rows(rows: Rows, columns: LabelOptions, from_stdin: bool = False) -> Rows:
    """Take rows to learn from apart: features, labels and weights.

    The user may be asked for the label, unless rows came from where answers would.
    """
    table = rows.table
    label = None
    if rows.from_corels:
        if columns.label is not None:
            raise InputError("--label is for tables; the labels of --rules come from --labels")
        labels = rows.labels
    else:
        label = columns.label or find_label(table, from_stdin)
        labels = _labels(table, label)
    weights = None if columns.weight is None else _weights(table, columns.weight)
    left_out = [label, columns.weight, *(columns.drop or ())]
    for name in columns.drop or ():
        table.require(name, "--drop")
    features = table.without([name for name in left_out if name is not None])
    if not features.names:
        raise FormatError("no column is left to learn from", table.path)
    return Rows(features, label or rows.label, labels, weights, rows.from_corels)


def find_label(table: FileTable | Query, from_stdin: bool) -> str:
    """Take the column that is called as labels usually are, or ask, or say what to do."""
    usual = [name for name in table.names if name.lower() in _USUAL]
    if len(usual) == 1:
        table.notes.append(f"predicting the column {usual[0]!r} (--label names another)")
        return usual[0]
    if not from_stdin and is_terminal(sys.stdin) and is_terminal(sys.stderr):
        return _ask_label(table.names)
    known = ", ".join(map(repr, table.names[:8])) + (", …" if len(table.names) > 8 else "")
    raise FormatError(f"which column is to be predicted? Name it by --label: {known}", table.path)


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


def _labels(table: FileTable, name: str) -> Any:
    return label_values(table, table.named_column(name, "--label"))


def _weights(table: FileTable, name: str) -> Any:
    import numpy as np

    column = table.named_column(name, "--weight")
    if column.kind != "number":
        raise FormatError(f"the weights {name!r} must be numbers", table.path)
    values = column.values.astype(float)
    wrong = column.missing | ~np.isfinite(values) | (values < 0)
    if wrong.any():
        raise table.fault(
            int(np.argmax(wrong)), f"the weight {name!r} must be a number of at least 0"
        )
    return values
