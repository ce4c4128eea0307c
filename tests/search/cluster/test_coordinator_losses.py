"""Clusters that do not do their part: no search waits for ever, and none loses its proof."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from problems import HARD, hard_problem, random_problem

import surelist
from surelist import ClusterWarning, RuleListClassifier, UncertifiedWarning, verify
from surelist.search.cluster import coordinator as cluster
from surelist.search.cluster import loans, shard

distributed = pytest.importorskip("distributed")

# Dask's own warnings and leftovers are none of ours.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning"),
    pytest.mark.usefixtures("at_once"),
]

# A search that waits for ever ends with this limit, and with it the test.
SMALL: dict[str, Any] = {
    "regularization": 0.002,
    "max_clauses": 1,
    "certificate": True,
    "time_limit": 120,
}


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lend from the beginning, in small shards, and lose patience soon."""
    monkeypatch.setattr(cluster, "_LOCAL_PREFIXES", 5)
    monkeypatch.setattr(loans, "_LEAST_PREFIXES", 4)
    monkeypatch.setattr(loans, "_ABSENT_SECONDS", 0.3)


def _cluster(n_workers: int) -> Any:
    return distributed.LocalCluster(
        n_workers=n_workers, threads_per_worker=1, dashboard_address=":0", silence_logs=50
    )


@pytest.fixture
def deserted() -> Iterator[Any]:
    """A cluster without workers."""
    with _cluster(0) as made, distributed.Client(made) as client:
        yield client


def _check(model: RuleListClassifier, X: Any, y: Any) -> None:
    alone = RuleListClassifier(**SMALL).fit(X, y)
    assert model.status_ == "optimal"
    assert model.objective_exact_ == alone.objective_exact_
    assert verify(model.certificate_, X, y).optimal


def test_without_workers_the_search_goes_on_by_itself(deserted: Any) -> None:
    X, y = random_problem(6, rows=300, features=14)
    with pytest.warns(ClusterWarning, match="has no workers: the search goes on") as told:
        model = RuleListClassifier(n_jobs=deserted, **SMALL).fit(X, y)
    assert len(told) == 1
    _check(model, X, y)


def test_limits_hold_without_workers(deserted: Any) -> None:
    X, y = hard_problem()
    model = RuleListClassifier(n_jobs=deserted, time_limit=2, **HARD)
    with pytest.warns(ClusterWarning), pytest.warns(UncertifiedWarning, match="time limit"):
        model.fit(X, y)
    assert model.status_ == "time_limit"
    assert model.trace_.counters["time"] >= 1
    assert model.trace_.counters["expanded"] > 5

    def stop(progress: Any) -> None:
        if progress.expanded > 5:
            raise KeyboardInterrupt

    model = RuleListClassifier(n_jobs=deserted, progress=stop, **HARD)
    with pytest.warns(ClusterWarning), pytest.warns(UncertifiedWarning, match="interrupted"):
        model.fit(X, y)
    assert model.status_ == "interrupted"


def test_ctrl_c_stops_a_shard_that_runs_here(
    deserted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def press(*given: Any) -> Any:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        return shard.run_shard(*given)

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(loans, "run_shard", press)
    monkeypatch.setattr(loans, "_SHARD_SECONDS", 1000.0)
    monkeypatch.setattr(loans, "_LEAST_PREFIXES", 10**6)
    before = signal.signal(signal.SIGALRM, interrupt)
    X, y = hard_problem()
    try:
        with pytest.warns(ClusterWarning), pytest.warns(UncertifiedWarning, match="interrupted"):
            model = RuleListClassifier(n_jobs=deserted, **HARD).fit(X, y)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert model.status_ == "interrupted"


def test_a_cluster_that_gives_up_its_workers() -> None:
    # So it happens by itself on a busy machine: after 15 seconds a local cluster gives up a worker
    # that was killed and has not come back, and never starts another one.
    import dask

    X, y = random_problem(6, rows=300, features=14)
    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": "10 ms"}),
        _cluster(2) as made,
        distributed.Client(made) as client,
    ):
        pids = list(client.run(os.getpid).values())

        def kill(_: Any) -> None:
            while pids:
                os.kill(pids.pop(), signal.SIGKILL)

        with pytest.warns(ClusterWarning, match="has no workers"):
            model = RuleListClassifier(n_jobs=client, progress=kill, **SMALL).fit(X, y)
        assert not made.workers
    _check(model, X, y)


def test_workers_that_come_back_are_given_work(
    deserted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[bool] = []
    answered = loans._Crew.answered

    def count(crew: Any) -> None:
        answers.append(True)
        answered(crew)

    def more(_: Any) -> None:
        if not deserted.cluster.workers:
            deserted.cluster.scale(1)
        if answers:
            raise KeyboardInterrupt

    monkeypatch.setattr(loans._Crew, "answered", count)
    X, y = hard_problem()
    model = RuleListClassifier(n_jobs=deserted, progress=more, **{**HARD, "time_limit": 120})
    with pytest.warns(ClusterWarning), pytest.warns(UncertifiedWarning, match="interrupted"):
        model.fit(X, y)
    assert answers


def test_workers_that_hang_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loans, "_SILENT_SECONDS", 1.0)
    X, y = random_problem(6, rows=300, features=14)
    with _cluster(1) as made, distributed.Client(made) as client:
        (pid,) = client.run(os.getpid).values()
        os.kill(pid, signal.SIGSTOP)
        try:
            with pytest.warns(ClusterWarning, match="has answered for"):
                model = RuleListClassifier(n_jobs=client, **SMALL).fit(X, y)
        finally:
            os.kill(pid, signal.SIGCONT)
    _check(model, X, y)


def test_a_scheduler_that_dies_does_not_end_the_search() -> None:
    X, y = random_problem(6, rows=300, features=14)
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    options = ["--port", "0", "--no-dashboard"]
    with subprocess.Popen(command + options, stderr=subprocess.PIPE, text=True) as scheduler:
        assert scheduler.stderr is not None
        lines = iter(scheduler.stderr.readline, "")
        address = next(line.split()[-1] for line in lines if "Scheduler at:" in line)
        with distributed.Client(address, set_as_default=False, timeout=1) as client:

            def kill(_: Any) -> None:
                scheduler.kill()

            with pytest.warns(ClusterWarning):
                model = RuleListClassifier(n_jobs=client, progress=kill, **SMALL).fit(X, y)
    _check(model, X, y)


def test_a_shard_gets_the_time_that_one_prefix_takes(
    deserted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # With so little time no shard can expand anything, and the search would go on for ever.
    monkeypatch.setattr(loans, "_SHARD_SECONDS", 1e-9)
    X, y = hard_problem()

    def stop(progress: Any) -> None:
        if progress.expanded > 100:
            raise KeyboardInterrupt

    model = RuleListClassifier(n_jobs=deserted, progress=stop, **{**HARD, "time_limit": 120})
    with pytest.warns(ClusterWarning), pytest.warns(UncertifiedWarning, match="interrupted"):
        model.fit(X, y)


def test_a_time_limit_counts_from_the_resumption_on(
    deserted: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nearly all work is lent, so that a limit which counted earlier runs would leave none.
    monkeypatch.setattr(cluster, "_LOCAL_PREFIXES", 1)
    X, y = hard_problem()
    kept = tmp_path / "kept"
    with pytest.warns(UncertifiedWarning):
        first = RuleListClassifier(checkpoint=kept, time_limit=2, **HARD).fit(X, y)
    with pytest.warns(ClusterWarning), pytest.warns(UncertifiedWarning, match="time limit"):
        resumed = surelist.resume(kept, n_jobs=deserted, time_limit=1.9)
    before, after = (model.trace_.counters for model in (first, resumed))
    assert after["expanded"] > before["expanded"] + 5
