"""Exports predict what the rule list predicts, whatever names and values hold."""

from __future__ import annotations

import contextlib
import json
import math
import sqlite3
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given
from raw_lists import RawCase, raw_cases
from rule_lists import raw_list
from strategies import THOROUGH

from surelist import Clause, InputError, RuleList, RuleListClassifier
from surelist.conditions.conditions import Equals, Interval, Missing
from surelist.rule_list import export as exports

SQLITE = {"whole": "INTEGER", "real": "REAL", "bool": "BOOLEAN"}
DUCKDB = {"whole": "BIGINT", "real": "DOUBLE", "bool": "BOOLEAN", "text": "VARCHAR"}
DUCKDB |= {"day": "DATE", "moment": "TIMESTAMP"}


def same(found: list[Any], expected: list[Any]) -> bool:
    return found == expected and list(map(type, found)) == list(map(type, expected))


@pytest.mark.slow
@THOROUGH
@given(raw_cases())
def test_python_predicts_the_same(case: RawCase) -> None:
    source = case.rule_list.export("python")
    namespace: dict[str, Any] = {}
    exec(compile(source, "exported.py", "exec"), namespace)
    found = [namespace["predict"](row) for row in case.rows]
    assert same(found, case.rule_list.predict(case.frame).tolist())
    assert "surelist" not in source


def sql_identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def queried(connection: Any, case: RawCase, types: dict[str, str], expression: str) -> list[Any]:
    columns = ", ".join(
        f"{sql_identifier(name)} {types.get(kind, 'TEXT')}"
        for name, (kind, _) in case.columns.items()
    )
    connection.execute(f'CREATE TABLE t ("__row" INTEGER, {columns})')
    marks = ", ".join("?" * (len(case.columns) + 1))
    for index, row in enumerate(case.rows):
        connection.execute(f"INSERT INTO t VALUES ({marks})", [index, *row.values()])
    found = connection.execute(f'SELECT {expression} FROM t ORDER BY "__row"').fetchall()
    return [row[0] for row in found]


def as_text(value: Any) -> Any:
    """Dates as SQLite's users keep them."""
    if not hasattr(value, "isoformat"):
        return value
    return value.isoformat(" ") if hasattr(value, "hour") else value.isoformat()


def as_sqlite_reads(value: Any) -> Any:
    """SQLite reads some numbers near the ends of floats with another last digit."""
    if not isinstance(value, float):
        return value
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        return connection.execute(f"SELECT {value!r}").fetchone()[0]


@pytest.mark.slow
@THOROUGH
@given(raw_cases())
def test_sqlite_predicts_the_same(case: RawCase) -> None:
    texts = {
        name: (kind, list(map(as_text, values))) for name, (kind, values) in case.columns.items()
    }
    stored = RawCase(case.rule_list, texts)
    expected = list(map(as_sqlite_reads, case.rule_list.predict(case.frame).tolist()))
    choices: tuple[dict[str, Any], ...] = ({}, {"table": "t"}, {"standard": True})
    for options in choices:
        connection = sqlite3.connect(":memory:")
        try:
            found = queried(connection, stored, SQLITE, case.rule_list.export("sql", **options))
        finally:
            connection.close()
        assert found == expected


@pytest.mark.slow
@THOROUGH
@given(raw_cases())
def test_duckdb_predicts_the_same(case: RawCase) -> None:
    expected = case.rule_list.predict(case.frame).tolist()
    with duckdb.connect(":memory:") as connection:
        assert queried(connection, case, DUCKDB, case.rule_list.export("sql")) == expected


@pytest.mark.parametrize("seed", range(6))
def test_fitted_models_are_exported_as_they_predict(seed: int) -> None:
    """From raw training data on; the new rows hold categories that training has not seen."""
    rng = np.random.default_rng(seed)

    def rows(n: int, homes: list[Any]) -> dict[str, tuple[str, list[Any]]]:
        incomes = np.where(rng.random(n) < 0.2, math.nan, rng.lognormal(8, 2, n)).tolist()
        return {
            'age "now"': ("whole", rng.integers(-5, 99, n).tolist()),
            "income'; --": ("real", incomes),
            "home\n": ("text", [homes[i] for i in rng.integers(0, len(homes), n)]),
            "since λ": (
                "day",
                [date(2000, 1, 1) + timedelta(int(d)) for d in rng.integers(0, 9999, n)],
            ),
            "member": ("bool", (rng.random(n) < 0.5).tolist()),
        }

    training = RawCase(raw_list(), rows(150, ["rent", "own's", None]))
    frame = training.frame
    old = frame['age "now"'].astype(int) > 40
    labels = np.where(old ^ (frame["home\n"] == "own's") | frame["member"], "yes", "it's no")
    model = RuleListClassifier(regularization=0.005, negations=True).fit(frame, labels)
    assert len(model.rule_list_) > 1

    case = RawCase(model.rule_list_, rows(60, ["rent", "own's", None, "unseen"]))
    expected = model.predict(case.frame).tolist()
    namespace: dict[str, Any] = {}
    exec(model.export("python"), namespace)
    assert [namespace["predict"](row) for row in case.rows] == expected
    with duckdb.connect(":memory:") as connection:
        assert queried(connection, case, DUCKDB, model.export("sql")) == expected
    texts = {
        name: (kind, list(map(as_text, cells))) for name, (kind, cells) in case.columns.items()
    }
    database = sqlite3.connect(":memory:")
    found = queried(database, RawCase(case.rule_list, texts), SQLITE, model.export("sql"))
    database.close()
    assert found == expected


def test_a_sum_of_every_part_reads_well() -> None:
    age = Interval("age", None, 25, high_closed=False)
    born = Interval("born", date(1990, 1, 1), datetime(1999, 12, 31, 12, 30))
    rule_list = raw_list(
        [Clause(0, "age < 25", True, age), Clause(1, "sex = Male", False, Equals("sex", "Male"))],
        [Clause(2, "born", False, born), Clause(3, "age is missing", False, Missing("age"))],
    )
    assert rule_list.export("sql", standard=True) == (
        "CASE\n"
        """  WHEN NOT ("age" IS NOT NULL AND "age" < 25)\n"""
        """    AND "sex" = 'Male' THEN 'yes'\n"""
        """  WHEN "born" >= '1990-01-01' AND "born" <= '1999-12-31 12:30:00'\n"""
        """    AND "age" IS NULL THEN 'yes'\n"""
        "  ELSE 'no'\n"
        "END"
    )
    assert rule_list.export("python").endswith(
        "    age = present(row['age'])\n"
        "    sex = present(row['sex'])\n"
        "    born = present(row['born'])\n"
        "    if not (age is not None and age < 25) and sex == 'Male':\n"
        "        return 'yes'  # captured 4, 75.0% correct\n"
        "    if (\n"
        "        (born is not None and datetime(1990, 1, 1) <= moment(born) <= "
        "datetime(1999, 12, 31, 12, 30))\n"
        "        and age is None\n"
        "    ):\n"
        "        return 'yes'  # captured 4, 75.0% correct\n"
        "    return 'no'  # captured 10, 80.0% correct\n"
    )


def test_nan_and_null_and_the_text_nan_are_told_apart_in_duckdb() -> None:
    rule_list = raw_list([Clause(0, "x is missing", False, Missing("x"))])
    with duckdb.connect(":memory:") as connection:
        for kind, cells in (
            ("VARCHAR", ["nan", "NaN", None]),
            ("DOUBLE", [math.nan, 1.0, None]),
            ("FLOAT", [math.nan, 1.0, None]),
            ("INTEGER", [0, 1, None]),
            ("DATE", [date(2020, 1, 1), None]),
        ):
            connection.execute(f"CREATE OR REPLACE TABLE t (x {kind})")
            connection.executemany("INSERT INTO t VALUES (?)", [[cell] for cell in cells])
            found = connection.execute(f"SELECT {rule_list.export('sql')} FROM t").fetchall()
            missing = [cell is None or cell != cell for cell in cells]
            assert [label == "yes" for (label,) in found] == missing, kind


@pytest.mark.parametrize("name", ["true", "False", "TRUE"])
def test_bools_are_not_taken_for_columns_of_that_name(name: str) -> None:
    table = {name: ("whole", [0, 1, 0]), "other": ("whole", [1, 1, 0])}
    frame = RawCase(raw_list(), table).frame
    for column, labels in ((name, [True, False, True]), ("other", [False, False, True])):
        model = RuleListClassifier(0.01).fit(frame[[column, *{*frame} - {column}]], labels)
        case = RawCase(model.rule_list_, table)
        for options in ({}, {"table": "t"}):
            expression = model.export("sql", **options)
            database = sqlite3.connect(":memory:")
            assert queried(database, case, SQLITE, expression) == labels
            database.close()
            with duckdb.connect(":memory:") as connection:
                assert same(queried(connection, case, DUCKDB, expression), labels)


def test_the_python_function_knows_every_kind_of_missing_value() -> None:
    import pandas as pd

    clauses = [Clause(0, "x is missing", False, Missing("x"))]
    namespace: dict[str, Any] = {}
    exec(raw_list(clauses).export("python", function="decide"), namespace)
    for value in (None, math.nan, np.float32("nan"), pd.NA, pd.NaT):
        assert namespace["decide"]({"x": value}) == "yes"
    assert namespace["decide"]({"x": "nan"}) == "no"
    with pytest.raises(KeyError, match="x"):
        namespace["decide"]({"y": 1})


def test_moments_of_any_zone_compare_in_utc() -> None:
    noon = datetime(2020, 1, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    rule_list = raw_list([Clause(0, "x ≥ noon", False, Interval("x", noon))])
    namespace: dict[str, Any] = {}
    exec(rule_list.export("python"), namespace)
    assert namespace["predict"]({"x": datetime(2020, 1, 1, 10)}) == "yes"
    assert namespace["predict"]({"x": datetime(2020, 1, 1, 9, 59)}) == "no"
    assert namespace["predict"]({"x": noon - timedelta(seconds=1)}) == "no"
    assert """"x" >= '2020-01-01 10:00:00'""" in rule_list.export("sql")


def test_lists_of_0_and_1_columns_are_exported_by_their_names() -> None:
    model = RuleListClassifier(regularization=0.05, negations=True)
    model.fit([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, [0, 0, 1, 0] * 5)
    namespace: dict[str, Any] = {}
    exec(model.export("python"), namespace)
    for row in ([0, 0], [0, 1], [1, 0], [1, 1]):
        predicted = namespace["predict"](dict(zip(("x0", "x1"), row, strict=True)))
        assert predicted == model.predict([row])[0]


def test_a_list_without_rules_is_its_default() -> None:
    alone = raw_list()
    assert alone.export("sql") == "'no'"
    assert alone.export("text") == "predict no"
    namespace: dict[str, Any] = {}
    exec(alone.export("python"), namespace)
    assert namespace["predict"]({}) == "no"


@pytest.mark.slow
@THOROUGH
@given(raw_cases())
def test_json_is_exact(case: RawCase) -> None:
    again = RuleList.from_dict(json.loads(case.rule_list.export("json")))
    assert again == case.rule_list
    assert list(map(type, again.classes)) == list(map(type, case.rule_list.classes))
    assert again.export("json", indent=None) == case.rule_list.export("json", indent=None)


def test_what_cannot_be_exported_is_refused() -> None:
    plain = raw_list([Clause(0, "x", False, Equals("x", "a"))])
    with pytest.raises(InputError, match=r"format must be one of 'text', .*; got 'pdf'"):
        plain.export("pdf")
    with pytest.raises(InputError, match=r"'sql' has no option 'tabel'; it takes standard, table"):
        plain.export("sql", tabel="t")
    with pytest.raises(InputError, match=r"'text' has no option 'x'; it takes none"):
        exports.export(plain, "text", x=1)
    for name in ("class", "a b", "", "é", None, "x;import os"):
        with pytest.raises(InputError, match="function must be a name that Python allows"):
            plain.export("python", function=name)
    for value in ("a\0b", "\ud800"):
        odd = raw_list([Clause(0, "x", False, Equals("x", value))])
        with pytest.raises(InputError, match="SQL cannot hold the text"):
            odd.export("sql")
        with pytest.raises(InputError, match="SQL cannot hold the name"):
            raw_list([Clause(0, "x", False, Missing(value))]).export("sql")
    with pytest.raises(InputError, match="names that are texts and not empty"):
        raw_list([Clause(0, "x", False, Missing(""))]).export("sql")
    bytes_list = replace(plain, classes=(b"no", b"yes"))
    for form in ("json", "python", "sql"):
        with pytest.raises(InputError, match="the class b'no'"):
            bytes_list.export(form)
