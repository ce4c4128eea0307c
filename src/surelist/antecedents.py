"""Antecedents between the engine, which counts them, and people, who name them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from surelist._shown import shown
from surelist.conditions import Condition
from surelist.errors import InputError
from surelist.rule_list import Antecedent, Clause, RuleList

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
    >>> from surelist.antecedents import name_antecedents
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
        return tuple(clauses[literal] for literal in literals)

    return tuple(
        Antecedent(conjunction(names[0]), tuple(map(conjunction, names[1:]))) for names in mined
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
        Where ``initial`` is something else, or names an antecedent that is not there, or one twice.
    """
    if initial is None:
        return None
    exact, loose = _spellings(antecedents)
    prefix: list[int] = []
    for text in _texts(initial):
        index = exact.get(text, loose.get(_loosely(text)))
        if index is None:
            raise InputError(f"initial_rule_list: {unknown_antecedent(text, antecedents)}")
        if index in prefix:
            raise InputError(
                f"initial_rule_list: {text!r} captures the same training rows as an antecedent "
                "before it; leave it out"
            )
        prefix.append(index)
    return prefix


def _spellings(antecedents: Sequence[Antecedent]) -> tuple[dict[str, int], dict[str, int]]:
    """Positions by text: as printed, and whatever the order of clauses and the parentheses."""
    exact: dict[str, int] = {}
    loose: dict[str, int] = {}
    for index, antecedent in enumerate(antecedents):
        for clauses in (antecedent.clauses, *antecedent.aliases):
            text = str(Antecedent(clauses))
            exact[text] = index
            loose.setdefault(_loosely(text), index)
    return exact, loose


def _loosely(text: str) -> str:
    return " and ".join(sorted(clause.strip("() ") for clause in text.split(" and ")))


def _texts(initial: Any) -> list[str]:
    rule_list = getattr(initial, "rule_list_", initial)
    if isinstance(rule_list, RuleList):
        return [str(rule.antecedent) for rule in rule_list.rules]
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
    """What a user's texts mean: as antecedents print, or as predicates say the same.

    Parameters
    ----------
    canonical : mapping of str to str
        Texts that could be read as predicates, and how the antecedent they mean prints.
    """

    def __init__(self, canonical: Mapping[str, str]) -> None:
        self._canonical = canonical

    def of(self, text: str) -> set[str]:
        """Return the ways in which an antecedent may be spelled that the text means."""
        return {_loosely(text), _loosely(self._canonical.get(text, text))}

    @staticmethod
    def own(antecedent: Antecedent) -> str:
        """Return the spelling of an antecedent, its aliases aside."""
        return _loosely(str(antecedent))

    def find(
        self, texts: Sequence[str], antecedents: Sequence[Antecedent]
    ) -> tuple[int | None, ...]:
        """Return which antecedent each text means; None where there is none."""
        _, loose = _spellings(antecedents)
        return tuple(
            next((loose[spelling] for spelling in self.of(text) if spelling in loose), None)
            for text in texts
        )


def unknown_antecedent(text: str, antecedents: Sequence[Antecedent]) -> str:
    """Say that a text names no antecedent, and what comes close."""
    known = list(_spellings(antecedents)[0])
    close = difflib.get_close_matches(text, known, n=3)
    hint = f"; close to it are {', '.join(map(repr, close))}" if close else ""
    return (
        f"{text!r} is not among the antecedents{hint}. "
        "It may have too little support, or more clauses than max_clauses"
    )
