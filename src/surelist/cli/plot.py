"""``surelist plot``: pictures of a model and of the search that found it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from surelist.cli.options import OutputOptions, takes
from surelist.cli.printing import note, print_json
from surelist.cli.saved import ModelFile, SavedModel, read_model
from surelist.cli.writing import claim, write_bytes
from surelist.errors import InputError

__all__ = ["Kind", "check_picture", "register", "save_picture", "use_files_only"]

_FORMATS = (".png", ".pdf", ".svg")


class Kind(StrEnum):
    """What to draw."""

    TRACE = "trace"
    QUEUE = "queue"
    PRUNES = "prunes"
    RULES = "rules"
    CONFUSION = "confusion"


def register(application: typer.Typer) -> None:
    """Add the command."""
    application.command("plot")(plot)


@takes(output=OutputOptions)
def plot(
    *,
    model: ModelFile,
    kind: Annotated[
        Kind,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="trace: objective and lower bound over time; queue: what waited, by length; "
            "prunes: what each bound cut off; rules: the rule list to be read; "
            "confusion: what each rule captured, by class.",
        ),
    ] = Kind.TRACE,
    output: OutputOptions,
) -> None:
    """Draw the search or the rule list, as PNG, PDF or SVG."""
    check_picture(output.output)
    claim(output.force, output.output)
    save_picture(_drawn(read_model(model), kind), output.output, output.force)
    if output.json:
        print_json({"model": str(model), "kind": kind.value, "output": str(output.output)})
    else:
        note(f"{output.output} written")


def check_picture(path: Path | None) -> None:
    """Refuse a picture without a name, or of a format that is not known."""
    if path is None:
        raise InputError("where should the picture go? Name a file by --output, such as trace.png")
    if path.suffix.lower() not in _FORMATS:
        raise InputError(f"{path}: its name must end in {', '.join(_FORMATS)}")


def _drawn(model: SavedModel, kind: Kind) -> Any:
    use_files_only()
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
    return drawn_by[kind](model.attributes["trace_"])


def use_files_only() -> None:
    """Have matplotlib draw into files: there may be no screen."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise InputError("plots need matplotlib: pip install 'surelist[plot]'") from None
    mpl.use("agg")


def save_picture(axes: Any, path: Path | None, force: bool) -> None:
    """Write the figure that some axes are part of."""
    import io

    import matplotlib.pyplot as plt
    import numpy as np

    assert path is not None
    figure = np.ravel(np.asarray(axes, dtype=object))[0].figure
    data = io.BytesIO()
    # Without the date that some formats carry, so that equal data give equal files.
    metadata = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}}.get(path.suffix.lower())
    figure.savefig(data, format=path.suffix[1:].lower(), dpi=150, metadata=metadata)
    plt.close(figure)
    write_bytes(path, data.getvalue(), force)
