"""The course of a search: how objective and lower bound met, and what remained to be searched."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surelist.plot import look
from surelist.plot.sources import named_samples
from surelist.plot.text import legend_above, points
from surelist.search.trace import Trace

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["log_times", "plot_trace", "scale_time", "seconds", "time_range"]


def plot_trace(source: Any, ax: Any = None) -> NDArray[Any]:
    """Draw how objective and lower bound met, and below it how the search space shrank.

    Dots mark where a better rule list was found; where its length changed, the number beside the
    dot is the new length. A star marks when the optimum was found. If the search ended without a
    proof, there is no star, and the distance between the lines is the gap. The lower panel has
    log10 of the upper bound on the prefixes that remain to be evaluated.

    Parameters
    ----------
    source : fitted RuleListClassifier, Trace, or mapping of names to these
        Fitted with ``trace_interval``. Several are drawn over each other.
    ax : pair of matplotlib Axes, optional
        Where to draw; None makes a new figure.

    Returns
    -------
    ndarray of two matplotlib Axes

    Raises
    ------
    InputError
        Where a trace has no samples.

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> from surelist.datasets import load_tic_tac_toe
    >>> from surelist.plot import plot_trace
    >>> boards = load_tic_tac_toe()
    >>> model = RuleListClassifier(0.02, max_clauses=1, trace_interval=0.01).fit(boards.X, boards.y)
    >>> above, below = plot_trace(model)
    >>> above.get_ylabel(), below.get_xlabel()
    ('objective', 'time (s)')
    """
    traces = named_samples(source)
    above, below = look.axes_for(ax, rows=2, height=_height())
    first, last = time_range(traces.values())
    lowest = min(float(trace.lower_bound.min()) for trace in traces.values())
    highest = max(float(trace.objective.max()) for trace in traces.values())
    margin = 0.12 * (highest - lowest or highest or 1.0)
    for panel in (above, below):
        scale_time(panel, first, last)
    above.set_ylim(lowest - margin, highest + 1.5 * margin)
    look.tidy(above, grid="y")
    look.tidy(below, grid="y")
    taken: list[NDArray[np.float64]] = []
    for index, trace in enumerate(traces.values()):
        _draw_objective(above, trace, index, taken, alone=len(traces) == 1)
        _draw_remaining(below, trace, index)
    if not any(np.isfinite(trace.remaining_fine).any() for trace in traces.values()):
        _say_nothing_is_counted(below)
    below.set_ylim(bottom=0)
    above.set_ylabel("objective")
    below.set_ylabel("log₁₀ of the\nremaining space")
    below.set_xlabel("time (s)")
    above.tick_params(labelbottom=False)
    _name_lines(above, traces, grow=ax is None)
    return np.array([above, below], dtype=object)


def _say_nothing_is_counted(ax: Axes) -> None:
    """Say why a panel is empty: a search over all cuts knows no such bound."""
    words = "not counted in a search over all cuts"
    ax.text(0.5, 0.5, words, transform=ax.transAxes, ha="center", va="center")
    ax.set_yticks([])


def _height() -> float:
    return 1.15 * float(look.settings()["figure.figsize"][1])


def log_times(trace: Trace) -> NDArray[np.float64]:
    """Return the times of the samples for a log axis, which has no zero."""
    times = trace.time
    positive = times[times > 0]
    return np.maximum(times, positive.min() if len(positive) else 1e-6)


def time_range(traces: Iterable[Trace]) -> tuple[float, float]:
    """Return where a log axis of time begins and ends.

    The first sample is taken before anything has happened, a fraction of a microsecond after the
    start; the axis begins with the second, so that most of it is not empty.
    """
    times = [log_times(trace) for trace in traces]
    first = min(float(each[min(1, len(each) - 1)]) for each in times)
    last = max(float(each[-1]) for each in times)
    first, last = first / 2, 1.3 * last
    # At least a decade, so that there are ticks to read.
    return min(first, last / 12), last


def scale_time(ax: Axes, first: float, last: float) -> None:
    """Make the time axis logarithmic, with numbers at decades only, for lack of room."""
    from matplotlib.ticker import NullFormatter

    ax.set_xscale("log")
    ax.set_xlim(first, last)
    ax.xaxis.set_minor_formatter(NullFormatter())


def seconds(value: float) -> str:
    """Return a time as a short text.

    Examples
    --------
    >>> from surelist.plot.trace import seconds
    >>> seconds(1.4e-5), seconds(0.00123), seconds(21.04), seconds(741)
    ('14 µs', '1.2 ms', '21 s', '741 s')
    """
    if value < 0.001:
        return f"{value * 1e6:.2g} µs"
    if value < 0.1:
        return f"{value * 1000:.2g} ms"
    return f"{value:.2g} s" if value < 100 else f"{value:,.0f} s"


def _draw_objective(
    ax: Axes, trace: Trace, index: int, taken: list[NDArray[np.float64]], *, alone: bool
) -> None:
    times, color = log_times(trace), look.color(ax, index)
    if alone:
        # Several shaded gaps would cover each other.
        shade = look.blend(look.background(ax), color, 0.15)
        between = (trace.lower_bound, trace.objective)
        ax.fill_between(times, *between, step="post", color=shade, linewidth=0, zorder=0.5)
    ax.step(times, trace.objective, where="post", color=color, label="objective")
    ax.step(times, trace.lower_bound, where="post", color=color, ls="--", label="lower bound")
    found = np.flatnonzero(trace.improved)
    labelled = _label_lengths(ax, trace, found, color, taken)
    marked = found if alone else np.array(labelled, dtype=np.intp)
    mark: dict[str, Any] = {"marker": look.marker(index), "markersize": 0.4 * points()}
    ax.plot(times[marked], trace.objective[marked], ls="", color=color, zorder=3, **mark)
    if _is_optimal(trace):
        at = found[-1] if len(found) else int(np.argmin(trace.objective))
        star: dict[str, Any] = {"marker": "*", "markersize": 1.4 * points(), "clip_on": False}
        edge = look.background(ax)
        ax.plot(times[at], trace.objective[at], ls="", c=color, mec=edge, zorder=4, **star)


def _is_optimal(trace: Trace) -> bool:
    # Both are the same integer on the same scale exactly when the list is proven optimal.
    return bool(trace.objective[-1] == trace.lower_bound[-1])


def _label_lengths(
    ax: Axes,
    trace: Trace,
    found: NDArray[np.intp],
    color: str,
    taken: list[NDArray[np.float64]],
) -> list[int]:
    """Write the new length beside each improvement that changed it, from the last to the first.

    A label that would touch one whose place is taken is left out. Returns which were written.
    """
    size = 0.9 * points()
    times = log_times(trace)
    figure = look.figure_of(ax)
    written: list[int] = []
    for at in (int(at) for at in reversed(found)):
        if at > 0 and trace.length[at] == trace.length[at - 1]:
            continue
        point = float(times[at]), float(trace.objective[at])
        place = ax.transData.transform(point) * 72 / figure.dpi
        if any(np.abs(place - other).max() < 1.3 * size for other in taken):
            continue
        taken.append(place)
        written.append(at)
        offset = (0.2 * size, 0.75 * size)
        label = ax.annotate(str(trace.length[at]), point, offset, textcoords="offset points")
        label.set(fontsize=size, color=color)
    return written


def _draw_remaining(ax: Axes, trace: Trace, index: int) -> None:
    times, color = log_times(trace), look.color(ax, index)
    remaining = np.where(np.isfinite(trace.remaining_fine), trace.remaining_fine, np.nan)
    ax.step(times, remaining, where="post", color=color, label="remaining")
    finite = np.flatnonzero(np.isfinite(remaining))
    if len(finite) and finite[-1] + 1 < len(times):
        # Zero has no logarithm: the line leaves the axis.
        at = finite[-1]
        end = float(times[at + 1])
        ax.plot([end, end], [remaining[at], 0], color=color, zorder=1.9)
        ax.plot([times[at], end], [remaining[at]] * 2, color=color, zorder=1.9)


def _name_lines(ax: Axes, traces: dict[str, Trace], *, grow: bool) -> None:
    from matplotlib.lines import Line2D

    neutral = look.color(ax, 0) if len(traces) == 1 else ax.xaxis.label.get_color()
    star = 1.1 * points()
    handles = [Line2D([], [], color=neutral), Line2D([], [], color=neutral, linestyle="--")]
    labels = ["objective", "lower bound"]
    if any(map(_is_optimal, traces.values())):
        handles.append(Line2D([], [], color=neutral, marker="*", ls="", markersize=star))
        labels.append("optimum, proven")
    if len(traces) > 1:
        handles += [
            Line2D([], [], color=look.color(ax, index), marker=look.marker(index))
            for index in range(len(traces))
        ]
        labels += traces
    legend_above(ax, handles, labels, grow=grow)
