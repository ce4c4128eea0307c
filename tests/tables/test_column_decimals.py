"""Columns of decimals, as databases and Parquet files have them: floats, everywhere the same."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from cli_helpers import run
from hypothesis import given, settings
from hypothesis import strategies as st

from surelist import InputError, RuleListClassifier, from_query, verify
from surelist.tables.table import read_table

DUCKDB_READS_WIDE_ONES = int(duckdb.__version__.partition(".")[0]) >= 2
FORMS: dict[str, Callable[[pa.Table], Any]] = {
    "pyarrow": lambda table: table,
    "pandas, objects": lambda table: table.to_pandas(),
    "pandas, arrow": lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
    "polars": pl.from_arrow,
}


def _rows(n: int = 120) -> tuple[pa.Table, list[str]]:
    """Amounts in cents, some of them missing, and labels that follow them with some noise."""
    rng = np.random.default_rng(1)
    cents = [int(amount) for amount in rng.integers(-500, 5000, n)]
    amounts = [
        None if row % 17 == 3 else Decimal(cent).scaleb(-2) for row, cent in enumerate(cents)
    ]
    labels = np.where((np.array(cents) > 1234) ^ (rng.random(n) < 0.15), "yes", "no")
    table = pa.table(
        {
            "amount": pa.array(amounts, pa.decimal128(9, 2)),
            "rate": pa.array(
                [Decimal(cent % 97).scaleb(-4) for cent in cents], pa.decimal256(60, 4)
            ),
        }
    )
    return table, labels.tolist()


@pytest.mark.parametrize("form", FORMS)
def test_a_certificate_on_decimals_is_verified(form: str) -> None:
    table, labels = _rows()
    X = FORMS[form](table.select(["amount"]) if form == "polars" else table)
    model = RuleListClassifier(0.01, max_clauses=1, certificate=True).fit(X, labels)
    assert len(model.rule_list_) > 0
    assert verify(model.certificate_, X, labels).optimal
    weights = [Decimal(row % 3 + 1) for row in range(len(labels))]
    model.fit(X, labels, sample_weight=[float(weight) for weight in weights])
    assert verify(model.certificate_, X, labels, sample_weight=weights).optimal


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(-(10**12), 10**12), min_size=1, max_size=30),
    st.integers(0, 30),
    st.sampled_from(sorted(FORMS)),
)
def test_every_library_gives_the_float_next_to_a_decimal(
    numbers: list[int], scale: int, form: str
) -> None:
    decimals = [Decimal(number).scaleb(-scale) for number in numbers]
    table = pa.table({"a": pa.array([*decimals, None], pa.decimal128(38, scale))})
    column = read_table(FORMS[form](table)).column(0)
    assert column.values[:-1].tolist() == [float(number) for number in decimals]
    assert column.missing.tolist() == [False] * len(decimals) + [True]


def test_labels_may_be_decimals() -> None:
    table, labels = _rows()
    codes = [Decimal(label == "yes") for label in labels]
    for y in (codes, pa.array(codes), pd.Series(codes)):
        model = RuleListClassifier(0.01, max_clauses=1, certificate=True).fit(table, y)
        assert model.classes_.tolist() == [0.0, 1.0]
        assert verify(model.certificate_, table, y).optimal
    with pytest.raises(InputError, match="continuous"):
        RuleListClassifier().fit(table, [code / 2 for code in codes])


@pytest.mark.parametrize("engine", [(), ("--engine", "duckdb")])
def test_the_commands_take_decimals(
    engine: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    table, labels = _rows()
    if not DUCKDB_READS_WIDE_ONES:
        table = table.select(["amount"])
    codes = [Decimal(label == "yes") for label in labels]
    weights = [Decimal(row % 3 + 1).scaleb(-1) for row in range(len(labels))]
    rows, proof = tmp_path / "rows.parquet", tmp_path / "proof.cert"
    pq.write_table(
        table.append_column("label", pa.array(codes, pa.decimal128(1, 0))).append_column(
            "weight", pa.array(weights, pa.decimal128(3, 1))
        ),
        rows,
    )
    common = ["--label", "label", "--weight", "weight"]
    how = ["--regularization", "0.01", "--max-clauses", "1", "--certificate", proof]
    fitted = run(capfd, "fit", rows, *common, *how, *engine)
    assert fitted.code == 0, fitted.err
    for other in ([], ["--engine", "duckdb"]):
        checked = run(capfd, "verify", proof, rows, *common, *other)
        assert checked.code == 0, checked.err
        assert checked.out.startswith("Verified")


@pytest.mark.parametrize("version", ["1.5.6", duckdb.__version__])
def test_decimals_that_duckdb_would_misread_are_refused(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DuckDB before 2.0 reads decimals of more than 38 digits as other numbers."""
    monkeypatch.setattr(duckdb, "__version__", version)
    table, labels = _rows()
    path = tmp_path / "rows.parquet"
    pq.write_table(table.append_column("label", pa.array(labels)), path)
    for source in (path, [path, path], f"FROM '{path}'"):
        narrow = from_query(source, label="label", drop=["rate"])
        assert narrow.names == ("amount",)
        if int(version.partition(".")[0]) >= 2:
            assert from_query(source, label="label").names == ("amount", "rate")
        else:
            with pytest.raises(InputError, match=rf"'rate' has decimals .* DuckDB {version} reads"):
                from_query(source, label="label")
