"""Which lists are wanted: up to a tolerance, up to an objective, or the n best."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any

import numpy as np

from surelist._common.messages import shown
from surelist.errors import InputError

__all__ = ["Goal", "exact_number", "read_count", "read_goal", "read_seed"]

_DEFAULT_TOLERANCE = Fraction(1, 100)
_MOST_LISTS = 10**12  # more than any machine holds
_DISTINCT = ("text", "predictions")
# Of the slack that is asked for. A limit that ends a later round leaves an earlier one complete.
_ROUNDS = (Fraction(1, 16), Fraction(1, 4), Fraction(1))
_FIRST_SLACK = Fraction(1, 64)  # of the optimum, where the n best are wanted
# From one round to the next. The number of lists grows much faster than the slack.
_GROWTH = Fraction(3, 2)


@dataclass(frozen=True)
class Goal:
    """What was asked for; exactly one of the first three is not None."""

    tolerance: Fraction | None
    objective: Fraction | None
    n: int | None
    distinct: str

    def threshold(self, optimum: Fraction) -> Fraction | None:
        """Return the largest objective that is wanted; None where that is not known before."""
        if self.n is not None:
            return None
        if self.tolerance is not None:
            return optimum * (1 + self.tolerance)
        return self.objective

    def rounds(self, best: Fraction, proven: bool, most: Fraction) -> Iterator[Fraction]:
        """Return growing thresholds, the last of which is what was asked for.

        Parameters
        ----------
        best : Fraction
            The objective of the best list known.
        proven : bool
            Whether it is the optimum.
        most : Fraction
            No list has a larger objective.
        """
        wanted = self.threshold(best)
        if wanted is None:
            yield from _growing(best, most)
            return
        if wanted <= best:
            yield wanted
            return
        if not proven:
            yield best
        for share in _ROUNDS:
            yield best + share * (wanted - best)


def _growing(best: Fraction, most: Fraction) -> Iterator[Fraction]:
    slack = max(best, Fraction(1, 100)) * _FIRST_SLACK
    while best + slack < most:
        yield best + slack
        slack *= _GROWTH
    yield most


def read_goal(tolerance: Any, objective: Any, n: Any, distinct: Any) -> Goal:
    """Check what was asked for; the default is a tolerance of one per cent.

    Raises
    ------
    InputError

    Examples
    --------
    >>> from surelist.estimators.near_optimal.goal import read_goal
    >>> read_goal(0.05, None, None, "text").tolerance
    Fraction(1, 20)
    """
    given = {"tolerance": tolerance, "objective": objective, "n": n}
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise InputError(f"give one of tolerance, objective and n; got {' and '.join(named)}")
    if distinct not in _DISTINCT:
        raise InputError(f'distinct must be "text" or "predictions"; got {shown(distinct)}')
    if n is not None and (not isinstance(n, Integral) or isinstance(n, bool) or n < 1):
        raise InputError(f"n must be None or a whole number of at least 1; got {shown(n)}")
    if n is not None and int(n) > _MOST_LISTS:
        raise InputError(f"n must be at most {_MOST_LISTS:,}; got {shown(n)}")
    if not named:
        tolerance = _DEFAULT_TOLERANCE
    return Goal(
        None if tolerance is None else exact_number("tolerance", tolerance),
        None if objective is None else exact_number("objective", objective),
        None if n is None else int(n),
        distinct,
    )


def exact_number(name: str, value: Any) -> Fraction:
    """Read a number as the decimal that it was written as."""
    is_number = isinstance(value, Real | Decimal) and not isinstance(value, bool | np.bool_)
    # Decimals that are no numbers raise an error where they are compared.
    if not is_number or not math.isfinite(value) or value < 0:
        raise InputError(f"{name} must be a number of at least 0, such as 0.01; got {shown(value)}")
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    exact = Fraction(value) if isinstance(value, Decimal) else Fraction(repr(float(value)))
    if exact > 10**6 or exact.denominator > 10**36:
        raise InputError(f"{name} is too large or has too many digits; got {shown(value)}")
    return exact


def read_count(name: str, value: Any) -> int:
    """Check a number of lists."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        raise InputError(f"{name} must be a whole number of at least 1; got {shown(value)}")
    return int(value)


def read_seed(random_state: Any) -> int | None:
    """Check the seed of a sample."""
    if random_state is None:
        return None
    if not isinstance(random_state, Integral) or isinstance(random_state, bool) or random_state < 0:
        raise InputError(
            f"random_state must be None or a whole number of at least 0; got {shown(random_state)}"
        )
    return int(random_state)
