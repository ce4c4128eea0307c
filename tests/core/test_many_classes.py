"""Three to six classes: what rules of one label each can save never hides the optimum."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import certify
import certify_engine
import constrained_oracle
import numpy as np
import pytest
from certify_engine import check
from constrained_problems import Constrained, draw_demands
from oracle import Data
from quick import few_quick

from surelist import _core
from surelist.checker import VerificationError

BOUNDS = _core.bound_names()
SWITCHES = ("gain_potential", "last_rule", "last_pair")


def draw(seed: int) -> Constrained:
    """A problem with demands: rules that tell some of the classes, and noise."""
    random = Random(seed)
    n_classes, n_antecedents = random.randint(3, 6), random.randint(2, 5)
    rows = [tuple(random.randint(0, 1) for _ in range(n_antecedents)) for _ in range(24)]
    told = [sum(row[: random.randint(1, n_antecedents)]) % n_classes for row in rows]
    labels = [q if random.random() < 0.7 else random.randrange(n_classes) for q in told]
    weights = tuple(random.choice([1, 1, 2, 5]) for _ in rows)
    data = Data(tuple(rows), tuple(labels), weights, n_classes, n_antecedents)
    regularization = random.choice(
        [Fraction(0), Fraction(1, 100), Fraction(1, 50), Fraction(1, 20)]
    )
    unit = random.choice([1, 1, 2])
    demands = draw_demands(random, data, regularization, unit)
    if random.random() < 0.5:  # nothing but a length
        plain = constrained_oracle.Demands((regularization,) * n_antecedents, demands.costs)
        demands = replace(plain, max_length=random.choice([None, 1, 2, 3]))
    return Constrained(data, demands, regularization, unit)


@pytest.mark.parametrize("chunk", few_quick(range(5)))
def test_every_switch_and_policy_gives_the_optimum(chunk: int) -> None:
    for seed in range(chunk * 30, (chunk + 1) * 30):
        case = draw(seed)
        expected = constrained_oracle.optimum(case.data, case.demands)
        for policy in _core.policy_names():
            case.check(expected, policy=policy, beam_width=0)
        for switch in SWITCHES:
            case.check(expected, bounds=[name for name in BOUNDS if name != switch], beam_width=0)
            case.check(expected, bounds=[switch], beam_width=0)
            case.check(expected, bounds=[switch], policy="depth_first", n_jobs=2)
        for kernels in ("baseline", "auto"):
            case.check(expected, kernels=kernels, beam_width=0, symmetry="permutation")


def certificate_case(seed: int) -> certify.Case:
    """A problem of `certify`, with more classes: labels, costs and rule labels drawn anew."""
    case, rng = certify.draw(seed), np.random.default_rng(seed)
    n = int(rng.integers(3, 7))
    classes = [f"c{q}" for q in range(n)]
    told = np.sum(list(case.columns.values()), axis=0) % n
    codes = np.where(rng.random(len(told)) < 0.8, told, rng.integers(0, n, len(told)))
    case.y = [classes[q] for q in codes]
    case.header["classes"] = classes
    case.header["costs"] = certify._costs(rng, n)
    one: Any = [int(rng.integers(n))] if rng.random() < 0.2 else None
    case.header["constraints"]["rule_labels"] = one
    return case


@pytest.mark.parametrize("chunk", few_quick(range(3)))
def test_certificates_verify(chunk: int) -> None:
    for seed in range(chunk * 60, (chunk + 1) * 60):
        options = certify_engine.options(np.random.default_rng(seed))
        case = certify_engine.prove(certificate_case(seed), **options)
        found = check(case)
        optimum = certify.Problem(case).optimum()
        assert optimum is not None
        assert found.lower_bound <= optimum[0] <= found.objective


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(3))
def test_claims_above_the_optimum_are_refused(chunk: int) -> None:
    """A list that is allowed and not optimal is claimed to be, with closed prefixes of any kind."""
    for seed in range(chunk * 40, (chunk + 1) * 40):
        case = certify_engine.prove(certificate_case(seed))
        problem = certify.Problem(case)
        optimum = problem.optimum()
        assert optimum is not None
        m, limit = len(case.header["antecedents"]), case.header["constraints"]["max_length"]
        longest = 3 if limit is None else min(3, limit)
        every = [path for k in range(min(m, longest) + 1) for path in permutations(range(m), k)]
        lists = [(problem.objective(path, *problem.labels(path)), path) for path in every]
        worse = [(value, path) for value, path in lists if value > optimum[0]]
        allowed = sorted(pair for pair in worse if problem.allows(pair[1]))
        if not allowed:
            continue
        value, path = allowed[0]
        labels, default = problem.labels(path)
        chosen = {"prefix": list(path), "labels": labels, "default_label": default}
        case.header |= {"rule_list": chosen, "objective": str(value), "lower_bound": str(value)}
        first, forbidden = (case.header["constraints"][key] for key in ("first", "forbidden"))
        silent = [
            prefix
            for found, prefix in lists
            if found >= value
            and prefix[: len(first)] == tuple(first)
            and not {*prefix} & {*forbidden}
        ]
        for closed in ([], [tuple(first)], case.closed, silent):
            case.closed = list(closed)
            case.header["counts"] = {"closed_prefixes": len(case.closed)}
            with pytest.raises(VerificationError, match=r"not complete|is itself a rule"):
                check(case)


def test_labels_alone_bound_many_classes() -> None:
    """Ten classes, one antecedent each: two rules and a default leave seven of them lost."""
    captures = np.repeat(np.eye(10, dtype=np.uint8), 5, axis=0)
    labels = np.repeat(np.arange(10, dtype=np.int32), 5)
    problem = _core.Problem(captures, labels, np.ones(50, np.int64), 10)
    search = _core.Search(problem, "0.01", max_length=2)
    assert search.run() == "optimal"
    assert Fraction(search.objective, search.scale) == Fraction(7, 10) + Fraction(2, 100)
    assert search.counters["expanded"] == 0  # the empty prefix alone is excluded
