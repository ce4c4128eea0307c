"""What the exports share: labels that every language can write, and text made visible."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from surelist._common.messages import shown
from surelist.errors import InputError

if TYPE_CHECKING:
    from surelist.rule_list.rule_list import RuleList

__all__ = ["check_labels", "visible"]


def check_labels(rule_list: RuleList) -> None:
    """Refuse labels that have no literal: all but texts, bools and finite numbers.

    Raises
    ------
    InputError
    """
    for label in rule_list.classes:
        plain = type(label) in (str, int, float, bool)
        if not plain or (isinstance(label, float) and not math.isfinite(label)):
            raise InputError(f"the class {shown(label)} cannot be written; use text or numbers")


def visible(text: str) -> str:
    r"""Return text in which everything that does not print, line breaks among it, is spelt out.

    Examples
    --------
    >>> from surelist.rule_list.export.values import visible
    >>> print(visible("tab\tand café"))
    tab\tand café
    """
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
