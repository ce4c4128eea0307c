"""All good lists in the page: found as a job, filtered, one adopted with its proof."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browsing import assert_accessible, let_in, text_of
from web_server import Page, compas_csv

from surelist import load, verify

pytestmark = pytest.mark.xdist_group("browser")

ROLES = {"race": "protected", "sex": "protected", "id": "leave_out", "name": "leave_out"}
SETTINGS: dict[str, Any] = {"label": "recidivated", "roles": ROLES, "regularization": "0.02"}


@pytest.fixture(scope="module")
def run(page: Page) -> str:
    data = page.dataset(compas_csv(300), "people.csv")
    return str(page.wait(page.run(data, **SETTINGS))["id"])


def test_lists_are_found_and_one_is_adopted(page: Page, run: str, tmp_path: Path) -> None:
    at = f"/api/runs/{run}/alternatives"
    assert page.client.get(at).status_code == 404
    assert page.client.post(f"{at}/adopt", json={"index": 0}).status_code == 409
    for wrong in ({"tolerance": -1}, {"max_length": 0}, {"colour": 1}):
        assert page.client.post(at, json=wrong).status_code == 422
    assert page.client.post(at, json={"tolerance": 0.1, "max_length": 2}).status_code == 202
    assert page.wait_for_job(run, "alternatives", begun=True)["state"] == "finished"
    found = page.client.get(at).json()
    assert found["status"] == "complete"
    assert found["lists"] == len(found["prefixes"]) > 3
    assert {each["column"] for each in found["gaps"]} == {"race", "sex"}
    assert all(len(each["gaps"]) == found["lists"] for each in found["gaps"])
    assert found["objectives"] == sorted(found["objectives"])
    last = found["lists"] - 1
    assert page.client.post(f"{at}/adopt", json={"index": last}).status_code == 202
    adopted = page.wait_for_job(run, "adopt", begun=True)
    assert adopted["outcome"]["objective"] == pytest.approx(found["objectives"][last])
    for name in ("alternative.json", "alternative.cert"):
        (tmp_path / name).write_bytes(page.client.get(f"{at}/{name}").content)
    (tmp_path / "people.csv").write_bytes(compas_csv(300))
    model = load(tmp_path / "alternative.json")
    proven = verify(tmp_path / "alternative.cert", tmp_path / "people.csv", label="recidivated")
    assert proven.objective == model.objective_exact_
    assert proven.lower_bound == model.lower_bound_exact_
    assert page.client.get(f"{at}/other").status_code == 422


def test_an_impossible_pick_fails_with_a_reason(page: Page, run: str) -> None:
    at = f"/api/runs/{run}/alternatives"
    page.client.post(at, json={"tolerance": 0.01, "max_length": 1})
    page.wait_for_job(run, "alternatives", begun=True)
    page.client.post(f"{at}/adopt", json={"index": 10**6})
    assert "no such list" in page.wait_for_job(run, "adopt", begun=True)["outcome"]["error"]


def look(tab: Any, page: Page, run: str) -> None:
    """Find the lists, open the tree, filter, sort, pick one and adopt it."""
    tab.goto(f"{page.base}/runs/{run}")
    tab.select_option("#alternatives-tolerance", "0.2")
    tab.select_option("#alternatives-length", "3")
    tab.click("#alternatives-start")
    tab.wait_for_selector("#alternatives-count", state="detached")  # of a set found before
    tab.wait_for_selector("#alternatives-count")
    every = text_of(tab, "#alternatives-count")
    tab.locator(".rules-tree > li > details > summary").first.click()
    tab.wait_for_selector(".rules-tree .rules-tree")
    sizes(tab, page, run)
    gaps = page.client.get(f"/api/runs/{run}/alternatives").json()["gaps"][0]["gaps"]
    most = sorted(gaps)[len(gaps) // 2]
    tab.fill("#alternatives-gap", str(most))
    tab.select_option("#alternatives-sort", "gap")
    within = sum(each <= most for each in gaps)
    assert within < len(gaps)
    assert text_of(tab, "#alternatives-count") == f"{within:,} lists of {len(gaps):,}"
    tab.fill("#alternatives-gap", "")
    tab.select_option("#alternatives-most", "2")
    assert text_of(tab, "#alternatives-count") != every
    tab.get_by_role("button", name="Look at list").first.click()
    tab.click("#alternatives-adopt")
    tab.wait_for_selector("#alternatives-picked a.button")
    adopted = text_of(tab, "#alternatives-picked h4")
    tab.reload()
    tab.wait_for_selector("#alternatives-picked a.button")
    assert text_of(tab, "#alternatives-picked h4") == adopted


def sizes(tab: Any, page: Page, run: str) -> None:
    """Every list is a point of the plot; lists with a column and those without it are all lists."""
    found = page.client.get(f"/api/runs/{run}/alternatives").json()
    n = len(found["prefixes"])
    tab.wait_for_selector(f"#alternatives-plot[data-points='{n}']")
    with_it = found["columns"][0]["lists"]
    for box, expected in (("#alternatives-using", with_it), ("#alternatives-without", n - with_it)):
        tab.select_option(box, "0")
        shown = text_of(tab, "#alternatives-count")
        assert shown.startswith(f"{expected:,} list"), shown
        tab.select_option(box, "")
    tab.wait_for_selector(f"#alternatives-plot[data-points='{n}']")
    tab.locator("#alternatives-plot .point").first.click(force=True)
    tab.wait_for_selector("#alternatives-picked h4")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_set_is_browsed(browser: Any, page: Page, run: str, width: int) -> None:
    with let_in(browser, page, viewport={"width": width, "height": 900}) as made:
        tab = made.pages[0]
        look(tab, page, run)
        assert_accessible(tab)
        with tab.expect_download() as download:
            tab.locator("#alternatives-picked a.button").first.click()
        assert download.value.suggested_filename == "alternative.json"
