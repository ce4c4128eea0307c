"""How a column of a new file differs from that of training, against counts by pandas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from surelist.tables.table import read_table
from surelist.web.drift import column_drift

CHANCE = np.random.default_rng(5)


def drift(old: Any, new: Any) -> dict[str, Any]:
    """Compare two columns of values."""
    columns = [read_table(pd.DataFrame({"c": values})).column(0) for values in (old, new)]
    return column_drift(*columns)


def moved(old: Any, new: Any) -> float:
    """The total variation distance between values, each counted on its own."""
    shares = [pd.Series(each).value_counts(normalize=True, dropna=False) for each in (old, new)]
    return float(shares[0].sub(shares[1], fill_value=0).abs().sum() / 2)


def test_texts_and_few_numbers_are_counted_by_value() -> None:
    values = np.array(["a", "b", "c", None], dtype=object)
    old = CHANCE.choice(values, 400, p=[0.5, 0.2, 0.2, 0.1])
    new = CHANCE.choice(values, 300, p=[0.1, 0.6, 0.2, 0.1])
    found = drift(old, new)
    assert found["moved"] == pytest.approx(moved(old, new))
    assert found["drifted"]
    # Most of them are 0, as counts often are: that hides nothing.
    old, new = np.minimum(CHANCE.poisson(0.05, 400), 1), CHANCE.integers(0, 2, 300)
    found = drift(old, new)
    assert found["moved"] == pytest.approx(moved(old, new))
    assert found["drifted"]


def test_rows_of_the_same_kind_have_not_drifted() -> None:
    drifted = 0
    for _ in range(50):
        old, new = CHANCE.normal(size=1000), CHANCE.normal(size=300)
        drifted += drift(old, new)["drifted"]
    assert drifted == 0
    # Few rows differ much, but that is chance.
    found = drift(CHANCE.normal(size=1000), CHANCE.normal(size=8))
    assert found["moved"] > 0.1
    assert not found["drifted"]


def test_values_outside_the_range_and_values_that_are_new() -> None:
    old = CHANCE.uniform(0, 1, 500)
    found = drift(old, np.concatenate([old[:100], [5.0, -2.0, 9.0]]))
    assert found["outside"] == 3
    assert not found["drifted"]
    found = drift(["a", "b"] * 50, ["a", "b", "z", "z", "y"])
    assert (found["outside"], found["unseen"]) == (3, ["z", "y"])


def test_a_column_that_is_gone_or_holds_something_else() -> None:
    column = read_table(pd.DataFrame({"c": [1.0, 2.0]})).column(0)
    assert column_drift(column, None)["problem"] == "is not in the file"
    assert "text" in drift([1.0, 2.0], ["x", "y"])["problem"]
    found = drift([1.0, 2.0, 3.0] * 40, [np.nan] * 60)
    assert found["missing"] == [0.0, 1.0]
    assert found["moved"] == 1.0
    assert found["drifted"]
