"""What is said of searches before they end comes from what was measured."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median_low
from typing import Any

import pytest
from web_server import Page, compas_csv, slow_csv, until
from web_server import serving as serve

from surelist.web import outlook


def records() -> list[dict[str, object]]:
    path = Path(outlook.__file__).with_name("measured_searches.jsonl")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("after", [1, 3, 10])
def test_the_outlook_counts_the_measured_searches(after: int) -> None:
    going, ended, lengths = 0, 0, []
    for each in records():
        marks, seconds = each["marks"], each["seconds"]
        assert isinstance(marks, dict)
        if str(after) not in marks:
            # Whoever was still going has a mark.
            assert isinstance(seconds, float)
            assert seconds <= after + 1
            continue
        going += 1
        if seconds is not None:
            ended += 1
            lengths.append(999)
        else:
            lengths.append(marks["10"]["proven"])
    found = outlook.outlook(after)
    assert (found["going"], found["ended"]) == (going, ended)
    assert found["of"] == len(records()) >= 100
    assert found["proven"] == median_low(lengths) < 999


def test_each_search_was_measured_once_and_within_one_limit() -> None:
    problems = [(each["table"], each["regularization"], each["clauses"]) for each in records()]
    assert len(set(problems)) == len(problems)
    assert len({each["limit"] for each in records()}) == 1
    single = outlook.single_clauses()
    assert single["of"] == sum(each["clauses"] == 1 for each in records())
    assert 0 < single["ended"] <= single["of"]


def test_a_trial_tells_what_ends_from_what_does_not(tmp_path: Path) -> None:
    with serve(tmp_path) as page:
        easy = page.dataset(compas_csv(200))
        settings = {"label": "recidivated", "regularization": "0.05"}
        # On a busy machine a second may be too short for it, now and then.
        found = until(lambda: proven(page, easy, settings))
        assert found["seconds"] > 0
        assert found["limit"] == 1
        hard = page.dataset(slow_csv())
        settings = {"label": "label", "regularization": "0.001"}
        found = page.post(f"/api/datasets/{hard}/trial", settings, status=200)
        assert found["status"] == "time_limit"
        assert found["outlook"]["after"] == 1
        told = page.get("/api/outlooks")
        assert [each["after"] for each in told["outlooks"]] == [1, 3]


def proven(page: Page, data: str, settings: dict[str, Any]) -> Any:
    """What a trial says, where it ends with a proof."""
    found = page.post(f"/api/datasets/{data}/trial", settings, status=200)
    return found if found["status"] == "optimal" else None
