"""The regularization λ, and other shares of the data, as exact decimals.

A user who writes ``0.005`` means five thousandths, not the binary number beside it. The search
compares objectives as whole numbers, so λ enters it as the fraction that was written down.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import Any

import numpy as np

from surelist._common.messages import shown
from surelist.errors import InputError

__all__ = ["exact", "short", "text"]

# The engine computes in 127 bits; nothing longer could be used.
_MOST_DIGITS = 36
_LARGEST_DENOMINATOR = 10**_MOST_DIGITS


def exact(value: object, name: str = "regularization") -> Fraction:
    """Return a share of the data, at least 0 and below 1, as the exact fraction it was written as.

    Parameters
    ----------
    value : float, int, Decimal, Fraction or numpy scalar
        A float counts as the shortest decimal that denotes it.
    name : str
        What the number is called in the error message.

    Raises
    ------
    InputError
        For text, bools, NaN, infinity, anything negative and anything from 1 on.

    Examples
    --------
    >>> from surelist.tables.regularization import exact
    >>> exact(0.005)
    Fraction(1, 200)
    """
    if not _is_share(value):
        raise InputError(
            f"{name} must be a number of at least 0 and below 1, such as 0.01; got {shown(value)}"
        )
    fraction = _fraction(value)
    if fraction is None or fraction.denominator > _LARGEST_DENOMINATOR:
        raise InputError(f"{name} has too many digits: round it; got {shown(value)}")
    return fraction


def _is_share(value: object) -> bool:
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real | Decimal):
        return False
    if isinstance(value, Decimal) and not value.is_finite():
        return False
    number: Any = value
    return bool(0 <= number < 1)


def _fraction(value: Any) -> Fraction | None:
    """Read a number between 0 and 1; None where it is too long to be worth reading."""
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, Decimal):
        # A Decimal may have a million digits, which a fraction would write out.
        too_long = value.adjusted() < -_MOST_DIGITS or len(value.as_tuple().digits) > _MOST_DIGITS
        return None if value and too_long else Fraction(value)
    # The shortest decimal for the number's own width: 0.01 for float32(0.01).
    return Fraction(repr(float(value)) if isinstance(value, float) else str(value))


def short(number: Decimal) -> float | Decimal:
    """Return a number as a float where that loses nothing: it reads better in a file.

    Examples
    --------
    >>> from decimal import Decimal
    >>> from surelist.tables.regularization import short
    >>> short(Decimal("0.10")), short(Decimal("0.1000000000000000000001"))
    (0.1, Decimal('0.1000000000000000000001'))
    """
    return float(number) if Decimal(repr(float(number))) == number else number


def text(value: object) -> str:
    """Return λ as text that reads back exactly: a decimal where there is one, else a fraction.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from surelist.tables.regularization import text
    >>> text(1e-05), text(Fraction(1, 3))
    ('0.00001', '1/3')
    """
    fraction = exact(value)
    digits = _decimal_digits(fraction.denominator)
    if digits is None:
        return f"{fraction.numerator}/{fraction.denominator}"
    if digits == 0:
        return "0"
    scaled = fraction.numerator * 10**digits // fraction.denominator
    return f"0.{scaled:0{digits}d}"


def _decimal_digits(denominator: int) -> int | None:
    """Count the decimals of a fraction with this denominator; None where they never end."""
    twos = (denominator & -denominator).bit_length() - 1
    rest, fives = denominator >> twos, 0
    while rest % 5 == 0:
        rest //= 5
        fives += 1
    return max(twos, fives) if rest == 1 else None
