"""RuleListClassifierCV: picks λ by cross-validation.

The grid of λ is made here, and the best of them chosen; `cross_validation_folds` fits and scores
the rule lists of the whole grid on one fold.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from numbers import Integral
from typing import Any, Self

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import indexable

from surelist._common.limits import Deadline, Work, counting_from
from surelist._common.messages import shown
from surelist._common.rounding import gap_text
from surelist.errors import InputError, UncertifiedWarning
from surelist.estimators.classifier import RuleListClassifier
from surelist.estimators.cross_validation_folds import (
    FoldResult,
    Turns,
    cross_validate_fold,
    uncertified_counted,
    work_seconds,
)
from surelist.estimators.path.result import RegularizationPath
from surelist.estimators.path.search import regularization_path
from surelist.features.binarizer import Binarizer
from surelist.problem.costs import read_prices
from surelist.problem.parameters import is_cluster, least_support, read_parameters
from surelist.sources.row_source import RowSource
from surelist.tables.labels import read_labels
from surelist.tables.regularization import exact

__all__ = ["RuleListClassifierCV"]


class RuleListClassifierCV(RuleListClassifier):
    """Certifiably optimal rule lists, with λ chosen by cross-validation.

    Parameters
    ----------
    regularizations : int, "path" or collection of numbers, default=10
        The λ to choose from. A number asks for that many, evenly spaced on a logarithmic scale from
        ``eps`` times the loss of the empty rule list up to that loss, from which on no rule pays.
        "path" finds the `regularization_path` of all data over the same range, and takes one λ for
        each rule list on it.
    eps : float, default=0.005
        The smallest λ of a grid that is made here, as a share of the largest. The smaller it is,
        the longer the lists, and the search.
    cv : int, cross-validation generator or iterable, default=None
        As in scikit-learn: None is five stratified folds.
    scoring : str or callable, default=None
        What to judge by, as in scikit-learn; None is accuracy. Sample weights go into the score.
    one_standard_error : bool, default=False
        Whether to prefer the largest λ, hence the shortest lists, whose mean score is within one
        standard error of the best.
    n_jobs : int or None, default=None
        Folds that are fitted at once, by joblib; and the threads of the search on all data.
    **parameters
        Every other parameter of `RuleListClassifier`, but for ``regularization`` and
        ``initial_rule_list``. Where ``min_support`` is None it is that of the smallest λ, so
        that all models have the same antecedents. Where ``binarizer`` is None it is
        ``Binarizer(n_cuts=9, max_features=60)``: more features than `RuleListClassifier` has,
        since accuracy counts here before the proof. ``work_limit`` and ``time_limit`` are for all
        of it together, and small λ have a larger share. Where a search is not finished, a fold
        takes the best list that it has found for any other λ, and ``cv_results_`` says that it is
        not certified. Other limits hold for each search.

    Attributes
    ----------
    regularization_ : float
        The chosen λ. The model is fitted with it on all data, and has all attributes of a
        `RuleListClassifier`.
    regularizations_ : ndarray
        All λ that were tried, from the smallest to the largest.
    scores_ : ndarray of shape (λ, folds)
        The score of each.
    best_score_ : float
        The mean score of the chosen λ.
    cv_results_ : dict of arrays
        For each λ: "param_regularization", "mean_test_score", "std_test_score", "rank_test_score",
        "split0_test_score" and so on, "mean_length" of the rule lists, and "certified": whether
        all of them were proven optimal.
    path_ : RegularizationPath
        Only with ``regularizations="path"``.

    Examples
    --------
    >>> from surelist import RuleListClassifierCV
    >>> from surelist.datasets import load_breast_cancer
    >>> data = load_breast_cancer()
    >>> model = RuleListClassifierCV([0.01, 0.05, 0.3], max_clauses=1).fit(data.X, data.y)
    >>> model.regularization_, len(model.rule_list_), model.status_
    (0.01, 2, 'optimal')
    """

    def __init__(
        self,
        regularizations: int | str | Iterable[Any] = 10,
        *,
        eps: float = 0.005,
        cv: Any = None,
        scoring: Any = None,
        one_standard_error: bool = False,
        n_jobs: int | None = None,
        **parameters: Any,
    ) -> None:
        for name in _CHOSEN_HERE:
            if name in parameters:
                raise TypeError(f"RuleListClassifierCV chooses {name} itself")
        super().__init__(n_jobs=n_jobs, **parameters)
        for name in _CHOSEN_HERE:
            delattr(self, name)
        self.regularizations = regularizations
        self.eps = eps
        self.cv = cv
        self.scoring = scoring
        self.one_standard_error = one_standard_error

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        sensitive_features: Any = None,
    ) -> Self:
        """Choose λ, and fit with it.

        Parameters
        ----------
        X, y, sample_weight
            As for `RuleListClassifier.fit`, but in memory: rows that stay elsewhere cannot be split
            into folds.
        sensitive_features
            None: λ is not chosen for fair lists.

        Raises
        ------
        InputError
            For parameters or data that cannot be used.

        Warns
        -----
        UncertifiedWarning
            Where a search ended before it could prove that its rule list is optimal.
        """
        deadline = Deadline.start(None)
        if self.fairness is not None or sensitive_features is not None:
            raise InputError(
                "cross-validation does not choose λ for fair lists; choose it without fairness, or "
                "by sklearn.model_selection.GridSearchCV over RuleListClassifier(fairness=…)"
            )
        with counting_from(None):
            return self._fit(deadline, X, y, sample_weight)

    def _fit(self, deadline: Deadline, X: Any, y: Any, sample_weight: Any) -> Self:
        _check_flag(self.one_standard_error)
        if isinstance(X, RowSource):
            raise InputError(
                "cross-validation needs the rows in memory; for rows that stay elsewhere choose λ "
                "by regularization_path, or on a sample"
            )
        model = self._model()
        if model.binarizer is None:
            model.set_params(binarizer=Binarizer(n_cuts=_N_CUTS, max_features=_MAX_FEATURES))
        checked = read_parameters(model)
        deadline = replace(deadline, limit=checked.time_limit)
        work = Work(checked.work_limit)
        largest = _loss_of_the_empty_list(model, X, y, sample_weight)
        X, y, sample_weight = indexable(X, y, sample_weight)
        labels = read_labels(y, len(y))
        y = labels.classes[labels.codes]  # some scorers compare types of labels
        grid, path = self._grid(
            *(model, largest, X, y, sample_weight),
            {
                "time_limit": deadline.for_search(_PATH_SHARE),
                "work_limit": work_seconds(work.for_search(_PATH_SHARE)),
            },
        )
        if path is not None:
            work.spend(path.work)
        if model.min_support is None:
            prices = read_prices(model.cost_matrix, model.antecedent_costs)
            model.set_params(min_support=least_support(grid[0], prices))
        folds = self._fit_folds(model, grid, (X, y, sample_weight), deadline, work)
        scores = np.array([[result.score for result in fold] for fold in folds]).T
        chosen = _choose(scores, self.one_standard_error)
        model.set_params(
            regularization=grid[chosen],
            time_limit=deadline.for_search(),
            work_limit=work_seconds(work.for_search()),
        )
        with uncertified_counted() as uncertified:
            model.fit(X, y, sample_weight)
        model.set_params(time_limit=self.time_limit, work_limit=self.work_limit)
        self._take_over(model, grid, folds, scores, chosen, path)
        self._warn_of(folds, bool(uncertified))
        return self

    def _fit_folds(
        self,
        model: RuleListClassifier,
        grid: Sequence[Fraction],
        rows: tuple[Any, Any, Any],
        deadline: Deadline,
        work: Work,
    ) -> Sequence[Sequence[FoldResult]]:
        """Fit and score every λ on every fold of X, y and sample weights."""
        scorer = check_scoring(model, scoring=self.scoring)
        splits = list(check_cv(self.cv, rows[1], classifier=True).split(*rows[:2]))
        # One thread for each fold: where folds share the processors, more would be too many.
        # A cluster fits the folds one after the other; each keeps it busy.
        spread = is_cluster(self.n_jobs)
        single = clone(model).set_params(
            n_jobs=self.n_jobs if spread else 1, checkpoint=None, certificate=False
        )
        if self.progress == "auto" and effective_n_jobs(1 if spread else self.n_jobs) > 1:
            single.set_params(progress=False)  # lines of several folds would overwrite each other
        workers = Parallel(n_jobs=1 if spread else self.n_jobs, pre_dispatch="n_jobs")
        turns = Turns(deadline, len(splits), effective_n_jobs(workers.n_jobs))
        # The folds and the fit on all data get equal shares of the work.
        work_of_fold = work.for_search(1 / (len(splits) + 1))
        folds, worked = zip(
            *workers(
                delayed(cross_validate_fold)(
                    *(single, grid, scorer, *rows, train, test),
                    *(turns.seconds(index), work_of_fold),
                )
                for index, (train, test) in enumerate(splits)
            ),
            strict=True,
        )
        work.spend(sum(worked))
        return folds

    def _model(self) -> RuleListClassifier:
        """Return the estimator for a single λ."""
        own = self.get_params(deep=False)
        names = RuleListClassifier._get_param_names()
        return clone(RuleListClassifier(**{name: own[name] for name in names if name in own}))  # type: ignore[no-any-return]

    def _grid(
        self,
        model: RuleListClassifier,
        largest: Fraction,
        X: Any,
        y: Any,
        sample_weight: Any,
        limits: dict[str, float | None],
    ) -> tuple[list[Fraction], RegularizationPath | None]:
        given: Any = self.regularizations
        counted = isinstance(given, Integral) and not isinstance(given, bool) and int(given) >= 1
        if not counted and not (isinstance(given, str) and given == "path"):
            if isinstance(given, str) or not isinstance(given, Iterable):
                raise InputError(
                    'regularizations must be a whole number of at least 1, "path" or a collection '
                    f"of numbers; got {shown(given)}"
                )
            grid = sorted({exact(value, name="each of regularizations") for value in given})
            if not grid:
                raise InputError("regularizations is empty; give at least one number such as 0.01")
            return grid, None
        eps = exact(self.eps, name="eps")
        if eps == 0:
            raise InputError("eps must be above 0; it is the smallest λ as a share of the largest")
        smallest = _short_decimal(eps * largest)
        if counted:
            return _geometric(smallest, largest, int(given)), None
        parameters = model.get_params(deep=False) | limits
        for name in _CHOSEN_HERE:
            del parameters[name]
        if is_cluster(self.n_jobs):
            parameters["n_jobs"] = 1
        path = regularization_path(
            X, y, smallest=smallest, sample_weight=sample_weight, **parameters
        )
        # Where rules are cheap or mistakes expensive a path may go beyond 1; a single search does
        # not.
        usable = [(part.start, min(part.stop, _MOST)) for part in path if part.start < _MOST]
        return sorted({_between(*ends) for ends in usable}), path

    def _take_over(
        self,
        model: RuleListClassifier,
        grid: Sequence[Fraction],
        folds: Sequence[Sequence[FoldResult]],
        scores: NDArray[np.float64],
        chosen: int,
        path: RegularizationPath | None,
    ) -> None:
        """Become the fitted model, and remember how it was chosen."""
        parameters = model.get_params(deep=False)
        for name in [name for name in vars(self) if name.endswith("_") and name[0] != "_"]:
            delattr(self, name)  # an earlier fit may have set more attributes
        for name, value in vars(model).items():
            if name not in parameters:
                setattr(self, name, value)
        self.regularization_ = float(grid[chosen])
        self.regularizations_ = np.array([float(value) for value in grid])
        self.scores_ = scores
        self.best_score_ = float(scores[chosen].mean())
        self.cv_results_ = _results(self.regularizations_, folds, scores)
        if path is not None:
            self.path_ = path

    def _warn_of(self, folds: Sequence[Sequence[FoldResult]], last: bool) -> None:
        results = [result for fold in folds for result in fold]
        open_ones = sum(not result.certified for result in results)
        if open_ones or last:
            gap = gap_text(self.objective_exact_, self.lower_bound_exact_)
            final = f"is not, with a gap of {gap}" if last else "is"
            warnings.warn(
                f"{open_ones} of the {len(results)} rule lists in cross-validation are not "
                f"certified optimal; the one fitted on all data {final}",
                UncertifiedWarning,
                stacklevel=3,
            )


_MOST = Fraction(999, 1000)  # λ is below 1
_PATH_SHARE = 0.3  # of the time, for a path that λ are taken from
# More than a single model has by default: what predicts best here need not be proven quickly.
_N_CUTS, _MAX_FEATURES = 9, 60
_CHOSEN_HERE = ("regularization", "initial_rule_list")


def _loss_of_the_empty_list(
    model: RuleListClassifier, X: Any, y: Any, sample_weight: Any
) -> Fraction:
    """Fit no rules, which needs no search, and checks parameters and data."""
    bare = clone(model).set_params(
        max_length=0,
        max_clauses=1,
        first=None,
        required=None,
        checkpoint=None,
        certificate=False,
        n_jobs=1,
    )
    loss: Fraction = bare.fit(X, y, sample_weight).rule_list_.loss
    return loss


def _check_flag(value: Any) -> None:
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"one_standard_error must be True or False; got {shown(value)}")


def _choose(scores: NDArray[np.float64], one_standard_error: bool) -> int:
    """Return the position of the largest λ with the best mean score, or nearly so."""
    means = scores.mean(axis=1)
    best = float(np.max(means))
    if np.isnan(best):
        raise InputError("the score of a fold is NaN; choose another scoring or other folds")
    enough = best
    if one_standard_error and scores.shape[1] > 1:
        spread = scores[int(np.argmax(means))].std(ddof=1)
        enough = best - float(spread) / math.sqrt(scores.shape[1])
    return int(np.flatnonzero(means >= enough)[-1])


def _results(
    grid: NDArray[np.float64], folds: Sequence[Sequence[FoldResult]], scores: NDArray[np.float64]
) -> dict[str, NDArray[Any]]:
    means = scores.mean(axis=1)
    splits = {f"split{index}_test_score": column for index, column in enumerate(scores.T)}
    return {
        "param_regularization": grid,
        **splits,
        "mean_test_score": means,
        "std_test_score": scores.std(axis=1),
        "rank_test_score": np.array([1 + int((means > mean).sum()) for mean in means]),
        "mean_length": np.array([[r.length for r in fold] for fold in folds]).mean(axis=0),
        "certified": np.array([[r.certified for r in fold] for fold in folds]).all(axis=0),
    }


def _short_decimal(value: float | Fraction, digits: int = 3) -> Fraction:
    return Fraction(f"{float(value):.{digits}g}")


def _geometric(smallest: Fraction, largest: Fraction, number: int) -> list[Fraction]:
    """Return numbers evenly spaced on a logarithmic scale, as decimals that people can read."""
    if number == 1:
        return [smallest]
    ratio = (float(largest) / float(smallest)) ** (1 / (number - 1))
    return sorted({_short_decimal(float(smallest) * ratio**k) for k in range(number)})


def _between(start: Fraction, stop: Fraction) -> Fraction:
    """Return the shortest decimal near the middle of a range."""
    middle = math.sqrt(float(start) * float(stop))
    for digits in range(1, 17):
        value = _short_decimal(middle, digits)
        if start <= value <= stop:
            return value
    return start


def _with_all_parameters() -> inspect.Signature:
    """Add the parameters that are passed on to the signature, where scikit-learn and help look."""
    own = inspect.signature(RuleListClassifierCV.__init__).parameters
    passed_on = inspect.signature(RuleListClassifier.__init__).parameters
    parameters = [p for p in own.values() if p.kind is not p.VAR_KEYWORD]
    parameters += [p for n, p in passed_on.items() if n not in own and n not in _CHOSEN_HERE]
    return inspect.Signature(parameters)


RuleListClassifierCV.__init__.__signature__ = _with_all_parameters()  # type: ignore[attr-defined]
