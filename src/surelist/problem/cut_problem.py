"""A problem of chains: rows whose columns are cut everywhere, for the search over all cuts.

The groups and antecedents of such a problem are the same as those of any other; there are only too
many to write each down. `serves` says for which settings that search can be used. For
others, all cuts become antecedents one by one, and the general search runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist.conditions.conditions import IsTrue
from surelist.features.binarization import (
    Binarization,
    cuts_everywhere,
    feature_matrix,
    feature_names,
)
from surelist.features.every_cut import Asked, Chain, any_pairs, conditions_of, interval_pairs
from surelist.problem.constraints import Demands
from surelist.problem.costs import Prices
from surelist.problem.parameters import Parameters
from surelist.problem.settings import Settings
from surelist.problem.training_data import RowsHere, TrainingData, open_rows
from surelist.rule_list.rules import Antecedent, Clause
from surelist.sources.row_source import RowSource

__all__ = ["CutProblem", "read_cut_problem", "serves"]

_MOST_CLASSES = 256
_MOST_COST = 2**60  # of numbers of the search: weights times the denominator of λ
_LONGEST = 64
_SHORT_OF_PAIRS = 2  # rules
FEW = 20_000  # rules that ask two cuts: the general search proves longer lists of these


@dataclass(frozen=True, eq=False)
class CutProblem:
    """Rows, their classes and weights, and the chains of all columns."""

    rows: RowsHere
    chains: tuple[Chain, ...]
    n_clauses: int = 1
    intervals: bool = False

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Which chains a rule may ask together; the one beyond the last stands for none."""
        if self.intervals:
            return interval_pairs(self.chains)
        return any_pairs(self.chains) if self.n_clauses == 2 else []

    def n_pairs(self) -> int:
        """Count the rules that ask two cuts."""
        n_cuts = [*(chain.n_cuts for chain in self.chains), 0]
        return sum(n_cuts[one] * n_cuts[other] for one, other in self.pairs)

    def n_antecedents(self) -> int:
        """Count the rules that there may be."""
        return sum(chain.n_cuts for chain in self.chains) + self.n_pairs()

    def n_groups(self) -> int:
        """Count the rows that some cut tells apart."""
        return len(self._by_group())

    def floor(self) -> tuple[Fraction, int]:
        """Return the share of the weight that any list loses, on rows that no cut tells apart.

        Also in how many groups of such rows there is more than that to lose.
        """
        by_class = self._by_group()
        shared = by_class.min(axis=1)
        lost = int(shared.sum()) * (by_class.shape[1] - 1)
        n_left = int(np.count_nonzero(by_class.max(axis=1) > shared))
        return Fraction(lost, int(by_class.sum())), n_left

    def _by_group(self) -> NDArray[np.int64]:
        """Return the weight of each class, of rows that no cut tells apart."""
        counted = np.flatnonzero(self.rows.weights.whole)
        weights, codes = self.rows.weights.whole[counted], self.rows.labels.codes[counted]
        keys = np.array([chain.keys[counted] for chain in self.chains], np.int32)
        lines = keys.reshape(len(self.chains), len(counted)).T
        _, group = np.unique(lines, axis=0, return_inverse=True)
        shape = int(group.max(initial=0)) + 1, len(self.rows.classes)
        by_class = np.zeros(shape, np.int64)
        np.add.at(by_class, (group.ravel(), codes), weights)
        return by_class

    def data_for(self, rules: Sequence[Asked]) -> TrainingData:
        """Return the rows with the features that some rules ask."""
        rows = self.rows
        every = (each for rule in rules for each in conditions_of(self.chains, rule))
        conditions = tuple(dict.fromkeys(every))
        as_is = conditions == tuple(map(IsTrue, rows.table.names))
        return TrainingData(
            matrix=feature_matrix(rows.table, conditions, rows.table.names),
            names=feature_names(conditions),
            codes=rows.labels.codes,
            classes=rows.classes,
            weights=rows.weights.whole,
            weight_description=rows.weight_description,
            weight_unit=rows.weight_unit,
            conditions=None if as_is else conditions,
            columns=None if as_is else rows.table.names,
        )

    def antecedents_for(self, rules: Sequence[Asked], data: TrainingData) -> tuple[Antecedent, ...]:
        """Return the antecedents of rules, over the features of ``data_for``."""
        known = data.conditions or tuple(map(IsTrue, data.names))
        clauses = [
            Clause(at, name, condition=None if data.conditions is None else data.conditions[at])
            for at, name in enumerate(data.names)
        ]
        places = [[known.index(each) for each in conditions_of(self.chains, r)] for r in rules]
        return tuple(Antecedent(tuple(clauses[at] for at in sorted(each))) for each in places)


def serves(X: Any, settings: Settings, parameters: Parameters, binarizer: Binarization) -> bool:
    """Whether all cuts are wanted, and the search over chains can be used for these settings."""
    whole_search = (
        _serves_rules(parameters, binarizer)
        and not parameters.negations
        and settings.min_support is None
        and settings.antecedents is None
        and not parameters.antecedents_only
        and settings.initial_rule_list is None
        and parameters.prices == Prices()
        and parameters.demands == Demands()
        and parameters.checkpoint is None
        and parameters.max_prefixes is None
        and parameters.cluster is None
    )
    as_usual = parameters.policy == "lower_bound" and settings.bounds == "all"
    in_memory = not isinstance(X, RowSource) and not hasattr(type(X), "batches")
    return cuts_everywhere(binarizer) and whole_search and as_usual and in_memory


def _serves_rules(parameters: Parameters, binarizer: Binarization) -> bool:
    """Whether rules are such that the search has them: of one cut, or of two."""
    return parameters.max_clauses <= (1 if binarizer.intervals else 2)


def read_cut_problem(
    X: Any,
    y: Any,
    sample_weight: Any,
    settings: Settings,
    parameters: Parameters,
    binarizer: Binarization,
) -> CutProblem | None:
    """Check rows, labels and weights, and find the chains.

    None where the search over chains does not serve for these settings or rows; each cut is then an
    antecedent like any other.

    Raises
    ------
    InputError
    """
    if not serves(X, settings, parameters, binarizer):
        return None
    rows = open_rows(X, y, sample_weight, settings.class_weight)
    assert isinstance(rows, RowsHere)
    total, length = int(rows.weights.whole.sum()), parameters.max_length
    regularization = parameters.regularization
    longest = _LONGEST if length is None else min(length, _LONGEST)
    if (
        len(rows.classes) > _MOST_CLASSES
        or regularization.denominator * total > _MOST_COST
        or regularization.numerator * total * (longest + 2) > _MOST_COST
    ):
        return None
    chains = tuple(rows.chains(binarizer))
    problem = CutProblem(rows, chains, parameters.max_clauses, bool(binarizer.intervals))
    long = length is None or length > _SHORT_OF_PAIRS
    if problem.pairs and long and problem.n_pairs() <= FEW:
        return None
    return problem
