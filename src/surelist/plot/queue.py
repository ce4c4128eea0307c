"""How many prefixes were in the queue, by length, over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surelist.plot import look
from surelist.plot.sources import find_samples
from surelist.plot.text import legend_above, points
from surelist.plot.trace import log_times, scale_time, seconds, time_range
from surelist.search.trace import Trace

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_queue"]


def plot_queue(
    source: Any,
    ax: Axes | None = None,
    *,
    physical: bool = False,
    beside: Any = None,
    longest: int | None = None,
) -> Axes:
    """Draw how many prefixes of each length were in the queue, over time.

    The shaded area is their sum. The dashed line marks the end of the search, with its time.

    Parameters
    ----------
    source : fitted RuleListClassifier or Trace
        Fitted with ``trace_interval``.
    ax : matplotlib Axes, optional
        Where to draw; None makes a new figure.
    physical : bool, default=False
        Whether to count prefixes, too, that a better one has replaced and that are still to be
        removed.
    beside : fitted RuleListClassifier or Trace, optional
        Another search, whose sum is shaded instead, to compare with.
    longest : int, optional
        For one of several pictures: the length that the last colour stands for. Pictures with the
        same value use the same colour for a length, and have no legend.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InputError
        Where the trace has no samples.

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> from surelist.datasets import load_tic_tac_toe
    >>> from surelist.plot import plot_queue
    >>> boards = load_tic_tac_toe()
    >>> model = RuleListClassifier(0.02, max_clauses=1, trace_interval=0.01).fit(boards.X, boards.y)
    >>> plot_queue(model).get_ylabel()
    'prefixes in the queue'
    """
    trace = find_samples(source)
    shaded = trace if beside is None else find_samples(beside)
    (panel,) = look.axes_for(ax)
    by_length, sums = _queue(trace, physical), _queue(shaded, physical).sum(axis=1)
    panel.set_yscale("log")
    scale_time(panel, *_time_range([trace, shaded], physical))
    panel.set_ylim(0.8, 3 * max(4, int(by_length.sum(axis=1).max()), int(sums.max())))
    look.tidy(panel)
    _shade(panel, shaded, sums)
    lengths = np.flatnonzero(by_length.max(axis=0))
    handles = _draw_lengths(panel, log_times(trace), by_length, lengths, longest)
    if handles and longest is None:
        legend_above(panel, handles, [f"length {lengths[0]}", *map(str, lengths[1:])])
    _mark_end(panel, trace)
    panel.set_xlabel("time (s)")
    panel.set_ylabel("prefixes in the queue")
    return panel


def _queue(trace: Trace, physical: bool) -> NDArray[np.int64]:
    return trace.queue_physical if physical else trace.queue_logical


def _time_range(traces: list[Trace], physical: bool) -> tuple[float, float]:
    """Begin shortly before the empty prefix is expanded: until then the queue holds only that."""
    first, last = time_range(traces)
    grown = [np.flatnonzero(_queue(trace, physical)[:, 1:].any(axis=1)) for trace in traces]
    times = [
        float(log_times(trace)[at[0]]) for trace, at in zip(traces, grown, strict=True) if len(at)
    ]
    return min(max(first, 0.7 * min(times, default=first)), last / 12), last


def _shade(ax: Axes, trace: Trace, sums: NDArray[np.int64]) -> None:
    grey = look.blend(look.background(ax), ax.xaxis.label.get_color(), 0.14)
    # A log axis has no zero: draw it below the axis.
    heights = np.where(sums > 0, sums, 0.1)
    ax.fill_between(log_times(trace), 0.1, heights, step="post", color=grey, lw=0, zorder=0.5)


def _draw_lengths(
    ax: Axes,
    times: NDArray[np.float64],
    by_length: NDArray[np.int64],
    lengths: NDArray[np.intp],
    longest: int | None,
) -> list[Any]:
    """Draw a line for each length, with holes where there is none: a log axis has no zero."""
    places = np.arange(len(lengths)) if longest is None else lengths
    colors = look.ordered_colors(ax, len(lengths) if longest is None else longest + 1)
    handles = []
    for length, place in zip(lengths, places, strict=True):
        color = colors[place]
        counts = np.where(by_length[:, length] > 0, by_length[:, length], np.nan)
        dashes = "--" if place % 2 else "-"
        label = f"length {length}"
        handles += ax.step(times, counts, where="post", color=color, ls=dashes, label=label)
        if np.isfinite(counts).sum() == 1:
            # A single sample is no line: draw a marker.
            ax.plot(times, counts, ".", color=color)
    return handles


def _mark_end(ax: Axes, trace: Trace) -> None:
    end = float(log_times(trace)[-1])
    ax.axvline(end, color=ax.xaxis.label.get_color(), linestyle="--", linewidth=0.8)
    ax.annotate(
        seconds(float(trace.time[-1])),
        (end, 1),
        xycoords=("data", "axes fraction"),
        xytext=(-0.3 * points(), -0.2 * points()),
        textcoords="offset points",
        ha="right",
        va="top",
        fontsize=0.9 * points(),
    )
