"""Reading labels: classes of any type that can be sorted become codes from 0 on."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from surelist._shown import missing, shown
from surelist.errors import InputError

__all__ = ["Labels", "read_labels"]


@dataclass(frozen=True, eq=False)
class Labels:
    """The distinct classes in order, and for each row the position of its class."""

    classes: NDArray[Any]
    codes: NDArray[np.int32]


def read_labels(y: Any, n_rows: int) -> Labels:
    """Turn one label per row into classes and codes.

    Raises
    ------
    InputError
        Where y is no column of ``n_rows`` labels, where a label is missing, where the labels are
        measurements instead of classes, or where fewer than two classes occur.

    Examples
    --------
    >>> from surelist.labels import read_labels
    >>> labels = read_labels(["yes", "no", "yes"], n_rows=3)
    >>> labels.classes.tolist(), labels.codes.tolist()
    (['no', 'yes'], [1, 0, 1])
    """
    if y is None:
        # The wording is scikit-learn's, which its estimator checks look for.
        raise InputError("fit requires y to be passed, but the target y is None")
    column = _as_column(y)
    if len(column) != n_rows:
        raise InputError(f"X has {n_rows} rows but y has {len(column)} labels; they must match")
    _require_all_present(column)
    column = _as_numbers(column)
    _require_classes(column)
    try:
        classes, codes = np.unique(column, return_inverse=True)
    except TypeError as error:
        raise InputError(f"the labels cannot be put in order: {error}") from None
    if len(classes) < 2:
        raise InputError(
            f"all labels are of one class, {classes.tolist()[0]!r}; at least two classes are needed"
        )
    return Labels(classes, codes.astype(np.int32))


def _as_column(y: Any) -> NDArray[Any]:
    try:
        array = np.asarray(y)
        if array.dtype.kind not in "biufUO":
            raise TypeError(f"labels of type {array.dtype} are not supported; turn them into text")
        column: NDArray[Any] = column_or_1d(array, warn=True)
    except (TypeError, ValueError) as error:
        raise InputError(f"y must be one column of labels: {error}") from None
    return column


def _require_all_present(column: NDArray[Any]) -> None:
    if column.dtype.kind == "f":
        present = np.isfinite(column)
    elif column.dtype.kind == "O":
        present = np.array([missing(label) is None for label in column], dtype=np.bool_)
    else:
        return
    if not present.all():
        row = int(np.argmin(present))
        name = missing(column[row]) or shown(column[row])
        raise InputError(f"the label of row {row} is missing or not finite ({name})")


def _as_numbers(column: NDArray[Any]) -> NDArray[Any]:
    """Numbers that are held as objects, as a data frame may, become numbers; text stays."""
    numbers = Real | np.bool_ | Decimal
    if column.dtype.kind == "O" and all(isinstance(label, numbers) for label in column):
        return np.array([float(n) if isinstance(n, Decimal) else n for n in column.tolist()])
    return column


def _require_classes(column: NDArray[Any]) -> None:
    """Refuse measurements: a rule list predicts classes."""
    try:
        check_classification_targets(column)
    except (TypeError, ValueError) as error:
        raise InputError(str(error)) from None
