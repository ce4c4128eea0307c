"""Where a set of lists comes from: it turns positions and codes back into rules and models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.limits import Deadline
from surelist.certificate.certificate import Certificate
from surelist.errors import InputError, SurelistError
from surelist.estimators.fitted_model import FittedModel
from surelist.estimators.near_optimal.found import FoundLists, FoundRules
from surelist.problem.parameters import Parameters
from surelist.problem.prepare import Prepared
from surelist.problem.settings import Settings
from surelist.rule_list.rule_list import Antecedent, RuleList
from surelist.rule_list.rules import Clause
from surelist.search.engine import rule_list_of
from surelist.search.run import Outcome, search_prepared

if TYPE_CHECKING:
    from surelist.estimators.classifier import RuleListClassifier

__all__ = ["Name", "Source"]


@dataclass(frozen=True)
class Name:
    """One of the ways to write an antecedent, and the columns that it asks about."""

    clauses: tuple[Clause, ...]
    columns: frozenset[str]
    is_short: bool
    """Whether there is no shorter one."""

    @classmethod
    def of(cls, clauses: tuple[Clause, ...], is_short: bool) -> Name:
        """Find the columns."""
        return cls(clauses, frozenset(clause.asks.column for clause in clauses), is_short)

    def rank(self, avoided: frozenset[str], wanted: frozenset[str]) -> tuple[int, int]:
        """Return its sort key, less is better: first by avoided columns, then by wanted ones."""
        return len(self.columns & avoided), -len(self.columns & wanted) * self.is_short


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
    def column_names(self) -> tuple[str, ...]:
        """The columns that antecedents ask about, in the order of the table."""
        known = self.prepared.data.columns or self.prepared.data.names
        used = {column for names in self.ways for name in names for column in name.columns}
        return tuple(column for column in known if column in used)

    def position(self, text: str) -> int:
        """Return the place of an antecedent, by any of its names; parentheses may be left out.

        Raises
        ------
        InputError
            Where there is none.
        """
        known = {
            _bare(str(Antecedent(clauses))): index
            for index, each in enumerate(self.antecedents)
            for clauses in (each.clauses, *each.aliases)
        }
        if _bare(text) not in known:
            raise InputError(
                f"there is no column and no antecedent {text!r}; columns are "
                f"{', '.join(self.column_names)}"
            )
        return known[_bare(text)]

    @cached_property
    def shows(self) -> NDArray[np.bool_]:
        """Which antecedent, as it is shown, asks about which column: columns × antecedents."""
        return self._by_column(lambda column, names: column in names[0].columns)

    @cached_property
    def asks(self) -> NDArray[np.bool_]:
        """Which antecedent can ask about a column and be no longer: columns × antecedents."""
        return self._by_column(
            lambda column, names: any(name.is_short and column in name.columns for name in names)
        )

    @cached_property
    def needs(self) -> NDArray[np.bool_]:
        """Which antecedent cannot be written without a column: columns × antecedents."""
        return self._by_column(lambda column, names: all(column in name.columns for name in names))

    def _by_column(self, holds: Callable[[str, tuple[Name, ...]], bool]) -> NDArray[np.bool_]:
        found = [[holds(column, names) for names in self.ways] for column in self.column_names]
        return np.array(found, np.bool_).reshape(len(self.column_names), len(self.ways))

    @cached_property
    def ways(self) -> tuple[tuple[Name, ...], ...]:
        """How each antecedent can be written at the same price, as it is shown first."""
        alike = self.parameters.prices.uniform
        result = []
        for each in self.antecedents:
            names = (each.clauses, *(each.aliases if alike else ()))
            least = min(map(len, names))
            result.append(tuple(Name.of(clauses, len(clauses) == least) for clauses in names))
        return tuple(result)

    def named(self, avoided: frozenset[str], wanted: frozenset[str]) -> Source:
        """Return the same lists, written without some columns and with others where that can be."""
        antecedents = list(self.antecedents)
        for index, names in enumerate(self.ways):
            best = min(names, key=lambda name: name.rank(avoided, wanted))
            if best is not names[0]:
                others = [each for each in names if each is not best]
                antecedents[index] = Antecedent(best.clauses, tuple(o.clauses for o in others))
        constraints = replace(self.prepared.constraints, antecedents=tuple(antecedents))
        return replace(self, prepared=replace(self.prepared, constraints=constraints))

    def model(
        self, rule_list: RuleList, optimum: Fraction | None, certificate: Certificate | None = None
    ) -> RuleListClassifier:
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
            certificate_=certificate,
            **self.columns,
        )
        return RuleListClassifier._of(fitted)

    def certificate(self, found: FoundRules) -> Certificate:
        """Return the proof of the optimum as one about this list: how much worse it is at most.

        Raises
        ------
        SurelistError
            If a limit ended the search for that proof.
        """
        objective = Fraction(found.objective, found.scale)
        return self._proof.of_list(found.prefix, found.labels, found.default_label, objective)

    @cached_property
    def _proof(self) -> Certificate:
        """The proof of the optimum: the search is made again, and writes down what it closes."""
        deadline = Deadline.start(self.parameters.time_limit)
        prepared = replace(self.prepared, deadline=deadline)
        parameters = replace(self.parameters, certificate=True)
        proven = search_prepared(prepared, parameters, self.outcome.rule_list)
        if proven.status != "optimal" or not isinstance(proven.certificate, Certificate):
            raise SurelistError(
                f"there is no certificate: the search for the proof ended with {proven.status}. "
                "Give it more time or work"
            )
        return proven.certificate


def _bare(text: str) -> str:
    return text.replace("(", "").replace(")", "")
