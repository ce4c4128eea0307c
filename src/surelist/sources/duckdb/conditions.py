"""Conditions as SQL for DuckDB: the same result as `Condition.holds` on every row.

A column is an expression that is NULL where the value is missing: a BOOLEAN, an integer or a DOUBLE
for numbers, microseconds since 1970 for dates, text for the rest. Numbers are compared in the
column's own type, never converted to one that would round.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

import numpy as np

from surelist._common.messages import shown
from surelist._common.moments import naive_utc
from surelist._common.sql import quoted_text
from surelist.conditions.compare import fits, nearest
from surelist.conditions.conditions import Condition, Interval, IsTrue, Missing
from surelist.conditions.values import Value
from surelist.errors import InputError

__all__ = ["SqlColumn", "condition_sql", "literal"]

_EPOCH = datetime(1970, 1, 1)


@dataclass(frozen=True)
class SqlColumn:
    """A column of a database.

    Attributes
    ----------
    name : str
    kind : str
        "number", "date", "datetime", "text" or "ordinal", as `surelist.tables.table.Column` has it.
    sql : str
        The expression of its values, NULL where one is missing.
    dtype : numpy dtype
        Of the values as numpy has them: bool, whole numbers, float64, or object for text.
    aware : bool
        Whether moments carry a time zone.
    order : tuple of str
        The values of an ordinal column, from the lowest.
    """

    name: str
    kind: str
    sql: str
    dtype: np.dtype[Any]
    aware: bool = False
    order: tuple[str, ...] = ()

    def with_sql(self, sql: str) -> SqlColumn:
        """Return the same column, read by another expression."""
        return replace(self, sql=sql)


def literal(value: Any) -> str:
    """Return a value as SQL writes it, without loss.

    Examples
    --------
    >>> from surelist.sources.duckdb.conditions import literal
    >>> literal("it's"), literal(0.1), literal(7), literal(True)
    ("'it''s'", "'0.1'::DOUBLE", '7', 'true')
    """
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating):
        return f"'{float(value)!r}'::DOUBLE"
    # A NUL would end the text of a statement.
    parts = [quoted_text(part) for part in str(value).split("\0")]
    return parts[0] if len(parts) == 1 else f"({' || chr(0) || '.join(parts)})"


def condition_sql(condition: Condition, column: SqlColumn) -> str:
    """Return a test that is true or false, never unknown.

    Examples
    --------
    >>> import numpy as np
    >>> from surelist.conditions import Interval
    >>> from surelist.sources.duckdb.conditions import SqlColumn, condition_sql
    >>> age = SqlColumn("age", "number", '"age"', np.dtype(np.int32))
    >>> condition_sql(Interval("age", None, 24.5), age)
    'coalesce("age" < 25, false)'
    """
    return condition.accept(_Test(column))


@dataclass(frozen=True)
class _Test:
    """Writes conditions on one column as tests."""

    column: SqlColumn

    def is_true(self, condition: IsTrue) -> str:
        return self.one_of(condition, (1,))

    def one_of(self, condition: Condition, values: Sequence[Value]) -> str:  # noqa: ARG002
        return f"coalesce({_one_of(self.column, values)}, false)"

    def between(self, condition: Interval) -> str:
        return f"coalesce({_between(self.column, condition)}, false)"

    def missing(self, condition: Missing) -> str:  # noqa: ARG002
        return f"({self.column.sql} IS NULL)"


def _one_of(column: SqlColumn, values: Sequence[Value]) -> str:
    found = [text for value in values if (text := _same(column, value)) is not None]
    if not found:
        return "false"
    if len(found) == 1:
        return f"{column.sql} = {found[0]}"
    return f"{column.sql} IN ({', '.join(found)})"


def _same(column: SqlColumn, value: Value) -> str | None:
    """Return what to compare the column with; None where it cannot have the value."""
    kind = column.dtype.kind
    if column.kind in ("date", "datetime"):
        return str(_microseconds(value)) if isinstance(value, date) else None
    if kind == "O":
        return literal(value) if isinstance(value, str) else None
    if not isinstance(value, int | float):
        return None
    if kind == "f":
        near = nearest(value)
        return literal(near) if near == value else None
    if isinstance(value, float) and not value.is_integer():  # nor infinite
        return None
    if not fits(column.dtype, int(value)):
        return None
    return literal(bool(value)) if kind == "b" else str(int(value))


def _between(column: SqlColumn, interval: Interval) -> str:
    tests = []
    if interval.low is not None:
        tests.append(_compared(column, interval.low, interval.low_closed, above=True))
    if interval.high is not None:
        # Below or at the end: not above it.
        tests.append(_compared(column, interval.high, not interval.high_closed, above=False))
    return " AND ".join(tests)


def _compared(column: SqlColumn, end: Value, closed: bool, *, above: bool) -> str:
    """Return the test for values above an end, or at it where it is closed; or its opposite."""
    kind = column.dtype.kind
    if column.kind in ("date", "datetime") and isinstance(end, date):
        limit = str(_microseconds(end))
    elif kind == "f" and column.kind == "number" and isinstance(end, int | float):
        near = nearest(end)
        if near != end:  # no float lies between the end and the float nearest to it
            closed = near > end
        limit = literal(near)
    elif kind in "biu" and column.kind == "number" and isinstance(end, int | float):
        return _compared_whole(column, end, closed, above=above)
    else:
        raise InputError(
            f"column {column.name!r} holds {column.kind} values, which cannot be compared with "
            f"{shown(end)}"
        )
    sign = (">=" if closed else ">") if above else ("<" if closed else "<=")
    return f"{column.sql} {sign} {limit}"


def _compared_whole(column: SqlColumn, end: int | float, closed: bool, *, above: bool) -> str:
    present = f"{column.sql} IS NOT NULL"
    if isinstance(end, float) and math.isinf(end):
        return present if (end < 0) == above else "false"
    least = math.ceil(end)
    if least == end and not closed:
        least += 1
    if not fits(column.dtype, least):
        return present if (least < 0) == above else "false"
    value = f"{column.sql}::TINYINT" if column.dtype.kind == "b" else column.sql
    return f"{value} {'>=' if above else '<'} {least}"


def _microseconds(value: date) -> int:
    since = naive_utc(value) - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
