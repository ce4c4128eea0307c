"""One picture: how well each table is predicted, and how much of that is proven.

Colours are told apart by people who see colours differently, and marks by their shapes, so the
picture can be printed in black and white.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.keel.figures import mean, proven
from benchmarks.keel.records import Records
from benchmarks.keel.systems import CART, CART_SAME, CV, DEFAULT, SYSTEMS
from benchmarks.keel.text import length

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["write"]

# Ours a little higher, CART a little lower, so that equal values do not hide each other.
_SHIFT = {DEFAULT: -0.14, CV: -0.14, CART: 0.14, CART_SAME: 0.14}
# From the palette of Okabe and Ito; what is drawn last lies on top.
_BLUE, _ORANGE, _GREEN, _GREY = "#0072B2", "#D55E00", "#009E73", "0.55"
_MARKS: dict[str, dict[str, Any]] = {
    "boosting": {"marker": "|", "color": "0.2", "s": 60, "linewidths": 1.4},
    CART: {"marker": "s", "facecolors": "none", "edgecolors": _GREY, "s": 20},
    CART_SAME: {"marker": "^", "facecolors": "none", "edgecolors": _ORANGE, "s": 24},
    CV: {"marker": "D", "facecolors": "none", "edgecolors": _GREEN, "s": 18},
    DEFAULT: {"marker": "o", "color": _BLUE, "s": 20},
}


def write(records: Records, path: Path) -> None:
    """Draw the tables one below the other."""
    # Slow to import, and only needed here.
    import matplotlib as mpl
    from matplotlib.figure import Figure

    tables = [name for name in records.tables if records.all(DEFAULT, name)]
    settings: Any = {"svg.hashsalt": "surelist", "svg.fonttype": "path", "font.size": 9}
    with mpl.rc_context(settings):
        size = (7.4, 1.5 + 0.24 * len(tables))
        figure = Figure(figsize=size, layout="constrained", facecolor="white")
        left, right = figure.subplots(1, 2, sharey=True, width_ratios=[3, 2])
        _accuracies(left, records, tables)
        _objectives(right, records, tables)
        for axes in (left, right):
            axes.grid(color="0.92", linewidth=0.6)
            axes.set_axisbelow(True)
            axes.spines[["top", "right"]].set_visible(False)
            axes.tick_params(axis="y", length=0)
        left.set_yticks(range(len(tables)), tables)
        left.set_ylim(len(tables) - 0.4, -0.6)
        handles, labels = left.get_legend_handles_labels()
        figure.legend(
            handles[::-1], labels[::-1], loc="outside upper center", ncols=3, frameon=False
        )
        temporary = path.with_name(f".{path.name}.tmp")
        # Without a date, so that equal results give equal files.
        figure.savefig(temporary, format="svg", metadata={"Date": None})
    temporary.replace(path)


def _accuracies(axes: Axes, records: Records, tables: list[str]) -> None:
    titles = {system.name: system.title for system in SYSTEMS}
    for system, style in _MARKS.items():
        points = [
            (value, place + _SHIFT.get(system, 0.0))
            for place, name in enumerate(tables)
            if (value := mean(one.test_accuracy for one in records.comparable(system, name)))
            is not None
        ]
        if points:
            across, down = zip(*points, strict=True)
            axes.scatter(across, down, label=titles[system], **style)
    axes.set_xlabel("test accuracy")


def _objectives(axes: Axes, records: Records, tables: list[str]) -> None:
    """Draw how far each bound lies below the objective, and write up to what is proven."""
    for place, name in enumerate(tables):
        results = records.all(DEFAULT, name)
        objective = mean(one.objective for one in results)
        bound = mean(one.lower_bound for one in results)
        if objective is None or bound is None:
            continue
        axes.plot([bound, objective], [place, place], color=_BLUE, linewidth=1.2)
        axes.plot([bound], [place], marker="|", color=_BLUE, markersize=6)
        axes.plot([objective], [place], marker="o", color=_BLUE, markersize=4)
        axes.annotate(
            length(proven(results)),
            (1.0, place),
            xycoords=("axes fraction", "data"),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
    axes.annotate(
        "proven\nup to",
        (1.0, 1.0),
        xycoords="axes fraction",
        xytext=(4, 2),
        textcoords="offset points",
        fontsize=8,
        va="bottom",
    )
    axes.set_xlim(left=0)
    axes.set_xlabel("lower bound – objective")
