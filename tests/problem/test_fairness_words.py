"""What a metric means in a sentence with a table's numbers, and what it does not say."""

from __future__ import annotations

import pytest

from surelist.problem.fairness import METRICS
from surelist.problem.fairness_report import FairnessReport, report_of
from surelist.problem.fairness_words import caveats, meaning


def report(selected: list[int]) -> FairnessReport:
    told = {"labels": "free", "positive": "hired"}
    return report_of(["men", "women"], [50, 50, 80, 20], selected, told)


WORDS = {
    "statistical_parity": ["Predicted hired: 40.0 % of men, 20.0 % of women."],
    "equal_opportunity": ["Of those who are hired, predicted so: 60.0 % of men, 50.0 % of women."],
    "predictive_equality": [
        "Of those who are not hired, predicted hired all the same: 20.0 % of men, 12.5 % of women."
    ],
    "predictive_parity": [
        "Of those predicted hired, really so: 75.0 % of men, 50.0 % of women. They differ by 25.0 "
        "points."
    ],
}
WORDS["equalized_odds"] = [*WORDS["equal_opportunity"], *WORDS["predictive_equality"]]
WORDS["conditional_use_accuracy_equality"] = [
    *WORDS["predictive_parity"],
    "Of those not predicted hired, really not: 66.7 % of men, 87.5 % of women.",
]


@pytest.mark.parametrize("metric", METRICS)
def test_each_rate_is_a_sentence_with_the_numbers(metric: str) -> None:
    said = meaning(metric, report([10, 30, 10, 10]))
    assert len(said) == len(METRICS[metric])
    for line, wanted in zip(said, WORDS[metric], strict=True):
        assert line.startswith(wanted)
        assert "They differ by" in line


def test_a_rate_of_nobody_is_no_number() -> None:
    (said,) = meaning("predictive_parity", report([10, 30, 0, 0]))
    assert said == "Of those predicted hired, really so: 75.0 % of men, none to count of women."


def test_what_it_does_not_say_is_said_with_base_rates_and_columns() -> None:
    exclude, held_out, proxies = caveats(report([10, 30, 10, 10]), ["sex"])
    assert "Of these rows 50.0 % of men, 20.0 % of women are hired" in exclude
    assert "held-out rates" in held_out
    assert "does not ask about sex can still discriminate" in proxies
    assert "about the groups can still" in caveats(report([0, 0, 0, 0]))[2]
