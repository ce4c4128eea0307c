"""Error rates of a model by group: whether it treats groups of people alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import shown
from surelist.errors import InputError
from surelist.plot import look
from surelist.plot.sources import read_column
from surelist.plot.text import font, label_ticks, legend_above, points, wrap

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_rates_by_group"]

# For each rate, whether it is about actual positives, and whether it counts predicted positives.
_RATES = {"TPR": (True, True), "FPR": (False, True), "TNR": (False, False), "FNR": (True, False)}
_NAMES = {
    "TPR": "true positive rate",
    "FPR": "false positive rate",
    "TNR": "true negative rate",
    "FNR": "false negative rate",
}


@dataclass(frozen=True, eq=False)
class _Data:
    """Which rows are positive, what each model predicts, and the groups and folds of rows."""

    actual: NDArray[np.bool_]
    predicted: dict[str, NDArray[np.bool_]]
    groups: tuple[Any, ...]
    group: NDArray[np.intp]
    fold: NDArray[np.intp]


def plot_rates_by_group(
    y_true: Any,
    y_pred: Any,
    group: Any,
    ax: Any = None,
    *,
    positive: Any = None,
    rates: Sequence[str] = ("TPR", "FPR"),
    fold: Any = None,
) -> NDArray[Any]:
    """Draw true and false positive rates for each group, for one model or several.

    Parameters
    ----------
    y_true : array-like of labels
    y_pred : array-like of labels, or mapping of model names to these
        Predictions for the same rows.
    group : array-like
        For each row, the group that it belongs to.
    ax : matplotlib Axes, one for each rate, optional
        Where to draw; None makes a new figure.
    positive : label, optional
        The positive class; all others are negative. The default is 1 for the classes 0 and 1, and
        True for bools; other classes need it.
    rates : sequence of {"TPR", "FPR", "TNR", "FNR"}, default=("TPR", "FPR")
        One panel each.
    fold : array-like, optional
        For each row, the fold in which it was predicted. Markers are then means and bars standard
        deviations over folds. A fold is left out for a group without rows that the rate counts.

    Returns
    -------
    ndarray of matplotlib Axes
        One for each rate.

    Raises
    ------
    InputError
        Where columns differ in length, or it is unclear which class is positive.

    Examples
    --------
    >>> from surelist.plot import plot_rates_by_group
    >>> tpr, fpr = plot_rates_by_group([1, 0, 1, 0], [1, 0, 0, 1], ["a", "a", "b", "b"])
    >>> fpr.get_xlabel()
    'false positive rate'
    """
    wanted = _wanted(rates)
    data = _read(y_true, y_pred, group, positive, fold)
    lanes = len(data.groups) * (len(data.predicted) + 1)
    height = (7 + 1.5 * max(lanes, 3)) * points() / 72
    panels = look.axes_for(ax, columns=len(wanted), height=height)
    for panel, rate in zip(panels, wanted, strict=True):
        look.tidy(panel, grid="x")
        panel.set_xlim(-0.02, 1.02)
        panel.set_ylim(len(data.groups) - 0.5, -0.5)
        panel.set_xlabel(_NAMES[rate])
        panel.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
        panel.set_xticks([0.25, 0.75], minor=True)
        panel.tick_params(axis="y", length=0)
        _draw(panel, data, rate)
        label_ticks(panel, "y", range(len(data.groups)), [""] * len(data.groups))
    _name_groups(panels[0], data)
    _name_models(panels, data, grow=ax is None)
    return np.array(panels, dtype=object)


def _wanted(rates: Any) -> list[str]:
    wanted = [rates] if isinstance(rates, str) else list(rates)
    if not wanted or any(rate not in _RATES for rate in wanted):
        raise InputError(f"rates must be some of {', '.join(_RATES)}; got {shown(rates)}")
    return wanted


def _read(y_true: Any, y_pred: Any, group: Any, positive: Any, fold: Any) -> _Data:
    true = read_column("y_true", y_true)
    if not true:
        raise InputError("y_true is empty: there are no rows to compare")
    named = y_pred if isinstance(y_pred, Mapping) else {"": y_pred}
    if not named:
        raise InputError("y_pred holds no model; pass predictions, or a mapping of names to them")
    predicted = {
        str(name): read_column(f"y_pred {name}".strip(), column, len(true))
        for name, column in named.items()
    }
    is_positive = _positive(true, predicted, positive)
    groups, group_codes = _codes(read_column("group", group, len(true)))
    folds = [0] * len(true) if fold is None else read_column("fold", fold, len(true))
    return _Data(
        _equal(true, is_positive),
        {name: _equal(column, is_positive) for name, column in predicted.items()},
        groups,
        group_codes,
        _codes(folds)[1],
    )


def _positive(true: list[Any], predicted: dict[str, list[Any]], positive: Any) -> Any:
    classes = set(true).union(*predicted.values())
    if positive is None:
        if classes <= {0, 1}:
            return 1
        raise InputError(f"pass positive=, one of the classes {shown(sorted(classes, key=str))}")
    if positive not in classes:
        known = shown(sorted(classes, key=str))
        raise InputError(f"positive is {shown(positive)}, which is none of the classes {known}")
    return positive


def _equal(column: list[Any], value: Any) -> NDArray[np.bool_]:
    return np.array([each == value for each in column], dtype=np.bool_)


def _codes(column: list[Any]) -> tuple[tuple[Any, ...], NDArray[np.intp]]:
    """Return the distinct values in order of first occurrence, and each row's index into them."""
    places: dict[Any, int] = {}
    codes = [places.setdefault(value, len(places)) for value in column]
    return tuple(places), np.array(codes, dtype=np.intp)


def _rate(data: _Data, predicted: NDArray[np.bool_], rate: str, group: int) -> NDArray[np.float64]:
    """One model's rate in one group, for each fold in which there is one."""
    about, counts = _RATES[rate]
    rows = (data.group == group) & (data.actual == about)
    hits = np.bincount(data.fold[rows], weights=predicted[rows] == counts)
    totals = np.bincount(data.fold[rows])
    found: NDArray[np.float64] = hits[totals > 0] / totals[totals > 0]
    return found


def _draw(ax: Axes, data: _Data, rate: str) -> None:
    count = len(data.predicted)
    for index, predicted in enumerate(data.predicted.values()):
        # Models are drawn below each other, within the lane of their group.
        offset = (index + 1) / (count + 1) - 0.5
        marks: dict[str, Any] = {"marker": look.marker(index), "markersize": 0.7 * points()}
        marks |= {"elinewidth": 0.12 * points(), "capsize": 0.25 * points()}
        color = look.color(ax, index)
        for group in range(len(data.groups)):
            values = _rate(data, predicted, rate, group)
            if len(values) == 0:
                ax.text(0, group + offset, "no such rows", va="center", fontsize=0.8 * points())
                continue
            spread = float(values.std(ddof=1)) if len(values) > 1 else None
            mean = float(values.mean())
            ax.errorbar(mean, group + offset, xerr=spread, c=color, ls="", zorder=3, **marks)
    for boundary in range(1, len(data.groups)):
        faint = look.blend(look.background(ax), ax.xaxis.label.get_color(), 0.25)
        ax.axhline(boundary - 0.5, color=faint, linewidth=0.06 * points())


def _name_groups(ax: Axes, data: _Data) -> None:
    small = font(points(look.settings()["ytick.labelsize"]))
    room = 0.3 * 72 * float(look.figure_of(ax).get_figwidth())
    sizes = np.bincount(data.group)
    texts = [
        "\n".join([*wrap(str(name), room, small), f"n = {size:,}"])
        for name, size in zip(data.groups, sizes, strict=True)
    ]
    label_ticks(ax, "y", range(len(texts)), texts)


def _name_models(panels: list[Axes], data: _Data, *, grow: bool) -> None:
    if len(data.predicted) > 1 or "" not in data.predicted:
        from matplotlib.lines import Line2D

        ax = panels[0]
        handles = [
            Line2D([], [], ls="", color=look.color(ax, index), marker=look.marker(index))
            for index in range(len(data.predicted))
        ]
        legend_above(ax, handles, list(data.predicted), grow=grow, panels=len(panels))
