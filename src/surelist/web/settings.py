"""What a browser may send: every field with its type and bounds."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from surelist.runs.choices import Policy, Strategy, Symmetry
from surelist.web.limits import LONGEST_NAME

__all__ = [
    "Audit",
    "Comparison",
    "Inspecting",
    "NewDataset",
    "NewFile",
    "NewRun",
    "Person",
    "RatesAsked",
    "Reading",
    "Relabel",
    "Renaming",
    "Rivals",
    "RowsAsked",
    "RunSettings",
    "ScoreColumn",
]

Identifier = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{16}$")]
ColumnName = Annotated[str, StringConstraints(max_length=LONGEST_NAME)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=1000)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
ModelKey = Literal["list", "score", "majority", "tree", "logistic", "boosting"]
Share = Annotated[str, StringConstraints(pattern=r"^0?\.\d{1,12}$")]
Cuts = Annotated[list[float], Field(max_length=50)]
Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Days = Annotated[list[Day], Field(max_length=50)]


class _Strict(BaseModel):
    # Choices stay the texts that they are in JSON.
    model_config = ConfigDict(extra="forbid", use_enum_values=True, validate_default=True)


class Reading(_Strict):
    """How a file is read."""

    missing: list[Annotated[str, StringConstraints(max_length=100)]] = Field(
        default_factory=list, max_length=20, description="More texts that stand for no value."
    )


class Relabel(_Strict):
    """How a column becomes the labels."""

    cut: float | None = Field(default=None, description="Numbers from here on are one class.")
    merge: dict[Label, Label] = Field(
        default_factory=dict, max_length=200, description="What classes are called instead."
    )
    skip_missing: bool = Field(default=False, description="Leave out rows without a label.")


class Inspecting(_Strict):
    """What a data set is inspected for."""

    label: ColumnName | None = Field(default=None, description="The column to predict, if chosen.")
    relabel: Relabel = Field(default_factory=Relabel)


class Audit(_Strict):
    """Files to be checked: a certificate or an audit bundle, the data, and the model."""

    uploads: list[Identifier] = Field(min_length=1, max_length=4)
    label: ColumnName | None = Field(
        default=None, description="The column of labels; None is the one that fits the proof."
    )


class NewDataset(_Strict):
    """A data set to be made: of uploads, or of an example."""

    uploads: list[Identifier] = Field(
        default_factory=list,
        max_length=2,
        description="One table, or the antecedents and the labels in the CORELS text format.",
    )
    example: str | None = Field(default=None, max_length=40)


class RunSettings(_Strict):
    """What a run is about, and how it searches."""

    label: ColumnName | None = Field(default=None, description="The column to predict.")
    relabel: Relabel = Field(default_factory=Relabel)
    roles: dict[ColumnName, Literal["use", "protected", "leave_out"]] = Field(
        default_factory=dict,
        description="Columns not to be used by rules; protected ones are for rates by group.",
    )
    regularization: Annotated[str, StringConstraints(pattern=r"^0?\.\d{1,12}$|^0$")] = Field(
        default="0.01", description="λ, as an exact decimal."
    )
    max_clauses: int = Field(default=2, ge=1, le=5)
    negations: bool = False
    strategy: Strategy = Strategy.AUTO
    n_cuts: Annotated[int, Field(ge=0, le=20)] | Literal["all"] = Field(
        default=3, description="Of a column, at most; all: wherever two values differ."
    )
    max_features: int = Field(default=28, ge=1, le=2000)
    columns: dict[ColumnName, Cuts | Days | Literal["category", "all"]] = Field(
        default_factory=dict,
        description="Cuts of single columns, that one is a category, or is to be cut everywhere.",
    )
    class_weight: Literal["balanced"] | dict[str, Annotated[float, Field(gt=0, le=1e6)]] | None = (
        None
    )
    min_support: Share | None = None
    min_frequency: Share | None = Field(
        default=None, description="Of a feature; None is the least support, or λ."
    )
    max_length: int | None = Field(default=None, ge=0, le=100)
    time_limit: float | None = Field(default=600, gt=0, le=7 * 24 * 3600, description="Seconds.")
    memory_limit_mb: float | None = Field(default=None, ge=16, le=1e6)
    policy: Policy = Policy.LOWER_BOUND
    symmetry: Symmetry = Symmetry.CAPTURED
    bounds: list[Annotated[str, StringConstraints(max_length=60)]] | None = Field(
        default=None, max_length=50, description="Bounds to use; None is all."
    )
    n_jobs: int = Field(default=1, ge=1, le=64)
    held_out: float = Field(default=0.2, ge=0, le=0.9, description="Share of rows to test on.")


class NewRun(_Strict):
    """A run to be queued."""

    dataset: Identifier
    name: Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)] = ""
    settings: RunSettings


class Renaming(_Strict):
    """Another name."""

    name: Name


class Person(_Strict):
    """One row, as a form holds it."""

    values: dict[ColumnName, Annotated[str, StringConstraints(max_length=1000)] | None] = Field(
        max_length=2000
    )


class RowsAsked(_Strict):
    """Which rows of a run to show."""

    actual: Label | None = Field(default=None, description="Rows of this class.")
    predicted: Label | None = Field(default=None, description="Rows predicted to be of this one.")
    groups: dict[ColumnName, Label] = Field(
        default_factory=dict, max_length=4, description="Rows with these values."
    )
    models: Annotated[list[ModelKey], Field(min_length=2, max_length=2)] | None = Field(
        default=None, description="Rows on which these two models differ."
    )
    other: Identifier | None = Field(
        default=None, description="Rows on which this run's list and that one's differ."
    )
    offset: int = Field(default=0, ge=0)


class RatesAsked(_Strict):
    """Which groups to compare."""

    columns: list[ColumnName] = Field(min_length=1, max_length=3)
    positive: Label = Field(description="The class whose mistakes are counted.")
    models: list[ModelKey] | None = Field(
        default=None,
        max_length=6,
        description="Predictions for rows not learned from; None is the list in training.",
    )
    other: Identifier | None = Field(
        default=None, description="A run on the same data, whose list is counted beside this one's."
    )


class ScoreColumn(_Strict):
    """A column that predicts already."""

    column: ColumnName
    threshold: float | None = Field(
        default=None, description="None is the best one on the rows learned from."
    )
    positive: Label | None = Field(
        default=None, description="The class that scores beyond the threshold mean."
    )
    above: bool = Field(
        default=True,
        description="Whether scores above the threshold mean this class; else those below.",
    )


class Rivals(_Strict):
    """How to compare a rule list with other models."""

    folds: int = Field(default=5, ge=2, le=10)
    seconds: float = Field(
        default=10, gt=0, le=600, description="For the search of the list, in each fold."
    )
    score: ScoreColumn | None = None


class NewFile(_Strict):
    """A file to be scored."""

    upload: Identifier


class Comparison(BaseModel):
    """Two runs side by side."""

    runs: list[dict[str, Any]]
    agreement: dict[str, int] | None
