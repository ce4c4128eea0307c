"""Fairness in plain words: what a metric means with a table's numbers, and what it does not say.

The command line and the page say the same sentences; docs/fairness.md explains them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from surelist.problem.fairness import METRICS
from surelist.problem.fairness_report import FairnessReport

__all__ = ["caveats", "meaning"]

# What each rate is a share of, and of what it says how often it happens.
_RATES = {
    "selection_rate": "predicted {positive}",
    "true_positive_rate": "of those who are {positive}, predicted so",
    "false_positive_rate": "of those who are not {positive}, predicted {positive} all the same",
    "precision": "of those predicted {positive}, really so",
    "negative_precision": "of those not predicted {positive}, really not",
}


def _percent(share: Fraction | None) -> str:
    return "none to count" if share is None else f"{float(share):.1%}".replace("%", " %")


def meaning(metric: str, report: FairnessReport) -> list[str]:
    """Say what a metric compares, with the rates of a table: one sentence for each of its rates.

    Examples
    --------
    >>> from surelist.problem.fairness_report import report_of
    >>> from surelist.problem.fairness_words import meaning
    >>> told = {"labels": "free", "positive": "hired"}
    >>> report = report_of(["men", "women"], [50, 50, 40, 60], [10, 30, 10, 20], told)
    >>> print(*meaning("statistical_parity", report))
    Predicted hired: 40.0 % of men, 30.0 % of women. They differ by 10.0 points.
    """
    said = []
    for rate in METRICS[metric]:
        shares = [getattr(group, rate) for group in report.groups]
        parts = [
            f"{_percent(share)} of {group.name}"
            for share, group in zip(shares, report.groups, strict=True)
        ]
        what = _RATES[rate].format(positive=report.positive)
        known = [share for share in shares if share is not None]
        apart = ""
        if len(known) == len(shares):
            points = 100 * float(max(known) - min(known))
            apart = f" They differ by {points:.1f} points."
        said.append(f"{what[0].upper()}{what[1:]}: {', '.join(parts)}.{apart}")
    return said


def caveats(report: FairnessReport, columns: Sequence[str] = ()) -> list[str]:
    """Say what rates that are alike do not mean; ``columns`` are those that make the groups."""
    positives = [group.true_positives + group.false_negatives for group in report.groups]
    bases = [
        f"{_percent(Fraction(positive, group.weight))} of {group.name}"
        for positive, group in zip(positives, report.groups, strict=True)
        if group.weight
    ]
    named = " and ".join(columns) or "the groups"
    return [
        f"Metrics exclude each other. Of these rows {', '.join(bases)} are {report.positive}: "
        "where such shares differ, no list that makes mistakes has equal precision, equal true "
        "positive and equal false positive rates at once.",
        "The constraint holds on the training rows. Rates on other rows differ from it, most for "
        "small groups: look at held-out rates.",
        f"A list that does not ask about {named} can still discriminate: other columns may stand "
        "for it.",
    ]
