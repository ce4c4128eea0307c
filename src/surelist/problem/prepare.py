"""The steps of a fit: read the data, mine antecedents, set up the search, read off its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist import _core
from surelist._common.limits import Deadline, Work
from surelist._common.messages import shown
from surelist.conditions.conditions import Condition, IsTrue
from surelist.errors import InputError, SurelistError
from surelist.features.binarizer import (
    Binarizer,
    choose_conditions,
    feature_matrix,
    feature_names,
    fit_conditions,
)
from surelist.features.column_conditions import Choice, Counted, Labelled
from surelist.problem.antecedents import Spellings, find_prefix, name_antecedents
from surelist.problem.constraints import Constraints
from surelist.problem.mining import Cut, Found, mine, weight_scale
from surelist.problem.parameters import Parameters
from surelist.problem.user_antecedents import (
    antecedent_texts,
    meant_literals,
    own_antecedents,
    read_antecedents,
    warn_unused,
)
from surelist.rule_list.rule_list import Antecedent, Rule, RuleList
from surelist.sources.row_source import RowSource, Weighing
from surelist.tables.labels import read_labels
from surelist.tables.regularization import text
from surelist.tables.table import read_table
from surelist.tables.weights import describe_weights, row_weights, weight_unit

__all__ = [
    "MAX_FEATURES",
    "N_CUTS",
    "Prepared",
    "TrainingData",
    "choose_binarizer",
    "conclude",
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
MAX_FEATURES = 28


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
    meant: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """The literals that the user's texts mean; none where one of them is no feature."""
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
        meant=meant_literals(texts, table, conditions),
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
        meant=meant_literals(texts, source, conditions),
        n_rows=source.n_rows,
        weighing=weighing,
    )


@dataclass(frozen=True, eq=False)
class Prepared:
    """A problem to search, and what its antecedents mean."""

    data: TrainingData
    problem: _core.Problem
    constraints: Constraints
    deadline: Deadline
    """For the whole fit, from the first row read to the result."""
    cut: Cut | None = None
    """Where mining was cut short; None: it was not."""
    work: int = 0
    """What mining took, counted."""
    feature_floor: Fraction = Fraction(0)
    """The loss that is left to rows with equal features: no rule list at all has less."""

    @property
    def tried(self) -> int | None:
        """How many conjunctions of two or more clauses were tried; None: all there are."""
        return None if self.cut is None else self.cut.tried

    @property
    def antecedents(self) -> tuple[Antecedent, ...]:
        """Each antecedent by its names."""
        return self.constraints.antecedents

    def least_beyond(self, parameters: Parameters) -> Fraction | None:
        """Return a lower bound of the lists that use a conjunction which mining has not tried.

        None where there are no such lists. All others are lists of the search, with the names and
        hence the prices and the permissions that it knows of. One of these has at least one rule,
        and as many as are demanded; each costs at least the least price; and rows with equal
        features get the same label from any list.
        """
        n_rules, longest = self._least_rules(), parameters.max_length
        if self.tried is None or (longest is not None and longest < n_rules):
            return None
        return self.feature_floor + parameters.regularization * parameters.prices.least * n_rules

    def proven_length(
        self, proven: int | None, objective: Fraction, beyond: Fraction | None
    ) -> int | None:
        """Return up to which length no list at all is better, from what a search has proven.

        ``proven`` is said of lists over the mined antecedents; ``beyond`` is `least_beyond`. Lists
        that use another one and have fewer rules than that reckons with do not exist.
        """
        if beyond is None or beyond >= objective:
            return proven
        shorter = self._least_rules() - 1
        return shorter if proven is None else min(proven, shorter)

    def _least_rules(self) -> int:
        """Return how many rules a list has at least that uses some antecedent."""
        return max(1, len({*self.constraints.first, *self.constraints.required}))


def prepare(
    X: Any,
    y: Any,
    sample_weight: Any,
    class_weight: Any,
    parameters: Parameters,
    *,
    deadline: Deadline | None = None,
    **how: Any,
) -> Prepared:
    """Read the data, mine antecedents, and find those that the user speaks of.

    ``deadline`` counts from here where there is none; ``how`` goes to `read_data`.
    """
    deadline = deadline or Deadline.start(parameters.time_limit)
    work = Work(parameters.work_limit)
    demands, prices = parameters.demands, parameters.prices
    texts = (*demands.named, *demands.forbidden, *(prices.by_text or ()))

    data = read_data(X, y, sample_weight, class_weight, texts=texts, **how)
    found, antecedents = _mined(data, parameters, deadline, work=work)
    where = Spellings(data.meant).find(demands.named, antecedents)
    # What has to appear is an antecedent, whatever its support and its number of clauses.
    missing = [text for text, index in zip(demands.named, where, strict=True) if index is None]
    if not missing:
        return _prepared(data, found, antecedents, parameters, deadline)
    own = [*(how.get("antecedents") or ()), *missing]
    again = {**how, "antecedents": own}
    data = read_data(X, y, sample_weight, class_weight, texts=texts, **again)
    mined = _mined(data, parameters, deadline, work=work)
    return _prepared(data, *mined, parameters, deadline)


def prepare_data(
    data: TrainingData,
    parameters: Parameters,
    *,
    deadline: Deadline | None = None,
    cut: Cut | None = None,
) -> Prepared:
    """Mine antecedents in data that has every antecedent that the user speaks of.

    It is mined as it was before, whatever the limits: all there are, or those up to a ``cut``.
    """
    deadline = deadline or Deadline.start(parameters.time_limit)
    mined = _mined(data, parameters, Deadline.now(None), cut)
    return _prepared(data, *mined, parameters, deadline)


def _mined(
    data: TrainingData,
    parameters: Parameters,
    deadline: Deadline,
    cut: Cut | None = None,
    work: Work | None = None,
) -> tuple[Found, tuple[Antecedent, ...]]:
    found = mine(data, parameters, deadline, cut, work)
    return found, name_antecedents(found.mined.antecedents, data.names, data.conditions)


def _prepared(
    data: TrainingData,
    found: Found,
    antecedents: tuple[Antecedent, ...],
    parameters: Parameters,
    deadline: Deadline,
) -> Prepared:
    mined = found.mined
    demands, prices = parameters.demands, parameters.prices
    classes, spellings = data.classes.tolist(), Spellings(data.meant)
    constraints = Constraints.of(demands, prices, antecedents, classes, spellings)
    return Prepared(
        data,
        mined.problem,
        constraints,
        deadline,
        found.cut,
        found.work,
        Fraction(mined.feature_floor, mined.problem.total_weight),
    )


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
        "work_limit": parameters.work_limit,
        "by_length": parameters.by_length,
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
    pause_work: int | None = None,
) -> None:
    """Run the search to its end, a limit, a pause, or Ctrl-C, which leaves it in order.

    Ctrl-C may strike while a progress function runs; a progress function may also raise
    KeyboardInterrupt itself, to have seen enough. Its other errors come out of here.
    """
    try:
        search.run(report, pause_seconds, None, pause_work)
    except KeyboardInterrupt:
        if search.status == "running":
            raise


def conclude(search: _core.Search, interrupted: bool = False) -> None:
    """Have a search that stands still say how it ended: its time has passed, or somebody came."""

    def stop(_: dict[str, Any]) -> None:
        raise KeyboardInterrupt

    run(search, stop if interrupted else None)


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
