"""Bad input gets a clear error, and nothing else happens."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from scipy import sparse  # type: ignore[import-untyped]
from sklearn.exceptions import NotFittedError

from surelist import (
    Binarizer,
    InputError,
    RuleListClassifier,
    RuleListClassifierCV,
    SurelistError,
)
from surelist.estimators.corels.classifier import CorelsClassifier

X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
Y = np.array(["no", "no", "yes", "no"] * 5)


@pytest.fixture(autouse=True)
def _silence(capfd: pytest.CaptureFixture[str]) -> Any:
    """The library never prints, whatever it is given."""
    yield
    assert capfd.readouterr() == ("", "")


def with_value(value: Any) -> np.ndarray[Any, Any]:
    matrix = X.astype(object)
    matrix[3, 1] = value
    return matrix


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.empty((0, 2)), "0 rows"),
        ([], "Expected 2D array"),
        (np.empty((20, 0)), r"0 feature\(s\) \(shape=\(20, 0\)\) while a minimum of 1"),
        (pd.DataFrame(index=range(20)), r"0 feature\(s\)"),
        (X[:, 0], "Expected 2D array.* got 1D array instead. Reshape your data"),
        (X[None], "got 3D"),
        (3, "got 0D"),
        (None, "got 0D"),
        ("text", "got 0D"),
        ([[0, 1], [1]], "X is not a matrix"),
        (X.astype(complex), "Complex data not supported"),
        (sparse.csr_matrix(X), "sparse"),
        (np.ma.masked_equal(X, 1), "masked"),
        (with_value("1"), "column 'x1': .* must be uniformly .* but it mixes numbers and texts"),
        (with_value([1]), r"column 'x1': .* but row 3 holds \[1\], a list"),
        (with_value({}), r"column 'x1': .* but row 3 holds \{\}, a dict"),
        (with_value(np.array([1, 2])), r"column 'x1': .* but row 3 holds array"),
        (with_value(1j), r"column 'x1': .* but row 3 holds 1j, a complex"),
        (with_value(b"x"), r"column 'x1': .* but row 3 holds b'x', a bytes"),
        (with_value(("y" * 10_000,)), r"row 3 holds \('yyy.*\.\.\., a tuple"),
        (X.astype("S1"), r"column 'x0': .* but its type is \|S1"),
        (X.astype("timedelta64[s]"), r"column 'x0': .* but its type is timedelta64"),
        (pd.DataFrame({"a": pd.to_timedelta([1, 2] * 10, "s")}), "column 'a': .* type is Duration"),
        (pl.DataFrame({"a": [[1], [2]] * 10}), "column 'a': .* but its type is List"),
        (pd.DataFrame(X, columns=["a", "a"]), "two columns are called 'a'"),
        (pd.DataFrame(X, columns=["a", 1]), "column names must be all text or none; 1 is not text"),
        (pl.DataFrame({"a": [0, 1] * 10}).lazy(), r"pass X\.collect\(\)"),
    ],
)
def test_features_that_cannot_be_used(bad: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        RuleListClassifier().fit(bad, Y)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (None, "y to be passed, but the target y is None"),
        (Y[:-1], "X has 20 rows but y has 19 labels"),
        (np.append(Y, "no"), "X has 20 rows but y has 21 labels"),
        ([], "X has 20 rows but y has 0 labels"),
        ("no", "one column of labels"),
        (3, "one column of labels"),
        (np.zeros((20, 2)), "one column of labels"),
        (["no"] * 20, "all labels are of one class, 'no'; at least two"),
        (np.where(Y == "no", np.nan, 1.0), r"label of row 0 is missing or not finite \(NaN\)"),
        (np.where(Y == "no", np.inf, 1.0), r"label of row 0 is missing or not finite \(inf\)"),
        ([None, *Y[1:]], r"label of row 0 is missing or not finite \(None\)"),
        ([*Y[:-1], pd.NA], r"label of row 19 is missing or not finite \(<NA>\)"),
        (pd.Series([*Y[:-1], None]), "label of row 19 is missing"),
        (pl.Series([*Y.tolist()[:-1], None]), "label of row 19 is missing"),
        (np.linspace(0, 1, 20), "[Uu]nknown label type"),
        (np.array([1, "a"] * 10, dtype=object), "of different types"),
        (
            np.array([b"a", b"b"] * 10),
            r"labels of type \|S1 are not supported; turn them into text",
        ),
        (np.array(["2020", "2021"] * 10, dtype="datetime64[Y]"), "datetime64"),
        (np.array([1j, 2] * 10), "complex128"),
        ([{"a"}, {"b"}] * 10, "[Uu]nknown label type|not supported between"),
        ([[0], [0, 1]] * 10, "one column of labels"),
    ],
)
def test_labels_that_are_no_classes(bad: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        RuleListClassifier().fit(X, bad)


MASK = [False] * 3 + [True] + [False] * 16


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.ma.array([0, 1] * 10, mask=MASK), "the label of row 3 is masked"),
        ([0, 1, 0, np.ma.masked] * 5, "the label of row 3 is masked"),
        (pd.Series([0, 1, 0, None] * 5, dtype="Int64"), "the label of row 3 is missing"),
        (pd.Series(["a", "b", "a", None] * 5, dtype="string"), "the label of row 3 is missing"),
        (pa.array([0, 1, 0, None] * 5), "the label of row 3 is missing"),
        (pl.Series([True, False, True, None] * 5), "the label of row 3 is missing"),
        (["a", "b", "a", float("nan")] * 5, "the label of row 3 is missing"),
        ([1, "1"] * 10, r"row 0 is a number \(1\), that of row 1 is text \('1'\)"),
        ([True, "True"] * 10, "row 0 is a bool"),
        ([True, 1, 0, False] * 5, r"row 0 is a bool \(True\), that of row 1 is a number \(1\)"),
        ([True, 1.0] * 10, "of different types"),
        ((1, "a") * 10, "of different types"),
        (np.array([True, 0] * 10, dtype=object), "of different types"),
        (pd.Series([1, "1"] * 10, dtype=object), "of different types"),
        ([Decimal(10**16), Decimal(10**16 + 1)] * 10, "become the same number"),
    ],
)
def test_labels_that_would_be_changed_or_merged(bad: Any, message: str) -> None:
    for model in (RuleListClassifier(), RuleListClassifierCV([0.1], cv=2)):
        with pytest.raises(InputError, match=message):
            model.fit(X, bad)
    with pytest.raises(InputError, match=message):
        Binarizer("supervised").fit(X, bad)


def test_labels_of_one_kind_stay_what_they_are() -> None:
    for labels in ([1, 2.0], [True, False], ["1", "True"], [np.int8(1), 0], [np.str_("a"), "b"]):
        model = RuleListClassifier().fit(X, [*labels] * 10)
        assert set(model.classes_.tolist()) == set(labels)
    model = RuleListClassifier().fit(X, np.ma.array([0, 1] * 10))  # nothing of it is masked
    assert model.classes_.tolist() == [0, 1]


def test_masked_labels_of_the_interface_of_corels() -> None:
    with pytest.raises(InputError, match="the label of row 3 is masked"):
        CorelsClassifier(verbosity=[]).fit(X, np.ma.array([0, 1] * 10, mask=MASK))


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.ma.array([1.0] * 20, mask=MASK), "sample_weight is masked in row 3"),
        ([1, 2, 3, np.ma.masked] * 5, "sample_weight is masked in row 3"),
        (pd.Series([1, 2, 3, None] * 5, dtype="Float64"), "row 3 has nan: correct it"),
        (pd.Series([1, 2, 3, pd.NA] * 5, dtype=object), "row 3 has nan"),
        (pa.array([1, 2, 3, None] * 5), "row 3 has nan"),
        (pl.Series([1, 2, 3, None] * 5), "row 3 has nan"),
        ([1, 2, 3, None] * 5, "row 3 has nan"),
        (pd.Series([1, 2, 3, "4"] * 5, dtype=object), "row 3 has the text '4'"),
    ],
)
def test_weights_that_are_missing(bad: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        RuleListClassifier().fit(X, Y, sample_weight=bad)
    with pytest.raises(InputError, match=message):
        Binarizer().fit(X, Y, sample_weight=bad)


@pytest.mark.parametrize(
    ("parameter", "values", "allowed"),
    [
        (
            "regularization",
            [
                *(-0.01, float("nan"), 1, 1.0, 2, float("inf"), "0.01", "a", None, True, [0.1], 1j),
                *(Decimal("nan"), Decimal("1e-999999999"), Fraction(3, 2), np.array([0.1])),
                10**5000,
            ],
            "at least 0 and below 1|too many digits",
        ),
        ("min_support", [-0.1, float("nan"), 1, 5, "0.1", True], "at least 0 and below 1"),
        ("laplace", [-1, float("nan"), float("inf"), 10**400, "1", None], "a finite number of"),
        ("max_clauses", [0, -1, 1.0, "2", None, True, float("nan")], "at least 1"),
        ("negations", [0, 1, None, "yes"], "True or False"),
        ("max_length", [-1, 1.5, "2", True], "None or a whole number of at least 0"),
        ("max_prefixes", [0, -1, 1.5, "2", True], "None or a whole number of at least 1"),
        (
            "n_jobs",
            [0, 1.5, "2", True],
            "a number of threads, -1 for all processors, a Dask client",
        ),
        ("policy", ["best", None, 3, ["lower_bound"]], "'breadth_first'.*'curiosity'"),
        ("symmetry", ["all", None, 3], "'none', 'permutation', 'captured'"),
        (
            "bounds",
            ["none", "lookahead", None, 3, ["magic"], [["lookahead"]], [np.array([1, 2])]],
            '"all" or a coll',
        ),
        ("time_limit", [0, -1, float("nan"), float("inf"), "1", True], "positive number of sec"),
        ("trace_interval", [0, -1, float("nan"), "1", True], "positive number of sec"),
        (
            "memory_limit",
            [0, -1, 1.5, "2 apples", "GB", "-1GB", "0MB", "1e9", "9" * 5000 + "GB", True],
            '"500MB"',
        ),
        ("progress", ["yes", 1, None], "True, False or a function"),
        ("random_state", [-1, 2**32, 0.5, "0", True], "RandomState"),
        ("initial_rule_list", [3, "x0", [3], ["x7"], ["x0", "(x0)"]], "initial_rule_list"),
        ("class_weight", [3, "even", {"maybe": 1}, {"no": -1}], "class_weight"),
    ],
)
def test_parameters_out_of_range(parameter: str, values: list[Any], allowed: str) -> None:
    for value in values:
        model = RuleListClassifier().set_params(**{parameter: value})
        with pytest.raises(InputError, match=rf"(?=.*{parameter}).*({allowed})"):
            model.fit(X, Y)


@pytest.mark.parametrize(
    "weights",
    [[-1] + [1] * 19, [float("nan")] + [1] * 19, [1] * 19, ["a"] * 20, [0] * 20, [[1]] * 20],
)
def test_sample_weights_that_are_none(weights: Any) -> None:
    with pytest.raises(InputError, match=r"[Ss]ample.weight"):
        RuleListClassifier().fit(X, Y, sample_weight=weights)


def test_every_error_can_be_caught_as_one() -> None:
    with pytest.raises(SurelistError):
        RuleListClassifier(regularization=2).fit(X, Y)
    with pytest.raises(ValueError, match="regularization"):
        RuleListClassifier(regularization=2).fit(X, Y)


def test_lambda_with_more_digits_than_exact_arithmetic_holds() -> None:
    with pytest.raises(InputError, match="digits"):
        RuleListClassifier(Decimal("0.01" + "0" * 30 + "1")).fit(X, Y, [2**50] * 3 + [1] * 17)


@pytest.mark.parametrize(
    ("bad_X", "bad_y", "bad_weight"),
    [(with_value({}), Y, None), (X, ["no"] * 20, None), (X, Y, [-1] * 20), (X[:, :1], Y[:3], None)],
)
def test_a_refused_fit_leaves_a_fitted_model_as_it_was(
    bad_X: Any, bad_y: Any, bad_weight: Any
) -> None:
    frame = pd.DataFrame(X, columns=["a", "b"])
    model = RuleListClassifier(negations=True).fit(frame, Y)
    before = dict(vars(model))
    with pytest.raises(InputError):
        model.fit(bad_X, bad_y, sample_weight=bad_weight)
    assert vars(model) == before
    assert model.predict(frame).tolist() == Y.tolist()


def test_a_refused_fit_leaves_a_new_model_unfitted() -> None:
    model = RuleListClassifier()
    with pytest.raises(InputError):
        model.fit(with_value({}), Y)
    for method in (model.predict, model.predict_proba, model.explain):
        with pytest.raises(NotFittedError):
            method(X)


@pytest.mark.parametrize(
    ("bad", "error", "message"),
    [
        (X[:, :1], ValueError, "X has 1 features, but RuleListClassifier is expecting 2 features"),
        (X[:, 0], InputError, "Reshape your data"),
        (with_value({}), InputError, "column 'x1': .* row 3 holds"),
        (
            X.astype(str),
            InputError,
            "'x[01]' holds text values, but 'x[01]' asks for numbers",
        ),
    ],
)
def test_predicting_on_other_data(bad: Any, error: type[Exception], message: str) -> None:
    model = RuleListClassifier(negations=True).fit(X, Y)
    for method in (model.predict, model.predict_proba, model.explain):
        with pytest.raises(error, match=message):
            method(bad)


def test_predicting_with_other_names() -> None:
    frame = pd.DataFrame(X, columns=["a", "b"])
    model = RuleListClassifier(negations=True).fit(frame, Y)
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame.rename(columns={"a": "c"}))
    with pytest.raises(ValueError, match="same order"):
        model.predict(frame[["b", "a"]])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        assert model.predict(X).tolist() == Y.tolist()


# What looks odd but is no mistake.


def test_zero_antecedents_give_the_default_alone() -> None:
    constant = np.ones((20, 2), dtype=int)
    model = RuleListClassifier().fit(constant, Y)
    assert model.antecedents_ == ()
    assert (model.status_, model.gap_, len(model.rule_list_)) == ("optimal", 0.0, 0)
    assert str(model.rule_list_) == "predict no"
    assert model.objective_exact_ == Fraction(1, 4)
    assert model.predict(constant).tolist() == ["no"] * 20


def test_constant_columns_change_nothing() -> None:
    padded = np.column_stack([np.zeros(20), X, np.ones(20)])
    plain = RuleListClassifier(negations=True).fit(X, Y)
    model = RuleListClassifier(negations=True).fit(padded, Y)
    assert model.objective_exact_ == plain.objective_exact_
    assert model.predict(padded).tolist() == plain.predict(X).tolist()
    assert len(model.antecedents_) == len(plain.antecedents_)


def test_a_lambda_of_zero_is_valid() -> None:
    model = RuleListClassifier(regularization=0, negations=True).fit(X, Y)
    assert (model.status_, model.objective_) == ("optimal", 0.0)


def test_a_lambda_too_large_for_any_rule_is_valid() -> None:
    model = RuleListClassifier(regularization=0.999).fit(X, Y)
    assert str(model.rule_list_) == "predict no"


def test_enormous_limits_are_no_limits() -> None:
    model = RuleListClassifier(
        time_limit=10**400,
        trace_interval=1e300,
        memory_limit=10**30,
        max_prefixes=10**30,
        max_length=10**30,
    )
    assert model.set_params(max_clauses=10**30).fit(X, Y).status_ == "optimal"
