"""Predictive performance against model size (sparsity figures of section 6.6)."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from experiments.command import run_command
from experiments.context import Context, Family
from experiments.methods import Scored, ours, peer_scores, trees
from experiments.numbers import mean, mean_std
from experiments.pictures import panels
from experiments.report import Section, Table, save_figure
from surelist.plot import ModelScores, plot_sparsity

__all__ = ["run"]

_LISTS = {
    "A": [Family("A", value) for value in ("0.02", "0.01", "0.005")],
    "E": [Family("E", value, "resampled") for value in ("0.04", "0.01", "0.0025")],
}


def run(context: Context) -> Section:
    """Vary every method's parameter on both problems."""
    section = context.section("Performance against model size")
    section.add(
        "Size is the number of leaves; of a rule list its rules and the default. The paper "
        "prints figures only. For the packages behind C4.5, RIPPER and SBRL see the section on "
        "ten methods."
    )
    _recidivism(context, section)
    _weapons(context, section)
    return section


def _all(context: Context, letter: str) -> list[Scored]:
    lists = [ours(context, family) for family in _LISTS[letter]]
    return [*lists, *trees(context, letter), *peer_scores(context, letter)[0]]


def _recidivism(context: Context, section: Section) -> None:
    scored = _all(context, "A")
    rows = [
        [one.name, mean_std(one.sizes), mean_std(one.test), mean_std(one.train)] for one in scored
    ]
    section.add(
        "### ProPublica", Table(["method", "leaves", "test accuracy", "training accuracy"], rows)
    )
    with panels(1, 1, width=7.0, height=4.4) as (figure, axes):
        models = [
            ModelScores(one.method, one.sizes, one.test, one.train, one.setting) for one in scored
        ]
        plot_sparsity(models, ax=axes[0, 0])
    caption = "ProPublica: test accuracy (markers) and training accuracy (circles) against size."
    section.add(save_figure(figure, context.options.output, "sparsity-propublica", caption))
    lists = scored[: len(_LISTS["A"])]
    worst = max(mean(one.train) - mean(one.test) for one in lists)
    section.claim(
        "Lists do not overfit: mean training accuracy exceeds mean test accuracy by no more "
        "than about .01",
        f"by {worst:+.4f} at most, for three values of λ",
        worst <= 0.012,
    )
    _claim_size(section, lists, scored)


def _claim_size(section: Section, lists: Sequence[Scored], scored: Sequence[Scored]) -> None:
    best = lists[-1]
    within = mean(best.test) + float(np.std(best.test))
    better = [one.name for one in scored if mean(one.test) > within]
    larger = sum(mean(one.sizes) > mean(best.sizes) for one in scored if one not in lists)
    section.claim(
        "Lists are short without sacrificing predictive performance (ProPublica, λ = .005)",
        f"{mean(best.sizes):.1f} leaves; {larger} of {len(scored) - len(lists)} other models are "
        "larger; "
        + (
            f"better by more than a standard deviation: {', '.join(better)}"
            if better
            else "none is better by more than a standard deviation"
        ),
        not better,
    )


def _weapons(context: Context, section: Section) -> None:
    scored = _all(context, "E")
    rows = [[one.name, mean_std(one.sizes), mean_std(one.tpr), mean_std(one.fpr)] for one in scored]
    section.add("### NYCLU", Table(["method", "leaves", "test TPR", "test FPR"], rows))
    with panels(2, 1, width=7.0, height=4.0) as (figure, axes):
        for ax, label in zip(axes[:, 0], ("TPR", "FPR"), strict=True):
            models = [
                ModelScores(
                    one.method,
                    one.sizes,
                    one.tpr if label == "TPR" else one.fpr,
                    setting=one.setting,
                )
                for one in scored
            ]
            plot_sparsity(models, ax=ax, score=label)
        axes[1, 0].get_legend().remove()  # it is that of the upper panel
    caption = "NYCLU: true positive rate (top) and false positive rate (bottom) against size."
    section.add(save_figure(figure, context.options.output, "sparsity-nyclu", caption))


if __name__ == "__main__":
    sys.exit(run_command("sparsity", [run]))
