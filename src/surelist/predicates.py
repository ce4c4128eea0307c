"""Predicates in text: ``age < 25 and sex = Male and not (race in {a, b})`` into conditions.

What conditions and clauses print, this reads back. The columns of the table are known, so a name
may hold spaces and signs; of several that fit, the longest is meant, unless that leads nowhere.
Names and values may stand in double quotes, with the escapes of JSON, and have to where they could
be taken for something else.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, NoReturn

from surelist.condition_values import Value, value_text
from surelist.conditions import Condition, Equals, Interval, IsTrue, Missing, OneOf
from surelist.errors import InputError
from surelist.tables import Column

__all__ = ["Literal", "parse_antecedent"]

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_WHOLE = re.compile(r"[+-]?\d+")
_OPERATOR = re.compile(r"<=|>=|!=|==|[<>=≤≥≠]")
_PLAIN_OPERATOR = {"<=": "≤", ">=": "≥", "!=": "≠", "==": "="}
_AND = re.compile(r"and(?![^\s(\"])", re.IGNORECASE)
_NOT = re.compile(r"not(?![^\s(\"])", re.IGNORECASE)
# A value without quotes ends at the next clause, or at the parenthesis around its own.
_BARE = re.compile(r"(?:(?!\s+and(?:[\s(\"]|$)|\s*[)},]).)+", re.IGNORECASE | re.DOTALL)
_MEMBERSHIP = re.compile(r"(not\s+)?in\s*\{", re.IGNORECASE)
_MISSING = re.compile(r"is\s+(not\s+)?missing(?!\w)", re.IGNORECASE)


@dataclass(frozen=True)
class Literal:
    """A condition, or its negation."""

    condition: Condition
    negated: bool = False


class _ParseError(Exception):
    """Something wrong at a place; another reading of the text may still do."""

    def __init__(self, place: int, problem: str) -> None:
        super().__init__(place, problem)
        self.place = place
        self.problem = problem


# Where a text is not of one form, that says nothing about what is wrong with it.
_OTHER_FORM = (-1, "another form")


def parse_antecedent(text: str, columns: Mapping[str, Column]) -> tuple[Literal, ...]:
    """Read an antecedent: clauses, each in parentheses or not, joined by ``and``.

    Parameters
    ----------
    text : str
        A clause is ``column``, ``column < value`` (or ``<=``, ``≤``, ``>``, ``>=``, ``≥``, ``=``,
        ``!=``, ``≠``), ``value ≤ column < value``, ``column in {value, value}`` or
        ``column is missing``, and may begin with ``not``.
    columns
        The columns of the table by name.

    Raises
    ------
    InputError
        Saying at which character the text cannot be read, and why.

    Examples
    --------
    >>> from surelist.predicates import parse_antecedent
    >>> from surelist.tables import Columns, read_table
    >>> columns = Columns(read_table([[25, "Male"], [31, "Female"]]))
    >>> [str(literal.condition) for literal in parse_antecedent("x0<30 and (x1 = Male)", columns)]
    ['x0 < 30', 'x1 = Male']
    """
    parser = _Parser(text, columns)
    try:
        literals, end = parser.conjunction(0)
        if end < len(text):
            parser.fail(end, "expected 'and' or the end")
    except _ParseError as fault:
        raise InputError(
            f"antecedent {text!r}, character {fault.place + 1}: {fault.problem}"
        ) from None
    return literals


class _Parser:
    """Recursive descent; every method takes a place and returns what it read and where it ended."""

    def __init__(self, text: str, columns: Mapping[str, Column]) -> None:
        self.text = text
        self.columns = columns
        self.names = sorted(columns, key=len, reverse=True)

    def fail(self, place: int, problem: str) -> NoReturn:
        raise _ParseError(place, problem)

    def skip(self, place: int) -> int:
        while place < len(self.text) and self.text[place].isspace():
            place += 1
        return place

    def conjunction(self, place: int) -> tuple[tuple[Literal, ...], int]:
        literals, place = self.clause(place)
        while match := _AND.match(self.text, place := self.skip(place)):
            more, place = self.clause(match.end())
            literals += more
        return literals, place

    def clause(self, place: int) -> tuple[tuple[Literal, ...], int]:
        """Read a condition first, as names and values may begin with anything; then the rest."""
        place = self.skip(place)
        faults: list[_ParseError] = []
        for read in (self.two_sided, self.condition, self.negation, self.group):
            try:
                literals, end = read(place)
                self.check_end(end)
            except _ParseError as fault:
                faults.append(fault)
            else:
                return literals, end
        # Of faults at one place, that of the last form tried is the most particular.
        raise max(reversed(faults), key=lambda fault: fault.place)

    def check_end(self, place: int) -> None:
        place = self.skip(place)
        rest = self.text[place:]
        if rest and rest[0] != ")" and not _AND.match(rest):
            problem = "expected 'and' or the end"
            if re.match(r"or\b", rest, re.IGNORECASE):
                problem = "antecedents are joined by 'and' only; give two antecedents for 'or'"
            self.fail(place, problem)

    def negation(self, place: int) -> tuple[tuple[Literal, ...], int]:
        match = _NOT.match(self.text, place)
        if match is None:
            self.fail(*_OTHER_FORM)
        literals, end = self.clause(match.end())
        if len(literals) > 1:
            self.fail(place, "'not' stands before a single clause")
        return (Literal(literals[0].condition, not literals[0].negated),), end

    def group(self, place: int) -> tuple[tuple[Literal, ...], int]:
        if not self.text.startswith("(", place):
            self.fail(*_OTHER_FORM)
        literals, end = self.conjunction(place + 1)
        end = self.skip(end)
        if not self.text.startswith(")", end):
            self.fail(end, "expected ')'")
        return literals, end + 1

    def unknown_column(self, place: int) -> str:
        match = re.compile(r"[^<>=≤≥≠!(){}]*").match(self.text, place)
        found = match.group().strip() if match else ""
        if not found:
            return "expected the name of a column"
        close = difflib.get_close_matches(found, self.names, n=3)
        hint = f"; close to it are {', '.join(map(repr, close))}" if close else ""
        return f"{found!r} is no column{hint}"

    # Conditions.

    def condition(self, place: int) -> tuple[tuple[Literal, ...], int]:
        furthest = _ParseError(place, self.unknown_column(place))
        return self.with_columns(place, self.asked, furthest)

    def with_columns(
        self,
        place: int,
        read: Callable[[Column, int], tuple[tuple[Literal, ...], int]],
        furthest: _ParseError,
    ) -> tuple[tuple[Literal, ...], int]:
        """Try every column whose name stands here, the longest first."""
        for column, end in self.columns_at(place):
            try:
                literals, after = read(column, end)
                self.check_end(after)
            except _ParseError as fault:
                furthest = max(furthest, fault, key=lambda fault: fault.place)
            else:
                return literals, after
        raise furthest

    def columns_at(self, place: int) -> list[tuple[Column, int]]:
        found = []
        if match := _STRING.match(self.text, place):
            name = self.unquoted(match.group(), place)
            if name in self.columns:
                found.append((self.columns[name], match.end()))
        for name in self.names:
            end = place + len(name)
            inside_a_word = (
                self.text[end - 1 : end].isalnum() and self.text[end : end + 1].isalnum()
            )
            if name and self.text.startswith(name, place) and not inside_a_word:
                found.append((self.columns[name], end))
        return found

    def unquoted(self, written: str, place: int) -> str:
        try:
            return str(json.loads(written))
        except ValueError:
            self.fail(place, "the quotes hold an escape that JSON does not know")

    def asked(self, column: Column, place: int) -> tuple[tuple[Literal, ...], int]:
        """Read what is asked of a column after its name."""
        start, place = place, self.skip(place)
        if match := _MISSING.match(self.text, place):
            return (Literal(Missing(column.name), bool(match[1])),), match.end()
        if match := _MEMBERSHIP.match(self.text, place):
            values, end = self.members(column, match.end())
            return (Literal(OneOf(column.name, values), bool(match[1])),), end
        if match := _OPERATOR.match(self.text, place):
            sign = _PLAIN_OPERATOR.get(match.group(), match.group())
            value, end = self.value(column, match.end())
            if sign in "=≠":
                return (Literal(Equals(column.name, value), sign == "≠"),), end
            return (Literal(self.one_sided(column, sign, value, place)),), end
        self.check_end(start)
        if column.kind != "number" or not column.binary:
            self.fail(
                place, f"expected what is asked of {column.name!r}, which is not a 0/1 column"
            )
        return (Literal(IsTrue(column.name)),), start

    def one_sided(self, column: Column, sign: str, value: Value, place: int) -> Condition:
        order = self.order(column, place)
        if sign in "<≤":
            return Interval(column.name, None, value, high_closed=sign == "≤", order=order)
        return Interval(column.name, value, None, low_closed=sign == "≥", order=order)

    def order(self, column: Column, place: int) -> tuple[Value, ...]:
        if column.kind == "text":
            self.fail(place, f"column {column.name!r} has no order; ask with = or in")
        return tuple(column.values.tolist()) if column.kind == "ordinal" else ()

    def two_sided(self, place: int) -> tuple[tuple[Literal, ...], int]:
        """Read ``low ≤ column < high``: what the low end is, the column decides."""
        start = place
        low_end = self.low_end(place)
        sign = _OPERATOR.match(self.text, low_end)
        if sign is None or sign.group() not in ("<", "<=", "≤"):
            self.fail(*_OTHER_FORM)
        place = self.skip(sign.end())

        def read(column: Column, end: int) -> tuple[tuple[Literal, ...], int]:
            second = _OPERATOR.match(self.text, self.skip(end))
            if second is None or second.group() not in ("<", "<=", "≤"):
                self.fail(*_OTHER_FORM)
            order = self.order(column, end)
            low = self.typed(column, self.text[start:low_end].strip(), start)
            high, after = self.value(column, second.end())
            closed = (sign.group() != "<", second.group() != "<")
            return (Literal(Interval(column.name, low, high, *closed, order=order)),), after

        return self.with_columns(place, read, _ParseError(*_OTHER_FORM))

    def low_end(self, place: int) -> int:
        if match := _STRING.match(self.text, place):
            return self.skip(match.end())
        match = _OPERATOR.search(self.text, place)
        return match.start() if match else place

    # Values.

    def members(self, column: Column, place: int) -> tuple[tuple[Value, ...], int]:
        values = []
        while True:
            value, place = self.value(column, place)
            values.append(value)
            place = self.skip(place)
            if self.text.startswith("}", place):
                return tuple(values), place + 1
            if not self.text.startswith(",", place):
                self.fail(place, "expected ',' or '}'")
            place += 1

    def value(self, column: Column, place: int) -> tuple[Value, int]:
        place = self.skip(place)
        match = _STRING.match(self.text, place) or _BARE.match(self.text, place)
        if match is None:
            self.fail(place, "expected a value")
        return self.typed(column, match.group(), place), match.end()

    def typed(self, column: Column, written: str, place: int) -> Value:
        """Turn what is written into a value such as the column holds."""
        text = self.unquoted(written, place) if _STRING.fullmatch(written) else written
        if column.codes is not None:
            return self.category(column, text, place)
        try:
            return _number(text) if column.kind == "number" else _moment(column, text)
        except ValueError:
            self.fail(place, f"{text!r} is not a {column.kind}, which column {column.name!r} holds")

    def category(self, column: Column, text: str, place: int) -> Value:
        known: dict[str, Any] = {
            value if isinstance(value, str) else value_text(value): value for value in column.values
        }
        if text not in known and column.kind == "ordinal":
            self.fail(place, f"{text!r} is not among the values of column {column.name!r}")
        value: Value = known.get(text, text)
        return value


def _number(text: str) -> int | float:
    if text in ("True", "False"):
        return text == "True"
    number = int(text) if _WHOLE.fullmatch(text) else float(text)
    if number != number:
        raise ValueError("NaN is no number to compare with")
    return number


def _moment(column: Column, text: str) -> date | datetime:
    if column.kind == "date":
        return date.fromisoformat(text)
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=UTC) if column.aware and moment.tzinfo is None else moment
