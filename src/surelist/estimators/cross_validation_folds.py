"""One fold of a cross-validation: a rule list for every λ of the grid, and its score.

The optimal objective is concave in λ, so where one list is optimal at two λ it is optimal between
them: those models need no search. What one search has found serves the others, too: at each λ the
best list of the fold counts.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import _safe_indexing

from surelist._common.limits import WORK_SECOND, Deadline, Work
from surelist.errors import UncertifiedWarning
from surelist.estimators.classifier import RuleListClassifier

__all__ = ["FoldResult", "Turns", "cross_validate_fold", "uncertified_counted", "work_seconds"]

_SMALL = Fraction(1, 10_000)  # below this λ, searches take about equally long


class FoldResult(NamedTuple):
    """One λ on one fold."""

    score: float
    length: int
    certified: bool


@contextmanager
def uncertified_counted() -> Iterator[list[str]]:
    """Collect warnings about uncertified results, so that one is given for all."""
    found: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield found
    for warning in caught:
        if issubclass(warning.category, UncertifiedWarning):
            found.append(str(warning.message))
        else:
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )


def cross_validate_fold(
    model: RuleListClassifier,
    grid: Sequence[Fraction],
    scorer: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    train: NDArray[np.intp],
    test: NDArray[np.intp],
    seconds: float | None,
    most_work: int | None,
) -> tuple[list[FoldResult], int]:
    """Fit every λ of the grid on one fold and score it, within limits for all of them together.

    Return also how much work that took.
    """
    deadline, work = Deadline.now(seconds), Work(most_work)
    X_train, X_test = (_safe_indexing(X, rows) for rows in (train, test))
    y_train, y_test = (_safe_indexing(y, rows) for rows in (train, test))
    weights, keywords = None, {}
    if sample_weight is not None:
        weights = _safe_indexing(sample_weight, train)
        keywords = {"sample_weight": _safe_indexing(sample_weight, test)}

    def fitted(
        regularization: Fraction, known: RuleListClassifier | None, share: float
    ) -> RuleListClassifier | None:
        if known is not None and (deadline.passed() or work.passed()):
            return None
        one = clone(model).set_params(
            regularization=regularization,
            initial_rule_list=None if known is None else known.rule_list_,
            time_limit=deadline.for_search(share),
            work_limit=work_seconds(work.for_search(share)),
        )
        with uncertified_counted():
            one.fit(X_train, y_train, weights)
        work.spend(one.trace_.counters["work"])
        return one  # type: ignore[no-any-return]

    models, borrowed = _fit_grid(grid, fitted)
    for place, other in _best_lists(grid, models, borrowed).items():
        models[place] = other
        borrowed.add(place)
    scores: dict[int, float] = {}
    for one in models:
        if id(one) not in scores:
            scores[id(one)] = float(scorer(one, X_test, y_test, **keywords))
    results = [
        FoldResult(
            scores[id(one)],
            len(one.rule_list_),
            one.status_ == "optimal" and place not in borrowed,
        )
        for place, one in enumerate(models)
    ]
    return results, work.done


def work_seconds(work: int | None) -> float | None:
    """Return an amount of work as the parameter ``work_limit`` has it."""
    return None if work is None else work / WORK_SECOND


def _fit_grid(grid: Sequence[Fraction], fit: Any) -> tuple[list[RuleListClassifier], set[int]]:
    """Fit the ends, then halve: a list that is optimal at two λ is optimal between them.

    ``fit`` returns None where no time is left. Then the model of the next larger λ serves, and its
    place is among those that are returned beside the models.
    """
    models: list[Any] = [None] * len(grid)
    borrowed: set[int] = set()

    def fill(place: int, known: Any) -> None:
        models[place] = fit(grid[place], known, _share(grid, models, place))
        if models[place] is None:
            models[place] = known
            borrowed.add(place)

    fill(len(grid) - 1, None)
    if len(grid) > 1:
        fill(0, models[-1])
    open_ranges = [(0, len(grid) - 1)]
    while open_ranges:
        low, high = open_ranges.pop()
        if high - low < 2:
            continue
        shared = None
        if not borrowed.intersection((low, high)):
            shared = _optimal_between(grid[low], models[low], grid[high], models[high])
        if shared is not None:
            models[low + 1 : high] = [shared] * (high - low - 1)
            continue
        middle = (low + high) // 2
        fill(middle, models[high])
        open_ranges += [(low, middle), (middle, high)]
    return models, borrowed


def _share(grid: Sequence[Fraction], models: Sequence[Any], place: int) -> float:
    """Return the share of one λ in what is left: long lists take longer than short ones."""
    needs = [1 / math.sqrt(max(at, _SMALL)) for at in grid]
    left = math.fsum(need for need, model in zip(needs, models, strict=True) if model is None)
    return needs[place] / left


def _best_lists(
    grid: Sequence[Fraction], models: Sequence[RuleListClassifier], borrowed: set[int]
) -> dict[int, RuleListClassifier]:
    """Return by place the models of other λ whose lists are better there than the one found."""
    better = {}
    lines = [(one.rule_list_.loss, _cost(one)) for one in models]
    for place, (at, own) in enumerate(zip(grid, models, strict=True)):
        if own.status_ == "optimal" and place not in borrowed:
            continue
        objectives = [loss + at * cost for loss, cost in lines]
        best = min(objectives)
        if best < objectives[place]:
            better[place] = models[objectives.index(best)]
    return better


def _cost(model: RuleListClassifier) -> Fraction:
    """Return what the rules of a list cost, in multiples of λ."""
    return sum((rule.cost for rule in model.rule_list_.rules), Fraction(0))


class Turns:
    """How much of the time each fold gets: as much as the fit on all data, which comes after them.

    Parameters
    ----------
    deadline : Deadline
        Of the whole cross-validation.
    n_folds, at_once : int
        How many folds there are, and how many are fitted side by side.
    """

    def __init__(self, deadline: Deadline, n_folds: int, at_once: int) -> None:
        self._deadline = deadline
        self._n_folds = n_folds
        self._at_once = max(1, at_once)

    def seconds(self, index: int) -> float | None:
        """Return the seconds for a fold; asked when its turn comes, or somewhat before."""
        turns = -(-(self._n_folds - index) // self._at_once) + 1
        return self._deadline.for_search(1 / turns)


def _optimal_between(
    low: Fraction, left: RuleListClassifier, high: Fraction, right: RuleListClassifier
) -> RuleListClassifier | None:
    """Return the model whose rule list is proven optimal at both λ, if one is."""
    if left.status_ != "optimal" or right.status_ != "optimal":
        return None
    for model in (right, left):
        rule_list = model.rule_list_
        objectives = [rule_list.loss + at * len(rule_list) for at in (low, high)]
        if objectives == [left.objective_exact_, right.objective_exact_]:
            return model
    return None
