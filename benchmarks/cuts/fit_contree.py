"""Fit an optimal tree over all thresholds: ``python fit_contree.py table.npz depth seconds``.

It runs in the environment of the package ``pycontree``, and prints one line of JSON.
"""

from __future__ import annotations

import importlib
import json
import resource
import sys
import time

import numpy as np


def main() -> None:
    """Fit, and say how long that took."""
    tree = importlib.import_module("pycontree").ConTree
    path, depth, seconds = sys.argv[1:]
    with np.load(path) as table:
        values, labels = table["values"], table["labels"]
    # Its own limit is of wall time: the system ends it instead, by processor time.
    model = tree(max_depth=int(depth), time_limit=1e7, verbose=False)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + float(seconds)) + 1,) * 2)
    began = time.process_time()
    model.fit(values, labels)
    took = time.process_time() - began
    loss = float(np.mean(model.predict(values) != labels))
    json.dump({"seconds": took, "loss": loss, "ended": True}, sys.stdout)


if __name__ == "__main__":
    main()
