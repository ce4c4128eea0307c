"""Rates of groups of rows and of groups crossed, each with an interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist.runs.rows import Rows
from surelist.web.dataset_files import cell_texts
from surelist.web.summary import describe_column

__all__ = ["GROUP_RATES", "class_codes", "group_texts", "rates_by_group", "wilson"]

GROUP_RATES = ("accuracy", "selected", "false_positive", "false_negative")
_MOST_GROUPS = 12
_Z = 1.959963984540054  # 95 % of a normal distribution lie within so many standard deviations


def wilson(part: int, whole: int) -> dict[str, Any]:
    """Return a share with its 95 % interval by Wilson's score; None where there are no rows.

    Examples
    --------
    >>> from surelist.web.group_rates import wilson
    >>> found = wilson(8, 10)
    >>> round(found["low"], 4), found["share"], round(found["high"], 4)
    (0.4902, 0.8, 0.9433)
    """
    if whole == 0:
        return {"part": 0, "of": 0, "share": None, "low": None, "high": None}
    share = part / whole
    spread = _Z * _Z / whole
    middle = share + spread / 2
    half = _Z * sqrt((share * (1 - share) + spread / 4) / whole)
    return {
        "part": part,
        "of": whole,
        "share": share,
        "low": max(0.0, (middle - half) / (1 + spread)),
        "high": min(1.0, (middle + half) / (1 + spread)),
    }


def class_codes(rows: Rows) -> NDArray[np.intp]:
    """Return the position of each row's class."""
    position = {label: code for code, label in enumerate(rows.classes)}
    return np.array([position[label] for label in rows.labels.tolist()], dtype=np.intp)


def group_texts(column: Any) -> NDArray[np.str_] | None:
    """Return the group of each row, or None where a column has too many or one alone."""
    if not 2 <= describe_column(column)["distinct"] <= _MOST_GROUPS:
        return None
    texts = cell_texts(column, range(len(column.missing)))
    return np.array(["(missing)" if text is None else text for text in texts], dtype=object).astype(
        str
    )


def rates_by_group(
    groups: Sequence[NDArray[np.str_]],
    actual: NDArray[np.intp],
    predicted: Mapping[str, NDArray[np.intp]],
    positive: int,
) -> list[dict[str, Any]]:
    """Return the rates of each group that has rows.

    Parameters
    ----------
    groups : sequence of ndarray of str
        What each row belongs to, by one column or by several that are crossed.
    actual : ndarray of int
        The class of each row.
    predicted : mapping of str to ndarray of int
        The classes that each model predicts.
    positive : int
        The class whose mistakes are counted.

    Examples
    --------
    >>> import numpy as np
    >>> from surelist.web.group_rates import rates_by_group
    >>> sex, actual = np.array(["f", "f", "m"]), np.array([0, 1, 1])
    >>> found = rates_by_group([sex], actual, {"list": np.array([1, 1, 0])}, 1)
    >>> [(each["values"], each["models"]["list"]["accuracy"]["share"]) for each in found]
    [(['f'], 0.5), (['m'], 0.0)]
    """
    coded = [np.unique(each, return_inverse=True) for each in groups]
    crossed = np.zeros(len(actual), dtype=np.intp)
    for values, codes in coded:
        crossed = crossed * len(values) + codes
    found = []
    for cell in np.unique(crossed):
        here = crossed == cell
        row = int(np.argmax(here))
        found.append(
            {
                "values": [str(each[row]) for each in groups],
                "rows": int(here.sum()),
                "models": {
                    name: _rates(actual[here], each[here], positive)
                    for name, each in predicted.items()
                },
            }
        )
    return found


def _rates(
    actual: NDArray[np.intp], predicted: NDArray[np.intp], positive: int
) -> dict[str, dict[str, Any]]:
    is_positive, selected = actual == positive, predicted == positive
    n_positive = int(is_positive.sum())
    return {
        "accuracy": wilson(int((actual == predicted).sum()), len(actual)),
        "selected": wilson(int(selected.sum()), len(actual)),
        "false_positive": wilson(int((selected & ~is_positive).sum()), len(actual) - n_positive),
        "false_negative": wilson(int((~selected & is_positive).sum()), n_positive),
    }
