"""A model file and rows to apply it to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surelist.cli.data import open_source
from surelist.cli.options import DataOptions
from surelist.runs.rows import Source

if TYPE_CHECKING:
    from surelist.conditions.conditions import Condition
    from surelist.estimators.fitted_model import FittedModel
    from surelist.rule_list.rule_list import RuleList
    from surelist.tables.files import FileTable

__all__ = ["Applied", "ModelFile", "SavedModel", "apply_model", "kind_of", "read_model"]

ModelFile = Annotated[
    Path,
    typer.Argument(metavar="MODEL", help="A model that surelist fit wrote.", show_default=False),
]


@dataclass(frozen=True)
class SavedModel:
    """A model file: where it is, and the model in it."""

    path: Path
    model: FittedModel

    @property
    def rule_list(self) -> RuleList:
        """The rule list of the model."""
        return self.model.rule_list_

    @property
    def shares(self) -> Any:
        """For each rule, the default last, the probability of each class."""
        from surelist.rule_list.table import smoothed_shares

        prior = float(self.model.parameters.get("laplace", 0.0)) * self.model.weight_unit_
        return smoothed_shares(self.rule_list, prior)


def read_model(path: Path) -> SavedModel:
    """Read a model file."""
    from surelist.estimators.model_json import read_model

    return SavedModel(path, read_model(path))


@dataclass(frozen=True, eq=False)
class Applied:
    """Rows, their true labels where they are known, and which rule captures each."""

    table: FileTable
    labels: Any
    captured_by: Any


def apply_model(model: SavedModel, data: DataOptions, label: str | None = None) -> Applied:
    """Read rows and find the rule that captures each.

    Only the columns that the rules ask about are needed, in any order. The model says what they
    hold: a postcode that looks like a number stays the text that the rule compares with.
    """
    from surelist.rule_list.rule_list import by_columns

    rule_list = by_columns(model.rule_list)
    clauses = [clause.asks for rule in rule_list.rules for clause in rule.clauses]
    kinds = {asks.column: kind for asks in clauses if (kind := kind_of(asks)) is not None}
    if label is not None:
        texts = all(isinstance(each, str) for each in rule_list.classes)
        kinds[label] = "text" if texts else "number"
    source = open_source(data, kinds)
    table: FileTable = source.table
    for asks in clauses:
        table.require(asks.column, "the model's rules")
    labels = source.labels
    if label is not None:
        labels = Source(table).label_values(label)
    return Applied(table, labels, rule_list.captures(table))


def kind_of(condition: Condition) -> str | None:
    """Return what a CSV column has to hold for a condition on it; None leaves it to the values."""
    if condition.about_missing:
        return None
    value = condition.example
    if isinstance(value, str):
        return "text"
    return None if isinstance(value, date) else "number"
