"""What to say of a result that is not certified: what was proven, and what to try."""

from __future__ import annotations

from typing import TYPE_CHECKING

from surelist._common.messages import counted
from surelist._common.rounding import gap_text, rounded_down
from surelist.problem.parameters import AUTO_WORK

if TYPE_CHECKING:
    from surelist.estimators.fitted_model import FittedModel

__all__ = ["uncertified_text"]


def uncertified_text(model: FittedModel) -> str:
    """Return the warning for a model whose search a limit or Ctrl-C has ended."""
    high, low = model.objective_exact_, model.lower_bound_exact_
    return (
        f"the rule list is not certified optimal: the search {_reason(model)}. Its objective is "
        f"{model.objective_:.6g}, the proven lower bound {rounded_down(low)}; "
        f"no rule list is better by more than the gap of {gap_text(high, low)}{_length(model)}. "
        f"{_advice(model)}"
    )


def _reason(model: FittedModel) -> str:
    given = model.parameters
    work, memory = given["work_limit"], given["memory_limit"]
    return {
        "work_limit": "reached its work limit of "
        + (f'{AUTO_WORK} (work_limit="auto")' if work == "auto" else f"{work}"),
        "time_limit": f"reached its time limit of {given['time_limit']} s",
        "memory_limit": "reached its memory limit of "
        + ("a quarter of the machine's" if memory == "auto" else f"{memory}"),
        "prefix_limit": f"reached its limit of {given['max_prefixes']} prefixes",
        "interrupted": "was interrupted",
        "near_optimal": "found better ones, and this one was chosen",
    }[model.status_]


def _length(model: FittedModel) -> str:
    if not model.proven_length_:
        return ""
    return f", and none of up to {counted(model.proven_length_, 'rule')} is better at all"


def _advice(model: FittedModel) -> str:
    """Say what would make a proof more likely, with the figures of this search."""
    rules, proven = len(model.rule_list_), model.proven_length_ or 0
    tips = [f"a regularization above {float(model.rule_list_.regularization):.6g}"]
    antecedents = model.antecedents_ or ()
    n_antecedents = len(antecedents)
    n_single = sum(len(each.clauses) == 1 for each in antecedents)
    if n_single < n_antecedents:
        tips.append(f"max_clauses=1 ({n_single:,} antecedents instead of {n_antecedents:,})")
    if proven > 0 and rules <= proven:
        tips.append(f"max_length={proven}, for which this very list is optimal")
    elif rules > 1:
        tips.append(f"a shorter list such as max_length={max(1, min(proven + 1, rules - 1))}")
    limit = {"work_limit": "work_limit", "time_limit": "time_limit"}.get(model.status_)
    if limit is not None:
        tips.append(f"a larger {limit}")
    return (
        f"For a proof try {', '.join(tips[:-1])} or {tips[-1]}"
        if len(tips) > 1
        else (f"For a proof try {tips[0]}")
    )
