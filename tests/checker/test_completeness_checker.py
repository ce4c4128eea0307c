"""The checker of complete sets accepts what is complete, and refuses a set that lacks a list."""

from __future__ import annotations

import ast
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from problems import random_problem
from repository import ROOT

from surelist import (
    FormatError,
    RuleLists,
    VerificationError,
    completeness_checker,
    near_optimal,
    verify,
)
from surelist.certificate.completeness import CompletenessCertificate
from surelist.checker import DataError
from surelist.completeness_checker import set_fingerprint

CASES: list[dict[str, Any]] = [
    {},
    {"max_length": 2},
    {"class_weight": {0: 2, 1: 1}},
    {"antecedent_costs": {"x1": 2}},
    {"required": ["x2"], "max_length": 3},
    {"first": ["x3"]},
    {"forbidden": ["x0"]},
    {"dnf": 1},
    {"cost_matrix": [[0, 2], [1, 0]]},
]


def searched(seed: int, tolerance: Any = 0.3, **given: Any) -> tuple[Any, Any, RuleLists]:
    X, y = random_problem(seed, classes=given.pop("classes", 2))
    plain = {"regularization": 0.02, "max_clauses": 1, "min_support": 0, "certificate": True}
    return X, y, near_optimal(X, y, tolerance=tolerance, **(plain | given))


@pytest.mark.parametrize("given", CASES, ids=str)
def test_complete_sets_are_accepted(given: dict[str, Any]) -> None:
    for seed in range(3):
        X, y, lists = searched(seed, **given)
        proven = verify(lists.certificate, X, y)
        assert f"{len(lists):,} rule lists ({lists.n_orders:,} orders)" in str(proven)
        assert proven.checker == "completeness"
        assert proven.objective == lists.optimum


def test_classes_weights_and_empty_sets_are_accepted() -> None:
    X, y, lists = searched(1, classes=3)
    assert lists.certificate is not None
    assert verify(lists.certificate.to_bytes(), X, y).n_states > 0
    weights = np.arange(len(y)) % 3
    X, y = random_problem(2)
    weighted = near_optimal(
        X, y, n=10, sample_weight=weights, regularization=0.02, certificate=True
    )
    assert weighted.certificate is not None
    weighted.certificate.verify(X, y, sample_weight=weights)
    none = near_optimal(X, y, objective=0.001, regularization=0.02, certificate=True)
    assert len(none) == 0
    assert "0 rule lists" in str(verify(none.certificate, X, y))


def without(lists: RuleLists, index: int) -> dict[str, Any]:
    """The header of a set that lacks a list, and is right about itself."""
    kept = np.delete(np.arange(len(lists)), index)
    found = lists.found.some(kept)
    assert lists.certificate is not None
    return {
        **lists.certificate.header,
        "n_lists": len(found),
        "n_orders": int(found.orders.sum()),
        "n_predictions": len(np.unique(found.alike)),
        "optimum": str(found.objective(0)),
        "lists_fingerprint": set_fingerprint(found.prefixes, found.labels, found.orders),
    }


@pytest.mark.parametrize("given", CASES[:6], ids=str)
def test_a_set_that_lacks_one_list_is_refused(given: dict[str, Any]) -> None:
    X, y, lists = searched(4, **given)
    assert len(lists) > 1
    for index in range(len(lists)):
        forged = CompletenessCertificate.pack(without(lists, index))
        with pytest.raises(VerificationError, match="n lists"):
            verify(forged, X, y)


FORGERIES: dict[str, Any] = {
    "n_lists": lambda value: value + 1,
    "n_orders": lambda value: value + 1,
    "n_predictions": lambda value: value - 1,
    "optimum": lambda value: str(Fraction(value) + Fraction(1, 1000)),
    "threshold": lambda value: str(Fraction(value) * 2),
    "lists_fingerprint": lambda value: value[::-1],
}


@pytest.mark.parametrize("name", FORGERIES)
def test_every_claim_is_compared(name: str) -> None:
    X, y, lists = searched(5)
    assert lists.certificate is not None
    header = lists.certificate.header
    forged = CompletenessCertificate.pack({**header, name: FORGERIES[name](header[name])})
    with pytest.raises(VerificationError, match="the certificate says"):
        verify(forged, X, y)


def test_another_problem_is_refused() -> None:
    X, y, lists = searched(6)
    assert lists.certificate is not None
    header = lists.certificate.header
    for change in (
        {"regularization": "1/40"},
        {"constraints": {**header["problem"]["constraints"], "max_length": 1}},
        {"constraints": {**header["problem"]["constraints"], "forbidden": [0]}},
        {"costs": {"matrix": [[0, 2], [1, 0]], "unit": 1}},
    ):
        forged = {**header, "problem": {**header["problem"], **change}}
        with pytest.raises(VerificationError):
            verify(CompletenessCertificate.pack(forged), X, y)
    with pytest.raises(VerificationError, match="data are not those"):
        verify(lists.certificate, X, 1 - y)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    X, y, lists = searched(7)
    assert lists.certificate is not None
    data = lists.certificate.to_bytes()
    for broken in (data[:-1], data + b"x", data[:200], data.replace(b"n_orders", b"n_order_")):
        with pytest.raises(VerificationError):
            verify(broken, X, y)
        (tmp_path / "proof").write_bytes(broken)
        with pytest.raises(FormatError):
            CompletenessCertificate.load(tmp_path / "proof")
    for change in ({"n_lists": "3"}, {"threshold": 3}, {"threshold": "x"}, {"more": 1}):
        forged = CompletenessCertificate.pack({**lists.certificate.header, **change})
        with pytest.raises(VerificationError):
            verify(forged, X, y)
    lists.certificate.save(tmp_path / "proof")
    again = CompletenessCertificate.load(tmp_path / "proof")
    assert again.header == lists.certificate.header
    assert "rule lists up to objective" in repr(again)
    assert verify(tmp_path / "proof", X, y).optimal


def test_numbers_that_floats_cannot_hold_are_not_checked() -> None:
    X, y = random_problem(8)
    lists = near_optimal(
        X, y, regularization=0.02, sample_weight=np.full(len(y), 2.0**45) + y, certificate=True
    )
    with pytest.raises(DataError, match="too large"):
        verify(lists.certificate, X, y, sample_weight=np.full(len(y), 2.0**45) + y)


def plant_fault(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    children, recount = completeness_checker._Children, completeness_checker._Recount
    right = recount._complete

    def too_dear(self: Any, child: Any, more: int) -> float:
        found = right(self, child, more)
        for key, (least, known_more) in self.known.items():
            self.known[key] = least + self.problem.scale, known_more
        return float(found)

    def every(self: Any, _: Any) -> Any:
        return np.ones(self.problem.m, np.bool_)

    faults: dict[str, tuple[Any, str, Any]] = {
        "floor": (children, "_may_follow", lambda self, _: self.x < self.x.mean()),
        "gain": (completeness_checker, "_extended", lambda gains, _: gains[0] / 2),
        "sibling": (recount, "_sibling_settles", lambda *given: given[3] % 2 == 1),
        "set": (recount, "_complete", too_dear),
        "empty": (recount, "_usable", every),
    }
    monkeypatch.setattr(*faults[fault])


@pytest.mark.parametrize("fault", ["floor", "gain", "sibling", "set", "empty"])
def test_a_checker_with_a_fault_is_found_out(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With any bound made too strong, some complete set is refused."""
    plant_fault(fault, monkeypatch)
    refused = 0
    for seed in range(12):
        X, y, lists = searched(seed, tolerance=0.6)
        try:
            verify(lists.certificate, X, y)
        except VerificationError:
            refused += 1
    assert refused > 0


def test_the_checker_shares_nothing_with_the_search() -> None:
    source = (ROOT / "src" / "surelist" / "completeness_checker.py").read_text(encoding="utf-8")
    imported = {
        node.module
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("surelist")
    }
    assert imported == {"surelist", "surelist.checker"}
    assert "from surelist import checker" in source
