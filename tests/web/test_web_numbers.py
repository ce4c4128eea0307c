"""The numbers of one run, recomputed from the file and the shown rules with pandas alone."""

from __future__ import annotations

import io
import re
from math import sqrt
from typing import Any

import numpy as np
import pandas as pd
import pytest
from web_server import Page, compas_csv, until

SETTINGS: dict[str, Any] = {
    "label": "recidivated",
    "roles": {"sex": "protected", "race": "protected", "id": "leave_out", "name": "leave_out"},
    "regularization": "0.004",
    "held_out": 0.2,
}
Z = 1.959963984540054


@pytest.fixture(scope="module")
def run(page: Page) -> Any:
    data = page.dataset(compas_csv(700), "people.csv")
    done = page.wait(page.run(data, **SETTINGS))
    until(lambda: page.get(f"/api/runs/{done['id']}")["result"]["held_out"])
    return page.get(f"/api/runs/{done['id']}")


@pytest.fixture(scope="module")
def people(run: Any) -> pd.DataFrame:
    """The table, with the rule that captures each row and what it predicts, by pandas."""
    table = pd.read_csv(io.BytesIO(compas_csv(700)))
    rules = run["result"]["rules"]
    table["rule"] = captured(table, [rule["clauses"] for rule in rules])
    table["predicted"] = table["rule"].map(lambda number: rules[number]["label"])
    return table


def captured(table: pd.DataFrame, rules: list[list[str]]) -> pd.Series:
    """The rule that captures each row; the last one is the default."""
    found = pd.Series(len(rules) - 1, index=table.index)
    free = pd.Series(True, index=table.index)
    for number, clauses in enumerate(rules[:-1]):
        caught = free.copy()
        for clause in clauses:
            caught &= holds(table, clause)
        found[caught] = number
        free &= ~caught
    return found


def predicted_by(table: pd.DataFrame, lines: list[str]) -> pd.Series:
    """What a list predicts, as it is printed: one line for each rule."""
    rules = [re.findall(r"\((.+?)\)", line) for line in lines]
    labels = [line.rpartition("predict ")[2] for line in lines]
    return captured(table, rules).map(lambda number: labels[number])


def holds(table: pd.DataFrame, clause: str) -> pd.Series:
    """Which rows fulfil a clause as it is shown."""
    if clause.endswith(" is missing"):
        return table[clause.removesuffix(" is missing")].isna()
    found = re.fullmatch(r"(\w+) (<|≥|=|≠) (.+)", clause)
    assert found is not None, clause
    name, sign, value = found.groups()
    column = table[name]
    if sign in "<≥":
        return column < float(value) if sign == "<" else column >= float(value)
    return (column.astype(str) == value) == (sign == "=")


def interval(part: int, whole: int) -> tuple[float, float]:
    """Wilson's score interval: the shares that a test at 5 % would not refuse."""
    share = part / whole
    middle = (share + Z**2 / (2 * whole)) / (1 + Z**2 / whole)
    half = Z / (1 + Z**2 / whole) * sqrt(share * (1 - share) / whole + Z**2 / (4 * whole**2))
    return middle - half, middle + half


def test_accuracy_objective_and_what_the_rules_capture(run: Any, people: pd.DataFrame) -> None:
    result = run["result"]
    right = people["recidivated"] == people["predicted"]
    assert result["status"] == "optimal"
    assert len(result["rules"]) >= 3  # or this would test little
    assert result["rows"] == len(people)
    assert result["accuracy"] == pytest.approx(right.mean(), abs=1e-12)
    loss = 1 - right.mean()
    length = len(result["rules"]) - 1
    assert result["loss"] == pytest.approx(loss, abs=1e-12)
    assert result["objective"] == pytest.approx(loss + 0.004 * length, abs=1e-12)
    assert result["baseline"] == people["recidivated"].value_counts(normalize=True).max()
    for number, rule in enumerate(result["rules"]):
        caught = people[people["rule"] == number]
        assert rule["captured"] == len(caught)
        assert rule["correct"] == (caught["recidivated"] == rule["label"]).sum()
        share = (caught["recidivated"] == rule["label"]).mean()
        assert rule["probability"] == pytest.approx(share, abs=1e-12)
        by_class = [int((caught["recidivated"] == label).sum()) for label in result["classes"]]
        assert rule["by_class"] == by_class


def test_confusion_matrix_and_the_rows_of_its_cells(
    page: Page, run: Any, people: pd.DataFrame
) -> None:
    classes = run["result"]["classes"]
    table = pd.crosstab(people["recidivated"], people["predicted"])
    table = table.reindex(index=classes, columns=classes, fill_value=0)
    assert run["result"]["confusion"] == table.to_numpy().tolist()
    for actual in classes:
        for predicted in classes:
            asked = {"actual": actual, "predicted": predicted}
            found = page.post(f"/api/runs/{run['id']}/rows", asked, status=200)
            cell = people[(people["recidivated"] == actual) & (people["predicted"] == predicted)]
            assert found["total"] == len(cell)
            # Line 1 is the header.
            assert [row["line"] for row in found["rows"]] == (cell.index[:50] + 2).tolist()
            later = page.post(f"/api/runs/{run['id']}/rows", {**asked, "offset": 50}, status=200)
            assert [row["line"] for row in later["rows"]] == (cell.index[50:100] + 2).tolist()


def expected_rates(group: pd.DataFrame, positive: str) -> dict[str, tuple[int, int]]:
    is_positive, selected = group["recidivated"] == positive, group["predicted"] == positive
    return {
        "accuracy": (int((group["recidivated"] == group["predicted"]).sum()), len(group)),
        "selected": (int(selected.sum()), len(group)),
        "false_positive": (int((selected & ~is_positive).sum()), int((~is_positive).sum())),
        "false_negative": (int((~selected & is_positive).sum()), int(is_positive.sum())),
    }


@pytest.mark.parametrize("columns", [["race"], ["race", "sex"], ["sex", "charge", "race"]])
@pytest.mark.parametrize("positive", ["yes", "no"])
def test_rates_by_group_and_their_intervals(
    page: Page, run: Any, people: pd.DataFrame, columns: list[str], positive: str
) -> None:
    asked = {"columns": columns, "positive": positive}
    found = page.post(f"/api/runs/{run['id']}/rates", asked, status=200)["groups"]
    groups = {
        key if isinstance(key, tuple) else (key,): part for key, part in people.groupby(columns)
    }
    assert [tuple(group["values"]) for group in found] == list(groups)
    for group in found:
        part = groups[tuple(group["values"])]
        assert group["rows"] == len(part)
        for name, (count, whole) in expected_rates(part, positive).items():
            rate = group["models"]["training"][name]
            assert (rate["part"], rate["of"]) == (count, whole)
            assert rate["share"] == count / whole
            low, high = interval(count, whole)
            assert (rate["low"], rate["high"]) == pytest.approx((max(0, low), min(1, high)))


def test_counts_of_groups_in_the_result(run: Any, people: pd.DataFrame) -> None:
    classes = run["result"]["classes"]
    named = {each["column"]: each for each in run["result"]["groups"]}
    assert named["race"]["protected"]
    assert not named["charge"]["protected"]
    for column in ("race", "sex", "charge"):
        for group in named[column]["groups"]:
            part = people[people[column] == group["value"]]
            table = pd.crosstab(part["recidivated"], part["predicted"])
            table = table.reindex(index=classes, columns=classes, fill_value=0)
            assert group["counts"] == table.to_numpy().tolist()


def test_accuracy_on_rows_not_learned_from(run: Any, people: pd.DataFrame) -> None:
    shown, classes = run["result"]["held_out"], run["result"]["classes"]
    # Which rows are kept back is part of how the test is described: a permutation with seed 0.
    order = np.random.default_rng(0).permutation(len(people))
    n_test = len(people) // 5
    said = predicted_by(people, shown["text"])
    right = people["recidivated"] == said
    assert (shown["rows"], shown["train_rows"]) == (n_test, len(people) - n_test)
    assert shown["accuracy"] == pytest.approx(right[order[:n_test]].mean(), abs=1e-12)
    assert shown["train_accuracy"] == pytest.approx(right[order[n_test:]].mean(), abs=1e-12)
    kept = people.loc[order[:n_test], "recidivated"]
    table = pd.crosstab(kept, said[order[:n_test]])
    table = table.reindex(index=classes, columns=classes, fill_value=0)
    assert shown["confusion"] == table.to_numpy().tolist()
    # The list learned again is the best for its rows, so it does no worse there than the run's own.
    own = (people["recidivated"] == people["predicted"])[order[n_test:]].mean()
    length = len(shown["text"]) - 1
    assert 1 - shown["train_accuracy"] + 0.004 * length <= (
        1 - own + 0.004 * run["result"]["length"] + 1e-12
    )


def test_every_list_of_the_path(page: Page, run: Any, people: pd.DataFrame) -> None:
    outcome = page.wait_for_job(run["id"], "path")["outcome"]
    segments = outcome["segments"]
    assert len(segments) >= 3
    found = []
    for each in segments:
        right = (people["recidivated"] == predicted_by(people, each["text"])).mean()
        assert each["accuracy"] == pytest.approx(right, abs=1e-12)
        assert each["length"] == len(each["text"]) - 1
        found.append((1 - right, each["length"]))
    # In the middle of its range, no other list of the path is better.
    for each, (loss, length) in zip(segments, found, strict=True):
        price = (each["start"] + each["stop"]) / 2
        assert loss + price * length == pytest.approx(min(a + price * b for a, b in found))


def test_predictions_of_all_rows(page: Page, run: Any, people: pd.DataFrame) -> None:
    answer = page.client.get(f"/api/runs/{run['id']}/downloads/predictions.csv")
    assert answer.status_code == 200, answer.text
    table = pd.read_csv(io.BytesIO(answer.content))
    assert table["predicted"].tolist() == people["predicted"].tolist()
    assert predicted_by(people, run["result"]["text"]).tolist() == people["predicted"].tolist()
