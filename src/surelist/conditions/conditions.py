"""Conditions: what one Boolean feature asks of one column of a raw table.

A condition is plain data. It prints as people write it (``age < 25``, ``sex = Male``), goes to JSON
and back without loss, and can be evaluated on a column. A missing value fulfils no condition but
`Missing`, and a category that training has not seen fulfils none at all. A negated clause is the
plain logical not of that: a missing age fulfils ``not age < 25``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import shown
from surelist.conditions.compare import Flags, above, same
from surelist.conditions.values import (
    OPERATORS,
    Value,
    column_text,
    quote,
    value_from_json,
    value_text,
    value_to_json,
    values_from_json,
)
from surelist.errors import InputError

__all__ = [
    "Condition",
    "ConditionVisitor",
    "Equals",
    "Interval",
    "IsTrue",
    "Missing",
    "OneOf",
    "condition_from_dict",
]

T = TypeVar("T", covariant=True)


class ConditionVisitor(Protocol[T]):
    """What to do with each kind of condition; `Condition.accept` calls the method that fits.

    For whatever writes conditions in another language. A new kind of condition that needs a method
    of its own is then missed by the type checker in every such place.
    """

    def is_true(self, condition: IsTrue) -> T:
        """For a 0/1 column that is 1."""

    def one_of(self, condition: Condition, values: tuple[Value, ...]) -> T:
        """For a column that has one of some values: a single one, several, or part of an order."""

    def between(self, condition: Interval) -> T:
        """For numbers, dates or datetimes between two ends."""

    def missing(self, condition: Missing) -> T:
        """For a column that has no value."""


@dataclass(frozen=True)
class Condition:
    """What one Boolean feature asks of one column; see the subclasses for the kinds there are."""

    column: str

    kind: ClassVar[str]
    about_missing: ClassVar[bool] = False
    """Whether it is about values that are not there, and so about no kind of values."""
    is_column: ClassVar[bool] = False
    """Whether it is a 0/1 column as it came, under the column's own name."""

    @property
    def example(self) -> Value:
        """A value of the kind that the condition compares with."""
        return True

    def accept(self, visitor: ConditionVisitor[T]) -> T:
        """Call the visitor's method for this kind of condition, and return what it returns."""
        raise NotImplementedError

    def holds(self, values: NDArray[Any], missing: Flags) -> Flags:
        """Return which rows fulfil the condition.

        Parameters
        ----------
        values : ndarray of one value per row
            Bools, numbers, ``datetime64``, or texts as objects. What stands where a value is
            missing does not matter.
        missing : ndarray of bool
            Where a value is missing.
        """
        raise NotImplementedError

    def text(self, *, quoted: bool = False) -> str:
        """Return the condition as people write it; ``quoted`` puts the column's name in quotes."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Return the condition as a dictionary that JSON can hold exactly."""
        return {"kind": self.kind, "column": self.column}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Condition:
        """Read what ``to_dict`` returned, whichever kind of condition it was."""
        return condition_from_dict(data)

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True)
class IsTrue(Condition):
    """A 0/1 or bool column is 1; its text is the column's own name.

    Examples
    --------
    >>> import numpy as np
    >>> from surelist.conditions import IsTrue
    >>> young = IsTrue("young")
    >>> str(young), young.holds(np.array([0, 1, 1]), np.array([False, False, True])).tolist()
    ('young', [False, True, False])
    """

    kind: ClassVar[str] = "is_true"
    is_column: ClassVar[bool] = True

    def accept(self, visitor: ConditionVisitor[T]) -> T:
        """Call ``visitor.is_true``."""
        return visitor.is_true(self)

    def holds(self, values: NDArray[Any], missing: Flags) -> Flags:
        """Return which rows hold a 1."""
        return same(values, 1) & ~missing

    def text(self, *, quoted: bool = False) -> str:
        """Return the column's name."""
        return quote(self.column) if quoted else self.column


@dataclass(frozen=True)
class Equals(Condition):
    """The column has one certain value.

    Examples
    --------
    >>> from surelist.conditions import Equals
    >>> str(Equals("sex", "Male")), str(Equals("charge", "Theft (grand), first"))
    ('sex = Male', 'charge = "Theft (grand), first"')
    """

    value: Value

    kind: ClassVar[str] = "equals"

    @property
    def example(self) -> Value:
        """A value of the kind that the condition compares with."""
        return self.value

    def accept(self, visitor: ConditionVisitor[T]) -> T:
        """Call ``visitor.one_of`` with the value."""
        return visitor.one_of(self, (self.value,))

    def holds(self, values: NDArray[Any], missing: Flags) -> Flags:
        """Return which rows hold the value."""
        return same(values, self.value) & ~missing

    def text(self, *, quoted: bool = False) -> str:
        """Return ``column = value``."""
        return f"{column_text(self.column, quoted=quoted)} = {value_text(self.value)}"

    def to_dict(self) -> dict[str, Any]:
        """Return the condition as a dictionary that JSON can hold exactly."""
        return super().to_dict() | {"value": value_to_json(self.value)}


@dataclass(frozen=True)
class OneOf(Condition):
    """The column has one of several values, such as the rare categories merged into one.

    Examples
    --------
    >>> from surelist.conditions import OneOf
    >>> str(OneOf("race", ("Asian", "Other")))
    'race in {Asian, Other}'
    """

    values: tuple[Value, ...]

    kind: ClassVar[str] = "one_of"

    @property
    def example(self) -> Value:
        """A value of the kind that the condition compares with."""
        return self.values[0] if self.values else ""

    def accept(self, visitor: ConditionVisitor[T]) -> T:
        """Call ``visitor.one_of`` with the values."""
        return visitor.one_of(self, self.values)

    def holds(self, values: NDArray[Any], missing: Flags) -> Flags:
        """Return which rows hold one of the values."""
        found = np.zeros(len(values), dtype=np.bool_)
        if values.dtype.kind == "O":
            wanted = set(self.values)
            found[:] = [value in wanted for value in values]
        else:
            for value in self.values:
                found |= same(values, value)
        return found & ~missing

    def text(self, *, quoted: bool = False) -> str:
        """Return ``column in {value, value}``."""
        members = ", ".join(map(value_text, self.values))
        return f"{column_text(self.column, quoted=quoted)} in {{{members}}}"

    def to_dict(self) -> dict[str, Any]:
        """Return the condition as a dictionary that JSON can hold exactly."""
        return super().to_dict() | {"values": [value_to_json(value) for value in self.values]}


@dataclass(frozen=True)
class Interval(Condition):
    """The column's value lies between two ends, of which one may be open to infinity (None).

    Parameters
    ----------
    column : str
    low, high : number, date, datetime, str or None
        The ends; None where there is none. At least one is given.
    low_closed, high_closed : bool
        Whether an end belongs to the interval.
    order : tuple of str
        For an ordinal column its values from the lowest to the highest, ``low`` and ``high`` among
        them; a value that is not there lies in no interval. Empty for numbers and dates.

    Examples
    --------
    >>> from surelist.conditions import Interval
    >>> str(Interval("age", None, 25, high_closed=False)), str(Interval("age", 25))
    ('age < 25', 'age ≥ 25')
    >>> str(Interval("age", 23, 25))
    '23 ≤ age ≤ 25'
    """

    low: Value | None = None
    high: Value | None = None
    low_closed: bool = True
    high_closed: bool = True
    order: tuple[Value, ...] = ()

    kind: ClassVar[str] = "interval"

    @property
    def example(self) -> Value:
        """A value of the kind that the condition compares with."""
        end = self.low if self.high is None else self.high
        return "" if end is None else end

    def accept(self, visitor: ConditionVisitor[T]) -> T:
        """Call ``visitor.between``, or for an ordinal column ``visitor.one_of``."""
        return visitor.one_of(self, self.members) if self.order else visitor.between(self)

    def __post_init__(self) -> None:
        if self.low is None and self.high is None:
            raise InputError(f"an interval on column {self.column!r} needs at least one end")
        # An absent end is neither open nor closed: equal intervals must compare as equal.
        if self.low is None:
            object.__setattr__(self, "low_closed", True)
        if self.high is None:
            object.__setattr__(self, "high_closed", True)
        for end in (self.low, self.high):
            if isinstance(end, float) and math.isnan(end):
                raise InputError(f"an interval on column {self.column!r} cannot end at NaN")
            if self.order and end is not None and end not in self.order:
                raise InputError(
                    f"{shown(end)} is not among the values of the ordinal column {self.column!r}"
                )

    @property
    def members(self) -> tuple[Value, ...]:
        """For an ordinal column the values within the interval, from the lowest; else empty."""
        first = 0 if self.low is None else self.order.index(self.low) + (not self.low_closed)
        last = len(self.order) if self.high is None else self.order.index(self.high)
        last += self.high is not None and self.high_closed
        return self.order[first:last]

    def holds(self, values: NDArray[Any], missing: Flags) -> Flags:
        """Return which rows hold a value within the interval."""
        if self.order:
            return OneOf(self.column, self.members).holds(values, missing)
        found = ~missing
        if self.low is not None:
            found &= above(values, self.low, self.low_closed)
        if self.high is not None:
            found &= ~above(values, self.high, not self.high_closed)
        return found

    def text(self, *, quoted: bool = False) -> str:
        """Return ``column < high``, ``column ≥ low`` or ``low ≤ column ≤ high``."""
        column = column_text(self.column, quoted=quoted)
        below = "≤" if self.high_closed else "<"
        if self.low is None:
            return f"{column} {below} {self._end(self.high)}"
        if self.high is None:
            return f"{column} {'≥' if self.low_closed else '>'} {self._end(self.low)}"
        above = "≤" if self.low_closed else "<"
        return f"{self._end(self.low)} {above} {column} {below} {self._end(self.high)}"

    def _end(self, value: Value | None) -> str:
        # Between operators, a value with operators in it would be hard to read, and to parse.
        if isinstance(value, str) and any(sign in value for sign in OPERATORS):
            return quote(value)
        return "" if value is None else value_text(value)

    def to_dict(self) -> dict[str, Any]:
        """Return the condition as a dictionary that JSON can hold exactly."""
        data = super().to_dict()
        if self.low is not None:
            data |= {"low": value_to_json(self.low), "low_closed": self.low_closed}
        if self.high is not None:
            data |= {"high": value_to_json(self.high), "high_closed": self.high_closed}
        if self.order:
            data["order"] = [value_to_json(value) for value in self.order]
        return data


@dataclass(frozen=True)
class Missing(Condition):
    """The column has no value.

    Examples
    --------
    >>> from surelist.conditions import Missing
    >>> str(Missing("age"))
    'age is missing'
    """

    kind: ClassVar[str] = "missing"
    about_missing: ClassVar[bool] = True

    def accept(self, visitor: ConditionVisitor[T]) -> T:
        """Call ``visitor.missing``."""
        return visitor.missing(self)

    def holds(self, values: NDArray[Any], missing: Flags) -> Flags:  # noqa: ARG002
        """Return which rows hold no value."""
        return missing.copy()

    def text(self, *, quoted: bool = False) -> str:
        """Return ``column is missing``."""
        return f"{column_text(self.column, quoted=quoted)} is missing"


def condition_from_dict(data: Mapping[str, Any]) -> Condition:
    """Read what a condition's ``to_dict`` returned.

    Raises
    ------
    InputError
        For anything else.

    Examples
    --------
    >>> from surelist.conditions import Interval, condition_from_dict
    >>> young = Interval("age", None, 25, high_closed=False)
    >>> condition_from_dict(young.to_dict()) == young
    True
    """
    if not isinstance(data, Mapping):
        raise InputError(f"a condition must be a dictionary; got {shown(data)}")
    column, kind = data.get("column"), data.get("kind")
    if not isinstance(column, str):
        raise InputError(f"a condition's column must be text; got {shown(column)}")
    if kind == IsTrue.kind:
        return IsTrue(column)
    if kind == Missing.kind:
        return Missing(column)
    if kind == Equals.kind:
        return Equals(column, value_from_json(data.get("value")))
    if kind == OneOf.kind:
        return OneOf(column, values_from_json(data.get("values")))
    if kind == Interval.kind:
        return _interval_from_dict(column, data)
    raise InputError(f"there is no condition of kind {shown(kind)}")


def _interval_from_dict(column: str, data: Mapping[str, Any]) -> Interval:
    ends: dict[str, Any] = {}
    for end in ("low", "high"):
        if end in data:
            closed = data.get(f"{end}_closed")
            if type(closed) is not bool:
                raise InputError(f"{end}_closed of a condition is {shown(closed)}, no bool")
            ends |= {end: value_from_json(data[end]), f"{end}_closed": closed}
    return Interval(column, **ends, order=values_from_json(data.get("order", [])))
