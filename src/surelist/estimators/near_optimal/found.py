"""The lists of a set as arrays, a row for each: a million of them take some fifty megabytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist import _core

__all__ = ["FoundLists", "FoundRules"]

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class FoundRules:
    """One list, as `surelist.search.engine.rule_list_of` takes what a search has found."""

    prefix: list[int]
    labels: list[int]
    default_label: int
    objective: int
    scale: int


@dataclass(frozen=True, eq=False)
class FoundLists:
    """Rule lists by objective, then length, then antecedents.

    Attributes
    ----------
    prefixes : array of int, lists × longest length
        Positions of antecedents; -1 after the last rule.
    labels : array of int, lists × longest length + 1
        Codes of classes; that of the default from its place on.
    losses : array of int
        Weight misclassified, and what antecedents cost beyond the least.
    orders : array of int
        How many orders of these rules predict the same.
    alike : array of int
        A number for each set of predictions.
    price : Fraction
        The least cost of a rule.
    total : int
        The weight of all rows.
    """

    prefixes: NDArray[np.int32]
    labels: NDArray[np.uint16]
    losses: Rows
    orders: Rows
    alike: Rows
    price: Fraction
    total: int

    @classmethod
    def of(cls, lists: Mapping[str, Any], price: Fraction, problem: _core.Problem) -> FoundLists:
        """Take what the engine found."""
        numbers = lists["numbers"]
        losses, orders, alike = np.ascontiguousarray(numbers.T)
        prefixes, labels = lists["prefixes"], lists["labels"]
        return cls(prefixes, labels, losses, orders, alike, price, problem.total_weight)

    @classmethod
    def none(cls, price: Fraction, problem: _core.Problem) -> FoundLists:
        """Return no lists."""
        empty = np.zeros(0, np.int64)
        prefixes, labels = np.zeros((0, 0), np.int32), np.zeros((0, 1), np.uint16)
        return cls(prefixes, labels, empty, empty, empty, price, problem.total_weight)

    def __len__(self) -> int:
        return len(self.losses)

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """The number of rules of each list."""
        return np.asarray((self.prefixes >= 0).sum(axis=1), np.int64)

    @cached_property
    def objectives(self) -> NDArray[np.float64]:
        """The objective of each list, rounded; `objective` is exact."""
        return self.losses / self.total + float(self.price) * self.lengths

    def objective(self, index: int) -> Fraction:
        """Return the objective of one list."""
        rules = self.price * int(self.lengths[index])
        return Fraction(int(self.losses[index]), self.total) + rules

    def rules(self, index: int) -> FoundRules:
        """Return one list."""
        length, objective = int(self.lengths[index]), self.objective(index)
        labels = self.labels[index].tolist()
        return FoundRules(
            self.prefixes[index, :length].tolist(),
            labels[:length],
            labels[length],
            objective.numerator,
            objective.denominator,
        )

    def some(self, rows: Any) -> FoundLists:
        """Return some of the lists."""
        return FoundLists(
            self.prefixes[rows],
            self.labels[rows],
            self.losses[rows],
            self.orders[rows],
            self.alike[rows],
            self.price,
            self.total,
        )

    def uses_of_antecedents(self, n: int) -> list[tuple[int, Fraction | None, Fraction | None]]:
        """Return for each antecedent how many lists have it, and the best with it and without."""
        counts = np.bincount(self.prefixes[self.prefixes >= 0], minlength=n)
        used, first = np.unique(self.prefixes, return_index=True)
        width = max(1, self.prefixes.shape[1])
        best: list[int | None] = [None] * n
        for antecedent, place in zip(used.tolist(), first.tolist(), strict=True):
            if antecedent >= 0:
                best[antecedent] = place // width
        others: list[int | None] = [None] * n
        everywhere = set(range(n))
        for index in range(len(self)):
            if not everywhere:
                break
            rules = set(self.prefixes[index].tolist())
            for antecedent in everywhere - rules:
                others[antecedent] = index
            everywhere &= rules
        exact = [
            [None if place is None else self.objective(place) for place in places]
            for places in (best, others)
        ]
        return list(zip(counts.tolist(), *exact, strict=True))

    def count_within(self, threshold: Fraction) -> int:
        """Return how many lists have at most this objective: they come first."""
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self.objective(middle) <= threshold:
                low = middle + 1
            else:
                high = middle
        return low

    def first_of_each_prediction(self) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
        """Return the best list of each set of predictions, and how many lists have that."""
        _, first, counts = np.unique(self.alike, return_index=True, return_counts=True)
        order = np.argsort(first)
        return first[order], counts[order].astype(np.int64)
