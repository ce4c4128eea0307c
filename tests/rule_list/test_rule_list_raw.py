"""Rule lists with conditions take raw tables, whatever library these come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from rule_lists import raw_list

from surelist import Clause, InputError, RuleListClassifier
from surelist.conditions.conditions import Equals, Interval, Missing

YOUNG = Clause(0, "age < 25", False, Interval("age", None, 25, high_closed=False))
MALE = Clause(1, "sex = Male", False, Equals("sex", "Male"))
NO_AGE = Clause(2, "age is missing", False, Missing("age"))
LIST = raw_list([YOUNG, MALE], [NO_AGE])
ROWS: dict[str, list[Any]] = {
    "age": [20, 20, 30, None, 24.5],
    "sex": ["Male", "Female", "Male", "Male", None],
}
CAPTURED_BY = [0, 2, 2, 1, 2]


@pytest.mark.parametrize(
    "convert",
    [
        pd.DataFrame,
        lambda rows: pd.DataFrame(rows)[["sex", "age"]],
        lambda rows: pd.DataFrame(rows).assign(other=1j),
        lambda rows: pd.DataFrame(rows).astype({"sex": "category"}),
        lambda rows: pd.DataFrame(rows).convert_dtypes(),
        lambda rows: pl.DataFrame(rows, strict=False),
        lambda rows: np.array(list(zip(*rows.values(), strict=True)), dtype=object),
        lambda rows: [list(row) for row in zip(*rows.values(), strict=True)],
    ],
)
def test_every_container_gives_the_same_captures(convert: Callable[[Any], Any]) -> None:
    table = convert(ROWS)
    assert LIST.captures(table).tolist() == CAPTURED_BY
    labels = ["yes", "yes", "no"]
    assert LIST.predict(table).tolist() == [labels[index] for index in CAPTURED_BY]
    assert [explanation.rule for explanation in LIST.explain(table)] == CAPTURED_BY
    assert LIST.predict_proba(table).tolist() == LIST.class_shares[CAPTURED_BY].tolist()


def test_columns_are_known_from_the_conditions() -> None:
    assert LIST.columns == ("age", "sex")
    assert raw_list([Clause(0, "f0")]).columns is None


def test_a_negated_clause_is_fulfilled_by_missing_and_unseen_values() -> None:
    negated = raw_list([Clause(0, "age < 25", True, YOUNG.condition)])
    assert negated.captures(pd.DataFrame(ROWS)).tolist() == [1, 1, 0, 0, 1]
    other = raw_list([Clause(0, "sex = Male", True, MALE.condition)])
    assert other.captures(pd.DataFrame({"sex": ["Male", "unseen", None]})).tolist() == [1, 0, 0]


def test_columns_that_are_not_there_are_named() -> None:
    with pytest.raises(InputError, match="X has no column 'sex', which the rule list asks about"):
        LIST.predict(pd.DataFrame({"age": [1]}))
    with pytest.raises(InputError, match="X has 3 columns; the rule list knows 2"):
        LIST.predict([[1, "Male", 3]])


def test_a_list_without_rules_counts_rows_only() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.normal(size=40), "sex": rng.choice(["a", "b"], 40)})
    model = RuleListClassifier(regularization=0.9).fit(frame, [0, 1, 0, 0] * 10)
    assert len(model.rule_list_) == 0
    assert model.rule_list_.columns == ("age", "sex")
    assert model.rule_list_.predict(frame).tolist() == [0] * 40


def test_the_rule_list_of_a_model_predicts_as_the_model_does() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 70, 200),
            "sex": rng.choice(np.array(["Male", "Female", None]), 200),
            "priors": np.where(rng.random(200) < 0.2, np.nan, rng.integers(0, 9, 200)),
        }
    )
    labels = np.where((frame.age < 30) | (frame.priors > 4), "yes", "no")
    model = RuleListClassifier(regularization=0.01, negations=True, laplace=1).fit(frame, labels)
    rule_list = model.rule_list_
    assert (rule_list.predict(frame) == model.predict(frame)).all()
    assert (rule_list.predict_proba(frame, laplace=1) == model.predict_proba(frame)).all()
    assert rule_list.explain(frame) == model.explain(frame)
