"""What a search found and proved, as JSON can hold it: for the command line and the web page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from surelist.classifier import RuleListClassifier

__all__ = ["result_fields"]


def result_fields(model: RuleListClassifier) -> dict[str, Any]:
    """Return what every account of a fitted model says.

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> from surelist.result_json import result_fields
    >>> found = result_fields(RuleListClassifier().fit([[0], [1]] * 5, [0, 1] * 5))
    >>> found["status"], found["objective_exact"], found["length"]
    ('optimal', '1/100', 1)
    """
    rule_list = model.rule_list_
    return {
        "status": model.status_,
        "objective": model.objective_,
        "lower_bound": model.lower_bound_,
        "gap": model.gap_,
        "objective_exact": str(model.objective_exact_),
        "lower_bound_exact": str(model.lower_bound_exact_),
        "loss": float(rule_list.loss),
        "length": len(rule_list),
        "text": list(rule_list.lines()),
        "antecedents": len(model.antecedents_),
        "counters": dict(model.trace_.counters),
    }
