"""A fitted model in a few lines for people, and in full for machines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from surelist._common.messages import counted
from surelist._common.rounding import bound_text, gap_text
from surelist.estimators.result_json import proven_text, result_fields

if TYPE_CHECKING:
    from surelist.estimators.classifier import RuleListClassifier
    from surelist.estimators.fitted_model import FittedModel

__all__ = ["bytes_text", "document_of", "facts_of", "seconds_text"]


def facts_of(model: RuleListClassifier | FittedModel) -> dict[str, str]:
    """Return what a search found and what is proven about it, by name."""
    rule_list = model.rule_list_
    counters = model.trace_.counters
    rules = counted(len(rule_list), "rule")
    n_antecedents = getattr(model, "n_antecedents_", None) or 0
    return {
        "status": f"{model.status_}: {_meaning(model)}",
        "objective": f"{model.objective_:.6f} = loss {float(rule_list.loss):.6f} + "
        f"{_number(rule_list.regularization)} × {rules}",
        "lower bound": bound_text(model.objective_exact_, model.lower_bound_exact_),
        **({} if model.status_ == "optimal" else {"proven": proven_text(model)}),
        "accuracy": f"{rule_list.accuracy:.1%} in training",
        "search": f"{n_antecedents:,} antecedents, {model.n_groups_:,} groups, "
        f"{counted(int(counters['expanded']), 'prefix', 'prefixes')} in "
        f"{seconds_text(counters['time'])}, {bytes_text(counters['max_memory'])}",
    }


def _meaning(model: RuleListClassifier | FittedModel) -> str:
    if model.status_ == "optimal":
        return "proven, no rule list over these antecedents has a lower objective"
    gap = gap_text(model.objective_exact_, model.lower_bound_exact_, ".6f")
    if model.status_ == "near_optimal":
        return f"chosen from a set of good lists, the best one is better by at most {gap}"
    return f"not certified, a better rule list may exist, by at most {gap}"


def _number(fraction: Any) -> str:
    return f"{float(fraction):.12g}"


def seconds_text(seconds: float) -> str:
    """Return a time for people to read."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02} s"
    return f"{minutes // 60} h {minutes % 60:02} min"


def bytes_text(size: float) -> str:
    """Return a size for people to read."""
    for unit, bytes_ in (("GB", 1e9), ("MB", 1e6)):
        if size >= bytes_:
            return f"{size / bytes_:.3g} {unit}"
    return f"{size / 1e3:.0f} kB"


def document_of(
    model: RuleListClassifier | FittedModel, more: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return what a search found as something that JSON can hold."""
    rule_list = model.rule_list_
    return {
        **result_fields(model),
        "regularization": _number(rule_list.regularization),
        "rules": [
            {
                "antecedent": None if rule.antecedent is None else str(rule.antecedent),
                "label": rule.label,
                "captured": rule.captured,
                "correct": rule.correct,
            }
            for rule in rule_list.all_rules
        ],
        "groups": model.n_groups_,
        **(more or {}),
    }
