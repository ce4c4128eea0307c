"""Whether the numbers that a model shows of its rules are those of the data.

A certificate says which list is optimal, and its objective, but not what each rule captured: that
follows from the data. People read these numbers, and probabilities are made of them, so they are
counted again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import shown
from surelist.audit.claimed_list import captured_by, claimed_rules
from surelist.errors import InputError

if TYPE_CHECKING:
    from surelist.certificate.certificate import Certificate
    from surelist.rule_list.rule_list import RuleList
    from surelist.rule_list.rules import Clause
    from surelist.runs.rows import Source

__all__ = ["counts_differ"]


def counts_differ(
    certificate: Certificate, rule_list: RuleList, source: Source, label: str | None
) -> str | None:
    """Say which number of a model is wrong for the rows; None if none is, or none can be counted.

    The proof has to hold for these rows, and the model to have the list that it proves.
    """
    try:
        if (wrong := _alias_differs(rule_list, source)) is not None:
            return wrong
        if certificate.header["weights"].get("sample_weight"):
            return None  # a column of weights, which nothing here names
        return _weights_differ(certificate, rule_list, source, label)
    except (InputError, KeyError, TypeError):
        return None


def _weights_differ(
    certificate: Certificate, rule_list: RuleList, source: Source, label: str | None
) -> str | None:
    rules = claimed_rules(certificate)
    if rules is None:
        return None
    by = captured_by(rules, source.table)
    labels = np.array([str(each) for each in source.label_values(label)])
    classes = [str(each) for each in rule_list.classes]
    counts = [[int((labels[by == k] == name).sum()) for name in classes] for k in range(len(rules))]
    rows = [sum(of_class) for of_class in zip(*counts, strict=True)]
    weights = [rule.weights for rule in rule_list.all_rules]
    totals = [sum(of_class) for of_class in zip(*weights, strict=True)]
    for number, (own, counted) in enumerate(zip(weights, counts, strict=True), start=1):
        # A class may have a weight, but its rows weigh the same.
        if any(w * n != c * t for w, n, c, t in zip(own, rows, counted, totals, strict=True)):
            what = "the default" if number == len(rules) else f"rule {number}"
            return f"the model says that {what} captured other rows of each class than it does"
    return None


def _alias_differs(rule_list: RuleList, source: Source) -> str | None:
    """Say which other name of a rule captures other rows."""
    for number, rule in enumerate(rule_list.rules, start=1):
        if rule.antecedent is None:
            continue
        own = _fulfilled(rule.antecedent.clauses, source)
        for alias in rule.antecedent.aliases:
            if not np.array_equal(_fulfilled(alias, source), own):
                text = " and ".join(shown(clause.name) for clause in alias)
                return f"rule {number} of the model is not the same as {text}, as it says"
    return None


def _fulfilled(clauses: tuple[Clause, ...], source: Source) -> NDArray[np.bool_]:
    holds = np.ones(source.table.n_rows, np.bool_)
    for clause in clauses:
        column = source.table.named_column(clause.asks.column, "the model")
        holds &= column.fulfils(clause.asks) != clause.negated
    return holds
