"""The summary of a table: its columns, its first rows, and the likely label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from surelist.errors import InputError
from surelist.runs.relabel import Relabelling, relabelled
from surelist.runs.rows import USUAL_LABELS, Source
from surelist.tables.column import Column
from surelist.tables.files import label_texts
from surelist.web.dataset_files import cell_texts
from surelist.web.processes import json_safe
from surelist.web.wording import error_text, note_text

__all__ = ["MOST_VALUES", "class_counts", "cut_text", "describe_column", "summarize"]

MOST_VALUES = 30
_PREVIEW_ROWS = 12
_MOST_CLASSES = 100
_MOST_SHOWN = 200
_USUAL_LABELS = (*USUAL_LABELS, "two_year_recid", "diagnosis")
_PROTECTED = (
    *("race", "sex", "gender", "ethnicity", "ethnic", "religion", "nationality", "disability"),
    *("age_cat", "marital", "marital_status", "native_country"),
)


def summarize(source: Source) -> dict[str, Any]:
    """Describe a table: its columns, its first rows, and which column may hold the labels."""
    table = source.table
    columns = [describe_column(table.column(index)) for index in range(len(table.names))]
    for value in (value for about in columns for value in about["values"]):
        value["value"] = cut_text(value["value"])
    first = range(min(_PREVIEW_ROWS, table.n_rows))
    cells = [_shown_cells(table.column(index), first) for index in range(len(table.names))]
    summary = {
        "rows": table.n_rows,
        "columns": columns,
        "preview": [list(row) for row in zip(*cells, strict=True)],
        "notes": [note_text(note) for note in dict.fromkeys(table.notes)],
        "own_labels": None,
        "suggested_label": _suggested_label(columns),
    }
    if source.labels is not None:
        values, counts = np.unique(source.labels, return_counts=True)
        summary["own_labels"] = [
            {"value": cut_text(str(value)), "count": int(count)}
            for value, count in zip(values.tolist(), counts.tolist(), strict=True)
        ]
        summary["suggested_label"] = None
    found: dict[str, Any] = json_safe(summary)
    return found


def class_counts(
    source: Source, label: str | None, relabel: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Count the rows of each class that the labels become; None where they cannot."""
    if label is None or source.is_corels:
        return None
    try:
        changed = relabelled(source, label, Relabelling.from_dict(relabel))
    except InputError as error:
        return {"error": error_text(error)}
    column = changed.table.named_column(label, "label")
    texts = [text for text in label_texts(column) if text is not None]
    counts = Counter(texts)
    return {
        "classes": [
            {"value": value, "count": count} for value, count in counts.most_common(_MOST_CLASSES)
        ],
        "n_classes": len(counts),
        "rows": len(texts),
        "left_out": source.table.n_rows - changed.table.n_rows,
        "missing": int(column.missing.sum()),
    }


def cut_text(text: str) -> str:
    """Return a text as it is shown in a summary: a long one is cut, and says so.

    Examples
    --------
    >>> from surelist.web.summary import cut_text
    >>> cut_text("short"), len(cut_text("long" * 1000))
    ('short', 200)
    """
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 1] + "…"


def _shown_cells(column: Column, rows: Sequence[int]) -> list[str | None]:
    return [None if text is None else cut_text(text) for text in cell_texts(column, rows)]


def describe_column(column: Column) -> dict[str, Any]:
    """Describe one column."""
    present = ~column.missing
    about: dict[str, Any] = {
        "name": column.name,
        "kind": kind_text(column),
        "missing": int(column.missing.sum()),
        "looks_protected": column.name.lower().replace(" ", "_") in _PROTECTED,
    }
    if column.codes is not None:
        counts = np.bincount(column.codes[present], minlength=len(column.values))
        texts = [str(value) for value in column.values.tolist()]
    else:
        values, counts = np.unique(column.values[present], return_counts=True)
        about["distinct"] = len(values)
        if len(values) == 0:
            return about | {"values": []}
        if column.kind == "number":
            about |= {"low": values[0], "high": values[-1], "middle": _middle(column)}
        else:
            low, high = cell_texts(_of(column, values[[0, -1]]), (0, 1))
            about |= {"low": low, "high": high}
        if len(values) > MOST_VALUES:
            return about | {"values": []}
        texts = [str(text) for text in cell_texts(_of(column, values), range(len(values)))]
    about["distinct"] = len(texts)
    order = np.argsort(-counts, kind="stable")[:MOST_VALUES]
    about["values"] = [{"value": texts[i], "count": int(counts[i])} for i in order]
    return about


def kind_text(column: Column) -> str:
    """Return what a column holds, in a word or two."""
    if column.kind != "number":
        return {"date": "date", "datetime": "moment", "ordinal": "category"}.get(
            column.kind, "text"
        )
    if column.binary:
        return "yes/no"
    return "whole number" if column.whole else "number"


def _middle(column: Column) -> Any:
    finite = column.values[~column.missing].astype(np.float64)
    finite = finite[np.isfinite(finite)]
    if len(finite) == 0:
        return None
    middle = float(np.median(finite))
    return round(middle) if column.whole else float(f"{middle:.4g}")


def _of(column: Column, values: Any) -> Column:
    return Column(
        column.name, column.kind, values, np.zeros(len(values), np.bool_), None, column.aware
    )


def _suggested_label(columns: list[dict[str, Any]]) -> str | None:
    """Return the column that is called as labels usually are, else the last of few values."""
    fit = [c["name"] for c in columns if 2 <= c["distinct"] <= 20 and not c["missing"]]
    usual = [name for name in fit if name.lower() in _USUAL_LABELS]
    return usual[0] if usual else fit[-1] if fit else None
