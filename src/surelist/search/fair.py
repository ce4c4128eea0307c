"""Search for the best fair list: a prepared problem into a result.

The engine works in slices of counted work. Between them limits are checked, progress is reported
and Ctrl-C is handled; the best list so far is always kept.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from surelist import _core
from surelist._common.limits import Work
from surelist._common.progress import reporting
from surelist.certificate.fairness import FairCertificate, fair_certificate
from surelist.errors import InputError, SurelistError, UnwrittenWarning
from surelist.problem.antecedents import find_prefix
from surelist.problem.fair_prepare import FairPrepared
from surelist.problem.fairness_report import FairnessReport, report_of
from surelist.problem.parameters import Parameters
from surelist.rule_list.rule_list import RuleList
from surelist.search.engine import rule_list_of
from surelist.search.fair_engines import FairEngines
from surelist.search.run import Outcome
from surelist.search.trace import Trace
from surelist.tables.regularization import text

__all__ = ["FairOutcome", "FairSearch", "search_fair"]

_SLICE = 50_000_000  # of work: about a twentieth of a second
_COUNTERS = (
    *("evaluated", "lower_bound_evaluations", "queue_insertions", "max_queue", "last_rule_looks"),
    *("longest_prefix", "at_once", "dived", "improvements", "garbage_collected"),
)


@dataclass(frozen=True, eq=False)
class FairOutcome:
    """What a search for fair lists found and proved."""

    outcome: Outcome
    report: FairnessReport


def search_fair(fair: FairPrepared, parameters: Parameters, initial: Any = None) -> FairOutcome:
    """Search until the end, a limit or Ctrl-C.

    Raises
    ------
    InputError
        Where no list is fair, or none was found within the limits.
    """
    search = FairSearch(fair, parameters)
    search.offer(initial)
    search.run()
    return search.outcome()


class FairSearch:
    """One search, with its limits."""

    def __init__(self, fair: FairPrepared, parameters: Parameters) -> None:
        self.fair = fair
        self.parameters = parameters
        prepared = fair.prepared
        self._work = Work(parameters.work_limit)
        self._work.spend(prepared.work)
        self._beyond = prepared.least_beyond(parameters)
        demanded = {*prepared.constraints.first, *prepared.constraints.required}
        self.engines = FairEngines(self._make, parameters.max_length, least=len(demanded))
        self.engine = self.engines.main
        self.status = "running"

    def _make(self, max_length: int | None) -> _core.FairSearch:
        fair, parameters = self.fair, self.parameters
        constraints = fair.prepared.constraints
        label = constraints.rule_label
        surcharges = constraints.surcharges(
            parameters.prices, parameters.regularization, fair.problem.total_weight
        )
        return _core.FairSearch(
            fair.problem,
            text(parameters.regularization * parameters.prices.least),
            linear=[([*map(str, factors)], str(most)) for factors, most in fair.constraints.linear],
            predictive=[(s, r, str(n), str(d)) for s, r, n, d in fair.constraints.predictive],
            majority=fair.demand.majority,
            policy=parameters.policy,
            bounds=parameters.fair_bounds,
            max_length=max_length,
            rule_label=None if label is None else int(label == fair.positive),
            surcharges=surcharges or [],
            first=list(constraints.first),
            required=list(constraints.required),
            forbidden=list(constraints.forbidden),
        )

    def offer(self, initial: Any) -> None:
        """Begin with a rule list, if it is fair.

        Raises
        ------
        InputError
        """
        if initial is None:
            return
        known = getattr(initial, "rule_list_", initial)
        if not isinstance(known, RuleList):
            raise InputError(
                "with fairness, initial_rule_list must be a RuleList or a fitted model, as labels "
                "are not always majorities"
            )
        prefix = find_prefix(known, self.fair.prepared.antecedents)
        positive = self.fair.data.classes.tolist()[self.fair.positive]
        labels = [int(rule.label == positive) for rule in known.all_rules]
        if prefix is not None:
            self.engine.offer(prefix, labels[:-1], labels[-1])

    def run(self) -> None:
        """Search until the end, a limit or Ctrl-C."""
        with reporting(self.parameters.progress, self.fair.prepared.antecedents) as report:
            try:
                while (status := self._limit()) is None:
                    if report is not None and self.engine.found:
                        report(self._event())
                    if not self.engines.step(self._slice()):
                        status = "optimal"
                        break
            except KeyboardInterrupt:
                status = "interrupted"
        self.status = status

    def _slice(self) -> int:
        left = self._work.for_search()
        if left is None:
            return _SLICE
        return max(1, min(_SLICE, left - self.engines.counters["work"]))

    def _limit(self) -> str | None:
        """Return the limit that has been reached, if any."""
        counters, parameters = self.engines.counters, self.parameters
        left = self._work.for_search()
        if left is not None and counters["work"] >= left:
            return "work_limit"
        if self.fair.prepared.deadline.passed():
            return "time_limit"
        if parameters.memory_limit is not None and self.engines.nbytes > parameters.memory_limit:
            return "memory_limit"
        most = parameters.max_prefixes
        if most is not None and counters["stored"] >= most:
            return "prefix_limit"
        return None

    def _event(self) -> dict[str, Any]:
        engine, labels = self.engine, self._labels()
        counters, objective = self.engines.counters, self.engines.objective
        return {
            "time": self.fair.prepared.deadline.elapsed(),
            "objective": float(objective),
            "lower_bound": float(self._lower_bound()),
            "expanded": counters["expanded"],
            "queue": engine.n_open,
            "memory": self.engines.nbytes,
            "remaining": float("nan"),
            "proven_length": self.engines.proven_length or 0,
            "prefix": list(engine.prefix),
            "labels": labels[:-1],
            "default_label": labels[-1],
            "queue_by_length": [],
            "pruned": self._pruned(),
        }

    def _labels(self) -> list[int]:
        return [self.fair.class_of(q) for q in (*self.engine.labels, self.engine.default_label)]

    def _pruned(self) -> dict[str, int]:
        counters = self.engines.counters
        return {
            "bound": counters["by_bound"],
            "feasibility": counters["by_feasibility"],
            "domination": counters["by_domination"],
            "values": counters["by_value"],
        }

    def _lower_bound(self) -> Fraction:
        lower = Fraction(self.engine.lower_bound, self.engine.scale)
        return lower if self._beyond is None else min(lower, self._beyond)

    def outcome(self) -> FairOutcome:
        """Return what was found and proved.

        Raises
        ------
        InputError
        """
        engine, prepared = self.engine, self.fair.prepared
        if not engine.found:
            raise InputError(self._none_found())
        found = _Found(
            engine.prefix, self._labels()[:-1], self._labels()[-1], engine.objective, engine.scale
        )
        rule_list = rule_list_of(
            found, prepared.antecedents, prepared.data, self.parameters, prepared.constraints.costs
        )
        objective = self.engines.objective
        lower, status = self._lower_bound(), self.status
        if status == "optimal" and lower < objective:
            assert prepared.cut is not None
            status = prepared.cut.by
        if status != "optimal" and lower == objective:
            status = "optimal"
        certificate = self._certificate(objective)
        proven = None
        if status != "optimal":
            proven = prepared.proven_length(self.engines.proven_length, objective, self._beyond)
        return FairOutcome(
            Outcome(rule_list, self._trace(), certificate, status, objective, lower, proven),
            self._report(rule_list),
        )

    def _certificate(self, objective: Fraction) -> FairCertificate | None:
        """Return the proof, if it is wanted; it is about the antecedents that were mined."""
        wanted = self.parameters.certificate
        if wanted is False:
            return None
        engine = self.engine
        labels = self._labels()
        claim = {
            "rule_list": {
                "prefix": list(engine.prefix),
                "labels": labels[:-1],
                "default_label": labels[-1],
            },
            "objective": str(objective),
            "lower_bound": str(Fraction(engine.lower_bound, engine.scale)),
            "status": self.status,
        }
        path = None if isinstance(wanted, bool) else wanted
        try:
            return fair_certificate(engine, self.fair, self.parameters, claim, path)
        except (InputError, OSError) as error:
            if path is None:
                raise
            warnings.warn(
                f"{error}. The certificate is in memory: certificate_.save writes it elsewhere",
                UnwrittenWarning,
                stacklevel=6,
            )
            return fair_certificate(engine, self.fair, self.parameters, claim)

    def _none_found(self) -> str:
        kind, free = "", ""
        if self.fair.demand.majority:
            kind, free = " with majority labels", 'labels="free", '
        what = f"no rule list{kind} over these antecedents satisfies the fairness constraint"
        if self.status == "optimal" and self._beyond is None:
            return (
                f"{what}: that is proven. Allow {free}a larger tolerance, another metric, more "
                "clauses, or rules about the sensitive columns"
            )
        return (
            f"the search found no fair rule list before it ended ({self.status}): that none "
            "exists is not proven. Allow a larger tolerance, or a larger limit"
        )

    def _report(self, rule_list: RuleList) -> FairnessReport:
        """Count rates on the rows, not on the engine's groups, and compare the two."""
        fair, data = self.fair, self.fair.data
        predicted = rule_list.label_codes[rule_list.captures_features(data.matrix)]
        at = 2 * fair.sensitive.codes + (data.codes == fair.positive)
        totals = np.zeros(2 * len(fair.sensitive), np.int64)
        selected = totals.copy()
        np.add.at(totals, at, data.weights)
        chosen = predicted == fair.positive
        np.add.at(selected, at[chosen], data.weights[chosen])
        scale = sum(fair.problem.class_weights) // int(totals.sum())
        if [int(n) * scale for n in selected] != list(self.engine.selected):
            raise SurelistError(
                "the search and the rows disagree about who is selected: please report this as a "
                "defect"
            )
        told = {
            "labels": "majority" if fair.demand.majority else "free",
            "positive": data.classes.tolist()[fair.positive],
        }
        return report_of(fair.sensitive.names, totals.tolist(), selected.tolist(), told)

    def _trace(self) -> Trace:
        counters: dict[str, Any] = dict.fromkeys(_COUNTERS, 0)
        counters |= self.engines.counters
        counters["queue_insertions"] = counters.pop("stored")
        counters["work"] += self._work.done
        counters["time"] = self.fair.prepared.deadline.elapsed()
        counters["time_to_optimum"] = counters["time"]
        counters["memory"] = counters["max_memory"] = self.engines.nbytes
        counters["longest_prefix"] = len(self.engine.prefix)
        for name in ("by_bound", "by_feasibility", "by_domination", "by_value"):
            counters.pop(name)
        return Trace.of(_Counted(counters, self._pruned(), _Nothing()))


@dataclass(frozen=True)
class _Found:
    """What `rule_list_of` asks of a search."""

    prefix: list[int]
    labels: list[int]
    default_label: int
    objective: int
    scale: int


class _Nothing(dict[str, list[Any]]):
    """A trace without samples."""

    def __missing__(self, _: str) -> list[Any]:
        return []


@dataclass(frozen=True)
class _Counted:
    """What `Trace.of` asks of a search."""

    counters: dict[str, Any]
    pruned: dict[str, int]
    trace: dict[str, list[Any]]
