"""What a search found and proved, as JSON can hold it: for the command line and the web page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from surelist._common.messages import counted
from surelist._common.rounding import rounded_down

if TYPE_CHECKING:
    from surelist.estimators.classifier import RuleListClassifier
    from surelist.estimators.fitted_model import FittedModel

__all__ = ["proven_text", "result_fields"]


def result_fields(model: RuleListClassifier | FittedModel) -> dict[str, Any]:
    """Return what every account of a fitted model says.

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> from surelist.estimators.result_json import result_fields
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
        "proven_length": model.proven_length_,
        "objective_exact": str(model.objective_exact_),
        "lower_bound_exact": str(model.lower_bound_exact_),
        "loss": float(rule_list.loss),
        "length": len(rule_list),
        "text": list(rule_list.lines()),
        "antecedents": getattr(model, "n_antecedents_", None) or 0,
        "counters": dict(model.trace_.counters),
    }


def proven_text(model: RuleListClassifier | FittedModel) -> str:
    """Say what is proven of a list that is not certified.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from types import SimpleNamespace
    >>> from surelist.estimators.result_json import proven_text
    >>> proven_text(SimpleNamespace(proven_length_=4, lower_bound_exact_=Fraction(2, 25)))
    'no list of up to 4 rules is better; longer ones are not excluded, their bound is 0.08'
    """
    if not model.proven_length_:
        return f"no list is below {rounded_down(model.lower_bound_exact_)}"
    return (
        f"no list of up to {counted(model.proven_length_, 'rule')} is better; longer ones are not "
        f"excluded, their bound is {rounded_down(model.lower_bound_exact_)}"
    )
