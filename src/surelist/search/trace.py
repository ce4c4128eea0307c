"""The trace of a search: its counters, and samples of its course over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Trace"]


@dataclass(frozen=True, eq=False)
class Trace:
    """Counters of a finished search and, where samples were asked for, its course.

    Attributes
    ----------
    counters : dict of str to number
        Totals: prefixes ``expanded``, objectives ``evaluated``, ``queue_insertions``,
        ``max_queue``, ``longest_prefix``, ``improvements``, ``time`` and ``time_to_optimum`` in
        seconds, ``memory`` and ``max_memory`` in bytes, and more.
    pruned : dict of str to int
        How many prefixes each bound, and the symmetry map, cut off.
    time, objective, lower_bound, expanded, evaluated, insertions, memory, length : ndarray
        One value per sample; ``length`` is that of the best rule list so far.
    proven_length : ndarray
        No list of up to so many rules was better, at each sample.
    remaining_fine, remaining_coarse : ndarray
        log10 of the upper bounds on the remaining search space.
    queue_logical, queue_physical : ndarray of shape (samples, longest prefix + 1)
        How many prefixes of each length wait in the queue.
    pruned_by : dict of str to ndarray
        ``pruned`` at each sample.
    improved : ndarray of bool
        Whether the sample was taken because a better rule list was found.

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> model = RuleListClassifier(trace_interval=0.01).fit([[0, 1], [1, 0]] * 5, [0, 1] * 5)
    >>> bool((model.trace_.lower_bound <= model.trace_.objective).all())
    True
    """

    counters: dict[str, float]
    pruned: dict[str, int]
    time: NDArray[np.float64]
    objective: NDArray[np.float64]
    lower_bound: NDArray[np.float64]
    expanded: NDArray[np.int64]
    evaluated: NDArray[np.int64]
    insertions: NDArray[np.int64]
    queue_logical: NDArray[np.int64]
    queue_physical: NDArray[np.int64]
    memory: NDArray[np.int64]
    remaining_fine: NDArray[np.float64]
    remaining_coarse: NDArray[np.float64]
    length: NDArray[np.int64]
    pruned_by: dict[str, NDArray[np.int64]]
    improved: NDArray[np.bool_]
    proven_length: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.time)

    def __bool__(self) -> bool:
        # A trace without samples still has its counters.
        return True

    @classmethod
    def of(cls, search: Any) -> Trace:
        """Collect the counters and samples of a search, or of what has the same attributes."""
        samples: Mapping[str, Any] = search.trace
        pruned = dict(search.pruned)
        return cls(
            counters=dict(search.counters),
            pruned=pruned,
            **{name: _column(samples[name], np.float64) for name in _REAL},
            **{name: _column(samples[name], np.int64) for name in _WHOLE},
            queue_logical=_table(samples["queue_logical"]),
            queue_physical=_table(samples["queue_physical"]),
            pruned_by={
                name: _column([sample[name] for sample in samples["pruned"]], np.int64)
                for name in pruned
            },
            improved=_column(samples["improved"], np.bool_),
        )


_REAL = ("time", "objective", "lower_bound", "remaining_fine", "remaining_coarse")
_WHOLE = ("expanded", "evaluated", "insertions", "memory", "length", "proven_length")


def _column(values: Sequence[Any], dtype: type) -> NDArray[Any]:
    array: NDArray[Any] = np.asarray(values, dtype=dtype)
    array.setflags(write=False)
    return array


def _table(rows: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """Rows of different lengths, filled up with zeros."""
    width = max(map(len, rows), default=0)
    table = np.zeros((len(rows), width), dtype=np.int64)
    for index, row in enumerate(rows):
        table[index, : len(row)] = row
    table.setflags(write=False)
    return table
