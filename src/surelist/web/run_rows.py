"""Rows of a run, to be shown: those of a cell, of a group, or on which two models differ."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist.errors import InputError
from surelist.rule_list.rule_list import RuleList
from surelist.rule_list.rules import used_columns
from surelist.runs.rows import Rows
from surelist.tables.files import FileTable
from surelist.web.dataset_files import cell_texts
from surelist.web.file_names import RIVALS, RIVALS_ROWS
from surelist.web.group_rates import class_codes, group_texts, rates_by_group
from surelist.web.run_description import captured_by
from surelist.web.summary import cut_text

__all__ = ["Predicted", "group_rates", "rows_page"]

PAGE = 50
_MOST_COLUMNS = 8


@dataclass(frozen=True, eq=False)
class Predicted:
    """The rows of a run, and who predicts them.

    Attributes
    ----------
    folder : Path
        That of the run, where predictions of other models are kept.
    rows : Rows
    rule_list : RuleList
        That of the run.
    other : RuleList, optional
        That of another run on the same data.
    """

    folder: Path
    rows: Rows
    rule_list: RuleList
    other: RuleList | None = None

    def models(self, named: Sequence[str] | None) -> list[str]:
        """Return which models are asked: "training" is the list on the rows it learned from."""
        if self.other is not None:
            return ["training", "other"]
        return list(named or ["training"])

    def texts(self, model: str) -> NDArray[np.str_]:
        """Return the class that a model predicts for each row, as a text."""
        if model == "training":
            return _predicted(self.rule_list, self.rows.table)
        if model == "other":
            assert self.other is not None
            # It may ask about columns that this run leaves out.
            return _predicted(self.other, self.rows.source.table)
        classes = np.array([str(label) for label in self.rows.classes])
        try:
            with np.load(self.folder / RIVALS_ROWS, allow_pickle=False) as kept:
                codes = kept["codes"][kept["names"].tolist().index(model)]
        except (OSError, ValueError):
            raise InputError("there are no predictions of this model; compare first") from None
        return np.asarray(classes[codes], dtype=np.str_)


def _predicted(rule_list: RuleList, table: FileTable) -> NDArray[np.str_]:
    labels = np.array([str(rule.label) for rule in rule_list.all_rules])
    return np.asarray(labels[captured_by(rule_list, table)], dtype=np.str_)


def rows_page(
    given: Predicted, asked: Mapping[str, Any], protected: Sequence[str] = ()
) -> dict[str, Any]:
    """Return some of the rows that are asked for, and how many there are.

    Parameters
    ----------
    given : Predicted
    asked : mapping
        ``actual`` and ``predicted`` classes by their texts, ``groups`` by column, ``models``: two
        that differ; all may be None. ``offset`` is how many rows are passed over.
    protected : sequence of str
        Columns that no rule asks about, but that are shown with each row.
    """
    rows = given.rows
    classes = np.array([str(label) for label in rows.classes])
    labels = classes[class_codes(rows)]
    models = given.models(asked["models"])
    predicted = [given.texts(model) for model in models]
    chosen = np.ones(len(labels), dtype=np.bool_)
    for wanted, texts in ((asked["actual"], labels), (asked["predicted"], predicted[0])):
        if wanted is not None:
            chosen &= texts == classes[_class(wanted, classes.tolist())]
    for name, value in (asked["groups"] or {}).items():
        chosen &= _groups(rows, name) == value
    if len(models) == 2:
        chosen &= predicted[0] != predicted[1]
    found = np.flatnonzero(chosen)
    shown = found[asked["offset"] : asked["offset"] + PAGE]
    beside = [*(asked["groups"] or {}), *_score(given.folder, models), *protected]
    names = _columns(given, beside)
    cells = [_cells(rows, name, shown) for name in names]
    lines = rows.table.lines
    return {
        "total": len(found),
        "offset": asked["offset"],
        "columns": names,
        "models": [] if models == ["training"] else models,
        "rows": [
            {
                "line": int(row) + 1 if lines is None else int(lines[row]),
                "cells": [column[at] for column in cells],
                "label": str(labels[row]),
                "predicted": [str(each[row]) for each in predicted],
            }
            for at, row in enumerate(shown)
        ],
    }


def group_rates(given: Predicted, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return rates by groups of one column, or of several that are crossed.

    ``asked`` has ``columns``, the ``positive`` class by its text, and ``models``: None is the list
    on the rows it learned from; others are predictions for rows that they have not seen.
    """
    classes = [str(label) for label in given.rows.classes]
    code = {text: at for at, text in enumerate(classes)}
    predicted = {
        # A class that only the other list has is none of these.
        model: np.array([code.get(text, -1) for text in given.texts(model).tolist()], dtype=np.intp)
        for model in given.models(asked["models"])
    }
    groups = [_groups(given.rows, name) for name in asked["columns"]]
    positive = _class(asked["positive"], classes)
    return {"groups": rates_by_group(groups, class_codes(given.rows), predicted, positive)}


def _class(text: str, classes: list[str]) -> int:
    if text not in classes:
        raise InputError(f"there is no class {text[:40]!r}")
    return classes.index(text)


def _groups(rows: Rows, name: str) -> NDArray[np.str_]:
    texts = group_texts(rows.source.table.named_column(name, "groups"))
    if texts is None:
        raise InputError(f"{name!r} has only one value, or too many for groups")
    return texts


def _score(folder: Path, models: Sequence[str]) -> list[str]:
    """Return the column of the score that the list is compared with, if it is about that."""
    if "score" not in models:
        return []
    asked = json.loads((folder / RIVALS).read_text(encoding="utf-8"))
    return [asked["score"]["column"]]


def _columns(given: Predicted, wanted: Sequence[str]) -> list[str]:
    """Return the columns to show: those that rules ask about, those wanted, and some others."""
    rows = given.rows
    lists = [each for each in (given.rule_list, given.other) if each is not None]
    asked = [name for each in lists for name in used_columns(each.rules)]
    used = list(dict.fromkeys([*asked, *wanted]))
    others = [name for name in rows.table.names if name not in used]
    names = list(dict.fromkeys([*used, *others[: max(0, _MOST_COLUMNS - len(used))]]))
    return [name for name in names if name != rows.label]


def _cells(rows: Rows, name: str, shown: NDArray[np.intp]) -> list[str | None]:
    column = rows.source.table.named_column(name, "rows")
    texts = cell_texts(column, shown.tolist())
    return [None if text is None else cut_text(text) for text in texts]
