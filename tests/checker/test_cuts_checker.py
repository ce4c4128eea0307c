"""Certificates of all cuts: true ones are accepted, and nothing else is."""

from __future__ import annotations

import ast
import hashlib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import forge_cuts
import numpy as np
import pandas as pd
import pytest
from cut_certificates import again, frame
from cut_oracle import Table, random_table
from repository import ROOT
from sklearn.datasets import load_breast_cancer

from surelist import (
    Binarizer,
    Certificate,
    RuleListClassifier,
    UncertifiedWarning,
    cuts_checker,
    verify,
)
from surelist.certificate.cut_certificate import CutCertificate
from surelist.checker import DataError, VerificationError
from surelist.cli import main
from surelist.errors import FormatError


def certified(table: Table) -> RuleListClassifier:
    return RuleListClassifier(
        regularization=Fraction(table.regularization),
        max_clauses=1,
        max_length=table.max_length,
        binarizer=Binarizer(n_cuts="all", min_frequency=0),
        certificate=True,
    ).fit(frame(table), table.labels, sample_weight=table.weights)


@pytest.fixture(scope="module")
def cancer() -> tuple[pd.DataFrame, np.ndarray[Any, Any], RuleListClassifier]:
    data = load_breast_cancer(as_frame=True)
    X, y = data.data.iloc[:, :6].round(1), data.target.map({0: "bad", 1: "good"}).to_numpy()
    model = RuleListClassifier(
        0.01, max_clauses=1, max_length=3, binarizer=Binarizer(n_cuts="all"), certificate=True
    )
    return X, y, model.fit(X, y)


def test_it_imports_nothing_but_the_reader_of_the_checker() -> None:
    tree = ast.parse((ROOT / "src/surelist/cuts_checker.py").read_text(encoding="utf-8"))
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            inside = node.module == "surelist"
            found |= {f"surelist.{each.name}" for each in node.names} if inside else {node.module}
    assert {name for name in found if name.startswith("surelist")} == {
        "surelist.checker",
        "surelist.pairs_checker",
    }


@pytest.mark.slow
def test_random_tables_are_certified() -> None:
    for seed in range(120):
        table = random_table(seed)
        model = certified(table)
        proven = verify(model.certificate_, frame(table), table.labels, sample_weight=table.weights)
        assert proven.optimal, seed
        assert proven.objective == model.objective_exact_, seed


def test_other_conditions_are_named_beside_the_columns() -> None:
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "colour": ["red", "blue", "red", "green"]})
    y = [0, 1, 1, 0]
    model = RuleListClassifier(
        0.1,
        max_clauses=1,
        max_length=2,
        binarizer=Binarizer(n_cuts="all", min_frequency=0),
        certificate=True,
    ).fit(X, y)
    said = "at any cut of 1 column and 3 other conditions"
    assert said in str(verify(model.certificate_, X, y))
    assert said in model.certificate_.summary()


def test_the_statement_and_the_summary(cancer: Any) -> None:
    X, y, model = cancer
    proven = model.certificate_.verify(X, y)
    assert str(proven).startswith(
        "Verified: no rule list of up to 3 rules, at any cut of 6 columns"
    )
    assert isinstance(model.certificate_, CutCertificate)
    assert "at any cut of 6 columns" in model.certificate_.summary()
    assert "up to 3 rules" in repr(model.certificate_)


def test_a_search_that_was_stopped_certifies_what_it_has_proven(cancer: Any) -> None:
    X, y, _ = cancer
    model = RuleListClassifier(
        0.001, max_clauses=1, work_limit=0.05, binarizer=Binarizer(n_cuts="all"), certificate=True
    )
    with pytest.warns(UncertifiedWarning):
        model.fit(X, y)
    proven = verify(model.certificate_, X, y)
    assert not proven.optimal
    assert proven.objective == model.objective_exact_
    assert proven.lower_bound <= model.lower_bound_exact_
    assert f"of up to {model.proven_length_} rules" in str(proven)


@pytest.mark.slow
def test_files_and_the_command_line(cancer: Any, tmp_path: Path, capsys: Any) -> None:
    X, y, model = cancer
    X.assign(kind=y).to_csv(tmp_path / "data.csv", index=False)
    path, data = tmp_path / "proof.cert", str(tmp_path / "data.csv")
    how = ["--n-cuts", "all", "--max-clauses", "1", "--max-length", "3"]
    given = ["fit", data, "--label", "kind", "--regularization", "0.01", *how]
    assert main([*given, "--certificate", str(path), "--output", str(tmp_path / "m.json")]) == 0
    assert Certificate.load(path).objective == model.objective_exact_
    for checker, said in (
        ([], "the fast checker"),
        (["--checker", "reference"], "the checker"),
        (["--checker", "both"], "both checkers"),
    ):
        assert main(["verify", str(path), data, *checker]) == 0
        assert f"Checked by {said} for all cuts" in capsys.readouterr().out
    assert main(["verify", str(path), data, "--checker", "verified"]) == 2
    path.write_bytes(again(Certificate.load(path), objective="1/100", lower_bound="1/100"))
    assert main(["verify", str(path), data]) == 4


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"objective": "1/50", "lower_bound": "1/50"}, "has the objective"),
        ({"lower_bound": "1/2"}, "above the objective"),
        ({"regularization": "1/200"}, "has the objective"),
        ({"regularization": "-1/200"}, "no fraction"),
        ({"max_length": 1}, "longer than it may be"),
        ({"max_length": None}, "more than 3 rules"),
        ({"max_length": 4}, "more than 3 rules"),
        ({"proven_length": 4}, "cut short"),
        ({"proven_length": 2}, "something follows|more than 2 rules"),
        ({"proven_length": 65}, "is not from"),
        ({"chains": []}, "not those of the certificate"),
        ({"classes": ["good", "bad"]}, "not those of the certificate"),
        ({"n_rows": 568}, "569 rows"),
        ({"fingerprint": "0" * 64}, "not those of the certificate"),
        ({"chains": [{"column": "mean area", "values": "dates"}]}, "no kind of values"),
        ({"version": 3}, "another format"),
    ],
)
def test_changed_headers_are_refused(cancer: Any, changes: dict[str, Any], reason: str) -> None:
    X, y, model = cancer
    with pytest.raises(VerificationError, match=reason):
        verify(again(model.certificate_, **changes), X, y)


def test_a_worse_list_is_refused(cancer: Any) -> None:
    X, y, model = cancer
    worse = {"conditions": [], "labels": [], "default_label": 1}
    objective = str(Fraction(int((y != "good").sum()), len(y)))
    header = {"rule_list": worse, "objective": objective, "lower_bound": objective}
    with pytest.raises(VerificationError, match="not complete"):
        verify(again(model.certificate_, **header), X, y)


def test_other_data_and_damaged_files_are_refused(cancer: Any) -> None:
    X, y, model = cancer
    whole = model.certificate_.to_bytes()
    with pytest.raises(VerificationError, match="not those"):
        verify(whole, X + (X.index.to_numpy() == 3)[:, None] * 1000.0, y)
    with pytest.raises(DataError, match="mean radius"):
        verify(whole, X.drop(columns="mean radius"), y)
    with pytest.raises(DataError, match="no value of the kind"):
        verify(whole, X.astype({"mean radius": str}).replace("18.0", "x"), y)
    for damaged in (whole[:-1], whole[:200], whole[:-40] + whole[-32:], whole + b"x"):
        with pytest.raises(VerificationError):
            verify(damaged, X, y)
    with pytest.raises(FormatError):
        CutCertificate(whole[:-1])
    bomb = cuts_checker.MAGIC + b"{}\n" + (2**60).to_bytes(8, "little")
    with pytest.raises(VerificationError, match="absurd"):
        verify(bomb + hashlib.sha256(bomb).digest(), X, y)


@pytest.mark.slow
def test_missing_keys_and_strange_values_in_a_header_are_refused(cancer: Any) -> None:
    X, y, model = cancer
    for name in model.certificate_.header:
        if name in ("software", "columns"):  # columns have names of their own here
            continue
        odd: list[Any] = [None, [], {}, "x", -1, 2**70, [[]], True]
        for value in odd:
            with pytest.raises(VerificationError):
                verify(again(model.certificate_, **{name: value}), X, y)


@pytest.mark.slow
def test_no_forgery_shows_more_than_the_optimum() -> None:
    well_formed = sum(forge_cuts.forge(seed)[0] for seed in range(150))
    assert well_formed > 600


def not_less(sources: Any, n: int, n_families: int) -> Any:
    return TRUE["_taken_over"]([(bounds, 0) for bounds, _ in sources], n, n_families)


def no_cut_zero(self: Any, along: Any, places: Any, values: Any, least_rest: int) -> Any:
    """Return the least of all cuts but the one that captures nothing."""
    if len(along.loss) == 1:
        return 2**60
    later = replace(
        along,
        loss=np.append(along.loss[1], along.loss[1:]),
        right=np.append(along.right[1], along.right[1:]),
    )
    value = values[0] + self.problem.unit * (along.right[1] - along.right[0])
    solved = dict(zip(places, values, strict=True))
    known = {0: max(value, solved.get(1, value)), **{p: v for p, v in solved.items() if p > 0}}
    return TRUE["_cover"](self, later, list(known), list(known.values()), least_rest)


def one_rule_more(self: Any, along: Any, places: Any, values: Any, least_rest: int) -> Any:
    return TRUE["_cover"](self, along, places, values, least_rest + self.problem.price)


TRUE: dict[str, Any] = {
    "_taken_over": cuts_checker._taken_over,
    "_cover": cuts_checker.Proof._cover,
}


@pytest.mark.parametrize(
    ("where", "name", "fault"),
    [
        (cuts_checker, "_taken_over", not_less),
        (cuts_checker.Proof, "_cover", no_cut_zero),
        (cuts_checker.Proof, "_cover", one_rule_more),
    ],
)
def test_forgeries_find_a_fault_in_the_checker(
    monkeypatch: pytest.MonkeyPatch, where: Any, name: str, fault: Any
) -> None:
    monkeypatch.setattr(where, name, fault)

    def forge_all() -> None:
        for seed in range(2000):
            forge_cuts.forge(seed, checkers=("reference",))

    with pytest.raises(AssertionError, match="seed"):
        forge_all()
