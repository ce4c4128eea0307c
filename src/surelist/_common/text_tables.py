"""Tables as text, HTML and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["HtmlCell", "csv_table", "html_table", "text_table"]


def text_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return lines of text with all columns right-aligned except the last.

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


@dataclass(frozen=True)
class HtmlCell:
    """A cell of an HTML table: what is in it, as HTML, and the attributes of its tag."""

    html: str
    attributes: str = ""


def html_table(
    titles: Sequence[str | HtmlCell],
    rows: Iterable[Sequence[str | HtmlCell]],
    *,
    attributes: str = "",
    caption: HtmlCell | None = None,
) -> str:
    """Return an HTML table. Cells that are text are escaped, and their line breaks kept.

    Without titles the table has no head. ``attributes`` are those of the tag ``<table>``.

    Examples
    --------
    >>> from surelist._common.text_tables import html_table
    >>> html_table(("a",), [("<",)])
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;</td></tr></tbody></table>'
    """
    body = "".join(_html_row("td", cells) for cells in rows)
    return "".join(
        (
            _tag("table", attributes),
            ""
            if caption is None
            else f"{_tag('caption', caption.attributes)}{caption.html}</caption>",
            f"<thead>{_html_row('th', titles)}</thead>" if titles else "",
            f"<tbody>{body}</tbody></table>",
        )
    )


def _html_row(tag: str, cells: Sequence[str | HtmlCell]) -> str:
    made = (cell if isinstance(cell, HtmlCell) else _text_cell(cell) for cell in cells)
    inside = "".join(f"{_tag(tag, cell.attributes)}{cell.html}</{tag}>" for cell in made)
    return f"<tr>{inside}</tr>"


def _text_cell(text: str) -> HtmlCell:
    from html import escape  # for notebooks only

    breaks = 'style="text-align: left; white-space: pre"' if "\n" in text else ""
    return HtmlCell(escape(text), breaks)


def _tag(name: str, attributes: str) -> str:
    return f"<{name} {attributes}>" if attributes else f"<{name}>"


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
