"""Steps that all commands with a search share: read rows, show the search, print its result."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from surelist._common.limits import counting_from
from surelist.cli import exit_codes
from surelist.cli.data import open_source, tell_notes, training_rows
from surelist.cli.duckdb_rows import is_for_duckdb, open_query_source
from surelist.cli.options import (
    DataOptions,
    EngineOptions,
    LabelOptions,
    OutputOptions,
    RelabelOptions,
)
from surelist.cli.printing import note, print_facts, print_json, print_lines
from surelist.cli.progress_display import Watcher, watching
from surelist.cli.results import document_of, facts_of
from surelist.cli.writing import Unwritten, claim
from surelist.errors import UncertifiedWarning, UnwrittenWarning
from surelist.runs.rows import Rows

if TYPE_CHECKING:
    from surelist.estimators.fitted_model import FittedModel

__all__ = ["exit_by", "labelled_rows", "searching", "tell_result", "warnings_as_notes"]


def labelled_rows(
    data: DataOptions,
    engine: EngineOptions,
    columns: LabelOptions,
    progress: bool | None,
    relabel: RelabelOptions | None = None,
) -> tuple[Rows, float]:
    """Read the rows to learn from, or open them for DuckDB; the user may be asked for the label.

    Also return how many seconds the reading took, without the time for the user's answer.
    """
    began = time.monotonic()
    by_duckdb = is_for_duckdb(data, engine)
    with watching(progress) as watcher:
        watcher.stage(f"reading {data.data or data.rules or ''}")
        source = open_query_source(data, engine, watcher) if by_duckdb else open_source(data)
    seconds = time.monotonic() - began
    # The user may be asked for the label here, so no display may be on the terminal.
    from_stdin = str(data.data) == "-"
    return training_rows(source, columns, from_stdin, relabel), seconds


@contextmanager
def searching(
    rows: Rows, seconds: float, progress: bool | None, unwritten: Unwritten | None = None
) -> Iterator[Watcher]:
    """Show the search while the context lasts; afterwards print notes and warnings.

    Time limits count the ``seconds`` that it took to read the rows.
    """
    begun = counting_from(time.monotonic() - seconds)
    with warnings_as_notes(unwritten), begun, watching(progress) as watcher:
        if not rows.source.in_memory:
            rows.table.watch(watcher.reading)
        watcher.stage(f"mining antecedents in {rows.table.n_rows:,} rows")
        yield watcher
    tell_notes(rows.table)


@contextmanager
def warnings_as_notes(unwritten: Unwritten | None = None) -> Iterator[None]:
    """Print warnings as notes, but not `UncertifiedWarning`: the result says that itself.

    ``unwritten`` remembers whether a file could not be written.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        if unwritten is not None and issubclass(warning.category, UnwrittenWarning):
            unwritten.any = True
        if not issubclass(warning.category, UncertifiedWarning):
            note(str(warning.message))


def tell_result(
    model: FittedModel,
    output: OutputOptions,
    about: Mapping[str, Any],
    facts: Mapping[str, str] | None = None,
    more: Sequence[str] = (),
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
    more : sequence of str
        Lines for people, below.
    unwritten : Unwritten, optional
        Where something could not be written already.
    **files
        What else was written, by what it is; None where it was not.
    """
    # Paths of the proof and the checkpoint are not part of the model.
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
        sys.stdout.write("".join(f"{line}\n" for line in ("", *more)) if more else "")
    exit_by(model.status_, unwritten)


def _save(model: FittedModel, output: OutputOptions) -> None:
    assert output.output is not None
    claim(output.force, output.output)
    model.save(output.output)


def exit_by(status: str, unwritten: Unwritten | None = None) -> None:
    """End with the exit code that says whether a result is certified, and was written."""
    if unwritten is not None and unwritten.any:
        raise typer.Exit(exit_codes.NOT_WRITTEN)
    if status != "optimal":
        raise typer.Exit(exit_codes.NOT_CERTIFIED)
