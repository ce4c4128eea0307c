"""Tables as text, HTML and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["csv_table", "html_table", "text_table"]


def text_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return lines with the columns right-aligned, but for the last.

    Examples
    --------
    >>> from surelist._common.text_tables import text_table
    >>> print(text_table(("length", "status"), [("3", "optimal")]))
    length  status
         3  optimal
    """
    widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        *numbers, last = cells
        padded = [cell.rjust(width) for cell, width in zip(numbers, widths, strict=False)]
        return "  ".join((*padded, last)).rstrip()

    return "\n".join(line(cells) for cells in (titles, *rows))


def html_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return the same as HTML; line breaks in a cell are kept.

    Examples
    --------
    >>> from surelist._common.text_tables import html_table
    >>> html_table(("a",), [("<",)])
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    body = "".join(f"<tr>{''.join(map(_cell, cells))}</tr>" for cells in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(text: str) -> str:
    if "\n" in text:
        return f'<td style="text-align: left; white-space: pre">{escape(text)}</td>'
    return f"<td>{escape(text)}</td>"


def csv_table(titles: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    r"""Return the text of a CSV file.

    Examples
    --------
    >>> from surelist._common.text_tables import csv_table
    >>> csv_table(("age", "name"), [(25, "a, b")])
    'age,name\n25,"a, b"\n'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(titles)
    writer.writerows(rows)
    return text.getvalue()
