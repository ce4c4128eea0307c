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
