"""Preparing a problem: rows are read once, and mined once."""

from __future__ import annotations

from typing import Any

import pytest

from surelist import RuleListClassifier
from surelist.problem import prepare as preparing
from surelist.problem.mining import Cut, mine

ROWS = [[19, "m"], [23, "f"], [31, "m"], [48, "f"], [52, "m"], [24, "m"], [33, "f"], [61, "f"]] * 5
LABELS = ["yes", "yes", "no", "no", "no", "yes", "no", "no"] * 5


@pytest.fixture
def mined(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was mined, in turn."""
    calls: list[Any] = []

    def counted(data: Any, *given: Any) -> Any:
        calls.append(mine(data, *given))
        return calls[-1]

    monkeypatch.setattr(preparing, "mine", counted)
    return calls


@pytest.mark.parametrize(
    "demands",
    [
        {"required": ["x1 = m"]},  # mined
        {"required": ["x0 < 22"]},  # no feature
        {"first": ["x1 = m and x0 < 28 and x0 ≥ 20"]},  # too many clauses
        {"required": ["not x1 = m"]},  # negated
        {"first": ["x0 < 62"]},  # too much support
        {"required": ["x0 = 19"], "min_support": 0.2},  # too little
        {"required": ["x1 = m"], "antecedents": ["x0 < 30"], "antecedents_only": True},
        {"required": ["x0 < 22"], "antecedents": ["x0 < 22"]},  # the user's own
    ],
    ids=str,
)
def test_demanded_antecedents_are_found_before_mining(
    mined: list[Any], demands: dict[str, Any]
) -> None:
    model = RuleListClassifier(0.01, **demands).fit(ROWS, LABELS)
    assert len(mined) == 1
    texts = [str(rule.antecedent) for rule in model.rule_list_.rules]
    assert len(texts) >= 1
    assert model.status_ == "optimal"


def test_mining_that_is_cut_short_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, ...]] = []

    def cut(data: Any, parameters: Any, deadline: Any, *_: Any) -> Any:
        calls.append(data.added)
        return mine(data, parameters, deadline, Cut(0))

    monkeypatch.setattr(preparing, "mine", cut)
    bits = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)] * 5
    labels = [a & b | c for a, b, c in bits]
    RuleListClassifier(0.01, required=["(x0) and (x1)", "(x2)"]).fit(bits, labels)
    assert calls == [(), ("(x0) and (x1)",)]
