"""A set of near-optimal rule lists that are counted and made when asked for, and not kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

import numpy as np

from surelist import _core
from surelist._common.messages import counted
from surelist._common.rounding import rounded_down
from surelist.estimators.near_optimal.found import FoundLists
from surelist.estimators.near_optimal.goal import read_count, read_seed
from surelist.estimators.near_optimal.points import Points
from surelist.estimators.near_optimal.result import RuleLists
from surelist.estimators.near_optimal.source import Source
from surelist.rule_list.rule_list import RuleList

__all__ = ["CountedRuleLists"]

_AT_ONCE = 4096  # lists made in one batch
_FEW = 20  # up to this many times the sample size, make all lists and choose from them

_Read = tuple[list[tuple[int, int]], int, int, int]


@dataclass(frozen=True, eq=False)
class CountedRuleLists:
    """Every rule list up to an objective, counted by `count_near_optimal`.

    Iterate to get the lists one after the other; nothing is kept. They come by antecedents, not by
    objective, each entry once (see `RuleLists` for what one entry is).

    Attributes
    ----------
    count : int
        How many lists there are, exactly, with every order of rules counted by itself: the sum of
        ``RuleLists.orders``. `count_entries` and `estimate_entries` are about entries.
    optimum : Fraction or None
        The least objective of all lists, where it is proven.
    threshold : Fraction or None
        The objective up to which lists were asked for.
    complete_up_to : Fraction or None
        Every list with at most this objective is counted. None where no round was complete.
    status : str
        "complete", or what ended the search before the threshold.
    time, work : float, int
        Seconds, and work as counted, of everything.
    n_states : int
        What is kept: states of the graph in which lists are paths.
    """

    count: int
    optimum: Fraction | None
    threshold: Fraction | None
    complete_up_to: Fraction | None
    status: str
    time: float
    work: int
    n_states: int
    _counter: _core.ListCounter = field(repr=False)
    _source: Source = field(repr=False)

    @property
    def complete(self) -> bool:
        """Whether every list that was asked for is counted."""
        return self.status == "complete"

    def __iter__(self) -> Iterator[RuleList]:
        for some in self._batches():
            found = self._found(some)
            yield from (self._source.rule_list(found, index) for index in range(len(found)))

    def count_entries(self, seconds: float | None = None) -> int | None:
        """Count the entries: lists that differ only in an order that changes nothing are one.

        This goes through all orders once, without keeping them: some seconds for a million.
        Returns None if ``seconds`` pass before. Lists of more than 16 rules are refused.
        """
        if self.complete_up_to is None:
            return 0
        return self._counter.count_entries(seconds)

    def estimate_entries(
        self, n: int = 10_000, random_state: int | None = None
    ) -> tuple[int, float]:
        """Estimate the number of entries by a sample of orders; return it and its standard error.

        Each order stands for one over the number of orders of its entry, so the mean of that over
        orders, times their number, is without bias.
        """
        random, n = Random(read_seed(random_state)), read_count("n", n)
        if self.count == 0:
            return 0, 0
        shares = [1 / self._read(random.randrange(self.count))[3] for _ in range(n)]
        mean = sum(shares) / n
        spread = sum((share - mean) ** 2 for share in shares) / max(1, n - 1)
        return round(mean * self.count), sqrt(spread / n) * self.count

    def sample(self, n: int, random_state: int | None = None) -> RuleLists:
        """Draw entries at random, each with the same chance, without replacement.

        Orders are drawn by their numbers, and one is taken if it is the first order of its entry.
        The result is a `RuleLists` whose ``status`` is "sample": its shares and ranges are those of
        the sample, and what is in it is not complete.

        Parameters
        ----------
        n : int
            How many; all of them where there are fewer.
        random_state : int, optional
            The same number draws the same lists.
        """
        random, n = Random(read_seed(random_state)), read_count("n", n)
        if self.count <= _FEW * n:
            every = [each for some in self._batches() for each in some]
            drawn = random.sample(every, min(n, len(every)))
        else:
            drawn = self._drawn(n, random)
        return self._as_set(drawn)

    def _drawn(self, n: int, random: Random) -> list[_Read]:
        seen: set[int] = set()
        drawn: list[_Read] = []
        while len(drawn) < n and len(seen) < self.count:
            number = random.randrange(self.count)
            if number in seen:
                continue
            seen.add(number)
            drawn += self._counter.read(str(number), 1, True)
        return drawn

    def _read(self, number: int) -> _Read:
        return self._counter.read(str(number), 1, False)[0]

    def _batches(self) -> Iterator[list[_Read]]:
        for begin in range(0, self.count, _AT_ONCE):
            yield self._counter.read(str(begin), min(_AT_ONCE, self.count - begin), True)

    def _found(self, lists: list[_Read]) -> FoundLists:
        """Return lists as arrays, by objective, length and antecedents."""
        source = self._source
        price = source.parameters.regularization * source.parameters.prices.least
        total = source.prepared.problem.total_weight

        def place(each: _Read) -> tuple[Any, ...]:
            return Fraction(each[2], total) + price * len(each[0]), len(each[0]), each[0]

        lists = sorted(lists, key=place)
        width = max((len(rules) for rules, *_ in lists), default=0)
        prefixes = np.full((len(lists), width), -1, np.int32)
        labels = np.zeros((len(lists), width + 1), np.uint16)
        for row, (rules, default, *_) in enumerate(lists):
            labels[row] = default
            for column, (antecedent, label) in enumerate(rules):
                prefixes[row, column], labels[row, column] = antecedent, label
        losses = np.array([loss for _, _, loss, _ in lists], np.int64)
        orders = np.array([n_orders for *_, n_orders in lists], np.int64)
        alike = np.arange(len(lists), dtype=np.int64)
        return FoundLists(prefixes, labels, losses, orders, alike, price, total)

    def _as_set(self, lists: list[_Read]) -> RuleLists:
        found = self._found(lists)
        numbered = _numbered(self._source, found)
        return RuleLists(
            found=numbered,
            distinct="text",
            optimum=self.optimum,
            threshold=self.threshold,
            complete_up_to=None,
            status="sample",
            n_orders=int(numbered.orders.sum()),
            n_predictions=len(np.unique(numbered.alike)),
            n_alike=None,
            time=self.time,
            work=self.work,
            certificate=None,
            _every=numbered,
            _source=self._source,
        )

    def __str__(self) -> str:
        text = f"{counted(self.count, 'rule list')}, every order of rules counted"
        if self.complete_up_to is None:
            return f"{text}; nothing is complete ({self.status})"
        note = "" if self.complete else f" ({self.status})"
        return f"{text}; complete up to {rounded_down(self.complete_up_to)}{note}"


def _numbered(source: Source, found: FoundLists) -> FoundLists:
    """Give lists with the same predictions of the training rows the same number."""
    if len(found) == 0:
        return found
    points = Points(source, found)
    rows = np.concatenate(list(points.predictions(np.arange(len(found)))))
    _, first, back = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return FoundLists(
        found.prefixes,
        found.labels,
        found.losses,
        found.orders,
        first[back.ravel()].astype(np.int64),
        found.price,
        found.total,
    )
