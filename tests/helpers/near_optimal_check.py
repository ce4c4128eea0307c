"""Whole sets of near-optimal lists against brute force: ``python near_optimal_check.py 2000``."""

from __future__ import annotations

import sys
from fractions import Fraction
from random import Random
from typing import Any

import constrained_oracle
import near_optimal_oracle
import numpy as np
from constrained_problems import Constrained
from near_optimal_oracle import Entry

from surelist import _core

# The bounds that a set of lists can use; the others must change nothing.
BOUNDS = ("equivalent_points", "lookahead", "gain_potential", "one_sided_support")
Rules = tuple[tuple[int, int], ...]


def read(lists: dict[str, Any]) -> list[tuple[Rules, int, int, int]]:
    """Return rules, default label, orders and the first list alike, of each list."""
    rows = zip(lists["prefixes"], lists["labels"], lists["numbers"], strict=True)
    result = []
    for prefix, labels, numbers in rows:
        kept = [int(a) for a in prefix if a >= 0]
        rules = tuple(zip(kept, map(int, labels), strict=False))
        result.append((rules, int(labels[len(kept)]), int(numbers[1]), int(numbers[2])))
    return result


def expected(found: list[Entry]) -> list[tuple[Rules, int, int, int]]:
    seen: dict[tuple[int, ...], int] = {}
    return [
        (entry.first, entry.default, len(entry.orders), seen.setdefault(entry.predictions, index))
        for index, entry in enumerate(found)
    ]


def new_search(problem: Constrained, bounds: tuple[str, ...] = BOUNDS) -> _core.NearOptimal:
    engine_problem, regularization, demanded = problem.arguments()
    return _core.NearOptimal(engine_problem, regularization, bounds=list(bounds), **demanded)


def scaled(search: _core.NearOptimal, threshold: Fraction) -> str:
    return str(threshold * search.scale // 1)


def draw(seed: int) -> tuple[Constrained, Fraction, list[Entry]]:
    """Return a problem, a threshold, and all lists within it."""
    random = Random(seed)
    problem = Constrained.draw(seed)
    optimum = constrained_oracle.optimum(problem.data, problem.demands)
    tolerance = Fraction(random.choice([0, 1, 5, 25, 100, 300]), 100)
    threshold = optimum * (1 + tolerance) + Fraction(random.choice([0, 0, 2, 20, 100]), 100)
    return (
        problem,
        threshold,
        near_optimal_oracle.entries(problem.data, problem.demands, threshold),
    )


def check(seed: int) -> int:
    """Compare whole sets, under all bounds, none and some; return how many lists there are."""
    problem, threshold, entries = draw(seed)
    random = Random(seed)
    some = tuple(name for name in BOUNDS if random.random() < 0.5)
    for bounds in (BOUNDS, (), some, tuple(_core.bound_names())):
        search = new_search(problem, bounds)
        assert search.run(scaled(search, threshold)) == "complete"
        lists = search.lists
        assert read(lists) == expected(entries), (seed, bounds)
        assert lists["n_orders"] == sum(len(entry.orders) for entry in entries)
        check_losses(problem, search, entries)
    check_best(problem, random, seed)
    check_counted(problem, threshold, entries, random)
    return len(entries)


def new_counter(problem: Constrained, bounds: tuple[str, ...] = BOUNDS) -> _core.ListCounter:
    engine_problem, regularization, demanded = problem.arguments()
    return _core.ListCounter(engine_problem, regularization, bounds=list(bounds), **demanded)


def check_counted(
    problem: Constrained, threshold: Fraction, entries: list[Entry], random: Random
) -> None:
    """The number of orders, every one of them by its number, and which of them are entries."""
    orders = {
        (order, entry.default, len(entry.orders), order == entry.first)
        for entry in entries
        for order in entry.orders
    }
    for bounds, memory in ((BOUNDS, None), ((), None), (BOUNDS, 0)):
        counter = new_counter(problem, bounds)
        scaled_threshold = str(threshold * counter.scale // 1)
        for share in (threshold / 2, threshold):  # what was learned for less stays right
            status, count = counter.count(str(share * counter.scale // 1), memory_limit=memory)
        assert (status, count) == ("complete", len(orders)), scaled_threshold
        every = counter.read("0", len(orders) + 5, False)
        first = counter.read("0", len(orders) + 5, True)
        firsts = {tuple(rules) for rules, *_ in first}
        assert len(every) == len(orders)
        assert {
            (tuple(rules), default, n, tuple(rules) in firsts) for rules, default, _, n in every
        } == orders
        assert counter.count_entries(None) == len(first) == len(entries)
        for number in random.sample(range(len(every)), min(8, len(every))):
            assert counter.read(str(number), 1, False) == [every[number]]


def check_losses(problem: Constrained, search: _core.NearOptimal, entries: list[Entry]) -> None:
    scale = search.scale
    for row, entry in zip(search.lists["numbers"], entries, strict=True):
        length = len(entry.first)
        total = problem.base * length + Fraction(int(row[0]), scale_of_loss(problem))
        assert total == entry.objective, (scale, row, entry)


def scale_of_loss(problem: Constrained) -> int:
    return int(problem.arguments()[0].total_weight)


def check_best(problem: Constrained, random: Random, seed: int) -> None:
    """The n best, with all that equal the last of them."""
    every = near_optimal_oracle.entries(problem.data, problem.demands, Fraction(10**6))
    n = random.randint(1, max(1, len(every)))
    last = every[min(n, len(every)) - 1].objective
    best = [entry for entry in every if entry.objective <= last]
    search = new_search(problem)
    assert search.run(scaled(search, Fraction(10**6)), most_lists=n) == "complete"
    assert read(search.lists) == expected(best), seed


def main() -> None:
    n_problems = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    counts = np.array([check(seed) for seed in range(n_problems)])
    print(
        f"{n_problems} problems, {counts.sum():,} lists in sets of up to {counts.max():,}: "
        "every set is the one that brute force finds"
    )


if __name__ == "__main__":
    main()
