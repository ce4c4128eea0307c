"""Which features tell classes apart, where there are more than two.

The features with the most information about all classes at once are redundant: they tend to split
the classes in the same way. So features are chosen greedily: for every two classes, only those bits
count that the features chosen before have left open. Only weights by class are needed, so this
works wherever the rows are.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["tell_apart"]

_DIGITS = 12
# Numbers to hold at once, one for each feature and two classes.
_MOST_CELLS = 10**7


def tell_apart(
    inside: NDArray[np.int64],
    total: NDArray[np.int64],
    columns: Sequence[Hashable],
    given: Sequence[int],
    most: int,
) -> list[int]:
    """Choose features that together tell every two classes apart.

    Parameters
    ----------
    inside
        For each feature the weight by class of the rows that fulfil it, one row a feature.
    total
        The weight of all rows by class.
    columns
        What each feature is of. Features of one column that tell the same, as the two sides of a
        cut do, are chosen together.
    given
        The features that are chosen in any case.
    most
        How many to choose.

    Returns
    -------
    list of int
        The features, those that were given first, then in the order of the choice.

    Examples
    --------
    The third feature tells less than the second one, but what the first leaves open:

    >>> import numpy as np
    >>> from surelist.features.class_pairs import tell_apart
    >>> inside = np.array([[9, 0, 0], [8, 0, 0], [0, 6, 0]])
    >>> tell_apart(inside, np.array([9, 9, 9]), "abc", [], most=2)
    [0, 2]
    """
    pairs = _Pairs(total)
    chosen = list(given)
    rest = sorted(set(range(len(inside))).difference(given))
    rest = _shortlist(rest, [pairs.worth(inside[index]) for index in rest], pairs, most)
    left_open = np.ones(pairs.number)
    for index in given:
        left_open *= 1 - pairs.bits(inside[index])
    bits = np.array([pairs.bits(inside[index]) for index in rest]).reshape(len(rest), pairs.number)
    while rest and len(chosen) < most:
        worth = np.round(bits @ (pairs.weights * left_open), _DIGITS)
        best = int(worth.argmax())
        alike = np.array([columns[index] == columns[rest[best]] for index in rest])
        alike &= (bits == bits[best]).all(axis=1)
        chosen += [index for index, same in zip(rest, alike, strict=True) if same]
        left_open *= 1 - bits[best]
        rest = [index for index, same in zip(rest, alike, strict=True) if not same]
        bits = bits[~alike]
    return chosen[: max(most, len(given))]


class _Pairs:
    """Every two classes that have any weight."""

    def __init__(self, total: NDArray[np.int64]) -> None:
        self._classes = np.flatnonzero(total)
        self._total = total[self._classes].astype(np.float64)
        self._first, self._second = np.triu_indices(len(self._classes), 1)
        # A class of few rows that is never told apart costs little.
        share = self._total / self._total.sum()
        self.weights = np.sqrt(share[self._first] * share[self._second])

    @property
    def number(self) -> int:
        """How many there are."""
        return len(self._first)

    def bits(self, inside: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the bits, 0 to 1, that a feature tells about each two classes of equal size."""
        share = inside[self._classes] / self._total
        first, second = share[self._first], share[self._second]
        own = (_entropy(first) + _entropy(second)) / 2
        return np.clip(np.round(_entropy((first + second) / 2) - own, _DIGITS), 0, 1)

    def worth(self, inside: NDArray[np.int64]) -> float:
        """Return the bits that a feature tells on its own."""
        return round(float(self.weights @ self.bits(inside)), _DIGITS)


def _shortlist(rest: list[int], worth: list[float], pairs: _Pairs, most: int) -> list[int]:
    """Leave out the features that tell least, where there are too many to hold what all tell."""
    room = max(most, _MOST_CELLS // max(1, pairs.number))
    ranked = sorted(range(len(rest)), key=lambda place: (-worth[place], place))
    return [rest[place] for place in sorted(ranked[:room])]


def _entropy(share: NDArray[np.float64]) -> NDArray[np.float64]:
    inner = np.clip(share, np.finfo(float).tiny, 1.0)
    outer = np.clip(1 - share, np.finfo(float).tiny, 1.0)
    return -(share * np.log2(inner) + (1 - share) * np.log2(outer))
