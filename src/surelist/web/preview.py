"""Preview of a search: conditions, cuts, histograms, numbers of antecedents and groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from surelist.conditions.conditions import Condition, Interval
from surelist.features.binarization import fit_conditions
from surelist.features.column_conditions import Labelled
from surelist.problem.parameters import read_parameters
from surelist.problem.prepare import prepare
from surelist.problem.settings import Settings
from surelist.problem.training_data import choose_binarizer
from surelist.runs.rows import Rows, Source
from surelist.tables.column import Column
from surelist.tables.labels import read_labels
from surelist.web.processes import json_safe
from surelist.web.run_description import parameters_of, rows_of
from surelist.web.summary import cut_text, kind_text

__all__ = ["columns_preview", "problem_preview"]

_BINS = 24
_MOST_CONDITIONS = 8


def columns_preview(source: Source, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Show how each column becomes conditions: its histogram by class, and its cuts."""
    rows = rows_of(source, settings)
    parameters = parameters_of(settings, rows)
    binarizer = parameters["binarizer"]
    labels = read_labels(rows.labels, rows.table.n_rows)
    labelled = Labelled(
        labels.codes, np.ones(rows.table.n_rows, dtype=np.int64), len(labels.classes)
    )
    kept = set(fit_conditions(binarizer, rows.table, labelled))
    everything = fit_conditions(replace(binarizer, max_features=None), rows.table, labelled)
    found = []
    for index, name in enumerate(rows.table.names):
        own = [condition for condition in everything if condition.column == name]
        found.append(_column(rows.table.column(index), own, kept, labelled))
    counts = np.bincount(labels.codes, minlength=len(labels.classes))
    preview: dict[str, Any] = json_safe(
        {
            "columns": found,
            "rows": rows.table.n_rows,
            "conditions": len(everything),
            "conditions_kept": len(kept),
            "classes": [
                {"label": cut_text(str(label)), "count": int(count)}
                for label, count in zip(rows.classes, counts, strict=True)
            ],
        }
    )
    return preview


def _column(
    column: Column, conditions: Sequence[Condition], kept: set[Condition], labelled: Labelled
) -> dict[str, Any]:
    return {
        "name": column.name,
        "kind": kind_text(column),
        "cuts": _cuts(column, conditions),
        "histogram": _histogram(column, labelled),
        "conditions": [cut_text(str(each)) for each in conditions[:_MOST_CONDITIONS]],
        "n_conditions": len(conditions),
        "n_kept": sum(condition in kept for condition in conditions),
    }


def _cuts(column: Column, conditions: Sequence[Condition]) -> list[float] | None:
    """Return where a column of numbers is cut; None for one that is not cut."""
    if column.kind != "number" or column.binary:
        return None
    ends = {
        condition.high
        for condition in conditions
        if isinstance(condition, Interval) and condition.low is None
    }
    return sorted(end for end in ends if isinstance(end, int | float))


def _histogram(column: Column, labelled: Labelled) -> dict[str, Any] | None:
    """Count the values of a column of numbers in bins, for each class."""
    if column.kind != "number" or column.binary:
        return None
    values = column.values.astype(np.float64)
    rows = np.flatnonzero(~column.missing & np.isfinite(values))
    if len(rows) == 0:
        return None
    values = values[rows]
    low, high = float(values.min()), float(values.max())
    distinct = np.unique(values) if column.whole and high - low < _BINS else None
    if distinct is not None:
        edges = np.arange(low, high + 2) - 0.5
    else:
        edges = np.linspace(low, high if high > low else low + 1, _BINS + 1)
    counts = [
        np.histogram(values[labelled.codes[rows] == code], edges)[0].tolist()
        for code in range(labelled.n_classes)
    ]
    return {"edges": edges.tolist(), "counts": counts}


def problem_preview(source: Source, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Count the antecedents and groups that a search with these settings would begin with."""
    rows = rows_of(source, settings)
    parameters = parameters_of(settings, rows)
    return problem_size(rows, parameters)


def problem_size(rows: Rows, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Mine, and count features, antecedents and groups."""
    settings = Settings(**parameters)
    checked = read_parameters(settings)
    prepared = prepare(
        rows.table,
        rows.labels,
        None,
        settings.class_weight,
        checked,
        binarizer=choose_binarizer(settings.binarizer, checked),
    )
    return {
        "rows": rows.table.n_rows,
        "features": len(prepared.data.names),
        "antecedents": len(prepared.antecedents),
        "groups": prepared.problem.n_groups,
    }
