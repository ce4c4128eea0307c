"""``surelist path --cuts``: the optimum for few cuts, more, and all of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surelist.cli.options import OutputOptions
from surelist.cli.printing import print_lines
from surelist.cli.report import report
from surelist.cli.writing import Unwritten
from surelist.errors import InputError
from surelist.runs.rows import Rows

if TYPE_CHECKING:
    from surelist.estimators.path.by_cuts import ByCuts

__all__ = ["read_cuts", "report_cuts", "solve_cuts"]


def read_cuts(text: str) -> list[int | str]:
    """Read numbers of cuts, such as 3,10,30,all.

    Raises
    ------
    InputError
    """
    found: list[int | str] = []
    for part in text.split(","):
        each = part.strip()
        if each != "all" and not each.isdecimal():
            raise InputError(f"--cuts {text}: write numbers or all, such as 3,10,30,all")
        found.append(each if each == "all" else int(each))
    return found


def solve_cuts(
    rows: Rows, parameters: dict[str, Any], cuts: list[int | str], held_out: float
) -> ByCuts:
    """Fit for each number of cuts."""
    from surelist.estimators.classifier import RuleListClassifier
    from surelist.estimators.path.by_cuts import objective_by_cuts
    from surelist.features.binarizer import Binarizer

    given = rows.training()
    if given.get("sample_weight") is not None or given.get("y") is None:
        raise InputError("--cuts takes rows in memory, with labels and without weights")
    binarizer = parameters.pop("binarizer", None)
    model = RuleListClassifier(
        **parameters, binarizer=None if binarizer is None else Binarizer.of(binarizer)
    )
    seed = parameters.get("random_state") or 0
    return objective_by_cuts(
        model, given["X"], given["y"], cuts=cuts, held_out=held_out, random_state=seed
    )


def report_cuts(found: ByCuts, picture: Path | None, output: OutputOptions) -> Unwritten:
    """Write and print the table."""

    def show() -> None:
        sys.stdout.write(f"{found}\n")
        for row in found.rows:
            sys.stdout.write(f"\ncuts: {row.n_cuts}\n")
            print_lines(row.rule_list.lines())

    return report(_document(found), output, show, picture=picture, draw=found.plot)


def _document(found: ByCuts) -> dict[str, Any]:
    return {
        "certified": found.certified,
        "training_rows": found.n_training,
        "held_out_rows": found.n_held_out,
        "cuts": [
            {
                "n_cuts": row.n_cuts,
                "length": len(row.rule_list.rules),
                "objective": float(row.objective),
                "lower_bound": float(row.lower_bound),
                "certified": row.certified,
                "loss": float(row.rule_list.loss),
                "held_out_loss": row.held_out,
                "text": list(row.rule_list.lines()),
            }
            for row in found.rows
        ],
    }
