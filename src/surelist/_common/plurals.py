"""One rule, two rules: numbers of things in messages. Needs no numpy, so `--help` may use it."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, one: str, more: str | None = None) -> str:
    """Return a number of things.

    Examples
    --------
    >>> from surelist._common.plurals import counted
    >>> counted(1, "rule"), counted(2000, "prefix", "prefixes")
    ('1 rule', '2,000 prefixes')
    """
    return f"{number:,} {one if number == 1 else more or one + 's'}"
