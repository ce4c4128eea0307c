"""Raw columns into named Boolean features: which conditions to ask of a table, and asking them.

`Binarization` holds the parameters; `surelist.Binarizer` is the scikit-learn transformer of it.
Nothing here needs scikit-learn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import shown
from surelist.conditions.conditions import Condition
from surelist.errors import InputError
from surelist.features.class_pairs import tell_apart
from surelist.features.column_conditions import Choice, Counted, Labelled, column_conditions
from surelist.tables.column_names import default_names
from surelist.tables.regularization import exact
from surelist.tables.table import Table

__all__ = [
    "ALL",
    "Binarization",
    "choose_conditions",
    "column_choices",
    "column_names",
    "cuts_everywhere",
    "feature_matrix",
    "feature_names",
    "fit_conditions",
]

ALL = "all"  # cuts: wherever two values differ
_STRATEGIES = ("auto", "supervised", "quantile", "uniform")
_NEXT_OF_COLUMN = 0.5  # what a column's next feature counts; see docs/raw_tables.md
_DIGITS = 12


@dataclass(eq=False, repr=False)
class Binarization:
    """How columns become Boolean features: the parameters of `surelist.Binarizer`, as given."""

    strategy: str = "auto"
    n_cuts: int | str = 3
    intervals: bool = False
    min_frequency: Any = 0.01
    max_features: int | None = None
    columns: Mapping[str, Any] | None = None


def column_names(fitted: Any) -> tuple[str, ...]:
    """Return the names that a fitted estimator's conditions know its columns by."""
    names = getattr(fitted, "feature_names_in_", None)
    if names is None:
        return default_names(fitted.n_features_in_)
    return tuple(map(str, names))


def fit_conditions(how: Binarization, table: Table, labelled: Labelled) -> tuple[Condition, ...]:
    """Choose the conditions for every column of a table.

    Parameters
    ----------
    how
        The parameters.
    table
        The rows.
    labelled
        Their classes and whole weights.
    """

    def of_column(index: int, choice: Choice) -> list[Counted]:
        return column_conditions(table.column(index), labelled, choice)

    return choose_conditions(how, table.names, labelled, of_column)


def choose_conditions(
    how: Binarization,
    names: Sequence[str],
    labelled: Labelled,
    of_column: Callable[[int, Choice], list[Counted]],
) -> tuple[Condition, ...]:
    """Choose the conditions for every column, wherever its rows are.

    Parameters
    ----------
    how
        The parameters.
    names
        The columns.
    labelled
        Rows that have the classes and the weight of each class, if nothing else, of all rows.
    of_column
        Called with the position of a column and how to cut it, returns the conditions on it.
    """
    found: list[Counted] = []
    for index, own in enumerate(column_choices(how, names, labelled)):
        if own is not None:
            found += of_column(index, own)
    kept = _most_telling(found, labelled, how.max_features)
    return tuple(counted.condition for counted in kept)


def column_choices(
    how: Binarization, names: Sequence[str], labelled: Labelled
) -> list[Choice | None]:
    """Return how to cut each column; None for one to drop.

    Raises
    ------
    InputError
        For parameters that cannot be used.
    """
    choice, overrides = _read_parameters(how, names, labelled)
    return [overrides.get(name, choice) for name in names]


def cuts_everywhere(how: Binarization) -> bool:
    """Whether some column is to be cut wherever it can be."""
    columns = how.columns if isinstance(how.columns, Mapping) else {}
    return any(isinstance(each, str) and each == ALL for each in (how.n_cuts, *columns.values()))


def feature_names(conditions: Sequence[Condition]) -> tuple[str, ...]:
    """Return the text of each condition, no two the same.

    Columns stand in quotes where two texts are the same. A 0/1 column may have a name that is such
    a text, with its quotes: then the other one begins with a blank.
    """
    texts = Counter(str(condition) for condition in conditions)
    columns = {condition.column for condition in conditions if condition.is_column}

    def name(condition: Condition) -> str:
        if condition.is_column:
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
    how: Binarization, names: Sequence[str], labelled: Labelled
) -> tuple[Choice, dict[str, Choice | None]]:
    strategy = how.strategy
    if not isinstance(strategy, str) or strategy not in _STRATEGIES:
        raise _refuse("strategy", f"one of {', '.join(map(repr, _STRATEGIES))}", strategy)
    if not isinstance(how.intervals, bool | np.bool_):
        raise _refuse("intervals", "True or False", how.intervals)
    most = how.max_features
    if most is not None and not _is_count(most):
        raise _refuse("max_features", "None or a whole number of at least 0", most)
    choice = Choice(
        strategy=_resolved(strategy, labelled),
        n_cuts=_cut_count(how.n_cuts),
        intervals=bool(how.intervals),
        min_frequency=exact(how.min_frequency, name="min_frequency"),
    )
    columns = {} if how.columns is None else how.columns
    if not isinstance(columns, Mapping):
        raise _refuse("columns", "None or a dict of column names", columns)
    unknown = [name for name in columns if name not in names]
    if unknown:
        raise InputError(f"columns names {shown(unknown[0])}, which is no column of X")
    overrides = {name: _override(name, own, choice, labelled) for name, own in columns.items()}
    if most is not None and cuts_everywhere(how):
        raise InputError(
            f'max_features={most} would choose among cuts, and n_cuts="all" takes all of them: '
            "leave max_features out"
        )
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
    if isinstance(own, str) and own == ALL:
        return choice.but(n_cuts=None)
    if isinstance(own, str) and own in _STRATEGIES:
        return choice.but(strategy=_resolved(own, labelled))
    if _is_count(own):
        return choice.but(n_cuts=int(own))
    if isinstance(own, Sequence | np.ndarray) and not isinstance(own, str):
        return choice.but(given=tuple(np.asarray(own, dtype=object).tolist()))
    raise _refuse(
        f"columns[{name!r}]",
        "a strategy, a number of cuts, a list of cuts or of ordered values, 'all', 'category' or "
        "'drop'",
        own,
    )


def _is_count(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 0


def _cut_count(value: Any) -> int | None:
    if isinstance(value, str) and value == ALL:
        return None
    if not _is_count(value):
        raise _refuse("n_cuts", 'a whole number of at least 0, or "all"', value)
    return int(value)


def _refuse(name: str, allowed: str, value: object) -> InputError:
    return InputError(f"{name} must be {allowed}; got {shown(value)}")


# The most informative features.


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
    """Return each feature's information gain, discounted for features of the same column.

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
