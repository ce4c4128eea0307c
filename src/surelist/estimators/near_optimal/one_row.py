"""What the lists of a set predict for one row, which need not be of the training data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist.errors import InputError
from surelist.estimators.near_optimal.found import FoundLists
from surelist.estimators.near_optimal.points import labels_of_rows
from surelist.estimators.near_optimal.source import Source
from surelist.tables.table import read_table

__all__ = ["shares_of_row"]


def shares_of_row(source: Source, found: FoundLists, x: Any) -> dict[Any, float]:
    """Return the share of lists that predict each class.

    Raises
    ------
    InputError
        For anything but one row, or one that lacks a column.
    """
    places = np.hstack([found.prefixes, np.full((len(found), 1), -1)]).astype(np.intp)
    labels = labels_of_rows(places, found.labels, _captures(source, x))
    counts = np.bincount(labels[:, 0], minlength=len(source.classes))
    return {
        label: float(count) / max(1, len(found))
        for label, count in zip(source.classes, counts, strict=True)
    }


def _captures(source: Source, x: Any) -> NDArray[np.bool_]:
    """Return which antecedents capture the row; the last place, -1, is the default."""
    table = read_table(x)
    if table.n_rows != 1:
        raise InputError(f"explain_row takes one row; got {table.n_rows}")
    names = source.prepared.data.columns or source.prepared.data.names
    if not table.named and len(table.names) != len(names):
        raise InputError(f"x has {len(table.names)} columns; the lists know {len(names)}")
    position = {name: at for at, name in enumerate(table.names if table.named else names)}
    asked = [clause.asks for each in source.antecedents for clause in each.clauses]
    missing = [each.column for each in asked if each.column not in position]
    if missing:
        raise InputError(f"x has no column {missing[0]!r}, which the lists ask about")
    holds: dict[Any, bool] = {}
    captured = np.ones((len(source.antecedents) + 1, 1), np.bool_)
    for index, antecedent in enumerate(source.antecedents):
        for clause in antecedent.clauses:
            asks = clause.asks
            if asks not in holds:
                holds[asks] = bool(table.column(position[asks.column]).fulfils(asks)[0])
            captured[index, 0] &= holds[asks] != clause.negated
    return captured
