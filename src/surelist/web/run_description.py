"""The description of a run, read from the settings that the page keeps; its rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist.errors import InputError
from surelist.rule_list.rule_list import RuleList, by_columns
from surelist.runs import description
from surelist.runs.description import RunDescription, read_number
from surelist.runs.relabel import Relabelling, relabelled
from surelist.runs.rows import Columns, Rows, Source, choose_columns
from surelist.tables.files import FileTable

__all__ = ["captured_by", "describe_run", "least_frequency", "parameters_of", "rows_of"]

_MOST_CLASSES = 100


def rows_of(source: Source, settings: Mapping[str, Any]) -> Rows:
    """Separate what rules may ask about from what they are to predict."""
    roles = settings.get("roles", {})
    for name in roles:
        source.table.require(name, "drop")
    how = Relabelling.from_dict(settings.get("relabel"))
    source = relabelled(source, settings.get("label"), how)
    left_out = [name for name, role in roles.items() if role in ("protected", "leave_out")]
    rows = choose_columns(source, Columns(settings.get("label"), left_out=left_out))
    n_classes = len(np.unique(rows.labels))
    if n_classes > _MOST_CLASSES:
        raise InputError(
            f"the label has {n_classes:,} different values, too many for classes; cut it at a "
            f"number, merge classes, or choose a column with at most {_MOST_CLASSES}"
        )
    return rows


def describe_run(settings: Mapping[str, Any], rows: Rows) -> RunDescription:
    """Return the run that settings describe; those of columns that are left out do not count."""
    regularization = read_number("λ", str(settings.get("regularization", "0.01")))
    support = settings.get("min_support")
    least = None if support is None else read_number("the least support", str(support))
    columns = settings.get("columns") or {}
    columns = {name: how for name, how in columns.items() if name in rows.table.names}
    memory = settings.get("memory_limit_mb")
    return RunDescription(
        regularization=regularization,
        max_clauses=settings.get("max_clauses", 2),
        negations=settings.get("negations", False),
        min_support=least,
        strategy=settings.get("strategy") or "auto",
        n_cuts=settings.get("n_cuts"),
        min_frequency=read_number("the least frequency", least_frequency(settings)),
        max_features=most_features(settings, columns),
        columns=columns or None,
        max_length=settings.get("max_length"),
        class_weight=settings.get("class_weight"),
        policy=settings.get("policy", "lower_bound"),
        symmetry=settings.get("symmetry", "captured"),
        bounds=settings.get("bounds"),
        n_jobs=settings.get("n_jobs", 1),
        # The page has limits of time and memory alone: without them, nothing limits a search.
        work_limit=None,
        time_limit=settings.get("time_limit"),
        memory_limit=None if memory is None else int(memory * 1_000_000),
    )


def most_features(settings: Mapping[str, Any], columns: Mapping[str, Any]) -> int | None:
    """Return how many features there may be; where a column is cut everywhere, any number."""
    if "all" in (settings.get("n_cuts"), *columns.values()):
        return None
    most: int | None = settings.get("max_features")
    return most


def least_frequency(settings: Mapping[str, Any]) -> str:
    """Return the share of rows that a condition must hold on to be a feature."""
    given = settings.get("min_frequency") or settings.get("min_support")
    return str(given or settings.get("regularization", "0.01"))


def parameters_of(settings: Mapping[str, Any], rows: Rows) -> dict[str, Any]:
    """Return the parameters of `RuleListClassifier` that settings stand for."""
    run = describe_run(settings, rows)
    return {"regularization": run.regularization, **description.parameters_of(run, rows)}


def captured_by(rule_list: RuleList, table: FileTable) -> NDArray[np.intp]:
    """Return for each row the position of the rule that captures it; the default is last."""
    return by_columns(rule_list).captures(table)
