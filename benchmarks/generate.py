"""Generated problems that grow in one thing at a time, the same on every machine.

Every problem hides a rule list of three rules among random antecedents and then flips a share of
the labels, as data do that people care about. Smaller problems are parts of larger ones: columns
and groups are drawn from streams of their own, so a problem with more antecedents has those of the
smaller one, and one with more groups has the smaller one's groups. What changes between two
problems of a series is therefore only the thing that the series grows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["planted", "repeated"]

Matrix = NDArray[np.uint8]
Labels = NDArray[np.int32]

# Noise on whole groups, which no bound can discount, and on single rows, which become minorities.
_GROUP_NOISE, _ROW_NOISE = 0.2, 0.05


def planted(rows: int, groups: int, antecedents: int, seed: int = 0) -> tuple[Matrix, Labels]:
    """Draw rows that a rule list of three rules labels, up to noise.

    Parameters
    ----------
    rows : int
    groups : int
        Patterns that the rows are drawn from, at most `rows`; each occurs at least once. They
        differ from each other where there are enough antecedents, by chance.
    antecedents : int
        At least three; the first three make up the hidden rule list.
    seed : int

    Returns
    -------
    captures : ndarray of uint8, shape (rows, antecedents)
    labels : ndarray of int32, shape (rows,)

    Examples
    --------
    >>> captures, labels = planted(rows=100, groups=10, antecedents=20)
    >>> captures.shape, len(np.unique(captures, axis=0))
    ((100, 20), 10)
    >>> bool((planted(100, 10, 4)[0] == captures[:, :4]).all())
    True
    """
    if not 0 < groups <= rows or antecedents < 3:
        raise ValueError("need 0 < groups <= rows, and three antecedents or more")
    patterns = np.stack([_column(seed, index, groups) for index in range(antecedents)], axis=1)
    rng = np.random.default_rng([seed, 0])
    member = np.concatenate([np.arange(groups), rng.integers(0, groups, rows - groups)])
    flipped = np.random.default_rng([seed, 1]).random(groups) < _GROUP_NOISE
    labels = (_hidden_rule_list(patterns) ^ flipped)[member] ^ (rng.random(rows) < _ROW_NOISE)
    return patterns[member], labels.astype(np.int32)


def repeated(captures: Matrix, labels: Labels, times: int, seed: int = 0) -> tuple[Matrix, Labels]:
    """Repeat every row, in random order: more data, but the same search.

    Examples
    --------
    >>> captures, labels = repeated(*planted(100, 10, 5), times=3)
    >>> captures.shape, int(labels.sum()) == 3 * int(planted(100, 10, 5)[1].sum())
    ((300, 5), True)
    """
    order = np.tile(np.arange(len(labels)), times)
    np.random.default_rng(seed).shuffle(order)
    return captures[order], labels[order]


def _column(seed: int, index: int, groups: int) -> NDArray[np.uint8]:
    rng = np.random.default_rng([seed, 2 + index])
    share = rng.uniform(0.05, 0.5)
    return (rng.random(groups) < share).astype(np.uint8)


def _hidden_rule_list(patterns: Matrix) -> NDArray[np.bool_]:
    first, second, third = (patterns[:, index] == 1 for index in range(3))
    return np.asarray(first | (~second & third), np.bool_)
