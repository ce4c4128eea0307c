"""Preview of a search: conditions, cuts, histograms, numbers of antecedents and groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist import _core
from surelist.conditions.conditions import Condition, Interval
from surelist.errors import InputError
from surelist.features.binarization import (
    Binarization,
    column_choices,
    cuts_everywhere,
    fit_conditions,
)
from surelist.features.column_conditions import Labelled
from surelist.features.every_cut import CutColumn, chains_of_column
from surelist.problem.cut_problem import read_cut_problem, serves
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
_DAY = len("2024-01-31")
_DAY_US = 24 * 3600 * 1_000_000
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
    if cuts_everywhere(binarizer):
        found = _cut_everywhere(rows, binarizer, labelled)
    else:
        found = _chosen(rows, binarizer, labelled)
    counts = np.bincount(labels.codes, minlength=len(labels.classes))
    preview: dict[str, Any] = json_safe(
        {
            "columns": found,
            "rows": rows.table.n_rows,
            "conditions": sum(each["n_conditions"] for each in found),
            "conditions_kept": sum(each["n_kept"] for each in found),
            "classes": [
                {"label": cut_text(str(label)), "count": int(count)}
                for label, count in zip(rows.classes, counts, strict=True)
            ],
        }
    )
    return preview


def _chosen(rows: Rows, binarizer: Binarization, labelled: Labelled) -> list[dict[str, Any]]:
    kept = set(fit_conditions(binarizer, rows.table, labelled))
    everything = fit_conditions(replace(binarizer, max_features=None), rows.table, labelled)
    found = []
    for index, name in enumerate(rows.table.names):
        own = [condition for condition in everything if condition.column == name]
        found.append(_column(rows.table.column(index), own, kept, labelled))
    return found


def _cut_everywhere(
    rows: Rows, binarizer: Binarization, labelled: Labelled
) -> list[dict[str, Any]]:
    """Describe columns some of which have more cuts than could be shown; each of these is kept."""
    found = []
    choices = column_choices(binarizer, rows.table.names, labelled)
    for index, choice in enumerate(choices):
        column = rows.table.column(index)
        chains = [] if choice is None else chains_of_column(column, labelled, choice)
        first = [chain.condition(1) for chain in chains[:_MOST_CONDITIONS]]
        n_conditions = sum(chain.n_cuts for chain in chains)
        everywhere = any(isinstance(chain.source, CutColumn) for chain in chains)
        found.append(
            _column(column, [], set(), labelled)
            | {
                "everywhere": everywhere,
                "conditions": [cut_text(str(each)) for each in first],
                "n_conditions": n_conditions,
                "n_kept": n_conditions,
            }
        )
    return found


def _column(
    column: Column, conditions: Sequence[Condition], kept: set[Condition], labelled: Labelled
) -> dict[str, Any]:
    # Those that the search uses; of a column without any, what it might have had.
    shown = [each for each in conditions if each in kept] or conditions
    return {
        "name": column.name,
        "kind": kind_text(column),
        "cuts": _cuts(column, conditions),
        "histogram": _histogram(column, labelled),
        "conditions": [cut_text(str(each)) for each in shown[:_MOST_CONDITIONS]],
        "n_conditions": len(conditions),
        "n_kept": sum(each in kept for each in conditions),
    }


def _cuts(column: Column, conditions: Sequence[Condition]) -> list[float] | list[str] | None:
    """Return where a column of numbers or dates is cut; None for one that is not cut."""
    if not _is_cut(column):
        return None
    ends = {
        condition.high
        for condition in conditions
        if isinstance(condition, Interval) and condition.low is None
    }
    if column.kind != "number":
        return sorted({str(end)[:_DAY] for end in ends if isinstance(end, date)})
    return sorted(end for end in ends if isinstance(end, int | float))


def _is_cut(column: Column) -> bool:
    numeric = column.kind == "number" and not column.binary
    return numeric or column.kind in ("date", "datetime")


def _on_scale(column: Column) -> NDArray[np.float64]:
    """Return values as numbers; dates and moments as days since 1970."""
    if column.kind == "number":
        return column.values.astype(np.float64)
    days = column.values.astype("datetime64[us]").astype(np.int64) / _DAY_US
    return np.asarray(days, dtype=np.float64)


def _histogram(column: Column, labelled: Labelled) -> dict[str, Any] | None:
    """Count the values of a column of numbers or dates in bins, for each class."""
    if not _is_cut(column):
        return None
    values = _on_scale(column)
    rows = np.flatnonzero(~column.missing & np.isfinite(values))
    if len(rows) == 0:
        return None
    values = values[rows]
    low, high = float(values.min()), float(values.max())
    whole = column.kind == "date" or (column.kind == "number" and column.whole)
    if whole and high - low < _BINS:
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
    binarizer = choose_binarizer(settings.binarizer, checked)
    if serves(rows.table, settings, checked, binarizer):
        given = rows.table, rows.labels, None, settings, checked, binarizer
        chains = read_cut_problem(*given)
        if chains is not None:
            return {
                "rows": rows.table.n_rows,
                "features": sum(chain.n_cuts for chain in chains.chains),
                "antecedents": chains.n_antecedents(),
                "groups": chains.n_groups(),
            }
    try:
        prepared = prepare(
            rows.table,
            rows.labels,
            None,
            settings.class_weight,
            checked,
            binarizer=binarizer,
        )
    except _core.InputError as error:
        raise InputError(str(error)) from None
    return {
        "rows": rows.table.n_rows,
        "features": len(prepared.data.names),
        "antecedents": len(prepared.antecedents),
        "groups": prepared.problem.n_groups,
    }
