"""The last two rules counted: against brute force, and against the engine without it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from surelist import _core

WITHOUT = [name for name in _core.bound_names() if name != "pair_count"]
# With these alone, the count has more to do.
FEW = ["last_rule", "last_pair", "gain_potential", "hierarchical", "lookahead", "equivalent_points"]

Data = tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int64]]


def data(seed: int, rows: int, features: int, heaviest: int) -> Data:
    rng = np.random.default_rng(seed)
    columns = rng.random((rows, features)) < rng.uniform(0.1, 0.7, features)
    pairs = [columns[:, i] & columns[:, j] for i in range(features) for j in range(i)]
    captures = np.column_stack([columns, ~columns[:, :3], *pairs]).astype(np.uint8)
    labels = (columns[:, 0] & columns[:, 1]) | (columns[:, 2] & (rng.random(rows) < 0.8))
    labels ^= rng.random(rows) < 0.1
    weights = rng.integers(1, heaviest + 1, rows).astype(np.int64)
    return captures, labels.astype(np.int32), weights


def problem(made: Data) -> _core.Problem:
    return _core.Problem(*made, 2)


def least_loss(made: Data, length: int) -> int:
    """The least loss of a list with exactly so many rules, by trying all of them."""
    captures, labels, weights = made
    signed = np.stack([np.where(labels == q, 0, weights) for q in (0, 1)])  # costs of label q

    def best(left: NDArray[np.bool_], rules: int) -> int:
        costs = signed[:, left]
        if rules == 0:
            return int(costs.sum(axis=1).min())
        inside = costs @ captures[left].astype(np.int64)  # by label and antecedent
        if rules == 1:
            rest = costs.sum(axis=1)[:, None] - inside
            return int((inside.min(axis=0) + rest.min(axis=0)).min())
        return min(
            int(inside[:, s].min()) + best(left & (captures[:, s] == 0), rules - 1)
            for s in range(captures.shape[1])
        )

    return best(np.ones(len(labels), bool), length)


def optima(made: Data) -> Iterator[tuple[str, Fraction]]:
    """For some regularizations, the least objective of a list of at most three rules."""
    total = int(made[2].sum())
    losses = [least_loss(made, length) for length in range(4)]
    for regularization in ("0.002", "0.01", "0.03"):
        price = Fraction(regularization)
        objectives = (Fraction(loss, total) + k * price for k, loss in enumerate(losses))
        yield regularization, min(objectives)


def run(made: Data, regularization: str, **options: Any) -> _core.Search:
    search = _core.Search(problem(made), regularization, **options)
    assert search.run() == "optimal"
    return search


@pytest.mark.parametrize("seed", range(8))
def test_it_finds_the_optimum(seed: int) -> None:
    made = data(seed, 50 + 10 * seed, 6, (1, 3, 100_000)[seed % 3])
    for regularization, expected in optima(made):
        for bounds in (
            _core.bound_names(),
            [*FEW, "pair_count"],
            [*FEW, "pair_count", "rule_worth"],
        ):
            search = run(made, regularization, bounds=bounds, max_length=3, beam_width=0)
            assert Fraction(search.objective, search.scale) == expected


@pytest.mark.parametrize("kernels", ["baseline", "avx2", "avx512"])
@pytest.mark.parametrize("heaviest", [1, 9, 70_000])
def test_all_instruction_sets_find_the_same(kernels: str, heaviest: int) -> None:
    try:
        _core.Search(problem(data(0, 20, 3, 1)), "0.1", kernels=kernels)
    except _core.InputError:
        pytest.skip(f"this processor has no {kernels}")
    counted = 0
    for seed in range(4):
        made = data(seed, 200 + 100 * seed, 13, heaviest)
        options: dict[str, Any] = {"max_length": 3, "beam_width": 0}
        on = run(made, "0.01", bounds=[*FEW, "pair_count"], kernels=kernels, **options)
        off = run(made, "0.01", bounds=FEW, **options)
        assert on.objective == off.objective
        assert off.pruned["pair_count"] == 0
        counted += on.pruned["pair_count"]
    assert counted > 0


def test_it_spares_expansions() -> None:
    made = data(1, 500, 15, 1)
    expanded = [
        run(made, "0.01", bounds=bounds, max_length=4).counters["expanded"]
        for bounds in (_core.bound_names(), WITHOUT)
    ]
    assert expanded[0] < expanded[1]


def test_of_two_better_halves_either_may_come_first() -> None:
    rows = ["00100", "00000", "00100", "00001", "00110", "11111", "01110", "01101", "00101"]
    captures = np.array([[int(bit) for bit in row] for row in rows], np.uint8)
    labels = np.array([0, 0, 1, 1, 0, 0, 1, 1, 0], np.int32)
    weights = np.array([1, 1, 2, 1, 1, 1, 1, 1, 1], np.int64)
    made = (captures, labels, weights)
    # The only best list ends with two rules that are both better halves; the one that was counted
    # first is the first of the two, and predicts the default label.
    search = _core.Search(
        problem(made),
        "0",
        policy="breadth_first",
        symmetry="none",
        bounds=["last_rule", "last_pair", "pair_count"],
        beam_width=0,
        max_length=4,
    )
    assert search.run() == "optimal"
    assert (search.objective, search.prefix) == (least_loss(made, 4), [0, 1, 2, 4])
