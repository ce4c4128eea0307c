"""Measure optimal trees over the same 0/1 features: STreeD, GOSDT and imodels' FastSmallTree."""

from __future__ import annotations

import importlib
import json
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.keel.data import Rows
from benchmarks.keel.one import Fitted, Request, serve
from benchmarks.peer_common import Outcome


def fit(rows: Rows, request: Request) -> Fitted:
    """Fit the one asked for."""
    fitters: dict[str, Callable[[Rows, Request], Fitted]] = {
        "pystreed": _streed,
        "gosdt": _gosdt,
        "imodels": _fast_small_tree,
    }
    return fitters[request.options["package"]](rows, request)


def _facts(status: str, splits: int) -> Outcome:
    return {"status": status, "lines": splits + 1, "clauses": splits}


def _streed(rows: Rows, request: Request) -> Fitted:
    model = importlib.import_module("pystreed").STreeDClassifier(
        "cost-complex-accuracy",
        max_depth=request.options["depth"],
        cost_complexity=float(request.regularization),
        time_limit=request.seconds,
    )
    model.fit(rows.features, rows.labels)
    found = model.fit_result
    status = "optimal" if found.is_optimal() else "time_limit"
    return Fitted(
        lambda rows: np.asarray(model.predict(rows.features)),
        _facts(status, int(found.tree_nodes())),
    )


def _gosdt(rows: Rows, request: Request) -> Fitted:
    model = importlib.import_module("gosdt").GOSDTClassifier(
        regularization=float(request.regularization),
        allow_small_reg=True,
        depth_budget=request.options["depth"],
        time_limit=math.ceil(request.seconds),
    )
    model.fit(rows.features.astype(np.bool_), rows.labels)
    result = model.get_result()
    (tree,) = json.loads(result["models_string"])[:1]
    status = "optimal" if str(result["status"]).endswith("CONVERGED") else "time_limit"
    return Fitted(
        # Its own predict fails with recent versions of scikit-learn.
        lambda rows: np.asarray(model.trees_[0].predict(rows.features.astype(np.bool_))),
        _facts(status, _splits(tree)),
    )


def _splits(tree: dict[str, Any]) -> int:
    if "prediction" in tree:
        return 0
    return 1 + _splits(tree["true"]) + _splits(tree["false"])


def _fast_small_tree(rows: Rows, request: Request) -> Fitted:
    model = importlib.import_module("imodels").FastSmallTreeClassifier(
        regularization=float(request.regularization), time_limit=request.seconds
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of limits: `optimal_` says it
        model.fit(rows.features, rows.labels)
    status = "optimal" if model.optimal_ else f"{model.stop_reason_}_limit"
    return Fitted(
        lambda rows: np.asarray(model.predict(rows.features)),
        _facts(status, int(model.n_leaves_) - 1),
    )


if __name__ == "__main__":
    serve(fit)
