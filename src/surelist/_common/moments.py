"""Dates and times that are compared: all in UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime

__all__ = ["naive_utc"]


def naive_utc(value: date) -> datetime:
    """Return a date, or a datetime of any zone, as a datetime in UTC without a zone.

    Examples
    --------
    >>> from datetime import date
    >>> from surelist._common.moments import naive_utc
    >>> naive_utc(date(2020, 2, 29))
    datetime.datetime(2020, 2, 29, 0, 0)
    """
    if not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day)
    return value if value.tzinfo is None else value.astimezone(UTC).replace(tzinfo=None)
