"""What a rule list must be like besides being good: the user's demands, as the engine takes them.

docs/constraints.md says what each of them does to the bounds of the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np

from surelist._common.messages import shown
from surelist.errors import InputError
from surelist.problem.antecedents import Spellings, unknown_antecedent
from surelist.problem.costs import Prices
from surelist.rule_list.rules import Antecedent

__all__ = ["Constraints", "Demands", "read_demands"]


@dataclass(frozen=True)
class Demands:
    """The parameters ``dnf``, ``first``, ``required`` and ``forbidden``, checked."""

    dnf: Any = None
    first: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()

    @property
    def named(self) -> tuple[str, ...]:
        """Antecedents that there must be."""
        return (*self.first, *self.required)

    def rule_label(self, classes: Sequence[Any]) -> int | None:
        """Return the position of the class that rules may predict; None: any.

        Raises
        ------
        InputError
        """
        labels = list(classes)
        if self.dnf is None:
            return None
        if self.dnf is False:
            if all(isinstance(label, bool) for label in labels):
                raise InputError(
                    "dnf=False is either no such demand or the class False: write None for the "
                    "first, and 0 for the second"
                )
            return None
        if self.dnf is True:
            if len(labels) > 2:
                raise InputError(
                    f"dnf=True needs two classes, there are {len(labels)}; "
                    "set dnf to the class that rules have to predict"
                )
            return 1
        if self.dnf not in labels:
            raise InputError(
                f"dnf must be None, True or one of the classes {', '.join(map(repr, labels))}; "
                f"got {shown(self.dnf)}"
            )
        return labels.index(self.dnf)


def read_demands(dnf: Any, first: Any, required: Any, forbidden: Any) -> Demands:
    """Check the parameters.

    Raises
    ------
    InputError
    """
    if isinstance(dnf, np.generic):
        dnf = dnf.item()
    if dnf is not None and not isinstance(dnf, str | Real):
        raise InputError(f"dnf must be None, True or a class label; got {shown(dnf)}")
    return Demands(
        dnf,
        _texts("first", first),
        _texts("required", required),
        _texts("forbidden", forbidden),
    )


def _texts(name: str, given: Any) -> tuple[str, ...]:
    if given is None:
        return ()
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(
            f"{name} must be None or a list of antecedents as text, such as ['age < 25']; "
            f"got {shown(given)}"
        )
    texts = tuple(given)
    for text in texts:
        if not isinstance(text, str):
            raise InputError(f"{name} must hold antecedents as text; got {shown(text)}")
    return texts


@dataclass(frozen=True)
class Constraints:
    """Demands and prices in terms of the antecedents there are."""

    antecedents: tuple[Antecedent, ...]
    """Each by a name that is allowed: that by which it is demanded, else the cheapest one first."""
    costs: tuple[Fraction, ...] | None
    """Of each antecedent, in multiples of λ; None: 1 each."""
    rule_label: int | None
    first: tuple[int, ...]
    required: tuple[int, ...]
    forbidden: tuple[int, ...]

    @classmethod
    def of(
        cls,
        demands: Demands,
        prices: Prices,
        antecedents: tuple[Antecedent, ...],
        classes: Sequence[Any],
        spellings: Spellings,
    ) -> Constraints:
        """Find what is meant among the antecedents.

        Raises
        ------
        InputError
            For an antecedent that is not there, or a class.
        """
        rule_label = demands.rule_label(classes)
        _refuse_contradictions(demands, spellings)
        first = _find("first", demands.first, antecedents, spellings)
        required = _find("required", demands.required, antecedents, spellings)
        # What is demanded goes by the name and the price that it was demanded by.
        texts = (*demands.required, *demands.first)
        demanded = dict(zip((*required, *first), map(spellings.of, texts), strict=True))
        barred = {spellings.of(text) for text in demands.forbidden}
        by_name = _costs_by_name(prices.by_text or {}, spellings)
        forbidden, named, costs = [], list(antecedents), [Fraction(1)] * len(antecedents)
        plain = prices.uniform and not barred
        for index in demanded if plain else range(len(antecedents)):
            allowed = [n for n in _names(antecedents[index]) if spellings.own(n) not in barred]
            if not allowed:
                forbidden.append(index)
                allowed = _names(antecedents[index])
            own = demanded.get(index)
            priced = [(prices.of(n, by_name.get(spellings.own(n))), n) for n in allowed]
            best, *others = sorted(priced, key=lambda one: (spellings.own(one[1]) != own, one[0]))
            costs[index] = best[0]
            named[index] = replace(best[1], aliases=tuple(other.clauses for _, other in others))
        return cls(
            tuple(named),
            None if prices.uniform else tuple(costs),
            rule_label,
            first,
            required,
            tuple(forbidden),
        )

    def without(
        self, barred: Callable[[Antecedent], bool], prices: Prices, spellings: Spellings
    ) -> Constraints | None:
        """Return the same demands with no antecedent by a name that is barred.

        Another name of it will do. None where it is demanded by such a name: then there is no list.
        """
        named, forbidden = list(self.antecedents), set(self.forbidden)
        costs = list(self.costs or ())
        for index, antecedent in enumerate(self.antecedents):
            if index in forbidden or not barred(antecedent):
                continue
            if index in {*self.first, *self.required}:
                return None
            allowed = [name for name in _names(antecedent) if not barred(name)]
            if not allowed:
                forbidden.add(index)
                continue
            price, named[index] = _cheapest(allowed, prices, spellings)
            if costs:
                costs[index] = price
        renamed = replace(self, antecedents=tuple(named), costs=tuple(costs) or None)
        return replace(renamed, forbidden=tuple(sorted(forbidden)))

    def with_one(
        self,
        index: int,
        wanted: Callable[[Antecedent], bool],
        prices: Prices,
        spellings: Spellings,
    ) -> Constraints:
        """Return the same demands and one antecedent more, by the cheapest name that is wanted."""
        if index in {*self.first, *self.required}:
            return self
        names = [name for name in _names(self.antecedents[index]) if wanted(name)]
        price, name = _cheapest(names, prices, spellings)
        named, costs = list(self.antecedents), list(self.costs or ())
        named[index] = name
        if costs:
            costs[index] = price
        renamed = replace(self, antecedents=tuple(named), costs=tuple(costs) or None)
        return replace(renamed, required=(*self.required, index))

    def surcharges(self, prices: Prices, regularization: Fraction, total: int) -> list[int] | None:
        """Return what each antecedent costs beyond the least, as a loss out of ``total``."""
        if self.costs is None:
            return None
        return [int(regularization * (cost - prices.least) * total) for cost in self.costs]


def _cheapest(
    names: Sequence[Antecedent], prices: Prices, spellings: Spellings
) -> tuple[Fraction, Antecedent]:
    """Return what an antecedent costs by the cheapest of these names, which others follow."""
    by_name = _costs_by_name(prices.by_text or {}, spellings)
    priced = [(prices.of(name, by_name.get(spellings.own(name))), name) for name in names]
    best, *others = sorted(priced, key=lambda one: one[0])
    return best[0], replace(best[1], aliases=tuple(other.clauses for _, other in others))


def _find(
    name: str,
    texts: tuple[str, ...],
    antecedents: tuple[Antecedent, ...],
    spellings: Spellings,
) -> tuple[int, ...]:
    if not texts:
        return ()
    found = spellings.find(texts, antecedents)
    for text, index in zip(texts, found, strict=True):
        if index is None:
            raise InputError(f"{name}: {unknown_antecedent(text, antecedents)}")
        if found.count(index) > 1:
            raise InputError(
                f"{name}: {text!r} captures the same training rows as another antecedent of it; "
                "leave one out"
            )
    return tuple(index for index in found if index is not None)


def _refuse_contradictions(demands: Demands, spellings: Spellings) -> None:
    """Refuse what is to be in every list and in none, however it is spelled."""
    barred = {spellings.of(text): text for text in demands.forbidden}
    for name in ("first", "required"):
        for text in getattr(demands, name):
            other = barred.get(spellings.of(text))
            if other is not None:
                raise InputError(
                    f"{name} has {text!r} and forbidden {other!r}, which is the same antecedent; "
                    "leave one out"
                )


def _costs_by_name(
    by_text: Mapping[str, Fraction], spellings: Spellings
) -> dict[frozenset[int], Fraction]:
    costs: dict[frozenset[int], tuple[str, Fraction]] = {}
    for text, cost in by_text.items():
        literals = spellings.of(text)
        other, before = costs.setdefault(literals, (text, cost))
        if literals and before != cost:
            raise InputError(
                f"antecedent_costs: {other!r} and {text!r} are the same antecedent, but cost "
                f"{before} and {cost}; leave one out"
            )
    return {literals: cost for literals, (_, cost) in costs.items()}


def _names(antecedent: Antecedent) -> list[Antecedent]:
    return [Antecedent(clauses) for clauses in (antecedent.clauses, *antecedent.aliases)]
