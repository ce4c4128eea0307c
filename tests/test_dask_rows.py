"""Rows of a Dask DataFrame give the model that the same rows in memory give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from surelist import InputError, RuleListClassifier, verify

dd = pytest.importorskip("dask.dataframe")


def _rows(n: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 70, n),
            "income": rng.normal(3000, 900, n).round(),
            "city": rng.choice(["Rome", "Oslo", "Lima"], n),
            "member": rng.random(n) < 0.4,
            "score": np.where(rng.random(n) < 0.1, np.nan, rng.random(n).round(2)),
        }
    )
    likely = (table["age"] < 30) | ((table["city"] == "Oslo") & table["member"])
    table["again"] = np.where(likely ^ (rng.random(n) < 0.15), "yes", "no")
    table["weight"] = rng.integers(1, 4, n) / 2
    return table


@pytest.mark.parametrize("partitions", [1, 3, 7])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("more", [{}, {"negations": True, "class_weight": "balanced"}])
def test_the_model_is_that_of_rows_in_memory(
    partitions: int, weighted: bool, more: dict[str, Any]
) -> None:
    rows = _rows()
    table = dd.from_pandas(rows, npartitions=partitions)
    names = ["age", "income", "city", "member", "score"]
    weights = [frame["weight"] if weighted else None for frame in (rows, table)]
    parameters: dict[str, Any] = {
        "regularization": 0.02,
        "max_clauses": 2,
        "certificate": True,
        **more,
    }
    inside = RuleListClassifier(**parameters).fit(rows[names], rows["again"], weights[0])
    outside = RuleListClassifier(**parameters).fit(table[names], table["again"], weights[1])
    assert str(outside.rule_list_) == str(inside.rule_list_)
    assert outside.objective_exact_ == inside.objective_exact_
    assert outside.antecedents_ == inside.antecedents_
    assert outside.n_groups_ == inside.n_groups_
    assert outside.weight_unit_ == inside.weight_unit_
    assert outside.certificate_.fingerprint == inside.certificate_.fingerprint
    assert (outside.predict(rows[names]) == inside.predict(rows[names])).all()
    result = verify(outside.certificate_, rows[names], rows["again"], sample_weight=weights[0])
    assert result.optimal


def test_labels_must_be_where_the_rows_are() -> None:
    rows = _rows(20)
    table = dd.from_pandas(rows, npartitions=2)
    with pytest.raises(InputError, match="y must be a Dask Series"):
        RuleListClassifier().fit(table[["age"]], rows["again"].tolist())


def test_rules_of_ones_own() -> None:
    rows = _rows()
    table = dd.from_pandas(rows, npartitions=3)
    parameters: dict[str, Any] = {
        "regularization": 0.02,
        "antecedents": ["age < 30 and city = Oslo"],
    }
    names = ["age", "city"]
    inside = RuleListClassifier(**parameters).fit(rows[names], rows["again"])
    outside = RuleListClassifier(**parameters).fit(table[names], table["again"])
    assert str(outside.rule_list_) == str(inside.rule_list_)
