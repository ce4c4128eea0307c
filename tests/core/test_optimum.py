"""Whatever is switched on or off, the engine finds exactly the optimum that brute force finds."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import oracle
import pytest
from expected_optimum import BOUND_SETS, BOUNDS, Expected
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from quick import few_quick
from strategies import Case, cases, random_case

from surelist import _core
from surelist.estimators.corels import text_files as corels_text

# Without a map and with many antecedents, these keep the search short.
SHORTENING = ("lookahead", "equivalent_points", "same_label_order", "gain_potential")
CHUNKS = 40  # of seeds, so that two processes share the work evenly
SEEDS_PER_CHUNK = 50


def configurations(bound_sets: Sequence[list[str]]) -> Iterator[dict[str, Any]]:
    """Every set of bounds × policy × symmetry map."""
    for bounds in bound_sets:
        for policy in _core.policy_names():
            for symmetry in _core.symmetry_names():
                yield {"bounds": bounds, "policy": policy, "symmetry": symmetry}


def check_everything(case: Case, seed: int) -> None:
    expected = Expected(case)
    rng = np.random.default_rng(seed)
    default_beam = rng.random(len(BOUND_SETS) * 18) < 0.1
    for options, beam in zip(configurations(BOUND_SETS), default_beam, strict=True):
        # Without the beam the search has to find the optimum by itself.
        expected.check(**options, random_state=seed, **({} if beam else {"beam_width": 0}))


@pytest.mark.parametrize("chunk", few_quick(range(CHUNKS), 3))
def test_every_switch_gives_the_optimum(chunk: int) -> None:
    for seed in range(chunk * SEEDS_PER_CHUNK, (chunk + 1) * SEEDS_PER_CHUNK):
        check_everything(random_case(seed), seed)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(case=cases(), random_state=st.integers(0, 2**31))
def test_every_switch_gives_the_optimum_of_anything_small(case: Case, random_state: int) -> None:
    check_everything(case, random_state)


def random_options(rng: np.random.Generator) -> Iterator[dict[str, Any]]:
    """Every policy × symmetry map, each with bounds chosen at random."""
    for options in configurations([BOUNDS]):
        share = rng.choice([0.0, 0.5, 0.8, 1.0])
        kept = [name for name in BOUNDS if rng.random() < share]
        yield {**options, "bounds": kept, "random_state": int(rng.integers(2**31))}


def random_rule_list(case: Case, rng: np.random.Generator) -> list[int]:
    order = [int(s) for s in rng.permutation(case.n_antecedents)]
    return order[: int(rng.integers(0, case.n_antecedents + 1))]


@pytest.mark.parametrize("max_length", range(4))
@pytest.mark.parametrize("chunk", few_quick(range(4)))
def test_the_longest_prefix_allowed_is_respected(chunk: int, max_length: int) -> None:
    for number in range(60):
        rng = np.random.default_rng([chunk, max_length, number])
        expected = Expected(random_case(int(rng.integers(2**31))), max_length)
        for options in random_options(rng):
            expected.check(**options, beam_width=0)
            expected.check(**options)


def test_a_longer_prefix_does_not_stand_in_for_a_shorter_one() -> None:
    # (3, 0) captures the same as (0) and loses less, but leaves room for one rule fewer: the best
    # list of three rules is (0, 1, 2).
    case = Case(
        captures=((1, 1, 1, 1), (0, 1, 0, 0), (0, 0, 0, 0), (1, 0, 0, 0), (0, 0, 1, 0)),
        labels=(0, 1, 0, 1, 1),
        weights=(1, 2, 2, 2, 2),
        n_classes=2,
        n_antecedents=4,
        regularization="0",
    )
    for max_length in range(5):
        expected = Expected(case, max_length)
        for options in configurations(BOUND_SETS):
            expected.check(**options, beam_width=0)


@pytest.mark.parametrize("max_length", [None, 2])
@pytest.mark.parametrize("chunk", few_quick(range(4)))
def test_a_warm_start_does_not_change_the_optimum(chunk: int, max_length: int | None) -> None:
    for number in range(100):
        rng = np.random.default_rng([chunk, max_length or 0, number])
        expected = Expected(random_case(int(rng.integers(2**31))), max_length)
        for options in random_options(rng):
            start = random_rule_list(expected.case, rng)
            expected.check(**options, beam_width=0, initial_rule_list=start)


@pytest.mark.parametrize("chunk", few_quick(range(8), 2))
def test_more_antecedents_than_all_permutations_allow(chunk: int) -> None:
    # Up to 9 antecedents and 120 groups: with a map, or with the bounds that shorten the search.
    for number in range(40):
        rng = np.random.default_rng([chunk, number])
        case = random_case(int(rng.integers(2**31)), most_antecedents=9, most_rows=120)
        expected = Expected(case)
        for options in random_options(rng):
            if options["symmetry"] == "none":
                options["bounds"] = [b for b in BOUNDS if rng.random() < 0.5 or b in SHORTENING]
            expected.check(**options, beam_width=int(rng.choice([0, 0, 1, 3])))


@pytest.mark.parametrize("chunk", range(4))
def test_weights_beyond_sixteen_bits(chunk: int) -> None:
    # What one more rule can gain is rounded there, and must stay an upper bound.
    for number in range(40):
        rng = np.random.default_rng([chunk, number])
        case = random_case(int(rng.integers(2**31)), most_antecedents=9, most_rows=120)
        unit = int(rng.integers(2, 2 ** int(rng.integers(10, 40))))
        weights = tuple(weight * unit + int(rng.integers(unit)) for weight in case.weights)
        expected = Expected(replace(case, weights=weights))
        for options in random_options(rng):
            if options["symmetry"] == "none":
                options["bounds"] = [b for b in BOUNDS if rng.random() < 0.5 or b in SHORTENING]
            expected.check(**options, beam_width=int(rng.choice([0, 0, 1])))


@pytest.mark.parametrize("copies", [2, 20, 130, 300])
def test_copies_of_antecedents_change_nothing(copies: int) -> None:
    # Many antecedents, so that sets of them take many words, with an optimum that is known.
    for number in range(25):
        rng = np.random.default_rng([copies, number])
        case = random_case(int(rng.integers(2**31)))
        columns = rng.permutation(np.repeat(np.arange(case.n_antecedents), copies))
        captures, labels, weights = case.arrays()
        problem = _core.Problem(captures[:, columns], labels, weights, case.n_classes)
        optimum = oracle.optimum(case.data, case.penalty)
        for policy in _core.policy_names():
            bounds = [name for name in BOUNDS if rng.random() < 0.6]
            search = _core.Search(
                problem, case.regularization, policy=policy, bounds=bounds, beam_width=0
            )
            assert search.run() == "optimal"
            assert Fraction(search.objective, search.scale) == optimum, (policy, bounds)
            prefix = [int(columns[s]) for s in search.prefix]
            recomputed = oracle.objective(
                case.data, case.penalty, prefix, search.labels, search.default_label
            )
            assert recomputed == optimum


@pytest.mark.parametrize(
    ("stem", "regularization", "objective", "length"),
    [
        ("compas/compas_train", "0.02", 0.384463, 1),
        ("compas/compas_train", "0.01", 0.367973, 2),
        ("compas/compas_train", "0.005", 0.348094, 4),
        ("nyclu/weapon_0_train", "0.04", 0.404327, 2),
        ("nyclu/weapon_0_train", "0.01", 0.326934, 3),
    ],
)
def test_known_optima(
    data_dir: Path, stem: str, regularization: str, objective: float, length: int
) -> None:
    data = corels_text.read(data_dir / f"{stem}.out.gz", data_dir / f"{stem}.label.gz")
    problem = _core.Problem(data.captures, data.labels, None, len(data.classes))
    search = _core.Search(problem, regularization)
    assert search.run() == "optimal"
    assert search.lower_bound == search.objective
    assert round(search.objective / search.scale, 6) == objective
    assert len(search.prefix) == length


@pytest.mark.parametrize("fold", range(3))
def test_the_results_that_the_authors_published(data_dir: Path, fold: int) -> None:
    with gzip.open(data_dir / "nyclu" / f"weapon_{fold}_train.csv.gz", "rt") as file:
        table = np.array(list(csv.reader(file))[1:], np.uint8)
    mined = _core.mine(
        table[:, :-1],
        table[:, -1].astype(np.int32),
        None,
        2,
        max_clauses=1,
        negations=True,
        min_support=1,
        max_support=len(table),
    )
    with (data_dir / "nyclu" / "published_results.csv").open() as file:
        published = [row for row in csv.DictReader(file) if row["Fold"] == f"weapon_{fold}"]
    for row in published:
        if row["R"] == "0.0025":  # which they may not have certified
            continue
        search = _core.Search(mined.problem, row["R"])
        assert search.run() == "optimal"
        length = int(row["leaves"]) - 1
        loss = 1 - float(row["train_accuracy"])
        assert len(search.prefix) == length
        assert search.objective / search.scale == pytest.approx(
            loss + float(row["R"]) * length, abs=1e-12
        )
    assert len(published) == 3
