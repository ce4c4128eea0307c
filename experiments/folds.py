"""Ten fixed folds, and two ways to balance a rare class.

The authors' folds of the paper are not public; these are stratified, with a fixed seed. Where the
paper resamples (weapons are rare), it draws the smaller class with replacement until both are
equally large, after splitting. The same can be said without chance by weights, which only a
learner that takes weights can do: each class weighs as much as the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from experiments.dataset import Codes

__all__ = ["SEED", "Fold", "balanced_weights", "resampled", "split"]

SEED = 0
TEN = 10

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Fold:
    """Which rows train and which test."""

    number: int
    train: Rows
    test: Rows


def split(labels: Codes, n_folds: int = TEN) -> Iterator[Fold]:
    """Yield the first `n_folds` of ten folds.

    Examples
    --------
    >>> first, second = split(np.array([0, 1] * 10, np.int32), 2)
    >>> len(first.train), len(first.test), set(first.test) & set(second.test)
    (18, 2, set())
    """
    smallest = int(np.bincount(labels).min())
    folds = StratifiedKFold(min(TEN, smallest), shuffle=True, random_state=SEED)
    for number, (train, test) in enumerate(folds.split(np.zeros(len(labels)), labels)):
        if number == n_folds:
            return
        yield Fold(number, train, test)


def resampled(labels: Codes, fold: Fold) -> Rows:
    """Return the training rows with the smaller class drawn with replacement, as the paper does.

    Examples
    --------
    >>> labels = np.array([0] * 8 + [1] * 2, np.int32)
    >>> rows = resampled(labels, Fold(0, np.arange(10), np.arange(0)))
    >>> np.bincount(labels[rows]).tolist()
    [8, 8]
    """
    chance = np.random.default_rng((SEED, fold.number))
    train = [fold.train[labels[fold.train] == code] for code in (0, 1)]
    small = int(len(train[1]) < len(train[0]))
    train[small] = chance.choice(train[small], size=len(train[1 - small]), replace=True)
    return np.concatenate(train)


def balanced_weights(labels: Codes) -> NDArray[np.int64]:
    """Return whole weights with which both classes weigh the same.

    Examples
    --------
    >>> balanced_weights(np.array([0, 0, 0, 0, 1, 1], np.int32)).tolist()
    [1, 1, 1, 1, 2, 2]
    """
    negative, positive = (int(number) for number in np.bincount(labels, minlength=2))
    shared = math.gcd(negative, positive) or 1
    weights = np.array([positive, negative], np.int64) // shared
    return weights[labels]
