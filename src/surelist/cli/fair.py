"""``surelist fair``: the front of objective against unfairness, every point proven."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surelist.cli.fairness_flags import label_named
from surelist.cli.options import (
    DataOptions,
    EngineOptions,
    FeatureOptions,
    LabelOptions,
    LimitOptions,
    OutputOptions,
    ProgressFlag,
    RegularizationFlag,
    SearchOptions,
    with_flag_groups,
)
from surelist.cli.printing import print_lines
from surelist.cli.report import claim_outputs, report
from surelist.cli.run_flags import describe_run
from surelist.cli.searching import exit_by, labelled_rows, searching
from surelist.cli.writing import claim
from surelist.errors import InputError
from surelist.runs.description import parameters_of, read_number
from surelist.runs.rows import Rows, kept_back

if TYPE_CHECKING:
    from surelist.estimators.fairness_path import FairnessPath
    from surelist.problem.fairness_report import FairnessReport

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
            help="The column whose values are the groups; if repeated, each combination of values "
            "is a group.",
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
        typer.Option(
            "--tolerance", metavar="NUMBER", help="Search only this tolerance; may be repeated."
        ),
    ] = None,
    step: Annotated[
        str, typer.Option("--step", metavar="NUMBER", help="How much fairer each point is.")
    ] = "0.01",
    regularization: RegularizationFlag = "0.01",
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
    held_out: Annotated[
        float,
        typer.Option(
            "--held-out",
            metavar="SHARE",
            help="Rows that the lists do not learn from, and on which their rates are counted.",
        ),
    ] = 0.0,
    proofs: Annotated[
        Path | None,
        typer.Option(
            "--proofs", metavar="FOLDER", help="Write the model and the proof of each point there."
        ),
    ] = None,
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
    claim_outputs(output, picture, inputs=data.files)
    if proofs is not None and held_out:
        raise InputError(
            "--proofs are about all rows of DATA, which --held-out leaves out: choose one of them"
        )
    _claim_folder(proofs, output.force, data.files)
    rows, seconds = labelled_rows(data, engine, columns, progress)
    run = describe_run(read_number("--regularization", regularization), features, search, limits)
    demand = {
        "metric": metric,
        "sensitive": sensitive,
        "labels": "majority" if majority else "free",
        "positive": label_named(positive, rows),
        "allow_sensitive": allow_sensitive,
    }
    rows, test = _split(rows, sensitive, held_out)
    parameters = parameters_of(run, rows, rows.table.notes) | {
        "regularization": run.regularization,
        "fairness": demand,
        "step": read_number("--step", step),
        "tolerances": [read_number("--tolerance", each) for each in tolerance]
        if tolerance
        else None,
        "certificate": proofs is not None,
    }
    with searching(rows, seconds, progress) as watcher:
        found = _solve(rows, parameters | {"progress": watcher.progress})
    seen = None if test is None else found.on(*test)
    document = found.to_dict()
    if seen is not None:
        document["held_out"] = [each.to_dict() for each in seen]
    unwritten = report(
        document,
        output,
        lambda: _show(found, sensitive, seen),
        picture=picture,
        draw=partial(found.plot, held_out=seen),
        files=_files(found, proofs),
    )
    exit_by("optimal" if found.certified else "limit", unwritten)


def _solve(rows: Rows, parameters: dict[str, Any]) -> FairnessPath:
    from surelist.estimators.fairness_path import fairness_path

    return fairness_path(**rows.training(), **parameters)


def _split(rows: Rows, sensitive: list[str], share: float) -> tuple[Rows, Any]:
    """Keep back some rows: those to learn from, and a table, labels and groups to count on."""
    import numpy as np

    from surelist.problem.sensitive import sensitive_groups

    if share == 0:
        return rows, None
    if not 0 < share < 1:
        raise InputError(f"--held-out must be a share above 0 and below 1; got {share}")
    n_rows = rows.table.n_rows
    groups = sensitive_groups(rows.table, tuple(sensitive), None, np.ones(n_rows, np.int64))
    kept, back = kept_back(n_rows, share)
    test = rows.take(back)
    names = np.array(groups.names, dtype=object)[groups.codes[back]]
    return rows.take(kept), (test.table, test.labels, names)


def _claim_folder(folder: Path | None, force: bool, inputs: Iterable[Path | None]) -> None:
    """Refuse a folder for proofs before anything is searched: what is found would be lost."""
    if folder is None:
        return
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is no folder; --proofs needs one")
    there = [path for kind in ("json", "cert") for path in sorted(folder.glob(f"point-*.{kind}"))]
    claim(force, *there, inputs=inputs)


def _files(found: FairnessPath, folder: Path | None) -> dict[Path, Callable[[], object]]:
    """Return what writes models and proofs; points are numbered from the best list on."""
    files: dict[Path, Callable[[], object]] = {}
    if folder is None:
        return files
    folder.mkdir(parents=True, exist_ok=True)
    for number, point in enumerate(found.points, 1):
        for suffix, save in (("json", point.model.save), ("cert", point.model.certificate_.save)):
            path = folder / f"point-{number}.{suffix}"
            files[path] = partial(save, path)
    return files


def _show(
    found: FairnessPath, columns: list[str], held_out: list[FairnessReport] | None = None
) -> None:
    from surelist.problem.fairness_words import caveats, meaning

    sys.stdout.write(f"{found}\n")
    for number, point in enumerate(found.points):
        sys.stdout.write(f"\nunfairness {float(point.unfairness):.4f}\n")
        print_lines(point.model.rule_list_.lines())
        sys.stdout.write(f"{point.report}\n")
        for line in meaning(found.metric, point.report):
            sys.stdout.write(f"{line}\n")
        if held_out is not None:
            sys.stdout.write(f"on rows that were held out:\n{held_out[number]}\n")
    if found.points:
        sys.stdout.write("\n" + "\n".join(caveats(found.points[0].report, columns)) + "\n")
