"""Explain one row from a form: what is predicted for it, and which rule captures it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from surelist._common.moments import naive_utc
from surelist.errors import InputError
from surelist.tables.column import Column

if TYPE_CHECKING:
    from surelist.rule_list.rule_list import RuleList

__all__ = ["explain_one"]


def explain_one(
    rule_list: RuleList, kinds: Mapping[str, str], values: Mapping[str, Any], shares: Any
) -> dict[str, Any]:
    """Walk down a rule list with one row.

    Parameters
    ----------
    rule_list
        The rules.
    kinds
        What each column holds, as the summary of the data set calls it.
    values
        The row, as text; empty or absent is missing.
    shares
        For each rule, the default last, the probability of each class.

    Returns
    -------
    dict
        The position of the rule that fires, what it predicts, the probability of each class, and
        for each rule that was asked whether each of its clauses holds.
    """
    columns: dict[str, Column] = {}
    steps = []
    fires = len(rule_list)
    for index, rule in enumerate(rule_list.rules):
        held = []
        for clause in rule.clauses:
            name = clause.asks.column
            if name not in columns:
                columns[name] = _column(name, kinds.get(name, "text"), values.get(name))
            held.append(bool(columns[name].fulfils(clause.asks)[0]) != clause.negated)
        steps.append({"rule": index, "clauses": held, "fires": all(held)})
        if all(held):
            fires = index
            break
    return {
        "rule": fires,
        "label": str(rule_list.all_rules[fires].label),
        "probabilities": {
            str(label): float(share)
            for label, share in zip(rule_list.classes, shares[fires], strict=True)
        },
        "steps": steps,
    }


def _column(name: str, kind: str, value: Any) -> Column:
    text = "" if value is None else str(value).strip()
    missing = np.array([text == ""])
    if kind in ("number", "whole number", "yes/no"):
        number = 0.0 if text == "" else _number(name, text)
        return Column(name, "number", np.array([number]), missing)
    if kind in ("date", "moment"):
        moment = np.datetime64("NaT", "us") if text == "" else _moment(name, text)
        return Column(name, "date" if kind == "date" else "datetime", np.array([moment]), missing)
    known = np.empty(1, dtype=object)
    known[0] = text
    return Column(name, "text", known, missing, np.where(missing, -1, 0).astype(np.intp))


def _number(name: str, text: str) -> float:
    words = {"true": 1.0, "yes": 1.0, "false": 0.0, "no": 0.0}
    try:
        number = words[text.lower()] if text.lower() in words else float(text)
    except ValueError:
        raise InputError(f"{name} must be a number; got {text[:40]!r}") from None
    if np.isnan(number):
        raise InputError(f"{name} must be a number; got {text[:40]!r}")
    return number


def _moment(name: str, text: str) -> np.datetime64:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise InputError(f"{name} must be a date such as 2024-12-31; got {text[:40]!r}") from None
    return np.datetime64(naive_utc(moment), "us")
