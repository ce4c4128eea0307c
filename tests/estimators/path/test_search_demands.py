"""Paths with demands and costs against brute force over all lists that are allowed."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from cli_helpers import run
from constrained_oracle import Demands, allowed_prefixes, objective
from oracle import Data

from surelist import (
    InputError,
    RegularizationPath,
    RuleListClassifier,
    RuleListClassifierCV,
    UncertifiedWarning,
    regularization_path,
)

KINDS = ("first", "required", "forbidden", "costs", "clauses", "dnf", "matrix")


@dataclass(frozen=True)
class Case:
    """A problem, what is asked of its lists, and that in the words of the estimator."""

    data: Data
    demands: Demands
    parameters: dict[str, Any]
    kinds: frozenset[str]

    def path(self, **more: Any) -> RegularizationPath:
        X = np.array(self.data.captures, np.uint8)
        return regularization_path(
            X,
            np.array(self.data.labels),
            sample_weight=np.array(self.data.weights),
            max_clauses=1,
            **{"smallest": 0, **self.parameters, **more},
        )

    def lines(self) -> set[tuple[int, Fraction, Fraction]]:
        """Length, cost and loss of every list that is allowed."""
        found = set()
        for prefix in allowed_prefixes(self.data, self.demands):
            cost = sum((self.demands.prices[s] for s in prefix), Fraction(0))
            loss = objective(self.data, self.demands, prefix) - cost
            found.add((len(prefix), cost, loss))
        return found


def _data(random: Random) -> Data:
    """Draw antecedents that all capture something, and no two the same."""
    n_antecedents, n_rows = random.randrange(2, 5), random.randrange(6, 13)
    columns: list[tuple[int, ...]] = []
    while len(columns) < n_antecedents:
        column = tuple(random.randrange(2) for _ in range(n_rows))
        if any(column) and not all(column) and column not in columns:
            columns.append(column)
    labels = [0, 1, *(random.randrange(2) for _ in range(n_rows - 2))]
    weights = tuple(random.randrange(1, 4) for _ in range(n_rows))
    return Data(tuple(zip(*columns, strict=True)), tuple(labels), weights, 2, n_antecedents)


def _case(seed: int) -> Case:
    random = Random(seed)
    data = _data(random)
    kinds = frozenset(kind for kind in KINDS if random.random() < 0.35)
    names = [f"x{s}" for s in range(data.n_antecedents)]
    order = random.sample(range(data.n_antecedents), data.n_antecedents)
    first = tuple(order[: random.randrange(1, 3)]) if "first" in kinds else ()
    required = frozenset(order[1 : random.randrange(2, 4)]) if "required" in kinds else frozenset()
    rest = set(order) - set(first) - required
    forbidden = frozenset(list(rest)[:1]) if "forbidden" in kinds else frozenset()
    prices = [Fraction(1)] * data.n_antecedents
    parameters: dict[str, Any] = {
        "first": [names[s] for s in first] or None,
        "required": [names[s] for s in sorted(required)] or None,
        "forbidden": [names[s] for s in forbidden] or None,
        "dnf": 1 if "dnf" in kinds else None,
    }
    if "costs" in kinds:
        of = [Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(2), Fraction(7, 5)]
        prices = [random.choice(of) for _ in names]
        parameters["antecedent_costs"] = dict(zip(names, prices, strict=True))
    elif "clauses" in kinds:  # of one clause each: they cost 1
        parameters["antecedent_costs"] = "clauses"
    costs = ((Fraction(0), Fraction(1)), (Fraction(1), Fraction(0)))
    if "matrix" in kinds:
        costs = ((Fraction(0), Fraction(3, 2)), (Fraction(4), Fraction(0)))
        parameters["cost_matrix"] = costs
    demands = Demands(
        tuple(prices), costs, 1 if "dnf" in kinds else None, first, required, forbidden
    )
    return Case(data, demands, parameters, kinds)


def _check(case: Case) -> None:
    path, lines = case.path(), case.lines()
    assert path.status == "optimal"
    assert path.certified
    crossings = {
        (loss - other_loss) / (other - cost)
        for _, cost, loss in lines
        for _, other, other_loss in lines
        if other != cost
    }
    places = {at for segment in path for at in (segment.start, segment.stop)}
    places |= {at for at in crossings if path.smallest <= at <= path.largest}
    ordered = sorted(places)
    for at in [*ordered, *((a + b) / 2 for a, b in pairwise(ordered))]:
        least = min(loss + at * cost for _, cost, loss in lines)
        assert path.objective_at(at) == path.lower_bound_at(at) == least
    # From its end on the cheapest lists are optimal, whatever λ.
    _, cost, loss = min(lines, key=lambda line: line[1:])
    assert path.objective_at(path.largest) == loss + path.largest * cost
    for left, right in pairwise(path):
        assert left.stop == right.start
        assert left.cost > right.cost
        assert left.objective(left.stop) == right.objective(left.stop)
    frame = path.to_frame()
    assert len(frame) == len(path)


@pytest.mark.parametrize("start", range(0, 240, 40))
def test_paths_with_demands_are_the_envelope(start: int) -> None:
    for seed in range(start, start + 40):
        _check(_case(seed))


def test_the_cases_have_every_kind_of_demand() -> None:
    drawn = [_case(seed).kinds for seed in range(240)]
    for kind in KINDS:
        assert sum(kind in kinds for kinds in drawn) > 50
    free = [_case(seed).demands.prices for seed in range(240)]
    assert sum(0 in prices for prices in free) > 20


@pytest.mark.parametrize("start", range(0, 160, 40))
def test_the_least_loss_of_each_length_under_demands(start: int) -> None:
    for seed in range(start, start + 40):
        case = _case(seed)
        lines = case.lines()
        shortest = min(length for length, _, _ in lines)
        table = case.path().best_loss_by_length(case.data.n_antecedents + 1)
        assert table.certified
        assert [row.length for row in table] == list(range(shortest, case.data.n_antecedents + 2))
        for row in table:
            assert row is table[row.length]
            assert row.loss == min(loss for length, _, loss in lines if length <= row.length)
        if shortest > 0:
            with pytest.raises(IndexError, match="no list is shorter than"):
                table[shortest - 1]


@pytest.mark.parametrize("seed", range(0, 60, 5))
def test_a_path_cut_short_has_bounds_that_hold(seed: int) -> None:
    case = _case(seed)
    lines = case.lines()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        path = case.path(max_prefixes=1)
    for number in range(21):
        at = path.smallest + (path.largest - path.smallest) * Fraction(number, 20)
        least = min(loss + at * cost for _, cost, loss in lines)
        assert path.lower_bound_at(at) <= least <= path.objective_at(at)


@pytest.mark.slow
def test_each_segment_is_what_the_estimator_finds() -> None:
    from surelist.datasets import load_breast_cancer

    data = load_breast_cancer()
    parameters: dict[str, Any] = {
        "max_clauses": 2,
        "first": ["x3"],
        "antecedent_costs": "clauses",
    }
    path = regularization_path(data.X, data.y, smallest=0.02, **parameters)
    assert path.certified
    assert len(path) > 1
    for segment in path:
        middle = (segment.start + segment.stop) / 2
        model = RuleListClassifier(middle, **parameters).fit(data.X, data.y)
        assert model.objective_exact_ == path.objective_at(middle)
        assert str(segment.rule_list).startswith("if (x3) ")


def test_searches_in_other_processes() -> None:
    case = next(case for case in map(_case, range(100)) if {"first", "costs"} <= case.kinds)
    assert [part.start for part in case.path(n_jobs=2)] == [part.start for part in case.path()]


def test_demands_that_contradict_each_other_are_refused() -> None:
    X, y = np.array([[0, 1], [1, 0], [1, 1], [0, 0]] * 5, np.uint8), [0, 1, 1, 0] * 5
    with pytest.raises(InputError, match="max_length"):
        regularization_path(X, y, required=["x0", "x1"], max_length=1)
    path = regularization_path(X, y, required=["x0", "x1"], max_clauses=1)
    with pytest.raises(InputError, match="every list has the 2 antecedents"):
        path.best_loss_by_length(1)


def test_the_command_takes_demands(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("a,b,label\n" + "0,1,no\n1,0,yes\n1,1,yes\n0,0,no\n" * 10)
    demands = ["--first", "b", "--antecedent-cost", "a=2"]
    told = run(capfd, "path", rows, "--label", "label", "--json", *demands)
    assert told.code == 0, told.err
    found = json.loads(told.out)
    assert found["status"] == "optimal"
    assert all(part["text"][0].startswith("if (b)") for part in found["segments"])


@pytest.mark.parametrize(
    "demands",
    [
        {"first": ["x3"]},
        {"required": ["x3"], "regularizations": 3},
        {"antecedent_costs": {"x0": 0.1, "x1": 0.1, "x2": 0.05}},
        {"cost_matrix": [[0, 5], [9, 0]]},
    ],
)
def test_cross_validation_takes_them(demands: dict[str, Any]) -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (211, 4), dtype=np.uint8)
    y = ((X[:, 0] | (X[:, 1] & X[:, 2])) ^ (rng.random(211) < 0.2)).astype(int)
    given = {"regularizations": "path", "cv": 3, "max_clauses": 1, **demands}
    model = RuleListClassifierCV(**given).fit(X, y)
    assert model.status_ == "optimal"
    assert (np.diff(model.regularizations_) > 0).all()
    if "first" in demands:
        assert str(model.rule_list_).startswith("if (x3) ")


def test_costs_of_too_many_digits_are_refused() -> None:
    X, y = np.array([[0, 1], [1, 0], [1, 1], [0, 0]] * 5, np.uint8), [0, 1, 1, 0] * 5
    long = {"x0": 0.123456789012345}
    with pytest.raises(InputError, match="too many digits"):
        regularization_path(X, y, smallest=0.0123456789, antecedent_costs=long)
    with pytest.raises(InputError, match="too many digits"):
        RuleListClassifier(0.0123456789, antecedent_costs=long).fit(X, y)
    # Between ends that are short, a breakpoint may be too long; then its neighbours say so.
    far = {"x0": 1 + Fraction(1, 10**9 + 7), "x1": 1 + Fraction(1, 998_244_353)}
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 2, (211, 2), dtype=np.uint8)
    labels = (rows[:, 0] | rows[:, 1]) ^ (rng.random(211) < 0.2)
    with pytest.warns(UncertifiedWarning, match="too many digits"):
        path = regularization_path(rows, labels, smallest=0, max_clauses=1, antecedent_costs=far)
    assert path.status == "precision"
    assert 0 < path.gap < 0.2
