"""``surelist alternatives``: every rule list that is nearly as good as the best one."""

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

if TYPE_CHECKING:
    from surelist.estimators.near_optimal.result import RuleLists
    from surelist.runs.rows import Rows

__all__ = ["alternatives"]


@with_flag_groups
def alternatives(
    *,
    data: DataOptions,
    engine: EngineOptions,
    columns: LabelOptions,
    regularization: Annotated[
        str,
        typer.Option(
            "--regularization",
            "-r",
            metavar="λ",
            help="How much one more rule has to lower the loss.",
        ),
    ] = "0.01",
    tolerance: Annotated[
        str | None,
        typer.Option(
            "--tolerance",
            metavar="SHARE",
            help="All lists with at most the optimum times 1 + SHARE. [default: 0.01]",
            show_default=False,
        ),
    ] = None,
    objective: Annotated[
        str | None,
        typer.Option("--objective", metavar="R", help="All lists with at most this objective."),
    ] = None,
    best: Annotated[
        int | None,
        typer.Option("--best", metavar="N", help="The N best lists, and all that equal the last."),
    ] = None,
    distinct: Annotated[
        str,
        typer.Option(
            "--distinct",
            metavar="WHAT",
            help="What counts as one list: text, or predictions of the training rows.",
        ),
    ] = "text",
    without: Annotated[
        list[str] | None,
        typer.Option(
            "--without", metavar="COLUMN", help="Show no lists with this column; may be repeated."
        ),
    ] = None,
    group: Annotated[
        str | None,
        typer.Option(
            "--group", metavar="COLUMN", help="Also give ranges of error rates by this column."
        ),
    ] = None,
    show: Annotated[
        int, typer.Option("--show", metavar="N", help="How many lists to print, the best first.")
    ] = 10,
    features: FeatureOptions,
    search: SearchOptions,
    limits: LimitOptions,
    certificate: Annotated[
        Path | None,
        typer.Option(
            "--certificate",
            metavar="FILE",
            help="Write a proof that none is missing, which surelist verify checks.",
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="FILE", help="Draw objective against accuracy, or group gap."
        ),
    ] = None,
    progress: ProgressFlag = None,
    output: OutputOptions,
) -> None:
    """Find every rule list that is nearly as good as the best one.

    None is missing up to the objective that is printed. --output writes all lists as JSON.
    """
    if picture is not None:
        check_picture(picture)
        use_files_only()
    claim(output.force, output.output, picture, certificate, inputs=data.files)
    rows, seconds = labelled_rows(data, engine, columns, progress)
    by_group = None if group is None else _column(rows, group)
    run = describe_run(read_number("--regularization", regularization), features, search, limits)
    parameters = parameters_of(run, rows, rows.table.notes) | {
        "regularization": run.regularization,
        "tolerance": None if tolerance is None else read_number("--tolerance", tolerance),
        "objective": None if objective is None else read_number("--objective", objective),
        "n": best,
        "distinct": distinct,
        "certificate": certificate is not None,
    }
    with searching(rows, seconds, progress) as watcher:
        found = _solve(rows, parameters | {"progress": watcher.progress})
    kept = found.filter(without=without)
    document = _document(kept, by_group)
    unwritten = Unwritten()
    unwritten.attempt(
        output.output, lambda: write_text(output.output, json_text(document), output.force)
    )
    proof = found.certificate
    unwritten.attempt(
        None if proof is None else certificate,
        lambda: None if proof is None or certificate is None else proof.save(certificate),
    )
    unwritten.attempt(
        picture, lambda: save_picture(kept.plot(group=by_group), picture, output.force)
    )
    if output.json:
        print_json(document)
    else:
        _print(kept, by_group, show)
    exit_by("optimal" if found.complete else found.status, unwritten)


def _solve(rows: Rows, parameters: dict[str, Any]) -> RuleLists:
    from surelist.estimators.near_optimal.search import near_optimal

    return near_optimal(**rows.training(), **parameters)


def _column(rows: Rows, name: str) -> list[Any]:
    from surelist.tables.files import plain_values

    if not rows.source.in_memory:
        raise InputError("--group needs rows in memory; leave it out, or use --engine memory")
    return plain_values(rows.source.table.named_column(name, "group"))


def _print(found: RuleLists, group: list[Any] | None, show: int) -> None:
    sys.stdout.write(f"{found}\n")
    for index in range(min(show, len(found))):
        rule_list = found[index]
        sys.stdout.write(f"\nobjective {float(rule_list.objective):.6g}\n")
        print_lines(rule_list.lines())
    if len(found):
        sys.stdout.write(f"\n{found.columns()}\n\n{found.ranges(group)}\n")


def _document(found: RuleLists, group: list[Any] | None) -> dict[str, Any]:
    def number(value: Any) -> float | None:
        return None if value is None else float(value)

    return {
        "status": found.status,
        "optimum": number(found.optimum),
        "complete_up_to": number(found.complete_up_to),
        "complete_up_to_exact": None if found.complete_up_to is None else str(found.complete_up_to),
        "lists": len(found),
        "orders": found.n_orders,
        "predictions": found.n_predictions,
        "columns": [
            {
                "name": use.name,
                "lists": use.n_lists,
                "best_with": number(use.best_with),
                "best_without": number(use.best_without),
            }
            for use in found.columns()
        ],
        "ranges": {each.name: [each.least, each.greatest] for each in found.ranges(group)},
        "rule_lists": [
            {"objective": float(objective), "length": int(length), "orders": int(orders), "text": t}
            for objective, length, orders, t in zip(
                found.objectives, found.lengths, found.orders, found.texts(), strict=True
            )
        ],
    }
