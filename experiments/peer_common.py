"""What the processes of the peers share: read rows, fit on every fold, write predictions.

Runs in the environment of the peer, so it imports numpy and nothing else that has to be installed.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Fit", "serve"]

Matrix = NDArray[np.uint8]
Labels = NDArray[np.int32]
# Takes kind, options, rows and labels to train on, and rows to predict; returns labels and size.
Fit = Callable[[str, dict[str, Any], Matrix, Labels, Matrix], tuple[NDArray[Any], float]]


def serve(fit: Fit) -> None:
    """Fit one model after the other, all folds of each, until the time is over."""
    folder = Path(sys.argv[1])
    request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
    with np.load(folder / "data.npz") as arrays:
        data = dict(arrays)
    X, y = data["X"], data["y"]
    patterns, inverse = np.unique(X, axis=0, return_inverse=True)
    ends = time.monotonic() + request["seconds"]
    sizes: dict[str, float] = {}
    predictions: dict[str, Any] = {}
    for index, model in enumerate(request["models"]):
        for fold in range(request["folds"]):
            if time.monotonic() > ends:
                break
            rows = data[f"train_{fold}"]
            labels, size = fit(model["kind"], model["options"], X[rows], y[rows], patterns)
            key = f"{index}_{fold}"
            predictions[key] = np.asarray(labels, np.int32)[inverse.ravel()]
            sizes[key] = size
    np.savez(folder / "predictions.npz", **predictions)
    (folder / "result.json").write_text(json.dumps({"sizes": sizes}), encoding="utf-8")
