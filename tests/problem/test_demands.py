"""Constraints and costs as parameters of the estimator, against brute force on its antecedents."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import constrained_oracle
import numpy as np
import pandas as pd
import pytest
from constrained_oracle import Demands
from oracle import Data
from problems import random_problem
from quick import few_quick

from surelist import InputError, RuleList, RuleListClassifier

LAMBDA = Fraction(1, 40)


def names(model: RuleListClassifier) -> list[str]:
    return [str(rule.antecedent) for rule in model.rule_list_.rules]


def brute_force(model: RuleListClassifier, X: Any, y: Any, **demands: Any) -> Fraction:
    """The optimum over the model's own antecedents."""
    antecedents = model.antecedents_
    position = {str(a): i for i, a in enumerate(antecedents)}
    classes = model.classes_.tolist()
    data = Data(
        captures=tuple(
            zip(*(a.captures(X).astype(int).tolist() for a in antecedents), strict=True)
        ),
        labels=tuple(classes.index(label) for label in y.tolist()),
        weights=(1,) * len(y),
        n_classes=len(classes),
        n_antecedents=len(antecedents),
    )
    wrong = tuple(tuple(Fraction(int(c != q)) for q in classes) for c in classes)
    prices = demands.pop("prices", lambda _: Fraction(1))
    for key in ("first", "required", "forbidden"):
        demands[key] = tuple(position[text] for text in demands.get(key, ()))
    asked = Demands(
        prices=tuple(LAMBDA * prices(a) for a in antecedents),
        costs=demands.pop("costs", wrong),
        rule_label=demands.get("rule_label"),
        first=demands["first"],
        required=frozenset(demands["required"]),
        forbidden=frozenset(demands["forbidden"]),
    )
    return constrained_oracle.optimum(data, asked)


def fit(seed: int, classes: int = 2, **parameters: Any) -> tuple[RuleListClassifier, Any, Any]:
    X, y = random_problem(seed, features=3, classes=classes)
    model = RuleListClassifier(LAMBDA, max_clauses=2, **parameters)
    return model.fit(X, y), X, y


@pytest.mark.parametrize("seed", few_quick(range(4)))
def test_constraints_find_the_optimum_of_brute_force(seed: int) -> None:
    model, X, y = fit(seed, first=["x1"], required=["x2"], dnf=True)
    assert names(model)[0] == "(x1)"
    assert "(x2)" in names(model)
    assert {rule.label for rule in model.rule_list_.rules} == {1}
    expected = brute_force(model, X, y, first=["(x1)"], required=["(x2)"], rule_label=1)
    assert model.objective_exact_ == model.rule_list_.objective == expected

    model, X, y = fit(seed, forbidden=["x0", "x0 and x1"])
    assert not {"(x0)", "(x0) and (x1)"} & set(names(model))
    assert model.objective_exact_ == brute_force(model, X, y, forbidden=["(x0)", "(x0) and (x1)"])


@pytest.mark.parametrize("seed", few_quick(range(4)))
def test_costs_find_the_optimum_of_brute_force(seed: int) -> None:
    model, X, y = fit(seed, antecedent_costs="clauses")
    expected = brute_force(model, X, y, prices=lambda a: Fraction(len(a.clauses)))
    assert model.objective_exact_ == model.rule_list_.objective == expected

    model, X, y = fit(seed, antecedent_costs={"x0": 0.3, "x1 and x2": Decimal("2.5")})
    costs = {"(x0)": Fraction(3, 10), "(x1) and (x2)": Fraction(5, 2)}
    expected = brute_force(model, X, y, prices=lambda a: costs.get(str(a), Fraction(1)))
    assert model.objective_exact_ == model.rule_list_.objective == expected


@pytest.mark.slow
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_a_cost_matrix_finds_the_optimum_of_brute_force(seed: int, classes: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 9, size=(classes, classes)) / 4
    np.fill_diagonal(matrix, 0)
    matrix[0, 1] = 2.75
    model, X, y = fit(seed, classes, cost_matrix=matrix)
    exact = tuple(tuple(Fraction(str(cost)) for cost in row) for row in matrix.tolist())
    expected = brute_force(model, X, y, costs=exact)
    assert model.objective_exact_ == model.rule_list_.objective == expected

    labels = dict(enumerate(matrix.tolist()))
    same = {actual: dict(enumerate(row)) for actual, row in labels.items()}
    assert fit(seed, classes, cost_matrix=same)[0].objective_exact_ == expected


def test_what_is_required_is_an_antecedent_in_any_case() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.integers(18, 80, 300), "sex": rng.choice(["m", "f"], 300)})
    y = (frame.age < 30).to_numpy() ^ (rng.random(300) < 0.1)
    # Hardly anybody is below 19: mining would not give it; and it has three clauses.
    model = RuleListClassifier(0.02, required=["age < 19 and sex = m and age >= 18"])
    model.fit(frame, y)
    assert model.status_ == "optimal"
    assert any("age < 19" in name and "sex = m" in name for name in names(model))


def test_costs_survive_json() -> None:
    model, X, _ = fit(2, antecedent_costs="clauses", cost_matrix=[[0, 2], [1.5, 0]])
    again = RuleList.from_dict(model.rule_list_.to_dict())
    assert again == model.rule_list_
    assert again.objective == model.objective_exact_
    assert (again.predict(X) == model.predict(X)).all()


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"dnf": "maybe"}, "dnf must be None, True or one of the classes"),
        ({"first": "x0"}, "first must be None or a list"),
        ({"required": [3]}, "required must hold antecedents as text"),
        ({"required": ["x7 = 1"]}, "x7"),
        ({"first": ["x0"], "forbidden": ["x0"]}, "first has 'x0' and forbidden 'x0'"),
        ({"first": ["x0", "x1"], "max_length": 1}, "max_length is 1"),
        ({"antecedent_costs": "length"}, "antecedent_costs must be"),
        ({"antecedent_costs": {"x0": -1}}, "at least 0"),
        ({"antecedent_costs": {"x0": float("nan")}}, "finite"),
        ({"cost_matrix": [[0, 1]]}, "2 rows and columns"),
        ({"cost_matrix": {0: {7: 1}}}, "names the class 7"),
        ({"cost_matrix": [[0, 0], [0, 0]]}, "all zero"),
        ({"cost_matrix": {0: {1: 0}, 1: {0: 0}}}, "all zero"),
        ({"cost_matrix": "free"}, "square array"),
    ],
)
def test_what_cannot_be_is_refused(parameters: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        fit(0, **parameters)


def test_dnf_with_classes_that_are_bools() -> None:
    X, y = random_problem(0, features=3)
    truth = y.astype(bool)

    def labels(dnf: Any) -> set[Any]:
        model = RuleListClassifier(LAMBDA, dnf=dnf, required=["x1"]).fit(X, truth)
        return {rule.label for rule in model.rule_list_.rules}

    assert labels(0) == labels(np.int64(0)) == {False}
    assert labels(1) == labels(True) == labels(np.True_) == {True}
    assert labels(None) == {False, True}
    for off in (False, np.False_):
        with pytest.raises(InputError, match="write None for the first, and 0 for the second"):
            labels(off)
    # Where no class is called False, it says what it always did.
    assert fit(0, dnf=False)[0].objective_exact_ == fit(0)[0].objective_exact_


@pytest.mark.parametrize("dnf", [np.array([0, 1]), [1], object(), {}, b"1"])
def test_dnf_is_a_label(dnf: Any) -> None:
    with pytest.raises(InputError, match="dnf must be None, True or"):
        fit(0, dnf=dnf)


def test_dnf_needs_a_class_where_there_are_three() -> None:
    with pytest.raises(InputError, match="needs two classes"):
        fit(0, classes=3, dnf=True)
    model, _, _ = fit(0, classes=3, dnf=2)
    assert {rule.label for rule in model.rule_list_.rules} <= {2}
