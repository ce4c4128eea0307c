"""Fairness: constraints on a rule list's predictions, by sensitive group.

A metric compares a rate between the groups of a sensitive column. With a tolerance it becomes a
constraint that the search keeps exactly: rates are fractions of whole weights, and inequalities
between them are cross-multiplied. docs/fairness.md says what each metric means.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from surelist._common.messages import shown
from surelist.errors import InputError
from surelist.tables.regularization import exact

__all__ = ["METRICS", "Demand", "FairConstraints", "Fairness", "constraints_of", "read_fairness"]

# The rates that each metric compares.
METRICS: Mapping[str, tuple[str, ...]] = {
    "statistical_parity": ("selection_rate",),
    "equal_opportunity": ("true_positive_rate",),
    "predictive_equality": ("false_positive_rate",),
    "equalized_odds": ("true_positive_rate", "false_positive_rate"),
    "predictive_parity": ("precision",),
    "conditional_use_accuracy_equality": ("precision", "negative_precision"),
}

_MOST_DIGITS = 10**9  # of a tolerance's denominator


@dataclass(frozen=True)
class Fairness:
    """Fairness constraints on a rule list's predictions, by sensitive group.

    Parameters
    ----------
    metric : str, list of str or None, default="statistical_parity"
        The rates that may not differ between groups: "statistical_parity" (selection rates),
        "equal_opportunity" (true positive rates), "predictive_equality" (false positive rates),
        "equalized_odds" (both), "predictive_parity" (precision) or
        "conditional_use_accuracy_equality" (precision, also of the negative prediction). Several
        are demanded together. None compares nothing: then something below has to be demanded.
    sensitive : str or list of str, optional
        The column whose values are the groups; several columns make their combinations. None: the
        groups are passed to ``fit`` as ``sensitive_features``.
    tolerance : float, Decimal or Fraction, optional
        By how much the rates of any two groups may differ; taken as the exact decimal. None is
        0.05, unless there is a ``ratio``.
    ratio : float, Decimal or Fraction, optional
        How many times the greatest rate the least one has to be, at least: 0.8 is the rule of four
        fifths.
    labels : str, default="free"
        "free" lets every rule predict either class; "majority" only that which costs least for what
        the rule captures, and the one that is not ``positive`` where both cost the same. What is
        proven is proven over these lists.
    positive : class label, optional
        The class that counts as selected. None is the second of ``classes_``.
    max_error : number or dict of str to number, optional
        The greatest error rate of each group, or of the groups named.
    min_selection, max_selection : number or dict of str to number, optional
        The least and the greatest share of each group, or of the groups named, that may be
        predicted positive.
    allow_sensitive : bool, default=False
        Whether rules may ask about the sensitive columns.

    Examples
    --------
    >>> from surelist import Fairness
    >>> Fairness("equal_opportunity", sensitive="sex", tolerance=0.02).tolerance
    0.02
    """

    metric: str | Sequence[str] | None = "statistical_parity"
    sensitive: str | Sequence[str] | None = None
    tolerance: Any = None
    ratio: Any = None
    labels: str = "free"
    positive: Any = None
    max_error: Any = None
    min_selection: Any = None
    max_selection: Any = None
    allow_sensitive: bool = False


@dataclass(frozen=True)
class Demand:
    """A `Fairness`, checked as far as that needs no data."""

    metrics: tuple[str, ...]
    sensitive: tuple[str, ...]
    """Columns; empty where groups are passed to ``fit``."""
    tolerance: Fraction | None
    ratio: Fraction | None
    majority: bool
    positive: Any
    max_error: Mapping[str | None, Fraction]
    """By group; the key None is every group."""
    min_selection: Mapping[str | None, Fraction]
    max_selection: Mapping[str | None, Fraction]
    allow_sensitive: bool


def read_fairness(given: Any) -> Demand | None:
    """Check the parameter ``fairness``: None, a `Fairness`, or a dict of its parameters.

    Raises
    ------
    InputError
    """
    if given is None:
        return None
    if isinstance(given, Mapping):
        known = {field.name for field in fields(Fairness)}
        for name in given:
            if name not in known:
                raise InputError(
                    f"fairness has no parameter {shown(name)}; it has {', '.join(sorted(known))}"
                )
        given = Fairness(**given)
    if not isinstance(given, Fairness):
        raise InputError(
            f"fairness must be None, a Fairness or a dict of its parameters; got {shown(given)}"
        )
    demand = Demand(
        metrics=_metrics(given.metric),
        sensitive=_columns(given.sensitive),
        tolerance=_tolerance(given),
        ratio=None if given.ratio is None else _share("ratio", given.ratio),
        majority=_labels(given.labels),
        positive=given.positive,
        max_error=_by_group("max_error", given.max_error),
        min_selection=_by_group("min_selection", given.min_selection),
        max_selection=_by_group("max_selection", given.max_selection),
        allow_sensitive=_flag(given.allow_sensitive),
    )
    if not (demand.metrics or demand.max_error or demand.min_selection or demand.max_selection):
        raise InputError(
            "fairness demands nothing: set metric, max_error, min_selection or max_selection"
        )
    return demand


def _metrics(given: Any) -> tuple[str, ...]:
    if given is None:
        return ()
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, Sequence) or not names:
        raise InputError(f"metric must be one of {', '.join(METRICS)}; got {shown(given)}")
    for name in names:
        if not isinstance(name, str) or name not in METRICS:
            raise InputError(f"metric must be one of {', '.join(METRICS)}; got {shown(name)}")
    return tuple(dict.fromkeys(names))


def _columns(given: Any) -> tuple[str, ...]:
    if given is None:
        return ()
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, Sequence) or not names or not all(isinstance(n, str) for n in names):
        raise InputError(f"sensitive must be a column, or a list of columns; got {shown(given)}")
    return tuple(dict.fromkeys(names))


def _tolerance(given: Fairness) -> Fraction | None:
    if given.tolerance is None:
        return Fraction(1, 20) if given.ratio is None else None
    return _share("tolerance", given.tolerance)


def _share(name: str, value: Any) -> Fraction:
    """Return an exact share from 0 to 1, both included."""
    try:
        one = not isinstance(value, bool) and value == 1
        share = Fraction(1) if one else exact(value, name=name)
    except InputError:
        raise InputError(f"{name} must be a number from 0 to 1; got {shown(value)}") from None
    if share.denominator > _MOST_DIGITS:
        raise InputError(f"{name} has too many digits; round it to nine: got {shown(value)}")
    return share


def _by_group(name: str, given: Any) -> Mapping[str | None, Fraction]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        return {None: _share(name, given)}
    for group in given:
        if not isinstance(group, str):
            raise InputError(f"{name} must name groups by text; got {shown(group)}")
    return {group: _share(f"{name} of {group}", share) for group, share in given.items()}


def _labels(given: Any) -> bool:
    if given not in ("free", "majority"):
        raise InputError(f'labels must be "free" or "majority"; got {shown(given)}')
    return bool(given == "majority")


def _flag(given: Any) -> bool:
    if not isinstance(given, bool):
        raise InputError(f"allow_sensitive must be True or False; got {shown(given)}")
    return given


@dataclass(frozen=True)
class FairConstraints:
    """A demand in terms of selected weights: at 2a + c those of sensitive group a and class c."""

    linear: tuple[tuple[tuple[int, ...], int], ...]
    """Factors, and what their sum may be at most."""
    predictive: tuple[tuple[bool, bool, int, int], ...]
    """Whether of the selected rows; whether a ratio; numerator and denominator."""


def constraints_of(demand: Demand, totals: Sequence[int], groups: Sequence[str]) -> FairConstraints:
    """Write a demand as inequalities between whole numbers.

    Parameters
    ----------
    demand
    totals : sequence of int
        The weight of each sensitive group and class, at 2a + c.
    groups : sequence of str
        Names of the groups.

    Raises
    ------
    InputError
        For a group that does not exist, or whose rates cannot be compared.
    """
    linear: list[tuple[tuple[int, ...], int]] = []
    predictive: list[tuple[bool, bool, int, int]] = []
    for rate in dict.fromkeys(rate for metric in demand.metrics for rate in METRICS[metric]):
        if rate in ("precision", "negative_precision"):
            predictive += _predictive(demand, rate)
        else:
            linear += _compared(demand, rate, totals, groups)
    for name, sign in (("max_error", 0), ("min_selection", -1), ("max_selection", 1)):
        shares = getattr(demand, name)
        _require_groups(name, shares, groups)
        for a, group in enumerate(groups):
            if (share := shares.get(group, shares.get(None))) is not None:
                linear.append(_bounded(a, share, totals, sign))
    return FairConstraints(tuple(map(_reduced, linear)), tuple(predictive))


def _predictive(demand: Demand, rate: str) -> list[tuple[bool, bool, int, int]]:
    bounds = ((False, demand.tolerance), (True, demand.ratio))
    return [
        (rate == "precision", as_ratio, share.numerator, share.denominator)
        for as_ratio, share in bounds
        if share is not None
    ]


_CLASSES = {"selection_rate": (0, 1), "true_positive_rate": (1,), "false_positive_rate": (0,)}
_WHOM = {
    "selection_rate": "no rows",
    "true_positive_rate": "no rows of the positive class",
    "false_positive_rate": "no rows of the negative class",
}


def _compared(
    demand: Demand, rate: str, totals: Sequence[int], groups: Sequence[str]
) -> list[tuple[tuple[int, ...], int]]:
    """Compare a rate whose denominators are known, for every two groups in both directions."""
    classes = _CLASSES[rate]
    size = [sum(totals[2 * a + c] for c in classes) for a in range(len(groups))]
    for a, name in enumerate(groups):
        if size[a] == 0:
            raise InputError(
                f"the group {name!r} has {_WHOM[rate]}, so its {rate.replace('_', ' ')} does not "
                "exist: leave its rows out, join it with another group, or choose another metric"
            )
    rules = []
    for share, as_ratio in ((demand.tolerance, False), (demand.ratio, True)):
        for a in range(len(groups)):
            for b in range(len(groups)):
                if a == b or share is None:
                    continue
                factors = [0] * len(totals)
                for c in classes:
                    # selected_a / size_a − selected_b / size_b ≤ share, or
                    # share · selected_a / size_a ≤ selected_b / size_b
                    own = share.numerator if as_ratio else share.denominator
                    factors[2 * a + c] = own * size[b]
                    factors[2 * b + c] = -share.denominator * size[a]
                most = 0 if as_ratio else share.numerator * size[a] * size[b]
                rules.append((tuple(factors), most))
    return rules


def _bounded(
    a: int, share: Fraction, totals: Sequence[int], sign: int
) -> tuple[tuple[int, ...], int]:
    """Bound a group's selection rate from above (1) or below (−1), or its error rate (0)."""
    size, factors = totals[2 * a] + totals[2 * a + 1], [0] * len(totals)
    bound = share.numerator * size
    if sign == 0:  # false positives, and the positives that are not selected
        factors[2 * a], factors[2 * a + 1] = share.denominator, -share.denominator
        return tuple(factors), bound - share.denominator * totals[2 * a + 1]
    factors[2 * a] = factors[2 * a + 1] = sign * share.denominator
    return tuple(factors), sign * bound


def _require_groups(
    name: str, shares: Mapping[str | None, Fraction], groups: Sequence[str]
) -> None:
    for group in shares:
        if group is not None and group not in groups:
            raise InputError(f"{name}: there is no group {group!r}; there are {', '.join(groups)}")


def _reduced(rule: tuple[tuple[int, ...], int]) -> tuple[tuple[int, ...], int]:
    """Divide by what divides all factors; the bound is rounded down, as sums are whole."""
    factors, most = rule
    common = math.gcd(*factors) or 1
    return tuple(factor // common for factor in factors), most // common
