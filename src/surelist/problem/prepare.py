"""Prepare, the first step of a fit: rows into a problem to search.

Features are made of the rows (`surelist.problem.training_data`), antecedents are mined from these
(`surelist.problem.mining`), and those that the user names are found among them
(`surelist.problem.constraints`). The second step is `surelist.search.run`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from surelist import _core
from surelist._common.limits import Deadline, Work
from surelist.problem.antecedents import Spellings, name_antecedents
from surelist.problem.constraints import Constraints
from surelist.problem.mining import Cut, Found, mine
from surelist.problem.parameters import Parameters
from surelist.problem.training_data import TrainingData, read_data
from surelist.rule_list.rules import Antecedent

__all__ = ["Prepared", "prepare", "prepare_data"]


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
    binarizer: Any = None,
    antecedents: Any = None,
) -> Prepared:
    """Read the data, mine antecedents, and find those that the user names.

    ``deadline`` counts from here where there is none; the others are those of `read_data`.
    """
    deadline = deadline or Deadline.start(parameters.time_limit)
    work = Work(parameters.work_limit)
    data = read_data(
        X,
        y,
        sample_weight,
        class_weight,
        binarizer=binarizer,
        antecedents=antecedents,
        parameters=parameters,
    )
    found, mined = _mined(data, parameters, deadline, work=work)
    named = parameters.demands.named
    where = dict(zip(named, Spellings(data.meant).find(named, mined), strict=True))
    missing = {text for text, index in where.items() if index is None}.union(data.added)
    if missing > set(data.added):
        # Mining was cut short before it came to them.
        data = data.with_added([text for text in named if text in missing])
        found, mined = _mined(data, parameters, deadline, work=work)
    return _prepared(data, found, mined, parameters, deadline)


def prepare_data(
    data: TrainingData,
    parameters: Parameters,
    *,
    deadline: Deadline | None = None,
    cut: Cut | None = None,
) -> Prepared:
    """Mine antecedents in data that has every antecedent that the user names.

    Mining is repeated as it was, without limits: all antecedents, or those up to a ``cut``.
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
