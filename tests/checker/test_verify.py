"""The checker accepts what is proven, by the engine and by plain Python, and nothing else."""

from __future__ import annotations

import ast
import copy
import json
import math
import os
import shutil
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import certify
import certify_engine
import mutate
import numpy as np
import pandas as pd
import polars as pl
import pytest
from certify_engine import check
from hypothesis import given
from hypothesis import strategies as st

import surelist.errors
from surelist import RuleListClassifier, VerificationError, verify
from surelist.checker import DataError, _condition, _floats, _holds, main

SOURCE = Path(surelist.errors.__file__).with_name("checker.py")
# `make fuzz-certificates` multiplies what the tests draw.
MORE = int(os.environ.get("SURELIST_FUZZ_CERTIFICATES", "1"))


def proven(seed: int, closed: int = 0, **header: Any) -> certify.Case:
    """The first case from a seed on with so many closed prefixes, and such values in the header."""
    while True:
        case = certify.prove(certify.draw(seed), seed)
        seed += 1
        if case is None or len(case.closed) < closed:
            continue
        if all(case.header[key] == value for key, value in header.items()):
            return case


@pytest.mark.parametrize("chunk", range(4))
def test_proofs_of_plain_python_are_accepted(chunk: int) -> None:
    for seed in range(chunk * 100 * MORE, (chunk + 1) * 100 * MORE):
        case = certify.prove(certify.draw(seed), seed)
        if case is None:
            continue
        found = check(case)
        optimum = certify.Problem(case).optimum()
        assert optimum is not None
        assert found.lower_bound <= optimum[0] <= found.objective
        assert found.optimal == (found.lower_bound == found.objective)
        assert found.n_states <= found.n_closed == len(case.closed)


@pytest.mark.parametrize("chunk", range(4))
def test_proofs_of_the_engine_are_accepted(chunk: int) -> None:
    statuses: Counter[str] = Counter()
    for seed in range(chunk * 200 * MORE, (chunk + 1) * 200 * MORE):
        case = certify_engine.one_label_at_most(certify.draw(seed))
        options = certify_engine.options(np.random.default_rng(seed))
        case = certify_engine.prove(case, **options)
        statuses[case.header["status"]] += 1
        try:
            found = check(case)
        except VerificationError as error:
            pytest.fail(f"seed {seed}, {options}: {error}")
        optimum = certify.Problem(case).optimum()
        assert optimum is not None
        assert found.lower_bound <= optimum[0] <= found.objective
    assert statuses["optimal"] > 0
    assert statuses["prefix_limit"] > 0


@pytest.mark.parametrize("seed", range(12))
def test_larger_proofs_of_the_engine_are_accepted(seed: int) -> None:
    case = certify_engine.one_label_at_most(certify.draw(seed + 5000, most_antecedents=14))
    check(certify_engine.prove(case, **certify_engine.options(np.random.default_rng(seed))))


@pytest.mark.parametrize("chunk", range(2))
def test_mutants_are_refused_or_valid(chunk: int) -> None:
    outcomes: Counter[tuple[str, str]] = Counter()
    for seed in range(chunk * 60 * MORE, (chunk + 1) * 60 * MORE):
        case = certify.prove(certify.draw(seed), seed)
        if case is not None and case.closed:
            outcomes += mutate.mutants(case, seed, 20)
    refused = {name for name, outcome in outcomes if outcome == "refused"}
    assert refused >= {m.__name__ for m in mutate.MUTATIONS} - {"lower_lower_bound"}


@pytest.mark.parametrize("factor", [1, 10**5, 10**9 + 7, 10**13 + 37])
def test_heavy_weights_and_long_fractions(factor: int) -> None:
    """From a size on, floats are not exact: then whole numbers take over, with the same verdict."""
    for seed in range(40):
        case = certify.draw(seed)
        weights = case.sample_weight or [1.0] * len(case.y)
        case.sample_weight = [weight * factor for weight in weights]
        case.header["weights"] |= {"kind": "whole", "sample_weight": True}
        if sum(case.sample_weight) >= 2**53:
            continue
        if factor > 10**9:
            case.header["regularization"] = "123456789012345/12345678901234567"
        made = certify.prove(case, seed)
        assert made is not None
        check(made)
        if made.closed:
            mutate.mutants(made, seed, 5)


@pytest.mark.parametrize("number", [np.float32, np.float64, np.int64, object])
def test_sums_of_gains_are_exact(number: Any) -> None:
    """They are larger than the numbers they are made of, and must not be rounded."""
    module = import_module("surelist.checker")
    rng = np.random.default_rng(0)
    end = 2**24 if number is np.float32 else 2**44
    gains = rng.integers(-end // 8, end, (50, 200)) | 1
    sums = module._sums_of_greatest(gains.astype(number), 60)
    for line, found in zip(gains.tolist(), sums.tolist(), strict=True):
        greatest = sorted(line)[::-1]
        assert found == [sum(greatest[:j]) for j in range(61)]


def refusal(case: certify.Case) -> str:
    """Why a case is refused; empty where it is accepted."""
    try:
        check(case)
    except VerificationError as error:
        return str(error)
    return ""


def test_a_bound_made_too_strong_is_caught() -> None:
    """A search whose bound is far too good closes too little; that shows."""
    caught = 0
    for seed in range(100):
        case = certify.prove(certify.draw(seed), seed)
        if case is None or not case.closed:
            continue
        believed = Fraction(case.header["lower_bound"]) * Fraction(6, 10)
        case.closed = certify.close(certify.Problem(case), believed, np.random.default_rng(seed))
        case.header["counts"]["closed_prefixes"] = len(case.closed)
        reason = refusal(case)
        assert reason == "" or "proof is not complete" in reason
        caught += reason != ""
    assert caught > 10


def test_every_closed_prefix_counts() -> None:
    """Of what the engine closes, little could be left out."""
    n_closed = needed = 0
    for seed in range(5000, 5020):
        case = certify_engine.one_label_at_most(certify.draw(seed, most_antecedents=10))
        case = certify_engine.prove(case)
        kept = list(case.closed)
        for path in kept[:20]:
            case.closed = [other for other in kept if other != path]
            case.header["counts"]["closed_prefixes"] = len(case.closed)
            reason = refusal(case)
            assert reason == "" or "proof is not complete" in reason
            needed += reason != ""
            n_closed += 1
    assert n_closed > 50
    assert needed > n_closed // 2


def test_the_sentence() -> None:
    free = certify.draw(0).header["constraints"]
    assert str(check(proven(0, closed=1, status="optimal", prices=None, constraints=free))) == (
        "Verified: no rule list over these 6 antecedents has objective below 0.348333 at λ = 0.005"
    )
    gap = check(proven(0, closed=1, status="time_limit", constraints=free))
    assert gap.lower_bound < gap.objective
    assert str(gap).startswith("Verified: the optimum over every rule list over these ")


def test_the_sentence_names_constraints() -> None:
    words = {
        "max_length": " with at most ",
        "first": " that begins with ",
        "required": " that uses ",
        "rule_labels": " whose rules predict ",
        "forbidden": " without ",
    }
    seen = set()
    for seed in range(60):
        case = certify.prove(certify.draw(seed), seed)
        assert case is not None
        text = str(check(case))
        for key, word in words.items():
            value = case.header["constraints"][key]
            assert (word in text) == (value is not None and value != []), (key, text)
            seen.add((key, word in text))
    assert len(seen) == 10


# Independence.


def test_the_checker_imports_numpy_and_the_standard_library_alone() -> None:
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add(str(node.module).split(".")[0])
    assert names <= {"numpy"} | set(sys.stdlib_module_names)
    assert "surelist" not in names


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    return Path(shutil.copy(SOURCE, tmp_path / "verify.py"))


def write_csv(case: certify.Case, path: Path) -> Path:
    columns: dict[str, list[Any]] = dict(case.columns)
    if case.sample_weight is not None:
        columns["weight"] = case.sample_weight
    pd.DataFrame(columns | {"y": case.y}).to_csv(path, index=False)
    return path


def run(script: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    # Isolated, so that nothing of the package can be found by accident.
    program = (
        "import sys, runpy; sys.modules['surelist'] = None; sys.argv = sys.argv[1:]; "
        "runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    return subprocess.run(
        [sys.executable, "-I", "-c", program, str(script), *map(str, arguments)],
        capture_output=True,
        text=True,
    )


def test_the_checker_runs_alone(alone: Path, tmp_path: Path) -> None:
    case = proven(0, closed=2, status="optimal")
    weights = [] if case.sample_weight is None else ["--sample-weight", "weight"]
    proof = tmp_path / "proof.cert"
    proof.write_bytes(certify.to_bytes(case))
    data = write_csv(case, tmp_path / "data.csv")
    done = run(alone, proof, data, "--label", "y", *weights)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Verified: no rule list")
    assert f"Exactly: objective {Fraction(case.header['objective'])}" in done.stdout
    done = run(alone, proof, data, "--label", "y", "--json", *weights)
    answer = json.loads(done.stdout)
    assert answer["verified"] is True
    assert Fraction(answer["objective"]) == Fraction(case.header["objective"])


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = proven(0, status="optimal", weights=proven(0).header["weights"])
    while case.sample_weight is not None:
        case = proven(1, status="optimal")
    proof, data = tmp_path / "proof.cert", write_csv(case, tmp_path / "data.csv")
    proof.write_bytes(certify.to_bytes(case))
    assert main([str(proof), str(data), "--label", "y"]) == 0
    assert main([str(proof), str(data), "--label", "z"]) == 2
    assert "no column 'z'" in capsys.readouterr().err
    assert main([str(tmp_path / "none"), str(data), "--label", "y"]) == 2
    assert main([str(proof), str(tmp_path / "none"), "--label", "y"]) == 2
    proof.write_bytes(proof.read_bytes()[:-1])
    capsys.readouterr()
    assert main([str(proof), str(data), "--label", "y"]) == 4
    assert capsys.readouterr().out.startswith("Refused: the file is damaged")
    assert main([str(proof), str(data), "--label", "y", "--json"]) == 4
    assert json.loads(capsys.readouterr().out)["verified"] is False
    with pytest.raises(SystemExit, match="2"):
        main([str(proof)])


# Forms of data.


def test_forms_of_data(tmp_path: Path) -> None:
    case = proven(0, closed=1, status="optimal")
    data = certify.to_bytes(case)
    frame = pd.DataFrame(case.columns)
    shuffled = np.random.default_rng(0).permutation(len(frame))
    weight = None if case.sample_weight is None else np.array(case.sample_weight)
    forms: list[Any] = [
        case.columns,
        frame,
        frame.astype(bool),
        frame.astype("Int64"),
        frame.astype(float),
        frame[frame.columns[::-1]],
        frame.assign(more="text"),
        pl.DataFrame(case.columns),
        frame.to_numpy(),
        frame.to_numpy().tolist(),
    ]
    for form in forms:
        assert verify(data, form, case.y, sample_weight=weight).optimal
        assert verify(data, form, np.array(case.y), sample_weight=weight).optimal
    assert verify(
        data,
        frame.iloc[shuffled],
        pd.Series(case.y).iloc[shuffled],
        sample_weight=None if weight is None else weight[shuffled],
    ).optimal
    assert verify(data, frame.assign(y=case.y), label="y", sample_weight=weight).optimal
    path = tmp_path / "proof.cert"
    path.write_bytes(data)
    assert verify(path, frame, case.y, sample_weight=weight).optimal
    assert verify(str(path), frame, case.y, sample_weight=weight).optimal


def raw_case(conditions: list[dict[str, Any]], columns: dict[str, Any], y: list[Any]) -> bytes:
    """A certificate over raw columns that claims little: it says what the checker makes of them."""
    header = copy.deepcopy(certify.draw(0).header)
    header |= {
        "columns": list(columns),
        "classes": [{"float": repr(v)} if isinstance(v, float) else v for v in sorted(set(y))],
        "n_rows": len(y),
        "weights": {"kind": "unit", "sample_weight": False, "class_weight": None},
        "costs": None,
        "antecedents": [[{"condition": c, "negated": False}] for c in conditions],
        "regularization": "1/10",
        "prices": None,
        "constraints": {
            "max_length": None,
            "rule_labels": None,
            "first": [],
            "required": [],
            "forbidden": [],
        },
        "fingerprint": "0" * 64,
        "objective": "0",
        "lower_bound": "0",
        "counts": {"closed_prefixes": 0},
    }
    header["rule_list"] = {"prefix": [], "labels": [], "default_label": 0}
    return certify.assemble(header, [])


def captures(
    conditions: list[dict[str, Any]], columns: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> list[list[int]]:
    """What the checker takes conditions to capture: found out from the fingerprint's input."""
    module = import_module("surelist.checker")
    seen: list[Any] = []
    original = module.collapse

    def spy(packed: Any, *others: Any) -> Any:
        seen.append(packed)
        return original(packed, *others)

    monkeypatch.setattr(module, "collapse", spy)
    n = len(next(iter(columns.values())))
    y = ["a", "b"] * n
    with pytest.raises(VerificationError, match="data are not those"):
        verify(raw_case(conditions, columns, y[:n]), columns, y[:n])
    bits = np.unpackbits(seen[-1], axis=1, count=len(conditions))
    return bits.T.tolist()  # type: ignore[no-any-return]


def test_conditions_on_typed_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = {
        "age": [18, 25.0, None, float("nan"), 2**53 + 1],
        "sex": ["Male", "Female", None, "NA", "male"],
        "when": np.array(
            ["2020-01-01", "2020-02-29", "NaT", "2021-01-01", "2019-12-31"], "datetime64[ns]"
        ),
        "grade": ["low", "mid", "high", "odd", None],
    }
    conditions: list[dict[str, Any]] = [
        {"kind": "interval", "column": "age", "high": 25, "high_closed": False},
        {"kind": "interval", "column": "age", "low": {"float": "24.5"}, "low_closed": True},
        {"kind": "equals", "column": "age", "value": 2**53 + 1},
        {"kind": "equals", "column": "age", "value": {"float": "9007199254740992.0"}},
        {"kind": "missing", "column": "age"},
        {"kind": "equals", "column": "sex", "value": "NA"},
        {"kind": "one_of", "column": "sex", "values": ["Male", "male"]},
        {"kind": "missing", "column": "sex"},
        {"kind": "interval", "column": "when", "low": {"date": "2020-01-01"}, "low_closed": False},
        {"kind": "equals", "column": "when", "value": {"datetime": "2020-02-29T00:00:00"}},
        {
            "kind": "interval", "column": "grade", "low": "mid", "low_closed": True,
            "order": ["low", "mid", "high"],
        },
        {"kind": "equals", "column": "sex", "value": 1},
    ]  # fmt: skip
    assert captures(conditions, columns, monkeypatch) == [
        [1, 0, 0, 0, 0],
        [0, 1, 0, 0, 1],
        [0, 0, 0, 0, 1],
        [0, 0, 0, 0, 0],
        [0, 0, 1, 1, 0],
        [0, 0, 0, 1, 0],
        [1, 0, 0, 0, 1],
        [0, 0, 1, 0, 0],
        [0, 1, 0, 1, 0],
        [0, 1, 0, 0, 0],
        [0, 1, 1, 0, 0],
        [0, 0, 0, 0, 0],
    ]


def test_what_cannot_be_read_is_said() -> None:
    case = proven(0, closed=1, status="optimal")
    data = certify.to_bytes(case)
    with pytest.raises(DataError, match="pass X and y"):
        verify(data)
    with pytest.raises(DataError, match="where are the labels"):
        verify(data, case.columns, sample_weight=case.sample_weight)
    with pytest.raises(DataError, match="no column"):
        verify(data, {"other": [1] * len(case.y)}, case.y, sample_weight=case.sample_weight)
    with pytest.raises(DataError, match="path, bytes"):
        verify(3, case.columns, case.y)
    with pytest.raises(DataError, match="labels"):
        verify(data, case.columns, case.y[:-1], sample_weight=case.sample_weight)
    weights = [1.0] * len(case.y) if case.sample_weight is None else None
    with pytest.raises(VerificationError, match="sample weights"):
        verify(data, case.columns, case.y, sample_weight=weights)
    with pytest.raises(VerificationError, match="does not know"):
        verify(data, case.columns, ["?"] * len(case.y), sample_weight=case.sample_weight)


def test_no_antecedents_ask_for_no_columns(tmp_path: Path) -> None:
    """Then the labels say how many rows there are."""
    y = ["a", "b", "a", "a"]
    proof = RuleListClassifier(certificate=True).fit([[1], [1], [1], [1]], y).certificate_
    assert proof.header["antecedents"] == []
    for X in ({}, {"x0": [1] * 4}, [[1]] * 4, pd.DataFrame({"other": [1] * 4})):
        assert verify(proof, X, y).objective == Fraction(1, 4)
    for wrong in (y[:3], [*y, "a"]):
        with pytest.raises(VerificationError, match=r"the data have \d rows"):
            verify(proof, {}, wrong)
    with pytest.raises(DataError, match="no columns"):
        verify(proof, {}, label="y")
    proof.save(tmp_path / "proof.cert")
    data = tmp_path / "data.csv"
    data.write_text("x0,y\n" + "".join(f"1,{label}\n" for label in y))
    assert main([str(tmp_path / "proof.cert"), str(data), "--label", "y"]) == 0


@pytest.mark.parametrize(
    "weights",
    [[1e300, 1.0, 2e300, 1e290], [1e308] * 4, [10**305, 3 * 10**305, 10**304, 0], [2**1023] * 4],
    ids=["1e300", "1e308", "whole", "power"],
)
def test_huge_weights(tmp_path: Path, weights: list[Any]) -> None:
    """Whatever weights `fit` takes, its proof can be checked with."""
    X, y = [[0, 1], [1, 0], [1, 1], [0, 0]], ["a", "b", "b", "a"]
    proof = RuleListClassifier(certificate=True).fit(X, y, weights).certificate_
    found = verify(proof, X, y, sample_weight=weights)
    assert found.optimal
    frame = pd.DataFrame(X, columns=["x0", "x1"]).assign(y=y, w=[repr(float(w)) for w in weights])
    frame.to_csv(tmp_path / "data.csv", index=False)
    assert verify(proof, tmp_path / "data.csv", label="y", sample_weight="w") == found
    if isinstance(weights[0], int):  # so many digits are text in a CSV file, to `fit` as well
        frame.assign(w=[str(w) for w in weights]).to_csv(tmp_path / "data.csv", index=False)
        with pytest.raises(DataError, match="one finite number"):
            verify(proof, tmp_path / "data.csv", label="y", sample_weight="w")
    for wrong in (math.inf, math.nan, -1.0, 10**309):
        with pytest.raises(DataError, match="one finite number"):
            verify(proof, X, y, sample_weight=[*weights[:3], wrong])


NUMBERS = st.one_of(
    st.integers(-3, 3),
    st.sampled_from([2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, 10**30]),
    st.floats(allow_nan=False),
    st.booleans(),
)


@given(
    st.lists(st.one_of(st.just(()), st.tuples(NUMBERS), st.tuples(st.text(), NUMBERS))),
    st.tuples(NUMBERS, st.booleans()),
    st.tuples(NUMBERS, st.booleans()),
)
def test_numbers_at_once_are_as_one_by_one(
    meanings: list[tuple[Any, ...]], low: tuple[Any, bool], high: tuple[Any, bool]
) -> None:
    def written(value: Any) -> Any:
        return {"float": repr(value)} if isinstance(value, float) else value

    condition = _condition(
        {
            "kind": "interval",
            "column": "x",
            "low": written(low[0]),
            "low_closed": low[1],
            "high": written(high[0]),
            "high_closed": high[1],
        }
    )
    found = _holds(condition, meanings, _floats(meanings))
    assert found.tolist() == [condition.test(each) for each in meanings]
