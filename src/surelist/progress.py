"""Showing how a search gets on: one line in a terminal, or calls to a function."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TextIO

from surelist.rule_list import Antecedent

__all__ = ["Line", "Progress", "reporting"]

Report = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Progress:
    """A moment of a running search.

    Attributes
    ----------
    time : float
        Seconds since the search began.
    objective, lower_bound : float
        Of the best rule list so far, and of the best there may be.
    expanded, queue : int
        Prefixes whose children were looked at, and prefixes that wait.
    memory : int
        Bytes that the search holds.
    prefix : tuple of str
        The antecedents of the best rule list so far.
    remaining : float
        log10 of how many prefixes remain to be evaluated, at most; -inf where none does.
    labels : tuple of int
        For each antecedent of ``prefix``, and at last for the default, which class it predicts.
    queue_by_length : tuple of int
        How many prefixes of each length wait.
    pruned : dict of str to int
        How many prefixes each bound, and the symmetry map, have cut off so far.

    Examples
    --------
    >>> from surelist.progress import Progress
    >>> print(Progress(2.5, 0.348, 0.301, 61_000, 1_200, 52_000_000, ("(priors > 3)",)))
    2.5 s  objective 0.3480  lower bound 0.3010  gap 0.0470  61,000 prefixes  52 MB
    """

    time: float
    objective: float
    lower_bound: float
    expanded: int
    queue: int
    memory: int
    prefix: tuple[str, ...]
    remaining: float = math.nan
    labels: tuple[int, ...] = ()
    queue_by_length: tuple[int, ...] = ()
    pruned: Mapping[str, int] = field(default_factory=dict)

    @property
    def gap(self) -> float:
        """How much lower the optimal objective may still be."""
        return self.objective - self.lower_bound

    def __str__(self) -> str:
        return (
            f"{self.time:.1f} s  objective {self.objective:.4f}  "
            f"lower bound {self.lower_bound:.4f}  gap {self.gap:.4f}  "
            f"{self.expanded:,} prefixes  {self.memory / 1e6:,.0f} MB"
        )


@contextmanager
def reporting(
    progress: bool | Callable[[Progress], object], antecedents: Sequence[Antecedent]
) -> Iterator[Report | None]:
    """Give the function that the search is to call, if any, and tidy the terminal up after it."""
    if callable(progress):
        listener = progress
        yield lambda event: _ignore(listener(_read(event, antecedents)))
    elif progress and sys.stderr is not None and sys.stderr.isatty():
        line = Line(sys.stderr)
        try:
            yield lambda event: line.show(str(_read(event, antecedents)))
        finally:
            line.end()
    else:
        yield None


def _ignore(_: object) -> None:
    """Whatever a listener returns is not the search's concern."""


def _read(event: Mapping[str, Any], antecedents: Sequence[Antecedent]) -> Progress:
    return Progress(
        time=event["time"],
        objective=event["objective"],
        lower_bound=event["lower_bound"],
        expanded=event["expanded"],
        queue=event["queue"],
        memory=event["memory"],
        prefix=tuple(str(antecedents[index]) for index in event["prefix"]),
        remaining=event["remaining"],
        labels=(*event["labels"], event["default_label"]),
        queue_by_length=tuple(event["queue_by_length"]),
        pruned=event["pruned"],
    )


class Line:
    """One line of a terminal that is written over and over."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._width = 0

    def show(self, text: str) -> None:
        """Write a text in place of the one before."""
        # A line that wraps could not be written over.
        text = text[: shutil.get_terminal_size().columns - 1]
        self._stream.write("\r" + text.ljust(self._width))
        self._stream.flush()
        self._width = len(text)

    def clear(self) -> None:
        """Leave the line empty."""
        if self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()
            self._width = 0

    def end(self) -> None:
        """Leave the last text where it is."""
        if self._width:
            self._stream.write("\n")
            self._stream.flush()
