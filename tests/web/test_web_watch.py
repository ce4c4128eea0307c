"""A search that is watched, in a real browser: it never looks dead, and goes on where it was."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from browsing import assert_accessible, let_in, text_of
from web_server import Page, compas_csv, serving, slow_csv

SLOW: dict[str, Any] = {"label": "label", "regularization": "0.001", "max_clauses": 2}

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]


@pytest.fixture(scope="module")
def server_flags() -> Sequence[str]:
    return ("--searches", "2")


def test_a_search_that_will_not_end_says_so_and_one_click_follows_the_advice(
    tab: Any, page: Page
) -> None:
    run = page.run(page.dataset(slow_csv(), "slow.csv"), **SLOW, time_limit=36_000)
    tab.goto(f"{page.base}/runs/{run}")
    tab.wait_for_selector("#advice:not([hidden])")
    time = text_of(tab, ".facts dd >> nth=0")
    assert "of 10 h 00 min; 9 h" in time
    assert "being searched" in text_of(tab, "#lengths")
    assert "searches measured on real tables" in text_of(tab, "#advice")
    assert_accessible(tab)
    tab.get_by_role("button", name="One clause in a rule").click()
    tab.wait_for_url(lambda url: url != f"{page.base}/runs/{run}")
    made = tab.url.rpartition("/")[2]
    assert page.get(f"/api/runs/{made}")["settings"]["max_clauses"] == 1
    # The search that was watched has kept its list, and could go on.
    before = page.wait(run)
    assert before["result"]["status"] == "interrupted"
    assert before["can_continue"]
    page.client.delete(f"/api/runs/{made}")

    # From its page it goes on; the clock does not begin anew.
    tab.goto(f"{page.base}/runs/{run}")
    tab.wait_for_selector("#further")
    assert_accessible(tab)
    used = before["outcome"]["seconds"]
    tab.click("#continue")
    tab.wait_for_selector("#lengths li")
    assert page.get(f"/api/runs/{run}/progress")["used"] == used
    tab.click("#stop")
    tab.wait_for_selector("#gap")

    # A check can be cancelled; then the button is there as before.
    page.hold("verify")
    tab.click("#verify")
    page.held("verify")
    tab.wait_for_selector("#verify-cancel")
    # Its clock runs from the first answer on.
    tab.wait_for_function(
        "() => document.querySelector('.checking .hint')?.textContent.includes(' for ')"
    )
    assert_accessible(tab)
    tab.click("#verify-cancel")
    tab.wait_for_function("() => !document.querySelector('#verification').childElementCount")
    assert "verify" not in page.get(f"/api/runs/{run}")["jobs"]
    assert tab.locator("#verify").is_enabled()


def test_a_run_goes_on_in_the_browser_after_the_server_was_restarted(
    browser: Any, tmp_path: Path
) -> None:
    with serving(tmp_path) as page:
        run = page.run(page.dataset(slow_csv(), "slow.csv"), **SLOW)
        with let_in(browser, page) as context:
            tab = context.pages[0]
            tab.goto(f"{page.base}/runs/{run}")
            tab.wait_for_selector("#live-list .rule")
        seconds = page.wait_for_points(run, 3)["points"][-1]["time"]
    with serving(tmp_path) as page, let_in(browser, page) as context:
        tab = context.pages[0]
        tab.goto(f"{page.base}/runs/{run}")
        tab.wait_for_selector("#stop")
        # Nobody had to do anything: it searches, and its list and its clock are as they were.
        tab.wait_for_function(
            "() => document.querySelector('.stage')?.textContent.startsWith('Searching')"
        )
        assert tab.locator("#live-list .rule").count() > 1
        assert page.get(f"/api/runs/{run}/progress")["used"] >= seconds
        tab.click("#stop")
        tab.wait_for_selector("#gap")
        assert "kept" not in page.get(f"/api/runs/{run}")["result"]


def test_the_start_is_in_view_on_a_phone_and_few_keys_away(browser: Any, page: Page) -> None:
    data = page.dataset(compas_csv(200), "people.csv")
    chosen = '{"label": "recidivated", "roles": {"race": "protected", "name": "leave_out"}}'
    size = {"width": 390, "height": 844}
    with let_in(browser, page, viewport=size) as context:
        tab = context.pages[0]
        tab.evaluate(f"(text) => localStorage.setItem('surelist.setup.{data}', text)", chosen)
        # Past the columns, however many there are, by the first link of the content.
        tab.goto(f"{page.base}/data/{data}")
        tab.wait_for_selector("#next[href]")
        skip_to(tab, "Set up the search")
        tab.wait_for_function("() => document.activeElement.id === 'next'")
        tab.keyboard.press("Enter")
        tab.wait_for_selector(".column-card .cut")
        assert tab.evaluate("() => document.documentElement.scrollHeight") > 2000
        for share in (0, 0.5, 1):
            tab.evaluate(
                "(share) => scrollTo(0, share * document.documentElement.scrollHeight)", share
            )
            box = tab.locator("#start").bounding_box()
            assert box["y"] > 0
            assert box["y"] + box["height"] <= size["height"]
        assert_accessible(tab)
        # By the keyboard: the link that skips to it is the first thing of the content.
        tab.evaluate("() => { scrollTo(0, 0); document.activeElement.blur(); }")
        skip_to(tab, "Start the search")
        tab.wait_for_function("() => document.activeElement.id === 'start'")
        tab.keyboard.press("Enter")
        tab.wait_for_selector(".verdict")

        # What was chosen comes back where somebody wants to change it, and the names tell runs.
        with tab.expect_download() as waiting:
            tab.get_by_role("link", name="Model For surelist.load").click()
        assert waiting.value.suggested_filename == "recidivated-λ-0.01-model.json"
        tab.click("#again")
        tab.wait_for_selector(".column-card")
        assert tab.input_value("#lambda-exact") == "0.01"
        assert_accessible(tab)


def skip_to(tab: Any, text: str) -> None:
    """Press Tab until a link says where it leads, a few times at most, and follow it."""
    for _ in range(12):
        tab.keyboard.press("Tab")
        if text in tab.evaluate("() => document.activeElement.textContent"):
            break
    tab.keyboard.press("Enter")


def test_a_cut_of_dates_can_be_moved(tab: Any, page: Page) -> None:
    rows = []
    for n in range(200):
        day = f"202{n * 7 % 4}-{1 + n * 5 % 12:02d}-{1 + n * 11 % 28:02d}"
        rows.append(f"{day},{n % 9},{'late' if day > '2021-06-15' else 'early'}")
    table = "day,n,kind\n" + "\n".join(rows) + "\n"
    data = page.dataset(table.encode(), "visits.csv")
    chosen = '{"label": "kind", "roles": {}, "settings": {"n_cuts": 1}}'
    tab.evaluate(f"(text) => localStorage.setItem('surelist.setup.{data}', text)", chosen)
    tab.goto(f"{page.base}/data/{data}/setup")
    cut = tab.get_by_role("slider", name="Cut 1 of day")
    before = cut.get_attribute("aria-valuetext")
    assert before[:4] == "2021"
    cut.focus()
    cut.press("ArrowLeft")
    assert cut.get_attribute("aria-valuetext") < before
    tab.get_by_label("Cut 1 of day", exact=True).nth(1).fill("2022-03-01")
    tab.get_by_label("Cut 1 of day", exact=True).nth(1).press("Tab")
    # How the trial went, which on a busy machine may take longer than it has.
    tab.wait_for_function("() => /Easy|Hard/.test(document.querySelector('#outlook')?.textContent)")
    tab.click("#start")
    tab.wait_for_selector(".verdict")
    assert "2022-03-01" in text_of(tab, "#rules") or "2022-03" in text_of(tab, "#rules")
    run = page.get(f"/api/runs/{tab.url.rpartition('/')[2]}")
    assert run["settings"]["columns"] == {"day": ["2022-03-01"]}
    found = page.get(f"/api/runs/{run['id']}/reproduce")
    assert "day=2022-03-01," in found["command"]


def test_runs_are_filtered_and_deleted_together(tab: Any, page: Page) -> None:
    data = page.dataset(compas_csv(100), "many.csv")
    for price in ("0.1", "0.15", "0.2", "0.12", "0.11", "0.13"):
        page.wait(page.run(data, label="recidivated", regularization=price))
    tab.goto(page.base)
    tab.wait_for_selector("#runs-filter")
    tab.fill("#runs-filter", "many λ = 0.1")
    tab.wait_for_function(
        "() => document.querySelectorAll('.run-card [type=checkbox]').length === 5"
    )
    assert_accessible(tab)
    tab.check("#runs-all")
    assert text_of(tab, "#runs-delete") == "Delete 5 runs"
    tab.click("#runs-delete")
    tab.get_by_role("dialog").get_by_role("button", name="Delete").click()
    tab.wait_for_function("() => !document.querySelector('.run-card [type=checkbox]:checked')")
    left = [run["regularization"] for run in page.get("/api/runs") if run["dataset"] == data]
    assert left == ["0.2"]
