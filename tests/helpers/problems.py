"""Small problems that the tests of the estimator share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist import _core

Matrix = NDArray[np.uint8]
Column = NDArray[Any]

# The relaxation leaves small problems with little to expand, to lend or to save.
UNRELAXED = [name for name in _core.bound_names() if name != "relaxation"]


def random_problem(
    seed: int, rows: int = 60, features: int = 4, classes: int = 2
) -> tuple[Matrix, Column]:
    """Draw features, and labels that follow them with some noise."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, size=(rows, features), dtype=np.uint8)
    y = np.where(X[:, 0] & X[:, 1], 1, np.where(X[:, 2], classes - 1, 0))
    noise = rng.random(rows) < 0.2
    y[noise] = rng.integers(0, classes, size=int(noise.sum()))
    y[:classes] = np.arange(classes)
    return X, y


def hard_problem(rows: int = 600, features: int = 40) -> tuple[Matrix, Column]:
    """Draw labels that nothing explains: no bound bites, so a small λ keeps a search busy."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(rows, features), dtype=np.uint8)
    return X, rng.integers(0, 2, size=rows)


HARD: dict[str, Any] = {"regularization": 0.001, "max_clauses": 2}

# One of each kind of demand on the features x0 to x3 of a random problem.
DEMANDS: list[dict[str, Any]] = [
    {},
    {"max_length": 2},
    {"class_weight": {0: 2, 1: 1}},
    {"antecedent_costs": {"x1": 2}},
    {"required": ["x2"], "max_length": 3},
    {"first": ["x3"]},
    {"forbidden": ["x0"]},
    {"dnf": 1},
    {"cost_matrix": [[0, 2], [1, 0]]},
]
