"""Proofs about fair lists: valid ones are accepted, forged ones refused."""

from __future__ import annotations

from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from fair_certify import check, fitted, opened, packed

from surelist import Fairness, FormatError, RuleListClassifier, VerificationError, verify
from surelist.certificate.fairness import FairCertificate
from surelist.checker import DataError
from surelist.problem.fairness import METRICS


@pytest.mark.parametrize("metric", METRICS)
def test_proofs_are_accepted_and_forgeries_refused(metric: str) -> None:
    results = (check(seed, metric) for seed in count())
    refused = list(islice((each for each in results if each is not None), 6))
    assert min(refused) >= 4


def example() -> tuple[RuleListClassifier, dict[str, Any]]:
    found = next(
        each for seed in count() if (each := fitted(seed, "equal_opportunity")) is not None
    )
    assert found[0].certificate_ is not None
    return found


def test_a_certificate_is_saved_and_read(tmp_path: Path) -> None:
    model, given = example()
    model.certificate_.save(tmp_path / "proof.cert")
    read = FairCertificate.load(tmp_path / "proof.cert")
    assert read.header == model.certificate_.header
    assert read.verify(**given).objective == read.objective == model.objective_exact_
    (tmp_path / "other").write_bytes(b"no certificate")
    with pytest.raises(FormatError, match="no certificate of a fair list"):
        FairCertificate.load(tmp_path / "other")


def test_there_is_one_checker_for_it() -> None:
    model, given = example()
    with pytest.raises(DataError, match="fair lists have a checker of their own"):
        verify(model.certificate_, **given, checker="both")


def test_other_rows_labels_or_groups_are_refused() -> None:
    model, given = example()
    X, y = given["X"], given["y"]
    with pytest.raises(VerificationError, match="fingerprint"):
        verify(model.certificate_, **(given | {"y": 1 - y}))
    other = X.assign(group=np.roll(X["group"].to_numpy(), 1))
    with pytest.raises(VerificationError, match="fingerprint"):
        verify(model.certificate_, **(given | {"X": other}))


CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"format": "surelist certificate"}, "another format"),
    ({"fairness": None}, "not as it should be"),
    ({"sensitive": []}, "2 to 32 different groups"),
    ({"unit": 0}, "not as it should be"),
    ({"value_unit": "0"}, "value_unit"),
    ({"value_unit": "-1"}, "value_unit"),
    ({"multipliers": [-1]}, "not as it should be"),
    ({"objective": "1/0"}, "not as it should be"),
]


@pytest.mark.parametrize(("change", "message"), CHANGES)
def test_headers_that_make_no_sense_are_refused(change: dict[str, Any], message: str) -> None:
    model, given = example()
    header, proof = opened(model.certificate_.to_bytes())
    with pytest.raises(VerificationError, match=message):
        verify(packed(header | change, proof), **given)


def test_a_smaller_tolerance_than_the_list_keeps_is_refused() -> None:
    rng = np.random.default_rng(0)
    group = rng.choice(["a", "b"], 200)
    skill = rng.random(200) < np.where(group == "a", 0.8, 0.3)
    y = (rng.random(200) < np.where(skill, 0.9, 0.1)).astype(int)
    X = pd.DataFrame({"skill": skill.astype(int), "other": rng.integers(0, 2, 200)})
    model = RuleListClassifier(
        0.01, fairness=Fairness("statistical_parity", tolerance=0.5), certificate=True
    ).fit(X, y, sensitive_features=group)
    assert verify(model.certificate_, X, y, sensitive_features=group).optimal
    header, proof = opened(model.certificate_.to_bytes())
    demand = header["fairness"] | {"tolerance": "1/100"}
    with pytest.raises(VerificationError, match="does not satisfy the fairness constraint"):
        verify(packed(header | {"fairness": demand}, proof), X, y, sensitive_features=group)


def test_groups_have_the_names_of_their_values() -> None:
    """The verdict names groups: with names swapped it would be about the wrong people."""
    model, given = example()
    header, proof = opened(model.certificate_.to_bytes())
    groups = header["fairness"]["groups"]
    for names in (groups[::-1], [f"not {name}" for name in groups]):
        demand = header["fairness"] | {"groups": names}
        with pytest.raises(VerificationError, match="names of their values"):
            verify(packed(header | {"fairness": demand}, proof), **given)
    assert verify(packed(header, proof), **given).objective == model.objective_exact_


def test_the_verdict_names_the_groups_their_column_and_the_positive_class() -> None:
    model, given = example()
    said = verify(model.certificate_, **given).statement
    assert f"between the groups {', '.join(sorted(set(given['X']['group'])))} of group" in said
    assert "where 1 is the positive class" in said


def test_the_verdict_names_what_limits_the_lists_and_what_mistakes_cost() -> None:
    """Without these words a proof about fewer lists, or other costs, would claim too much."""
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.integers(0, 2, (80, 3)), columns=["f0", "f1", "f2"])
    group, y = rng.choice(["a", "b"], 80), rng.choice(["no", "yes"], 80)
    model = RuleListClassifier(
        0.01,
        fairness=Fairness("statistical_parity", tolerance=0.1),
        dnf="yes",
        forbidden=["f1"],
        cost_matrix={"no": {"yes": 2}},
        antecedent_costs="clauses",
        certificate=True,
    ).fit(X, y, sensitive_features=group)
    said = verify(model.certificate_, X, y, sensitive_features=group).statement
    for words in ("without antecedents", "whose rules predict 'yes'", "prices and costs given"):
        assert words in said


@pytest.mark.filterwarnings("ignore::surelist.UncertifiedWarning")
def test_a_gap_is_proven_where_a_limit_ends_the_search() -> None:
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.integers(0, 2, (300, 8)), columns=[f"f{i}" for i in range(8)])
    group, y = rng.choice(["a", "b", "c"], 300), rng.integers(0, 2, 300)
    found = []
    for limit in (1e-5, 1e-3, 2e-3, 4e-3, 1.0):
        model = RuleListClassifier(
            0.004,
            max_clauses=1,
            negations=True,
            fairness=Fairness("equalized_odds", tolerance=0.05),
            certificate=True,
            work_limit=limit,
        ).fit(X, y, sensitive_features=group)
        proven = verify(model.certificate_, X, y, sensitive_features=group)
        assert proven.optimal == (model.status_ == "optimal")
        found.append((proven.lower_bound, proven.objective))
    best = found[-1][1]
    assert found[0] < (best, best) == found[-1]
    assert all(low <= best <= high for low, high in found)


def test_groups_are_values_of_the_same_columns() -> None:
    """The verdict names the columns of the groups: each group has to be given by all of them."""
    model, given = example()
    header, proof = opened(model.certificate_.to_bytes())
    first, *others = header["sensitive"]
    moved = [dict(clause, condition=dict(clause["condition"], column="f0")) for clause in first]
    with pytest.raises(VerificationError, match="values of the same columns"):
        verify(packed(header | {"sensitive": [moved, *others]}, proof), **given)


def test_class_weights_which_change_rates_are_refused() -> None:
    model, given = example()
    header, proof = opened(model.certificate_.to_bytes())
    weights = header["weights"] | {
        "kind": "whole",
        "class_weight": [{"float": "2.0"}, {"float": "1.0"}],
    }
    with pytest.raises(VerificationError, match="class weights would change the rates"):
        verify(packed(header | {"weights": weights}, proof), **given)


def test_values_with_too_many_digits_are_refused() -> None:
    model, given = example()
    header, proof = opened(model.certificate_.to_bytes())
    many = 10**4000
    with pytest.raises(VerificationError, match="is no whole number"):
        verify(packed(header, proof | {"values": [[[], None, str(many)]]}), **given)
