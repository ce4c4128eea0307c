"""Dates that lie after the others and tell the label: likely dates of the outcome itself.

A date cannot say by itself whether it was known in time. But where it lies after another date of
the same row, and whether it is filled in or how late it is tells much of the label, it is likely to
be a part of what happened afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from surelist.inspection.association import share_told
from surelist.inspection.coded import CodedColumn, CodedLabels
from surelist.inspection.finding import Finding, percent
from surelist.inspection.leaks import LEAST_ROWS, has_values_for_one_class
from surelist.inspection.protected import meaning_of

__all__ = ["find_late_dates"]

_COMPLETE = 0.95
_LATER = 0.95
_TELLS = 0.5


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
        if rows - date.n_missing < LEAST_ROWS or not _tells_much(date, labels):
            continue
        earlier = [
            (share, other)
            for other in complete
            if other is not date and (share := _share_later(date, other)) >= _LATER
        ]
        if earlier:
            # The latest of the earlier dates says most.
            share, other = max(earlier, key=lambda each: _middle(each[1]))
            yield Finding(
                "late_date",
                date.name,
                f"{date.name} lies after {other.name} in {percent(share)} of the rows that have "
                "it, and tells much of the label. Is it known before the outcome? If not, leave "
                "it out.",
                {"after": other.name, "share": share, "told": share_told(date, labels)},
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
