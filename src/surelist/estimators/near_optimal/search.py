"""Find every rule list that is nearly as good as the best one.

First the optimum is searched as always: it says where the tolerance ends. Then the engine visits
all lists up to there (`core/near_optimal/`), in rounds with growing thresholds, so that a limit
leaves at least a smaller set that is complete. docs/near_optimal.md says what counts as a list.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from surelist import _core
from surelist._common.limits import Deadline, Work
from surelist._common.rounding import rounded_down
from surelist.certificate.completeness import CompletenessCertificate
from surelist.errors import InputError, UncertifiedWarning
from surelist.estimators.fit import columns_of_table
from surelist.estimators.near_optimal.found import FoundLists, FoundRules
from surelist.estimators.near_optimal.goal import Goal, read_goal
from surelist.estimators.near_optimal.result import RuleLists
from surelist.estimators.near_optimal.source import Source
from surelist.problem.antecedents import find_prefix
from surelist.problem.parameters import Parameters, is_cluster, is_dask_frame, read_parameters
from surelist.problem.prepare import Prepared, prepare
from surelist.problem.settings import Settings
from surelist.problem.training_data import choose_binarizer
from surelist.rule_list.table import read_laplace
from surelist.search.engine import search_options
from surelist.search.run import Outcome, search_prepared
from surelist.tables.table import read_table

__all__ = ["near_optimal", "start"]

# Options of an ordinary search that mean nothing here.
_ENGINE_OPTIONS = (
    *("policy", "work_limit", "by_length", "time_limit", "memory_limit"),
    *("max_prefixes", "n_jobs", "trace_interval", "random_state"),
)
_LARGEST = 10**35  # the largest threshold that the engine accepts
_NOT_HERE = ("checkpoint", "max_prefixes")


def near_optimal(
    X: Any,
    y: Any = None,
    *,
    tolerance: Any = None,
    objective: Any = None,
    n: int | None = None,
    distinct: str = "text",
    sample_weight: Any = None,
    **parameters: Any,
) -> RuleLists:
    """Find every rule list whose objective is close to the optimum: none is missing.

    Parameters
    ----------
    X, y, sample_weight
        As for `RuleListClassifier.fit`.
    tolerance : float, Decimal or Fraction, optional
        All lists with an objective of at most the optimum times 1 + tolerance. The default is 0.01
        where neither ``objective`` nor ``n`` is given; 0 is all optimal lists.
    objective : float, Decimal or Fraction, optional
        All lists with at most this objective, instead.
    n : int, optional
        The n best lists, and all that are as good as the last of them, instead.
    distinct : {"text", "predictions"}, default="text"
        What counts as one list: the same rules in any order that predicts the same for all training
        rows; or whatever predicts the same for all training rows, which is shown as the best such
        list.
    **parameters
        Other parameters of `RuleListClassifier`; ``max_length`` matters most. Limits are for
        everything together. ``certificate=True`` keeps a proof that none is missing.

    Returns
    -------
    RuleLists

    Raises
    ------
    InputError
        For parameters or data that cannot be used.

    Warns
    -----
    UncertifiedWarning
        Where a limit or Ctrl-C ended it. The result says up to which objective it is complete.

    Examples
    --------
    >>> from surelist import near_optimal
    >>> from surelist.datasets import load_tic_tac_toe
    >>> boards = load_tic_tac_toe()
    >>> lists = near_optimal(
    ...     boards.X, boards.y, tolerance=0.02, regularization=0.02, max_clauses=1
    ... )
    >>> print(lists)
    2 rule lists (12 orders of rules), objective from 0.310522 to 0.310522; complete up to 0.316732
    >>> print(lists[0])
    if (x0) then predict yes
    else if (x12) then predict yes
    else if (x24) then predict yes
    else predict no
    """
    started = start(X, y, read_goal(tolerance, objective, n, distinct), sample_weight, parameters)
    run = _Run(started.goal, started.prepared, started.parameters, started.outcome, started.work)
    with engine_errors():
        run.search()
    lists = run.result(started.settings, started.columns)
    if lists.status != "complete":
        warnings.warn(incomplete(lists.status, lists.complete_up_to), UncertifiedWarning, 2)
    return lists


@dataclass(frozen=True)
class Started:
    """A problem whose lists are wanted, and the search for its optimum."""

    goal: Goal
    settings: Settings
    parameters: Parameters
    prepared: Prepared
    outcome: Outcome
    work: Work
    columns: Mapping[str, Any]
    """The attributes by which a model remembers the columns of its table."""


@contextmanager
def engine_errors() -> Iterator[None]:
    """Turn the engine's errors about input into ours."""
    try:
        yield
    except _core.InputError as error:
        raise InputError(str(error)) from None


def start(X: Any, y: Any, goal: Goal, sample_weight: Any, parameters: Mapping[str, Any]) -> Started:
    """Check the parameters, prepare the problem and search its optimum.

    Raises
    ------
    InputError
    """
    settings = _settings(parameters)
    checked = read_parameters(settings)
    if checked.fairness is not None:
        raise InputError(
            "near_optimal has no fairness=; leave it out, and choose among the lists by "
            "filter(group=…, max_gap=…)"
        )
    read_laplace(settings.laplace)
    deadline = Deadline.start(checked.time_limit)
    if is_cluster(settings.n_jobs) or is_dask_frame(X):
        raise InputError("the set of all good lists is searched on one machine, in one thread")
    with engine_errors():
        prepared = prepare(
            X,
            y,
            sample_weight,
            settings.class_weight,
            checked,
            binarizer=choose_binarizer(settings.binarizer, checked),
            antecedents=settings.antecedents,
            deadline=deadline,
        )
        work = Work(checked.work_limit)
        work.spend(prepared.work)
        outcome = _optimum(prepared, checked, settings.initial_rule_list, work)
    return Started(goal, settings, checked, prepared, outcome, work, _columns_of(X))


def engine_options(prepared: Prepared, parameters: Parameters) -> dict[str, Any]:
    """Return the options of a search that its set of lists depends on."""
    options = search_options(prepared.problem, parameters, prepared.constraints)
    for name in _ENGINE_OPTIONS:
        options.pop(name)
    return options


def largest_objective(prepared: Prepared, parameters: Parameters) -> Fraction:
    """Return an objective that no list is above."""
    longest = parameters.max_length
    length = prepared.problem.n_antecedents if longest is None else longest
    dearest = max(prepared.constraints.costs or (Fraction(1),))
    return parameters.regularization * dearest * length + parameters.prices.dearest


def _settings(parameters: Mapping[str, Any]) -> Settings:
    for name in _NOT_HERE:
        if parameters.get(name) not in (None, False):
            raise InputError(f"{name} is not a parameter of a set of lists; leave it out")
    if parameters.get("certificate", False) not in (True, False):
        raise InputError(
            "certificate must be True or False here; write the proof by lists.certificate.save"
        )
    unknown = set(parameters) - {each.name for each in fields(Settings)}
    if unknown:
        raise InputError(f"RuleListClassifier has no such parameter: {', '.join(sorted(unknown))}")
    return Settings(**{"progress": False, **parameters})


def _columns_of(X: Any) -> dict[str, Any]:
    from surelist.sources.row_source import RowSource

    return columns_of_table(X if isinstance(X, RowSource) else read_table(X))


def _optimum(prepared: Prepared, parameters: Parameters, initial: Any, work: Work) -> Outcome:
    """Search the optimum with half of what the limits leave."""
    deadline = prepared.deadline
    if deadline.limit is not None:
        deadline = replace(deadline, limit=deadline.elapsed() + (deadline.left() or 0.0) / 2)
    half = replace(
        parameters,
        certificate=False,
        work_limit=None if work.limit is None else prepared.work + (work.left() or 0) // 2,
    )
    outcome = search_prepared(replace(prepared, deadline=deadline), half, initial)
    work.spend(max(0, outcome.trace.counters["work"] - prepared.work))
    return outcome


@dataclass
class _Run:
    """The rounds of one search, and what the last complete one found."""

    goal: Goal
    prepared: Prepared
    parameters: Parameters
    outcome: Outcome
    work: Work
    status: str = "complete"
    complete_up_to: Fraction | None = None

    def __post_init__(self) -> None:
        options = engine_options(self.prepared, self.parameters)
        self.price = self.parameters.regularization * self.parameters.prices.least
        self.engine = _core.NearOptimal(self.prepared.problem, **options)
        self.found = FoundLists.none(self.price, self.prepared.problem)

    def search(self) -> None:
        """Search until there are all lists that are wanted, or a limit is reached."""
        best, proven = self.outcome.objective, self.outcome.status == "optimal"
        if self.outcome.interrupted:
            self.status = "interrupted"
            return
        for threshold in self.goal.rounds(best, proven, self._most()):
            if not self._round(threshold) or self._has_enough():
                break
        self._keep_what_is_wanted()

    def _round(self, threshold: Fraction) -> bool:
        deadline = self.prepared.deadline
        limits: dict[str, Any] = {
            "most_lists": self.goal.n if self.goal.distinct == "text" else None,
            "memory_limit": self.parameters.memory_limit,
            "seconds": deadline.left(),
            "work_limit": None if self.work.limit is None else self.engine.work + self._left(),
        }
        scaled = min(threshold * self.engine.scale // 1, _LARGEST)
        before = self.engine.work
        stopped = self.engine.run(str(scaled), **limits)
        self.work.spend(self.engine.work - before)
        if stopped != "complete":
            self.status = stopped
            return False
        lists = self.engine.lists
        self.engine.forget()
        self.found = FoundLists.of(lists, self.price, self.prepared.problem)
        reached = Fraction(lists["threshold"], self.engine.scale)
        whole = lists["threshold"] == scaled
        self.complete_up_to = threshold if whole else reached
        if not whole and not self._has_enough():
            self.status = "memory_limit"  # the store has dropped the most costly lists
            return False
        return True

    def _left(self) -> int:
        return self.work.left() or 0

    def _has_enough(self) -> bool:
        if self.goal.n is None:
            return False
        if self.goal.distinct == "text":
            return len(self.found) >= self.goal.n
        return len(self.found.first_of_each_prediction()[0]) >= self.goal.n

    def _most(self) -> Fraction:
        return largest_objective(self.prepared, self.parameters)

    def _keep_what_is_wanted(self) -> None:
        """Drop what a better optimum, or the number of lists, has put beyond the threshold."""
        if self.complete_up_to is None:
            return
        wanted = self.wanted()
        if self.goal.n is not None and self._has_enough():
            self.status = "complete"
            places = range(len(self.found))
            if self.goal.distinct == "predictions":
                places = self.found.first_of_each_prediction()[0].tolist()
            wanted = self.found.objective(places[self.goal.n - 1])
        beyond = self.prepared.least_beyond(self.parameters)
        if wanted is not None:
            self.complete_up_to = min(self.complete_up_to, wanted)
        if beyond is not None and beyond <= self.complete_up_to:
            # Lists with antecedents that mining did not get to may be there from here on.
            assert self.prepared.cut is not None
            scale = self.engine.scale
            self.complete_up_to = Fraction(-(-beyond * scale // 1) - 1, scale)
            self.status = self.prepared.cut.by
        self.found = self.found.some(slice(self.found.count_within(self.complete_up_to)))

    def optimum(self) -> Fraction | None:
        """Return the least objective of all lists, where it is known."""
        if self.outcome.status == "optimal":
            return self.outcome.objective
        if self.complete_up_to is not None and len(self.found) > 0:
            return self.found.objective(0)
        return None

    def wanted(self) -> Fraction | None:
        """Return the threshold that was asked for, where the optimum says what that is."""
        if self.goal.objective is not None:
            return self.goal.objective
        optimum = self.optimum()
        return None if optimum is None else self.goal.threshold(optimum)

    def _certificate(self, complete_up_to: Fraction) -> CompletenessCertificate:
        found = self.found
        alike = len(found.first_of_each_prediction()[0])
        if len(found) > 0:
            best, optimum = found.rules(0), found.objective(0)
        else:
            best, optimum = self._known(), None
        lists = found.prefixes, found.labels, found.orders, alike
        return CompletenessCertificate.of(
            best,
            lists,
            found.uses_of_antecedents(len(self.prepared.antecedents)),
            (optimum, complete_up_to),
            self.prepared,
            self.parameters,
        )

    def _known(self) -> FoundRules:
        """Return the list that the search for the optimum found, by positions and codes."""
        rule_list = self.outcome.rule_list
        prefix = find_prefix(rule_list, self.prepared.antecedents) or []
        codes = [int(code) for code in rule_list.label_codes]
        objective = rule_list.objective
        return FoundRules(prefix, codes[:-1], codes[-1], objective.numerator, objective.denominator)

    def result(self, settings: Settings, columns: Mapping[str, Any]) -> RuleLists:
        """Put together what was found."""
        source = Source(self.prepared, self.parameters, settings, columns, self.outcome)
        certificate = None
        if settings.certificate and self.complete_up_to is not None:
            certificate = self._certificate(self.complete_up_to)
        everything = RuleLists(
            found=self.found,
            distinct=self.goal.distinct,
            optimum=self.optimum(),
            threshold=self.wanted() or self.complete_up_to,
            complete_up_to=self.complete_up_to,
            status=self.status,
            n_orders=0,
            n_predictions=0,
            n_alike=None,
            time=self.prepared.deadline.elapsed(),
            work=self.work.done,
            certificate=certificate,
            _every=self.found,
            _source=source,
        )
        return everything._of(self.found)


def incomplete(status: str, complete_up_to: Fraction | None) -> str:
    """Say what ended a search, and up to which objective the set is complete."""
    reasons = {
        "work_limit": "the work limit",
        "time_limit": "the time limit",
        "memory_limit": "the memory limit",
        "interrupted": "an interruption",
    }
    reason = reasons.get(status, status)
    if complete_up_to is None:
        return (
            f"{reason} ended the search for all good lists before any set was complete. Try a "
            "smaller tolerance, a max_length such as 3, a larger regularization or max_clauses=1"
        )
    return (
        f"the set of lists is complete only up to an objective of "
        f"{rounded_down(complete_up_to)}: {reason} ended the search. For more try a "
        "max_length such as 3, a larger regularization, max_clauses=1 or a larger limit"
    )
