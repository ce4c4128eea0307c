"""Measurements, one JSON line per fit, so that an interrupted run can continue."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from benchmarks.keel.systems import DEFAULT, ONE_CLAUSE

__all__ = ["Records", "Result", "append", "load"]


@dataclass(frozen=True)
class Result:
    """One fit of one system on one fold of a table. What is not known is None.

    Attributes
    ----------
    table, system : str
    fold : int
    key : str
        What it depends on: data, code, limits. Equal keys need no second fit.
    status : str
        "optimal"; what limit ended it; "done" for systems that claim nothing; or "failed".
    problem : str
        What objectives depend on: features and λ. Those of other problems do not compare.
    about : dict
        What the report says of the fold: its rows, columns, features and classes.
    cpu : float
        Seconds on a processor.
    memory, counted_memory : int
        Bytes that the fit added to the process at its peak; and those that the search counted.
    objective, lower_bound : float
    proven_length : int
        No list of up to so many rules is better.
    objective_after, proven_after : dict
        The same after so many seconds on a processor.
    lines : int
        Rules with the default, or leaves.
    clauses : int
        Of all rules together, or splits.
    antecedents : int
    regularization : float
        λ, where it was chosen by cross-validation.
    train_accuracy, test_accuracy : float
    seconds : float
        The time limit.
    clock : str
        What it is of: "processor time", or "time that passes".
    version : str
        Of the package that fitted.
    note : str
        Why there is no model, or none that is optimal.
    """

    table: str
    fold: int
    system: str
    key: str
    status: str
    problem: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)
    cpu: float | None = None
    memory: int | None = None
    counted_memory: int | None = None
    objective: float | None = None
    lower_bound: float | None = None
    proven_length: int | None = None
    objective_after: Mapping[str, float] = field(default_factory=dict)
    proven_after: Mapping[str, int | None] = field(default_factory=dict)
    lines: int | None = None
    clauses: int | None = None
    antecedents: int | None = None
    regularization: float | None = None
    train_accuracy: float | None = None
    test_accuracy: float | None = None
    seconds: float | None = None
    clock: str = ""
    version: str = ""
    note: str = ""

    @property
    def gap(self) -> float | None:
        """How much better another list may be."""
        if self.objective is None or self.lower_bound is None:
            return None
        return self.objective - self.lower_bound

    @property
    def is_certified(self) -> bool:
        """Whether nothing is better."""
        return self.status == "optimal"

    def is_proven(self, length: int) -> bool:
        """Whether no list of up to so many rules is better."""
        return self.is_certified or (self.proven_length or 0) >= length


_KNOWN = {entry.name for entry in fields(Result)}


class Records:
    """Results by table, fold and system: the last one where there are several."""

    def __init__(self, results: Iterable[Result] = ()) -> None:
        self._by_place: dict[tuple[str, int, str], Result] = {}
        self._by_key: dict[str, Result] = {}
        self._best: dict[tuple[str, int, str], float] = {}
        for result in results:
            self.add(result)

    def add(self, result: Result) -> None:
        """Take a result in, in place of an earlier one."""
        self._by_place[result.table, result.fold, result.system] = result
        self._by_key[result.key] = result
        self.remember(result)

    def remember(self, result: Result) -> None:
        """Add only the objective of an earlier result."""
        if result.objective is not None and result.system in (DEFAULT, ONE_CLAUSE):
            problem = (result.table, result.fold, result.problem)
            self._best[problem] = min(result.objective, self._best.get(problem, math.inf))

    def known(self, key: str) -> Result | None:
        """Return the result that was measured under the same conditions."""
        return self._by_key.get(key)

    def of(self, table: str, fold: int, system: str) -> Result | None:
        """Return the last result there."""
        return self._by_place.get((table, fold, system))

    def all(self, system: str, table: str | None = None) -> list[Result]:
        """Return the results of a system, by table and fold."""
        found = [
            (place, result)
            for place, result in self._by_place.items()
            if place[2] == system and table in (None, place[0])
        ]
        return [result for _, result in sorted(found, key=lambda each: each[0])]

    def beside(self, system: str, other: str, table: str | None = None) -> list[Result]:
        """Return the results of a system for the fits of which another one has results, too."""
        places = {(one.table, one.fold) for one in self.all(other, table)}
        return [one for one in self.all(system, table) if (one.table, one.fold) in places]

    @property
    def tables(self) -> list[str]:
        """The tables of which there is any result."""
        return sorted({table for table, _, _ in self._by_place})

    @property
    def folds(self) -> int:
        """The folds of which there is any result."""
        return len({fold for _, fold, _ in self._by_place})

    def folds_of(self, system: str) -> set[int]:
        """Return the folds of which there is a result of a system."""
        return {fold for _, fold, each in self._by_place if each == system}

    @property
    def common_folds(self) -> set[int]:
        """The folds of which there is a result of every system."""
        found = [self.folds_of(system) for system in {each for _, _, each in self._by_place}]
        return set.intersection(*found) if found else set()

    def comparable(self, system: str, table: str) -> list[Result]:
        """Return the results of a system in the folds that all systems have."""
        return [one for one in self.all(system, table) if one.fold in self.common_folds]

    def best_known(self, result: Result) -> float | None:
        """Return the least objective of any list for the same problem, of this run or earlier."""
        return self._best.get((result.table, result.fold, result.problem))


def load(path: Path) -> list[Result]:
    """Read results; an incomplete last line is ignored."""
    results = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else []:
        try:
            read = json.loads(line)
        except json.JSONDecodeError:
            continue
        results.append(Result(**{name: value for name, value in read.items() if name in _KNOWN}))
    return results


def append(path: Path, result: Result) -> None:
    """Append a line, also after an incomplete last line of an interrupted run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        size = file.seek(0, 2)
        if size:
            file.seek(size - 1)
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.write(json.dumps(asdict(result)).encode() + b"\n")
