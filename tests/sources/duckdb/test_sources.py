"""Rows from CSV, Parquet, DuckDB, SQLite, PostgreSQL and SQL are the rows that a file holds."""

from __future__ import annotations

import csv
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from cli_helpers import run, write_people
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from surelist import (
    Binarizer,
    FormatError,
    InputError,
    RuleListClassifier,
    from_query,
    regularization_path,
)
from surelist.sources.duckdb import Query, Reading
from surelist.sources.duckdb.sources import open_query
from surelist.tables.files import open_table
from surelist.tables.table import ColumnTypeError


def people() -> pa.Table:
    """Some people, with everything that a column can hold."""
    n = 120
    ages = [18 + (7 * i) % 60 for i in range(n)]
    return pa.table(
        {
            "age": pa.array([None if i % 17 == 0 else age for i, age in enumerate(ages)]),
            "income": pa.array([round(1000 + 37.5 * (i * i % 83), 2) for i in range(n)]),
            "sex": pa.array(["Male" if i % 3 else "it's" for i in range(n)]),
            "since": pa.array([date(2000 + i % 20, 1 + i % 12, 3) for i in range(n)]),
            "seen": pa.array([datetime(2020, 1 + i % 12, 1, i % 24) for i in range(n)]),
            "member": pa.array([bool(i % 5) for i in range(n)]),
            "w": pa.array([1 + i % 3 for i in range(n)]),
            "y": pa.array(
                ["yes" if age < 30 or i % 7 == 0 else "no" for i, age in enumerate(ages)]
            ),
        }
    )


@pytest.fixture
def files(tmp_path: Path) -> Path:
    table = people()
    for part in range(3):
        pq.write_table(table.slice(40 * part, 40), tmp_path / f"part-{part}.parquet")
    return tmp_path


def fitted(data: Any, *y: Any, **parameters: Any) -> RuleListClassifier:
    return RuleListClassifier(
        regularization=0.02, max_length=3, max_clauses=1, certificate=True, **parameters
    ).fit(data, *y)


def expected() -> RuleListClassifier:
    table = people()
    return fitted(table.drop(["y", "w"]), np.asarray(table["y"].to_pylist()))


def assert_same(model: RuleListClassifier, other: RuleListClassifier) -> None:
    assert model.certificate_.to_bytes() == other.certificate_.to_bytes()
    assert model.rule_list_ == other.rule_list_


def test_several_parquet_files(files: Path) -> None:
    model = fitted(from_query(files / "*.parquet", label="y", drop=["w"]))
    assert_same(model, expected())
    named = sorted(files.glob("*.parquet"))
    assert_same(fitted(from_query(named, label="y", drop=["w"])), expected())


def test_sql_over_files(files: Path) -> None:
    sql = f"SELECT * EXCLUDE (w) FROM '{files}/*.parquet' WHERE age IS NULL OR age > 0"
    assert_same(fitted(from_query(sql, label="y")), expected())
    plain = f"FROM '{files}/*.parquet'"
    assert_same(fitted(from_query(plain, label="y", drop="w")), expected())


def test_a_duckdb_file(files: Path) -> None:
    path = files / "people.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"CREATE TABLE \"the people\" AS FROM '{files}/*.parquet'")
    for source in ("the people", 'SELECT * FROM "the people"'):
        data = from_query(source, database=path, label="y", drop=["w"])
        assert_same(fitted(data), expected())
    with pytest.raises(FormatError, match="the file is a database"):
        from_query(path, label="y")


def test_a_connection_of_the_user(files: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"CREATE VIEW people AS FROM '{files}/*.parquet'")
        data = from_query("people", database=connection, label="y", drop=["w"])
        assert_same(fitted(data), expected())
        data.database.close()
        (count,) = connection.execute("SELECT count(*) FROM people").fetchall()[0]
        assert count == 120


def as_rows() -> tuple[list[str], list[tuple[Any, ...]]]:
    table = people()
    return table.column_names, list(zip(*(column.to_pylist() for column in table), strict=True))


def test_a_sqlite_table(tmp_path: Path) -> None:
    names, rows = as_rows()
    plain = [tuple(str(v) if isinstance(v, date) else v for v in row) for row in rows]
    path = tmp_path / "people.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute(f"CREATE TABLE people ({', '.join(names)})")
        marks = ", ".join("?" * len(names))
        connection.executemany(f"INSERT INTO people VALUES ({marks})", plain)
    connection.close()
    data = from_query("people", database=path, label="y", drop=["w"])
    # SQLite has no bools: member is 0 and 1 there.
    assert_same(fitted(data), fitted(bits_for_bools(), labels()))


def bits_for_bools() -> pa.Table:
    table = people().drop(["y", "w"])
    at = table.column_names.index("member")
    return table.set_column(at, "member", table["member"].cast(pa.int64()))


def labels() -> Any:
    return np.asarray(people()["y"].to_pylist())


def test_mixed_columns_of_sqlite_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE odd (x, y)")
        connection.executemany("INSERT INTO odd VALUES (?, ?)", [(1, 0), ("a", 1)])
    connection.close()
    with pytest.raises(FormatError, match="'x' holds numbers and texts"):
        from_query("odd", database=path, label="y")
    with pytest.raises(FormatError, match="no such table"):
        from_query("even", database=path, label="y")


@pytest.fixture(scope="module")
def postgresql() -> Iterator[str]:
    """A PostgreSQL of our own, if its programs are installed."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin")) or [Path("/usr/bin")]
    if not (programs[-1] / "initdb").exists():
        pytest.skip("PostgreSQL's initdb is not installed")
    pytest.importorskip("psycopg")
    folder = Path(tempfile.mkdtemp(prefix="surelist-pg-"))
    # PostgreSQL refuses to run as root.
    as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
    if os.getuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    else:
        as_user = []
    data = folder / "data"
    log = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    control = [*as_user, str(programs[-1] / "pg_ctl"), "-D", str(data), "-w"]
    options = f"-c listen_addresses= -c unix_socket_directories={folder}"
    try:
        initdb = [str(programs[-1] / "initdb"), "-D", str(data), "-A", "trust", "-U", "tester"]
        subprocess.run([*as_user, *initdb], check=True, **log)  # type: ignore[call-overload]
        subprocess.run([*control, "-o", options, "start"], check=True, **log)  # type: ignore[call-overload]
        yield f"postgresql://tester@/postgres?host={folder}"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=False, **log)  # type: ignore[call-overload]
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.slow
def test_a_postgresql_table(postgresql: str) -> None:
    import psycopg

    names, rows = as_rows()
    kinds = (
        "age int, income numeric, sex text, since date, seen timestamp, member bool, w int2, y text"
    )
    with psycopg.connect(postgresql) as connection:
        connection.execute(f"CREATE TABLE people ({kinds})".encode())
        with connection.cursor() as cursor:
            marks = ", ".join(["%s"] * len(names))
            cursor.executemany(f"INSERT INTO people VALUES ({marks})".encode(), rows)
    data = from_query("people", database=postgresql, label="y", drop=["w"])
    assert_same(fitted(data), expected())
    with pytest.raises(InputError, match=r"PostgreSQL: .*nobody"):
        from_query("nobody", database=postgresql, label="y")


# CSV: what a file means does not depend on who reads it.

CELLS = {
    "whole": ("7", "+3", "-12", " 5 ", "NA", "0"),
    "real": ("7", "2.5", "1e3", ".5", "5.", "-0.25", "nan", "inf"),
    "code": ("007", "12", "3"),
    "truth": ("true", "False", "TRUE", ""),
    "bits": ("0", "1"),
    "day": ("2020-02-29", "1999-12-31", "", "2024-01-01"),
    "no day": ("2020-02-30", "1999-12-31"),
    "moment": ("2020-02-29 12:30", "1999-12-31T23:59:59.5", "2024-01-01"),
    "aware": ("2020-02-29 12:30Z", "1999-12-31T23:59:59+02:00", "2024-01-01 00:00 +01:30"),
    "text": ("a", " a", "it's", 'say "x"', "x,y", "é\nè", "NULL", "日本"),
}


@st.composite
def csv_files(draw: st.DrawFn) -> list[list[str]]:
    """Rows of cells, the names of the columns first."""
    n_rows = draw(st.integers(4, 30))
    kinds = draw(st.lists(st.sampled_from(sorted(CELLS)), min_size=1, max_size=4))
    columns = [
        draw(st.lists(st.sampled_from(CELLS[k]), min_size=n_rows, max_size=n_rows)) for k in kinds
    ]
    y = draw(st.lists(st.sampled_from(("no", "yes")), min_size=n_rows, max_size=n_rows))
    names = [f"{kind} {index}" for index, kind in enumerate(kinds)]
    return [[*names, "y"], *map(list, zip(*columns, ["no", "yes", *y[2:]], strict=True))]


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(cells=csv_files(), delimiter=st.sampled_from(",;\t"), many=st.booleans())
def test_csv_files_mean_the_same_to_duckdb(
    cells: list[list[str]], delimiter: str, many: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        if many:  # then SQL decides what columns mean
            patch.setattr("surelist.sources.duckdb.csv_files._MOST_TEXTS", 1)
        path = Path(folder, "rows.csv")
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter=delimiter).writerows(cells)
        table = open_table(path)
        y = table.named_column("y", "label")
        memory = fitted(table.without(["y"]), y.values[y.codes].astype(str))
        data = from_query(path, label="y", threads=1)
        assert_same(fitted(data), memory)
        data.database.close()


def test_several_csv_files_have_one_header(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,y\n1,0\n2,1\n")
    (tmp_path / "b.csv").write_text("x;y\n1;0\n")
    with pytest.raises(FormatError, match=r"b\.csv: its columns or delimiter differ"):
        from_query(tmp_path / "*.csv", label="y")
    (tmp_path / "b.csv").write_text("x,y\n1,0,7\n")
    with pytest.raises(FormatError, match="3 fields where the header has 2"):
        from_query(tmp_path / "*.csv", label="y")


def test_a_csv_file_that_is_damaged_further_on(tmp_path: Path) -> None:
    good = "x,y\n" + "1,0\n2,1\n" * 40_000
    (tmp_path / "a.csv").write_text(good + "1,0,7\n")
    with pytest.raises(FormatError, match=r"a\.csv: DuckDB: .*80002"):
        from_query(tmp_path / "a.csv", label="y")


# What is refused, and how much may come into memory.


def test_columns_that_are_not_there(files: Path) -> None:
    with pytest.raises(InputError, match=r"no column 'z' for label; there are 'age', "):
        from_query(files / "*.parquet", label="z")
    with pytest.raises(InputError, match="no column 'z' for drop"):
        from_query(files / "*.parquet", label="y", drop=["z"])
    with pytest.raises(FormatError, match="there is no such file"):
        from_query(files / "*.parkett", label="y")
    with pytest.raises(InputError, match=r"DuckDB: .*nosuch"):
        from_query("SELECT nosuch FROM range(3)", label="y")


def test_columns_of_which_nothing_can_be_asked() -> None:
    sql = "SELECT [range] AS many, range % 2 AS y, range AS x FROM range(9)"
    with pytest.raises(ColumnTypeError, match=r"'many' has the type BIGINT\[\].* with drop"):
        from_query(sql, label="y")
    assert from_query(sql, label="y", drop=["many"]).names == ("x",)


def test_labels_and_weights_that_are_missing() -> None:
    sql = "SELECT range AS x, nullif(range % 3, 2) AS y, range - 1 AS w FROM range(9)"
    with pytest.raises(InputError, match="3 rows have no label in column 'y'"):
        fitted(from_query(sql, label="y", drop=["w"]))
    sql = "SELECT range AS x, range % 2 AS y, range - 1 AS w FROM range(9)"
    with pytest.raises(InputError, match="1 rows have no weight that is at least 0"):
        fitted(from_query(sql, label="y", weight="w"))
    with pytest.raises(InputError, match="weights 'w' must be numbers"):
        from_query("SELECT 1 AS x, 1 AS y, 'a' AS w", label="y", weight="w")


def test_labels_come_from_the_query_alone() -> None:
    data = from_query("SELECT range AS x, range % 2 AS y FROM range(9)", label="y")
    with pytest.raises(InputError, match="leave y and sample_weight out"):
        fitted(data, [0, 1] * 4)
    with pytest.raises(InputError, match="the rows of a query stay in the database"):
        fitted(data).predict(data)
    assert repr(data) == "<Query: the query, 1 columns, label 'y'>"


def test_too_many_groups_are_refused() -> None:
    sql = "SELECT range % 7 AS a, range % 11 AS b, range % 2 AS y FROM range(5000)"
    data = from_query(sql, label="y", max_groups=5)
    with pytest.raises(InputError, match=r"groups of rows, more than max_groups = 5; use"):
        fitted(data)


def test_settings_are_checked() -> None:
    for wrong in ({"max_distinct": 5}, {"max_groups": 0}, {"threads": 0}, {"threads": True}):
        (name,) = wrong
        with pytest.raises(InputError, match=f"{name} must be a whole number of at least"):
            from_query("SELECT 1 AS y", label="y", **wrong)
    with pytest.raises(InputError, match=r"DuckDB: .*Memory"):
        from_query("SELECT 1 AS x, 1 AS y", label="y", memory_limit="much")
    with pytest.raises(InputError, match="database must be a path"):
        from_query("people", database=7, label="y")


# Columns of very many values.

WIDE = """
    SELECT hash(range)::DOUBLE / 1e19 AS x, 'name ' || range AS id,
        CASE WHEN range % 4 = 0 THEN 'often' ELSE 'name ' || range END AS who,
        range % 10 AS k, hash(range)::DOUBLE / 1e19 > 0.6 AS y
    FROM range(20000)
"""


def test_wide_columns_are_cut_by_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("surelist.sources.duckdb.rows._SAMPLE", 4000)
    data = from_query(WIDE, label="y", max_distinct=1000)
    model = fitted(data)
    assert data.cut_points == {"x": "sketched", "k": "exact"}
    rule = model.rule_list_.rules[0]
    assert rule.clauses[0].asks.column == "x"
    # The cut is a sample's, the count is that of all rows.
    assert (
        sum(sum(each.weights) for each in (*model.rule_list_.rules, model.rule_list_.default))
        == 20_000
    )
    assert model.rule_list_.loss < 0.01
    again = fitted(from_query(WIDE, label="y", max_distinct=1000, threads=2))
    assert_same(again, model)


def test_a_sample_of_all_rows_cuts_as_all_rows_do() -> None:
    exact = fitted(from_query(WIDE, label="y"))
    sampled = fitted(from_query(WIDE, label="y", max_distinct=1000))
    assert_same(sampled, exact)


def test_frequent_categories_among_very_many() -> None:
    binarizer = Binarizer(min_frequency=0.05, max_features=100)
    exact = fitted(from_query(WIDE, label="y"), binarizer=binarizer)
    counted = fitted(from_query(WIDE, label="y", max_distinct=1000), binarizer=binarizer)
    assert_same(counted, exact)
    assert "(who = often)" in map(str, exact.antecedents_)
    with pytest.raises(InputError, match="'id' has more than 1,000 distinct values"):
        fitted(from_query(WIDE, label="y", max_distinct=1000), binarizer=Binarizer(min_frequency=0))


# The rest of the interface.


def test_antecedents_and_constraints(files: Path) -> None:
    table = people()
    X, y, w = table.drop(["y", "w"]), labels(), np.asarray(table["w"].to_pylist())
    how: dict[str, Any] = {
        "antecedents": ["age < 25 and sex = Male", "since ≥ 2010-01-01"],
        "required": ["member"],
        "class_weight": {"yes": 2.5},
    }
    memory = RuleListClassifier(0.02, max_length=2, certificate=True, **how)
    memory.fit(X, y, sample_weight=w)
    data = from_query(files / "*.parquet", label="y", weight="w")
    model = RuleListClassifier(0.02, max_length=2, certificate=True, **how).fit(data)
    assert_same(model, memory)
    with pytest.warns(UserWarning, match="captures no training row"):
        RuleListClassifier(antecedents=["age > 900"], antecedents_only=True).fit(data)


def test_a_path(files: Path) -> None:
    table = people()
    memory = regularization_path(table.drop(["y", "w"]), labels(), smallest=0.05, max_clauses=1)
    data = from_query(files / "*.parquet", label="y", drop=["w"])
    path = regularization_path(data, smallest=0.05, max_clauses=1)
    assert path.segments == memory.segments


def test_progress_is_told(files: Path) -> None:
    seen: list[Reading] = []
    data = from_query(files / "*.parquet", label="y", drop=["w"], progress=seen.append)
    fitted(data)
    assert [each.fraction for each in seen] == sorted(each.fraction for each in seen)
    assert "counting the values of 'age'" in {each.stage for each in seen}
    assert seen[-1].stage == "grouping"
    assert "of 120 rows" in str(seen[-1])


def test_saved_models_are_the_same(files: Path, tmp_path: Path) -> None:
    model = fitted(from_query(files / "*.parquet", label="y", drop=["w"]))
    model.set_params(certificate=False).save(tmp_path / "model.json")
    expected().set_params(certificate=False).save(tmp_path / "expected.json")
    first, second = (
        json.loads((tmp_path / name).read_text()) for name in ("model.json", "expected.json")
    )
    for told in (first, second):
        del told["trace"]  # has times
    assert first == second
    assert model.export("sql") == expected().export("sql")


# The command line.


def test_fit_several_files(capfd: pytest.CaptureFixture[str], files: Path) -> None:
    flags = ("--label", "y", "--drop", "w", "-r", "0.02", "--max-clauses", "1", "--max-length", "3")
    done = run(capfd, "fit", files / "*.parquet", *flags, "--json")
    assert done.code == 0
    assert done.json["data"]["rows"] == 120
    assert set(done.json["data"]["cut_points"].values()) == {"exact"}
    assert done.json["objective_exact"] == str(expected().objective_exact_)
    done = run(capfd, "fit", files / "*.parquet", *flags, "--progress")
    assert "cuts          chosen from all values" in done.out
    assert "counting the values of 'age'" in done.err


def test_fit_one_file_by_either_engine(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = write_people(tmp_path)
    flags = ("--label", "member", "--class-weight", "yes=2", "--certificate")
    memory = run(capfd, "fit", path, *flags, tmp_path / "a.cert")
    other = run(capfd, "fit", path, "--engine", "duckdb", *flags, tmp_path / "b.cert")
    assert (tmp_path / "a.cert").read_bytes() == (tmp_path / "b.cert").read_bytes()
    assert memory.out.splitlines()[:3] == other.out.splitlines()[:3]


def test_verify_several_files(capfd: pytest.CaptureFixture[str], files: Path) -> None:
    proof, pattern = files / "proof.cert", files / "*.parquet"
    flags = ("--label", "y", "--weight", "w")
    short = ("--max-clauses", "1", "--max-length", "2")
    assert run(capfd, "fit", pattern, *flags, *short, "--certificate", proof).code == 0
    done = run(capfd, "verify", proof, pattern, *flags)
    assert (done.code, done.out[:9]) == (0, "Verified:")
    assert run(capfd, "verify", proof, pattern, *flags, "--json").json["n_rows"] == 120
    assert "with sample weights" in run(capfd, "verify", proof, pattern, "--label", "y").err
    few = run(capfd, "verify", proof, files / "part-[01].parquet", *flags)
    assert few.code == 4
    assert "80 rows; the certificate is about 120" in few.err
    assert run(capfd, "verify", proof, pattern, "--label", "z").code == 2


def test_path_and_query(capfd: pytest.CaptureFixture[str], files: Path) -> None:
    path = files / "people.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"CREATE TABLE people AS FROM '{files}/*.parquet'")
    asked = ("--query", "SELECT * EXCLUDE (w) FROM people", "--label", "y", "--max-clauses", "1")
    done = run(capfd, "path", path, *asked, "--smallest", "0.05", "--json")
    assert done.code == 0
    assert done.json["status"] == "optimal"
    assert run(capfd, "fit", path, *asked, "--engine", "memory").error == (
        "--query needs --engine duckdb, or auto"
    )
    assert "the file is a database" in run(capfd, "fit", path, "--label", "y").error
    assert "need DATA" in run(capfd, "fit", "-", "--engine", "duckdb", "--label", "y").error
    parquet = files / "part-0.parquet"
    assert "is a file" in run(capfd, "fit", parquet, "--query", "x", "--label", "y").error


def test_columns_without_a_label_are_asked_for(
    capfd: pytest.CaptureFixture[str], files: Path
) -> None:
    done = run(capfd, "fit", files / "*.parquet", "--drop", "w", "--max-length", "0")
    assert "predicting the column 'y'" in done.err


def test_a_query_says_what_it_is() -> None:
    data = open_query("SELECT 1 AS x, 2 AS y")
    assert isinstance(data, Query)
    assert data.names == ("x", "y")
    assert data.shape == (1, 2)
