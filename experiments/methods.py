"""The other methods of the paper: those of scikit-learn here, the rest in processes of their own.

The paper used R's packages with their defaults. Logistic regression, support vector machines,
AdaBoost and random forests are scikit-learn's; CART is scikit-learn's tree, pruned as R does
(`experiments.cart`). The inputs are the single-clause antecedents, as in the paper.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments import peers
from experiments.cart import Cart
from experiments.context import Context, Family, say
from experiments.dataset import Bits, Codes, Dataset
from experiments.folds import Fold, resampled
from experiments.lists import NamedList
from experiments.peers import Model
from experiments.scores import accuracy, rates

__all__ = [
    "PEER_MODELS",
    "Prediction",
    "Scored",
    "matrix_of",
    "ours",
    "peer_scores",
    "scikit",
    "score",
    "train_rows",
    "trees",
]

Matrix = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Scored:
    """One method with one setting: a value for each fold."""

    method: str
    setting: str
    sizes: tuple[float, ...]
    test: tuple[float, ...]
    train: tuple[float, ...]
    tpr: tuple[float, ...]
    fpr: tuple[float, ...]

    @property
    def name(self) -> str:
        """Method and setting."""
        return f"{self.method} ({self.setting})" if self.setting else self.method


@dataclass(frozen=True, eq=False)
class Prediction:
    """Predictions of a model of one fold, and its size; NaN if it has none."""

    train: Codes
    test: Codes
    size: float = float("nan")


def score(
    method: str,
    setting: str,
    data: Dataset,
    folds: Sequence[tuple[NDArray[np.intp], Fold]],
    predictions: Iterable[Prediction],
) -> Scored:
    """Score the predictions of the available folds; training rows are those the model saw."""
    sizes, test, train, positive = [], [], [], []
    for (rows, fold), each in zip(folds, predictions, strict=False):
        sizes.append(each.size)
        train.append(accuracy(data.labels[rows], each.train))
        test.append(accuracy(data.labels[fold.test], each.test))
        positive.append(rates(data.labels[fold.test], each.test))
    tpr, fpr = zip(*positive, strict=True)
    return Scored(method, setting, tuple(sizes), tuple(test), tuple(train), tpr, fpr)


def matrix_of(data: Dataset) -> Matrix:
    """Return the features as a matrix, without negations."""
    columns: list[Bits] = [bits for name, bits in data.features.items() if " ≠ " not in name]
    return np.stack(columns, axis=1).astype(np.uint8)


def train_rows(context: Context, letter: str) -> list[tuple[NDArray[np.intp], Fold]]:
    """Return the rows to train on, drawn with replacement for NYCLU, and the folds."""
    data = context.data(letter)
    folds = context.folds(letter)
    if letter == "E":
        return [(resampled(data.labels, fold), fold) for fold in folds]
    return [(fold.train, fold) for fold in folds]


# --- Ours ---------------------------------------------------------------------------------------


def ours(context: Context, family: Family) -> Scored:
    """Score the rule lists of all folds."""
    data = context.data(family.data)
    folds = train_rows(context, family.data)
    lists = [outcome.rule_list for outcome in context.outcomes(family)]
    predictions = [
        _of_list(each, data, rows, fold)
        for each, (rows, fold) in zip(lists, folds, strict=False)  # not all may have been searched
    ]
    return score("Surelist", f"λ = {family.regularization}", data, folds, predictions)


def _of_list(rule_list: NamedList, data: Dataset, rows: NDArray[np.intp], fold: Fold) -> Prediction:
    predicted = rule_list.predict(data.features)
    # A rule list is a tree with a leaf for each rule and one for the default.
    return Prediction(predicted[rows], predicted[fold.test], len(rule_list) + 1)


# --- scikit-learn -------------------------------------------------------------------------------

# Takes rows, labels and weights.
Make = Callable[[Matrix, Codes, NDArray[np.int64]], Any]


def _fit_forest(X: Matrix, y: Codes, weights: NDArray[np.int64]) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    # It samples rows, so equal rows must not be merged.
    times = np.repeat(np.arange(len(y)), weights)
    return RandomForestClassifier(random_state=0).fit(X[times], y[times])


def _fit_logistic(X: Matrix, y: Codes, weights: NDArray[np.int64]) -> Any:
    from sklearn.linear_model import LogisticRegression

    # In effect no penalty, in every version.
    return LogisticRegression(C=1e6, max_iter=1000).fit(X, y, weights)


def _fit_svm(X: Matrix, y: Codes, weights: NDArray[np.int64]) -> Any:
    from sklearn.svm import SVC, LinearSVC

    # The kernel of R's default takes too long on many different rows.
    if len(y) > 3000:
        return LinearSVC(random_state=0).fit(X, y, weights)
    return SVC().fit(X, y, weights)


def _fit_adaboost(X: Matrix, y: Codes, weights: NDArray[np.int64]) -> Any:
    from sklearn.ensemble import AdaBoostClassifier

    return AdaBoostClassifier(random_state=0).fit(X, y, weights)


def _fit_cart(cp: float) -> Make:
    def fit(X: Matrix, y: Codes, weights: NDArray[np.int64]) -> Any:
        return Cart(cp).fit(X, y, weights)

    return fit


_PANEL: dict[str, Make] = {
    "GLM": _fit_logistic,
    "SVM": _fit_svm,
    "AdaBoost": _fit_adaboost,
    "CART": _fit_cart(0.01),
    "RF": _fit_forest,
}


def scikit(context: Context, letter: str) -> list[Scored]:
    """Score the methods of the paper's panel that scikit-learn has."""

    def fit() -> list[Scored]:
        return [_fitted(context, letter, name, "", make) for name, make in _PANEL.items()]

    return context.once(("scikit", letter), fit)


def trees(context: Context, letter: str) -> list[Scored]:
    """Score CART with several complexity parameters."""

    def fit() -> list[Scored]:
        return [
            _fitted(context, letter, "CART", f"cp = {cp}", _fit_cart(cp))
            for cp in (0.001, 0.003, 0.01, 0.03, 0.1)
        ]

    return context.once(("trees", letter), fit)


def _fitted(context: Context, letter: str, name: str, setting: str, make: Make) -> Scored:
    data, folds = context.data(letter), train_rows(context, letter)
    X = matrix_of(data)
    predictions = []
    for rows, fold in folds:
        patterns, labels, weights = _collapse(X[rows], data.labels[rows])
        with warnings.catch_warnings():
            # A method that does not converge shows it in its scores.
            warnings.simplefilter("ignore")
            model = make(patterns, labels, weights)
        leaves = getattr(model, "get_n_leaves", None)
        size = float(leaves()) if leaves else float("nan")
        predictions.append(
            Prediction(_predicted(model, X[rows]), _predicted(model, X[fold.test]), size)
        )
    say(f"  {name} {setting}".rstrip())
    return score(name, setting, data, folds, predictions)


def _predicted(model: Any, X: Matrix) -> Codes:
    """Predict each different row once."""
    patterns, inverse = np.unique(X, axis=0, return_inverse=True)
    return np.asarray(model.predict(patterns), np.int32)[inverse.ravel()]


def _collapse(X: Matrix, y: Codes) -> tuple[Matrix, Codes, NDArray[np.int64]]:
    """Merge equal rows of one class into one with a weight, which these methods treat alike."""
    joined, number = np.unique(np.column_stack([X, y]), axis=0, return_counts=True)
    return (
        np.ascontiguousarray(joined[:, :-1], np.uint8),
        joined[:, -1].astype(np.int32),
        number.astype(np.int64),
    )


# --- Peers --------------------------------------------------------------------------------------

C45 = tuple(Model("C4.5", f"C = {c}", "J48", {"C": c}) for c in (0.05, 0.15, 0.25, 0.35, 0.45))
RIPPER = Model("RIPPER", "", "JRip", {})
BAYES = Model("SBRL", "η = 3, λ = 9", "BRL", {"listlengthprior": 9, "listwidthprior": 3})
PEER_MODELS = {"A": (*C45, RIPPER, BAYES), "E": C45}


def peer_scores(context: Context, letter: str) -> tuple[list[Scored], dict[str, str]]:
    """Score C4.5, RIPPER and Bayesian rule lists, or record why one is missing."""

    def measure() -> tuple[list[Scored], dict[str, str]]:
        data, folds = context.data(letter), train_rows(context, letter)
        results, notes = peers.measure(
            PEER_MODELS[letter], matrix_of(data), data.labels, folds, context.options.long_limit
        )
        scored = []
        for model, per_fold in results.items():
            predictions = [
                Prediction(one.train[rows], one.test, one.size)
                for one, (rows, _) in zip(per_fold, folds, strict=False)
            ]
            scored.append(score(model.method, model.setting, data, folds, predictions))
        return scored, notes

    if not context.options.peers:
        return [], {"C4.5, RIPPER, SBRL": "not asked for (--peers)"}
    return context.once(("peers", letter), measure)
