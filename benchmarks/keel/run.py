"""Measure real tables: ``make tables``, or ``python -m benchmarks.keel.run --help``.

Table by table and fold by fold, every system fits once in a process of its own. Each result is
written as it comes; a run that was interrupted goes on where it was, and what depends on nothing
that has changed since is not measured again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import signal
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks import peers
from benchmarks.cases import ROOT
from benchmarks.keel import accuracy, data, growth, package, page, records, text
from benchmarks.keel.clock import processor_clock
from benchmarks.keel.records import Records, Result
from benchmarks.keel.systems import CART_SAME, DEFAULT, System, chosen
from benchmarks.numbers import positive
from benchmarks.processes import run_apart, without_result
from benchmarks.run import engine_fingerprint

__all__ = ["Options", "Runner", "main", "read_options"]

_PEER_ADDRESSES = 8 << 30
_GRACE = 10.0
# Limit on wall time, for a process that hangs or shares the machine with many others.
_WAIT, _WAIT_GRACE = 8.0, 600.0
_FOLDS = 3


@dataclass
class Options:
    """What was asked for on the command line."""

    seconds: float
    memory: str
    tables: list[str]
    folds: int
    only: list[System]
    all: bool
    fresh: bool
    output: Path
    compare: Path | None
    report: bool


def read_options(arguments: list[str] | None = None) -> Options:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.keel.run",
        description="Fit rule lists and other models to real tables.",
    )
    add = parser.add_argument
    add("--seconds", type=_seconds, default=20.0, metavar="S", help="limit of each fit (20)")
    add("--memory", default="4GB", metavar="SIZE", help="memory limit of each of ours (4GB)")
    add("--tables", type=_names, default=[], metavar="A,B", help="only these tables")
    add("--folds", type=_folds, default=_FOLDS, metavar="N", help="the first N of three folds (3)")
    add("--only", default="", metavar="WHAT", help="surelist, peers, or systems by name")
    add("--all", action="store_true", help="all tables of the package, not only twenty")
    add("--fresh", action="store_true", help="measure again what is known already")
    add("--output", type=Path, default=ROOT / "build" / "tables.jsonl", metavar="FILE")
    add("--compare", type=Path, metavar="FILE", help="results of an earlier run; may be the output")
    add("--report", action="store_true", help="then write docs/tables.md and its picture")
    given = parser.parse_args(arguments)
    try:
        given.only = chosen(given.only)
    except ValueError as error:
        parser.error(f"--only: {error}")
    if given.compare is not None and not given.compare.is_file():
        parser.error(f"--compare: there is no {given.compare}")
    return Options(**vars(given))


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def _seconds(text: str) -> float:
    if not 0 < (found := float(text)) < 86400:
        raise argparse.ArgumentTypeError("must be more than 0 and less than a day")
    return found


def _folds(text: str) -> int:
    if (found := positive(text)) > _FOLDS:
        raise argparse.ArgumentTypeError(f"there are {_FOLDS}")
    return found


class Runner:
    """Measures, and remembers what it needs for that.

    Parameters
    ----------
    options
    results
        What is known already; what is measured is added.
    folder
        A place for temporary files.
    """

    def __init__(self, options: Options, results: Records, folder: Path) -> None:
        self._options = options
        self._results = results
        self._folder = folder
        self._clock = processor_clock(folder)
        self._ours = _fingerprint()
        self._environments = {
            name: peers.prepare(name) for name in {each.environment for each in options.only}
        }

    @property
    def limits(self) -> str:
        """Which time limits count."""
        return "processor time" if self._clock else "time that passes"

    def measure(self, name: str, table: Path, fold: int) -> Iterable[Result]:
        """Fit all systems to one fold; yield what is new or known already."""
        about = self._prepare(table, fold)
        for system in self._options.only:
            one = self._one(system, name, fold, about)
            self._results.add(one)
            yield one

    def _prepare(self, table: Path, fold: int) -> dict[str, Any]:
        asked = {
            "table": str(table),
            "fold": fold,
            "folds": _FOLDS,
            "data": str(self._folder / "fold.npz"),
        }
        outcome = self._ask(sys.executable, "prepare", asked, _WAIT_GRACE, {})
        if outcome["status"] != "ready":
            raise SystemExit(f"{table.stem}: cannot be read: {outcome['note']}")
        return outcome

    def _one(self, system: System, table: str, fold: int, about: dict[str, Any]) -> Result:
        described = {name: about[name] for name in ("rows", "columns", "features", "classes")}
        place: dict[str, Any] = {"table": table, "fold": fold, "system": system.name}
        environment = self._environments[system.environment]
        place |= {"about": described, "seconds": self._options.seconds, "clock": self.limits}
        place["problem"] = f"{about['binarized']} {about['regularization']}"
        place["version"] = environment.version if system.environment else version(system.package)
        options = dict(system.options)
        if system.name == CART_SAME:
            ours = self._results.of(table, fold, DEFAULT)
            if ours is None or ours.lines is None:
                note = "there is no rule list to compare with"
                return Result(**place, key="", status="failed", note=note)
            options["leaves"] = ours.lines
        key = self._key(system, place, options, about)
        known = self._results.known(key)
        if known is not None and not self._options.fresh:
            return known
        if environment.error:
            note = f"not installed: {environment.error}"
            return Result(**place, key="", status="failed", note=note)
        outcome = self._fit(system, options, about)
        one = Result(**place, key=key, **outcome)
        records.append(self._options.output, one)
        return one

    def _fit(
        self, system: System, options: dict[str, Any], about: dict[str, Any]
    ) -> dict[str, Any]:
        seconds = self._options.seconds
        patience = system.patience * seconds + _GRACE
        asked = {
            "data": str(self._folder / "fold.npz"),
            "seconds": seconds,
            "patience": patience,
            "memory": self._options.memory,
            "address_space": 0 if system.is_ours else _PEER_ADDRESSES,
            "regularization": about["regularization"],
            "options": options,
        }
        environment = self._environments[system.environment]
        python = str(environment.python) if system.environment else sys.executable
        clock = {} if system.passing_time else self._clock
        return self._ask(python, system.module, asked, _WAIT * patience + _WAIT_GRACE, clock)

    def _ask(
        self,
        python: str,
        module: str,
        asked: dict[str, Any],
        seconds: float,
        environment: dict[str, str],
    ) -> dict[str, Any]:
        """Run one of the modules in a fresh process; return its answer, or why there is none."""
        request, result = self._folder / "request.json", self._folder / "result.json"
        result.unlink(missing_ok=True)
        request.write_text(json.dumps(asked | {"result": str(result)}), encoding="utf-8")
        command = [python, "-m", f"benchmarks.keel.{module}", str(request)]
        status, errors = run_apart(command, seconds, OMP_NUM_THREADS="1", **environment)
        if status == 0 and result.is_file():
            found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
            return found
        outcome: dict[str, Any] = dict(without_result(status, errors))
        if status == -signal.SIGPROF:  # so it has used at least that much time
            outcome |= {"cpu": asked["patience"], "note": "ended from outside"}
        return outcome

    def _key(
        self,
        system: System,
        place: dict[str, Any],
        options: dict[str, Any],
        about: dict[str, Any],
    ) -> str:
        """Return a fingerprint of everything that a result depends on, except the machine."""
        depends = [
            place["table"],
            place["fold"],
            system.name,
            system.patience,
            options,
            about[system.learns_from],
            about["regularization"],
            self._options.seconds,
            self.limits,
            [self._options.memory, self._ours] if system.is_ours else place["version"],
        ]
        return hashlib.sha256(json.dumps(depends).encode()).hexdigest()[:16]


def _fingerprint() -> str:
    """Return a fingerprint of the package: its compiled engine and its Python files."""
    found = hashlib.sha256(engine_fingerprint().encode())
    for path in sorted((ROOT / "src" / "surelist").rglob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def _say(words: str) -> None:
    sys.stderr.write(f"{words.rstrip()}\n")
    sys.stderr.flush()


def _tables(options: Options) -> dict[str, Path]:
    return package.tables(",".join(options.tables or (() if options.all else data.CHOSEN)))


def main(arguments: list[str] | None = None) -> int:
    """Measure, and print a table; return 0, or 130 where Ctrl-C ended it early."""
    options = read_options(arguments)
    tables = _tables(options)
    before = records.load(options.compare) if options.compare else []
    already = records.load(options.output)
    known, shown = Records(already), Records()
    for result in (*before, *already):
        shown.remember(result)
    code = 0
    with tempfile.TemporaryDirectory(prefix="surelist-tables-") as folder:
        try:
            runner = Runner(options, known, Path(folder))
            _say(f"limits are of {runner.limits}; results: {options.output}")
            for name, path in tables.items():
                for fold in range(options.folds):
                    for one in runner.measure(name, path, fold):
                        shown.add(one)
                        _say(text.line(one))
        except KeyboardInterrupt:
            _say("interrupted; run it again to go on")
            code = 130
    sys.stdout.write(text.overview(shown, Records(before) if options.compare else None))
    if options.report and code == 0:
        for path in page.write(shown, _more(options.output)):
            _say(f"wrote {path}")
    return code


def _more(output: Path) -> list[str]:
    """Return what is measured by other means, unless it is kept beside the results."""
    accuracy.measure(accuracy.kept(output))
    if not growth.kept(output).is_file():
        growth.kept(output).write_text(growth.measure_all(), encoding="utf-8")
    return [part.section(output) for part in (accuracy, growth)]


if __name__ == "__main__":
    sys.exit(main())
