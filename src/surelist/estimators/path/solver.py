"""The searches of a regularization path: one problem, mined once, solved for many λ.

All searches use the same antecedents, those with enough support for the smallest λ; what one
of them proves therefore holds for the others.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from surelist import _core
from surelist._common.progress import reporting
from surelist.errors import InputError
from surelist.estimators.path.envelope import Line
from surelist.problem.arrays import pack_problem, unpack_problem
from surelist.problem.mining import weight_scale
from surelist.problem.parameters import Parameters
from surelist.problem.prepare import Prepared, prepare_data
from surelist.problem.training_data import TrainingData
from surelist.rule_list.rule_list import Antecedent, RuleList
from surelist.search.engine import new_search, rule_list_of, run

__all__ = ["Solution", "Solver", "unbounded"]


def unbounded(parameters: Parameters) -> Parameters:
    """Return the parameters for mining: λ must not bound support from above.

    An antecedent that captures more than 1 − λ is of no use where a rule has to save λ. Where only
    the loss counts, it may be: so only ``min_support`` applies, the smallest λ by default.
    """
    return replace(parameters, regularization=Fraction(0))


@dataclass(frozen=True)
class Solution:
    """What one search found and proved at one λ."""

    regularization: Fraction
    rule_list: RuleList
    prefix: tuple[int, ...]
    lower_bound: Fraction
    status: str
    work: int = 0
    """What the search took, counted."""

    @property
    def line(self) -> Line:
        """The objective of the rule list as a function of λ."""
        cost = sum((rule.cost for rule in self.rule_list.rules), Fraction(0))
        return Line(cost, self.rule_list.loss)


class Solver:
    """Runs searches on one problem.

    Parameters
    ----------
    data : TrainingData
        With every antecedent that the user names.
    parameters : Parameters
        Of an estimator with the smallest λ; it decides which antecedents are mined.
    prepared : Prepared, optional
        Where they were mined already, with ``unbounded`` parameters.
    """

    def __init__(
        self, data: TrainingData, parameters: Parameters, prepared: Prepared | None = None
    ) -> None:
        self.data = data
        self.parameters = parameters
        self._prepared = prepared
        self._cut = None if prepared is None else prepared.cut

    @property
    def prepared(self) -> Prepared:
        """The problem and its antecedents."""
        if self._prepared is None:
            try:
                self._prepared = prepare_data(self.data, unbounded(self.parameters), cut=self._cut)
            except _core.InputError as error:
                raise InputError(str(error)) from None
        return self._prepared

    @property
    def problem(self) -> _core.Problem:
        """The mined problem."""
        return self.prepared.problem

    @property
    def antecedents(self) -> tuple[Antecedent, ...]:
        """The antecedents that rule lists may use."""
        return self.prepared.antecedents

    @property
    def floor(self) -> Fraction:
        """The loss that no rule list goes below: that of rows which no antecedent tells apart."""
        if self.prepared.tried is not None:
            return self.prepared.feature_floor
        return Fraction(self.problem.minority_weight, self.problem.total_weight)

    @property
    def least_length(self) -> int:
        """How many rules every list has at least: those named in ``first`` and ``required``."""
        constraints = self.prepared.constraints
        return len({*constraints.first, *constraints.required})

    @property
    def costs(self) -> tuple[Fraction, ...]:
        """What the antecedents cost that need not be in a list, in multiples of λ."""
        constraints = self.prepared.constraints
        if constraints.costs is None:
            return (Fraction(1),)
        demanded = {*constraints.first, *constraints.required, *constraints.forbidden}
        free = [cost for at, cost in enumerate(constraints.costs) if at not in demanded]
        return tuple(free) or (Fraction(1),)

    @property
    def dearest(self) -> Fraction:
        """No rule costs more, in multiples of λ."""
        return max(self.prepared.constraints.costs or (Fraction(1),))

    def __getstate__(self) -> dict[str, Any]:
        # The engine's problem stays in its process; another process mines the same one again.
        return vars(self) | {"_prepared": None}

    def shortest(self, **changes: Any) -> Solution:
        """Return the best rule list of required rules alone: in most cases the empty list."""
        length = self.least_length
        # To order the required rules may need a search; only then is there progress to show.
        quiet: dict[str, Any] = {"progress": False} if length == 0 else {}
        at = self.parameters.regularization
        return self.solve(at, max_length=length, **(quiet | changes))

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
        constraints = self.prepared.constraints
        try:
            search = new_search(self._problem_for(parameters), parameters, prefix, constraints)
        except _core.InputError as error:
            raise InputError(str(error)) from None
        with reporting(parameters.progress, self.antecedents) as report:
            run(search, report)
        lower_bound, status = Fraction(search.lower_bound, search.scale), search.status
        beyond = self.prepared.least_beyond(parameters)
        if beyond is not None and beyond < lower_bound:
            assert self.prepared.cut is not None
            lower_bound, status = beyond, self.prepared.cut.by if status == "optimal" else status
        return Solution(
            regularization,
            rule_list_of(search, self.antecedents, self.data, parameters, constraints.costs),
            tuple(search.prefix),
            lower_bound,
            status,
            search.counters["work"],
        )

    def _problem_for(self, parameters: Parameters) -> _core.Problem:
        """Return the problem in units of weight in which λ times every cost is a whole number."""
        scale = weight_scale(self.data, parameters)
        if scale == 1:
            return self.problem
        packed = pack_problem(self.problem)
        return unpack_problem(packed | {"weights": packed["weights"] * scale})
