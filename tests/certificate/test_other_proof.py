"""Proofs of other claims than an optimum: opened, put in words, and refused if damaged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from surelist import Fairness, RuleListClassifier, near_optimal
from surelist.audit.claimed_list import claimed_rules, model_differs
from surelist.certificate.certificate import conditions_of
from surelist.certificate.other_proof import OtherProof, open_proof
from surelist.errors import FormatError


@pytest.fixture(scope="module")
def table() -> tuple[pd.DataFrame, list[str]]:
    rows = [(18 + n % 50, n % 4, "m" if n % 3 else "f") for n in range(300)]
    labels = ["yes" if (age < 35) ^ (prior > 2) else "no" for age, prior, _ in rows]
    return pd.DataFrame(rows, columns=["age", "prior", "sex"]), labels


@pytest.fixture(scope="module")
def proofs(table: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    X, y = table
    folder = tmp_path_factory.mktemp("proofs")
    fairness = Fairness("equal_opportunity", sensitive="sex", tolerance=0.1)
    fair = RuleListClassifier(0.02, max_clauses=1, fairness=fairness, certificate=True).fit(X, y)
    lists = near_optimal(
        X, y, tolerance=0.1, regularization=0.02, max_clauses=1, max_length=2, certificate=True
    )
    made = {
        "fair": fair.certificate_,
        "complete": lists.certificate,
        "necessary": lists.necessity("age", certificate=True)["age"].certificate,
    }
    for kind, each in made.items():
        each.save(folder / f"{kind}.cert")
    return {kind: folder / f"{kind}.cert" for kind in made}


@pytest.mark.parametrize(
    ("kind", "claim"),
    [
        (
            "fair",
            "equal opportunity within a difference of at most 1/10 between the groups f, m",
        ),
        ("complete", "rule lists with an objective of at most"),
        ("necessary", "as to the column 'age', the best list with it has"),
    ],
)
def test_a_proof_says_what_it_claims_and_what_it_asks(
    table: Any, proofs: dict[str, Path], kind: str, claim: str
) -> None:
    X, y = table
    opened = open_proof(proofs[kind])
    assert isinstance(opened, OtherProof)
    assert opened.kind == kind
    assert claim in opened.summary()
    asked = {condition.column for condition in conditions_of(opened)}
    assert asked <= set(X.columns)
    rules = claimed_rules(opened)
    assert rules is not None
    assert rules[-1][1] == ()
    assert opened.verify(X, y).n_rows == 300


def test_the_model_of_a_fair_list_is_compared(table: Any, proofs: dict[str, Path]) -> None:
    X, y = table
    fairness = Fairness("equal_opportunity", sensitive="sex", tolerance=0.1)
    model = RuleListClassifier(0.02, max_clauses=1, fairness=fairness).fit(X, y)
    opened = open_proof(proofs["fair"])
    assert model_differs(opened, model.rule_list_) is None
    other = RuleListClassifier(0.2, max_clauses=1, fairness=fairness).fit(X, y)
    assert model_differs(opened, other.rule_list_) is not None


@pytest.mark.parametrize("kind", ["fair", "complete", "necessary"])
def test_a_damaged_one_is_refused(proofs: dict[str, Path], kind: str, tmp_path: Path) -> None:
    data = proofs[kind].read_bytes()
    path = tmp_path / "odd.cert"
    for odd in (data[:60], data[: data.index(b"\n") + 1], data.replace(b'"classes"', b'"clashes"')):
        path.write_bytes(odd)
        with pytest.raises(FormatError):
            open_proof(path)
