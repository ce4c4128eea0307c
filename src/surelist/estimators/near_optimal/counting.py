"""Count every rule list that is nearly as good as the best one, for sets too large to be kept.

The engine counts paths in the graph of states (`core/near_optimal/list_counter.hpp`), in rounds
with growing thresholds, so that a limit leaves at least a smaller set that is counted.
"""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import Any

from surelist import _core
from surelist.errors import InputError, UncertifiedWarning
from surelist.estimators.near_optimal.counted import CountedRuleLists
from surelist.estimators.near_optimal.goal import read_goal
from surelist.estimators.near_optimal.search import (
    Started,
    engine_errors,
    engine_options,
    incomplete,
    largest_objective,
    start,
)
from surelist.estimators.near_optimal.source import Source

__all__ = ["count_near_optimal"]

_LARGEST = 10**35  # the largest threshold that the engine accepts


def count_near_optimal(
    X: Any,
    y: Any = None,
    *,
    tolerance: Any = None,
    objective: Any = None,
    sample_weight: Any = None,
    **parameters: Any,
) -> CountedRuleLists:
    """Count every rule list whose objective is close to the optimum, without keeping them.

    For sets that are too large for `near_optimal`: a hundred million lists take no more memory than
    the states that they pass through.

    Parameters
    ----------
    X, y, tolerance, objective, sample_weight, **parameters
        As for `near_optimal`.

    Returns
    -------
    CountedRuleLists
        The number of lists, every order of rules counted. Its lists can be drawn at random, or made
        one after the other.

    Raises
    ------
    InputError
        For parameters or data that cannot be used.

    Warns
    -----
    UncertifiedWarning
        Where a limit or Ctrl-C ended it. The result says up to which objective lists are counted.

    Examples
    --------
    >>> from surelist import count_near_optimal
    >>> from surelist.datasets import load_tic_tac_toe
    >>> boards = load_tic_tac_toe()
    >>> lists = count_near_optimal(
    ...     boards.X, boards.y, tolerance=0.5, regularization=0.02, max_clauses=1, max_length=5
    ... )
    >>> lists.count
    10006240
    >>> len(lists.sample(3, random_state=0))
    3
    """
    goal = read_goal(tolerance, objective, None, "text")
    if parameters.get("certificate", False) not in (None, False):
        raise InputError("count_near_optimal has no certificate; near_optimal has")
    started = start(X, y, goal, sample_weight, parameters)
    with engine_errors():
        counter = _core.ListCounter(
            started.prepared.problem, **engine_options(started.prepared, started.parameters)
        )
        lists = _Rounds(started, counter).run()
    if lists.status != "complete":
        warnings.warn(incomplete(lists.status, lists.complete_up_to), UncertifiedWarning, 2)
    return lists


class _Rounds:
    """Growing thresholds, and what the last complete round has counted."""

    def __init__(self, started: Started, counter: _core.ListCounter) -> None:
        self.started, self.counter = started, counter
        self.status = "complete"
        self.count = 0
        self.complete_up_to: Fraction | None = None

    def run(self) -> CountedRuleLists:
        """Count until the threshold or a limit."""
        started, outcome = self.started, self.started.outcome
        proven = outcome.status == "optimal"
        if not proven and started.goal.tolerance is not None:
            # The threshold is a multiple of an optimum that is not known.
            self.status = outcome.status
        else:
            most = largest_objective(started.prepared, started.parameters)
            for threshold in started.goal.rounds(outcome.objective, True, most):
                if not self._round(min(threshold, self._ends(threshold))):
                    break
        return self._result()

    def _ends(self, wanted: Fraction) -> Fraction:
        """Return up to where no list has an antecedent that mining did not get to."""
        prepared = self.started.prepared
        beyond = prepared.least_beyond(self.started.parameters)
        if beyond is None or beyond > wanted:
            return wanted
        assert prepared.cut is not None
        self.status = prepared.cut.by
        scale = self.counter.scale
        return Fraction(-(-beyond * scale // 1) - 1, scale)

    def _round(self, threshold: Fraction) -> bool:
        work, before = self.started.work, self.counter.work
        scaled = min(threshold * self.counter.scale // 1, _LARGEST)
        if scaled < 0:
            return False
        stopped, count = self.counter.count(
            str(scaled),
            memory_limit=self.started.parameters.memory_limit,
            seconds=self.started.prepared.deadline.left(),
            work_limit=None if work.limit is None else before + (work.left() or 0),
        )
        work.spend(self.counter.work - before)
        if count is None:
            self.status = stopped
            self._go_back()
            return False
        self.count, self.complete_up_to = count, threshold
        return True

    def _go_back(self) -> None:
        """Count the last complete round again, so that the counter's lists can be read."""
        if self.complete_up_to is not None:
            scaled = min(self.complete_up_to * self.counter.scale // 1, _LARGEST)
            self.counter.count(str(scaled), memory_limit=self.started.parameters.memory_limit)

    def _result(self) -> CountedRuleLists:
        started = self.started
        outcome, prepared = started.outcome, started.prepared
        proven = outcome.status == "optimal"
        wanted = started.goal.threshold(outcome.objective) if proven else started.goal.objective
        return CountedRuleLists(
            count=self.count,
            optimum=outcome.objective if proven else None,
            threshold=wanted,
            complete_up_to=self.complete_up_to,
            status=self.status,
            time=prepared.deadline.elapsed(),
            work=started.work.done,
            n_states=self.counter.n_states,
            _counter=self.counter,
            _source=Source(
                prepared, started.parameters, started.settings, started.columns, outcome
            ),
        )
