"""``surelist demo``: the main job on embedded data."""

from __future__ import annotations

import sys

import typer

from surelist.cli import exits
from surelist.cli.live import watching
from surelist.cli.options import JsonOptions, takes
from surelist.cli.printing import print_json
from surelist.cli.results import document_of

__all__ = ["register"]


def register(application: typer.Typer) -> None:
    """Add the command."""
    application.command("demo")(demo)


@takes(output=JsonOptions)
def demo(output: JsonOptions) -> None:
    """Learn, prove and explain on data that needs no file."""
    with watching(None) as watcher:
        watcher.stage("loading the program")
        from surelist.demo import Demonstration

        demonstration = Demonstration.run(watcher.progress)
    model = demonstration.model
    if output.json:
        print_json(document_of(model))
    else:
        sys.stdout.write(demonstration.report() + "\n")
    if model.status_ != "optimal":
        raise typer.Exit(exits.NOT_CERTIFIED)
