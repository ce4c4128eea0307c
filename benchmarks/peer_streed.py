"""Measure STreeD: sparse trees up to a depth."""

from __future__ import annotations

import importlib

from benchmarks.peer_common import Labels, Matrix, Outcome, Request, quiet, serve


def fit(X: Matrix, y: Labels, request: Request) -> Outcome:
    """Certify a tree of loss + λ per split."""
    pystreed = importlib.import_module("pystreed")
    model = pystreed.STreeDClassifier(
        "cost-complex-accuracy",
        max_depth=request.options["max_depth"],
        cost_complexity=request.penalty,
        time_limit=request.seconds,
    )
    model.fit(X, y)
    found = model.fit_result
    return {
        "status": "optimal" if found.is_optimal() else "time_limit",
        "loss": float((model.predict(X) != y).mean()),
        "length": int(found.tree_nodes()),
    }


if __name__ == "__main__":
    quiet()
    serve(fit)
