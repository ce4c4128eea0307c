"""The least loss of any rule list of at most K rules, for each K.

For one K the search takes a λ so small that even K rules cost less than a single row. Its optimum
then has the least loss of all lists of at most K rules, and among those the fewest rules, or the
cheapest where antecedents have costs. (A λ that weighs more would trade loss for length; λ = 0
would find the least loss, but not the shortest list that has it.)

Many lengths need no search: a value that a path has proven at some λ bounds the loss of all lists
of at most K rules, and for the lengths on the path that bound is attained.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from surelist._common.limits import Deadline, Work
from surelist._common.rounding import bound_text, rounded_up
from surelist._common.text_tables import html_table, text_table
from surelist.errors import InputError, UncertifiedWarning
from surelist.estimators.path.solver import Solution, Solver
from surelist.rule_list.rule_list import RuleList

__all__ = ["LossByLength", "LossOfLength", "tabulate"]


@dataclass(frozen=True)
class LossOfLength:
    """The least loss of any rule list of at most ``length`` rules.

    Attributes
    ----------
    length : int
        K, the most rules allowed.
    rule_list : RuleList
        The best one known; it may be shorter than allowed.
    lower_bound : Fraction
        The loss that no rule list of at most K rules goes below.
    """

    length: int
    rule_list: RuleList
    lower_bound: Fraction

    @property
    def loss(self) -> Fraction:
        """The loss of ``rule_list``."""
        return self.rule_list.loss

    @property
    def gap(self) -> Fraction:
        """How much less loss there may be."""
        return self.loss - self.lower_bound

    @property
    def certified(self) -> bool:
        """Whether no rule list of at most K rules has less loss."""
        return self.gap == 0


@dataclass(frozen=True)
class LossByLength:
    """The least loss for each length, over the antecedents of a path.

    It says, for each K: no rule list of at most K rules, made of antecedents that capture at least
    the share ``min_support`` of the training weight, has a loss below ``lower_bound``; and
    ``rule_list`` has the loss ``loss``. Where the two are equal, the row is certified.

    Attributes
    ----------
    rows : tuple of LossOfLength
        One for each length, from 0 on, or from the number of antecedents that are demanded.
    min_support : Fraction
        Share of the weight that antecedents have to capture to be considered.
    """

    rows: tuple[LossOfLength, ...]
    min_support: Fraction

    @property
    def certified(self) -> bool:
        """Whether every row is certified."""
        return all(row.certified for row in self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[LossOfLength]:
        return iter(self.rows)

    def __getitem__(self, length: int) -> LossOfLength:
        """Return the row of a length; negative ones count from the end."""
        if length < 0:
            return self.rows[length]
        place = length - self.rows[0].length
        if place < 0:
            raise IndexError(f"no list is shorter than {self.rows[0].length} rules")
        return self.rows[place]

    def __str__(self) -> str:
        return text_table(("length", "loss", "lower bound", ""), [_cells(row) for row in self.rows])

    def _repr_html_(self) -> str:
        titles = ("length", "loss", "lower bound", "", "rule list")
        return html_table(titles, [(*_cells(row), f"{row.rule_list}\n") for row in self.rows])

    def to_frame(self) -> Any:
        """Return a pandas data frame with a row for each length."""
        import pandas as pd

        return pd.DataFrame(
            {
                "length": [row.length for row in self.rows],
                "loss": [float(row.loss) for row in self.rows],
                "lower_bound": [float(row.lower_bound) for row in self.rows],
                "certified": [row.certified for row in self.rows],
                "rule_list": [row.rule_list for row in self.rows],
            }
        )

    def plot(self, ax: Any = None) -> Any:
        """Draw loss against length with matplotlib; what is not certified with its gap.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; None makes a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from surelist.plot.path import plot_loss_by_length

        return plot_loss_by_length(self, ax)


def _cells(row: LossOfLength) -> tuple[str, ...]:
    status = "optimal" if row.certified else f"gap {rounded_up(row.gap)}"
    bound = bound_text(row.loss, row.lower_bound, ".6g")
    return (str(row.length), f"{float(row.loss):.6g}", bound, status)


def tabulate(
    solver: Solver,
    found: Sequence[Solution],
    proven: Sequence[tuple[Fraction, Fraction]],
    max_length: int,
    deadline: Deadline,
    work: Work,
) -> LossByLength:
    """Find the least loss for each length up to `max_length`.

    Parameters
    ----------
    solver
        The problem.
    found
        Rule lists that are known, the shortest one among them.
    proven
        Pairs of λ and an objective that no rule list is below.
    max_length
        The largest K.
    deadline, work
        For the whole table. Where they run out, what is known goes into it.
    """
    known: dict[int, Solution] = {}
    for solution in sorted(found, key=lambda each: each.rule_list.loss):
        known.setdefault(len(solution.rule_list), solution)
    lengths = range(solver.least_length, max_length + 1)
    floors: list[Fraction] = []
    stopped = False
    for length in lengths:
        floor = _floor(solver, proven, length)
        stopped = stopped or deadline.passed() or work.passed()
        best = _best(known, length)
        if not stopped and best.rule_list.loss > floor:
            solution, searched = _search(solver, length, best, deadline, work)
            floor = max(floor, searched)
            stopped = solution.status == "interrupted"
            shorter = len(solution.rule_list)
            if shorter not in known or solution.rule_list.loss < known[shorter].rule_list.loss:
                known[shorter] = solution
        floors.append(floor)
    rows = tuple(
        LossOfLength(length, _best(known, length).rule_list, max(floors[place:]))
        for place, length in enumerate(lengths)
    )
    table = LossByLength(rows, solver.parameters.min_support)
    if not table.certified:
        open_ones = ", ".join(str(row.length) for row in rows if not row.certified)
        warnings.warn(
            f"the least loss is not certified for the lengths {open_ones}: "
            "a limit was reached. Their lower bounds hold all the same",
            UncertifiedWarning,
            stacklevel=3,
        )
    return table


def _best(known: dict[int, Solution], length: int) -> Solution:
    allowed = [known[shorter] for shorter in sorted(known) if shorter <= length]
    return min(allowed, key=lambda solution: solution.rule_list.loss)


def _floor(solver: Solver, proven: Sequence[tuple[Fraction, Fraction]], length: int) -> Fraction:
    """Return the loss that lists of at most `length` rules cannot go below, by what is proven."""
    total = solver.problem.total_weight
    dearest = solver.dearest * length
    floor = max((value - at * dearest for at, value in proven), default=Fraction(0))
    # Rows that no antecedent tells apart cannot all be right; and losses are whole weights.
    return max(Fraction(math.ceil(floor * total), total), solver.floor)


def _search(
    solver: Solver, length: int, best: Solution, deadline: Deadline, work: Work
) -> tuple[Solution, Fraction]:
    """Search the lists of at most `length` rules; return the best, and a floor for their loss."""
    total = solver.problem.total_weight
    dearest = solver.dearest * length
    regularization = 1 / (total * (dearest + 1))
    limits = {"time_limit": deadline.for_search(), "work_limit": work.for_search()}
    try:
        solution = solver.solve(regularization, best.prefix, max_length=length, **limits)
    except InputError:
        # The fraction is too long for the engine's integers; none is shorter than 0.
        solution = solver.solve(Fraction(0), best.prefix, max_length=length, **limits)
    work.spend(solution.work)
    floor = solution.lower_bound - solution.regularization * dearest
    return solution, Fraction(max(0, math.ceil(floor * total)), total)
