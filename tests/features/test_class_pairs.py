"""Features that tell every two classes apart."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from surelist import Binarizer
from surelist.features import class_pairs
from surelist.features.class_pairs import tell_apart

Weights = NDArray[np.int64]


def bits(first: float, second: float) -> float:
    """Return what a coin of two tells about which one it is."""

    def entropy(share: float) -> float:
        return -sum(p * math.log2(p) for p in (share, 1 - share) if p > 0)

    return entropy((first + second) / 2) - (entropy(first) + entropy(second)) / 2


def one_after_the_other(inside: Weights, total: Weights, most: int) -> list[int]:
    """Choose among features of different columns, by the definition."""
    shares = inside / total
    pairs = list(itertools.combinations(range(len(total)), 2))
    left_open = dict.fromkeys(pairs, 1.0)
    chosen: list[int] = []
    while len(chosen) < most:

        def worth(index: int) -> float:
            return sum(
                math.sqrt(total[a] * total[b]) * left_open[a, b] * bits(*shares[index, [a, b]])
                for a, b in pairs
            )

        rest = [index for index in range(len(inside)) if index not in chosen]
        best = max(rest, key=lambda index: (round(worth(index), 9), -index))
        chosen.append(best)
        for a, b in pairs:
            left_open[a, b] *= 1 - bits(*shares[best, [a, b]])
    return chosen


@pytest.mark.parametrize("seed", range(20))
def test_the_choice_is_that_of_the_definition(seed: int) -> None:
    random = np.random.default_rng(seed)
    total = random.integers(5, 60, size=int(random.integers(3, 6)))
    inside = random.integers(0, total + 1, size=(12, len(total)))
    found = tell_apart(inside, total, range(12), [], most=6)
    assert found == one_after_the_other(inside, total, 6)


def test_neither_the_unit_of_weight_nor_empty_classes_matter() -> None:
    random = np.random.default_rng(1)
    total = np.array([30, 7, 19, 44])
    inside = random.integers(0, total + 1, size=(15, 4))
    found = tell_apart(inside, total, range(15), [], most=5)
    assert tell_apart(inside * 1000, total * 1000, range(15), [], most=5) == found
    wider = np.insert(inside, 2, 0, axis=1)
    assert tell_apart(wider, np.insert(total, 2, 0), range(15), [], most=5) == found


def test_what_is_given_stays_and_what_it_tells_is_not_told_again() -> None:
    total = np.array([10, 10, 10])
    inside = np.array([[10, 0, 0], [9, 0, 0], [0, 7, 0]])
    assert tell_apart(inside, total, "abc", [1], most=2) == [1, 2]
    assert tell_apart(inside, total, "abc", [0, 1, 2], most=2) == [0, 1, 2]


def test_two_sides_of_a_cut_are_chosen_together() -> None:
    total = np.array([10, 10, 10])
    inside = np.array([[10, 0, 0], [0, 8, 0], [0, 10, 10], [10, 2, 10]])
    assert tell_apart(inside, total, "abab", [], most=4) == [0, 2, 1, 3]
    # Those of another column are others, though they tell the same.
    assert tell_apart(inside, total, "abcd", [], most=2) == [0, 1]


def test_of_too_many_features_those_that_tell_least_are_left_out_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(2)
    total = np.array([30, 7, 19, 44])
    inside = random.integers(0, total + 1, size=(40, 4))
    everything = tell_apart(inside, total, range(40), [], most=4)
    monkeypatch.setattr(class_pairs, "_MOST_CELLS", 6 * 12)
    found = tell_apart(inside, total, range(40), [], most=4)
    assert len(set(found)) == 4
    assert found[0] == everything[0]


def test_a_binarizer_keeps_features_for_every_class() -> None:
    random = np.random.default_rng(0)
    y = np.repeat(np.arange(4), 100)
    half, within = y >= 2, y % 2
    # Five columns tell which half it is, better than the sixth tells what is in it.
    noisy = {f"half{k}": half + random.normal(0, 0.2, 400) for k in range(5)}
    X = pd.DataFrame({**noisy, "within": within + random.normal(0, 0.3, 400)})
    names = Binarizer(n_cuts=1, max_features=4).fit(X, y).get_feature_names_out()
    assert {name.split()[0].rstrip("01234") for name in names} == {"half", "within"}
    assert len(names) == 4
    # Of two classes those count that tell most, each for itself.
    names = Binarizer(n_cuts=1, max_features=4).fit(X, half).get_feature_names_out()
    assert not [name for name in names if name.startswith("within")]
