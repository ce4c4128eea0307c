"""The optimum of a small problem by brute force, and a check that a search reports it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import oracle
from strategies import Case

from surelist import _core

BOUNDS = _core.bound_names()


BOUND_SETS = [BOUNDS, [], *([name for name in BOUNDS if name != off] for off in BOUNDS)]


class Expected:
    """The optimum of a case, and a check that a search reports it."""

    def __init__(self, case: Case, max_length: int | None = None) -> None:
        self.case = case
        self.max_length = max_length
        self.problem = case.problem()
        self.optimum = oracle.optimum(case.data, case.penalty, max_length)
        self._recomputed: dict[tuple[tuple[int, ...], tuple[int, ...], int], Fraction] = {}

    def check(self, **options: Any) -> None:
        """Search with these options; say which they were if the outcome is wrong."""
        search = _core.Search(
            self.problem, self.case.regularization, max_length=self.max_length, **options
        )
        status = search.run()
        found = Fraction(search.objective, search.scale)
        assert (status, found) == ("optimal", self.optimum), (options, search.prefix)
        assert search.lower_bound == search.objective, options
        assert self.recomputed(search) == found, (options, search.prefix)

    def recomputed(self, search: _core.Search) -> Fraction:
        """The objective of the list that was returned, from the rows."""
        prefix, labels, default = search.prefix, search.labels, search.default_label
        key = (tuple(prefix), tuple(labels), default)
        if key not in self._recomputed:
            assert self.max_length is None or len(prefix) <= self.max_length, prefix
            self._recomputed[key] = oracle.objective(
                self.case.data, self.case.penalty, prefix, labels, default
            )
        return self._recomputed[key]
