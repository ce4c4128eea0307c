"""Other models to compare a rule list with, each learned from the rows of a fold alone.

Everything that is learned from data, also encodings and values for missing cells, is a step of the
model, so that it learns nothing from the rows it is tested on.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist.errors import InputError
from surelist.runs.rows import Rows
from surelist.tables.column import Column
from surelist.tables.files import label_texts

__all__ = ["MODELS", "Features", "Score", "features_of", "score_of"]

_MOST_CATEGORIES = 50

Codes = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Features:
    """Columns as numbers: categories by codes, what is missing as NaN.

    Attributes
    ----------
    values : ndarray of float
        A row for each row of the table.
    categories : list of bool
        Which columns hold codes of categories.
    """

    values: NDArray[np.float64]
    categories: list[bool]


def features_of(rows: Rows) -> Features:
    """Return the columns that rules may ask about as numbers."""
    columns = [rows.table.column(index) for index in range(len(rows.table.names))]
    values = np.column_stack([_numbers(column) for column in columns])
    return Features(values, [column.kind == "text" for column in columns])


def _numbers(column: Column) -> NDArray[np.float64]:
    if column.codes is not None:  # texts have no order, and ordinals have that of their codes
        values = column.codes.astype(np.float64)
    elif column.kind == "number":
        values = column.values.astype(np.float64)
    else:
        values = column.values.astype("datetime64[s]").astype(np.int64) / 86_400.0
    # Infinite values are no numbers to most models.
    return np.where(column.missing | ~np.isfinite(values), np.nan, values)


def _one_hot(categories: list[bool], numbers: Any) -> Any:
    from sklearn.compose import ColumnTransformer
    from sklearn.preprocessing import OneHotEncoder

    encoder = OneHotEncoder(
        handle_unknown="infrequent_if_exist", max_categories=_MOST_CATEGORIES, sparse_output=False
    )
    texts = np.flatnonzero(categories)
    others = np.flatnonzero(~np.array(categories, dtype=np.bool_))
    return ColumnTransformer([("texts", encoder, texts), ("numbers", numbers, others)])


def _majority(_: list[bool], __: Any, ___: int) -> Any:
    from sklearn.dummy import DummyClassifier

    return DummyClassifier(strategy="most_frequent")


def _tree(categories: list[bool], class_weight: Any, length: int) -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.tree import DecisionTreeClassifier

    if length == 0:
        return _majority(categories, class_weight, length)
    tree = DecisionTreeClassifier(
        max_leaf_nodes=length + 1, class_weight=class_weight, random_state=0
    )
    return make_pipeline(_one_hot(categories, "passthrough"), tree)


def _logistic(categories: list[bool], class_weight: Any, _: int) -> Any:
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    filled = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
    model = LogisticRegression(max_iter=1000, class_weight=class_weight)
    return make_pipeline(_one_hot(categories, make_pipeline(filled, StandardScaler())), model)


def _boosting(categories: list[bool], class_weight: Any, _: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.pipeline import make_pipeline

    model = HistGradientBoostingClassifier(class_weight=class_weight, random_state=0)
    return make_pipeline(_one_hot(categories, "passthrough"), model)


@dataclass(frozen=True)
class Model:
    """A model to compare with: its name, its description, and how to make one."""

    key: str
    name: str
    about: str
    make: Callable[[list[bool], Any, int], Any]

    def predict(
        self, train: Features, codes: Codes, test: Features, class_weight: Any, length: int
    ) -> Codes:
        """Learn from some rows, and predict the classes of others.

        ``length`` is that of the rule list that was learned from the same rows.
        """
        model = self.make(train.categories, class_weight, length)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a model that has not converged predicts, too
            found: Codes = model.fit(train.values, codes).predict(test.values).astype(np.intp)
        return found


MODELS = (
    Model("majority", "Majority", "always the most frequent class", _majority),
    Model("tree", "Tree of the same size", "CART, as many leaves as the list has labels", _tree),
    Model("logistic", "Logistic regression", "on all columns, not readable as rules", _logistic),
    Model("boosting", "Gradient boosting", "hundreds of trees, usually a ceiling", _boosting),
)


@dataclass(frozen=True, eq=False)
class Score:
    """A column that predicts already: a score with a threshold, or classes.

    Attributes
    ----------
    values : ndarray
        Numbers, or codes of classes; NaN or -1 where a row has none.
    threshold : float or None
        None: the one with the highest accuracy on the training rows.
    positive : int
        The class that is predicted at the threshold and beyond.
    above : bool
        Whether scores above the threshold mean this class; else those below.
    """

    values: NDArray[Any]
    classes: bool
    threshold: float | None
    positive: int
    above: bool

    def predict(
        self, train: Codes, codes: Codes, weights: NDArray[np.float64], test: Codes
    ) -> tuple[Codes, float | None]:
        """Return what is predicted for some rows, and the threshold.

        ``train`` and ``test`` are positions of rows; ``codes`` and ``weights`` are for all rows.
        Rows without a score get the most frequent class of the rows learned from.
        """
        usual = int(np.bincount(codes[train], minlength=2).argmax())
        values = self.values[test]
        if self.classes:
            return np.where(values < 0, usual, values), None
        threshold = self.threshold
        if threshold is None:
            threshold = self._best(self.values[train], codes[train], weights[train])
        beyond = values >= threshold if self.above else values <= threshold
        found = np.where(beyond, self.positive, 1 - self.positive)
        return np.where(np.isnan(values), usual, found), threshold

    def _best(self, values: Any, codes: Codes, weights: NDArray[np.float64]) -> float:
        """Return the threshold with the most weight right; of several, the one met first."""
        known = ~np.isnan(values)
        if not known.any():
            return 0.0
        sign = 1.0 if self.above else -1.0
        order = np.argsort(sign * values[known], kind="stable")
        ordered, right = values[known][order], codes[known][order] == self.positive
        weight = weights[known][order]
        # Right with the threshold at each value: negatives before it, positives from there on.
        before = np.concatenate([[0.0], np.cumsum(np.where(right, 0.0, weight))[:-1]])
        after = np.cumsum(np.where(right, weight, 0.0)[::-1])[::-1]
        first = np.concatenate([[True], ordered[1:] != ordered[:-1]])
        return float(ordered[first][int((before + after)[first].argmax())])


def score_of(rows: Rows, how: Mapping[str, Any]) -> Score:
    """Return the column that predicts already.

    Raises
    ------
    InputError
        Where the column predicts nothing: texts that are no classes, or dates.
    """
    column = rows.source.table.named_column(how["column"], "a score")
    classes = [str(label) for label in rows.classes]
    if column.kind == "number":
        if len(classes) != 2:
            raise InputError("a score with a threshold tells two classes apart; there are more")
        if how.get("positive") not in classes:
            raise InputError(f"the class of high scores must be one of {', '.join(classes)}")
        values = np.where(column.missing, np.nan, column.values.astype(np.float64))
        positive = classes.index(how["positive"])
        return Score(values, False, how.get("threshold"), positive, how.get("above", True))
    texts = label_texts(column)
    unknown = next((text for text in texts if text is not None and text not in classes), None)
    if unknown is not None:
        raise InputError(
            f"{column.name!r} holds {unknown!r}, which is neither a number nor a class; "
            "choose a column of scores or of predictions"
        )
    codes = np.array([-1 if text is None else classes.index(text) for text in texts], dtype=np.intp)
    return Score(codes, True, None, 0, True)
