"""Numbers of a claim, rounded so that the claim stays true: lower bounds down, gaps up.

Rounded to the nearest, a proven bound of 0.12346 would become "no rule list is below 0.1235".
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction

__all__ = ["bound_text", "gap_text", "rounded_down", "rounded_up"]

_DIGITS = 100  # while dividing; more than any form shows


def rounded_down(number: Fraction | float, form: str = ".6g") -> str:
    """Return a number rounded down to a format, for a lower bound.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from surelist._common.rounding import rounded_down
    >>> rounded_down(Fraction(1, 6)), rounded_down(0.12346, ".4f"), rounded_down(0.05)
    ('0.166666', '0.1234', '0.05')
    """
    return _text(number, form, ROUND_FLOOR)


def rounded_up(number: Fraction | float, form: str = ".6g") -> str:
    """Return a number rounded up to a format, for a gap.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from surelist._common.rounding import rounded_up
    >>> rounded_up(Fraction(1, 3)), rounded_up(0.12341, ".4f"), rounded_up(0.3)
    ('0.333334', '0.1235', '0.3')
    """
    return _text(number, form, ROUND_CEILING)


def gap_text(objective: Fraction | float, lower_bound: Fraction | float, form: str = ".6g") -> str:
    """Return the gap between an objective and a lower bound, rounded up.

    Examples
    --------
    >>> from surelist._common.rounding import gap_text
    >>> 0.8 - 0.1, gap_text(0.8, 0.1)
    (0.7000000000000001, '0.7')
    """
    return rounded_up(_exact(objective) - _exact(lower_bound), form)


def bound_text(objective: Fraction, lower_bound: Fraction, form: str = ".6f") -> str:
    """Return a lower bound as text, or "the same" where it equals the objective.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from surelist._common.rounding import bound_text
    >>> bound_text(Fraction(2, 3), Fraction(1, 6)), bound_text(Fraction(2, 3), Fraction(2, 3))
    ('0.166666', 'the same')
    """
    return "the same" if lower_bound == objective else rounded_down(lower_bound, form)


def _exact(number: Fraction | float) -> Fraction:
    """Return a number as it was written: 0.3 is 3/10, not the float nearest to it."""
    return Fraction(repr(float(number))) if isinstance(number, float) else Fraction(number)


def _text(number: Fraction | float, form: str, rounding: str) -> str:
    exact = _exact(number)
    if exact and not 1e-300 < abs(exact) < 1e300:  # beyond floats
        return str(exact)
    with localcontext() as context:
        context.prec, context.rounding = _DIGITS, rounding
        text = format(Decimal(exact.numerator) / Decimal(exact.denominator), form)
    return format(float(text), form)  # without the zeros that a Decimal keeps
