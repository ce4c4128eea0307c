"""How much a column tells of the label, against trying every way to use it."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from surelist.inspection.association import mistakes_left, share_told
from surelist.inspection.coded import CodedLabels, coded
from surelist.tables.column import from_array


def labels_of(codes: list[int]) -> CodedLabels:
    n_classes = max(codes) + 1
    return CodedLabels(np.array(codes, dtype=np.intp), tuple(map(str, range(n_classes))))


def wrong(rows: list[int]) -> int:
    """Mistakes of the best single prediction for some rows."""
    return len(rows) - max((rows.count(each) for each in set(rows)), default=0)


def best_intervals(values: list[float], codes: list[int], n_intervals: int) -> int:
    """Mistakes of the best intervals, by trying all of them; NaN is a group of its own."""
    present = [(v, c) for v, c in zip(values, codes, strict=True) if v == v]
    missing = [c for v, c in zip(values, codes, strict=True) if v != v]
    distinct = sorted({v for v, _ in present})
    found = []
    for n_cuts in range(n_intervals):
        for cuts in combinations(distinct[1:], min(n_cuts, len(distinct[1:]))):
            edges = [-np.inf, *cuts, np.inf]
            found.append(
                sum(
                    wrong([c for v, c in present if low <= v < high])
                    for low, high in pairwise(edges)
                )
            )
    return min(found) + wrong(missing)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_intervals_of_numbers_are_the_best_there_are(data: st.DataObject) -> None:
    n_classes = data.draw(st.integers(2, 3))
    n_rows = data.draw(st.integers(14, 24))
    # More than a dozen values, so that the column is one of measurements.
    values = [float(v) for v in data.draw(st.permutations(range(n_rows)))]
    for row in data.draw(st.sets(st.integers(0, n_rows - 1), max_size=1)):
        values[row] = float("nan")
    codes = [*data.draw(st.lists(st.integers(0, n_classes - 1), min_size=n_rows, max_size=n_rows))]
    codes[0] = n_classes - 1
    column = coded(from_array("x", np.array(values)))
    expected = best_intervals(values, codes, n_classes)
    assert mistakes_left(column, labels_of(codes)) == expected


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=60).filter(
        lambda rows: len({label for _, label in rows}) > 1
    )
)
def test_values_of_a_category_are_groups_and_rare_ones_count_together(
    rows: list[tuple[int, int]],
) -> None:
    values = np.array(["abcd"[value] for value, _ in rows], dtype=object)
    classes = sorted({label for _, label in rows})
    codes = [classes.index(label) for _, label in rows]
    groups: dict[str, list[int]] = {}
    for value, code in zip(values, codes, strict=True):
        frequent = list(values).count(value) >= 5
        groups.setdefault(value if frequent else "rare", []).append(code)
    column = coded(from_array("x", values))
    assert mistakes_left(column, labels_of(codes)) == sum(map(wrong, groups.values()))


def test_a_column_of_names_tells_nothing() -> None:
    names = np.array([f"name {row}" for row in range(100)], dtype=object)
    labels = labels_of([row % 2 for row in range(100)])
    assert share_told(coded(from_array("x", names)), labels) == 0


def test_all_or_nothing() -> None:
    labels = labels_of([0, 1] * 20)
    same = coded(from_array("x", np.array([0, 1] * 20)))
    other = coded(from_array("x", np.array([0, 0, 1, 1] * 10)))
    assert share_told(same, labels) == 1
    assert share_told(other, labels) == 0
