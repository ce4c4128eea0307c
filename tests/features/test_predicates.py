"""Predicates in text: what conditions print is read back; mistakes are pointed at."""

from __future__ import annotations

from datetime import date

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from raw_tables import tables

from surelist import Binarizer, InputError
from surelist.conditions.conditions import Equals, Interval, IsTrue, Missing, OneOf
from surelist.features.predicates import Literal, parse_antecedent
from surelist.tables.table import Columns, read_table

FRAME = pd.DataFrame(
    {
        "age": [20, 30, 40],
        "priors": [0.5, 2.0, None],
        "sex": ["Male", "Female", "Male"],
        "worst radius": [1.0, 2.0, 3.5],
        "young": [0, 1, 0],
        "age = 18-20": [True, False, True],
        "area (mm2)": [1, 5, 9],
        "born": [date(1990, 1, 1), date(1991, 5, 2), None],
        "grade": pd.Categorical(["b", "a", "c"], categories=["a", "b", "c"], ordered=True),
        "not": [3, 4, 5],
        "zip": ["02139", "7", "x and y"],
        "code": pd.Categorical([3, 7, 7]),
    }
)


def columns_of(frame: pd.DataFrame) -> Columns:
    return Columns(read_table(frame))


COLUMNS = columns_of(FRAME)
ORDER = ("a", "b", "c")
DAY = date(1990, 1, 1)
YOUNG = Interval("age", None, 25, high_closed=False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("age < 25", [(YOUNG, False)]),
        ("(age < 25)", [(YOUNG, False)]),
        ("  ( ( age<25 ) )  ", [(YOUNG, False)]),
        ("not age < 25", [(YOUNG, True)]),
        ("not (age < 25)", [(YOUNG, True)]),
        ("not(not (age < 25))", [(YOUNG, False)]),
        ("(not age < 25) and young", [(YOUNG, True), (IsTrue("young"), False)]),
        ("age <= 25", [(Interval("age", None, 25), False)]),
        ("age ≥ 25", [(Interval("age", 25), False)]),
        ("age > -2.5e1", [(Interval("age", -25, low_closed=False), False)]),
        ("age == 25", [(Equals("age", 25), False)]),
        ("age != 25", [(Equals("age", 25), True)]),
        ("23 ≤ age <= 25", [(Interval("age", 23, 25), False)]),
        ("23<age<25", [(Interval("age", 23, 25, False, False), False)]),
        ("age < 25 and priors > 3", [(YOUNG, False), (Interval("priors", 3, None, False), False)]),
        ("age < 25 AND (young)", [(YOUNG, False), (IsTrue("young"), False)]),
        ("sex = Male", [(Equals("sex", "Male"), False)]),
        ('sex = "Male"', [(Equals("sex", "Male"), False)]),
        ('"sex"="Male"', [(Equals("sex", "Male"), False)]),
        ("sex = Male and young", [(Equals("sex", "Male"), False), (IsTrue("young"), False)]),
        ("sex in {Male, Other}", [(OneOf("sex", ("Male", "Other")), False)]),
        ('sex not in {"a, b"}', [(OneOf("sex", ("a, b",)), True)]),
        ("worst radius < 15", [(Interval("worst radius", None, 15, True, False), False)]),
        ("age = 18-20", [(IsTrue("age = 18-20"), False)]),
        ("(age = 18-20) and (young)", [(IsTrue("age = 18-20"), False), (IsTrue("young"), False)]),
        ("area (mm2) < 15", [(Interval("area (mm2)", None, 15, True, False), False)]),
        ("not (area (mm2) < 15)", [(Interval("area (mm2)", None, 15, True, False), True)]),
        ("priors is missing", [(Missing("priors"), False)]),
        ("priors is not missing", [(Missing("priors"), True)]),
        ("born < 1991-01-01", [(Interval("born", None, date(1991, 1, 1), True, False), False)]),
        ("1990-01-01 ≤ born ≤ 1990-01-01", [(Interval("born", DAY, DAY), False)]),
        ("grade ≥ b", [(Interval("grade", "b", order=ORDER), False)]),
        ("a ≤ grade < c", [(Interval("grade", "a", "c", True, False, ORDER), False)]),
        ("not < 5", [(Interval("not", None, 5, True, False), False)]),
        ("not not < 5", [(Interval("not", None, 5, True, False), True)]),
        ("zip = 7", [(Equals("zip", "7"), False)]),
        ('zip = "x and y"', [(Equals("zip", "x and y"), False)]),
        ("code = 7", [(Equals("code", 7), False)]),
        ("age < inf", [(Interval("age", None, float("inf"), True, False), False)]),
    ],
)  # fmt: skip
def test_reading(text: str, expected: list[tuple[object, bool]]) -> None:
    literals = parse_antecedent(text, COLUMNS)
    assert [(literal.condition, literal.negated) for literal in literals] == expected


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("", 1, "expected the name of a column"),
        ("agee < 25", 1, "'agee' is no column; close to it are 'age'"),
        ("age < 25 and", 13, "expected the name of a column"),
        ("age < 25 or young", 7, "'25 or young' is not a number"),
        ("young or sex = Male", 7, "joined by 'and' only; give two antecedents"),
        ("age < old", 7, "'old' is not a number, which column 'age' holds"),
        ("age < nan", 7, "'nan' is not a number"),
        ("age <", 6, "expected a value"),
        ("age", 4, "expected what is asked of 'age', which is not a 0/1 column"),
        ("(age < 25", 10, "expected ')'"),
        ("age < 25)", 9, "expected 'and' or the end"),
        ("not (age < 25 and young)", 1, "'not' stands before a single clause"),
        ("sex < Male", 5, "column 'sex' has no order; ask with = or in"),
        ("sex in {a b", 12, "expected ',' or '}'"),
        ("sex in {", 9, "expected a value"),
        ("grade ≥ z", 9, "'z' is not among the values of column 'grade'"),
        ("born < 1991", 8, "'1991' is not a date"),
        ('sex = "\\q"', 7, "an escape that JSON does not know"),
    ],
)
def test_mistakes_are_pointed_at(text: str, place: int, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_antecedent(text, columns_of(FRAME.drop(columns="not")))
    assert f"character {place}: " in str(caught.value)
    assert problem in str(caught.value)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(tables())
def test_names_of_features_are_read_back(frame: pd.DataFrame) -> None:
    """Whatever the columns are called and hold, alone, negated, and within an antecedent."""
    binarizer = Binarizer("quantile", intervals=True, min_frequency=0.2).fit(frame)
    columns = columns_of(frame)
    names = binarizer.get_feature_names_out()
    for name, condition in zip(names, binarizer.conditions_, strict=True):
        literal = Literal(condition)
        assert parse_antecedent(condition.text(quoted=True), columns) == (literal,)
        if names_are_plain(frame):
            assert parse_antecedent(name, columns) == (literal,)
            assert parse_antecedent(f"(not {name})", columns) == (Literal(condition, True),)
            twice = f"({name}) and (not {name})"
            assert parse_antecedent(twice, columns) == (literal, Literal(condition, True))


def names_are_plain(frame: pd.DataFrame) -> bool:
    """Whether no 0/1 column is called what could be a clause about another, as ``a < 3``."""
    return all(
        str(name).isidentifier() and name not in ("and", "not", "in", "is") for name in frame
    )
