"""Weapon prediction against the heuristic of Goel, Rao and Shroff (section 6.5).

The heuristic adds 3 for a suspicious object, 1 for a suspicious bulge and 1 for sights and sounds
of criminal activity, and searches where the sum reaches a threshold.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from experiments.command import run_command
from experiments.context import Context, Family
from experiments.dataset import Codes, Dataset
from experiments.folds import Fold
from experiments.numbers import mean, mean_std, span
from experiments.pictures import panels
from experiments.report import Section, Table, save_figure
from experiments.scores import rates

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

__all__ = ["heuristic", "run"]

_POINTS = {
    "stop reason = suspicious object": 3,
    "stop reason = suspicious bulge": 1,
    "additional circumstances = sights and sounds of criminal activity": 1,
}
_THRESHOLDS = (1, 2, 3, 4)
_LETTERS = "abcdefgh"


@dataclass(frozen=True, eq=False)
class Searched:
    """One model: a value for each fold."""

    name: str
    is_ours: bool
    sizes: tuple[int, ...]
    stops: tuple[float, ...]
    recovered: tuple[float, ...]
    fpr: tuple[float, ...]


def heuristic(data: Dataset, threshold: int) -> Codes:
    """Return whom the heuristic would search.

    Examples
    --------
    >>> bits = {name: np.array([True, False]) for name in _POINTS}
    >>> heuristic(Dataset("", bits, np.zeros(2, np.int32)), 4).tolist()
    [1, 0]
    """
    points = sum(weight * data.features[clause].astype(int) for clause, weight in _POINTS.items())
    return (np.asarray(points) >= threshold).astype(np.int32)


def run(context: Context) -> Section:
    """Compare on the NYPD's records, or those at hand, and on NYCLU's."""
    section = context.section("Weapon prediction against a heuristic (section 6.5)")
    years = context.nypd[1]
    is_paper = years == "2008–2012"
    section.add(
        "Lists are trained with weights in place of resampling and tested without. “stops” is "
        "the share of test records that a model would search, “recovered” the share of weapons "
        "it would find (its TPR). The paper prints a figure; its text is in the verdicts."
    )
    named = f"NYPD, {years}" + ("" if is_paper else ": a stand-in for 2008–2012, which is not here")
    for title, letters, file in (
        (named, ("C", "D"), "weapons-nypd"),
        ("NYCLU, 2014", ("NYCLU-C", "NYCLU-D"), "weapons-nyclu"),
    ):
        searched = _compare(context, letters)
        section.add(f"### {title}", _table(searched))
        caption = (
            f"{title}: weapons recovered against stops (left); TPR, FPR and model size (right)."
        )
        section.add(save_figure(_draw(searched), context.options.output, file, caption))
        if file == "weapons-nypd":
            _claims(section, searched, "" if is_paper else f" [on records of {years}]")
    return section


def _compare(context: Context, letters: tuple[str, str]) -> list[Searched]:
    data, folds = context.data(letters[0]), context.folds(letters[0])
    found = [
        _searched(
            *(f"heuristic, T = {threshold}", False, data, folds),
            *([heuristic(data, threshold)] * len(folds), [len(_POINTS) + 1] * len(folds)),
        )
        for threshold in _THRESHOLDS
    ]
    for letter, what in zip(letters, ("with location", "without location"), strict=True):
        for regularization in ("0.01", "0.005"):
            lists = [
                outcome.rule_list
                for outcome in context.outcomes(Family(letter, regularization, "weights"))
            ]
            predicted = [each.predict(context.data(letter).features) for each in lists]
            sizes = [len(each) + 1 for each in lists]
            name = f"Surelist, λ = {regularization}, {what}"
            found.append(_searched(name, True, data, folds, predicted, sizes))
    return sorted(found, key=lambda one: mean(one.recovered))


def _searched(
    name: str,
    is_ours: bool,
    data: Dataset,
    folds: Sequence[Fold],
    predicted: Sequence[Codes],
    sizes: Sequence[int],
) -> Searched:
    stops, recovered, fpr = [], [], []
    for fold, found in zip(folds, predicted, strict=True):
        stops.append(float(found[fold.test].mean()))
        rate = rates(data.labels[fold.test], found[fold.test])
        recovered.append(rate[0])
        fpr.append(rate[1])
    return Searched(name, is_ours, tuple(sizes), tuple(stops), tuple(recovered), tuple(fpr))


def _table(searched: Sequence[Searched]) -> Table:
    rows = [
        [one.name, span(one.sizes), mean_std(one.stops), mean_std(one.recovered), mean_std(one.fpr)]
        for one in searched
    ]
    return Table(["model", "size", "stops", "recovered", "FPR"], rows)


def _draw(searched: Sequence[Searched]) -> Drawing:
    """Draw both panels; letters tell the models of the left one by the names of the right one."""
    with panels(1, 2, width=4.6, height=3.6) as (figure, axes):
        left, right = axes[0]
        for place, (letter, one) in enumerate(zip(_LETTERS, searched, strict=False)):
            look = {"color": "C1" if one.is_ours else "C0", "marker": "s" if one.is_ours else "o"}
            x, y = np.array(one.stops), np.array(one.recovered)
            spread = {"xerr": x.std(), "yerr": y.std(), "lw": 0.8}
            left.errorbar(x.mean(), y.mean(), ls="", ms=4, **spread, **look)
            offset = (5, 4) if place % 2 else (5, -10)
            near = {"xytext": offset, "textcoords": "offset points"}
            left.annotate(letter, (x.mean(), y.mean()), **near)
            right.plot([y.mean()], [place], mfc="white", ls="", ms=6, **look)
            right.plot([mean(one.fpr)], [place], ls="", ms=6, **look)
            beside = {"xytext": (8, -3), "textcoords": "offset points"}
            right.annotate(span(one.sizes), (y.mean(), place), **beside)
        left.axhline(0.5, color="0.6", lw=0.8, ls=":")
        left.set(xlabel="share of stops", ylabel="share of weapons recovered")
        left.set(xlim=(0, None), ylim=(0, 1))
        names = [f"{one.name}  {letter}" for letter, one in zip(_LETTERS, searched, strict=False)]
        right.set_yticks(range(len(searched)), names)
        right.set(xlabel="FPR (solid), TPR (open); numbers: model size", xlim=(0, 1))
        right.grid(axis="x", alpha=0.3)
    return figure


def _claims(section: Section, searched: Sequence[Searched], where: str) -> None:
    lists = [one for one in searched if one.is_ours]
    least = min(mean(one.recovered) for one in lists)
    most = max(mean(one.stops) for one in lists)
    section.claim(
        f"Weapons: lists recover at least 40 % in well under 25 % of stops{where}",
        f"{least:.0%} or more in {most:.0%} of stops or less",
        least >= 0.4 and most < 0.25,
    )
    by_name = {one.name: one for one in searched}
    first = by_name["heuristic, T = 1"]
    others = [by_name[f"heuristic, T = {threshold}"] for threshold in _THRESHOLDS[1:]]
    highest = max(mean(one.recovered) for one in others)
    section.claim(
        "Weapons: the heuristic needs over 30 % of stops with T = 1, and recovers less than 25 "
        f"% with T ≥ 2{where}",
        f"{mean(first.stops):.0%} of stops; at most {highest:.0%}",
        mean(first.stops) > 0.3 and highest < 0.25,
    )


if __name__ == "__main__":
    sys.exit(run_command("weapons", [run]))
