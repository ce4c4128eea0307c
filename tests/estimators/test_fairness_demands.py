"""Fair lists that begin with a rule, or that have it somewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from surelist import Fairness, InputError, RuleListClassifier, verify


def fit(**options: Any) -> tuple[RuleListClassifier, pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(5)
    X = pd.DataFrame(rng.integers(0, 2, (300, 5)), columns=[f"f{i}" for i in range(5)])
    X["group"] = rng.choice(["a", "b"], 300)
    X["never"] = 0
    y = pd.Series((X["f0"] | (X["f1"] & (X["group"] == "a"))) ^ (rng.random(300) < 0.1))
    model = RuleListClassifier(
        0.02,
        max_clauses=1,
        fairness=Fairness("equal_opportunity", "group", 0.05),
        certificate=True,
        **options,
    )
    return model.fit(X, y), X, y


@pytest.mark.filterwarnings("ignore:the antecedent 'never' captures no training row")
@pytest.mark.parametrize(
    "options",
    [
        {"first": ["f3", "f4"]},
        {"required": ["f3"]},
        {"first": ["f2"], "required": ["f4"], "max_length": 3},
        {"required": ["never"]},
        {"first": ["never"], "required": ["f1"]},
    ],
)
def test_what_is_demanded_is_there_and_proven(options: dict[str, Any]) -> None:
    free, X, y = fit()
    model, _, _ = fit(**options)
    texts = [str(rule.antecedent) for rule in model.rule_list_.rules]
    first, required = options.get("first", []), options.get("required", [])
    assert texts[: len(first)] == [f"({name})" for name in first]
    assert {f"({name})" for name in required} <= set(texts)
    assert model.status_ == "optimal"
    assert model.objective_exact_ >= free.objective_exact_
    assert model.fairness_.unfairness("equal_opportunity") <= 0.05
    said = verify(model.certificate_, X, y)
    assert said.optimal
    words = {"first": "that begins with antecedents", "required": "that uses antecedents"}
    assert all(words[name] in said.statement for name in options if name in words)


def test_a_demand_that_contradicts_another_is_refused() -> None:
    with pytest.raises(InputError, match="max_length is 1"):
        fit(first=["f0"], required=["f1"], max_length=1)
    with pytest.raises(InputError, match=r"group"):
        fit(required=["group = a"])
