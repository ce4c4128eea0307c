"""One search on a Dask cluster.

The search itself stays here, with its tree, its symmetry map and the best rule list. It lends open
prefixes to shards, which run on the workers, and takes what they report as it would take the work
of a thread. docs/scale.md says why that is right, and what it costs.
"""

from __future__ import annotations

import math
import queue
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from surelist import _core
from surelist.errors import InputError, SurelistError
from surelist.parameters import Parameters
from surelist.problem_state import pack_problem
from surelist.shard import (
    ShardReport,
    ShardTask,
    offer_to_shards,
    run_shard,
    shard_options,
    stop_shards,
)
from surelist.training import Prepared, run, search_options

if TYPE_CHECKING:
    from distributed import Client, Future

__all__ = ["search_on_cluster"]

Report = Callable[[dict[str, Any]], None]

_LOCAL_SECONDS = 0.5  # of search before anything is lent: small problems end here
_LOCAL_PREFIXES = 20_000
_SHARD_SECONDS = 1.0  # that a shard is meant to take
_MOST_SECONDS = 10.0  # after which it hands over whatever it was meant to take
_LEAST_PREFIXES = 64
_MOST_PREFIXES = 100_000
_SHARDS_PER_THREAD = 3  # under way: one that runs, others that wait
_WAIT = 0.1  # seconds between two looks at the clock
_MOST_LOSSES = 100  # shards lost in a row before the cluster counts as broken


def search_on_cluster(
    search: _core.Search,
    prepared: Prepared,
    parameters: Parameters,
    report: Report | None,
    save_if_due: Callable[[], None],
) -> None:
    """Run a search to its end, or to what stops it, on the cluster that ``n_jobs`` names.

    ``report`` is told how things stand; ``save_if_due`` is called while the search stands still.
    """
    _run_locally(search, report)
    if search.status != "paused":
        return
    options = search_options(prepared.problem, parameters, prepared.constraints)
    certify = parameters.certificate is not False
    with _connected(parameters.cluster) as client:
        lending = _Lending(search, client, pack_problem(prepared.problem), options, certify)
        watch = _Watch(search, parameters, report, save_if_due)
        interrupted = False
        try:
            lending.run(watch)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            lending.end()
            watch.look_at_clock()
    _conclude(search, interrupted)


def _run_locally(search: _core.Search, report: Report | None) -> None:
    try:
        search.run(report, _LOCAL_SECONDS, _LOCAL_PREFIXES)
    except KeyboardInterrupt:
        if search.status == "running":
            raise


@contextmanager
def _connected(cluster: Any) -> Iterator[Client]:
    """Give a client; one that was made here from an address is closed again."""
    try:
        from distributed import Client
    except ImportError:
        raise InputError(
            "n_jobs: a search on a cluster needs Dask: pip install 'surelist[dask]'"
        ) from None
    if not isinstance(cluster, str):
        yield cluster
        return
    try:
        client = Client(cluster, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(f"n_jobs: there is no Dask scheduler at {cluster} ({error})") from None
    with client:
        yield client


def _conclude(search: _core.Search, interrupted: bool) -> None:
    """Have the search say how it ended, now that everything is back; time has passed by now."""

    def stop(_: dict[str, Any]) -> None:
        raise KeyboardInterrupt

    run(search, stop if interrupted else None)


def _keep(packed: dict[str, Any]) -> dict[str, Any]:
    """Hold the problem on the cluster, for all shards."""
    return packed


class _Watch:
    """What has to be looked after while shards run: limits, progress and checkpoints."""

    def __init__(
        self,
        search: _core.Search,
        parameters: Parameters,
        report: Report | None,
        save_if_due: Callable[[], None],
    ) -> None:
        self._search = search
        self._parameters = parameters
        self._report = report
        self._save_if_due = save_if_due
        self._begun: float = time.monotonic() - search.counters["time"]
        self._next_report = 0.0

    def look_at_clock(self) -> float:
        """Let the search know how late it is."""
        now = time.monotonic() - self._begun
        self._search.pass_time(now)
        return now

    def must_stop(self) -> bool:
        """Report, save, and say whether a limit is reached."""
        now = self.look_at_clock()
        if self._report is not None and now >= self._next_report:
            self._report(_progress(self._search))
            # Finding out takes time, of which this may take a fiftieth.
            spent = time.monotonic() - self._begun - now
            self._next_report = now + max(0.1, 50 * spent)
        self._save_if_due()
        limits = self._parameters
        late = limits.time_limit is not None and now >= limits.time_limit
        counters = self._search.counters
        most = limits.max_prefixes
        return late or (most is not None and counters["queue_insertions"] >= most)


def _progress(search: _core.Search) -> dict[str, Any]:
    counters = search.counters
    return {
        "time": counters["time"],
        "objective": search.objective / search.scale,
        "lower_bound": search.lower_bound / search.scale,
        "expanded": counters["expanded"],
        "queue": search.n_open,
        "memory": counters["memory"],
        "remaining": math.nan,
        "prefix": search.prefix,
        "labels": search.labels,
        "default_label": search.default_label,
        "queue_by_length": (),  # which would take a walk through the tree
        "pruned": search.pruned,
    }


class _Lending:
    """The loans of a search, and the futures that stand for them."""

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
        self._name = uuid.uuid4().hex
        self._packed = packed
        self._kept = self._keep_problem()
        self._options = shard_options(options)
        self._certify = certify
        self._loans: dict[Future, tuple[int, int]] = {}
        self._done: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._pace = _Pace()
        self._losses = 0
        self._offered = search.objective

    def _keep_problem(self) -> Future:
        """Keep it by a task, not by scatter: a task is run again where its worker dies."""
        return self._client.submit(_keep, self._packed, pure=False)

    def run(self, watch: _Watch) -> None:
        """Lend and settle until nothing is open, or a limit is reached."""
        while not watch.must_stop():
            self._lend()
            if not self._loans:
                return
            try:
                future = self._done.get(timeout=_WAIT)
            except queue.Empty:
                continue
            self._settle(future)
            while not self._done.empty():
                self._settle(self._done.get())

    def end(self) -> None:
        """Take back whatever is lent."""
        if self._loans:
            self._client.cancel(list(self._loans), force=True)
            self._client.run(stop_shards, self._name, wait=False, on_error="ignore")
        self._loans.clear()
        self._search.reclaim_all()

    def _lend(self) -> None:
        """Keep every thread of the cluster in work, with something waiting for each."""
        threads = max(1, sum(self._client.nthreads().values()))
        slots = _SHARDS_PER_THREAD * threads
        if len(self._loans) >= slots:
            return
        n_open = self._search.n_open
        while len(self._loans) < slots:
            if n_open < _LEAST_PREFIXES and len(self._loans) >= threads:
                return  # more will come back soon: better than a shard of a few
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
                _MOST_SECONDS,
            )
            future = self._client.submit(
                run_shard, self._kept, self._options, self._certify, task, pure=False
            )
            self._loans[future] = ticket, size
            future.add_done_callback(self._done.put)

    def _settle(self, future: Future) -> None:
        if future not in self._loans:
            return
        ticket, size = self._loans.pop(future)
        try:
            # A report may be lost after it was done; it is not worth waiting for the next one.
            told: ShardReport = future.result(timeout=_MOST_SECONDS)
        except Exception as error:
            future.cancel()
            self._search.reclaim(ticket)
            self._lost(error)
            return
        self._losses = 0
        self._search.settle(ticket, told.report, told.closed)
        self._pace.took(size, told.seconds)
        if self._search.objective < self._offered:
            self._offered = self._search.objective
            self._client.run(
                offer_to_shards, self._name, self._search.prefix, wait=False, on_error="ignore"
            )

    def _lost(self, error: Exception) -> None:
        """Go on without what a dead worker would have reported; other errors are ours."""
        from distributed import CancelledError, KilledWorker

        self._losses += 1
        # After several deaths, Dask holds the task itself to be the cause, and gives it up.
        if self._kept.status in ("error", "cancelled", "lost"):
            self._kept = self._keep_problem()
        if not isinstance(error, CancelledError | KilledWorker | OSError):
            raise SurelistError(
                f"a shard of the search failed on the cluster: {error!r}"
            ) from error
        if self._losses > _MOST_LOSSES:
            raise SurelistError(
                f"the last {_MOST_LOSSES} shards were lost with the workers that ran them: "
                "see the logs of the cluster"
            ) from error


class _Pace:
    """How many prefixes a shard gets, so that it takes about as long as is meant.

    It searches one generation: what its prefixes' children lead to is not known before all shards
    have handed theirs over, and to go further means to expand what another one makes superfluous.
    """

    def __init__(self) -> None:
        self.size = 1_000

    def took(self, size: int, seconds: float) -> None:
        """Learn from a shard of so many prefixes."""
        wanted = size * _SHARD_SECONDS / max(seconds, 1e-3)
        smooth = 0.7 * self.size + 0.3 * min(wanted, 4.0 * self.size)
        self.size = int(min(max(smooth, _LEAST_PREFIXES), _MOST_PREFIXES))
