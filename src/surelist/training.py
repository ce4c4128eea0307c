"""The steps of a fit: read the data, mine antecedents, set up the search, read off its result."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist import _core
from surelist._shown import shown
from surelist.antecedents import Spellings, find_prefix, name_antecedents
from surelist.binarize import (
    Binarizer,
    choose_conditions,
    feature_matrix,
    feature_names,
    fit_conditions,
)
from surelist.column_conditions import Choice, Counted, Labelled
from surelist.conditions import Condition, IsTrue
from surelist.constraints import Constraints
from surelist.errors import InputError, SurelistError
from surelist.grouped import RowSource, Weighing
from surelist.labels import read_labels
from surelist.own_antecedents import (
    antecedent_texts,
    canonical_texts,
    own_antecedents,
    read_antecedents,
    warn_unused,
)
from surelist.parameters import Parameters, least_support
from surelist.regularization import text
from surelist.rule_list import Antecedent, Rule, RuleList
from surelist.tables import read_table
from surelist.weights import describe_weights, row_weights, weight_unit

__all__ = [
    "MAX_FEATURES",
    "N_CUTS",
    "Prepared",
    "TrainingData",
    "choose_binarizer",
    "initial_prefix",
    "mine",
    "new_search",
    "prepare",
    "prepare_data",
    "read_data",
    "rule_list_of",
    "run",
    "search_options",
    "weight_scale",
]


# How many cuts and features a search over pairs of them certifies in seconds rather than minutes.
N_CUTS = 3
MAX_FEATURES = 40

_MOST_WEIGHT = 2**62  # in all: the engine's sums of weights have 64 bits


@dataclass(frozen=True, eq=False)
class TrainingData:
    """The training rows; those of weight zero count for nothing, here and in the engine."""

    matrix: NDArray[np.uint8]
    """The features, 0 or 1."""
    names: tuple[str, ...]
    codes: NDArray[np.int32]
    classes: NDArray[Any]
    weights: NDArray[np.int64]
    conditions: tuple[Condition, ...] | None = None
    """What each feature asks of the raw table; None where its columns are the features."""
    columns: tuple[str, ...] | None = None
    """The names of the raw table's columns; None together with ``conditions``."""
    own: tuple[tuple[int, ...], ...] | None = None
    """The user's own antecedents, as literals; None where there are none."""
    own_only: bool = False
    """Whether they are all there is, instead of standing beside the mined ones."""
    canonical: Mapping[str, str] = field(default_factory=dict)
    """How antecedents print that the user's texts, read as predicates, mean."""
    n_rows: int | None = None
    """How many rows these are the groups of; None where they are the rows themselves."""
    weighing: Weighing | None = None
    """How the weights of groups came about; None where rows were given theirs."""

    def describe_weights(self, sample_weight: Any, class_weight: Any) -> dict[str, Any]:
        """Say how the whole weights came about, as a certificate does."""
        if self.weighing is not None:
            return dict(self.weighing.description)
        return describe_weights(self.codes, self.classes, sample_weight, class_weight)

    def weight_unit(self, sample_weight: Any, class_weight: Any) -> float:
        """Return the whole weight that stands for a weight of 1."""
        if self.weighing is not None:
            return self.weighing.unit
        return weight_unit(self.weights, self.codes, self.classes, sample_weight, class_weight)


def read_data(
    X: Any,
    y: Any,
    sample_weight: Any,
    class_weight: Any,
    *,
    binarizer: Binarizer | None = None,
    antecedents: Any = None,
    antecedents_only: bool = False,
    texts: Sequence[str] = (),
) -> TrainingData:
    """Check what ``fit`` was given, and make Boolean features of it."""
    if isinstance(X, RowSource):
        if y is not None or sample_weight is not None:
            raise InputError(
                "the labels and weights of rows that stay elsewhere are columns of theirs: name "
                "them there, by label=… and weight=…, and pass neither y nor sample_weight"
            )
        return _read_groups(
            X, class_weight, binarizer or Binarizer(), antecedents, antecedents_only, texts
        )
    table = read_table(X)
    if table.n_rows == 0:
        raise InputError(
            "X has 0 rows: Found array with 0 sample(s); at least two are needed, of different "
            "classes"
        )
    labels = read_labels(y, table.n_rows)
    weights = row_weights(labels.codes, labels.classes, sample_weight, class_weight)
    labelled = Labelled(labels.codes, weights, len(labels.classes))
    conditions: tuple[Condition, ...] = ()
    if not antecedents_only:
        conditions = fit_conditions(binarizer or Binarizer(), table, labelled)
    own = None
    if antecedents is not None:
        own, conditions = own_antecedents(antecedents, table, conditions)
    names = feature_names(conditions)
    return TrainingData(
        matrix=feature_matrix(table, conditions, table.names),
        names=names,
        codes=labels.codes,
        classes=labels.classes,
        weights=weights,
        # A table of 0/1 columns is its own features; then there is nothing to say about them.
        **_raw(table.names, conditions),
        own=own,
        own_only=antecedents_only,
        canonical=canonical_texts(texts, table),
    )


def _read_groups(
    source: RowSource,
    class_weight: Any,
    binarizer: Binarizer,
    antecedents: Any,
    antecedents_only: bool,
    texts: Sequence[str],
) -> TrainingData:
    """Make Boolean features where the rows are, and bring the groups of equal ones here."""
    weighing = Weighing.of(source.label_counts(), class_weight)
    conditions: tuple[Condition, ...] = ()
    if not antecedents_only:

        def of_column(index: int, choice: Choice) -> list[Counted]:
            return source.conditions(index, choice, weighing)

        conditions = choose_conditions(binarizer, source.names, weighing.labelled, of_column)
    own = None
    if antecedents is not None:
        antecedents = antecedent_texts(antecedents)
        own, conditions = read_antecedents(antecedents, source, conditions)
    groups = source.groups(conditions, weighing)
    if own is not None:
        warn_unused(
            antecedents, own, lambda literal: groups.features[:, literal // 2] != literal % 2
        )
    return TrainingData(
        matrix=groups.features,
        names=feature_names(conditions),
        codes=groups.codes,
        classes=weighing.classes,
        weights=groups.weights,
        **_raw(source.names, conditions),
        own=own,
        own_only=antecedents_only,
        canonical=canonical_texts(texts, source),
        n_rows=source.n_rows,
        weighing=weighing,
    )


@dataclass(frozen=True, eq=False)
class Prepared:
    """A problem to search, and what its antecedents mean."""

    data: TrainingData
    problem: _core.Problem
    constraints: Constraints
    began: float
    """When mining did, by the monotonic clock: from then on time counts."""

    def time_left(self, limit: float | None) -> float | None:
        """Return what is left of a time limit: at least a tenth, for something to be found in."""
        if limit is None:
            return None
        return max(limit - (time.monotonic() - self.began), limit / 10)

    @property
    def antecedents(self) -> tuple[Antecedent, ...]:
        """Each antecedent by its names."""
        return self.constraints.antecedents


def prepare(
    X: Any, y: Any, sample_weight: Any, class_weight: Any, parameters: Parameters, **how: Any
) -> Prepared:
    """Read the data, mine antecedents, and find those that the user speaks of.

    ``how`` goes to `read_data`.
    """
    demands, prices = parameters.demands, parameters.prices
    texts = (*demands.named, *demands.forbidden, *(prices.by_text or ()))

    data = read_data(X, y, sample_weight, class_weight, texts=texts, **how)
    began = time.monotonic()
    found, antecedents = _mined(data, parameters)
    where = Spellings(data.canonical).find(demands.named, antecedents)
    # What has to appear is an antecedent, whatever its support and its number of clauses.
    missing = [text for text, index in zip(demands.named, where, strict=True) if index is None]
    if not missing:
        return _prepared(data, found, antecedents, parameters, began)
    own = [*(how.get("antecedents") or ()), *missing]
    again = {**how, "antecedents": own}
    return prepare_data(
        read_data(X, y, sample_weight, class_weight, texts=texts, **again), parameters
    )


def prepare_data(data: TrainingData, parameters: Parameters) -> Prepared:
    """Mine antecedents in data that has every antecedent that the user speaks of."""
    began = time.monotonic()
    return _prepared(data, *_mined(data, parameters), parameters, began)


def _mined(
    data: TrainingData, parameters: Parameters
) -> tuple[_core.Mined, tuple[Antecedent, ...]]:
    found = mine(data, parameters)
    return found, name_antecedents(found.antecedents, data.names, data.conditions)


def _prepared(
    data: TrainingData,
    found: _core.Mined,
    antecedents: tuple[Antecedent, ...],
    parameters: Parameters,
    began: float,
) -> Prepared:
    demands, prices = parameters.demands, parameters.prices
    classes, spellings = data.classes.tolist(), Spellings(data.canonical)
    constraints = Constraints.of(demands, prices, antecedents, classes, spellings)
    return Prepared(data, found.problem, constraints, began)


def choose_binarizer(binarizer: Any, parameters: Parameters) -> Binarizer:
    """Return the user's binarizer, or one for models that were given none.

    Categories and sides of a cut below ``min_support`` would make no antecedents.

    Raises
    ------
    InputError
        For what is no binarizer.
    """
    if binarizer is None:
        return Binarizer(
            n_cuts=N_CUTS, min_frequency=parameters.min_support, max_features=MAX_FEATURES
        )
    if not isinstance(binarizer, Binarizer):
        raise InputError(f"binarizer must be None or a Binarizer; got {shown(binarizer)}")
    return binarizer


def _raw(columns: tuple[str, ...], conditions: tuple[Condition, ...]) -> dict[str, Any]:
    if conditions == tuple(map(IsTrue, columns)):
        return {"conditions": None, "columns": None}
    return {"conditions": conditions, "columns": columns}


def mine(data: TrainingData, parameters: Parameters) -> _core.Mined:
    """Mine the antecedents that may appear in an optimal rule list, and take the user's own.

    A rule must save λ, so it captures at least that share (lower bound on antecedent support), and
    leaves at least that share to the rest, which otherwise is not worth a rule, unless something
    else is required after it.
    """
    prices, scale = parameters.prices, weight_scale(data, parameters)
    matrix = prices.matrix_for(data.classes.tolist())
    total = int(data.weights.sum()) * scale
    left = least_support(parameters.regularization, prices)
    return _core.mine(
        data.matrix,
        data.codes,
        data.weights * scale,
        len(data.classes),
        max_clauses=0 if data.own_only else min(parameters.max_clauses, data.matrix.shape[1]),
        negations=parameters.negations,
        min_support=max(1, math.ceil(parameters.min_support * total)),
        max_support=total if parameters.demands.required else math.floor((1 - left) * total),
        costs=[int(cost * prices.unit(matrix)) for row in matrix or () for cost in row],
        unit=prices.unit(matrix),
        given=[sorted(literals) for literals in data.own or ()],
    )


def weight_scale(data: TrainingData, parameters: Parameters) -> int:
    """Return what the engine's weights are multiplied by, so that surcharges are whole."""
    prices = parameters.prices
    total = int(data.weights.sum()) * prices.unit(prices.matrix_for(data.classes.tolist()))
    scale = prices.factor(parameters.regularization, total)
    if scale * total > _MOST_WEIGHT:
        raise InputError(
            f"regularization {parameters.regularization} times antecedent_costs has too many "
            "digits to be computed with exactly: round them"
        )
    return scale


def initial_prefix(
    initial: Any, antecedents: tuple[Antecedent, ...], max_length: int | None
) -> list[int] | None:
    """Find the rule list to start from among the antecedents."""
    prefix = find_prefix(initial, antecedents)
    if prefix is not None and max_length is not None and len(prefix) > max_length:
        raise InputError(f"initial_rule_list has length {len(prefix)}; max_length is {max_length}")
    return prefix


def new_search(
    problem: _core.Problem,
    parameters: Parameters,
    prefix: list[int] | None,
    constraints: Constraints | None = None,
    closed_log: str | None = None,
) -> _core.Search:
    """Set up the search; nothing runs yet. It may log the prefixes that it closes to a file."""
    options = search_options(problem, parameters, constraints)
    return _core.Search(problem, initial_rule_list=prefix, closed_log=closed_log, **options)


def search_options(
    problem: _core.Problem, parameters: Parameters, constraints: Constraints | None = None
) -> dict[str, Any]:
    """Return the engine's options, as plain values."""
    given: dict[str, Any] = {}
    if constraints is not None:
        given = {
            "surcharges": constraints.surcharges(
                parameters.prices, parameters.regularization, problem.total_weight
            ),
            "rule_label": constraints.rule_label,
            "first": constraints.first,
            "required": constraints.required,
            "forbidden": constraints.forbidden,
        }
    return {
        "regularization": text(parameters.regularization * parameters.prices.least),
        "policy": parameters.policy,
        "symmetry": parameters.symmetry,
        "bounds": parameters.bounds,
        "max_length": parameters.max_length,
        "time_limit": parameters.time_limit,
        "memory_limit": parameters.memory_limit,
        "max_prefixes": parameters.max_prefixes,
        "n_jobs": parameters.n_jobs,
        "trace_interval": parameters.trace_interval,
        "random_state": parameters.random_state,
        **given,
    }


def run(
    search: _core.Search,
    report: Callable[[dict[str, Any]], None] | None,
    pause_seconds: float | None = None,
) -> None:
    """Run the search to its end, a limit, a pause, or Ctrl-C, which leaves it in order.

    Ctrl-C may strike while a progress function runs; a progress function may also raise
    KeyboardInterrupt itself, to have seen enough. Its other errors come out of here.
    """
    try:
        search.run(report, pause_seconds)
    except KeyboardInterrupt:
        if search.status == "running":
            raise


def rule_list_of(
    search: _core.Search,
    antecedents: tuple[Antecedent, ...],
    data: TrainingData,
    parameters: Parameters,
    costs: tuple[Fraction, ...] | None = None,
) -> RuleList:
    """Build the rule list that the search found, counting on the rows instead of its groups.

    ``costs`` are those of the antecedents, in multiples of λ; None is 1 each.
    """
    prefix = [antecedents[index] for index in search.prefix]
    classes = tuple(data.classes.tolist())
    captured_by = np.full(len(data.matrix), len(prefix), dtype=np.intp)
    for index in reversed(range(len(prefix))):
        captured_by[prefix[index].captures(data.matrix)] = index
    weights = np.zeros((len(prefix) + 1, len(classes)), dtype=np.int64)
    np.add.at(weights, (captured_by, data.codes), data.weights)
    price = [Fraction(1) if costs is None else costs[index] for index in search.prefix]
    rules = tuple(
        Rule(antecedent, classes[code], int(row[code]), tuple(row.tolist()), cost)
        for antecedent, code, row, cost in zip(
            (*prefix, None),
            (*search.labels, search.default_label),
            weights,
            (*price, Fraction(1)),
            strict=True,
        )
    )
    rule_list = RuleList(
        rules[:-1],
        rules[-1],
        classes,
        data.names,
        parameters.regularization,
        data.columns,
        parameters.prices.matrix_for(classes),
    )
    if rule_list.objective != Fraction(search.objective, search.scale):
        raise SurelistError(
            f"the search reports the objective {Fraction(search.objective, search.scale)}, but its "
            f"rule list has {rule_list.objective} on the data: please report this as a defect"
        )
    return rule_list
