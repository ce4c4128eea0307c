"""Reading labels: classes of any type that can be sorted become codes from 0 on."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import first_masked, missing, shown
from surelist.errors import InputError

__all__ = ["Labels", "read_labels", "require_one_kind"]


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
    >>> from surelist.tables.labels import read_labels
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
    given = _as_given(y, column)
    _require_all_present(given)
    require_one_kind(given)
    column = _as_numbers(column)
    try:
        classes, codes = _distinct(column)
    except TypeError as error:
        _require_classes(column, len(column))
        raise InputError(f"the labels cannot be put in order: {error}") from None
    _require_classes(column, len(classes))
    _require_kept_apart(given, classes)
    if len(classes) < 2:
        raise InputError(
            f"all labels are of one class, {classes.tolist()[0]!r}; at least two classes are needed"
        )
    return Labels(classes, codes.astype(np.int32))


def _distinct(column: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the distinct labels in order, and for each row the position of its own."""
    if column.dtype.kind != "U":
        return np.unique(column, return_inverse=True)
    # Texts are looked up: to sort one for each row takes far longer.
    texts = column.tolist()
    classes = sorted(set(texts))
    code = {text: at for at, text in enumerate(classes)}
    codes = np.fromiter(map(code.__getitem__, texts), dtype=np.intp, count=len(texts))
    return np.array(classes, dtype=column.dtype), codes


def _as_column(y: Any) -> NDArray[Any]:
    masked = first_masked(y)
    if masked is not None:
        raise InputError(f"the label of row {masked} is masked; fill it in or leave the row out")
    try:
        array = np.asarray(y)
        if array.dtype.kind not in "biufUO":
            raise TypeError(f"labels of type {array.dtype} are not supported; turn them into text")
        if array.ndim == 1:
            return array
        from sklearn.utils.validation import column_or_1d  # slow to import

        column: NDArray[Any] = column_or_1d(array, warn=True)
    except (TypeError, ValueError) as error:
        raise InputError(f"y must be one column of labels: {error}") from None
    return column


def _as_given(y: Any, column: NDArray[Any]) -> NDArray[Any]:
    """Return labels as they were before numpy gave them one type: of 1 and "1" it makes two "1"."""
    if isinstance(y, list | tuple) and column.dtype.kind != "O":
        return np.array(y, dtype=object).reshape(-1)
    return column


def _kind(label: object) -> str:
    if isinstance(label, str):
        return "text"
    if isinstance(label, bool | np.bool_):
        return "a bool"
    return "a number" if isinstance(label, Real | Decimal) else f"a {type(label).__name__}"


def require_one_kind(given: NDArray[Any]) -> None:
    """Refuse 1 beside "1" or True: the class of a prediction would be ambiguous.

    Raises
    ------
    InputError
    """
    if given.dtype.kind != "O" or len(set(map(type, given))) == 1:  # there may be millions
        return
    first: dict[str, int] = {}
    for row, label in enumerate(given):
        if missing(label) is None:
            first.setdefault(_kind(label), row)
    if len(first) > 1:
        one, other = list(first.items())[:2]
        raise InputError(
            f"the labels are of different types: that of row {one[1]} is {one[0]} "
            f"({shown(given[one[1]])}), that of row {other[1]} is {other[0]} "
            f"({shown(given[other[1]])}); make all of them text, numbers or bools"
        )


def _require_kept_apart(given: NDArray[Any], classes: NDArray[Any]) -> None:
    """Refuse labels that became one class though they differ, as large numbers do as floats."""
    if given.dtype.kind == "O" and len(set(given.tolist())) > len(classes):
        raise InputError(
            "labels that differ become the same number when they are rounded to 64 bits; "
            "turn them into text"
        )


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


def _require_classes(column: NDArray[Any], n_classes: int) -> None:
    """Refuse measurements: a rule list predicts classes.

    Where labels may be measurements, scikit-learn decides and chooses the words. It is slow to
    import, so labels that are classes beyond doubt are accepted here.
    """
    if 2 * n_classes <= len(column) and _are_classes(column):
        return
    from sklearn.utils.multiclass import check_classification_targets

    try:
        with np.errstate(invalid="ignore"):  # of numbers beyond 64 bits it makes whole ones
            check_classification_targets(column)
    except (TypeError, ValueError) as error:
        raise InputError(str(error)) from None


def _are_classes(column: NDArray[Any]) -> bool:
    """Whether labels are texts, bools or whole numbers."""
    if column.dtype.kind == "f":
        return bool((np.abs(column) < 2**53).all() and (column == np.rint(column)).all())
    return column.dtype.kind in "biuU" or set(map(type, column)) == {str}
