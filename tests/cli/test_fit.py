"""``surelist fit``: what it prints and writes, and what its flags mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_type_hints

import pytest
from cli_helpers import PEOPLE_LIST, Captured, run

import surelist
from surelist import RuleListClassifier
from surelist.estimators.fit import fit_model
from surelist.estimators.fitted_model import FittedModel
from surelist.problem.settings import Settings


def test_fit_prints_the_list_and_what_is_proven(people: Path, capfd: Captured) -> None:
    finished = run(capfd, "fit", people, "--label", "member", "--drop", "postcode")
    assert (finished.code, finished.err) == (0, "")
    lines = finished.out.splitlines()
    assert lines[:3] == PEOPLE_LIST
    facts = {line.split("   ")[0]: line.split("   ", 1)[1].strip() for line in lines[4:]}
    assert facts["status"].startswith("optimal: proven")
    assert facts["objective"] == "0.020000 = loss 0.000000 + 0.01 × 2 rules"
    assert facts["lower bound"] == "the same"
    assert facts["data"] == "60 rows, 2 columns, label member"
    assert sorted(people.parent.iterdir()) == [people]


def test_fit_for_machines(people: Path, capfd: Captured) -> None:
    path = people.with_name("model.json")
    finished = run(capfd, "fit", people, "-l", "member", "--drop", "postcode", "-o", path, "--json")
    assert (finished.code, finished.err) == (0, "")
    document = finished.json
    assert document["status"] == "optimal"
    assert document["objective_exact"] == document["lower_bound_exact"] == "1/50"
    assert document["gap"] == 0
    assert document["text"] == PEOPLE_LIST
    assert [rule["label"] for rule in document["rules"]] == ["yes", "yes", "no"]
    assert sum(rule["captured"] for rule in document["rules"]) == 60
    assert document["data"] == {"path": str(people), "rows": 60, "label": "member"}
    assert document["model"] == str(path)
    assert surelist.load(path).rule_list_.lines() == tuple(PEOPLE_LIST)


def test_a_model_from_the_command_line_takes_data_frames(people: Path, people_model: Path) -> None:
    import pandas as pd

    frame = pd.read_csv(people)
    loaded = surelist.load(people_model)
    features = frame[["age", "sex"]]
    assert (loaded.predict(features) == frame["member"]).all()
    assert loaded.feature_names_in_.tolist() == ["age", "sex"]


def test_costs_that_are_not_given_count(tmp_path: Path, capfd: Captured) -> None:
    path = tmp_path / "costs.csv"
    rows = ["x,z,label", *["1,0,a", "0,1,b", "0,0,c", "0,0,c"] * 5]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    for more in ((), ("--n-cuts", "2")):
        found = run(
            capfd, "fit", path, "-l", "label", "-r", "0.05", "--cost", "a:b=0.1", *more, "--json"
        )
        assert (found.json["status"], found.json["objective_exact"]) == ("optimal", "1/10")


def test_a_class_of_bools_is_named_by_its_text(tmp_path: Path, capfd: Captured) -> None:
    path = tmp_path / "bools.csv"
    path.write_text("x,label\n" + "0,True\n1,False\n" * 10, encoding="utf-8")
    found = run(capfd, "fit", path, "-l", "label", "--dnf", "False", "--json")
    assert found.json["text"] == ["if (x) then predict False", "else predict True"]


# Flags, and what the classifier gets of them.
FLAGS = (
    *("-r", "0.02", "--max-clauses", "3", "--negations", "--min-support", "1/50"),
    *("--max-length", "5", "--policy", "curiosity", "--symmetry", "permutation"),
    *("--bound", "lookahead", "--bound", "last_rule"),
    *("--antecedent", "age < 30 and sex = Male", "--class-weight", "yes=2"),
    *("--class-weight", "no=1.5", "--laplace", "1", "--time-limit", "60", "--work-limit", "50"),
    *("--memory-limit", "500MB", "--max-prefixes", "1000000", "-j", "2"),
    *("--trace-interval", "0.5", "--random-state", "7", "--strategy", "quantile"),
    *("--n-cuts", "3", "--intervals", "--min-frequency", "0.05", "--max-features", "40"),
    *("--column", "sex=category", "--cost", "yes:no=2.5", "--dnf", "yes"),
    *("--first", "age < 30", "--require", "sex = Male", "--forbid", "sex = Female"),
    *("--antecedent-cost", "sex = Male=2", "--checkpoint-interval", "30"),
)
PARAMETERS = {
    "regularization": 0.02,
    "max_clauses": 3,
    "negations": True,
    "min_support": surelist.tables.regularization.exact(0.02),
    "max_length": 5,
    "policy": "curiosity",
    "symmetry": "permutation",
    "bounds": ["lookahead", "last_rule"],
    "antecedents": ["age < 30 and sex = Male"],
    "antecedents_only": False,
    "class_weight": {"yes": 2.0, "no": 1.5},
    "cost_matrix": {"yes": {"no": 2.5}},
    "dnf": "yes",
    "first": ["age < 30"],
    "required": ["sex = Male"],
    "forbidden": ["sex = Female"],
    "antecedent_costs": {"sex = Male": 2},
    "laplace": 1.0,
    "time_limit": 60.0,
    "work_limit": 50.0,
    "memory_limit": "500MB",
    "max_prefixes": 1000000,
    "n_jobs": 2,
    "progress": False,
    "certificate": False,
    "checkpoint_interval": 30.0,
    "trace_interval": 0.5,
    "random_state": 7,
}
BINARIZER = {
    "strategy": "quantile",
    "n_cuts": 3,
    "intervals": True,
    "min_frequency": 0.05,
    "max_features": 40,
    "columns": {"age": [30, 60], "sex": "category"},
}


def test_every_parameter_has_a_flag_that_reaches_the_classifier(
    people: Path, capfd: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {}

    def spy(settings: Settings, *arguments: Any, **more: Any) -> FittedModel:
        given.update(settings.as_dict())
        return fit_model(settings, *arguments, **more)

    monkeypatch.setattr("surelist.runs.fit.fit_model", spy)
    initial, kept = people.with_name("initial.json"), people.with_name("kept")
    base = ("fit", people, "-l", "member", "--drop", "postcode", "--column", "age=30,60,")
    assert run(capfd, *base, "-o", initial).code == 0
    given.clear()
    finished = run(capfd, *base, *FLAGS, "--initial-rule-list", initial, "--checkpoint", kept)
    assert finished.code == 0, finished.err
    assert vars(given.pop("binarizer")) == BINARIZER
    assert given.pop("initial_rule_list").lines() == tuple(PEOPLE_LIST)
    assert given.pop("checkpoint") == kept
    assert given.pop("fairness") is None, "the command for it is surelist fair"
    assert given == PARAMETERS


def test_without_flags_parameters_are_the_classifiers_own(
    people: Path, capfd: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {}

    def spy(settings: Settings, *_: Any, **__: Any) -> None:
        given.update(settings.as_dict())
        raise surelist.InputError("seen enough")

    monkeypatch.setattr("surelist.runs.fit.fit_model", spy)
    assert run(capfd, "fit", people, "-l", "member").error == "seen enough"
    assert given.pop("progress") is False, "the command has a display of its own"
    own = RuleListClassifier().get_params(deep=False)
    assert given == {name: own[name] for name in own if name != "progress"}


def test_defaults_of_features_are_said() -> None:
    from surelist.cli.options import FeatureOptions
    from surelist.problem.training_data import MAX_FEATURES, N_CUTS

    hints = get_type_hints(FeatureOptions, include_extras=True)
    for name, value in (("n_cuts", N_CUTS), ("max_features", MAX_FEATURES)):
        assert f"[default: {value}]" in hints[name].__metadata__[0].help


def test_choices_are_those_of_the_engine() -> None:
    from surelist import _core
    from surelist.cli.export import Format
    from surelist.rule_list.export import _FORMATS
    from surelist.runs.choices import Policy, Symmetry

    assert {policy.value for policy in Policy} == set(_core.policy_names())
    assert {symmetry.value for symmetry in Symmetry} == set(_core.symmetry_names())
    assert {each.value for each in Format} == set(_FORMATS)


def test_limits_exit_with_three_and_still_write(people: Path, capfd: Captured) -> None:
    path = people.with_name("model.json")
    command = ("fit", people, "-l", "member", "-r", "0.001", "--max-prefixes", "1", "-o", path)
    finished = run(capfd, *command)
    assert finished.code == 3
    assert "prefix_limit: not certified, a better rule list may exist, by at most" in finished.out
    assert surelist.load(path).status_ == "prefix_limit"
    document = run(capfd, *command, "--json", "--force")
    assert document.code == 3
    assert document.json["status"] == "prefix_limit"
    assert document.json["gap"] > 0


def test_weights_count(tmp_path: Path, capfd: Captured) -> None:
    path = tmp_path / "data.csv"
    path.write_text("x,y,w\n0,a,1\n1,b,3\n1,a,1\n0,b,0\n")
    finished = run(capfd, "fit", path, "-l", "y", "--weight", "w", "--json")
    assert finished.json["loss"] == pytest.approx(1 / 5)
    path.write_text("x,y,w\n0,a,1\n1,b,-3\n")
    error = run(capfd, "fit", path, "-l", "y", "--weight", "w").error
    assert error == f"{path}:3: the weight 'w' must be a number of at least 0"


def test_corels_text_is_fitted_as_it_is(data_dir: Path, tmp_path: Path, capfd: Captured) -> None:
    files = [data_dir / "compas" / f"compas_train.{kind}.gz" for kind in ("out", "label")]
    finished = run(capfd, "fit", "--rules", files[0], "--labels", files[1], "-r", "0.01", "--json")
    assert (finished.code, finished.err) == (0, "")
    assert finished.json["objective"] == pytest.approx(0.367973, abs=5e-7)
    assert finished.json["length"] == 2
    table = tmp_path / "train.csv"
    base = ("convert", "--rules", files[0], "--labels", files[1], "-o", table)
    assert run(capfd, *base).code == 0
    same = run(capfd, "fit", table, "--max-clauses", "1", "-r", "0.01", "--json")
    assert "predicting the column 'label'" in same.err
    assert same.json["objective_exact"] == finished.json["objective_exact"]
