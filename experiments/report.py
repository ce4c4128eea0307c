"""The report: text, tables, lists, figures and verdicts, as Markdown and as one HTML page.

Verdicts are computed: a `Claim` holds because of what was measured, and says what that was.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from benchmarks.tables import table

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

__all__ = ["Claim", "Figure", "Listing", "Section", "Table", "save_figure", "write"]

NOTHING = "–"


@dataclass(frozen=True)
class Table:
    """A table; all columns but the first few hold numbers and are right-aligned."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    text_columns: int = 1

    def markdown(self) -> str:
        """Lay it out."""
        return table(self.head, self.rows, self.text_columns)


@dataclass(frozen=True)
class Figure:
    """A picture in a file beside the report."""

    file: str
    caption: str

    def markdown(self) -> str:
        """Refer to it."""
        return f"![{self.caption}]({self.file})\n\n*{self.caption}*\n"


@dataclass(frozen=True)
class Listing:
    """A rule list, or anything else that is read line by line."""

    text: str

    def markdown(self) -> str:
        """Fence it."""
        return f"```\n{self.text}\n```\n"


@dataclass(frozen=True)
class Claim:
    """A claim of the paper, and whether it was reproduced.

    Attributes
    ----------
    text : str
        What the paper claims.
    measured : str
        What was measured here.
    holds : bool or None
        None where it was not tested; `measured` says why.
    """

    text: str
    measured: str
    holds: bool | None

    @property
    def verdict(self) -> str:
        """One word or two."""
        return {True: "✔ holds", False: "✘ does not hold", None: "not tested"}[self.holds]


Part = str | Table | Figure | Listing


@dataclass
class Section:
    """One experiment's part of the report."""

    title: str
    parts: list[Part] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)

    def add(self, *parts: Part) -> None:
        """Append parts."""
        self.parts.extend(parts)

    def claim(self, text: str, measured: str, holds: bool | None) -> None:
        """Record a verdict."""
        self.claims.append(Claim(text, measured, None if holds is None else bool(holds)))

    def markdown(self) -> str:
        """Lay the section out."""
        parts = [part if isinstance(part, str) else part.markdown() for part in self.parts]
        return "\n\n".join([f"## {self.title}", *(part.rstrip() for part in parts)])


def claims_table(claims: Iterable[Claim]) -> str:
    """Lay out verdicts."""
    rows = [[claim.verdict, claim.text, claim.measured] for claim in claims]
    return Table(["verdict", "what the paper says", "what was measured here"], rows, 3).markdown()


def save_figure(drawing: Drawing, folder: Path, name: str, caption: str) -> Figure:
    """Write a drawing beside the report."""
    import matplotlib.pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    drawing.savefig(folder / f"{name}.png", dpi=150, bbox_inches="tight", metadata={"Software": ""})
    plt.close(drawing)
    return Figure(f"{name}.png", caption)


def write(
    sections: Sequence[Section], folder: Path, intro: str, name: str = "report"
) -> list[Path]:
    """Write the report as Markdown and as HTML, and return the files."""
    claims = [claim for section in sections for claim in section.claims]
    parts = ["# The paper's experiments, reproduced", intro]
    if claims:
        parts += ["## Verdicts", _summary(claims), claims_table(claims)]
    parts += [section.markdown() for section in sections]
    markdown = "\n\n".join(part.rstrip() for part in parts) + "\n"
    folder.mkdir(parents=True, exist_ok=True)
    pages = {f"{name}.md": markdown, f"{name}.html": _html(markdown, folder)}
    for file, text in pages.items():
        temporary = folder / f".{token_hex(8)}.tmp"
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(folder / file)
    return [folder / file for file in pages]


def _summary(claims: Sequence[Claim]) -> str:
    number = {kind: sum(claim.holds is kind for claim in claims) for kind in (True, False, None)}
    return (
        f"Of {len(claims)} claims {number[True]} hold, {number[False]} do not, and {number[None]} "
        "could not be tested. Each verdict is computed from the results below."
    )


# --- HTML ---------------------------------------------------------------------------------------

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
} h1, h2, h3 { line-height: 1.2; margin-top: 2.2em; } h1 { margin-top: 0; } .scroll { overflow-x:
auto; margin: 1em 0; } table { border-collapse: collapse; font-size: .87rem; font-variant-numeric:
tabular-nums; } th, td { padding: .3em .7em; border-bottom: 1px solid #8886; vertical-align: top; }
th { border-bottom: 2px solid #888a; text-align: left; } img { max-width: 100%; background: #fff;
border-radius: 4px; } pre { background: #8881; padding: .6em .9em; border-radius: 4px; overflow-x:
auto; } code { font-size: .9em; } .holds { color: #0a7a4b; white-space: nowrap; font-weight: 600; }
.fails { color: #b3261e; white-space: nowrap; font-weight: 600; } .untested { color: #777;
white-space: nowrap; } @media (prefers-color-scheme: dark) { .holds { color: #5fd3a0; } .fails {
color: #ff8a80; } }
"""


def _html(markdown: str, folder: Path) -> str:
    """Turn the Markdown into one self-contained page."""
    from markdown_it import MarkdownIt

    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    body = body.replace("<table>", '<div class="scroll"><table>')
    body = body.replace("</table>", "</table></div>")
    for mark, kind in (("✔ holds", "holds"), ("✘ does not hold", "fails")):
        body = re.sub(rf"<td([^>]*)>{mark}</td>", rf'<td class="{kind}">{mark}</td>', body)
    body = re.sub(r"<td[^>]*>not tested</td>", '<td class="untested">not tested</td>', body)
    body = re.sub(r'src="([^":]+\.png)"', lambda found: _embedded(folder, found[1]), body)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>The paper's experiments, reproduced</title><style>{_STYLE}</style></head>\n"
        f"<body>\n{body}</body></html>\n"
    )


def _embedded(folder: Path, name: str) -> str:
    data = base64.b64encode((folder / name).read_bytes()).decode("ascii")
    return f'src="data:image/png;base64,{data}"'
