"""Antecedents that the user wrote, instead of the mined ones or beside them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._shown import shown
from surelist.conditions import Condition
from surelist.errors import InputError
from surelist.predicates import parse_antecedent
from surelist.tables import Columns, Table

__all__ = ["canonical_texts", "own_antecedents"]


def own_antecedents(
    given: Any, table: Table, conditions: tuple[Condition, ...]
) -> tuple[tuple[tuple[int, ...], ...], tuple[Condition, ...]]:
    """Read the user's antecedents; what they ask and no feature does becomes a feature.

    Returns
    -------
    antecedents
        Each as its literals: twice the position of a feature, plus one where it is negated.
    conditions
        Those given and those new.

    Raises
    ------
    InputError
        Where ``given`` is no list of texts, or a text cannot be read.
    """
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(
            f"antecedents must be None or a list of texts such as 'age < 25'; got {shown(given)}"
        )
    columns = Columns(table)
    features = {condition: index for index, condition in enumerate(conditions)}
    antecedents = []
    for text in given:
        if not isinstance(text, str):
            raise InputError(f"antecedents must hold texts; got {shown(text)}")
        literals = parse_antecedent(text, columns)
        antecedents.append(
            tuple(
                2 * features.setdefault(literal.condition, len(features)) + literal.negated
                for literal in literals
            )
        )
        if not _captured(literals, columns).any():
            warnings.warn(
                f"the antecedent {text!r} captures no training row, so no rule can use it",
                stacklevel=4,
            )
    return tuple(antecedents), tuple(features)


def _captured(literals: Iterable[Any], columns: Columns) -> NDArray[np.bool_]:
    parts = [
        columns[literal.condition.column].fulfils(literal.condition) != literal.negated
        for literal in literals
    ]
    captured: NDArray[np.bool_] = np.logical_and.reduce(parts)
    return captured


def canonical_texts(texts: Iterable[str], table: Table) -> dict[str, str]:
    """Return how the antecedents print that the texts mean as predicates; others are left out."""
    columns = Columns(table)
    canonical = {}
    for text in texts:
        with suppress(InputError):
            literals = parse_antecedent(text, columns)
            canonical[text] = " and ".join(
                f"(not {literal.condition})" if literal.negated else f"({literal.condition})"
                for literal in literals
            )
    return canonical
