"""A picture of the optimum for few cuts, more, and all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from surelist._common.messages import shown
from surelist.errors import InputError
from surelist.plot import look
from surelist.plot.text import legend_above, points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from surelist.estimators.path.by_cuts import ByCuts

__all__ = ["plot_by_cuts"]


def plot_by_cuts(found: ByCuts, ax: Axes | None = None) -> Axes:
    """Draw the certified objective by the number of cuts, and the loss in training and held out.

    What is not certified has a bar down to the lower bound.

    Parameters
    ----------
    found : ByCuts
        From `surelist.objective_by_cuts`.
    ax : matplotlib Axes, optional
        Where to draw; None makes a new figure.

    Returns
    -------
    matplotlib Axes
    """
    if not hasattr(found, "n_held_out"):
        raise InputError(f"what objective_by_cuts returned is needed; got {shown(found)}")
    (panel,) = look.axes_for(ax)
    look.tidy(panel, grid="y")
    places = list(range(len(found.rows)))
    gaps = [float(row.objective - row.lower_bound) for row in found.rows]
    series: list[tuple[str, list[Any]]] = [
        ("objective" if any(gaps) else "objective, proven", [row.objective for row in found.rows]),
        ("loss in training", [row.rule_list.loss for row in found.rows]),
    ]
    if found.n_held_out:
        series.append(("loss on held-out rows", [row.held_out for row in found.rows]))
    for index, (label, values) in enumerate(series):
        panel.errorbar(
            places,
            [float(value) for value in values],
            yerr=[gaps, [0.0] * len(gaps)] if index == 0 and any(gaps) else None,
            marker=look.marker(index),
            markersize=0.6 * points(),
            capsize=0.3 * points(),
            color=look.color(panel, index),
            label=label,
        )
    panel.set_xticks(places, [str(row.n_cuts) for row in found.rows])
    panel.set_xlabel("cuts in each column")
    panel.set_ylabel("share of the rows")
    panel.set_ylim(bottom=0)
    handles, labels = panel.get_legend_handles_labels()
    legend_above(panel, handles, labels, grow=ax is None)
    return panel
