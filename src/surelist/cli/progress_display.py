"""The display of a running search: on a terminal, overwritten as the search proceeds.

It goes to standard error, so that standard output holds only the result. Where standard error is
not a terminal, nothing is shown unless --progress asks for it; then it is printed as lines.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from surelist._common.messages import counted
from surelist._common.rounding import gap_text, rounded_down
from surelist.cli.printing import is_terminal, on_terminal
from surelist.cli.results import bytes_text, seconds_text

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

    from surelist._common.progress import Progress
    from surelist.sources.duckdb.progress import Reading

__all__ = ["Watcher", "watching"]

_LINE_EVERY = 10.0
_MOST_RULES = 12


class Watcher(Protocol):
    """Receives the progress of a command."""

    def stage(self, text: str) -> None:
        """Show what is being done."""

    def reading(self, moment: Reading) -> None:
        """Show the progress of reading rows; `surelist.from_query` calls it."""

    @property
    def progress(self) -> Any:
        """What `RuleListClassifier` takes as ``progress``."""


@contextmanager
def watching(wanted: bool | None) -> Iterator[Watcher]:
    """Show progress while the context lasts.

    Parameters
    ----------
    wanted : bool or None
        None: on a terminal. True: elsewhere, too, as lines.
    """
    if wanted is False or (wanted is None and not is_terminal(sys.stderr)):
        yield _Silent()
    elif not is_terminal(sys.stderr):
        yield _Lines()
    else:
        from rich.live import Live

        # Refreshed in the search's own thread: a second one would compete for the interpreter.
        live = Live(console=on_terminal(sys.stderr), auto_refresh=False, transient=True)
        with live:
            yield _Display(live)


class _Silent:
    progress = False

    def stage(self, text: str) -> None:
        """Say nothing."""

    def reading(self, moment: Reading) -> None:
        """Say nothing."""


class _Lines:
    """A line when a better rule list is found, and every ten seconds."""

    def __init__(self) -> None:
        self._objective = math.inf
        self._next = 0.0
        self._stage = ""
        self._told = -math.inf

    def stage(self, text: str) -> None:
        sys.stderr.write(f"surelist: {text}\n")

    def reading(self, moment: Reading) -> None:
        now = time.monotonic()
        if moment.stage != self._stage or now > self._told + _LINE_EVERY:
            self._stage, self._told = moment.stage, now
            sys.stderr.write(f"surelist: {moment}\n")
            sys.stderr.flush()

    @property
    def progress(self) -> Any:
        return self._show

    def _show(self, moment: Progress) -> None:
        better = moment.stage != "mining" and moment.objective < self._objective
        if better or moment.time >= self._next:
            self._objective = moment.objective if better else self._objective
            self._next = moment.time + _LINE_EVERY
            sys.stderr.write(f"surelist: {moment}\n")
            sys.stderr.flush()


class _Display:
    """A display of several lines that is overwritten."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._speed = _Speed()

    def stage(self, text: str) -> None:
        from rich.text import Text

        self._live.update(Text(f"{text} …", "dim"), refresh=True)

    def reading(self, moment: Reading) -> None:
        from rich.text import Text

        self._live.update(Text(str(moment), no_wrap=True, overflow="ellipsis"), refresh=True)

    @property
    def progress(self) -> Any:
        return self._show

    def _show(self, moment: Progress) -> None:
        if moment.stage == "mining":
            return self.stage(f"mining: {moment.antecedents:,} antecedents")
        speed = self._speed.after(moment)
        width = self._live.console.width
        return self._live.update(picture(moment, speed, width), refresh=True)


class _Speed:
    """Prefixes per second over the last three seconds, so that a slowdown shows."""

    def __init__(self) -> None:
        self._seen: list[tuple[float, int]] = [(0.0, 0)]

    def after(self, moment: Progress) -> float:
        self._seen.append((moment.time, moment.expanded))
        while len(self._seen) > 2 and moment.time - self._seen[1][0] > 3:
            self._seen.pop(0)
        then, expanded = self._seen[0]
        return (moment.expanded - expanded) / max(moment.time - then, 1e-9)


def picture(moment: Progress, speed: float, width: int) -> RenderableType:
    """Draw a moment of a search for a terminal of some width."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    facts = Table.grid(padding=(0, 2, 0, 0))
    facts.add_column(style="dim", no_wrap=True)
    facts.add_column()
    hint = "   Ctrl-C keeps the best list"
    facts.add_row("searching", Text.assemble(seconds_text(moment.time), (hint, "dim")))
    facts.add_row("objective", f"{moment.objective:.6f}")
    facts.add_row("lower bound", rounded_down(moment.lower_bound, ".6f"))
    facts.add_row("gap", _gap_bar(moment, max(8, min(40, width - 39))))
    if moment.proven_length > 0:
        rules = counted(moment.proven_length, "rule")
        facts.add_row("proven", f"no list of up to {rules} is better")
    facts.add_row("prefixes", f"{moment.expanded:,} ({speed:,.0f} a second), {moment.queue:,} open")
    facts.add_row("memory", bytes_text(moment.memory))
    facts.add_row("remaining", _remaining(moment.remaining))
    lines: list[RenderableType] = [Text("best rule list so far", "dim")]
    for number, antecedent in enumerate(moment.prefix[:_MOST_RULES]):
        word = "if" if number == 0 else "else if"
        lines.append(
            Text.assemble((f"  {word} ", "dim"), antecedent, overflow="ellipsis", no_wrap=True)
        )
    if len(moment.prefix) > _MOST_RULES:
        lines.append(Text(f"  … and {len(moment.prefix) - _MOST_RULES} more", "dim"))
    if not moment.prefix:
        lines.append(Text("  no rule: the default label for every row", "dim"))
    return Group(facts, *lines)


def _gap_bar(moment: Progress, width: int) -> RenderableType:
    """Draw the lower bound as part of the objective; the rest of the bar is the gap."""
    from rich.text import Text

    share = moment.lower_bound / moment.objective if moment.objective > 0 else 1.0
    filled = min(width, int(width * share))
    gap = gap_text(moment.objective, moment.lower_bound, ".6f")
    return Text.assemble(
        ("━" * filled, "green"),
        ("━" * (width - filled), "bright_black"),
        f" {gap} ({math.floor(100 * share)}% proven)",
    )


def _remaining(remaining: float) -> str:
    if math.isnan(remaining):
        return "not known"
    return "none" if remaining == -math.inf else f"at most 10^{remaining:.1f} prefixes"
