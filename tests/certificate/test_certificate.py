"""Certificates are written, kept, read and explained; `fit` makes them."""

from __future__ import annotations

import json
import pickle
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import certify
import certify_engine
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from problems import HARD, hard_problem, random_problem
from sklearn.base import clone

from surelist import (
    Certificate,
    FormatError,
    InputError,
    RuleListClassifier,
    SurelistError,
    UncertifiedWarning,
    VerificationError,
    verify,
)
from surelist.certificate.closed_log import ClosedLog
from surelist.checker import main


def fitted(**parameters: Any) -> tuple[RuleListClassifier, Any, Any]:
    X, y = random_problem(3, rows=200, features=8)
    parameters = {"regularization": 0.01, "max_clauses": 2, "certificate": True} | parameters
    return RuleListClassifier(**parameters).fit(X, y), X, y


def test_fit_makes_a_certificate() -> None:
    model, X, y = fitted()
    proof = model.certificate_
    found = proof.verify(X, y)
    assert found.optimal
    assert found.objective == model.objective_exact_ == proof.objective == proof.lower_bound
    assert found.n_antecedents == len(model.antecedents_)
    assert found.n_groups == model.n_groups_
    assert found.n_closed == proof.n_closed > 0
    assert verify(proof, X, y) == found
    assert proof.path is None


def test_without_being_asked_there_is_none() -> None:
    model, _, _ = fitted(certificate=False)
    assert not hasattr(model, "certificate_")


def test_a_second_fit_without_one_forgets_it() -> None:
    model, X, y = fitted()
    model.set_params(certificate=False).fit(X, y)
    assert not hasattr(model, "certificate_")


def test_a_certificate_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "proof.cert"
    model, X, y = fitted(certificate=path)
    assert model.certificate_.path == path
    assert verify(path, X, y).optimal
    assert (
        Certificate.load(path).to_bytes()
        == path.read_bytes()
        == fitted()[0].certificate_.to_bytes()
    )
    assert [file.name for file in tmp_path.iterdir()] == ["proof.cert"]
    assert clone(model).certificate == path


@pytest.mark.parametrize(
    "parameters",
    [
        {"n_jobs": 2},
        {"policy": "curiosity", "symmetry": "permutation"},
        {"policy": "depth_first", "symmetry": "none"},
        {"negations": True, "max_length": 2},
        {"bounds": ["hierarchical", "lookahead", "equivalent_points"], "max_length": 2},
        {"class_weight": "balanced"},
        {"class_weight": {0: 0.3, 1: 1.7}},
        {"class_weight": {1: 3}},
        {"regularization": Fraction(1, 77)},
    ],
)
def test_whatever_the_search_is_like(parameters: dict[str, Any]) -> None:
    model, X, y = fitted(**parameters)
    assert model.certificate_.verify(X, y).optimal


@pytest.mark.parametrize("kind", ["whole", "short", "long"])
def test_sample_weights(kind: str) -> None:
    X, y = random_problem(5, rows=120, features=6)
    weights = (
        np.random.default_rng(0).integers(0, 5, len(y))
        * {"whole": 1, "short": 0.25, "long": 0.1}[kind]
    )
    model = RuleListClassifier(certificate=True, class_weight="balanced").fit(X, y, weights)
    assert model.certificate_.verify(X, y, sample_weight=weights).optimal
    with pytest.raises(VerificationError, match="sample weights"):
        model.certificate_.verify(X, y)
    weights[0] += 3
    with pytest.raises(VerificationError):
        model.certificate_.verify(X, y, sample_weight=weights)


def test_three_classes_of_any_type() -> None:
    X, y = random_problem(7, rows=120, features=5, classes=3)
    for names in (["a", "b", "c"], [1.0, 2.0, 3.0], [10, 20, 30]):
        labels = np.array(names)[y]
        model = RuleListClassifier(certificate=True).fit(X, labels)
        assert model.certificate_.verify(X, labels).optimal
    flags = np.array([False, True])[np.minimum(y, 1)]
    assert RuleListClassifier(certificate=True).fit(X, flags).certificate_.verify(X, flags).optimal


def test_an_unfinished_search_certifies_a_gap() -> None:
    X, y = hard_problem(rows=300, features=12)
    with pytest.warns(UncertifiedWarning):
        model = RuleListClassifier(**HARD, max_prefixes=300, certificate=True).fit(X, y)
    found = model.certificate_.verify(X, y)
    assert found.lower_bound == model.lower_bound_exact_ < model.objective_exact_
    assert "lies between" in str(found)
    assert "prefix_limit" in model.certificate_.summary()


def test_another_model_or_data_are_refused() -> None:
    model, X, y = fitted()
    with pytest.raises(VerificationError, match="data are not those"):
        model.certificate_.verify(1 - X, y)
    with pytest.raises(VerificationError, match="rows"):
        model.certificate_.verify(X[:-1], y[:-1])


def test_a_csv_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, X, y = fitted(certificate=tmp_path / "proof.cert")
    lines = [",".join([*(f"x{i}" for i in range(X.shape[1])), "label"])]
    lines += [",".join(map(str, (*row, label))) for row, label in zip(X.tolist(), y, strict=True)]
    (tmp_path / "data.csv").write_text("\n".join(lines) + "\n")
    arguments = [str(tmp_path / "proof.cert"), str(tmp_path / "data.csv"), "--label", "label"]
    assert main(arguments) == 0
    assert capsys.readouterr().out.startswith(str(model.certificate_.verify(X, y)))


def raw_table(rows: int = 300) -> tuple[pd.DataFrame, Any]:
    """A table as people have them: numbers, text, categories, dates, flags, gaps."""
    rng = np.random.default_rng(11)
    age = rng.integers(18, 70, rows)
    sex = rng.choice(["Male", "Female", "Not said"], rows)
    frame = pd.DataFrame(
        {
            "age": pd.array(age, dtype="Int64"),
            "sex": sex,
            "score": np.where(rng.random(rows) < 0.1, np.nan, rng.normal(size=rows).round(3)),
            "when": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, rows), "D"),
            "flag": rng.random(rows) < 0.4,
            "grade": pd.Categorical(
                rng.choice(["low", "mid", "high"], rows), ["low", "mid", "high"], ordered=True
            ),
        }
    )
    frame.loc[frame.index % 17 == 0, "age"] = pd.NA
    frame.loc[frame.index % 13 == 0, "sex"] = None
    y = np.where((age < 30) & (sex == "Male") | frame["flag"], "yes", "no")
    noise = rng.random(rows) < 0.1
    y[noise] = rng.choice(["no", "yes"], int(noise.sum()))
    return frame, y


def test_raw_tables(tmp_path: Path) -> None:
    """The checker reads raw columns by itself, from frames and from a file."""
    frame, y = raw_table()
    for negations in (False, True):
        model = RuleListClassifier(
            regularization=0.02, max_clauses=1, negations=negations, certificate=True
        ).fit(frame, y)
        proof = model.certificate_
        kinds = {c["condition"]["kind"] for a in proof.header["antecedents"] for c in a}
        assert {"interval", "equals"} <= kinds
        assert proof.verify(frame, y).optimal
        assert proof.verify(frame.assign(y=y), label="y").optimal
        assert proof.verify({name: frame[name].tolist() for name in frame}, y).optimal
        frame.assign(y=y).to_csv(tmp_path / "data.csv", index=False)
        assert proof.verify(tmp_path / "data.csv", label="y").optimal
        assert proof.verify(pl.from_pandas(frame), y).optimal
        assert proof.verify(pa.Table.from_pandas(frame), y).optimal
        with pytest.raises(VerificationError, match="data are not those"):
            proof.verify(frame.assign(flag=~frame["flag"]), y)


def test_save_and_load(tmp_path: Path) -> None:
    proof = fitted()[0].certificate_
    proof.save(tmp_path / "a.cert")
    again = Certificate.load(tmp_path / "a.cert")
    assert again.to_bytes() == proof.to_bytes()
    assert again.n_bytes == proof.n_bytes == (tmp_path / "a.cert").stat().st_size
    assert pickle.loads(pickle.dumps(proof)).to_bytes() == proof.to_bytes()
    again.save(tmp_path / "a.cert")
    assert Certificate.load(tmp_path / "a.cert").header == proof.header
    assert [file.name for file in tmp_path.iterdir()] == ["a.cert"]


def test_where_a_link_leads_and_whatever_the_name_ends_in(tmp_path: Path) -> None:
    (tmp_path / "link.gz").symlink_to(tmp_path / "real.gz")
    model = fitted(certificate=tmp_path / "link.gz")[0]
    assert (tmp_path / "link.gz").is_symlink()
    assert (tmp_path / "real.gz").read_bytes().startswith(b"surelist certificate 2\n")
    assert Certificate.load(tmp_path / "link.gz").header == model.certificate_.header
    model.certificate_.save(tmp_path / "link.gz")
    assert (tmp_path / "real.gz").read_bytes() == model.certificate_.to_bytes()
    with pytest.raises(InputError, match=r"cannot be written \(.*check that the folder exists"):
        model.certificate_.save(tmp_path / "none" / "a.cert")


def test_files_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "x.cert"
    path.write_bytes(b"no certificate")
    with pytest.raises(FormatError, match=r"x\.cert: this is no certificate"):
        Certificate.load(path)
    path.write_bytes(b"surelist certificate 1\n{}\n")
    with pytest.raises(FormatError, match="header cannot be read"):
        Certificate.load(path)
    with pytest.raises(OSError, match="none"):
        Certificate.load(tmp_path / "none")


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="certificate"):
        fitted(certificate=tmp_path / "no" / "such" / "proof.cert")
    for wrong in (1, 2.5, None, ""):
        with pytest.raises(InputError, match="certificate must be"):
            fitted(certificate=wrong)


def test_a_damaged_log_is_noticed(tmp_path: Path) -> None:
    header = certify_engine.prove(certify.draw(1)).header
    (tmp_path / "log").write_bytes(b"\x05\x00\x00\x00\x00\x00")
    with pytest.raises(SurelistError, match="cut short"):
        Certificate.write(header, tmp_path / "log", tmp_path / "proof.cert")
    assert [file.name for file in tmp_path.iterdir()] == ["log"]


def test_the_log_is_removed() -> None:
    log = ClosedLog(True)
    assert log.path is not None
    folder = Path(log.path).parent
    assert folder.is_dir()
    del log
    assert not folder.exists()


def test_blocks_that_shrink_far_are_stored_as_they_are(tmp_path: Path) -> None:
    """The checker refuses what unpacks far, so the writer must not make such."""
    m = 40
    chunk = certify.encode([(a,) for a in range(m) for _ in range(2000)], version=2)
    head = len(chunk).to_bytes(4, "little") + (m * 2000).to_bytes(4, "little")
    (tmp_path / "log").write_bytes(head + chunk)
    header = certify_engine.prove(certify.draw(1)).header
    proof = Certificate.write(header, tmp_path / "log")
    assert proof.n_closed == m * 2000
    assert proof.n_bytes > len(chunk)


def test_summary() -> None:
    model, _, _ = fitted(max_length=3, class_weight="balanced")
    text = model.certificate_.summary()
    assert str(model.objective_exact_) in text
    assert model.certificate_.fingerprint in text
    assert f"{len(model.antecedents_)} antecedents" in text
    assert "not considered" in text
    assert "at most 3 rules" in text
    assert "rounded" in text
    assert re.search(r"[\d,]+ closed prefixes in [\d,]+ bytes", text)
    assert "every row counts once" in fitted()[0].certificate_.summary()
    assert repr(model.certificate_).startswith("<Certificate: optimal, ")


def test_the_same_search_makes_the_same_file() -> None:
    first, second = fitted()[0].certificate_.to_bytes(), fitted()[0].certificate_.to_bytes()
    assert first == second
    header = json.loads(first.split(b"\n")[1])
    assert list(header) == sorted(header)


def test_compas(data_dir: Path) -> None:
    """The fold of the paper's data set that is quickest to check."""
    from surelist.estimators.corels import text_files as corels_text

    folder = data_dir / "compas"
    data = corels_text.read(folder / "compas_train.out.gz", folder / "compas_train.label.gz")
    model = RuleListClassifier(regularization=0.02, max_clauses=1, certificate=True)
    model.fit(data.captures, data.labels)
    found = model.certificate_.verify(data.captures, data.labels)
    assert f"{float(found.objective):.6f}" == "0.384463"


@pytest.mark.parametrize(
    "parameters",
    [
        {"cost_matrix": [[0, 1], [2.5, 0]]},
        {"antecedent_costs": "clauses"},
        {"antecedent_costs": {"x0": 0.5, "x1": 3}},
        {"dnf": True},
        {"first": ["x2"], "required": ["x4"]},
        {"forbidden": ["x0"], "max_length": 2},
        {
            "dnf": True,
            "required": ["x3"],
            "antecedent_costs": "clauses",
            "class_weight": "balanced",
        },
    ],
)
def test_costs_prices_and_constraints(parameters: dict[str, Any]) -> None:
    model, X, y = fitted(**parameters)
    found = model.certificate_.verify(X, y)
    assert found.optimal
    assert found.objective == model.objective_exact_


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"objective": "1e999999999"}, "is no fraction"),
        ({"lower_bound": "nan"}, "is no fraction"),
        ({"objective": 1}, "is no str"),
        ({"counts": {"closed_prefixes": 1e400}}, "Infinity is no whole number"),
        ({"counts": {"closed_prefixes": "7"}}, "is no int"),
        ({"constraints": {}}, "is missing"),
        ({"weights": []}, "is no dict"),
        ({"classes": [{"float": "nan"}]}, "not as it should be"),
        ({"fingerprint": "\ud800"}, "surrogates not allowed"),
    ],
)
def test_odd_headers_are_refused_when_they_are_read(
    tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    proof = certify_engine.prove(certify.draw(1))
    path = tmp_path / "odd.cert"
    text = json.dumps(proof.header | change).encode()
    path.write_bytes(certify.seal(b"surelist certificate 2\n" + text + b"\n"))
    with pytest.raises(FormatError, match=rf"odd\.cert: its header cannot be read: .*{reason}"):
        Certificate.load(path)


def test_what_the_checker_does_not_look_at_may_be_anything() -> None:
    case = certify_engine.prove(certify.draw(1))
    several: list[Any] = [None, 5, [], {"a": [1]}, "x" * 1000]
    for odd in several:
        case.header |= {"software": odd, "status": odd, "search": odd}
        case.header["lower_bound"] = "0"
        assert "Claim: the least objective" in Certificate(certify.to_bytes(case)).summary()
    for key in ("software", "status", "search"):
        del case.header[key]
    assert "unknown software" in Certificate(certify.to_bytes(case)).summary()


def test_huge_numbers_in_a_header_are_shown() -> None:
    """They are too large for floats, but not for the claim."""
    case = certify.prove(certify.draw(2), 2)
    assert case is not None
    case.header["constraints"] = {**case.header["constraints"], "first": [], "required": []}
    case.header |= {"prices": None, "regularization": "9" * 400}
    case.header["rule_list"] = {"prefix": [], "labels": [], "default_label": 0}
    problem = certify.Problem(case)
    objective = str(problem.objective((), [], 0))
    case.header |= {"objective": objective, "lower_bound": "0"}
    case.closed = []
    case.header["counts"] = {"closed_prefixes": 0}
    data = certify.to_bytes(case)
    assert f"λ = {'9' * 400}" in Certificate(data).summary()
    found = verify(data, case.columns, case.y, sample_weight=case.sample_weight)
    assert str(found).endswith(f"at λ = {'9' * 400}")
    case.header["objective"] = "9" * 400
    assert "9" * 400 in Certificate(certify.to_bytes(case)).summary()


def test_prices_that_have_too_little_in_common() -> None:
    case = certify.prove(certify.draw(3, version=1), 3)
    assert case is not None
    case.header["antecedents"] *= 50
    case.header["prices"] = [f"1/{10**399 + k}" for k in range(len(case.header["antecedents"]))]
    case.header["fingerprint"] = certify.fingerprint(case)
    with pytest.raises(VerificationError, match="what the prices have in common takes more than"):
        verify(certify.to_bytes(case), case.columns, case.y, sample_weight=case.sample_weight)
