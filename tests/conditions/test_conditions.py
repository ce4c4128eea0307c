"""Conditions: what they say, what they keep, and which rows fulfil them."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, timezone
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from raw_tables import conditions

from surelist import InputError
from surelist.conditions.conditions import (
    Condition,
    Equals,
    Interval,
    IsTrue,
    Missing,
    OneOf,
    condition_from_dict,
)
from surelist.conditions.values import column_text, value_text


def held(condition: Condition, values: Any, missing: Any = None) -> list[bool]:
    array = np.asarray(values)
    absent = np.zeros(len(array), bool) if missing is None else np.asarray(missing)
    return [bool(flag) for flag in condition.holds(array, absent)]


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (IsTrue("age = 18-20"), "age = 18-20"),
        (Equals("sex", "Male"), "sex = Male"),
        (Equals("charge", "Felony (F3)"), 'charge = "Felony (F3)"'),
        (Equals("name", 'say "x"'), 'name = "say \\"x\\""'),
        (Equals("name", ""), 'name = ""'),
        (Equals("name", "a\nb"), 'name = "a\\nb"'),
        (Equals("name", "salt and pepper"), 'name = "salt and pepper"'),
        (Equals("income", "<25K"), "income = <25K"),
        (OneOf("race", ("Asian", "Other")), "race in {Asian, Other}"),
        (Interval("age", None, 25, high_closed=False), "age < 25"),
        (Interval("age", None, 25), "age ≤ 25"),
        (Interval("age", 25), "age ≥ 25"),
        (Interval("age", 25, low_closed=False), "age > 25"),
        (Interval("age", 23, 25), "23 ≤ age ≤ 25"),
        (Interval("x", 0.5, 1.0, high_closed=False), "0.5 ≤ x < 1"),
        (Interval("x", -1e-300, 1e300, low_closed=False), "-1e-300 < x ≤ 1e+300"),
        (Interval("day", date(2020, 2, 29)), "day ≥ 2020-02-29"),
        (Interval("at", datetime(2020, 2, 29)), "at ≥ 2020-02-29"),
        (Interval("at", datetime(2020, 2, 29, 7, 30)), "at ≥ 2020-02-29T07:30"),
        (Interval("at", datetime(2020, 2, 29, tzinfo=UTC)), "at ≥ 2020-02-29T00:00:00+00:00"),
        (Interval("grade", "b", order=("a", "b", "c")), "grade ≥ b"),
        (Interval("worst radius", 15), "worst radius ≥ 15"),
        (Interval("a < b", 15), '"a < b" ≥ 15'),
        (Interval("7", 15), '"7" ≥ 15'),
        (Missing("age"), "age is missing"),
    ],
)
def test_text(condition: Condition, text: str) -> None:
    assert str(condition) == text
    again = condition_from_dict(json.loads(json.dumps(condition.to_dict())))
    assert again == condition
    assert type(condition).from_dict(condition.to_dict()) == condition


def test_quoted_columns() -> None:
    assert Equals("a", 1).text(quoted=True) == '"a" = 1'
    assert IsTrue("a").text(quoted=True) == '"a"'
    assert column_text(" a") == '" a"'
    assert value_text(True) == "True"


@pytest.mark.slow
@given(conditions())
def test_json_keeps_conditions_exactly(condition: Condition) -> None:
    again = condition_from_dict(json.loads(json.dumps(condition.to_dict())))
    assert again == condition
    assert repr(again) == repr(condition)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"kind": "is_true"},
        {"kind": "is_true", "column": 3},
        {"kind": "magic", "column": "a"},
        {"kind": "equals", "column": "a"},
        {"kind": "equals", "column": "a", "value": 1.5},
        {"kind": "equals", "column": "a", "value": {"float": 1.5}},
        {"kind": "equals", "column": "a", "value": {"float": "x"}},
        {"kind": "equals", "column": "a", "value": {"date": "2020-13-01"}},
        {"kind": "one_of", "column": "a", "values": "ab"},
        {"kind": "one_of", "column": "a", "values": [None]},
        {"kind": "interval", "column": "a"},
        {"kind": "interval", "column": "a", "low": 1},
        {"kind": "interval", "column": "a", "low": 1, "low_closed": 1},
        {"kind": "interval", "column": "a", "low": {"float": "nan"}, "low_closed": True},
        {"kind": "interval", "column": "a", "low": "x", "low_closed": True, "order": ["y"]},
    ],
)
def test_damaged_dictionaries_are_refused(data: Any) -> None:
    with pytest.raises(InputError):
        condition_from_dict(data)


def test_missing_values_fulfil_nothing_but_missing() -> None:
    values, missing = np.array([1.0, np.nan, 0.0]), np.array([False, True, False])
    assert held(IsTrue("a"), values, missing) == [True, False, False]
    assert held(Equals("a", 0), values, missing) == [False, False, True]
    assert held(Interval("a", None, 5), values, missing) == [True, False, True]
    assert held(Missing("a"), values, missing) == [False, True, False]


def test_ordinals() -> None:
    order = ("low", "mid", "high")
    values = np.array(["low", "high", "mid", "unseen"], dtype=object)
    assert held(Interval("g", "mid", order=order), values) == [False, True, True, False]
    below = Interval("g", None, "mid", high_closed=False, order=order)
    assert held(below, values) == [True, False, False, False]
    assert below.members == ("low",)
    assert Interval("g", "low", "mid", low_closed=False, order=order).members == ("mid",)


def test_dates_and_times() -> None:
    moments = np.array(["2020-01-01", "2020-06-01T12:00"], dtype="datetime64[us]")
    assert held(Interval("d", date(2020, 6, 1)), moments) == [False, True]
    assert held(Interval("d", datetime(2020, 6, 1, 12), low_closed=False), moments) == [False] * 2
    zone = timezone(timedelta(hours=2))
    assert held(Interval("d", datetime(2020, 6, 1, 14, tzinfo=zone)), moments) == [False, True]
    assert held(Equals("d", date(2020, 1, 1)), moments) == [True, False]
    assert held(Equals("d", "2020-01-01"), moments) == [False, False]


def test_text_has_no_order() -> None:
    with pytest.raises(InputError, match="cannot be compared"):
        held(Interval("a", 3), np.array(["a"], dtype=object))


NUMBERS = st.one_of(
    st.integers(-(2**80), 2**80),
    st.integers(-5, 5),
    st.floats(allow_nan=False),
    st.sampled_from([2**53, 2**53 + 1, -(2**63), 2**63, 2**64, 2**63 - 1, 0.5, -0.0, 255, 256]),
)
COLUMNS = st.one_of(
    st.lists(st.floats(allow_nan=False), min_size=1).map(lambda x: np.array(x, np.float64)),
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1).map(lambda x: np.array(x, np.int64)),
    st.lists(st.integers(0, 2**64 - 1), min_size=1).map(lambda x: np.array(x, np.uint64)),
    st.lists(st.integers(0, 255), min_size=1).map(lambda x: np.array(x, np.uint8)),
    st.lists(st.booleans(), min_size=1).map(np.array),
)


def python(number: Any) -> Any:
    return number if isinstance(number, float) and number in (np.inf, -np.inf) else Fraction(number)


@pytest.mark.slow
@given(COLUMNS, NUMBERS, st.booleans())
def test_comparisons_are_exact_whatever_the_types(column: Any, end: Any, closed: bool) -> None:
    values, limit = [python(value) for value in column.tolist()], python(end)
    above = [value > limit or (closed and value == limit) for value in values]
    assert held(Interval("a", end, low_closed=closed), column) == above
    below = [value < limit or (closed and value == limit) for value in values]
    assert held(Interval("a", None, end, high_closed=closed), column) == below
    assert held(Equals("a", end), column) == [value == limit for value in values]
    assert held(OneOf("a", (end, 1)), column) == [value in (limit, 1) for value in values]
