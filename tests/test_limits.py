"""Limits and Ctrl-C where one step takes long: mining, and prefixes of very many children."""

from __future__ import annotations

import signal
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from problems import random_problem

from surelist import RuleListClassifier, _core, regularization_path
from surelist.fitting import Fitting
from surelist.parameters import read_parameters
from surelist.training import prepare


def _features(rows: int, features: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (rows, features), dtype=np.uint8)
    return X, rng.integers(0, 2, rows).astype(np.int32)


def test_mining_looks_for_ctrl_c() -> None:
    X, y = _features(1000, 400)
    rings: list[bool] = []
    before = signal.signal(signal.SIGALRM, lambda *_: rings.append(True))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
        mined = _core.mine(
            X, y, None, 2, max_clauses=2, negations=False, min_support=1, max_support=1000
        )
        signal.setitimer(signal.ITIMER_REAL, 0)
        # However often it rings, what nobody looks for is seen once: when all is over.
        seen = len(rings)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(mined.antecedents) > 50_000
    assert seen > 3


def test_ctrl_c_ends_mining() -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    X, y = _features(1000, 400)
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            RuleListClassifier(0.001, max_clauses=2).fit(X, y)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_pause_waits_for_the_end_of_an_expansion() -> None:
    # Here one takes longer than from one pause to the next: abandoned, it would never end.
    X, y = _features(400, 3000)
    problem = _core.Problem(X, y, None, 2)
    search = _core.Search(problem, "0.0001", beam_width=0)
    for _ in range(20):
        search.run(None, 0.0005)
    assert search.status == "paused"
    assert search.counters["queue_insertions"] > 1


def test_a_time_limit_counts_from_mining_on() -> None:
    X, y = random_problem(0)
    model = RuleListClassifier(0.01, time_limit=10)
    parameters = read_parameters(model)
    prepared = prepare(X, y, None, None, parameters)
    assert prepared.began <= time.monotonic()
    for spent, left in ((4.0, 6.0), (9.5, 1.0), (1000.0, 1.0)):
        earlier = replace(prepared, began=time.monotonic() - spent)
        limit = Fitting(earlier, parameters).parameters.time_limit
        assert limit == pytest.approx(left, abs=0.5)
        assert limit is not None
        assert limit >= 1.0
    assert prepared.time_left(None) is None
    path = regularization_path(X, y, smallest=0.1)
    assert path.time > 0
