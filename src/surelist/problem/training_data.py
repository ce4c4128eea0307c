"""Rows into Boolean features: what ``fit`` was given, checked, and what mining looks at.

Rows in memory and rows that stay elsewhere take the same steps: choose the conditions, read the
antecedents that the user wrote, evaluate the features. `RowsHere` and `_RowsElsewhere` say how.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import shown
from surelist.conditions.conditions import Condition, IsTrue
from surelist.errors import InputError
from surelist.features.binarization import (
    Binarization,
    choose_conditions,
    column_choices,
    cuts_everywhere,
    feature_matrix,
    feature_names,
    fit_conditions,
)
from surelist.features.column_conditions import Choice, Counted, Labelled
from surelist.problem.mining import is_supported
from surelist.problem.parameters import Parameters
from surelist.problem.user_antecedents import (
    Named,
    antecedent_texts,
    meant_literals,
    read_antecedents,
    warn_unused,
)
from surelist.sources.row_source import RowSource, Weighing
from surelist.tables.labels import Labels, read_labels
from surelist.tables.table import Table, read_table
from surelist.tables.weights import RowWeights, weigh_rows

if TYPE_CHECKING:
    from surelist.features.every_cut import Chain

__all__ = [
    "MAX_FEATURES",
    "N_CUTS",
    "EveryCut",
    "RowsHere",
    "TrainingData",
    "choose_binarizer",
    "open_rows",
    "read_data",
]


# How many cuts and features a search over pairs of them certifies in seconds rather than minutes.
N_CUTS = 3
MAX_FEATURES = 28

_MOST_CELLS = 1 << 31  # of the feature matrix, a byte each


@dataclass(frozen=True)
class EveryCut:
    """That some columns are cut wherever two values differ, each cut being a feature."""

    chains: tuple[Mapping[str, Any], ...]
    """These columns and all other conditions, as a certificate describes them."""
    intervals: bool
    """Whether intervals between any two cuts are features, too."""


@dataclass(frozen=True, eq=False)
class TrainingData:
    """The training rows as Boolean features; rows of weight zero are ignored by the engine."""

    matrix: NDArray[np.uint8]
    """The features, 0 or 1."""
    names: tuple[str, ...]
    codes: NDArray[np.int32]
    classes: NDArray[Any]
    weights: NDArray[np.int64]
    weight_description: Mapping[str, Any]
    """How the whole weights came about, as `surelist.weights.describe_weights` says it."""
    weight_unit: float
    """The whole weight that stands for a weight of 1."""
    conditions: tuple[Condition, ...] | None = None
    """What each feature asks of the raw table; None where its columns are the features."""
    columns: tuple[str, ...] | None = None
    """The names of the raw table's columns; None together with ``conditions``."""
    own: tuple[tuple[int, ...], ...] | None = None
    """The user's own antecedents, as literals; None where there are none."""
    own_only: bool = False
    """Whether they are used instead of mined antecedents, not beside them."""
    added: tuple[str, ...] = ()
    """Texts that have to be antecedents and cannot be mined: the last ones of ``own``."""
    meant: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """The literals that the user's texts mean; none where one of them is no feature."""
    n_rows: int | None = None
    """How many rows these are the groups of; None where they are the rows themselves."""
    every_cut: EveryCut | None = None
    """Which columns are cut everywhere; None where none is."""

    def with_added(self, texts: Sequence[str]) -> TrainingData:
        """Return the same data with these texts as own antecedents, beside the user's."""
        users = (self.own or ())[: len(self.own or ()) - len(self.added)]
        own = (*users, *(tuple(self.meant[text]) for text in texts))
        return replace(self, own=own, added=tuple(texts))


class _Rows(Protocol):
    """Training rows, wherever they are."""

    @property
    def table(self) -> Named:
        """The columns."""

    @property
    def classes(self) -> NDArray[Any]:
        """The class labels, in order."""

    @property
    def weight_description(self) -> Mapping[str, Any]:
        """How the whole weights came about."""

    @property
    def weight_unit(self) -> float:
        """The whole weight that stands for a weight of 1."""

    @property
    def n_rows(self) -> int | None:
        """How many rows there are, where `features` returns groups of them; else None."""

    def choose(self, binarizer: Binarization) -> tuple[Condition, ...]:
        """Choose the conditions that become features."""

    def features(
        self, conditions: tuple[Condition, ...]
    ) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int64]]:
        """Return the features, class codes and weights of rows, or of groups of equal rows."""


@dataclass(frozen=True, eq=False)
class RowsHere:
    """Rows in memory."""

    table: Table
    labels: Labels
    weights: RowWeights
    n_rows: None = None

    @property
    def classes(self) -> NDArray[Any]:
        """The class labels, in order."""
        return self.labels.classes

    @property
    def weight_description(self) -> Mapping[str, Any]:
        """How the whole weights came about."""
        return self.weights.description

    @property
    def weight_unit(self) -> float:
        """The whole weight that stands for a weight of 1."""
        return self.weights.unit

    def choose(self, binarizer: Binarization) -> tuple[Condition, ...]:
        """Choose the conditions that become features."""
        if cuts_everywhere(binarizer):
            self._check_size(binarizer)
        return fit_conditions(binarizer, self.table, self.labelled)

    @property
    def labelled(self) -> Labelled:
        """Their classes and weights."""
        return Labelled(self.labels.codes, self.weights.whole, len(self.classes))

    def chains(self, binarizer: Binarization) -> list[Chain]:
        """Return the chains of all columns, of all cuts where these are wanted."""
        from surelist.features.every_cut import chains_of_column

        choices = column_choices(binarizer, self.table.names, self.labelled)
        return [
            chain
            for index, choice in enumerate(choices)
            if choice is not None
            for chain in chains_of_column(self.table.column(index), self.labelled, choice)
        ]

    def _check_size(self, binarizer: Binarization) -> None:
        """Refuse so many cuts that the matrix of features would not fit in memory."""
        cuts = [chain.n_cuts for chain in self.chains(binarizer)]
        n_features = sum(cuts)
        if binarizer.intervals:
            n_features += sum(n * (n - 1) // 4 for n in cuts)
        if n_features * self.table.n_rows > _MOST_CELLS:
            raise InputError(
                f"{n_features:,} cuts of {self.table.n_rows:,} rows are too many for these "
                'settings: n_cuts="all" goes with max_clauses=1, or 2, or with intervals and '
                "max_clauses=1; without negations, constraints, costs or a checkpoint; or take "
                "fewer cuts"
            )

    def features(
        self, conditions: tuple[Condition, ...]
    ) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int64]]:
        """Return the features, class codes and weights of all rows."""
        matrix = feature_matrix(self.table, conditions, self.table.names)
        return matrix, self.labels.codes, self.weights.whole


@dataclass(frozen=True, eq=False)
class _RowsElsewhere:
    """Rows of a `RowSource`: features are made where they are; groups of equal rows come here."""

    table: RowSource
    weighing: Weighing

    @property
    def classes(self) -> NDArray[Any]:
        return self.weighing.classes

    @property
    def weight_description(self) -> Mapping[str, Any]:
        return self.weighing.description

    @property
    def weight_unit(self) -> float:
        return self.weighing.unit

    @property
    def n_rows(self) -> int:
        return self.table.n_rows

    def choose(self, binarizer: Binarization) -> tuple[Condition, ...]:
        if cuts_everywhere(binarizer):
            raise InputError(
                'n_cuts="all" needs the rows in memory: pass a data frame or an array, or a number '
                "of cuts"
            )

        def of_column(index: int, choice: Choice) -> list[Counted]:
            return self.table.conditions(index, choice, self.weighing)

        return choose_conditions(binarizer, self.table.names, self.weighing.labelled, of_column)

    def features(
        self, conditions: tuple[Condition, ...]
    ) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int64]]:
        groups = self.table.groups(conditions, self.weighing)
        return groups.features, groups.codes, groups.weights


def open_rows(X: Any, y: Any, sample_weight: Any, class_weight: Any) -> _Rows:
    """Check labels and weights."""
    if isinstance(X, RowSource):
        if y is not None or sample_weight is not None:
            raise InputError(
                "rows outside memory hold their own labels and weights: pass label= and weight= "
                "to from_query, and leave y and sample_weight out"
            )
        return _RowsElsewhere(X, Weighing.of(X.label_counts(), class_weight))
    table = read_table(X)
    if table.n_rows == 0:
        raise InputError(
            "X has 0 rows: Found array with 0 sample(s); at least two are needed, of different "
            "classes"
        )
    labels = read_labels(y, table.n_rows)
    weights = weigh_rows(labels.codes, labels.classes, sample_weight, class_weight)
    return RowsHere(table, labels, weights)


def read_data(
    X: Any,
    y: Any,
    sample_weight: Any,
    class_weight: Any,
    *,
    binarizer: Binarization | None = None,
    antecedents: Any = None,
    parameters: Parameters | None = None,
) -> TrainingData:
    """Check what ``fit`` was given, and make Boolean features of it.

    Parameters
    ----------
    X, y, sample_weight, class_weight, binarizer, antecedents
        As `RuleListClassifier` takes them.
    parameters : Parameters, optional
        For what is demanded of antecedents; None: nothing is.

    Raises
    ------
    InputError
        For rows, labels, weights or texts that cannot be used.
    """
    own_only = parameters is not None and parameters.antecedents_only
    rows = open_rows(X, y, sample_weight, class_weight)
    chosen = () if own_only else rows.choose(binarizer or Binarization())
    users = [] if antecedents is None else antecedent_texts(antecedents)
    own, conditions = read_antecedents(users, rows.table, chosen)
    named: tuple[str, ...] = () if parameters is None else parameters.demands.named
    texts = () if parameters is None else parameters.spoken_of
    meant = meant_literals(texts, rows.table, conditions)
    # What has to appear is an antecedent, whatever its support and its number of clauses.
    added = [
        text
        for text in named
        if parameters is not None
        and not _is_mined(meant[text], parameters)
        and set(meant[text]) not in map(set, own)
    ]
    own, conditions = read_antecedents([*users, *added], rows.table, chosen)
    matrix, codes, weights = rows.features(conditions)
    warn_unused([*users, *added], own, matrix)
    data = TrainingData(
        matrix=matrix,
        names=feature_names(conditions),
        codes=codes,
        classes=rows.classes,
        weights=weights,
        weight_description=rows.weight_description,
        weight_unit=rows.weight_unit,
        # A table of 0/1 columns is its own features; then there is nothing to say about them.
        **_raw(getattr(rows.table, "all_names", rows.table.names), conditions),
        own=None if antecedents is None and not added else own,
        own_only=own_only,
        added=tuple(added),
        meant=meant_literals(texts, rows.table, conditions) if added else meant,
        n_rows=rows.n_rows,
        every_cut=None if binarizer is None or own_only else _every_cut(rows, binarizer),
    )
    return data if parameters is None else _with_rare(data, named, parameters)


def _every_cut(rows: _Rows, binarizer: Binarization) -> EveryCut | None:
    """Return which columns are cut everywhere."""
    if not isinstance(rows, RowsHere) or not cuts_everywhere(binarizer):
        return None
    from surelist.features.every_cut import described

    chains = tuple(described(rows.chains(binarizer)))
    if not any("column" in chain for chain in chains):
        return None
    return EveryCut(chains, bool(binarizer.intervals))


def _is_mined(literals: Sequence[int], parameters: Parameters) -> bool:
    """Whether mining tries a conjunction at all; it has no literals where one is no feature."""
    if parameters.antecedents_only or not literals:
        return False
    negated = any(literal % 2 for literal in literals)
    return len(set(literals)) <= parameters.max_clauses and (parameters.negations or not negated)


def _with_rare(data: TrainingData, named: Sequence[str], parameters: Parameters) -> TrainingData:
    """Add those demanded antecedents that mining would leave out for their support."""
    rare = {
        text
        for text in set(named) - set(data.added)
        if set(data.meant[text]) not in map(set, data.own or ())
        and not is_supported(data, data.meant[text], parameters)
    }
    if not rare:
        return data
    for text in rare:
        warn_unused([text], [data.meant[text]], data.matrix)
    return data.with_added([text for text in named if text in rare or text in data.added])


def choose_binarizer(binarizer: Any, parameters: Parameters) -> Binarization:
    """Return the user's binarizer, or one for models that were given none.

    Categories and sides of a cut below ``min_support`` would make no antecedents.

    Raises
    ------
    InputError
        For what is no binarizer.
    """
    if binarizer is None:
        return Binarization(
            n_cuts=N_CUTS, min_frequency=parameters.min_support, max_features=MAX_FEATURES
        )
    if not isinstance(binarizer, Binarization):
        raise InputError(f"binarizer must be None or a Binarizer; got {shown(binarizer)}")
    return binarizer


def _raw(columns: tuple[str, ...], conditions: tuple[Condition, ...]) -> dict[str, Any]:
    if conditions == tuple(map(IsTrue, columns)):
        return {"conditions": None, "columns": None}
    return {"conditions": conditions, "columns": columns}
