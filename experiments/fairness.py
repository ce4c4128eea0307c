"""Rates of error by race, for COMPAS scores and for optimal lists (section 6.4)."""

from __future__ import annotations

import sys

import numpy as np

from experiments import paper
from experiments.accuracy import MEDIUM
from experiments.command import run_command
from experiments.context import Context, Family, rows_of
from experiments.dataset import Bits, Codes
from experiments.numbers import mean, mean_std
from experiments.pictures import panels
from experiments.report import Section, Table, save_figure
from experiments.scores import rates
from surelist.plot import plot_rates_by_group

__all__ = ["run"]

_RACES = ("African-American", "Caucasian")
_RATES = ("TPR", "FPR", "TNR", "FNR")


def run(context: Context) -> Section:
    """Compare both by race."""
    section = context.section("Error rates by race: COMPAS scores and optimal lists")
    predicted, fold, rows = _predictions(context)
    data = context.data("A")
    race, labels = data.about["race"][rows], data.labels[rows]
    measured = {
        (model, who): _by_fold(labels, found, fold, race == who)
        for model, found in predicted.items()
        for who in _RACES
    }
    table = [
        [who, model, *(mean_std(measured[model, who][rate]) for rate in _RATES)]
        for who in _RACES
        for model in predicted
    ]
    section.add(Table(["race", "model", *_RATES], table, 2), _TEXT)
    known = np.isin(race, _RACES)
    with panels(1, 4, width=2.5, height=2.1) as (figure, axes):
        shown = {model: found[known] for model, found in predicted.items()}
        plot_rates_by_group(
            labels[known], shown, race[known], ax=list(axes[0]), rates=_RATES, fold=fold[known]
        )
    section.add(
        save_figure(
            figure,
            context.options.output,
            "rates-by-race",
            "True and false positive, true and false negative rates by race over folds.",
        )
    )
    _claims(context, section, measured)
    return section


_TEXT = (
    "The paper shows this as a figure only. Neither model is told the race. Rates of a group "
    "depend on how many of it have what the lists ask for, so they differ where priors and age "
    "do; which rates ought to be equal is not a question that these numbers answer."
)


def _predictions(context: Context) -> tuple[dict[str, Codes], Codes, Codes]:
    """Return what both models predict for the rows to test on, their folds and the rows."""
    data, folds = context.data("A"), context.folds("A")
    outcomes = context.outcomes(Family("A", "0.005"))
    rows = np.concatenate([fold.test for fold in folds])
    lists = np.concatenate(
        [
            outcome.rule_list.predict(rows_of(data.features, fold.test))
            for outcome, fold in zip(outcomes, folds, strict=True)
        ]
    )
    official = (data.about["score"][rows] >= MEDIUM).astype(np.int32)
    number = np.concatenate([np.full(len(fold.test), fold.number, np.int32) for fold in folds])
    return {"COMPAS": official, "Surelist": lists}, number, rows.astype(np.int32)


def _by_fold(labels: Codes, predicted: Codes, fold: Codes, group: Bits) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {rate: [] for rate in _RATES}
    for number in np.unique(fold):
        chosen = group & (fold == number)
        if len(set(labels[chosen].tolist())) < 2:
            continue  # nothing that both rates could be about
        tpr, fpr = rates(labels[chosen], predicted[chosen])
        for rate, value in zip(_RATES, (tpr, fpr, 1 - fpr, 1 - tpr), strict=True):
            found[rate].append(value)
    return found


def _claims(
    context: Context, section: Section, measured: dict[tuple[str, str], dict[str, list[float]]]
) -> None:
    black, white = _RACES
    higher = {
        (model, rate): mean(measured[model, black][rate]) - mean(measured[model, white][rate])
        for model in ("COMPAS", "Surelist")
        for rate in ("TPR", "FPR")
    }
    section.claim(
        "Both COMPAS and optimal lists have much higher TPR and FPR for black than for white "
        "people",
        "; ".join(f"{model} {rate} {value:+.2f}" for (model, rate), value in higher.items()),
        min(higher.values()) > 0.1,
    )
    data = context.data("A")
    ours = {race: float(data.about["priors"][data.about["race"] == race].mean()) for race in _RACES}
    printed = " and ".join(f"{value}" for value in paper.PRIORS_BY_RACE.values())
    section.claim(
        f"On average {printed} earlier crimes for black and white people",
        " and ".join(f"{value:.1f}" for value in ours.values()),
        all(abs(ours[race] - value) < 0.1 for race, value in paper.PRIORS_BY_RACE.items()),
    )


if __name__ == "__main__":
    sys.exit(run_command("fairness", [run]))
