"""``surelist path``: the optimal rule list for every λ."""

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
from surelist.cli.path_cuts import read_cuts, report_cuts, solve_cuts
from surelist.cli.printing import print_lines
from surelist.cli.report import claim_outputs, report
from surelist.cli.run_flags import describe_run
from surelist.cli.searching import exit_by, labelled_rows, searching
from surelist.runs.description import parameters_of, read_number
from surelist.runs.rows import Rows

if TYPE_CHECKING:
    from surelist.estimators.path.result import RegularizationPath

__all__ = ["path"]


@with_flag_groups
def path(
    *,
    data: DataOptions,
    engine: EngineOptions,
    columns: LabelOptions,
    smallest: Annotated[
        str, typer.Option("--smallest", metavar="λ", help="The smallest λ; it takes longest.")
    ] = "0.01",
    largest: Annotated[
        str | None,
        typer.Option(
            "--largest",
            metavar="λ",
            help="The largest λ. [default: the least at which no rule pays]",
            show_default=False,
        ),
    ] = None,
    at: Annotated[
        list[str] | None,
        typer.Option("--at", metavar="λ", help="Only this λ; may be repeated."),
    ] = None,
    cuts: Annotated[
        str | None,
        typer.Option(
            "--cuts",
            metavar="N,N,…",
            help="Instead, at the smallest λ: the optimum for so many cuts in each column, such as "
            "3,10,30,all, in training and on held-out rows.",
            show_default=False,
        ),
    ] = None,
    held_out: Annotated[
        float,
        typer.Option("--held-out", metavar="SHARE", help="Rows that --cuts tries the lists on."),
    ] = 0.3,
    features: FeatureOptions,
    search: SearchOptions,
    limits: LimitOptions,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="FILE", help="Draw objective and length against λ, or by cuts."
        ),
    ] = None,
    progress: ProgressFlag = None,
    output: OutputOptions,
) -> None:
    """Find the optimal rule list for every λ, with proof.

    Each rule list stands with the range of λ in which it is optimal. --output writes them as JSON.
    """
    claim_outputs(output, picture, inputs=data.files)
    rows, seconds = labelled_rows(data, engine, columns, progress)
    run = describe_run(read_number("--smallest", smallest), features, search, limits)
    if cuts is not None:
        wanted = read_cuts(cuts)
        parameters = parameters_of(run, rows, rows.table.notes)
        with searching(rows, seconds, progress) as watcher:
            own = parameters | {
                "regularization": run.regularization,
                "progress": watcher.progress,
            }
            by_cuts = solve_cuts(rows, own, wanted, held_out)
        exit_by(
            "optimal" if by_cuts.certified else "work_limit", report_cuts(by_cuts, picture, output)
        )
        return
    parameters = parameters_of(run, rows, rows.table.notes) | {
        "smallest": run.regularization,
        "largest": None if largest is None else read_number("--largest", largest),
        "regularizations": [read_number("--at", each) for each in at] if at else None,
    }
    with searching(rows, seconds, progress) as watcher:
        found = _solve(rows, parameters | {"progress": watcher.progress})
    unwritten = report(
        _document(found), output, lambda: _show(found), picture=picture, draw=found.plot
    )
    exit_by(found.status, unwritten)


def _solve(rows: Rows, parameters: dict[str, Any]) -> RegularizationPath:
    from surelist.estimators.path.search import regularization_path

    return regularization_path(**rows.training(), **parameters)


def _show(found: RegularizationPath) -> None:
    sys.stdout.write(f"{found}\n")
    for segment in found.segments:
        ends = f"{float(segment.start):.6g} ≤ λ ≤ {float(segment.stop):.6g}"
        sys.stdout.write(f"\n{ends}\n")
        print_lines(segment.rule_list.lines())


def _document(found: RegularizationPath) -> dict[str, Any]:
    return {
        "status": found.status,
        "searches": found.n_searches,
        "antecedents": found.n_antecedents,
        "segments": [
            {
                "from": float(segment.start),
                "to": float(segment.stop),
                "from_exact": str(segment.start),
                "to_exact": str(segment.stop),
                "length": segment.length,
                "loss": float(segment.loss),
                "gap": float(segment.gap),
                "certified": segment.certified,
                "text": list(segment.rule_list.lines()),
            }
            for segment in found.segments
        ],
    }
