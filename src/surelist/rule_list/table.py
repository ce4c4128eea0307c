"""The rules of a list in rows and columns, and the probabilities that they stand for."""

from __future__ import annotations

import sys
from itertools import accumulate
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import shown
from surelist.errors import InputError, SurelistError

if TYPE_CHECKING:
    import pandas as pd

    from surelist.rule_list.rule_list import RuleList

__all__ = ["read_laplace", "rule_heads", "rule_table", "smoothed_shares"]


def read_laplace(value: object) -> float:
    """Return the weight of the Laplace prior, checked.

    Raises
    ------
    InputError
        For anything but a finite number of at least 0.
    """
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    # Compared before it is converted: a whole number may be too large for a float.
    if is_number and 0 <= value <= sys.float_info.max:  # type: ignore[operator]
        return float(value)  # type: ignore[arg-type]
    raise InputError(f"laplace must be a finite number of at least 0; got {shown(value)}")


def smoothed_shares(rule_list: RuleList, laplace: float) -> NDArray[np.float64]:
    """Return for each rule, the default last, the share of each class, with a prior added.

    A rule that captured nothing is sure of its label, unless the prior says otherwise.
    """
    prior = read_laplace(laplace)
    rules = rule_list.all_rules
    shares = np.zeros((len(rules), len(rule_list.classes)))
    for row, rule, code in zip(shares, rules, rule_list.label_codes, strict=True):
        total = rule.captured + prior * len(rule.weights)
        if total:
            row[:] = [(weight + prior) / total for weight in rule.weights]
        else:
            row[code] = 1.0
    return shares


def rule_table(rule_list: RuleList, laplace: float) -> pd.DataFrame:
    """Return the rules as a pandas data frame; see `RuleList.rule_table`."""
    shares = smoothed_shares(rule_list, laplace)
    try:
        import pandas as pd
    except ImportError as error:
        raise SurelistError(
            "rule_table needs pandas, which is not installed: pip install 'surelist[pandas]', or "
            "use print(rule_list), or go through rule_list.rules"
        ) from error
    rules = rule_list.all_rules
    total = rule_list.total_weight
    so_far = accumulate(rule.captured for rule in rules)
    return pd.DataFrame(
        {
            "rule": rule_heads(rule_list),
            "label": [rule.label for rule in rules],
            "captured": [rule.captured for rule in rules],
            "correct": [rule.correct for rule in rules],
            "probability": shares[np.arange(len(rules)), rule_list.label_codes],
            "support": [rule.captured / total for rule in rules],
            "cumulative": [captured / total for captured in so_far],
        }
    )


def rule_heads(rule_list: RuleList) -> list[str]:
    """Return what stands before each label: ``if …``, ``else if …`` and at last ``else``.

    A list without rules has one line, and that says ``always``.
    """
    if not rule_list.rules:
        return ["always"]
    first, *others = (f"if {rule.antecedent}" for rule in rule_list.rules)
    return [first, *(f"else {head}" for head in others), "else"]
