"""The checker of what a column is worth accepts what follows, and refuses what does not."""

from __future__ import annotations

import ast
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from repository import ROOT

from surelist import FormatError, RuleListClassifier, VerificationError, near_optimal, verify
from surelist.certificate.certificate import Certificate
from surelist.certificate.necessity import NecessityCertificate
from surelist.necessity_checker import is_necessity, packed, read_claim

CASES: list[dict[str, Any]] = [
    {},
    {"max_length": 2},
    {"class_weight": {0: 2, 1: 1}},
    {"antecedent_costs": {"a": 2}},
    {"antecedent_costs": "clauses", "max_clauses": 2},
    {"first": ["c"]},
    {"forbidden": ["b"]},
    {"dnf": 1},
    {"cost_matrix": [[0, 2], [1, 0]]},
]


def table(seed: int = 1) -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 2, (60, 4)), columns=list("abcd"))
    noisy = rng.random(60) < 0.15
    return X, (((X["a"] & X["b"]) | X["c"]).to_numpy() ^ noisy).astype(int)


def proven(name: str, X: Any, y: Any, **given: Any) -> NecessityCertificate:
    plain = {"regularization": 0.02, "max_clauses": 1, "min_support": 0}
    lists = near_optimal(X, y, tolerance=0, **(plain | given))
    made = lists.necessity(name, certificate=True)[name].certificate
    assert isinstance(made, NecessityCertificate)
    return made


@pytest.mark.parametrize("given", CASES, ids=str)
def test_what_a_search_has_proven_is_accepted(given: dict[str, Any]) -> None:
    X, y = table()
    for name in map(str, X):
        made = proven(name, X, y, **given)
        found = verify(made, X, y)
        assert (found.checker, found.optimal) == ("necessity", True)
        text = "none" if made.best_without is None else str(made.best_without)
        assert text in str(found)


def test_other_names_of_the_same_rows_are_accepted() -> None:
    X, y = table()
    X["d"] = X["c"]
    for name in ("c", "d", "(c)", "(a) and (c)"):
        found = verify(proven(name, X, y, max_clauses=2), X, y)
        assert f"the column {name!r}" in str(found) or "as to antecedent" in str(found)
    assert proven("d", X, y).best_without == proven("d", X, y).best_with


def forged(made: NecessityCertificate, proofs: Any = None, **claim: Any) -> bytes:
    """The same certificate with something changed, and right about itself."""
    known, parts = read_claim(made)
    texts = {n: None if known[n] is None else str(known[n]) for n in ("with", "without")}
    return packed({**known, **texts, **claim}, parts if proofs is None else proofs)


def refused(data: bytes, X: Any, y: Any, match: str) -> None:
    with pytest.raises(VerificationError, match=match):
        verify(data, X, y)


def test_another_claim_is_refused() -> None:
    X, y = table()
    needed, idle = proven("c", X, y), proven("d", X, y)
    assert needed.best_without is not None
    for change in ({"without": str(needed.best_without + 1)}, {"with": "0"}, {"with": None}):
        refused(forged(needed, **change), X, y, "the best list with")
    refused(forged(needed, column="d"), X, y, "no proof is about lists with antecedent 3")
    refused(forged(needed, column="e"), X, y, "no column 'e'")
    _, parts = read_claim(needed)
    _, others = read_claim(idle)
    refused(forged(needed, parts[:1]), X, y, "there is no proof about lists without")
    refused(forged(needed, [*parts, parts[1]]), X, y, "more than one")
    refused(forged(needed, parts[::-1]), X, y, "without it|forbids|demands|the best list")
    refused(forged(idle, others[:1]), X, y, "no proof is about lists with antecedent 3")
    refused(forged(idle, [*others, parts[1]]), X, y, "forbids what the best list")
    refused(forged(needed, [*parts, others[1]]), X, y, "demands what the best list has")


def test_proofs_about_other_lists_are_refused() -> None:
    """Each of these proofs holds, and none of them says what the claim needs."""
    X, y = table()
    plain: dict[str, Any] = {"regularization": 0.02, "max_clauses": 1, "min_support": 0}

    def best(**given: Any) -> bytes:
        model = RuleListClassifier(certificate=True, **(plain | given)).fit(X, y)
        assert model.status_ == "optimal"
        return bytes(model.certificate_.to_bytes())

    needed, idle = proven("c", X, y), proven("d", X, y)
    _, (first, _) = read_claim(needed)
    cases: list[tuple[dict[str, Any], str]] = [
        ({"forbidden": ["c", "a"]}, "forbids antecedent 0, which is without"),
        ({"forbidden": ["a"]}, "forbids antecedent 0"),
        ({"forbidden": ["c"], "max_length": 1}, "constraints"),
        ({"forbidden": ["c"], "regularization": 0.03}, "regularization"),
        ({"forbidden": ["c"], "class_weight": {0: 2, 1: 1}}, "weights|fingerprint"),
        ({"forbidden": ["c"], "antecedent_costs": {"a": 2}}, "antecedent . differs"),
        ({"forbidden": ["c"], "cost_matrix": [[0, 2], [1, 0]]}, "costs|fingerprint"),
        ({"forbidden": ["c"], "dnf": 1}, "constraints"),
        ({}, "allows antecedent 2, which uses it"),
    ]
    for given, reason in cases:
        other = best(**given)
        objective = str(Certificate(other).objective)
        refused(forged(needed, [first, other], without=objective), X, y, reason)
    _, (everything, _) = read_claim(idle)
    more: list[tuple[dict[str, Any], str]] = [
        ({"required": ["d", "a"]}, "another number of antecedents"),
        ({"required": ["a"]}, "about other lists"),
        ({"required": ["d"], "forbidden": ["a"]}, "about other lists"),
        ({"required": ["d"], "max_length": 1}, "constraints"),
    ]
    for given, reason in more:
        other = best(**given)
        objective = str(Certificate(other).objective)
        refused(forged(idle, [everything, other], **{"with": objective}), X, y, reason)


def test_prices_that_only_another_name_has_are_named() -> None:
    """A proof may give an antecedent another name, and with it a price: the sentence says so."""
    X, y = table()
    X = X[["c"]].assign(e=X["c"])
    plain, dear = proven("c", X, y), proven("c", X, y, antecedent_costs={"e": 30})
    assert "prices" not in str(verify(plain, X, y))
    _, (first, _) = read_claim(plain)
    _, (_, second) = read_claim(dear)
    mixed = forged(plain, [first, second], without=str(dear.best_without))
    assert "prices given" in str(verify(mixed, X, y))


def test_every_antecedent_about_the_column_needs_a_proof() -> None:
    X, y = table()
    made = proven("d", X, y, max_clauses=2)
    assert len(made.proofs) > 2
    _, parts = read_claim(made)
    for place in range(1, len(parts)):
        refused(forged(made, parts[:place] + parts[place + 1 :]), X, y, "no proof is about lists")


def test_proofs_that_do_not_hold_are_refused() -> None:
    X, y = table()
    made = proven("c", X, y)
    worse = near_optimal(
        X, y, n=5, regularization=0.02, max_clauses=1, min_support=0, certificate=True
    )
    worse_set: Any = worse.certificate
    gap = worse.model(4, certificate=True).certificate_.to_bytes()
    _, (first, second) = read_claim(made)
    refused(forged(made, [gap, second]), X, y, "leaves a gap")
    refused(made.to_bytes(), X, 1 - y, "fingerprint|data")
    refused(made.to_bytes()[:-1], X, y, "damaged")
    for place in range(0, len(made.to_bytes()), 997):
        data = bytearray(made.to_bytes())
        data[place] ^= 1
        with pytest.raises((VerificationError, ValueError)):
            verify(bytes(data), X, y)
    wrong: list[dict[str, Any]] = [
        {"with": 0.5},
        {"with": "1/0"},
        {"column": 3},
        {"column": None},
        {"antecedent": 1},
        {"more": 1},
    ]
    for change in wrong:
        refused(forged(made, **change), X, y, "Refused")
    known, _ = read_claim(made)
    refused(forged(made, [made.to_bytes()]), X, y, "none of the optimum")
    refused(forged(made, [worse_set.to_bytes()]), X, y, "none of the optimum")
    about = {"antecedent": 77, "with": str(known["with"]), "without": str(known["without"])}
    refused(packed(about, [first, second]), X, y, "no such antecedent")
    refused(packed({**about, "antecedent": True}, [first, second]), X, y, "does not name")


def test_a_certificate_is_saved_and_read(tmp_path: Path) -> None:
    X, y = table()
    made = proven("c", X, y)
    made.save(tmp_path / "c.cert")
    again = NecessityCertificate.load(tmp_path / "c.cert")
    assert is_necessity(tmp_path / "c.cert")
    assert (again.column, again.best_with, again.best_without) == (
        "c",
        made.best_with,
        made.best_without,
    )
    assert again.to_bytes() == made.to_bytes()
    assert isinstance(again.best_without, Fraction)
    (tmp_path / "none").write_bytes(made.to_bytes()[:-3])
    with pytest.raises(FormatError, match="damaged"):
        NecessityCertificate.load(tmp_path / "none")


def test_each_proof_stands_for_itself() -> None:
    X, y = table()
    made = proven("c", X, y)
    for proof in made.proofs:
        assert verify(proof, X, y, checker="reference").optimal
    assert verify(made, X, y, checker="both").optimal
    assert replace(verify(made, X, y), reader="") == replace(
        verify(made, X, y, checker="reference"), reader=""
    )


def test_the_checker_imports_nothing_but_the_other_checker() -> None:
    source = (ROOT / "src" / "surelist" / "necessity_checker.py").read_text(encoding="utf-8")
    names = {
        node.module
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.module
    }
    assert {name for name in names if name.startswith("surelist")} == {
        "surelist",
        "surelist.checker",
    }
    assert "from surelist import checker" in source
