"""Every instruction set counts the same, with few groups and many, light ones and heavy ones."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from surelist import _core

KERNELS = ["auto", "baseline", "avx2", "avx512"]
# Rows, antecedents, classes, largest weight: counting by rows and by slices, in lanes of 16, 32
# and 64 bits.
SHAPES = [
    (40, 12, 2, 3),
    (300, 70, 2, 20),
    (3000, 20, 2, 1),
    (3000, 20, 2, 30),
    (3000, 20, 3, 5),
    (200, 30, 3, 2**20),
    (500, 15, 2, 2**33),
    (2000, 12, 4, 2**34),
    # and eight antecedents side by side
    (2000, 140, 2, 1),
    (2000, 140, 2, 30),
    (2000, 110, 3, 5),
]

Data = tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int64]]


def data(shape: tuple[int, int, int, int]) -> Data:
    rows, antecedents, classes, heaviest = shape
    random = np.random.default_rng(list(shape))
    X = (random.random((rows, antecedents)) < random.random(antecedents)).astype(np.uint8)
    y = (X[:, 0] + X[:, 1] * (random.random(rows) < 0.7) + random.integers(0, 2, rows)) % classes
    return X, y.astype(np.int32), random.integers(1, heaviest + 1, rows)


def available(kernel: str) -> bool:
    problem = _core.Problem(np.array([[0], [1]], np.uint8), np.array([0, 1], np.int32), None, 2)
    try:
        _core.Search(problem, "0", kernels=kernel)
    except _core.InputError:
        return False
    return True


def test_the_plain_one_runs_everywhere_and_nonsense_nowhere() -> None:
    assert available("auto")
    assert available("baseline")
    assert not available("sse9")


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_all_take_the_same_path(shape: tuple[int, int, int, int]) -> None:
    X, y, weights = data(shape)
    problem = _core.Problem(X, y, weights, shape[2])
    seen = set()
    for kernel in filter(available, KERNELS):
        search = _core.Search(problem, "0.01", kernels=kernel, max_prefixes=3000)
        search.run()
        work = [search.counters[name] for name in ("expanded", "evaluated", "queue_insertions")]
        seen.add((search.objective, search.lower_bound, *work, *search.pruned.values()))
    assert len(seen) == 1


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_best_single_rule_is_found(shape: tuple[int, int, int, int], kernel: str) -> None:
    if not available(kernel):
        pytest.skip(f"this processor has no {kernel}")
    X, y, weights = data(shape)
    classes, total = shape[2], int(weights.sum())

    def loss(rows: NDArray[np.bool_]) -> int:
        by_class = [int(weights[rows & (y == c)].sum()) for c in range(classes)]
        return sum(by_class) - max(by_class)

    penalty = Fraction(1, 100)
    best = Fraction(loss(np.ones(len(y), bool)), total)
    for column in X.T.astype(bool):
        best = min(best, Fraction(loss(column) + loss(~column), total) + penalty)
    problem = _core.Problem(X, y, weights, classes)
    search = _core.Search(problem, "0.01", kernels=kernel, max_length=1, beam_width=0)
    assert search.run() == "optimal"
    assert Fraction(search.objective, search.scale) == best
