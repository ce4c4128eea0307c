"""Measure scikit-learn: trees tuned by cross-validation, and gradient boosting."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.keel.data import Rows
from benchmarks.keel.one import Fitted, Request, serve

# How CART is tuned: sizes up to its limit, and how small leaves may be.
_SIZES = (2, 3, 4, 6, 8, 12, 16, 24, 32)
_LEAST_LEAF = (1, 5, 20)
_FOLDS, _SEED = 5, 0


def fit(rows: Rows, request: Request) -> Fitted:
    """Fit the one asked for."""
    if request.options["model"] == "boosting":
        return _boosting(rows)
    return cart(rows, request.options["leaves"], exactly=request.options["exactly"])


def cart(rows: Rows, leaves: int, *, exactly: bool) -> Fitted:
    """Fit a tree of so many leaves, or of the best number up to that."""
    from sklearn.dummy import DummyClassifier
    from sklearn.model_selection import GridSearchCV, StratifiedKFold
    from sklearn.tree import DecisionTreeClassifier

    X, y = _one_hot(rows), rows.labels
    if leaves < 2:
        model: Any = DummyClassifier().fit(X, y)
        return Fitted(lambda rows: model.predict(_one_hot(rows)), {"lines": 1, "clauses": 0})
    grid = {
        "max_leaf_nodes": [leaves] if exactly else [size for size in _SIZES if size <= leaves],
        "min_samples_leaf": _LEAST_LEAF,
        "criterion": ["gini", "entropy"],
    }
    folds = StratifiedKFold(_FOLDS, shuffle=True, random_state=_SEED)
    model = GridSearchCV(DecisionTreeClassifier(random_state=_SEED), grid, cv=folds).fit(X, y)
    found = int(model.best_estimator_.get_n_leaves())
    return Fitted(
        lambda rows: model.predict(_one_hot(rows)), {"lines": found, "clauses": found - 1}
    )


def _boosting(rows: Rows) -> Fitted:
    from sklearn.ensemble import HistGradientBoostingClassifier

    texts = rows.columns.texts
    # The most categories that it takes as such; of more, the codes are numbers to it.
    is_category = [each is not None and len(each) <= 255 for each in texts]
    model = HistGradientBoostingClassifier(categorical_features=is_category, random_state=_SEED)
    model.fit(rows.columns.values, rows.labels)
    return Fitted(lambda rows: np.asarray(model.predict(rows.columns.values)))


def _one_hot(rows: Rows) -> NDArray[np.float64]:
    """Give each text a column of 0 and 1: CART takes codes for numbers."""
    columns = []
    for index, texts in enumerate(rows.columns.texts):
        values = rows.columns.values[:, index]
        if texts is None:
            columns.append(values)
        else:
            columns += [(values == code).astype(np.float64) for code in range(len(texts))]
    return np.stack(columns, axis=1)


if __name__ == "__main__":
    serve(fit)
