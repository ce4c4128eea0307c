"""Binarizer: which conditions it chooses, and that nothing but the data decides."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from datetime import date, datetime
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from raw_tables import tables
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline

from surelist import Binarizer, InputError, RuleListClassifier
from surelist.conditions.conditions import Equals, Interval, IsTrue, Missing, OneOf
from surelist.features.cuts import entropy_cuts, neat_number, weigh


def names(X: Any, y: Any = None, **parameters: Any) -> list[str]:
    fitted = Binarizer(**parameters).fit(X, y)
    texts: list[str] = fitted.get_feature_names_out().tolist()
    return texts


def frame(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame(columns)


# Kinds of columns.


def test_columns_of_0_and_1_stay_as_they_are() -> None:
    X = frame(young=[0, 1, 1], old=[True, False, False], none=[0, 0, 0], all=[1.0, 1.0, 1.0])
    binarizer = Binarizer(max_features=0).fit(X)
    assert binarizer.conditions_ == tuple(map(IsTrue, X.columns))
    assert binarizer.transform(X).tolist() == X.astype(int).to_numpy().tolist()


def test_categories_are_sorted_and_rare_ones_merged() -> None:
    X = frame(race=["c", "b", "a"] * 10 + ["rare", "odd"])
    assert names(X, min_frequency=0.05) == [
        *("race = a", "race = b", "race = c"),
        "race in {odd, rare}",
    ]
    assert names(X, min_frequency=0)[-2:] == ["race = odd", "race = rare"]
    assert names(X[:-1], min_frequency=0.05)[-1] == "race = rare"


def test_a_column_of_names_gives_nothing() -> None:
    assert names(frame(name=[f"n{i}" for i in range(200)])) == []


def test_unseen_and_missing_categories_fulfil_nothing() -> None:
    binarizer = Binarizer().fit(frame(a=["x", "y", None]))
    assert binarizer.conditions_ == (Equals("a", "x"), Equals("a", "y"), Missing("a"))
    new = frame(a=["y", "new", None])
    assert binarizer.transform(new).tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 1]]
    assert binarizer.transform(frame(a=[None, None])).tolist() == [[0, 0, 1]] * 2


def test_whole_numbers_are_cut_at_whole_numbers() -> None:
    X = frame(age=np.arange(18, 70))
    assert names(X, strategy="uniform", n_cuts=1) == ["age < 44", "age ≥ 44"]
    assert names(X, X.age >= 25, n_cuts=1) == ["age < 25", "age ≥ 25"]
    assert names(X.astype(float), X.age >= 25, n_cuts=1) == ["age < 25", "age ≥ 25"]
    assert names(X + 0.25, X.age >= 25, n_cuts=1) == ["age < 25", "age ≥ 25"]
    assert names(X + 0.5, X.age >= 25, n_cuts=1) == ["age < 25", "age ≥ 25"]


def test_intervals_between_cuts() -> None:
    cuts = {"columns": {"age": [21, 23, 26]}, "intervals": True}
    whole = names(frame(age=[18, 21, 22, 24, 40]), **cuts)
    assert whole[-2:] == ["21 ≤ age ≤ 22", "23 ≤ age ≤ 25"]
    assert names(frame(age=[18.5, 21, 22, 24, 40]), **cuts)[-1] == "23 ≤ age < 26"
    single = names(frame(age=[18, 21, 22, 24]), columns={"age": [21, 22]}, intervals=True)
    assert single[-1] == "age = 21"


def test_dates_are_cut_at_dates() -> None:
    X = frame(day=[date(2012, 11, 3), date(2013, 2, 17), date(2014, 5, 5), date(2014, 5, 20)])
    assert names(X, [0, 1, 1, 1], n_cuts=1) == ["day < 2013-01-01", "day ≥ 2013-01-01"]
    assert names(X, [0, 0, 1, 1], n_cuts=1) == ["day < 2014-01-01", "day ≥ 2014-01-01"]
    assert names(X, [0, 0, 0, 1], n_cuts=1) == ["day < 2014-05-20", "day ≥ 2014-05-20"]
    moments = X.assign(day=pd.to_datetime(X.day) + pd.Timedelta(hours=7))
    assert names(moments, [0, 1, 1, 1], n_cuts=1)[0] == "day < 2013-01-01"
    given_cuts = names(moments, columns={"day": [date(2014, 1, 1), datetime(2014, 5, 6, 12)]})
    assert given_cuts[::2] == ["day < 2014-01-01", "day < 2014-05-06T12:00"]


def test_ordinals_are_cut_in_their_order() -> None:
    order = ["low", "mid", "high"]
    ordered = pd.Categorical(["high", "low", "mid"], categories=order, ordered=True)
    expected = ["g < mid", "g ≥ mid", "g < high", "g ≥ high"]
    assert names(frame(g=ordered)) == expected
    assert names(pl.DataFrame({"g": pl.Series(list(ordered), dtype=pl.Enum(order))})) == expected
    plain = frame(g=["high", "low", "mid"])
    fitted = Binarizer(columns={"g": order}).fit(plain)
    assert fitted.get_feature_names_out().tolist() == expected
    assert fitted.conditions_[1] == Interval("g", "mid", order=tuple(order))
    assert fitted.transform(frame(g=["mid", "odd"])).tolist() == [[0, 1, 1, 0], [0, 0, 0, 0]]
    assert names(plain) == ["g = high", "g = low", "g = mid"]


def test_missing_values_are_a_value() -> None:
    X = frame(a=[1.5, None, 3.5, 4.5], b=pd.array([True, None, False, True], dtype="boolean"))
    binarizer = Binarizer(n_cuts=1).fit(X, [0, 0, 1, 1])
    texts = ["a < 2", "a ≥ 2", "a is missing", "b", "b = False", "b is missing"]
    assert binarizer.get_feature_names_out().tolist() == texts
    assert binarizer.transform(X)[1].tolist() == [0, 0, 1, 0, 0, 1]


def test_numbers_as_categories() -> None:
    assert names(frame(code=pd.Categorical([7, 3, 3]))) == ["code = 3", "code = 7"]
    assert names(frame(code=[7, 3, 3]), columns={"code": "category"}) == ["code = 3", "code = 7"]
    assert names(frame(code=[7, 3, 3], b=[1, 0, 1]), columns={"code": "drop"}) == ["b"]


def test_merged_categories_are_one_condition() -> None:
    binarizer = Binarizer(min_frequency=0.3).fit(frame(a=list("aaaabbc")))
    assert binarizer.conditions_ == (Equals("a", "a"), OneOf("a", ("b", "c")))


@pytest.mark.parametrize(
    "constant", [[5, 5, 5], [5.5] * 3, ["a"] * 3, [None] * 3, [np.nan] * 3, [date(2020, 1, 1)] * 3]
)
def test_constant_columns_give_nothing(constant: list[Any]) -> None:
    binarizer = Binarizer().fit(frame(a=constant), [0, 1, 1])
    assert binarizer.conditions_ == ()
    assert binarizer.transform(frame(a=constant)).shape == (3, 0)
    model = RuleListClassifier().fit(frame(a=constant), ["no", "yes", "yes"])
    assert str(model.rule_list_) == "predict yes"
    assert model.predict(frame(a=constant)).tolist() == ["yes"] * 3


def test_two_features_of_one_text_are_told_apart() -> None:
    X = pd.DataFrame({"a < 2": [0, 1, 1], "a": [1, 2, 3]})
    assert names(X, columns={"a": [2]}) == ["a < 2", '"a" < 2', "a ≥ 2"]


# Cuts.


def entropy(y: np.ndarray[Any, Any]) -> float:
    shares = np.bincount(y) / max(len(y), 1)
    shares = shares[shares > 0]
    return float(-len(y) * (shares * np.log2(shares)).sum())


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2)), min_size=2, max_size=25),
    st.integers(0, 3),
    st.integers(1, 4),
)
def test_supervised_cuts_have_the_least_entropy(
    rows: list[tuple[int, int]], n_cuts: int, least: int
) -> None:
    values, y = (np.array(column) for column in zip(*rows, strict=True))
    column = weigh(values, y, np.ones(len(y), np.int64), 3)

    def cost(cuts: Any) -> float:
        parts = np.searchsorted(column.values[list(cuts)], values, side="right")
        counts = np.bincount(parts, minlength=len(cuts) + 1)
        if len(cuts) and counts.min() < least:
            return np.inf
        return sum(entropy(y[parts == part]) for part in range(len(cuts) + 1))

    positions = range(1, len(column.values))
    best = min(cost(cuts) for k in range(n_cuts + 1) for cuts in combinations(positions, k))
    found = entropy_cuts(column, n_cuts, least)
    assert len(found) <= n_cuts
    assert cost(found) == pytest.approx(best)


@given(st.floats(allow_nan=False), st.floats(allow_nan=False), st.booleans())
def test_a_neat_number_lies_between(a: float, b: float, whole: bool) -> None:
    low, high = sorted((a, b))
    if whole:
        low, high = np.floor(low), np.floor(high)
    if low < high and not (whole and max(-low, high) >= 2**53):
        cut = neat_number(low, high, whole)
        assert low < cut <= high
        assert not whole or isinstance(cut, int)


def test_neat_numbers() -> None:
    assert neat_number(0.2268, 0.2279, False) == 0.227
    assert neat_number(14.97, 15.01, False) == 15
    assert neat_number(-1.0, 1.0, False) == 0
    assert neat_number(19, 22, True) == 20
    assert neat_number(2**62, 2**62 + 1, True) == 2**62 + 1
    assert neat_number(1.0, float("inf"), False) == 3
    assert neat_number(float("-inf"), float("inf"), False) == float("inf")


def test_quantiles_and_uniform_cuts() -> None:
    X = frame(a=[0, 1, 2, 3, 4, 5, 6, 100])
    assert names(X, strategy="quantile", n_cuts=1) == ["a < 4", "a ≥ 4"]
    assert names(X, strategy="uniform", n_cuts=1) == ["a < 50", "a ≥ 50"]
    assert names(X, columns={"a": "uniform"}, n_cuts=1) == ["a < 50", "a ≥ 50"]
    assert len(names(X, columns={"a": 3})) == 6
    assert len(names(X, columns={"a": 0})) == 0


def test_the_most_telling_features_are_kept() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 6)), columns=list("abcdef"))
    y = X.c > 0.3
    kept = names(X, y, max_features=2)
    assert kept == ["c < 0.3", "c ≥ 0.3"]
    assert len(names(X, max_features=5)) == 5


def test_a_cut_through_many_values_is_short() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=20_000)
    (below, _) = names(x[:, None], x > 1.5, n_cuts=1)
    assert below == "x0 < 1.5"


# Weights and order do not matter but through what they count.


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    tables(),
    st.randoms(use_true_random=False),
    st.sampled_from(["supervised", "quantile", "uniform"]),
)
def test_neither_order_nor_repetition_changes_anything(
    X: pd.DataFrame, random: Any, strategy: str
) -> None:
    y = np.array([random.randrange(2) for _ in range(len(X))])
    y[:2] = 0, 1
    weights = np.array([random.randrange(1, 4) for _ in range(len(X))])
    order = random.sample(range(len(X)), len(X))
    parameters: dict[str, Any] = {"min_frequency": 0.1, "intervals": True, "max_features": 9}
    plain = Binarizer(strategy, **parameters).fit(X, y)
    shuffled = Binarizer(strategy, **parameters).fit(X.iloc[order], y[order])
    assert shuffled.conditions_ == plain.conditions_
    matrix = plain.transform(X)
    assert (plain.transform(X.iloc[order]) == matrix[order]).all()
    half = len(X) // 2
    assert (plain.transform(X.iloc[half:]) == matrix[half:]).all()
    weighted = Binarizer(strategy, **parameters).fit(X, y, sample_weight=weights)
    rows = np.repeat(np.arange(len(X)), weights)
    repeated = Binarizer(strategy, **parameters).fit(X.iloc[rows], y[rows])
    assert weighted.conditions_ == repeated.conditions_


def test_rows_of_no_weight_are_no_rows() -> None:
    X = frame(a=[1, 2, 3, 0.5], b=["x", "y", "y", "z"], c=[0, 1, 0, 7])
    y = [0, 1, 1, 0]
    weighted = Binarizer().fit(X, y, sample_weight=[1, 1, 1, 0])
    assert weighted.conditions_ == Binarizer().fit(X[:3], y[:3]).conditions_


def to_polars(X: pd.DataFrame) -> pl.DataFrame:
    return pl.DataFrame(
        {
            name: pl.Series(
                X[name].astype(object).where(X[name].notna(), None).tolist(), strict=False
            )
            if X[name].dtype == object
            else pl.from_pandas(X[name])
            for name in X
        }
    )


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(tables(), st.sampled_from([to_polars, lambda X: to_polars(X).to_arrow()]))
def test_every_library_gives_the_same_features(
    X: pd.DataFrame, convert: Callable[[pd.DataFrame], Any]
) -> None:
    ordered = [name for name in X if isinstance(X[name].dtype, pd.CategoricalDtype)]
    X = X.drop(columns=ordered)  # arrow's dictionaries carry no order
    X = X.rename(columns=lambda name: name.replace("\0", "NUL"))  # arrow's names end there
    if X.shape[1] == 0:
        return
    plain = Binarizer("quantile", min_frequency=0.1).fit(X)
    other = convert(X)
    fitted = Binarizer("quantile", min_frequency=0.1).fit(other)
    assert fitted.conditions_ == plain.conditions_
    assert (fitted.transform(other) == plain.transform(X)).all()
    assert (plain.transform(other) == plain.transform(X)).all()


def test_arrays_give_the_same_features() -> None:
    X = frame(a=[1, 2, 3, 4], b=["u", "v", "v", None])
    expected = Binarizer().fit(X, [0, 0, 1, 1])
    array = X.astype(object).to_numpy()
    with_names = [text.replace("a ", "x0 ").replace("b ", "x1 ") for text in expected._names]
    for given_X in (array, array.tolist()):
        fitted = Binarizer().fit(given_X, [0, 0, 1, 1])
        assert fitted.get_feature_names_out().tolist() == with_names
        assert (fitted.transform(given_X) == expected.transform(X)).all()


def test_arrow_tables() -> None:
    table = pa.table({"a": [1, None, 3], "s": ["u", "v", None]})
    assert names(table, n_cuts=1) == [
        "a < 2",
        "a ≥ 2",
        "a is missing",
        "s = u",
        "s = v",
        "s is missing",
    ]


# As a citizen of scikit-learn.


def test_set_output_clone_and_pickle() -> None:
    X = frame(a=[1, 2, 3, 4], b=["u", "v", "v", "u"])
    binarizer = Binarizer(n_cuts=1).fit(X, [0, 0, 1, 1])
    as_frame = binarizer.set_output(transform="pandas").transform(X)
    assert list(as_frame.columns) == ["a < 3", "a ≥ 3", "b = u", "b = v"]
    assert as_frame.index.equals(X.index)
    as_polars = clone(binarizer).set_output(transform="polars").fit_transform(X, [0, 0, 1, 1])
    assert as_polars.columns == list(as_frame.columns)
    again = pickle.loads(pickle.dumps(binarizer))
    assert again.conditions_ == binarizer.conditions_
    assert clone(binarizer).get_params() == binarizer.get_params()


def test_in_pipelines_and_column_transformers() -> None:
    X = frame(age=[20, 21, 40, 50] * 5, sex=["m", "f", "m", "f"] * 5, flag=[0, 1, 1, 0] * 5)
    y = np.array([1, 1, 0, 0] * 5)
    chosen = ColumnTransformer(
        [("cut", Binarizer(n_cuts=1), ["age", "sex"])],
        remainder="passthrough",
        verbose_feature_names_out=False,
    ).set_output(transform="pandas")
    pipeline = make_pipeline(chosen, RuleListClassifier(0.1, max_clauses=1)).fit(X, y)
    assert str(pipeline[-1].rule_list_).startswith("if (age < 30) then predict 1")
    assert pipeline.score(X, y) == 1


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"strategy": "magic"}, "strategy must be one of 'auto'"),
        ({"strategy": "supervised"}, "needs y"),
        ({"n_cuts": -1}, "n_cuts must be"),
        ({"n_cuts": 1.5}, "n_cuts must be"),
        ({"intervals": 1}, "intervals must be"),
        ({"max_features": -1}, "max_features must be"),
        ({"min_frequency": 2}, "min_frequency"),
        ({"columns": ["a"]}, "columns must be None or a dict"),
        ({"columns": {"z": 3}}, "'z', which is no column of X"),
        ({"columns": {"a": "magic"}}, r"columns\['a'\] must be a strategy"),
        ({"columns": {"a": ["x"]}}, "'x' is no place to cut a number column"),
        ({"columns": {"a": [float("nan")]}}, "no place to cut"),
        ({"columns": {"s": ["u"]}}, "must list every value once.*'v' is not there"),
        ({"columns": {"s": ["u", "v", "u"]}}, "occurs twice"),
    ],
)
def test_parameters_out_of_range(parameters: dict[str, Any], message: str) -> None:
    X = frame(a=[1, 2, 3], s=["u", "v", "u"])
    with pytest.raises(InputError, match=message):
        Binarizer(**parameters).fit(X)


def test_columns_of_another_kind_are_refused() -> None:
    binarizer = Binarizer().fit(frame(a=[1, 2, 3], s=["u", "v", "u"]))
    with pytest.raises(InputError, match="'a' holds text values, but 'a < 2' asks for numbers"):
        binarizer.transform(frame(a=["1", "2", "3"], s=["u", "v", "u"]))
    with pytest.raises(InputError, match="'s' holds number values"):
        binarizer.transform(frame(a=[1, 2, 3], s=[1, 2, 3]))
