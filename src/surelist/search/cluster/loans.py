"""Loans: open prefixes that a search lends to the workers of a Dask cluster.

Each loan is a task of the cluster, which searches below its prefixes and reports. Nothing waits
without a limit: workers die, a cluster may not start new ones (Dask's local cluster gives up on a
worker after fifteen seconds), and reports are lost with their workers. So every loan can be taken
back at any time, and where no worker answers, this process searches itself.
"""

from __future__ import annotations

import queue
import threading
import time
import uuid
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from surelist import _core
from surelist.errors import ClusterWarning, SurelistError
from surelist.search.cluster.shard import (
    ShardReport,
    ShardTask,
    offer_to_shards,
    run_shard,
    shard_options,
    stop_shards,
)

if TYPE_CHECKING:
    from distributed import Client, Future

__all__ = ["Loans"]

_SHARD_SECONDS = 1.0  # target time of a shard
_MOST_SECONDS = 10.0  # after which a shard reports, finished or not
_LEAST_PREFIXES = 64
_MOST_PREFIXES = 100_000
_SHARDS_PER_THREAD = 3  # one that runs, others queued
_WAIT = 0.1  # seconds between two looks at the clock
_MOST_LOSSES = 100  # workers lost in a row before the cluster counts as broken
_ABSENT_SECONDS = 5.0  # without any worker, before this process works itself: one may be starting
_SILENT_SECONDS = 30.0  # without an answer of those there are, before it does so, too
_ANSWER_SECONDS = 2.0  # that a scheduler may take to answer


class Watch(Protocol):
    """Checks limits, reports progress and writes checkpoints while shards run."""

    def must_stop(self) -> bool:
        """Say whether a limit is reached."""

    def seconds_left(self) -> float:
        """Return the time until the time limit."""


@dataclass(frozen=True)
class _Loan:
    size: int
    task: ShardTask
    future: Future | None
    """The task on the cluster; None where there was no cluster to send it to."""


class Loans:
    """The loans of one search, and their futures on the cluster.

    Parameters
    ----------
    search : _core.Search
        The search that lends.
    client : distributed.Client
    packed : dict
        The problem.
    options : dict
        The engine's options of the search.
    certify : bool
        Whether closed prefixes are wanted.
    """

    def __init__(
        self,
        search: _core.Search,
        client: Client,
        packed: dict[str, Any],
        options: dict[str, Any],
        certify: bool,
    ) -> None:
        self._search = search
        self._client = client
        self._crew = _Crew(client)
        self._name = uuid.uuid4().hex
        self._packed = packed
        self._kept: Future | None = None
        self._options = shard_options(options)
        self._certify = certify
        self._loans: dict[int, _Loan] = {}
        self._done: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._pace = _Pace()
        self._losses = 0
        self._offered = search.objective

    def run(self, watch: Watch) -> None:
        """Lend and settle until nothing is open, or a limit is reached."""
        while not watch.must_stop():
            self._lend()
            if not self._loans:
                return
            self._settle_done(watch, _WAIT if self._crew.works() else 0)
            if not self._crew.works():
                self._work_here(watch)

    def end(self) -> None:
        """Take back whatever is lent."""
        if self._loans:
            self._cancel(*self._loans.values())
            self._tell(stop_shards).join(_ANSWER_SECONDS)
        self._loans.clear()
        self._search.reclaim_all()

    def _lend(self) -> None:
        """Keep every thread of the cluster busy, with shards queued for each."""
        threads = max(1, self._crew.threads())
        slots = _SHARDS_PER_THREAD * threads
        if len(self._loans) >= slots:
            return
        n_open = self._search.n_open
        while len(self._loans) < slots:
            if n_open < _LEAST_PREFIXES and len(self._loans) >= threads:
                return  # shards under way will report more soon; a tiny shard is not worth sending
            share = -(-n_open // (slots - len(self._loans)))
            most = max(1, min(share, self._pace.size))
            ticket, size, prefixes = self._search.lend(most)
            if size == 0:
                return
            n_open -= size
            task = ShardTask(
                self._name,
                prefixes,
                self._search.prefix,
                max(size, _LEAST_PREFIXES),
                _MOST_SECONDS * self._pace.slack,
            )
            self._loans[ticket] = _Loan(size, task, self._submit(ticket, task))

    def _submit(self, ticket: int, task: ShardTask) -> Future | None:
        if not _is_open(self._client):
            return None
        # The problem is kept by a task, not by scatter: a task is run again where its worker dies.
        # But after several lost workers Dask takes the task itself for the cause, and fails it.
        if self._kept is None or self._kept.status in ("error", "cancelled", "lost"):
            self._kept = self._client.submit(_keep, self._packed, pure=False)
        future = self._client.submit(
            run_shard, self._kept, self._options, self._certify, task, pure=False
        )
        future.add_done_callback(lambda _: self._done.put(ticket))
        return future

    def _settle_done(self, watch: Watch, seconds: float) -> None:
        """Settle what has come back, waiting for it for a while."""
        with suppress(queue.Empty):
            self._settle(self._done.get(timeout=seconds), watch)
            while not self._done.empty() and watch.seconds_left() > 0:
                self._settle(self._done.get(), watch)

    def _settle(self, ticket: int, watch: Watch) -> None:
        loan = self._loans.pop(ticket, None)
        if loan is None or loan.future is None:
            return  # taken back before
        try:
            # A finished report may be lost; the loan is then taken back, not waited for.
            if loan.future.status == "lost":
                raise OSError("the report was lost with the worker that had it")
            seconds = min(_MOST_SECONDS, max(_WAIT, watch.seconds_left()))
            told: ShardReport = loan.future.result(timeout=seconds)
        except Exception as error:
            self._cancel(loan)
            self._search.reclaim(ticket)
            self._lost(error)
            return
        self._losses = 0
        self._crew.answered()
        self._take(ticket, loan, told)

    def _take(self, ticket: int, loan: _Loan, told: ShardReport) -> None:
        before = self._search.counters["expanded"]
        self._search.settle(ticket, told.report, told.closed)
        if self._search.counters["expanded"] > before or told.seconds < loan.task.most_seconds:
            self._pace.took(loan.size, told.seconds)
        else:
            self._pace.in_vain()
        if self._search.objective < self._offered:
            self._offered = self._search.objective
            self._tell(offer_to_shards, self._search.prefix)

    def _work_here(self, watch: Watch) -> None:
        """Run the latest loan in this process: a worker has hardly begun with that one."""
        if not self._loans:
            return
        self._crew.warn()
        ticket, loan = self._loans.popitem()
        self._cancel(loan)
        seconds = min(_SHARD_SECONDS * self._pace.slack, watch.seconds_left())
        task = replace(loan.task, incumbent=self._search.prefix, most_seconds=seconds)
        told = run_shard(self._packed, self._options, self._certify, task)
        self._take(ticket, replace(loan, task=task), told)
        if told.status == "interrupted":
            raise KeyboardInterrupt  # the search then stops with its best list

    def _cancel(self, *loans: _Loan) -> None:
        futures = [loan.future for loan in loans if loan.future is not None]
        if futures and _is_open(self._client):
            self._client.cancel(futures, force=True)

    def _tell(self, function: Callable[..., Any], *what: Any) -> threading.Thread:
        """Run a function on all workers, in a thread: a worker that hangs must not block us."""

        def tell() -> None:
            with suppress(Exception):  # workers that are gone need no message
                self._client.run(function, self._name, *what, wait=False, on_error="ignore")

        thread = threading.Thread(target=tell, daemon=True)
        thread.start()
        return thread

    def _lost(self, error: Exception) -> None:
        """Ignore errors of lost workers and connections; raise all others."""
        from distributed import CancelledError, KilledWorker

        # A broken connection cancels all futures at once, which says nothing about the shards.
        if isinstance(error, CancelledError | OSError) or not _is_open(self._client):
            return
        if not isinstance(error, KilledWorker):
            raise SurelistError(
                f"a shard of the search failed on the cluster: {error!r}"
            ) from error
        self._losses += 1
        if self._losses > _MOST_LOSSES:
            raise SurelistError(
                f"the last {_MOST_LOSSES} shards were lost with the workers that ran them: "
                "see the logs of the cluster"
            ) from error


def _keep(packed: dict[str, Any]) -> dict[str, Any]:
    """Hold the problem on the cluster, for all shards."""
    return packed


def _is_open(client: Client) -> bool:
    """Say whether there is, or may be again, a scheduler to talk to."""
    return client.status not in ("closing", "closed")


class _Crew:
    """The workers of the cluster: how many threads, and when one was last seen or answered."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._threads = 0
        self._present = self._answered = time.monotonic()
        self._ask_again = 0.0
        self._warned = False

    def threads(self) -> int:
        """Count the threads of the cluster; none where no scheduler answers."""
        now = time.monotonic()
        if now >= self._ask_again:
            self._threads = self._ask()
            after = time.monotonic()
            # A scheduler that does not answer is asked less often.
            self._ask_again = after + 10 * (after - now)
        if self._threads > 0:
            self._present = time.monotonic()
        return self._threads

    def _ask(self) -> int:
        if not _is_open(self._client):
            return 0
        try:
            return sum(self._client.nthreads(callback_timeout=_ANSWER_SECONDS).values())
        except (OSError, AttributeError):  # the client is closing, and has no scheduler any more
            return 0

    def answered(self) -> None:
        """Note that a worker has answered."""
        self._answered = time.monotonic()
        self._warned = False

    def works(self) -> bool:
        """Whether workers are present and answer."""
        now = time.monotonic()
        absent = now - self._present >= _ABSENT_SECONDS or not _is_open(self._client)
        return not absent and now - self._answered < _SILENT_SECONDS

    def warn(self) -> None:
        """Warn that this process searches itself; once, until a worker answers again."""
        if self._warned:
            return
        self._warned = True
        if not _is_open(self._client):
            what = (
                "the connection to the Dask cluster is closed: the search goes on in this process"
            )
        elif self._threads == 0:
            what = (
                "the Dask cluster has no workers: the search goes on in this process until there "
                "are some"
            )
        else:
            what = (
                f"no worker of the Dask cluster has answered for {_SILENT_SECONDS:.0f} seconds: "
                "the search goes on in this process, too"
            )
        warnings.warn(what, ClusterWarning, stacklevel=2)


class _Pace:
    """How many prefixes a shard gets, so that it takes about the target time.

    A shard expands one generation only. Before all shards have reported their children, it cannot
    know which of its own are dominated by another shard's; expanding further would waste work.
    """

    def __init__(self) -> None:
        self.size = 1_000
        self.slack = 1.0  # times as long as meant, where a single prefix takes longer than that

    def in_vain(self) -> None:
        """Learn from a shard that had not enough time for its first prefix."""
        self.slack *= 2.0

    def took(self, size: int, seconds: float) -> None:
        """Learn from a shard of so many prefixes."""
        wanted = size * _SHARD_SECONDS / max(seconds, 1e-3)
        smooth = 0.7 * self.size + 0.3 * min(wanted, 4.0 * self.size)
        self.size = int(min(max(smooth, _LEAST_PREFIXES), _MOST_PREFIXES))
