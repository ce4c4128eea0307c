"""The last two rules counted: with many antecedents side by side, against the engine without it."""

from __future__ import annotations

import numpy as np
import pytest

from surelist import _core

WITHOUT = [name for name in _core.bound_names() if name != "pair_count"]
# Where the relaxation, or the order of rules, leaves few pairs, the count has little to do.
FEW = ["last_rule", "last_pair", "gain_potential", "hierarchical", "lookahead", "equivalent_points"]


def problem(seed: int, rows: int, features: int, heaviest: int) -> _core.Problem:
    rng = np.random.default_rng(seed)
    columns = rng.random((rows, features)) < rng.uniform(0.1, 0.7, features)
    pairs = [columns[:, i] & columns[:, j] for i in range(features) for j in range(i)]
    captures = np.column_stack([columns, ~columns[:, :3], *pairs]).astype(np.uint8)
    labels = (columns[:, 0] & columns[:, 1]) | (rng.random(rows) < 0.2)
    weights = rng.integers(1, heaviest + 1, rows).astype(np.int64)
    return _core.Problem(captures, labels.astype(np.int32), weights, 2)


@pytest.mark.parametrize("kernels", ["baseline", "avx2", "avx512"])
@pytest.mark.parametrize("heaviest", [1, 9, 70_000])
def test_it_finds_the_same_optimum(kernels: str, heaviest: int) -> None:
    try:
        _core.Search(problem(0, 20, 3, 1), "0.1", kernels=kernels)
    except _core.InputError:
        pytest.skip(f"this processor has no {kernels}")
    for seed in range(6):
        made = problem(seed, 80 + 60 * seed, 13, heaviest)
        found = {}
        for on in (True, False):
            for bounds in (_core.bound_names(), [*FEW, "pair_count"]):
                used = bounds if on else [name for name in bounds if name != "pair_count"]
                search = _core.Search(
                    made, "0.02", bounds=used, max_length=4, beam_width=0, kernels=kernels
                )
                assert search.run() == "optimal"
                found[on, len(bounds)] = search.objective
        assert len(set(found.values())) == 1


def test_it_spares_expansions() -> None:
    made = problem(1, 500, 15, 1)
    expanded = []
    for bounds in (_core.bound_names(), WITHOUT):
        search = _core.Search(made, "0.01", bounds=bounds, max_length=5)
        assert search.run() == "optimal"
        expanded.append(search.counters["expanded"])
    assert expanded[0] < expanded[1]
