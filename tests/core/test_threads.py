"""Threads change neither the optimum nor what is proven, on problems that keep them busy."""

from __future__ import annotations

from threading import Timer

import numpy as np
import pytest
from numpy.typing import NDArray

from surelist import RuleListClassifier, _core


def hard() -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    random = np.random.default_rng(3)
    X = random.integers(0, 2, (4000, 24), dtype=np.uint8)
    y = (X[:, 0] & X[:, 1] | X[:, 2] & X[:, 3]) ^ (random.random(4000) < 0.3)
    return X, y.astype(np.int32)


def test_threads_agree_on_a_problem_that_keeps_them_busy() -> None:
    X, y = hard()
    problem = _core.Problem(X, y, None, 2)
    alone = _core.Search(problem, "0.002")
    together = _core.Search(problem, "0.002", n_jobs=3)
    assert alone.run() == together.run() == "optimal"
    assert alone.objective == together.objective
    assert alone.counters["expanded"] > 1000


@pytest.mark.parametrize("memory_limit", [None, 3_000_000])
def test_threads_stop_together_and_go_on(memory_limit: int | None) -> None:
    X, y = hard()
    problem = _core.Problem(X, y, None, 2)
    expected = _core.Search(problem, "0.004")
    expected.run()
    search = _core.Search(problem, "0.004", n_jobs=2, memory_limit=memory_limit, beam_width=0)
    stops = 0
    while True:
        stopper = Timer(0.05, search.interrupt)
        stopper.start()
        status = search.run()
        stopper.join()
        assert search.lower_bound <= expected.objective <= search.objective
        if status == "optimal":
            break
        assert status == "interrupted"
        assert search.lower_bound < search.objective
        stops += 1
        assert stops < 10_000
    assert search.objective == expected.objective


def test_one_search_runs_once_at_a_time() -> None:
    X, y = hard()
    search = _core.Search(_core.Problem(X, y, None, 2), "0.001")
    refused = []

    def run_again(_: object) -> None:
        with pytest.raises(RuntimeError, match="running already") as error:
            search.run()
        refused.append(str(error.value))
        search.interrupt()

    assert search.run(run_again) == "interrupted"
    assert refused


def test_the_classifier_takes_a_number_of_threads() -> None:
    X, y = hard()
    alone = RuleListClassifier(0.01, max_clauses=1).fit(X, y)
    for n_jobs in (None, 2, -1):
        together = RuleListClassifier(0.01, max_clauses=1, n_jobs=n_jobs).fit(X, y)
        assert together.objective_exact_ == alone.objective_exact_
        assert together.status_ == "optimal"
