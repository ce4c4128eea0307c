"""Antecedents between the engine, which counts them, and people, who name them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from surelist._common.messages import shown
from surelist.conditions.conditions import Condition
from surelist.errors import InputError
from surelist.features.predicates import AmbiguousError, parse_antecedent
from surelist.rule_list.rule_list import Antecedent, Clause, RuleList

__all__ = ["Spellings", "find_prefix", "name_antecedents", "unknown_antecedent"]


def name_antecedents(
    mined: Sequence[Sequence[Sequence[int]]],
    feature_names: Sequence[str],
    conditions: Sequence[Condition] | None = None,
) -> tuple[Antecedent, ...]:
    """Give the mined antecedents the names of their features.

    Parameters
    ----------
    mined
        For each antecedent all its names; a name is a list of literals, and a literal is twice the
        position of its feature, plus one where it is negated.
    feature_names
        Name of each feature.
    conditions
        What each feature asks of the raw table; None where its columns are the features.

    Examples
    --------
    >>> from surelist.problem.antecedents import name_antecedents
    >>> str(name_antecedents([[[0, 3]]], ["young", "male"])[0])
    '(young) and (not male)'
    """
    # One Clause per literal, shared by all antecedents: there may be a million of these.
    clauses = [
        Clause(feature, name, negated, None if conditions is None else conditions[feature])
        for feature, name in enumerate(feature_names)
        for negated in (False, True)
    ]

    def conjunction(literals: Sequence[int]) -> tuple[Clause, ...]:
        return tuple(map(clauses.__getitem__, literals))

    return tuple(
        Antecedent(conjunction(names[0]), tuple(map(conjunction, names[1:])))
        if len(names) > 1
        else Antecedent(conjunction(names[0]))
        for names in mined
    )


def find_prefix(initial: Any, antecedents: Sequence[Antecedent]) -> list[int] | None:
    """Find the antecedents of a given rule list by their names; aliases count.

    Parameters
    ----------
    initial : RuleList, fitted model, sequence of str, or None
        Texts as they print, ``(age = 18-20) and (sex = male)``; the parentheses may be left out.
    antecedents
        Where to look.

    Raises
    ------
    InputError
        Where ``initial`` is something else, or names an antecedent that is not there, or one twice,
        or one that could be another one.
    """
    if initial is None:
        return None
    clauses = {
        clause.feature: clause
        for antecedent in antecedents
        for names in (antecedent.clauses, *antecedent.aliases)
        for clause in names
    }
    features = {clause.asks: feature for feature, clause in clauses.items()}
    printed = {clause.name: clause.asks for clause in clauses.values()}
    given = _given(initial)
    meant = [_read(one, features, printed) for one in given]
    prefix: list[int] = []
    for one, index in zip(given, _positions(meant, antecedents), strict=True):
        if index is None:
            raise InputError(f"initial_rule_list: {unknown_antecedent(str(one), antecedents)}")
        if index in prefix:
            raise InputError(
                f"initial_rule_list: {str(one)!r} captures the same training rows as an "
                "antecedent before it; leave it out"
            )
        prefix.append(index)
    return prefix


def _read(
    given: str | Antecedent, features: Mapping[Condition, int], printed: Mapping[str, Condition]
) -> frozenset[int]:
    """Return the literals of an antecedent of the list to start from; none where one is unknown."""
    if isinstance(given, Antecedent) and all(clause.asks in features for clause in given.clauses):
        return frozenset(2 * features[one.asks] + one.negated for one in given.clauses)
    try:
        # A list of other columns may print what features of these do.
        literals = parse_antecedent(str(given), {}, printed)
    except AmbiguousError as error:
        raise InputError(f"initial_rule_list: {error}") from None
    except InputError:
        return frozenset()
    return frozenset(2 * features[one.condition] + one.negated for one in literals)


def _given(initial: Any) -> list[str | Antecedent]:
    rule_list = getattr(initial, "rule_list_", initial)
    if isinstance(rule_list, RuleList):
        return [rule.antecedent for rule in rule_list.rules if rule.antecedent is not None]
    if isinstance(initial, str) or not isinstance(initial, Iterable):
        raise InputError(
            "initial_rule_list must be None, a RuleList, a fitted model or a list of antecedents "
            f"as text; got {shown(initial)}"
        )
    texts = list(initial)
    for text in texts:
        if not isinstance(text, str):
            raise InputError(f"initial_rule_list must hold antecedents as text; got {shown(text)}")
    return texts


class Spellings:
    """What a user's texts mean among the antecedents.

    Parameters
    ----------
    meant : mapping of str to sequence of int
        The literals that each text means: twice the position of a feature, plus one where it is
        negated. None where an antecedent asks for something that is no feature.
    """

    def __init__(self, meant: Mapping[str, Sequence[int]]) -> None:
        self._meant = meant

    def of(self, text: str) -> frozenset[int]:
        """Return the literals that a text means; none where one of them is no feature."""
        return frozenset(self._meant[text])

    @staticmethod
    def own(antecedent: Antecedent) -> frozenset[int]:
        """Return the literals of an antecedent, its aliases aside."""
        return _literals(antecedent.clauses)

    def find(
        self, texts: Sequence[str], antecedents: Sequence[Antecedent]
    ) -> tuple[int | None, ...]:
        """Return which antecedent each text means; None where there is none."""
        return _positions([self.of(text) for text in texts], antecedents)


def _positions(
    wanted: Sequence[frozenset[int]], antecedents: Sequence[Antecedent]
) -> tuple[int | None, ...]:
    """Return which antecedent has these literals under one of its names; None where none has."""
    looked_for = set(wanted)
    where = {
        literals: index
        for index, antecedent in enumerate(antecedents if wanted else ())
        for literals in map(_literals, (antecedent.clauses, *antecedent.aliases))
        if literals in looked_for
    }
    return tuple(where.get(literals) for literals in wanted)


def _literals(clauses: Iterable[Clause]) -> frozenset[int]:
    return frozenset(2 * clause.feature + clause.negated for clause in clauses)


def unknown_antecedent(text: str, antecedents: Sequence[Antecedent]) -> str:
    """Say that a text names no antecedent, and what comes close."""
    known = [
        str(Antecedent(clauses))
        for antecedent in antecedents
        for clauses in (antecedent.clauses, *antecedent.aliases)
    ]
    close = difflib.get_close_matches(text, known, n=3)
    hint = f"; close to it are {', '.join(map(repr, close))}" if close else ""
    return (
        f"{text!r} is not among the antecedents{hint}. "
        "It may have too little support, or more clauses than max_clauses"
    )
