"""Measure: ``make bench``, or ``python -m benchmarks.run --help``.

Round by round, case by case, every system that the case asks for is measured once in a process of
its own, one right after the other. So whatever else the machine does hits all of them alike, and
the report compares measurements of one round with each other.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import importlib.util
import os
import platform
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import peers, report
from benchmarks.cases import ROOT, Case, Data, MissingData, all_cases, save
from benchmarks.numbers import positive
from benchmarks.peers import Environment, System
from benchmarks.results import SLOW, Measurement, Problem, Results
from surelist.estimators.corels import text_files as corels_text

__all__ = ["engine_fingerprint", "main", "processor"]

# Long measurements vary little, so they are not repeated.
_PATIENCE = 60.0
_VARIANT_ROUNDS = 3
_KNOWN = {entry.name for entry in fields(Measurement)}


@dataclass
class Options:
    """What was asked for on the command line."""

    quick: bool
    long: bool
    cases: str
    repeat: int
    threads: tuple[int, ...]
    peers: bool
    peer_seconds: float
    original_seconds: float
    output: Path
    report: bool


@dataclass
class Job:
    """A case, ready to be measured."""

    case: Case
    data: Path
    systems: list[System]
    spent: dict[str, float] = field(default_factory=dict)


def read_options(arguments: list[str] | None = None) -> Options:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.run", description="Measure Surelist and its peers."
    )
    add = parser.add_argument
    add("--quick", action="store_true", help="small cases, two rounds, no peers: a minute or two")
    add("--long", action="store_true", help="also the cases that take very long")
    add("--cases", default="", metavar="PATTERN", help="only cases that this regex is found in")
    add("--repeat", type=positive, metavar="N", help="rounds (default 5; with --quick 2)")
    add("--threads", type=_threads, default=(1, 2), metavar="1,2", help="threads to measure with")
    add(
        "--peers",
        action=argparse.BooleanOptionalAction,
        help="install and measure the peers, too (default; not with --quick)",
    )
    add("--peer-seconds", type=float, default=120.0, metavar="S", help="a peer's limit (120)")
    add("--original-seconds", type=float, default=900.0, metavar="S", help="the original's (900)")
    add("--output", type=Path, default=ROOT / "build" / "benchmarks.json", metavar="FILE")
    add("--report", action="store_true", help="then write docs/benchmarks.md and its plot")
    given = parser.parse_args(arguments)
    try:
        re.compile(given.cases)
    except re.error as error:
        parser.error(f"--cases: {error}")
    if given.repeat is None:
        given.repeat = 2 if given.quick else 5
    if given.peers is None:
        given.peers = not given.quick
    return Options(**vars(given))


def _threads(text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(positive(part) for part in text.split(",")))


# --- What is measured on a case ---------------------------------------------------------------


def our_systems(case: Case, options: Options, has_features: bool) -> Iterator[System]:
    """Yield Surelist in all the variants that a case needs."""
    for threads in options.threads:
        yield peers.surelist(f"surelist-{threads}", long=case.long, n_jobs=threads)
    for copies in options.threads:
        if copies > 1 and 1 in options.threads:
            alone = peers.surelist(f"surelist-1 by {copies}", long=case.long, n_jobs=1)
            yield replace(alone, copies=copies)
    if has_features:
        for threads in options.threads:
            yield peers.surelist(
                f"classifier-{threads}", entry="classifier", max_clauses=2, n_jobs=threads
            )
    if case.peers and options.peers:
        yield peers.surelist(
            "surelist, negations", entry="classifier", max_clauses=1, negations=True
        )
    if case.ablation == ("quick" if options.quick else "full"):
        yield from _variants()


def _variants() -> Iterator[System]:
    """Yield Surelist with something changed; the policy "lower_bound" is what they change."""
    bounds, policies = peers.engine_names()
    for off in bounds:
        yield peers.variant(f"without {off}", bounds=[name for name in bounds if name != off])
    for symmetry in ("permutation", "none"):
        yield peers.variant(f"symmetry {symmetry}", symmetry=symmetry)
    for policy in policies:
        yield peers.variant(f"policy {policy}", policy=policy)


def peer_systems(results: Results, options: Options, folder: Path) -> list[System]:
    """Install the peers, try them out, and return those that run; the results say which do not."""
    found = []
    for system in peers.PEERS:
        limited = replace(system, seconds=options.peer_seconds)
        environment = peers.prepare(system.environment)
        error = environment.error or peers.try_out(limited, environment, folder)
        results.peers.append(
            {
                "name": system.name,
                "version": environment.version,
                "optimises": system.optimises,
                "error": error,
            }
        )
        _say(f"{system.name}: {error or environment.version}")
        if not error:
            found.append(limited)
    return found


def original_system(case: Case, data: Data, options: Options, folder: Path) -> System | None:
    """Write a case as the original's text files, where there is an original."""
    binary = os.environ.get("SURELIST_CORELS")
    if not binary or not case.original:
        return None
    own = folder / case.name.replace("/", "-")
    own.mkdir()
    files = [own / f"data.{kind}" for kind in ("out", "label", "minor")]
    text = corels_text.CorelsData(data.antecedents, data.captures, ("no", "yes"), data.labels)
    corels_text.write(text, *files)
    return peers.original(binary, own, files, options.original_seconds)


# --- The run ------------------------------------------------------------------------------------


def prepare(results: Results, options: Options, folder: Path) -> list[Job]:
    """Load every case, note what is skipped, and decide what is measured on it."""
    others = peer_systems(results, options, folder) if options.peers else []
    jobs = []
    for case in all_cases():
        if not re.search(options.cases, case.name):
            continue
        if (options.quick and not case.quick) or (case.long and not options.long):
            continue
        try:
            data = case.load()
        except MissingData as error:
            results.skipped[case.name] = str(error)
            _say(f"{case.name}: skipped, {error}")
            continue
        path = folder / f"{case.name.replace('/', '-')}.npz"
        save(data, path)
        systems = list(our_systems(case, options, data.features is not None))
        program = original_system(case, data, options, folder)
        systems += [program] if program else []
        systems += others if case.peers else []
        results.problems[case.name] = _describe(case, data)
        jobs.append(Job(case, path, systems))
    results.about["optimises"] = {
        system.name: system.optimises for job in jobs for system in job.systems
    }
    return jobs


def _describe(case: Case, data: Data) -> Problem:
    rows, antecedents = data.captures.shape
    anchor = None if case.anchor is None else asdict(case.anchor)
    return Problem(case.title, case.regularization, rows, antecedents, case.series, anchor)


def measure_round(number: int, jobs: list[Job], results: Results, folder: Path) -> None:
    """Measure everything once that is not yet known well enough."""
    for job in jobs:
        for system in job.systems:
            is_variant = system.name.startswith(("without ", "symmetry ", "policy "))
            if system.copies > 1 and not _is_slow(results, job.case.name):
                continue
            if job.spent.get(system.name, 0.0) >= _PATIENCE:
                continue
            if is_variant and number >= _VARIANT_ROUNDS:
                continue
            environment = Environment(system.environment)
            regularization = job.case.regularization
            outcome = peers.measure(system, environment, regularization, job.data, folder)
            one = Measurement(
                job.case.name,
                system.name,
                number,
                **{name: value for name, value in outcome.items() if name in _KNOWN},
            )
            results.measurements.append(one)
            # A system that reached its limit or failed would do so again.
            spent = (one.seconds or 0.0) if one.status == "optimal" else _PATIENCE
            job.spent[system.name] = job.spent.get(system.name, 0.0) + spent
            _say(_line(one))


def _is_slow(results: Results, case: str) -> bool:
    one = results.first(case, "surelist-1")
    return one is not None and (one.seconds or 0.0) >= SLOW


def _line(one: Measurement) -> str:
    took = "" if one.cpu is None else f"{one.cpu:9.3f} s"
    objective = "" if one.objective is None else f"{one.objective:.6f}"
    who = f"{one.round + 1} {one.case:<20} {one.system:<25}"
    return f"{who} {one.status:<12} {took} {objective} {one.note}"


def _say(text: str) -> None:
    sys.stderr.write(f"{text.rstrip()}\n")
    sys.stderr.flush()


def about(options: Options) -> dict[str, Any]:
    """Return when and where this is, and with which versions."""
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "quick": options.quick,
        "rounds": options.repeat,
        "threads": list(options.threads),
        "peer_seconds": options.peer_seconds,
        "original": bool(os.environ.get("SURELIST_CORELS")),
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)),
        "system": f"{platform.system()} {platform.machine()}",
        "load": os.getloadavg()[0],
        "versions": {
            "surelist": version("surelist"),
            "Python": platform.python_version(),
            "numpy": np.__version__,
        },
        "engine": engine_fingerprint(),
    }


def processor() -> str:
    """Return the name of the processor."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.M)
    return found[1] if found else platform.machine()


def engine_fingerprint() -> str:
    """Return a fingerprint of the compiled engine: one run must not mix two.

    The engine is not loaded into this process, which lives long and would not survive it if
    somebody built the engine anew in the meantime.
    """
    found = importlib.util.find_spec("surelist._core")
    assert found is not None
    assert found.origin is not None
    return hashlib.sha256(Path(found.origin).read_bytes()).hexdigest()[:16]


def main(arguments: list[str] | None = None) -> int:
    """Measure; return 0, 1 where certified optima disagree, 130 where Ctrl-C ended it early."""
    options = read_options(arguments)
    results = Results(about=about(options))
    started, code = time.perf_counter(), 0
    with tempfile.TemporaryDirectory(prefix="surelist-bench-") as name:
        folder = Path(name)
        try:
            jobs = prepare(results, options, folder)
            for number in range(options.repeat):
                measure_round(number, jobs, results, folder)
                results.save(options.output)
        except KeyboardInterrupt:
            _say("interrupted; what was measured so far is kept")
            code = 130
    results.about["minutes"] = round((time.perf_counter() - started) / 60, 1)
    results.about["rebuilt"] = engine_fingerprint() != results.about["engine"]
    results.save(options.output)
    _say(f"results: {options.output}")
    for line in results.disagreements():
        _say(f"certified optima disagree: {line}")
        code = code or 1
    if options.report:
        for path in report.write(results):
            _say(f"wrote {path}")
    return code


if __name__ == "__main__":
    sys.exit(main())
