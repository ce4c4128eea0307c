"""Classes and groups of so few rows that rates about them say little."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from surelist._common.messages import counted
from surelist.inspection.coded import CodedColumn, CodedLabels
from surelist.inspection.finding import Finding

__all__ = ["SMALL", "find_small_classes", "find_small_groups"]

# Of 30 rows, the error rate is known to within about 18 percentage points either way.
SMALL = 30
_MOST_GROUPS = 30
_MOST_NAMED = 3


def find_small_classes(labels: CodedLabels) -> Iterator[Finding]:
    """Yield a finding for each class of few rows."""
    for name, rows in zip(labels.classes, labels.counts.tolist(), strict=True):
        if rows < SMALL and rows < len(labels.codes) / 10:
            yield Finding(
                "small_class",
                None,
                f"Only {counted(rows, 'row')} of {len(labels.codes):,} "
                f"{'has' if rows == 1 else 'have'} the label {name}: too few to learn from, or "
                "to tell how often it is missed.",
                {"class": name, "rows": rows},
            )


def find_small_groups(columns: list[CodedColumn], protected: Collection[str]) -> Iterator[Finding]:
    """Yield a finding for each protected column with groups of few rows."""
    for column in columns:
        if column.name not in protected or not 2 <= column.n_distinct <= _MOST_GROUPS:
            continue
        if column.ordered and not column.few:
            continue
        counts = np.bincount(column.codes[column.codes >= 0])
        small = [code for code in np.argsort(counts, kind="stable") if counts[code] < SMALL]
        if not small:
            continue
        named = [f"{column.value_text(code)} ({counts[code]:,})" for code in small[:_MOST_NAMED]]
        more = f" and {len(small) - _MOST_NAMED} more" if len(small) > _MOST_NAMED else ""
        yield Finding(
            "small_group",
            column.name,
            f"{column.name} has groups of fewer than {SMALL} rows: {', '.join(named)}{more}. Error "
            "rates of such groups say little.",
            {"groups": {column.value_text(code): int(counts[code]) for code in small}},
        )
