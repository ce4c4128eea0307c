"""The last rule by similar sets: against brute force, and against the engine without it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from surelist import _core
from tests.core.test_pair_count import Data, data, optima, run

# With tables of pairs it is not used: there are better bounds then.
ALL = [name for name in _core.bound_names() if name != "last_pair"]
WITHOUT = [name for name in ALL if name != "similar_sets"]
# With these alone, it has more to do.
FEW = ["last_rule", "similar_sets", "hierarchical", "lookahead", "equivalent_points"]


@pytest.mark.parametrize("seed", range(8))
def test_it_finds_the_optimum(seed: int) -> None:
    made = data(seed, 50 + 10 * seed, 6, (1, 3, 100_000)[seed % 3])
    for regularization, expected in optima(made):
        for bounds in (ALL, FEW, ["similar_sets", "last_rule"]):
            search = run(made, regularization, bounds=bounds, max_length=3, beam_width=0)
            assert Fraction(search.objective, search.scale) == expected


def wide(seed: int, heaviest: int = 1) -> Data:
    return data(seed, 250, 12, heaviest)


@pytest.mark.parametrize("by_length", [False, True])
def test_it_changes_no_optimum_and_spares_looks(by_length: bool) -> None:
    looks = dict.fromkeys(("with", "without"), 0)
    for seed in range(4):
        made = wide(seed, 1 + 2 * (seed % 2))
        options: dict[str, Any] = {"by_length": by_length, "max_length": 3, "beam_width": 0}
        on = run(made, "0.004", bounds=ALL, **options)
        off = run(made, "0.004", bounds=WITHOUT, **options)
        assert on.objective == off.objective
        assert on.pruned["similar_sets"] > 0
        assert off.pruned["similar_sets"] == 0
        looks["with"] += on.counters["last_rule_looks"]
        looks["without"] += off.counters["last_rule_looks"]
    assert 2 * looks["with"] < looks["without"]


@pytest.mark.parametrize("kernels", ["baseline", "avx2", "avx512"])
def test_every_instruction_set_does_the_same(kernels: str) -> None:
    options: dict[str, Any] = {"bounds": ALL, "max_length": 3}
    try:
        run(data(0, 20, 3, 1), "0.1", kernels=kernels, **options)
    except _core.InputError:
        pytest.skip(f"this processor has no {kernels}")
    made = wide(3, 1000)
    one = run(made, "0.005", kernels=kernels, **options)
    other = run(made, "0.005", **options)
    assert one.objective == other.objective
    assert one.pruned == other.pruned


@pytest.mark.parametrize("seed", range(6))
def test_constraints_and_prices_keep_the_optimum(seed: int) -> None:
    made = data(seed, 120, 6, 3)
    n = made[0].shape[1]
    rng = np.random.default_rng(seed)
    a, b, *rest = (int(s) for s in rng.permutation(n))
    for demands in (
        {"forbidden": rest[:4]},
        {"required": [a]},
        {"required": [a, b]},
        {"first": [a]},
        {"rule_label": seed % 2},
        {"surcharges": rng.integers(0, 4, n).tolist()},
        {"surcharges": rng.integers(0, 4, n).tolist(), "required": [a], "forbidden": [b]},
    ):
        options: dict[str, Any] = {"max_length": 3, "beam_width": 0, **demands}
        on = run(made, "0.005", bounds=ALL, **options)
        few = run(made, "0.005", bounds=FEW, **options)
        none = run(made, "0.005", bounds=[], **options)
        assert on.objective == few.objective == none.objective


def test_it_is_used_where_there_are_too_many_antecedents_for_tables() -> None:
    made = data(0, 150, 48, 1)
    captures, labels, weights = made
    _, first = np.unique(captures, axis=1, return_index=True)
    many = np.ascontiguousarray(captures[:, np.sort(first)])
    assert many.shape[1] > 1024
    options: dict[str, Any] = {"max_length": 3}
    on = run((many, labels, weights), "0.03", **options)
    bounds = [name for name in _core.bound_names() if name != "similar_sets"]
    off = run((many, labels, weights), "0.03", bounds=bounds, **options)
    assert on.objective == off.objective
    assert on.pruned["similar_sets"] > 0
    assert on.counters["last_rule_looks"] < off.counters["last_rule_looks"]


def test_it_says_nothing_of_three_classes() -> None:
    captures, labels, weights = wide(1)
    labels = (labels + 2 * captures[:, 3] * (np.arange(len(labels)) % 2)).clip(0, 2)
    problem = _core.Problem(captures, labels.astype(np.int32), weights, 3)
    search = _core.Search(problem, "0.01", bounds=ALL, max_length=2)
    assert search.run() == "optimal"
    assert search.pruned["similar_sets"] == 0
