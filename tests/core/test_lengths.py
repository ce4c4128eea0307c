"""The proof by length: stages of 1, 2, 3, … rules, beside the tree or without it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import certify
import forge
import numpy as np
import oracle
import pytest
from expected_optimum import BOUND_SETS, Expected
from strategies import Case, random_case

from surelist import RuleListClassifier, UncertifiedWarning, VerificationError, _core, verify

ALONE: dict[str, Any] = {"by_length": True, "without_tree": True}


def random_cases(first: int, n: int) -> list[Case]:
    return [random_case(seed) for seed in range(first, first + n)]


def hard_problem(seed: int = 0, classes: int = 2, rows: int = 400) -> _core.Problem:
    rng = np.random.default_rng(seed)
    features = rng.random((rows, 40)) < rng.uniform(0.2, 0.6, 40)
    pairs = [features[:, i] & features[:, j] for i in range(40) for j in range(i)]
    captures = np.column_stack([features, *pairs]).astype(np.uint8)
    labels = (captures[:, :7].sum(axis=1) + rng.integers(0, 3, rows)) % classes
    return _core.Problem(captures, labels.astype(np.int32), None, classes)


@pytest.mark.parametrize("seed", range(0, 400, 40))
def test_stages_alone_find_the_optimum(seed: int) -> None:
    for case in random_cases(seed, 40):
        expected = Expected(case)
        expected.check(**ALONE, beam_width=0)
        expected.check(**ALONE, bounds=BOUND_SETS[(seed + case.n_antecedents) % len(BOUND_SETS)])


@pytest.mark.parametrize("bounds", BOUND_SETS, ids=lambda names: str(len(names)))
def test_with_any_bound_switched_off(bounds: list[str]) -> None:
    for case in random_cases(1000, 6):
        Expected(case).check(**ALONE, bounds=bounds, beam_width=0)


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("max_length", [0, 1, 2, 3])
def test_a_longest_length_holds(max_length: int, n_jobs: int) -> None:
    for case in random_cases(2000, 25):
        Expected(case, max_length).check(**ALONE, n_jobs=n_jobs, beam_width=0)


def listed_problem(classes: int) -> _core.Problem:
    """Labels by a list of three rules, one in ten at random."""
    rng = np.random.default_rng(3)
    features = rng.random((300, 12)) < rng.uniform(0.1, 0.7, 12)
    pairs = [features[:, i] & features[:, j] for i in range(12) for j in range(i)]
    captures = np.column_stack([features, *pairs]).astype(np.uint8)
    last = np.where(features[:, 3], classes - 1, 0)
    labels = np.where(features[:, 0], 1, np.where(features[:, 1] & features[:, 2], 0, last))
    noise = rng.random(300) < 0.1
    labels = np.where(noise, rng.integers(0, classes, 300), labels)
    return _core.Problem(captures, labels.astype(np.int32), None, classes)


@pytest.mark.parametrize("classes", [2, 3])
def test_lengths_that_are_settled_are_not_searched_again(classes: int) -> None:
    evaluated, objectives = {}, set()
    for settled in (True, False):
        bounds = [name for name in _core.bound_names() if settled or name != "settled_lengths"]
        search = _core.Search(listed_problem(classes), "0.01", bounds=bounds, **ALONE)
        assert search.run() == "optimal"
        evaluated[settled] = search.counters["lower_bound_evaluations"]
        objectives.add(search.objective)
    assert len(objectives) == 1
    assert evaluated[True] < evaluated[False]


def test_the_tree_skips_lengths_that_are_settled() -> None:
    for case in random_cases(5000, 60):
        expected = Expected(case)
        for work in (500, 5000):
            search = _core.Search(
                case.problem(), case.regularization, by_length=True, beam_width=0, work_limit=work
            )
            while search.run() != "optimal":
                pass
            assert Fraction(search.objective, search.scale) == expected.optimum


def test_what_is_proven_of_short_lists_is_true() -> None:
    proven = set()
    for seed, case in enumerate(random_cases(3000, 60)):
        search = _core.Search(
            case.problem(),
            case.regularization,
            **ALONE,
            beam_width=0,
            work_limit=1 + 40 * (seed % 20),
        )
        while search.run() != "optimal":
            length = search.proven_length
            assert length is not None
            least = oracle.optimum(case.data, case.penalty, length)
            assert Fraction(search.objective, search.scale) <= least
            assert Fraction(search.lower_bound, search.scale) <= oracle.optimum(
                case.data, case.penalty
            )
            proven.add(length)
        assert search.proven_length is None
    assert len(proven) > 2


def test_stages_prove_what_the_tree_cannot() -> None:
    search = _core.Search(hard_problem(), "0.005", by_length=True, work_limit=10**9)
    assert search.run() == "work_limit"
    assert search.proven_length is not None
    assert search.proven_length >= 2
    assert search.lower_bound < search.objective


@pytest.mark.parametrize("classes", [2, 3])
def test_counted_work_gives_the_same_result_every_time(classes: int) -> None:
    def outcome() -> tuple[Any, ...]:
        search = _core.Search(hard_problem(1, classes), "0.005", by_length=True, work_limit=10**9)
        counters = (search.run(), search.counters)[1]
        counts = {
            name: counters[name] for name in ("work", "expanded", "evaluated", "improvements")
        }
        return search.status, search.objective, search.prefix, search.proven_length, counts

    assert outcome() == outcome()


def test_a_work_limit_is_kept_to() -> None:
    for limit in (10**6, 10**8, 7 * 10**8):
        search = _core.Search(hard_problem(2), "0.005", by_length=True, work_limit=limit)
        assert search.run() == "work_limit"
        assert limit <= search.counters["work"] <= 1.1 * limit + 10**7


@pytest.mark.parametrize("seed", range(6))
def test_a_search_goes_on_from_its_state(seed: int) -> None:
    for case in random_cases(4000 + 20 * seed, 20):
        expected = Expected(case)
        search = _core.Search(case.problem(), case.regularization, **ALONE, work_limit=3000)
        while search.run() != "optimal":
            state = search.save()
            search = _core.Search(case.problem(), case.regularization, **ALONE, work_limit=20000)
            search.restore(state)
        assert Fraction(search.objective, search.scale) == expected.optimum


def test_constraints_hold_in_every_stage() -> None:
    problem = hard_problem(3, rows=60)
    options: dict[str, Any] = {"first": [5], "required": [9], "forbidden": [0, 1], "max_length": 3}
    tree = _core.Search(problem, "0.02", **options)
    stages = _core.Search(problem, "0.02", **options, **ALONE)
    assert tree.run() == stages.run() == "optimal"
    assert tree.objective == stages.objective
    assert stages.prefix[0] == 5
    assert 9 in stages.prefix
    assert not {0, 1} & set(stages.prefix)


def flooding_table() -> tuple[Any, Any]:
    """Rows whose tree of prefixes has no end in sight, with a short list that is hard to beat."""
    rng = np.random.default_rng(5)
    X = (rng.random((300, 28)) < 0.5).astype(int)
    y = (X[:, 0] & X[:, 1] | X[:, 2] & X[:, 3]) ^ (rng.random(300) < 0.25)
    return X, y


@pytest.fixture(scope="module")
def proven() -> RuleListClassifier:
    X, y = flooding_table()
    with pytest.warns(UncertifiedWarning, match="of up to"):
        return RuleListClassifier(0.014, certificate=True, work_limit=1.2).fit(X, y)


def test_a_certificate_by_length_is_verified(proven: RuleListClassifier) -> None:
    header = proven.certificate_.header
    assert proven.proven_length_ is not None
    assert header["proven_length"] == proven.proven_length_ >= len(proven.rule_list_)
    said = str(verify(proven.certificate_, *flooding_table()))
    assert f"of up to {proven.proven_length_} rules has objective below" in said
    assert f"none of up to {proven.proven_length_} rules" in str(proven.certificate_.summary())


@pytest.fixture(scope="module")
def closed(proven: RuleListClassifier) -> list[certify.Path]:
    return forge.closed_prefixes(proven.certificate_.to_bytes())


def refusal(header: certify.Header, closed: list[certify.Path]) -> str:
    """Why a certificate with these closed prefixes is refused; empty where it is accepted."""
    header = {**header, "counts": {"closed_prefixes": len(closed)}}
    blocks = [closed[at : at + 20_000] for at in range(0, len(closed), 20_000)]
    try:
        verify(certify.assemble(header, blocks), *flooding_table())
    except VerificationError as error:
        return str(error)
    return ""


def test_a_false_claim_by_length_is_refused(
    proven: RuleListClassifier, closed: list[certify.Path]
) -> None:
    header = proven.certificate_.header
    assert refusal(header, closed) == ""
    longer = {**header, "proven_length": header["proven_length"] + 1}
    assert "the proof is not complete" in refusal(longer, closed)
    less = {**header, "objective": str(Fraction(header["objective"]) - Fraction(1, 300))}
    assert "the rule list has the objective" in refusal(less, closed)
    above = {**header, "lower_bound": str(Fraction(header["lower_bound"]) + Fraction(1, 300))}
    assert "lower bound" in refusal(above, closed)
    first = [path for path in closed if len(path) != 1]
    assert "the proof is not complete" in refusal(header, first)
