"""Where a set of lists comes from: it turns positions and codes back into rules and models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surelist.estimators.fitted_model import FittedModel
from surelist.estimators.near_optimal.found import FoundLists
from surelist.problem.parameters import Parameters
from surelist.problem.prepare import Prepared
from surelist.problem.settings import Settings
from surelist.rule_list.rule_list import Antecedent, RuleList
from surelist.search.engine import rule_list_of
from surelist.search.run import Outcome

if TYPE_CHECKING:
    from surelist.estimators.classifier import RuleListClassifier

__all__ = ["Source"]


@dataclass(frozen=True, eq=False)
class Source:
    """The problem whose lists these are, and the search for its optimum."""

    prepared: Prepared
    parameters: Parameters
    settings: Settings
    columns: Mapping[str, Any]
    """The attributes by which a model remembers the columns of its table."""
    outcome: Outcome

    @property
    def antecedents(self) -> tuple[Antecedent, ...]:
        """What the positions in prefixes mean."""
        return self.prepared.antecedents

    @property
    def classes(self) -> tuple[Any, ...]:
        """The class labels, in order."""
        return tuple(self.prepared.data.classes.tolist())

    def rule_list(self, found: FoundLists, index: int) -> RuleList:
        """Return one list, counted on the training rows."""
        return rule_list_of(
            found.rules(index),
            self.antecedents,
            self.prepared.data,
            self.parameters,
            self.prepared.constraints.costs,
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The text of each antecedent."""
        return tuple(map(str, self.antecedents))

    @cached_property
    def asked(self) -> tuple[frozenset[str], ...]:
        """The columns of the table that each antecedent asks about."""
        return tuple(
            frozenset(clause.asks.column for clause in antecedent.clauses)
            for antecedent in self.antecedents
        )

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        """The columns that antecedents ask about, in the order of the table."""
        known = self.prepared.data.columns or self.prepared.data.names
        used = frozenset().union(*self.asked) if self.asked else frozenset()
        return tuple(name for name in known if name in used)

    @cached_property
    def asks(self) -> NDArray[np.bool_]:
        """Which antecedent asks about which column: columns × antecedents."""
        names = self.column_names
        return np.array(
            [[name in asked for asked in self.asked] for name in names], dtype=np.bool_
        ).reshape(len(names), len(self.asked))

    def model(self, rule_list: RuleList, optimum: Fraction | None) -> RuleListClassifier:
        """Return a fitted estimator with this list."""
        from surelist.estimators.classifier import RuleListClassifier

        outcome, prepared = self.outcome, self.prepared
        lower_bound = outcome.lower_bound if optimum is None else optimum
        status = "optimal" if rule_list.objective == lower_bound else "near_optimal"
        fitted = FittedModel(
            self.settings.as_dict(),
            rule_list_=rule_list,
            classes_=prepared.data.classes,
            status_=status,
            objective_exact_=rule_list.objective,
            lower_bound_exact_=lower_bound,
            proven_length_=None if status == "optimal" else 0,
            n_groups_=prepared.problem.n_groups,
            weight_unit_=prepared.data.weight_unit,
            trace_=outcome.trace,
            antecedents_=prepared.antecedents,
            **self.columns,
        )
        return RuleListClassifier._of(fitted)
