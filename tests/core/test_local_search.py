"""The first rule list, by beam and local search: an allowed list, as good as it says, repeatable.

The exact search stops after one prefix here, so that what it returns is what they have found.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import constrained_oracle
import numpy as np
import oracle
import pytest
from constrained_problems import Constrained
from strategies import random_case

from surelist import _core

FIRST: dict[str, Any] = {"by_length": True, "beam_width": 1, "max_prefixes": 1}
SEEDS_PER_CHUNK = 50
MISSED = 0.02  # share of tiny problems whose optimum may be missed


def objective(search: _core.Search) -> Fraction:
    return Fraction(search.objective, search.scale)


def noisy_problem(seed: int, classes: int = 3, factor: int = 1) -> _core.Problem:
    """Labels that follow a list of four rules, with noise; `factor` on all weights."""
    rng = np.random.default_rng(seed)
    captures = (rng.random((400, 70)) < 0.3).astype(np.uint8)
    labels = np.full(400, classes - 1, dtype=np.int32)
    for rule, antecedent in enumerate([3, 20, 41, 60]):
        labels[captures[:, antecedent] == 1] = rule % classes
    noise = rng.random(400) < 0.15
    labels[noise] = rng.integers(0, classes, size=int(noise.sum()))
    weights = rng.integers(1, 5, size=400) * factor
    return _core.Problem(captures, labels, weights, classes)


@pytest.mark.parametrize("chunk", range(4))
def test_finds_what_brute_force_finds(chunk: int) -> None:
    missed = 0
    for seed in range(chunk * SEEDS_PER_CHUNK, (chunk + 1) * SEEDS_PER_CHUNK):
        case = random_case(seed)
        best = oracle.optimum(case.data, case.penalty)
        search = _core.Search(case.problem(), case.regularization, **FIRST)
        search.run()
        again = oracle.objective(
            case.data, case.penalty, search.prefix, search.labels, search.default_label
        )
        assert objective(search) == again >= best, (seed, search.prefix)
        missed += again > best
    assert missed <= MISSED * SEEDS_PER_CHUNK


@pytest.mark.parametrize("chunk", range(4))
def test_lists_are_allowed(chunk: int) -> None:
    missed = 0
    for seed in range(chunk * SEEDS_PER_CHUNK, (chunk + 1) * SEEDS_PER_CHUNK):
        case = Constrained.draw(seed)
        best = constrained_oracle.optimum(case.data, case.demands)
        search = case.search(**FIRST)
        search.run()
        assert case.demands.allow(search.prefix), (case, search.prefix)
        if case.demands.rule_label is not None:
            assert set(search.labels) <= {case.demands.rule_label}
        again = constrained_oracle.objective(case.data, case.demands, search.prefix)
        assert objective(search) == again >= best, (case, search.prefix)
        missed += again > best
    assert missed <= MISSED * SEEDS_PER_CHUNK


@pytest.mark.parametrize("classes", [2, 3, 7])
def test_finds_the_rules_that_made_the_labels(classes: int) -> None:
    for seed in range(5):
        problem = noisy_problem(seed, classes)
        search = _core.Search(problem, "0.01", **FIRST)
        search.run()
        made = _core.Search(problem, "0.01", initial_rule_list=[60, 41, 20, 3], beam_width=0)
        assert objective(search) <= objective(made)


def test_the_same_seed_gives_the_same_list() -> None:
    problem = noisy_problem(0)
    for random_state in (0, 1, 2):
        lists = []
        for kernels in ("auto", "baseline", "auto"):
            search = _core.Search(
                problem, "0.002", random_state=random_state, kernels=kernels, **FIRST
            )
            search.run()
            lists.append(search.prefix)
        assert lists[0] == lists[1] == lists[2]


@pytest.mark.parametrize("factor", [1, 1 << 20, 1 << 48])
@pytest.mark.parametrize("classes", [2, 3])
def test_large_weights_do_not_matter(factor: int, classes: int) -> None:
    """Prices are rounded where weights are large; lists are not assessed by them."""
    search = _core.Search(noisy_problem(1, classes, factor), "0.01", **FIRST)
    search.run()
    small = _core.Search(noisy_problem(1, classes), "0.01", **FIRST)
    small.run()
    assert objective(search) == objective(small)
