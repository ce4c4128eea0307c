"""How well lists predict on all tables: ``python -m benchmarks.keel.accuracy --help``.

The defaults, and CART tuned by cross-validation with as many leaves as the list has lines, are
fitted to every fold of all tables of the package. Searches end by counted work, so that results do
not depend on the machine. Each is written as it comes, fold by fold; a run that was interrupted
goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from benchmarks.cases import ROOT
from benchmarks.keel import data, fit_sklearn
from benchmarks.keel.package import tables
from benchmarks.keel.prepare import fold as make_fold
from benchmarks.tables import table

__all__ = ["Pair", "compare", "kept", "main", "measure", "section", "summary"]

_FOLDS, _WORK = 3, 1.5


@dataclass(frozen=True)
class Pair:
    """Test accuracy of a list and of a tree, on one fold of a table."""

    table: str
    fold: int
    work: float
    lines: int
    is_certified: bool
    ours: float
    cart: float


def compare(name: str, number: int, fold: data.Fold, work: float) -> Pair:
    """Fit both to a fold."""
    from surelist import RuleListClassifier, UncertifiedWarning

    model = RuleListClassifier(work_limit=work, progress=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)  # `is_certified` says it
        model.fit(fold.train.columns.frame(), fold.train.labels)
    lines = len(model.rule_list_) + 1
    cart = fit_sklearn.cart(fold.train, lines, exactly=True)
    return Pair(
        name,
        number,
        work,
        lines,
        model.status_ == "optimal",
        _accuracy(model.predict(fold.test.columns.frame()), fold.test),
        _accuracy(cart.predict(fold.test), fold.test),
    )


def _accuracy(predicted: Any, rows: data.Rows) -> float:
    return float((np.asarray(predicted) == rows.labels).mean())


def summary(pairs: Sequence[Pair]) -> str:
    """Return what both reach, by the folds that all tables have."""
    names = {one.table for one in pairs}
    numbers = sorted({one.fold for one in pairs})
    complete = [
        each for each in numbers if {one.table for one in pairs if one.fold == each} == names
    ]
    means = [
        [
            fmean(getattr(one, name) for one in pairs if one.table == each and one.fold in complete)
            for name in ("ours", "cart", "lines", "is_certified")
        ]
        for each in sorted(names)
        if complete
    ]
    if not means:
        return "No fold of all tables is complete yet.\n"
    ours, cart, lines, certified = (fmean(column) for column in zip(*means, strict=True))
    won = sum(one[0] > one[1] for one in means)
    lost = sum(one[0] < one[1] for one in means)
    head = ["tables", "folds", "Surelist", "CART, as many leaves", "won", "lost", "lines"]
    row = [f"{len(means)}", f"{len(complete)}", f"{ours:.4f}", f"{cart:.4f}", f"{won}", f"{lost}"]
    return table([*head, "certified"], [[*row, f"{lines:.1f}", f"{certified:.0%}"]], 0)


def _known(path: Path, work: float) -> list[Pair]:
    if not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [one for line in lines if (one := Pair(**json.loads(line))).work == work]


def measure(
    output: Path, *, work: float = _WORK, folds: int = _FOLDS, names: str = ""
) -> list[Pair]:
    """Measure what is not known yet; return all pairs."""
    pairs = _known(output, work)
    done = {(one.table, one.fold) for one in pairs}
    output.parent.mkdir(parents=True, exist_ok=True)
    with output.open("a", encoding="utf-8") as file:
        for number in range(folds):
            for name, path in tables(names).items():
                if (name, number) not in done:
                    pairs.append(compare(name, number, make_fold(path, number, _FOLDS), work))
                    file.write(json.dumps(asdict(pairs[-1])) + "\n")
                    file.flush()
    return pairs


def kept(results: Path) -> Path:
    """Return the file beside the results of a run that keeps the pairs."""
    return results.with_suffix(".accuracy.jsonl")


def section(results: Path) -> str:
    """Return the section of the page, from what is kept."""
    pairs = _known(kept(results), _WORK)
    if not pairs:
        return ""
    return (
        "## All tables\n\n"
        "On all tables of the package, each fit with the defaults ends after "
        f"{_WORK} units of work, so that the result does not depend on the machine "
        "(`python -m benchmarks.keel.accuracy`). Test accuracy, means over folds and then over "
        f"tables:\n\n{summary(pairs)}"
    )


def main(arguments: list[str] | None = None) -> int:
    """Measure what is not known yet, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.keel.accuracy")
    add = parser.add_argument
    add("--work", type=float, default=_WORK, help="work limit of each fit, in about seconds (1.5)")
    add("--folds", type=int, default=_FOLDS, choices=range(1, _FOLDS + 1), help="of three (3)")
    add("--tables", default="", metavar="A,B", help="only these tables")
    add("--output", type=Path, default=ROOT / "build" / "accuracy.jsonl", metavar="FILE")
    given = parser.parse_args(arguments)
    pairs = measure(given.output, work=given.work, folds=given.folds, names=given.tables)
    sys.stdout.write(summary(pairs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
