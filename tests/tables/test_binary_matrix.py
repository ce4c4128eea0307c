"""0/1 matrices for rule lists on their own: what is refused, and what is said about it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse  # type: ignore[import-untyped]

from surelist import InputError
from surelist.tables.binary_matrix import read_features

REFUSED = [
    (sparse.csr_matrix([[0, 1]]), "sparse matrices are not accepted"),
    (pl.LazyFrame({"a": [0, 1]}), "a lazy frame has no data yet"),
    (pd.DataFrame([[0, 1]], columns=["a", 3]), "column names must be all text or none; 3 is not"),
    (pd.DataFrame([[0, 1]], columns=["a", "a"]), "two columns are called 'a'"),
    (np.ma.masked_array([[0, 1]], mask=[[False, True]]), "masked, that is missing, values"),
    ([[0, 1], [1]], "X is not a matrix"),
    ([0, 1], "expected a 2D array"),
    ([[1j, 0]], "Complex data not supported"),
    (np.zeros((2, 0)), "0 feature"),
    ([["yes", "no"]], "yes"),
    (np.array([[object(), 1]]), "object"),
    (pd.DataFrame({"a": [0, 1], "b": [0, 2]}), "b"),
]


@pytest.mark.parametrize(("X", "says"), REFUSED, ids=[says for _, says in REFUSED])
def test_what_is_no_binary_matrix_is_refused(X: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_features(X)


def test_numbers_in_objects_are_numbers() -> None:
    matrix = read_features(np.array([[True, 0.0], [np.bool_(False), 1]], dtype=object)).matrix
    assert matrix.tolist() == [[1, 0], [0, 1]]
