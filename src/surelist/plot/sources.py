"""What can be drawn: a fitted model, or the part of it that a picture needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

from surelist._common.messages import missing, shown
from surelist.errors import InputError
from surelist.rule_list.rule_list import RuleList
from surelist.search.trace import Trace

__all__ = ["find_rule_list", "find_samples", "find_trace", "named_samples", "read_column"]

T = TypeVar("T")


def find_rule_list(source: Any) -> RuleList:
    """Return the rule list of a fitted model, of its dictionary, or the one that was given."""
    if isinstance(source, Mapping):
        return RuleList.from_dict(source)
    return _find(source, "rule_list_", RuleList, "a rule list")


def find_trace(source: Any) -> Trace:
    """Return the trace of a fitted model, or the one that was given."""
    return _find(source, "trace_", Trace, "a trace")


def find_samples(source: Any) -> Trace:
    """Return a trace that has samples.

    Raises
    ------
    InputError
        Where it has none: they are taken only on request.
    """
    trace = find_trace(source)
    if len(trace) == 0:
        raise InputError(
            "the trace has no samples, only counters; set trace_interval=, for example to 0.01 "
            "seconds, and fit again"
        )
    return trace


def named_samples(source: Any) -> dict[str, Trace]:
    """Return traces by name: those of a mapping, or a single one without a name."""
    if not isinstance(source, Mapping):
        return {"": find_samples(source)}
    if not source:
        raise InputError("there is nothing to draw: the mapping is empty")
    return {str(name): find_samples(each) for name, each in source.items()}


def _find(source: Any, attribute: str, kind: type[T], name: str) -> T:
    found = getattr(source, attribute, source)
    if not isinstance(found, kind):
        unfitted = "; call its fit first" if hasattr(source, "fit") else ""
        raise InputError(f"{name} or a fitted model is needed; got {shown(source)}{unfitted}")
    return found


def read_column(name: str, values: Any, n_rows: int | None = None) -> list[Any]:
    """Return the values of an array, a list or a data frame's column.

    Raises
    ------
    InputError
        Where there is not one value for each row, or one is missing.

    Examples
    --------
    >>> import numpy as np
    >>> from surelist.plot.sources import read_column
    >>> read_column("group", np.array(["a", "b"]), 2)
    ['a', 'b']
    """
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise InputError(f"{name} is not a column of values: {error}") from None
    if array.ndim != 1:
        raise InputError(f"{name} must be one column of values; it has {array.ndim} dimensions")
    if n_rows is not None and len(array) != n_rows:
        raise InputError(f"{name} has {len(array)} values where there are {n_rows} rows")
    column: list[Any] = array.tolist()
    for row, value in enumerate(column):
        if (what := missing(value)) is not None:
            raise InputError(f"{name} has no value in row {row} ({what}); leave such rows out")
    return column
