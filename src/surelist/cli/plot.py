"""``surelist plot``: pictures of a model and of the search that found it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from surelist.cli.apply_model import SavedModel, read_model
from surelist.cli.options import OutputOptions, with_flag_groups
from surelist.cli.plot_rows import draw_rates, draw_sparsity
from surelist.cli.printing import note, print_json
from surelist.cli.writing import claim, write_bytes
from surelist.errors import InputError

__all__ = ["Kind", "check_picture", "plot", "save_picture", "use_files_only"]

_FORMATS = (".png", ".pdf", ".svg")


class Kind(StrEnum):
    """What to draw."""

    TRACE = "trace"
    QUEUE = "queue"
    PRUNES = "prunes"
    RULES = "rules"
    CONFUSION = "confusion"
    SPARSITY = "sparsity"
    RATES = "rates"


@with_flag_groups
def plot(
    *,
    models: Annotated[
        list[Path],
        typer.Argument(
            metavar="MODEL...",
            help="A model that surelist fit wrote; several for sparsity and rates.",
            show_default=False,
        ),
    ],
    kind: Annotated[
        Kind,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="trace: objective and lower bound over time; queue: its prefixes by length; "
            "prunes: what each bound pruned; rules: the rule list to be read; "
            "confusion: what each rule captured, by class; "
            "sparsity: accuracy on DATA against length, with bars over the models of one λ; "
            "rates: true and false positive rates on DATA by group.",
        ),
    ] = Kind.TRACE,
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="DATA", help="Rows to try the models on."),
    ] = None,
    label: Annotated[
        str | None,
        typer.Option("--label", "-l", metavar="COLUMN", help="The true labels in DATA."),
    ] = None,
    group: Annotated[
        str | None,
        typer.Option("--group", metavar="COLUMN", help="The group of each row in DATA."),
    ] = None,
    positive: Annotated[
        str | None,
        typer.Option(
            "--positive", metavar="CLASS", help="The class whose rates are drawn. [default: 1]"
        ),
    ] = None,
    output: OutputOptions,
) -> None:
    """Draw the search, the rule list, or how models do on data, as PNG, PDF or SVG."""
    check_picture(output.output)
    claim(output.force, output.output, inputs=[*models, data])
    use_files_only()
    several = [read_model(path) for path in models]
    if kind is Kind.SPARSITY:
        axes = draw_sparsity(several, data, label)
    elif kind is Kind.RATES:
        axes = draw_rates(several, data, label, group, positive)
    elif len(several) > 1:
        raise InputError(f"--kind {kind.value} is about one model; {len(several)} are given")
    else:
        axes = _drawn(several[0], kind)
    save_picture(axes, output.output, output.force)
    if output.json:
        names = (
            {"model": str(models[0])} if len(models) == 1 else {"models": list(map(str, models))}
        )
        print_json({**names, "kind": kind.value, "output": str(output.output)})
    else:
        note(f"{output.output} written")


def check_picture(path: Path | None) -> None:
    """Refuse a picture without a name, or of a format that is not known."""
    if path is None:
        raise InputError("where should the picture go? Name a file by --output, such as trace.png")
    if path.suffix.lower() not in _FORMATS:
        raise InputError(f"{path}: its name must end in {', '.join(_FORMATS)}")


def _drawn(model: SavedModel, kind: Kind) -> Any:
    from surelist import plot as pictures

    if kind is Kind.RULES:
        return pictures.plot_rule_list(model.rule_list)
    if kind is Kind.CONFUSION:
        return pictures.plot_confusion_by_rule(model.rule_list)
    drawn_by: dict[Kind, Callable[[Any], Any]] = {
        Kind.TRACE: pictures.plot_trace,
        Kind.QUEUE: pictures.plot_queue,
        Kind.PRUNES: pictures.plot_prunes,
    }
    return drawn_by[kind](model.model.trace_)


def use_files_only() -> None:
    """Have matplotlib draw into files: there may be no screen."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise InputError("plots need matplotlib: pip install 'surelist[plot]'") from None
    mpl.use("agg")


def save_picture(axes: Any, path: Path | None, force: bool) -> None:
    """Write the figure that some axes are part of."""
    from surelist.plot.look import picture_bytes

    assert path is not None
    write_bytes(path, picture_bytes(axes, path.suffix[1:].lower(), dpi=150), force)
