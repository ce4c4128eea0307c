"""What lists predict, for many lists and rows at once.

Rows that the antecedents of a set do not tell apart are one point: every list predicts the same for
them. So whatever is asked of a million lists is asked about some hundred points.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from surelist.estimators.near_optimal.found import FoundLists
from surelist.estimators.near_optimal.source import Source

__all__ = ["Points", "labels_of_rows"]

_AT_ONCE = 1 << 24  # bytes of captures


class Points:
    """The training rows, as far as the antecedents of some lists tell them apart.

    Attributes
    ----------
    of_row : array
        The point of each row.
    captures : array of bool, antecedents used + 1 × points
        The last one captures everything: the default.
    """

    def __init__(self, source: Source, found: FoundLists) -> None:
        used = np.unique(found.prefixes[found.prefixes >= 0])
        matrix = source.prepared.data.matrix
        captured = [source.antecedents[index].captures(matrix) for index in used]
        rows = np.array(captured, dtype=np.bool_).reshape(len(used), len(matrix))
        packed = np.packbits(rows, axis=0).T
        lines = _lines(packed, len(matrix))
        _, first, inverse = np.unique(
            lines.view(np.dtype((np.void, lines.shape[1]))).ravel(),
            return_index=True,
            return_inverse=True,
        )
        self.of_row = inverse.ravel()
        self.captures = np.vstack([rows[:, first], np.ones((1, len(first)), np.bool_)])
        self._used = used
        self._found = found

    def __len__(self) -> int:
        return int(self.captures.shape[1])

    def predictions(self, lists: NDArray[np.intp]) -> Iterator[NDArray[np.uint16]]:
        """Return what these lists predict, some of them at a time: lists × points."""
        width = self._found.labels.shape[1]
        step = max(1, _AT_ONCE // max(1, width * len(self)))
        for start in range(0, len(lists), step):
            some = lists[start : start + step]
            yield labels_of_rows(
                self._place(self._found.prefixes[some]), self._found.labels[some], self.captures
            )

    def _place(self, prefixes: NDArray[np.int32]) -> NDArray[np.intp]:
        """Return the rows of ``captures`` for each rule; the last one after the last rule."""
        places = np.searchsorted(self._used, prefixes)
        places[prefixes < 0] = len(self._used)
        default = np.full((len(prefixes), 1), len(self._used))
        return np.hstack([places, default])


def labels_of_rows(
    places: NDArray[np.intp], labels: NDArray[np.uint16], captures: NDArray[np.bool_]
) -> NDArray[np.uint16]:
    """Return what each list predicts for each row: the label of the first rule that captures it."""
    rule = captures[places].argmax(axis=1)
    return np.take_along_axis(labels, rule, axis=1)


def _lines(packed: NDArray[np.uint8], n_rows: int) -> NDArray[np.uint8]:
    """Return rows of bytes that can be compared as a whole; without antecedents all are equal."""
    if packed.shape[1] == 0:
        return np.zeros((n_rows, 1), np.uint8)
    return np.ascontiguousarray(packed)
