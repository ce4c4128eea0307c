"""A fit from the prepared problem on: the search, its checkpoints, and what the model gets of it.

`RuleListClassifier.fit` begins one; `surelist.resume` goes on with one from its checkpoint.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from surelist.certificate import Certificate
from surelist.checkpoint import Checkpoint
from surelist.closed_log import ClosedLog
from surelist.parameters import Parameters
from surelist.problem_state import fingerprint_of
from surelist.rule_list import RuleList
from surelist.trace import Trace
from surelist.training import Prepared, new_search, rule_list_of, run

__all__ = ["Fitting", "Outcome"]

Report = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a search found and proved."""

    rule_list: RuleList
    trace: Trace
    certificate: Certificate | None
    status: str
    objective: Fraction
    lower_bound: Fraction


class Fitting:
    """A search that is under way.

    Parameters
    ----------
    prepared, parameters
        The problem, and how to search it.
    prefix : list of int, optional
        The rule list to start from.
    """

    def __init__(
        self, prepared: Prepared, parameters: Parameters, prefix: list[int] | None = None
    ) -> None:
        self.prepared = prepared
        self.parameters = replace(parameters, time_limit=prepared.time_left(parameters.time_limit))
        self._log = ClosedLog(parameters.certificate)
        self._kept: Checkpoint | None = None
        self._earlier: Mapping[str, list[Any]] = {}
        self.search = new_search(
            prepared.problem, self.parameters, prefix, prepared.constraints, self._log.path
        )

    def keep(self, header: dict[str, Any], parts: dict[str, bytes]) -> None:
        """Say what a checkpoint has to hold besides the state of the search."""
        fingerprint = fingerprint_of(self.prepared.problem)
        self._kept = Checkpoint({**header, "fingerprint": fingerprint}, parts)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go on from a checkpoint of the same problem, instead of from the beginning."""
        if self._log.path is not None:
            Path(self._log.path).write_bytes(checkpoint.parts["closed"])
        self.search.restore(checkpoint.parts["state"])
        self._earlier = checkpoint.header["trace"]

    def run(self, report: Report | None) -> None:
        """Search until it is done or stopped, here or on a cluster, writing checkpoints."""
        path = self.parameters.checkpoint
        if self.parameters.cluster is not None:
            from surelist.cluster import search_on_cluster

            search_on_cluster(self.search, self.prepared, self.parameters, report, self._saver())
        elif path is None:
            run(self.search, report)
        else:
            run(self.search, report, self.parameters.checkpoint_interval)
            while self.search.status == "paused":
                self.save(path)
                run(self.search, report, self.parameters.checkpoint_interval)
        if path is not None:
            self.save(path)

    def _saver(self) -> Callable[[], None]:
        """Return a function that writes a checkpoint where one is due, and is cheap else."""
        path, interval = self.parameters.checkpoint, self.parameters.checkpoint_interval
        last = time.monotonic()

        def save_if_due() -> None:
            nonlocal last
            if path is None or interval is None or time.monotonic() - last < interval:
                return
            self.save(path)
            last = time.monotonic()

        return save_if_due

    def save(self, path: Path) -> None:
        """Write a checkpoint of the search, which must stand still."""
        if self._kept is None:
            return
        header = {**self._kept.header, "status": self.search.status, "trace": self._trace()}
        parts = {**self._kept.parts, "state": self.search.save()}
        if self._log.path is not None:
            parts["closed"] = Path(self._log.path).read_bytes()
        Checkpoint(header, parts).write(path)

    def _trace(self) -> dict[str, list[Any]]:
        samples = self.search.trace
        return {name: [*self._earlier.get(name, ()), *column] for name, column in samples.items()}

    def outcome(self, sample_weight: Any = None, class_weight: Any = None) -> Outcome:
        """Read off what the search found; weights are described as ``fit`` was given them."""
        prepared, search = self.prepared, self.search
        rule_list = rule_list_of(
            search, prepared.antecedents, prepared.data, self.parameters, prepared.constraints.costs
        )
        certificate = self._log.certificate(
            search, prepared, self.parameters, sample_weight, class_weight
        )
        return Outcome(
            rule_list=rule_list,
            trace=Trace.of(_Sampled(search.counters, search.pruned, self._trace())),
            certificate=certificate,
            status=search.status,
            objective=Fraction(search.objective, search.scale),
            lower_bound=Fraction(search.lower_bound, search.scale),
        )


@dataclass(frozen=True)
class _Sampled:
    """What `Trace.of` asks of a search."""

    counters: dict[str, Any]
    pruned: dict[str, int]
    trace: dict[str, list[Any]]
