"""Pictures that need rows beside models: scores against sizes, and rates by group."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from surelist.cli.apply_model import Applied, SavedModel, apply_model
from surelist.cli.options import DataOptions
from surelist.errors import InputError

__all__ = ["draw_rates", "draw_sparsity"]


def draw_sparsity(models: Sequence[SavedModel], data: Path | None, label: str | None) -> Any:
    """Draw accuracy against length; models of one λ, say of several folds, make one point."""
    from surelist.plot import ModelScores, plot_sparsity

    found: dict[str, list[tuple[int, float]]] = {}
    for model in models:
        applied = _apply(model, data, label)
        pairs = zip(_predictions(model, applied), applied.labels.tolist(), strict=True)
        right = [prediction == true for prediction, true in pairs]
        setting = f"λ = {model.model.parameters['regularization']}"
        score = sum(right) / len(right)
        found.setdefault(setting, []).append((len(model.rule_list), score))
    points = []
    for setting, pairs_found in found.items():
        sizes, scores = zip(*pairs_found, strict=True)
        points.append(ModelScores("Surelist", sizes, scores, setting=setting))
    return plot_sparsity(points)


def draw_rates(
    models: Sequence[SavedModel],
    data: Path | None,
    label: str | None,
    group: str | None,
    positive: str | None,
) -> Any:
    """Draw true and false positive rates for each group of rows and each model."""
    from surelist.plot import plot_rates_by_group
    from surelist.tables.files import plain_values

    if group is None:
        raise InputError("which column says what group a row belongs to? Name it by --group")
    predicted: dict[str, list[Any]] = {}
    for model in models:
        applied = _apply(model, data, label)
        name = str(model.path) if model.path.name in predicted else model.path.name
        predicted[name] = _predictions(model, applied)
    table, classes = applied.table, models[0].rule_list.classes
    groups = plain_values(table.named_column(group, "group"))
    chosen = None
    if positive is not None:
        chosen = next((each for each in classes if str(each) == positive), None)
        if chosen is None:
            known = ", ".join(map(str, classes))
            raise InputError(f"--positive {positive}: the classes of the model are {known}")
    y_pred = predicted if len(predicted) > 1 else next(iter(predicted.values()))
    return plot_rates_by_group(applied.labels.tolist(), y_pred, groups, positive=chosen)


def _apply(model: SavedModel, data: Path | None, label: str | None) -> Applied:
    if data is None or label is None:
        raise InputError("this picture is about rows: name them by --data and --label")
    return apply_model(model, DataOptions(data=data), label)


def _predictions(model: SavedModel, applied: Applied) -> list[Any]:
    labels = [rule.label for rule in model.rule_list.all_rules]
    return [labels[rule] for rule in applied.captured_by.tolist()]
