"""What the commands that search do alike: read rows, show the search, end with its result."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from surelist.cli import exits
from surelist.cli.data import Rows, open_rows, training_rows
from surelist.cli.live import Watcher, watching
from surelist.cli.model import warnings_as_notes
from surelist.cli.options import DataOptions, EngineOptions, LabelOptions, OutputOptions
from surelist.cli.printing import print_facts, print_json, print_lines
from surelist.cli.queries import choose_columns, is_for_duckdb, open_query_rows
from surelist.cli.results import document_of, facts_of
from surelist.cli.writing import claim

if TYPE_CHECKING:
    from surelist.classifier import RuleListClassifier

__all__ = ["exit_by", "labelled_rows", "searching", "tell_result"]


def labelled_rows(
    data: DataOptions, engine: EngineOptions, columns: LabelOptions, progress: bool | None
) -> Rows:
    """Read the rows to learn from, or say where they are; the user may be asked for the label."""
    elsewhere = is_for_duckdb(data, engine)
    with watching(progress) as watcher:
        watcher.stage(f"reading {data.data or data.rules or ''}")
        rows = open_query_rows(data, engine, watcher) if elsewhere else open_rows(data)
    # Here the user may be asked for the label, where no display may be in the way.
    if elsewhere:
        return choose_columns(rows, columns)
    return training_rows(rows, columns, from_stdin=str(data.data) == "-")


@contextmanager
def searching(rows: Rows, progress: bool | None) -> Iterator[Watcher]:
    """Show the search of rows while the context lasts; afterwards pass on what came up."""
    with warnings_as_notes(), watching(progress) as watcher:
        if rows.elsewhere:
            rows.table.watch(watcher.reading)
        watcher.stage(f"mining antecedents in {rows.table.n_rows:,} rows")
        yield watcher
    rows.tell()


def tell_result(
    model: RuleListClassifier,
    output: OutputOptions,
    about: Mapping[str, Any],
    facts: Mapping[str, str] | None = None,
    **files: Path | None,
) -> None:
    """Save a model where that is wanted, and print what the search found.

    Parameters
    ----------
    model, output
        The fitted model, and what to do with it.
    about, facts
        What else to say in JSON, and to people.
    **files
        What else was written, by what it is.
    """
    if output.output is not None:
        claim(output.force, output.output)
        # Where the proof and the checkpoint went says nothing about the model.
        model.set_params(certificate=False, checkpoint=None).save(output.output)
    written = {
        name: None if path is None else str(path)
        for name, path in {"model": output.output, **files}.items()
    }
    if output.json:
        print_json(document_of(model, {**about, **written}))
        return
    print_lines(model.rule_list_.lines())
    sys.stdout.write("\n")
    named = {name: path for name, path in written.items() if path is not None}
    print_facts({**facts_of(model), **(facts or {}), **named})


def exit_by(status: str) -> None:
    """End with the exit code that says whether a result is certified."""
    if status != "optimal":
        raise typer.Exit(exits.NOT_CERTIFIED)
