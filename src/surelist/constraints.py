"""What a rule list must be like besides being good: the user's demands, as the engine takes them.

docs/constraints.md says what each of them does to the bounds of the search.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from surelist._shown import shown
from surelist.antecedents import Spellings, unknown_antecedent
from surelist.errors import InputError
from surelist.prices import Prices
from surelist.rules import Antecedent

__all__ = ["Constraints", "Demands", "read_demands"]


@dataclass(frozen=True)
class Demands:
    """The parameters ``dnf``, ``first``, ``required`` and ``forbidden``, checked."""

    dnf: Any = False
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
        if self.dnf is False:
            return None
        if self.dnf is True:
            if len(classes) > 2:
                raise InputError(
                    f"dnf=True needs two classes, there are {len(classes)}; "
                    "set dnf to the class that rules shall predict"
                )
            return 1
        labels = list(classes)
        if self.dnf not in labels:
            raise InputError(
                f"dnf must be False, True or one of the classes {', '.join(map(repr, labels))}; "
                f"got {shown(self.dnf)}"
            )
        return labels.index(self.dnf)


def read_demands(dnf: Any, first: Any, required: Any, forbidden: Any) -> Demands:
    """Check the parameters.

    Raises
    ------
    InputError
    """
    if isinstance(dnf, np.bool_):
        dnf = bool(dnf)
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
    """Each by a name that is allowed, the cheapest one first."""
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
        first = _find("first", demands.first, antecedents, spellings)
        required = _find("required", demands.required, antecedents, spellings)
        if not demands.forbidden and prices.uniform:
            return cls(antecedents, None, rule_label, first, required, ())
        barred = _spelled(demands.forbidden, spellings)
        by_name = {
            spelling: cost
            for text, cost in (prices.by_text or {}).items()
            for spelling in spellings.of(text)
        }
        forbidden, named, costs = [], [], []
        for index, antecedent in enumerate(antecedents):
            names = [name for name in _names(antecedent) if spellings.own(name) not in barred]
            if not names:
                forbidden.append(index)
                names = _names(antecedent)
            priced = sorted(
                ((prices.of(name, by_name.get(spellings.own(name))), name) for name in names),
                key=lambda pair: pair[0],
            )
            costs.append(priced[0][0])
            named.append(
                replace(priced[0][1], aliases=tuple(name.clauses for _, name in priced[1:]))
            )
        return cls(
            tuple(named),
            None if prices.uniform else tuple(costs),
            rule_label,
            first,
            required,
            tuple(forbidden),
        )

    def surcharges(self, prices: Prices, regularization: Fraction, total: int) -> list[int] | None:
        """Return what each antecedent costs beyond the least, as a loss out of ``total``."""
        if self.costs is None:
            return None
        return [int(regularization * (cost - prices.least) * total) for cost in self.costs]


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


def _spelled(texts: Iterable[str], spellings: Spellings) -> set[str]:
    return {spelling for text in texts for spelling in spellings.of(text)}


def _names(antecedent: Antecedent) -> list[Antecedent]:
    return [Antecedent(clauses) for clauses in (antecedent.clauses, *antecedent.aliases)]
