"""What the columns of a table are called, and that there are some."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from surelist._common.messages import shown
from surelist.errors import InputError, Message

__all__ = [
    "ColumnTypeError",
    "column_missing",
    "default_names",
    "frame_names",
    "refuse_two_of",
    "require_columns",
]

_MOST_NAMED = 8


class ColumnTypeError(InputError, TypeError):
    """A column of values that no condition can be about."""


def default_names(n_features: int) -> tuple[str, ...]:
    """Return names for columns that have none."""
    return tuple(f"x{i}" for i in range(n_features))


def frame_names(columns: Sequence[Any]) -> tuple[tuple[str, ...], bool]:
    """Column names where they are text; numbered columns have none, as in scikit-learn."""
    textual = sum(isinstance(column, str) for column in columns)
    if textual == 0:
        return default_names(len(columns)), False
    if textual < len(columns):
        odd = next(column for column in columns if not isinstance(column, str))
        # The wording begins as scikit-learn's, which its users know.
        raise ColumnTypeError(
            "Feature names are only supported if all input features have string names: "
            f"column names must be all text or none; {odd!r} is not text: "
            "use X.columns = X.columns.astype(str)"
        )
    refuse_two_of(columns)
    return tuple(map(str, columns)), True


def column_missing(name: str, role: str, names: Sequence[str]) -> Message:
    """Return the message that no column has a name that was given for a role, such as "label".

    Examples
    --------
    >>> from surelist.tables.column_names import column_missing
    >>> print(column_missing("sex", "label", ["age", "priors"]))
    there is no column 'sex' for label; there are 'age', 'priors'
    """
    known = ", ".join(map(shown, names[:_MOST_NAMED]))
    if len(names) > _MOST_NAMED:
        known += f" and {len(names) - _MOST_NAMED} more"
    return Message("column_missing", column=shown(name), role=role, known=known)


def refuse_two_of(names: Sequence[Any]) -> None:
    """Complain where two columns have one name."""
    seen: set[Any] = set()
    for name in names:
        if name in seen:
            raise InputError(f"two columns are called {name!r}; give each column its own name")
        seen.add(name)


def require_columns(shape: tuple[int, ...]) -> None:
    """Complain where there are none."""
    if shape[1] == 0:
        # The wording is scikit-learn's, which its estimator checks look for.
        raise InputError(
            f"0 feature(s) (shape={tuple(shape)}) while a minimum of 1 is required; "
            "X needs at least one column"
        )
