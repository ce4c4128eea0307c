"""Measure STreeD's trees with demographic parity, in the environment that STreeD is installed in.

``python peer_streed_fair.py DATA.npz LIMIT DEPTH SECONDS`` reads 0/1 features, labels and groups,
and prints what was found as one JSON document. It imports numpy and STreeD alone.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from pathlib import Path

import numpy as np


def main(arguments: list[str]) -> int:
    """Fit a tree whose selection rates differ by the limit at most."""
    data = np.load(Path(arguments[0]))
    X, y, group = data["X"], data["y"], data["group"]
    limit, depth, seconds = float(arguments[1]), int(arguments[2]), float(arguments[3])
    pystreed = importlib.import_module("pystreed")
    # The sensitive feature is the first column: STreeD asks no question about it.
    model = pystreed.STreeDGroupFairnessClassifier(
        sensitive_feature=0, discrimination_limit=limit, max_depth=depth, time_limit=seconds
    )
    began = time.process_time()
    model.fit(np.column_stack([group, X]), y)
    took = time.process_time() - began
    predicted = model.predict(np.column_stack([group, X]))
    rates = [float(predicted[group == each].mean()) for each in (0, 1)]
    found = {
        "optimal": bool(model.fit_result.is_optimal()),
        "accuracy": float((predicted == y).mean()),
        "unfairness": abs(rates[0] - rates[1]),
        "splits": int(model.fit_result.tree_nodes()),
        "seconds": took,
    }
    sys.stdout.write(json.dumps(found) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
