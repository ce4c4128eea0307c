"""One finding about a table: which column, what was seen, how much it matters.

A finding holds a sentence for people and the figures behind it for machines. It never changes
anything by itself: the user decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["KINDS", "LEVELS", "Finding", "percent"]

# What a finding means for a result: it may be worthless; good to know; a question to the user.
LEVELS = ("warning", "note", "suggestion")

# Kinds of findings, the most serious first, and the level of each.
KINDS = {
    "late_date": "warning",
    "leak": "warning",
    "follows_label": "warning",
    "presence": "warning",
    "named_like_label": "warning",
    "one_class_since": "warning",
    "identifier": "warning",
    "constant": "note",
    "duplicate": "note",
    "small_class": "note",
    "small_group": "note",
    "protected": "suggestion",
}


@dataclass(frozen=True)
class Finding:
    """Something about a column that is good to know before a search.

    Attributes
    ----------
    kind : str
        "leak", "follows_label", "presence", "named_like_label", "late_date", "one_class_since",
        "identifier", "constant", "duplicate", "small_class", "small_group" or "protected".
    column : str or None
        The column; None for the label.
    text : str
        What was seen, and what to do about it, in a sentence or two.
    facts : mapping
        The figures of the text, by name.
    """

    kind: str
    column: str | None
    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def level(self) -> str:
        """How much it matters: "warning", "note" or "suggestion"."""
        return KINDS[self.kind]

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as something that JSON can hold."""
        return {
            "kind": self.kind,
            "level": self.level,
            "column": self.column,
            "text": self.text,
            "facts": dict(self.facts),
        }


def percent(share: float) -> str:
    """Return a share for people to read; only 0 and 1 print as 0 % and 100 %.

    Examples
    --------
    >>> from surelist.inspection.finding import percent
    >>> percent(0.25), percent(0.9999), percent(1.0)
    ('25 %', 'over 99.9 %', '100 %')
    """
    if 0.999 < share < 1:
        return "over 99.9 %"
    if 0 < share < 0.001:
        return "under 0.1 %"
    return f"{100 * share:.1f} %".replace(".0 %", " %")
