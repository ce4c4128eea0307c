"""RuleListClassifier on raw tables: from a table as it is to a list in its own words."""

from __future__ import annotations

import io
import pickle
import warnings
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils import estimator_html_repr

from surelist import Binarizer, InputError, RuleListClassifier
from surelist.conditions.conditions import Equals, Interval


def people(n_rows: int = 1500, seed: int = 0) -> tuple[pd.DataFrame, pd.Series[str]]:
    """A table with columns of every kind, and labels that a short list tells but for noise."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 70, n_rows),
            "priors": rng.integers(0, 12, n_rows).astype(float),
            "sex": rng.choice(["Male", "Female"], n_rows),
            "seen": pd.to_datetime("2020-01-01")
            + pd.to_timedelta(rng.integers(0, 700, n_rows), "D"),
            "flag": rng.integers(0, 2, n_rows),
        }
    )
    frame.loc[::9, "priors"] = np.nan
    again = (frame.priors > 6) | ((frame.age < 25) & (frame.sex == "Male"))
    again ^= rng.random(n_rows) < 0.03
    return frame, again.map({True: "yes", False: "no"})


def test_a_list_in_the_words_of_the_table() -> None:
    X, y = people()
    model = RuleListClassifier(0.02).fit(X, y)
    assert str(model.rule_list_) == (
        "if (priors ≥ 7) then predict yes\n"
        "else if (age < 25) and (sex = Male) then predict yes\n"
        "else predict no"
    )
    assert model.status_ == "optimal"
    assert model.rule_list_.columns == tuple(X.columns)
    (first,), second = (rule.antecedent.clauses for rule in model.rule_list_.rules)  # type: ignore[union-attr]
    assert first.condition == Interval("priors", 7)
    assert second[1].condition == Equals("sex", "Male")
    by_hand = (X.priors >= 7) | ((X.age < 25) & (X.sex == "Male"))
    assert (model.predict(X) == np.where(by_hand, "yes", "no")).all()
    assert "priors ≥ 7" in str(model.explain(X[by_hand])[0]) or "age < 25" in str(
        model.explain(X[by_hand])[0]
    )
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(1)


def test_the_list_counts_what_predict_captures() -> None:
    X, y = people()
    model = RuleListClassifier(0.01, negations=True).fit(X, y)
    errors = int((model.predict(X) != y).sum())
    assert model.rule_list_.loss == Fraction(errors, len(X))
    positions = [explanation.rule for explanation in model.explain(X)]
    counts = np.bincount(positions, minlength=len(model.rule_list_) + 1)
    rules = (*model.rule_list_.rules, model.rule_list_.default)
    assert counts.tolist() == [rule.captured for rule in rules]


def test_every_library_gives_the_same_list() -> None:
    X, y = people()
    expected = RuleListClassifier(0.02).fit(X, y)
    columns: dict[str, Any] = {name: X[name].tolist() for name in X.columns}
    columns["priors"] = X.priors.astype(object).where(X.priors.notna(), None).tolist()
    for table in (pl.DataFrame(columns), pa.table(columns)):
        model = RuleListClassifier(0.02).fit(table, y)
        assert str(model.rule_list_) == str(expected.rule_list_)
        assert (model.predict(table) == expected.predict(X)).all()
        assert model.feature_names_in_.tolist() == list(X.columns)


def test_tables_of_0_and_1_have_no_conditions() -> None:
    X = pd.DataFrame({"a": [0, 1] * 5, "b": [True, False] * 5})
    model = RuleListClassifier().fit(X, [0, 1] * 5)
    assert model.rule_list_.columns is None
    assert model.rule_list_.feature_names == ("a", "b")
    clauses = [clause for rule in model.rule_list_.rules for clause in rule.antecedent.clauses]  # type: ignore[union-attr]
    assert [clause.condition for clause in clauses] == [None]


def test_what_training_has_not_seen() -> None:
    X, y = people()
    model = RuleListClassifier(0.02).fit(X, y)
    odd = pd.DataFrame(
        {"age": [20, None], "priors": [None, None], "sex": ["Other", None], "seen": None, "flag": 7}
    )
    assert model.predict(odd).tolist() == ["no", "no"]
    with pytest.raises(InputError, match="column 'age' holds text values"):
        model.predict(X.assign(age="old"))
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(X.rename(columns={"age": "years"}))
    with (
        pytest.warns(UserWarning, match="does not have valid feature names"),
        pytest.raises(ValueError, match="expecting 5 features"),
    ):
        model.predict(X.to_numpy()[:, :3])


def test_only_columns_of_the_list_are_read_to_predict() -> None:
    X, y = people()
    model = RuleListClassifier(0.02).fit(X, y)
    broken = X.assign(flag=pd.Series([{}] * len(X), dtype=object))
    assert (model.predict(broken) == model.predict(X)).all()


def test_a_binarizer_of_ones_own() -> None:
    X, y = people()
    binarizer = Binarizer(columns={"age": [30], "priors": [5], "seen": "drop"})
    model = RuleListClassifier(0.01, binarizer=binarizer).fit(X, y)
    names = set(model.rule_list_.feature_names)
    assert {"age < 30", "priors ≥ 5"} <= names
    assert not any("seen" in name or "25" in name for name in names)
    assert not hasattr(binarizer, "conditions_")
    with pytest.raises(InputError, match="binarizer must be None or a Binarizer"):
        RuleListClassifier(binarizer="quantile").fit(X, y)  # type: ignore[arg-type]


# Antecedents of one's own.

OWN = ["age < 25 and sex = Male", "priors > 6", "not (sex = Male)", "seen ≥ 2021-01-01", "flag"]


def brute_force(captures: list[Any], y: Any, regularization: Fraction) -> Fraction:
    def loss(rows: Any) -> int:
        return len(y[rows]) - max(int((y[rows] == label).sum()) for label in np.unique(y))

    best = Fraction(loss(np.ones(len(y), bool)), len(y))
    for length in range(1, len(captures) + 1):
        for prefix in permutations(captures, length):
            left, lost = np.ones(len(y), bool), 0
            for captured in prefix:
                lost += loss(left & captured)
                left = left & ~captured
            best = min(best, Fraction(lost + loss(left), len(y)) + regularization * length)
    return best


def test_own_antecedents_instead_of_mined_ones() -> None:
    X, y = people()
    model = RuleListClassifier(0.02, antecedents=OWN, antecedents_only=True).fit(X, y)
    assert [str(antecedent) for antecedent in model.antecedents_] == [
        *("(age < 25) and (sex = Male)", "(priors > 6)", "(not sex = Male)"),
        *("(seen ≥ 2021-01-01)", "(flag)"),
    ]
    captures = [
        ((X.age < 25) & (X.sex == "Male")).to_numpy(),
        (X.priors > 6).to_numpy(),
        (X.sex != "Male").to_numpy(),
        (X.seen >= pd.Timestamp("2021-01-01")).to_numpy(),
        (X.flag == 1).to_numpy(),
    ]
    assert model.objective_exact_ == brute_force(captures, y.to_numpy(), Fraction(2, 100))
    assert model.status_ == "optimal"
    assert model.rule_list_.loss == Fraction(int((model.predict(X) != y).sum()), len(X))


def test_own_antecedents_beside_mined_ones() -> None:
    X, y = people()
    mined = RuleListClassifier(0.02, max_clauses=1).fit(X, y)
    both = RuleListClassifier(0.02, max_clauses=1, antecedents=OWN).fit(X, y)
    texts = {str(antecedent) for antecedent in both.antecedents_}
    assert {"(age < 25) and (sex = Male)", "(seen ≥ 2021-01-01)"} <= texts
    names = {str(a) for a in both.antecedents_} | {
        " and ".join(map(str, alias)) for a in both.antecedents_ for alias in a.aliases
    }
    assert {str(antecedent) for antecedent in mined.antecedents_} <= names
    assert both.objective_exact_ < mined.objective_exact_
    assert len(set(both.rule_list_.feature_names)) == len(both.rule_list_.feature_names)


def test_own_antecedents_with_weights_are_repeated_rows() -> None:
    X, y = people(60)
    weights = np.random.default_rng(1).integers(0, 4, 60)
    model = RuleListClassifier(0.02, antecedents=OWN, antecedents_only=True)
    weighted = model.fit(X, y, sample_weight=weights).rule_list_
    rows = np.repeat(np.arange(60), weights)
    assert model.fit(X.iloc[rows], y.iloc[rows]).rule_list_ == weighted


def test_own_antecedents_read_only_their_columns() -> None:
    X, y = people(60)
    broken = X.assign(seen=pd.Series([{}] * len(X), dtype=object))
    model = RuleListClassifier(0.1, antecedents=["priors > 6"], antecedents_only=True)
    assert str(model.fit(broken, y).rule_list_).startswith("if (priors > 6)")


def test_own_antecedents_on_0_and_1() -> None:
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    y = [0, 0, 1, 0] * 5
    model = RuleListClassifier(0.05, antecedents=["x0 and not x1"], antecedents_only=True)
    assert str(model.fit(X, y).rule_list_).startswith("if (x0) and (not x1) then predict 1")
    assert model.predict(X).tolist() == y


@pytest.mark.parametrize(
    ("antecedents", "message"),
    [
        ("age < 25", "antecedents must be None or a list of texts"),
        (3, "antecedents must be None or a list of texts"),
        ([3], "antecedents must hold texts"),
        (["agee < 25"], "character 1: 'agee' is no column; close to it are 'age'"),
    ],
)
def test_antecedents_that_cannot_be_read(antecedents: Any, message: str) -> None:
    X, y = people(40)
    with pytest.raises(InputError, match=message):
        RuleListClassifier(antecedents=antecedents).fit(X, y)
    with pytest.raises(InputError, match="antecedents_only must be True or False"):
        RuleListClassifier(antecedents_only=1).fit(X, y)  # type: ignore[arg-type]


def test_an_antecedent_that_captures_nothing_is_pointed_at() -> None:
    X, y = people(40)
    with pytest.warns(UserWarning, match="'sex = male' captures no training row"):
        RuleListClassifier(antecedents=["sex = male"]).fit(X, y)


# As a citizen of scikit-learn.


@pytest.mark.slow
def test_cross_validation_grid_search_and_calibration() -> None:
    X, y = people()
    model = RuleListClassifier(0.02)
    assert cross_val_score(model, X, y, cv=3).mean() > 0.9
    grid = GridSearchCV(
        RuleListClassifier(binarizer=Binarizer()),
        {"regularization": [0.02, 0.2], "binarizer__n_cuts": [1, 3]},
        cv=3,
    ).fit(X, y)
    assert grid.best_params_["regularization"] == 0.02
    assert grid.best_score_ > 0.9
    calibrated = CalibratedClassifierCV(model, cv=3).fit(X, y)
    assert calibrated.predict_proba(X).shape == (len(X), 2)


def test_in_a_pipeline_with_other_transformers() -> None:
    X, y = people()
    encode = ColumnTransformer(
        [("sex", OneHotEncoder(sparse_output=False), ["sex"])],
        remainder="passthrough",
        verbose_feature_names_out=False,
    ).set_output(transform="pandas")
    pipeline = make_pipeline(encode, RuleListClassifier(0.02)).fit(X, y)
    assert "(sex_Male) and (age < 25)" in str(pipeline[-1].rule_list_)
    assert pipeline.score(X, y) > 0.9


def test_sample_weight_is_routed() -> None:
    X, y = people()
    weights = np.where(y == "yes", 3, 1)
    with sklearn.config_context(enable_metadata_routing=True):
        model = RuleListClassifier(0.02)
        model.set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        result = cross_validate(
            model, X, y, params={"sample_weight": weights}, cv=2, return_estimator=True
        )
        for fitted in result["estimator"]:
            assert fitted.rule_list_.total_weight > len(X) / 2
        pipeline = make_pipeline(Binarizer().set_fit_request(sample_weight=True), model)
        pipeline.fit(X, y, sample_weight=weights)
        assert pipeline[-1].rule_list_.total_weight == weights.sum()


def test_pickle_joblib_and_html() -> None:
    X, y = people()
    model = RuleListClassifier(0.02).fit(X, y)
    held = io.BytesIO()
    joblib.dump(model, held)
    held.seek(0)
    for again in (pickle.loads(pickle.dumps(model)), joblib.load(held)):
        assert again.rule_list_ == model.rule_list_
        assert (again.predict(X) == model.predict(X)).all()
    assert "RuleListClassifier" in estimator_html_repr(model)


def test_the_defaults_do_on_measurements() -> None:
    data = load_breast_cancer(as_frame=True)
    model = RuleListClassifier().fit(data.data, data.target)
    assert model.status_ == "optimal"
    assert model.score(data.data, data.target) > 0.94
    assert len(model.rule_list_.feature_names) == 28


# Size.


@pytest.mark.slow
def test_five_hundred_columns() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(500, 500)), columns=[f"c{i}" for i in range(500)])
    y = (X.c3 > 0.5) | ((X.c77 < -0.3) & (X.c200 > 0))
    model = RuleListClassifier(0.05).fit(X, y)
    assert model.status_ == "optimal"
    assert len(model.rule_list_.feature_names) == 28
    assert "c3" in str(model.rule_list_)


def test_many_rows_and_as_many_names() -> None:
    n_rows = 200_000
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {"x": rng.normal(size=n_rows), "id": np.arange(n_rows).astype(str), "k": np.arange(n_rows)}
    )
    model = RuleListClassifier(0.05).fit(X, X.x > 0.5)
    assert str(model.rule_list_).startswith("if (x ")
    assert model.score(X, X.x > 0.5) > 0.99


def test_raw_compas(data_dir: Path) -> None:
    raw = pd.read_csv(data_dir / "compas" / "compas-scores-two-years.csv.gz", low_memory=False)
    columns = ["sex", "age", "race", "juv_fel_count", "priors_count", "c_charge_degree"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = RuleListClassifier(0.01).fit(raw[columns], raw["two_year_recid"])
    assert model.status_ == "optimal"
    assert model.score(raw[columns], raw["two_year_recid"]) > 0.67
    assert "priors_count" in str(model.rule_list_)
    assert "age" in str(model.rule_list_)
