"""``surelist fair``: the front of objective against unfairness, every point proven."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surelist.cli.options import (
    DataOptions,
    EngineOptions,
    FeatureOptions,
    LabelOptions,
    LimitOptions,
    OutputOptions,
    ProgressFlag,
    SearchOptions,
    with_flag_groups,
)
from surelist.cli.plot import check_picture, save_picture, use_files_only
from surelist.cli.printing import json_text, print_json, print_lines
from surelist.cli.run_flags import describe_run
from surelist.cli.searching import exit_by, labelled_rows, searching
from surelist.cli.writing import Unwritten, claim, write_text
from surelist.errors import InputError
from surelist.runs.description import parameters_of, read_number
from surelist.runs.rows import Rows

if TYPE_CHECKING:
    from surelist.estimators.fairness_path import FairnessPath

__all__ = ["fair"]


@with_flag_groups
def fair(
    *,
    data: DataOptions,
    engine: EngineOptions,
    columns: LabelOptions,
    sensitive: Annotated[
        list[str],
        typer.Option(
            "--sensitive",
            metavar="COLUMN",
            help="The column whose values are the groups; repeated, combinations are.",
        ),
    ],
    metric: Annotated[
        str,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Which rates may not differ, such as equal_opportunity.",
        ),
    ] = "statistical_parity",
    positive: Annotated[
        str | None,
        typer.Option(
            "--positive",
            metavar="LABEL",
            help="The label that counts as selected. [default: the second]",
            show_default=False,
        ),
    ] = None,
    tolerance: Annotated[
        list[str] | None,
        typer.Option("--tolerance", metavar="NUMBER", help="Only this one; may be repeated."),
    ] = None,
    step: Annotated[
        str, typer.Option("--step", metavar="NUMBER", help="How much fairer each point is.")
    ] = "0.01",
    regularization: Annotated[
        str, typer.Option("--regularization", "-r", metavar="λ", help="What a rule has to save.")
    ] = "0.01",
    majority: Annotated[
        bool,
        typer.Option("--majority", help="Rules predict the majority of what they capture."),
    ] = False,
    allow_sensitive: Annotated[
        bool, typer.Option("--allow-sensitive", help="Rules may ask about the sensitive columns.")
    ] = False,
    features: FeatureOptions,
    search: SearchOptions,
    limits: LimitOptions,
    picture: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw objective against unfairness."),
    ] = None,
    progress: ProgressFlag = None,
    output: OutputOptions,
) -> None:
    """Find the best list for every tolerance between groups, with proof.

    Limits hold for each point of the front. --output writes it as JSON.
    """
    if picture is not None:
        check_picture(picture)
        use_files_only()
    claim(output.force, output.output, picture, inputs=data.files)
    rows, seconds = labelled_rows(data, engine, columns, progress)
    run = describe_run(read_number("--regularization", regularization), features, search, limits)
    demand = {
        "metric": metric,
        "sensitive": sensitive,
        "labels": "majority" if majority else "free",
        "positive": _label(positive, rows),
        "allow_sensitive": allow_sensitive,
    }
    parameters = parameters_of(run, rows, rows.table.notes) | {
        "regularization": run.regularization,
        "fairness": demand,
        "step": read_number("--step", step),
        "tolerances": [read_number("--tolerance", each) for each in tolerance]
        if tolerance
        else None,
    }
    with searching(rows, seconds, progress) as watcher:
        found = _solve(rows, parameters | {"progress": watcher.progress})
    exit_by("optimal" if found.certified else "limit", _report(found, picture, output))


def _label(text: str | None, rows: Rows) -> Any:
    if text is None:
        return None
    labels = set(rows.training()["y"].tolist())
    found = [label for label in labels if str(label) == text]
    if not found:
        known = ", ".join(sorted(map(str, labels)))
        raise InputError(f"--positive: there is no label {text!r}; there are {known}")
    return found[0]


def _solve(rows: Rows, parameters: dict[str, Any]) -> FairnessPath:
    from surelist.estimators.fairness_path import fairness_path

    return fairness_path(**rows.training(), **parameters)


def _report(found: FairnessPath, picture: Path | None, output: OutputOptions) -> Unwritten:
    """Write and print the front; what cannot be written is printed all the same."""
    document, unwritten = found.to_dict(), Unwritten()
    unwritten.attempt(
        output.output, lambda: write_text(output.output, json_text(document), output.force)
    )
    unwritten.attempt(picture, lambda: save_picture(found.plot(), picture, output.force))
    if output.json:
        print_json(document)
        return unwritten
    sys.stdout.write(f"{found}\n")
    for point in found.points:
        sys.stdout.write(f"\nunfairness {float(point.unfairness):.4f}\n")
        print_lines(point.model.rule_list_.lines())
        sys.stdout.write(f"{point.report}\n")
    return unwritten
