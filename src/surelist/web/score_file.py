"""Score a new file: what the list predicts there, how its columns differ, how well it does."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.files import put_files
from surelist.errors import FormatError, InputError
from surelist.rule_list.rule_list import RuleList
from surelist.rule_list.rules import used_columns
from surelist.runs.relabel import Relabelling, relabelled
from surelist.runs.rows import Rows, Source
from surelist.tables.column import Column
from surelist.tables.files import label_texts
from surelist.web.downloads import predicted_table
from surelist.web.drift import column_drift
from surelist.web.file_names import SCORED, SCORED_ROWS
from surelist.web.group_rates import wilson
from surelist.web.progress_file import put_json
from surelist.web.results import confusion, groups_of
from surelist.web.run_description import captured_by

__all__ = ["column_kinds", "score_file"]


def column_kinds(trained: Rows, rule_list: RuleList) -> dict[str, str]:
    """Return what columns of a new file must hold to mean the same as in training.

    A postcode that was text in training is read as text, though it looks like a number. Columns
    that no rule asks about may have another type: that is drift, and no reason to refuse the file.
    """
    used = used_columns(rule_list.rules)
    kinds = {}
    for index, name in enumerate(trained.source.table.names):
        kind = trained.source.table.column(index).kind
        if kind == "text" or (kind == "number" and name in used):
            kinds[name] = kind
    return kinds


def score_file(
    folder: Path, name: str, trained: Rows, new: Source, rule_list: RuleList, settings: Any
) -> dict[str, Any]:
    """Apply the list of a run to the rows of another file.

    Parameters
    ----------
    folder : Path
        That of the run: what is found and what is predicted is written there.
    name : str
        What the file is called.
    trained : Rows
        What the list learned from.
    new : Source
        The other file.
    rule_list, settings
        Those of the run.

    Raises
    ------
    InputError
        Where the file lacks a column that the rules ask about, or holds something else in it.
    """
    if new.is_corels or trained.source.is_corels:
        raise InputError("only tables can be scored, not files in the CORELS text format")
    table = new.table
    for asked in used_columns(rule_list.rules):
        if asked not in table.names:
            raise FormatError(f"the rules ask about {asked!r}, which is no column", table.path)
    by = captured_by(rule_list, table)
    before = captured_by(rule_list, trained.table)
    document = {
        "file": name,
        "rows": table.n_rows,
        "classes": [str(label) for label in trained.classes],
        "label": settings.get("label"),
        "predicted": _by_class(rule_list, by, trained),
        "rules": _captured(rule_list, before, by),
        "columns": _columns(trained, table, settings, rule_list),
        **_with_labels(trained, new, rule_list, settings),
    }
    put_files({folder / SCORED_ROWS: [predicted_table(rule_list, table, by).encode()]})
    put_json(folder / SCORED, document)
    return document


def _by_class(rule_list: RuleList, by: NDArray[np.intp], trained: Rows) -> list[dict[str, Any]]:
    counts = np.bincount(rule_list.label_codes[by], minlength=len(trained.classes))
    return [
        {"label": str(label), **wilson(int(count), len(by))}
        for label, count in zip(trained.classes, counts, strict=True)
    ]


def _captured(
    rule_list: RuleList, before: NDArray[np.intp], now: NDArray[np.intp]
) -> list[dict[str, Any]]:
    """Return the share of rows that each rule captures, in training and in the file."""
    n_rules = len(rule_list) + 1
    shares = [np.bincount(each, minlength=n_rules) / max(1, len(each)) for each in (before, now)]
    return [
        {"text": text, "training": float(old), "file": float(new)}
        for text, old, new in zip(rule_list.lines(), *shares, strict=True)
    ]


def _columns(
    trained: Rows, table: Any, settings: Mapping[str, Any], rule_list: RuleList
) -> list[dict[str, Any]]:
    """Compare the columns that matter, those that the rules ask about first."""
    roles = settings.get("roles", {})
    used = list(used_columns(rule_list.rules))
    others = [
        name
        for name in trained.source.table.names
        if name not in used and name != settings.get("label") and roles.get(name) != "leave_out"
    ]
    found = []
    for name in [*used, *others]:
        old = trained.source.table.named_column(name, "drift")
        new = table.named_column(name, "drift") if name in table.names else None
        found.append(column_drift(old, new) | {"used": name in used})
    return found


def _with_labels(
    trained: Rows, new: Source, rule_list: RuleList, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Return how well the list does, where the file has labels."""
    label = settings.get("label")
    none: dict[str, Any] = {"accuracy": None, "confusion": None, "groups": [], "unlabelled": None}
    if label is None or label not in new.table.names:
        return none
    how = Relabelling.from_dict(settings.get("relabel"))
    # A class to be merged may not occur in this file, which is no mistake here.
    known = set(label_texts(new.table.named_column(label, "label")))
    merge = how.merge if how.cut is not None else {a: b for a, b in how.merge.items() if a in known}
    source = relabelled(new, label, Relabelling(how.cut, merge, False))
    codes = _label_codes(source.table.named_column(label, "label"), trained.classes)
    kept = np.flatnonzero(codes >= 0)
    if len(kept) == 0:
        return none | {"unlabelled": len(codes)}
    taken = source.table.take(kept)
    labels = np.array(trained.classes)[codes[kept]]
    rows = Rows(taken, labels, None, label, Source(taken), list(trained.classes))
    predicted = rule_list.label_codes[captured_by(rule_list, taken)]
    actual = codes[kept].astype(np.intp)
    return {
        "accuracy": wilson(int((actual == predicted).sum()), len(kept)),
        "confusion": confusion(actual, predicted, len(trained.classes)),
        "groups": groups_of(rows, actual, predicted, settings),
        "unlabelled": len(codes) - len(kept),
    }


def _label_codes(column: Column, classes: list[Any]) -> NDArray[np.intp]:
    """Return the class of each row, -1 where it has none, or one that was not learned."""
    if column.kind == "number" and not isinstance(classes[0], str):
        # 1 and 1.0 are the same label, also where rows without one made floats of all.
        numbers = {float(each): code for code, each in enumerate(classes)}
        values = zip(column.values.tolist(), column.missing.tolist(), strict=True)
        found = [-1 if gone else numbers.get(float(value), -1) for value, gone in values]
    else:
        texts = {str(each): code for code, each in enumerate(classes)}
        found = [-1 if text is None else texts.get(text, -1) for text in label_texts(column)]
    return np.array(found, dtype=np.intp)
