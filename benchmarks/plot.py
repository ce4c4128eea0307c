"""One picture: how cost grows with one size.

Colours are told apart by people who see colours differently, and lines also by their marks and
dashes, so the picture can be printed in black and white.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.results import Measurement, Results, Spread, ratio
from benchmarks.tables import ONE, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["write"]

# From the palette of Okabe and Ito.
_STYLES = {
    "search": {"color": "#0072B2", "marker": "o", "linestyle": "-", "label": "search time"},
    "collapse": {
        "color": "#009E73",
        "marker": "^",
        "linestyle": ":",
        "label": "time to collapse rows",
    },
    "expanded": {
        "color": "#D55E00",
        "marker": "s",
        "linestyle": "--",
        "label": "prefixes expanded",
    },
}
_AXES = {
    "rows": "rows",
    "groups": "groups",
    "antecedents": "antecedents",
    "regularization": "λ",
}


def write(results: Results, path: Path) -> bool:
    """Draw the growth curves; return whether there were any."""
    shown = {what: cases for what, cases in series(results).items() if len(cases) > 1}
    if not shown:
        return False
    # Slow to import, and only needed here.
    import matplotlib as mpl
    from matplotlib.figure import Figure

    settings: Any = {"svg.hashsalt": "surelist", "svg.fonttype": "path", "font.size": 9}
    with mpl.rc_context(settings):
        figure = Figure(figsize=(7.2, 5.6), layout="constrained", facecolor="white")
        panels = figure.subplots(2, 2).flat
        for axes, (what, cases) in zip(panels, shown.items(), strict=False):
            _panel(axes, results, what, cases)
        for axes in list(panels)[len(shown) :]:
            axes.set_axis_off()
        handles, labels = figure.axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False)
        temporary = path.with_name(f".{path.name}.tmp")
        # Without a date, so that equal results give equal files.
        figure.savefig(temporary, format="svg", metadata={"Date": None})
    temporary.replace(path)
    return True


def _panel(axes: Axes, results: Results, what: str, cases: list[str]) -> None:
    """Draw one series, each quantity as a multiple of what it was at the left."""
    values = [_value(results, case) for case in cases]
    smallest = results.of(cases[0], ONE)
    for quantity in ("search", "collapse", "expanded"):
        if quantity == "collapse" and what != "rows":
            continue
        points = [
            (value, _multiple(results.of(case, ONE), smallest, quantity))
            for value, case in zip(values, cases, strict=True)
        ]
        known = [(value, spread) for value, spread in points if spread is not None]
        places = [value for value, _ in known]
        style = _STYLES[quantity]
        axes.plot(places, [spread.median for _, spread in known], markersize=4, **style)  # type: ignore[arg-type]
        if quantity != "expanded":
            low, high = [spread.low for _, spread in known], [spread.high for _, spread in known]
            axes.fill_between(places, low, high, color=style["color"], alpha=0.15, linewidth=0)
    _scale(axes, values, is_falling=what == "regularization")
    axes.set_xlabel(_AXES[what])
    axes.set_ylabel("multiple of the leftmost")
    axes.grid(color="0.9", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def _scale(axes: Axes, values: list[float], *, is_falling: bool) -> None:
    """Make both axes logarithmic, with the values as they are called in the text."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    if is_falling:
        axes.invert_xaxis()
    axes.set_xticks(values, _labels(values))
    # At least a decade, so that small differences do not look large.
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, 0.5), max(high, 12))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    axes.minorticks_off()


def _labels(values: list[float]) -> list[str]:
    """Write numbers, as powers of ten where all are."""
    exponents = [len(f"{value:.0f}") - 1 for value in values]
    if all(value == 10**exponent for value, exponent in zip(values, exponents, strict=True)):
        return [f"$10^{exponent}$" for exponent in exponents]
    return [f"{value:,g}" for value in values]


def _value(results: Results, case: str) -> float:
    found = results.problems[case].series
    assert found is not None
    return found[1]


def _multiple(
    these: list[Measurement], smallest: list[Measurement], quantity: str
) -> Spread | None:
    if quantity != "expanded":
        return ratio(these, smallest, quantity)
    if any(one.status != "optimal" for one in these):
        return None
    first = smallest[0].counters["expanded"] or 1
    return Spread.of([these[0].counters["expanded"] / first])
