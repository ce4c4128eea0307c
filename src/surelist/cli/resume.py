"""``surelist resume``: go on with a search from its checkpoint."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surelist.cli import exits
from surelist.cli.live import watching
from surelist.cli.model import memory_size, warnings_as_notes
from surelist.cli.options import LimitOptions, OutputOptions, takes
from surelist.cli.printing import print_facts, print_json, print_lines
from surelist.cli.results import document_of, facts_of
from surelist.cli.writing import claim

if TYPE_CHECKING:
    from surelist.classifier import RuleListClassifier

__all__ = ["register"]


def register(application: typer.Typer) -> None:
    """Add the command."""
    application.command("resume")(resume)


@takes(limits=LimitOptions, output=OutputOptions)
def resume(
    *,
    checkpoint: Annotated[
        Path,
        typer.Argument(
            metavar="CHECKPOINT", help="What surelist fit --checkpoint wrote.", show_default=False
        ),
    ],
    limits: LimitOptions,
    n_jobs: Annotated[
        int | None,
        typer.Option(
            "--n-jobs",
            "-j",
            metavar="N",
            help="Threads; -1 is one for each processor. [default: as before]",
            show_default=False,
        ),
    ] = None,
    checkpoint_interval: Annotated[
        float | None,
        typer.Option(
            "--checkpoint-interval",
            metavar="SECONDS",
            help="Time between checkpoints. [default: as before]",
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
    """Go on with a search from its checkpoint, to the result that it would have come to.

    The data is not needed. Limits are as before unless they are given again; time counts from
    here. Further checkpoints go to the same file.
    """
    claim(output.force, output.output)
    changes: dict[str, Any] = {
        "time_limit": limits.time_limit,
        "memory_limit": memory_size(limits.memory_limit),
        "max_prefixes": limits.max_prefixes,
        "n_jobs": n_jobs,
        "checkpoint_interval": checkpoint_interval,
    }
    given = {name: value for name, value in changes.items() if value is not None}
    with warnings_as_notes(), watching(progress) as watcher:
        watcher.stage(f"reading {checkpoint}")
        model = _resumed(checkpoint, given | {"progress": watcher.progress})
    if output.output is not None:
        claim(output.force, output.output)
        # Where proof and checkpoint went says nothing about the model.
        model.set_params(certificate=False, checkpoint=None).save(output.output)
    _report(model, checkpoint, output)
    if model.status_ != "optimal":
        raise typer.Exit(exits.NOT_CERTIFIED)


def _resumed(checkpoint: Path, changes: dict[str, Any]) -> RuleListClassifier:
    import numpy as np

    from surelist.resume import resume as resume_search

    model = resume_search(checkpoint, **changes)
    # As after surelist fit: the columns of files have names.
    names = model.rule_list_.columns or model.rule_list_.feature_names
    model.feature_names_in_ = np.array(names, dtype=object)
    return model


def _report(model: RuleListClassifier, checkpoint: Path, output: OutputOptions) -> None:
    path = None if output.output is None else str(output.output)
    if output.json:
        print_json(document_of(model, {"checkpoint": str(checkpoint), "model": path}))
        return
    print_lines(model.rule_list_.lines())
    sys.stdout.write("\n")
    print_facts(facts_of(model) | ({} if path is None else {"model": path}))
