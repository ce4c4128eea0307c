"""How many prefixes each bound pruned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from surelist.plot import look
from surelist.plot.sources import find_trace
from surelist.plot.text import label_ticks, points, whole, width_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_prunes"]


def plot_prunes(source: Any, ax: Axes | None = None) -> Axes:
    """Draw a bar for each bound, and for the symmetry map: how many prefixes it pruned.

    A prefix is counted for the first bound that prunes it, so a bound that is tried late may appear
    weak. Bounds that pruned nothing are left out. The axis is logarithmic.

    Parameters
    ----------
    source : fitted RuleListClassifier or Trace
        No ``trace_interval`` is needed.
    ax : matplotlib Axes, optional
        Where to draw; None makes a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> from surelist.datasets import load_tic_tac_toe
    >>> from surelist.plot import plot_prunes
    >>> boards = load_tic_tac_toe()
    >>> plot_prunes(RuleListClassifier(0.02, max_clauses=1).fit(boards.X, boards.y)).get_xlabel()
    'prefixes pruned'
    """
    pruned = find_trace(source).pruned
    # The largest on top; equal ones in the order in which the engine names them.
    shown = sorted((item for item in pruned.items() if item[1] > 0), key=lambda item: -item[1])
    (panel,) = look.axes_for(ax, height=(5 + 1.9 * max(len(shown), 1)) * points() / 72)
    look.tidy(panel)
    panel.set_xscale("log")
    panel.set_xlabel("prefixes pruned")
    panel.spines["left"].set_visible(False)
    panel.tick_params(axis="y", length=0)
    largest = max(shown[0][1], 10) if shown else 10
    bars = panel.barh(
        range(len(shown)), [count for _, count in shown], height=0.7, color=look.color(panel, 0)
    )
    panel.bar_label(bars, [whole(count) for _, count in shown], padding=3, fontsize=0.9 * points())
    label_ticks(panel, "y", range(len(shown)), [name.replace("_", " ") for name, _ in shown])
    # Room on the right for the number beside the longest bar.
    room = min(0.5, 4.5 * points() / width_of(panel))
    panel.set_xlim(0.8, largest * (largest / 0.8) ** (room / (1 - room)) * 1.1)
    panel.set_ylim(max(len(shown), 1) - 0.4, -0.6)
    if not shown:
        panel.text(0.02, 0.5, "no prefix was pruned", transform=panel.transAxes, va="center")
    return panel
