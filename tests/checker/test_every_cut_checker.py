"""Certificates that list antecedents and claim every cut: what is listed has to be every cut."""

from __future__ import annotations

import ast
import hashlib
import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from constrained_oracle import Demands, optimum_by_sets
from cut_certificates import frame
from cut_oracle import Table, captures, random_table
from oracle import Data
from repository import ROOT

from surelist import (
    Binarizer,
    Certificate,
    RuleListClassifier,
    VerificationError,
    every_cut_checker,
    resume,
    verify,
)
from surelist.every_cut_checker import EVERY_CUT, speaks_of_every_cut

PEOPLE = pd.DataFrame(
    {
        "age": [n % 23 for n in range(150)],
        "height": [n % 17 + 0.5 for n in range(150)],
        "grade": ["abc"[n % 3] for n in range(150)],
    }
)
MEMBERS = [int((n % 23 > 9) ^ (n % 17 < 4)) for n in range(150)]


def fitted(X: Any = PEOPLE, y: Any = MEMBERS, weights: Any = None, **how: Any) -> Any:
    settings = {"regularization": 0.02, "max_clauses": 1, "max_length": 2} | how
    settings.setdefault("binarizer", Binarizer(n_cuts="all"))
    model = RuleListClassifier(certificate=True, **settings)
    return model.fit(X, y, sample_weight=weights)


def again(certificate: Certificate, **changes: Any) -> bytes:
    """Return the certificate with another header, and a checksum that fits."""
    data = certificate.to_bytes()
    begin = data.index(b"\n") + 1
    header = {**certificate.header, **changes}
    text = json.dumps(header, sort_keys=True, ensure_ascii=False, allow_nan=False)
    whole = data[:begin] + text.encode() + data[data.index(b"\n", begin) : -32]
    return whole + hashlib.sha256(whole).digest()


def test_it_imports_the_checker_and_that_of_cuts_alone() -> None:
    source = (ROOT / "src/surelist/every_cut_checker.py").read_text(encoding="utf-8")
    found = {
        f"{node.module}.{name.name}" if node.module == "surelist" else str(node.module)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("surelist")
        for name in node.names
    }
    beside = {"surelist.checker", "surelist.cuts_checker", "surelist.pairs_checker"}
    assert found == beside


@pytest.mark.parametrize(
    "how",
    [
        {"cost_matrix": {0: {0: 0, 1: 2}, 1: {0: 5, 1: 0}}},
        {"antecedent_costs": {"age < 10": 2}},
        {"dnf": True},
        {"required": ["age < 10"]},
        {"forbidden": ["age < 10", "height < 4"]},
        {"first": ["height ≥ 4"]},
        {"negations": True},
        {"binarizer": Binarizer(n_cuts="all", intervals=True), "cost_matrix": [[0, 2], [5, 0]]},
        {"max_clauses": 2, "forbidden": ["age < 10", "(age < 10) and (height < 4)"]},
    ],
)
@pytest.mark.parametrize("checker", ["fast", "reference", "both"])
def test_the_general_search_certifies_every_cut(how: dict[str, Any], checker: str) -> None:
    certificate = fitted(**how).certificate_
    kind = {2: "with any two cuts"}.get(how.get("max_clauses", 1), "at any cut")
    if "binarizer" in how:
        kind = "at any cut or interval"
    proven = verify(certificate, PEOPLE, MEMBERS, checker=checker)
    listed = len(certificate.header["antecedents"])
    where = f"{kind} of 2 columns and 3 other conditions"
    where += " in each rule" * (how.get("max_clauses") == 2)
    beginning = f"Verified: no rule list, {where} or by these {listed} antecedents, with at most 2"
    assert proven.statement.startswith(beginning)
    assert "every cut" in certificate.summary()


def costs_of(chance: random.Random, classes: list[str]) -> dict[str, dict[str, int]] | None:
    if chance.random() < 0.4:
        return None
    return {c: {q: int(c != q) * chance.randint(1, 4) for q in classes} for c in classes}


def problem(seed: int) -> tuple[Table, dict[str, Any], Any]:
    """Return a table, settings that the general search serves alone, and the optimum."""
    chance = random.Random(seed)
    table = random_table(seed, intervals=seed % 4 == 2, clauses=2 if seed % 4 == 3 else 1)
    table = table._replace(weights=table.weights and [w % 1000 + 1 for w in table.weights])
    classes = sorted(set(table.labels))
    matrix = costs_of(chance, classes)
    label = chance.randrange(len(classes)) if matrix is None or chance.random() < 0.3 else None
    how = {"cost_matrix": matrix, "dnf": None if label is None else classes[label]}
    rows = range(len(table.labels))
    bits = captures(table)
    price = Fraction(table.regularization)
    demands = Demands(
        prices=tuple(price for _ in bits),
        costs=tuple(
            tuple(Fraction(int(c != q) if matrix is None else matrix[c][q]) for q in classes)
            for c in classes
        ),
        rule_label=label,
        max_length=table.max_length,
    )
    data = Data(
        tuple(tuple(each >> row & 1 for each in bits) for row in rows),
        tuple(map(classes.index, table.labels)),
        tuple(table.weights or [1 for _ in rows]),
        len(classes),
        len(bits),
    )
    settings = how | {
        "regularization": float(table.regularization),
        "max_clauses": table.clauses,
        "max_length": table.max_length,
        "binarizer": Binarizer(n_cuts="all", min_frequency=0, intervals=table.intervals),
    }
    return table, settings, optimum_by_sets(data, demands)


SEEDS = range(120)


@pytest.mark.slow
def test_constraints_and_costs_over_all_cuts_are_as_good_as_brute_force() -> None:
    claimed = 0
    for seed in SEEDS:
        table, settings, optimum = problem(seed)
        X, y = frame(table), table.labels
        model = fitted(X, y, table.weights, **settings)
        assert model.objective_exact_ == optimum, seed
        proven = verify(model.certificate_, X, y, sample_weight=table.weights)
        assert proven.objective == proven.lower_bound == optimum, seed
        claimed += speaks_of_every_cut(model.certificate_)
        assert speaks_of_every_cut(model.certificate_) == (", " in proven.statement), seed
    assert claimed > 75


@pytest.mark.slow
def test_a_proof_that_lacks_a_cut_is_refused_or_right_all_the_same() -> None:
    refused = accepted = worse = 0
    for seed in SEEDS:
        table, settings, optimum = problem(seed)
        X, y = frame(table), table.labels
        true = fitted(X, y, table.weights, **settings)
        if not speaks_of_every_cut(true.certificate_) or len(true.antecedents_) < 2:
            continue
        chance = random.Random(seed)
        texts = list(map(str, true.antecedents_))
        for _ in range(2):
            left_out = chance.sample(range(len(texts)), min(len(texts) - 1, chance.randint(1, 3)))
            kept = [text for at, text in enumerate(texts) if at not in left_out]
            own = {"antecedents": kept, "antecedents_only": True}
            fewer = fitted(X, y, table.weights, **settings | own).certificate_
            assert EVERY_CUT not in fewer.header
            forged = again(fewer, **{EVERY_CUT: true.certificate_.header[EVERY_CUT]})
            assert verify(fewer, X, y, sample_weight=table.weights).optimal
            worse += fewer.objective > optimum
            try:
                proven = verify(forged, X, y, sample_weight=table.weights)
            except VerificationError:
                refused += 1
            else:
                assert proven.objective == optimum, seed
                accepted += 1
    assert refused > 100
    assert worse > 15
    assert accepted > 0  # cuts that no rule is worth


def test_one_cut_left_out_is_refused() -> None:
    true = fitted(dnf=True)
    texts = list(map(str, true.antecedents_))
    claim = {EVERY_CUT: true.certificate_.header[EVERY_CUT]}
    for missing in ("(age < 10)", "(height ≥ 8)", "(grade = b)"):
        kept = [text for text in texts if text != missing]
        assert len(kept) < len(texts)
        fewer = fitted(dnf=True, antecedents=kept, antecedents_only=True).certificate_
        column = missing[1:].split()[0]
        with pytest.raises(VerificationError, match=f"one of column '{column}' is not"):
            verify(again(fewer, **claim), PEOPLE, MEMBERS)


def test_a_forbidden_cut_stands_for_no_other_one() -> None:
    X = PEOPLE.assign(again=PEOPLE["age"] + 100)
    X["half"] = [None if n % 2 else n for n in range(150)]
    with_two_names = fitted(X, forbidden=["age < 10", "again < 110"]).certificate_
    assert EVERY_CUT not in with_two_names.header
    other_name = fitted(X, forbidden=["age < 10"]).certificate_
    assert verify(other_name, X, MEMBERS).optimal  # `again < 110` is allowed, and listed
    forbidden = fitted(forbidden=["age < 10"]).certificate_
    assert ", without" not in str(verify(forbidden, PEOPLE, MEMBERS))
    # The same certificate, which is said to be about another column, too.
    claim = json.loads(json.dumps(forbidden.header[EVERY_CUT]))
    claim["chains"].append({"column": "again", "values": "numbers"})
    columns = [*forbidden.header["columns"], "again"]
    forged = again(forbidden, **{EVERY_CUT: claim, "columns": columns})
    with pytest.raises(VerificationError, match="one of column 'again' is not listed"):
        verify(forged, PEOPLE.assign(again=PEOPLE["age"] + 100), MEMBERS)


def test_a_resumed_search_claims_the_same(tmp_path: Path) -> None:
    stopped = fitted(checkpoint=tmp_path / "kept").certificate_
    resumed = resume(tmp_path / "kept").certificate_
    assert resumed.header[EVERY_CUT] == stopped.header[EVERY_CUT]
    assert ", at any cut of 2 columns" in str(verify(resumed, PEOPLE, MEMBERS))


def test_where_cuts_are_left_out_nothing_is_claimed() -> None:
    for how in (
        {"min_support": 0.1},
        {"antecedents": ["age < 10"], "antecedents_only": True},
        {"binarizer": Binarizer(n_cuts=3), "dnf": True},
    ):
        certificate = fitted(**how).certificate_
        assert not speaks_of_every_cut(certificate)
        assert "any cut" not in str(verify(certificate, PEOPLE, MEMBERS))


@pytest.mark.parametrize(
    "claim",
    [
        7,
        None,
        {},
        {"antecedents": "all", "chains": []},
        {"antecedents": "cuts", "chains": [{"column": "age"}]},
        {"antecedents": "cuts", "chains": [{"column": "age", "values": "words"}]},
        {"antecedents": "cuts", "chains": [{"condition": {"kind": "odd", "column": "age"}}]},
        {"antecedents": "cuts", "chains": [7]},
    ],
)
def test_odd_headers_are_refused(claim: Any) -> None:
    certificate = fitted(dnf=True).certificate_
    with pytest.raises(VerificationError, match="header"):
        verify(again(certificate, **{EVERY_CUT: claim}), PEOPLE, MEMBERS)


def test_kinds_of_antecedents_that_are_not_listed_are_refused() -> None:
    certificate = fitted(dnf=True).certificate_
    for kind in ("pairs of cuts", "intervals"):
        claim = certificate.header[EVERY_CUT] | {"antecedents": kind}
        with pytest.raises(VerificationError, match="is not listed"):
            verify(again(certificate, **{EVERY_CUT: claim}), PEOPLE, MEMBERS)


def test_what_is_no_certificate_speaks_of_nothing() -> None:
    assert not speaks_of_every_cut(b"odd")
    assert not speaks_of_every_cut("/no/such/file")
    assert not speaks_of_every_cut(7)


FAULTS = {
    "no cut is worth a rule": ("_is_worthless", lambda *_: True),
    "what is forbidden stands for others": (
        "covers",
        lambda listed, captured, _: captured in listed.allowed or captured in listed.forbidden,
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_checker_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(every_cut_checker._Listed, *FAULTS[fault])
    found = 0
    for test in (test_one_cut_left_out_is_refused, test_a_forbidden_cut_stands_for_no_other_one):
        try:
            test()
        except (AssertionError, VerificationError, pytest.fail.Exception):
            found += 1
    assert found > 0
