"""A shard of a search: what a worker of a cluster does with the prefixes that it was lent.

A shard is a pure function: the same prefixes give a valid report, however often and wherever it is
run. So a worker that dies loses time and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from surelist import _core
from surelist._common.scratch import Scratch
from surelist.problem.arrays import unpack_problem

__all__ = [
    "ShardReport",
    "ShardTask",
    "offer_to_shards",
    "run_shard",
    "shard_options",
    "stop_shards",
]


@dataclass(frozen=True)
class ShardTask:
    """The input of a shard.

    Attributes
    ----------
    search : str
        Which search it is part of: improvements are told to all of its shards.
    prefixes : bytes
        What `_core.Search.lend` gave.
    incumbent : list of int
        The prefix of the best rule list so far.
    most_prefixes, most_seconds
        When to hand over: after so many prefixes, or so much time.
    """

    search: str
    prefixes: bytes
    incumbent: list[int]
    most_prefixes: int
    most_seconds: float


@dataclass(frozen=True)
class ShardReport:
    """The result of a shard: the engine's report, the closed prefixes, its time, how it ended."""

    report: bytes
    closed: bytes
    seconds: float
    status: str


def shard_options(options: dict[str, Any]) -> dict[str, Any]:
    """Return the engine's options for a shard from those of the whole search.

    Shards go by length, so that children come back before they are expanded themselves: only the
    search that lent their ancestors knows whether they are needed.
    """
    own = {"policy": "breadth_first", "by_length": False, "beam_width": 0, "n_jobs": 1}
    none = dict.fromkeys(("work_limit", "time_limit", "max_prefixes", "trace_interval"))
    return {**options, **own, **none}


def run_shard(
    packed: dict[str, Any], options: dict[str, Any], certify: bool, task: ShardTask
) -> ShardReport:
    """Search below the prefixes of a task for a while."""
    begun = time.perf_counter()
    with _log(certify) as log:
        search = _core.Search(
            unpack_problem(packed), closed_log=None if log is None else str(log), **options
        )
        search.begin_with(task.prefixes)
        search.offer(task.incumbent)
        with _listening(task.search, search):
            search.run(None, task.most_seconds, task.most_prefixes)
        closed = b"" if log is None else log.read_bytes()
        return ShardReport(search.report(), closed, time.perf_counter() - begun, search.status)


@contextmanager
def _log(certify: bool) -> Iterator[Path | None]:
    """Give a file for closed prefixes, where they are wanted."""
    if not certify:
        yield None
        return
    scratch = Scratch()
    try:
        yield scratch.path / "closed"
    finally:
        scratch.close()


@contextmanager
def _listening(name: str, search: _core.Search) -> Iterator[None]:
    """Let `offer_to_shards` reach this search, where it runs on a worker."""
    running = _running()
    running.setdefault(name, []).append(search)
    try:
        yield
    finally:
        running[name].remove(search)


def _running(worker: Any = None) -> dict[str, list[_core.Search]]:
    if worker is None:
        from distributed import get_worker

        try:
            worker = get_worker()
        except ValueError:  # not on a worker
            return {}
    held: dict[str, list[_core.Search]] = vars(worker).setdefault("_surelist_running", {})
    return held


async def stop_shards(name: str, dask_worker: Any = None) -> None:
    """Stop the shards that run on a worker; their reports are dropped."""
    for search in list(_running(dask_worker).get(name, ())):
        search.interrupt()


async def offer_to_shards(name: str, prefix: list[int], dask_worker: Any = None) -> None:
    """Pass a better rule list to the shards that run on a worker, without waiting."""
    for search in list(_running(dask_worker).get(name, ())):
        search.offer(prefix)
