"""Antecedents that the user wrote, instead of the mined ones or beside them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import shown
from surelist.conditions.conditions import Condition
from surelist.errors import InputError
from surelist.features.binarization import feature_names
from surelist.features.predicates import parse_antecedent
from surelist.tables.column import Column
from surelist.tables.table import Columns

__all__ = [
    "Named",
    "antecedent_texts",
    "captured_rows",
    "meant_literals",
    "read_antecedents",
    "warn_unused",
]


class Named(Protocol):
    """Columns with names: a table, or rows that are elsewhere."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names."""

    def column(self, index: int) -> Column:
        """Return a column."""


def antecedent_texts(given: Any) -> list[str]:
    """Return the user's antecedents as a list.

    Raises
    ------
    InputError
        For what is no list of texts.
    """
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(
            f"antecedents must be None or a list of texts such as 'age < 25'; got {shown(given)}"
        )
    texts = list(given)
    for text in texts:
        if not isinstance(text, str):
            raise InputError(f"antecedents must hold texts; got {shown(text)}")
    return texts


def read_antecedents(
    given: Iterable[str], table: Named, conditions: tuple[Condition, ...]
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
        Where a text cannot be read.
    """
    columns, printed = Columns(table), _by_name(conditions)
    features = {condition: index for index, condition in enumerate(conditions)}
    antecedents = []
    for text in given:
        literals = parse_antecedent(text, columns, printed)
        antecedents.append(
            tuple(
                2 * features.setdefault(literal.condition, len(features)) + literal.negated
                for literal in literals
            )
        )
    return tuple(antecedents), tuple(features)


def captured_rows(literals: Iterable[int], matrix: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which rows of a feature matrix fulfil all literals."""
    held = [matrix[:, literal // 2] != literal % 2 for literal in literals]
    captured: NDArray[np.bool_] = np.logical_and.reduce(held)
    return captured


def warn_unused(
    given: Iterable[str], antecedents: Iterable[Sequence[int]], matrix: NDArray[np.uint8]
) -> None:
    """Warn of antecedents that capture no row."""
    for text, literals in zip(given, antecedents, strict=True):
        if not captured_rows(literals, matrix).any():
            warnings.warn(
                f"the antecedent {text!r} captures no training row, so no rule can use it",
                stacklevel=6,
            )


def meant_literals(
    texts: Iterable[str], table: Named, conditions: tuple[Condition, ...]
) -> dict[str, tuple[int, ...]]:
    """Return which literals of the features each text means: none where one is no feature.

    Raises
    ------
    InputError
        Where a text cannot be read, or in two ways.
    """
    columns, printed = Columns(table), _by_name(conditions)
    position = {condition: index for index, condition in enumerate(conditions)}
    meant = {}
    for text in texts:
        literals = parse_antecedent(text, columns, printed)
        known = all(literal.condition in position for literal in literals)
        meant[text] = tuple(
            2 * position[literal.condition] + literal.negated for literal in literals if known
        )
    return meant


def _by_name(conditions: tuple[Condition, ...]) -> dict[str, Condition]:
    """Return the features by what they print."""
    return dict(zip(feature_names(conditions), conditions, strict=True))
