"""Whole numbers beyond 2**53: exact from the table to the certificate, or refused."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from cli_helpers import run

from surelist import Binarizer, InputError, RuleListClassifier, from_query, load, verify
from surelist.tables.table import read_table

# Neighbours that a float cannot tell apart: below 2**53, 2**63 and 2**64.
STARTS = [2**53 - 3, 2**60, 2**63 - 4, 2**63 + 5, 10**19 - 3, 2**64 - 8, -(2**63)]


def rows(start: int, n: int = 80) -> tuple[list[int], list[str]]:
    """Eight numbers next to each other, of which the upper four have one label."""
    numbers = [start + row % 8 for row in range(n)]
    return numbers, ["high" if row % 8 >= 4 else "low" for row in range(n)]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("strategy", ["supervised", "quantile", "uniform"])
def test_neighbours_are_told_apart(start: int, strategy: str, tmp_path: Path) -> None:
    numbers, y = rows(start)
    kind = np.int64 if start + 7 < 2**63 else np.uint64
    X = pd.DataFrame({"x": np.array(numbers, dtype=kind)})
    binarizer = Binarizer(strategy=strategy, n_cuts=7)
    model = RuleListClassifier(0.01, max_clauses=1, binarizer=binarizer, certificate=True)
    model.fit(X, y)
    assert model.score(X, y) == 1 or strategy == "uniform"
    assert verify(model.certificate_, X, y).optimal
    model.save(tmp_path / "model.json")
    assert load(tmp_path / "model.json").predict(X).tolist() == model.predict(X).tolist()
    scope: dict[str, Any] = {}
    exec(model.export("python"), scope)
    predict = next(f for name, f in scope.items() if name.startswith("predict"))
    assert [predict({"x": number}) for number in numbers] == model.predict(X).tolist()
    with duckdb.connect() as connection:
        connection.register(
            "people",
            pl.DataFrame(
                {"x": numbers[:8]}, {"x": pl.UInt64 if kind is np.uint64 else pl.Int64}
            ).to_arrow(),
        )
        sql = f"SELECT {model.export('sql')} FROM people ORDER BY x"
        assert [each for (each,) in connection.execute(sql).fetchall()] == model.predict(X)[
            :8
        ].tolist()


@pytest.mark.parametrize("start", STARTS)
def test_files_keep_them(start: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    numbers, y = rows(start)
    data, proof, model = tmp_path / "d.csv", tmp_path / "p.cert", tmp_path / "m.json"
    data.write_text("\n".join(["x,y", *map("{},{}".format, numbers, y)]))
    how = ["-l", "y", "-r", "0.01", "--max-clauses", "1"]
    for engine in ("memory", "duckdb"):
        fit = run(
            capfd, "fit", data, *how, "--engine", engine, "--certificate", proof, "-o", model, "-f"
        )
        assert fit.code == 0, fit.err
        assert "accuracy      100.0%" in fit.out
        for other in ("auto", "duckdb"):
            assert run(capfd, "verify", proof, data, "-l", "y", "--engine", other).code == 0
        assert "100.0% of 80" in run(capfd, "predict", model, data, "-l", "y").err
    # One more in one row, and the proof is about other data.
    changed = data.read_text().replace(f"{start + 3},low", f"{start + 4},low", 1)
    data.write_text(changed)
    assert run(capfd, "verify", proof, data, "-l", "y").code == 4


TOO_LARGE = [2**64, 10**30, -(2**63) - 1]


@pytest.mark.parametrize("number", TOO_LARGE)
def test_larger_ones_are_refused(number: int) -> None:
    for other in (1, 0.5):
        for table in (pd.DataFrame({"x": [number, other]}, dtype=object), [[number], [other]]):
            with pytest.raises(InputError, match="exactly"):
                read_table(table).column(0)
    wide = pl.DataFrame({"x": [number, 1]}, {"x": pl.Int128})
    with pytest.raises(InputError, match="exactly"):
        read_table(wide).column(0)
    decimals = pa.table({"x": pa.array([Decimal(number), Decimal(1)], pa.decimal128(38, 0))})
    with pytest.raises(InputError, match="exactly"):
        read_table(decimals).column(0)
    for kind in ("HUGEINT", "DECIMAL(38, 0)"):
        with pytest.raises(InputError, match="exactly"):
            from_query(f"SELECT {number}::{kind} AS x, 1 AS y", label="y")


def test_a_float_beside_a_large_whole_number_is_refused() -> None:
    with pytest.raises(InputError, match="9007199254740993"):
        read_table(pd.DataFrame({"x": [2**53 + 1, 0.5]}, dtype=object)).column(0)
    mixed = read_table(pd.DataFrame({"x": [2**53, 0.5, 1e300]}, dtype=object)).column(0)
    assert mixed.values.tolist() == [2.0**53, 0.5, 1e300]


def test_sums_of_databases_stay_whole() -> None:
    sql = "SELECT sum(range)::HUGEINT AS x, range % 2 AS y FROM range(10) GROUP BY range"
    query = from_query(sql, label="y")
    assert query.column(0).values.dtype == np.int64
    wide = read_table(pl.DataFrame({"x": [1, None, 2**63]}, {"x": pl.Int128})).column(0)
    assert wide.values.dtype == np.uint64
    assert wide.missing.tolist() == [False, True, False]
    assert int(wide.values[2]) == 2**63


def test_decimals_of_any_size_are_looked_at_quickly() -> None:
    for text in ("1e999999999", "-1e400"):
        with pytest.raises(InputError, match="exactly"):
            read_table([[Decimal(text)], [Decimal(1)]]).column(0)
    assert read_table([[Decimal("inf")], [Decimal(1)]]).column(0).values.tolist() == [np.inf, 1]
