"""How numbers are printed: as the paper does, a mean and in parentheses the standard deviation."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from benchmarks.numbers import number

__all__ = ["mean", "mean_std", "number", "short", "span", "times"]


def short(value: float) -> str:
    """Return a number as a short text, with a power of ten if it is large.

    Examples
    --------
    >>> short(25_000_000_000), short(123.0)
    ('2.5 × 10^10', '123')
    """
    if abs(value) < 1e6:
        return number(value)
    digits, power = f"{value:.1e}".split("e")
    return f"{digits} × 10^{int(power)}"


def mean(values: Iterable[float]) -> float:
    """Return the mean."""
    return float(np.mean(list(values)))


def mean_std(values: Iterable[float], scale: float = 1.0, least: bool = False) -> str:
    """Write a mean and a standard deviation, both divided by a scale.

    Examples
    --------
    >>> mean_std([1.0, 2.0, 3.0]), mean_std([2_000_000], 1e6, least=True)
    ('2 (0.816)', '> 2')
    """
    found = np.array(list(values), float) / scale
    mark = "> " if least else ""
    if len(found) == 1:
        return f"{mark}{number(float(found[0]))}"
    return f"{mark}{number(float(found.mean()))} ({number(float(found.std()))})"


def span(values: Iterable[float]) -> str:
    """Return a range, or the value if there is only one.

    Examples
    --------
    >>> span([3, 4, 3]), span([3, 3])
    ('3–4', '3')
    """
    found = list(values)
    low, high = min(found), max(found)
    return f"{low:g}" if low == high else f"{low:g}–{high:g}"


def times(value: float, least: bool = False) -> str:
    """Write a ratio.

    Examples
    --------
    >>> times(12.34), times(250.0, least=True)
    ('12.3×', '> 250×')
    """
    return f"{'> ' if least else ''}{number(value)}×"
