"""``surelist predict``: apply a model to rows."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surelist._common.text_tables import csv_table
from surelist.cli.apply_model import Applied, ModelFile, SavedModel, apply_model, read_model
from surelist.cli.data import tell_notes
from surelist.cli.options import DataOptions, OutputOptions, with_flag_groups
from surelist.cli.printing import note, print_json
from surelist.cli.writing import claim, write_text

if TYPE_CHECKING:
    from surelist.tables.column import Column

__all__ = ["predict"]


@with_flag_groups
def predict(
    *,
    model: ModelFile,
    data: DataOptions,
    label: Annotated[
        str | None,
        typer.Option(
            "--label", "-l", metavar="COLUMN", help="The column of true labels: print the accuracy."
        ),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option("--keep", metavar="COLUMN", help="A column of DATA to copy; may be repeated."),
    ] = None,
    proba: Annotated[
        bool, typer.Option("--proba", help="Add the probability of every class.")
    ] = False,
    output: OutputOptions,
) -> None:
    """Predict the label of each row, as CSV.

    Beside each prediction stand its probability and the rule that decided: rules count from 1, and
    0 is the default, where no rule applies. DATA needs no more columns than the rules ask about.
    """
    claim(output.force, output.output, inputs=[model, *data.files])
    saved = read_model(model)
    applied = apply_model(saved, data, label)
    names, columns = _columns(saved, applied, keep or [], proba)
    accuracy = _accuracy(saved, applied)
    tell_notes(applied.table)
    rows = zip(*columns, strict=True)
    if output.output is not None or not output.json:
        write_text(output.output, csv_table(names, rows), output.force)
    n_rows = applied.table.n_rows
    if output.json:
        document: dict[str, Any] = {"model": str(model), "rows": n_rows, "accuracy": accuracy}
        if output.output is None:
            document["predictions"] = [dict(zip(names, row, strict=True)) for row in rows]
        else:
            document["output"] = str(output.output)
        print_json(document)
    elif accuracy is not None:
        note(f"{accuracy:.1%} of {n_rows:,} labels predicted right")


def _columns(
    saved: SavedModel, applied: Applied, keep: list[str], proba: bool
) -> tuple[list[str], list[list[Any]]]:
    """Return the names and values of the columns to write."""
    rule_list, table = saved.rule_list, applied.table
    shares = saved.shares
    codes = rule_list.label_codes
    length = len(rule_list)
    names, columns = [], []
    for name in keep:
        names.append(name)
        columns.append(_texts(table.named_column(name, "keep")))
    labels = [rule.label for rule in rule_list.all_rules]
    sure = [round(float(shares[rule, codes[rule]]), 6) for rule in range(length + 1)]
    decided = applied.captured_by.tolist()
    names += ["prediction", "probability", "rule"]
    columns += [
        [labels[rule] for rule in decided],
        [sure[rule] for rule in decided],
        [0 if rule == length else rule + 1 for rule in decided],
    ]
    for code, each in enumerate(rule_list.classes if proba else ()):
        names.append(f"probability of {each}")
        columns.append([round(float(shares[rule, code]), 6) for rule in decided])
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise typer.BadParameter(f"--keep {twice}: the output has a column of that name already")
    return names, columns


def _texts(column: Column) -> list[Any]:
    from surelist.tables.files import plain_values

    return [
        value.isoformat() if isinstance(value, date) else value for value in plain_values(column)
    ]


def _accuracy(saved: SavedModel, applied: Applied) -> float | None:
    labels = applied.labels
    if labels is None:
        return None
    known = [rule.label for rule in saved.rule_list.all_rules]
    right = sum(
        known[rule] == label
        for rule, label in zip(applied.captured_by.tolist(), labels.tolist(), strict=True)
    )
    return float(right / len(labels))
