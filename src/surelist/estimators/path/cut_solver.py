"""The searches of a regularization path over all cuts: one set of chains, searched for many λ."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from surelist import _core
from surelist._common.limits import Deadline
from surelist.errors import InputError
from surelist.estimators.path.solver import Solution, Solver
from surelist.problem.cut_problem import CutProblem
from surelist.problem.parameters import Parameters
from surelist.search.cut_search import search_cuts

__all__ = ["CutSolver"]

_GLANCE = 100_000_000  # units of work, about .1 s: for a first list


class CutSolver(Solver):
    """Runs searches over all cuts, without constraints and without costs of antecedents.

    Parameters
    ----------
    chains : CutProblem
        The rows, and the cuts of all columns.
    parameters : Parameters
        Of an estimator with the smallest λ.
    deadline : Deadline
        When the path began.
    """

    def __init__(self, chains: CutProblem, parameters: Parameters, deadline: Deadline) -> None:
        self.chains = chains
        # All cuts are in, whatever they capture; and a path has no proof to write down.
        self.parameters = replace(parameters, min_support=Fraction(0), certificate=False)
        self._prepared: Any = SimpleNamespace(deadline=deadline, work=0, cut=None, tried=None)

    @property
    def problem(self) -> Any:
        """The size of the problem: its number of antecedents and its total weight."""
        total = int(self.chains.rows.weights.whole.sum())
        return SimpleNamespace(n_antecedents=self.chains.n_antecedents(), total_weight=total)

    @property
    def floor(self) -> Fraction:
        """The loss that no rule list goes below."""
        return self.chains.floor()[0]

    @property
    def least_length(self) -> int:
        """How many rules every list has at least: none is required."""
        return 0

    @property
    def costs(self) -> tuple[Fraction, ...]:
        """What a rule costs, in multiples of λ."""
        return (Fraction(1),)

    @property
    def dearest(self) -> Fraction:
        """No rule costs more."""
        return Fraction(1)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self)

    def solve(
        self, regularization: Fraction, known: tuple[int, ...] | None = None, **changes: Any
    ) -> Solution:
        """Search at one λ; ``max_prefixes`` asks for a list that is found at once.

        Raises
        ------
        InputError
            Where λ has too many digits.
        """
        del known  # each search finds a first list by itself, and soon
        if changes.pop("max_prefixes", None) is not None:
            changes["work_limit"] = min(changes.get("work_limit") or _GLANCE, _GLANCE)
        parameters = replace(self.parameters, regularization=regularization, **changes)
        try:
            found = search_cuts(self.chains, parameters, Deadline.now(parameters.time_limit))
        except _core.InputError as error:
            raise InputError(str(error)) from None
        outcome = found.outcome
        return Solution(
            regularization,
            outcome.rule_list,
            (),
            outcome.lower_bound,
            outcome.status,
            int(outcome.trace.counters["work"]),
        )
