"""Groups from several places add up to the groups of all rows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surelist import InputError, RuleListClassifier, RuleListClassifierCV, from_query
from surelist.conditions.conditions import Condition
from surelist.features.column_conditions import Choice, Counted, Labelled, column_conditions
from surelist.sources.row_source import GroupedTable, LabelCounts, RowSource, Weighing
from surelist.tables.column import Column
from surelist.tables.table import read_table
from surelist.tables.weights import describe_weights, row_weights

ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 1), st.sampled_from([0.0, 0.5, 1.0, 2.5, 1 / 3])),
    min_size=2,
    max_size=30,
)


@pytest.mark.slow
@settings(deadline=None)
@given(parts=st.lists(ROWS, min_size=1, max_size=4))
def test_gathering_adds_up(parts: list[list[tuple[int, int, float]]]) -> None:
    tables, expected = [], Counter[tuple[int, int, int]]()
    for part in parts:
        bits = np.array([[row & 1, row >> 1] for row, _, _ in part], dtype=np.uint8)
        weights = np.array([int(2 * weight) for _, _, weight in part])
        codes = np.array([code for _, code, _ in part], dtype=np.int32)
        tables.append(GroupedTable(bits, codes, weights))
        for (low, high), code, weight in zip(bits.tolist(), codes.tolist(), weights, strict=True):
            expected[low, high, code] += int(weight)
    found = GroupedTable.gather(tables)
    entries = zip(found.features.tolist(), found.codes.tolist(), found.weights, strict=True)
    assert {(*bits, code): int(w) for bits, code, w in entries} == +expected
    assert found.n_groups == len({entry[:2] for entry in +expected})


@settings(deadline=None)
@given(rows=ROWS, class_weight=st.sampled_from([None, "balanced", {"b": 0.3}]))
def test_weights_are_those_of_the_rows(
    rows: list[tuple[int, int, float]], class_weight: Any
) -> None:
    labels = np.array(["a", "b", *("ab"[code] for _, code, _ in rows)])
    given_ = np.array([1.0, 2.5, *(weight for _, _, weight in rows)])
    classes, positions = np.unique(labels, return_inverse=True)
    codes = positions.astype(np.int32)
    whole = row_weights(codes, classes, given_, class_weight)
    pairs = Counter(zip(labels.tolist(), given_.tolist(), strict=True))
    counted = LabelCounts(
        np.array([label for label, _ in pairs]),
        np.array([weight for _, weight in pairs]),
        np.array(list(pairs.values())),
    )
    weighing = Weighing.of(counted, class_weight)
    assert weighing.classes.tolist() == classes.tolist()
    assert weighing.whole(codes, given_).tolist() == whole.tolist()
    assert weighing.totals.tolist() == np.bincount(codes, weights=whole).tolist()
    assert weighing.description == describe_weights(codes, classes, given_, class_weight)


class Halves(RowSource):
    """Rows in two places: the least that a source of groups needs."""

    def __init__(self, X: list[list[int]], y: list[str]) -> None:
        self.table = read_table(X)
        self.y = np.array(y)
        self.names = self.table.names

    @property
    def n_rows(self) -> int:
        return self.table.n_rows

    def label_counts(self) -> LabelCounts:
        labels, counts = np.unique(self.y, return_counts=True)
        return LabelCounts(labels, None, counts)

    def column(self, index: int) -> Column:
        return self.table.column(index)

    def conditions(self, index: int, choice: Choice, weighing: Weighing) -> list[Counted]:
        codes = np.searchsorted(weighing.classes, self.y).astype(np.int32)
        rows = Labelled(codes, weighing.whole(codes, None), len(weighing.classes))
        return column_conditions(self.table.column(index), rows, choice)

    def groups(self, conditions: Any, weighing: Weighing) -> GroupedTable:
        half = self.n_rows // 2
        return GroupedTable.gather(
            self._part(np.arange(*ends), conditions, weighing)
            for ends in ((0, half), (half, self.n_rows))
        )

    def _part(self, rows: Any, conditions: list[Condition], weighing: Weighing) -> GroupedTable:
        index = {name: position for position, name in enumerate(self.names)}
        features = [self.column(index[c.column]).take(rows).fulfils(c) for c in conditions]
        codes = np.searchsorted(weighing.classes, self.y[rows]).astype(np.int32)
        return GroupedTable(
            np.array(features, dtype=np.uint8).T, codes, weighing.whole(codes, None)
        )


def test_any_source_of_groups_can_be_learnt_from() -> None:
    X = [[age, age % 3] for age in range(60)]
    y = ["young" if age < 20 or age % 3 == 2 else "old" for age in range(60)]
    model = RuleListClassifier(certificate=True).fit(Halves(X, y))
    memory = RuleListClassifier(certificate=True).fit(X, y)
    assert model.certificate_.to_bytes() == memory.certificate_.to_bytes()
    assert model.n_groups_ == memory.n_groups_


def test_rows_elsewhere_cannot_be_cross_validated() -> None:
    data = from_query("SELECT range AS x, range % 2 AS y FROM range(9)", label="y")
    with pytest.raises(InputError, match="cross-validation needs the rows in memory"):
        RuleListClassifierCV().fit(data)
