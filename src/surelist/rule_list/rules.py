"""The parts of a rule list: clauses, antecedents, rules, and why a row is predicted as it is.

Everything here is immutable; the numbers that a rule carries are whole weights of training rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist.conditions.conditions import Condition, IsTrue
from surelist.conditions.values import clause_text

__all__ = ["Antecedent", "Clause", "Explanation", "Rule", "used_columns"]

_ONE = Fraction(1)


@dataclass(frozen=True)
class Clause:
    """One Boolean feature, or its negation.

    Parameters
    ----------
    feature : int
        Position of the feature among the columns that were searched.
    name : str
        What it is called.
    negated : bool
    condition : Condition, optional
        What the feature asks of a column of the raw table; None where that table had 0/1 columns,
        of which ``name`` is one.

    Examples
    --------
    >>> from surelist import Clause
    >>> str(Clause(feature=0, name="sex = male", negated=True))
    '(not sex = male)'
    """

    feature: int
    name: str
    negated: bool = False
    condition: Condition | None = None

    @property
    def text(self) -> str:
        """The clause without parentheses; a column's name in quotes if it could be misread."""
        name = clause_text(self.name) if self.asks.is_column else self.name
        return f"not {name}" if self.negated else name

    @property
    def asks(self) -> Condition:
        """What the feature asks of its column, also where that column is the feature itself."""
        return IsTrue(self.name) if self.condition is None else self.condition

    def __str__(self) -> str:
        return f"({self.text})"


@dataclass(frozen=True)
class Antecedent:
    """A conjunction of clauses.

    Parameters
    ----------
    clauses : tuple of Clause
    aliases : tuple of tuples of Clause
        Other conjunctions that capture exactly the same training rows. On new data they may
        differ: the rule list goes by ``clauses``.

    Examples
    --------
    >>> from surelist import Antecedent, Clause
    >>> str(Antecedent((Clause(0, "age = 18-20"), Clause(1, "sex = male"))))
    '(age = 18-20) and (sex = male)'
    """

    clauses: tuple[Clause, ...]
    aliases: tuple[tuple[Clause, ...], ...] = ()

    def captures(self, matrix: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return which rows of a 0/1 matrix fulfil every clause."""
        captured = np.ones(len(matrix), dtype=np.bool_)
        for clause in self.clauses:
            captured &= matrix[:, clause.feature] != clause.negated
        return captured

    def __str__(self) -> str:
        return " and ".join(map(str, self.clauses))


@dataclass(frozen=True)
class Rule:
    """An antecedent with its label, and what it captured of the training rows.

    Parameters
    ----------
    antecedent : Antecedent or None
        None for the default rule, which captures what no other rule did.
    label
        The class it predicts.
    correct : int
        Weight of the captured training rows that have this label.
    weights : tuple of int
        Weight of the captured training rows by class, in the order of ``RuleList.classes``.
    cost : Fraction
        What the rule costs, in multiples of λ; the default costs nothing in any case.
    """

    antecedent: Antecedent | None
    label: Any
    correct: int
    weights: tuple[int, ...]
    cost: Fraction = _ONE

    @property
    def captured(self) -> int:
        """Weight of the training rows it captured."""
        return sum(self.weights)

    @property
    def accuracy(self) -> float:
        """Share of the captured weight that has the label; NaN where nothing was captured."""
        return self.correct / self.captured if self.captured else float("nan")

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """What a row has to fulfil; nothing for the default rule."""
        return () if self.antecedent is None else self.antecedent.clauses

    def __str__(self) -> str:
        if self.antecedent is None:
            return f"predict {self.label}"
        return f"if {self.antecedent} then predict {self.label}"


@dataclass(frozen=True)
class Explanation:
    """Why a row gets its prediction: the one rule that captured it.

    Attributes
    ----------
    rule : int
        Position of the rule; the default comes after all others.
    antecedent : str
        Text of its antecedent; empty for the default.
    label
        The predicted class.
    captured : int
        Weight of the training rows that the rule captured.
    support, accuracy : float
        ``captured`` as a share of all training weight, and how much of it has the label.
    """

    rule: int
    antecedent: str
    label: Any
    captured: int
    support: float
    accuracy: float

    def __str__(self) -> str:
        why = self.antecedent or "no rule applies"
        record = f"right on {self.accuracy:.1%} of the {self.captured:,} it captured in training"
        return f"{self.label}: {why} ({record if self.captured else 'captured none in training'})"


def used_columns(rules: tuple[Rule, ...]) -> Iterator[str]:
    """Name the columns that the rules ask about, each once, as they first occur."""
    yield from dict.fromkeys(clause.asks.column for rule in rules for clause in rule.clauses)
