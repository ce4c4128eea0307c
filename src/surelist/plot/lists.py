"""A set of near-optimal lists in one picture: what they cost, and how they treat groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import counted
from surelist.errors import InputError
from surelist.plot import look
from surelist.plot.text import legend_above, points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from surelist.estimators.near_optimal.result import RuleLists

__all__ = ["plot_lists"]

_COLORS = 5  # columns with a colour of their own
_MOST_SHARE = 0.6  # of lists that a column divides off, where there is such a column
_NAMES = {"FPR": "false positive rates", "FNR": "false negative rates", "error": "error rates"}


def plot_lists(
    lists: RuleLists,
    ax: Axes | None = None,
    *,
    group: Any = None,
    rate: str = "FPR",
    positive: Any = None,
) -> Axes:
    """Draw every list of a set: objective against a gap between groups, or against accuracy.

    Colours tell which columns lists use: those with the most frequent column, those of the others
    with the next one, and so on.

    Parameters
    ----------
    lists : RuleLists
        What `surelist.near_optimal` returned.
    ax : matplotlib Axes, optional
        Where to draw; None makes a new figure.
    group : array-like, optional
        For each training row, the group that it belongs to. None draws the accuracy in training.
    rate : {"FPR", "FNR", "error"}, default="FPR"
        The rate whose greatest difference between groups is drawn.
    positive : label, optional
        The positive class, as for `RuleLists.rates`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InputError
        Where there are no lists, or no such rate.

    Examples
    --------
    >>> from surelist import near_optimal
    >>> from surelist.plot import plot_lists
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5, ["no", "no", "yes", "no"] * 5
    >>> plot_lists(near_optimal(X, y, tolerance=5, regularization=0.05)).get_xlabel()
    'objective'
    """
    if len(lists) == 0:
        raise InputError("there is nothing to draw: the set has no lists")
    height, name = _heights(lists, group, rate, positive)
    (panel,) = look.axes_for(ax)
    look.tidy(panel, grid="both")
    kinds, labels = _kinds(lists)
    colors = [look.color(panel, index) for index in range(_COLORS)]
    faint = look.blend(look.background(panel), panel.xaxis.label.get_color(), 0.45)
    handles: list[Any] = []
    for kind in sorted(set(kinds.tolist()), reverse=True):
        chosen = kinds == kind
        color = colors[kind] if kind < _COLORS else faint
        marks: dict[str, Any] = {"marker": look.marker(kind), "ls": "", "color": color}
        marks |= {"markersize": 0.35 * points(), "alpha": 0.7, "markeredgewidth": 0}
        (drawn,) = panel.plot(lists.objectives[chosen], height[chosen], **marks)
        handles.insert(0, drawn)
    if lists.optimum is not None:
        panel.axvline(float(lists.optimum), color=faint, lw=0.1 * points(), zorder=0)
    panel.set_xlabel("objective")
    panel.set_ylabel(name)
    panel.margins(0.05)
    legend_above(panel, handles, [labels[kind] for kind in sorted(labels)], grow=ax is None)
    return panel


def _heights(
    lists: RuleLists, group: Any, rate: str, positive: Any
) -> tuple[NDArray[np.float64], str]:
    if group is None:
        return 1 - lists.rates().rate("error")[:, 0], "accuracy in training"
    rates = lists.rates(group, positive)
    if rate not in rates.counts:
        raise InputError(f"rate must be one of {', '.join(rates.counts)}; got {rate!r}")
    return rates.gap(rate), f"largest gap between {_NAMES[rate]}"


def _kinds(lists: RuleLists) -> tuple[NDArray[np.intp], dict[int, str]]:
    """Divide the lists by columns: those with one column, those of the others with another.

    A column that nearly all lists use divides nothing.
    """
    used, names = lists.used_columns(), lists.column_names
    kinds = np.full(len(lists), _COLORS, np.intp)
    everywhere = used.all(axis=0)
    labels: dict[int, str] = {}
    for kind in range(_COLORS):
        left = kinds == _COLORS
        counts = np.where(everywhere, 0, used[left].sum(axis=0))
        if counts.max(initial=0) == 0:
            break
        telling = np.where(counts <= _MOST_SHARE * left.sum(), counts, 0)
        column = int((telling if telling.any() else counts).argmax())
        kinds[left & used[:, column]] = kind
        before = "" if kind == 0 else " and none of the above"
        labels[kind] = f"with {names[column]}{before} ({counted(int(counts[column]), 'list')})"
    rest = int((kinds == _COLORS).sum())
    if rest:
        labels[_COLORS] = f"the others ({counted(rest, 'list')})" if labels else "all lists"
    return kinds, labels
