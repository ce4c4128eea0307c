from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from surelist import InputError
from surelist.tables.weights import row_weights, whole_weights

CODES = np.array([0, 1, 1, 0], dtype=np.int32)
CLASSES = np.array(["no", "yes"])


def weights_of(sample_weight: Any = None, class_weight: Any = None) -> list[int]:
    weights = row_weights(CODES, CLASSES, sample_weight, class_weight)
    assert weights.dtype == np.int64
    return list(map(int, weights))


def test_rows_weigh_one_unless_told_otherwise() -> None:
    assert weights_of() == [1, 1, 1, 1]


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.float32, np.float64, object])
def test_whole_weights_are_taken_as_they_are(dtype: type) -> None:
    # 2, 4, 6 have a divisor in common, which stays: a weight of 4 is four rows.
    assert weights_of(np.array([2, 4, 6, 0], dtype=dtype)) == [2, 4, 6, 0]


def test_large_whole_weights_stay_exact() -> None:
    assert weights_of([2**51 + 1, 1, 0, 3]) == [2**51 + 1, 1, 0, 3]


def test_bools_select_rows() -> None:
    assert weights_of([True, True, False, True]) == [1, 1, 0, 1]


def test_binary_fractions_are_exact() -> None:
    assert weights_of([0.5, 0.25, 1.75, 3]) == [2, 1, 7, 12]


def test_other_fractions_are_rounded_after_scaling_by_a_power_of_two() -> None:
    given = np.array([0.1, 0.2, 0.3, 0.7])
    whole = whole_weights(given)
    # 2**39 is the largest power of two that keeps a total of 1.3 below 2**40.
    expected = np.rint(given * 2.0**39).astype(np.int64)
    assert whole.tolist() == (expected // np.gcd.reduce(expected)).tolist()
    assert int(expected.sum()) < 2**40 <= 2 * int(expected.sum())


def test_rounded_weights_keep_their_proportions_closely() -> None:
    given = np.random.default_rng(3).exponential(size=1000)
    whole = whole_weights(given)
    shares = [Fraction(int(weight), int(whole.sum())) for weight in whole]
    total = sum(map(Fraction, given.tolist()))
    assert max(
        abs(share - Fraction(weight) / total)
        for share, weight in zip(shares, given.tolist(), strict=True)
    ) < Fraction(1, 2**38)


def test_a_weight_too_small_to_count_becomes_zero() -> None:
    assert weights_of([0.5, 0.5, 0.5, 1e-15]) == [1, 1, 1, 0]


@pytest.mark.parametrize("scale", [1e-300, 5e-324, 1e300])
def test_weights_of_any_size_work(scale: float) -> None:
    assert weights_of(np.array([1, 2, 1, 0]) * scale) == [1, 2, 1, 0]


def test_whole_weights_beyond_exact_floats_are_scaled() -> None:
    assert weights_of([2.0**60, 2.0**61, 0, 0]) == [1, 2, 0, 0]


def test_class_weight_multiplies_sample_weight() -> None:
    assert weights_of([1, 1, 2, 3], {"yes": 5}) == [1, 5, 10, 3]
    assert weights_of(None, {"no": 2, "yes": 0.5}) == [4, 1, 1, 4]


def test_balanced_gives_every_class_the_same_total() -> None:
    codes = np.array([0, 1, 1, 1, 2, 2], dtype=np.int32)
    weights = row_weights(codes, np.array([7, 8, 9]), None, "balanced")
    totals = np.bincount(codes, weights=weights)
    # Thirds are rounded, so the totals agree as closely as the weights allow.
    np.testing.assert_allclose(totals / totals.sum(), [1 / 3] * 3, atol=1e-11)


@pytest.mark.parametrize("heavy", [1e-320, 1e290, 1e308])
def test_balanced_takes_the_largest_and_the_smallest_floats(heavy: float) -> None:
    assert weights_of([heavy] * 4, "balanced") == [1, 1, 1, 1]
    assert weights_of([heavy, heavy / 4, heavy / 4, heavy], "balanced") == [1, 1, 1, 1]


@pytest.mark.parametrize(
    "weights", [[5e-324, 1, 1, 5e-324], [1e308, 1e-300, 0, 1], [1e308, 1e-5, 0, 1e308]]
)
def test_balanced_refuses_a_class_that_it_cannot_make_up_for(weights: list[float]) -> None:
    light = "no" if weights[0] < 1 else "yes"
    with pytest.raises(InputError, match=f"would multiply class '{light}' by more than a float"):
        weights_of(weights, "balanced")


def test_balanced_counts_a_weight_as_so_many_rows() -> None:
    repeated = row_weights(np.array([0, 1, 1, 0, 0], dtype=np.int32), CLASSES, None, "balanced")
    weighted = row_weights(
        np.array([0, 1, 1], dtype=np.int32), CLASSES, np.array([3, 1, 1]), "balanced"
    )
    assert repeated.tolist() == [2, 3, 3, 2, 2]
    assert weighted.tolist() == [2, 1, 1]  # 6 : 3 : 3, as 2 + 2 + 2 : 3 : 3 above


@pytest.mark.parametrize(
    ("sample_weight", "message"),
    [
        ([1, -1, 1, 1], r"at least 0; row 1 has -1\.0"),
        ([1, 1, np.nan, 1], "row 2 has nan"),
        ([1, 1, 1, np.inf], "row 3 has inf"),
        ([0, 0, 0, 0], "zero for every row"),
        ([1, 1, 1], r"1D array.*4 rows.*\(3,\)"),
        ([[1, 1, 1, 1]], r"\(1, 4\)"),
        (2.0, r"1D array.*\(\)"),
        (["1", "1", "1", "1"], "must hold one number per row"),
        ([1, 1, 1, None], "must hold one number per row|row 3 has nan"),
        ([1, 1, 1, 10**400], "must hold one number per row"),
        ([[1], [1, 2]], "must hold one number per row"),
        (np.array([1j, 1, 1, 1]), "complex128"),
        ([0, 1, 1, 0], "only one class has rows of positive weight"),
    ],
)
def test_bad_sample_weights_are_refused(sample_weight: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        weights_of(sample_weight)


@pytest.mark.parametrize(
    ("class_weight", "message"),
    [
        ({"maybe": 1}, r"names the class 'maybe'; the classes are 'no', 'yes'"),
        ({"yes": -1}, "class 'yes' has -1"),
        ({"yes": float("nan")}, "class 'yes' has nan"),
        ({"yes": float("inf")}, "class 'yes' has inf"),
        ({"yes": "2"}, "class 'yes' has '2'"),
        ({"yes": True}, "class 'yes' has True"),
        ({"yes": 10**400}, "class 'yes' has 1000"),
        ({"yes": 0}, "only one class has rows of positive weight"),
        ({"yes": 0, "no": 0}, "every row has weight zero"),
        ("even", "'even'"),
        (3, "got 3"),
        ([1, 2], r"got \[1, 2\]"),
    ],
)
def test_bad_class_weights_are_refused(class_weight: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        weights_of(None, class_weight)


def test_a_product_beyond_floats_is_refused() -> None:
    with pytest.raises(InputError, match="too large"):
        weights_of([1e300, 1, 1, 1], {"no": 1e300})
