"""Columns that tell rows apart: numbers of cases, names, free text.

A rule about an identifier holds for the rows that it was learned from and for no others. Whole
numbers that all differ are not enough to call a column one, since measurements may all differ, too:
the name has to say so, or the numbers have to count the rows.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from surelist.inspection.coded import CodedColumn
from surelist.inspection.finding import Finding, percent
from surelist.inspection.words import words_of

__all__ = ["find_identifiers"]

_LEAST_ROWS = 20
_MOSTLY = 0.5  # share of rows with a value of their own
_LEAST_TEXTS = 30
_MANY = 1000

# Words that mean an identifier, in several languages.
_WORDS = frozenset(
    {
        *("id", "ids", "uid", "uuid", "guid", "ssn", "key", "idx", "index", "serial", "unnamed"),
        *("rowid", "rownum", "rownames", "nr", "no", "num", "number", "nummer", "numero"),
        *("identifier", "identifiant", "identificador", "identificativo", "identifikator"),
        *("kennung", "kennziffer", "aktenzeichen", "matricule", "folio"),
    }
)


def find_identifiers(columns: list[CodedColumn]) -> Iterator[Finding]:
    """Yield a finding for each column that identifies rows."""
    for column in columns:
        present = len(column.codes) - column.n_missing
        if present < _LEAST_ROWS or column.n_distinct < 2:
            continue
        why = _reason(column, present)
        if why is not None:
            yield Finding(
                "identifier",
                column.name,
                f"{column.name} {why}: it tells rows apart, and a rule about it says nothing of "
                "new rows. Leave it out.",
                {"distinct": column.n_distinct, "present": present},
            )


def _reason(column: CodedColumn, present: int) -> str | None:
    own = column.n_distinct / present
    if not column.ordered:
        if own < _MOSTLY or column.n_distinct < _LEAST_TEXTS:
            return None
        if column.n_distinct == present:
            return "has another text in every row"
        return f"has {column.n_distinct:,} different texts in {present:,} rows ({percent(own)})"
    if column.column.kind != "number" or not column.column.whole:
        return None
    if own >= _MOSTLY and _WORDS & set(words_of(column.name)):
        return f"is named like an identifier and has {column.n_distinct:,} different numbers"
    if column.n_distinct == present and _counts_rows(column, present):
        return "numbers the rows"
    return None


def _counts_rows(column: CodedColumn, present: int) -> bool:
    """Whether the numbers are consecutive: from 0 or 1 on, or too many to be a measurement."""
    values = column.column.values[~column.column.missing]
    low, high = int(np.min(values)), int(np.max(values))
    return high - low == present - 1 and (low in (0, 1) or present >= _MANY)
