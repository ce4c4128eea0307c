"""Warm start: the best list over single clauses, for a search over longer antecedents.

With thousands of antecedents of two clauses, a search that is stopped by a limit may miss a list
that a search over single clauses proves optimal in a moment. So a search that takes longer than
`_FROM` is paused; lists over single clauses are searched with a small part of the work; and the
search continues with the best of them as its incumbent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from surelist import _core
from surelist._common.limits import WORK_SECOND, Work
from surelist.problem.parameters import Parameters
from surelist.problem.prepare import Prepared
from surelist.search.engine import conclude, run, search_options

__all__ = ["SingleClauses"]

Report = Callable[[dict[str, Any]], None]

_FROM = WORK_SECOND * 3 // 10  # of work, after which a search counts as long
_WORK = 2 * WORK_SECOND
_SHARE = 0.05  # of all work, or of the time that is left
_FEWEST = 200  # antecedents; with fewer it does not pay


class SingleClauses:
    """A search over lists of single clauses, run while the main search is paused.

    Parameters
    ----------
    options : dict
        The engine's, for that search.
    most : int
        Its limit of work.
    work : Work
        The account that its work is charged to.
    """

    def __init__(self, options: dict[str, Any], most: int, work: Work) -> None:
        self._options = options
        self._most = most
        self._work = work
        self.interrupted = False

    @classmethod
    def of(cls, prepared: Prepared, parameters: Parameters, work: Work) -> SingleClauses | None:
        """Return one where it may help, and reserve its work; else None."""
        antecedents, constraints = prepared.antecedents, prepared.constraints
        if not parameters.by_length or prepared.data.own_only or len(antecedents) < _FEWEST:
            return None
        demanded = {*constraints.first, *constraints.required}
        longer = {at for at, each in enumerate(antecedents) if len(each.clauses) > 1} - demanded
        forbidden = longer.union(constraints.forbidden)
        if not longer or len(forbidden | demanded) == len(antecedents):
            return None
        left = work.left()
        most = _WORK if left is None else max(1, min(_WORK, int(_SHARE * left)))
        options = search_options(
            prepared.problem,
            replace(parameters, time_limit=None, work_limit=most, trace_interval=None),
            replace(constraints, forbidden=tuple(sorted(forbidden))),
        )
        work.spend(most)
        return cls(options, most, work)

    def help(self, search: _core.Search, prepared: Prepared, report: Report | None) -> bool:
        """Run the main search up to `_FROM`, then this one; return whether the main one goes on."""
        worked = search.counters["work"]
        if worked < _FROM:
            seconds = prepared.deadline.for_search(0.5)
            self.interrupted = run(search, report, seconds, _FROM - worked)
        used = 0
        if search.status == "paused" and worked < _FROM:
            limit = prepared.deadline.for_search(_SHARE)
            single = _core.Search(prepared.problem, **self._options | {"time_limit": limit})
            paused_at = prepared.deadline.clock()
            run(single, None)
            passed = prepared.deadline.clock() - paused_at
            search.pass_time(search.counters["time"] + passed)
            used = min(single.counters["work"], self._most)
            search.offer(single.prefix)
            if single.status == "interrupted":
                conclude(search, interrupted=True)
        self._work.spend(used - self._most)
        return worked >= _FROM or search.status == "paused"
