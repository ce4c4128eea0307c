from __future__ import annotations

import pickle
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from problems import HARD, Column, Matrix, hard_problem, random_problem
from sklearn.base import clone, is_classifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from surelist import InputError, RuleListClassifier, UncertifiedWarning, _core


def brute_force(X: Matrix, y: Column, weights: Column, regularization: Fraction) -> Fraction:
    """Return the least objective over all lists of one- and two-clause antecedents.

    Shares nothing with the package, not even the idea of mining.
    """
    columns = [X[:, i] == 1 for i in range(X.shape[1])]
    antecedents = [*columns, *(a & b for a, b in combinations(columns, 2))]
    classes = np.unique(y)
    total = int(weights.sum())

    def loss(rows: Column) -> int:
        by_class = [int(weights[rows & (y == label)].sum()) for label in classes]
        return sum(by_class) - max(by_class)

    best = Fraction(loss(np.ones(len(y), dtype=bool)), total)
    for length in range(1, 4):
        if regularization * length >= best:
            break
        for prefix in permutations(antecedents, length):
            left, lost = np.ones(len(y), dtype=bool), 0
            for captures in prefix:
                lost += loss(left & captures)
                left &= ~captures
            objective = Fraction(lost + loss(left), total) + regularization * length
            best = min(best, objective)
    # Longer lists cost more than three rules, so the answer is exact where that is too much.
    assert 4 * regularization >= best
    return best


def read_by_hand(model: RuleListClassifier, X: Matrix) -> list[Any]:
    """Predict by walking down the printed list for each row, as a person would."""
    names = list(model.rule_list_.feature_names)
    labels = {str(label): label for label in model.classes_.tolist()}
    predictions = []
    for row in X:
        for line in str(model.rule_list_).splitlines():
            condition, label = line.removeprefix("else ").split("predict ")
            clauses = condition.removeprefix("if ").removesuffix(" then ").split(" and ")
            if condition == "" or all(holds(clause[1:-1], names, row) for clause in clauses):
                predictions.append(labels[label])
                break
    return predictions


def holds(clause: str, names: list[str], row: Column) -> bool:
    if clause.startswith("not "):
        return bool(row[names.index(clause.removeprefix("not "))] == 0)
    return bool(row[names.index(clause)] == 1)


# The optimum, and what is said about it.


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_the_objective_is_the_least_there_is(seed: int, classes: int) -> None:
    X, y = random_problem(seed, classes=classes)
    weights = np.random.default_rng(seed).integers(0, 4, size=len(y))
    weights[:classes] = 1
    regularization = Fraction(15, 100)
    model = RuleListClassifier(regularization).fit(X, y, sample_weight=weights)
    assert model.objective_exact_ == brute_force(X, y, weights, regularization)
    assert model.lower_bound_exact_ == model.objective_exact_ == model.rule_list_.objective
    assert (model.status_, model.gap_) == ("optimal", 0.0)
    assert model.objective_ == model.lower_bound_ == float(model.objective_exact_)


def test_short_lists_agree_with_brute_force_for_small_lambda() -> None:
    X, y = random_problem(11, rows=40, features=3)
    model = RuleListClassifier(0.07).fit(X, y)
    assert model.objective_exact_ == brute_force(X, y, np.ones(40, int), Fraction(7, 100))


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("negations", [False, True])
def test_predictions_follow_the_printed_list(classes: int, negations: bool) -> None:
    X, y = random_problem(5, rows=200, features=6, classes=classes)
    model = RuleListClassifier(0.01, negations=negations).fit(X, y)
    assert len(model.rule_list_) >= 2
    fresh = np.random.default_rng(99).integers(0, 2, size=(100, 6), dtype=np.uint8)
    assert model.predict(fresh).tolist() == read_by_hand(model, fresh)
    assert model.predict(fresh).tolist() == model.rule_list_.predict(fresh).tolist()


def test_rules_count_their_training_rows() -> None:
    X, y = random_problem(5, rows=200, features=6, classes=3)
    model = RuleListClassifier(0.01).fit(X, y)
    captured_by = model.rule_list_.captures(X)
    for index, rule in enumerate([*model.rule_list_.rules, model.rule_list_.default]):
        captured = y[captured_by == index]
        assert rule.captured == len(captured)
        assert rule.weights == tuple(np.bincount(captured, minlength=3))
        assert rule.correct == np.sum(captured == rule.label) == max(rule.weights)
    errors = int(np.sum(model.predict(X) != y))
    assert model.rule_list_.loss == Fraction(errors, 200)
    assert model.score(X, y) == 1 - errors / 200


def test_a_tie_goes_to_the_first_class() -> None:
    X = np.array([[0], [0], [1], [1]] * 3)
    y = ["b", "a", "b", "a"] * 3
    model = RuleListClassifier(0.01).fit(X, y)
    assert str(model.rule_list_) == "predict a"
    assert model.predict([[0], [1]]).tolist() == ["a", "a"]
    assert model.predict_proba([[0]]).tolist() == [[0.5, 0.5]]


@pytest.mark.parametrize("classes", [2, 3])
def test_the_prediction_is_the_most_probable_class(classes: int) -> None:
    X, y = random_problem(8, rows=120, features=5, classes=classes)
    model = RuleListClassifier(0.005).fit(X, y)
    probabilities = model.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    assert (model.classes_[probabilities.argmax(axis=1)] == model.predict(X)).all()


# Weights.


def test_weights_are_repeated_rows() -> None:
    X, y = random_problem(2, rows=80, features=5)
    counts = np.random.default_rng(2).integers(0, 5, size=80)
    weighted = RuleListClassifier(0.02).fit(X, y, sample_weight=counts)
    repeated = RuleListClassifier(0.02).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    assert weighted.objective_exact_ == repeated.objective_exact_
    assert weighted.rule_list_ == repeated.rule_list_
    assert weighted.antecedents_ == repeated.antecedents_
    assert weighted.n_groups_ == repeated.n_groups_


def test_one_factor_for_all_weights_changes_no_objective() -> None:
    X, y = random_problem(2, rows=80, features=5)
    plain = RuleListClassifier(0.02).fit(X, y)
    for factor in (7, 0.25, 0.1):
        scaled = RuleListClassifier(0.02).fit(X, y, sample_weight=np.full(80, factor))
        assert scaled.objective_exact_ == plain.objective_exact_
        assert str(scaled.rule_list_) == str(plain.rule_list_)


def test_class_weight_is_a_sample_weight() -> None:
    X, y = random_problem(3, rows=80, features=5)
    by_class = RuleListClassifier(0.02, class_weight={1: 3}).fit(X, y)
    by_row = RuleListClassifier(0.02).fit(X, y, sample_weight=np.where(y == 1, 3, 1))
    assert by_class.rule_list_ == by_row.rule_list_


def test_balanced_weights_lift_a_rare_class() -> None:
    X = np.array([[1], [1], [1], [0], *[[0]] * 16])
    y = np.array(["rare", "rare", "common", *["common"] * 17])
    assert "rare" not in RuleListClassifier(0.08).fit(X, y).predict(X)
    balanced = RuleListClassifier(0.08, class_weight="balanced").fit(X, y)
    assert balanced.predict([[1], [0]]).tolist() == ["rare", "common"]


# Containers, names and labels.


def test_names_of_a_data_frame_appear_in_the_list() -> None:
    frame = pd.DataFrame({"age = 18-20": [0, 0, 1, 1] * 5, "sex = male": [0, 1, 0, 1] * 5})
    model = RuleListClassifier(0.05).fit(frame, ["no", "no", "no", "yes"] * 5)
    assert str(model.rule_list_) == (
        "if (age = 18-20) and (sex = male) then predict yes\nelse predict no"
    )
    assert model.feature_names_in_.tolist() == ["age = 18-20", "sex = male"]
    assert model.n_features_in_ == 2
    assert model.predict(frame.iloc[:4]).tolist() == ["no", "no", "no", "yes"]


@pytest.mark.parametrize(
    "convert",
    [
        lambda X: X.astype(bool),
        lambda X: X.astype(np.int64),
        lambda X: X.astype(np.float32),
        lambda X: X.tolist(),
        np.asfortranarray,
        lambda X: X[:, ::-1][:, ::-1],
        lambda X: pd.DataFrame(X),
        lambda X: pd.DataFrame(X, columns=list("abcd")),
        lambda X: pd.DataFrame(X, columns=list("abcd"), index=range(60, 0, -1)).astype("boolean"),
        lambda X: pl.DataFrame(X, schema=list("abcd")),
    ],
)
def test_every_container_gives_the_same_model(convert: Callable[[Any], Any]) -> None:
    X, y = random_problem(1)
    given = convert(X)
    expected = RuleListClassifier(0.03, negations=True).fit(X, y)
    model = RuleListClassifier(0.03, negations=True).fit(given, y)
    assert model.rule_list_.rename(["x0", "x1", "x2", "x3"]) == expected.rule_list_
    assert (model.predict(given) == expected.predict(X)).all()


def test_polars_names_are_kept() -> None:
    frame = pl.DataFrame({"young": [0, 1] * 5, "old": [True, False] * 5})
    model = RuleListClassifier().fit(frame, pl.Series(["n", "y"] * 5))
    assert model.feature_names_in_.tolist() == ["young", "old"]
    assert model.predict(frame).tolist() == ["n", "y"] * 5


@pytest.mark.parametrize(
    "labels",
    [
        np.array([0, 1]),
        np.array([-3, 7], dtype=np.int8),
        np.array([False, True]),
        np.array([0.0, 1.0]),
        np.array(["no", "yes"]),
        np.array(["no", "yes"], dtype=object),
        pd.Series(["no", "yes"], dtype="category"),
        pd.Series(["no", "yes"]),
        pl.Series(["no", "yes"]),
    ],
)
def test_labels_of_any_type_come_back(labels: Any) -> None:
    y = np.tile(np.asarray(labels), 10)
    model = RuleListClassifier().fit([[0], [1]] * 10, y)
    assert model.classes_.dtype == y.dtype
    assert model.predict([[1], [0]]).tolist() == [y[1], y[0]]
    assert model.predict([[1]]).dtype == y.dtype


@pytest.mark.parametrize(
    "labels",
    [
        np.array([3, 7], dtype=object),
        pd.Series([3, 7], dtype="Int64"),
        pd.Series([False, True], dtype="boolean"),
        pd.Series([False, True], dtype=object),
        pl.Series([3, 7]),
    ],
)
def test_numbers_held_as_objects_are_labels(labels: Any) -> None:
    model = RuleListClassifier().fit([[0], [1]], labels)
    assert model.classes_.dtype.kind in "bi"
    assert model.classes_.tolist() == list(labels)


def test_the_data_are_not_changed() -> None:
    X, y = random_problem(1)
    weights = np.ones(60)
    for array in (X, y, weights):
        array.setflags(write=False)
    RuleListClassifier(0.03).fit(X, y, sample_weight=weights)
    RuleListClassifier(0.03).fit(X.astype(bool), y)


def test_equal_captures_become_aliases() -> None:
    X = np.array([[0, 1, 0], [1, 0, 1]] * 10)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = RuleListClassifier(max_clauses=2).fit(frame, [0, 1] * 10)
    by_name = {str(antecedent): antecedent for antecedent in model.antecedents_}
    assert set(by_name) == {"(a)", "(b)"}
    assert [tuple(clause.name for clause in alias) for alias in by_name["(a)"].aliases] == [
        ("c",),
        ("a", "c"),
    ]
    assert model.n_groups_ == 2


# Parameters.


def test_min_support_and_max_clauses_choose_the_antecedents() -> None:
    X = np.zeros((100, 3), dtype=int)
    X[:5, 0] = X[:40, 1] = X[30:, 2] = 1
    y = np.arange(100) % 2

    def mined(**parameters: Any) -> set[str]:
        model = RuleListClassifier(**parameters).fit(X, y)
        return {str(antecedent) for antecedent in model.antecedents_}

    assert mined(regularization=0.05) == {"(x0)", "(x1)", "(x2)", "(x1) and (x2)"}
    assert mined(regularization=0.05, max_clauses=1) == {"(x0)", "(x1)", "(x2)"}
    assert mined(regularization=0.051) == {"(x1)", "(x2)", "(x1) and (x2)"}
    assert mined(regularization=0.01, min_support=0.4, max_clauses=1) == {"(x1)", "(x2)"}
    assert mined(regularization=0.31, max_clauses=1) == {"(x1)"}  # x2 leaves less than λ
    assert mined(regularization=0.3, max_clauses=1) == {"(x1)", "(x2)"}
    assert mined(regularization=0.3, negations=True, max_clauses=1) == {
        *("(x1)", "(not x1)"),
        *("(x2)", "(not x2)"),
    }


def test_max_length_limits_the_prefix() -> None:
    X, y = random_problem(5, rows=200, features=6, classes=3)
    free = RuleListClassifier(0.01).fit(X, y)
    assert len(free.rule_list_) > 1
    for length in (0, 1):
        model = RuleListClassifier(0.01, max_length=length).fit(X, y)
        assert len(model.rule_list_) == length
        assert model.status_ == "optimal"
        assert model.objective_exact_ > free.objective_exact_


@pytest.mark.parametrize("policy", _core.policy_names())
@pytest.mark.parametrize("symmetry", _core.symmetry_names())
def test_every_policy_and_map_gives_the_same_optimum(policy: str, symmetry: str) -> None:
    X, y = random_problem(4, rows=150, features=5)
    expected = RuleListClassifier(0.02).fit(X, y)
    model = RuleListClassifier(0.02, policy=policy, symmetry=symmetry, random_state=1).fit(X, y)
    assert model.objective_exact_ == expected.objective_exact_


@pytest.mark.parametrize("bounds", [[], ("lookahead",), {"support", "equivalent_points"}, "all"])
def test_bounds_do_not_move_the_optimum(bounds: Any) -> None:
    X, y = random_problem(4, rows=150, features=4)
    model = RuleListClassifier(0.05, max_clauses=1, bounds=bounds).fit(X, y)
    expected = RuleListClassifier(0.05, max_clauses=1).fit(X, y)
    assert model.objective_exact_ == expected.objective_exact_


def test_a_search_can_start_from_a_rule_list() -> None:
    X, y = random_problem(5, rows=200, features=6, classes=3)
    cold = RuleListClassifier(0.01).fit(X, y)
    texts = [str(rule.antecedent) for rule in cold.rule_list_.rules]
    bare = [text.replace("(", "").replace(")", "") for text in texts]
    swapped = [" and ".join(reversed(text.split(" and "))) for text in texts]
    for initial in (cold, cold.rule_list_, texts, tuple(bare), swapped, []):
        warm = RuleListClassifier(0.01, initial_rule_list=initial).fit(X, y)
        assert warm.objective_exact_ == cold.objective_exact_


def test_the_initial_rule_list_is_at_least_kept() -> None:
    X, y = hard_problem()
    with pytest.warns(UncertifiedWarning):
        first = RuleListClassifier(**HARD, time_limit=1).fit(X, y)
    with pytest.warns(UncertifiedWarning):
        again = RuleListClassifier(**HARD, max_prefixes=1, initial_rule_list=first).fit(X, y)
    assert again.objective_exact_ <= first.objective_exact_


def test_an_initial_rule_list_goes_by_names_and_aliases() -> None:
    frame = pd.DataFrame({"a": [0, 1] * 10, "a and b": [1, 0] * 10, "copy of a": [0, 1] * 10})
    y = [0, 1] * 10
    model = RuleListClassifier(max_clauses=1, initial_rule_list=["copy of a"]).fit(frame, y)
    assert len(model.rule_list_) == 1
    first = RuleListClassifier(max_clauses=1).fit(frame, y)
    reordered = frame[["copy of a", "a and b", "a"]]
    RuleListClassifier(max_clauses=1, initial_rule_list=first).fit(reordered, y)
    RuleListClassifier(max_clauses=1, initial_rule_list=["(a and b)"]).fit(frame, y)
    with pytest.raises(InputError, match=r"'copy of b' is not among .* '\(copy of a\)'"):
        RuleListClassifier(initial_rule_list=["copy of b"]).fit(frame, y)
    with pytest.raises(InputError, match="captures the same training rows"):
        RuleListClassifier(initial_rule_list=["a", "copy of a"]).fit(frame, y)
    with pytest.raises(InputError, match="length 1; max_length is 0"):
        RuleListClassifier(initial_rule_list=["a"], max_length=0).fit(frame, y)


def test_the_same_seed_gives_the_same_search() -> None:
    X, y = random_problem(4, rows=300, features=12)

    def counters(random_state: Any) -> tuple[Any, ...]:
        model = RuleListClassifier(0.01, policy="random", random_state=random_state).fit(X, y)
        return model.rule_list_, model.trace_.counters["expanded"]

    assert counters(3) == counters(3) == counters(np.int64(3))
    assert counters(None) == counters(0)
    assert counters(np.random.RandomState(7)) == counters(np.random.RandomState(7))


# As a citizen of scikit-learn.


def test_parameters_go_in_and_out() -> None:
    given: dict[str, Any] = {
        "regularization": Fraction(1, 3),
        "max_clauses": 3,
        "negations": True,
        "min_support": 0.2,
        "max_length": 4,
        "policy": "curiosity",
        "symmetry": "permutation",
        "bounds": {"lookahead"},
        "initial_rule_list": ["x0"],
        "binarizer": None,
        "antecedents": ["x0"],
        "antecedents_only": True,
        "fairness": {"metric": "equal_opportunity"},
        "class_weight": {0: 2},
        "cost_matrix": {0: {1: 2}},
        "dnf": True,
        "first": ["x1"],
        "required": ["x2"],
        "forbidden": ["x3"],
        "antecedent_costs": "clauses",
        "certificate": True,
        "laplace": 0.5,
        "work_limit": 5,
        "time_limit": 3,
        "memory_limit": "1GB",
        "max_prefixes": 7,
        "n_jobs": -1,
        "progress": print,
        "checkpoint": "kept",
        "checkpoint_interval": 5.0,
        "trace_interval": 0.5,
        "random_state": 3,
    }
    model = RuleListClassifier(**given)
    assert model.get_params() == given
    assert clone(model).get_params() == given
    assert RuleListClassifier().set_params(**given).get_params() == given
    defaults = RuleListClassifier().get_params()
    assert defaults.keys() == given.keys()
    assert defaults["regularization"] == 0.01
    assert "regularization=0.5" in repr(RuleListClassifier(regularization=0.5))


def test_a_clone_is_not_fitted() -> None:
    X, y = random_problem(1)
    assert not hasattr(clone(RuleListClassifier(0.03).fit(X, y)), "rule_list_")
    assert is_classifier(RuleListClassifier())


def test_pickling_keeps_a_fitted_model() -> None:
    X, y = random_problem(1)
    model = RuleListClassifier(0.03, trace_interval=0.1).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict(X) == model.predict(X)).all()
    assert again.rule_list_ == model.rule_list_
    assert again.objective_exact_ == model.objective_exact_
    assert again.trace_.counters == model.trace_.counters


def test_grid_search_over_lambda() -> None:
    X, y = random_problem(6, rows=200, features=6)
    frame = pd.DataFrame(X, columns=list("abcdef"))
    grid = GridSearchCV(RuleListClassifier(), {"regularization": [0.3, 0.02, 0.005]}, cv=3)
    grid.fit(frame, y)
    assert grid.best_params_["regularization"] in (0.02, 0.005)
    assert grid.best_estimator_.status_ == "optimal"
    assert grid.score(frame, y) > 0.7
    pipeline = make_pipeline(FunctionTransformer(), RuleListClassifier())
    assert cross_val_score(pipeline, X, y, cv=3, scoring="roc_auc").mean() > 0.7


def test_explain_names_the_rule_of_each_row() -> None:
    X, y = random_problem(1)
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = RuleListClassifier(0.03).fit(frame, y)
    explanations = model.explain(frame)
    assert [e.rule for e in explanations] == model.rule_list_.captures(X).tolist()
    assert [e.label for e in explanations] == model.predict(frame).tolist()
    assert all(e.antecedent in str(model.rule_list_) for e in explanations)


def test_refitting_replaces_everything() -> None:
    X, y = random_problem(1)
    model = RuleListClassifier(0.03).fit(pd.DataFrame(X, columns=list("abcd")), y)
    model.fit(X[:, :2], y)
    assert model.n_features_in_ == 2
    assert not hasattr(model, "feature_names_in_")
