"""The searches of a regularization path: one problem, mined once, solved for many λ.

All searches speak of the same antecedents, those with enough support for the smallest λ; what one
of them proves therefore holds for the others.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from surelist import _core
from surelist.antecedents import Spellings, name_antecedents
from surelist.constraints import Constraints
from surelist.envelope import Line
from surelist.errors import InputError
from surelist.parameters import Parameters
from surelist.progress import reporting
from surelist.rule_list import Antecedent, RuleList
from surelist.training import TrainingData, mine, new_search, rule_list_of, run

__all__ = ["Solution", "Solver"]


@dataclass(frozen=True)
class Solution:
    """What one search found and proved at one λ."""

    regularization: Fraction
    rule_list: RuleList
    prefix: tuple[int, ...]
    lower_bound: Fraction
    status: str

    @property
    def line(self) -> Line:
        """The objective of the rule list as a function of λ."""
        return Line(len(self.rule_list), self.rule_list.loss)


class Solver:
    """Runs searches on one problem.

    Parameters
    ----------
    data : TrainingData
    parameters : Parameters
        Of an estimator with the smallest λ; it decides which antecedents are mined.
    """

    def __init__(self, data: TrainingData, parameters: Parameters) -> None:
        self.data = data
        self.parameters = parameters
        self._problem: _core.Problem | None = None
        self._constraints: Constraints | None = None

    @property
    def problem(self) -> _core.Problem:
        """The mined problem."""
        if self._problem is None:
            # λ also bounds support from above, but not for lists whose loss alone counts; so only
            # ``min_support``, which is the smallest λ where nothing else was said, applies.
            unbounded = replace(self.parameters, regularization=Fraction(0))
            try:
                mined = mine(self.data, unbounded)
            except _core.InputError as error:
                raise InputError(str(error)) from None
            data = self.data
            self._constraints = Constraints.of(
                self.parameters.demands,
                self.parameters.prices,
                name_antecedents(mined.antecedents, data.names, data.conditions),
                data.classes.tolist(),
                Spellings(data.canonical),
            )
            self._problem = mined.problem
        return self._problem

    @property
    def antecedents(self) -> tuple[Antecedent, ...]:
        """The antecedents that rule lists may use."""
        assert self.problem is not None  # makes them
        assert self._constraints is not None
        return self._constraints.antecedents

    def __getstate__(self) -> dict[str, Any]:
        # The engine's problem stays in its process; another process mines the same one again.
        return vars(self) | {"_problem": None, "_constraints": None}

    def empty(self) -> Solution:
        """Return the rule list of length 0, which is the only one of its length."""
        return self.solve(self.parameters.regularization, max_length=0, progress=False)

    def solve(
        self,
        regularization: Fraction,
        known: tuple[int, ...] | None = None,
        **changes: Any,
    ) -> Solution:
        """Search at one λ, starting from a known prefix; `changes` replace parameters.

        Raises
        ------
        InputError
            Where λ has too many digits for the engine to compute exactly with it.
        """
        parameters = replace(self.parameters, regularization=regularization, **changes)
        prefix = None if known is None else list(known)
        try:
            search = new_search(self.problem, parameters, prefix, self._constraints)
        except _core.InputError as error:
            raise InputError(str(error)) from None
        with reporting(parameters.progress, self.antecedents) as report:
            run(search, report)
        return Solution(
            regularization,
            rule_list_of(search, self.antecedents, self.data, parameters),
            tuple(search.prefix),
            Fraction(search.lower_bound, search.scale),
            search.status,
        )
