"""The trace: what happened when, and what it says of the end."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from strategies import noise

from surelist import _core

POLICIES = _core.policy_names()
LIGHT, LIGHT_REGULARIZATION = noise(500, 12), "0.002"
HARD, HARD_REGULARIZATION = noise(3000, 30), "0.002"


class EnoughError(Exception):
    """What a listener raises to end a search."""


def test_progress_is_told() -> None:
    reports: list[dict[str, Any]] = []
    search = _core.Search(HARD, HARD_REGULARIZATION)

    def hear(report: dict[str, Any]) -> None:
        reports.append(report)
        if len(reports) == 4:
            raise EnoughError

    with pytest.raises(EnoughError):
        search.run(hear)
    assert len(reports) == 4
    for report in reports:
        assert list(report) == [
            "time",
            "objective",
            "lower_bound",
            "expanded",
            "queue",
            "memory",
            "remaining",
            "proven_length",
            "prefix",
            "labels",
            "default_label",
            "queue_by_length",
            "pruned",
        ]
        assert len(report["labels"]) == len(report["prefix"])
        assert sum(report["queue_by_length"]) == report["queue"]
        assert 0 <= report["lower_bound"] <= report["objective"] <= 0.5
    for earlier, later in pairwise(reports):
        assert earlier["time"] < later["time"]
        assert earlier["expanded"] <= later["expanded"]
        assert earlier["objective"] >= later["objective"]
        assert earlier["lower_bound"] <= later["lower_bound"]


class TestTrace:
    def trace(self, problem: _core.Problem = LIGHT, **options: Any) -> tuple[Any, _core.Search]:
        settings = {"trace_interval": 0.0, "beam_width": 0, "time_limit": 10.0} | options
        search = _core.Search(problem, LIGHT_REGULARIZATION, **settings)
        search.run()
        return search.trace, search

    def test_off_it_is_empty(self) -> None:
        trace, search = self.trace(trace_interval=None)
        assert search.status == "optimal"
        assert set(trace) >= {"time", "objective", "lower_bound", "remaining_fine", "pruned"}
        assert all(samples == [] for samples in trace.values())

    @pytest.mark.parametrize("policy", POLICIES)
    def test_it_only_goes_forward(self, policy: str) -> None:
        trace, _ = self.trace(policy=policy)
        assert len({len(samples) for samples in trace.values()}) == 1
        assert len(trace["time"]) > 10
        for rising in ("time", "lower_bound", "expanded", "evaluated", "insertions"):
            assert all(a <= b for a, b in pairwise(trace[rising])), rising
        for falling in ("objective",):
            assert all(a >= b for a, b in pairwise(trace[falling])), falling
        for earlier, later in pairwise(trace["pruned"]):
            assert all(earlier[name] <= later[name] for name in later)

    @pytest.mark.parametrize("seed", [74, 75, 76])
    def test_what_is_proven_stays_proven(self, seed: int) -> None:
        # In the first of these the bound of a child can be below what its parent's was.
        rng = np.random.default_rng(seed)
        shape = int(rng.integers(100, 800)), int(rng.integers(8, 18))
        captures = (rng.random(shape) < rng.choice([0.2, 0.4])).astype(np.uint8)
        labels = (rng.random(shape[0]) < 0.5).astype(np.int32)
        learnt = captures[:, 0] | captures[:, 1]
        labels = np.where(rng.random(shape[0]) < 0.5, learnt, labels).astype(np.int32)
        problem = _core.Problem(captures, labels, None, 2)
        search = _core.Search(problem, "0.004", trace_interval=0.0, beam_width=0)
        assert search.run() == "optimal"
        lower_bounds = search.trace["lower_bound"]
        assert lower_bounds == sorted(lower_bounds)

    def test_its_end_is_the_result(self) -> None:
        trace, search = self.trace()
        last = {name: samples[-1] for name, samples in trace.items()}
        assert last["objective"] == last["lower_bound"] == search.objective / search.scale
        assert last["length"] == len(search.prefix)
        assert last["expanded"] == search.counters["expanded"]
        assert last["evaluated"] == search.counters["evaluated"]
        assert last["insertions"] == search.counters["queue_insertions"]
        assert last["pruned"] == search.pruned
        assert last["remaining_fine"] == last["remaining_coarse"] == -math.inf
        assert sum(last["queue_logical"]) == 0

    def test_what_remains(self) -> None:
        trace, _ = self.trace()
        total = _core.total_prefix_evaluations(LIGHT.n_antecedents, LIGHT_REGULARIZATION)
        for fine, coarse in zip(trace["remaining_fine"], trace["remaining_coarse"], strict=True):
            assert fine <= coarse + 1e-9
        assert trace["remaining_coarse"][0] <= total + 1e-9
        assert max(trace["remaining_fine"]) > 1

    def test_the_queue_by_length(self) -> None:
        trace, search = self.trace()
        for logical, physical in zip(trace["queue_logical"], trace["queue_physical"], strict=True):
            assert len(logical) == len(physical)
            # The few prefixes that are being expanded are open still, but have left the queue.
            assert sum(logical) <= sum(physical) + 8
        largest = max(sum(logical) for logical in trace["queue_logical"])
        assert 0 < largest <= search.counters["max_queue"]

    def test_improvements_are_marked(self) -> None:
        trace, search = self.trace()
        improved = [i for i, marked in enumerate(trace["improved"]) if marked]
        assert len(improved) == search.counters["improvements"] > 1
        for i in improved[1:]:
            assert trace["objective"][i] < trace["objective"][i - 1]

    def test_an_interval_thins_it_out(self) -> None:
        search = _core.Search(HARD, HARD_REGULARIZATION, trace_interval=0.1, beam_width=0)
        reports: list[dict[str, Any]] = []

        def hear(report: dict[str, Any]) -> None:
            reports.append(report)
            if len(reports) == 5:  # a tenth of a second apart, or more
                raise EnoughError

        with pytest.raises(EnoughError):
            search.run(hear)
        times = search.trace["time"]
        extra = search.counters["improvements"] + 2  # the first and the last
        assert 4 <= len(times) <= times[-1] / 0.1 + extra
