"""Rows collapse into groups of equivalent points, whatever their layout in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from own_process import words_printed_by

from surelist import _core

Bits = NDArray[np.uint8]


def recount(
    captures: Bits, labels: list[int], weights: list[int], n_classes: int
) -> dict[str, object]:
    """What a problem should say of itself, by plain Python."""
    groups: dict[tuple[int, ...], list[int]] = defaultdict(lambda: [0] * n_classes)
    for row, label, weight in zip(captures.tolist(), labels, weights, strict=True):
        if weight > 0:
            groups[tuple(row)][label] += weight
    return {
        "n_rows": len(labels),
        "n_groups": len(groups),
        "n_antecedents": captures.shape[1],
        "n_classes": n_classes,
        "total_weight": sum(weights),
        "minority_weight": sum(sum(group) - max(group) for group in groups.values()),
        "class_weights": [sum(group[c] for group in groups.values()) for c in range(n_classes)],
    }


def check(captures: Bits, labels: list[int], weights: list[int] | None, n_classes: int) -> None:
    weight_array = None if weights is None else np.array(weights, np.int64)
    problem = _core.Problem(captures, np.array(labels, np.int32), weight_array, n_classes)
    expected = recount(captures, labels, weights or [1] * len(labels), n_classes)
    assert {name: getattr(problem, name) for name in expected} == expected


def c_order(bits: Bits) -> Bits:
    return np.ascontiguousarray(bits)


def fortran_order(bits: Bits) -> Bits:
    return np.asfortranarray(bits)


def strided(bits: Bits) -> Bits:
    wide = np.full((3 * bits.shape[0], 2 * bits.shape[1]), 7, np.uint8)
    wide[::3, ::2] = bits
    return wide[::3, ::2]


def strided_columns_first(bits: Bits) -> Bits:
    return strided(bits.T).T


def backwards(bits: Bits) -> Bits:
    return np.ascontiguousarray(bits[::-1, ::-1])[::-1, ::-1]


def repeated_row(bits: Bits) -> Bits:
    """Stride zero: every row is the first one."""
    return np.broadcast_to(bits[:1], bits.shape)


LAYOUTS = [c_order, fortran_order, strided, strided_columns_first, backwards, repeated_row]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("n_antecedents", [0, 1, 5, 63, 64, 65, 200])
@pytest.mark.parametrize("n_rows", [1, 40, 4096, 4097])
def test_groups_in_every_layout(
    layout: Callable[[Bits], Bits], n_antecedents: int, n_rows: int
) -> None:
    rng = np.random.default_rng([n_antecedents, n_rows])
    distinct = rng.integers(0, 2, (30, n_antecedents), dtype=np.uint8)
    captures = layout(distinct[rng.integers(0, 30, n_rows)])
    labels = rng.integers(0, 3, n_rows).tolist()
    check(captures, labels, None, 3)
    weights = rng.integers(0, 4, n_rows)
    weights[0] = 1
    check(captures, labels, weights.tolist(), 3)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(
    captures=arrays(
        np.uint8, st.tuples(st.integers(1, 12), st.integers(0, 4)), elements={"max_value": 1}
    ),
    layout=st.sampled_from(LAYOUTS),
    draw=st.data(),
)
def test_groups_of_anything_small(
    captures: Bits, layout: Callable[[Bits], Bits], draw: st.DataObject
) -> None:
    n_rows = len(captures)
    n_classes = draw.draw(st.integers(2, 5))
    labels = draw.draw(st.lists(st.integers(0, n_classes - 1), min_size=n_rows, max_size=n_rows))
    weight = st.one_of(st.integers(0, 3), st.integers(0, 2**55))
    weights = draw.draw(st.lists(weight, min_size=n_rows, max_size=n_rows).filter(any))
    check(layout(captures), labels, weights, n_classes)


@pytest.mark.parametrize("layout", LAYOUTS[:-1])
def test_the_layout_does_not_change_the_search(layout: Callable[[Bits], Bits]) -> None:
    rng = np.random.default_rng(3)
    captures = rng.integers(0, 2, (200, 8), dtype=np.uint8)
    labels = rng.integers(0, 2, 200).astype(np.int32)
    expected = _core.Search(_core.Problem(captures, labels, None, 2), "0.01")
    found = _core.Search(_core.Problem(layout(captures), labels, None, 2), "0.01")
    assert (found.run(), found.objective) == (expected.run(), expected.objective)
    assert found.prefix == expected.prefix


def test_labels_and_weights_may_be_strided() -> None:
    captures = np.array([[1], [0], [1]], np.uint8)
    labels = np.array([1, 9, 0, 9, 1, 9], np.int32)[::2]
    weights = np.array([3, 2, 1], np.int64)[::-1]
    problem = _core.Problem(captures, labels, weights, 2)
    assert problem.class_weights == [2, 4]


def test_rows_without_weight_are_absent() -> None:
    captures = np.array([[1, 0], [0, 1], [1, 1]], np.uint8)
    problem = _core.Problem(
        captures, np.array([0, 1, 1], np.int32), np.array([0, 2, 0], np.int64), 2
    )
    assert (problem.n_rows, problem.n_groups, problem.total_weight) == (3, 1, 2)


def test_the_memory_of_a_problem_does_not_grow_with_its_rows() -> None:
    rng = np.random.default_rng(0)
    distinct = rng.integers(0, 2, (50, 20), dtype=np.uint8)
    small, large = (
        _core.Problem(np.tile(distinct, (times, 1)), np.zeros(50 * times, np.int32), None, 2)
        for times in (1, 100)
    )
    assert large.n_groups == small.n_groups
    assert large.nbytes == small.nbytes > 0


ONE = np.array([[1], [0]], np.uint8)


@pytest.mark.parametrize(
    ("captures", "labels", "weights", "n_classes", "message"),
    [
        ([[1], [2]], [0, 1], None, 2, r"rows 0 to 1 hold a value other than 0 and 1"),
        ([[1], [255]], [0, 1], None, 2, r"rows 0 to 1 hold a value other than 0 and 1"),
        ([[1], [0]], [0, 2], None, 2, r"row 1 has a label out of range"),
        ([[1], [0]], [-1, 0], None, 2, r"row 0 has a label out of range"),
        ([[1], [0]], [0, 1], [1, -1], 2, r"row 1 has a negative weight"),
        ([[1], [0]], [0, 1], [2**62, 1], 2, r"row 0 has a weight that is too large"),
        ([[1], [0]], [0, 1], [2**59, 2**59 + 1], 2, r"the sum of all weights is too large"),
        ([[1], [0]], [0, 1], [0, 0], 2, r"at least one row of positive weight"),
        ([[1], [0]], [0, 0], None, 1, r"at least two classes"),
        ([[1], [0]], [0], None, 2, r"the same number of rows"),
        ([[1], [0]], [0, 1], [1], 2, r"the same number of rows"),
    ],
)
def test_bad_input_is_refused(
    captures: list[list[int]],
    labels: list[int],
    weights: list[int] | None,
    n_classes: int,
    message: str,
) -> None:
    weight_array = None if weights is None else np.array(weights, np.int64)
    with pytest.raises(_core.InputError, match=message):
        _core.Problem(
            np.array(captures, np.uint8), np.array(labels, np.int32), weight_array, n_classes
        )


def test_no_rows_are_refused() -> None:
    with pytest.raises(_core.InputError, match="at least one row"):
        _core.Problem(np.zeros((0, 3), np.uint8), np.zeros(0, np.int32), None, 2)


def test_the_largest_total_weight_is_accepted() -> None:
    weights = np.array([2**59, 2**59], np.int64)
    problem = _core.Problem(ONE, np.array([0, 1], np.int32), weights, 2)
    assert problem.total_weight == 2**60
    search = _core.Search(problem, "0.25")
    assert (search.run(), search.prefix, search.loss) == ("optimal", [0], 0)


def test_input_errors_are_value_errors() -> None:
    assert issubclass(_core.InputError, ValueError)


MEASURE = """
import resource, sys
import numpy as np
from surelist import _core

def peak():
    if sys.platform == "darwin":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with open("/proc/self/status") as status:  # ru_maxrss would start from the parent's peak
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))

rng = np.random.default_rng(0)
captures = np.empty((500_000, 200), np.uint8, order={order!r})
for start in range(0, 500_000, 1000):
    captures[start : start + 1000] = rng.integers(0, 2, (1000, 200), dtype=np.uint8)
labels = np.zeros(500_000, np.int32)
before = peak()
problem = _core.Problem(captures, labels, None, 2)
print(problem.n_groups, (peak() - before) / captures.nbytes)
"""


@pytest.mark.slow
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_large_matrix_needs_little_more_memory_than_itself(order: str) -> None:
    # Random bits: no two rows are equal, so that nothing collapses. A process of its own, because
    # the peak is that of a process's whole life.
    n_groups, share = words_printed_by(MEASURE.format(order=order))
    assert int(n_groups) == 500_000
    assert 0.1 < float(share) < 2  # the bits of the groups alone are an eighth
