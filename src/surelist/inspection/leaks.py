"""Columns that may leak the label: they are perhaps known only after the outcome.

Five signs. The column alone predicts nearly every label. It follows from the label. It has values
for one class only. It is called as the label is, and tells much of it. It tells most of the label,
and far more than any other column. None of them is a proof: a good measurement may look the same,
which is why the user is asked and nothing is left out.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import counted
from surelist.inspection.association import counts_by_value, share_told
from surelist.inspection.coded import CodedColumn, CodedLabels
from surelist.inspection.finding import Finding, percent
from surelist.inspection.words import words_of

__all__ = ["LEAST_ROWS", "find_leaks", "has_values_for_one_class"]

LEAST_ROWS = 30
_LEAST_MINORITY = 10

# Share of the mistakes that have to vanish. More for measured numbers, some of which are that good.
_TELLS = {True: 0.9, False: 0.97}
_FOLLOWS = 0.97
_TELLS_WITH_NAME = 0.2
_TELLS_MOST, _TIMES_OTHERS, _LEAST_OTHERS = 0.7, 1.75, 3
_LEAST_GROUP = 0.02
_PURER = 0.2

# Words in names of labels that say nothing of what they are about.
_GENERAL = frozenset(
    {
        *("class", "label", "target", "outcome", "result", "value", "type", "status", "score"),
        *("index", "date", "time", "year", "month", "total", "number", "count", "flag", "level"),
        *("group", "code", "name", "category", "high", "first", "last"),
    }
)


def find_leaks(columns: list[CodedColumn], labels: CodedLabels) -> Iterator[Finding]:
    """Yield a finding for each column that may give the label away."""
    if len(labels.codes) < LEAST_ROWS or labels.n_minority < _LEAST_MINORITY:
        return
    shared = _distinctive(labels.name)
    told: dict[str, float] = {}
    found: dict[str, Finding] = {}
    for column in columns:
        if column.n_distinct + bool(column.n_missing) < 2:
            continue
        counts = counts_by_value(column, labels)
        told[column.name] = share_told(column, labels, counts)
        finding = (
            _tells(column, labels, told[column.name])
            or _follows(column, labels, counts)
            or has_values_for_one_class(column, labels)
            or _named_like(column, told[column.name], shared)
        )
        if finding is not None:
            found[column.name] = finding
    yield from found.values()
    others = {name: share for name, share in told.items() if name not in found}
    yield from _stand_out(others, labels)


def _tells(column: CodedColumn, labels: CodedLabels, told: float) -> Finding | None:
    if told < _TELLS[column.few]:
        return None
    return _leak(column.name, labels, told, "")


def _stand_out(told: dict[str, float], labels: CodedLabels) -> Iterator[Finding]:
    """Find columns that tell most of the label, where the others tell little."""
    most = [name for name, share in told.items() if share >= _TELLS_MOST]
    if len(told) - len(most) < _LEAST_OTHERS:
        return
    usual = max((share for share in told.values() if share < _TELLS_MOST), default=1.0)
    for name in most:
        if told[name] >= _TIMES_OTHERS * usual:
            yield _leak(name, labels, told[name], ", far more than other columns do")


def _leak(name: str, labels: CodedLabels, told: float, more: str) -> Finding:
    share = labels.n_minority / len(labels.codes)
    right, baseline = 1 - share * (1 - told), 1 - share
    return Finding(
        "leak",
        name,
        f"{name} alone tells the label of {percent(right)} of the rows ({percent(baseline)} have "
        f"the most frequent one){more}. Is it known before the outcome? If not, leave it out.",
        {"right": right, "baseline": baseline, "told": told},
    )


def _follows(column: CodedColumn, labels: CodedLabels, counts: NDArray[np.intp]) -> Finding | None:
    """Look the other way: the column may be nearly a function of the label."""
    if not column.few or column.n_distinct > len(labels.classes):
        return None
    frequent = int(counts.sum(axis=1).max())
    wrong, at_most = int(counts.sum() - counts.max(axis=0).sum()), int(counts.sum()) - frequent
    if at_most < _LEAST_MINORITY or 1 - wrong / at_most < _FOLLOWS:
        return None
    right = 1 - wrong / len(labels.codes)
    return Finding(
        "follows_label",
        column.name,
        f"{column.name} follows from the label in {percent(right)} of the rows. Was it derived "
        "from it, or from the same outcome? If so, leave it out.",
        {"right": right},
    )


def has_values_for_one_class(column: CodedColumn, labels: CodedLabels) -> Finding | None:
    """Return a finding where a column has, or lacks, values for one class alone."""
    rows = len(labels.codes)
    least = max(_LEAST_MINORITY, int(_LEAST_GROUP * rows))
    if min(column.n_missing, rows - column.n_missing) < least:
        return None
    counts = counts_by_value(column, labels)
    sides = {"a value": counts[:-1].sum(axis=0), "no value": counts[-1]}
    for what, side in sides.items():
        code = int(np.argmax(side))
        share = int(side[code]) / int(side.sum())
        usual = int(labels.counts[code]) / rows
        if 1 - share <= _PURER * (1 - usual):
            return Finding(
                "presence",
                column.name,
                f"{column.name} has {what} in {counted(int(side.sum()), 'row')}, {percent(share)} "
                f"of them labelled {labels.classes[code]} ({percent(usual)} of all rows). Is it "
                "recorded before the outcome? If not, leave it out.",
                {"side": what, "rows": int(side.sum()), "share": share, "usual": usual},
            )
    return None


def _distinctive(name: str | None) -> frozenset[str]:
    words = words_of(name or "")
    return frozenset(word for word in words if len(word) > 3 and word not in _GENERAL)


def _named_like(column: CodedColumn, told: float, shared: frozenset[str]) -> Finding | None:
    if not shared or told < _TELLS_WITH_NAME:
        return None
    common = shared & set(words_of(column.name))
    if not common:
        return None
    word = min(common)
    return Finding(
        "named_like_label",
        column.name,
        f"{column.name} is named like the label ({word}) and tells much of it. Is it known before "
        "the outcome? If not, leave it out.",
        {"word": word, "told": told},
    )
