"""Searches on a cluster: the same optimum, whatever happens to the workers."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Iterator
from typing import Any

import joblib
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from problems import HARD, UNRELAXED, hard_problem, random_problem
from sklearn.base import clone

import surelist
from surelist import (
    InputError,
    RuleListClassifier,
    RuleListClassifierCV,
    UncertifiedWarning,
    _core,
    regularization_path,
    verify,
)
from surelist.problem.arrays import pack_problem
from surelist.search.cluster import coordinator as cluster
from surelist.search.cluster import loans
from surelist.search.cluster.shard import ShardTask, run_shard, shard_options

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

# Dask's own warnings and leftovers are none of ours; on a busy machine workers take long to start.
pytestmark = pytest.mark.filterwarnings(
    "ignore::ResourceWarning",
    "ignore::DeprecationWarning",
    "ignore::surelist.errors.ClusterWarning",
)


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50
        ) as made,
        distributed.Client(made) as connected,
    ):
        yield connected


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lend from the beginning, in small shards: problems for tests are small."""
    monkeypatch.setattr(cluster, "_LOCAL_PREFIXES", 5)
    monkeypatch.setattr(loans, "_LEAST_PREFIXES", 4)


# The engine: one search lends to others.


def _shared(
    made: _core.Problem, options: dict[str, Any], chance: random.Random, certify: bool = False
) -> _core.Search:
    """Run a search by shards of random sizes, which are settled in random order or lost."""
    search = _core.Search(made, **options)
    search.run(None, None, chance.randrange(1, 10))
    packed, loans = pack_problem(made), []
    while True:
        while chance.random() < 0.7:
            ticket, size, prefixes = search.lend(chance.randrange(1, 8))
            if size == 0:
                break
            loans.append((ticket, prefixes))
        if not loans:
            if search.n_open == 0:
                break
            continue
        ticket, prefixes = loans.pop(chance.randrange(len(loans)))
        if chance.random() < 0.2:
            search.reclaim(ticket)
            continue
        task = ShardTask("", prefixes, search.prefix, chance.randrange(1, 30), 10)
        told = run_shard(packed, shard_options(options), certify, task)
        search.settle(ticket, told.report, told.closed)
    assert search.run() == "optimal"
    return search


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 10_000),
    classes=st.integers(2, 3),
    policy=st.sampled_from(_core.policy_names()),
    symmetry=st.sampled_from(_core.symmetry_names()),
    max_length=st.sampled_from([None, 2, 4]),
    relaxed=st.booleans(),  # which leaves little to lend
)
def test_shards_find_the_same_optimum(
    seed: int, classes: int, policy: str, symmetry: str, max_length: int | None, relaxed: bool
) -> None:
    X, y = random_problem(seed, rows=80, features=7, classes=classes)
    made = _core.Problem(X, y.astype(np.int32), None, classes)
    options: dict[str, Any] = {
        "regularization": "0.02",
        "policy": policy,
        "symmetry": symmetry,
        "max_length": max_length,
        "bounds": _core.bound_names() if relaxed else UNRELAXED,
    }
    alone = _core.Search(made, **options)
    alone.run()
    search = _shared(made, options, random.Random(seed))
    assert search.objective == alone.objective
    assert search.lower_bound == search.objective


def test_what_is_lent_stays_open_until_it_is_settled() -> None:
    X, y = random_problem(1, rows=200, features=9)
    made = _core.Problem(X, y.astype(np.int32), None, 2)
    search = _core.Search(made, "0.004", bounds=UNRELAXED)
    search.run(None, None, 10)
    before, bound = search.n_open, search.lower_bound
    ticket, size, _ = search.lend(10**6)
    assert search.n_open == before - size
    assert search.lower_bound == bound
    with pytest.raises(RuntimeError, match="are lent"):
        search.run()
    search.reclaim(ticket)
    assert search.n_open == before
    with pytest.raises(RuntimeError, match="no such loan"):
        search.reclaim(ticket)


def test_a_rule_list_may_be_offered_by_others() -> None:
    X, y = random_problem(1, rows=200, features=9)
    made = _core.Problem(X, y.astype(np.int32), None, 2)
    best = _core.Search(made, "0.01")
    best.run()
    search = _core.Search(made, "0.01", beam_width=0)
    assert search.offer(best.prefix)
    assert search.objective == best.objective
    assert not search.offer(best.prefix)
    for wrong in ([0, 0], [99]):
        with pytest.raises(_core.InputError, match="the rule list"):
            search.offer(wrong)


# The cluster.


@pytest.mark.usefixtures("at_once")
def test_a_client_gives_the_optimum_and_a_proof(client: Any) -> None:
    X, y = random_problem(4, rows=300, features=12)
    parameters: dict[str, Any] = {"regularization": 0.003, "max_clauses": 1, "certificate": True}
    alone = RuleListClassifier(**parameters).fit(X, y)
    model = RuleListClassifier(n_jobs=client, trace_interval=0.01, **parameters).fit(X, y)
    assert model.status_ == "optimal"
    assert model.objective_exact_ == alone.objective_exact_
    assert verify(model.certificate_, X, y).optimal
    assert model.trace_.counters["expanded"] > 5
    assert (np.diff(model.trace_.time) >= 0).all()


@pytest.mark.usefixtures("at_once")
def test_workers_that_are_killed_change_nothing(client: Any) -> None:
    X, y = random_problem(6, rows=300, features=14)
    parameters: dict[str, Any] = {"regularization": 0.002, "max_clauses": 1, "certificate": True}
    alone = RuleListClassifier(**parameters).fit(X, y)
    chance, ended = random.Random(0), threading.Event()
    killed: list[bool] = []

    def kill() -> None:
        while not ended.wait(0.2 + 0.5 * chance.random()) and len(killed) < 3:
            pids = list(client.run(os.getpid).values())
            if len(pids) > 1:
                os.kill(chance.choice(pids), signal.SIGKILL)
                killed.append(True)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        for _ in range(3):
            model = RuleListClassifier(n_jobs=client, **parameters).fit(X, y)
            assert model.objective_exact_ == alone.objective_exact_
            assert model.status_ == "optimal"
            assert verify(model.certificate_, X, y).optimal
    finally:
        ended.set()
        killer.join()
        client.wait_for_workers(2, timeout=300)


def test_an_address_will_do(client: Any) -> None:
    X, y = hard_problem()
    model = RuleListClassifier(n_jobs=client.scheduler.address, time_limit=3, **HARD)
    with pytest.warns(UncertifiedWarning, match="time limit"):
        model.fit(X, y)
    assert model.gap_ > 0
    assert model.status_ == "time_limit"
    assert model.trace_.counters["time"] >= 2
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "1s"}),  # Dask tries for 30
        pytest.raises(InputError, match="no Dask scheduler at"),
    ):
        RuleListClassifier(n_jobs="tcp://127.0.0.1:1", **HARD).fit(X, y)
    with pytest.raises(InputError, match="n_jobs must be"):
        RuleListClassifier(n_jobs="many", **HARD).fit(X, y)


def test_limits_and_progress(client: Any, tmp_path: Any) -> None:
    X, y = hard_problem()
    seen = []

    def watch(progress: Any) -> None:
        seen.append(progress)
        if progress.time > 2:
            raise KeyboardInterrupt

    kept = tmp_path / "kept"
    model = RuleListClassifier(
        n_jobs=client, progress=watch, checkpoint=kept, checkpoint_interval=0.5, **HARD
    )
    with pytest.warns(UncertifiedWarning, match="interrupted"):
        model.fit(X, y)
    assert model.status_ == "interrupted"
    assert len(seen) > 1
    assert all(len(told.labels) == len(told.prefix) + 1 for told in seen)
    with pytest.warns(UncertifiedWarning, match="prefixes"):
        resumed = surelist.resume(kept, n_jobs=client, max_prefixes=10)
    assert resumed.lower_bound_exact_ >= model.lower_bound_exact_


def test_a_client_survives_clone_and_save(client: Any, tmp_path: Any) -> None:
    X, y = random_problem(0)
    model = RuleListClassifier(n_jobs=client)
    copy = clone(model)
    assert copy.n_jobs is client
    assert copy is not model
    copy.fit(X, y).save(tmp_path / "model.json")
    assert surelist.load(tmp_path / "model.json").n_jobs is None


def test_paths_over_joblib(client: Any) -> None:
    X, y = random_problem(9, rows=150, features=5)
    alone = regularization_path(X, y, max_clauses=1)
    with joblib.parallel_config("dask", client=client):
        spread = regularization_path(X, y, max_clauses=1, n_jobs=2)
    assert [part.start for part in spread.segments] == [part.start for part in alone.segments]
    with pytest.raises(InputError, match="parallel_config"):
        regularization_path(X, y, n_jobs=client)


def test_cross_validation_over_joblib(client: Any) -> None:
    X, y = random_problem(9, rows=150, features=5)
    parameters: dict[str, Any] = {"regularizations": [0.2, 0.05, 0.02], "cv": 3, "max_clauses": 1}
    alone = RuleListClassifierCV(**parameters).fit(X, y)
    with joblib.parallel_config("dask", client=client):
        spread = RuleListClassifierCV(n_jobs=2, **parameters).fit(X, y)
    assert spread.regularization_ == alone.regularization_
    assert spread.rule_list_.objective == alone.rule_list_.objective


def test_experiments_over_joblib(client: Any) -> None:
    from experiments.searches import Task, run_all

    X, y = random_problem(9, rows=150, features=5)
    names, labels = tuple("abcde"), np.unique(y, return_inverse=True)[1].astype(np.int32)
    captures = np.ascontiguousarray(X, dtype=np.uint8)
    tasks = [Task(names, captures, labels, price) for price in ("0.05", "0.02", "0.01")]
    with joblib.parallel_config("dask", client=client):
        spread = run_all(tasks, jobs=2)
    assert [each.objective for each in spread] == [each.objective for each in run_all(tasks)]
