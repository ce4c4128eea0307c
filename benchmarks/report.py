"""Write docs/benchmarks.md from results: ``python -m benchmarks.report RESULTS.json``.

The page is written by hand except for the blocks between ``<!-- begin NAME -->`` and
``<!-- end NAME -->``, which are replaced here.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import aims, plot, tables
from benchmarks.cases import ROOT
from benchmarks.results import Results
from benchmarks.threads import threads

__all__ = ["BLOCKS", "fill", "main", "write"]

PAGE = "benchmarks.md"
PICTURE = "benchmarks.svg"

BLOCKS: dict[str, Callable[[Results], str]] = {
    "about": tables.about,
    "original": tables.original,
    "aims": aims.aims,
    "cases": tables.cases,
    "threads": threads,
    "counters": tables.counters,
    "classifier": tables.classifier,
    "peer list": tables.peer_list,
    "peer times": tables.peer_times,
    "peer objectives": tables.peer_objectives,
    "growth": tables.growth,
    "bounds": tables.without_bounds,
    "policies": tables.policies,
    "skipped": tables.skipped,
}


def fill(page: str, blocks: dict[str, str]) -> str:
    r"""Put each block where the page has a place for it.

    Raises
    ------
    ValueError
        Where page and blocks do not match: a table would be lost, or an old one stay.

    Examples
    --------
    >>> fill("<!-- begin a -->\nold\n<!-- end a -->\n", {"a": "new\n"})
    '<!-- begin a -->\n\nnew\n\n<!-- end a -->\n'
    """
    places = re.findall(r"^<!-- begin (.+) -->$", page, re.M)
    if sorted(places) != sorted(blocks):
        raise ValueError(f"the page has places for {places}, but there are blocks {list(blocks)}")
    for name, text in blocks.items():
        marks = [f"<!-- {word} {name} -->" for word in ("begin", "end")]
        pattern = rf"^{re.escape(marks[0])}$.*?^{re.escape(marks[1])}$"
        filled = f"{marks[0]}\n\n{text}\n{marks[1]}"
        page, count = re.subn(pattern, lambda _, to=filled: to, page, flags=re.M | re.S)  # type: ignore[misc]
        if count != 1:
            raise ValueError(f"the page has {count} places for {name!r} instead of one")
    return page


def write(results: Results, folder: Path = ROOT / "docs") -> list[Path]:
    """Write the page and the picture; return what was written."""
    page = folder / PAGE
    blocks = {name: block(results) for name, block in BLOCKS.items()}
    has_picture = plot.write(results, folder / PICTURE)
    if has_picture:
        alt = (
            "Four log-log curves: search time and prefixes expanded as rows, groups, "
            "antecedents and λ change one at a time; search time is flat in rows."
        )
        blocks["growth"] = f"![{alt}]({PICTURE})\n\n{blocks['growth']}"
    filled = fill(page.read_text(encoding="utf-8"), blocks)
    temporary = page.with_name(f".{page.name}.tmp")
    temporary.write_text(filled, encoding="utf-8")
    temporary.replace(page)
    return [page, folder / PICTURE] if has_picture else [page]


def main(arguments: list[str] | None = None) -> int:
    """Write the page again from results of an earlier run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report")
    parser.add_argument("results", type=Path, nargs="?", default=ROOT / "build" / "benchmarks.json")
    given = parser.parse_args(arguments)
    if not given.results.is_file():
        parser.error(f"there is no {given.results}; python -m benchmarks.run writes it")
    for path in write(Results.load(given.results)):
        sys.stderr.write(f"wrote {path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
