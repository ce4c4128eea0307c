"""Progress of reading rows: a line in a terminal, or calls to a function."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from surelist._common.progress import Line
from surelist.sources.duckdb.database import Database

__all__ = ["Meter", "Reading"]

_BAR = 24


@dataclass(frozen=True)
class Reading:
    """Progress of reading rows at one moment.

    Attributes
    ----------
    stage : str
        The current step.
    done, total : int
        Passes over the rows that are done, and their total number.
    share : float
        Progress of the current pass, from 0 to 1.
    n_rows : int or None
        Rows per pass, if known.

    Examples
    --------
    >>> from surelist.query import Reading
    >>> print(Reading("counting the values of 'age'", 3, 12, 0.5, 1_000_000))
    [#######.................] 29%  counting the values of 'age': 500,000 of 1,000,000 rows
    """

    stage: str
    done: int
    total: int
    share: float
    n_rows: int | None = None

    @property
    def fraction(self) -> float:
        """Progress of all passes together, from 0 to 1."""
        return min(1.0, (self.done + self.share) / max(1, self.total))

    def __str__(self) -> str:
        full = int(_BAR * self.fraction)
        text = f"[{'#' * full}{'.' * (_BAR - full)}] {self.fraction:.0%}  {self.stage}"
        if self.n_rows is not None:
            text += f": {int(self.share * self.n_rows):,} of {self.n_rows:,} rows"
        return text


class Meter:
    """Tells a listener about each pass over the rows.

    Parameters
    ----------
    progress : bool or callable
        As for `surelist.from_query`.
    database : Database
        Whose queries are watched.
    """

    def __init__(self, progress: bool | Callable[[Reading], object], database: Database) -> None:
        self._progress = progress
        self._database = database
        self.done = 0
        self.total = 1
        self.n_rows: int | None = None
        self.tell: Callable[[float], object] = _ignore

    def watch(self, progress: bool | Callable[[Reading], object]) -> None:
        """Tell another listener from now on."""
        self._progress = progress

    @contextmanager
    def step(self, stage: str) -> Iterator[None]:
        """Report what runs in the context as one pass."""
        show, end = self._display()
        self.total = max(self.total, self.done + 1)

        furthest = 0.0

        def tell(share: float) -> None:
            nonlocal furthest
            # A step may take several queries; the bar must not go back.
            furthest = max(furthest, share)
            show(Reading(stage, self.done, self.total, furthest, self.n_rows))

        if show is not _nothing:
            tell(0.0)
            self._database.listener = self.tell = tell
        try:
            yield
        finally:
            self._database.listener, self.tell = None, _ignore
            end()
        self.done += 1

    def _display(self) -> tuple[Callable[[Reading], Any], Callable[[], None]]:
        if callable(self._progress):
            return self._progress, lambda: None
        if self._progress and sys.stderr is not None and sys.stderr.isatty():
            line = Line(sys.stderr)
            return (lambda reading: line.show(str(reading))), line.clear
        return _nothing, lambda: None


def _ignore(_: float) -> None:
    """Report to nobody."""


def _nothing(_: Reading) -> None:
    """Show nothing."""
