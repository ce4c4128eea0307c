"""What a browser may send: every field with its type and bounds."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from surelist.runs.choices import Policy, Strategy, Symmetry

__all__ = [
    "Audit",
    "Comparison",
    "Inspecting",
    "NewDataset",
    "NewRun",
    "Person",
    "Reading",
    "Relabel",
    "Renaming",
    "RunSettings",
]

Identifier = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{16}$")]
ColumnName = Annotated[str, StringConstraints(max_length=1000)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=1000)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Cuts = Annotated[list[float], Field(max_length=50)]


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
    n_cuts: int = Field(default=3, ge=0, le=20)
    max_features: int = Field(default=28, ge=1, le=2000)
    columns: dict[ColumnName, Cuts | Literal["category"]] = Field(
        default_factory=dict, description="Cuts of single columns, or that one is a category."
    )
    class_weight: Literal["balanced"] | dict[str, Annotated[float, Field(gt=0, le=1e6)]] | None = (
        None
    )
    min_support: Annotated[str, StringConstraints(pattern=r"^0?\.\d{1,12}$")] | None = None
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


class Comparison(BaseModel):
    """Two runs side by side."""

    runs: list[dict[str, Any]]
    agreement: dict[str, int] | None
