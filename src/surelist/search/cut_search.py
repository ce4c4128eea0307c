"""Search over all cuts: a problem of chains into a result.

The engine (`core/cuts/`) proves lists of up to 1, 2, 3, … rules in turn. What it finds is counted
again on the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from surelist import _core
from surelist._common.limits import Deadline
from surelist._common.progress import reporting
from surelist.certificate.cut_certificate import certify_cuts
from surelist.features.every_cut import Asked
from surelist.problem.cut_problem import CutProblem
from surelist.problem.parameters import Parameters
from surelist.problem.training_data import TrainingData
from surelist.rule_list.rule_list import RuleList
from surelist.rule_list.rules import Antecedent
from surelist.search.engine import rule_list_of
from surelist.search.run import Outcome
from surelist.search.trace import Trace
from surelist.tables.regularization import text

__all__ = ["CutOutcome", "search_cuts"]


@dataclass(frozen=True, eq=False)
class CutOutcome:
    """What a search over all cuts found and proved."""

    outcome: Outcome
    data: TrainingData
    """The rows, with the features of the rule list."""
    n_groups: int


@dataclass(frozen=True)
class _Best:
    """A list of the engine, in the form in which `rule_list_of` reads a search."""

    prefix: list[int]
    labels: list[int]
    default_label: int
    objective: int
    scale: int


def search_cuts(problem: CutProblem, parameters: Parameters, deadline: Deadline) -> CutOutcome:
    """Search to the end, or until a limit or Ctrl-C stops it.

    Raises
    ------
    InputError
    """
    rows = problem.rows
    search = _core.CutSearch(
        [chain.keys for chain in problem.chains],
        [chain.n_cuts for chain in problem.chains],
        rows.labels.codes,
        rows.weights.whole,
        len(rows.classes),
        text(parameters.regularization),
        max_length=parameters.max_length,
        logging=parameters.certificate is not False,
        pairs=problem.pairs,
    )
    samples = _Samples(parameters.trace_interval)
    shown: list[Antecedent] = []
    since = deadline.elapsed()
    with reporting(parameters.progress, shown) as report:
        watch = _watch(search, problem, samples, shown, report, since)
        status = search.run(
            watch,
            work=parameters.work_limit,
            seconds=deadline.for_search(),
            memory=parameters.memory_limit,
        )
    found = search.found()
    samples.take(found, search.scale, since, last=True)
    rules: list[Asked] = found["rules"]
    data = problem.data_for(rules)
    antecedents = problem.antecedents_for(rules, data)
    rule_list = _rule_list(antecedents, data, found["objective"], search.scale, parameters)
    certificate = None
    if parameters.certificate is not False:
        proof = search.proof, search.proof_length
        certificate = certify_cuts(problem, rule_list, rules, *proof, parameters)
    outcome = Outcome(
        rule_list=rule_list,
        trace=samples.trace(found, since),
        certificate=certificate,
        status=status,
        objective=Fraction(found["objective"], search.scale),
        lower_bound=Fraction(found["lower_bound"], search.scale),
        proven_length=found["proven_length"],
    )
    return CutOutcome(outcome, data, search.n_groups)


def _labels(antecedents: Sequence[Antecedent], data: TrainingData) -> list[int]:
    """Return the best label of each rule, and of the default at last."""
    n_rules, n_classes = len(antecedents), len(data.classes)
    captured_by = np.full(len(data.matrix), n_rules, dtype=np.intp)
    for index in reversed(range(n_rules)):
        captured_by[antecedents[index].captures(data.matrix)] = index
    weights = np.zeros((n_rules + 1, n_classes), dtype=np.int64)
    np.add.at(weights, (captured_by, data.codes), data.weights)
    labels: list[int] = weights.argmax(axis=1).tolist()
    return labels


def _rule_list(
    antecedents: tuple[Antecedent, ...],
    data: TrainingData,
    objective: int,
    scale: int,
    parameters: Parameters,
) -> RuleList:
    *labels, default = _labels(antecedents, data)
    best = _Best(list(range(len(antecedents))), labels, default, objective, scale)
    return rule_list_of(best, antecedents, data, parameters)


def _watch(
    search: _core.CutSearch,
    problem: CutProblem,
    samples: _Samples,
    shown: list[Antecedent],
    report: Callable[[dict[str, Any]], None] | None,
    since: float,
) -> Callable[[dict[str, Any]], None] | None:
    """Return the engine's progress callback; None where neither progress nor a trace is wanted."""
    if report is None and samples.interval is None:
        return None
    known: dict[tuple[Any, ...], list[int]] = {}
    scale = search.scale

    def watch(event: dict[str, Any]) -> None:
        samples.take(event, scale, since)
        if report is None:
            return
        rules = tuple(event["rules"])
        if rules not in known:
            data = problem.data_for(rules)
            shown[:] = problem.antecedents_for(rules, data)
            known.clear()
            known[rules] = _labels(shown, data)
        *labels, default = known[rules]
        report(
            {
                **event,
                "time": event["time"] + since,
                "objective": event["objective"] / scale,
                "lower_bound": event["lower_bound"] / scale,
                "proven_length": event["proven_length"] or 0,
                "prefix": range(len(rules)),
                "labels": labels,
                "default_label": default,
                "expanded": 0,
                "queue": 0,
                "queue_by_length": (),
                "pruned": {},
                "remaining": float("nan"),
            }
        )

    return watch


class _Samples:
    """The course of a search, as `Trace` has it; what it does not count is 0."""

    _ZERO = ("expanded", "evaluated", "insertions")
    _UNKNOWN = ("remaining_fine", "remaining_coarse")

    def __init__(self, interval: float | None) -> None:
        self.interval = interval
        self._columns: dict[str, list[Any]] = {
            name: []
            for name in (
                *("time", "objective", "lower_bound", "length", "proven_length", "memory"),
                *("queue_logical", "queue_physical", "improved", "pruned"),
                *self._ZERO,
                *self._UNKNOWN,
            )
        }

    def take(self, event: Mapping[str, Any], scale: int, since: float, last: bool = False) -> None:
        """Take a sample, if one is due."""
        columns, now = self._columns, event["time"] + since
        if self.interval is None:
            return
        if columns["time"] and not last and now < columns["time"][-1] + self.interval:
            return
        objective, length = event["objective"] / scale, len(event["rules"])
        proven = event["proven_length"]
        sample = {
            "time": now,
            "objective": objective,
            "lower_bound": min(objective, event["lower_bound"] / scale),
            "length": length,
            "proven_length": length if proven is None else proven,
            "memory": event["memory"],
            "queue_logical": [0],
            "queue_physical": [0],
            "pruned": {},
            "improved": objective < min(columns["objective"], default=float("inf")),
            **dict.fromkeys(self._ZERO, 0),
            **dict.fromkeys(self._UNKNOWN, float("nan")),
        }
        for name, value in sample.items():
            columns[name].append(value)

    def trace(self, found: Mapping[str, Any], since: float) -> Trace:
        """Return the course, and what the whole search took."""
        seconds = found["time"] + since
        counters = {
            **dict.fromkeys((*self._ZERO, "queue_insertions", "max_queue", "longest_prefix"), 0),
            "improvements": 0,
            "work": found["work"],
            "time": seconds,
            "time_to_optimum": seconds,
            "memory": found["memory"],
            "max_memory": found["memory"],
        }
        return Trace.of(_Sampled(counters, {}, self._columns))


@dataclass(frozen=True)
class _Sampled:
    """What `Trace.of` asks of a search."""

    counters: dict[str, Any]
    pruned: dict[str, int]
    trace: dict[str, list[Any]]
