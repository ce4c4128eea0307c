"""How good predictions are."""

from __future__ import annotations

from experiments.context import rows_of
from experiments.dataset import Codes, Dataset
from experiments.folds import Fold
from experiments.lists import NamedList

__all__ = ["accuracy", "list_accuracy", "list_rates", "rates"]


def accuracy(actual: Codes, predicted: Codes) -> float:
    """Return the share of right predictions."""
    return float((actual == predicted).mean())


def rates(actual: Codes, predicted: Codes) -> tuple[float, float]:
    """Return the true and the false positive rate.

    Examples
    --------
    >>> import numpy as np
    >>> rates(np.array([1, 1, 0, 0, 0]), np.array([1, 0, 0, 0, 1]))
    (0.5, 0.3333333333333333)
    """
    positive = actual == 1
    hits = predicted == 1
    return float(hits[positive].mean()), float(hits[~positive].mean())


def list_rates(rule_list: NamedList, data: Dataset, fold: Fold) -> tuple[float, float]:
    """Return a rule list's rates on a fold's test rows."""
    predicted = rule_list.predict(rows_of(data.features, fold.test))
    return rates(data.labels[fold.test], predicted)


def list_accuracy(rule_list: NamedList, data: Dataset, fold: Fold) -> tuple[float, float]:
    """Return a rule list's accuracy on a fold's test and training rows."""
    predicted = rule_list.predict(data.features)
    hits = predicted == data.labels
    return float(hits[fold.test].mean()), float(hits[fold.train].mean())
