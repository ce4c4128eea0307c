"""Measure CORELS as the authors package it for Python, or as another package carries it.

Its mining adds the negation of every column, so it searches rule lists over the antecedents and
their negations.
"""

from __future__ import annotations

import importlib

from benchmarks.peer_common import Labels, Matrix, Outcome, Request, quiet, serve


def fit(X: Matrix, y: Labels, request: Request) -> Outcome:
    """Certify a rule list; there is no time limit, so it may have to be killed."""
    package = importlib.import_module(request.options["package"])
    model = package.CorelsClassifier(
        c=request.penalty,
        n_iter=1_000_000_000,
        map_type="prefix",
        policy="lower_bound",
        verbosity=[],
        max_card=1,
        min_support=request.penalty,
    )
    model.fit(X, y)
    wrong = float((model.predict(X) != (y == 1)).mean())
    return {"status": "optimal", "loss": wrong, "length": len(model.rl_.rules) - 1}


if __name__ == "__main__":
    quiet()
    serve(fit)
