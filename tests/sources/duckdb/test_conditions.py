"""A condition means the same as SQL and in memory, whatever the type of the column."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from query_tables import KINDS

from surelist.conditions.conditions import Condition, Equals, Interval, IsTrue, Missing, OneOf
from surelist.errors import InputError
from surelist.sources.duckdb.columns import column_of, describe
from surelist.sources.duckdb.conditions import SqlColumn, condition_sql, literal
from surelist.sources.duckdb.database import Database
from surelist.tables.table import read_table

NUMBERS = (
    st.integers(-4, 9)
    | st.floats(-4, 9)
    | st.sampled_from(
        [math.inf, -math.inf, 2**63, -(2**63) - 1, 2**64, 0.1, 1e300, 10**400, 2**53 + 1]
    )
)
MOMENTS = st.dates(date(1990, 1, 1), date(2030, 1, 1)) | st.datetimes(
    datetime(1990, 1, 1), datetime(2030, 1, 1), timezones=st.sampled_from([None, UTC])
)
ENDS = {"number": NUMBERS, "date": MOMENTS, "datetime": MOMENTS}


@pytest.fixture(scope="module")
def database() -> Database:
    return Database(threads=1)


@st.composite
def conditions(draw: st.DrawFn, kind: str, values: list[Any]) -> Condition:
    """A condition that a column of a kind may be asked."""
    known = st.sampled_from([value for value in values if value is not None] or ["a"])
    ends = ENDS.get(kind, st.sampled_from(["a", "b"]) | known)
    form = draw(st.sampled_from(["missing", "true", "equals", "one of", "interval"]))
    if form == "missing":
        return Missing("c")
    if form == "true" and kind == "number":
        return IsTrue("c")
    if form == "one of":
        return OneOf("c", tuple(draw(st.lists(ends, min_size=1, max_size=3))))
    if form == "interval" and kind in ENDS:
        low, high = draw(st.none() | ends), draw(ends)
        closed = draw(st.booleans()), draw(st.booleans())
        return Interval("c", low, high, *closed)
    return Equals("c", draw(ends))


@pytest.mark.slow
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), kind=st.sampled_from(sorted(KINDS)))
def test_sql_says_what_holds(database: Database, data: st.DataObject, kind: str) -> None:
    arrow, values = KINDS[kind]
    drawn = data.draw(st.lists(values | st.none(), min_size=1, max_size=6))
    table = pa.table({"c": pa.array(drawn, arrow, from_pandas=False)})
    column = read_table(table).column(0)
    condition = data.draw(conditions(column.kind, drawn))
    database.connection.register("random_rows", table)
    own = describe(database, "random_rows")["c"]
    assert isinstance(own, SqlColumn)
    assert own.kind == column.kind
    try:
        expected = column.fulfils(condition).tolist()
    except InputError:
        return
    found = database.fetch(
        f"SELECT {condition_sql(condition, own)} AS held, {own.sql} AS v FROM random_rows"
    )
    assert found["held"].tolist() == expected, (condition, drawn)
    again = column_of(own, found["v"])
    assert again.missing.tolist() == column.missing.tolist()
    assert (again.binary, again.kind, again.aware) == (column.binary, column.kind, column.aware)
    if column.kind == "number":
        assert again.whole == column.whole
        assert again.values.dtype == column.values.dtype


@given(value=st.text() | st.integers() | st.floats() | st.booleans())
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
def test_literals_are_read_as_they_were(database: Database, value: Any) -> None:
    if isinstance(value, int) and abs(value) >= 2**127:
        return
    ((found,),) = database.rows(f"SELECT {literal(value)}")
    assert type(found) is type(value)
    assert found == value or (value != value and found != found)


def test_what_cannot_be_compared_is_refused() -> None:
    text = SqlColumn("c", "text", "c", np.dtype(object))
    with pytest.raises(InputError, match="'c' holds text values, which cannot be compared with 3"):
        condition_sql(Interval("c", 3), text)


def test_nan_in_parquet_is_missing_whatever_the_statistics_say(
    database: Database, tmp_path: Path
) -> None:
    # The statistics that pyarrow writes leave NaN out.
    file = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"c": pa.array([math.nan, 0.0, 0.1, None], from_pandas=False)}), file)
    own = describe(database, literal(str(file)))["c"]
    assert isinstance(own, SqlColumn)
    found = database.rows(f"SELECT {own.sql} FROM {literal(str(file))}")
    assert [value for (value,) in found] == [None, 0.0, 0.1, None]


@pytest.mark.parametrize("number", [10**400, -(10**400)], ids=["large", "small"])
def test_numbers_beyond_floats(number: int) -> None:
    column = read_table(pa.table({"c": [1, 2]})).column(0)
    own = SqlColumn("c", "number", "c", np.dtype(np.int64))
    assert not column.fulfils(Equals("c", number)).any()
    assert "false" in condition_sql(Equals("c", number), own)
    assert column.fulfils(Interval("c", None, number)).all() == (number > 0)
