"""Rows of a Dask DataFrame give the model that the same rows in memory give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from surelist import InputError, RuleListClassifier, SurelistError, verify
from surelist.sources import dask as dask_rows

dask = pytest.importorskip("dask")
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


def _cluster(workers: int) -> Any:
    distributed = pytest.importorskip("distributed")
    return distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=False, dashboard_address=None
    )


def test_a_cluster_without_workers_is_not_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    distributed = pytest.importorskip("distributed")
    rows = _rows(60)
    table = dd.from_pandas(rows, npartitions=2)
    monkeypatch.setattr(dask_rows, "_PATIENCE", 0.2)
    with _cluster(0) as made, distributed.Client(made):
        with pytest.raises(SurelistError, match=r"no workers for .* start some with 'dask worker"):
            RuleListClassifier().fit(table[["age"]], table["again"])
        made.scale(1)  # as soon as there is one, all is well
        monkeypatch.setattr(dask_rows, "_PATIENCE", 60.0)
        there = RuleListClassifier().fit(table[["age"]], table["again"])
    here = RuleListClassifier().fit(rows[["age"]], rows["again"])
    assert str(there.rule_list_) == str(here.rule_list_)


def test_labels_and_weights_that_cannot_be_used() -> None:
    rows = _rows(60)

    def fit(**columns: Any) -> None:
        # Or else Dask would make texts of all objects.
        with dask.config.set({"dataframe.convert-string": False}):
            table = dd.from_pandas(rows.assign(**columns), npartitions=3)
            RuleListClassifier().fit(table[["age"]], table["again"], table["weight"])

    halves = pd.Series([True] * 30 + [1] * 20 + [0] * 10, dtype=object)
    with pytest.raises(InputError, match="of different types"):
        fit(again=halves)
    with pytest.raises(InputError, match="of different types"):
        fit(again=pd.Series([True, 1, 0] * 20, dtype=object))
    with pytest.raises(InputError, match="missing"):
        fit(again=pd.Series(["yes", "no", None] * 20, dtype=object))
    with pytest.raises(InputError, match="sample_weight must hold finite numbers"):
        fit(weight=pd.Series([1.0, 2.0, None] * 20, dtype="Float64"))
    with pytest.raises(InputError, match="sample_weight must hold finite numbers"):
        fit(weight=pd.Series([1.0, -2.0, 1.0] * 20))
