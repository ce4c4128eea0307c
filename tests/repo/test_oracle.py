"""The oracle itself: cases worked out by hand, and its fast version against its plain one."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import Data, objective, optimum, optimum_by_enumeration
from strategies import Case, cases, random_case

Solve = Callable[[Data, Fraction, int | None], Fraction]

NOTHING = Fraction(0)
TENTH = Fraction(1, 10)


def data(*rows: str, n_classes: int = 2) -> Data:
    """Rows such as "01 1 5": captures, label, and a weight if it is not one."""
    parts = [row.split() for row in rows]
    captures = tuple(tuple(int(bit) for bit in part[0].strip("-")) for part in parts)
    labels = tuple(int(part[1]) for part in parts)
    weights = tuple(int(part[2]) if len(part) > 2 else 1 for part in parts)
    return Data(captures, labels, weights, n_classes, len(captures[0]))


# Antecedent 0 captures the first two rows, antecedent 1 the middle two.
FOUR = data("10 1", "11 1", "01 0", "00 1")


def test_it_imports_the_standard_library_alone() -> None:
    tree = ast.parse(Path(oracle.__file__).read_text())
    imported = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert imported
    for node in imported:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names = [node.module or ""]
        for name in names:
            assert name.split(".")[0] in sys.stdlib_module_names, name
    called = [
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    assert "__import__" not in called


@pytest.mark.parametrize(
    ("prefix", "labels", "default", "expected"),
    [
        ([], [], 1, Fraction(1, 4)),
        ([], [], 0, Fraction(3, 4)),
        ([0], [1], 1, Fraction(1, 4) + TENTH),
        ([0], [0], 1, Fraction(3, 4) + TENTH),
        ([1], [0], 1, Fraction(1, 4) + TENTH),
        ([0, 1], [1, 0], 1, 2 * TENTH),  # row "11" goes to antecedent 0, which comes first
        ([1, 0], [0, 1], 1, Fraction(1, 4) + 2 * TENTH),
        ([1, 0], [1, 1], 0, Fraction(1, 2) + 2 * TENTH),
    ],
)
def test_objective_of_given_labels(
    prefix: list[int], labels: list[int], default: int, expected: Fraction
) -> None:
    assert objective(FOUR, TENTH, prefix, labels, default) == expected


def test_labels_not_given_are_majorities() -> None:
    assert objective(FOUR, TENTH, []) == Fraction(1, 4)
    assert objective(FOUR, TENTH, [0, 1]) == 2 * TENTH
    assert objective(FOUR, TENTH, [1, 0]) == Fraction(1, 4) + 2 * TENTH


def test_a_rule_that_captures_nothing_costs_its_penalty() -> None:
    rows = data("11 1", "00 0")
    assert objective(rows, TENTH, [0]) == TENTH
    assert objective(rows, TENTH, [0, 1]) == 2 * TENTH


def test_weights_count() -> None:
    rows = data("1 1 5", "1 0 3", "0 0 2", "0 1 0")
    assert objective(rows, TENTH, []) == Fraction(5, 10)
    assert objective(rows, TENTH, [0]) == Fraction(3, 10) + TENTH


def test_three_classes() -> None:
    rows = data("100 0", "010 1", "001 2", "001 2", n_classes=3)
    assert objective(rows, TENTH, []) == Fraction(2, 4)
    assert objective(rows, TENTH, [0]) == Fraction(1, 4) + TENTH
    assert objective(rows, TENTH, [0, 1]) == 2 * TENTH


def test_what_is_no_rule_list_is_refused() -> None:
    with pytest.raises(ValueError, match="distinct"):
        objective(FOUR, TENTH, [1, 1])
    with pytest.raises(ValueError, match="1 labels"):
        objective(FOUR, TENTH, [0, 1], [1])


@pytest.mark.parametrize("solve", [optimum, optimum_by_enumeration])
class TestBoth:
    @pytest.mark.parametrize(
        ("regularization", "max_length", "expected"),
        [
            (NOTHING, None, NOTHING),
            (NOTHING, 2, NOTHING),
            (NOTHING, 1, Fraction(1, 4)),
            (TENTH, None, Fraction(1, 5)),
            (TENTH, 1, Fraction(1, 4)),
            (TENTH, 0, Fraction(1, 4)),
            (Fraction(1, 8), None, Fraction(1, 4)),  # two rules cost just what they gain
            (Fraction(1, 9), None, Fraction(2, 9)),
            (Fraction(9, 10), None, Fraction(1, 4)),
        ],
    )
    def test_four_rows(
        self, solve: Solve, regularization: Fraction, max_length: int | None, expected: Fraction
    ) -> None:
        assert solve(FOUR, regularization, max_length) == expected

    def test_no_antecedents(self, solve: Solve) -> None:
        assert solve(data("- 1", "- 0", "- 1"), TENTH, None) == Fraction(1, 3)

    def test_the_best_list_need_not_start_with_the_best_rule(self, solve: Solve) -> None:
        # Alone antecedent 2 is best and loses one row of seven; after it nothing helps.
        rows = data("101 1", "101 1", "011 1", "011 1", "001 0", "000 0", "000 0")
        assert objective(rows, NOTHING, [2]) == Fraction(1, 7)
        assert solve(rows, NOTHING, 1) == Fraction(1, 7)
        assert solve(rows, NOTHING, 2) == NOTHING
        assert solve(rows, Fraction(1, 28), None) == Fraction(1, 14)


@pytest.mark.parametrize("max_length", [None, 0, 1, 2, 3])
def test_both_agree_on_random_problems(max_length: int | None) -> None:
    for seed in range(60):
        case = random_case(seed, most_antecedents=4, most_rows=15)
        assert optimum(case.data, case.penalty, max_length) == optimum_by_enumeration(
            case.data, case.penalty, max_length
        ), seed


@settings(max_examples=60, deadline=None)
@given(case=cases(most_antecedents=4, most_rows=8), max_length=st.none() | st.integers(0, 5))
def test_both_agree_on_anything_small(case: Case, max_length: int | None) -> None:
    found = optimum(case.data, case.penalty, max_length)
    assert found == optimum_by_enumeration(case.data, case.penalty, max_length)
