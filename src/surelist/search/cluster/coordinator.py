"""One search on a Dask cluster.

The search itself stays here, with its tree, its symmetry map and the best rule list. It lends open
prefixes to shards, which run on the workers, and takes what they report as it would take the work
of a thread. docs/scale.md says why that is right, and what it costs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from surelist import _core
from surelist.errors import InputError
from surelist.problem.arrays import pack_problem
from surelist.problem.parameters import Parameters
from surelist.problem.prepare import Prepared
from surelist.search.cluster.loans import Loans
from surelist.search.engine import conclude, search_options

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["search_on_cluster"]

Report = Callable[[dict[str, Any]], None]

_LOCAL_SECONDS = 0.5  # of search before anything is lent: small problems end here
_LOCAL_PREFIXES = 20_000


def search_on_cluster(
    search: _core.Search,
    prepared: Prepared,
    parameters: Parameters,
    report: Report | None,
    save_if_due: Callable[[], None],
) -> None:
    """Run a search to its end, or to what stops it, on the cluster that ``n_jobs`` names.

    ``report`` is called with the progress; ``save_if_due`` while the search is paused.
    """
    # Runs before a checkpoint have used some time and work already.
    began, worked = search.counters["time"], search.counters["work"]
    _run_locally(search, report)
    if search.status != "paused":
        return
    options = search_options(prepared.problem, parameters, prepared.constraints)
    certify = parameters.certificate is not False
    with _connected(parameters.cluster) as client:
        loans = Loans(search, client, pack_problem(prepared.problem), options, certify)
        watch = _Watch(search, parameters, began, worked, report, save_if_due)
        interrupted = False
        try:
            loans.run(watch)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            loans.end()
            watch.look_at_clock()
    conclude(search, interrupted)


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


class _Watch:
    """Housekeeping while shards run: limits, progress and checkpoints."""

    def __init__(
        self,
        search: _core.Search,
        parameters: Parameters,
        began: float,
        worked: int,
        report: Report | None,
        save_if_due: Callable[[], None],
    ) -> None:
        self._search = search
        limit = parameters.time_limit
        self._late = math.inf if limit is None else began + limit
        self._most_prefixes = parameters.max_prefixes
        most_work = parameters.work_limit
        self._most_work = math.inf if most_work is None else worked + most_work
        self._report = report
        self._save_if_due = save_if_due
        self._begun: float = time.monotonic() - search.counters["time"]
        self._next_report = 0.0

    def look_at_clock(self) -> float:
        """Tell the search how much time has passed."""
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
        most, counters = self._most_prefixes, self._search.counters
        return (
            now >= self._late
            or counters["work"] >= self._most_work
            or (most is not None and counters["queue_insertions"] >= most)
        )

    def seconds_left(self) -> float:
        """Return the time until the time limit."""
        return max(0.0, self._late - (time.monotonic() - self._begun))


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
        "proven_length": search.proven_length or 0,
        "queue_by_length": (),  # which would take a walk through the tree
        "pruned": search.pruned,
    }
