"""Choosing λ by cross-validation."""

from __future__ import annotations

import inspect
import pickle
import time
import warnings
from fractions import Fraction
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from problems import hard_problem, random_problem
from sklearn.base import clone
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.utils.estimator_checks import check_estimator

from surelist import (
    Binarizer,
    InputError,
    RuleListClassifier,
    RuleListClassifierCV,
    UncertifiedWarning,
)
from surelist.datasets import load_breast_cancer
from surelist.estimators.cross_validation import _between, _choose, _geometric
from surelist.estimators.cross_validation_folds import _best_lists, _fit_grid

GRID = [0.01, 0.02, 0.05, 0.1, 0.3]


@pytest.mark.parametrize("scoring", [None, "balanced_accuracy", "neg_log_loss"])
def test_scores_are_those_of_a_grid_search(scoring: str | None) -> None:
    X, y = random_problem(4, rows=150, features=6)
    model = RuleListClassifierCV(GRID, scoring=scoring).fit(X, y)
    searched = GridSearchCV(
        RuleListClassifier(min_support=GRID[0]), {"regularization": GRID}, scoring=scoring
    ).fit(X, y)
    for fold in range(5):
        key = f"split{fold}_test_score"
        np.testing.assert_allclose(model.cv_results_[key], searched.cv_results_[key])
        np.testing.assert_array_equal(model.scores_[:, fold], model.cv_results_[key])
    np.testing.assert_allclose(
        model.cv_results_["mean_test_score"], searched.cv_results_["mean_test_score"]
    )
    np.testing.assert_array_equal(
        model.cv_results_["rank_test_score"], searched.cv_results_["rank_test_score"]
    )
    assert model.best_score_ == pytest.approx(searched.best_score_)
    assert model.cv_results_["certified"].all()


def test_the_model_is_the_one_with_the_chosen_regularization() -> None:
    X, y = random_problem(4, rows=150, features=6, classes=3)
    model = RuleListClassifierCV(GRID).fit(X, y)
    alone = RuleListClassifier(model.regularization_, min_support=GRID[0]).fit(X, y)
    assert model.rule_list_ == alone.rule_list_
    assert model.status_ == "optimal"
    assert model.objective_exact_ == alone.objective_exact_
    assert model.predict(X).tolist() == alone.predict(X).tolist()
    assert model.explain(X[:3]) == alone.explain(X[:3])
    assert model.score(X, y) == alone.score(X, y)
    assert not hasattr(model, "regularization")
    assert pickle.loads(pickle.dumps(model)).rule_list_ == model.rule_list_


def test_of_equal_scores_the_largest_regularization_wins() -> None:
    scores = np.array([[0.8, 0.9], [0.9, 0.8], [0.5, 0.5]])
    assert _choose(scores, one_standard_error=False) == 1


def test_one_standard_error_prefers_shorter_lists() -> None:
    scores = np.array([[0.80, 0.90, 0.85], [0.79, 0.89, 0.84], [0.6, 0.7, 0.65]])
    assert _choose(scores, one_standard_error=False) == 0
    # The standard error of the best is 0.0289.
    assert _choose(scores, one_standard_error=True) == 1
    assert _choose(scores[:, :1], one_standard_error=True) == 0
    data = load_breast_cancer()
    best = RuleListClassifierCV(GRID, max_clauses=1).fit(data.X, data.y)
    shorter = RuleListClassifierCV(GRID, max_clauses=1, one_standard_error=True).fit(data.X, data.y)
    assert shorter.regularization_ >= best.regularization_
    assert len(shorter.rule_list_) <= len(best.rule_list_)
    with pytest.raises(InputError, match="NaN"):
        _choose(np.array([[np.nan]]), one_standard_error=False)


def test_models_between_two_with_the_same_list_are_not_searched() -> None:
    X, y = random_problem(4, rows=150, features=6)
    grid = [Fraction(k, 200) for k in range(1, 60)]
    fitted: list[Fraction] = []

    def fit(regularization: Fraction, _: Any, share: float) -> RuleListClassifier:
        fitted.append(regularization)
        assert 0 < share <= 1
        return RuleListClassifier(regularization, min_support=grid[0]).fit(X, y)

    models, borrowed = _fit_grid(grid, fit)
    assert not borrowed
    assert len(fitted) < len(grid) / 2
    for regularization, model in zip(grid, models, strict=True):
        alone = RuleListClassifier(regularization, min_support=grid[0]).fit(X, y)
        rule_list = model.rule_list_
        assert rule_list.loss + regularization * len(rule_list) == alone.objective_exact_


def test_without_time_the_model_of_the_next_larger_lambda_serves() -> None:
    X, y = random_problem(4, rows=150, features=6)
    grid = [Fraction(k, 200) for k in range(1, 10)]

    def fit(regularization: Fraction, *_: Any) -> RuleListClassifier | None:
        if regularization < grid[-1]:
            return None
        return RuleListClassifier(regularization, min_support=grid[0]).fit(X, y)

    models, borrowed = _fit_grid(grid, fit)
    assert borrowed == set(range(8))
    assert {id(model) for model in models} == {id(models[-1])}


def test_small_lambdas_have_a_larger_share() -> None:
    X, y = random_problem(4, rows=150, features=6)
    grid = [Fraction(1, 2**k) for k in range(8, 1, -1)]
    shares: dict[Fraction, float] = {}
    left = 1.0

    def fit(regularization: Fraction, _: Any, share: float) -> RuleListClassifier:
        nonlocal left
        shares[regularization] = left * share
        left -= left * share
        model = RuleListClassifier(regularization, min_support=grid[0], max_prefixes=1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UncertifiedWarning)
            return model.fit(X, y)

    _fit_grid(grid, fit)
    assert list(shares) != grid  # every one of them, in an order of its own
    by_size = [shares[at] for at in grid]
    assert sum(by_size) == pytest.approx(1)
    assert by_size == sorted(by_size, reverse=True)
    assert by_size[0] == pytest.approx(2 * by_size[2])


def test_the_best_list_of_a_fold_serves_every_lambda_that_is_not_certified() -> None:
    X, y = hard_problem(rows=200, features=20)
    grid = [Fraction(1, 200), Fraction(1, 100), Fraction(1, 50)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        empty = RuleListClassifier(grid[0], max_length=0, max_prefixes=1).fit(X, y)
        good = RuleListClassifier(grid[1], max_prefixes=1, max_clauses=1).fit(X, y)
    assert len(good.rule_list_) > 0
    empty.status_ = good.status_ = "work_limit"
    models = [empty, good, empty]
    assert _best_lists(grid, models, set()).keys() >= {0}
    assert _best_lists(grid, models, set())[0] is good
    # What is proven is not looked at again, unless it is proven for another λ.
    empty.status_ = "optimal"
    assert 0 not in _best_lists(grid, models, set())
    assert _best_lists(grid, models, {0})[0] is good


def test_more_features_than_a_single_model_has() -> None:
    random = np.random.default_rng(0)
    X = pd.DataFrame({f"c{k}": random.normal(size=300) for k in range(20)})
    y = (X["c0"] + X["c1"] ** 2 > 1).to_numpy()
    limits: dict[str, Any] = {"max_clauses": 1, "work_limit": 0.5}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        model = RuleListClassifierCV(4, cv=2, **limits).fit(X, y)
        alone = RuleListClassifier(**limits).fit(X, y)
        given = RuleListClassifierCV(4, cv=2, binarizer=Binarizer(max_features=6), **limits)
        given.fit(X, y)
    assert model.binarizer is None
    assert len(given.antecedents_) <= 6 < len(alone.antecedents_) <= 28 < len(model.antecedents_)
    assert len(model.antecedents_) <= 60


def test_a_time_limit_is_for_all_folds_and_all_lambdas_together() -> None:
    X, y = hard_problem()
    limits: list[float] = []

    class Noting(RuleListClassifier):
        def fit(self, *given: Any, **more: Any) -> Any:
            limits.append(self.time_limit or 0.0)
            return super().fit(*given, **more)

    class NotingCV(RuleListClassifierCV):
        def _model(self) -> RuleListClassifier:
            model = super()._model()
            return Noting(**model.get_params(deep=False))

    model = NotingCV(12, cv=4, eps=0.01, time_limit=1.0)
    began = time.process_time()
    with pytest.warns(UncertifiedWarning, match="in cross-validation are not"):
        model.fit(X, y)
    # One search for each λ and fold, of a second each, would take 48: this is a fifth of the way.
    assert time.process_time() - began < 10
    assert model.scores_.shape == (len(model.regularizations_), 4)
    assert not model.cv_results_["certified"].all()
    assert model.time_limit == 1.0
    searched = limits[1:]  # the first is that of the empty list
    assert all(0 < limit <= 1 for limit in searched)
    assert max(searched[:-1]) <= 0.5


def test_a_number_of_regularizations_spans_what_can_pay() -> None:
    X, y = random_problem(4, rows=150, features=6)
    model = RuleListClassifierCV(6, eps=0.1).fit(X, y)
    loss = np.bincount(y).min() / len(y)
    assert len(model.regularizations_) == 6
    assert model.regularizations_[0] == pytest.approx(loss / 10, rel=0.01)
    assert model.regularizations_[-1] == pytest.approx(loss, rel=0.01)
    ratios = model.regularizations_[1:] / model.regularizations_[:-1]
    np.testing.assert_allclose(ratios, ratios[0], rtol=0.05)
    assert _geometric(Fraction(1, 100), Fraction(1, 2), 1) == [Fraction(1, 100)]


def test_the_path_gives_one_regularization_for_each_of_its_lists() -> None:
    data = load_breast_cancer()
    model = RuleListClassifierCV("path", eps=0.05, max_clauses=1).fit(data.X, data.y)
    assert model.path_.certified
    assert len(model.regularizations_) == len(model.path_)
    for value, segment in zip(model.regularizations_.tolist(), model.path_, strict=True):
        assert value in segment
    model.set_params(regularizations=GRID).fit(data.X, data.y)
    assert not hasattr(model, "path_")


@pytest.mark.parametrize(
    ("start", "stop", "value"),
    [("0.01", "0.02", "0.01"), ("0.0123", "0.0124", "0.0123"), ("0.2", "0.2", "0.2")],
)
def test_a_value_between_two_is_short(start: str, stop: str, value: str) -> None:
    assert _between(Fraction(start), Fraction(stop)) == Fraction(value)


def test_weights_count_like_repeated_rows() -> None:
    X, y = random_problem(7, rows=60)
    weights = np.random.default_rng(0).integers(0, 4, 60)
    groups = np.arange(60) % 3
    repeated = np.repeat(np.arange(60), weights)
    weighted = RuleListClassifierCV(
        GRID, cv=[(np.flatnonzero(groups != g), np.flatnonzero(groups == g)) for g in range(3)]
    ).fit(X, y, sample_weight=weights)
    by_rows = RuleListClassifierCV(
        GRID,
        cv=[
            (np.flatnonzero(groups[repeated] != g), np.flatnonzero(groups[repeated] == g))
            for g in range(3)
        ],
    ).fit(X[repeated], y[repeated])
    np.testing.assert_allclose(weighted.scores_, by_rows.scores_)
    assert weighted.rule_list_ == by_rows.rule_list_


@pytest.mark.parametrize("backend", ["sequential", "threading", "loky"])
def test_every_backend_gives_the_same(backend: str) -> None:
    X, y = random_problem(4, rows=150, features=6)
    one = RuleListClassifierCV(GRID, n_jobs=1).fit(X, y)
    with joblib.parallel_config(backend):
        other = RuleListClassifierCV(GRID, n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(one.scores_, other.scores_)
    assert one.rule_list_ == other.rule_list_


def test_data_frames_and_splitters() -> None:
    X, y = random_problem(4, rows=120, features=4)
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"], index=range(5, 125))
    model = RuleListClassifierCV(GRID, cv=StratifiedKFold(3, shuffle=True, random_state=0))
    model.fit(frame, pd.Series(y, index=frame.index))
    assert model.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert model.scores_.shape == (5, 3)
    assert RuleListClassifierCV(GRID, cv=KFold(4)).fit(frame, y).scores_.shape == (5, 4)


def test_limits_are_honest() -> None:
    X, y = hard_problem(rows=200, features=20)
    model = RuleListClassifierCV([0.001, 0.2], max_prefixes=5, cv=2)
    with pytest.warns(UncertifiedWarning, match=r"\d of the 4 rule lists in cross-validation"):
        model.fit(X, y)
    assert model.cv_results_["certified"].tolist() == [False, True]


def test_scikit_learn_sees_every_parameter() -> None:
    model = RuleListClassifierCV(5, max_clauses=1, one_standard_error=True)
    parameters = model.get_params()
    alone = RuleListClassifier().get_params()
    chosen = {"regularization", "initial_rule_list"}
    own = {"regularizations", "eps", "cv", "scoring", "one_standard_error"}
    assert set(parameters) == (set(alone) - chosen) | own
    assert (parameters["max_clauses"], parameters["one_standard_error"]) == (1, True)
    assert clone(model).get_params() == parameters
    assert "max_clauses=1" in repr(model)
    assert "negations" in inspect.signature(RuleListClassifierCV).parameters
    for name in (*chosen, "no_such_parameter"):
        with pytest.raises(TypeError, match=name):
            RuleListClassifierCV(**{name: 1})  # type: ignore[arg-type]


def test_it_is_an_estimator_among_others() -> None:
    X, y = random_problem(4, rows=100)
    scores = cross_val_score(RuleListClassifierCV(GRID, cv=3), X, y, cv=3)
    assert scores.shape == (3,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"regularizations": 0}, "regularizations must be"),
        ({"regularizations": True}, "regularizations must be"),
        ({"regularizations": "all"}, "regularizations must be"),
        ({"regularizations": []}, "regularizations is empty"),
        ({"regularizations": [2]}, "each of regularizations"),
        ({"eps": 0}, "eps must be above 0"),
        ({"eps": 2}, "eps must be"),
        ({"one_standard_error": 1}, "one_standard_error must be"),
        ({"max_clauses": 0}, "max_clauses must be"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    X, y = random_problem(0)
    with pytest.raises(InputError, match=message):
        RuleListClassifierCV(**arguments).fit(X, y)


def test_a_refused_fit_leaves_the_model_as_it_was() -> None:
    X, y = random_problem(4)
    model = RuleListClassifierCV(GRID).fit(X, y)
    before = model.rule_list_
    with pytest.raises(InputError):
        model.fit(X, np.zeros(len(y)))
    assert model.rule_list_ is before


def failing(estimator: Any) -> set[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(estimator, on_skip=None, on_fail=None)
    assert len(results) > 40
    return {result["check_name"] for result in results if result["status"] == "failed"}


def test_it_passes_the_checks_that_the_classifier_passes() -> None:
    # Their tables are noise in part, whose long lists cannot be certified in a moment.
    assert failing(RuleListClassifierCV(5, work_limit=0.3)) <= failing(RuleListClassifier())
