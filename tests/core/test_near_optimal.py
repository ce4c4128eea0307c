"""The set of all lists within a threshold is exactly the one that brute force finds."""

from __future__ import annotations

import signal
import threading
from fractions import Fraction
from typing import Any

import near_optimal_check as whole
import near_optimal_oracle
import numpy as np
import pytest
from constrained_problems import Constrained

from surelist import _core


@pytest.mark.parametrize("chunk", range(4))
def test_whole_sets_equal_brute_force_under_every_switch(chunk: int) -> None:
    assert sum(whole.check(seed) for seed in range(30 * chunk, 30 * chunk + 30)) > 50


@pytest.mark.parametrize("seed", range(60))
def test_memory_lowers_the_threshold_and_the_set_stays_complete(seed: int) -> None:
    problem = Constrained.draw(seed)
    every = near_optimal_oracle.entries(problem.data, problem.demands, Fraction(10**6))
    for n_bytes in (8_000, 10_000, 14_000):
        search = whole.new_search(problem)
        assert search.run(whole.scaled(search, Fraction(10**6)), memory_limit=n_bytes) == "complete"
        lists = search.lists
        reached = Fraction(lists["threshold"], search.scale)
        kept = [entry for entry in every if entry.objective <= reached]
        assert whole.read(lists) == whole.expected(kept)


def test_memory_is_short_in_that_test() -> None:
    problem = Constrained.draw(0)
    search = whole.new_search(problem)
    search.run(whole.scaled(search, Fraction(10**6)), memory_limit=8_000)
    assert Fraction(search.lists["threshold"], search.scale) < 10**6


def random_engine(seed: int, n_antecedents: int = 40) -> _core.NearOptimal:
    rng = np.random.default_rng(seed)
    captures = rng.integers(0, 2, (300, n_antecedents), dtype=np.uint8)
    labels = (captures[:, 0] ^ (rng.random(300) < 0.3)).astype(np.int32)
    return _core.NearOptimal(_core.Problem(captures, labels, None, 2), "0.02")


def test_a_work_limit_keeps_the_last_complete_set() -> None:
    search = random_engine(1)
    assert search.run(str(search.scale * 33 // 100)) == "complete"
    before = search.lists["numbers"].tolist()
    assert search.run(str(search.scale), work_limit=search.work + 10**7) == "work_limit"
    assert search.lists["numbers"].tolist() == before


def test_a_time_limit_and_an_interruption_end_it() -> None:
    search = random_engine(2)
    assert search.lists == {}
    assert search.run(str(search.scale), seconds=0.05) == "time_limit"
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in background jobs
    try:
        threading.Timer(0.1, signal.raise_signal, (signal.SIGINT,)).start()
        assert search.run(str(search.scale), seconds=60) == "interrupted"
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_threshold_that_is_no_number_is_refused() -> None:
    for text in ("-1", "0.5", "x", "9" * 60):
        with pytest.raises(_core.InputError, match="threshold"):
            random_engine(3).run(text)


@pytest.mark.parametrize("bound", ["equivalent_points", "lookahead", "gain_potential"])
def test_each_bound_saves_work(bound: str) -> None:
    counts = []
    for bounds in (list(whole.BOUNDS), [name for name in whole.BOUNDS if name != bound]):
        expanded = 0
        for seed in range(3):
            rng = np.random.default_rng(seed)
            captures = (rng.random((60, 7)) < 0.2).astype(np.uint8)
            labels = (captures[:, 0] ^ (rng.random(60) < 0.2)).astype(np.int32)
            problem = _core.Problem(captures, labels, None, 2)
            search = _core.NearOptimal(problem, "0.04", bounds=bounds, symmetry="none")
            search.run(str(search.scale * 3 // 10))
            expanded += search.n_expanded
        counts.append(expanded)
    assert counts[0] < counts[1]


@pytest.mark.parametrize("switch", [{"bounds": []}, {"symmetry": "none"}])
def test_similar_support_and_the_table_of_sets_save_work(switch: dict[str, Any]) -> None:
    def expanded(**options: Any) -> int:
        rng = np.random.default_rng(0)
        cuts = rng.random(300)[:, None] < np.linspace(0.05, 0.95, 15)[None, :]
        labels = (cuts[:, 7] ^ (rng.random(300) < 0.2)).astype(np.int32)
        problem = _core.Problem(cuts.astype(np.uint8), labels, None, 2)
        search = _core.NearOptimal(problem, "0.02", max_length=4, **options)
        search.run(str(search.scale * 27 // 100))
        return int(search.n_expanded)

    assert expanded() < expanded(**switch)
