"""Sample and class weights as whole numbers.

The search is exact because it counts in whole numbers. Whole weights are taken as they are, up to a
total of 2**53. Others are all multiplied by one power of two, rounded to the nearest whole number
and divided by what they have in common: **the problem with these rounded weights is the one that is
solved and certified**. The total is then at least 2**39, so rounding moves a weight by at most
2**-40 of the total, and weights that are short in binary, such as 0.5 or 0.75, do not move at all.
A row whose weight rounds to zero is ignored.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import first_masked, missing, shown
from surelist.errors import InputError

__all__ = [
    "RowWeights",
    "describe_weights",
    "read_sample_weights",
    "row_weights",
    "weigh_rows",
    "weight_unit",
    "whole_weights",
]

_FILL = "correct it, give it the weight 0, or leave the row out"

_TOTAL_BITS = 40

# Above this a float no longer holds every whole number.
_EXACT_TOTAL = 2.0**53


def row_weights(
    codes: NDArray[np.int32],
    classes: NDArray[Any],
    sample_weight: Any = None,
    class_weight: Any = None,
    counts: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """Return the whole weight of each row: its sample weight times the weight of its class.

    Parameters
    ----------
    codes, classes
        The class of each row as a position in ``classes``.
    sample_weight : array-like of one number per row, optional
        None gives every row the weight 1.
    class_weight : dict of class to number, "balanced", or None
        Classes that a dict leaves out have weight 1. "balanced" gives all classes the same total.
    counts : ndarray of int, optional
        How often each row occurs, where rows of the same class and weight were put together; the
        weights returned are those of a single one of them.

    Raises
    ------
    InputError
        For weights that are negative, NaN, infinite, all zero or not one per row; for a class that
        does not occur; and where fewer than two classes have any weight.

    Examples
    --------
    >>> import numpy as np
    >>> from surelist.weights import row_weights
    >>> row_weights(np.array([0, 1, 1]), np.array(["no", "yes"]), class_weight="balanced").tolist()
    [2, 1, 1]
    """
    return weigh_rows(codes, classes, sample_weight, class_weight, counts).whole


@dataclass(frozen=True, eq=False)
class RowWeights:
    """The whole weights of rows, and how they came about.

    Attributes
    ----------
    whole : ndarray of int
        One per row, as `row_weights` returns them.
    description : mapping
        As `describe_weights` returns it.
    unit : float
        As `weight_unit` returns it.
    """

    whole: NDArray[np.int64]
    description: Mapping[str, Any]
    unit: float


def weigh_rows(
    codes: NDArray[np.int32],
    classes: NDArray[Any],
    sample_weight: Any = None,
    class_weight: Any = None,
    counts: NDArray[np.int64] | None = None,
) -> RowWeights:
    """Return the whole weight of each row, with the description and the unit of the weights.

    Parameters and errors are those of `row_weights`.

    Examples
    --------
    >>> import numpy as np
    >>> from surelist.tables.weights import weigh_rows
    >>> weights = weigh_rows(np.array([0, 1]), np.array(["no", "yes"]), [1.5, 0.5])
    >>> weights.whole.tolist(), weights.unit, weights.description["kind"]
    ([3, 1], 2.0, 'rounded')
    """
    weights, factors = _products(codes, classes, sample_weight, class_weight, counts)
    exponent = _exponent(weights, counts)
    plain = sample_weight is None and factors is None
    description: dict[str, Any] = {
        "kind": "unit" if plain else "whole" if exponent is None else "rounded",
        "sample_weight": sample_weight is not None,
        "class_weight": None if factors is None else factors.tolist(),
    }
    whole, divisor = _whole(weights, exponent)
    if exponent is not None:
        description |= {"exponent": exponent, "divisor": divisor}
    totals = np.bincount(codes[whole > 0], minlength=len(classes))
    if np.count_nonzero(totals) < 2:
        raise InputError("only one class has rows of positive weight; at least two are needed")
    return RowWeights(whole, description, _unit(whole, weights))


def weight_unit(
    whole: NDArray[np.int64],
    codes: NDArray[np.int32],
    classes: NDArray[Any],
    sample_weight: Any = None,
    class_weight: Any = None,
    counts: NDArray[np.int64] | None = None,
) -> float:
    """Return the whole weight that stands for a weight of 1 as it was given.

    Examples
    --------
    >>> import numpy as np
    >>> from surelist.weights import row_weights, weight_unit
    >>> arguments = np.array([0, 1]), np.array(["no", "yes"]), [1.5, 0.5]
    >>> weight_unit(row_weights(*arguments), *arguments)
    2.0
    """
    given, _ = _products(codes, classes, sample_weight, class_weight, counts)
    return _unit(whole, given)


def _unit(whole: NDArray[np.int64], given: NDArray[np.float64]) -> float:
    heaviest = int(np.argmax(given))
    with np.errstate(over="ignore"):  # weights may be so small that this would be infinite
        return min(float(whole[heaviest] / given[heaviest]), sys.float_info.max)


def describe_weights(
    codes: NDArray[np.int32],
    classes: NDArray[Any],
    sample_weight: Any = None,
    class_weight: Any = None,
    counts: NDArray[np.int64] | None = None,
) -> dict[str, Any]:
    """Say how `row_weights` computes its numbers, exactly enough to repeat it.

    Returns
    -------
    dict
        "kind": "unit" (every row weighs 1), "whole" (sample weight times class weight, as they are)
        or "rounded" (times two to the "exponent", rounded, divided by the "divisor");
        "sample_weight": whether there were any; "class_weight": a factor for each class, or None.

    Examples
    --------
    >>> import numpy as np
    >>> from surelist.weights import describe_weights
    >>> found = describe_weights(np.array([0, 1]), np.array(["no", "yes"]), [1.5, 0.5])
    >>> found["kind"], found["exponent"], found["divisor"] == 2**37
    ('rounded', 38, True)
    """
    return dict(weigh_rows(codes, classes, sample_weight, class_weight, counts).description)


def _products(
    codes: NDArray[np.int32],
    classes: NDArray[Any],
    sample_weight: Any,
    class_weight: Any,
    counts: NDArray[np.int64] | None,
) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
    """Sample weight times class weight of each row, and the weight of each class, if any."""
    weights = read_sample_weights(sample_weight, len(codes))
    factors = _class_factors(class_weight, classes, codes, weights, counts)
    if factors is not None:
        with np.errstate(over="ignore"):  # refused later, in words
            weights = weights * factors[codes]
    return weights, factors


def _sum(weights: NDArray[np.float64], counts: NDArray[np.int64] | None) -> float:
    """Sum up with one rounding at the end.

    So the result is the same to the last bit, whatever the order of rows, and whether or not equal
    rows were merged.
    """
    if counts is None:
        return math.fsum(weights.tolist())
    pairs = zip(weights.tolist(), counts.tolist(), strict=True)
    return float(sum((Fraction(weight) * count for weight, count in pairs), Fraction(0)))


def read_sample_weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64]:
    """Return one weight per row as a float: 1 where none are given.

    Raises
    ------
    InputError
        For weights that are missing or masked, negative, infinite, all zero or not one per row.
    """
    if sample_weight is None:
        return np.ones(n_rows)
    masked = first_masked(sample_weight)
    if masked is not None:
        raise InputError(f"sample_weight is masked in row {masked}; {_FILL}")
    try:
        given = np.asarray(sample_weight)
        if given.dtype.kind not in "biufO":
            raise TypeError(f"its values are of type {given.dtype}")
        weights = _as_floats(given)
    except (OverflowError, TypeError, ValueError) as error:
        raise InputError(f"sample_weight must hold one number per row: {error}") from None
    if weights.shape != (n_rows,):
        # The first words are scikit-learn's, which its estimator checks look for.
        raise InputError(
            f"Sample weights must be 1D array: one number for each of the {n_rows} rows; "
            f"got the shape {weights.shape}"
        )
    good = np.isfinite(weights) & (weights >= 0)
    if not good.all():
        row = int(np.argmin(good))
        raise InputError(
            f"sample_weight must hold finite numbers of at least 0; row {row} has {weights[row]}: "
            f"{_FILL}"
        )
    if not weights.any():
        raise InputError("sample_weight is zero for every row; at least two rows need weight")
    return weights


def _as_floats(given: NDArray[Any]) -> NDArray[np.float64]:
    """Make floats of all numbers, and NaN of whatever else says that a value is missing."""
    if given.dtype.kind == "O" and given.ndim == 1:
        texts = [row for row, value in enumerate(given) if isinstance(value, str)]
        if texts:
            raise TypeError(f"row {texts[0]} has the text {shown(given[texts[0]])}")
        given = np.array([math.nan if missing(value) else value for value in given], dtype=object)
    return given.astype(np.float64)


def _class_factors(
    class_weight: Any,
    classes: NDArray[Any],
    codes: NDArray[np.int32],
    weights: NDArray[np.float64],
    counts: NDArray[np.int64] | None,
) -> NDArray[np.float64] | None:
    if class_weight is None:
        return None
    if isinstance(class_weight, str) and class_weight == "balanced":
        return _balanced(classes, codes, weights, counts)
    if not isinstance(class_weight, Mapping):
        raise InputError(
            'class_weight must be None, "balanced" or a dict of class to weight; '
            f"got {shown(class_weight)}"
        )
    factors = np.ones(len(classes))
    position = {label: index for index, label in enumerate(classes.tolist())}
    for label, factor in class_weight.items():
        if label not in position:
            known = ", ".join(map(repr, position))
            raise InputError(
                f"class_weight names the class {shown(label)}; the classes are {known}"
            )
        factors[position[label]] = _factor(label, factor)
    return factors


def _balanced(
    classes: NDArray[Any],
    codes: NDArray[np.int32],
    weights: NDArray[np.float64],
    counts: NDArray[np.int64] | None,
) -> NDArray[np.float64]:
    """Return what each class is multiplied by to weigh as much as the heaviest one."""
    halved, _ = _halved(weights)
    totals = np.zeros(len(classes))
    present = np.zeros(len(classes), dtype=np.bool_)
    for code in range(len(classes)):
        own = codes == code
        totals[code] = _sum(halved[own], None if counts is None else counts[own])
        present[code] = weights[own].any()
    factors = np.zeros(len(classes))
    with np.errstate(over="ignore", divide="ignore"):
        factors[present] = totals.max() / totals[present]
    if not np.isfinite(factors).all():
        labels = classes.tolist()
        lightest, heaviest = labels[int(factors.argmax())], labels[int(totals.argmax())]
        raise InputError(
            f'class_weight="balanced" would multiply class {shown(lightest)} by more than a float '
            f"can hold: in sample_weight, class {shown(heaviest)} weighs over 1e308 times as much"
        )
    return factors


def _halved(weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
    """Halve weights until all are below 1, so that the sum of huge ones is finite; or double them.

    Also return how often. Where the heaviest row is not 1e290 times another one, this is exact.
    """
    _, exponent = math.frexp(float(weights.max()))
    return np.ldexp(weights, -exponent), exponent


def _factor(label: object, factor: object) -> float:
    if isinstance(factor, Real) and not isinstance(factor, bool):
        with suppress(OverflowError):  # a whole number may be too large for a float
            number = float(factor)
            if math.isfinite(number) and number >= 0:
                return number
    raise InputError(
        "class_weight must hold finite numbers of at least 0; "
        f"class {shown(label)} has {shown(factor)}"
    )


def whole_weights(
    weights: NDArray[np.float64], counts: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Return weights as whole numbers: unchanged where they are whole, else scaled and rounded.

    ``counts`` says how often each weight occurs, once where it is None.

    Examples
    --------
    >>> import numpy as np
    >>> from surelist.weights import whole_weights
    >>> whole_weights(np.array([3.0, 1.0])).tolist(), whole_weights(np.array([1.5, 0.5])).tolist()
    ([3, 1], [3, 1])
    """
    return _whole(weights, _exponent(weights, counts))[0]


def _whole(
    weights: NDArray[np.float64], exponent: int | None
) -> tuple[NDArray[np.int64], int | None]:
    """Return whole weights and what they were divided by; None where they were whole before."""
    if exponent is None:
        return weights.astype(np.int64), None
    rounded = np.rint(np.ldexp(weights, exponent)).astype(np.int64)
    divisor = int(np.gcd.reduce(rounded))
    return rounded // divisor, divisor


def _exponent(weights: NDArray[np.float64], counts: NDArray[np.int64] | None) -> int | None:
    """Return of which power of two weights are multiplied before they are rounded; None: whole."""
    if not np.isfinite(weights).all():
        raise InputError("sample_weight times class_weight is too large a number")
    if not weights.any():
        raise InputError("every row has weight zero; at least two rows need weight")
    halved, exponent = _halved(weights)
    total = _sum(halved, counts)
    if (weights == np.rint(weights)).all() and math.ldexp(total, min(exponent, 60)) < _EXACT_TOTAL:
        return None
    _, total_exponent = math.frexp(total)
    return _TOTAL_BITS - total_exponent - exponent
