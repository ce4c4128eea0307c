"""A rule list as an SQL CASE expression.

SQL's logic has three values, ours has two: a missing value fulfils no condition but `Missing`, and
a negated clause is the plain not of that. So a negation is written as NOT of a test that is never
unknown. Names and texts are quoted as standard SQL has it, and numbers are written so that neither
SQLite nor DuckDB has to round them.
"""

from __future__ import annotations

import math
import re
from datetime import date, time
from typing import TYPE_CHECKING

from surelist._common.messages import shown
from surelist._common.moments import naive_utc
from surelist._common.sql import quoted_name, quoted_text
from surelist.conditions.conditions import Condition, Interval, IsTrue, Missing
from surelist.conditions.values import Value
from surelist.errors import InputError
from surelist.rule_list.export.values import check_labels
from surelist.rule_list.rules import Clause, Rule

if TYPE_CHECKING:
    from surelist.rule_list.rule_list import RuleList

__all__ = ["to_sql"]

_NOT_IN_SQL = re.compile("[\0\ud800-\udfff]")
_LARGEST_FLOAT = "1.7976931348623157e308"
# The largest whole number that DuckDB keeps exact, and as a number: above it has another type.
_LARGEST_WHOLE = 2**127 - 1


def to_sql(
    rule_list: RuleList,
    *,
    table: str | None = None,
    standard: bool = False,
) -> str:
    """Return the rule list as an SQL expression whose value is the label.

    The same text runs on SQLite and DuckDB. Dates are compared with ISO texts, as both do: in
    SQLite dates are texts themselves.

    Parameters
    ----------
    rule_list : RuleList
    table : str, optional
        Name or alias that is put before each column. With it SQLite refuses a column that does not
        exist; without, it takes the name for a text.
    standard : bool, default=False
        NaN counts as missing, and to tell it from text takes ``typeof``, which SQLite and DuckDB
        have. True gives standard SQL, in which only NULL is missing.

    Raises
    ------
    InputError
        Where a name or text holds a NUL or half a surrogate pair, or a name is empty.

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> from surelist.export import to_sql
    >>> model = RuleListClassifier().fit([[0], [1]] * 5, ["no", "yes"] * 5)
    >>> print(to_sql(model.rule_list_, table="people"))
    CASE
      WHEN "people"."x0" = 1 THEN 'yes'
      ELSE 'no'
    END
    """
    check_labels(rule_list)
    # Of a table with a column of that name, SQLite takes TRUE for the column.
    names = rule_list.columns or rule_list.feature_names
    shadowed = any(name.lower() in ("true", "false") for name in names)
    writer = _Writer("" if table is None else f"{_identifier(table)}.", standard, shadowed)
    if not rule_list.rules:
        return writer.label(rule_list.default.label)
    lines = [writer.rule(rule) for rule in rule_list.rules]
    return "\n".join(["CASE", *lines, f"  ELSE {writer.label(rule_list.default.label)}", "END"])


class _Writer:
    """Writes rules as SQL."""

    def __init__(self, table: str, standard: bool, shadowed: bool) -> None:
        self.table = table
        self.standard = standard
        self.shadowed = shadowed

    def rule(self, rule: Rule) -> str:
        tests = "\n    AND ".join(map(self.clause, rule.clauses))
        return f"  WHEN {tests} THEN {self.label(rule.label)}"

    def label(self, label: Value) -> str:
        if self.shadowed and isinstance(label, bool):
            return "(1 = 1)" if label else "(1 = 0)"
        return _literal(label)

    def clause(self, clause: Clause) -> str:
        condition = clause.asks
        test: str = condition.accept(self)
        if " OR " in test:
            test = f"({test})"
        if not clause.negated:
            return test
        if condition.about_missing:
            return f"NOT ({test})"
        return f"NOT ({self.column(condition)} IS NOT NULL AND {test})"

    def column(self, condition: Condition) -> str:
        return f"{self.table}{_identifier(condition.column)}"

    def is_true(self, condition: IsTrue) -> str:
        return f"{self.column(condition)} = 1"

    def missing(self, condition: Missing) -> str:
        name = self.column(condition)
        if self.standard:
            return f"{name} IS NULL"
        is_nan = f"typeof({name}) IN ('DOUBLE', 'FLOAT') AND CAST({name} AS VARCHAR) = 'nan'"
        return f"{name} IS NULL OR {is_nan}"

    def between(self, condition: Interval) -> str:
        return self.interval(self.column(condition), condition)

    def one_of(self, condition: Condition, values: tuple[Value, ...]) -> str:
        name, tests = self.column(condition), []
        if literals := [text for value in values for text in _members(value)]:
            one = len(literals) == 1
            tests.append(f"{name} = {literals[0]}" if one else f"{name} IN ({', '.join(literals)})")
        for value in values:
            if isinstance(value, float) and math.isinf(value):
                # Neither database has a literal for it that the other reads.
                only = Interval(name, value) if value > 0 else Interval(name, None, value)
                tests.append(self.interval(name, only))
        return " OR ".join(tests) or "1 = 0"

    def interval(self, name: str, interval: Interval) -> str:
        tests = []
        if interval.low is not None:
            tests.append(_above(name, interval.low, interval.low_closed))
        if interval.high is not None:
            tests.append(_below(name, interval.high, interval.high_closed))
        elif not self.standard and isinstance(interval.low, int | float):
            # DuckDB's NaN is above all numbers.
            tests.append(f"CAST({name} AS VARCHAR) <> 'nan'")
        return " AND ".join(tests)


def _above(name: str, end: Value, closed: bool) -> str:
    if isinstance(end, float) and math.isinf(end):
        if end > 0:
            return f"{name} > {_LARGEST_FLOAT}" if closed else f"{name} <> {name}"
        return f"{name} IS NOT NULL" if closed else f"{name} >= -{_LARGEST_FLOAT}"
    # A text that is a date and one with a time compare right where midnight is left out, or not.
    literal = _moment(end, long=not closed) if isinstance(end, date) else _threshold(end)
    return f"{name} {'>=' if closed else '>'} {literal}"


def _below(name: str, end: Value, closed: bool) -> str:
    if isinstance(end, float) and math.isinf(end):
        if end < 0:
            return f"{name} < -{_LARGEST_FLOAT}" if closed else f"{name} <> {name}"
        # Not NaN, which is above infinity.
        return f"CAST({name} AS VARCHAR) <> 'nan'" if closed else f"{name} <= {_LARGEST_FLOAT}"
    literal = _moment(end, long=closed) if isinstance(end, date) else _threshold(end)
    return f"{name} {'<=' if closed else '<'} {literal}"


def _members(value: Value) -> tuple[str, ...]:
    """Return what to compare with for equality; nothing for what has no literal."""
    if isinstance(value, date):
        return tuple(dict.fromkeys((_moment(value, long=False), _moment(value, long=True))))
    if isinstance(value, bool):
        return (str(int(value)),)  # a bool is a 1 in SQLite, and compares with it in DuckDB
    if isinstance(value, float) and not math.isfinite(value):
        return ()
    return (_threshold(value),)


def _moment(value: date, *, long: bool) -> str:
    moment = naive_utc(value)
    if moment.time() == time() and not long:
        return f"'{moment.date().isoformat()}'"
    return f"'{moment.isoformat(' ')}'"


def _literal(value: Value) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, date):
        return _moment(value, long=False)
    return quoted_text(_checked(value, "the text"))


def _threshold(value: Value) -> str:
    """Return a number to compare with, written as a whole one where it is: that is never rounded.

    DuckDB would turn whole columns into floats to compare them with a float.
    """
    if isinstance(value, float) and value.is_integer() and abs(value) <= _LARGEST_WHOLE:
        return str(int(value))
    if isinstance(value, int) and abs(value) > _LARGEST_WHOLE:
        value = float(value) if abs(value) < 2**1023 else math.copysign(1e308, value)
    return _literal(value)


def _number(value: float) -> str:
    # With an exponent it is a float; without, it would be a decimal in DuckDB.
    text = repr(value)
    return text if "e" in text else f"{text}e0"


def _identifier(name: str) -> str:
    if not isinstance(name, str) or not name:
        raise InputError(f"SQL needs names that are texts and not empty; got {shown(name)}")
    return quoted_name(_checked(name, "the name"))


def _checked(text: str, kind: str) -> str:
    if _NOT_IN_SQL.search(text):
        raise InputError(
            f"SQL cannot hold {kind} {shown(text)}: a NUL or half a surrogate pair is in it"
        )
    return text
