"""Antecedents that the user wrote, instead of the mined ones or beside them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from surelist import _core
from surelist._shown import shown
from surelist.conditions import Condition
from surelist.errors import InputError
from surelist.predicates import parse_antecedent
from surelist.tables import Columns, Table

__all__ = ["Joined", "join", "own_antecedents"]


class Joined(NamedTuple):
    """What `_core.Mined` holds, for antecedents that were not all mined."""

    antecedents: list[list[list[int]]]
    problem: _core.Problem


class Rows(Protocol):
    """The training rows, as `surelist.training.TrainingData` holds them."""

    @property
    def matrix(self) -> NDArray[np.uint8]: ...
    @property
    def codes(self) -> NDArray[np.int32]: ...
    @property
    def classes(self) -> NDArray[Any]: ...
    @property
    def weights(self) -> NDArray[np.int64]: ...


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


def join(
    mined: Sequence[Sequence[Sequence[int]]],
    own: Sequence[Sequence[int]],
    rows: Rows,
    least: int,
    most: int,
) -> Joined:
    """Make one problem of the user's antecedents and those mined.

    As in mining, antecedents of less support than ``least`` or more than ``most`` are left out, and
    those that capture the same rows become one, known by all names, the user's first.
    """
    patterns, codes, weights = _collapse(rows)
    names: dict[bytes, list[list[int]]] = {}
    columns: list[NDArray[np.uint8]] = []
    for known in (*([list(literals)] for literals in own), *mined):
        captured = np.ones(len(patterns), dtype=np.uint8)
        for literal in known[0]:
            captured &= patterns[:, literal // 2] ^ (literal % 2)
        if not least <= int(weights[captured != 0].sum()) <= most:
            continue
        key = np.packbits(captured).tobytes()
        if key not in names:
            names[key] = []
            columns.append(captured)
        names[key] += [list(name) for name in known if list(name) not in names[key]]
    captures = np.zeros((len(patterns), len(columns)), dtype=np.uint8)
    for index, column in enumerate(columns):
        captures[:, index] = column
    problem = _core.Problem(captures, codes, weights, len(rows.classes))
    return Joined(list(names.values()), problem)


def _collapse(rows: Rows) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int64]]:
    """Equal rows of one class into one, with the weight of all."""
    used = np.flatnonzero(rows.weights)
    bits = np.packbits(rows.matrix[used], axis=1)
    keys = np.concatenate([bits, rows.codes[used].astype("<i4")[:, None].view(np.uint8)], axis=1)
    keys = np.ascontiguousarray(keys).view(f"V{keys.shape[1]}").ravel()
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    # Exact: all weights together stay below 2**53.
    weights = np.bincount(inverse, weights=rows.weights[used]).astype(np.int64)
    kept = used[first]
    return np.ascontiguousarray(rows.matrix[kept]), rows.codes[kept], weights
