"""Pictures of a regularization path, and of the least loss of each length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import shown
from surelist.errors import InputError
from surelist.plot import look
from surelist.plot.text import legend_above, points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from surelist.estimators.path.loss_by_length import LossByLength
    from surelist.estimators.path.result import PathSegment, RegularizationPath

__all__ = ["plot_loss_by_length", "plot_path"]

_POINTS = 200  # between the ends of a segment, for curves that are straight only on a linear axis

# Of what is proven and of what is not: colour, dashes.
_PROVEN, _OPEN = (0, "-"), (1, "--")


def plot_path(path: RegularizationPath, ax: Any = None) -> NDArray[Any]:
    """Draw the objective of the optimal rule list against λ, and below it the length.

    Lines are dashed, and what is not yet excluded is shaded, where the path is not certified.

    Parameters
    ----------
    path : RegularizationPath
    ax : pair of matplotlib Axes, optional
        Where to draw; None makes a new figure.

    Returns
    -------
    ndarray of two matplotlib Axes

    Examples
    --------
    >>> from surelist import regularization_path
    >>> from surelist.datasets import load_tic_tac_toe
    >>> from surelist.plot import plot_path
    >>> boards = load_tic_tac_toe()
    >>> path = regularization_path(boards.X, boards.y, smallest=0.02, max_clauses=1)
    >>> above, below = plot_path(path)
    >>> below.get_ylabel()
    'length'
    """
    if not hasattr(path, "lower_bounds") or not hasattr(path, "segments"):
        raise InputError(f"a RegularizationPath is needed; got {shown(path)}")
    above, below = look.axes_for(ax, rows=2)
    for panel in (above, below):
        look.tidy(panel)
        for at in path.breakpoints:
            panel.axvline(float(at), color=_grid_color(), linewidth=0.06 * points(), zorder=0)
    for segment in path:
        _draw_segment(path, segment, above, below)
    if path.smallest > 0:
        look.log_decimals(above)
        look.log_decimals(below)
        above.tick_params(labelbottom=ax is not None)
    above.set_ylabel("objective")
    above.set_ylim(bottom=0)
    below.set_ylabel("length")
    below.set_ylim(-0.3, max(segment.length for segment in path) + 0.5)
    _whole_numbers(below.yaxis)
    below.set_xlabel("regularization λ")
    _name_lines(above, grow=ax is None)
    return np.array([above, below], dtype=object)


def _grid_color() -> Any:
    return look.settings()["grid.color"]


def _draw_segment(path: RegularizationPath, segment: PathSegment, above: Axes, below: Axes) -> None:
    start, stop = float(segment.start), float(segment.stop)
    at = np.linspace(start, stop, _POINTS)
    objective = float(segment.loss) + float(segment.cost) * at
    index, dashes = _PROVEN if segment.certified else _OPEN
    color = look.color(above, index)
    label = "optimal, proven" if segment.certified else "best known"
    above.plot(at, objective, dashes, color=color, label=label)
    thick: dict[str, Any] = {"color": color, "linewidth": 0.3 * points(), "solid_capstyle": "butt"}
    below.plot([start, stop], [segment.length] * 2, dashes, **thick)
    if not segment.certified:
        known = [(float(x), float(value)) for x, value in path.lower_bounds]
        floor = np.interp(at, [x for x, _ in known], [value for _, value in known])
        shade = look.blend(look.background(above), color, 0.25)
        options: dict[str, Any] = {"linewidth": 0, "label": "not yet excluded", "zorder": 0.5}
        above.fill_between(at, floor, objective, color=shade, **options)


def plot_loss_by_length(table: LossByLength, ax: Axes | None = None) -> Axes:
    """Draw the least loss of any rule list of at most so many rules.

    Parameters
    ----------
    table : LossByLength
        From `RegularizationPath.best_loss_by_length`.
    ax : matplotlib Axes, optional
        Where to draw; None makes a new figure.

    Returns
    -------
    matplotlib Axes
    """
    if not hasattr(table, "rows"):
        raise InputError(f"a LossByLength is needed; got {shown(table)}")
    (panel,) = look.axes_for(ax)
    look.tidy(panel, grid="y")
    lengths = [row.length for row in table]
    losses = [float(row.loss) for row in table]
    panel.step(lengths, losses, where="post", color=_grid_color(), zorder=1)
    for certified, label in (
        (True, "least loss, proven"),
        (False, "best known, and what is not yet excluded"),
    ):
        rows = [row for row in table if row.certified == certified]
        if not rows:
            continue
        index = (_PROVEN if certified else _OPEN)[0]
        gaps = [[float(row.gap) for row in rows], [0.0] * len(rows)]
        panel.errorbar(
            [row.length for row in rows],
            [float(row.loss) for row in rows],
            yerr=None if certified else gaps,
            linestyle="",
            marker=look.marker(index),
            markersize=0.6 * points(),
            capsize=0.3 * points(),
            color=look.color(panel, index),
            label=label,
        )
    panel.set_xlabel("rules, at most")
    panel.set_ylabel("loss")
    panel.set_ylim(bottom=0)
    _whole_numbers(panel.xaxis)
    _name_lines(panel, grow=ax is None)
    return panel


def _name_lines(ax: Axes, *, grow: bool) -> None:
    """Name each kind of line once."""
    handles, labels = ax.get_legend_handles_labels()
    named = dict(zip(labels, handles, strict=True))
    legend_above(ax, list(named.values()), list(named), grow=grow)


def _whole_numbers(axis: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))
