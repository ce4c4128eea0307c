"""Mining: from Boolean features to antecedents, within a part of the limits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from surelist import _core
from surelist._common.limits import Deadline, Work
from surelist._common.progress import Mining, reporting_mining
from surelist.errors import InputError
from surelist.problem.costs import Matrix
from surelist.problem.parameters import Parameters, least_support
from surelist.problem.user_antecedents import captured_rows

if TYPE_CHECKING:
    from surelist.problem.training_data import TrainingData

__all__ = ["Cut", "Found", "is_supported", "mine", "mining_work", "weight_scale"]

_MOST_WEIGHT = 2**62  # in all: the engine's sums of weights have 64 bits
# The engine refuses more: a limit has to end mining before.
_MOST_ANTECEDENTS, _MOST_NAMES = 1_000_000, 4_000_000
_MANY = _MOST_ANTECEDENTS // 2

# Work for each conjunction tried and for each antecedent found, which has a place in the tables of
# two searches; for each also by 64 distinct rows. And for each name that an antecedent has, which
# becomes an object. Measured, roughly.
_TRY, _TRY_ROWS = 50, 1
_ANTECEDENT, _ANTECEDENT_ROWS = 1000, 100
_NAME = 2200


@dataclass(frozen=True)
class Cut:
    """Where mining was cut short.

    Attributes
    ----------
    tried : int
        How many conjunctions of two or more clauses were tried.
    by : str
        Which limit it was, as a status: "time_limit" or "work_limit".
    """

    tried: int
    by: str = "time_limit"


@dataclass(frozen=True, eq=False)
class Found:
    """What mining found, and what that took."""

    mined: _core.Mined
    cut: Cut | None
    work: int


def mine(
    data: TrainingData,
    parameters: Parameters,
    deadline: Deadline | None = None,
    cut: Cut | None = None,
    work: Work | None = None,
) -> Found:
    """Mine the antecedents that may appear in an optimal rule list, and take the user's own.

    A rule must save λ, so it captures at least that share (lower bound on antecedent support), and
    leaves at least that share to the rest, which otherwise is not worth a rule, unless something
    else is required after it.

    What is given and single clauses are mined in any case. Of longer conjunctions, only those up to
    a ``cut`` are, if there is one, and those that limits of time and work allow.
    """
    n_rows = int(np.count_nonzero(data.weights))
    if cut is not None:
        mined = _mined(data, parameters, Deadline.now(None), cut.tried)
        return Found(mined, None if mined.complete else cut, mining_work(mined, n_rows))
    deadline = deadline or Deadline.now(None)
    most = None if work is None else work.for_mining()
    if most is None:
        mined = _mined(data, parameters, deadline, None)
        by_time = None if mined.complete else Cut(mined.tried)
        return Found(mined, by_time, mining_work(mined, n_rows))
    return _mined_within(data, parameters, deadline, most, n_rows)


def _mined_within(
    data: TrainingData, parameters: Parameters, deadline: Deadline, most: int, n_rows: int
) -> Found:
    """Mine with so much work: first for the case that all conjunctions become antecedents.

    Where many do not, which is known once it is tried, there is work left to begin again with more.
    """
    if _most_tries(data, parameters) * (_work(1, 1, n_rows) + _NAME) > most:
        n_rows = _n_distinct(data)
    room = _MOST_ANTECEDENTS - 2 * len(data.names) - len(data.own or ())
    tries = max(0, min(most // (_work(1, 1, n_rows) + _NAME), room))
    spent = 0
    while True:
        mined = _mined(data, parameters, deadline, tries)
        work = spent + mining_work(mined, n_rows)
        if mined.complete:
            return Found(mined, None, work)
        if mined.tried < tries:
            return Found(mined, Cut(mined.tried, "time_limit"), work)
        n_antecedents, n_names = mined.n_antecedents, mined.n_names
        if 2 * work > most or n_antecedents > _MANY or 2 * n_names > _MOST_NAMES:
            return Found(mined, Cut(mined.tried, "work_limit"), work)
        room = min(_MOST_ANTECEDENTS - n_antecedents, _MOST_NAMES - n_names)
        again = _work(mined.tried, n_antecedents, n_rows)
        left = most - spent - again
        tries += max(1, min(int(tries * (left / (work - spent) - 1)), left // _TRY, room))
        spent += again


def _work(tried: int, antecedents: int, n_rows: int) -> int:
    words = -(-n_rows // 64)
    return tried * (_TRY + _TRY_ROWS * words) + antecedents * (
        _ANTECEDENT + _ANTECEDENT_ROWS * words
    )


def mining_work(mined: _core.Mined, n_rows: int) -> int:
    """Return what mining and naming took, in units of work, from so many distinct rows at most."""
    return _work(mined.tried, mined.n_antecedents, n_rows) + _NAME * mined.n_names


def _most_tries(data: TrainingData, parameters: Parameters) -> int:
    """Return how many conjunctions of two and more clauses there are at most."""
    if data.own_only:
        return 0
    n_literals = data.matrix.shape[1] * (2 if parameters.negations else 1)
    longest = min(parameters.max_clauses, data.matrix.shape[1])
    tries = 0
    for clauses in range(2, longest + 1):
        tries += math.comb(n_literals, clauses)
        if tries > _MOST_WEIGHT:
            break
    return tries


def _n_distinct(data: TrainingData) -> int:
    """Return how many of the rows differ: equal ones are mined as one."""
    packed = np.packbits(data.matrix[data.weights > 0], axis=1)
    return len(np.unique(packed.view(np.dtype((np.void, packed.shape[1]))))) if packed.size else 1


def _mined(
    data: TrainingData, parameters: Parameters, deadline: Deadline, tried: int | None
) -> _core.Mined:
    prices, scale = parameters.prices, weight_scale(data, parameters)
    matrix = prices.matrix_for(data.classes.tolist())
    least, most = _support_limits(data, parameters, scale)
    with reporting_mining(parameters.progress, _before_mining(data, matrix)) as report:
        return _core.mine(
            data.matrix,
            data.codes,
            data.weights * scale,
            len(data.classes),
            max_clauses=0 if data.own_only else min(parameters.max_clauses, data.matrix.shape[1]),
            negations=parameters.negations,
            min_support=least,
            max_support=most,
            costs=[int(cost * prices.unit(matrix)) for row in matrix or () for cost in row],
            unit=prices.unit(matrix),
            given=[sorted(literals) for literals in data.own or ()],
            seconds=deadline.for_mining(
                parameters.certificate is not False or parameters.checkpoint is not None
            ),
            most_tried=tried,
            progress=report,
        )


def _support_limits(data: TrainingData, parameters: Parameters, scale: int) -> tuple[int, int]:
    """Return the least and the greatest weight that a mined antecedent captures, both included."""
    total = int(data.weights.sum()) * scale
    left = least_support(parameters.regularization, parameters.prices)
    most = total if parameters.demands.required else math.floor((1 - left) * total)
    return max(1, math.ceil(parameters.min_support * total)), most


def is_supported(data: TrainingData, literals: Sequence[int], parameters: Parameters) -> bool:
    """Whether a conjunction captures enough weight, and not too much, to be mined."""
    scale = weight_scale(data, parameters)
    least, most = _support_limits(data, parameters, scale)
    support = int(data.weights[captured_rows(literals, data.matrix)].sum()) * scale
    return least <= support <= most


def _before_mining(data: TrainingData, matrix: Matrix | None) -> Mining:
    """Return the list without rules, which is all that is known before anything is mined."""
    by_class = np.zeros(len(data.classes), np.int64)
    np.add.at(by_class, data.codes, data.weights)
    weights, classes = by_class.tolist(), range(len(by_class))
    losses = [
        sum(weights[c] * (int(c != q) if matrix is None else matrix[c][q]) for c in classes)
        for q in classes
    ]
    label = losses.index(min(losses))
    return Mining(float(Fraction(losses[label], 1) / max(1, sum(weights))), label)


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
