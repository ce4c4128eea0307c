"""Progress of a search: a line in a terminal, a bar in a notebook, or calls to a function."""

from __future__ import annotations

import math
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from surelist._common.messages import counted
from surelist._common.rounding import gap_text, rounded_down

if TYPE_CHECKING:
    from surelist.rule_list.rules import Antecedent

__all__ = ["Line", "Mining", "Progress", "reporting", "reporting_mining", "spaced"]

Report = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Progress:
    """The state of a running search at one moment, or of mining before it, where that takes long.

    Attributes
    ----------
    time : float
        Seconds since mining began.
    objective, lower_bound : float
        The objective of the best rule list so far, and the proven lower bound of the optimum.
    expanded, queue : int
        Prefixes that were expanded, and prefixes in the queue.
    memory : int
        Bytes that the search holds.
    prefix : tuple of str
        The antecedents of the best rule list so far.
    remaining : float
        log10 of how many prefixes remain to be evaluated, at most; -inf where none does.
    proven_length : int
        No list of up to so many rules is better than the best one so far.
    labels : tuple of int
        For each antecedent of ``prefix``, and at last for the default, which class it predicts.
    queue_by_length : tuple of int
        How many prefixes of each length are in the queue.
    pruned : dict of str to int
        How many prefixes each bound, and the symmetry map, have cut off so far.
    stage : str
        "searching", or "mining": then there is no rule list yet but the one without rules.
    antecedents : int
        How many are mined so far. Only while mining.

    Examples
    --------
    >>> from surelist.progress import Progress
    >>> print(Progress(2.5, 0.348, 0.301, 61_000, 1_200, 52_000_000, ("(priors > 3)",)))
    2.5 s  objective 0.3480  lower bound 0.3010  gap 0.0470  61,000 prefixes  52 MB
    >>> print(Progress(9.0, 0.348, 0.301, 61, 12, 5_000_000, (), proven_length=4))
    9.0 s  objective 0.3480  lower bound 0.3010  no better list of up to 4 rules  61 prefixes  5 MB
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
    stage: str = "searching"
    antecedents: int = 0
    proven_length: int = 0

    @property
    def gap(self) -> float:
        """How much lower the optimal objective may be, at most."""
        return self.objective - self.lower_bound

    def __str__(self) -> str:
        if self.stage == "mining":
            return f"{self.time:.1f} s  mining: {self.antecedents:,} antecedents"
        # The most important comes first: terminals cut long lines.
        proven = f"gap {gap_text(self.objective, self.lower_bound, '.4f')}"
        if self.proven_length > 0:
            proven = f"no better list of up to {counted(self.proven_length, 'rule')}"
        return (
            f"{self.time:.1f} s  objective {self.objective:.4f}  "
            f"lower bound {rounded_down(self.lower_bound, '.4f')}  {proven}  "
            f"{self.expanded:,} prefixes  {self.memory / 1e6:,.0f} MB"
        )


@dataclass(frozen=True)
class Mining:
    """What is known while antecedents are mined: the rule list without rules.

    Attributes
    ----------
    objective : float
        Of that list.
    label : int
        Which class it predicts.
    """

    objective: float
    label: int

    def moment(self, seconds: float, antecedents: int) -> Progress:
        """Return the progress after some time."""
        return Progress(
            *(seconds, self.objective, 0.0, 0, 0, 0, ()),
            labels=(self.label,),
            stage="mining",
            antecedents=antecedents,
        )


_MINING_EVERY = 0.1  # seconds between two reports; mining that is over before is not reported
_SEARCH_EVERY = 0.1  # as in the engine


_AFTER = 2.0  # seconds: with progress="auto", shorter searches show nothing


class Display(Protocol):
    """Shows texts one after the other, each in place of the one before."""

    def show(self, text: str) -> None:
        """Show a text."""

    def clear(self) -> None:
        """Remove the text."""

    def end(self) -> None:
        """Leave the last text where it is."""


def _display(progress: str | bool) -> Display | None:
    """Return what to show progress on; None where nothing is shown.

    A terminal, or with "auto" a notebook.
    """
    if progress == "auto" and (show := _notebook()) is not None:
        return Bar(show)
    if progress and sys.stderr is not None and sys.stderr.isatty():
        return Line(sys.stderr)
    return None


def _notebook() -> Callable[..., Any] | None:
    """Return IPython's function ``display``, where this is a notebook."""
    shell = sys.modules.get("IPython")  # a notebook has it loaded
    running = None if shell is None else shell.get_ipython()
    if running is None or not hasattr(running, "kernel"):
        return None
    from IPython.display import display

    return display


Wanted = str | bool | Callable[[Progress], object]


@contextmanager
def reporting_mining(
    progress: Wanted, known: Mining
) -> Iterator[Callable[[int, int], None] | None]:
    """Give the function that mining calls to report, or None; clear the display at the end."""
    line: Display | None = None
    if callable(progress):
        show: Callable[[Progress], object] = progress
    elif (line := _display(progress)) is not None:
        show = _show_after(line, _AFTER if progress == "auto" else 0.0)
    else:
        yield None
        return
    began = last = time.monotonic()

    def report(_: int, antecedents: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now >= last + _MINING_EVERY:
            last = now
            show(known.moment(now - began, antecedents))

    try:
        yield report
    finally:
        if line is not None:
            line.clear()


@contextmanager
def reporting(progress: Wanted, antecedents: Sequence[Antecedent]) -> Iterator[Report | None]:
    """Give the function that the search calls to report, or None; tidy the display at the end."""
    if callable(progress):
        listener = progress
        yield lambda event: _ignore(listener(_read(event, antecedents)))
    elif (line := _display(progress)) is not None:
        show = _show_after(line, _AFTER if progress == "auto" else 0.0)
        try:
            yield lambda event: show(_read(event, antecedents))
        finally:
            if progress == "auto":
                line.clear()
            else:
                line.end()
    else:
        yield None


def spaced(report: Report) -> Report:
    """Return what leaves out each report that comes too soon after the one before."""
    due = -math.inf

    def report_spaced(event: dict[str, Any]) -> None:
        nonlocal due
        if event["time"] >= due:
            due = event["time"] + _SEARCH_EVERY
            report(event)

    return report_spaced


def _show_after(line: Display, seconds: float) -> Callable[[Progress], None]:
    def show(moment: Progress) -> None:
        if moment.time >= seconds:
            line.show(str(moment))

    return show


def _ignore(_: object) -> None:
    """Drop what a listener returns: the engine expects nothing."""


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
        proven_length=event["proven_length"],
    )


class Bar:
    """A text in a notebook that is replaced over and over.

    Parameters
    ----------
    display : callable
        IPython's.
    """

    def __init__(self, display: Callable[..., Any]) -> None:
        self._display = display
        self._handle: Any = None

    def show(self, text: str) -> None:
        """Show a text in place of the one before."""
        from html import escape  # for notebooks only

        self._put({"text/plain": text, "text/html": f"<progress></progress> {escape(text)}"})

    def clear(self) -> None:
        """Leave the place empty."""
        if self._handle is not None:
            self._put({"text/plain": "", "text/html": ""})

    def end(self) -> None:
        """Leave the last text where it is."""

    def _put(self, content: dict[str, str]) -> None:
        if self._handle is None:
            self._handle = self._display(content, raw=True, display_id=True)
        else:
            self._handle.update(content, raw=True)


class Line:
    """One line of a terminal that is written over and over."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._width = 0

    def show(self, text: str) -> None:
        """Write a text in place of the one before."""
        # A line that wraps cannot be overwritten.
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
