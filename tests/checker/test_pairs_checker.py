"""Proofs of pairs of cuts: those of the search are accepted, and nothing else is."""

from __future__ import annotations

import ast
from fractions import Fraction
from typing import Any

import forge_pairs
import numpy as np
import pytest
from cut_certificates import again, frame
from cut_oracle import best, random_table
from repository import ROOT

from surelist import Binarizer, RuleListClassifier, pairs_checker, verify
from surelist.audit.claimed_list import model_differs
from surelist.checker import VerificationError
from surelist.problem import cut_problem


def certified(table: Any) -> RuleListClassifier:
    return RuleListClassifier(
        regularization=Fraction(table.regularization),
        max_clauses=table.clauses,
        max_length=table.max_length,
        binarizer=Binarizer(n_cuts="all", min_frequency=0, intervals=table.intervals),
        certificate=True,
    ).fit(frame(table), table.labels, sample_weight=table.weights)


def test_it_imports_nothing_of_the_package() -> None:
    tree = ast.parse((ROOT / "src/surelist/pairs_checker.py").read_text(encoding="utf-8"))
    found = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not any("surelist" in str(name) for name in found)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [{"clauses": 2}, {"intervals": True}])
def test_random_tables_are_certified(kind: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cut_problem, "FEW", -1)  # the general search is for few rules
    for seed in range(60):
        table = random_table(seed, **kind)
        model = certified(table)
        proven = verify(model.certificate_, frame(table), table.labels, sample_weight=table.weights)
        assert proven.optimal, seed
        assert proven.objective == model.objective_exact_ == best(table), seed


def test_the_statement_and_what_is_refused() -> None:
    chance = np.random.default_rng(3)
    X = chance.integers(0, 20, (120, 2)).astype(float)
    y = ((X[:, 0] > 8) & (X[:, 1] < 12)) ^ (chance.random(120) < 0.15)
    model = RuleListClassifier(
        0.02, max_clauses=2, max_length=2, binarizer=Binarizer(n_cuts="all"), certificate=True
    ).fit(X, y)
    first = model.rule_list_.rules[0].antecedent
    assert first is not None
    assert len(first.clauses) == 2
    assert "with any two cuts of 2 columns in each rule" in str(verify(model.certificate_, X, y))
    assert "any two cuts" in model.certificate_.summary()
    assert model_differs(model.certificate_, model.rule_list_) is None
    for changes, reason in (
        ({"antecedents": "cuts"}, "damaged|cut short|not complete"),
        ({"antecedents": "intervals"}, "damaged|cut short|not complete"),
        ({"antecedents": "lists"}, "no such kind"),
        ({"version": 1}, "damaged|cut short|not complete"),
        ({"proven_length": 3}, "damaged|cut short|not complete"),
        ({"max_length": 3}, "more than 2 rules"),
        ({"rule_list": {"conditions": [[]], "labels": [0], "default_label": 1}}, "asks nothing"),
    ):
        with pytest.raises(VerificationError, match=reason):
            verify(again(model.certificate_, **changes), X, y)


@pytest.mark.slow
def test_no_forgery_shows_more_than_the_optimum() -> None:
    assert sum(forge_pairs.forge(seed) for seed in range(120)) > 400


def whole_box(self: Any, rows: Any, pair: int, n_rules: int, target: int) -> bool:
    """Take the rows that the lowest cuts leave for those that the highest do."""
    true_ends = self.ends
    self.ends = np.maximum(self.ends - 1, 0)
    try:
        return bool(TRUE["_tree"](self, rows, pair, n_rules, target))
    finally:
        self.ends = true_ends


def one_less(self: Any, cost: int, target: int) -> int:
    return int(TRUE["_need"](self, cost, target)) - 1


def fewer(self: Any, rows: Any, n_rules: int) -> int:
    """Count one label too few."""
    return int(TRUE["_few"](self, rows, n_rules - 1)) + int(self.problem.price)


TRUE: dict[str, Any] = {
    name: getattr(pairs_checker.PairProof, name) for name in ("_few", "_need", "_tree")
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "fault"), [("_need", one_less), ("_tree", whole_box), ("_few", fewer)]
)
def test_forgeries_find_a_fault_in_the_checker(
    monkeypatch: pytest.MonkeyPatch, name: str, fault: Any
) -> None:
    monkeypatch.setattr(pairs_checker.PairProof, name, fault)

    def forge_all() -> None:
        for seed in range(400):
            forge_pairs.forge(seed)

    with pytest.raises(AssertionError, match="seed"):
        forge_all()
