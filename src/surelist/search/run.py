"""Search, the second step of a fit: a prepared problem into a result.

`search_prepared` runs a new search; `surelist.resume` continues one from its checkpoint.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surelist._common.limits import WORK_SECOND, Pace, Work
from surelist._common.progress import reporting, spaced
from surelist._common.strict_json import DamagedError, Place
from surelist.certificate.closed_log import ClosedLog
from surelist.certificate.file import count_prefixes
from surelist.errors import InputError, SurelistError, UnwrittenWarning
from surelist.problem.arrays import fingerprint_of
from surelist.problem.parameters import Parameters
from surelist.problem.prepare import Prepared
from surelist.rule_list.rule_list import RuleList
from surelist.search.checkpoint import Checkpoint
from surelist.search.engine import conclude, initial_prefix, new_search, rule_list_of, run
from surelist.search.single_clauses import SingleClauses
from surelist.search.trace import Trace
from surelist.search.trace_json import check_samples

if TYPE_CHECKING:
    from surelist.certificate.certificate import Certificate
    from surelist.certificate.fairness import FairCertificate

__all__ = ["Outcome", "SearchRun", "search_prepared"]

Report = Callable[[dict[str, Any]], None]

_LEAST_SLICE = 0.01  # of the time limit; shorter slices find nothing
_SHORTEST = 1e-3


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a search found and proved."""

    rule_list: RuleList
    trace: Trace
    certificate: Certificate | FairCertificate | None
    status: str
    objective: Fraction
    lower_bound: Fraction
    proven_length: int | None
    """No list of up to so many rules is better; None: none of any length."""
    interrupted: bool = False
    """Whether Ctrl-C struck, also if the search ended all the same."""


def search_prepared(
    prepared: Prepared,
    parameters: Parameters,
    initial: Any = None,
    contents: tuple[dict[str, Any], dict[str, bytes]] | None = None,
) -> Outcome:
    """Search a prepared problem to the end, or until a limit or Ctrl-C stops it.

    Parameters
    ----------
    prepared, parameters
        The problem, and how to search it.
    initial : RuleList, fitted model, list of str, or None
        The rule list to start from.
    contents : tuple of dict and dict, optional
        What checkpoints hold besides the state of the search: header and parts.

    Raises
    ------
    InputError
    """
    prefix = initial_prefix(initial, prepared.antecedents, parameters.max_length)
    search = SearchRun(prepared, parameters, prefix, contents)
    with reporting(parameters.progress, prepared.antecedents) as report:
        search.run(report)
    return search.outcome()


class SearchRun:
    """A search with its checkpoints, its log of closed prefixes, and its limits.

    Parameters
    ----------
    prepared, parameters
        The problem, and how to search it.
    prefix : list of int, optional
        The rule list to start from.
    contents : tuple of dict and dict, optional
        What checkpoints hold besides the state of the search: header and parts.
    """

    def __init__(
        self,
        prepared: Prepared,
        parameters: Parameters,
        prefix: list[int] | None = None,
        contents: tuple[dict[str, Any], dict[str, bytes]] | None = None,
    ) -> None:
        self.prepared = prepared
        self._earlier: Mapping[str, list[Any]] = {}
        self._interrupted = False
        self._beyond = prepared.least_beyond(parameters)
        self._saving = _Saving()
        # What files hold that does not depend on the search is made before it, so that the time
        # left for the search is known.
        self._log = ClosedLog(parameters.certificate)
        self._log.begin(prepared)
        self._contents = None if contents is None else self._with_mining(*contents)
        after = self._log.seconds_to_pack() + self._saving.at_first
        self._work = Work(parameters.work_limit)
        self._work.spend(prepared.work)
        self._single = SingleClauses.of(prepared, parameters, self._work)
        self.parameters = replace(
            parameters,
            time_limit=prepared.deadline.for_search(after=after),
            work_limit=self._work.for_search(),
        )
        self._pace = Pace(parameters.checkpoint_interval, prepared.deadline.clock)
        self._begin(prefix)

    def _begin(self, prefix: list[int] | None) -> None:
        self.search = new_search(
            self.prepared.problem,
            self.parameters,
            prefix,
            self.prepared.constraints,
            self._log.path,
        )

    def _with_mining(self, header: dict[str, Any], parts: dict[str, bytes]) -> Checkpoint:
        """Add what was mined to the contents of checkpoints."""
        began = self.prepared.deadline.clock()
        fingerprint = header.get("fingerprint") or fingerprint_of(self.prepared.problem)
        cut = self.prepared.cut
        mined = {
            "fingerprint": fingerprint,
            "tried": None if cut is None else cut.tried,
            "cut_by": None if cut is None else cut.by,
        }
        # A checkpoint takes about as long to write as the problem takes to hash.
        self._saving.at_first = self.prepared.deadline.clock() - began
        return Checkpoint({**header, **mined}, parts)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Continue from a checkpoint of the same problem, instead of from the beginning.

        Raises
        ------
        DamagedError
        """
        trace = Place(checkpoint.header)["trace"]
        check_samples(trace, self.search.pruned)
        if self._log.path is not None:
            Path(self._log.path).write_bytes(checkpoint.part("closed"))
            try:  # now, not when the search is over
                count_prefixes(self._log.path)
            except SurelistError as error:
                raise DamagedError("parts.closed", str(error)) from None
        self.search.restore(checkpoint.part("state"))
        self._earlier = trace.value

    def run(self, report: Report | None) -> None:
        """Search until the end or a limit, here or on a cluster, and write checkpoints."""
        report = self._reporting(report)
        try:
            self._run(report)
        except RuntimeError as error:
            if self._log.path is None or "closed prefixes could not be written" not in str(error):
                raise
            self._go_on_without_log(report, error)
        except KeyboardInterrupt:
            self._interrupted = True
            conclude(self.search, interrupted=True)  # between two steps of the search
        if self.parameters.checkpoint is not None:
            self.save(self.parameters.checkpoint, last=True)

    def _run(self, report: Report | None) -> None:
        if self.parameters.cluster is not None:
            from surelist.search.cluster.coordinator import search_on_cluster

            search_on_cluster(
                self.search, self.prepared, self.parameters, report, self._save_if_due
            )
        else:
            self._run_here(report)

    def _run_here(self, report: Report | None) -> None:
        """Search in slices, so that checkpoints are written and time is left for the files."""
        clock = self.prepared.deadline.clock
        ends_at = self.search.counters["time"] + (self.parameters.time_limit or 0.0)
        single, self._single = self._single, None
        if single is not None:
            goes_on = single.help(self.search, self.prepared, report)
            self._interrupted = single.interrupted
            if not goes_on:
                return None
            self._save_if_due()
        while True:
            seconds = self._slice()
            if seconds is not None and seconds <= 0:
                self.search.pass_time(ends_at)
                return conclude(self.search)
            if run(self.search, report, *self._pause(seconds)):
                self._interrupted = True
            if self.search.status != "paused":
                return None
            paused_at = clock()
            self._save_if_due()
            self.search.pass_time(self.search.counters["time"] + clock() - paused_at)

    def _pause(self, seconds: float | None) -> tuple[float | None, int | None]:
        """Return when to pause, by the clock or by work.

        Without a time limit by work, which leaves the result the same in every run.
        """
        interval = self.parameters.checkpoint_interval
        if seconds is None or self.prepared.deadline.limit is not None or interval is None:
            return seconds, None
        return None, max(1, int(max(interval, _SHORTEST) * WORK_SECOND))

    def _slice(self) -> float | None:
        """Return how long to search until limits and checkpoints are looked at; None: to the end.

        Half of what is left each time, as the size of the files is known only once they are there.
        """
        saves = self.parameters.checkpoint is not None
        seconds = self._pace.until_due() if saves else math.inf
        left, limit = self.prepared.deadline.left(), self.prepared.deadline.limit
        if left is not None and limit is not None and (saves or self._log.path is not None):
            memory = self.search.counters["memory"]
            left -= self._log.seconds_to_pack() + (self._saving.seconds(memory) if saves else 0.0)
            if left <= _LEAST_SLICE * limit and self.search.status == "paused":
                return 0.0
            seconds = min(seconds, max(left / 2, _LEAST_SLICE * limit))
        return None if seconds == math.inf else max(seconds, _SHORTEST)

    def _go_on_without_log(self, report: Report | None, error: RuntimeError) -> None:
        """Search again without a log, from the best list so far."""
        warnings.warn(
            f"there will be no certificate: {error}. Make room in the folder for temporary files "
            "(TMPDIR names another); the search goes on without",
            UnwrittenWarning,
            stacklevel=6,
        )
        best = list(self.search.prefix)
        self._log = ClosedLog(False)
        if self._contents is not None:  # a search resumed from here has no log, either
            given = {**self._contents.header["parameters"], "certificate": False}
            self._contents = replace(
                self._contents, header={**self._contents.header, "parameters": given}
            )
        left = self.prepared.deadline.for_search()
        self.parameters = replace(self.parameters, certificate=False, time_limit=left)
        self._begin(best)
        self._run(report)

    def _reporting(self, report: Report | None) -> Report | None:
        """Report times since the fit began, and bounds that hold for what was not mined, too.

        The engine also reports at the start of each slice, however short the one before was.
        """
        if report is None:
            return None
        since = self.prepared.deadline.elapsed() - self.search.counters["time"]
        beyond = math.inf if self._beyond is None else float(self._beyond)
        proven_length = self.prepared.proven_length

        def report_all(event: dict[str, Any]) -> None:
            objective = Fraction(self.search.objective, self.search.scale)
            true = {
                "time": event["time"] + since,
                "lower_bound": min(event["lower_bound"], beyond),
                "proven_length": proven_length(event["proven_length"], objective, self._beyond),
            }
            report({**event, **true})

        return spaced(report_all)

    def _save_if_due(self) -> None:
        """Write a checkpoint if the interval has passed."""
        path = self.parameters.checkpoint
        if path is not None and self._pace.is_due():
            self.save(path)

    def save(self, path: Path, *, last: bool = False) -> None:
        """Write a checkpoint of the search, which must be paused or over.

        Where that fails there is a warning, the first time and for the last checkpoint.
        """
        if self._contents is None:
            return
        clock = self.prepared.deadline.clock
        began = clock()
        header = {**self._contents.header, "status": self.search.status, "trace": self._trace()}
        try:
            parts = {**self._contents.parts, "state": self.search.save()}
            if self._log.path is not None:
                parts["closed"] = Path(self._log.path).read_bytes()
            Checkpoint(header, parts).write(path)
        except (InputError, MemoryError, OSError) as error:
            if last or not self._saving.failed:
                what = "is as it was" if last else "goes on without it"
                warnings.warn(
                    f"{error or 'no memory for the checkpoint'}. The search {what}",
                    UnwrittenWarning,
                    stacklevel=6,
                )
            self._saving.failed = True
        self._saving.took(clock() - began, self.search.counters["memory"])
        self._pace.spent(clock() - began)

    def _trace(self) -> dict[str, list[Any]]:
        samples = self.search.trace
        return {name: [*self._earlier.get(name, ()), *column] for name, column in samples.items()}

    def outcome(self) -> Outcome:
        """Return what the search found and proved.

        If mining was cut short, nothing is proven about antecedents that were not mined: then the
        lower bound and the proven length are those that hold for all lists, and what cut mining
        short is the status.
        """
        prepared, search = self.prepared, self.search
        rule_list = rule_list_of(
            search, prepared.antecedents, prepared.data, self.parameters, prepared.constraints.costs
        )
        certificate = self._log.certificate(search, prepared, self.parameters)
        status, objective = search.status, Fraction(search.objective, search.scale)
        lower_bound = Fraction(search.lower_bound, search.scale)
        trace = self._trace()
        if self._beyond is not None and self._beyond < lower_bound:
            lower_bound = self._beyond
            assert prepared.cut is not None
            status = prepared.cut.by if status == "optimal" else status
            bounds = trace["lower_bound"]
            trace["lower_bound"] = [min(bound, float(lower_bound)) for bound in bounds]
            shorter = prepared.proven_length(None, objective, self._beyond) or 0
            trace["proven_length"] = [min(each, shorter) for each in trace["proven_length"]]
        proven_length = None
        if status != "optimal":
            proven_length = prepared.proven_length(search.proven_length, objective, self._beyond)
        counters = search.counters
        counters["work"] += self._work.done
        return Outcome(
            rule_list=rule_list,
            trace=Trace.of(_Sampled(counters, search.pruned, trace)),
            certificate=certificate,
            status=status,
            objective=objective,
            lower_bound=lower_bound,
            proven_length=proven_length,
            interrupted=self._interrupted,
        )


class _Saving:
    """How long checkpoints take."""

    _BYTES_A_SECOND = 1e8  # of the search's memory, before one has been written

    def __init__(self) -> None:
        self.failed = False
        self.at_first = 0.0
        self._seconds_a_byte = 1 / self._BYTES_A_SECOND

    def took(self, seconds: float, memory: int) -> None:
        """Learn from one."""
        self._seconds_a_byte = seconds / max(memory, 1)

    def seconds(self, memory: int) -> float:
        """Return how long the next one will take, about."""
        return memory * self._seconds_a_byte


@dataclass(frozen=True)
class _Sampled:
    """What `Trace.of` asks of a search."""

    counters: dict[str, Any]
    pruned: dict[str, int]
    trace: dict[str, list[Any]]
