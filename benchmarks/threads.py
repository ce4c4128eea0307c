"""The speed-up by threads, beside the throughput of as many independent processes."""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks.results import SLOW, Results, Spread, ratio
from benchmarks.tables import NOT_MEASURED, ONE, median, table, times

__all__ = ["by_processes", "gain", "seconds", "threads"]


def seconds(results: Results) -> dict[str, float]:
    """Return the seconds that one thread takes, of each case that was measured."""
    found = {case: median(results.of(case, ONE), "seconds") for case in results.problems}
    return {case: value for case, value in found.items() if value is not None}


def gain(results: Results, cases: Iterable[str], n_threads: int = 2) -> Spread | None:
    """Return how many times as fast several threads are, on all cases together."""
    listed = list(cases)
    one, more = (results.of(listed, f"surelist-{each}") for each in (1, n_threads))
    return ratio(one, more, "seconds")


def by_processes(results: Results, case: str, copies: int = 2) -> Spread | None:
    """Return the throughput of several processes at once, relative to one."""
    found = ratio(results.of(case, ONE), results.of(case, f"{ONE} by {copies}"), "seconds")
    return None if found is None else found.scaled(copies)


def threads(results: Results) -> str:
    """Compare threads with processes, on problems that take long enough."""
    rows = []
    for case, taken in seconds(results).items():
        problem = results.problems[case]
        for n in (each for each in results.about["threads"] if each > 1 and taken >= SLOW):
            ours, theirs = results.of(case, f"surelist-{n}"), results.of(case, f"{ONE} by {n}")
            rows.append(
                [
                    problem.title if problem.series is None else case.replace("/", " → "),
                    problem.regularization,
                    str(n),
                    times(gain(results, [case], n)),
                    times(by_processes(results, case, n)),
                    times(ratio(ours, theirs, "cpu")),
                ]
            )
    head = [
        "problem",
        "λ",
        "threads",
        "gain",
        "of as many processes",
        "processor time against them",
    ]
    return table(head, rows, text_columns=2) if rows else NOT_MEASURED
