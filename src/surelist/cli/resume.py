"""``surelist resume``: continue a search from its checkpoint."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surelist.cli.options import LimitOptions, OutputOptions, ProgressFlag, with_flag_groups
from surelist.cli.progress_display import watching
from surelist.cli.run_flags import memory_size, work_amount
from surelist.cli.searching import tell_result, warnings_as_notes
from surelist.cli.writing import Unwritten, claim

if TYPE_CHECKING:
    from surelist.estimators.fitted_model import FittedModel

__all__ = ["resume"]


@with_flag_groups
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
    progress: ProgressFlag = None,
    output: OutputOptions,
) -> None:
    """Continue a search from its checkpoint, to the result it would have had.

    The data is not needed. Limits are as before unless they are given again; work and time count
    from here. Further checkpoints go to the same file.
    """
    claim(output.force, output.output, inputs=[checkpoint])
    changes: dict[str, Any] = {
        "time_limit": limits.time_limit,
        "max_prefixes": limits.max_prefixes,
        "n_jobs": n_jobs,
        "checkpoint_interval": checkpoint_interval,
    }
    given = {name: value for name, value in changes.items() if value is not None}
    if limits.work_limit is not None:
        given["work_limit"] = work_amount(limits.work_limit)
    if limits.memory_limit is not None:
        given["memory_limit"] = memory_size(limits.memory_limit)
    unwritten = Unwritten()
    with warnings_as_notes(unwritten), watching(progress) as watcher:
        watcher.stage(f"reading {checkpoint}")
        model = _resumed(checkpoint, given | {"progress": watcher.progress})
    tell_result(model, output, {"checkpoint": str(checkpoint)}, unwritten=unwritten)


def _resumed(checkpoint: Path, changes: dict[str, Any]) -> FittedModel:
    from surelist.estimators.resume import resume_model

    return resume_model(checkpoint, **changes)
