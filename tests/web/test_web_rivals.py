"""Other models beside a list: same rows, same folds, and figures that others find, too."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import StratifiedKFold
from web_server import Page, compas_csv, serving, until

from surelist import RuleListClassifier
from surelist.web.rival_models import Score

ROLES = {
    "sex": "protected",
    "race": "protected",
    "id": "leave_out",
    "name": "leave_out",
    "score": "leave_out",
}
SETTINGS: dict[str, Any] = {"label": "recidivated", "roles": ROLES, "regularization": "0.01"}
ASKED = {"folds": 2, "seconds": 5, "score": {"column": "score", "positive": "yes"}}


def table() -> pd.DataFrame:
    found = pd.read_csv(io.BytesIO(compas_csv(300)))
    found["score"] = found["priors_count"] - found["age"] / 10
    return found


@pytest.fixture(scope="module")
def run(page: Page) -> str:
    data = page.dataset(table().to_csv(index=False).encode(), "people.csv")
    return str(page.wait(page.run(data, **SETTINGS))["id"])


def compared(page: Page, run: str, asked: dict[str, Any]) -> Any:
    page.post(f"/api/runs/{run}/rivals", asked, status=202)
    return ended(page, run)


def ended(page: Page, run: str) -> Any:
    until(lambda: page.get(f"/api/runs/{run}/rivals")["state"] != "running")
    return page.get(f"/api/runs/{run}/rivals")


@pytest.fixture(scope="module")
def outcome(page: Page, run: str) -> Any:
    found = compared(page, run, ASKED)
    assert found["state"] == "finished", found
    assert found["progress"]["of"] == 10
    return found["outcome"]


@pytest.fixture(scope="module")
def predicted(page: Page, run: str, outcome: Any) -> pd.DataFrame:
    """What the page has kept: one column for each model."""
    with np.load(page.folder / "runs" / run / "rivals.npz") as kept:
        codes = dict(zip(kept["names"].tolist(), kept["codes"], strict=True))
    classes = np.array(outcome["classes"])
    return pd.DataFrame({name: classes[each] for name, each in codes.items()})


def test_the_list_is_learned_again_in_each_fold(outcome: Any, predicted: pd.DataFrame) -> None:
    people = table()
    columns = people[["age", "priors_count", "charge"]]
    labels = people["recidivated"]
    expected = np.full(len(people), "", dtype=object)
    folds = StratifiedKFold(2, shuffle=True, random_state=0)
    lengths = []
    for train, test in folds.split(columns, labels):
        model = RuleListClassifier(regularization=0.01)
        model.fit(columns.iloc[train], labels.iloc[train])
        expected[test] = model.predict(columns.iloc[test])
        lengths.append(len(model.rule_list_))
    assert predicted["list"].tolist() == expected.tolist()
    assert outcome["lengths"] == lengths
    assert outcome["statuses"] == {"optimal": 2}


def test_figures_of_all_models_by_pandas(outcome: Any, predicted: pd.DataFrame) -> None:
    labels = table()["recidivated"]
    keys = ["list", "score", "majority", "tree", "logistic", "boosting"]
    assert [model["key"] for model in outcome["models"]] == keys
    assert set(predicted["majority"]) == {labels.value_counts().idxmax()}
    own = predicted["list"] == labels
    for model in outcome["models"]:
        right = predicted[model["key"]] == labels
        assert model["accuracy"]["part"] == right.sum()
        assert model["accuracy"]["low"] < right.mean() < model["accuracy"]["high"]
        counts = pd.crosstab(labels, predicted[model["key"]]).reindex(
            columns=outcome["classes"], fill_value=0
        )
        assert model["confusion"] == counts.to_numpy().tolist()
        if model["key"] == "list":
            continue
        assert model["only_list"] == (own & ~right).sum()
        assert model["only_it"] == (right & ~own).sum()
        assert model["differ"] == (predicted["list"] != predicted[model["key"]]).sum()
        # Agresti and Min: half a row more in each of the four cells of the matched table.
        cells = pd.crosstab(right, own).reindex([True, False]).reindex(columns=[True, False])
        p = (cells.fillna(0) + 0.5) / (len(labels) + 2)
        (_, one), (other, _) = p.to_numpy(float)
        half = 1.959964 * np.sqrt((one + other - (one - other) ** 2) / (len(labels) + 2))
        found = model["difference"]
        assert found["share"] == pytest.approx(right.mean() - own.mean())
        expected = (one - other - half, one - other + half)
        assert (found["low"], found["high"]) == pytest.approx(expected, abs=1e-6)


def test_rows_on_which_two_models_differ_and_rates_of_both(
    page: Page, run: str, predicted: pd.DataFrame
) -> None:
    asked = {"models": ["list", "boosting"]}
    found = page.post(f"/api/runs/{run}/rows", asked, status=200)
    differ = predicted.index[predicted["list"] != predicted["boosting"]]
    assert found["total"] == len(differ)
    assert [row["line"] for row in found["rows"]] == (differ[:50] + 2).tolist()
    for row in found["rows"]:
        here = predicted.loc[row["line"] - 2]
        assert row["predicted"] == [here["list"], here["boosting"]]

    # What the rules ask about comes first; then the score it is about, and what is protected.
    beside = page.post(f"/api/runs/{run}/rows", {"models": ["list", "score"]}, status=200)
    assert beside["columns"][-4:-1] == ["score", "sex", "race"]
    assert beside["columns"][0] in ("age", "priors_count")

    body = {"columns": ["race"], "positive": "yes", **asked}
    groups = page.post(f"/api/runs/{run}/rates", body, status=200)["groups"]
    people = table()
    for group in groups:
        here = people["race"] == group["values"][0]
        for model in asked["models"]:
            selected = (predicted[model] == "yes")[here]
            assert group["models"][model]["selected"]["part"] == selected.sum()


def weight_right(score: Score, values: Any, codes: Any, weights: Any, at: float) -> float:
    """The weight of rows with a value that a threshold has right."""
    beyond = values >= at if score.above else values <= at
    guess = np.where(beyond, score.positive, 1 - score.positive)
    return float(weights[(guess == codes) & ~np.isnan(values)].sum())


def test_the_best_threshold_is_that_of_brute_force() -> None:
    chance = np.random.default_rng(3)
    for trial in range(200):
        n_rows = int(chance.integers(1, 14))
        values = chance.integers(0, 5, n_rows).astype(float)
        values[chance.random(n_rows) < 0.2] = np.nan
        codes = chance.integers(0, 2, n_rows)
        weights = chance.integers(1, 4, n_rows).astype(float)
        positive, above = trial % 2, trial % 4 < 2
        score = Score(values, False, None, positive, above)
        everything = np.arange(n_rows)
        found, threshold = score.predict(everything, codes, weights, everything)
        known = ~np.isnan(values)
        if not known.any():
            continue
        assert threshold is not None
        right = {at: weight_right(score, values, codes, weights, at) for at in values[known]}
        assert right[threshold] == max(right.values())
        assert (found[~known] == np.bincount(codes, minlength=2).argmax()).all()


def test_a_fixed_threshold_and_a_column_of_predictions(page: Page) -> None:
    people = table()
    people["bank"] = np.where(people["priors_count"] > 2, "yes", "no")
    people.loc[:4, "bank"] = None
    data = page.dataset(people.to_csv(index=False).encode(), "bank.csv")
    settings = SETTINGS | {"roles": ROLES | {"bank": "leave_out"}}
    run = page.wait(page.run(data, **settings))["id"]
    asked = {"folds": 2, "score": {"column": "bank"}}
    models = {each["key"]: each for each in compared(page, run, asked)["outcome"]["models"]}
    usual: Any = people["recidivated"].value_counts().idxmax()
    expected = people["bank"].fillna(usual) == people["recidivated"]
    assert models["score"]["accuracy"]["part"] == expected.sum()

    refused = compared(page, run, {"folds": 2, "score": {"column": "race"}})
    assert refused["state"] == "failed"
    assert "neither a number nor a class" in refused["outcome"]["error"]


def test_a_comparison_is_stopped_and_one_that_is_cut_off_begins_again(tmp_path: Path) -> None:
    with serving(tmp_path) as page:
        data = page.dataset(table().to_csv(index=False).encode(), "people.csv")
        run = page.wait(page.run(data, **SETTINGS))["id"]
        page.hold("rivals")
        page.post(f"/api/runs/{run}/rivals", ASKED, status=202)
        page.held("rivals")
        assert page.client.post(f"/api/runs/{run}/rivals", json=ASKED).status_code == 409
        assert page.client.delete(f"/api/runs/{run}/jobs/rivals").status_code == 204
        assert page.get(f"/api/runs/{run}/rivals")["state"] is None
        page.hold("rivals")
        page.post(f"/api/runs/{run}/rivals", ASKED, status=202)
        page.held("rivals")
    with serving(tmp_path) as page:
        found = ended(page, run)
        assert found["state"] == "finished"
        assert found["outcome"]["folds"] == 2
