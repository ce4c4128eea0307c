"""Checkpoints: whatever ends a search, it goes on from there to the same result."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kills import Killing, problem
from oracle import Data, optimum
from problems import HARD, UNRELAXED, hard_problem, random_problem
from repository import ROOT

import surelist
from surelist import FormatError, InputError, RuleListClassifier, UncertifiedWarning, _core
from surelist.estimators.resume import CONTRADICTIONS
from surelist.problem.arrays import fingerprint_of, pack_problem, unpack_problem
from surelist.search.checkpoint import Checkpoint, read_checkpoint


def _stopped(path: Path, X: Any, y: Any, **parameters: Any) -> RuleListClassifier:
    parameters = {"regularization": 0.002, **parameters}
    model = RuleListClassifier(checkpoint=path, max_prefixes=3, **parameters)
    with pytest.warns(UncertifiedWarning):
        return model.fit(X, y)


# The engine.


def _problem(seed: int, classes: int = 2) -> _core.Problem:
    X, y = random_problem(seed, rows=80, features=7, classes=classes)
    return _core.Problem(X, y.astype(np.int32), None, classes)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 10_000),
    classes=st.integers(2, 3),
    policy=st.sampled_from(_core.policy_names()),
    symmetry=st.sampled_from(_core.symmetry_names()),
    step=st.integers(1, 20),
    jobs=st.integers(1, 3),
)
def test_a_search_that_is_saved_and_restored_at_every_step_ends_as_it_would(
    seed: int, classes: int, policy: str, symmetry: str, step: int, jobs: int
) -> None:
    def search() -> _core.Search:
        return _core.Search(made, "0.02", policy=policy, symmetry=symmetry, n_jobs=jobs)

    made = _problem(seed, classes)
    undisturbed = search()
    undisturbed.run()
    running = search()
    while running.run(None, None, step) == "paused":
        state = running.save()
        again = search()
        again.restore(state)
        assert again.lower_bound == running.lower_bound
        assert again.objective == running.objective
        assert again.counters["expanded"] == running.counters["expanded"]
        assert again.n_open == running.n_open
        running = again
    assert running.status == "optimal"
    assert running.objective == undisturbed.objective


def test_short_of_memory_a_pause_loses_nothing() -> None:
    X, y = random_problem(3, rows=300, features=12)
    made = _core.Problem(X, y.astype(np.int32), None, 2)
    whole = _core.Search(made, "0.004")
    whole.run()
    search = _core.Search(made, "0.004", memory_limit=whole.counters["memory"] // 4)
    pauses = 0
    while search.run(None, 0.001) == "paused":
        pauses += 1
        assert pauses < 100_000
    assert search.status in ("optimal", "memory_limit")
    if search.status == "optimal":
        assert search.objective == whole.objective


@pytest.mark.parametrize("cut", [0, 1, 5, 40])
def test_a_damaged_state_is_refused(cut: int) -> None:
    search = _core.Search(_problem(1), "0.02")
    search.run(None, None, 3)
    state = search.save()
    fresh = _core.Search(_problem(1), "0.02")
    with pytest.raises(_core.InputError, match="state of a search"):
        fresh.restore(state[: len(state) - 1 - cut])
    with pytest.raises(_core.InputError, match=r"version 2; this engine reads version 3"):
        fresh.restore(b"\x02" + state[1:])


def test_a_problem_is_the_same_after_a_journey() -> None:
    X, y = random_problem(5, classes=3)
    made = _core.Problem(X, y.astype(np.int32), None, 3, costs=[0, 2, 1, 1, 0, 3, 1, 1, 0], unit=2)
    again = unpack_problem(pack_problem(made))
    assert fingerprint_of(again) == fingerprint_of(made)
    assert (again.captures == made.captures).all()
    assert (again.group_weights == made.group_weights).all()


# The estimator.


def test_resume_ends_as_fit_would(tmp_path: Path) -> None:
    X, y = random_problem(2, rows=120, features=6)
    names = np.array(["no", "yes"])[y]
    weights = np.arange(120) % 4 + 0.5
    parameters: dict[str, Any] = {
        "regularization": 0.01,
        "class_weight": "balanced",
        "laplace": 1.0,
    }
    whole = RuleListClassifier(certificate=True, **parameters)
    whole.fit(X, names, sample_weight=weights)
    stopped = RuleListClassifier(
        checkpoint=tmp_path / "kept", max_prefixes=3, certificate=True, **parameters
    )
    with pytest.warns(UncertifiedWarning):
        stopped.fit(X, names, sample_weight=weights)
    with pytest.warns(UncertifiedWarning):  # the limit stays as it was
        surelist.resume(tmp_path / "kept")
    model = surelist.resume(tmp_path / "kept", max_prefixes=None)
    assert model.status_ == "optimal"
    assert model.objective_exact_ == whole.objective_exact_
    assert model.classes_.dtype == whole.classes_.dtype
    assert model.weight_unit_ == whole.weight_unit_
    assert model.n_features_in_ == 6
    assert (model.predict(X) == whole.predict(X)).mean() > 0.5
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1)
    result = surelist.verify(model.certificate_, X, names, sample_weight=weights)
    assert result.objective == whole.objective_exact_
    again = surelist.resume(tmp_path / "kept")  # there is nothing left to do
    assert again.objective_exact_ == whole.objective_exact_


def test_the_optimum_is_that_of_brute_force(tmp_path: Path) -> None:
    X, y = random_problem(11, rows=150, features=7)
    parameters = {"regularization": 0.002, "max_clauses": 1, "min_support": 0}
    _stopped(tmp_path / "kept", X, y, bounds=UNRELAXED, **parameters)
    model = surelist.resume(tmp_path / "kept", max_prefixes=None)
    rows = tuple(map(tuple, X.tolist()))
    data = Data(rows, tuple(y.tolist()), (1,) * len(y), 2, X.shape[1])
    assert model.objective_exact_ == optimum(data, Fraction(1, 500))


def test_conditions_constraints_and_costs_come_back(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4)).round(1)
    y = np.where(X[:, 0] + X[:, 1] > 0.3, "yes", "no")
    parameters: dict[str, Any] = {
        "regularization": 0.02,
        "required": ["x2 > 0"],
        "cost_matrix": {"yes": {"no": 2}},
        "antecedent_costs": "clauses",
        "max_length": 4,
        "trace_interval": 0.001,
    }
    whole = RuleListClassifier(**parameters).fit(X, y)
    _stopped(tmp_path / "kept", X, y, **parameters)
    model = surelist.resume(tmp_path / "kept", max_prefixes=None)
    assert model.objective_exact_ == whole.objective_exact_
    assert model.antecedents_ == whole.antecedents_
    assert (np.diff(model.trace_.time) >= 0).all()
    model.save(tmp_path / "model.json")
    assert surelist.load(tmp_path / "model.json").objective_ == model.objective_


def test_ctrl_c_leaves_a_checkpoint(tmp_path: Path) -> None:
    X, y = hard_problem()

    def enough(progress: Any) -> None:
        if progress.expanded > 0:
            raise KeyboardInterrupt

    model = RuleListClassifier(checkpoint=tmp_path / "kept", progress=enough, **HARD)
    with pytest.warns(UncertifiedWarning, match="interrupted"):
        model.fit(X, y)
    kept = read_checkpoint(tmp_path / "kept")
    assert kept.header["status"] == "interrupted"
    with pytest.warns(UncertifiedWarning, match="time limit"):
        resumed = surelist.resume(tmp_path / "kept", time_limit=1)
    assert resumed.trace_.counters["expanded"] > model.trace_.counters["expanded"]
    assert resumed.lower_bound_exact_ >= model.lower_bound_exact_
    assert resumed.trace_.counters["time"] > model.trace_.counters["time"]


def test_a_search_that_has_not_ended_is_not_written_over(tmp_path: Path) -> None:
    X, y = random_problem(0, rows=200, features=9)
    _stopped(tmp_path / "kept", X, y)
    with pytest.raises(InputError, match="may hold a search that has not ended"):
        RuleListClassifier(checkpoint=tmp_path / "kept").fit(X, y)
    surelist.resume(tmp_path / "kept", max_prefixes=None)
    RuleListClassifier(checkpoint=tmp_path / "kept").fit(X, y)


def test_what_the_proof_depends_on_cannot_be_changed(tmp_path: Path) -> None:
    X, y = random_problem(0, rows=200, features=9)
    _stopped(tmp_path / "kept", X, y)
    with pytest.raises(InputError, match="regularization cannot be changed"):
        surelist.resume(tmp_path / "kept", regularization=0.5)
    with pytest.raises(InputError, match="time_limit must be"):
        surelist.resume(tmp_path / "kept", time_limit=-1)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"checkpoint": 3}, "checkpoint must be None or the path"),
        ({"checkpoint": "/no/such/folder/kept"}, "no such folder"),
        ({"checkpoint": "x" * 5000}, "cannot be written to .*: .*File name too long"),
        ({"certificate": "a\0b"}, "cannot be written to .*: there is a null character"),
        ({"checkpoint_interval": 0}, "checkpoint_interval must be"),
    ],
)
def test_bad_parameters_are_refused(parameters: dict[str, Any], message: str) -> None:
    X, y = random_problem(0, rows=200, features=9)
    with pytest.raises(InputError, match=message):
        RuleListClassifier(**parameters).fit(X, y)


# Files.


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    X, y = random_problem(0, rows=200, features=9)
    kept = tmp_path / "kept"
    _stopped(kept, X, y)
    data = kept.read_bytes()
    chance = random.Random(0)
    for _ in range(60):
        at = chance.randrange(len(data))
        changed = bytearray(data)
        changed[at] ^= 1 << chance.randrange(8)
        kept.write_bytes(bytes(changed[: at + 1] if chance.random() < 0.3 else changed))
        with pytest.raises(FormatError):
            surelist.resume(kept)
    with pytest.raises(FormatError, match="cannot be read"):
        surelist.resume(tmp_path / "nothing")


def test_other_versions_are_named(tmp_path: Path) -> None:
    X, y = random_problem(0, rows=200, features=9)
    kept = tmp_path / "kept"
    _stopped(kept, X, y)
    magic, rest = kept.read_bytes().split(b"\n", 1)
    kept.write_bytes(magic.replace(b"4", b"7") + b"\n" + rest)
    with pytest.raises(FormatError, match=r"checkpoint 7; version 4 is understood.*wrote it, \d"):
        surelist.resume(kept)


def test_other_antecedents_are_noticed(tmp_path: Path) -> None:
    X, y = random_problem(0, rows=200, features=9)
    kept = tmp_path / "kept"
    _stopped(kept, X, y)
    checkpoint = read_checkpoint(kept)
    Checkpoint({**checkpoint.header, "fingerprint": "0"}, checkpoint.parts).write(kept)
    with pytest.raises(FormatError, match="makes other antecedents"):
        surelist.resume(kept)


def test_no_features_at_all(tmp_path: Path) -> None:
    X, y = [[1, 0]] * 6, ["a", "b", "a", "a", "b", "a"]
    whole = RuleListClassifier(checkpoint=tmp_path / "kept", certificate=True).fit(X, y)
    model = surelist.resume(tmp_path / "kept")
    assert model.objective_exact_ == whole.objective_exact_ == Fraction(1, 3)
    assert model.predict(X).tolist() == ["a"] * 6
    assert surelist.verify(model.certificate_, X, y).optimal


@pytest.mark.parametrize("named", [False, True])
def test_columns_come_back(tmp_path: Path, named: bool) -> None:
    X, y = random_problem(0, rows=200, features=9)
    X = np.where(X == 1, 3.5, -1.0) if named else X
    frame = pd.DataFrame(X, columns=[f"c{k}" for k in range(9)])
    whole = RuleListClassifier(0.02, checkpoint=tmp_path / "kept").fit(frame, y)
    model = surelist.resume(tmp_path / "kept")
    assert model.feature_names_in_.tolist() == list(frame)
    assert (model.predict(frame) == whole.predict(frame)).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_features_in": 0}, "damaged: at n_features_in: expected a whole number of at least 1"),
        ({"n_features_in": 2}, "damaged: at conditions: the features are neither"),
        ({"classes": [1, 1]}, "damaged: at classes: expected two or more different classes"),
        ({"classes_dtype": "<i100000"}, "damaged: at classes: these are no classes"),
        ({"classes_dtype": "|b1"}, "damaged: at classes: expected two or more"),
        ({"names": 5}, "damaged: at names: expected an array, found 5"),
        ({"own": [[10**6]]}, "damaged: at own"),
        ({"weight_unit": float("inf")}, "damaged: at weight_unit: expected a finite number"),
        ({"weighting": {}}, "damaged: at weighting: the key 'class_weight' is missing"),
        ({"trace": {}}, "damaged: at trace: the key"),
        ({"fingerprint": None}, "damaged: at fingerprint: expected text"),
        ({"parameters": {"n_jobs": "tcp://127.0.0.1:1"}}, "damaged: at parameters.n_jobs"),
        ({"parameters": {"certificate": "/no/such/folder/x"}}, "cannot be used: the certificate"),
        ({"parameters": {"laplace": "x"}}, "cannot be used: laplace must be"),
        ({"parameters": {"x": 1}}, "damaged: .*unexpected keyword argument 'x'"),
    ],
)
def test_odd_values_are_refused_before_the_search(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    X, y = random_problem(0, rows=200, features=9)
    _stopped(tmp_path / "kept", X, y)
    checkpoint = read_checkpoint(tmp_path / "kept")
    if "parameters" in change:
        change = {"parameters": checkpoint.header["parameters"] | change["parameters"]}
    Checkpoint(checkpoint.header | change, checkpoint.parts).write(tmp_path / "kept")
    with pytest.raises(FormatError, match=message):
        surelist.resume(tmp_path / "kept", max_prefixes=None)


@pytest.mark.parametrize("message", [*CONTRADICTIONS, "from the user"])
def test_a_state_that_contradicts_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, message: str
) -> None:
    """What the engine says of it is told of the file; what a user's function raises is not."""
    X, y = random_problem(0, rows=200, features=9)
    _stopped(tmp_path / "kept", X, y)
    found = any(message in path.read_text() for path in (ROOT / "core").rglob("*.cpp"))
    assert found == (message in CONTRADICTIONS)

    def run(*_: Any) -> None:
        raise RuntimeError(message)

    monkeypatch.setattr("surelist.search.run.SearchRun.run", run)
    expected = FormatError if found else RuntimeError
    with pytest.raises(expected, match=message):
        surelist.resume(tmp_path / "kept")


def test_a_damaged_log_is_refused_before_the_search(tmp_path: Path) -> None:
    X, y = random_problem(0, rows=200, features=9)
    _stopped(tmp_path / "kept", X, y, certificate=True)
    checkpoint = read_checkpoint(tmp_path / "kept")
    for closed in (b"x", b"\5\0\0\0", b"\1\0\0\0\0", b"\2\0\0\0\0\5"):
        Checkpoint(checkpoint.header, checkpoint.parts | {"closed": closed}).write(
            tmp_path / "kept"
        )
        with pytest.raises(FormatError, match=r"at parts\.closed: the log of closed prefixes"):
            surelist.resume(tmp_path / "kept")
    parts = {name: part for name, part in checkpoint.parts.items() if name != "closed"}
    Checkpoint(checkpoint.header, parts).write(tmp_path / "kept")
    with pytest.raises(FormatError, match="the part 'closed' is missing"):
        surelist.resume(tmp_path / "kept")


@pytest.mark.slow
def test_killed_at_random_moments(tmp_path: Path) -> None:
    killing = Killing(tmp_path, *problem(300, 12))
    assert killing.run(random.Random(1), 3) <= 3
