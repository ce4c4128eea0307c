"""The values and columns that conditions name: as people write them, and in JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from surelist._common.messages import shown
from surelist.errors import InputError

__all__ = [
    "OPERATORS",
    "Value",
    "clause_text",
    "column_text",
    "quote",
    "value_from_json",
    "value_text",
    "value_to_json",
    "values_from_json",
]

Value = str | int | float | bool | date | datetime

OPERATORS = "<>=≤≥≠"
# What a word or sign means something else at, so that it has to stand in quotes.
_ODD_VALUE = re.compile(r'["\\(){},]|(?:^|\s)(?:and|or|not)(?:\s|$)', re.IGNORECASE)
_NEEDS_QUOTES = re.compile(
    rf'["\\{{}}{OPERATORS}]|^\(|(?:^|\s)(?:and|or|not|in|is)(?:\s|$)', re.IGNORECASE
)
# What the name of a 0/1 column, which is a clause of its own, must not be or begin with.
_ODD_CLAUSE = re.compile(r'.*"|\(|not(?![^\s(])', re.IGNORECASE | re.DOTALL)


def value_text(value: Value) -> str:
    """Return a value as people write it; text that could be misread stands in quotes.

    Examples
    --------
    >>> from datetime import date, datetime
    >>> from surelist.conditions.values import value_text
    >>> value_text(25.0), value_text(0.1), value_text(date(2020, 2, 29)), value_text("a, b")
    ('25', '0.1', '2020-02-29', '"a, b"')
    >>> value_text(datetime(2020, 2, 29)), value_text(datetime(2020, 2, 29, 12, 30))
    ('2020-02-29', '2020-02-29T12:30')
    """
    if isinstance(value, str):
        plain = value.isprintable() and value.strip() == value and "  " not in value
        return value if value and plain and not _ODD_VALUE.search(value) else quote(value)
    if isinstance(value, float):
        short = repr(float(value))
        return short.removesuffix(".0")
    if isinstance(value, datetime):
        return _datetime_text(value)
    return value.isoformat() if isinstance(value, date) else str(value)


def _datetime_text(value: datetime) -> str:
    text = value.isoformat()
    day, _, time = text.partition("T")
    if time == "00:00:00":
        return day
    return f"{day}T{time.removesuffix(':00')}" if value.tzinfo is None else text


def column_text(column: str, *, quoted: bool = False) -> str:
    """Return the name of a column, in quotes where it could be taken for something else.

    Examples
    --------
    >>> from surelist.conditions.values import column_text
    >>> column_text("worst radius"), column_text("a < b"), column_text("7")
    ('worst radius', '"a < b"', '"7"')
    """
    plain = column.isprintable() and column.strip() == column and bool(column)
    odd = _NEEDS_QUOTES.search(column) or _like_a_value(column) or not _balanced(column)
    return quote(column) if quoted or not plain or odd else column


def clause_text(column: str) -> str:
    """Return the name of a 0/1 column as a clause: in quotes where it could be several clauses.

    So no two antecedents print the same. Quotes outside of a name are those around one, and what is
    left of the parentheses is balanced: clauses end where the first parenthesis is closed again.

    Examples
    --------
    >>> from surelist.conditions.values import clause_text
    >>> clause_text("sex = Male"), clause_text("income (k)"), clause_text("not a")
    ('sex = Male', 'income (k)', '"not a"')
    >>> clause_text("(a)"), clause_text("a) and (b")
    ('"(a)"', '"a) and (b"')
    """
    return quote(column) if _ODD_CLAUSE.match(column) or not _balanced(column) else column


def _balanced(text: str) -> bool:
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return False
    return depth == 0


def _like_a_value(text: str) -> bool:
    for kind in (float, date.fromisoformat, datetime.fromisoformat):
        try:
            kind(text)
        except ValueError:
            continue
        return True
    return False


def quote(text: str) -> str:
    """Return a text in double quotes, with the escapes of JSON."""
    return json.dumps(text, ensure_ascii=not text.isprintable())


def value_to_json(value: Value) -> Any:
    """Return a value as JSON holds it; what JSON does not keep apart is marked with its type."""
    if isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return {"float": repr(float(value))}
    kind = "datetime" if isinstance(value, datetime) else "date"
    return {kind: value.isoformat()}


def value_from_json(data: Any) -> Value:
    """Read what `value_to_json` returned; anything else is an `InputError`."""
    if isinstance(data, str | bool | int):
        return data
    if isinstance(data, Mapping) and len(data) == 1:
        ((kind, text),) = data.items()
        reader = {"float": float, "date": date.fromisoformat, "datetime": datetime.fromisoformat}
        if kind in reader and isinstance(text, str):
            try:
                return reader[kind](text)  # type: ignore[operator, no-any-return]
            except ValueError:
                pass
    raise InputError(f"{shown(data)} is no value of a condition")


def values_from_json(data: Any) -> tuple[Value, ...]:
    """Read a list of values."""
    if not isinstance(data, Sequence) or isinstance(data, str):
        raise InputError(f"the values of a condition must be a list; got {shown(data)}")
    return tuple(map(value_from_json, data))
