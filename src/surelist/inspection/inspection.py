"""What an inspection found: for a terminal, a notebook, a data frame and for machines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from surelist._common.text_tables import HtmlCell, html_table
from surelist.errors import SurelistError
from surelist.inspection.finding import LEVELS, Finding

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console, ConsoleOptions, RenderResult

__all__ = ["Inspection"]

_NOTHING = "Nothing was found that speaks against learning from this table."


@dataclass(frozen=True, repr=False)
class Inspection:
    """What `inspect` found; its length is the number of findings.

    Attributes
    ----------
    findings : tuple of Finding
        The most serious first.
    n_rows, n_looked_at : int
        How many rows the table has, and how many of them were looked at.
    """

    findings: tuple[Finding, ...]
    n_rows: int
    n_looked_at: int

    def __len__(self) -> int:
        return len(self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings that may make a result worthless."""
        return self.of_level("warning")

    @property
    def protected(self) -> tuple[str, ...]:
        """The columns that may be protected, by their names."""
        return tuple(str(each.column) for each in self.findings if each.kind == "protected")

    def of_level(self, level: str) -> tuple[Finding, ...]:
        """Return the findings of one level: "warning", "note" or "suggestion"."""
        return tuple(each for each in self.findings if each.level == level)

    def about(self, column: str | None) -> tuple[Finding, ...]:
        """Return the findings about one column; None is the label."""
        return tuple(each for each in self.findings if each.column == column)

    def keeping(self, findings: Iterable[Finding]) -> Inspection:
        """Return the inspection with some of its findings."""
        return replace(self, findings=tuple(findings))

    def to_dict(self) -> dict[str, Any]:
        """Return the inspection as something that JSON can hold."""
        return {
            "rows": self.n_rows,
            "looked_at": self.n_looked_at,
            "findings": [each.to_dict() for each in self.findings],
        }

    def to_frame(self) -> pd.DataFrame:
        """Return the findings as a pandas data frame: level, kind, column, text.

        Raises
        ------
        SurelistError
            Where pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError:
            raise SurelistError("a data frame needs pandas: pip install pandas") from None
        rows = [(each.level, each.kind, each.column, each.text) for each in self.findings]
        return pd.DataFrame(rows, columns=["level", "kind", "column", "text"])

    def lines(self) -> tuple[str, ...]:
        """Return the inspection as lines of text."""
        if not self.findings:
            return (_NOTHING, *self._sampled())
        width = max(map(len, LEVELS)) if self.of_level("suggestion") else len(LEVELS[0])
        return (
            *(f"{each.level:<{width}}  {each.text}" for each in self.findings),
            *self._sampled(),
        )

    def _sampled(self) -> tuple[str, ...]:
        if self.n_looked_at == self.n_rows:
            return ()
        return (f"Looked at {self.n_looked_at:,} of {self.n_rows:,} rows.",)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        counts = [
            f"{len(self.of_level(level))} {level}{'' if len(self.of_level(level)) == 1 else 's'}"
            for level in LEVELS
        ]
        return f"<Inspection of {self.n_rows:,} rows: {', '.join(counts)}>"

    def _repr_html_(self) -> str:
        from html import escape  # for notebooks only

        if not self.findings:
            return f"<p>{escape(_NOTHING)}</p>"
        left = 'style="text-align: left"'
        rows = [
            [HtmlCell(escape(text), left) for text in (each.level, each.column or "", each.text)]
            for each in self.findings
        ]
        heads = [HtmlCell(escape(text), left) for text in ("level", "column", "what was found")]
        tail = "".join(f"<p>{escape(line)}</p>" for line in self._sampled())
        return html_table(heads, rows) + tail

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.table import Table
        from rich.text import Text

        del console, options
        if not self.findings:
            yield Text(_NOTHING)
            return
        styles = {"warning": "bold yellow", "note": "dim", "suggestion": "cyan"}
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column(style="bold", overflow="fold", max_width=28)
        table.add_column(overflow="fold")
        for each in self.findings:
            table.add_row(
                Text(each.level, styles[each.level]), Text(each.column or ""), Text(each.text)
            )
        yield table
        for line in self._sampled():
            yield Text(line)
