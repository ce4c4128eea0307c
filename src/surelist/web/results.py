"""What a finished run found, as one document that the page shows and the report repeats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surelist.rule_list.rules import used_columns
from surelist.rule_list.table import rule_heads
from surelist.runs.rows import Rows
from surelist.web.dataset_files import cell_texts
from surelist.web.findings import result_findings
from surelist.web.group_rates import class_codes, group_texts
from surelist.web.processes import json_safe
from surelist.web.run_description import captured_by
from surelist.web.summary import MOST_VALUES, describe_column

if TYPE_CHECKING:
    from surelist.estimators.fitted_model import FittedModel
    from surelist.rule_list.rule_list import RuleList

__all__ = ["confusion", "groups_of", "result_document", "score"]

_RIGHT, _WRONG = 4, 2
_MOST_GROUP_COLUMNS = 40


def result_document(
    model: FittedModel, fields: Mapping[str, Any], rows: Rows, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Describe a fitted model and how it does on the rows it learned from.

    ``fields`` are its `result_json.result_fields`, which a model from a file lacks.
    """
    rule_list = model.rule_list_
    by = captured_by(rule_list, rows.table)
    codes = class_codes(rows)
    predicted = rule_list.label_codes[by]
    document = {
        **fields,
        "regularization": str(settings.get("regularization", "0.01")),
        "label": settings.get("label"),
        "classes": [str(label) for label in rows.classes],
        "rows": rows.table.n_rows,
        "accuracy": float((predicted == codes).mean()),
        "baseline": float(np.bincount(codes).max() / len(codes)),
        "weighted": settings.get("class_weight") is not None,
        "rules": _rules(rule_list, rows, by, codes),
        "confusion": confusion(codes, predicted, len(rows.classes)),
        "groups": groups_of(rows, codes, predicted, settings),
        "findings": result_findings(rows, settings, rule_list),
        "form": _form(rule_list, rows),
        "equivalent_groups": model.n_groups_,
        "pruned": dict(model.trace_.pruned),
    }
    found: dict[str, Any] = json_safe(document)
    return found


def score(rule_list: RuleList, rows: Rows) -> dict[str, Any]:
    """Say how a rule list does on rows that it did not learn from."""
    codes = class_codes(rows)
    predicted = rule_list.label_codes[captured_by(rule_list, rows.table)]
    return {
        "rows": rows.table.n_rows,
        "accuracy": float((predicted == codes).mean()),
        "confusion": confusion(codes, predicted, len(rows.classes)),
    }


def confusion(
    actual: NDArray[np.intp], predicted: NDArray[np.intp], n_classes: int
) -> list[list[int]]:
    """Count rows by actual class, then by predicted class.

    Examples
    --------
    >>> import numpy as np
    >>> from surelist.web.results import confusion
    >>> confusion(np.array([0, 0, 1]), np.array([0, 1, 1]), 2)
    [[1, 1], [0, 1]]
    """
    table = np.bincount(actual * n_classes + predicted, minlength=n_classes * n_classes)
    counts: list[list[int]] = table.reshape(n_classes, n_classes).tolist()
    return counts


def _rules(
    rule_list: RuleList, rows: Rows, by: NDArray[np.intp], codes: NDArray[np.intp]
) -> list[dict[str, Any]]:
    used = list(used_columns(rule_list.rules))
    found = []
    heads = rule_heads(rule_list)
    for index, rule in enumerate(rule_list.all_rules):
        caught = np.flatnonzero(by == index)
        right = codes[caught] == rule_list.label_codes[index]
        found.append(
            {
                "head": heads[index].partition(" (")[0],
                "clauses": [clause.text for clause in rule.clauses],
                "label": str(rule.label),
                "captured": len(caught),
                "correct": int(right.sum()),
                "probability": float(rule_list.class_shares[index, rule_list.label_codes[index]]),
                "support": len(caught) / max(1, rows.table.n_rows),
                "by_class": np.bincount(codes[caught], minlength=len(rows.classes)).tolist(),
                "examples": _examples(rows, used, caught, right),
            }
        )
    return found


def _examples(
    rows: Rows, used: Sequence[str], caught: NDArray[np.intp], right: NDArray[np.bool_]
) -> dict[str, Any]:
    """Show some of the rows that a rule captured, spread over all of them, right ones first."""
    chosen = [*_spread(caught[right], _RIGHT), *_spread(caught[~right], _WRONG)]
    others = [name for name in rows.table.names if name not in used][: max(0, 6 - len(used))]
    names = [*used, *others]
    cells = [cell_texts(rows.table.named_column(name, "an example"), chosen) for name in names]
    lines = rows.table.lines
    return {
        "columns": names,
        "rows": [
            {
                "line": int(row) + 1 if lines is None else int(lines[row]),
                "cells": [column[at] for column in cells],
                "label": str(rows.labels[row]),
            }
            for at, row in enumerate(chosen)
        ],
    }


def _spread(rows: NDArray[np.intp], most: int) -> list[int]:
    if len(rows) == 0:
        return []
    places = np.linspace(0, len(rows) - 1, min(most, len(rows))).astype(np.intp)
    return [int(rows[place]) for place in places]


def groups_of(
    rows: Rows,
    codes: NDArray[np.intp],
    predicted: NDArray[np.intp],
    settings: Mapping[str, Any],
) -> list[dict[str, Any]]:
    """Count by group, actual and predicted class, for each column that has few values."""
    protected = {name for name, role in settings.get("roles", {}).items() if role == "protected"}
    names = sorted(rows.source.table.names, key=lambda name: name not in protected)
    found: list[dict[str, Any]] = []
    for name in names:
        if name == settings.get("label") or len(found) >= _MOST_GROUP_COLUMNS:
            continue
        column = rows.source.table.named_column(name, "groups")
        texts = group_texts(column)
        if texts is None:
            continue
        values, group = np.unique(texts, return_inverse=True)
        n_classes = len(rows.classes)
        found.append(
            {
                "column": name,
                "protected": name in protected,
                "groups": [
                    {
                        "value": str(value),
                        "counts": confusion(
                            codes[group == code], predicted[group == code], n_classes
                        ),
                    }
                    for code, value in enumerate(values.tolist())
                ],
            }
        )
    return found


def _form(rule_list: RuleList, rows: Rows) -> list[dict[str, Any]]:
    """Describe the fields of a form for one row, those that the rules ask about first."""
    used = list(used_columns(rule_list.rules))
    others = [name for name in rows.table.names if name not in used]
    fields = []
    for name in [*used, *others][:60]:
        about = describe_column(rows.table.named_column(name, "the form"))
        del about["looks_protected"]
        about["values"] = about["values"][:MOST_VALUES]
        fields.append(about | {"used": name in used})
    return fields
