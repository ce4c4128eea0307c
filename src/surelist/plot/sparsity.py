"""Scores of several models against their sizes, with error bars over folds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import shown
from surelist.errors import InputError
from surelist.plot import look
from surelist.plot.text import legend_above, points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ModelScores", "plot_sparsity"]


@dataclass(frozen=True, eq=False)
class ModelScores:
    """One method with one setting: sizes and scores of its models, one for each fold.

    Parameters
    ----------
    method : str
        Name of the method. Points of one method share colour and marker.
    sizes, scores : array-likes of numbers
        For each fold, the size of the model (such as rules or leaves) and its score on test data.
    training_scores : array-like of numbers, optional
        The scores on training data.
    setting : str, optional
        What distinguishes this point from others of the method, such as ``"λ = 0.01"``.
    """

    method: str
    sizes: Any
    scores: Any
    training_scores: Any = None
    setting: str = ""

    @property
    def name(self) -> str:
        """Method and setting."""
        return f"{self.method} ({self.setting})" if self.setting else self.method


@dataclass(frozen=True)
class _Point:
    name: str
    method: str
    size: float
    size_spread: float
    score: float
    score_spread: float
    training: float | None


def plot_sparsity(
    models: Iterable[ModelScores], ax: Axes | None = None, *, score: str = "accuracy"
) -> Axes:
    """Draw the scores of several models against their sizes.

    Markers are means and bars standard deviations over folds, of size as well as of score; small
    circles are means on training data. The best are at the top left.

    Parameters
    ----------
    models : iterable of ModelScores
    ax : matplotlib Axes, optional
        Where to draw; None makes a new figure.
    score : str, default="accuracy"
        What the scores are called.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InputError
        Where there are no models, or a model has no scores, or not one size for each.

    Examples
    --------
    >>> from surelist.plot import ModelScores, plot_sparsity
    >>> models = [
    ...     ModelScores("Surelist", [3, 4, 3], [0.66, 0.67, 0.66], setting="λ = 0.005"),
    ...     ModelScores("decision tree", [14, 20, 17], [0.65, 0.67, 0.66]),
    ... ]
    >>> plot_sparsity(models).get_ylabel()
    'test accuracy'
    """
    read = [_read(model) for model in models]
    if not read:
        raise InputError("there is nothing to draw: models is empty")
    (panel,) = look.axes_for(ax)
    look.tidy(panel, grid="both")
    sizes = [point.size for point in read]
    if min(sizes) > 0 and max(sizes) > 20 * min(sizes):
        look.log_decimals(panel)
    methods = list(dict.fromkeys(point.method for point in read))
    handles = [_draw(panel, point, read, methods) for point in read]
    labels = [point.name for point in read]
    if any(point.training is not None for point in read):
        handles += panel.plot([], [], color=panel.xaxis.label.get_color(), **_circle())
        labels.append("on training data")
    panel.set_xlabel("size of the model")
    panel.set_ylabel(f"test {score}")
    panel.margins(0.08)
    legend_above(panel, handles, labels, grow=ax is None)
    return panel


def _read(model: Any) -> _Point:
    if not isinstance(model, ModelScores):
        raise InputError(f"models must hold ModelScores; got {shown(model)}")
    sizes = _numbers(model, "sizes")
    scores = _numbers(model, "scores")
    training = None if model.training_scores is None else _numbers(model, "training_scores")
    for name, values in (("sizes", sizes), ("training_scores", training)):
        if values is not None and len(values) != len(scores):
            raise InputError(
                f"{model.name}: {len(values)} {name} but {len(scores)} scores; pass one per fold"
            )
    return _Point(
        model.name,
        model.method,
        *(float(sizes.mean()), _spread(sizes)),
        *(float(scores.mean()), _spread(scores)),
        None if training is None else float(training.mean()),
    )


def _numbers(model: ModelScores, name: str) -> NDArray[np.float64]:
    try:
        values = np.asarray(getattr(model, name), dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{model.name}: {name} must be numbers, one for each fold") from None
    if values.ndim != 1 or len(values) == 0 or not np.isfinite(values).all():
        raise InputError(f"{model.name}: {name} must be finite numbers, one for each fold")
    return values


def _spread(values: NDArray[np.float64]) -> float:
    """Return the standard deviation of a sample; a single fold has none."""
    return float(values.std(ddof=1)) if len(values) > 1 else 0.0


def _draw(ax: Axes, point: _Point, points_: list[_Point], methods: list[str]) -> Any:
    """Draw a point; points of one method get lighter from its first setting to its last."""
    from matplotlib.lines import Line2D

    index = methods.index(point.method)
    siblings = [other for other in points_ if other.method == point.method]
    color = look.color(ax, index)
    lighter = 0.75 * siblings.index(point) / max(len(siblings) - 1, 1)
    marker: dict[str, Any] = {
        "marker": look.marker(index),
        "markersize": 0.7 * points(),
        "markerfacecolor": look.blend(color, look.background(ax), lighter),
    }
    bars: dict[str, Any] = {"elinewidth": 0.1 * points(), "capsize": 0.2 * points()}
    spread: dict[str, Any] = {"xerr": point.size_spread or None, "yerr": point.score_spread or None}
    ax.errorbar(point.size, point.score, **spread, c=color, ls="", zorder=3, **bars, **marker)
    if point.training is not None:
        ax.plot(point.size, point.training, color=color, zorder=3.5, **_circle())
    # The legend shows the marker without error bars, which would cover it.
    return Line2D([], [], color=color, ls="", **marker)


def _circle() -> dict[str, Any]:
    return {"marker": "o", "fillstyle": "none", "markersize": 0.4 * points(), "ls": ""}
