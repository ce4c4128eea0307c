"""CART as R's rpart does it: grown by Gini impurity, pruned by misclassification.

scikit-learn prunes by impurity, which keeps far less for the same complexity parameter: the first
split of ProPublica removes a fifth of the errors and a twentieth of the impurity. So its tree is
grown in full and pruned here. A split stays if it saves more than ``cp`` of the root's errors for
each leaf that it adds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Cart"]

# rpart's least weights of a set to split and of a leaf.
_LEAST_SPLIT, _LEAST_LEAF = 20, 7


class Cart:
    """A pruned tree.

    Parameters
    ----------
    cp : float
        Complexity parameter.

    Examples
    --------
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 10, np.uint8)
    >>> y = X[:, 0].astype(np.int32)
    >>> tree = Cart(0.01).fit(X, y, np.ones(40, np.int64))
    >>> tree.get_n_leaves(), tree.predict(X[:4]).tolist()
    (2, [0, 0, 1, 1])
    """

    def __init__(self, cp: float) -> None:
        self.cp = cp

    def fit(self, X: NDArray[np.uint8], y: NDArray[np.int32], weights: NDArray[np.int64]) -> Cart:
        """Grow and prune."""
        from sklearn.tree import DecisionTreeClassifier

        total = float(weights.sum())
        grown = DecisionTreeClassifier(
            min_weight_fraction_leaf=min(_LEAST_LEAF / total, 0.5), random_state=0
        ).fit(X, y, weights)
        self._grown: Any = grown
        tree = grown.tree_
        # Weights by class, whether the version at hand stores weights or shares.
        counts = tree.value[:, 0, :] / tree.value[:, 0, :].sum(axis=1, keepdims=True)
        counts = counts * tree.weighted_n_node_samples[:, None]
        self._errors = counts.sum(axis=1) - counts.max(axis=1)
        self._labels = grown.classes_[counts.argmax(axis=1)]
        self._is_leaf = np.ones(tree.node_count, bool)
        self._price = self.cp * float(self._errors[0])
        self._leaves = self._prune(0)[1]
        return self

    def _prune(self, place: int) -> tuple[float, int]:
        """Decide below one place; return errors with a price for each leaf, and leaves."""
        tree = self._grown.tree_
        alone = float(self._errors[place]) + self._price
        left, right = int(tree.children_left[place]), int(tree.children_right[place])
        if left < 0 or tree.weighted_n_node_samples[place] < _LEAST_SPLIT:
            return alone, 1
        below = [self._prune(left), self._prune(right)]
        cost, leaves = below[0][0] + below[1][0], below[0][1] + below[1][1]
        if alone <= cost + 1e-9:
            return alone, 1
        self._is_leaf[place] = False
        return cost, leaves

    def get_n_leaves(self) -> int:
        """Return how many leaves are left."""
        return self._leaves

    def predict(self, X: NDArray[np.uint8]) -> NDArray[np.int32]:
        """Return the label of the leaf that each row falls into."""
        tree = self._grown.tree_
        place = np.zeros(len(X), np.intp)
        while (inner := ~self._is_leaf[place]).any():
            value = X[np.arange(len(X)), np.maximum(tree.feature[place], 0)]
            left = value <= tree.threshold[place]
            child = np.where(left, tree.children_left[place], tree.children_right[place])
            place = np.where(inner, child, place)
        labels: NDArray[np.int32] = np.asarray(self._labels[place], np.int32)
        return labels
