"""How the time grows with the number of antecedents: ``python -m benchmarks.keel.growth --help``.

From the conjunctions that nine cuts of every column of German credit give, some are chosen at
random, and all lists of them with up to three rules are settled. The engine is called directly:
mining is not measured here.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.keel.package import tables
from benchmarks.keel.prepare import fold as make_fold
from benchmarks.numbers import number
from benchmarks.tables import table

__all__ = ["Growth", "kept", "main", "measure", "measure_all", "section", "show", "start"]

_TABLE, _FOLDS, _CUTS, _LENGTH = "german", 3, 9, 3
_REGULARIZATION = "0.01"
_SIZES = (50, 150, 500, 1500, 5000)
_MANY, _ROWS = 100_000, 1000
_BEAM = 10  # as in a search with local search and the proof by length
_SECONDS = 60.0
_SEED = 0


@dataclass(frozen=True)
class Growth:
    """One search: all lists of up to three rules of so many antecedents."""

    antecedents: int
    seconds: float
    expanded: int
    is_settled: bool


def conjunctions(path: Path) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Return which rows of the first fold each conjunction captures, and the labels."""
    from surelist import Binarizer, _core
    from surelist.problem.user_antecedents import captured_rows

    rows = make_fold(path, 0, _FOLDS).train
    labels = rows.labels.astype(np.int32)
    binarizer = Binarizer(n_cuts=_CUTS)
    features = binarizer.fit(rows.columns.frame(), labels).transform(rows.columns.frame())
    features = np.ascontiguousarray(features, dtype=np.uint8)
    least = len(labels) // 100
    mined = _core.mine(
        features,
        labels,
        None,
        int(labels.max()) + 1,
        max_clauses=2,
        negations=True,
        min_support=least,
        max_support=len(labels) - least,
    )
    # Of those that capture the same rows, one.
    literals = [alike[0] for alike in mined.antecedents]
    return np.array([captured_rows(each, features) for each in literals], np.uint8).T, labels


def measure(
    captures: NDArray[np.uint8], labels: NDArray[np.int32], size: int, seconds: float
) -> Growth:
    """Settle all lists of up to three rules of so many of the antecedents, within a limit."""
    from surelist import _core

    chosen = np.random.default_rng(_SEED).choice(captures.shape[1], size, replace=False)
    problem = _core.Problem(
        np.ascontiguousarray(captures[:, chosen]), labels, None, int(labels.max()) + 1
    )
    began = time.process_time()
    search = _core.Search(problem, _REGULARIZATION, max_length=_LENGTH, time_limit=seconds)
    search.run()
    spent = time.process_time() - began
    return Growth(size, spent, search.counters["expanded"], search.status == "optimal")


def start(size: int) -> float:
    """Return the processor time until a search through so many random antecedents has begun."""
    from surelist import _core

    random = np.random.default_rng(_SEED)
    captures = random.integers(0, 2, (_ROWS, size), dtype=np.uint8)
    labels = random.integers(0, 2, _ROWS, dtype=np.int32)
    began = time.process_time()
    problem = _core.Problem(captures, labels, None, 2)
    _core.Search(problem, _REGULARIZATION, beam_width=_BEAM).run(pause_prefixes=1)
    return time.process_time() - began


def show(found: list[Growth], started: float) -> str:
    """Return the section of the page."""
    head = ["antecedents", *(f"{one.antecedents:,}" for one in found)]
    rows = [
        [
            "processor time, s",
            *(f"{'' if one.is_settled else '> '}{number(one.seconds)}" for one in found),
        ],
        ["prefixes expanded", *(f"{one.expanded:,}" for one in found)],
    ]
    return (
        "## More antecedents\n\n"
        "All lists of up to three rules are settled, for random choices of the conjunctions of "
        f"German credit (first fold, nine cuts, λ = {_REGULARIZATION}), one search each:\n\n"
        f"{table(head, rows)}\n"
        f"A problem of {_ROWS:,} rows and {_MANY:,} random antecedents is ready, and its first "
        f"prefix expanded, after {number(started)} s of processor time.\n"
    )


def measure_all(seconds: float = _SECONDS, most: int = _SIZES[-1]) -> str:
    """Measure, and return the section of the page."""
    captures, labels = conjunctions(tables(_TABLE)[_TABLE])
    sizes = [size for size in _SIZES if size <= most]
    found = [measure(captures, labels, size, seconds) for size in sizes]
    return show(found, start(_MANY))


def kept(results: Path) -> Path:
    """Return the file beside the results of a run that keeps the section."""
    return results.with_suffix(".growth.md")


def section(results: Path) -> str:
    """Return the section of the page, if it is kept."""
    path = kept(results)
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def main(arguments: list[str] | None = None) -> int:
    """Measure, and print the section."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.keel.growth")
    add = parser.add_argument
    add("--seconds", type=float, default=_SECONDS, help="limit of each search (60)")
    add("--most", type=int, default=_SIZES[-1], help="no more antecedents than these")
    add("--keep", type=Path, metavar="RESULTS", help="for the page of these results, too")
    given = parser.parse_args(arguments)
    text = measure_all(given.seconds, given.most)
    if given.keep is not None:
        kept(given.keep).write_text(text, encoding="utf-8")
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
