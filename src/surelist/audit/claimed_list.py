"""The rule list that a certificate is about, in words, and whether a model holds the same one."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import counted, shown
from surelist.conditions.conditions import Condition, condition_from_dict
from surelist.conditions.values import quote

if TYPE_CHECKING:
    from surelist.certificate.certificate import Certificate
    from surelist.estimators.fitted_model import FittedModel
    from surelist.rule_list.rule_list import RuleList

__all__ = ["ClaimedRule", "captured_by", "claimed_rules", "claims_more", "model_differs"]

ClaimedRule = tuple[frozenset[tuple[Condition, bool]], tuple[str, ...], str]
"""The clauses of a rule, their texts, and the label; the default has none."""


def claimed_rules(certificate: Certificate) -> list[ClaimedRule] | None:
    """Return the rules of a certificate; None where it is of a kind that has none in this form."""
    header = certificate.header
    try:
        listed = header["rule_list"]
        classes = [_plain(each) for each in header["classes"]]
        if "conditions" in listed:  # of all cuts, where antecedents are too many to be listed
            antecedents = [_asked(each) for each in listed["conditions"]]
        else:
            antecedents = [header["antecedents"][index] for index in listed["prefix"]]
        rules = [
            _rule(antecedent, classes[label])
            for antecedent, label in zip(antecedents, listed["labels"], strict=True)
        ]
        return [*rules, _rule([], classes[listed["default_label"]])]
    except (ArithmeticError, IndexError, KeyError, TypeError, ValueError):
        return None


def _asked(conditions: Any) -> list[Mapping[str, Any]]:
    """Return the clauses of a rule that asks a condition, or several."""
    several = conditions if isinstance(conditions, list) else [conditions]
    return [{"condition": each, "negated": False} for each in several]


def _rule(clauses: list[Mapping[str, Any]], label: Any) -> ClaimedRule:
    asked = [
        (condition_from_dict(clause["condition"]), bool(clause["negated"])) for clause in clauses
    ]
    texts = tuple(f"not {condition}" if negated else str(condition) for condition, negated in asked)
    return frozenset(asked), texts, str(label)


def _plain(value: Any) -> Any:
    """Return a class as it is; the header may name its type."""
    return next(iter(value.values())) if isinstance(value, dict) else value


def model_differs(certificate: Certificate, rule_list: RuleList) -> str | None:
    """Say where the list of a model differs from that of a certificate; None if it does not."""
    claimed = claimed_rules(certificate)
    if claimed is None:
        return "the certificate has no rule list in a form that a model could be compared with"
    own = [
        (
            frozenset((clause.asks, clause.negated) for clause in rule.clauses),
            str(rule.label),
        )
        for rule in rule_list.all_rules
    ]
    if len(own) != len(claimed):
        return f"the model has {len(own) - 1} rules, the certificate {len(claimed) - 1}"
    for number, (mine, (clauses, _, label)) in enumerate(zip(own, claimed, strict=True), start=1):
        if mine != (clauses, label):
            what = "default" if number == len(own) else f"rule {number}"
            return f"the {what} of the model is not that of the certificate"
    if rule_list.objective != certificate.objective:
        return "the objective of the model is not that of the certificate"
    if list(rule_list.columns or rule_list.feature_names) != certificate.header.get("columns"):
        return "the model has other columns than the certificate"
    return _name_differs(rule_list) or _feature_differs(certificate, rule_list)


def claims_more(certificate: Certificate, model: FittedModel) -> str | None:
    """Say what a model claims that its certificate does not prove; None if there is nothing.

    That may be so where a limit ended the search: what is proven of all lists and what is proven by
    length are different proofs, of which a certificate holds one.
    """
    if certificate.objective == certificate.lower_bound:
        return None
    if model.status_ == "optimal":
        return "that it is optimal"
    if model.lower_bound_exact_ > certificate.lower_bound:
        return f"that no list has an objective below {float(model.lower_bound_exact_):.6g}"
    proven = certificate.header.get("proven_length") or 0
    if (claimed := model.proven_length_) is not None and claimed > proven:
        return f"that no list of up to {counted(claimed, 'rule')} is better"
    return None


def _feature_differs(certificate: Certificate, rule_list: RuleList) -> str | None:
    """Say which feature the model lists but did not have, or had but does not list.

    Features without an antecedent, because they are rare, are in no certificate. So only the column
    of these can be checked.
    """
    from surelist.certificate.cut_certificate import CutCertificate
    from surelist.every_cut_checker import EVERY_CUT

    if isinstance(certificate, CutCertificate) or EVERY_CUT in certificate.header:
        return None  # all cuts are considered, and not all are listed
    columns = certificate.header["columns"]
    for name in rule_list.feature_names:
        if not any(column in name or quote(column) in name for column in columns):
            return f"the model considered {shown(name)}, which is about no column of the proof"
    names = {name.strip(" ") for name in rule_list.feature_names}
    for clause in itertools.chain(*certificate.header["antecedents"]):
        condition = condition_from_dict(clause["condition"])
        texts = {condition.text().strip(" "), condition.text(quoted=True)}
        if names.isdisjoint(texts):
            return f"the model does not say that {shown(str(condition))} was considered"
    return None


def _name_differs(rule_list: RuleList) -> str | None:
    """Say which clause has a name that is not the text of its condition: people read the name."""
    for number, rule in enumerate(rule_list.rules, start=1):
        antecedent = rule.antecedent
        for clauses in () if antecedent is None else (antecedent.clauses, *antecedent.aliases):
            for clause in clauses:
                if not _is_text_of(clause.name, clause.asks):
                    return (
                        f"rule {number} of the model says {shown(clause.name)}, "
                        f"but asks {shown(str(clause.asks))}"
                    )
    return None


def _is_text_of(name: str, condition: Condition) -> bool:
    """Whether `surelist.features.binarization.feature_names` may call a condition so."""
    if condition.is_column:
        return name == condition.column
    texts = (condition.text(), condition.text(quoted=True))
    return any(name.endswith(text) and not name.removesuffix(text).strip(" ") for text in texts)


def captured_by(rules: list[ClaimedRule], table: Any) -> NDArray[np.intp]:
    """Return for each row the position of the rule that captures it; the default is last.

    Raises
    ------
    InputError
        Where a column is missing, or holds other values than a rule asks for.
    """
    captured = np.full(table.n_rows, len(rules) - 1, dtype=np.intp)
    left = np.ones(table.n_rows, dtype=np.bool_)
    for index, (clauses, _, _) in enumerate(rules[:-1]):
        holds = left.copy()
        for condition, negated in clauses:
            column = table.named_column(condition.column, "the rules")
            holds &= column.fulfils(condition) != negated
        captured[holds] = index
        left &= ~holds
    return captured
