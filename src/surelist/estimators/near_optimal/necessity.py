"""The exact cost of doing without a column or an antecedent, however large it is.

A set of lists says it only up to its tolerance. Beyond that, the best list without the column is
searched, with every antecedent forbidden that cannot be written without it; and the best list with
it, where the optimum does without, is the best of those that demand one antecedent about it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from surelist._common.limits import Deadline
from surelist.certificate.certificate import Certificate
from surelist.certificate.necessity import NecessityCertificate
from surelist.errors import SurelistError
from surelist.estimators.near_optimal.source import Source
from surelist.problem.antecedents import Spellings
from surelist.problem.constraints import Constraints
from surelist.rule_list.rules import Antecedent
from surelist.search.run import Outcome, search_prepared

__all__ = ["Necessity", "necessity_of"]


@dataclass(frozen=True)
class Necessity:
    """What doing without a column or an antecedent costs.

    Attributes
    ----------
    name : str
    difference : Fraction or None
        ``best_without`` less ``best_with``: what doing without it costs; below nothing, what using
        it costs. None where one of them is, or where a limit ended a search.
    best_with, best_without : Fraction or None
        The least objective of a list that uses it, and of one that does not. None: there is no such
        list, whatever it costs. Where a limit ended a search, that of the best list it found.
    status : str
        "optimal" where both are proven, or what ended a search.
    certificate : NecessityCertificate or None
        With certificate=True, the proof of both.
    """

    name: str
    difference: Fraction | None
    best_with: Fraction | None
    best_without: Fraction | None
    status: str
    certificate: NecessityCertificate | None = field(default=None, repr=False)


def necessity_of(
    source: Source, name: str, certificate: bool, deadline: Deadline | None = None
) -> Necessity:
    """Search the best list with a column or an antecedent, and the best one without.

    Raises
    ------
    InputError
        Where there is no column or antecedent of that name.
    SurelistError
        With ``certificate``, if a limit ended a search.
    """
    search = _Search(source, name, certificate, deadline)
    found = search.all_lists()
    uses = search.is_used_by(found)
    with_it: Fraction | None = found.objective
    without: Fraction | None = found.objective
    if uses:
        best_without = search.without()
        without = None if best_without is None else best_without.objective
    else:
        with_it = search.with_it()
    proof = None
    if certificate:
        if search.status != "optimal":
            raise SurelistError(
                f"there is no certificate: a search for the proof ended with {search.status}. Give "
                "it more time or work"
            )
        proof = NecessityCertificate.of(search.thing, (with_it, without), search.proofs)
    difference = None
    if with_it is not None and without is not None and search.status == "optimal":
        difference = without - with_it
    return Necessity(name, difference, with_it, without, search.status, proof)


class _Search:
    """The searches that say what one column or antecedent is worth."""

    def __init__(
        self, source: Source, name: str, certificate: bool, deadline: Deadline | None
    ) -> None:
        self.source, self.certificate, self.deadline = source, certificate, deadline
        self.prices = source.parameters.prices
        self.spellings = Spellings(source.prepared.data.meant)
        self.thing: str | int = name if name in source.column_names else source.position(name)
        self.status = "optimal"
        self.proofs: list[Certificate] = []

    def _barred(self) -> Callable[[Antecedent], bool]:
        """Return whether an antecedent, as it is written, uses the thing."""
        if isinstance(self.thing, int):
            names = _names(self.source.antecedents[self.thing])
            return lambda one: one.clauses in names
        return lambda one: any(clause.asks.column == self.thing for clause in one.clauses)

    def all_lists(self) -> Outcome:
        """Return the optimum of all lists; searched again only where that is to be proven."""
        outcome = self.source.outcome
        if outcome.status == "optimal" and not self.certificate:
            return outcome
        return self._solved(self.source.prepared.constraints)

    def is_used_by(self, found: Outcome) -> bool:
        """Whether the best list uses it."""
        uses = self._barred()
        return any(uses(rule.antecedent) for rule in found.rule_list.rules if rule.antecedent)

    def without(self) -> Outcome | None:
        """Return the best list without it; None where it is demanded."""
        constraints = self.source.prepared.constraints
        less = constraints.without(self._barred(), self.prices, self.spellings)
        return None if less is None else self._solved(less)

    def with_it(self) -> Fraction | None:
        """Return the least objective with it; None where no antecedent uses it."""
        constraints, uses = self.source.prepared.constraints, self._barred()
        found = []
        for index, antecedent in enumerate(constraints.antecedents):
            names = _names(antecedent)
            short = min(map(len, names))
            if index in constraints.forbidden:
                continue
            if any(len(name) == short and uses(Antecedent(name)) for name in names):

                def wanted(one: Antecedent, short: int = short) -> bool:
                    return len(one.clauses) == short and uses(one)

                more = constraints.with_one(index, wanted, self.prices, self.spellings)
                found.append(self._solved(more).objective)
        return min(found, default=None)

    def _solved(self, constraints: Constraints) -> Outcome:
        source = self.source
        prepared = replace(
            source.prepared,
            constraints=constraints,
            deadline=self.deadline or Deadline.start(source.parameters.time_limit),
        )
        parameters = replace(source.parameters, certificate=self.certificate, progress=False)
        outcome = search_prepared(prepared, parameters)
        if outcome.interrupted:  # one of many searches has ended, but not what was asked for
            raise KeyboardInterrupt
        if outcome.status != "optimal":
            self.status = outcome.status
        if isinstance(outcome.certificate, Certificate):
            self.proofs.append(outcome.certificate)
        return outcome


def _names(antecedent: Antecedent) -> list[Any]:
    return [antecedent.clauses, *antecedent.aliases]
