"""Constraints, prices and cost matrices: the engine's optimum is still that of brute force."""

from __future__ import annotations

from random import Random

import constrained_oracle
import pytest
from constrained_problems import Constrained
from quick import few_quick

from surelist import _core

BOUNDS = _core.bound_names()
SEEDS_PER_CHUNK = 60


@pytest.mark.parametrize("chunk", few_quick(range(20), 4))
def test_optimum_under_constraints(chunk: int) -> None:
    for seed in range(chunk * SEEDS_PER_CHUNK, (chunk + 1) * SEEDS_PER_CHUNK):
        case = Constrained.draw(seed)
        expected = constrained_oracle.optimum(case.data, case.demands)
        assert constrained_oracle.optimum_by_sets(case.data, case.demands) == expected
        random = Random(seed)
        for symmetry in _core.symmetry_names():
            case.check(expected, symmetry=symmetry)
            case.check(expected, symmetry=symmetry, beam_width=0)
        for _ in range(8):
            case.check(
                expected,
                bounds=[name for name in BOUNDS if random.random() < 0.7],
                policy=random.choice(_core.policy_names()),
                symmetry=random.choice(_core.symmetry_names()),
                beam_width=random.choice([0, 3]),
                n_jobs=random.choice([1, 2]),
                memory_limit=random.choice([None, 200_000]),
            )


def test_the_cases_have_every_kind_of_constraint() -> None:
    cases = [Constrained.draw(seed) for seed in range(200)]
    demands = [case.demands for case in cases]
    assert any(d.first and d.required and d.rule_label is not None for d in demands)
    assert any(d.forbidden for d in demands)
    assert any(len(set(d.prices)) > 1 for d in demands)
    assert any(constrained_oracle.optimum(c.data, c.demands) > 1 for c in cases)
