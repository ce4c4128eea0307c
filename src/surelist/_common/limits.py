"""Limits of time and work for a whole task, from the first row read to the result.

The parts of a task share one limit: reading, mining, search and files in a fit, all searches in a
path or a cross-validation. Each part asks what is left before it begins. Work is counted from the
sizes of the data that are looked at, so that the same data gives the same result on every machine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

__all__ = ["WORK_SECOND", "Deadline", "Pace", "Work", "counting_from"]

WORK_SECOND = 10**9  # the engine's units of work in about a second of one core

Clock = Callable[[], float]

_begun: ContextVar[float | None] = ContextVar("begun", default=None)

# Share of the work left that mining may use.
_MINING = 0.3
# Share of the time left that mining may use. Making a problem of the antecedents takes two or three
# times as long again; writing them to a certificate or a checkpoint, as long as that.
_MINING_TIME, _MINING_TIME_WITH_FILES = 0.15, 0.06
# Seconds: shorter mining is never cut short.
_SHORT_MINING = 0.05
# Share of the whole limit that a search always gets, so that it finds a list even if late.
_LEAST_SEARCH = 0.02
# Share of the time that writing checkpoints may take.
_SAVING = 0.1


@contextmanager
def counting_from(moment: float | None) -> Iterator[None]:
    """Let time limits that begin in this context count from an earlier moment.

    So reading the rows counts, too. ``moment`` is by ``time.monotonic``; None changes nothing.
    """
    token = _begun.set(moment)
    try:
        yield
    finally:
        _begun.reset(token)


@dataclass(frozen=True)
class Deadline:
    """A time limit, and when it began.

    Parameters
    ----------
    limit : float or None
        Seconds; None is no limit.
    began : float
        By the clock.
    clock : callable
        Returns seconds.

    Examples
    --------
    >>> from surelist._common.limits import Deadline
    >>> deadline = Deadline(10.0, began=100.0, clock=lambda: 104.0)
    >>> deadline.elapsed(), deadline.left()
    (4.0, 6.0)
    """

    limit: float | None
    began: float
    clock: Clock = field(default=time.monotonic, repr=False)

    @classmethod
    def start(cls, limit: float | None, clock: Clock = time.monotonic) -> Deadline:
        """Begin now, or at the moment that `counting_from` set."""
        begun = _begun.get()
        return cls.now(limit, clock) if begun is None else cls(limit, begun, clock)

    @classmethod
    def now(cls, limit: float | None, clock: Clock = time.monotonic) -> Deadline:
        """Begin now, whatever `counting_from` set: for a part of a larger task."""
        return cls(limit, clock(), clock)

    def elapsed(self) -> float:
        """Return the seconds that have passed."""
        return self.clock() - self.began

    def left(self) -> float | None:
        """Return the seconds until the limit, never less than 0; None where there is no limit."""
        return None if self.limit is None else max(0.0, self.limit - self.elapsed())

    def passed(self) -> bool:
        """Whether the limit is reached."""
        return self.left() == 0

    def for_mining(self, with_files: bool = False) -> float | None:
        """Return the seconds for mining; fewer where antecedents are also written to files."""
        left = self.left()
        share = _MINING_TIME_WITH_FILES if with_files else _MINING_TIME
        return None if left is None else max(share * left, _SHORT_MINING)

    def for_search(self, share: float = 1.0, *, after: float = 0.0) -> float | None:
        """Return the seconds for a search: a share of what is left, and enough to find something.

        ``after`` is how many seconds are needed after the search.

        Examples
        --------
        >>> from surelist._common.limits import Deadline
        >>> Deadline(10.0, began=100.0, clock=lambda: 200.0).for_search()
        0.2
        """
        left = self.left()
        if left is None or self.limit is None:
            return None
        return max(share * (left - after), _LEAST_SEARCH * self.limit)


class Work:
    """How much work the parts of a task may do together, and have done.

    Parameters
    ----------
    limit : int or None
        In units of the engine; None is no limit.

    Examples
    --------
    >>> from surelist._common.limits import Work
    >>> work = Work(1000)
    >>> work.spend(400)
    >>> work.left(), work.for_search(0.5), work.passed()
    (600, 300, False)
    """

    def __init__(self, limit: int | None) -> None:
        self.limit = limit
        self.done = 0

    def spend(self, work: float) -> None:
        """Add the work that a part has done."""
        self.done += int(work)

    def left(self) -> int | None:
        """Return what is left, never less than 0; None where there is no limit."""
        return None if self.limit is None else max(0, self.limit - self.done)

    def passed(self) -> bool:
        """Whether the limit is reached."""
        return self.left() == 0

    def for_mining(self) -> int | None:
        """Return how much work mining may do."""
        left = self.left()
        return None if left is None else int(_MINING * left)

    def for_search(self, share: float = 1.0) -> int | None:
        """Return what a search may do: a share of what is left, and enough to find something."""
        left = self.left()
        if left is None or self.limit is None:
            return None
        return max(1, int(share * left), int(_LEAST_SEARCH * self.limit))


class Pace:
    """When to write the next checkpoint: after an interval, and for at most a tenth of the time.

    Parameters
    ----------
    interval : float or None
        Seconds between two checkpoints; None is never.
    clock : callable
        Returns seconds.

    Examples
    --------
    >>> from surelist._common.limits import Pace
    >>> now = 0.0
    >>> pace = Pace(2.0, lambda: now)
    >>> now = 3.0
    >>> pace.is_due()
    True
    >>> pace.spent(5.0)  # the next one waits until this is a tenth of the time
    >>> pace.until_due()
    45.0
    """

    def __init__(self, interval: float | None, clock: Clock = time.monotonic) -> None:
        self._interval = math.inf if interval is None else interval
        self._clock = clock
        self._due = clock() + self._interval

    def until_due(self) -> float:
        """Return the seconds until the next checkpoint."""
        return max(0.0, self._due - self._clock())

    def is_due(self) -> bool:
        """Whether a checkpoint is to be written now."""
        return self._clock() >= self._due

    def spent(self, seconds: float) -> None:
        """Tell how many seconds it took to write a checkpoint just now."""
        self._due = self._clock() + max(self._interval, seconds * (1 / _SAVING - 1))
