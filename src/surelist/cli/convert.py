"""``surelist convert``: between tables and the CORELS text format."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surelist._common.text_tables import csv_table
from surelist.cli.data import open_source, tell_notes, training_rows
from surelist.cli.options import DataOptions, LabelOptions, OutputOptions, with_flag_groups
from surelist.cli.printing import note, print_json
from surelist.cli.writing import claim, write_text
from surelist.errors import InputError

if TYPE_CHECKING:
    from surelist.tables.files import FileTable

__all__ = ["convert"]


@with_flag_groups
def convert(
    *,
    data: DataOptions,
    columns: LabelOptions,
    output: OutputOptions,
    minor: Annotated[
        Path | None,
        typer.Option("--minor", metavar="FILE", help="Write the minority rows, too."),
    ] = None,
) -> None:
    """Turn a table into CORELS text files, or the other way round.

    With DATA, --rules and --labels are written: a line for each feature, columns that are not 0/1
    cut as fit cuts them. Without DATA, they are read, and a CSV file of 0/1 columns and a column of
    labels (called by --label, or else "label") goes to --output.
    """
    if data.data is None:
        if minor is not None:
            raise InputError("--minor is written from a table; name DATA")
        document = _to_table(data, columns, output)
    else:
        document = _to_corels(data, columns, output, minor)
    if output.json:
        print_json(document)
    elif output.output is not None or data.data is not None:
        note(f"{document['rows']:,} rows, {document['antecedents']} antecedents written")


def _to_table(data: DataOptions, columns: LabelOptions, output: OutputOptions) -> dict[str, Any]:
    if output.json and output.output is None:
        raise InputError("--json needs --output: standard output holds the JSON")
    claim(output.force, output.output, inputs=data.files)
    source = open_source(data)
    table, label = source.table, columns.label or "label"
    if label in table.names:
        raise InputError(f"--label {label}: an antecedent has that name; choose another")
    bits = [table.column(index).values.tolist() for index in range(len(table.names))]
    lines = zip(*bits, source.labels.tolist(), strict=True)
    write_text(output.output, csv_table([*table.names, label], lines), output.force)
    return _document(table, len(bits), {"output": output.output})


def _to_corels(
    data: DataOptions, columns: LabelOptions, output: OutputOptions, minor: Path | None
) -> dict[str, Any]:
    if data.rules is None or data.labels is None or output.output is not None:
        raise InputError("from a table to CORELS text: name --rules and --labels, not --output")
    files = {"rules": data.rules, "labels": data.labels, "minor": minor}
    claim(output.force, *files.values(), inputs=[data.data])
    from surelist.estimators.corels import text_files as corels_text
    from surelist.problem.training_data import read_data

    source = open_source(replace(data, rules=None, labels=None))
    rows = training_rows(source, columns, from_stdin=str(data.data) == "-")
    if rows.weights is not None:
        raise InputError("--weight: the CORELS text format has no place for weights")
    read = read_data(rows.table, rows.labels, None, None)
    tell_notes(rows.table)
    classes = tuple(map(str, read.classes.tolist()))
    written = corels_text.CorelsData(read.names, read.matrix, classes, read.codes)
    corels_text.write(written, data.rules, data.labels, minor)
    return _document(rows.table, len(read.names), files)


def _document(table: FileTable, antecedents: int, files: dict[str, Path | None]) -> dict[str, Any]:
    written = {name: str(path) for name, path in files.items() if path is not None}
    return {"rows": table.n_rows, "antecedents": antecedents, **written}
