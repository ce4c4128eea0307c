"""Brute force over all cuts: random tables, and the best rule list of each, by trying every list.

Nothing here imports the package.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

GRADES = ["low", "middle", "high", "top"]


class Table(NamedTuple):
    """A small table: columns by name, labels, weights, and what is asked."""

    columns: dict[str, list[Any]]
    labels: list[str]
    weights: list[int] | None
    regularization: str
    max_length: int
    intervals: bool = False
    clauses: int = 1


def random_table(seed: int, *, intervals: bool = False, clauses: int = 1) -> Table:
    """Return a table with ties, missing values, duplicates, two or three classes and weights."""
    chance = random.Random(seed)
    n_rows = chance.randint(2, 12)
    columns = {}
    for index in range(chance.randint(1, 2 if intervals else 3)):
        kind = chance.choice(["whole", "whole", "real", "date", "ordinal", "bool", "text"])
        missing = chance.choice([0, 0, 0.2])
        most = chance.randint(1, 4)
        codes = [
            None if chance.random() < missing else chance.randint(0, most) for _ in range(n_rows)
        ]
        columns[f"{kind}{index}"] = [None if code is None else _value(kind, code) for code in codes]
    if chance.random() < 0.4:  # the same rows again, with other labels
        copies = [chance.randrange(n_rows) for _ in range(3)]
        for values in columns.values():
            values += [values[row] for row in copies]
        n_rows += 3
    labels = [chance.choice("abc"[: chance.choice([2, 2, 3])]) for _ in range(n_rows)]
    labels[:2] = ["a", "b"]
    weights = [chance.randint(1, 5) for _ in labels] if chance.random() < 0.5 else None
    if weights and chance.random() < 0.3:  # numbers of more than 16 bits, and of more than 32
        factor = chance.choice([10**5, 10**10])
        weights = [weight * factor + chance.randint(0, 3) for weight in weights]
    regularization = chance.choice(["0.01", "0.05", "0.1", "0.15", "0.003", "0"])
    return Table(columns, labels, weights, regularization, chance.randint(1, 3), intervals, clauses)


def _value(kind: str, code: int) -> Any:
    if kind == "date":
        return date(2020, 1, 1) + timedelta(days=40 * code)
    return {
        "whole": 3 * code - 4,
        "real": 0.1 * code + 0.25,
        "ordinal": GRADES[code % 4],
        "bool": bool(code % 2),
        "text": "uvwxy"[code],
    }[kind]


def captures(table: Table) -> list[int]:
    """Return what every antecedent captures, a bit for each row."""
    found: list[int] = []
    for name, values in table.columns.items():
        kind = name.rstrip("0123456789")
        place = {grade: at for at, grade in enumerate(GRADES)}
        if kind == "ordinal":
            values = [None if value is None else place[value] for value in values]
        present = sorted({value for value in values if value is not None})
        if kind == "bool" and all(isinstance(value, bool) for value in present):
            tests = [[value is True for value in values]]
            if None in values:
                tests.append([value is False for value in values])
        elif kind == "text":
            tests = [[value == each for value in values] for each in present]
        else:
            tests = []
            for cut in present[1:]:
                tests.append([value is not None and value < cut for value in values])
                tests.append([value is not None and value >= cut for value in values])
            if table.intervals:
                for low, high in combinations(present[1:], 2):
                    tests.append([value is not None and low <= value < high for value in values])
        if None in values:
            tests.append([value is None for value in values])
        found += [sum(1 << row for row, holds in enumerate(test) if holds) for test in tests]
    if table.clauses == 2:
        found += [one & other for one, other in combinations(sorted(set(found)), 2)]
    return sorted(set(found) - {0})


def best(table: Table) -> Fraction:
    """Return the least objective of all lists of up to ``max_length`` rules."""
    return least(
        captures(table),
        table.labels,
        table.weights or [1] * len(table.labels),
        Fraction(table.regularization),
        table.max_length,
    )


def least(
    antecedents: Sequence[int],
    labels: Sequence[Any],
    weights: Sequence[int],
    price: Fraction,
    max_length: int,
) -> Fraction:
    """Return the least objective, by trying every list; what is left of the rows is remembered."""
    total = sum(weights)

    @cache
    def loss(rows: int) -> int:
        by_class: dict[Any, int] = {}
        for row, (label, weight) in enumerate(zip(labels, weights, strict=True)):
            if rows >> row & 1:
                by_class[label] = by_class.get(label, 0) + weight
        return sum(by_class.values()) - max(by_class.values(), default=0)

    @cache
    def completed(rows: int, n_rules: int) -> Fraction:
        found = Fraction(loss(rows), total)
        if n_rules == 0:
            return found
        for antecedent in antecedents:
            if rows & antecedent:
                own = price + Fraction(loss(rows & antecedent), total)
                found = min(found, own + completed(rows & ~antecedent, n_rules - 1))
        return found

    return completed((1 << len(labels)) - 1, max_length)
