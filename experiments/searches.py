"""Searches: the engine on a fold's antecedents, with all bounds or as the paper had them.

`Task` says what to search, `Outcome` what came of it. Tasks do not depend on each other; with more
than one job they run in processes side by side.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from benchmarks.cases import conjunctions
from experiments.dataset import Codes, Features
from experiments.lists import NamedList, Rule
from surelist import _core
from surelist.search.trace import Trace

__all__ = ["CORELS", "SURELIST", "Outcome", "Setting", "Task", "antecedents", "run", "run_all"]

# About what the original program takes, too; at the limit the search continues depth first.
_MEMORY = 2 << 30
_LEAST = Fraction("0.005")


@dataclass(frozen=True)
class Setting:
    """How to search."""

    name: str
    bounds: tuple[str, ...]
    symmetry: str = "captured"
    policy: str = "lower_bound"
    beam_width: int = 100

    def without(self, name: str, *bounds: str) -> Setting:
        """Return the setting without some bounds."""
        kept = tuple(bound for bound in self.bounds if bound not in bounds)
        return replace(self, name=name, bounds=kept)


SURELIST = Setting("Surelist", tuple(_core.bound_names()))
# What the paper's implementation uses: bounds on length are implied by the lookahead bound, and no
# search for a first list precedes the main one.
CORELS = Setting(
    "CORELS",
    ("hierarchical", "lookahead", "support", "accurate_support", "equivalent_points"),
    symmetry="permutation",
    beam_width=0,
)


@dataclass(frozen=True, eq=False)
class Task:
    """A problem, λ and how to search."""

    names: tuple[str, ...]
    captures: NDArray[np.uint8]
    labels: Codes
    regularization: str
    setting: Setting = SURELIST
    weights: NDArray[np.int64] | None = None
    time_limit: float | None = None
    trace_interval: float | None = None


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of a search."""

    rule_list: NamedList
    status: str
    objective: float
    lower_bound: float
    n_antecedents: int
    n_groups: int
    trace: Trace
    counters: dict[str, float] = field(default_factory=dict)

    @property
    def is_optimal(self) -> bool:
        """Whether the search ended with a proof."""
        return self.status == "optimal"


def antecedents(
    features: Features, *, clauses: int, least: Fraction = _LEAST
) -> tuple[tuple[str, ...], NDArray[np.uint8]]:
    """Return names and captures of the antecedents that the paper would mine.

    Conjunctions of one or two clauses with a support of at least .005 and at most .995; where only
    single clauses are used, all of them. Unlike the estimator this keeps antecedents that capture
    the same rows apart, as the paper did.

    Examples
    --------
    >>> a, b = np.array([True, True, False]), np.array([True, False, False])
    >>> antecedents({"a": a, "b": b}, clauses=2)[0]
    ('a', 'b', 'a,b')
    """
    found = features if clauses == 1 else conjunctions(features, least, 1 - least)
    return tuple(found), np.stack(list(found.values()), axis=1).astype(np.uint8)


def run(task: Task) -> Outcome:
    """Search."""
    problem = _core.Problem(task.captures, task.labels, task.weights, 2)
    search = _core.Search(
        problem,
        task.regularization,
        policy=task.setting.policy,
        symmetry=task.setting.symmetry,
        bounds=list(task.setting.bounds),
        beam_width=task.setting.beam_width,
        time_limit=task.time_limit,
        memory_limit=_MEMORY,
        trace_interval=task.trace_interval,
    )
    search.run()
    rules = tuple(
        Rule(frozenset(task.names[index].split(",")), label)
        for index, label in zip(search.prefix, search.labels, strict=True)
    )
    trace = Trace.of(search)
    return Outcome(
        NamedList(rules, search.default_label),
        search.status,
        search.objective / search.scale,
        search.lower_bound / search.scale,
        problem.n_antecedents,
        problem.n_groups,
        trace,
        trace.counters,
    )


def run_all(tasks: Iterable[Task], jobs: int = 1) -> list[Outcome]:
    """Search everything, `jobs` at a time, and return the outcomes in the order of the tasks."""
    todo: Sequence[Task] = list(tasks)
    if jobs == 1 or len(todo) == 1:
        return [run(task) for task in todo]
    outcomes: list[Any] = Parallel(n_jobs=jobs)(delayed(run)(task) for task in todo)
    return list(itertools.chain(outcomes))
