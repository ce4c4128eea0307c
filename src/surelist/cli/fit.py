"""``surelist fit``: learn a rule list and prove it optimal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surelist.cli import exits
from surelist.cli.data import Rows, open_rows, training_rows
from surelist.cli.live import watching
from surelist.cli.model import initial_rule_list, parameters_of, read_number, warnings_as_notes
from surelist.cli.options import (
    DataOptions,
    EngineOptions,
    FeatureOptions,
    LabelOptions,
    LimitOptions,
    OutputOptions,
    SearchOptions,
    takes,
)
from surelist.cli.printing import print_facts, print_json, print_lines
from surelist.cli.queries import choose_columns, cuts_text, is_for_duckdb, open_query_rows
from surelist.cli.results import counted, document_of, facts_of
from surelist.cli.writing import claim

if TYPE_CHECKING:
    from surelist.classifier import RuleListClassifier

__all__ = ["register"]

_TRACE_INTERVAL = 0.1


def register(application: typer.Typer) -> None:
    """Add the command."""
    application.command("fit")(fit)


@takes(
    data=DataOptions,
    engine=EngineOptions,
    columns=LabelOptions,
    features=FeatureOptions,
    search=SearchOptions,
    limits=LimitOptions,
    output=OutputOptions,
)
def fit(
    *,
    data: DataOptions,
    engine: EngineOptions,
    columns: LabelOptions,
    regularization: Annotated[
        str,
        typer.Option(
            "--regularization", "-r", metavar="λ", help="The loss that one more rule has to save."
        ),
    ] = "0.01",
    features: FeatureOptions,
    search: SearchOptions,
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
    trace_interval: Annotated[
        float | None,
        typer.Option(
            "--trace-interval",
            metavar="SECONDS",
            help="Keep in the model what the search did, so often, for surelist plot. "
            "[default: 0.1 with --output]",
            show_default=False,
        ),
    ] = None,
    progress: Annotated[
        bool | None,
        typer.Option(
            "--progress/--no-progress",
            help="Show how the search gets on. [default: on a terminal]",
            show_default=False,
        ),
    ] = None,
    output: OutputOptions,
) -> None:
    """Learn a rule list and prove that none has a lower objective.

    The best list, its objective and what is proven go to standard output; the model to --output.
    Ctrl-C ends the search with the best list so far.
    """
    claim(output.force, output.output, certificate)
    with watching(progress) as watcher:
        watcher.stage(f"reading {data.data or data.rules or ''}")
        duckdb = is_for_duckdb(data, engine)
        rows = open_query_rows(data, engine, watcher) if duckdb else open_rows(data)
    # Here the user may be asked for the label; then the display returns.
    if duckdb:
        rows = choose_columns(rows, columns)
    else:
        rows = training_rows(rows, columns, from_stdin=str(data.data) == "-")
    price = read_number("--regularization", regularization)
    parameters = parameters_of(rows, features, search, limits, price) | {
        "regularization": price,
        "laplace": laplace,
        "initial_rule_list": initial_rule_list(initial),
        "certificate": certificate or False,
        "trace_interval": _TRACE_INTERVAL
        if trace_interval is None and output.output is not None
        else trace_interval,
    }
    with warnings_as_notes(), watching(progress) as watcher:
        if duckdb:
            rows.table.watch(watcher.reading)
        watcher.stage(f"mining antecedents in {rows.table.n_rows:,} rows")
        model = fitted(rows, parameters | {"progress": watcher.progress})
    rows.tell()
    if output.output is not None:
        claim(output.force, output.output)
        # Where the proof went says nothing about the model.
        model.set_params(certificate=False).save(output.output)
    _report(model, rows, output, certificate)
    if model.status_ != "optimal":
        raise typer.Exit(exits.NOT_CERTIFIED)


def fitted(rows: Rows, parameters: dict[str, Any]) -> RuleListClassifier:
    """Fit a classifier to rows from a file."""
    import numpy as np

    from surelist.classifier import RuleListClassifier

    model = RuleListClassifier(**parameters)
    model.fit(**rows.training())
    # scikit-learn looks for names in data frames alone; with them the model takes those, too.
    model.feature_names_in_ = np.array(rows.table.names, dtype=object)
    return model


def _report(
    model: RuleListClassifier, rows: Rows, output: OutputOptions, certificate: Path | None
) -> None:
    path = None if output.output is None else str(output.output)
    if output.json:
        about = {"path": rows.table.path, "rows": rows.table.n_rows, "label": rows.label}
        if rows.elsewhere:
            about["cut_points"] = rows.table.cut_points
        proof = None if certificate is None else str(certificate)
        print_json(document_of(model, {"data": about, "model": path, "certificate": proof}))
        return
    print_lines(model.rule_list_.lines())
    sys.stdout.write("\n")
    facts = facts_of(model) | {
        "data": f"{counted(rows.table.n_rows, 'row')}, "
        f"{counted(len(rows.table.names), 'column')}, label {rows.label}",
    }
    if rows.elsewhere and (cuts := cuts_text(rows.table)) is not None:
        facts["cuts"] = cuts
    if path is not None:
        facts["model"] = path
    if certificate is not None:
        facts["certificate"] = str(certificate)
    print_facts(facts)
