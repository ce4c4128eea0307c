"""Fair lists in the page: a front with a slider, rates by group, a certificate of each point."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from browsing import assert_accessible, let_in, text_of
from web_server import Page, compas_csv

from surelist import load, verify

pytestmark = pytest.mark.xdist_group("browser")

ROLES = {"race": "protected", "sex": "protected", "id": "leave_out", "name": "leave_out"}
SETTINGS: dict[str, Any] = {"label": "recidivated", "roles": ROLES, "max_clauses": 1}
SETTINGS |= {"regularization": "0.05"}
ASKED: dict[str, Any] = {"sensitive": "sex", "positive": "1", "step": 0.02}


@pytest.fixture(scope="module")
def run(page: Page) -> str:
    data = page.dataset(compas_csv(300), "people.csv")
    return str(page.wait(page.run(data, **SETTINGS))["id"])


def job(page: Page, run: str) -> Any:
    return page.wait_for_job(run, "fairness", begun=True)


def positive_of(page: Page, run: str) -> str:
    return str(page.client.get(f"/api/runs/{run}").json()["result"]["classes"][-1])


def test_a_front_is_found_and_every_point_has_its_proof(
    page: Page, run: str, tmp_path: Path
) -> None:
    at = f"/api/runs/{run}/fairness"
    assert page.client.get(at).status_code == 404
    asked = ASKED | {"positive": positive_of(page, run)}
    for wrong in ({"metric": "luck"}, {"step": 0}, {"tolerance": 2}, {"colour": 1}):
        assert page.client.post(at, json=asked | wrong).status_code == 422
    assert page.client.post(at, json=asked).status_code == 202
    ended = job(page, run)
    assert ended["state"] == "finished", ended
    front = page.client.get(at).json()
    points = front["points"]
    assert len(points) > 1
    told = ended["progress"]
    assert (told["done"], told["of"], told["doing"]) == (len(points), len(points), "held out")
    assert [each["status"] for each in points] == ["optimal"] * len(points)
    unfair = [each["unfairness"] for each in points]
    assert unfair == sorted(unfair, reverse=True)
    assert [each["objective"] for each in points] == sorted(each["objective"] for each in points)
    (tmp_path / "people.csv").write_bytes(compas_csv(300))
    for index, point in enumerate(points):
        for kind in ("json", "cert"):
            name = f"fair-{index + 1}.{kind}"
            (tmp_path / name).write_bytes(page.client.get(f"{at}/{name}").content)
        model = load(tmp_path / f"fair-{index + 1}.json")
        proof = tmp_path / f"fair-{index + 1}.cert"
        proven = verify(proof, tmp_path / "people.csv", label="recidivated")
        assert proven.optimal
        assert proven.objective == model.objective_exact_
        assert float(proven.objective) == pytest.approx(point["objective"])
        shares = [group["selection_rate"]["share"] for group in point["groups"]]
        assert max(shares) - min(shares) == pytest.approx(point["unfairness"])
        assert sum(group["rows"] for group in point["groups"]) == 300
    held_out = front["held_out"]
    assert len(held_out["points"]) == len(points)
    first = held_out["points"][0]["groups"]
    assert sum(group["rows"] for group in first) == held_out["rows"] == 60
    assert page.client.get(f"{at}/fair-99.cert").status_code == 404
    assert page.client.get(f"{at}/spec.json").status_code == 422


def test_one_tolerance_alone(page: Page, run: str) -> None:
    at, positive = f"/api/runs/{run}/fairness", positive_of(page, run)
    page.client.post(at, json=ASKED | {"positive": positive, "tolerance": 0.05})
    job(page, run)
    (point,) = page.client.get(at).json()["points"]
    assert Fraction(str(point["tolerance"])) == Fraction("0.05")
    assert point["unfairness"] <= 0.05


def test_what_cannot_be_compared_is_said(page: Page, run: str) -> None:
    at = f"/api/runs/{run}/fairness"
    page.client.post(at, json=ASKED | {"positive": "maybe"})
    assert "there is no class 'maybe'" in job(page, run)["outcome"]["error"]
    asked = ASKED | {"positive": positive_of(page, run)}
    page.client.post(at, json=asked | {"sensitive": "colour"})
    assert "no sensitive column 'colour'" in job(page, run)["outcome"]["error"]
    page.client.post(at, json=asked | {"sensitive": "recidivated"})
    assert "labels cannot be the sensitive one" in job(page, run)["outcome"]["error"]


def look(tab: Any, page: Page, run: str) -> None:
    """Find the front, and go to its other end by the keyboard."""
    tab.goto(f"{page.base}/runs/{run}")
    tab.select_option("#fair-sensitive", "sex")
    tab.click("#fair-start")
    tab.wait_for_selector("#fairness .stage")  # a front found before is gone
    assert job(page, run)["state"] == "finished"
    tab.wait_for_selector("#fair-held-out")
    points = page.client.get(f"/api/runs/{run}/fairness").json()["points"]
    assert text_of(tab, "#fair-said").startswith(f"List 1 of {len(points)}")
    before = text_of(tab, "#fair-point")
    slider = tab.locator("#fair-slider")
    slider.focus()
    slider.press("End")
    assert text_of(tab, "#fair-said").startswith(f"List {len(points)} of {len(points)}")
    assert text_of(tab, "#fair-point") != before
    assert "of Female" in text_of(tab, "#fair-point")
    assert "Proven: no list" in text_of(tab, ".fair-proof")
    assert "can still discriminate" in text_of(tab, "#fair-caveats")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_front_is_walked(browser: Any, page: Page, run: str, width: int) -> None:
    with let_in(browser, page, viewport={"width": width, "height": 900}) as made:
        tab = made.pages[0]
        look(tab, page, run)
        assert_accessible(tab)
        with tab.expect_download() as download:
            tab.get_by_role("link", name="Certificate", exact=True).last.click()
        assert download.value.suggested_filename.endswith(".cert")
