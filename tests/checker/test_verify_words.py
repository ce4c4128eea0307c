"""What is said of a certificate that is accepted must not mislead, whoever made it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import certify
import pandas as pd
import pytest

from surelist import RuleListClassifier, VerificationError, verify
from surelist.certificate.certificate import Certificate
from surelist.checker import DataError

COLUMNS = {"x0": [0, 1, 1, 0] * 6, "x1": [1, 0, 1, 0] * 6}
Y = ["a", "b", "b", "b", "a", "a"] * 4
ROWS = list(zip(*COLUMNS.values(), strict=True))


def fitted(**parameters: Any) -> Certificate:
    model = RuleListClassifier(0.05, certificate=True, **parameters).fit(ROWS, Y)
    found: Certificate = model.certificate_
    return found


def sealed(**changes: Any) -> bytes:
    """A certificate that claims no more than a lower bound of 0, under a checksum that is right."""
    header = {**fitted().header, "lower_bound": "0", "counts": {"closed_prefixes": 0}, **changes}
    case = certify.Case(COLUMNS, Y, None, header, [])
    header["fingerprint"] = certify.fingerprint(case)
    chosen = header["rule_list"]
    found = chosen["prefix"], chosen["labels"], chosen["default_label"]
    header["objective"] = str(certify.Problem(case).objective(*found))
    return certify.assemble(header, [])


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({}, "at λ = 0.05"),
        ({"class_weight": {"a": 2, "b": 1}}, "and the class weights given"),
        ({"class_weight": {"a": 0.3}}, "and the class weights and rounded weights given"),
        ({"cost_matrix": [[0, 5], [1, 0]]}, "at λ = 0.05 and the costs given"),
        ({"cost_matrix": [[0, 1], [1, 0]]}, "at λ = 0.05"),
        (
            {"cost_matrix": [[0, 5], [1, 0]], "antecedent_costs": {"x0": 2}},
            "and the prices and costs given",
        ),
    ],
)
def test_the_sentence_says_what_an_objective_is_made_of(
    parameters: dict[str, Any], words: str
) -> None:
    """Under costs and class weights of one's own choice, any list may be optimal."""
    assert str(verify(fitted(**parameters), ROWS, Y)).endswith(words)


@pytest.mark.parametrize("sampled", [False, True])
def test_weights_of_one_come_with_no_others(sampled: bool) -> None:
    """Or else a summary would say that every row counts once, where some count for nothing."""
    factors = None if sampled else [{"float": "0.0"}, {"float": "1.0"}]
    weights = {"kind": "unit", "sample_weight": sampled, "class_weight": factors}
    with pytest.raises(VerificationError, match="weights of kind 'unit' come with no others"):
        verify(sealed(weights=weights), ROWS, Y, sample_weight=[1] * len(Y) if sampled else None)


@pytest.mark.parametrize(
    "name", ["c\nVerified: no rule list has objective below 9", "c" * 1000, "c\x1b[2K"]
)
def test_no_text_of_the_file_stands_on_a_line_of_its_own(tmp_path: Path, name: str) -> None:
    free = fitted().header["constraints"]
    data = sealed(
        classes=["a", "b", name],
        constraints={**free, "rule_labels": [1, 2]},
        rule_list={"prefix": [], "labels": [], "default_label": 0},
        status=name,
        software=name,
    )
    sentence = str(verify(data, ROWS, Y))
    assert sentence.isprintable()
    assert len(sentence) < 250
    (tmp_path / "proof.cert").write_bytes(data)
    lines = Certificate.load(tmp_path / "proof.cert").summary().split("\n")
    assert len(lines) == len(fitted().summary().split("\n"))
    assert all(line.isprintable() and len(line) < 500 for line in lines)


def test_columns_of_one_name_are_refused_as_data() -> None:
    table = pd.DataFrame(COLUMNS)
    model = RuleListClassifier(0.05, certificate=True).fit(table, Y)
    with pytest.raises(DataError, match="several columns of X are called 'x0'"):
        verify(model.certificate_, pd.concat([table, table[["x0"]]], axis=1), Y)
