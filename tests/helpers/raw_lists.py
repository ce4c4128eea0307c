"""Random rule lists over raw columns, with tables to try them on; for hypothesis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any

import pandas as pd
from hypothesis import strategies as st

from surelist import Antecedent, Clause, Rule, RuleList
from surelist.conditions.conditions import Condition, Equals, Interval, IsTrue, Missing, OneOf

# No NUL and no half surrogate pairs, which databases cannot hold; all else that text can be.
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
ODD = st.sampled_from(
    [
        *(
            "a",
            "it's",
            'say "hi"',
            "'; DROP TABLE t; --",
            "new\nline",
            "\\",
            "\\'",
            "{x}",
            "%s",
            "${y}",
        ),
        *(
            "nan",
            "NaN",
            "NULL",
            "None",
            "row",
            "predict",
            "present",
            "class",
            "λ ≤ 1",
            "日本",
            "é",
            "",
        ),
        *(
            "# comment",
            '"""',
            "'''",
            "\\n",
            "&lt;",
            "<b>",
            "a -> b",
            "\r",
            "\u2028",
            "\u202e",
            "x" * 70,
        ),
    ]
)
VALUES = st.one_of(TEXT, ODD)
WHOLE = st.one_of(
    st.integers(-3, 3),
    st.sampled_from([2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63)]),
    st.integers(-(2**63), 2**63 - 1),
)
REAL = st.one_of(
    st.sampled_from([0.0, -0.0, 0.5, -1.0, 2.0, 1e300, -1e-300, 5e-324, math.inf, -math.inf]),
    st.sampled_from([2.0**53, 2.0**63, -(2.0**63), 2.0**127, 1.7976931348623157e308]),
    st.floats(allow_nan=False),
)
DAY = st.dates(date(1, 1, 2), date(9999, 12, 30))
DAYS = st.one_of(DAY, st.sampled_from([date(2020, 1, 1), date(2020, 1, 2)]))
MOMENTS = st.one_of(
    st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)),
    st.sampled_from([datetime(2020, 1, 1), datetime(2020, 1, 1, 12, 30), datetime(2020, 1, 2)]),
)
KINDS = {"whole": WHOLE, "real": REAL, "bool": st.booleans(), "text": VALUES}
KINDS |= {"day": DAYS, "moment": MOMENTS}
LABELS = st.one_of(
    st.lists(VALUES, min_size=2, max_size=3, unique=True),
    st.lists(st.integers(-(2**62), 2**62), min_size=2, max_size=3, unique=True),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=3, unique=True),
    st.just([False, True]),
)


@dataclass(frozen=True)
class RawCase:
    """A rule list and a table: for each column its kind and its values, None where missing."""

    rule_list: RuleList
    columns: dict[str, tuple[str, list[Any]]]

    @property
    def frame(self) -> pd.DataFrame:
        return pd.DataFrame(
            {name: pd.Series(values, dtype=object) for name, (_, values) in self.columns.items()}
        )

    @property
    def rows(self) -> list[dict[str, Any]]:
        values = [values for _, values in self.columns.values()]
        return [dict(zip(self.columns, row, strict=True)) for row in zip(*values, strict=True)]


def _ends(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> dict[str, Any]:
    low, high = draw(st.one_of(st.none(), values)), draw(st.one_of(st.none(), values))
    low = draw(values) if low is None and high is None else low
    closed = [end is None or draw(st.booleans()) for end in (low, high)]
    return {"low": low, "high": high, "low_closed": closed[0], "high_closed": closed[1]}


def _condition(
    draw: st.DrawFn, column: str, kind: str, values: st.SearchStrategy[Any]
) -> Condition:
    if draw(st.integers(0, 5)) == 0:
        return Missing(column)
    if kind == "bool":
        value = draw(st.booleans())
        return IsTrue(column) if draw(st.booleans()) else Equals(column, value)
    shape = draw(st.sampled_from(["equals", "one_of", "interval"]))
    if shape == "equals":
        return Equals(column, draw(values))
    if shape == "one_of":
        return OneOf(column, tuple(draw(st.lists(values, min_size=kind != "text", max_size=4))))
    if kind == "text":
        order = tuple(draw(st.lists(values, min_size=1, max_size=4, unique=True)))
        return Interval(column, **_ends(draw, st.sampled_from(order)), order=order)
    if kind in ("whole", "real"):
        # A whole column may be cut at a fraction, and a real one at a whole number.
        other = REAL if kind == "whole" else st.integers(-(2**53), 2**53)
        values = st.one_of(values, other)
    if kind == "day":
        values = st.one_of(values, values.map(lambda d: datetime(d.year, d.month, d.day)))
    return Interval(column, **_ends(draw, values))


@st.composite
def raw_cases(draw: st.DrawFn) -> RawCase:
    """Rule lists with conditions of every kind, and tables that hold the values they ask about."""
    names = st.one_of(TEXT, ODD).filter(bool)
    columns = draw(
        # Databases take names that differ in case alone for one.
        st.lists(names, min_size=1, max_size=3, unique_by=lambda name: name.casefold().lower())
    )
    rows = draw(st.integers(1, 6))
    table: dict[str, tuple[str, list[Any]]] = {}
    pools: dict[str, st.SearchStrategy[Any]] = {}
    for column in columns:
        kind = draw(st.sampled_from(sorted(KINDS)))
        pool: list[Any] = draw(st.lists(KINDS[kind], min_size=1, max_size=4))
        near = [value + timedelta(1) for value in pool] if kind in ("day", "moment") else []
        gaps = [None, math.nan] if kind == "real" else [None]
        cell = st.one_of(st.sampled_from([*pool, *gaps]), KINDS[kind])
        values = draw(st.lists(cell, min_size=rows, max_size=rows))
        table[column] = (kind, values)
        pools[column] = st.one_of(st.sampled_from([*pool, *near]), KINDS[kind])

    clauses = [
        Clause(index, f"feature {index}", draw(st.booleans()), condition)
        for index, condition in enumerate(
            _condition(draw, column, table[column][0], pools[column])
            for column in draw(st.lists(st.sampled_from(columns), min_size=1, max_size=5))
        )
    ]
    return RawCase(_rule_list(draw, clauses, tuple(columns)), table)


def _rule_list(draw: st.DrawFn, clauses: list[Clause], columns: tuple[str, ...]) -> RuleList:
    classes = tuple(draw(LABELS))
    costs = st.sampled_from([Fraction(1), Fraction(1), Fraction(0), Fraction(5, 3)])
    weights = st.lists(st.integers(0, 10**6), min_size=len(classes), max_size=len(classes))

    def rule(antecedent: Antecedent | None) -> Rule:
        counts, code = tuple(draw(weights)), draw(st.integers(0, len(classes) - 1))
        cost = Fraction(1) if antecedent is None else draw(costs)
        return Rule(antecedent, classes[code], counts[code], counts, cost)

    rules: list[Rule] = []
    while clauses and len(rules) < 3:
        size = draw(st.integers(1, 2))
        rules.append(rule(Antecedent(tuple(clauses[:size]))))
        clauses = clauses[size:]
    names = tuple(f"feature {index}" for index in range(5))
    default = rule(None)
    if not any(one.captured for one in (*rules, default)):
        default = Rule(None, classes[0], 1, (1,) + (0,) * (len(classes) - 1))
    penalty = draw(st.sampled_from([Fraction(0), Fraction(1, 100), Fraction(1, 3)]))
    row = st.tuples(*[costs] * len(classes))
    matrix = draw(st.one_of(st.none(), st.tuples(*[row] * len(classes))))
    return RuleList(tuple(rules), default, classes, names, penalty, columns, matrix)
