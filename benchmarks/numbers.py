"""Numbers as text, in tables and on the command line."""

from __future__ import annotations

import argparse

__all__ = ["number", "positive"]


def number(value: float) -> str:
    """Return a number with three significant digits, or all digits of a large one.

    Examples
    --------
    >>> number(1234.5), number(12.34), number(0.01234), number(0)
    ('1,234', '12.3', '0.0123', '0')
    """
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def positive(text: str) -> int:
    """Read a whole number of at least 1."""
    if (found := int(text)) < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return found
