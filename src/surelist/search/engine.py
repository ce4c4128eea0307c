"""One search of the engine: set up, run, ended, and read off as a rule list."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from surelist import _core
from surelist.errors import InputError, SurelistError
from surelist.problem.antecedents import find_prefix
from surelist.problem.constraints import Constraints
from surelist.problem.parameters import Parameters
from surelist.problem.training_data import TrainingData
from surelist.rule_list.rule_list import Antecedent, Rule, RuleList
from surelist.tables.regularization import text

__all__ = [
    "Best",
    "conclude",
    "initial_prefix",
    "new_search",
    "rule_list_of",
    "run",
    "search_options",
]


def initial_prefix(
    initial: Any, antecedents: tuple[Antecedent, ...], max_length: int | None
) -> list[int] | None:
    """Find the rule list to start from among the antecedents."""
    prefix = find_prefix(initial, antecedents)
    if prefix is not None and max_length is not None and len(prefix) > max_length:
        raise InputError(f"initial_rule_list has length {len(prefix)}; max_length is {max_length}")
    return prefix


def new_search(
    problem: _core.Problem,
    parameters: Parameters,
    prefix: list[int] | None,
    constraints: Constraints | None = None,
    closed_log: str | None = None,
) -> _core.Search:
    """Set up the search; nothing runs yet. It may log the prefixes that it closes to a file."""
    options = search_options(problem, parameters, constraints)
    return _core.Search(problem, initial_rule_list=prefix, closed_log=closed_log, **options)


def search_options(
    problem: _core.Problem, parameters: Parameters, constraints: Constraints | None = None
) -> dict[str, Any]:
    """Return the engine's options, as plain values."""
    given: dict[str, Any] = {}
    if constraints is not None:
        given = {
            "surcharges": constraints.surcharges(
                parameters.prices, parameters.regularization, problem.total_weight
            ),
            "rule_label": constraints.rule_label,
            "first": constraints.first,
            "required": constraints.required,
            "forbidden": constraints.forbidden,
        }
    return {
        "regularization": text(parameters.regularization * parameters.prices.least),
        "policy": parameters.policy,
        "symmetry": parameters.symmetry,
        "bounds": parameters.bounds,
        "max_length": parameters.max_length,
        "work_limit": parameters.work_limit,
        "by_length": parameters.by_length,
        "time_limit": parameters.time_limit,
        "memory_limit": parameters.memory_limit,
        "max_prefixes": parameters.max_prefixes,
        "n_jobs": parameters.n_jobs,
        "trace_interval": parameters.trace_interval,
        "random_state": parameters.random_state,
        **given,
    }


def run(
    search: _core.Search,
    report: Callable[[dict[str, Any]], None] | None,
    pause_seconds: float | None = None,
    pause_work: int | None = None,
) -> bool:
    """Run the search to its end, a limit, a pause, or Ctrl-C, which leaves it in order.

    Ctrl-C may strike while a progress function runs; a progress function may also raise
    KeyboardInterrupt itself, to have seen enough. Its other errors come out of here.

    Returns
    -------
    bool
        Whether Ctrl-C struck, also if the search had just ended: what comes next should know.
    """
    try:
        search.run(report, pause_seconds, None, pause_work)
    except KeyboardInterrupt:
        if search.status == "running":
            raise
        return True
    return False


def conclude(search: _core.Search, interrupted: bool = False) -> None:
    """Let a paused search set its final status: a limit that has passed, or "interrupted"."""

    def stop(_: dict[str, Any]) -> None:
        raise KeyboardInterrupt

    run(search, stop if interrupted else None)


class Best(Protocol):
    """The best list of a search: antecedents by their places, labels by the places of classes."""

    @property
    def prefix(self) -> list[int]:
        """The antecedents."""

    @property
    def labels(self) -> list[int]:
        """The label of each."""

    @property
    def default_label(self) -> int:
        """The label of what they leave."""

    @property
    def objective(self) -> int:
        """In units of 1 / ``scale``."""

    @property
    def scale(self) -> int:
        """Objective 1 in these units."""


def rule_list_of(
    search: Best,
    antecedents: tuple[Antecedent, ...],
    data: TrainingData,
    parameters: Parameters,
    costs: tuple[Fraction, ...] | None = None,
) -> RuleList:
    """Build the rule list that the search found, counting on the rows instead of its groups.

    ``costs`` are those of the antecedents, in multiples of λ; None is 1 each.
    """
    prefix = [antecedents[index] for index in search.prefix]
    classes = tuple(data.classes.tolist())
    captured_by = np.full(len(data.matrix), len(prefix), dtype=np.intp)
    for index in reversed(range(len(prefix))):
        captured_by[prefix[index].captures(data.matrix)] = index
    weights = np.zeros((len(prefix) + 1, len(classes)), dtype=np.int64)
    np.add.at(weights, (captured_by, data.codes), data.weights)
    price = [Fraction(1) if costs is None else costs[index] for index in search.prefix]
    rules = tuple(
        Rule(antecedent, classes[code], int(row[code]), tuple(row.tolist()), cost)
        for antecedent, code, row, cost in zip(
            (*prefix, None),
            (*search.labels, search.default_label),
            weights,
            (*price, Fraction(1)),
            strict=True,
        )
    )
    rule_list = RuleList(
        rules[:-1],
        rules[-1],
        classes,
        data.names,
        parameters.regularization,
        data.columns,
        parameters.prices.matrix_for(classes),
    )
    if rule_list.objective != Fraction(search.objective, search.scale):
        raise SurelistError(
            f"the search reports the objective {Fraction(search.objective, search.scale)}, but its "
            f"rule list has {rule_list.objective} on the data: please report this as a defect"
        )
    return rule_list
