"""Measure Surelist: the engine on antecedents, or the estimator on columns with mining."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

from benchmarks.peer_common import Labels, Matrix, Outcome, Request, serve
from surelist import _core


def fit(X: Matrix, y: Labels, request: Request) -> Outcome:
    """Certify a rule list."""
    options = dict(request.options)
    if options.pop("entry", "engine") == "engine":
        return _engine(X, y, request, options)
    return _classifier(X, y, request, options)


def _engine(X: Matrix, y: Labels, request: Request, options: dict[str, Any]) -> Outcome:
    started = time.perf_counter()
    problem = _core.Problem(X, y, None, 2)
    collapse = time.perf_counter() - started
    search = _core.Search(problem, request.regularization, time_limit=request.seconds, **options)
    status = search.run()
    return {
        "status": status,
        "loss": search.loss / problem.total_weight,
        "length": len(search.prefix),
        "objective": float(Fraction(search.objective, search.scale)),
        "lower_bound": float(Fraction(search.lower_bound, search.scale)),
        "collapse": collapse,
        "groups": problem.n_groups,
        "counters": search.counters,
    }


def _classifier(X: Matrix, y: Labels, request: Request, options: dict[str, Any]) -> Outcome:
    import warnings

    from surelist import RuleListClassifier, UncertifiedWarning

    model = RuleListClassifier(
        Fraction(request.regularization), time_limit=request.seconds, **options
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)  # the status says it
        model.fit(X, y)
    return {
        "status": model.status_,
        "loss": float(model.rule_list_.loss),
        "length": len(model.rule_list_),
        "objective": model.objective_,
        "lower_bound": model.lower_bound_,
        "groups": model.n_groups_,
        "antecedents": len(model.antecedents_),
        "counters": dict(model.trace_.counters),
    }


if __name__ == "__main__":
    serve(fit)
