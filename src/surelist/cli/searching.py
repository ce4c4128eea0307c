"""What the commands that search do alike: read rows, show the search, end with its result."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from surelist._common.limits import counting_from
from surelist.cli import exits
from surelist.cli.data import Rows, open_rows, training_rows
from surelist.cli.live import Watcher, watching
from surelist.cli.model import warnings_as_notes
from surelist.cli.options import DataOptions, EngineOptions, LabelOptions, OutputOptions
from surelist.cli.printing import print_facts, print_json, print_lines
from surelist.cli.queries import choose_columns, is_for_duckdb, open_query_rows
from surelist.cli.results import document_of, facts_of
from surelist.cli.writing import Unwritten, claim

if TYPE_CHECKING:
    from surelist.estimators.fitted_model import FittedModel

__all__ = ["exit_by", "labelled_rows", "searching", "tell_result"]


def labelled_rows(
    data: DataOptions, engine: EngineOptions, columns: LabelOptions, progress: bool | None
) -> tuple[Rows, float]:
    """Read the rows to learn from, or say where they are; the user may be asked for the label.

    Return also how many seconds the reading took, without what the user needed to answer.
    """
    began = time.monotonic()
    elsewhere = is_for_duckdb(data, engine)
    with watching(progress) as watcher:
        watcher.stage(f"reading {data.data or data.rules or ''}")
        rows = open_query_rows(data, engine, watcher) if elsewhere else open_rows(data)
    seconds = time.monotonic() - began
    # Here the user may be asked for the label, where no display may be in the way.
    if elsewhere:
        return choose_columns(rows, columns), seconds
    return training_rows(rows, columns, from_stdin=str(data.data) == "-"), seconds


@contextmanager
def searching(
    rows: Rows, seconds: float, progress: bool | None, unwritten: Unwritten | None = None
) -> Iterator[Watcher]:
    """Show the search of rows while the context lasts; afterwards pass on what came up.

    Time limits count the ``seconds`` that it took to read the rows.
    """
    begun = counting_from(time.monotonic() - seconds)
    with warnings_as_notes(unwritten), begun, watching(progress) as watcher:
        if rows.elsewhere:
            rows.table.watch(watcher.reading)
        watcher.stage(f"mining antecedents in {rows.table.n_rows:,} rows")
        yield watcher
    rows.tell()


def tell_result(
    model: FittedModel,
    output: OutputOptions,
    about: Mapping[str, Any],
    facts: Mapping[str, str] | None = None,
    *,
    unwritten: Unwritten | None = None,
    **files: Path | None,
) -> None:
    """Save a model where that is wanted, print what the search found, and end by its status.

    What cannot be saved is printed all the same, and then decides the exit code.

    Parameters
    ----------
    model, output
        The fitted model, and what to do with it.
    about, facts
        What else to say in JSON, and to people.
    unwritten : Unwritten, optional
        Where something could not be written already.
    **files
        What else was written, by what it is; None where it was not.
    """
    # Where the proof and the checkpoint went says nothing about the model.
    model = model.with_parameters(certificate=False, checkpoint=None)
    unwritten = unwritten or Unwritten()
    saved = unwritten.attempt(output.output, lambda: _save(model, output))
    written = {
        name: None if path is None else str(path)
        for name, path in {"model": saved, **files}.items()
    }
    if output.json:
        print_json(document_of(model, {**about, **written}))
    else:
        print_lines(model.rule_list_.lines())
        sys.stdout.write("\n")
        named = {name: path for name, path in written.items() if path is not None}
        print_facts({**facts_of(model), **(facts or {}), **named})
    exit_by(model.status_, unwritten)


def _save(model: FittedModel, output: OutputOptions) -> None:
    assert output.output is not None
    claim(output.force, output.output)
    model.save(output.output)


def exit_by(status: str, unwritten: Unwritten | None = None) -> None:
    """End with the exit code that says whether a result is certified, and was written."""
    if unwritten is not None and unwritten.any:
        raise typer.Exit(exits.NOT_WRITTEN)
    if status != "optimal":
        raise typer.Exit(exits.NOT_CERTIFIED)
