"""`surelist.inspect`: all checks on one table, in the order in which their findings matter."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

from surelist.errors import InputError
from surelist.inspection.coded import CodedColumn, CodedLabels, coded
from surelist.inspection.finding import KINDS, Finding
from surelist.inspection.identifiers import find_identifiers
from surelist.inspection.inspection import Inspection
from surelist.inspection.late_dates import find_late_dates, find_one_class_since
from surelist.inspection.leaks import find_leaks
from surelist.inspection.protected import find_protected
from surelist.inspection.small_groups import find_small_classes, find_small_groups
from surelist.inspection.uninformative import find_constants, find_duplicates
from surelist.tables.labels import read_labels
from surelist.tables.table import Table, read_table

__all__ = ["inspect"]

# Number of rows to look at: more would change no finding, and take as long as a search.
_MOST_ROWS = 200_000


def inspect(
    X: Any,
    y: Any = None,
    *,
    label: str | None = None,
    protected: Collection[str] = (),
) -> Inspection:
    """Look for columns that make a result worth less than it seems, before anything is learned.

    A list that is proven optimal may still rest on a column that gives the label away. This finds
    columns that do, identifiers, dates after the event, constant and duplicate columns, classes and
    groups of few rows, and names that speak of something protected. Nothing is changed or left
    out, and nothing here is a proof: it says where to look.

    Parameters
    ----------
    X : data frame or array-like of shape (n_rows, n_columns)
        What `RuleListClassifier.fit` takes, in memory.
    y : array-like of shape (n_rows,), optional
        The labels. Without them, what depends on labels is not looked for.
    label : str, optional
        What the column of labels is called; by default the name of y, where it has one.
    protected : collection of str
        Columns that are protected; groups of few rows are looked for in them, and in those whose
        name says that they may be.

    Returns
    -------
    Inspection

    Raises
    ------
    InputError
        For a table or labels that no model can be learned from.

    Examples
    --------
    >>> import surelist
    >>> X = [[number, number % 2, 7] for number in range(100)]
    >>> print(surelist.inspect(X, [row[1] for row in X]))
    warning  x1 alone tells the label of 100 % of the rows (50 % have the most frequent one). \
Is it known before the outcome? If not, leave it out.
    warning  x0 numbers the rows: it tells rows apart, and a rule about it says nothing of new \
rows. Leave it out.
    note     x2 is '7' in every row: it tells nothing.
    """
    if hasattr(X, "cut_points"):
        raise InputError("rows outside memory cannot be inspected; pass some of them as a table")
    table = read_table(X)
    labels = _labels(y, table.n_rows, label)
    rows = _some_rows(table.n_rows)
    columns = [_column(table, index, rows) for index in range(len(table.names))]
    if labels is not None and rows is not None:
        labels = CodedLabels(labels.codes[rows], labels.classes, labels.name)
    found = list(_findings(columns, labels, table.named, protected))
    n_looked_at = table.n_rows if rows is None else len(rows)
    return Inspection(tuple(_sorted(found, table.names)), table.n_rows, n_looked_at)


def _labels(y: Any, n_rows: int, name: str | None) -> CodedLabels | None:
    if y is None:
        return None
    read = read_labels(y, n_rows)
    own = getattr(y, "name", None)
    named = name if name is not None else own if isinstance(own, str) else None
    return CodedLabels(read.codes.astype(np.intp), tuple(map(str, read.classes.tolist())), named)


def _some_rows(n_rows: int) -> Any:
    """Return rows spread over a long table; None for all of a shorter one."""
    if n_rows <= _MOST_ROWS:
        return None
    return np.linspace(0, n_rows - 1, _MOST_ROWS).astype(np.intp)


def _column(table: Table, index: int, rows: Any) -> CodedColumn:
    column = table.column(index)
    return coded(column if rows is None else column.take(rows))


def _findings(
    columns: list[CodedColumn], labels: CodedLabels | None, named: bool, protected: Collection[str]
) -> Iterator[Finding]:
    serious: dict[str | None, Finding] = {}
    if labels is not None:
        for finding in (
            *find_late_dates(columns, labels),
            *find_leaks(columns, labels),
            *find_one_class_since(columns, labels),
        ):
            serious.setdefault(finding.column, finding)
        yield from find_small_classes(labels)
    for finding in find_identifiers(columns):
        serious.setdefault(finding.column, finding)
    yield from serious.values()
    yield from find_constants(columns)
    yield from find_duplicates(columns)
    guessed = list(find_protected(each.name for each in columns)) if named else []
    about = {*protected, *(str(finding.column) for finding in guessed)}
    yield from find_small_groups(columns, about)
    yield from guessed


def _sorted(found: list[Finding], names: tuple[str, ...]) -> list[Finding]:
    kinds, place = list(KINDS), {name: at for at, name in enumerate(names)}
    return sorted(
        found, key=lambda each: (kinds.index(each.kind), place.get(each.column or "", -1))
    )
