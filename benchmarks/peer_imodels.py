"""Measure FastSmallTree of imodels: sparse trees."""

from __future__ import annotations

import importlib
import warnings

from benchmarks.peer_common import Labels, Matrix, Outcome, Request, quiet, serve


def fit(X: Matrix, y: Labels, request: Request) -> Outcome:
    """Certify a tree of loss + λ per leaf."""
    imodels = importlib.import_module("imodels")
    model = imodels.FastSmallTreeClassifier(
        regularization=request.penalty, time_limit=request.seconds
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of limits: `optimal_` says it
        model.fit(X, y)
    length = int(model.n_leaves_) - 1
    return {
        "status": "optimal" if model.optimal_ else f"{model.stop_reason_}_limit",
        "loss": float(model.objective_) - request.penalty * (length + 1),
        "length": length,
    }


if __name__ == "__main__":
    quiet()
    serve(fit)
