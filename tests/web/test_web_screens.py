"""Screens that no story stops at, held against axe-core in both themes, wide and on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from browsing import assert_accessible, let_in, text_of
from web_server import Page, compas_csv, serving, slow_csv

pytestmark = pytest.mark.xdist_group("browser")

ROLES = {"race": "protected", "sex": "protected", "id": "leave_out", "name": "leave_out"}
SETTINGS: dict[str, Any] = {"label": "recidivated", "roles": ROLES, "regularization": "0.02"}


@pytest.fixture(params=[1280, 390])
def size(request: pytest.FixtureRequest) -> dict[str, int]:
    return {"width": request.param, "height": 844}


def test_where_there_is_nothing_yet(
    browser: Any, tmp_path_factory: pytest.TempPathFactory, size: dict[str, int]
) -> None:
    with (
        serving(tmp_path_factory.mktemp("empty")) as page,
        let_in(browser, page, viewport=size) as made,
    ):
        tab = made.pages[0]
        assert_accessible(tab)
        for path, said in (
            ("/compare", "Nothing to compare yet"),
            ("/runs/0123456789abcdef", "This cannot be shown"),
            ("/data/0123456789abcdef", "This cannot be shown"),
        ):
            tab.goto(page.base + path)
            tab.wait_for_selector(".empty")
            assert said in text_of(tab, "h1")
            assert_accessible(tab)


def test_a_run_from_the_queue_to_its_proof(
    browser: Any, tmp_path_factory: pytest.TempPathFactory, size: dict[str, int]
) -> None:
    with serving(tmp_path_factory.mktemp("one")) as page:
        people = page.dataset(compas_csv(300), "people.csv")
        done = page.wait(page.run(people, **SETTINGS))["id"]
        page.wait_for_job(done, "path")
        page.wait_for_job(done, "verify")
        slow = page.dataset(slow_csv(), "slow.csv")
        first = page.run(slow, label="label", regularization="0.001", max_clauses=2)
        waiting = page.run(people, **SETTINGS)
        with let_in(browser, page, viewport=size) as made:
            look_at_each(made.pages[0], page, done, first, waiting)
        page.client.delete(f"/api/runs/{waiting}")
        page.client.delete(f"/api/runs/{first}")


def look_at_each(tab: Any, page: Page, done: str, first: str, waiting: str) -> None:
    """The result with its path and its proof, a search, one in the queue, and the list of all."""
    tab.goto(f"{page.base}/runs/{done}")
    tab.wait_for_selector("#verification .verdict, #verification .sure")
    tab.wait_for_selector(".opened")
    tab.locator(".opened summary").first.click()
    tab.locator("#search summary").click()
    tab.wait_for_selector("#search .chart[data-points]")
    assert_accessible(tab)
    tab.get_by_role("button", name="Delete", exact=True).click()
    tab.wait_for_selector("dialog")
    assert_accessible(tab)
    tab.keyboard.press("Escape")
    for run, ready in ((first, "#live-list .rule"), (waiting, ".stage")):
        tab.goto(f"{page.base}/runs/{run}")
        tab.wait_for_selector(ready)
        assert_accessible(tab)
    tab.goto(page.base)
    tab.wait_for_selector(".run-card")
    assert_accessible(tab)


def test_dates_at_set_up_and_in_the_result(
    browser: Any, tmp_path_factory: pytest.TempPathFactory, size: dict[str, int]
) -> None:
    rows = [
        f"202{n % 4}-{1 + n * 5 % 12:02d}-{1 + n * 11 % 28:02d},{n % 9},"
        f"{'late' if n % 4 > 1 else 'early'}"
        for n in range(200)
    ]
    with serving(tmp_path_factory.mktemp("dates")) as page:
        data = page.dataset(("day,n,kind\n" + "\n".join(rows) + "\n").encode(), "visits.csv")
        with let_in(browser, page, viewport=size) as made:
            tab = made.pages[0]
            chosen = '{"label": "kind", "roles": {}, "settings": {"n_cuts": 1}}'
            tab.evaluate(f"(text) => localStorage.setItem('surelist.setup.{data}', text)", chosen)
            tab.goto(f"{page.base}/data/{data}/setup")
            tab.get_by_role("slider", name="Cut 1 of day").wait_for()
            assert_accessible(tab)
            run = page.wait(page.run(data, label="kind"))
            tab.goto(f"{page.base}/runs/{run['id']}")
            tab.wait_for_selector("#rules")
            assert "day" in text_of(tab, "#rules")
            assert_accessible(tab)
