"""Names and texts as SQL writes them."""

from __future__ import annotations

__all__ = ["quoted_name", "quoted_text"]


def quoted_name(name: str) -> str:
    """Return the name of a column or a table in double quotes.

    Examples
    --------
    >>> from surelist._common.sql import quoted_name
    >>> quoted_name('a "b" c')
    '"a ""b"" c"'
    """
    return '"' + name.replace('"', '""') + '"'


def quoted_text(text: str) -> str:
    """Return a text in single quotes.

    Examples
    --------
    >>> from surelist._common.sql import quoted_text
    >>> quoted_text("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"
