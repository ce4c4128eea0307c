"""Defaults that are worked out from λ, weights and costs leave every optimal rule list in reach."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import constrained_oracle
import numpy as np
import pytest
from constrained_oracle import Demands
from oracle import Data

from surelist import RuleListClassifier, RuleListClassifierCV, regularization_path
from surelist.problem.costs import Prices, read_prices
from surelist.problem.parameters import least_support

LABELS = "abcd"
SMALL = [Fraction(1, 10), Fraction(1, 2), Fraction(0), Fraction(1), Fraction(3)]


class Case:
    """A problem with costs of every kind, and its optimum by brute force over all antecedents."""

    def __init__(self, seed: int) -> None:
        random = Random(seed)
        self.n_classes = random.choice([2, 3])
        self.X = [[random.randint(0, 1) for _ in range(3)] for _ in range(random.randint(4, 16))]
        codes = [random.randrange(self.n_classes) for _ in self.X]
        codes[: self.n_classes] = range(self.n_classes)
        self.y = [LABELS[code] for code in codes]
        self.weights = [random.choice([1, 1, 2, 7]) for _ in self.X]
        self.regularization = random.choice([Fraction(1, 50), Fraction(1, 20), Fraction(1, 5)])
        self.negations = random.random() < 0.3
        self.costs = self._costs(random)
        if not any(cost for row in self.matrix for cost in row):
            self.costs = {}  # where no mistake costs anything there is nothing to learn
        self.prices = self._prices(random)
        self.required = random.random() < 0.2
        self.dnf = random.choice([False, False, *LABELS[: self.n_classes]])

    def _costs(self, random: Random) -> dict[str, dict[str, Fraction]]:
        """Some of the costs of mistakes; what is left out costs 1."""
        labels = LABELS[: self.n_classes]
        return {
            actual: {
                predicted: random.choice(SMALL)
                for predicted in labels
                if actual != predicted and random.random() < 0.6
            }
            for actual in labels
            if random.random() < 0.7
        }

    def _prices(self, random: Random) -> Any:
        names = ["x0", "x1", "x2", "x0 and x2", "x1 and x2"]
        chosen = {name: random.choice(SMALL) for name in names if random.random() < 0.3}
        return random.choice([None, "clauses", chosen, chosen])

    @property
    def parameters(self) -> dict[str, Any]:
        return {
            "negations": self.negations,
            "cost_matrix": self.costs or None,
            "antecedent_costs": self.prices,
            "required": ["x0"] if self.required else None,
            "dnf": self.dnf,
        }

    @property
    def matrix(self) -> tuple[tuple[Fraction, ...], ...]:
        """All costs, those that are implied among them."""
        labels = LABELS[: self.n_classes]
        return tuple(
            tuple(self.costs.get(c, {}).get(q, Fraction(int(c != q))) for q in labels)
            for c in labels
        )

    def brute_force(self) -> Fraction:
        literals = [(name, index, 1) for index, name in enumerate(("x0", "x1", "x2"))]
        if self.negations:
            literals += [(f"not {name}", index, 0) for name, index, _ in literals]
        clauses: list[tuple[tuple[str, int, int], ...]] = [(one,) for one in literals]
        clauses += [
            tuple(sorted(pair, key=lambda literal: literal[1]))
            for pair in combinations(literals, 2)
            if pair[0][1] != pair[1][1]
        ]
        # Of antecedents that capture the same rows the cheapest serves; a list needs no other one.
        cheapest: dict[tuple[int, ...], Fraction] = {}
        for conjunction in clauses:
            rows = tuple(int(all(row[i] == v for _, i, v in conjunction)) for row in self.X)
            price = Fraction(1)
            if self.prices == "clauses":
                price = Fraction(len(conjunction))
            elif self.prices:
                price = self.prices.get(" and ".join(name for name, _, _ in conjunction), price)
            cheapest[rows] = min(cheapest.get(rows, price), price)
        needed = tuple(row[0] for row in self.X)
        kept = [rows for rows in cheapest if any(rows) or rows == needed]
        data = Data(
            captures=tuple(zip(*kept, strict=True)),
            labels=tuple(map(LABELS.index, self.y)),
            weights=tuple(self.weights),
            n_classes=self.n_classes,
            n_antecedents=len(kept),
        )
        demands = Demands(
            prices=tuple(self.regularization * cheapest[rows] for rows in kept),
            costs=self.matrix,
            rule_label=None if self.dnf is False else LABELS.index(self.dnf),
            required=frozenset([kept.index(needed)] if self.required else ()),
        )
        return constrained_oracle.optimum_by_sets(data, demands)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(4))
def test_the_least_support_loses_no_optimal_rule_list(chunk: int) -> None:
    for seed in range(60 * chunk, 60 * (chunk + 1)):
        case = Case(seed)
        expected = case.brute_force()
        for support in (None, 0):
            model = RuleListClassifier(case.regularization, min_support=support, **case.parameters)
            model.fit(np.array(case.X), case.y, case.weights)
            assert (model.status_, model.objective_exact_) == ("optimal", expected), (seed, support)


@pytest.mark.parametrize("seed", range(0, 60, 2))
def test_a_path_and_cross_validation_reach_the_same_optimum(seed: int) -> None:
    case = Case(seed)
    expected = case.brute_force()
    X = np.array(case.X)
    path = regularization_path(
        X, case.y, smallest=case.regularization, sample_weight=case.weights, **case.parameters
    )
    assert path.at(case.regularization).objective == expected

    # One fold of all rows, and one λ: nothing is to be chosen.
    splits = [(np.arange(len(X)), np.arange(len(X)))]
    chosen = RuleListClassifierCV([case.regularization], cv=splits, **case.parameters)
    assert chosen.fit(X, case.y, case.weights).objective_exact_ == expected


def test_cross_validation_keeps_rare_rows_whose_mistakes_are_dear() -> None:
    X = np.array([[1]] * 2 + [[0]] * 98)
    y = ["a"] * 2 + ["b"] * 98
    dear = RuleListClassifierCV([0.05], cv=2, cost_matrix={"a": {"b": 5}}).fit(X, y)
    assert (len(dear.rule_list_), dear.objective_exact_) == (1, Fraction(1, 20))


def test_what_a_dict_of_costs_leaves_out_costs_one() -> None:
    X = np.array([[1, 0], [0, 1], [0, 0], [0, 0]] * 5)
    y = list("abcc") * 5
    model = RuleListClassifier(0.05, max_clauses=1, cost_matrix={"a": {"b": 0.1}}).fit(X, y)
    assert model.objective_exact_ == Fraction(1, 10)
    complete = {
        c: {q: 0.1 if (c, q) == ("a", "b") else float(c != q) for q in "abc"} for c in "abc"
    }
    assert least_support(Fraction(1, 20), read_prices(complete, None)) == Fraction(1, 20)


def test_the_least_support_is_a_share_that_a_user_could_give() -> None:
    dear = Prices(matrix=((Fraction(0), Fraction(1, 1000)),) * 2)
    assert least_support(Fraction(1, 2), dear) < 1
    long = Prices(matrix=((Fraction(0), Fraction(10**18 - 1, 10**17)),) * 2)
    share = least_support(Fraction(1, 10**30 + 1), long)
    assert share.denominator <= 10**18
    assert share <= Fraction(1, 10**30 + 1)
    model = RuleListClassifier(0.5, cost_matrix=[[0, 0.1], [0.1, 0]])
    assert model.fit([[3], [4], [5]] * 4, [0, 1, 1] * 4).status_ == "optimal"
