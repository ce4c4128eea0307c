"""Pictures of a regularization path, with matplotlib, which is loaded only here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from surelist.errors import InputError, SurelistError

if TYPE_CHECKING:
    from surelist.loss_by_length import LossByLength
    from surelist.path_result import PathSegment, RegularizationPath

__all__ = ["plot_loss_by_length", "plot_path"]

_PROVEN = "#1b6ca8"
_OPEN = "#d1722b"
_FLOOR = "#8a8a8a"
_POINTS = 200  # between the ends of a segment, for curves that are straight only on a linear axis


def _new_axes(rows: int) -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise SurelistError(
            "plots need matplotlib; install it with: pip install 'surelist[plot]'"
        ) from None
    _, axes = plt.subplots(
        rows, 1, sharex=True, figsize=(7, 2.2 + 1.8 * rows), layout="constrained"
    )
    return axes


def plot_path(path: RegularizationPath, axes: Any = None) -> Any:
    """Draw objective and length against λ; see `RegularizationPath.plot`."""
    pair = np.asarray(_new_axes(2) if axes is None else axes, dtype=object)
    if pair.shape != (2,):
        raise InputError("axes must be two Axes: one for the objective, one for the length")
    above, below = pair
    for segment in path:
        _draw_segment(path, segment, above, below)
    for at in path.breakpoints:
        for ax in pair:
            ax.axvline(float(at), color="0.85", linewidth=0.8, zorder=0)
    if path.smallest > 0:
        below.set_xscale("log")
        above.set_xscale("log")
    above.set_ylabel("objective")
    above.set_ylim(bottom=0)
    below.set_ylabel("length")
    below.set_ylim(-0.3, max(segment.length for segment in path) + 0.5)
    _whole_numbers(below.yaxis)
    below.set_xlabel("regularization λ")
    above.set_title("Optimal rule list for each λ" if path.certified else "Best known rule lists")
    _legend(above)
    return pair


def _draw_segment(path: RegularizationPath, segment: PathSegment, above: Any, below: Any) -> None:
    start, stop = float(segment.start), float(segment.stop)
    at = np.linspace(start, stop, _POINTS)
    objective = float(segment.loss) + segment.length * at
    color = _PROVEN if segment.certified else _OPEN
    style = "-" if segment.certified else "--"
    label = "optimal, proven" if segment.certified else "best known"
    above.plot(at, objective, style, color=color, label=label)
    below.plot([start, stop], [segment.length] * 2, style, color=color, linewidth=3)
    if not segment.certified:
        known = [(float(x), float(value)) for x, value in path.lower_bounds]
        floor = np.interp(at, [x for x, _ in known], [value for _, value in known])
        above.fill_between(
            at, floor, objective, color=_OPEN, alpha=0.2, linewidth=0, label="not yet excluded"
        )


def plot_loss_by_length(table: LossByLength, ax: Any = None) -> Any:
    """Draw the least loss of each length; see `LossByLength.plot`."""
    ax = _new_axes(1) if ax is None else ax
    lengths = [row.length for row in table]
    losses = [float(row.loss) for row in table]
    ax.step(lengths, losses, where="post", color=_FLOOR, linewidth=0.8, zorder=1)
    for certified, color, label in (
        (True, _PROVEN, "least loss, proven"),
        (False, _OPEN, "best known, and what is not yet excluded"),
    ):
        rows = [row for row in table if row.certified == certified]
        if not rows:
            continue
        gaps = [[float(row.gap) for row in rows], [0.0] * len(rows)]
        ax.errorbar(
            [row.length for row in rows],
            [float(row.loss) for row in rows],
            yerr=None if certified else gaps,
            fmt="o",
            capsize=4,
            color=color,
            label=label,
        )
    ax.set_xlabel("rules, at most")
    ax.set_ylabel("loss")
    ax.set_ylim(bottom=0)
    _whole_numbers(ax.xaxis)
    ax.set_title("Least loss for each length")
    _legend(ax)
    return ax


def _whole_numbers(axis: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))


def _legend(ax: Any) -> None:
    """Name each kind of line once."""
    handles, labels = ax.get_legend_handles_labels()
    named = dict(zip(labels, handles, strict=True))
    ax.legend(named.values(), named.keys(), frameon=False)
