"""Measure GOSDT: sparse trees, or trees constrained to the shape of a rule list."""

from __future__ import annotations

import importlib
import json
import math
from typing import Any

import numpy as np

from benchmarks.peer_common import Labels, Matrix, Outcome, Request, quiet, serve


def fit(X: Matrix, y: Labels, request: Request) -> Outcome:
    """Certify a tree; a rule list may split on an antecedent or on its negation."""
    gosdt = importlib.import_module("gosdt")
    model = gosdt.GOSDTClassifier(
        regularization=request.penalty,
        allow_small_reg=True,
        time_limit=math.ceil(request.seconds),
        rule_list=request.options["rule_list"],
    )
    model.fit(X.astype(np.bool_), y)
    result = model.get_result()
    converged = str(result["status"]).endswith("CONVERGED")
    (tree,) = json.loads(result["models_string"])[:1]
    return {
        "status": "optimal" if converged else "time_limit",
        "loss": float(result["model_loss"]),
        "length": _leaves(tree) - 1,
    }


def _leaves(tree: dict[str, Any]) -> int:
    if "prediction" in tree:
        return 1
    return _leaves(tree["true"]) + _leaves(tree["false"])


if __name__ == "__main__":
    quiet()
    serve(fit)
