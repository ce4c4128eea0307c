"""Predicates in text: ``age < 25 and sex = Male and not (race in {a, b})`` into conditions.

The parser reads what conditions and clauses print. It knows the columns of the table, so a name may
hold spaces and signs, and may even look like a clause. The parser finds all readings of a text. If
there are several, it takes

1. the reading in which all names are in double quotes, with the escapes of JSON;
2. else the reading that prints as this text, with each clause in parentheses, if no other reading
   prints as this text, with parentheses or without.

With columns ``a``, ``b`` and ``a and b``, the text ``(a and b)`` means the third column. If there
is also a column ``(a)``, the text ``(a)`` is refused. Every other text with two readings is
refused, and the error shows both.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, NoReturn

from surelist.conditions.conditions import Condition, Equals, Interval, IsTrue, Missing, OneOf
from surelist.conditions.values import Value, value_text
from surelist.errors import InputError
from surelist.tables.column import Column

__all__ = ["AmbiguousError", "Literal", "parse_antecedent"]

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

# Adversarial names could give a text millions of readings.
_MOST_READINGS = 500


@dataclass(frozen=True)
class Literal:
    """A condition, or its negation."""

    condition: Condition
    negated: bool = False


Reading = tuple[tuple[Literal, ...], int]
"""What was read, and where it ended."""


class AmbiguousError(InputError):
    """A text that can be read in two ways."""


class _ParseError(Exception):
    """An error at a place of the text; another reading of the text may still succeed."""

    def __init__(self, place: int, problem: str) -> None:
        super().__init__(place, problem)
        self.place = place
        self.problem = problem


# Where a text does not begin as a form does, this form has nothing to say about what is wrong.
_OTHER_FORM = (-1, "another form")


def parse_antecedent(
    text: str,
    columns: Mapping[str, Column],
    features: Mapping[str, Condition] | None = None,
) -> tuple[Literal, ...]:
    """Read an antecedent: clauses, each in parentheses or not, joined by ``and``.

    Parameters
    ----------
    text : str
        A clause is ``column``, ``column < value`` (or ``<=``, ``≤``, ``>``, ``>=``, ``≥``, ``=``,
        ``!=``, ``≠``), ``value ≤ column < value``, ``column in {value, value}`` or
        ``column is missing``, and may begin with ``not``.
    columns
        The columns of the table by name.
    features
        The features, by the text that they print. Such a text is always a clause, whatever it looks
        like; so is the name of a 0/1 column.

    Raises
    ------
    InputError
        Says at which character the text cannot be read, and why; or that it can be read in several
        ways, and in which.

    Examples
    --------
    >>> from surelist.predicates import parse_antecedent
    >>> from surelist.tables.table import Columns, read_table
    >>> columns = Columns(read_table([[25, "Male"], [31, "Female"]]))
    >>> [str(literal.condition) for literal in parse_antecedent("x0<30 and (x1 = Male)", columns)]
    ['x0 < 30', 'x1 = Male']
    """
    features = {} if features is None else features
    parser = _Parser(text, columns, features)
    try:
        readings = parser.readings()
    except _ParseError as fault:
        raise InputError(
            f"antecedent {text!r}, character {fault.place + 1}: {fault.problem}"
        ) from None
    # The same clauses in another order are the same antecedent.
    different = list({frozenset(literals): literals for literals in readings}.values())
    if len(different) == 1:
        return readings[0]
    meant = _Spelled(text, columns, features).meant(readings)
    if meant is not None:
        return meant
    ways = ", or as ".join(sorted(map(_quoted, different[:3])))
    raise AmbiguousError(
        f"antecedent {text!r} can be read in {len(different)} ways: as {ways}. "
        "Write the one that is meant in this way"
    )


class _Spelled:
    """Compares readings with a text: clauses and ``and``, with single spaces between them."""

    def __init__(
        self, text: str, columns: Mapping[str, Column], features: Mapping[str, Condition]
    ) -> None:
        self.text = text
        self.columns = columns
        self.features = features
        self.names = {condition: name for name, condition in features.items()}

    def meant(self, readings: Iterable[tuple[Literal, ...]]) -> tuple[Literal, ...] | None:
        """Return the only reading that the rules above allow; None if there is none."""
        readings = list(readings)
        quoted, printed, plain = (
            {frozenset(one): one for one in readings if self.spells(one, forms)}
            for forms in (self.in_quotes, self.printed, self.plain)
        )
        if len(quoted) == 1:
            return next(iter(quoted.values()))
        return next(iter(printed.values())) if len(printed) == len(plain) == 1 else None

    def spells(
        self, literals: tuple[Literal, ...], forms: Callable[[Literal], Iterable[str]]
    ) -> bool:
        """Whether the text is the literals, each in one of its forms."""
        ends = {0}
        for position, literal in enumerate(literals):
            joint = " and " if position else ""
            ends = {
                begin + len(joint) + len(form)
                for form in forms(literal)
                for begin in ends
                if self.text.startswith(joint + form, begin)
            }
        return len(self.text) in ends

    def in_quotes(self, literal: Literal) -> list[str]:
        return _forms({literal.condition.text(quoted=True)}, literal.negated, bare=True)

    def printed(self, literal: Literal) -> list[str]:
        return _forms(self.written(literal.condition), literal.negated, bare=False)

    def plain(self, literal: Literal) -> list[str]:
        return _forms(self.written(literal.condition), literal.negated, bare=True)

    def written(self, condition: Condition) -> set[str]:
        """Return the texts of a condition: with its column's plain name, and with quotes."""
        name, quoted = condition.text(), condition.text(quoted=True)
        # A text that is also the name of a 0/1 column means that column, so this one needs quotes.
        other = name in self.columns and not condition.is_column
        if other or self.features.get(name, condition) != condition:
            name = quoted
        return {name, quoted, self.names.get(condition, quoted)}


def _forms(texts: Iterable[str], negated: bool, *, bare: bool) -> list[str]:
    clauses = [f"not {text}" if negated else text for text in texts]
    return [*(f"({clause})" for clause in clauses), *(clauses if bare else ())]


def _quoted(literals: Iterable[Literal]) -> str:
    """Return an antecedent with the names of columns in quotes."""
    texts = ((literal.condition.text(quoted=True), literal.negated) for literal in literals)
    return " and ".join(f"(not {text})" if negated else f"({text})" for text, negated in texts)


class _Parser:
    """Recursive descent into every reading; methods take a place and return what begins there.

    Those that read a single form raise an error where the text does not have it. `clause` and
    `conjunction` collect what any form returned, and remember the errors of the others.
    """

    def __init__(
        self, text: str, columns: Mapping[str, Column], features: Mapping[str, Condition]
    ) -> None:
        self.text = text
        self.columns = columns
        self.names = sorted(columns, key=len, reverse=True)
        self.known = set(features.values())
        self.printed: list[tuple[str, Condition]] = [
            *features.items(),
            *((condition.text(quoted=True), condition) for condition in features.values()),
            *((name, IsTrue(name)) for name in self.names),
        ]
        self.orders = {
            condition.column: condition.order
            for condition in features.values()
            if isinstance(condition, Interval) and condition.order
        }
        self.clauses: dict[int, list[Reading]] = {}
        self.conjunctions: dict[int, list[Reading]] = {}
        self.fault = _ParseError(*_OTHER_FORM)

    def fail(self, place: int, problem: str) -> NoReturn:
        raise _ParseError(place, problem)

    def blame(self, fault: _ParseError) -> None:
        """Remember the error that is furthest to the right; of errors at one place, the first."""
        if fault.place > self.fault.place:
            self.fault = fault

    def skip(self, place: int) -> int:
        while place < len(self.text) and self.text[place].isspace():
            place += 1
        return place

    def readings(self) -> list[tuple[Literal, ...]]:
        """Return what the whole text may mean, at least one reading."""
        found = [(literals, self.skip(end)) for literals, end in self.conjunction(0)]
        whole = [literals for literals, end in found if end == len(self.text)]
        if found and not whole:
            self.blame(_ParseError(max(end for _, end in found), "expected 'and' or the end"))
        if not whole:
            raise self.fault
        return whole

    def conjunction(self, place: int) -> list[Reading]:
        if place not in self.conjunctions:
            found: dict[Reading, None] = {}
            for literals, end in self.clause(place):
                found[literals, end] = None
                if match := _AND.match(self.text, self.skip(end)):
                    for more, last in self.conjunction(match.end()):
                        found[literals + more, last] = None
            self.conjunctions[place] = self.few(found, place)
        return self.conjunctions[place]

    def few(self, found: Iterable[Reading], place: int) -> list[Reading]:
        readings = list(found)
        if len(readings) > _MOST_READINGS:
            self.fail(place, "too many readings; write names in quotes and clauses in parentheses")
        return readings

    def clause(self, place: int) -> list[Reading]:
        if place not in self.clauses:
            before, begin = self.fault, self.skip(place)
            found: dict[Reading, None] = dict.fromkeys(self.feature(place))
            # The error of the last form is the most specific one, so it is remembered first.
            for read in (self.group, self.negation, self.condition, self.two_sided):
                try:
                    for literals, end in read(begin):
                        self.check_end(end)
                        found[literals, end] = None
                except _ParseError as fault:
                    self.blame(fault)
            if found:
                self.fault = before  # another form succeeded: no error
            self.clauses[place] = self.few(found, place)
        return self.clauses[place]

    def feature(self, place: int) -> Iterator[Reading]:
        """Find features whose text stands here; names may begin or end with spaces, or be empty."""
        for begin in range(place, self.skip(place) + 1):
            for name, condition in self.printed:
                end = begin + len(name)
                if not self.text.startswith(name, begin) or self.inside_a_word(end):
                    continue
                try:
                    self.check_end(end)
                except _ParseError:
                    continue
                # Tested last, because it reads the whole column.
                if condition in self.known or _is_feature(self.columns[name]):
                    yield (Literal(condition),), end

    def check_end(self, place: int) -> None:
        place = self.skip(place)
        rest = self.text[place:]
        if rest and rest[0] != ")" and not _AND.match(rest):
            problem = "expected 'and' or the end"
            if re.match(r"or\b", rest, re.IGNORECASE):
                problem = "antecedents are joined by 'and' only; give two antecedents for 'or'"
            self.fail(place, problem)

    def negation(self, place: int) -> Iterator[Reading]:
        match = _NOT.match(self.text, place)
        if match is None:
            self.fail(*_OTHER_FORM)
        for literals, end in self.clause(match.end()):
            if len(literals) > 1:
                self.fail(place, "'not' stands before a single clause")
            yield (Literal(literals[0].condition, not literals[0].negated),), end

    def group(self, place: int) -> Iterator[Reading]:
        if not self.text.startswith("(", place):
            self.fail(*_OTHER_FORM)
        inside = [(literals, self.skip(end)) for literals, end in self.conjunction(place + 1)]
        closed = [reading for reading in inside if self.text.startswith(")", reading[1])]
        if inside and not closed:
            self.fail(max(end for _, end in inside), "expected ')'")
        for literals, end in closed:
            yield literals, end + 1

    def unknown_column(self, place: int) -> str:
        match = re.compile(r"[^<>=≤≥≠!(){}]*").match(self.text, place)
        found = match.group().strip() if match else ""
        if not found:
            return "expected the name of a column"
        close = difflib.get_close_matches(found, self.names, n=3)
        hint = f"; close to it are {', '.join(map(repr, close))}" if close else ""
        return f"{found!r} is no column{hint}"

    # Conditions.

    def condition(self, place: int) -> Iterator[Reading]:
        found = list(self.with_columns(place, self.asked))
        if not found:
            self.fail(place, self.unknown_column(place))
        yield from found

    def with_columns(self, place: int, read: Callable[[Column, int], Reading]) -> Iterator[Reading]:
        """Try every column whose name stands here, the longest first."""
        for column, end in self.columns_at(place):
            try:
                reading = read(column, end)
                self.check_end(reading[1])
            except _ParseError as fault:
                self.blame(fault)
            else:
                yield reading

    def columns_at(self, place: int) -> list[tuple[Column, int]]:
        found = []
        if match := _STRING.match(self.text, place):
            name = self.unquoted(match.group(), place)
            if name in self.columns:
                found.append((self.columns[name], match.end()))
        for name in self.names:
            end = place + len(name)
            if name and self.text.startswith(name, place) and not self.inside_a_word(end):
                found.append((self.columns[name], end))
        return found

    def inside_a_word(self, place: int) -> bool:
        return self.text[place - 1 : place].isalnum() and self.text[place : place + 1].isalnum()

    def unquoted(self, written: str, place: int) -> str:
        try:
            return str(json.loads(written))
        except ValueError:
            self.fail(place, "the quotes hold an escape that JSON does not know")

    def asked(self, column: Column, place: int) -> Reading:
        """Read the rest of a condition, after the name of its column."""
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
        if not _is_feature(column):
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
        if column.name in self.orders:
            return self.orders[column.name]
        if column.kind == "text":
            self.fail(place, f"column {column.name!r} has no order; ask with = or in")
        return tuple(column.values.tolist()) if column.kind == "ordinal" else ()

    def two_sided(self, place: int) -> Iterator[Reading]:
        """Read ``low ≤ column < high``. The type of the column decides how ``low`` is read."""
        start = place
        low_end = self.low_end(place)
        sign = _OPERATOR.match(self.text, low_end)
        if sign is None or sign.group() not in ("<", "<=", "≤"):
            self.fail(*_OTHER_FORM)
        place = self.skip(sign.end())

        def read(column: Column, end: int) -> Reading:
            second = _OPERATOR.match(self.text, self.skip(end))
            if second is None or second.group() not in ("<", "<=", "≤"):
                self.fail(*_OTHER_FORM)
            order = self.order(column, end)
            low = self.typed(column, self.text[start:low_end].strip(), start)
            high, after = self.value(column, second.end())
            closed = (sign.group() != "<", second.group() != "<")
            return (Literal(Interval(column.name, low, high, *closed, order=order)),), after

        yield from self.with_columns(place, read)

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
        """Convert a text to a value of the column's type."""
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


def _is_feature(column: Column) -> bool:
    """Whether a column is a feature as it is, under its own name."""
    return column.kind == "number" and column.binary


def _number(text: str) -> int | float:
    if text in ("True", "False"):
        return text == "True"
    number = int(text) if _WHOLE.fullmatch(text) else float(text)
    if number != number:
        raise ValueError("NaN cannot be compared with")
    return number


def _moment(column: Column, text: str) -> date | datetime:
    if column.kind == "date":
        return date.fromisoformat(text)
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=UTC) if column.aware and moment.tzinfo is None else moment
