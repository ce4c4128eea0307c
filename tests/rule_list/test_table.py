from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from rule_lists import ALL_ROWS, PAPER

from surelist import InputError, RuleListClassifier, SurelistError


def test_columns_by_hand() -> None:
    table = PAPER.rule_table()
    assert table.columns.tolist() == [
        *("rule", "label", "captured", "correct", "probability", "support", "cumulative"),
    ]
    assert table["rule"].tolist() == [
        *("if (age = 18-20) and (sex = male)", "else if (priors > 3)", "else"),
    ]
    assert table["label"].tolist() == ["yes", "yes", "no"]
    assert table["captured"].tolist() == [4, 6, 10]
    assert table["correct"].tolist() == [3, 4, 8]
    assert table["probability"].tolist() == [3 / 4, 4 / 6, 8 / 10]
    assert table["support"].tolist() == [4 / 20, 6 / 20, 10 / 20]
    assert table["cumulative"].tolist() == [4 / 20, 10 / 20, 1.0]


def test_a_list_without_rules_is_always_its_default() -> None:
    model = RuleListClassifier(regularization=0.9).fit([[0], [1]] * 5, [0, 0, 1, 0] * 2 + [0, 0])
    assert model.rule_table()["rule"].tolist() == ["always"]
    assert "always" in model.rule_list_._repr_html_()


def test_laplace_by_hand() -> None:
    np.testing.assert_allclose(
        PAPER.predict_proba(ALL_ROWS[[6, 1, 0]], laplace=1),
        [[2 / 6, 4 / 6], [3 / 8, 5 / 8], [9 / 12, 3 / 12]],
    )
    assert PAPER.rule_table(laplace=1)["probability"].tolist() == [4 / 6, 5 / 8, 9 / 12]


@pytest.mark.parametrize("laplace", [-1, float("nan"), float("inf"), "1", None, True])
def test_other_priors_are_refused(laplace: Any) -> None:
    with pytest.raises(InputError, match="laplace must be a finite number of at least 0"):
        PAPER.predict_proba(ALL_ROWS, laplace=laplace)
    with pytest.raises(InputError, match="laplace must be"):
        RuleListClassifier(laplace=laplace).fit([[0], [1]] * 5, [0, 1] * 5)


@pytest.mark.parametrize("factor", [1, 3, 0.1, 1e-9])
def test_the_prior_is_in_the_unit_of_the_weights(factor: float) -> None:
    """Ten rows of weight 1, or of any other that the search has to scale: as many pseudo-rows."""
    X, y = [[0], [1]] * 5, [0, 1] * 4 + [0, 0]
    weights = np.array([1.0, 2.0] * 5) * factor
    model = RuleListClassifier(laplace=2 * factor).fit(X, y, sample_weight=weights)
    # What x0 captures: weight 8 of class 1 and 2 of class 0, and 2 more of each.
    np.testing.assert_allclose(model.predict_proba([[1]]), [[4 / 14, 10 / 14]], rtol=1e-9)


def test_the_prior_changes_no_prediction() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (60, 4))
    y = rng.integers(0, 3, 60)
    plain = RuleListClassifier(regularization=0.02).fit(X, y)
    prior = RuleListClassifier(regularization=0.02, laplace=5.0).fit(X, y)
    assert (plain.predict(X) == prior.predict(X)).all()
    assert (prior.predict_proba(X).argmax(axis=1) == prior.predict(X)).all()
    assert not np.array_equal(plain.predict_proba(X), prior.predict_proba(X))


def test_without_pandas_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(SurelistError, match=r"pip install 'surelist\[pandas\]'"):
        PAPER.rule_table()


def test_the_classifier_gives_the_same_table() -> None:
    model = RuleListClassifier().fit([[0], [1]] * 5, ["no", "yes"] * 5)
    pd.testing.assert_frame_equal(model.rule_table(), model.rule_list_.rule_table())
