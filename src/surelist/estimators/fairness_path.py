"""The front of objective against unfairness: what each tolerance costs, every point proven.

Each point is the best list with an unfairness of at most its tolerance. The first has none to keep
it; each next one has to be fairer than the one before by at least the ``step``. So between two
points only lists that are fairer by less than a step are left out.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import shown
from surelist._common.text_tables import text_table
from surelist.errors import InputError, UncertifiedWarning
from surelist.estimators.classifier import RuleListClassifier
from surelist.problem.fairness import METRICS, Fairness, read_fairness
from surelist.problem.fairness_report import FairnessReport, report_of
from surelist.problem.settings import Settings
from surelist.rule_list.rule_list import by_columns
from surelist.tables.regularization import exact
from surelist.tables.table import Table

__all__ = ["FairnessPath", "FairnessPoint", "fairness_path"]

_DIGITS = 10**6


@dataclass(frozen=True, eq=False)
class FairnessPoint:
    """One point of the front.

    Attributes
    ----------
    tolerance : Fraction
        No fair list, up to this unfairness, has a lower objective.
    unfairness : Fraction
        Of the list itself: the greatest difference of its rates between two groups.
    model : RuleListClassifier
        Fitted: rule list, status, objective, rates by group.
    lower_bound : Fraction
        No list within the tolerance is below it: what the search proved, or what was proven of a
        greater tolerance over the same antecedents, which allows these lists, too.
    """

    tolerance: Fraction
    unfairness: Fraction
    model: RuleListClassifier
    lower_bound: Fraction

    @property
    def objective(self) -> Fraction:
        """The objective of the list."""
        objective: Fraction = self.model.objective_exact_
        return objective

    @property
    def certified(self) -> bool:
        """Whether the objective is proven to be the least."""
        return self.objective == self.lower_bound

    @property
    def status(self) -> str:
        """How it ended: "optimal" where nothing is left to prove, else why the search stopped."""
        return "optimal" if self.certified else str(self.model.status_)

    @property
    def report(self) -> FairnessReport:
        """Rates by group."""
        report: FairnessReport = self.model.fairness_
        return report

    def on(self, X: Any, y: Any, sensitive_features: Any) -> FairnessReport:
        """Return rates by group on other rows; see `FairnessPath.on`."""
        labels, groups = np.asarray(y), np.asarray(sensitive_features, dtype=object)
        return _report_on(self, X, labels, groups)


@dataclass(frozen=True, eq=False)
class FairnessPath:
    """The front, from the best list to the fairest one.

    Attributes
    ----------
    metric : str
    points : tuple of FairnessPoint
        With falling unfairness and objectives that do not fall.
    ended : str
        Why there are no more points: "fair" (nothing is fairer than the last one), "tolerances"
        (all that were asked for), "interrupted" (by Ctrl-C), or the message of the search for a
        fairer one.
    """

    metric: str
    points: tuple[FairnessPoint, ...]
    ended: str

    def __len__(self) -> int:
        return len(self.points)

    @property
    def certified(self) -> bool:
        """Whether every point is proven."""
        return all(point.certified for point in self.points)

    def on(self, X: Any, y: Any, sensitive_features: Any) -> list[FairnessReport]:
        """Return rates by group of every point's list on other rows, such as held-out ones.

        Parameters
        ----------
        X, y : as for ``predict``, and the labels
        sensitive_features : array-like of one group per row, by the names in the reports
        """
        return [point.on(X, y, sensitive_features) for point in self.points]

    def plot(self, ax: Any = None, held_out: list[FairnessReport] | None = None) -> NDArray[Any]:
        """Draw the front, and rates by group; see `surelist.plot.plot_fairness_path`."""
        from surelist.plot.fairness import plot_fairness_path

        return plot_fairness_path(self, ax, held_out)

    def to_dict(self) -> dict[str, Any]:
        """Return the front as something that JSON can hold."""
        return {
            "metric": self.metric,
            "ended": self.ended,
            "points": [
                {
                    "tolerance": str(point.tolerance),
                    "unfairness": str(point.unfairness),
                    "objective": str(point.objective),
                    "lower_bound": str(point.lower_bound),
                    "status": point.status,
                    "rule_list": point.model.rule_list_.to_dict(),
                    "fairness": point.report.to_dict(),
                }
                for point in self.points
            ],
        }

    def __str__(self) -> str:
        rows = [
            [
                f"{float(point.tolerance):.4f}",
                f"{float(point.unfairness):.4f}",
                f"{float(point.objective):.6f}",
                f"{point.model.rule_list_.accuracy:.4f}",
                str(len(point.model.rule_list_)),
                point.status,
            ]
            for point in self.points
        ]
        titles = ("tolerance", "unfairness", "objective", "accuracy", "rules", "status")
        return text_table(titles, rows)


def fairness_path(
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    fairness: Any,
    sensitive_features: Any = None,
    tolerances: Iterable[Any] | None = None,
    step: Any = 0.01,
    most_points: int = 25,
    watch: Callable[[FairnessPoint], object] | None = None,
    **parameters: Any,
) -> FairnessPath:
    """Find the best list for every tolerance, from the best of all to the fairest.

    Parameters
    ----------
    X, y, sample_weight, sensitive_features
        As for `RuleListClassifier.fit`.
    fairness : Fairness or dict
        With one metric. Its tolerance is ignored; its bounds on rates hold for every point.
    tolerances : iterable of numbers, optional
        The tolerances to find the best list for. None follows the front by itself.
    step : number, default=0.01
        By how much each point is fairer than the one before, at least.
    most_points : int, default=25
    watch : callable, optional
        Called with each point as it is found.
    **parameters
        Of `RuleListClassifier`. Limits hold for each point.

    Returns
    -------
    FairnessPath

    Raises
    ------
    InputError

    Examples
    --------
    >>> from surelist import fairness_path
    >>> X = [[1, 0], [1, 1], [0, 0], [0, 1]] * 5
    >>> y, group = [1, 1, 0, 0] * 5, ["a", "a", "b", "a"] * 5
    >>> front = fairness_path(
    ...     X, y, fairness={"metric": "statistical_parity"}, sensitive_features=group
    ... )
    >>> print(front)
    tolerance  unfairness  objective  accuracy  rules  status
       1.0000      0.6667   0.010000    1.0000      1  optimal
       0.6567      0.3333   0.260000    0.7500      1  optimal
       0.3233      0.0000   0.500000    0.5000      0  optimal
    """
    demand = read_fairness(fairness)
    if demand is None or len(demand.metrics) != 1:
        raise InputError("a front needs fairness with one metric")
    if demand.ratio is not None:
        raise InputError("a front compares rates by difference: leave ratio out")
    known = {each.name for each in fields(Settings)} - {"fairness"}
    if unknown := [name for name in parameters if name not in known]:
        raise InputError(f"RuleListClassifier has no such parameter: {', '.join(unknown)}")
    (metric,) = demand.metrics
    given = fairness if isinstance(fairness, Fairness) else Fairness(**fairness)
    if not (tolerances is None or isinstance(tolerances, Iterable)):
        raise InputError(f"tolerances must be a sequence of numbers; got {shown(tolerances)}")
    fixed = None if tolerances is None else [exact_tolerance(each) for each in tolerances]
    smallest = exact(step, name="step")
    if smallest <= 0:
        raise InputError("step must be above 0")
    rows = (X, y, sample_weight, sensitive_features)
    points: list[FairnessPoint] = []
    tolerance = Fraction(1) if fixed is None else None
    while len(points) < most_points:
        if fixed is not None:
            if not fixed:
                return FairnessPath(metric, tuple(points), "tolerances")
            tolerance = fixed.pop(0)
        assert tolerance is not None
        try:
            point = _point(rows, given, metric, tolerance, parameters, points)
        except InputError as error:
            if points and "fair" in str(error):
                return FairnessPath(metric, tuple(points), str(error))
            raise
        points.append(point)
        if watch is not None:
            watch(point)
        if point.model.status_ == "interrupted":
            return FairnessPath(metric, tuple(points), "interrupted")
        if fixed is None:
            if point.unfairness == 0:
                return FairnessPath(metric, tuple(points), "fair")
            below = (point.unfairness - smallest) * _DIGITS
            tolerance = max(Fraction(0), Fraction(below // 1, _DIGITS))
    return FairnessPath(metric, tuple(points), f"most_points={most_points}")


def _report_on(
    point: FairnessPoint, X: Any, labels: NDArray[Any], groups: NDArray[Any]
) -> FairnessReport:
    report = point.report
    names = [group.name for group in report.groups]
    known = {name: index for index, name in enumerate(names)}
    member = np.array([known.get(str(group), -1) for group in groups.tolist()])
    if (member < 0).any() or not len(member) == len(labels):
        raise InputError(f"sensitive_features must be one of {', '.join(names)} for each row")
    at = 2 * member + (labels == report.positive)
    chosen = _predicted(point.model, X) == report.positive
    totals = np.bincount(at, minlength=2 * len(names)).tolist()
    selected = np.bincount(at[chosen], minlength=2 * len(names)).tolist()
    told = {"labels": report.labels, "positive": report.positive}
    return report_of(names, totals, selected, told)


def _predicted(model: RuleListClassifier, X: Any) -> NDArray[Any]:
    if not isinstance(X, Table):
        return model.predict(X)
    labels: NDArray[Any] = model.classes_[
        model.rule_list_.label_codes[by_columns(model.rule_list_).captures(X)]
    ]
    return labels


def exact_tolerance(value: Any) -> Fraction:
    """Return a tolerance from 0 to 1 as an exact fraction.

    Raises
    ------
    InputError
    """
    demand = read_fairness(Fairness(next(iter(METRICS)), tolerance=value))
    assert demand is not None
    assert demand.tolerance is not None
    return demand.tolerance


def _point(
    rows: tuple[Any, Any, Any, Any],
    given: Fairness,
    metric: str,
    tolerance: Fraction,
    parameters: dict[str, Any],
    before: list[FairnessPoint],
) -> FairnessPoint:
    X, y, sample_weight, sensitive_features = rows
    values = {field.name: getattr(given, field.name) for field in fields(Fairness)}
    model = RuleListClassifier(
        **parameters, fairness=Fairness(**(values | {"tolerance": tolerance}))
    )
    with warnings.catch_warnings():
        # The status of every point is in the front.
        warnings.simplefilter("ignore", UncertifiedWarning)
        model.fit(X, y, sample_weight, sensitive_features=sensitive_features)
    unfairness = model.fairness_.unfairness(metric)
    assert unfairness is not None, "a list that is fair has all rates, or none"
    known = [
        point.lower_bound
        for point in before
        if point.tolerance >= tolerance and point.model.antecedents_ == model.antecedents_
    ]
    bound = max([model.lower_bound_exact_, *known])
    return FairnessPoint(tolerance, unfairness, model, bound)
