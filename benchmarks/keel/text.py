"""Results as text for a terminal, with what an earlier run had beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from benchmarks.keel.figures import after, certified, goals, mean, proven
from benchmarks.keel.records import Records, Result
from benchmarks.keel.systems import CV, DEFAULT, ONE_CLAUSE, SYSTEMS

__all__ = ["NOTHING", "columns", "length", "line", "megabytes", "number", "overview", "searched"]

NOTHING = "–"


def number(value: float | None, form: str = ".4f") -> str:
    """Write a number, or a dash where there is none."""
    return NOTHING if value is None else format(value, form)


def length(value: float | None) -> str:
    """Write up to which length something is proven."""
    return NOTHING if value is None else "all" if math.isinf(value) else f"{value:.0f}"


def megabytes(value: float | None) -> str:
    """Write a number of bytes in millions."""
    return number(None if value is None else value / 1e6, ",.0f")


def searched(own: Sequence[Result]) -> list[str]:
    """Write what the searches of a table had to choose from, found and proved."""
    return [
        number(mean(one.antecedents for one in own), ",.0f"),
        f"{certified(own)} of {len(own)}",
        length(proven(own)),
        number(mean(one.objective for one in own)),
        number(mean(one.gap for one in own)),
        number(after(own, "1")),
        number(after(own, "5")),
    ]


def line(one: Result) -> str:
    """Tell of one fit, while the run goes on."""
    who = f"{one.table:<15} {one.fold + 1} {one.system:<20} {one.status:<12}"
    took = "" if one.cpu is None else f"{one.cpu:7.2f} s"
    objective = "" if one.objective is None else f"objective {one.objective:.4f}"
    score = "" if one.test_accuracy is None else f"test {one.test_accuracy:.4f}"
    return " ".join(part for part in (who, took, objective, score, one.note) if part)


def columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    r"""Lay out a table; the first column is text, the others are numbers.

    Examples
    --------
    >>> print(columns(["a", "b"], [["x", "10"], ["long", "2"]]))
    a      b
    x     10
    long   2
    <BLANKLINE>
    """
    lines = [head, *rows]
    widths = [max(len(row[index]) for row in lines) for index in range(len(head))]
    laid = [
        "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in lines
    ]
    return "".join(f"{each.rstrip()}\n" for each in laid)


_HEAD = ["table", "antecedents", "certified", "proven", "objective", "gap", "at 1 s", "at 5 s"]
_HEAD += [
    "cpu",
    "MB",
    "counted",
    "rules",
    "clauses",
    "test",
    "1 clause",
    "test",
    "cv rules",
    "test",
]


def _ours(records: Records, table: str) -> list[str]:
    own, single, tuned = (records.all(name, table) for name in (DEFAULT, ONE_CLAUSE, CV))
    return [
        table,
        *searched(own),
        number(mean(one.cpu for one in own), ".1f"),
        megabytes(max((one.memory or 0 for one in own), default=None)),
        megabytes(max((one.counted_memory or 0 for one in own), default=None)),
        number(mean(_rules(one) for one in own), ".1f"),
        number(mean(one.clauses for one in own), ".1f"),
        number(mean(one.test_accuracy for one in own)),
        number(mean(one.objective for one in single)),
        number(mean(one.test_accuracy for one in single)),
        number(mean(_rules(one) for one in tuned), ".1f"),
        number(mean(one.test_accuracy for one in tuned)),
    ]


def _rules(one: Result) -> int | None:
    return None if one.lines is None else one.lines - 1


def _comparison(now: Records, earlier: Records, table: str) -> list[str] | None:
    """Compare the folds that both have; None where there is none."""
    pairs = [
        (one, before)
        for one in now.all(DEFAULT, table)
        if (before := earlier.of(table, one.fold, DEFAULT)) is not None
    ]
    if not pairs:
        return None
    these, those = ([pair[index] for pair in pairs] for index in (0, 1))
    return [
        table,
        f"{certified(those)} → {certified(these)} of {len(pairs)}",
        f"{length(proven(those))} → {length(proven(these))}",
        *(
            _change(before, value)
            for before, value in (
                (mean(one.objective for one in those), mean(one.objective for one in these)),
                (after(those, "1"), after(these, "1")),
                (mean(one.gap for one in those), mean(one.gap for one in these)),
            )
        ),
        _ratio(mean(one.memory for one in those), mean(one.memory for one in these)),
        _ratio(mean(one.cpu for one in those), mean(one.cpu for one in these)),
        _change(mean(one.test_accuracy for one in those), mean(one.test_accuracy for one in these)),
    ]


_COMPARED = ["table", "certified", "proven", "Δ objective", "Δ 1 s", "Δ gap"]
_COMPARED += ["× memory", "× cpu", "Δ test"]


def _change(before: float | None, value: float | None) -> str:
    return NOTHING if before is None or value is None else f"{value - before:+.4f}"


def _ratio(before: float | None, value: float | None) -> str:
    return NOTHING if not before or value is None else f"{value / before:.2f}"


def _systems(records: Records) -> str:
    """Compare all systems by what they have in common."""
    rows = []
    for system in SYSTEMS:
        found = records.all(system.name)
        models = [one for one in found if one.test_accuracy is not None]
        if found:
            rows.append(
                [
                    system.title,
                    f"{len(models)}/{len(found)}",
                    number(mean(one.test_accuracy for one in models)),
                    number(mean(one.lines for one in models), ".1f"),
                    number(mean(one.cpu for one in models), ".2f"),
                ]
            )
    return columns(["", "models", "mean test", "lines", "cpu"], rows)


def overview(now: Records, earlier: Records | None) -> str:
    """Tell of a whole run, in a table for a terminal."""
    parts = []
    if now.all(DEFAULT):
        parts.append(columns(_HEAD, [_ours(now, table) for table in now.tables]))
    if earlier is not None:
        compared = [_comparison(now, earlier, table) for table in now.tables]
        rows = [row for row in compared if row is not None]
        parts.append(columns(_COMPARED, rows) if rows else "The earlier run has other tables.\n")
    parts.append(_systems(now))
    if summary := goals(now):
        parts.append(columns(["", "reached"], [list(row) for row in summary]))
    return "\n".join(parts)
