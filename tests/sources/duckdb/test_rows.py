"""Rows in a database give the model, the groups and the certificate that rows in memory give."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from query_tables import query_tables

from surelist import Binarizer, InputError, RuleListClassifier, from_query


def in_memory(
    table: pa.Table, weighted: bool, **parameters: Any
) -> tuple[RuleListClassifier, pa.Table, Any, Any]:
    """A model of the rows of a table, and what it was fitted to."""
    X, y = table.drop(["y", "w"]), np.asarray(table["y"].to_pylist())
    weights = np.asarray(table["w"].to_pylist()) if weighted else None
    model = RuleListClassifier(certificate=True, **parameters)
    return model.fit(X, y, sample_weight=weights), X, y, weights


def without_decimals(table: pa.Table) -> pa.Table:
    """The table with floats for decimals, which the checker does not know."""
    kinds = [
        pa.field(field.name, pa.float64() if pa.types.is_decimal(field.type) else field.type)
        for field in table.schema
    ]
    return table.cast(pa.schema(kinds))


def refusal(work: Any) -> str | None:
    """What an input is refused with, or None."""
    try:
        work()
    except InputError as error:
        return str(error)
    return None


def assert_same(model: RuleListClassifier, expected: RuleListClassifier) -> None:
    assert [*map(str, model.antecedents_)] == [*map(str, expected.antecedents_)]
    assert model.n_groups_ == expected.n_groups_
    assert model.objective_exact_ == expected.objective_exact_
    assert model.rule_list_ == expected.rule_list_
    assert model.classes_.tolist() == expected.classes_.tolist()
    assert model.weight_unit_ == expected.weight_unit_
    assert model.feature_names_in_.tolist() == expected.feature_names_in_.tolist()
    assert model.certificate_.to_bytes() == expected.certificate_.to_bytes()


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    table=query_tables(),
    weighted=st.booleans(),
    class_weight=st.sampled_from([None, "balanced"]),
    binarizer=st.sampled_from(
        [
            None,
            Binarizer("quantile", n_cuts=2, intervals=True),
            Binarizer("uniform", n_cuts=3, min_frequency=0.2),
            Binarizer(n_cuts=4, intervals=True, min_frequency=0, max_features=8),
        ]
    ),
    negations=st.booleans(),
)
def test_a_query_gives_what_a_data_frame_gives(
    table: pa.Table, weighted: bool, class_weight: Any, binarizer: Any, negations: bool
) -> None:
    parameters = {
        "regularization": 0.1,
        "max_length": 2,
        "binarizer": binarizer,
        "negations": negations,
        "class_weight": class_weight,
    }
    drop = () if weighted else ("w",)
    with tempfile.TemporaryDirectory() as folder:
        pq.write_table(table, Path(folder, "rows.parquet"))
        data = from_query(
            Path(folder, "rows.parquet"),
            label="y",
            weight="w" if weighted else None,
            drop=drop,
            threads=1,
        )
        model = RuleListClassifier(certificate=True, **parameters)
        refused = refusal(lambda: in_memory(table, weighted, **parameters | {"max_length": 0}))
        if refused is not None:
            assert refusal(lambda: model.fit(data)) == refused
            return
        expected, X, y, weights = in_memory(table, weighted, **parameters)
        assert_same(model.fit(data), expected)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("surelist.sources.duckdb.rows._MOST_ROWS", 7)
            streamed = model.certificate_.verify(data)
        data.database.close()
    assert model.predict(X).tolist() == expected.predict(X).tolist()
    proven = model.certificate_.verify(without_decimals(X), y, sample_weight=weights)
    assert proven.optimal
    assert streamed == proven
    assert proven.n_groups == model.n_groups_
