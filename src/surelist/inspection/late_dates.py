"""Dates that lie after the others and tell the label: likely dates of the outcome itself.

A date cannot say by itself whether it was known in time. But where it lies after another date of
the same row, and whether it does, whether it is filled in or how late it is tells much of the
label, it is likely to be a part of what happened afterwards. And where nearly all rows from some
day on have one class, those of the other class were perhaps not followed for long enough.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import counted
from surelist.inspection.association import counts_by_value, share_told
from surelist.inspection.coded import CodedColumn, CodedLabels
from surelist.inspection.finding import Finding, percent
from surelist.inspection.leaks import LEAST_ROWS, has_values_for_one_class
from surelist.inspection.protected import meaning_of

__all__ = ["find_late_dates", "find_one_class_since"]

_COMPLETE = 0.95
_LATER = 0.95
_TELLS = 0.5
# For a date that lies after another one in some rows: the least share of the rows on either side,
# and the least share of the label that the side tells.
_LEAST_SIDE = 0.02
_SIDE_TELLS = 0.25
# For one class from some day on: the least share of the rows, the least share of that class among
# them, and by how much that exceeds its share of all rows.
_LEAST_END = 0.05
_PURE, _PURER = 0.97, 0.2


def find_late_dates(columns: list[CodedColumn], labels: CodedLabels) -> Iterator[Finding]:
    """Yield a finding for each column of dates that looks like what happened afterwards."""
    rows = len(labels.codes)
    dates = [column for column in columns if column.column.kind in ("date", "datetime")]
    # Everything lies after a date of birth.
    complete = [
        date
        for date in dates
        if date.n_missing <= (1 - _COMPLETE) * rows and meaning_of(date.name) != "age"
    ]
    for date in dates:
        if rows - date.n_missing < LEAST_ROWS:
            continue
        others = [other for other in complete if other is not date]
        found = _always_later(date, others, labels) or _later_in_one_class(date, others, labels)
        if found is not None:
            yield found


def _always_later(
    date: CodedColumn, others: list[CodedColumn], labels: CodedLabels
) -> Finding | None:
    if not _tells_much(date, labels):
        return None
    earlier = [(share, each) for each in others if (share := _share_later(date, each)) >= _LATER]
    if not earlier:
        return None
    # The latest of the earlier dates says most.
    share, other = max(earlier, key=lambda each: _middle(each[1]))
    return Finding(
        "late_date",
        date.name,
        f"{date.name} lies after {other.name} in {percent(share)} of the rows that have "
        "it, and tells much of the label. Is it known before the outcome? If not, leave "
        "it out.",
        {"after": other.name, "share": share, "told": share_told(date, labels)},
    )


def _later_in_one_class(
    date: CodedColumn, others: list[CodedColumn], labels: CodedLabels
) -> Finding | None:
    """Look for an earlier date after which this one lies mostly in rows of one class."""
    sides = (_sides(date, other, labels) for other in others)
    found = [each for each in sides if each is not None]
    if not found:
        return None
    told, other, shares = max(found, key=lambda each: each[0])
    code = int(np.argmax(shares[0] - shares[1]))
    after, before = float(shares[0][code]), float(shares[1][code])
    return Finding(
        "late_date",
        date.name,
        f"Where {date.name} lies after {other.name}, {percent(after)} of the rows are labelled "
        f"{labels.classes[code]}; elsewhere {percent(before)}. Is it known before the outcome? "
        "If not, leave it out.",
        {"after": other.name, "share": after, "elsewhere": before, "told": told},
    )


def _sides(
    date: CodedColumn, other: CodedColumn, labels: CodedLabels
) -> tuple[float, CodedColumn, NDArray[np.float64]] | None:
    """Return how much of the label it tells whether a date lies after another, and class shares."""
    both = ~date.column.missing & ~other.column.missing
    days = date.column.values[both] - other.column.values[both]
    # Of two dates the one that lies later on the whole is the one to ask about.
    if len(days) == 0 or days.astype(np.float64).mean() <= 0:
        return None
    side = np.where(days.astype(np.int64) > 0, 0, 1)
    n_classes = len(labels.classes)
    counts = np.bincount(side * n_classes + labels.codes[both], minlength=2 * n_classes)
    counts = counts.reshape(2, n_classes)
    sizes = counts.sum(axis=1)
    if sizes.min() < max(LEAST_ROWS, _LEAST_SIDE * len(labels.codes)):
        return None
    wrong = int((sizes - counts.max(axis=1)).sum())
    usual = int(sizes.sum() - counts.sum(axis=0).max())
    told = 1 - wrong / max(1, usual)
    return (told, other, counts / sizes[:, None]) if told >= _SIDE_TELLS else None


def find_one_class_since(columns: list[CodedColumn], labels: CodedLabels) -> Iterator[Finding]:
    """Yield a finding for each date from which on nearly all rows are of one class."""
    rows = len(labels.codes)
    for date in columns:
        if date.column.kind not in ("date", "datetime") or meaning_of(date.name) == "age":
            continue
        counts = counts_by_value(date, labels)[:-1]
        since = np.cumsum(counts[::-1], axis=0)[::-1]  # rows from each value on, by class
        sizes = since.sum(axis=1)
        codes = since.argmax(axis=1)
        shares = since.max(axis=1) / np.maximum(1, sizes)
        usual = labels.counts[codes] / rows
        pure = (shares >= _PURE) & (1 - shares <= _PURER * (1 - usual))
        fits = np.flatnonzero(pure & (sizes >= max(2 * LEAST_ROWS, _LEAST_END * rows)))
        if len(fits) == 0 or fits[0] == 0:
            continue
        first = int(fits[0])
        size, share, code = int(sizes[first]), float(shares[first]), int(codes[first])
        yield Finding(
            "one_class_since",
            date.name,
            f"Of {counted(size, 'row')} with {date.name} from {date.value_text(first)} on, "
            f"{percent(share)} are labelled {labels.classes[code]} "
            f"({percent(float(usual[first]))} of all rows). Were the others followed for long "
            "enough? If not, leave it out, and perhaps these rows.",
            {"rows": size, "share": share, "usual": float(usual[first])},
        )


def _tells_much(date: CodedColumn, labels: CodedLabels) -> bool:
    if share_told(date, labels) >= _TELLS:
        return True
    return has_values_for_one_class(date, labels) is not None


def _share_later(date: CodedColumn, other: CodedColumn) -> float:
    both = ~date.column.missing & ~other.column.missing
    if int(both.sum()) < LEAST_ROWS:
        return 0.0
    return float((date.column.values[both] > other.column.values[both]).mean())


def _middle(date: CodedColumn) -> int:
    present = date.column.values[~date.column.missing].astype(np.int64)
    return int(np.median(present))
