"""The certified optimum for every λ in a range.

Where the lines of two known lists cross, a third list may be better than both: solve there, with
the better one to start from. Either that proves that there is none, or it finds a list that gives
two new crossings. Each search thus settles a breakpoint or finds a line of the optimal objective,
so about twice as many searches as there are different optimal lists give the whole path, every
breakpoint exact. `surelist.estimators.path.envelope` says why that proves everything in between.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any

from surelist import _core
from surelist._common.limits import Deadline, Work
from surelist._common.messages import shown
from surelist._common.rounding import rounded_down, rounded_up
from surelist.errors import InputError, UncertifiedWarning
from surelist.estimators.path.envelope import Envelope, Line
from surelist.estimators.path.result import PathSegment, RegularizationPath
from surelist.estimators.path.solver import Solution, Solver, unbounded
from surelist.features.binarization import cuts_everywhere
from surelist.problem.cut_problem import read_cut_problem
from surelist.problem.parameters import is_cluster, read_parameters
from surelist.problem.prepare import prepare
from surelist.problem.settings import Settings
from surelist.problem.training_data import choose_binarizer
from surelist.tables.regularization import exact

__all__ = ["regularization_path"]

# With fewer seconds left no processes are started; searches use threads instead.
_SLOW_START = 10.0


def regularization_path(
    X: Any,
    y: Any = None,
    *,
    smallest: Any = 0.01,
    largest: Any = None,
    regularizations: Iterable[Any] | None = None,
    sample_weight: Any = None,
    work_limit: float | str | None = "auto",
    time_limit: float | None = None,
    n_jobs: int | None = 1,
    **parameters: Any,
) -> RegularizationPath:
    """Find the optimal rule list for every λ in a range, with proof.

    Parameters
    ----------
    X, y, sample_weight
        As for `RuleListClassifier.fit`.
    smallest : float, Decimal or Fraction, default=0.01
        The smallest λ. It decides how long a path takes, and which antecedents are mined: those
        that capture at least this share of the weight, unless ``min_support`` says otherwise.
    largest : float, Decimal or Fraction, optional
        The largest λ. None is the loss of the empty rule list, from which on no rule pays; or of
        the shortest list allowed, divided by the least that another rule costs.
    regularizations : iterable of numbers, optional
        A grid: only these λ are solved, and ``smallest`` and ``largest`` are its ends. What lies
        between them is certified where that follows.
    work_limit : "auto", float or None, default="auto"
        Work for the whole path, as for `RuleListClassifier`: "auto" is 60, about seconds of one
        core, unless there is a ``time_limit`` or ``max_prefixes``. A single search takes at most
        half of what is left.
    time_limit : float, optional
        Seconds for the whole path. A single search takes at most half of what is left of them, so
        that a small λ does not use them up.
    n_jobs : int or None, default=1
        Searches that run at once, by joblib; a search that runs alone has that many threads.
    **parameters
        Other parameters of `RuleListClassifier`, for every search.

    Returns
    -------
    RegularizationPath

    Raises
    ------
    InputError
        For parameters or data that cannot be used.

    Warns
    -----
    UncertifiedWarning
        Where a limit or Ctrl-C ended the search early. The path says which of its parts are proven.

    Examples
    --------
    >>> from surelist import regularization_path
    >>> from surelist.datasets import load_tic_tac_toe
    >>> boards = load_tic_tac_toe()
    >>> path = regularization_path(boards.X, boards.y, smallest=0.02, max_clauses=1)
    >>> print(path)
    regularization from         to  length      loss
                   0.02  0.0250522       3  0.250522  optimal
              0.0250522   0.045929       1  0.300626  optimal
               0.045929   0.346555       0  0.346555  optimal
    >>> len(path.at(0.03)), path.breakpoints[0]
    (1, Fraction(12, 479))
    """
    grid = None if regularizations is None else _read_grid(regularizations)
    low = exact(smallest, name="smallest") if grid is None else grid[0]
    limits = {"work_limit": work_limit, "time_limit": time_limit}
    solver = _solver(X, y, sample_weight, low, n_jobs, limits | parameters)
    deadline, work = solver.prepared.deadline, Work(solver.parameters.work_limit)
    work.spend(solver.prepared.work)
    shortest = solver.shortest(time_limit=deadline.for_search(0.5), work_limit=work.for_search(0.5))
    work.spend(shortest.work)
    run = _Run(solver, shortest, grid, deadline, work)
    high = _largest(largest, grid, low, run.enough())
    known = Envelope(low, high)
    run.start(known)
    while targets := run.targets(known):
        run.solve(known, targets)
    path = run.result(known)
    if path.status != "optimal":
        warnings.warn(_uncertified(path), UncertifiedWarning, stacklevel=2)
    return path


def _solver(
    X: Any,
    y: Any,
    sample_weight: Any,
    smallest: Fraction,
    n_jobs: int | None,
    parameters: dict[str, Any],
) -> Solver:
    for name in ("regularization", "initial_rule_list"):
        if name in parameters:
            raise InputError(f"{name} is not a parameter of a path, which chooses its own")
    if is_cluster(n_jobs):
        raise InputError(
            "n_jobs: a path consists of many short searches, which a cluster runs side by side "
            'under joblib.parallel_config("dask"); give a number here'
        )
    known = {each.name for each in fields(Settings)}
    if unknown := [name for name in parameters if name not in known]:
        raise InputError(f"RuleListClassifier has no such parameter: {', '.join(unknown)}")
    settings = Settings(smallest, n_jobs=n_jobs, **parameters)
    checked = read_parameters(settings)
    if checked.fairness is not None:
        raise InputError("a path over λ has no fairness=; fairness_path searches all tolerances")
    deadline = Deadline.start(checked.time_limit)
    binarizer = choose_binarizer(settings.binarizer, checked)
    if cuts_everywhere(binarizer):
        from surelist.estimators.path.cut_solver import CutSolver

        chains = read_cut_problem(X, y, sample_weight, settings, checked, binarizer)
        if chains is not None:
            return CutSolver(chains, checked, deadline)
    try:
        prepared = prepare(
            X,
            y,
            sample_weight,
            settings.class_weight,
            unbounded(checked),
            binarizer=binarizer,
            antecedents=settings.antecedents,
            deadline=deadline,
        )
    except _core.InputError as error:
        raise InputError(str(error)) from None
    return Solver(prepared.data, checked, prepared)


def _read_grid(regularizations: Iterable[Any]) -> list[Fraction]:
    if isinstance(regularizations, str) or not isinstance(regularizations, Iterable):
        raise InputError(f"regularizations must be numbers; got {shown(regularizations)}")
    grid = sorted({exact(value, name="each of regularizations") for value in regularizations})
    if not grid:
        raise InputError("regularizations is empty; give at least one number such as 0.01")
    return grid


def _largest(
    largest: Any, grid: list[Fraction] | None, smallest: Fraction, enough: Fraction
) -> Fraction:
    if grid is not None:
        return grid[-1]
    if largest is None:
        return max(smallest, enough)
    value = exact(largest, name="largest")
    if value < smallest:
        raise InputError(f"largest is {shown(largest)}, below smallest, which is {float(smallest)}")
    return value


@dataclass
class _Run:
    """The state of a path: what was tried, what was found, and what is left of the limits."""

    solver: Solver
    shortest: Solution
    grid: list[Fraction] | None
    deadline: Deadline
    work: Work
    tried: set[Fraction] = field(default_factory=set)
    found: dict[Line, Solution] = field(default_factory=dict)
    stopped_by: str | None = None
    n_searches: int = 0

    def start(self, known: Envelope) -> None:
        """Add what needs no search, and what the beam search finds at the smallest λ.

        The engine begins each search with a beam search, and stopped there it still gives a good
        long list, hence crossings. These are then solved from the largest λ on, where proofs are
        cheap: a path that is cut short has as much of it proven as possible.
        """
        self._learn(known, self.shortest)
        first = self.solver.solve(
            known.start,
            max_prefixes=1,
            progress=False,
            time_limit=self.deadline.for_search(0.5),
            work_limit=self.work.for_search(0.5),
        )
        self._learn(known, first)
        if "interrupted" in (first.status, self.shortest.status):
            self.stopped_by = "interrupted"
        known.add_bound(Fraction(0), self.solver.floor)
        if min(self.solver.costs) == 0 or self.solver.prepared.tried is not None:
            return  # a rule that costs nothing, or is not known, may pay at any λ
        base = self.shortest.line.cost
        least = self.shortest.lower_bound - self.shortest.regularization * base
        for regularization in {known.stop, max(known.start, min(known.stop, self.enough()))}:
            if regularization >= self.enough():
                known.add_bound(regularization, least + regularization * base)

    def enough(self) -> Fraction:
        """Return a λ above which no list is optimal that costs more than the cheapest list.

        Rules that are not demanded, but cost something, raise a list's cost by at least λ times the
        least of these costs; and they cannot save more than all of the loss.
        """
        cost = min((cost for cost in self.solver.costs if cost > 0), default=Fraction(1))
        return self.shortest.rule_list.loss / cost

    def targets(self, known: Envelope) -> list[Fraction]:
        """Return the λ to solve next, as many as run at once."""
        if self.stopped_by == "interrupted" or self.deadline.passed():
            return []
        if self.work.passed():
            self.stopped_by = "work_limit"
            return []
        candidates = known.corners() if self.grid is None else self.grid
        unproven = [at for at in reversed(candidates) if at not in self.tried and known.gap(at) > 0]
        if self.grid is not None and self.deadline.limit is None:
            # With time enough: first the ends, then where the gap is largest. Many other points of
            # a grid then lie between two that have the same optimal list, and need no search.
            ends = (known.start, known.stop)
            unproven.sort(key=lambda at: (at not in ends, -known.gap(at)))
        left = self.deadline.left()
        apart = left is None or left > _SLOW_START
        return unproven[: self.solver.parameters.n_jobs if apart else 1]

    def solve(self, known: Envelope, targets: Sequence[Fraction]) -> None:
        """Search at these λ, all at once, and learn from what comes out."""
        left = self.deadline.left()
        changes: dict[str, Any] = {} if left is None else {"time_limit": left / 2}
        changes["work_limit"] = self.work.for_search(1 / (2 * len(targets)))
        starts = [
            min(self.found.values(), key=lambda known: (known.line.at(at), known.line)).prefix
            for at in targets
        ]
        self.tried.update(targets)
        try:
            solutions = _solve_all(self.solver, targets, starts, changes)
        except KeyboardInterrupt:
            # A search in this process ends in order and keeps what it knows; but Ctrl-C may come
            # between two, or while they run in other processes.
            self.stopped_by = "interrupted"
            return
        for at, solution in zip(targets, solutions, strict=True):
            if isinstance(solution, Solution):
                self._learn(known, solution)
                if solution.status != "optimal":
                    self.stopped_by = solution.status
            elif at in (self.grid or (known.start, known.stop)):
                raise solution
            else:
                self.stopped_by = "precision"

    def result(self, known: Envelope) -> RegularizationPath:
        """Put together what is known in the end."""
        segments = tuple(
            PathSegment(
                piece.start,
                piece.stop,
                replace(self.found[piece.line].rule_list, regularization=piece.start),
                max(known.gap(piece.start), known.gap(piece.stop)),
            )
            for piece in known.pieces()
        )
        proven = (
            all(segment.certified for segment in segments)
            if self.grid is None
            else all(known.gap(at) == 0 for at in self.grid)
        )
        cut = self.solver.prepared.cut
        status = "optimal" if proven else self.stopped_by or (cut.by if cut else "time_limit")
        return RegularizationPath(
            segments=segments,
            lower_bounds=tuple(known.hull),
            regularizations=None if self.grid is None else tuple(self.grid),
            status=status,
            n_searches=self.n_searches,
            n_antecedents=self.solver.problem.n_antecedents,
            min_support=self.solver.parameters.min_support,
            time=self.deadline.elapsed(),
            work=self.work.done,
            _solver=self.solver,
            _found=tuple(self.found.values()),
        )

    def _learn(self, known: Envelope, solution: Solution) -> None:
        known.add_line(solution.line)
        self.found.setdefault(solution.line, solution)
        if solution is not self.shortest:
            known.add_bound(solution.regularization, solution.lower_bound)
            self.work.spend(solution.work)
            self.n_searches += 1


def _solve_all(
    solver: Solver,
    targets: Sequence[Fraction],
    starts: Sequence[tuple[int, ...]],
    changes: dict[str, Any],
) -> list[Solution | InputError]:
    if len(targets) == 1:
        return [_solve(solver, targets[0], starts[0], changes)]
    from joblib import Parallel, delayed

    threads = max(1, solver.parameters.n_jobs // len(targets))
    # A progress function may not work in another process.
    apart = changes | {"n_jobs": threads, "progress": False}
    sent = time.time()
    return list(
        Parallel(n_jobs=len(targets))(
            delayed(_solve)(solver, at, start, apart, sent)
            for at, start in zip(targets, starts, strict=True)
        )
    )


def _solve(
    solver: Solver,
    at: Fraction,
    start: tuple[int, ...],
    changes: dict[str, Any],
    sent: float | None = None,
) -> Solution | InputError:
    """Search at one λ; its fraction may be too long for the engine's integers.

    Another process takes time to start, and mines first. The time since it was ``sent`` (a time of
    day) counts against its time limit.
    """
    waited = 0.0 if sent is None else max(0.0, time.time() - sent)
    try:
        deadline = Deadline(changes.get("time_limit"), time.monotonic() - waited)
        solver.prepared  # noqa: B018
        return solver.solve(at, start, **(changes | {"time_limit": deadline.for_search()}))
    except InputError as error:
        return error


def _uncertified(path: RegularizationPath) -> str:
    reason = {
        "work_limit": "its work limit was reached",
        "time_limit": "its time limit was reached",
        "memory_limit": "a search reached its memory limit",
        "prefix_limit": "a search reached its limit of prefixes",
        "interrupted": "it was interrupted",
        "precision": "a breakpoint has too many digits to be computed with exactly",
    }[path.status]
    open_parts = [segment for segment in path.segments if not segment.certified]
    ranges = ", ".join(
        f"{rounded_down(segment.start)} to {rounded_up(segment.stop)}" for segment in open_parts[:3]
    )
    more = ", …" if len(open_parts) > 3 else ""
    return (
        f"the path is not certified everywhere: {reason}. Not proven are the λ from "
        f"{ranges}{more}; there no rule list is better by more than {rounded_up(path.gap)}"
    )
