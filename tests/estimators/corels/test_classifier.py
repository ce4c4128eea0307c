"""The interface of pycorels."""

from __future__ import annotations

import gzip
import json
import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from problems import hard_problem, random_problem
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score

from surelist import FormatError, InputError, RuleListClassifier, UncertifiedWarning
from surelist.estimators.corels import text_files as corels_text
from surelist.estimators.corels.classifier import CorelsClassifier, RuleList, load_from_csv

TOY_X, TOY_Y = [[1, 0, 1], [0, 1, 1], [1, 1, 1]], [1, 0, 1]


def quiet(**parameters: Any) -> CorelsClassifier:
    return CorelsClassifier(verbosity=[], **parameters)


def test_parameters_have_the_names_and_defaults_of_pycorels() -> None:
    assert CorelsClassifier().get_params() == {
        "c": 0.01,
        "n_iter": 10000,
        "map_type": "prefix",
        "policy": "lower_bound",
        "verbosity": ["rulelist"],
        "ablation": 0,
        "max_card": 2,
        "min_support": 0.01,
    }
    model = CorelsClassifier(0.1, 5, "none", "bfs", [], 1, 1, 0.2).set_params(n_iter=7)
    assert list(clone(model).get_params().values()) == list(model.get_params().values())
    with pytest.raises(ValueError, match="Invalid parameter"):
        model.set_params(regularization=0.1)


def test_the_rule_list_prints_as_in_pycorels(capsys: pytest.CaptureFixture[str]) -> None:
    model = CorelsClassifier()
    assert model.fit(TOY_X, TOY_Y) is model
    text = "RULELIST:\nif [feature1]:\n  prediction = True\nelse \n  prediction = False"
    assert str(model.rl()) == text
    assert capsys.readouterr().out == text + "\n"
    assert repr(model.rl()) == text + "\nAll features: (['feature1', 'feature2', 'feature3'])"
    assert str(model) == f"CorelsClassifier ({model.get_params()})\n{text}"
    assert model.rl().rules == [
        {"antecedents": [1], "prediction": True},
        {"antecedents": [0], "prediction": False},
    ]
    quiet().fit(TOY_X, TOY_Y)
    assert capsys.readouterr().out == ""


def test_names_and_negations() -> None:
    X = np.array([[a, b] for a in (0, 1) for b in (0, 1)] * 20)
    y = X[:, 0] & ~X[:, 1] & 1
    model = quiet().fit(X, y, features=["young", "employed"], prediction_name="arrest")
    assert str(model.rl()) in {
        f"RULELIST:\nif [{first}]:\n  arrest = {label}\nelse \n  arrest = {not label}"
        for first, label in (("young && not employed", True),)
    }
    assert model.rl().rules[0]["antecedents"] == [1, -2]
    assert model.predict(X).dtype == np.bool_
    assert model.predict(X).tolist() == (y == 1).tolist()
    assert model.predict_proba(X)[:, 1].tolist() == y.tolist()
    assert model.score(X, y) == model.score(model.predict(X), y) == 1.0
    named = quiet().fit(pd.DataFrame(X, columns=["a", "b"]), y)
    assert named.rl().features == ["a", "b"]


@pytest.mark.parametrize("map_type", ["none", "prefix", "captured"])
@pytest.mark.parametrize("policy", ["bfs", "curious", "lower_bound", "objective", "dfs"])
@pytest.mark.parametrize("ablation", [0, 1, 2])
def test_every_way_to_search_finds_the_same_optimum(
    map_type: str, policy: str, ablation: int
) -> None:
    X, y = random_problem(2)
    model = quiet(map_type=map_type, policy=policy, ablation=ablation, n_iter=10**6).fit(X, y)
    best = RuleListClassifier(0.01, negations=True).fit(X, y)
    assert model.status_ == "optimal"
    assert model.objective_ == best.objective_
    assert 1 - model.score(X, y) + 0.01 * (len(model.rl().rules) - 1) == pytest.approx(
        best.objective_
    )


def test_a_result_cut_off_by_n_iter_warns() -> None:
    X, y = hard_problem(rows=200, features=20)
    with pytest.warns(UncertifiedWarning, match="n_iter=10. Its objective") as caught:
        model = quiet(c=0.001, n_iter=10).fit(X, y)
    assert caught[0].filename == __file__
    assert model.status_ == "prefix_limit"
    assert model.gap_ > 0
    with pytest.warns(UncertifiedWarning, match="n_iter=0"):
        quiet(c=0.001, n_iter=0).fit(X, y)


def test_models_go_to_json_and_back(tmp_path: Path) -> None:
    X, y = random_problem(2)
    model = quiet(c=0.02).fit(X, y, features=["ä", 'b"', "c\n", "d"], prediction_name="z")
    file = tmp_path / "model.json"
    assert model.save(file) is model
    assert json.loads(file.read_text(encoding="utf-8"))["format"] == "surelist CORELS model"
    again = CorelsClassifier(c=0.3).load(str(file))
    assert again.get_params() == model.get_params()
    assert again.rl() == model.rl()
    assert (again.status_, again.gap_) == ("optimal", 0.0)
    assert again.predict(X).tolist() == model.predict(X).tolist()
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert [path.name for path in tmp_path.iterdir()] == ["model.json"]
    with pytest.raises(FormatError, match="no surelist CORELS rule list"):
        RuleList().load(file)


def test_rule_lists_go_to_json_and_back(tmp_path: Path) -> None:
    rule_list = quiet().fit(TOY_X, TOY_Y).rl()
    rule_list.save(tmp_path / "r.save")
    again = RuleList()
    again.load(tmp_path / "r.save")
    assert again == rule_list
    assert again != RuleList()


def test_pickles_are_refused_unopened(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return (pytest.fail, ("the pickle was opened",))

    file = tmp_path / "model.save"
    file.write_bytes(pickle.dumps(Trap()))
    with pytest.raises(FormatError, match="this is a pickle, as pycorels writes"):
        CorelsClassifier().load(file)
    file.write_bytes(pickle.dumps({"a": 1}, protocol=0))
    with pytest.raises(FormatError, match="not JSON"):
        CorelsClassifier().load(file)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.pop("format"),
        lambda data: data.update(version=2),
        lambda data: data.pop("rule_list"),
        lambda data: data.pop("parameters"),
        lambda data: data["parameters"].update(odd=1),
        lambda data: data["rule_list"].update(rules=[]),
        lambda data: data["rule_list"]["rules"][0].update(antecedents=[9]),
        lambda data: data["rule_list"]["rules"][0].update(prediction="yes"),
        lambda data: data["rule_list"]["rules"].pop(),
        lambda data: data["rule_list"].update(features=[1, 2, 3]),
        lambda data: data["rule_list"].update(prediction_name=None),
        lambda data: data["fitted"].update(rules=None),
        lambda data: data.pop("result"),
    ],
)
def test_damaged_files_are_refused(damage: Any, tmp_path: Path) -> None:
    file = tmp_path / "model.json"
    model = quiet().fit(TOY_X, TOY_Y).save(file)
    before = str(model)
    data = json.loads(file.read_text(encoding="utf-8"))
    damage(data)
    file.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(FormatError, match=r"model\.json"):
        model.load(file)
    assert str(model) == before


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        CorelsClassifier().load(tmp_path / "none")
    with pytest.raises(InputError, match="cannot be written"):
        quiet().fit(TOY_X, TOY_Y).save(tmp_path / "folder" / "model")
    with pytest.raises(NotFittedError):
        CorelsClassifier().save(tmp_path / "model")


def test_a_rule_list_can_be_given() -> None:
    model = quiet()
    with pytest.raises(NotFittedError):
        model.rl()
    given = RuleList([{"antecedents": [0], "prediction": 0}], ["feature1"], "pred")
    assert model.rl(given) is given
    assert str(model.rl()) == "RULELIST:\npred = 0"
    assert model.predict([[1], [0]]).tolist() == [False, False]
    with pytest.raises(InputError, match="given, not fitted"):
        model.predict_proba([[1]])
    with pytest.raises(InputError, match="rl takes"):
        model.rl(0)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="rule 0 is"):
        model.rl(RuleList([{"antecedents": [1], "prediction": 0}], ["feature1"], "pred"))
    with pytest.raises(InputError, match="the rule list knows 1"):
        model.predict([[1, 0]])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"c": 1.0}, "c must be at least 0 and below 1"),
        ({"c": -0.1}, "c must be"),
        ({"c": "a"}, "c must be a number"),
        ({"n_iter": -1}, "n_iter must be"),
        ({"n_iter": 1.5}, "n_iter must be"),
        ({"map_type": "hash"}, "map_type must be one of none, prefix, captured"),
        ({"policy": 1}, "policy must be one of"),
        ({"verbosity": "loud"}, "verbosity must be a list"),
        ({"verbosity": ["all"]}, "verbosity must be one of"),
        ({"ablation": 3}, "ablation must be 0, 1 or 2"),
        ({"max_card": 0}, "max_card must be"),
        ({"max_card": 4}, "max_card is 4; there are 3 features"),
        ({"min_support": 0.6}, "min_support must be at least 0 and at most 0.5"),
    ],
)
def test_bad_parameters_are_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        CorelsClassifier(**{"verbosity": [], **parameters}).fit(TOY_X, TOY_Y)


def test_bad_data_are_refused() -> None:
    for y in ([0, 1, 2], ["a", "b", "a"]):
        with pytest.raises(InputError, match="y must hold 0 and 1"):
            quiet().fit(TOY_X, y)
    with pytest.raises(InputError, match="one dimension"):
        quiet().fit(TOY_X, [[0], [1], [0]])
    with pytest.raises(InputError, match="row 0"):
        quiet().fit([[2, 0], [1, 0]], [0, 1])
    with pytest.raises(InputError, match="features has 1 names"):
        quiet().fit(TOY_X, TOY_Y, features=["a"])
    with pytest.raises(InputError, match="3 is not text"):
        quiet().fit(TOY_X, TOY_Y, features=["a", "b", 3])  # type: ignore[list-item]
    with pytest.raises(InputError, match="prediction_name must be text"):
        quiet().fit(TOY_X, TOY_Y, prediction_name=1)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="3 rows but y has 2"):
        quiet().fit(TOY_X, TOY_Y).score(TOY_X, [0, 1])


def test_it_works_with_scikit_learn() -> None:
    X, y = random_problem(2, rows=120)
    assert len(cross_val_score(quiet(), X, y, cv=3)) == 3
    searched = GridSearchCV(quiet(), {"c": [0.01, 0.1]}, cv=2).fit(X, y)
    assert searched.best_params_["c"] in (0.01, 0.1)


def test_tables_are_read(tmp_path: Path) -> None:
    file = tmp_path / "data.csv"
    file.write_text('a,"b, c",label\n1,0,1\n\n0,1,0\n', encoding="utf-8")
    X, y, features, prediction_name = load_from_csv(file)
    assert X.tolist() == [[1, 0], [0, 1]]
    assert y.tolist() == [1, 0]
    assert (features, prediction_name) == (["a", "b, c"], "label")
    for text, message in (
        ("a,b\n1\n", r"data\.csv:2: 1 values under 2 names"),
        ("a,b\n1,2\n", r"data\.csv:2: expected 0 or 1, found '2'"),
        ("a,b\n", "expected a line of names"),
    ):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(FormatError, match=message):
            load_from_csv(file)
    with pytest.raises(FormatError, match="cannot be read"):
        load_from_csv(tmp_path / "none.csv")


def test_compas_in_the_text_format_has_its_known_optimum(data_dir: Path) -> None:
    folder = data_dir / "compas"
    data = corels_text.read(folder / "compas_train.out.gz", folder / "compas_train.label.gz")
    names = list(data.antecedents)
    model = quiet(c=0.01, max_card=1, n_iter=10**6, map_type="captured", policy="curious")
    model.fit(data.captures, data.labels, names, "recidivism")
    assert model.status_ == "optimal"
    # Negations are mined, too, so the optimum may lie below that of the antecedents alone.
    assert model.objective_ <= 0.367974
    expected = RuleListClassifier(0.01, max_clauses=1, negations=True)
    assert model.objective_ == expected.fit(data.captures, data.labels).objective_
    assert set(model.rl().features) == set(names)


def test_compas_as_pycorels_users_have_it(data_dir: Path, tmp_path: Path) -> None:
    file = tmp_path / "compas.csv"
    file.write_bytes(gzip.decompress((data_dir / "compas" / "compas-binary.csv.gz").read_bytes()))
    X, y, features, prediction_name = load_from_csv(file)
    assert X.shape == (6907, 13)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = quiet(c=0.005).fit(X, y, features, prediction_name)
    assert model.status_ == "optimal"
    assert model.score(X, y) > 0.66
