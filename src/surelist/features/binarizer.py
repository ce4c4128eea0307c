"""Binarizer: raw columns into named Boolean features.

What a feature asks of its column is a `Condition`, so a threshold found in training is kept to the
last digit for prediction, and a reader sees ``age < 25`` instead of a column number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from surelist._common.messages import shown
from surelist.conditions.conditions import Condition
from surelist.errors import InputError
from surelist.features.class_pairs import tell_apart
from surelist.features.column_conditions import Choice, Counted, Labelled, column_conditions
from surelist.tables.column_names import default_names
from surelist.tables.labels import read_labels
from surelist.tables.regularization import exact
from surelist.tables.table import Table, read_table
from surelist.tables.weights import read_sample_weights, whole_weights

__all__ = [
    "Binarizer",
    "choose_conditions",
    "column_names",
    "feature_matrix",
    "feature_names",
    "fit_conditions",
]

_STRATEGIES = ("auto", "supervised", "quantile", "uniform")
_NEXT_OF_COLUMN = 0.5  # what a column's next feature counts; see docs/raw_tables.md
_DIGITS = 12


class Binarizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
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
    n_cuts : int, default=3
        Cuts per column, at most.
    intervals : bool, default=False
        Whether to add the intervals between neighbouring cuts, such as ``23 ≤ age ≤ 25``.
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
        What to do with single columns, by name: a strategy; a number of cuts; a list of cuts; a
        list of all values of a text column from the lowest to the highest, which makes it ordinal;
        "category", to take numbers as categories; or "drop".

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
        n_cuts: int = 3,
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


def column_names(fitted: Any) -> tuple[str, ...]:
    """Return the names that a fitted estimator's conditions know its columns by."""
    names = getattr(fitted, "feature_names_in_", None)
    if names is None:
        return default_names(fitted.n_features_in_)
    return tuple(map(str, names))


def fit_conditions(binarizer: Binarizer, table: Table, labelled: Labelled) -> tuple[Condition, ...]:
    """Choose the conditions for every column of a table.

    Parameters
    ----------
    binarizer
        Its parameters say how; it is not changed.
    table
        The rows.
    labelled
        Their classes and whole weights.
    """

    def of_column(index: int, choice: Choice) -> list[Counted]:
        return column_conditions(table.column(index), labelled, choice)

    return choose_conditions(binarizer, table.names, labelled, of_column)


def choose_conditions(
    binarizer: Binarizer,
    names: Sequence[str],
    labelled: Labelled,
    of_column: Callable[[int, Choice], list[Counted]],
) -> tuple[Condition, ...]:
    """Choose the conditions for every column, wherever its rows are.

    Parameters
    ----------
    binarizer
        Its parameters say how; it is not changed.
    names
        The columns.
    labelled
        Rows that have the classes and the weight of each class, if nothing else, of all rows.
    of_column
        Called with the position of a column and how to cut it, returns the conditions on it.
    """
    choice, overrides = _read_parameters(binarizer, names, labelled)
    found: list[Counted] = []
    for index, name in enumerate(names):
        own = overrides.get(name, choice)
        if own is not None:
            found += of_column(index, own)
    kept = _most_telling(found, labelled, binarizer.max_features)
    return tuple(counted.condition for counted in kept)


def feature_names(conditions: Sequence[Condition]) -> tuple[str, ...]:
    """Return the text of each condition, no two the same.

    Columns stand in quotes where two texts are the same. A 0/1 column may have a name that is such
    a text, with its quotes: then the other one begins with a blank.
    """
    texts = Counter(str(condition) for condition in conditions)
    columns = {condition.column for condition in conditions if condition.kind == "is_true"}

    def name(condition: Condition) -> str:
        if condition.kind == "is_true":
            return condition.column
        text = condition.text(quoted=texts[str(condition)] > 1)
        while text in columns:
            text = f" {text}"
        return text

    return tuple(map(name, conditions))


def feature_matrix(
    table: Table, conditions: Sequence[Condition | None], names: Sequence[str]
) -> NDArray[np.uint8]:
    """Evaluate conditions on a table whose columns have the given names.

    A condition of None leaves its feature 0. The matrix is stored column by column, so that memory
    is taken only for features that are evaluated.
    """
    position = {name: index for index, name in enumerate(names)}
    matrix = np.zeros((table.n_rows, len(conditions)), dtype=np.uint8, order="F")
    for feature, condition in enumerate(conditions):
        if condition is not None:
            matrix[:, feature] = table.column(position[condition.column]).fulfils(condition)
    return matrix


# Parameters.


def _read_parameters(
    binarizer: Binarizer, names: Sequence[str], labelled: Labelled
) -> tuple[Choice, dict[str, Choice | None]]:
    strategy = binarizer.strategy
    if not isinstance(strategy, str) or strategy not in _STRATEGIES:
        raise _refuse("strategy", f"one of {', '.join(map(repr, _STRATEGIES))}", strategy)
    if not isinstance(binarizer.intervals, bool | np.bool_):
        raise _refuse("intervals", "True or False", binarizer.intervals)
    most = binarizer.max_features
    if most is not None and not _is_count(most):
        raise _refuse("max_features", "None or a whole number of at least 0", most)
    choice = Choice(
        strategy=_resolved(strategy, labelled),
        n_cuts=_cut_count(binarizer.n_cuts),
        intervals=bool(binarizer.intervals),
        min_frequency=exact(binarizer.min_frequency, name="min_frequency"),
    )
    columns = {} if binarizer.columns is None else binarizer.columns
    if not isinstance(columns, Mapping):
        raise _refuse("columns", "None or a dict of column names", columns)
    unknown = [name for name in columns if name not in names]
    if unknown:
        raise InputError(f"columns names {shown(unknown[0])}, which is no column of X")
    overrides = {name: _override(name, own, choice, labelled) for name, own in columns.items()}
    return choice, overrides


def _resolved(strategy: str, labelled: Labelled) -> str:
    if strategy == "auto":
        return "supervised" if labelled.supervised else "quantile"
    if strategy == "supervised" and not labelled.supervised:
        raise InputError('strategy="supervised" needs y with at least two classes')
    return strategy


def _override(name: str, own: Any, choice: Choice, labelled: Labelled) -> Choice | None:
    if isinstance(own, str) and own == "drop":
        return None
    if isinstance(own, str) and own == "category":
        return choice.but(category=True)
    if isinstance(own, str) and own in _STRATEGIES:
        return choice.but(strategy=_resolved(own, labelled))
    if _is_count(own):
        return choice.but(n_cuts=int(own))
    if isinstance(own, Sequence | np.ndarray) and not isinstance(own, str):
        return choice.but(given=tuple(np.asarray(own, dtype=object).tolist()))
    raise _refuse(
        f"columns[{name!r}]",
        "a strategy, a number of cuts, a list of cuts or of ordered values, 'category' or 'drop'",
        own,
    )


def _is_count(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 0


def _cut_count(value: Any) -> int:
    if not _is_count(value):
        raise _refuse("n_cuts", "a whole number of at least 0", value)
    return int(value)


def _refuse(name: str, allowed: str, value: object) -> InputError:
    return InputError(f"{name} must be {allowed}; got {shown(value)}")


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


# Which features tell most.


def _most_telling(found: list[Counted], labelled: Labelled, most: int | None) -> list[Counted]:
    total = labelled.totals
    varying = [counted for counted in found if counted.varies(total)]
    if most is None or len(varying) <= most:
        return varying
    if np.count_nonzero(total) > 2:
        return [varying[index] for index in _telling_apart(varying, total, most)]
    told = _told(varying, total)
    ranked = sorted(
        range(len(varying)), key=lambda index: (not varying[index].own, -told[index], index)
    )
    own = sum(counted.own for counted in varying)
    return [varying[index] for index in sorted(ranked[: max(most, own)])]


def _telling_apart(varying: list[Counted], total: NDArray[np.int64], most: int) -> list[int]:
    """Return the places of the features that tell every two classes apart, in ascending order."""
    inside = np.array([counted.inside for counted in varying])
    columns = [counted.condition.column for counted in varying]
    own = [index for index, counted in enumerate(varying) if counted.own]
    return sorted(tell_apart(inside, total, columns, own, most))


def _told(varying: list[Counted], total: NDArray[np.int64]) -> list[float]:
    """Return what each feature tells, less where its column has others that tell more.

    Cuts of one column tell much the same, so each further one counts half. The two sides of a cut
    tell the same, and count as one.
    """
    alone = [round(counted.information(total), _DIGITS) for counted in varying]
    of_column: dict[str, set[float]] = {}
    for counted, information in zip(varying, alone, strict=True):
        of_column.setdefault(counted.condition.column, set()).add(information)
    order = {column: sorted(each, reverse=True) for column, each in of_column.items()}
    return [
        information * _NEXT_OF_COLUMN ** order[counted.condition.column].index(information)
        for counted, information in zip(varying, alone, strict=True)
    ]
