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

from surelist.conditions.conditions import IsTrue
from surelist.features.binarization import (
    Binarization,
    cuts_everywhere,
    feature_matrix,
    feature_names,
)
from surelist.features.every_cut import Chain, conditions_of
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


@dataclass(frozen=True, eq=False)
class CutProblem:
    """Rows, their classes and weights, and the chains of all columns."""

    rows: RowsHere
    chains: tuple[Chain, ...]

    def floor(self) -> Fraction:
        """Return the share of the weight that any list loses: on rows that are alike."""
        counted = np.flatnonzero(self.rows.weights.whole)
        weights, codes = self.rows.weights.whole[counted], self.rows.labels.codes[counted]
        n_classes = len(self.rows.classes)
        keys = np.array([chain.keys[counted] for chain in self.chains], np.int32)
        lines = keys.reshape(len(self.chains), len(counted)).T
        _, group = np.unique(lines, axis=0, return_inverse=True)
        by_class = np.zeros((int(group.max(initial=0)) + 1, n_classes), np.int64)
        np.add.at(by_class, (group.ravel(), codes), weights)
        lost = int(by_class.min(axis=1).sum()) * (n_classes - 1)
        return Fraction(lost, int(weights.sum()))

    def data_for(self, rules: Sequence[tuple[int, int]]) -> TrainingData:
        """Return the rows with the features that some rules ask, as a chain and a cut each."""
        rows = self.rows
        conditions = tuple(dict.fromkeys(conditions_of(self.chains, rules)))
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

    def antecedents_for(
        self, rules: Sequence[tuple[int, int]], data: TrainingData
    ) -> tuple[Antecedent, ...]:
        """Return the antecedents of rules, over the features of ``data_for``."""
        asked = conditions_of(self.chains, rules)
        known = data.conditions or tuple(map(IsTrue, data.names))
        places = [known.index(condition) for condition in asked]
        clauses = [
            Clause(at, name, condition=None if data.conditions is None else data.conditions[at])
            for at, name in enumerate(data.names)
        ]
        return tuple(Antecedent((clauses[at],)) for at in places)


def serves(X: Any, settings: Settings, parameters: Parameters, binarizer: Binarization) -> bool:
    """Whether all cuts are wanted, and the search over chains can be used for these settings."""
    whole_search = (
        parameters.max_clauses == 1
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
    return (
        cuts_everywhere(binarizer)
        and not binarizer.intervals
        and whole_search
        and as_usual
        and in_memory
    )


def read_cut_problem(
    X: Any,
    y: Any,
    sample_weight: Any,
    settings: Settings,
    parameters: Parameters,
    binarizer: Binarization,
) -> CutProblem | None:
    """Check rows, labels and weights, and find the chains; None if numbers would be too large.

    Raises
    ------
    InputError
    """
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
    return CutProblem(rows, tuple(rows.chains(binarizer)))
