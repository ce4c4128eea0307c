"""Measure Surelist: the classifier with its defaults, with one clause, or with λ chosen for it."""

from __future__ import annotations

import warnings
from typing import Any

from benchmarks.keel.data import Rows
from benchmarks.keel.one import Fitted, Request, serve
from benchmarks.peer_common import Outcome, processor_time

# Of processor time, counted from the beginning of the fit.
MOMENTS = (1.0, 5.0, 20.0)


class Course:
    """What was known when: the objective, and up to which length it was proven."""

    def __init__(self) -> None:
        self._started = processor_time()
        self._samples: list[tuple[float, float, int | None]] = []

    def __call__(self, progress: Any) -> None:
        """Take a sample; the search calls this about ten times a second."""
        proven = getattr(progress, "proven_length", None)
        self._samples.append((processor_time() - self._started, progress.objective, proven))

    def at(self, model: Any, limit: float) -> Outcome:
        """Return objectives and proven lengths after 1, 5 and 20 s, as far as the limit goes."""
        ended = processor_time() - self._started
        last = (ended, model.objective_, getattr(model, "proven_length_", None))
        objectives, proven = {}, {}
        for moment in (each for each in MOMENTS if each <= limit):
            # What the search ended with is what it had at its limit, however late it ended.
            known = [each for each in self._samples if each[0] <= moment]
            if ended <= moment or moment == limit:
                known = [last]
            if known:
                objectives[f"{moment:g}"], proven[f"{moment:g}"] = known[-1][1:]
        return {"objective_after": objectives, "proven_after": proven}


def fit(rows: Rows, request: Request) -> Fitted:
    """Fit one of the classifiers."""
    from surelist import RuleListClassifier, RuleListClassifierCV, UncertifiedWarning

    options = dict(request.options)
    course = Course()
    limits: dict[str, Any] = {"memory_limit": request.memory, "time_limit": request.seconds}
    if options.pop("cross_validation", False):
        model: Any = RuleListClassifierCV(**limits, **options)
    else:
        model = RuleListClassifier(**limits, progress=course, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)  # the status says it
        model.fit(rows.columns.frame(), rows.labels)
    found = describe(model)
    if isinstance(model, RuleListClassifierCV):
        found["regularization"] = model.regularization_
    else:
        found |= course.at(model, request.seconds)
    return Fitted(lambda rows: model.predict(rows.columns.frame()), found)


def describe(model: Any) -> Outcome:
    """Say what a fitted classifier says of itself."""
    rules = model.rule_list_.rules
    return {
        "status": model.status_,
        "objective": model.objective_,
        "lower_bound": model.lower_bound_,
        "proven_length": getattr(model, "proven_length_", None),
        "lines": len(rules) + 1,
        "clauses": sum(len(rule.antecedent.clauses) for rule in rules),
        "antecedents": len(model.antecedents_),
        "counted_memory": int(model.trace_.counters["max_memory"]),
    }


if __name__ == "__main__":
    serve(fit)
