"""Those who ask further, in a real browser: compared with what, for whom, and next year?"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from browsing import assert_accessible, let_in, text_of
from web_server import Page, compas_csv

pytestmark = pytest.mark.xdist_group("browser")

ROLES = {
    "sex": "protected",
    "race": "protected",
    "id": "leave_out",
    "name": "leave_out",
    "decile_score": "leave_out",
}
SETTINGS: dict[str, Any] = {"label": "recidivated", "roles": ROLES, "regularization": "0.008"}


def people() -> pd.DataFrame:
    found = pd.read_csv(io.BytesIO(compas_csv(500)))
    young = (found["age"] < 25) * 3
    found["decile_score"] = 1 + (found["priors_count"].fillna(0).clip(0, 6) + young).astype(int)
    return found


@pytest.fixture(scope="module")
def server_flags() -> Sequence[str]:
    return ("--searches", "2")


@pytest.fixture(scope="module")
def run(page: Page) -> Any:
    data = page.dataset(people().to_csv(index=False).encode(), "people.csv")
    return page.wait(page.run(data, **SETTINGS))


@pytest.fixture
def tab(browser: Any, page: Page, run: Any) -> Iterator[Any]:
    with let_in(browser, page) as made:
        made.pages[0].goto(f"{page.base}/runs/{run['id']}")
        yield made.pages[0]


@pytest.fixture
def phone(browser: Any, page: Page, run: Any) -> Iterator[Any]:
    with let_in(browser, page, viewport={"width": 390, "height": 844}) as made:
        made.pages[0].goto(f"{page.base}/runs/{run['id']}")
        yield made.pages[0]


# Words in heads of rows and numbers in cells that are broken over two lines.
_BROKEN = """() => {
  const found = [];
  for (const cell of document.querySelectorAll('tbody th, td.n')) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const word of texts.currentNode.data.matchAll(/[\\w.,]+/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        if (range.getClientRects().length > 1) found.push(word[0]);
      }
    }
  }
  return found;
}"""


def press(tab: Any, selector: str, key: str = "Enter") -> None:
    """Use something by the keyboard alone."""
    tab.locator(selector).first.focus()
    tab.keyboard.press(key)


def test_a_manager_asks_compared_with_what(tab: Any) -> None:
    tab.wait_for_selector("#rivals-start")
    assert tab.input_value("#score-column") == "decile_score"
    tab.fill("#rival-folds", "2")
    press(tab, "#rivals-start")
    tab.wait_for_selector("#rivals progress, #rival-table")
    # A reload finds it again, and then its result.
    tab.reload()
    tab.wait_for_selector("#rival-table")
    names = tab.locator("#rival-table tbody th").all_inner_texts()
    assert [name.splitlines()[0] for name in names] == [
        *("This rule list", "decile_score", "Majority", "Tree of the same size"),
        *("Logistic regression", "Gradient boosting"),
    ]
    assert "2 of 2 proven optimal" in text_of(tab, "#rival-words")
    assert "Wilson" in text_of(tab, "#rival-words")

    # Rows on which the two differ, by the keyboard; Escape goes back to where one was.
    differ = "#rival-table tbody tr:nth-child(3) .figure-button"
    said = text_of(tab, differ)
    press(tab, differ)
    tab.wait_for_selector("#rows-count")
    count = said.split()[0]
    assert text_of(tab, "#rows-count").endswith((f"of {count}", f"{count} rows"))
    assert tab.locator("dialog .mistake").count() == tab.locator("dialog tbody tr").count()
    assert_accessible(tab)
    tab.keyboard.press("Escape")
    assert tab.locator("dialog").count() == 0
    assert tab.evaluate("() => document.activeElement.className") == "figure-button"

    # Rates by group of both.
    tab.select_option("#rival-column", "race")
    tab.select_option("#rival-other", "majority")
    tab.wait_for_function(
        "() => document.querySelector('#rival-rates')?.innerText.includes('Hispanic')"
        " && document.querySelector('#rival-rates').innerText.includes('Majority')"
    )
    assert tab.locator("#rival-rates tbody tr").count() == 6


def test_an_auditor_looks_behind_the_numbers(phone: Any, run: Any) -> None:
    # A cell of the confusion matrix, and a group.
    wrong = run["result"]["confusion"][0][1]
    press(phone, ".matrix td.wrong .figure-button", "Space")
    phone.wait_for_selector("#rows-count")
    assert f"{wrong}" in text_of(phone, "#rows-count")
    assert phone.locator("dialog tbody tr").count() == min(wrong, 50)
    assert_accessible(phone)
    phone.click("#rows-close")
    phone.get_by_role("button", name="Show the rows with sex: Female").click()
    phone.wait_for_selector("#rows-count")
    assert text_of(phone, "#rows-title") == "sex: Female"
    phone.keyboard.press("Escape")

    # Groups crossed: every pair, with intervals.
    press(phone, "#crossed-groups summary")
    phone.wait_for_selector("#crossed tbody tr")
    assert phone.locator("#crossed tbody tr").count() == 6
    table = people()
    here = table[(table["sex"] == "Female") & (table["race"] == "Caucasian")]
    row = phone.locator("#crossed tbody tr", has_text="Female").filter(has_text="Caucasian")
    assert row.locator(".figure-button").inner_text() == str(len(here))
    assert " – " in row.inner_text()
    phone.select_option("#group-column", "race")
    assert phone.evaluate(_BROKEN) == []

    # A value that nobody had.
    age = phone.get_by_label("age", exact=True)
    age.fill("150")
    assert "outside of what it learned from: 18 to 62" in text_of(phone, "#try .fields")
    age.fill("30")
    assert "outside" not in text_of(phone, "#try .fields")

    # The settings, and how to do it again.
    press(phone, "#reproduce summary")
    phone.wait_for_selector("#python-lines")
    assert "decile_score" in text_of(phone, "#settings")
    assert text_of(phone, "#fit-command").startswith("surelist fit people.csv --label recidivated")
    assert "RuleListClassifier(" in text_of(phone, "#python-lines")
    assert_accessible(phone)


def test_a_list_of_the_path_is_opened_and_adopted(tab: Any, page: Page, run: Any) -> None:
    press(tab, "#path-start")
    tab.wait_for_selector(".opened")
    segments = page.get(f"/api/runs/{run['id']}")["jobs"]["path"]["outcome"]["segments"]
    assert tab.locator(".opened").count() == len(segments) >= 3
    # Another list than the run's own.
    own = run["result"]["text"]
    number = next(at for at, each in enumerate(segments) if each["text"] != own and each["length"])
    opened = tab.locator(".opened").nth(number)
    opened.locator("summary").click()
    assert opened.locator("pre").inner_text().splitlines() == segments[number]["text"]
    assert_accessible(tab)
    opened.locator(".adopt").click()
    tab.wait_for_url(lambda url: run["id"] not in url)
    tab.wait_for_selector(".verdict.sure")
    adopted = page.get(f"/api/runs/{tab.url.rpartition('/')[2]}")
    assert adopted["result"]["text"] == segments[number]["text"]
    assert adopted["result"]["status"] == "optimal"
    proven = page.wait_for_job(adopted["id"], "verify")
    assert proven["outcome"]["verified"]


def test_next_years_file_is_scored(tab: Any, tmp_path: Path) -> None:
    later = people().head(200)
    later["age"] += 15
    later["charge"] = "X"
    path = tmp_path / "next year.csv"
    later.drop(columns=["name", "decile_score"]).to_csv(path, index=False)
    tab.set_input_files("#score-file", str(path))
    tab.wait_for_selector("#drift-verdict")
    verdict = text_of(tab, "#drift-verdict")
    assert verdict.startswith("next year.csv, 200 rows: age, charge have changed")
    assert "95 % interval" in verdict
    assert "200 rows with new values: X" in text_of(tab, "#drift")
    assert tab.locator("#new-group-table tbody tr").count() == 2
    with tab.expect_download() as waiting:
        tab.get_by_role("link", name="Download the predictions").click()
    waiting.value.save_as(tmp_path / "predictions.csv")
    predictions = pd.read_csv(tmp_path / "predictions.csv")
    right = (predictions["predicted"] == predictions["recidivated"]).mean()
    assert f"Right on {100 * right:.1f} %" in verdict
    assert_accessible(tab)

    # It is still there after a reload; a file without a column of the rules is refused.
    tab.reload()
    tab.wait_for_selector("#drift-verdict")
    (tmp_path / "short.csv").write_text("charge\nF\n", encoding="utf-8")
    tab.set_input_files("#score-file", str(tmp_path / "short.csv"))
    tab.wait_for_selector(".notice.error")
    assert "which is no column" in text_of(tab, ".notice.error")
