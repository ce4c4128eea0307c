"""What mistakes and rules cost, as exact numbers.

A cost matrix says what it costs to predict one class for a row of another, in units of the row's
weight; without one, every wrong prediction costs 1. An antecedent may cost more or less than the 1
that λ is multiplied by otherwise: given for each, or as many as it has clauses. Numbers are taken
as the decimals they are written as, so that the search stays exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import Any

import numpy as np

from surelist._common.messages import shown
from surelist.errors import InputError
from surelist.rule_list.rules import Antecedent

__all__ = ["Matrix", "Prices", "read_prices"]

Matrix = tuple[tuple[Fraction, ...], ...]

_MOST_DIGITS = 18
_ALL_ZERO = "cost_matrix is all zero; some mistake must cost something"


@dataclass(frozen=True)
class Prices:
    """The parameters ``cost_matrix`` and ``antecedent_costs``, checked as far as they can be.

    Attributes
    ----------
    matrix : dict of dict, tuple of tuples, or None
        Costs by class and prediction: by label, or in the order of the classes.
    by_text : dict of str to Fraction
        What antecedents cost, by their text; those left out cost 1.
    by_clauses : bool
        Whether an antecedent costs as many as it has clauses.
    """

    matrix: Any = None
    by_text: Mapping[str, Fraction] | None = None
    by_clauses: bool = False

    @property
    def least(self) -> Fraction:
        """No antecedent costs less."""
        return min([Fraction(1), *(self.by_text or {}).values()])

    @property
    def dearest(self) -> Fraction:
        """No prediction costs more, whatever the classes are."""
        if self.matrix is None:
            return Fraction(1)
        costs: list[Fraction]
        if isinstance(self.matrix, Mapping):
            # What a dict leaves out costs 1; what it leaves out, the classes decide.
            costs = [Fraction(1), *(cost for row in self.matrix.values() for cost in row.values())]
        else:
            costs = [cost for row in self.matrix for cost in row]
        return max(costs, default=Fraction(1))

    def matrix_for(self, classes: Sequence[Any]) -> Matrix | None:
        """Return the cost matrix in the order of the classes.

        Raises
        ------
        InputError
            Where it does not fit the classes.
        """
        if self.matrix is None:
            return None
        if not isinstance(self.matrix, Mapping):
            n_rows = len(self.matrix)
            if n_rows != len(classes) or any(len(row) != len(classes) for row in self.matrix):
                raise InputError(
                    f"cost_matrix must have {len(classes)} rows and columns, one for each class"
                )
            return tuple(self.matrix)
        for label in (*self.matrix, *(q for row in self.matrix.values() for q in row)):
            if label not in classes:
                known = ", ".join(map(repr, classes))
                raise InputError(f"cost_matrix names the class {shown(label)}; there are {known}")
        matrix = tuple(
            tuple(self.matrix.get(c, {}).get(q, Fraction(int(c != q))) for q in classes)
            for c in classes
        )
        if not any(cost for row in matrix for cost in row):
            raise InputError(_ALL_ZERO)
        return matrix

    def unit(self, matrix: Matrix | None) -> int:
        """Return the least whole number that makes all costs of the matrix whole."""
        return math.lcm(*(cost.denominator for row in matrix or () for cost in row))

    def factor(self, regularization: Fraction, total: int) -> int:
        """Return what weights have to be multiplied by for all surcharges to be whole.

        ``total`` is the weight of all rows, in units of cost.
        """
        costs = [Fraction(2)] if self.by_clauses else [Fraction(1), *(self.by_text or {}).values()]
        return math.lcm(
            *((regularization * (cost - self.least) * total).denominator for cost in costs)
        )

    def of(self, antecedent: Antecedent, given: Fraction | None) -> Fraction:
        """Return what an antecedent costs, in multiples of λ; ``given`` is what was said of it."""
        if self.by_clauses:
            return Fraction(len(antecedent.clauses))
        return Fraction(1) if given is None else given

    @property
    def uniform(self) -> bool:
        """Whether all antecedents cost 1."""
        return not self.by_clauses and not self.by_text


def read_prices(cost_matrix: Any, antecedent_costs: Any) -> Prices:
    """Check the parameters ``cost_matrix`` and ``antecedent_costs``.

    Raises
    ------
    InputError
    """
    if isinstance(antecedent_costs, str):
        if antecedent_costs != "clauses":
            raise _refuse_costs(antecedent_costs)
        return Prices(_read_matrix(cost_matrix), by_clauses=True)
    if antecedent_costs is None:
        return Prices(_read_matrix(cost_matrix))
    if not isinstance(antecedent_costs, Mapping):
        raise _refuse_costs(antecedent_costs)
    for text in antecedent_costs:
        if not isinstance(text, str):
            raise _refuse_costs(text)
    costs = {
        text: _number(cost, f"antecedent_costs of {text!r}")
        for text, cost in antecedent_costs.items()
    }
    return Prices(_read_matrix(cost_matrix), by_text=costs)


def _refuse_costs(value: object) -> InputError:
    return InputError(
        'antecedent_costs must be None, "clauses" or a dict of antecedents as text to numbers; '
        f"got {shown(value)}"
    )


def _read_matrix(given: Any) -> Any:
    if given is None:
        return None
    matrix: Any
    if isinstance(given, Mapping):
        if not all(isinstance(row, Mapping) for row in given.values()):
            raise InputError(
                "cost_matrix must be a dict of dicts, {actual: {predicted: cost}}, or a square "
                f"array; got {shown(given)}"
            )
        matrix = {
            actual: {q: _number(cost, "cost_matrix") for q, cost in row.items()}
            for actual, row in given.items()
        }
        costs = [cost for row in matrix.values() for cost in row.values()]
    else:
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise InputError(f"cost_matrix must be a square array of costs; got {shown(given)}")
        rows = [row if isinstance(row, Iterable) else [row] for row in given]
        matrix = tuple(tuple(_number(cost, "cost_matrix") for cost in row) for row in rows)
        costs = [cost for row in matrix for cost in row]
    if not any(costs) and not isinstance(given, Mapping):
        raise InputError(_ALL_ZERO)
    return matrix


def _number(value: Any, name: str) -> Fraction:
    """Read a finite number of at least 0 as the decimal it was written as."""
    good = isinstance(value, Real | Decimal) and not isinstance(value, bool | np.bool_)
    if not good or not math.isfinite(value) or value < 0:
        raise InputError(f"{name} must be a finite number of at least 0; got {shown(value)}")
    if isinstance(value, Rational):
        number = Fraction(int(value.numerator), int(value.denominator))
    elif isinstance(value, Decimal) and not -_MOST_DIGITS <= value.adjusted() <= _MOST_DIGITS:
        raise InputError(f"{name} has too many digits; got {shown(value)}")
    else:
        number = Fraction(repr(float(value)) if isinstance(value, float) else str(value))
    if max(number.numerator, number.denominator) > 10**_MOST_DIGITS:
        raise InputError(f"{name} has too many digits; got {shown(value)}")
    return number
