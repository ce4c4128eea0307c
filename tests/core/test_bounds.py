"""Each bound does prune where it is alone, and is silent where it is switched off."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import oracle
import pytest
from strategies import Case, random_case

from surelist import _core

SEEDS = range(60)
# What a bound cannot show itself without: rejection hands on what others reject, and the last two
# rules are those before the last one.
NEEDS = {
    "rejection": ["support"],
    "equivalent_points": ["hierarchical"],
    "last_pair": ["last_rule"],
}
# Need larger problems, the proof by length, or looks at last rules: test_pair_count.py,
# test_lengths.py, test_similar_sets.py.
ELSEWHERE = {"pair_count", "settled_lengths", "similar_sets"}
BOUNDS = [name for name in _core.bound_names() if name not in ELSEWHERE]


def run(case: Case, bounds: list[str]) -> _core.Search:
    search = _core.Search(
        case.problem(), case.regularization, bounds=bounds, symmetry="none", beam_width=0
    )
    assert search.run() == "optimal"
    assert Fraction(search.objective, search.scale) == oracle.optimum(case.data, case.penalty)
    return search


@pytest.mark.parametrize("bound", BOUNDS)
def test_alone_it_prunes_and_never_the_optimum(bound: str) -> None:
    needs = NEEDS.get(bound, [])
    work_with = work_without = pruned = 0
    for seed in SEEDS:
        case = random_case(seed)
        on = run(case, [*needs, bound])
        off = run(case, needs)
        pruned += on.pruned[bound]
        work_with += on.counters["lower_bound_evaluations"]
        work_without += off.counters["lower_bound_evaluations"]
        silent = set(on.pruned) - {bound, *needs}
        assert all(on.pruned[name] == 0 for name in silent)
        assert off.pruned[bound] == 0
    assert work_with <= work_without
    if bound == "rejection":  # it spares children from being looked at, rather than pruning them
        assert pruned == 0
    elif bound != "length_trivial":  # what it cuts off has no children anyway
        assert pruned > 0
        assert work_with < work_without


def test_rejection_spares_children_from_being_looked_at_again() -> None:
    looked_at = {"with": 0, "without": 0}
    for seed in SEEDS:
        case = random_case(seed)
        looked_at["with"] += run(case, ["support", "rejection"]).pruned["support"]
        looked_at["without"] += run(case, ["support"]).pruned["support"]
    assert looked_at["with"] < looked_at["without"]


def test_the_trivial_bound_on_length_cuts_at_the_number_of_antecedents() -> None:
    assert any(run(random_case(s), ["length_trivial"]).pruned["length_trivial"] for s in SEEDS)


def test_of_thousands_of_siblings_only_the_best_are_compared_with() -> None:
    random = np.random.default_rng(0)
    rows, single, pairs = 120, 100, 4500  # more pairs of siblings than are compared
    features = random.random((rows, single)) < 0.4
    first, second = random.integers(0, single, (2, pairs))
    captures = (features[:, first] | features[:, second]).astype(np.uint8)
    labels = (random.random(rows) < 0.5).astype(np.int32)
    problem = _core.Problem(captures, labels, None, 2)
    bounds = _core.bound_names()
    without = [name for name in bounds if name != "one_sided_support"]
    searches = [
        _core.Search(problem, "0.04", max_length=3, bounds=each) for each in (bounds, without)
    ]
    assert [search.run() for search in searches] == ["optimal", "optimal"]
    assert searches[0].objective == searches[1].objective
    assert searches[0].pruned["one_sided_support"] > 0
