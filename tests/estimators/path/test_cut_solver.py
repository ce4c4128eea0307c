"""A path over all cuts: what brute force finds at single λ, and what the general search finds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from cut_certificates import frame
from cut_oracle import best, random_table
from sklearn.datasets import load_breast_cancer

from surelist import Binarizer, InputError, UncertifiedWarning, regularization_path

ALL: dict[str, Any] = {"max_clauses": 1, "binarizer": Binarizer(n_cuts="all", min_frequency=0)}


@pytest.mark.slow
def test_a_path_over_all_cuts_is_as_good_as_brute_force() -> None:
    for seed in range(40):
        table = random_table(seed)
        path = regularization_path(
            frame(table),
            table.labels,
            sample_weight=table.weights,
            smallest=0.02,
            largest=0.3,
            max_length=table.max_length,
            **ALL,
        )
        assert path.status == "optimal"
        for text in ("0.02", "0.05", "0.11", "0.3"):
            at = Fraction(text)
            optimum = best(table._replace(regularization=text))
            assert path.at(at).loss + at * len(path.at(at)) == optimum, (seed, text)


def test_it_is_the_path_of_the_general_search() -> None:
    data = load_breast_cancer(as_frame=True)
    X, y = data.data[["worst radius", "worst texture"]].round(), data.target
    given = {"smallest": 0.01, "max_length": 2} | ALL
    found = regularization_path(X, y, **given)
    general = regularization_path(X, y, policy="breadth_first", **given)
    assert [(s.start, s.stop, s.length, s.loss) for s in found] == [
        (s.start, s.stop, s.length, s.loss) for s in general
    ]
    assert found.n_antecedents >= general.n_antecedents > 100
    assert [row.loss for row in found.best_loss_by_length()] == [
        row.loss for row in general.best_loss_by_length()
    ]


@pytest.mark.slow
def test_a_path_over_all_cuts_runs_side_by_side_and_within_limits() -> None:
    data = load_breast_cancer(as_frame=True)
    X, y = data.data.iloc[:, :4], data.target
    given = {"smallest": 0.01, "max_length": 2} | ALL
    alone = regularization_path(X, y, **given)
    assert str(regularization_path(X, y, n_jobs=2, **given)) == str(alone)
    with pytest.warns(UncertifiedWarning, match="work limit"):
        short = regularization_path(X, y, work_limit=0.01, smallest=0.0005, **ALL)
    assert short.status == "work_limit"
    assert short.gap > 0


def test_what_the_search_over_chains_does_not_serve_has_a_path_all_the_same() -> None:
    X = np.array([[1.0, 5], [2, 5], [3, 6], [4, 7]] * 5)
    y = [0, 1, 1, 0] * 5
    path = regularization_path(X, y, smallest=0.05, required=["x0 < 3"], **ALL)
    assert path.status == "optimal"
    assert all(segment.length >= 1 for segment in path)
    with pytest.raises(InputError, match="not a parameter of a path"):
        regularization_path(X, y, initial_rule_list=["x0 < 3"], **ALL)
