"""λ is read exactly from its text, and objectives are exact or refused."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surelist import _core

# One antecedent that captures the rows of one label: the empty list loses 1/2, one rule nothing.
HALVES = (np.array([[1], [0]], np.uint8), np.array([1, 0], np.int32))


def halves(weight: int = 1) -> _core.Problem:
    captures, labels = HALVES
    return _core.Problem(captures, labels, np.array([weight, weight], np.int64), 2)


def read(text: str, problem: _core.Problem | None = None) -> Fraction:
    """λ as the engine understands it: the objective of one rule that loses nothing."""
    search = _core.Search(problem or halves(), text)
    assert search.run() == "optimal"
    assert (search.prefix, search.loss) == ([0], 0)
    return Fraction(search.objective, search.scale)


@pytest.mark.parametrize(
    "text",
    [
        "0",
        "0.0",
        "0.",
        ".25",
        "0.25",
        "00.250",
        "0.005",
        "1e-05",
        "1E-5",
        "25e-2",
        "2.5e-1",
        "0.025e1",
        "0.025e+1",
        "1e-30",
        "0e60",
        "0.0123456789012345",
        "0.012345678901234567890123456789",
        "0.499999999999999999999999999999",
        "1/3",
        "2/6",
        "0/5",
        "007/0100",
        "123456789012345678901234567/1000000000000000000000000000",
    ],
)
def test_the_text_is_the_number(text: str) -> None:
    assert read(text) == Fraction(text if text != "0." else "0")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        ".",
        "e",
        "e5",
        ".e-1",
        "1e",
        "1e-",
        "1e--5",
        "1e-5.0",
        "0,1",
        "0.1.1",
        "0.1 ",
        " 0.1",
        "0 .1",
        "-0.1",
        "-0",
        "+0.1",
        "nan",
        "inf",
        "0x1p-3",
        "1_000e-6",
        "0.1f",
        "0.1\0",
        "٠.١",
        "½",
        "/",
        "1/",
        "/2",
        "1/0",
        "0/0",
        "1//2",
        "1/2/3",
        "-1/2",
        "1/-2",
        "1 / 2",
        "0.5/2",
        "1/2e3",
    ],
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(_core.InputError, match=r"is not a (number|fraction); give a number from 0"):
        _core.Search(halves(), text)


@pytest.mark.parametrize("text", ["1", "1.0", "01", "1e0", "10e-1", "1e60", "3/2", "2/2", "1.0001"])
def test_one_and_more_is_refused(text: str) -> None:
    with pytest.raises(_core.InputError, match=f"'{text}' is not below 1; give a number from 0"):
        _core.Search(halves(), text)


@pytest.mark.parametrize(
    "text",
    [
        "1e61",
        "1e-61",
        "1e400",
        "1e-99999999999999999999999",
        "0e61",
        "1e-60",
        "0." + "1" * 31,
        "1" * 31 + "/" + "3" * 31,
    ],
)
def test_what_cannot_be_held_is_refused(text: str) -> None:
    with pytest.raises(_core.InputError, match=r"(exponent out of range|too many digits)"):
        _core.Search(halves(), text)


def test_a_long_text_is_cut_in_the_message() -> None:
    with pytest.raises(_core.InputError) as caught:
        _core.Search(halves(), "x" * 10_000)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("text", ["0.5", "0.75", "0.999999999999999999999999999999", "99/100"])
def test_more_than_any_rule_is_worth(text: str) -> None:
    search = _core.Search(halves(), text)
    assert search.run() == "optimal"
    assert (search.prefix, Fraction(search.objective, search.scale)) == ([], Fraction(1, 2))


# Antecedents 0 and 1 together save one row of four, for two rules: worth it just below λ = 1/8.
FOUR = (
    np.array([[1, 0], [1, 1], [0, 1], [0, 0]], np.uint8),
    np.array([1, 1, 0, 1], np.int32),
)


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("0.1249999999999999999999999999", 2),
        ("0.12499999999999999", 2),
        ("1249999999999/10000000000000", 2),
        ("0.125", None),  # both are optimal
        ("1/8", None),
        ("0.1250000000000000000000000001", 0),
        ("1250000000001/10000000000000", 0),
    ],
)
@pytest.mark.parametrize("bounds", [_core.bound_names(), []])
def test_the_last_digit_decides(text: str, length: int | None, bounds: list[str]) -> None:
    search = _core.Search(_core.Problem(*FOUR, None, 2), text, bounds=bounds)
    assert search.run() == "optimal"
    regularization = Fraction(text)
    assert Fraction(search.objective, search.scale) == min(Fraction(1, 4), 2 * regularization)
    assert length is None or len(search.prefix) == length


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(
    digits=st.integers(0, 10**30),
    places=st.integers(1, 32),
    weight=st.integers(1, 2**59) | st.integers(1, 1000),
)
def test_objectives_are_exact_or_refused(digits: int, places: int, weight: int) -> None:
    with localcontext() as context:
        context.prec = 100
        value = Decimal(digits % 10**places // 2).scaleb(-places)
    text = f"{value:f}"
    denominator = 10**places
    # Room for 30 digits, and for objectives of a few rules within 124 bits.
    if denominator <= 2**100 and denominator * 2 * weight * 9 < 2**124:
        assert read(text, halves(weight)) == Fraction(text)
        return
    with suppress(_core.InputError):  # trailing zeros may make it fit all the same
        assert read(text, halves(weight)) == Fraction(text)


def test_too_many_digits_for_the_weight_are_refused() -> None:
    text = "0." + "1" * 29
    assert read(text, halves(1)) == Fraction(text)
    with pytest.raises(_core.InputError, match=r"too many digits for this total weight"):
        _core.Search(halves(2**59), text)
