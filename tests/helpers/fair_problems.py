"""Random small problems with fairness constraints, and the engine's answer to them.

``python tests/helpers/fair_problems.py N`` holds the engine against brute force on N problems for
each metric; ``make fuzz-fairness`` runs it.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import fair_oracle
import numpy as np
from fair_oracle import PLAIN, Costs
from oracle import Data

from surelist import Fairness, InputError, _core
from surelist.problem.fairness import METRICS, Demand, FairConstraints, constraints_of
from surelist.problem.fairness import read_fairness as read


@dataclass(frozen=True)
class FairCase:
    """One problem: rows with groups, λ, costs, what is demanded, and how lists are limited."""

    data: Data
    groups: tuple[int, ...]
    regularization: Fraction
    costs: Costs
    prices: tuple[Fraction, ...]
    demand: Demand
    allowed: dict[str, Any]

    @property
    def names(self) -> list[str]:
        return [str(a) for a in sorted(set(self.groups))]

    @property
    def oracle_demand(self) -> fair_oracle.Fair:
        def by_group(given: Any) -> dict[int, Fraction]:
            return {int(name): share for name, share in given.items()}

        return fair_oracle.Fair(
            self.demand.metrics,
            self.demand.tolerance,
            self.demand.ratio,
            by_group(self.demand.max_error),
            by_group(self.demand.min_selection),
            by_group(self.demand.max_selection),
        )

    def optimum(self, allowed: dict[str, Any] | None = None) -> Fraction | None:
        """By brute force; ``allowed`` limits lists otherwise than the problem does."""
        majority = self.demand.majority
        return fair_oracle.optimum(
            self.data,
            self.groups,
            self.oracle_demand,
            self.prices,
            self.costs,
            majority=majority,
            **(self.allowed if allowed is None else allowed),
        )

    def problem(self) -> _core.Problem:
        n_classes = 2 * len(self.names)
        codes = [2 * a + c for a, c in zip(self.groups, self.data.labels, strict=True)]
        costs = [int(self.costs[i % 2][j % 2]) for i in range(n_classes) for j in range(n_classes)]
        return _core.Problem(
            np.array(self.data.captures, np.uint8),
            np.array(codes, np.int32),
            np.array(self.data.weights, np.int64),
            n_classes,
            costs=costs,
            unit=1,
        )

    def constraints(self, problem: _core.Problem) -> FairConstraints:
        return constraints_of(self.demand, problem.class_weights, self.names)

    def search(self, **options: Any) -> _core.FairSearch:
        """The engine's search, to its end."""
        search = self.prepared_search(**options)
        while search.step(10**6):
            pass
        return search

    def prepared_search(self, **options: Any) -> _core.FairSearch:
        """The engine's search, before its first step."""
        problem = self.problem()
        rules = self.constraints(problem)
        total = problem.total_weight
        least = self.regularization
        extra = [int((price - least) * total) for price in self.prices]
        options = {"max_length": self.allowed.get("max_length"), **options}
        return _core.FairSearch(
            problem,
            str(least),
            linear=[([*map(str, factors)], str(most)) for factors, most in rules.linear],
            predictive=[(s, r, str(n), str(d)) for s, r, n, d in rules.predictive],
            majority=self.demand.majority,
            rule_label=self.allowed.get("rule_label"),
            first=list(self.allowed.get("first", ())),
            required=sorted(self.allowed.get("required", ())),
            forbidden=sorted(self.allowed.get("forbidden", ())),
            surcharges=extra,
            **options,
        )


def _groups(rng: random.Random, n_rows: int) -> tuple[int, ...]:
    given = [rng.randrange(rng.choice([2, 2, 3])) for _ in range(n_rows)]
    present = sorted(set(given))
    return tuple(present.index(group) for group in given)


def _demand(rng: random.Random, metric: str, n_groups: int) -> Demand:
    def some(chance: float, least: int, most: int) -> dict[str, Fraction] | None:
        if rng.random() >= chance:
            return None
        return {str(rng.randrange(n_groups)): Fraction(rng.randint(least, most), 10)}

    metrics = [metric, *([rng.choice(list(METRICS))] if rng.random() < 0.2 else [])]
    as_ratio = rng.random() < 0.4
    demand = read(
        Fairness(
            metrics,
            tolerance=None if as_ratio else Fraction(rng.randint(0, 10), 20),
            ratio=Fraction(rng.randint(0, 10), 10) if as_ratio else None,
            labels=rng.choice(["free", "free", "majority"]),
            max_error=some(0.25, 2, 10),
            min_selection=some(0.15, 0, 5),
            max_selection=some(0.15, 3, 10),
        )
    )
    assert demand is not None
    return demand


def _demand_antecedents(rng: random.Random, n_antecedents: int, allowed: dict[str, Any]) -> None:
    """Sometimes antecedents with which every list begins, or that it has somewhere."""
    free = [s for s in range(n_antecedents) if s not in allowed.get("forbidden", ())]
    few = allowed.get("max_length", n_antecedents)
    rng.shuffle(free)
    if rng.random() < 0.2:
        allowed["first"] = tuple(free[: min(few, rng.randint(1, 2))])
    if rng.random() < 0.2 and len(free) > 1 and few > len(allowed.get("first", ())):
        allowed["required"] = frozenset(free[-1:])


def random_case(seed: object, metric: str) -> FairCase | None:
    """Return a problem; None where its groups cannot be compared by the metric."""
    rng = random.Random(f"{seed} {metric}")
    n_rows, n_antecedents = rng.randint(4, 14), rng.randint(1, 4)
    data = Data(
        tuple(tuple(rng.randint(0, 1) for _ in range(n_antecedents)) for _ in range(n_rows)),
        tuple(rng.randint(0, 1) for _ in range(n_rows)),
        tuple(rng.choice([1, 1, 1, 2, 3, 7]) for _ in range(n_rows)),
        2,
        n_antecedents,
    )
    groups = _groups(rng, n_rows)
    if len(set(groups)) < 2:
        return None
    share = Fraction(rng.choice(["0", "1/100", "1/20", "1/10", "1/7", "1/4"]))
    dear = rng.random() < 0.3
    costs = PLAIN
    if dear:
        alarm, miss = Fraction(rng.randint(1, 4)), Fraction(rng.randint(1, 4))
        costs = ((Fraction(0), alarm), (miss, Fraction(0)))
    step = Fraction(1, sum(data.weights))
    priced = rng.random() < 0.2
    extra = [rng.randint(0, 3) if priced else 0 for _ in range(n_antecedents)]
    prices = tuple(share + step * each for each in extra)
    allowed: dict[str, Any] = {}
    if rng.random() < 0.3:
        allowed["max_length"] = rng.randint(0, 3)
    if rng.random() < 0.15:
        allowed["rule_label"] = rng.randint(0, 1)
    if rng.random() < 0.15:
        allowed["forbidden"] = frozenset([rng.randrange(n_antecedents)])
    _demand_antecedents(rng, n_antecedents, allowed)
    demand = _demand(rng, metric, len(set(groups)))
    case = FairCase(data, groups, share, costs, prices, demand, allowed)
    try:
        case.constraints(case.problem())
    except InputError:
        return None
    return case


def check(case: FairCase, rng: random.Random) -> Fraction | None:
    """Hold the engine against brute force, with all bounds and with some of them."""
    wanted, names = case.optimum(), _core.fair_bound_names()
    policies = ["lower_bound", "breadth_first", "depth_first"]
    for bounds in (names, [name for name in names if rng.random() < 0.5]):
        search = case.search(bounds=bounds, policy=rng.choice(policies))
        found = Fraction(search.objective, search.scale) if search.found else None
        assert found == wanted, (case, bounds, found, wanted)
        if found is not None:
            labels = (*search.labels, search.default_label)
            predicted = fair_oracle.predictions(case.data, tuple(search.prefix), labels)
            assert fair_oracle.is_fair(case.data, case.groups, predicted, case.oracle_demand)
    return wanted


def main(n_problems: int) -> None:
    """Check so many problems that can be compared, for each metric, and say what they were."""
    for metric in METRICS:
        checked = infeasible = seed = 0
        while checked < n_problems:
            seed += 1
            case = random_case(seed, metric)
            if case is not None:
                checked += 1
                infeasible += check(case, random.Random(seed)) is None
        print(
            f"{metric}: {checked} problems agree with brute force, {infeasible} without fair list"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]))
