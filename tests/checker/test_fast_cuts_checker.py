"""The compiled checker of proofs over all cuts says what the readable one says, and can be watched.

`forge_cuts` goes through forgeries by both.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from cut_certificates import frame
from cut_oracle import random_table

from surelist import Binarizer, RuleListClassifier, fast_cuts_checker, verify
from surelist.certificate.cut_certificate import pack
from surelist.checker import DataError, VerificationError
from surelist.cuts_checker import Proof


def certified(X: Any, y: Any, **settings: Any) -> RuleListClassifier:
    how: dict[str, Any] = {
        "max_clauses": 1,
        "binarizer": Binarizer(n_cuts="all", min_frequency=0),
    } | settings
    return RuleListClassifier(certificate=True, **how).fit(X, y)


@pytest.mark.slow
def test_both_checkers_agree_on_random_tables() -> None:
    for seed in range(40):
        table = random_table(seed)
        X, y, weights = frame(table), table.labels, table.weights
        model = RuleListClassifier(
            Fraction(table.regularization),
            max_clauses=1,
            max_length=table.max_length if seed % 2 else None,
            binarizer=Binarizer(n_cuts="all", min_frequency=0),
            certificate=True,
        ).fit(X, y, sample_weight=weights)
        found = [
            verify(model.certificate_, X, y, sample_weight=weights, checker=checker)
            for checker in (None, "reference", "both")
        ]
        assert [each.checker for each in found] == ["all cuts, fast", "all cuts", "all cuts, both"]
        assert found[0] == found[1] == found[2], seed  # counts as well


def test_a_disagreement_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.arange(12.0).reshape(12, 1)
    model = certified(X, X[:, 0] // 3 % 2, regularization=0.02)
    monkeypatch.setattr(Proof, "_cover", lambda *_: 0)
    with pytest.raises(VerificationError, match="disagree"):
        verify(model.certificate_, X, X[:, 0] // 3 % 2, checker="both")


@pytest.mark.slow
def test_a_check_says_how_far_it_is_and_can_be_ended() -> None:
    chance = np.random.default_rng(1)
    X, y = chance.integers(0, 12, (20, 2)), chance.integers(0, 2, 20)
    with pytest.warns(UserWarning, match="not certified"):
        model = certified(X, y, regularization=0.01, work_limit=1)
    seen: list[tuple[int, int]] = []
    verify(model.certificate_, X, y, progress=lambda *at: seen.append(at))
    assert seen
    assert all(0 < done <= of for done, of in seen)

    def enough(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verify(model.certificate_, X, y, progress=enough)


def test_pairs_of_cuts_have_one_checker() -> None:
    X = np.array([[at % 7, at % 5] for at in range(35)], float)
    y = (X[:, 0] > 2) & (X[:, 1] < 3)
    model = certified(X, y, regularization=0.02, max_clauses=2, max_length=2)
    for checker in (None, "reference"):
        assert verify(model.certificate_, X, y, checker=checker).checker == "pairs of cuts"
    for checker in ("fast", "both"):
        with pytest.raises(DataError, match="one checker"):
            verify(model.certificate_, X, y, checker=checker)


def test_without_the_compiled_checker_the_readable_one_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fast_cuts_checker, "_installed", lambda: False)
    X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 1, 1, 0]
    model = certified(X, y, regularization=0.1)
    assert verify(model.certificate_, X, y).checker == "all cuts"
    with pytest.raises(DataError, match="not installed"):
        verify(model.certificate_, X, y, checker="fast")


@pytest.mark.parametrize(
    ("proof", "reason"),
    [(b"", "cut short"), (b"\x80", "does not end"), (b"\x80" * 9 + b"\x01", "too long")],
)
def test_damaged_numbers_are_refused_by_both(proof: bytes, reason: str) -> None:
    X = np.arange(12.0).reshape(12, 1)
    y = X[:, 0] // 3 % 2
    model = certified(X, y, regularization=0.02, max_length=2)
    damaged = pack(model.certificate_.header, proof)
    for checker in ("fast", "reference"):
        with pytest.raises(VerificationError, match=reason):
            verify(damaged, X, y, checker=checker)
    with pytest.raises(VerificationError, match=f"Refused: the proof.*{reason}"):
        verify(damaged, X, y, checker="both")
