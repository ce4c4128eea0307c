"""What a run has measured, and the numbers that the report is made of."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

__all__ = [
    "LISTS",
    "NEGATED_LISTS",
    "SLOW",
    "TREES",
    "Measurement",
    "Problem",
    "Results",
    "Spread",
    "ratio",
]

# Model classes, each contained in the one before: a rule list is a tree that branches on one side
# only, and a tree may split on an antecedent or on its negation.
TREES = "trees"
NEGATED_LISTS = "rule lists, also over negated antecedents"
LISTS = "rule lists"
_NESTED = (TREES, NEGATED_LISTS, LISTS)

# Only searches of this many seconds show what another thread gains.
SLOW = 1.0

# Peers compute in single precision, or print five digits.
_TOLERANCE = 2e-5


@dataclass(frozen=True)
class Measurement:
    """One fit of one system.

    Where a limit ended it, `seconds` and `cpu` are what it took at least; where it `failed` they,
    like everything else that is not known, are None.
    """

    case: str
    system: str
    round: int
    status: str
    seconds: float | None = None
    cpu: float | None = None
    memory: int | None = None
    objective: float | None = None
    lower_bound: float | None = None
    loss: float | None = None
    length: int | None = None
    collapse: float | None = None
    groups: int | None = None
    antecedents: int | None = None
    counters: Mapping[str, float] = field(default_factory=dict)
    note: str = ""

    @property
    def search(self) -> float | None:
        """Seconds without those in which rows collapsed into groups."""
        if self.seconds is None or self.collapse is None:
            return None
        return self.seconds - self.collapse


@dataclass(frozen=True)
class Problem:
    """What the report says of a case."""

    title: str
    regularization: str
    rows: int
    antecedents: int
    series: tuple[str, float] | None = None
    anchor: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Spread:
    """The median of repeated measurements, and how far they lie apart.

    `at_least`: a limit cut a measurement short, so the truth is this or more.
    """

    median: float
    low: float
    high: float
    count: int
    at_least: bool = False

    @classmethod
    def of(cls, values: Iterable[float], *, at_least: bool = False) -> Spread:
        """Summarise some numbers, at least one.

        Examples
        --------
        >>> Spread.of([3.0, 1.0, 2.0])
        Spread(median=2.0, low=1.0, high=3.0, count=3, at_least=False)
        """
        listed = list(values)
        return cls(statistics.median(listed), min(listed), max(listed), len(listed), at_least)

    def scaled(self, factor: float) -> Spread:
        """Return the summary of the same numbers multiplied by a factor."""
        low, middle, high = (factor * each for each in (self.low, self.median, self.high))
        return replace(self, low=low, median=middle, high=high)


def ratio(
    above: Iterable[Measurement],
    below: Iterable[Measurement],
    quantity: str,
    other: str | None = None,
) -> Spread | None:
    """Return how many times more of a quantity one system took than another.

    Measurements of one round were made right after each other, so they are compared with each
    other and the spread is that of their ratios: what slowed down the machine for a while slowed
    down both. None where they have no round in common, or where what is below was cut short.

    Parameters
    ----------
    above, below : iterable of Measurement
        Several cases are compared by their sums, over the rounds that have them all.
    quantity : str
        "seconds", "search", "collapse", "cpu" or "memory".
    other : str, optional
        The quantity to take from `below`, if not the same.

    Examples
    --------
    >>> ours = [Measurement("a", "ours", n, "optimal", cpu=cpu) for n, cpu in enumerate((1, 2))]
    >>> theirs = [Measurement("a", "theirs", 0, "optimal", cpu=10)]
    >>> ratio(theirs, ours, "cpu").median
    10.0
    """
    top, bottom = _by_round(above, quantity), _by_round(below, other or quantity)
    rounds = [
        number
        for number in sorted(top.keys() & bottom.keys())
        if bottom[number][0] > 0 and not bottom[number][1]
    ]
    if not rounds:
        return None
    values = [top[number][0] / bottom[number][0] for number in rounds]
    return Spread.of(values, at_least=any(top[number][1] for number in rounds))


def _by_round(measurements: Iterable[Measurement], quantity: str) -> dict[int, tuple[float, bool]]:
    """Return for each round the sum over cases, and whether any of them reached its limit."""
    listed = list(measurements)
    cases = {one.case for one in listed}
    sums: dict[int, tuple[float, bool]] = {}
    for number in {one.round for one in listed}:
        of_round = [one for one in listed if one.round == number]
        values = [getattr(one, quantity) for one in of_round]
        if {one.case for one in of_round} == cases and None not in values:
            sums[number] = float(sum(values)), any(one.status != "optimal" for one in of_round)
    return sums


def _contradiction(case: str, better: tuple[str, float], worse: tuple[str, float]) -> str:
    return f"{case}: {better[0]} {better[1]:.6f}, {worse[0]} {worse[1]:.6f}"


@dataclass
class Results:
    """Everything a run has found out.

    Attributes
    ----------
    about : dict
        When, where, with which versions and options.
    problems : dict
        By name of the case, in the order of the report.
    measurements : list of Measurement
    skipped : dict
        Case to the reason why it was not measured.
    peers : list of dict
        ``name``, ``version``, ``optimises``, and an ``error`` where it could not be had.
    """

    about: dict[str, Any] = field(default_factory=dict)
    problems: dict[str, Problem] = field(default_factory=dict)
    measurements: list[Measurement] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    peers: list[dict[str, str]] = field(default_factory=list)

    def of(self, cases: str | Iterable[str], system: str) -> list[Measurement]:
        """Return the measurements of a system on one case or several."""
        wanted = {cases} if isinstance(cases, str) else set(cases)
        return [one for one in self.measurements if one.case in wanted and one.system == system]

    def first(self, case: str, system: str) -> Measurement | None:
        """Return the first measurement: counters are the same in all of one thread."""
        return next(iter(self.of(case, system)), None)

    def groups(self, case: str) -> int | None:
        """Return how many groups the rows of a case collapse into, over its antecedents."""
        engine = (one for one in self.measurements if one.case == case and one.collapse is not None)
        return next((one.groups for one in engine), None)

    def systems(self, case: str) -> list[str]:
        """Return the systems measured on a case, in order."""
        return list(dict.fromkeys(one.system for one in self.measurements if one.case == case))

    def disagreements(self) -> list[str]:
        """Return certified optima that contradict each other, which would be a bug.

        Optima over the same models must be equal, and those over more models no greater.
        """
        found = []
        for case in self.problems:
            worst, worst_name = -math.inf, ""
            for kind in _NESTED:
                optima = self._optima(case, kind)
                if not optima:
                    continue
                least, most = (
                    min(optima, key=optima.__getitem__),
                    max(optima, key=optima.__getitem__),
                )
                if optima[most] - optima[least] > _TOLERANCE:
                    found.append(_contradiction(case, (least, optima[least]), (most, optima[most])))
                if worst - optima[least] > _TOLERANCE:
                    found.append(_contradiction(case, (least, optima[least]), (worst_name, worst)))
                worst, worst_name = max((worst, worst_name), (optima[most], most))
        return found

    def _optima(self, case: str, kind: str) -> dict[str, float]:
        """Return the certified optima by system, the worst where one has several."""
        members = [name for name, its in self.about.get("optimises", {}).items() if its == kind]
        optima: dict[str, float] = {}
        for one in (one for name in members for one in self.of(case, name)):
            if one.status == "optimal" and one.objective is not None:
                optima[one.system] = max(one.objective, optima.get(one.system, -math.inf))
        return optima

    def save(self, path: Path) -> None:
        """Write as JSON, atomically."""
        temporary = path.with_name(f".{path.name}.tmp")
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")
        temporary.replace(path)

    @classmethod
    def load(cls, path: Path) -> Results:
        """Read what `save` wrote."""
        read = json.loads(path.read_text(encoding="utf-8"))
        for problem in read["problems"].values():
            problem["series"] = tuple(problem["series"]) if problem["series"] else None
        return cls(
            about=read["about"],
            problems={name: Problem(**fields) for name, fields in read["problems"].items()},
            measurements=[Measurement(**fields) for fields in read["measurements"]],
            skipped=read["skipped"],
            peers=read["peers"],
        )
