"""Chains: every cut of a column at once, as one number for each row instead of a feature for each.

The antecedents ``x < t`` of a column, for all t, are nested: each captures what the smaller ones
do. So are ``x ≥ t``, from the largest t on. A chain holds the key of each row; cut p captures the
rows whose key is below p. A condition of another kind is a chain of one cut.

A rule asks one cut, or two at once: of any two chains where it may have two clauses, of both sides
of a column where there are intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist.conditions.conditions import Condition, Interval, Missing
from surelist.conditions.values import Value, value_to_json
from surelist.features.column_conditions import (
    Choice,
    Labelled,
    between,
    column_conditions,
    end_between,
    in_order,
    taken_as_is,
)
from surelist.tables.column import Column

__all__ = [
    "Asked",
    "Chain",
    "CutColumn",
    "any_pairs",
    "chains_of_column",
    "conditions_of",
    "described",
    "interval_pairs",
]

Asked = tuple[tuple[int, int], ...]
"""What a rule asks: a chain and a cut of it, or two."""


@dataclass(frozen=True, eq=False)
class CutColumn:
    """A column that is cut wherever two of its values differ.

    Attributes
    ----------
    column : Column
        Its rows of positive weight.
    values : ndarray
        The distinct values in ascending order.
    """

    column: Column
    values: NDArray[Any]

    @property
    def order(self) -> tuple[Value, ...]:
        """All values of an ordinal column from the lowest on; else none."""
        return tuple(self.column.values.tolist()) if self.column.kind == "ordinal" else ()

    def below(self, position: int) -> Condition:
        """Return the condition that the values before a position fulfil."""
        end = end_between(self.column, self.values, position)
        return Interval(self.column.name, None, end, high_closed=False, order=self.order)

    def above(self, position: int) -> Condition:
        """Return the condition that the values from a position on fulfil."""
        end = end_between(self.column, self.values, position)
        return Interval(self.column.name, end, order=self.order)

    def between(self, first: int, last: int) -> Condition:
        """Return the condition that the values from one position to before another fulfil."""
        low, high = (end_between(self.column, self.values, each) for each in (first, last))
        return between(self.column, low, high, self.order)


@dataclass(frozen=True, eq=False)
class Chain:
    """Nested antecedents.

    Attributes
    ----------
    keys : ndarray of int32
        Of each row, from 0 to ``n_cuts``, for rows that no cut captures.
    n_cuts : int
    condition : callable
        Returns the condition of a cut, from 1 to ``n_cuts``.
    source : CutColumn or Condition
        Of which column it is a side, or its only condition.
    """

    keys: NDArray[np.int32]
    n_cuts: int
    condition: Callable[[int], Condition]
    source: CutColumn | Condition


def chains_of_column(column: Column, labelled: Labelled, choice: Choice) -> list[Chain]:
    """Return the chains of a column: both sides of all cuts, or one for each of its conditions."""
    column = in_order(column, choice)
    counted = np.flatnonzero(labelled.weights)
    own = column.take(counted)
    if choice.n_cuts is None and _is_cut(own, choice):
        return _cut_everywhere(column, own, counted)
    conditions = [each.condition for each in column_conditions(column, labelled, choice)]
    return [_single(column, condition) for condition in conditions]


def _is_cut(column: Column, choice: Choice) -> bool:
    if column.missing.all() or taken_as_is(column, choice) or choice.category:
        return False
    return column.kind != "text" and (choice.given is None or column.kind == "ordinal")


def _cut_everywhere(column: Column, own: Column, counted: NDArray[np.intp]) -> list[Chain]:
    """Return both sides; keys are those of the rows that count, and 0 elsewhere."""
    present = ~own.missing
    values = own.values if own.codes is None else own.codes
    distinct, inverse = np.unique(values[present], return_inverse=True)
    source, n_cuts = CutColumn(own, distinct), len(distinct) - 1
    chains = []
    ranks = inverse.ravel().astype(np.int32)
    for keys, condition in (
        (ranks, source.below),
        (n_cuts - ranks, lambda cut: source.above(n_cuts + 1 - cut)),
    ):
        all_keys = np.zeros(len(column.missing), np.int32)
        all_keys[counted] = n_cuts
        all_keys[counted[present]] = keys
        chains.append(Chain(all_keys, n_cuts, condition, source))
    found = chains if n_cuts > 0 else []
    if own.missing.any():
        found.append(_single(column, Missing(column.name)))
    return found


def _single(column: Column, condition: Condition) -> Chain:
    keys = np.where(column.fulfils(condition), 0, 1).astype(np.int32)
    return Chain(keys, 1, lambda _: condition, condition)


def any_pairs(chains: Sequence[Chain]) -> list[tuple[int, int]]:
    """Return every pair of chains; one that is alone has the chain beyond the last beside it."""
    if len(chains) == 1:
        return [(0, 1)]
    return list(combinations(range(len(chains)), 2))


def interval_pairs(chains: Sequence[Chain]) -> list[tuple[int, int]]:
    """Return both sides of each column; other chains have the one beyond the last beside them."""
    pairs = []
    for at, chain in enumerate(chains):
        if not isinstance(chain.source, CutColumn):
            pairs.append((at, len(chains)))
        elif at > 0 and chains[at - 1].source is chain.source:
            pairs.append((at - 1, at))
    return pairs


def conditions_of(chains: Sequence[Chain], asked: Asked) -> list[Condition]:
    """Return the conditions of a rule; both sides of a column make one."""
    if len(asked) == 2 and chains[asked[0][0]].source is chains[asked[1][0]].source:
        source, (below, above) = chains[asked[0][0]].source, asked
        assert isinstance(source, CutColumn)
        return [source.between(chains[above[0]].n_cuts + 1 - above[1], below[1])]
    return [chains[chain].condition(cut) for chain, cut in asked]


def described(chains: Sequence[Chain]) -> Iterator[dict[str, Any]]:
    """Describe chains for a certificate: each column once, though it has two sides."""
    seen: set[int] = set()
    for chain in chains:
        source = chain.source
        if not isinstance(source, CutColumn):
            yield {"condition": dict(source.to_dict())}
        elif id(source) not in seen:
            seen.add(id(source))
            values: Any = "numbers" if source.column.kind == "number" else "moments"
            if source.column.kind == "ordinal":
                values = [value_to_json(value) for value in source.order]
            yield {"column": source.column.name, "values": values}
