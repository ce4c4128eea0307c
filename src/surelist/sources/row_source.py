"""Rows that stay in a database or on a cluster, and their groups.

An optimal rule list depends only on the groups of equal rows, so rows need not be loaded. A
`RowSource` counts the values of its columns by class. Conditions are chosen from these counts, as
for rows in memory. Then it returns a `GroupedTable`: the distinct rows of Boolean features with
their weights. Mining, search and certificate use nothing else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from surelist.conditions.conditions import Condition
from surelist.features.column_conditions import Choice, Counted, Labelled
from surelist.tables.column import Column
from surelist.tables.labels import read_labels
from surelist.tables.weights import weigh_rows

__all__ = ["GroupedTable", "LabelCounts", "RowSource", "Weighing"]


@dataclass(frozen=True, eq=False)
class GroupedTable:
    """Distinct pairs of a row of Boolean features and a class, with weights.

    Attributes
    ----------
    features : ndarray of 0 and 1, of shape (entries, features)
    codes : ndarray of int
        The class of each entry.
    weights : ndarray of int
        The integer weight of all its rows together; never 0.
    """

    features: NDArray[np.uint8]
    codes: NDArray[np.int32]
    weights: NDArray[np.int64]

    @property
    def n_groups(self) -> int:
        """Number of distinct rows, whatever their class."""
        if len(self.features) == 0:
            return 0
        return len(np.unique(np.packbits(self.features, axis=1), axis=0))

    @classmethod
    def gather(cls, parts: Iterable[GroupedTable]) -> GroupedTable:
        """Merge the groups of several parts of the rows; the order of parts does not matter.

        Examples
        --------
        >>> import numpy as np
        >>> from surelist.sources.row_source import GroupedTable
        >>> part = GroupedTable(np.eye(2, dtype=np.uint8), np.array([0, 1]), np.array([3, 4]))
        >>> GroupedTable.gather([part, part]).weights.tolist()
        [8, 6]
        """
        held = list(parts)
        features = np.concatenate([part.features for part in held])
        codes = np.concatenate([part.codes for part in held])
        weights = np.concatenate([part.weights for part in held])
        packed = np.packbits(features, axis=1)
        # Big-endian bytes of the class behind the bits: one key for each entry.
        keys = np.hstack([packed, codes.astype(">u4").view(np.uint8).reshape(-1, 4)])
        rows = np.ascontiguousarray(keys).view(f"V{keys.shape[1]}").reshape(-1)
        _, first, entry = np.unique(rows, return_index=True, return_inverse=True)
        sums = np.zeros(len(first), dtype=np.int64)
        np.add.at(sums, entry.reshape(-1), weights)
        kept = sums > 0
        return cls(features[first][kept], codes[first][kept].astype(np.int32), sums[kept])


@dataclass(frozen=True, eq=False)
class LabelCounts:
    """Number of rows of each label or, if rows have weights, of each label and weight."""

    labels: NDArray[Any]
    weights: NDArray[np.float64] | None
    counts: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Weighing:
    """How the label and weight of a row become a class and an integer weight.

    Attributes
    ----------
    classes : ndarray
        The classes, in order.
    totals : ndarray of int
        Integer weight of all rows, by class.
    description : mapping
        As `surelist.weights.describe_weights` returns it.
    unit : float
        The integer weight that stands for a given weight of 1.
    """

    classes: NDArray[Any]
    totals: NDArray[np.int64]
    description: Mapping[str, Any]
    unit: float

    @classmethod
    def of(cls, counted: LabelCounts, class_weight: Any) -> Self:
        """Decide from the counts only, with the same result as for rows in memory.

        Raises
        ------
        InputError
            For labels or class weights that cannot be used.
        """
        n = len(counted.labels)
        # Each label three times: labels that occur once each would be refused as measurements.
        labels = read_labels(np.tile(counted.labels, 3), 3 * n)
        codes = labels.codes[:n]
        given = (codes, labels.classes, counted.weights, class_weight, counted.counts)
        weights = weigh_rows(*given)
        totals = np.zeros(len(labels.classes), dtype=np.int64)
        np.add.at(totals, codes, weights.whole * counted.counts)
        return cls(labels.classes, totals, weights.description, weights.unit)

    @property
    def labelled(self) -> Labelled:
        """The weight of each class, as one row per class."""
        n = len(self.classes)
        return Labelled(np.arange(n, dtype=np.int32), self.totals, n)

    def whole(
        self, codes: NDArray[np.int32], sample_weight: NDArray[np.float64] | None
    ) -> NDArray[np.int64]:
        """Return the integer weights of rows of these classes and weights."""
        weights = np.ones(len(codes)) if sample_weight is None else sample_weight
        factors = self.description["class_weight"]
        if factors is not None:
            weights = weights * np.array(factors)[codes]
        if self.description["kind"] != "rounded":
            return weights.astype(np.int64)
        scaled = np.rint(np.ldexp(weights, self.description["exponent"])).astype(np.int64)
        divided: NDArray[np.int64] = scaled // self.description["divisor"]
        return divided


class RowSource(ABC):
    """Rows outside memory, with labels and weights; `RuleListClassifier.fit` accepts it as X.

    Attributes
    ----------
    names : tuple of str
        The columns to learn from.
    """

    names: tuple[str, ...]

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """Number of rows, including rows of weight zero."""

    @abstractmethod
    def label_counts(self) -> LabelCounts:
        """Count the rows of each label and weight."""

    @abstractmethod
    def column(self, index: int) -> Column:
        """Return a column with each of its values at least once, or with a sample of them."""

    @abstractmethod
    def conditions(self, index: int, choice: Choice, weighing: Weighing) -> list[Counted]:
        """Choose the conditions on a column, as `column_conditions` does."""

    @abstractmethod
    def groups(self, conditions: Sequence[Condition], weighing: Weighing) -> GroupedTable:
        """Evaluate the conditions on every row, and group equal rows."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.n_rows, len(self.names)
