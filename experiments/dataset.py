"""Data sets: named Boolean features, a label for each row, and who the rows are.

A feature is a clause as the paper prints it, ``age = 18-20`` or ``priors > 3``; its attribute is
the part before the relation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bits", "Codes", "Dataset", "Features", "attribute"]

Bits = NDArray[np.bool_]
Codes = NDArray[np.int32]
Features = dict[str, Bits]

_RELATIONS = (" = ", " > ", " < ", " ≠ ")


def attribute(clause: str) -> str:
    """Return the attribute of a clause.

    Examples
    --------
    >>> attribute("priors > 3"), attribute("stop reason ≠ suspicious bulge")
    ('priors', 'stop reason')
    """
    for relation in _RELATIONS:
        if relation in clause:
            return clause.split(relation)[0]
    return clause


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows of one prediction problem.

    Attributes
    ----------
    name : str
    features : dict of str to ndarray of bool
        Every value of every categorical attribute.
    labels : ndarray of int32
        1 for the positive class.
    about : dict of str to ndarray
        What is known of the rows and not learned from: race, score.
    counts : dict of str to int
        How many records each step of the preparation left.
    source : str
        Where the records came from.
    """

    name: str
    features: Features
    labels: Codes
    about: dict[str, NDArray[Any]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    source: str = ""

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def attributes(self) -> dict[str, list[str]]:
        """The features of each attribute."""
        found: dict[str, list[str]] = {}
        for clause in self.features:
            found.setdefault(attribute(clause), []).append(clause)
        return found

    @property
    def n_binary(self) -> int:
        """Number of binary features needed: an attribute of two values needs one."""
        return sum(1 if len(values) == 2 else len(values) for values in self.attributes.values())

    def without(self, attributes: Iterable[str]) -> Dataset:
        """Return the data set without some attributes."""
        dropped = set(attributes)
        kept = {
            clause: bits
            for clause, bits in self.features.items()
            if attribute(clause) not in dropped
        }
        return Dataset(self.name, kept, self.labels, self.about, self.counts, self.source)

    def only(self, attributes: Iterable[str]) -> Dataset:
        """Return the data set with only some attributes."""
        return self.without(set(self.attributes) - set(attributes))
