"""A picture of a front: what each tolerance costs, and rates by group with their uncertainty."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surelist.plot import look
from surelist.problem.fairness import METRICS
from surelist.problem.fairness_report import FairnessReport

if TYPE_CHECKING:
    from surelist.estimators.fairness_path import FairnessPath

__all__ = ["interval", "plot_fairness_path"]

_Z = 1.96  # for intervals of 95 %


def interval(part: float, whole: float) -> tuple[float, float]:
    """Return Wilson's 95 % interval for a share; it is reliable for small groups, too.

    Examples
    --------
    >>> from surelist.plot.fairness import interval
    >>> [round(end, 2) for end in interval(0, 10)]
    [0.0, 0.28]
    """
    if whole <= 0:
        return 0.0, 1.0
    share = part / whole
    middle = (share + _Z**2 / (2 * whole)) / (1 + _Z**2 / whole)
    half = (
        _Z * math.sqrt(share * (1 - share) / whole + _Z**2 / (4 * whole**2)) / (1 + _Z**2 / whole)
    )
    return max(0.0, middle - half), min(1.0, middle + half)


def plot_fairness_path(
    front: FairnessPath, ax: Any = None, held_out: list[FairnessReport] | None = None
) -> NDArray[Any]:
    """Draw a front, and beside it the first of its metric's rates by group.

    Bars are Wilson's intervals of 95 %: wide where a group is small.

    Parameters
    ----------
    front : FairnessPath
    ax : pair of matplotlib Axes, optional
        Where to draw; None makes a new figure.
    held_out : list of FairnessReport, optional
        Rates of the same lists on rows that were not used for training: see `FairnessPath.on`.

    Returns
    -------
    ndarray of two matplotlib Axes
    """
    left, right = look.axes_for(ax, columns=2)
    for panel in (left, right):
        look.tidy(panel)
    _draw_front(left, front)
    _draw_rates(right, front, held_out)
    return np.array([left, right], dtype=object)


def _draw_front(axes: Any, front: FairnessPath) -> None:
    x = [float(point.unfairness) for point in front.points]
    y = [float(point.objective) for point in front.points]
    own = look.color(axes, 0)
    axes.step(x, y, where="pre", color=own, alpha=0.4)
    for point, at, height in zip(front.points, x, y, strict=True):
        fill = own if point.certified else "none"
        axes.scatter([at], [height], zorder=3, facecolors=fill, edgecolors=own)
    hollow = "" if front.certified else "; hollow: not proven"
    axes.set_xlabel(f"unfairness{hollow}")
    axes.set_ylabel("objective")


def _draw_rates(axes: Any, front: FairnessPath, held_out: list[FairnessReport] | None) -> None:
    rate = METRICS[front.metric][0]
    names = [group.name for group in front.points[0].report.groups]
    shown = [("training", "o", [point.report for point in front.points])]
    if held_out is not None:
        shown.append(("held out", "s", held_out))
    for offset, (when, marker, reports) in enumerate(shown):
        for index, name in enumerate(names):
            x = [i + 0.12 * (index - len(names) / 2) + 0.05 * offset for i in range(len(reports))]
            parts = [_counts(report, index, rate) for report in reports]
            y = [part / whole if whole else math.nan for part, whole in parts]
            ends = [interval(part, whole) for part, whole in parts]
            low = [max(0.0, value - end[0]) for value, end in zip(y, ends, strict=True)]
            high = [max(0.0, end[1] - value) for value, end in zip(y, ends, strict=True)]
            label = f"{name}, {when}" if held_out is not None else name
            axes.errorbar(
                *(x, y),
                yerr=[low, high],
                fmt=marker,
                color=look.color(axes, index),
                markerfacecolor="none" if offset else look.color(axes, index),
                label=label,
            )
    axes.set_xticks(range(len(front.points)))
    axes.set_xticklabels([f"{float(point.unfairness):.2f}" for point in front.points])
    axes.set_xlabel("unfairness in training")
    axes.set_ylabel(rate.replace("_", " "))
    axes.set_ylim(0, 1)
    axes.legend()


def _counts(report: FairnessReport, index: int, rate: str) -> tuple[int, int]:
    """Return numerator and denominator of a rate, in weights."""
    group = report.groups[index]
    positives = group.true_positives + group.false_negatives
    negatives = group.false_positives + group.true_negatives
    return {
        "selection_rate": (group.selected, group.weight),
        "true_positive_rate": (group.true_positives, positives),
        "false_positive_rate": (group.false_positives, negatives),
        "precision": (group.true_positives, group.selected),
    }[rate]
