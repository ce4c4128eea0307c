"""Random raw tables with odd names and values, for hypothesis."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from surelist.conditions.conditions import Condition, Equals, Interval, IsTrue, Missing, OneOf

ODD_TEXTS = (
    *("", " ", "a", "A", "and", "not a", "a and b", "a or b", "a < 3", "a = b", "x is missing"),
    *(
        '"',
        "'",
        "\\",
        'say "x"',
        "(",
        ")",
        "(a)",
        "{a, b}",
        ",",
        "é",
        "日本",
        "λ≤3",
        "a\nb",
        "\t",
        "\0",
    ),
    *(
        "7",
        "1e5",
        "nan",
        "inf",
        "2020-01-01",
        "True",
        "in",
        "is",
        "a  b",
        " a",
        "a ",
        "in {",
        "≤",
        "%",
    ),
)
TEXTS = st.one_of(st.sampled_from(ODD_TEXTS), st.text(max_size=6))
NUMBERS = st.one_of(
    st.integers(-9, 9),
    st.floats(allow_nan=False),
    st.sampled_from([1e300, -1e-300, 0.1, 1 / 3, 2.5, float("inf"), float("-inf"), 10**15]),
)
DAYS = st.dates(date(1, 1, 2), date(9999, 12, 30))
MOMENTS = st.datetimes(datetime(1700, 1, 1), datetime(2250, 1, 1)).map(
    lambda moment: moment.replace(fold=0)
)
VALUES = st.one_of(
    TEXTS,
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    DAYS,
    MOMENTS,
    MOMENTS.map(lambda moment: moment.replace(tzinfo=UTC)),
)


@st.composite
def conditions(draw: st.DrawFn) -> Condition:
    """Any condition at all."""
    column = draw(TEXTS)
    kind = draw(st.sampled_from(["is_true", "missing", "equals", "one_of", "interval", "ordinal"]))
    if kind == "is_true":
        return IsTrue(column)
    if kind == "missing":
        return Missing(column)
    if kind == "equals":
        return Equals(column, draw(VALUES))
    if kind == "one_of":
        return OneOf(column, tuple(draw(st.lists(VALUES, min_size=1, max_size=4))))
    closed = draw(st.booleans()), draw(st.booleans())
    order: tuple[Any, ...] = ()
    ends = VALUES
    if kind == "ordinal":
        order = tuple(draw(st.lists(TEXTS, min_size=1, max_size=4, unique=True)))
        ends = st.sampled_from(order)
    low, high = draw(st.one_of(st.none(), ends)), draw(st.one_of(st.none(), ends))
    if low is None and high is None:
        high = draw(ends)
    return Interval(column, low, high, *closed, order=order)


@st.composite
def tables(draw: st.DrawFn) -> pd.DataFrame:
    """A table of a few odd columns."""
    names = draw(st.lists(TEXTS.filter(bool), min_size=1, max_size=4, unique=True))
    n_rows = draw(st.integers(2, 12))
    return pd.DataFrame({name: draw(_columns(n_rows)) for name in names})


@st.composite
def _columns(draw: st.DrawFn, n_rows: int) -> Any:
    kind = draw(st.sampled_from(["bits", "whole", "real", "text", "day", "moment", "ordinal"]))

    def many(values: Any) -> list[Any]:
        return draw(st.lists(values, min_size=n_rows, max_size=n_rows))

    if kind == "bits":
        return np.array(many(st.integers(0, 1)), dtype=draw(st.sampled_from([bool, np.int8])))
    if kind == "whole":
        return np.array(many(st.integers(-(2**63), 2**63 - 1) | st.integers(0, 5)), np.int64)
    if kind == "real":
        return np.array(many(NUMBERS | st.just(float("nan"))), np.float64)
    if kind == "text":
        return pd.Series(
            many(st.sampled_from(draw(st.lists(TEXTS, min_size=1, max_size=4))) | st.none()),
            dtype=object,
        )
    if kind == "day":
        return pd.Series(many(DAYS | st.none()), dtype=object)
    if kind == "moment":
        zone = draw(st.sampled_from([None, "UTC"]))
        moments = pd.Series(many(MOMENTS | st.none()), dtype="datetime64[us]")
        return moments.dt.tz_localize(zone)
    order = draw(st.lists(TEXTS, min_size=1, max_size=4, unique=True))
    return pd.Categorical(many(st.sampled_from(order) | st.none()), categories=order, ordered=True)
