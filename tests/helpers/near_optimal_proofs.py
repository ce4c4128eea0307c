"""Certificates of complete sets against brute force and forgeries: ``near_optimal_proofs.py 200``.

Sets of up to some thousands of lists, each compared with every sequence of rules there is. Their
certificates have to be accepted, and refused as soon as one list is removed, added or changed, with
a fingerprint, counts and answers that fit the forged set. What doing without a column costs is
compared, too, and proven.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pandas as pd

from surelist import RuleLists, VerificationError, near_optimal, verify
from surelist.certificate.completeness import CompletenessCertificate
from surelist.completeness_checker import set_fingerprint
from surelist.necessity_checker import packed, read_claim

Rules = tuple[tuple[int, int], ...]


@dataclass
class Drawn:
    """A table of 0/1 columns, its labels and weights, and what is asked of lists."""

    X: pd.DataFrame
    y: Any
    weights: Any
    regularization: Fraction
    longest: int
    tolerance: Fraction

    @classmethod
    def draw(cls, seed: int) -> Drawn:
        rng, random = np.random.default_rng(seed), Random(seed)
        n, m = random.randint(10, 80), random.randint(3, 9)
        X = pd.DataFrame(
            (rng.random((n, m)) < rng.uniform(0.2, 0.8, m)).astype(int),
            columns=[f"c{i}" for i in range(m)],
        )
        classes = random.choice([2, 2, 3])
        y = np.where(
            rng.random(n) < 0.3, rng.integers(0, classes, n), X["c0"] + (X["c1"] & X["c2"])
        )
        y = np.minimum(y, classes - 1)
        y[:classes] = range(classes)
        weights = rng.integers(1, 4, n) if seed % 3 == 0 else np.ones(n, np.int64)
        return cls(
            X,
            y,
            weights,
            Fraction(random.choice([1, 2, 5, 10]), 200),
            random.randint(1, 4),
            Fraction(random.choice([0, 1, 10, 40, 100]), 100),
        )

    def search(self, tolerance: Fraction) -> RuleLists:
        return near_optimal(
            self.X,
            self.y,
            tolerance=tolerance,
            sample_weight=self.weights if self.weights.max() > 1 else None,
            regularization=self.regularization,
            max_clauses=1,
            min_support=0,
            max_length=self.longest,
            certificate=True,
        )

    def check(self, certificate: Any) -> None:
        weights = self.weights if self.weights.max() > 1 else None
        verify(certificate, self.X, self.y, sample_weight=weights)


def every_list(drawn: Drawn, captured: list[int]) -> list[tuple[Fraction, Rules, int, int]]:
    """Every entry by brute force over sets of rows as bits: objective, rules, default, orders."""
    n, classes = len(drawn.y), sorted(set(drawn.y.tolist()))
    of_class = [sum(1 << i for i in range(n) if drawn.y[i] == label) for label in classes]
    weights = drawn.weights.tolist()
    known: dict[int, int] = {}

    def weight(rows: int) -> int:
        if rows not in known:
            known[rows] = sum(w for i, w in enumerate(weights) if rows >> i & 1)
        return known[rows]

    def best(rows: int) -> tuple[int, int]:
        wrong = [weight(rows & ~mine) for mine in of_class]
        return wrong.index(min(wrong)), min(wrong)

    found: dict[Any, list[Any]] = {}

    def go_on(rules: Rules, left: int, loss: int, predicted: tuple[int, ...]) -> None:
        default, rest = best(left)
        objective = Fraction(loss + rest, sum(weights)) + drawn.regularization * len(rules)
        whole = tuple(part | left * (label == default) for label, part in enumerate(predicted))
        entry = found.setdefault((frozenset(rules), default, whole), [objective, rules, default, 0])
        entry[1], entry[3] = min(entry[1], rules), entry[3] + 1
        if len(rules) == drawn.longest:
            return
        for place, rows in enumerate(captured):
            if rows & left and all(place != a for a, _ in rules):
                label, wrong = best(rows & left)
                more = [p | (rows & left) * (q == label) for q, p in enumerate(predicted)]
                go_on((*rules, (place, label)), left & ~rows, loss + wrong, tuple(more))

    go_on((), (1 << n) - 1, 0, (0,) * len(classes))
    return sorted(
        ((o, r, d, k) for o, r, d, k in found.values()), key=lambda e: (e[0], len(e[1]), e[1])
    )


def written(lists: RuleLists) -> list[tuple[Fraction, Rules, int, int]]:
    result = []
    for place in range(len(lists)):
        rules = lists.found.rules(place)
        pairs = tuple(zip(rules.prefix, rules.labels, strict=True))
        objective = lists.found.objective(place)
        result.append((objective, pairs, rules.default_label, int(lists.orders[place])))
    return result


def forged(lists: RuleLists, found: Any) -> CompletenessCertificate:
    """The certificate of another set, right about itself in everything that it says."""
    assert lists.certificate is not None
    uses = found.uses_of_antecedents(len(lists._source.antecedents))
    texts = [[n, *(None if end is None else str(end) for end in ends)] for n, *ends in uses]
    changed = {
        "n_lists": len(found),
        "n_orders": int(found.orders.sum()),
        "n_predictions": len(np.unique(found.alike)),
        "optimum": str(found.objective(0)) if len(found) else None,
        "lists_fingerprint": set_fingerprint(found.prefixes, found.labels, found.orders),
        "uses": texts,
    }
    return CompletenessCertificate.pack({**lists.certificate.header, **changed})


def refuse(drawn: Drawn, certificate: Any, what: Any) -> None:
    try:
        drawn.check(certificate)
    except VerificationError:
        return
    raise AssertionError(f"accepted, although it was {what}")


def forge(drawn: Drawn, lists: RuleLists, random: Random) -> int:
    """Remove, add and change a list; return how many forgeries were refused."""
    n, n_forged = len(lists), 0
    for place in random.sample(range(n), min(n, 3)):
        refuse(drawn, forged(lists, lists.found.some(np.delete(np.arange(n), place))), "removed")
        for part in ("prefixes", "labels", "orders"):
            found = lists.found.some(np.arange(n))
            row = getattr(found, part)[place : place + 1].reshape(-1)
            if len(row) == 0 or row[0] < 0:
                continue
            most = {"prefixes": drawn.X.shape[1], "labels": 1 + drawn.y.max(), "orders": 10**6}
            row[0] = (row[0] + 1) % most[part]
            refuse(drawn, forged(lists, found), f"changed in its {part}")
            n_forged += 1
        n_forged += 1
    wider = drawn.search(drawn.tolerance * 2 + Fraction(1, 2))
    beyond = wider.found.count_within(lists.complete_up_to or Fraction(0))
    assert beyond == n
    for place in range(beyond, min(len(wider), beyond + 2)):
        refuse(drawn, forged(lists, wider.found.some([*range(beyond), place])), "added")
        n_forged += 1
    return n_forged


def check_necessity(drawn: Drawn, lists: RuleLists, every: list[Any], random: Random) -> int:
    """What doing without a column costs is what brute force says, and no other claim is proven."""
    name = random.choice(lists.column_names)
    names = [(each.clauses, *each.aliases) for each in lists._source.antecedents]
    asks = [{clause.name for name in each for clause in name} for each in names]
    can = {place for place, columns in enumerate(asks) if name in columns}
    must = {place for place in can if asks[place] == {name}}
    rules = [(objective, {antecedent for antecedent, _ in rules}) for objective, rules, *_ in every]
    best_with = min((objective for objective, used in rules if used & can), default=None)
    best_without = min(objective for objective, used in rules if not used & must)
    use = lists.necessity(name, certificate=True)[name]
    assert (use.best_with, use.best_without) == (best_with, best_without), name
    drawn.check(use.certificate)
    claim, proofs = read_claim(use.certificate)
    texts = {end: None if claim[end] is None else str(claim[end]) for end in ("with", "without")}
    ends: list[dict[str, Any]] = [{"with": "1/7"}, {"without": "1/7"}, {"with": None}]
    wrong = [end for end in ends if {**texts, **end} != texts]
    for end in wrong:
        refuse(drawn, packed({**claim, **texts, **end}, proofs), f"said to cost {end}")
    if len(proofs) > 1 and best_with != best_without:
        refuse(drawn, packed({**claim, **texts}, proofs[:-1]), "left without a proof")
    return len(wrong)


def check(seed: int) -> tuple[int, int]:
    """Compare one set with brute force, and forge its certificate; return lists and forgeries."""
    drawn = Drawn.draw(seed)
    lists = drawn.search(drawn.tolerance)
    bits = [each.captures(lists._source.prepared.data.matrix) for each in lists._source.antecedents]
    captured = [sum(1 << int(row) for row in np.flatnonzero(rows)) for rows in bits]
    every = every_list(drawn, captured)
    optimum = every[0][0]
    expected = [each for each in every if each[0] <= optimum * (1 + drawn.tolerance)]
    assert lists.optimum == optimum, seed
    assert written(lists) == expected, seed
    drawn.check(lists.certificate)
    random = Random(seed)
    n_forged = check_necessity(drawn, lists, every, random)
    return len(lists), n_forged + forge(drawn, lists, random)


def main() -> None:
    n_problems = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    found = np.array([check(seed) for seed in range(n_problems)])
    print(
        f"{n_problems} problems, {found[:, 0].sum():,} lists in sets of up to {found[:, 0].max():,}"
        f": every set is the one that brute force finds, and {found[:, 1].sum():,} forged "
        "certificates are refused"
    )


if __name__ == "__main__":
    main()
