"""Prepare a fair fit: rows into a problem whose groups know about sensitive groups.

Antecedents are those of a fit without constraints. Then every sensitive group gets two classes of
its own: 2a for its negative rows, 2a + 1 for its positive ones. That is all the engine needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist import _core
from surelist._common.limits import Deadline
from surelist._common.messages import shown
from surelist.errors import InputError
from surelist.problem.fairness import Demand, FairConstraints, constraints_of
from surelist.problem.mining import weight_scale
from surelist.problem.parameters import Parameters
from surelist.problem.prepare import Prepared, prepare
from surelist.problem.sensitive import SensitiveGroups, TableWithout, sensitive_groups
from surelist.problem.settings import Settings
from surelist.problem.training_data import TrainingData, choose_binarizer
from surelist.sources.row_source import RowSource
from surelist.tables.table import Table, read_table

__all__ = ["FairPrepared", "prepare_fair"]


@dataclass(frozen=True, eq=False)
class FairPrepared:
    """A problem to search for fair lists."""

    prepared: Prepared
    demand: Demand
    sensitive: SensitiveGroups
    positive: int
    """The position of the positive class."""
    problem: _core.Problem
    """With two classes for each sensitive group."""
    constraints: FairConstraints

    @property
    def data(self) -> TrainingData:
        """The training rows."""
        return self.prepared.data

    def class_of(self, label: int) -> int:
        """Return the position of the class that the engine calls 0 or 1."""
        return self.positive if label else 1 - self.positive


def prepare_fair(
    settings: Settings,
    parameters: Parameters,
    demand: Demand,
    X: Any,
    y: Any,
    sample_weight: Any,
    sensitive_features: Any,
    deadline: Deadline,
) -> FairPrepared:
    """Read the data, mine antecedents, and split what they capture by sensitive group.

    Raises
    ------
    InputError
    """
    _refuse(settings, parameters, X)
    table = read_table(X)
    reduced: Table = table
    hidden = [name for name in demand.sensitive if name in table.names]
    if hidden and not demand.allow_sensitive:
        reduced = TableWithout(table, hidden)
    prepared = prepare(
        reduced,
        y,
        sample_weight,
        None,
        parameters,
        binarizer=choose_binarizer(settings.binarizer, parameters),
        antecedents=settings.antecedents,
        deadline=deadline,
    )
    data = prepared.data
    sensitive = sensitive_groups(table, demand.sensitive, sensitive_features, data.weights)
    positive = _positive(demand, data.classes)
    codes = (2 * sensitive.codes + (data.codes == positive)).astype(np.int32)
    problem = _split(prepared, parameters, codes, len(sensitive), positive)
    constraints = constraints_of(demand, problem.class_weights, sensitive.names)
    return FairPrepared(prepared, demand, sensitive, positive, problem, constraints)


def _refuse(settings: Settings, parameters: Parameters, X: Any) -> None:
    """Refuse options that cannot be combined with fairness."""
    if isinstance(X, RowSource):
        raise InputError(
            "fairness needs the rows in memory: pass a data frame, such as duckdb.sql(…).df()"
        )
    if settings.class_weight is not None:
        raise InputError(
            "class_weight would change the rates of groups; with fairness, say what mistakes cost "
            "by cost_matrix, which leaves rates as they are"
        )
    if parameters.checkpoint is not None or parameters.cluster is not None:
        raise InputError("a search for fair lists has no checkpoint, and runs on no cluster")
    if parameters.policy not in ("lower_bound", "breadth_first", "depth_first"):
        raise InputError(
            'with fairness, policy must be "lower_bound", "breadth_first" or "depth_first"; '
            f"got {shown(parameters.policy)}"
        )


def _positive(demand: Demand, classes: NDArray[Any]) -> int:
    labels = classes.tolist()
    if len(labels) != 2:
        raise InputError(f"fairness needs two classes; there are {len(labels)}")
    if demand.positive is None:
        return 1
    given = demand.positive.item() if isinstance(demand.positive, np.generic) else demand.positive
    if given not in labels:
        known = " and ".join(map(repr, labels))
        raise InputError(f"positive must be one of the classes {known}; got {shown(given)}")
    return int(labels.index(given))


def _split(
    prepared: Prepared,
    parameters: Parameters,
    codes: NDArray[np.int32],
    n_sensitive: int,
    positive: int,
) -> _core.Problem:
    """Return the problem with two classes for each sensitive group."""
    data = prepared.data
    used = np.flatnonzero(data.weights)
    keys = np.concatenate([data.matrix[used], codes[used, None].astype(np.uint8)], axis=1)
    packed = np.ascontiguousarray(keys).view(np.dtype((np.void, keys.shape[1])))
    _, first, inverse = np.unique(packed, return_index=True, return_inverse=True)
    weights = np.zeros(len(first), np.int64)
    np.add.at(weights, inverse.reshape(-1), data.weights[used])
    rows = used[first]
    distinct = data.matrix[rows]
    captures = np.zeros((len(rows), len(prepared.antecedents)), np.uint8, order="F")
    for index, antecedent in enumerate(prepared.antecedents):
        captures[:, index] = antecedent.captures(distinct)
    scale = weight_scale(data, parameters)
    matrix = parameters.prices.matrix_for(data.classes.tolist())
    unit = parameters.prices.unit(matrix)
    order = (1 - positive, positive)
    n_classes = 2 * n_sensitive
    costs = [
        int(i % 2 != j % 2) if matrix is None else int(matrix[order[i % 2]][order[j % 2]] * unit)
        for i in range(n_classes)
        for j in range(n_classes)
    ]
    return _core.Problem(captures, codes[rows], weights * scale, n_classes, costs=costs, unit=unit)
