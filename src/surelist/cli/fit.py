"""``surelist fit``: learn a rule list and prove it optimal."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surelist._common.messages import counted
from surelist.cli.duckdb_rows import cuts_text
from surelist.cli.fairness_flags import FairnessOptions, fairness_lines, read_demand
from surelist.cli.inspect import caution, tell_warnings
from surelist.cli.options import (
    DataOptions,
    EngineOptions,
    FeatureOptions,
    LabelOptions,
    LimitOptions,
    OutputOptions,
    ProgressFlag,
    RegularizationFlag,
    RelabelOptions,
    SearchOptions,
    with_flag_groups,
)
from surelist.cli.run_flags import describe_run, initial_rule_list
from surelist.cli.searching import labelled_rows, searching, tell_result
from surelist.cli.writing import Unwritten, claim
from surelist.runs.description import parameters_of, read_number
from surelist.runs.rows import Rows

if TYPE_CHECKING:
    from surelist.estimators.fitted_model import FittedModel
    from surelist.inspection.finding import Finding

__all__ = ["fit"]

_TRACE_INTERVAL = 0.1


@with_flag_groups
def fit(
    *,
    data: DataOptions,
    engine: EngineOptions,
    columns: LabelOptions,
    relabel: RelabelOptions,
    regularization: RegularizationFlag = "0.01",
    features: FeatureOptions,
    search: SearchOptions,
    fairness: FairnessOptions,
    initial: Annotated[
        Path | None,
        typer.Option(
            "--initial-rule-list", metavar="MODEL", help="A model whose rule list to start from."
        ),
    ] = None,
    limits: LimitOptions,
    laplace: Annotated[
        float,
        typer.Option(
            "--laplace", metavar="W", help="Weight added to each class for probabilities."
        ),
    ] = 0.0,
    certificate: Annotated[
        Path | None,
        typer.Option(
            "--certificate",
            metavar="FILE",
            help="Write a proof of the result, which surelist verify checks.",
        ),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint",
            metavar="FILE",
            help="Save the state of the search to a file, from which surelist resume continues.",
        ),
    ] = None,
    checkpoint_interval: Annotated[
        float,
        typer.Option("--checkpoint-interval", metavar="SECONDS", help="Time between checkpoints."),
    ] = 60.0,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="ADDRESS",
            help="Search on a Dask cluster: the address of its scheduler, such as tcp://host:8786.",
        ),
    ] = None,
    trace_interval: Annotated[
        float | None,
        typer.Option(
            "--trace-interval",
            metavar="SECONDS",
            help="Record the search in the model at this interval, for surelist plot. "
            "[default: 0.1 with --output]",
            show_default=False,
        ),
    ] = None,
    progress: ProgressFlag = None,
    output: OutputOptions,
) -> None:
    """Learn a rule list and prove that none has a lower objective.

    The best list, its objective and what is proven go to standard output; the model to --output.
    Ctrl-C ends the search with the best list so far.
    """
    claim(output.force, output.output, certificate, inputs=[*data.files, initial])
    # A checkpoint whose search has ended is replaced unasked; nothing else may be lost to it.
    claim(True, checkpoint, output.output, certificate, inputs=[*data.files, initial])
    rows, seconds = labelled_rows(data, engine, columns, progress, relabel)
    run = describe_run(read_number("--regularization", regularization), features, search, limits)
    parameters = parameters_of(run, rows, rows.table.notes) | {
        "regularization": run.regularization,
        "fairness": read_demand(fairness, rows),
        "laplace": laplace,
        "initial_rule_list": initial_rule_list(initial),
        "certificate": certificate or False,
        "checkpoint": checkpoint,
        "checkpoint_interval": checkpoint_interval,
        "trace_interval": _TRACE_INTERVAL
        if trace_interval is None and output.output is not None
        else trace_interval,
    }
    if cluster is not None:
        parameters["n_jobs"] = cluster
    from surelist.runs.fit import fit_rows

    unwritten = Unwritten()
    began = time.monotonic()
    findings = _findings(rows, parameters)
    seconds += time.monotonic() - began
    with searching(rows, seconds, progress, unwritten) as watcher:
        model = fit_rows(rows, parameters | {"progress": watcher.progress})
    tell_result(
        model,
        output,
        {"data": _document(rows), "findings": [finding.to_dict() for finding in findings]}
        | ({} if model.fairness_ is None else {"fairness": model.fairness_.to_dict()}),
        _facts(rows) | caution(model.rule_list_, findings),
        _rates(model, fairness),
        unwritten=unwritten,
        certificate=_written(model, certificate),
    )


def _findings(rows: Rows, parameters: dict[str, Any]) -> Sequence[Finding]:
    """Return what speaks against a result on these rows, and print it before the search."""
    from surelist.problem.parameters import read_parameters
    from surelist.problem.settings import Settings
    from surelist.runs.inspect_rows import inspect_rows

    found = inspect_rows(rows)
    read_parameters(Settings(**parameters))  # what is wrong with flags is said alone
    return () if found is None else tell_warnings(found.warnings)


def _written(model: FittedModel, certificate: Path | None) -> Path | None:
    """Return where the certificate is; not where it could not be written."""
    made = model.certificate_
    return None if made is None or made.path is None else certificate


def _rates(model: FittedModel, fairness: FairnessOptions) -> Sequence[str]:
    if model.fairness_ is None:
        return ()
    return fairness_lines(model.fairness_, fairness.fairness or (), fairness.sensitive or ())


def _document(rows: Rows) -> dict[str, Any]:
    about = {"path": rows.table.path, "rows": rows.table.n_rows, "label": rows.label}
    return about | ({} if rows.source.in_memory else {"cut_points": rows.table.cut_points})


def _facts(rows: Rows) -> dict[str, str]:
    table = rows.table
    size = f"{counted(table.n_rows, 'row')}, {counted(len(table.names), 'column')}"
    cuts = None if rows.source.in_memory else cuts_text(table)
    return {"data": f"{size}, label {rows.label}"} | ({} if cuts is None else {"cuts": cuts})
