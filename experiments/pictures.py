"""Figures made of several of `surelist.plot`'s pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from experiments.searches import Outcome
from surelist.plot import plot_queue, plot_trace, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["panels", "queues", "seconds", "traces"]


@contextmanager
def panels(
    rows: int, columns: int, width: float = 3.2, height: float = 2.6, **options: Any
) -> Iterator[tuple[Figure, Any]]:
    """Make a figure of several panels in the common style."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    # No figure is shown, and none must need a display.
    mpl.use("Agg")
    with style("light", "page"):
        size = (width * columns, height * rows)
        figure, axes = plt.subplots(
            rows, columns, figsize=size, squeeze=False, layout="constrained", **options
        )
        yield figure, axes


def seconds(value: float) -> str:
    """Write a time.

    Examples
    --------
    >>> seconds(0.0123), seconds(75.2)
    ('12 ms', '75.2 s')
    """
    return f"{1000 * value:.0f} ms" if value < 1 else f"{value:.3g} s"


def traces(columns: Sequence[tuple[str, Mapping[str, Outcome]]]) -> Figure:
    """Draw objective, lower bound and remaining space; searches of a column over each other."""
    with panels(2, len(columns), width=3.8) as (figure, axes):
        for index, (_, outcomes) in enumerate(columns):
            source: Any = {name: outcome.trace for name, outcome in outcomes.items()}
            if len(source) == 1:
                (source,) = source.values()
            plot_trace(source, ax=axes[:, index])
        _name(figure, axes[0], [title for title, _ in columns])
    return figure


def _name(figure: Figure, axes: Sequence[Any], titles: Sequence[str]) -> None:
    """Put titles above the legends that stand above the panels.

    How high that is depends on the layout, and the layout on the titles, so it takes two rounds.
    """
    for _ in range(2):
        figure.canvas.draw()
        for ax, title in zip(axes, titles, strict=True):
            legend, box = ax.get_legend(), ax.get_window_extent()
            top = 1.0
            if legend is not None:
                top = max(1.0, (legend.get_window_extent().y1 - box.y0) / box.height)
            ax.set_title(title, y=top + 0.01, fontweight="bold", fontsize="medium")


def queues(
    outcomes: Mapping[str, Outcome], columns: int = 3, *, compare: bool = True, height: float = 2.6
) -> Figure:
    """Draw the queue of each search; the shade is the first one's, to compare with."""
    first = next(iter(outcomes.values()))
    rows = -(-len(outcomes) // columns)
    longest = max(outcome.trace.queue_logical.shape[1] - 1 for outcome in outcomes.values())
    with panels(rows, columns, width=3.6, height=height) as (figure, axes):
        for ax in axes.flat[len(outcomes) :]:
            ax.set_axis_off()
        for ax, (name, outcome) in zip(axes.flat, outcomes.items(), strict=False):
            beside = first.trace if compare and outcome is not first else None
            plot_queue(outcome.trace, ax=ax, beside=beside, longest=longest)
            title = name if outcome.is_optimal else f"{name}, not ended"
            ax.set_title(title, fontweight="bold", fontsize="medium", loc="left")
        lines = {line.get_label(): line for ax in axes.flat for line in ax.get_lines()}
        lengths = [label for n in range(longest + 1) if (label := f"length {n}") in lines]
        texts = [lengths[0], *(label.removeprefix("length ") for label in lengths[1:])]
        handles = [lines[label] for label in lengths]
        per_line = min(len(texts), 4 * columns)
        figure.legend(handles, texts, loc="outside lower center", ncols=per_line, frameon=False)
    return figure
