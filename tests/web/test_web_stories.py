"""Whole stories in a real browser: somebody comes with a file and leaves with an answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from browsing import assert_accessible, choose_data, text_of
from web_server import Page, compas_csv

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def server_flags() -> Sequence[str]:
    return ("--searches", "2")


def leaking_csv() -> bytes:
    """Loans, with a column that is known only once the outcome is."""
    lines = ["case_id,amount,term,sex,closed,defaulted"]
    for row in range(300):
        amount, term = 100 + row * 37 % 90, 12 * (1 + row * 7 % 3)
        defaulted = "yes" if (amount > 150) != (row % 11 == 0) else "no"
        closed = "early" if (defaulted == "yes") != (row % 50 == 0) else "on time"
        sex = "f" if row % 2 else "m"
        lines.append(f"{row},{amount},{term},{sex},{closed},{defaulted}")
    return ("\n".join(lines) + "\n").encode()


def leave_out_what_leaks(tab: Any) -> None:
    """The warning is beside the column and above all of them; one button follows it."""
    tab.wait_for_selector("#warnings")
    assert "closed" in text_of(tab, "#warnings")
    row = tab.locator("table.columns tr", has=tab.get_by_label("How to use closed"))
    assert "closed alone tells the label of 98 %" in row.inner_text()
    assert tab.get_by_label("How to use closed").input_value() == "use"
    assert_accessible(tab)
    tab.click("#leave-out-warned")
    assert tab.get_by_label("How to use closed").input_value() == "leave_out"
    assert tab.get_by_label("How to use case_id").input_value() == "leave_out"
    assert tab.locator("#warnings").count() == 0


def test_an_analyst_whose_label_leaks_is_told_before_the_search_and_after(
    tab: Any, page: Page, tmp_path: Path
) -> None:
    table = tmp_path / "loans.csv"
    table.write_bytes(leaking_csv())
    choose_data(tab, table)
    tab.select_option("#label", "defaulted")
    tab.wait_for_selector("#warnings")
    data = tab.url.rpartition("/")[2]

    # Who goes on all the same finds the warning beside the green seal, and in the report.
    run = page.run(data, label="defaulted", max_clauses=1)
    assert page.wait(run)["result"]["status"] == "optimal"
    tab.goto(f"{page.base}/runs/{run}")
    tab.wait_for_selector("#cautions")
    assert "Before you rely on it" in text_of(tab, "#cautions")
    assert "closed alone tells the label" in text_of(tab, "#cautions")
    assert "closed" in text_of(tab, "#rules")
    report = page.client.get(f"/api/runs/{run}/downloads/report.html").text
    assert "closed alone tells the label of 98 %" in report
    assert_accessible(tab)

    # Nor is there a green seal alone where all runs are listed.
    tab.goto(page.base)
    tab.wait_for_selector(".run-card .badge.warn")
    assert "Asks about closed: see its warnings" in text_of(tab, ".run-card .badge.warn")
    assert_accessible(tab)

    # Who follows it gets another list, and no warning.
    tab.goto(f"{page.base}/data/{data}")
    leave_out_what_leaks(tab)
    tab.click("#next")
    tab.wait_for_selector(".facts dd")
    tab.click("#start")
    tab.wait_for_selector(".verdict.sure")
    assert "closed" not in text_of(tab, "#rules")
    assert tab.locator("#cautions strong").count() == 0


@pytest.fixture(scope="module")
def handed(page: Page, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an auditor is handed: a bundle, a certificate, the data, and other data."""
    folder = tmp_path_factory.mktemp("handed")
    table = compas_csv(300)
    roles = {"race": "protected", "sex": "protected", "id": "leave_out", "name": "leave_out"}
    data = page.dataset(table, "people.csv")
    run = page.wait(page.run(data, label="recidivated", roles=roles, regularization="0.03"))["id"]
    for name in ("bundle.zip", "certificate.cert"):
        content = page.client.get(f"/api/runs/{run}/downloads/{name}").content
        (folder / name).write_bytes(content)
    (folder / "people.csv").write_bytes(table)
    lines = table.splitlines(keepends=True)
    ends = {b",yes\n": b",no\n", b",no\n": b",yes\n"}
    end = next(each for each in ends if lines[120].endswith(each))
    lines[120] = lines[120].removesuffix(end) + ends[end]
    (folder / "other.csv").write_bytes(b"".join(lines))
    return folder


def test_an_auditor_with_the_right_file_and_the_wrong_one(tab: Any, handed: Path) -> None:
    tab.set_input_files("#audit-file", [str(handed / "bundle.zip"), str(handed / "people.csv")])
    tab.wait_for_selector("#audit-verdict.sure")
    assert tab.url.endswith("/audit")
    said = text_of(tab, "#audit-verdict")
    assert said.startswith("Verified: no rule list over these")
    assert "to the bit" in said
    assert text_of(tab, "#rules .sentence >> nth=0").startswith("if ")
    assert "Claim: none of these rule lists" in text_of(tab, "#proven")
    assert "fair" in text_of(tab, "#not-proven")
    tab.select_option("#group-column", "race")
    assert tab.locator("#group-table tbody tr").count() == 3
    assert_accessible(tab)

    # The wrong file is refused in the checker's own sentence, and the place is named.
    tab.click("#again")
    tab.set_input_files("#audit-file", [str(handed / "bundle.zip"), str(handed / "other.csv")])
    tab.wait_for_selector("#audit-verdict.bad")
    assert text_of(tab, "#audit-verdict").startswith("Refused: the data are not those of")
    assert "'recidivated' differs, first in rows 101 to 200" in text_of(tab, "#differs")
    assert tab.locator("#group-table").count() == 0
    assert_accessible(tab)


def test_a_certificate_that_is_dropped_as_a_table_is_known_and_the_data_follow(
    phone: Any, handed: Path
) -> None:
    phone.set_input_files("#file", str(handed / "certificate.cert"))
    phone.wait_for_selector("#audit-verdict")
    assert "Nothing is checked yet" in text_of(phone, "#audit-verdict")
    assert_accessible(phone)
    # By the keyboard alone: to the files, and to a reload that forgets nothing.
    phone.focus("#audit-file")
    with phone.expect_file_chooser() as chooser:
        phone.keyboard.press("Space")
    chooser.value.set_files(str(handed / "people.csv"))
    phone.wait_for_selector("#audit-verdict.sure")
    phone.reload()
    phone.wait_for_selector("#audit-verdict.sure")
    assert phone.input_value("#audit-label") == "recidivated"
    assert_accessible(phone)


def test_labels_as_people_have_them(tab: Any, page: Page, tmp_path: Path) -> None:
    rows = []
    for n in range(400):
        points = "" if n % 20 == 3 else f"{2 * (n % 13) + n * 37 % 101 / 10:g}"
        rows.append(f"{n % 13},{n * 7 % 5},{'abc'[n % 3]},{points}")
    table = tmp_path / "marks.csv"
    table.write_text("hours,visits,group,points\n" + "\n".join(rows) + "\n", encoding="utf-8")
    choose_data(tab, table)
    tab.select_option("#label", "points")
    # Many values are explained, and a number cuts them; rows without a label are counted.
    assert "different values" in text_of(tab, "#objection")
    assert tab.get_attribute("#next", "aria-disabled") == "true"
    tab.fill("#label-cut", "15")
    tab.press("#label-cut", "Tab")
    tab.wait_for_selector("#left-out")
    assert "20 rows without a label are left out; 380 rows remain." in text_of(tab, "#left-out")
    assert "≥ 15" in text_of(tab, "#classes")
    assert_accessible(tab)
    tab.click("#next")
    tab.wait_for_selector(".facts dd")
    assert "< 15, ≥ 15" in text_of(tab, ".facts")
    tab.click("#start")
    tab.wait_for_selector(".verdict.sure")
    assert "on these 380 rows" in text_of(tab, ".verdict.sure")

    # Classes are merged by their names.
    tab.goto(f"{page.base}/data/{page.dataset(table.read_bytes(), 'marks.csv')}")
    tab.select_option("#label", "group")
    tab.wait_for_selector("#classes li >> nth=2")
    tab.locator("#relabel summary").click()
    tab.get_by_label("Predict c as").fill("b")
    tab.get_by_label("Predict c as").press("Tab")
    tab.wait_for_function("() => document.querySelectorAll('#classes li').length === 2")
    assert_accessible(tab)


def test_a_suggestion_is_followed_by_the_keyboard_on_a_phone(phone: Any, page: Page) -> None:
    table = leaking_csv().replace(b",sex,", b",Geschlecht,")
    phone.goto(f"{page.base}/data/{page.dataset(table, 'kredite.csv')}")
    button = phone.get_by_role("button", name="Protect: Geschlecht")
    button.wait_for()
    assert phone.get_by_label("How to use Geschlecht").input_value() == "use"
    button.focus()
    phone.keyboard.press("Enter")
    role = phone.get_by_label("How to use Geschlecht")
    assert role.input_value() == "protected"
    assert role.evaluate("(each) => each === document.activeElement")
    assert_accessible(phone)
