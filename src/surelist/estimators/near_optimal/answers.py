"""Answers about a whole set of lists, as small tables: they print, and become data frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.text_tables import html_table, text_table
from surelist.errors import InputError
from surelist.estimators.near_optimal.found import FoundLists

__all__ = ["Answers", "Range", "Use", "uses"]


@dataclass(frozen=True)
class Use:
    """In how many lists a column or an antecedent occurs, and whether it is needed.

    Attributes
    ----------
    name : str
    n_lists : int
        The lists of the set that use it.
    share : float
        The same as a share of the set.
    best_with, best_without : Fraction or None
        The least objective of a list that uses it, and of one that does not. None: no such list is
        in the set, so the least such objective is above that up to which the set is complete.
    """

    name: str
    n_lists: int
    share: float
    best_with: Fraction | None
    best_without: Fraction | None


@dataclass(frozen=True)
class Range:
    """The least and the greatest value of something over all lists of a set."""

    name: str
    least: float
    greatest: float


class Answers:
    """A few rows of one kind, such as one for each column.

    Examples
    --------
    >>> from surelist.estimators.near_optimal.answers import Answers, Range
    >>> table = Answers([Range("length", 1, 3)])
    >>> print(table)
    least  greatest  name
        1         3  length
    >>> table["length"].greatest
    3
    """

    def __init__(self, rows: list[Any], otherwise: str = "") -> None:
        self._rows = {row.name: row for row in rows}
        self._otherwise = otherwise

    def __getitem__(self, name: str) -> Any:
        if name not in self._rows:
            raise InputError(f"there is no {name!r} here; there are {', '.join(self._rows)}")
        return self._rows[name]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows.values())

    def __len__(self) -> int:
        return len(self._rows)

    def some(self, names: Iterable[str]) -> Answers:
        """Return those of these names."""
        return Answers([self[name] for name in names], self._otherwise)

    def to_frame(self) -> Any:
        """Return a pandas data frame with a row for each."""
        import pandas as pd

        names = self._names()
        frame = pd.DataFrame(self._values(), columns=names)
        for name in ("best_with", "best_without", "difference"):
            if name in frame:
                frame[name] = [None if each is None else float(each) for each in frame[name]]
        return frame

    def _names(self) -> list[str]:
        return [field.name for field in fields(next(iter(self))) if field.repr] if len(self) else []

    def _values(self) -> list[tuple[Any, ...]]:
        names = self._names()
        return [tuple(getattr(row, name) for name in names) for row in self]

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        titles = [name.replace("_", " ") for name in self._names()]
        cells = [[self._cell(value) for value in row] for row in self._values()]
        return [*titles[1:], titles[0]], [[*row[1:], row[0]] for row in cells]

    def _cell(self, value: Any) -> str:
        if value is None:
            return self._otherwise
        if isinstance(value, float | Fraction):
            return f"{float(value):.6g}"
        return f"{value:,}" if isinstance(value, int) else str(value)

    def __str__(self) -> str:
        return text_table(*self._cells()) if len(self) else "nothing"

    def _repr_html_(self) -> str:
        return html_table(*self._cells()) if len(self) else "nothing"


def uses(
    names: tuple[str, ...], asks: NDArray[np.bool_], needs: NDArray[np.bool_], found: FoundLists
) -> list[Use]:
    """Return how lists use some things, of which each antecedent asks about some.

    Parameters
    ----------
    names
        What they are called.
    asks, needs : array of bool, names × antecedents
        Which antecedent can ask about which, and which cannot do without.
    found : FoundLists
        The lists.
    """
    # One column more for -1, the place after the last rule.
    nothing = np.zeros((len(asks), 1), np.bool_)
    result = []
    for name, can, must in zip(
        names, np.hstack([asks, nothing]), np.hstack([needs, nothing]), strict=True
    ):
        using = can[found.prefixes].any(axis=1)
        avoiding = ~must[found.prefixes].any(axis=1)
        count = int(using.sum())
        result.append(
            Use(
                name,
                count,
                count / len(found) if len(found) else 0.0,
                _least(found, using),
                _least(found, avoiding),
            )
        )
    return result


def _least(found: FoundLists, chosen: NDArray[np.bool_]) -> Fraction | None:
    """Return the least objective of some of the lists, in whichever order they are."""
    least = [
        found.objective(int(places[found.losses[places].argmin()]))
        for length in np.unique(found.lengths[chosen])
        if len(places := np.flatnonzero(chosen & (found.lengths == length)))
    ]
    return min(least, default=None)
