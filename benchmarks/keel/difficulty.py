"""How long searches take to prove their lists: ``python -m benchmarks.keel.difficulty FOLDER OUT``.

The page says of a search how hard it looks. It says so from these runs: each problem (a table, λ,
clauses) is searched with the page's settings for so many seconds of processor time, and what is
known after one second, three and ten is kept beside when it ended. Problems come in random order,
so that what a run that was cut short has measured is a sample of all; it goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.keel import data
from surelist import RuleListClassifier
from surelist.errors import UncertifiedWarning
from surelist.progress import Progress

__all__ = ["MARKS", "Problem", "Watcher", "main", "measure"]

# Seconds of processor time after which the state of a search is kept.
MARKS = (1, 3, 10)
_PRICES = ("0.02", "0.01", "0.005", "0.0025")
_CLAUSES = (1, 2)


@dataclass(frozen=True)
class Problem:
    """One search to be measured."""

    table: str
    regularization: str
    clauses: int


class Watcher:
    """Notes how far a search is at each mark, by processor time, and ends it at the limit."""

    def __init__(self, limit: float) -> None:
        self.began = time.process_time()
        self.limit = limit
        self.marks: dict[str, dict[str, Any]] = {}

    def seconds(self) -> float:
        """Return the processor time so far."""
        return time.process_time() - self.began

    def __call__(self, progress: Progress) -> None:
        """Take notice of a moment of the search."""
        seconds = self.seconds()
        for mark in MARKS:
            if seconds >= mark and str(mark) not in self.marks:
                self.marks[str(mark)] = {
                    "proven": progress.proven_length,
                    "length": len(progress.prefix),
                    "share": progress.lower_bound / progress.objective if progress.objective else 1,
                }
        if seconds > self.limit:
            raise KeyboardInterrupt


def measure(problem: Problem, path: Path, limit: float) -> dict[str, Any]:
    """Search one problem; ``seconds`` is None where it was not proven within the limit."""
    columns, labels = data.read(path)
    watcher = Watcher(limit)
    model = RuleListClassifier(
        regularization=float(problem.regularization),
        max_clauses=problem.clauses,
        work_limit=None,
        memory_limit=1_000_000_000,
        trace_interval=0.1,
        progress=watcher,
    )
    model.fit(columns.frame(), labels)
    proven = model.status_ == "optimal"
    return {
        **vars(problem),
        "antecedents": len(model.antecedents_),
        "groups": model.n_groups_,
        "limit": limit,
        "seconds": round(watcher.seconds(), 2) if proven else None,
        "marks": watcher.marks,
    }


def problems(tables: list[str]) -> Iterator[Problem]:
    """Return all problems in an order that is random, and the same every time."""
    every = [Problem(*each) for each in product(tables, _PRICES, _CLAUSES)]
    random.Random(1).shuffle(every)
    yield from every


def main(arguments: list[str]) -> int:
    """Measure, one line of JSON a problem, until all are there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder of the tables' .dat files")
    parser.add_argument("out", type=Path, help="the file of what was measured")
    parser.add_argument("--seconds", type=float, default=20, help="of processor time a search")
    given = parser.parse_args(arguments)
    files = {path.stem: path for path in sorted(given.folder.glob("*.dat"))}
    lines = given.out.read_text(encoding="utf-8").splitlines() if given.out.exists() else []
    done = {
        Problem(found["table"], found["regularization"], found["clauses"])
        for found in map(json.loads, lines)
    }
    warnings.simplefilter("ignore", UncertifiedWarning)
    for problem in problems([name for name in data.CHOSEN if name in files]):
        if problem not in done:
            found = measure(problem, files[problem.table], given.seconds)
            with given.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(found) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
