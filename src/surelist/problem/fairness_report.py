"""Rates by sensitive group: what a list does to each of them, as exact fractions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from surelist._common.text_tables import text_table
from surelist.problem.fairness import METRICS

__all__ = ["RATES", "FairnessReport", "GroupRates", "report_of"]

RATES = (
    *("selection_rate", "true_positive_rate", "false_positive_rate"),
    *("precision", "negative_precision", "error_rate"),
)


def _share(part: int, whole: int) -> Fraction | None:
    return Fraction(part, whole) if whole else None


@dataclass(frozen=True)
class GroupRates:
    """What a list predicts for one sensitive group, in weights of rows.

    Attributes
    ----------
    name : str
    true_positives, false_positives, true_negatives, false_negatives : int

    Examples
    --------
    >>> from surelist.problem.fairness_report import GroupRates
    >>> group = GroupRates("women", 30, 10, 50, 10)
    >>> group.selection_rate, group.true_positive_rate, group.precision
    (Fraction(2, 5), Fraction(3, 4), Fraction(3, 4))
    """

    name: str
    true_positives: int
    false_positives: int
    true_negatives: int
    false_negatives: int

    @property
    def weight(self) -> int:
        """Weight of the group's rows."""
        return self.true_positives + self.false_positives + self.negative

    @property
    def selected(self) -> int:
        """Weight of the rows that are predicted positive."""
        return self.true_positives + self.false_positives

    @property
    def negative(self) -> int:
        """Weight of the rows that are predicted negative."""
        return self.true_negatives + self.false_negatives

    @property
    def selection_rate(self) -> Fraction | None:
        """Share that is predicted positive."""
        return _share(self.selected, self.weight)

    @property
    def true_positive_rate(self) -> Fraction | None:
        """Share of the positive rows that are found."""
        return _share(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def false_positive_rate(self) -> Fraction | None:
        """Share of the negative rows that are predicted positive."""
        return _share(self.false_positives, self.false_positives + self.true_negatives)

    @property
    def precision(self) -> Fraction | None:
        """Share of the rows predicted positive that are positive; None where there are none."""
        return _share(self.true_positives, self.selected)

    @property
    def negative_precision(self) -> Fraction | None:
        """Share of the rows predicted negative that are negative; None where there are none."""
        return _share(self.true_negatives, self.negative)

    @property
    def error_rate(self) -> Fraction | None:
        """Share that is predicted wrongly."""
        return _share(self.false_positives + self.false_negatives, self.weight)


@dataclass(frozen=True)
class FairnessReport:
    """Rates of the training rows by sensitive group, and what was demanded of them.

    Attributes
    ----------
    groups : tuple of GroupRates
    labels : str
        "free" or "majority": over lists with which labels the result is proven.
    positive
        The class that counts as selected.
    """

    groups: tuple[GroupRates, ...]
    labels: str
    positive: Any

    def unfairness(self, metric: str) -> Fraction | None:
        """Return the greatest difference of a metric's rates between two groups.

        None where a rate exists for some groups alone.
        """
        worst = Fraction(0)
        for rate in METRICS[metric]:
            rates = [getattr(group, rate) for group in self.groups]
            known = [each for each in rates if each is not None]
            if 0 < len(known) < len(rates):
                return None
            if known:
                worst = max(worst, max(known) - min(known))
        return worst

    def to_dict(self) -> dict[str, Any]:
        """Return the report as something that JSON can hold: counts, and rates as text."""
        return {
            "labels": self.labels,
            "groups": [
                {
                    "name": group.name,
                    "true_positives": group.true_positives,
                    "false_positives": group.false_positives,
                    "true_negatives": group.true_negatives,
                    "false_negatives": group.false_negatives,
                    **{rate: _text(getattr(group, rate)) for rate in RATES},
                }
                for group in self.groups
            ],
            "unfairness": {metric: _text(self.unfairness(metric)) for metric in METRICS},
        }

    def __str__(self) -> str:
        rows = [
            [str(group.weight), *(_percent(getattr(group, rate)) for rate in RATES), group.name]
            for group in self.groups
        ]
        titles = ("weight", *(rate.replace("_", " ") for rate in RATES), "group")
        return text_table(titles, rows)


def _text(rate: Fraction | None) -> str | None:
    return None if rate is None else str(rate)


def _percent(rate: Fraction | None) -> str:
    return "–" if rate is None else f"{float(rate):.1%}"


def report_of(
    names: Sequence[str],
    totals: Sequence[int],
    selected: Sequence[int],
    told: Mapping[str, Any],
) -> FairnessReport:
    """Make a report of the weights of each group and class, at 2a + c: in all, and selected."""
    groups = tuple(
        GroupRates(
            name,
            true_positives=int(selected[2 * a + 1]),
            false_positives=int(selected[2 * a]),
            true_negatives=int(totals[2 * a] - selected[2 * a]),
            false_negatives=int(totals[2 * a + 1] - selected[2 * a + 1]),
        )
        for a, name in enumerate(names)
    )
    return FairnessReport(groups, **told)
