"""The fast checker and the reference give the same verdict, on everything."""

from __future__ import annotations

import copy
import pickle
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from types import FrameType
from typing import Any

import certify
import forge
import mutate
import numpy as np
import pytest

from surelist import (
    RuleListClassifier,
    SurelistError,
    VerificationError,
    _checker,
    checker,
    verify,
)
from surelist.checker import DataError
from surelist.datasets import load_breast_cancer


def reasons(data: bytes, case: certify.Case) -> dict[str, str]:
    """What each checker says; nothing where it accepts."""
    found = {}
    for name in ("reference", "fast"):
        try:
            verify(data, case.columns, case.y, sample_weight=case.sample_weight, checker=name)
            found[name] = ""
        except VerificationError as error:
            found[name] = str(error)
    return found


@pytest.mark.slow
def test_proofs_are_accepted_by_both_with_the_same_counts() -> None:
    for seed in range(60):
        case = certify.prove(certify.draw(seed), seed)
        if case is None:
            continue
        data = certify.to_bytes(case)
        given: dict[str, Any] = {"sample_weight": case.sample_weight}
        found = verify(data, case.columns, case.y, checker="fast", **given)
        assert found.checker == "fast"
        assert found == checker.verify(data, case.columns, case.y, **given)
        assert verify(data, case.columns, case.y, checker="both", **given).checker == "both"


@pytest.mark.slow
def test_mutants_and_forgeries_meet_the_same_verdict() -> None:
    """`mutate` and `forge` ask both checkers; here each is asked alone, and its words compared."""
    outcomes: Counter[str] = Counter()
    rng = np.random.default_rng(0)
    for seed in range(40):
        proven = certify.prove(certify.draw(seed), seed)
        if proven is None or not proven.closed:
            continue
        for mutation in (mutate.drop_prefix, mutate.change_prefix, mutate.raise_lower_bound):
            mutant = mutation(copy.deepcopy(proven), rng)
            if mutant is None:
                continue
            said = reasons(mutant.data, mutant.case)
            assert bool(said["fast"]) == bool(said["reference"]), (seed, said)
            outcomes["same words"] += said["fast"] == said["reference"]
            outcomes["refused" if said["fast"] else "accepted"] += 1
    assert outcomes["refused"] > 30
    assert outcomes["accepted"] > 5
    assert outcomes["same words"] > 0.8 * (outcomes["refused"] + outcomes["accepted"])


def numbers(seed: int, m: int = 12, groups: int = 40) -> dict[str, Any]:
    """A problem as the compiled checker takes it."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([2, 2, 3]))
    price = int(rng.integers(0, 30))
    prices = [price] * m if rng.random() < 0.5 else rng.integers(0, 30, m).tolist()
    return {
        "captures": (rng.random((groups, m)) < 0.4).astype(np.uint8),
        "costs": rng.integers(0, 60, (groups, n)) * int(rng.choice([1, 7, 10**6])),
        "factor": 1,
        "prices": prices,
        "target": 0,
        "longest": m,
        "limited": False,
        "labels": list(range(n)),
        "required": [],
        "forbidden": [],
        "first": [],
    }


def all_pairs(m: int) -> bytes:
    return certify.encode([(), *((a, b) for a in range(m) for b in range(m) if a != b)])


def test_both_ways_of_counting_find_the_same() -> None:
    """By rows and by binary digits: the same first child that nothing justifies, for any target."""
    found: Counter[bool] = Counter()
    for seed in range(40):
        problem = numbers(seed)
        total = int(problem["costs"].sum())
        for share in (0.2, 0.3, 0.4, 0.45, 0.5, 0.6):
            problem["target"] = int(total * share / problem["costs"].shape[1])
            said = []
            for counting in ("rows", "digits"):
                proof = _checker.Proof(**problem, counting=counting)
                proof.read(all_pairs(12))
                said.append((proof.check(1, None), proof.n_states))
            assert said[0] == said[1], (seed, share)
            found[said[0][0] is None] += 1
    assert min(found[True], found[False]) > 10


@pytest.mark.slow
def test_threads_report_the_same() -> None:
    data = load_breast_cancer()
    model = RuleListClassifier(Fraction("0.01"), max_clauses=1, certificate=True)
    proof = model.fit(data.X, data.y).certificate_
    closed = forge.closed_prefixes(proof.to_bytes())
    kept = [path for i, path in enumerate(closed) if i % 50 or not path]
    header = {**proof.header, "counts": {"closed_prefixes": len(kept)}}
    broken = certify.assemble(header, [kept])
    found = checker.verify(proof, data.X, data.y)
    assert found.n_states > 200
    said = set()
    for n_jobs in (1, 2, 5):
        assert verify(proof, data.X, data.y, n_jobs=n_jobs) == found
        with pytest.raises(VerificationError) as refused:
            verify(broken, data.X, data.y, n_jobs=n_jobs)
        said.add(str(refused.value))
    assert len(said) == 1


# Numbers that are too large.


def heavy() -> tuple[bytes, dict[str, Any]]:
    """A proof whose sums are beyond 62 bits."""
    X, y = [[0], [1]] * 10, [0, 1] * 9 + [1, 0]
    weights = [float(10**13 + 1)] * 20
    model = RuleListClassifier(0.01, certificate=True, cost_matrix=[[0, 1000], [1000, 0]])
    proof = model.fit(X, y, weights).certificate_.to_bytes()
    return proof, {"X": X, "y": y, "sample_weight": weights}


def test_what_verify_raises_is_an_error_of_the_package_and_of_the_checker() -> None:
    model = RuleListClassifier(certificate=True).fit([[0], [1]] * 10, ["no", "yes"] * 10)
    proof = model.certificate_
    for raised, data in ((VerificationError, [[1], [0]] * 10), (DataError, [[0], [1]])):
        for ask in (proof.verify, lambda X, y, of=proof: verify(of, X, y)):
            with pytest.raises(raised) as caught:
                ask(data, ["no", "yes"] * 10)
            assert isinstance(caught.value, SurelistError)
            assert isinstance(caught.value, ValueError)
            assert pickle.loads(pickle.dumps(caught.value)).args == caught.value.args
            with pytest.raises(raised) as alone:
                checker.verify(proof, data, ["no", "yes"] * 10)
            assert str(alone.value) == str(caught.value)
            assert not isinstance(alone.value, SurelistError)


def test_beyond_62_bits_the_reference_takes_over() -> None:
    proof, given = heavy()
    assert verify(proof, **given).checker == "reference"
    for name in ("fast", "both"):
        with pytest.raises(
            DataError, match=r"beyond the fast checker's 62 bits: use the reference"
        ):
            verify(proof, **given, checker=name)


@pytest.mark.parametrize(
    "change",
    [
        {"costs": np.full((40, 2), 2**61)},
        {"costs": np.full((40, 2), 3), "factor": 2**60},
        {"prices": [2**58] * 12},
        {"target": 2**60},
    ],
)
def test_the_compiled_checker_refuses_what_might_overflow(change: dict[str, Any]) -> None:
    problem = numbers(0) | {"costs": np.ones((40, 2), np.int64), "labels": [0, 1]} | change
    with pytest.raises(OverflowError, match=r"beyond 6[23] bits"):
        _checker.Proof(**problem)


@pytest.mark.parametrize(
    "change",
    [
        {"costs": np.full((40, 2), -1)},
        {"prices": [-1] * 12},
        {"prices": [1] * 11},
        {"required": [12]},
        {"required": [3], "forbidden": [3]},
        {"required": list(range(12)) * 6},
        {"labels": []},
        {"labels": [2]},
        {"first": [12]},
        {"target": -1},
        {"costs": np.ones((39, 2), np.int64)},
    ],
)
def test_the_compiled_checker_refuses_what_does_not_fit(change: dict[str, Any]) -> None:
    problem = numbers(0) | {"costs": np.ones((40, 2), np.int64), "labels": [0, 1]} | change
    with pytest.raises(ValueError):  # noqa: PT011 - which of them, the words say
        _checker.Proof(**problem)


def test_without_the_compiled_module_the_reference_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "surelist._checker", None)
    monkeypatch.delattr("surelist._checker", raising=False)
    case = certify.prove(certify.draw(0), 0)
    assert case is not None
    data = certify.to_bytes(case)
    given: dict[str, Any] = {"sample_weight": case.sample_weight}
    assert verify(data, case.columns, case.y, **given).checker == "reference"
    with pytest.raises(DataError, match=r"the fast checker is not installed: use the reference"):
        verify(data, case.columns, case.y, **given, checker="fast")


@pytest.mark.parametrize("given", [{"checker": "quick"}, {"n_jobs": 0}, {"n_jobs": True}])
def test_odd_options_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(DataError, match=r"there is no checker 'quick'|n_jobs is"):
        verify(b"", [[0]], [0], **given)


# Blocks.


@pytest.mark.slow
def test_damaged_blocks_are_refused_by_both_readers() -> None:
    rng = np.random.default_rng(1)
    problem, refused = numbers(0), 0
    for _ in range(3000):
        block = bytearray(certify.encode([(), (1,), (1, 2), (3, 4, 5)]))
        for _ in range(int(rng.integers(1, 4))):
            block[int(rng.integers(len(block)))] = int(rng.integers(256))
        block = block[: int(rng.integers(1, len(block) + 1))]
        said = []
        for read in (read_by_reference, read_compiled):
            try:
                said.append(str(read(bytes(block), problem)))
            except (VerificationError, ValueError):
                said.append("refused")
        assert said[0] == said[1], bytes(block)
        refused += said[0] == "refused"
    assert 1000 < refused < 3000


def read_by_reference(block: bytes, _: Any) -> int:
    data = certify.seal(b"surelist certificate 1\n{}\n" + certify.block(block))
    return sum(1 for _ in checker._prefixes(data, 12, 12))


def read_compiled(block: bytes, problem: dict[str, Any]) -> int:
    proof = _checker.Proof(**problem)
    proof.read(block)
    return proof.n_closed


# A long check can be watched, and ended.


@pytest.fixture(scope="module")
def long() -> Any:
    """A proof that takes a while: every sequence of three out of many, for a target of nothing."""
    m = 110
    problem = numbers(2, m, 600) | {"prices": [0] * m, "target": 1, "required": [0], "first": [0]}
    problem["costs"] = np.tile([[0, 1], [1, 0], [0, 2]], (200, 1))
    problem["labels"] = [0, 1]
    proof = _checker.Proof(**problem)
    for a in range(m):
        proof.read(certify.encode([(a, b, c) for b in range(0, m, 3) for c in range(b, m, 3)]))
    proof.read(certify.encode([()]))
    return proof


def test_progress_is_reported(long: Any) -> None:
    seen: list[int] = []
    long.check(2, seen.append)
    assert seen == sorted(seen)
    assert all(0 <= done <= long.n_states for done in seen)


def test_what_the_watcher_raises_ends_the_check(long: Any) -> None:
    def watch(_: int) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        long.check(2, watch)


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    def ring(_: int, __: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="needs a signal that can be timed")
def test_an_interrupt_ends_the_check(long: Any) -> None:
    began = time.process_time()
    with pytest.raises(KeyboardInterrupt), alarm(0.005):
        long.check(1, None)
    assert time.process_time() - began < 20
    assert long.check(1, None) == long.check(2, None)  # nothing is left behind
