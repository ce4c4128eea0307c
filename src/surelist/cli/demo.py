"""``surelist demo``: the main job on embedded data."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from surelist._common.text_tables import csv_table
from surelist.cli.live import watching
from surelist.cli.options import JsonOptions, grouped
from surelist.cli.printing import note, print_json
from surelist.cli.results import document_of
from surelist.cli.searching import exit_by
from surelist.cli.writing import claim, write_text

__all__ = ["demo"]


@grouped
def demo(
    *,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="FILE",
            help="Write the raw data to a CSV file instead, to try the other commands on.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", "-f", help="Replace a file that exists already.")
    ] = False,
    output: JsonOptions,
) -> None:
    """Learn, prove and explain on data that needs no file."""
    if data is not None:
        _write_data(data, force, output.json)
        return
    with watching(None) as watcher:
        watcher.stage("loading the program")
        from surelist.demo import Demonstration

        demonstration = Demonstration.run(watcher.progress)
    model = demonstration.model
    if output.json:
        print_json(document_of(model))
    else:
        sys.stdout.write(demonstration.report() + "\n")
    exit_by(model.status_)


def _write_data(path: Path, force: bool, as_json: bool) -> None:
    claim(force, path)
    from sklearn.datasets import load_breast_cancer

    source = load_breast_cancer()
    titles = [*source.feature_names.tolist(), "diagnosis"]
    labels = source.target_names[source.target].tolist()
    rows = ([*row, label] for row, label in zip(source.data.tolist(), labels, strict=True))
    write_text(path, csv_table(titles, rows), force)
    if as_json:
        print_json({"output": str(path), "rows": len(labels), "label": "diagnosis"})
    else:
        note(f"{path} written: {len(labels)} rows, label diagnosis")
