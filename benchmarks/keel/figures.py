"""Numbers that the text on the terminal and the page are made of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import fmean

from benchmarks.keel.records import Records, Result
from benchmarks.keel.systems import CART_SAME, DEFAULT, ONE_CLAUSE

__all__ = ["after", "certified", "goals", "mean", "proven", "wins"]

# An objective this close to the best known one counts as equal.
_CLOSE = 0.01
_LENGTHS = (3, 4, 5)


def mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of numbers; None where one of them, or all, are not known.

    Examples
    --------
    >>> mean([1, 2]), mean([1, None]), mean([])
    (1.5, None, None)
    """
    known = list(values)
    if not known or None in known:
        return None
    return fmean(value for value in known if value is not None)


def certified(results: Sequence[Result]) -> int:
    """Return how many fits have proven that nothing is better."""
    return sum(result.is_certified for result in results)


def proven(results: Sequence[Result]) -> float | None:
    """Return the length up to which every one of the fits is proven; infinity for all lengths."""
    lengths = [
        math.inf if result.is_certified else result.proven_length
        for result in results
        if result.objective is not None
    ]
    if not lengths or None in lengths:
        return None
    return min(length for length in lengths if length is not None)


def after(results: Sequence[Result], moment: str) -> float | None:
    """Return the mean objective after some seconds."""
    return mean(result.objective_after.get(moment) for result in results)


def wins(records: Records, first: str, second: str) -> tuple[int, int, int]:
    """Return on how many tables the first system predicts better, as well, and worse.

    Only folds count that both have results of.
    """
    better = equal = worse = 0
    for table in records.tables:
        one, other = (
            mean(result.test_accuracy for result in records.beside(*pair, table))
            for pair in ((first, second), (second, first))
        )
        if one is None or other is None:
            continue
        better, equal, worse = (
            better + (one > other),
            equal + (one == other),
            worse + (one < other),
        )
    return better, equal, worse


def _close_at(records: Records, moment: str, results: Sequence[Result]) -> int:
    count = 0
    for one in results:
        best = records.best_known(one)
        value = one.objective_after.get(moment)
        count += best is not None and value is not None and value <= best * (1 + _CLOSE)
    return count


def _no_worse_than_one_clause(records: Records, results: Sequence[Result]) -> tuple[int, int]:
    pairs = [(one, records.of(one.table, one.fold, ONE_CLAUSE)) for one in results]
    known = [
        (one.objective, other.objective)
        for one, other in pairs
        if other is not None and other.objective is not None and one.objective is not None
    ]
    return sum(ours <= theirs for ours, theirs in known), len(known)


def goals(records: Records) -> list[tuple[str, str]]:
    """Return what the defaults reach in sum, as words and figures."""
    results = records.all(DEFAULT)
    if not results:
        return []
    fits = len(results)
    said = [one for one in results if one.is_certified or one.proven_length is not None]
    found = [("certified", f"{certified(results)} of {fits} fits")]
    for length in _LENGTHS:
        count = sum(one.is_proven(length) for one in said)
        found.append((f"proven up to {length} rules", f"{count} of {fits} fits"))
    for moment in sorted({key for one in results for key in one.objective_after}, key=float):
        words = f"objective after {moment} s within 1 % of the best one known"
        found.append((words, f"{_close_at(records, moment, results)} of {fits} fits"))
    good, compared = _no_worse_than_one_clause(records, results)
    if compared:
        found.append(("no worse than with one clause", f"{good} of {compared} fits"))
    ended = [one for one in results if one.cpu is not None and one.seconds is not None]
    late = sum((one.cpu or 0) > 1.1 * (one.seconds or 0) for one in ended)
    found.append(("ended within 110 % of the time limit", f"{fits - late} of {fits} fits"))
    if memory := [one.memory for one in results if one.memory is not None]:
        found.append(("most memory of a fit", f"{max(memory) / 1e6:,.0f} MB"))
    accuracy = mean(one.test_accuracy for one in results)
    if accuracy is not None:
        found.append(("mean test accuracy", f"{accuracy:.4f}"))
    better, equal, worse = wins(records, DEFAULT, CART_SAME)
    if better + equal + worse:
        words = f"{better} better, {equal} equal, {worse} worse"
        found.append(("test accuracy against CART with as many leaves, tables", words))
    return found
