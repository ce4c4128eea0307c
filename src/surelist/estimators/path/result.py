"""A regularization path: which rule list is optimal from which λ to which, and what is proven."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from numbers import Integral
from typing import Any

from surelist._common.limits import Deadline, Work
from surelist._common.messages import shown
from surelist._common.rounding import rounded_up
from surelist._common.text_tables import html_table, text_table
from surelist.errors import InputError, SurelistError
from surelist.estimators.path.envelope import interpolate
from surelist.estimators.path.loss_by_length import LossByLength, tabulate
from surelist.estimators.path.solver import Solution, Solver
from surelist.problem.parameters import work_units
from surelist.rule_list.rule_list import RuleList
from surelist.tables.regularization import exact

__all__ = ["PathSegment", "RegularizationPath"]


@dataclass(frozen=True)
class PathSegment:
    """A range of λ with one rule list.

    Attributes
    ----------
    start, stop : Fraction
        The range of λ, ends included; at a breakpoint both its neighbours are optimal.
    rule_list : RuleList
        The best rule list known on all of the range, with the λ ``start``.
    gap : Fraction
        How much lower than its objective another list may be, anywhere in the range; 0 is a proof
        that it is optimal.
    """

    start: Fraction
    stop: Fraction
    rule_list: RuleList
    gap: Fraction

    @property
    def certified(self) -> bool:
        """Whether the rule list is proven optimal on all of the range."""
        return self.gap == 0

    @property
    def length(self) -> int:
        """The number of rules."""
        return len(self.rule_list)

    @property
    def loss(self) -> Fraction:
        """Share of the training weight that the rule list misclassifies."""
        return self.rule_list.loss

    @property
    def cost(self) -> Fraction:
        """What the rules cost, in multiples of λ: their number, unless antecedents have costs."""
        return sum((rule.cost for rule in self.rule_list.rules), Fraction(0))

    def objective(self, regularization: Any) -> Fraction:
        """Return loss plus λ for each rule, times what the rule costs."""
        return self.loss + _exact(regularization) * self.cost

    def __contains__(self, regularization: Any) -> bool:
        return self.start <= _exact(regularization) <= self.stop


@dataclass(frozen=True)
class RegularizationPath:
    """The optimal rule list for every λ in a range, as `regularization_path` finds it.

    Attributes
    ----------
    segments : tuple of PathSegment
        From the smallest λ to the largest, without holes.
    lower_bounds : tuple of pairs of Fraction
        λ, and an objective below which no list is at that λ. Between two of them the straight line
        is a lower bound, too, because the optimal objective is concave in λ.
    regularizations : tuple of Fraction or None
        The grid, where one was asked for.
    status : str
        "optimal" where the whole range is certified, or the whole grid; else what kept it from
        that: "work_limit", "time_limit", "memory_limit", "prefix_limit", "interrupted", or
        "precision" where a breakpoint has too many digits.
    n_searches, n_antecedents : int
        How often the problem was solved, and the antecedents that were considered.
    min_support : Fraction
        Share of the weight that these capture at least.
    time : float
        Seconds that it took.
    work : int
        Work that it took, counted in about nanoseconds of one core.
    """

    segments: tuple[PathSegment, ...]
    lower_bounds: tuple[tuple[Fraction, Fraction], ...]
    regularizations: tuple[Fraction, ...] | None
    status: str
    n_searches: int
    n_antecedents: int
    min_support: Fraction
    time: float = field(compare=False)
    work: int = field(default=0, compare=False)
    _solver: Solver | None = field(default=None, repr=False, compare=False)
    _found: tuple[Solution, ...] = field(default=(), repr=False, compare=False)

    @property
    def smallest(self) -> Fraction:
        """The smallest λ."""
        return self.segments[0].start

    @property
    def largest(self) -> Fraction:
        """The largest λ."""
        return self.segments[-1].stop

    @property
    def breakpoints(self) -> tuple[Fraction, ...]:
        """Each λ at which the rule list changes."""
        return tuple(
            left.stop
            for left, right in zip(self.segments, self.segments[1:], strict=False)
            if left.cost != right.cost
        )

    @property
    def certified(self) -> bool:
        """Whether every λ of the range is certified."""
        return all(segment.certified for segment in self.segments)

    @property
    def gap(self) -> Fraction:
        """The largest gap of any λ; 0 where all of them are certified."""
        return max(segment.gap for segment in self.segments)

    def __len__(self) -> int:
        return len(self.segments)

    def __iter__(self) -> Iterator[PathSegment]:
        return iter(self.segments)

    def at(self, regularization: Any) -> RuleList:
        """Return the best rule list for one λ.

        At a breakpoint two lists are equally good, and this is the one whose rules cost less.

        Raises
        ------
        InputError
            For a λ outside of the path.
        """
        value = self._read(regularization)
        segment = next(segment for segment in reversed(self.segments) if segment.start <= value)
        return replace(segment.rule_list, regularization=value)

    def objective_at(self, regularization: Any) -> Fraction:
        """Return the objective of the best rule list for one λ."""
        return self.at(regularization).objective

    def lower_bound_at(self, regularization: Any) -> Fraction:
        """Return the objective that no rule list is below for one λ."""
        return interpolate(self.lower_bounds, self._read(regularization))

    def gap_at(self, regularization: Any) -> Fraction:
        """Return the difference of these two; 0 is a proof that ``at`` is optimal there."""
        return self.objective_at(regularization) - self.lower_bound_at(regularization)

    def _read(self, regularization: Any) -> Fraction:
        value = _exact(regularization)
        if not self.smallest <= value <= self.largest:
            raise InputError(
                f"the path goes from {_decimal(self.smallest)} to {_decimal(self.largest)}; "
                f"{shown(regularization)} is outside of it"
            )
        return value

    def best_loss_by_length(
        self,
        max_length: int | None = None,
        *,
        work_limit: float | str | None = "auto",
        time_limit: float | None = None,
    ) -> LossByLength:
        """Find the least loss of any rule list of at most K rules, for each K.

        The least K is 0, or the number of antecedents that every list must have.

        Lengths on the path need no search; for others, the lists of at most K rules are searched.

        Parameters
        ----------
        max_length : int, optional
            The largest K. None is the length of the longest list on the path.
        work_limit : "auto", float or None, default="auto"
            Work for the whole table, as for `regularization_path`.
        time_limit : float, optional
            Seconds for the whole table.

        Raises
        ------
        SurelistError
            For a path that was unpickled: its data are not pickled with it.

        Warns
        -----
        UncertifiedWarning
            Where not every row is certified. All their lower bounds are proven.

        Examples
        --------
        >>> from surelist import regularization_path
        >>> from surelist.datasets import load_tic_tac_toe
        >>> boards = load_tic_tac_toe()
        >>> path = regularization_path(boards.X, boards.y, smallest=0.02, max_clauses=1)
        >>> print(path.best_loss_by_length())
        length      loss  lower bound
             0  0.346555     the same  optimal
             1  0.300626     the same  optimal
             2  0.294363     the same  optimal
             3  0.250522     the same  optimal
        """
        solver = self._solver
        if solver is None:
            raise SurelistError("this path was unpickled, without its data; make it again")
        allowed = solver.parameters.max_length
        longest = max(segment.length for segment in self.segments)
        if max_length is None:
            max_length = longest
        if not isinstance(max_length, Integral) or isinstance(max_length, bool) or max_length < 0:
            raise InputError(
                f"max_length must be None or a whole number of at least 0; got {shown(max_length)}"
            )
        if max_length < solver.least_length:
            raise InputError(
                f"max_length is {max_length}, but every list has the {solver.least_length} "
                "antecedents that first and required name"
            )
        if allowed is not None and max_length > allowed:
            raise InputError(
                f"max_length is {max_length}, but the path was made with max_length={allowed}"
            )
        if time_limit is not None and not time_limit > 0:
            raise InputError(f"time_limit must be None or positive; got {shown(time_limit)}")
        work = work_units(work_limit, other_limit=time_limit is not None)
        return tabulate(
            *(solver, self._found, self.lower_bounds, int(max_length)),
            Deadline.now(time_limit),
            Work(work),
        )

    def plot(self, axes: Any = None) -> Any:
        """Draw objective and length against λ with matplotlib, and what is not certified.

        Parameters
        ----------
        axes : pair of matplotlib Axes, optional
            Where to draw; None makes a new figure.

        Returns
        -------
        array of two matplotlib Axes
        """
        from surelist.plot.path import plot_path

        return plot_path(self, axes)

    def to_frame(self) -> Any:
        """Return a pandas data frame with a row for each segment."""
        import pandas as pd

        return pd.DataFrame(
            {
                "start": [float(segment.start) for segment in self.segments],
                "stop": [float(segment.stop) for segment in self.segments],
                "length": [segment.length for segment in self.segments],
                "loss": [float(segment.loss) for segment in self.segments],
                "objective_start": [float(s.objective(s.start)) for s in self.segments],
                "objective_stop": [float(s.objective(s.stop)) for s in self.segments],
                "gap": [float(segment.gap) for segment in self.segments],
                "certified": [segment.certified for segment in self.segments],
                "rule_list": [segment.rule_list for segment in self.segments],
            }
        )

    def __str__(self) -> str:
        titles = ("regularization from", "to", "length", "loss", "")
        return text_table(titles, [_cells(segment) for segment in self.segments])

    def _repr_html_(self) -> str:
        titles = ("regularization from", "to", "length", "loss", "", "rule list")
        rows = [(*_cells(segment), f"{segment.rule_list}\n") for segment in self.segments]
        return html_table(titles, rows)

    def __getstate__(self) -> dict[str, Any]:
        # Pickle what users read, without the training data.
        return vars(self) | {"_solver": None, "_found": ()}


def _exact(regularization: Any) -> Fraction:
    """Read a λ; a fraction may exceed 1, on paths where rules are cheap or mistakes expensive."""
    return regularization if isinstance(regularization, Fraction) else exact(regularization)


def _cells(segment: PathSegment) -> tuple[str, ...]:
    status = "optimal" if segment.certified else f"gap {rounded_up(segment.gap)}"
    loss = f"{float(segment.loss):.6g}"
    return (_decimal(segment.start), _decimal(segment.stop), str(segment.length), loss, status)


def _decimal(value: Fraction) -> str:
    return f"{float(value):.6g}"
