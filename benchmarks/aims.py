"""The targets for the engine, and whether a run reached them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from benchmarks.numbers import number
from benchmarks.results import SLOW, Results, Spread, ratio
from benchmarks.tables import (
    NOT_MEASURED,
    NOTHING,
    against_original,
    median,
    table,
    times,
)
from benchmarks.threads import gain, seconds

__all__ = ["Aim", "aims", "all_aims"]

_GIB4 = 4 * 1024**3
# Two measurements of the same search differ by this much on a shared machine.
_UNCHANGED = 1.3


class Aim(NamedTuple):
    """A target, what was reached, and whether that is enough; None if it was not measured."""

    text: str
    reached: str
    met: bool | None


def _at_least(text: str, found: Spread | None, least: float) -> Aim:
    return Aim(text, times(found), None if found is None else found.median >= least)


def _at_most(text: str, found: Spread | None, most: float) -> Aim:
    return Aim(text, times(found), None if found is None else found.median <= most)


def _certified(results: Results, case: str, title: str, minutes: float) -> Aim:
    text = f"{title}: certified within {minutes:g} minute{'s' * (minutes > 1)} and 4 GB"
    found = [one for n in results.about["threads"] for one in results.of(case, f"surelist-{n}")]
    if not found:
        return Aim(text, NOTHING, None)
    best = min(found, key=lambda one: (one.status != "optimal", one.seconds or 0.0))
    memory = best.counters.get("max_memory", 0)
    reached = f"{best.status.replace('_', ' ')}, {number(best.seconds or 0)} s, "
    is_met = best.status == "optimal" and (best.seconds or 0) <= 60 * minutes and memory <= _GIB4
    return Aim(text, f"{reached}{number(memory / 1e6)} MB", is_met)


def _against_original(results: Results) -> Iterator[Aim]:
    folds = [case for case in results.problems if case.startswith("compas-a/")]
    targets = [
        ("COMPAS A", folds, {1: 500.0, 2: 1000.0}),
        ("COMPAS, M = 155, λ = .005", ["compas/0.005"], {1: 500.0}),
        ("NYCLU, λ = .01", ["nyclu-0/0.01"], {1: 100.0, 2: 200.0}),
        ("NYCLU, λ = .0025", ["nyclu-0/0.0025"], {1: 100.0, 2: 200.0}),
    ]
    for title, cases, wanted in targets:
        known = [case for case in cases if case in results.problems]
        for threads, least in wanted.items():
            found = against_original(results, known, threads)["time"] if known else None
            words = "one thread" if threads == 1 else f"{threads} threads"
            yield _at_least(f"{title}: {least:,.0f}× the original, {words}", found, least)
    known = [case for case in ("compas/0.005",) if case in results.problems]
    memory = against_original(results, known, 1)["memory"] if known else None
    yield _at_least("COMPAS, M = 155, λ = .005: 1/50 of the original's memory", memory, 50.0)


def _rows(results: Results) -> Iterator[Aim]:
    small, large = (results.of(f"rows/{rows}", "surelist-1") for rows in (10**4, 10**7))
    text = "rows 10⁴ → 10⁷, same groups: search time unchanged"
    yield _at_most(text, ratio(large, small, "search"), _UNCHANGED)
    text = "10⁷ rows × 100 antecedents: collapsed in 5 s"
    collapse, memory = median(large, "collapse"), median(large, "memory")
    yield Aim(
        text,
        NOTHING if collapse is None else f"{number(collapse)} s",
        None if collapse is None else collapse <= 5,
    )
    text = "10⁷ rows × 100 antecedents: memory at most 4× the packed input"
    packed = 10**7 * 100 / 8
    yield _at_most(text, None if memory is None else Spread.of([memory / packed]), 4.0)


def _threads(results: Results) -> Iterator[Aim]:
    """Judge slow problems one by one, and tiny ones, whose times are mostly noise, by sum."""
    known = seconds(results)
    gains = [gain(results, [case]) for case, value in known.items() if value >= SLOW]
    least = min((each for each in gains if each), key=lambda each: each.median, default=None)
    text = "two threads on each problem of a second or more: 1.7×; the least gain"
    yield _at_least(text, least, 1.7)
    tiny = gain(results, [case for case, value in known.items() if value < 0.05])
    text = "two threads on problems below 50 ms: no slower, in sum"
    yield _at_least(text, tiny, 1 / _UNCHANGED)


def all_aims(results: Results) -> list[Aim]:
    """Return every aim, measured or not."""
    return [
        *_against_original(results),
        _certified(results, "compas/0.0025", "COMPAS, M = 155, λ = .0025", 5),
        _certified(results, "compas/0.001", "COMPAS, M = 155, λ = .001", 15),
        _certified(results, "nyclu-0/0.0025", "NYCLU, λ = .0025", 1),
        *_rows(results),
        *_threads(results),
    ]


def aims(results: Results) -> str:
    """List the aims; those that this run did not measure are left out."""
    words = {True: "yes", False: "**no**"}
    measured = [aim for aim in all_aims(results) if aim.met is not None]
    rows = [[aim.text, aim.reached, words[bool(aim.met)]] for aim in measured]
    return table(["aim", "reached", "met"], rows, 3) if rows else NOT_MEASURED
