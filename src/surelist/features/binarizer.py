"""Binarizer: raw columns into named Boolean features.

What a feature asks of its column is a `Condition`, so a threshold found in training is kept to the
last digit for prediction, and a reader sees ``age < 25`` instead of a column number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from surelist.errors import InputError
from surelist.features.binarization import (
    Binarization,
    column_names,
    feature_matrix,
    feature_names,
    fit_conditions,
)
from surelist.features.column_conditions import Labelled
from surelist.tables.labels import read_labels
from surelist.tables.table import read_table
from surelist.tables.weights import read_sample_weights, whole_weights

__all__ = ["Binarizer"]


class Binarizer(TransformerMixin, Binarization, BaseEstimator):  # type: ignore[misc]
    """Cut raw columns into Boolean features with readable names.

    ========================  =====================================================
    column                    features
    ========================  =====================================================
    bools, or only 0 and 1    one, under the column's own name
    numbers, dates            ``age < 25`` and ``age ≥ 25`` for each cut
    text, categories          ``sex = Male`` for each; rare ones ``race in {a, b}``
    ordered categories        ``grade < B`` and ``grade ≥ B`` for each cut
    ========================  =====================================================

    A column in which values are missing also gets ``age is missing``. A missing value fulfils no
    other condition, and neither does a category that ``fit`` has not seen, such as a 2 in a column
    of 0 and 1. Columns without at least two different values give no features, but for those of 0
    and 1.

    Parameters
    ----------
    strategy : str, default="auto"
        How to cut numbers and dates. "supervised" cuts where the entropy of the labels is least
        over all ways to cut the column; one with more than 256 values is cut between 256 parts of
        about equal weight, and a cut moves by up to a 500th of the weight to where a shorter number
        is. "quantile" cuts into parts of equal weight, "uniform" into
        parts of equal width. "auto" is "supervised" where ``fit`` gets classes, else "quantile".
    n_cuts : int or "all", default=3
        Cuts per column, at most. "all" cuts wherever two values differ, at the shortest number
        between them: `RuleListClassifier` then searches all cuts, see docs/all_cuts.md.
    intervals : bool, default=False
        Whether to add the intervals between neighbouring cuts, such as ``23 ≤ age ≤ 25``; with
        "all", those between any two cuts.
    min_frequency : float, default=0.01
        Categories of a smaller share of the weight are merged into one, and supervised cuts leave
        at least this share on each side.
    max_features : int, optional
        Keep only so many features: those that tell most about the labels, each for itself, or
        without labels the most balanced. Of the features of one column the second best counts
        half, the third a quarter, and so on, so that several columns are represented. Of three
        classes or more every two are to be told apart: the next feature is always the one that
        tells most of what those chosen before have left open. Columns of 0 and 1 are kept in any
        case.
    columns : dict, optional
        What to do with single columns, by name: a strategy; a number of cuts, or "all"; a list of
        cuts; a list of all values of a text column from the lowest to the highest, which makes it
        ordinal; "category", to take numbers as categories; or "drop".

    Attributes
    ----------
    conditions_ : tuple of Condition
        What each feature asks of its column.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where X had names.

    Examples
    --------
    >>> from surelist import Binarizer
    >>> X = [[19, "Male"], [23, "Male"], [31, "Female"], [48, "Female"]]
    >>> binarizer = Binarizer(n_cuts=1).fit(X, ["yes", "yes", "no", "no"])
    >>> binarizer.get_feature_names_out().tolist()
    ['x0 < 30', 'x0 ≥ 30', 'x1 = Female', 'x1 = Male']
    >>> binarizer.transform([[30, "Male"], [None, "Other"]]).tolist()
    [[0, 1, 0, 1], [0, 0, 0, 0]]
    """

    def __init__(
        self,
        strategy: str = "auto",
        *,
        n_cuts: int | str = 3,
        intervals: bool = False,
        min_frequency: Any = 0.01,
        max_features: int | None = None,
        columns: Mapping[str, Any] | None = None,
    ) -> None:
        self.strategy = strategy
        self.n_cuts = n_cuts
        self.intervals = intervals
        self.min_frequency = min_frequency
        self.max_features = max_features
        self.columns = columns

    @classmethod
    def of(cls, plain: Binarization) -> Self:
        """Return a Binarizer with the parameters, and where there is one the state, of another."""
        binarizer = cls()
        for name, value in vars(plain).items():
            setattr(binarizer, name, value)
        return binarizer

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Choose the conditions.

        Parameters
        ----------
        X : data frame or array-like of shape (rows, columns)
        y : array-like of one label per row, optional
            The classes, for supervised cuts.
        sample_weight : array-like of one number per row, optional
            As for `RuleListClassifier`.

        Raises
        ------
        InputError
            For parameters or columns that cannot be used.
        """
        table = read_table(X)
        if table.n_rows == 0:
            raise InputError("Found array with 0 sample(s): at least one row is needed to fit")
        conditions = fit_conditions(self, table, _labelled(self, y, sample_weight, table.n_rows))
        validate_data(self, X, skip_check_array=True)
        self.conditions_ = conditions
        self._names = feature_names(conditions)
        return self

    def transform(self, X: Any) -> NDArray[np.uint8]:
        """Return the features as a matrix of 0 and 1."""
        check_is_fitted(self)
        table = read_table(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        return feature_matrix(table, self.conditions_, column_names(self))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the text of each condition."""
        check_is_fitted(self)
        _check_feature_names_in(self, input_features)
        return np.array(self._names, dtype=object)

    @property
    def _n_features_out(self) -> int:
        return len(self.conditions_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def _labelled(binarizer: Binarizer, y: Any, sample_weight: Any, n_rows: int) -> Labelled:
    weights = np.ones(n_rows, dtype=np.int64)
    if sample_weight is not None:
        weights = whole_weights(read_sample_weights(sample_weight, n_rows))
    codes, n_classes = np.zeros(n_rows, dtype=np.int32), 1
    if y is not None and binarizer.strategy in ("auto", "supervised"):
        try:
            labels = read_labels(y, n_rows)
        except InputError:
            # Targets that are no classes are no reason not to cut; a wrong number of them is.
            if binarizer.strategy == "supervised" or np.shape(y)[:1] != (n_rows,):
                raise
        else:
            codes, n_classes = labels.codes, len(labels.classes)
    return Labelled(codes, weights, n_classes)
