from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from surelist import InputError
from surelist.tables.regularization import exact, text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.005, Fraction(1, 200)),
        (0.1, Fraction(1, 10)),
        (1e-05, Fraction(1, 100_000)),
        (0.30000000000000004, Fraction(30000000000000004, 10**17)),
        (0, Fraction(0)),
        (-0.0, Fraction(0)),
        (Decimal("0.0025"), Fraction(1, 400)),
        (Decimal("0e-999999999"), Fraction(0)),
        (Fraction(1, 3), Fraction(1, 3)),
        (np.float64(0.01), Fraction(1, 100)),
        (np.float32(0.01), Fraction(1, 100)),
        (np.float16(0.1), Fraction(1, 10)),
        (np.longdouble("0.01"), Fraction(1, 100)),
        (np.int64(0), Fraction(0)),
    ],
)
def test_a_number_is_the_decimal_it_was_written_as(value: object, expected: Fraction) -> None:
    assert exact(value) == expected


@pytest.mark.parametrize(
    "value",
    [
        "0.01",
        b"0.01",
        None,
        True,
        False,
        np.True_,
        float("nan"),
        float("inf"),
        float("-inf"),
        np.float32("nan"),
        np.float16("inf"),
        Decimal("NaN"),
        Decimal("sNaN"),
        Decimal("Infinity"),
        -0.01,
        -1,
        Fraction(-1, 3),
        1,
        1.0,
        np.int64(1),
        Decimal("1.5"),
        Decimal("1e999999999"),
        pytest.param(10**5000, id="ten to the 5000"),
        0.5j,
        [0.01],
        np.array(0.01),
    ],
)
def test_anything_else_is_refused_by_name(value: object) -> None:
    with pytest.raises(InputError, match=r"^min_support must be a number of at least 0 and below"):
        exact(value, name="min_support")


@pytest.mark.parametrize(
    "value", [5e-324, Decimal("1e-999999999"), Decimal("0." + "1" * 99), Fraction(1, 10**5000)]
)
def test_more_digits_than_the_engine_can_hold_are_refused(value: object) -> None:
    with pytest.raises(InputError, match="regularization has too many digits"):
        exact(value)


def test_the_message_shows_the_value() -> None:
    with pytest.raises(InputError, match=r"regularization .* got '0\.01'"):
        exact("0.01")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.005, "0.005"),
        (1e-05, "0.00001"),
        (0, "0"),
        (0.5, "0.5"),
        (Fraction(1, 3), "1/3"),
        (Fraction(3, 8), "0.375"),
        (Decimal("0.0100"), "0.01"),
        (0.30000000000000004, "0.30000000000000004"),
    ],
)
def test_text_reads_back_exactly(value: object, expected: str) -> None:
    assert text(value) == expected
    assert Fraction(text(value)) == exact(value)
