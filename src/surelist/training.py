"""The steps of a fit: read the data, mine antecedents, set up the search, read off its result."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist import _core
from surelist.antecedents import find_prefix
from surelist.binarize import Binarizer, feature_matrix, feature_names, fit_conditions
from surelist.column_conditions import Labelled
from surelist.conditions import Condition, IsTrue
from surelist.errors import InputError, SurelistError
from surelist.labels import read_labels
from surelist.own_antecedents import Joined, join, own_antecedents
from surelist.parameters import Parameters
from surelist.regularization import text
from surelist.rule_list import Antecedent, Rule, RuleList
from surelist.tables import read_table
from surelist.weights import row_weights

__all__ = [
    "MAX_FEATURES",
    "N_CUTS",
    "TrainingData",
    "default_binarizer",
    "initial_prefix",
    "mine",
    "new_search",
    "read_data",
    "rule_list_of",
    "run",
]


# How many cuts and features a search over pairs of them certifies in seconds rather than minutes.
N_CUTS = 3
MAX_FEATURES = 40


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


def read_data(
    X: Any,
    y: Any,
    sample_weight: Any,
    class_weight: Any,
    *,
    binarizer: Binarizer | None = None,
    antecedents: Any = None,
    antecedents_only: bool = False,
) -> TrainingData:
    """Check what ``fit`` was given, and make Boolean features of it."""
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
    )


def default_binarizer(parameters: Parameters) -> Binarizer:
    """Return the binarizer for models that were given none.

    Categories and sides of a cut below ``min_support`` would make no antecedents.
    """
    return Binarizer(n_cuts=N_CUTS, min_frequency=parameters.min_support, max_features=MAX_FEATURES)


def _raw(columns: tuple[str, ...], conditions: tuple[Condition, ...]) -> dict[str, Any]:
    if conditions == tuple(map(IsTrue, columns)):
        return {"conditions": None, "columns": None}
    return {"conditions": conditions, "columns": columns}


def mine(data: TrainingData, parameters: Parameters) -> _core.Mined | Joined:
    """Mine the antecedents that may appear in an optimal rule list, or take the user's own.

    A rule must save λ, so it captures at least that share (lower bound on antecedent support), and
    leaves at least that share to the rest, which otherwise is not worth a rule.
    """
    total = int(data.weights.sum())
    least = max(1, math.ceil(parameters.min_support * total))
    most = math.floor((1 - parameters.regularization) * total)
    if data.own is not None and data.own_only:
        return join([], data.own, data, least, most)
    mined = _core.mine(
        data.matrix,
        data.codes,
        data.weights,
        len(data.classes),
        max_clauses=max(1, min(parameters.max_clauses, data.matrix.shape[1])),
        negations=parameters.negations,
        min_support=least,
        max_support=most,
    )
    return mined if data.own is None else join(mined.antecedents, data.own, data, least, most)


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
    closed_log: str | None = None,
) -> _core.Search:
    """Set up the search; nothing runs yet. It may log the prefixes that it closes to a file."""
    return _core.Search(
        problem,
        text(parameters.regularization),
        policy=parameters.policy,
        symmetry=parameters.symmetry,
        bounds=parameters.bounds,
        max_length=parameters.max_length,
        initial_rule_list=prefix,
        time_limit=parameters.time_limit,
        memory_limit=parameters.memory_limit,
        max_prefixes=parameters.max_prefixes,
        n_jobs=parameters.n_jobs,
        trace_interval=parameters.trace_interval,
        random_state=parameters.random_state,
        closed_log=closed_log,
    )


def run(search: _core.Search, report: Callable[[dict[str, Any]], None] | None) -> None:
    """Run the search to its end, a limit, or Ctrl-C, which leaves it in order.

    Ctrl-C may strike while a progress function runs; a progress function may also raise
    KeyboardInterrupt itself, to have seen enough. Its other errors come out of here.
    """
    try:
        search.run(report)
    except KeyboardInterrupt:
        if search.status == "running":
            raise


def rule_list_of(
    search: _core.Search,
    antecedents: tuple[Antecedent, ...],
    data: TrainingData,
    regularization: Fraction,
) -> RuleList:
    """Build the rule list that the search found, counting on the rows instead of its groups."""
    prefix = [antecedents[index] for index in search.prefix]
    classes = tuple(data.classes.tolist())
    captured_by = np.full(len(data.matrix), len(prefix), dtype=np.intp)
    for index in reversed(range(len(prefix))):
        captured_by[prefix[index].captures(data.matrix)] = index
    weights = np.zeros((len(prefix) + 1, len(classes)), dtype=np.int64)
    np.add.at(weights, (captured_by, data.codes), data.weights)
    rules = tuple(
        Rule(antecedent, classes[code], int(row[code]), tuple(row.tolist()))
        for antecedent, code, row in zip(
            (*prefix, None), (*search.labels, search.default_label), weights, strict=True
        )
    )
    rule_list = RuleList(rules[:-1], rules[-1], classes, data.names, regularization, data.columns)
    if rule_list.objective != Fraction(search.objective, search.scale):
        raise SurelistError(
            f"the search reports the objective {Fraction(search.objective, search.scale)}, but its "
            f"rule list has {rule_list.objective} on the data: please report this as a defect"
        )
    return rule_list
