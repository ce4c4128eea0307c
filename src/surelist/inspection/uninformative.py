"""Columns without information, or with the same information as another column."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from surelist.inspection.coded import CodedColumn
from surelist.inspection.finding import Finding

__all__ = ["find_constants", "find_duplicates"]


def find_constants(columns: list[CodedColumn]) -> Iterator[Finding]:
    """Yield a finding for each column that has one value, or none, in all rows."""
    for column in columns:
        if column.n_distinct == 0:
            text = f"{column.name} is empty in every row."
        elif column.n_distinct == 1 and column.n_missing == 0:
            text = f"{column.name} is {column.value_text(0)!r} in every row: it tells nothing."
        else:
            continue
        yield Finding("constant", column.name, text, {"distinct": column.n_distinct})


def find_duplicates(columns: list[CodedColumn]) -> Iterator[Finding]:
    """Yield a finding for each column that has the same groups of rows as an earlier one."""
    seen: dict[bytes, CodedColumn] = {}
    for column in columns:
        if column.n_distinct < 2:
            continue
        first = seen.setdefault(_grouping(column), column)
        if first is column:
            continue
        equal = _equal(first, column)
        # Columns that differ in every row have the same groups and need not be alike.
        if equal or column.n_distinct <= len(column.codes) // 2:
            what = "holds the same values as" if equal else "says the same in other values as"
            yield Finding(
                "duplicate",
                column.name,
                f"{column.name} {what} {first.name}. One of them is enough.",
                {"of": first.name, "equal": equal},
            )


def _grouping(column: CodedColumn) -> bytes:
    """Return the codes in the order in which values first occur: alike for alike groups."""
    codes, n_rows = column.codes, len(column.codes)
    if column.n_distinct == 2 and not column.n_missing:  # most columns of some tables: be quick
        return np.packbits(codes != codes[0]).tobytes()
    # Of several rows for one code the last is kept, which is the first here; code -1 is the last.
    first = np.full(column.n_distinct + 1, n_rows, dtype=np.intp)
    first[codes[::-1]] = np.arange(n_rows - 1, -1, -1)
    rank = np.empty(len(first), dtype=np.min_scalar_type(column.n_distinct))
    rank[np.argsort(first)] = np.arange(len(first))
    missing = int(first[-1]) if column.n_missing else -1
    return rank[codes].tobytes() + missing.to_bytes(8, "little", signed=True)


def _equal(one: CodedColumn, other: CodedColumn) -> bool:
    if one.column.kind != other.column.kind:
        return False
    present = one.codes >= 0
    first, second = (
        column.values if column.codes is None else column.values[column.codes]
        for column in (one.column, other.column)
    )
    return bool(np.all(first[present] == second[present]))
