"""What is claimed with rounded numbers has to be true: bounds are rounded down, gaps up."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surelist import RuleListClassifier, UncertifiedWarning, regularization_path, verify
from surelist._common.progress import Progress
from surelist._common.rounding import bound_text, gap_text, rounded_down, rounded_up
from surelist.cli.results import facts_of
from surelist.estimators.corels.classifier import CorelsClassifier


@given(st.fractions(min_value=0, max_value=10**6), st.sampled_from([".6g", ".6f", ".3g", ".4f"]))
def test_rounded_numbers_stand_on_their_side(number: Fraction, form: str) -> None:
    low, high = Fraction(rounded_down(number, form)), Fraction(rounded_up(number, form))
    assert low <= number <= high
    assert high - low <= max(number, Fraction(1)) / 99


@given(st.integers(0, 10**6))
def test_numbers_that_need_no_rounding_stay_as_they_are(whole: int) -> None:
    number = Fraction(whole, 10**6)
    for rounded in (rounded_down, rounded_up):
        assert Fraction(rounded(number, ".6f")) == number
        assert Fraction(rounded(float(number), ".6f")) == number


def test_a_bound_that_is_met_is_not_written_with_other_digits() -> None:
    assert bound_text(Fraction(2, 3), Fraction(2, 3)) == "the same"
    assert gap_text(Fraction(2, 3), Fraction(2, 3)) == "0"


def sixths() -> tuple[list[list[int]], list[str]]:
    """Return rows that no rule list gets right but for one in six, which is .1666…7 if rounded."""
    return [[0], [1]] * 3, ["no"] * 5 + ["yes"]


def test_the_sentence_of_the_checker_is_true() -> None:
    X, y = sixths()
    model = RuleListClassifier(regularization=0.2, certificate=True).fit(X, y)
    assert model.objective_exact_ == Fraction(1, 6)
    sentence = str(verify(model.certificate_, X, y))
    assert sentence.endswith("has objective below 0.166666 at λ = 0.2")
    summary = model.certificate_.summary()
    assert "below 0.166666 (exactly 1/6);" in summary


def test_the_checker_gives_lambda_exactly() -> None:
    X, y = sixths()
    model = RuleListClassifier(regularization=Fraction(1, 3), certificate=True).fit(X, y)
    assert str(verify(model.certificate_, X, y)).endswith("at λ = 1/3")


def hard() -> tuple[Any, Any]:
    rng = np.random.default_rng(7)
    X = rng.integers(0, 2, (211, 12))
    return X, (X[:, 0] ^ X[:, 1]) | (rng.random(211) < 0.2)


def numbers(text: str, *patterns: str) -> list[Fraction]:
    found = [re.search(pattern, text) for pattern in patterns]
    assert None not in found, text
    return [Fraction(match[1]) for match in found if match]


NUMBER = r"([0-9.e-]*[0-9])"


@pytest.mark.parametrize("most", [1, 2, 3, 5, 8, 13])
def test_what_a_search_that_ended_early_says_is_true(most: int) -> None:
    X, y = hard()
    model = RuleListClassifier(
        regularization=Fraction(1, 97), max_prefixes=most, certificate=True, bounds=["hierarchical"]
    )
    with pytest.warns(UncertifiedWarning) as warned:
        model.fit(X, y)
    low, high = model.lower_bound_exact_, model.objective_exact_
    bound, gap = numbers(
        str(warned[0].message), f"lower bound {NUMBER};", f"than the gap of {NUMBER}[.,] "
    )
    assert bound <= low
    assert gap >= high - low
    facts = facts_of(model)
    assert Fraction(facts["lower bound"]) <= low
    assert numbers(facts["status"], f"by at most {NUMBER}$")[0] >= high - low
    pattern = f"between {NUMBER} "
    for text in (str(verify(model.certificate_, X, y)), model.certificate_.summary()):
        assert numbers(text, pattern)[0] <= low
    assert numbers(str(verify(model.certificate_, X, y)), f" and {NUMBER} at")[0] >= high


@pytest.mark.parametrize("n_iter", [1, 2, 3, 5, 8])
def test_the_other_warnings_are_true(n_iter: int) -> None:
    X, y = hard()
    model = CorelsClassifier(c=0.003, n_iter=n_iter, max_card=1, verbosity=[])
    with pytest.warns(UncertifiedWarning) as warned:
        model.fit(X, y)
    assert numbers(str(warned[0].message), f"gap of {NUMBER}$")[0] >= Fraction(model.gap_)
    with pytest.warns(UncertifiedWarning) as warned:
        path = regularization_path(X, y, smallest=0.001, max_prefixes=n_iter)
    assert numbers(str(warned[0].message), f"by more than {NUMBER}$")[0] >= path.gap


def test_progress_says_no_more_than_is_known() -> None:
    rng = random.Random(3)
    for _ in range(100):
        objective, bound = rng.uniform(0.5, 1), rng.uniform(0, 0.5)
        text = str(Progress(1.0, objective, bound, 1, 1, 1, ()))
        low, gap = numbers(text, f"lower bound {NUMBER} ", f"gap {NUMBER} ")
        assert low <= Fraction(bound)
        assert gap >= Fraction(objective) - Fraction(bound)
