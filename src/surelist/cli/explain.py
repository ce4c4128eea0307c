"""``surelist explain``: which rule captures each row, and how good that rule was in training."""

from __future__ import annotations

import math
import sys
from typing import Annotated

import typer

from surelist.cli.apply_model import ModelFile, apply_model, read_model
from surelist.cli.data import tell_notes
from surelist.cli.options import DataOptions, JsonOptions, with_flag_groups
from surelist.cli.printing import print_json
from surelist.errors import InputError

__all__ = ["explain"]


@with_flag_groups
def explain(
    *,
    model: ModelFile,
    data: DataOptions,
    output: JsonOptions,
    row: Annotated[
        list[int] | None,
        typer.Option("--row", metavar="N", help="Only this row, counted from 1; may be repeated."),
    ] = None,
) -> None:
    """Say which rule captures each row, and how good it was."""
    saved = read_model(model)
    applied = apply_model(saved, data)
    n_rows = applied.table.n_rows
    chosen = row or range(1, n_rows + 1)
    for number in chosen:
        if not 1 <= number <= n_rows:
            raise InputError(f"--row {number}: there are {n_rows:,} rows, counted from 1")
    tell_notes(applied.table)
    explanations = saved.rule_list.explanations
    decided = [(number, explanations[applied.captured_by[number - 1]]) for number in chosen]
    if not output.json:
        width = len(str(max(chosen)))
        lines = (f"{number:>{width}}  {explanation}\n" for number, explanation in decided)
        sys.stdout.write("".join(lines))
        return
    print_json(
        [
            {
                "row": number,
                "label": explanation.label,
                "rule": 0 if explanation.rule == len(saved.rule_list) else explanation.rule + 1,
                "antecedent": explanation.antecedent or None,
                "captured": explanation.captured,
                "support": explanation.support,
                "accuracy": None if math.isnan(explanation.accuracy) else explanation.accuracy,
            }
            for number, explanation in decided
        ]
    )
