"""Measure RIPPER as wittgenstein has it: rules for the rarer of two classes."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.keel.data import Rows
from benchmarks.keel.one import Fitted, Request, serve


def fit(rows: Rows, request: Request) -> Fitted:  # noqa: ARG001 - it takes no limits
    """Fit with the defaults."""
    counts = np.bincount(rows.labels)
    if len(counts) > 2:
        raise ValueError(f"it takes two classes; there are {len(counts)}")
    rarer = int(counts.argmin())
    model = importlib.import_module("wittgenstein").RIPPER(random_state=0)
    model.fit(rows.columns.frame(), rows.labels.tolist(), pos_class=rarer)
    rules = model.ruleset_.rules

    def predict(rows: Rows) -> NDArray[Any]:
        captured = np.asarray(model.predict(rows.columns.frame()), dtype=bool)
        return np.where(captured, rarer, 1 - rarer)

    return Fitted(
        predict, {"lines": len(rules) + 1, "clauses": sum(len(rule.conds) for rule in rules)}
    )


if __name__ == "__main__":
    serve(fit)
