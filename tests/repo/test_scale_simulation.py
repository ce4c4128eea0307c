"""The simulation of clusters: what it must do whatever the trace."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kills import problem

from benchmarks.scale_simulation import Shard, Trace, formula, measure, simulate
from surelist import _core

_SECONDS = st.floats(1e-6, 1.0)
_SHARDS = st.lists(
    st.builds(
        Shard,
        size=st.integers(1, 50),
        lend=_SECONDS,
        work=_SECONDS,
        settle=_SECONDS,
        children=st.integers(0, 60),
        sent=st.just(1),
        returned=st.just(1),
    ),
    min_size=1,
    max_size=20,
)


@settings(max_examples=100, deadline=None)
@given(shards=_SHARDS, n_open=st.integers(1, 100), workers=st.integers(1, 50))
def test_no_search_is_faster_than_its_parts_allow(
    shards: list[Shard], n_open: int, workers: int
) -> None:
    trace = Trace("drawn", 0.0, n_open, shards=shards)
    taken = simulate(trace, workers, latency=0.0)
    assert taken >= trace.coordination - 1e-9
    assert taken >= trace.work / workers - 1e-9
    assert taken <= trace.coordination + trace.work + 1e-9
    assert simulate(trace, 1, latency=0.0) == pytest.approx(trace.coordination + trace.work)
    assert formula(trace, workers, latency=0.0) <= trace.coordination + trace.work + 1e-9


def test_a_real_trace_has_every_prefix() -> None:
    X, y, penalty = problem()
    made = _core.Problem(X, y.astype(np.int32), None, 2)
    trace = measure("small", made, str(penalty / 4), 50)
    # Some that were open are pruned before they could be lent.
    assert trace.n_open + sum(shard.children for shard in trace.shards) >= trace.n_prefixes > 0
    assert trace.work > 0
    assert simulate(trace, 4, pieces=3) > 0
