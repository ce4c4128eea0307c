"""Rule lists by name: as the paper prints them, compared as it compares them, and applied to rows.

The paper calls two lists the same up to a permutation, or equivalent, where they contain the same
rules in another order, or a last rule and a default that say the same in other words:
"≠ suspicious bulge: no, else yes" is "= suspicious bulge: yes, else no".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from experiments.dataset import Codes, Features, attribute

__all__ = ["NamedList", "Rule", "frequencies", "parse"]

# Two-valued attributes, whose values are each other's negation.
_OPPOSITE = {
    "inside or outside = inside": "inside or outside = outside",
    "inside or outside = outside": "inside or outside = inside",
    "sex = male": "sex = female",
    "sex = female": "sex = male",
}


@dataclass(frozen=True)
class Rule:
    """An antecedent, the clauses of which are in no order, and a label."""

    clauses: frozenset[str]
    label: int

    def __str__(self) -> str:
        return " and ".join(f"({clause})" for clause in sorted(self.clauses))


@dataclass(frozen=True)
class NamedList:
    """A rule list whose antecedents are known by the names of their clauses."""

    rules: tuple[Rule, ...]
    default: int

    def __len__(self) -> int:
        return len(self.rules)

    def __str__(self) -> str:
        words = ("no", "yes")
        lines = [
            f"{'else if' if index else 'if'} {rule} then {words[rule.label]}"
            for index, rule in enumerate(self.rules)
        ]
        return "\n".join([*lines, f"else {words[self.default]}"])

    @property
    def attributes(self) -> set[str]:
        """The attributes that the list uses."""
        return {attribute(clause) for rule in self.rules for clause in rule.clauses}

    def captured_by(self, features: Features) -> Codes:
        """Return for each row the rule that captures it; the default comes after the last."""
        n_rows = len(next(iter(features.values())))
        found = np.full(n_rows, len(self.rules), np.int32)
        for index in reversed(range(len(self.rules))):
            clauses = self.rules[index].clauses
            found[np.logical_and.reduce([features[clause] for clause in clauses])] = index
        return found

    def predict(self, features: Features) -> Codes:
        """Return the predicted label of each row."""
        labels = np.array([*(rule.label for rule in self.rules), self.default], np.int32)
        return labels[self.captured_by(features)]

    def meaning(self) -> tuple[frozenset[Rule], int]:
        """Return what lists that are equivalent up to a permutation share."""
        rules, default = list(self.rules), self.default
        if rules and rules[-1].label != default and len(rules[-1].clauses) == 1:
            (clause,) = rules[-1].clauses
            # Of the two equivalent forms, the one whose default is "no".
            if default == 1 and (other := _negation(clause)):
                rules[-1], default = Rule(frozenset([other]), 1), 0
        return frozenset(rules), default


def _negation(clause: str) -> str | None:
    return clause.replace(" ≠ ", " = ") if " ≠ " in clause else _OPPOSITE.get(clause)


def parse(text: str) -> NamedList:
    """Read a list in the short form in which the paper's are kept here.

    Examples
    --------
    >>> print(parse("age = 18-20 & sex = male: yes; priors > 3: yes; no"))
    if (age = 18-20) and (sex = male) then yes
    else if (priors > 3) then yes
    else no
    >>> parse("city = Bronx: no; inside or outside = outside: no; yes").meaning() == parse(
    ...     "city = Bronx: no; inside or outside = inside: yes; no").meaning()
    True
    """
    *parts, default = (part.strip() for part in text.split(";"))
    rules = []
    for part in parts:
        clauses, _, label = part.rpartition(": ")
        rules.append(Rule(frozenset(clauses.split(" & ")), int(label == "yes")))
    return NamedList(tuple(rules), int(default == "yes"))


def frequencies(lists: Iterable[NamedList]) -> list[tuple[NamedList, int]]:
    """Return how many folds found each list, where order and wording do not count; most first."""
    found = list(lists)
    first: dict[tuple[frozenset[Rule], int], NamedList] = {}
    for each in found:
        first.setdefault(each.meaning(), each)
    number = Counter(each.meaning() for each in found)
    return [(first[meaning], count) for meaning, count in number.most_common()]
