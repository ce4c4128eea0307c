"""Models go to a file and back; files that are damaged or hostile are refused with the place."""

from __future__ import annotations

import gzip
import json
import math
import random
import warnings
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from fitted_models import CODES, DATA, FRAME, RNG, fitted, labelled
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import surelist
from surelist import (
    Binarizer,
    FormatError,
    InputError,
    RuleListClassifier,
    UncertifiedWarning,
    _core,
)
from surelist._common.progress import Progress
from surelist.estimators import model_json


def saved(model: RuleListClassifier, folder: Path) -> RuleListClassifier:
    model.save(folder / "model.json")
    return surelist.load(folder / "model.json")


def assert_same(found: RuleListClassifier, model: RuleListClassifier, X: Any = FRAME) -> None:
    assert found.rule_list_ == model.rule_list_
    assert found.classes_.dtype == model.classes_.dtype
    assert found.classes_.tolist() == model.classes_.tolist()
    predicted = found.predict(X)
    assert predicted.dtype == model.predict(X).dtype
    assert predicted.tolist() == model.predict(X).tolist()
    assert found.predict_proba(X).tolist() == model.predict_proba(X).tolist()
    assert found.explain(X) == model.explain(X)
    assert str(found.rule_list_) == str(model.rule_list_)
    assert found.rule_list_._repr_html_() == model.rule_list_._repr_html_()
    pd.testing.assert_frame_equal(found.rule_table(), model.rule_table())
    for name in ("status_", "objective_", "lower_bound_", "gap_", "n_features_in_", "n_groups_"):
        assert getattr(found, name) == getattr(model, name)
    assert found.objective_exact_ == model.objective_exact_
    assert found.lower_bound_exact_ == model.lower_bound_exact_
    assert hasattr(found, "feature_names_in_") == hasattr(model, "feature_names_in_")
    assert repr(found.get_params()) == repr(model.get_params())


@pytest.mark.parametrize(
    "labels",
    [
        labelled(["no", "yes", "maybe"]),
        labelled(["no", "yes"], object),
        labelled([False, True]),
        labelled([0, 1, 2]),
        labelled([-3, 2**40]),
        labelled([1, 2], np.uint8),
        labelled([0.0, 1.0, 5.0]),
        labelled([1.0, 2.0], np.float32),
    ],
)
def test_labels_of_every_type_come_back(labels: Any, tmp_path: Path) -> None:
    model = fitted(labels)
    assert len(model.rule_list_) > 0
    assert_same(saved(model, tmp_path), model)


def test_arrays_of_0_and_1_come_back(tmp_path: Path) -> None:
    X = RNG.integers(0, 2, (50, 3))
    model = RuleListClassifier(regularization=0.01, trace_interval=0.001).fit(X, X[:, 0] & X[:, 1])
    again = saved(model, tmp_path)
    assert_same(again, model, X)
    assert again.trace_.counters == model.trace_.counters
    assert len(again.trace_) == len(model.trace_) > 0
    assert again.trace_.queue_logical.tolist() == model.trace_.queue_logical.tolist()
    assert again.trace_.improved.tolist() == model.trace_.improved.tolist()


def test_parameters_come_back(tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "min_support": Decimal("0.05"),
        "bounds": tuple(_core.bound_names()),
        "class_weight": {"no": 2, "yes": 1.5, "maybe": Fraction(1, 3)},
        "binarizer": Binarizer(
            n_cuts=2, columns={"age": [25, 40], "day": [date(2020, 2, 1)], "λ\"'\n": "drop"}
        ),
        "time_limit": 1000.0,
        "memory_limit": "1GB",
        "random_state": 3,
        "laplace": 0.5,
    }
    model = fitted(**given)
    again = saved(model, tmp_path)
    assert_same(again, model)
    assert again.class_weight == given["class_weight"]
    assert again.get_params(deep=False)["binarizer"].columns == given["binarizer"].columns
    refit = clone(again).fit(FRAME, labelled(["no", "yes", "maybe"]))
    assert refit.rule_list_ == model.rule_list_


def test_fitted_binarizers_and_first_rule_lists_come_back(tmp_path: Path) -> None:
    first = fitted()
    binarizer = Binarizer().fit(FRAME, CODES)
    model = fitted(initial_rule_list=first, binarizer=binarizer)
    again = saved(model, tmp_path)
    assert again.initial_rule_list == first.rule_list_
    copy = again.get_params(deep=False)["binarizer"]
    assert copy.conditions_ == binarizer.conditions_
    assert copy.transform(FRAME).tolist() == binarizer.transform(FRAME).tolist()
    names = copy.get_feature_names_out().tolist()
    assert names == binarizer.get_feature_names_out().tolist()


def test_what_is_not_certified_stays_so(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        model = fitted(max_prefixes=1)
    assert model.status_ == "prefix_limit"
    assert model.gap_ > 0
    assert_same(saved(model, tmp_path), model)


def test_odd_values_come_back(tmp_path: Path) -> None:
    model = fitted().set_params(time_limit=math.inf, max_clauses=np.int64(3), bounds={"support"})
    assert saved(model, tmp_path).bounds == {"support"}
    assert saved(model, tmp_path).time_limit == math.inf
    assert saved(model, tmp_path).max_clauses == 3
    model = fitted().set_params(certificate=tmp_path / "proof", cost_matrix=np.eye(3))
    assert saved(model, tmp_path).certificate == str(tmp_path / "proof")
    assert saved(model, tmp_path).cost_matrix == np.eye(3).tolist()


def test_costs_come_back(tmp_path: Path) -> None:
    model = fitted(
        cost_matrix={"no": {"yes": 5, "maybe": 0.5}}, antecedent_costs="clauses", dnf="yes"
    )
    assert model.objective_exact_ == model.rule_list_.objective
    assert_same(saved(model, tmp_path), model)


def test_functions_are_left_out_or_refused(tmp_path: Path) -> None:
    def watch(progress: Progress) -> None:
        del progress

    assert saved(fitted(progress=watch), tmp_path).progress is False
    odd = fitted().set_params(random_state=np.random.RandomState(0))
    with pytest.raises(InputError, match="the parameter random_state cannot be saved"):
        odd.save(tmp_path / "other.json")
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(InputError, match="the parameter bounds cannot be saved"):
        fitted().set_params(bounds=endless).save(tmp_path / "other.json")
    assert [path.name for path in tmp_path.iterdir()] == ["model.json"]


def test_only_fitted_models_are_saved(tmp_path: Path) -> None:
    with pytest.raises(NotFittedError):
        RuleListClassifier().save(tmp_path / "model.json")
    with pytest.raises(NotFittedError):
        RuleListClassifier().rule_table()
    with pytest.raises(NotFittedError):
        RuleListClassifier().export()


def test_the_same_fit_is_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    fitted().save(path)
    before = path.read_bytes()
    fitted().save(path)
    assert path.read_bytes().split(b'"trace"')[0] == before.split(b'"trace"')[0]


def test_paths_that_cannot_be_written_or_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        fitted().save(tmp_path / "none" / "model.json")
    with pytest.raises(InputError, match="not a regular file"):
        fitted().save(tmp_path)
    with pytest.raises(FormatError, match="cannot be read"):
        surelist.load(tmp_path / "none.json")
    with pytest.raises(FormatError, match="cannot be read"):
        surelist.load(tmp_path)
    with pytest.raises(FormatError, match="cannot be read"):
        surelist.load("a\0b")


def test_compressed_files_come_back(tmp_path: Path) -> None:
    model = fitted()
    model.save(tmp_path / "model.json.gz")
    assert (tmp_path / "model.json.gz").read_bytes()[:2] == b"\x1f\x8b"
    assert surelist.load(tmp_path / "model.json.gz").rule_list_ == model.rule_list_
    (tmp_path / "cut.gz").write_bytes((tmp_path / "model.json.gz").read_bytes()[:-20])
    with pytest.raises(FormatError, match="the gzip data is cut short or damaged"):
        surelist.load(tmp_path / "cut.gz")


def refused(text: str | bytes, folder: Path) -> FormatError:
    path = folder / "damaged.json"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(FormatError) as caught:
        surelist.load(path)
    assert str(caught.value).startswith(str(path))
    return caught.value


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "this is not JSON"),
        ("[" * 10**6, "nested too deeply"),
        ('{"a":' * 10**5, "nested too deeply"),
        ("{}", "this is not a surelist model"),
        ("[]", "this is not a surelist model"),
        ("1" * 10**5, "a number is too long"),
        ('{"format": NaN}', "NaN is not JSON"),
        ('{"a": 1, "a": 2}', "the key 'a' occurs twice"),
        (b"\xff\xfe", "this is not UTF-8"),
        (b"\x1f\x8b broken", "the gzip data is cut short or damaged"),
        (b"\x80\x04\x95pickle", "this is not UTF-8"),
    ],
)
def test_other_files_are_refused(text: str | bytes, problem: str, tmp_path: Path) -> None:
    assert problem in str(refused(text, tmp_path))


def test_syntax_errors_have_line_and_column(tmp_path: Path) -> None:
    error = refused('{\n "format": "surelist model",\n oops}', tmp_path)
    assert (error.line, error.column) == (3, 2)


def test_large_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_json, "_MOST_BYTES", 1 << 20)
    assert "larger than 1 MiB" in str(refused(b" " * ((1 << 20) + 1), tmp_path))
    assert "larger than 1 MiB" in str(refused(gzip.compress(b" " * (1 << 26)), tmp_path))


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    data: dict[str, Any] = json.loads(DATA)
    change(data)
    return json.dumps(data)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda d: d.update(version=2), "at version: this surelist model has version 2"),
        (lambda d: d.update(version=0), "at version"),
        (lambda d: d.update(version="1"), "at version"),
        (lambda d: d.pop("status"), "the key 'status' is missing"),
        (lambda d: d.update(other=1), "the key 'other' is not known"),
        (lambda d: d.update(status="fine"), "at status"),
        (lambda d: d.update(status="time_limit"), "at status: 'time_limit' contradicts a gap of 0"),
        (lambda d: d.update(objective="0/1"), "at objective: the file says 0"),
        (lambda d: d.update(objective="1e9999999"), "at objective"),
        (lambda d: d.update(lower_bound="2/1"), "at lower_bound"),
        (lambda d: d.update(lower_bound="0/1"), "at status: 'optimal' contradicts a gap"),
        (lambda d: d.update(lower_bound="1/0"), "at lower_bound"),
        (lambda d: d.update(n_features_in=3), "at n_features_in"),
        (lambda d: d.update(n_groups=True), "at n_groups: expected a whole number, found True"),
        (lambda d: d["feature_names_in"].reverse(), "at feature_names_in"),
        (lambda d: d.update(classes_dtype="O"), "at classes_dtype"),
        (lambda d: d.update(classes_dtype="int64"), "at classes_dtype: int64 cannot hold"),
        (lambda d: d.update(weight_unit=0), "at weight_unit"),
        (lambda d: d["parameters"].update(evil=1), "at parameters: there is no parameter 'evil'"),
        (
            lambda d: d["parameters"].update(bounds={"os.system": "ls"}),
            "at parameters.bounds: expected a value",
        ),
        (lambda d: d["parameters"].update(bounds={"set": [[]]}), "at parameters.bounds.set"),
        (
            lambda d: d["parameters"].update(min_support={"decimal": "1" * 200}),
            "at parameters.min_support.decimal",
        ),
        (
            lambda d: d["parameters"].update(binarizer={"binarizer": {"parameters": {"x": 1}}}),
            "at parameters.binarizer.binarizer.parameters.x",
        ),
        (lambda d: d["rule_list"].update(version=9), "at rule_list.version"),
        (
            lambda d: d["rule_list"]["rules"][0]["weights"].append(1),
            "at rule_list.rules[0].weights: expected a weight for each of 3 classes, found 4",
        ),
        (
            lambda d: d["rule_list"]["rules"][0]["clauses"][0]["condition"].update(kind="eval"),
            "at rule_list.rules[0].clauses[0].condition: there is no condition of kind 'eval'",
        ),
        (
            lambda d: d["rule_list"]["rules"][0]["clauses"][0]["condition"].update(column="z"),
            "at rule_list: rules[0] asks about 'z', which is not a column",
        ),
        (lambda d: d["trace"].pop("time"), "at trace: the key 'time' is missing"),
        (lambda d: d["trace"]["time"].append(1), "at trace."),
        (lambda d: d["trace"]["counters"].update(time="x"), "at trace.counters.time"),
    ],
)
def test_damaged_files_are_refused_with_the_place(
    change: Callable[[dict[str, Any]], object], place: str, tmp_path: Path
) -> None:
    assert place in str(refused(changed(change), tmp_path))


def test_files_of_newer_versions_say_what_to_do(tmp_path: Path) -> None:
    assert "install a newer Surelist" in str(
        refused(changed(lambda d: d.update(version=2)), tmp_path)
    )


def test_random_damage_is_refused_or_harmless(tmp_path: Path) -> None:
    """Whatever a file holds, loading it raises no other error than FormatError."""
    rng = random.Random(5)
    path = tmp_path / "model.json"
    loaded = 0
    for _ in range(400):
        text = list(DATA)
        for _ in range(rng.randint(1, 3)):
            start = rng.randrange(len(text))
            stop = start + rng.choice([0, 1, 1, 2, 30])
            text[start:stop] = rng.choice(
                ["", "0", "-1", '"', "{", "null", "1e999", "[]", ",", "true"]
            )
        path.write_text("".join(text), encoding="utf-8")
        try:
            model = surelist.load(path)
        except FormatError:
            continue
        loaded += 1
        model.export("python")
        model.rule_table()
    assert loaded < 200


def mutations(value: Any) -> list[Any]:
    return [None, True, -1, 2**70, 0.5, "", "x" * 50, [], {}, [value], {"float": "nan"}]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    found = [path] if path else []
    if isinstance(value, dict | list):
        for key, member in items:
            found += (
                places(member, (*path, key)) if isinstance(member, dict | list) else [(*path, key)]
            )
    return found


def test_every_value_may_be_anything(tmp_path: Path) -> None:
    rng = random.Random(6)
    data = json.loads(DATA)
    path = tmp_path / "model.json"
    refusals = 0
    for place in places(data):
        changed_data = json.loads(DATA)
        holder: Any = changed_data
        for key in place[:-1]:
            holder = holder[key]
        holder[place[-1]] = rng.choice(mutations(holder[place[-1]]))
        path.write_text(json.dumps(changed_data), encoding="utf-8")
        try:
            surelist.load(path)
        except FormatError:
            refusals += 1
    assert refusals > 40
