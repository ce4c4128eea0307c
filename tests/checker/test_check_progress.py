"""A check that tells a function how far it is."""

from __future__ import annotations

import pytest

import surelist
from surelist.checker import VerificationError

X = [[(n >> bit) & 1 for bit in range(6)] for n in range(64)]
Y = [(n * 7 // 3) % 2 for n in range(64)]


def proof() -> surelist.Certificate:
    model = surelist.RuleListClassifier(
        regularization=0.02, max_clauses=1, negations=True, certificate=True, work_limit=None
    )
    certificate = model.fit(X, Y).certificate_
    assert isinstance(certificate, surelist.Certificate)
    return certificate


def test_it_is_told_how_many_states_are_checked_of_how_many() -> None:
    told: list[tuple[int, int]] = []
    found = surelist.verify(proof(), X, Y, progress=lambda done, of: told.append((done, of)))
    assert told
    assert all(0 <= done <= of == found.n_states for done, of in told)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert found == surelist.verify(proof(), X, Y)


def test_what_it_raises_ends_the_check(capsys: pytest.CaptureFixture[str]) -> None:
    def stop(_: int, __: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        surelist.verify(proof(), X, Y, progress=stop)
    assert capsys.readouterr().err == ""


def test_a_wrong_proof_is_refused_all_the_same() -> None:
    with pytest.raises(VerificationError):
        surelist.verify(proof(), X, Y[::-1], progress=lambda *_: None)
