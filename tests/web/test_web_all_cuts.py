"""All cuts on the page: chosen for all columns or one, searched, proven and shown in words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import assert_accessible, choose_data, chromium, let_in, text_of
from web_server import Page, serving

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with serving(tmp_path_factory.mktemp("cuts")) as started:
        yield started


SINGLE = {"label": "bought", "columns": {"age": "all"}, "max_clauses": 1, "regularization": "0.05"}


def table() -> bytes:
    chance = random.Random(4)
    lines = ["age,income,grade,bought"]
    for _ in range(200):
        age, income = chance.randrange(18, 90), chance.randrange(0, 1000) / 10
        bought = (age >= 37) != (chance.random() < 0.1)
        lines.append(f"{age},{income},{chance.choice('abc')},{'yes' if bought else 'no'}")
    return "\n".join(lines).encode()


def test_a_run_over_all_cuts_is_proven_and_says_so(page: Page) -> None:
    data = page.dataset(table(), "people.csv")
    asked = {"label": "bought", "n_cuts": "all", "max_clauses": 2, "max_length": 2}
    run = page.wait(page.run(data, regularization="0.02", **asked))
    assert run["result"]["status"] == "optimal"
    assert run["result"]["antecedents"] > 10_000
    job = page.wait_for_job(run["id"], "verify")
    assert "any two cuts of 2 columns" in str(job)
    command = page.client.get(f"/api/runs/{run['id']}/downloads/report.html").text
    assert "wherever two values differ" in command
    single = page.wait(page.run(data, **SINGLE))
    assert single["result"]["status"] == "optimal"


def test_all_cuts_are_chosen_on_the_page(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(table())
    with chromium() as browser, let_in(browser, page) as made:
        tab = made.pages[0]
        choose_data(tab, path)
        tab.select_option("#label", "bought")
        tab.click("#next")
        tab.wait_for_selector(".facts dd")
        few = facts(tab)
        tab.click("text=Cut it everywhere >> nth=0")
        tab.wait_for_selector(".column-card >> text=Every place between two values")
        tab.click("text=Cuts found by the labels again")
        tab.select_option("#strategy", "all")
        tab.wait_for_function("few => document.querySelector('.facts').innerText !== few", arg=few)
        assert not tab.is_visible("#n_cuts")
        assert "far as the time allows" in tab.inner_text("main")
        tab.select_option("#max_clauses", "1")
        tab.fill("#lambda-exact", "0.05")  # a proof for every length is short
        tab.press("#lambda-exact", "Tab")
        assert_accessible(tab)
        shown(tab, tmp_path, "setup")
        tab.reload()
        tab.wait_for_selector(".facts dd")
        assert tab.input_value("#strategy") == "all"
        tab.click("#start")
        tab.wait_for_selector(".verdict.sure")
        assert "No rule list over these" in text_of(tab, "main")
        assert "0 antecedents" not in text_of(tab, "main").replace(",", "").replace("10 ", "")
        assert_accessible(tab)
        shown(tab, tmp_path, "run")


def facts(tab: Any) -> str:
    return text_of(tab, ".facts")


def shown(tab: Any, folder: Path, name: str) -> None:
    tab.screenshot(path=str(folder / f"{name}.png"), full_page=True)
