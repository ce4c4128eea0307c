"""``surelist demo``: the main job on embedded data."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from surelist.cli.options import JsonOptions, with_flag_groups
from surelist.cli.printing import note, print_json
from surelist.cli.progress_display import watching
from surelist.cli.results import document_of
from surelist.cli.searching import exit_by
from surelist.cli.writing import claim, write_text

__all__ = ["demo"]


@with_flag_groups
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
    from surelist.web.examples import EXAMPLES, example_csv

    write_text(path, example_csv("breast-cancer"), force)
    about = EXAMPLES["breast-cancer"]
    if as_json:
        print_json({"output": str(path), "rows": about["rows"], "label": about["label"]})
    else:
        note(f"{path} written: {about['rows']} rows, label {about['label']}")
