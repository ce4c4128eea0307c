"""The page in a real browser (see `browsing`)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from browsing import WAIT, choose_data, let_in, text_of, upload, violations
from web_server import Page, compas_csv, serving, slow_csv, until

from surelist.web.worker_lock import worker_of

SLOW = {"label": "label", "regularization": "0.001", "max_clauses": 2}

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def server_flags() -> Sequence[str]:
    return ("--searches", "2", "--max-upload", "4")


@pytest.fixture
def context(browser: Any, page: Page) -> Iterator[Any]:
    """A browser that was let in; whatever it complains of fails the test."""
    with let_in(browser, page) as made:
        yield made


@pytest.fixture
def tab(context: Any) -> Any:
    return context.pages[0]


def start(page: Page, data: str, **settings: Any) -> str:
    return page.run(data, **settings)


def set_up(tab: Any) -> None:
    """λ in words, a cut moved by the keyboard, the size of the problem; then start."""
    tab.wait_for_selector(".column-card .cut")
    assert "1 % of the rows" in text_of(tab, "#lambda-words")
    tab.wait_for_selector(".facts dd")
    cut = tab.locator(".column-card", has_text="age").locator("[role=slider]").first
    before = float(cut.get_attribute("aria-valuenow"))
    cut.focus()
    cut.press("ArrowRight")
    after = tab.locator(".column-card", has_text="age").locator("[role=slider]").first
    assert float(after.get_attribute("aria-valuenow")) > before
    tab.get_by_role("button", name="Cuts found by the labels again").click()
    tab.select_option("#max_clauses", "3")
    tab.fill("#lambda-exact", "0.003")
    tab.press("#lambda-exact", "Tab")
    assert "0.3 % of the rows" in text_of(tab, "#lambda-words")
    tab.click("#start")


def watch(tab: Any) -> None:
    """The chart moves, then the list is certified."""
    tab.wait_for_url("**/runs/*")
    tab.wait_for_function(
        "() => Number(document.querySelector('#live-chart')?.dataset.points ?? 0) >= 4"
        " || document.querySelector('.verdict')"
    )
    tab.wait_for_selector(".verdict.sure")
    assert "Proven optimal" in text_of(tab, ".verdict.sure")
    sentences = tab.locator("#rules .sentence").all_inner_texts()
    assert sentences[0].startswith("if ")
    assert sentences[-1].startswith("else predict ")
    assert "race" not in " ".join(sentences)


def try_two_people(tab: Any) -> None:
    """The answer follows the form."""
    tab.get_by_label("age", exact=True).fill("19")
    tab.get_by_label("priors_count", exact=True).fill("12")
    tab.wait_for_function(
        "() => document.querySelector('#person-answer .answer')?.innerText.includes('yes')"
    )
    assert tab.locator("#person-answer .fires").count() == 1
    tab.get_by_label("age", exact=True).fill("60")
    tab.get_by_label("priors_count", exact=True).fill("0")
    tab.wait_for_function(
        "() => document.querySelector('#person-answer .answer')?.innerText.includes('no')"
    )


def test_from_a_raw_table_to_a_proof_that_the_command_line_accepts(
    tab: Any, tmp_path: Path
) -> None:
    table = tmp_path / "people.csv"
    table.write_bytes(compas_csv(1500))
    choose_data(tab, table)
    assert tab.input_value("#label") == "recidivated"
    role = tab.get_by_label("How to use race")
    assert role.input_value() == "protected"
    assert tab.get_by_label("How to use name").input_value() == "leave_out"
    tab.get_by_label("How to use id").select_option("leave_out")
    tab.click("#next")

    set_up(tab)
    watch(tab)
    try_two_people(tab)

    # Groups, verification, and the certificate into the hands of the command line.
    assert tab.locator("#group-table tbody tr").count() == 2
    tab.select_option("#group-column", "race")
    assert tab.locator("#group-table tbody tr").count() == 3
    tab.click("#verify")
    tab.wait_for_selector("#verification .verdict.sure")
    assert "Verified: no rule list" in text_of(tab, "#verification")
    assert "read by the checker's own CSV reader" in text_of(tab, "#verification")
    with tab.expect_download() as waiting:
        tab.get_by_role("link", name="Certificate").click()
    proof = tmp_path / "certificate.cert"
    waiting.value.save_as(proof)
    finished = subprocess.run(
        [sys.executable, "-m", "surelist.cli", "verify", str(proof), str(table)],
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.startswith("Verified: no rule list")


def test_a_run_is_stopped_half_way_found_again_and_seen_from_two_tabs(
    context: Any, tab: Any, page: Page
) -> None:
    data = page.dataset(slow_csv(), "slow.csv")
    run = start(page, data, **SLOW)
    tab.goto(f"{page.base}/runs/{run}")
    points = "() => Number(document.querySelector('#live-chart')?.dataset.points ?? 0)"
    tab.wait_for_function(f"{points.replace('() => ', '() => (')}) > 4")
    seen = tab.evaluate(points)
    tab.wait_for_function(f"(before) => ({points})() > before", arg=seen)

    # A reload, and another tab, find it again with all its past.
    tab.reload()
    tab.wait_for_function(f"(before) => ({points})() >= before", arg=seen)
    other = context.new_page()
    other.goto(f"{page.base}/")
    other.get_by_role("link", name=page.get(f"/api/runs/{run}")["name"]).first.click()
    other.wait_for_function(f"(before) => ({points})() >= before", arg=seen)
    assert tab.locator("#live-list .rule").count() >= 1

    # Stopped in one, it shows its gap in both.
    other.click("#stop")
    for each in (tab, other):
        each.wait_for_selector("#gap")
        assert "Not certified" in text_of(each, ".verdict")
        assert 0 < float(text_of(each, "#gap")) < 1


def test_hostile_files_show_an_error_and_run_nothing(tab: Any, tmp_path: Path) -> None:
    bad = {
        "empty.csv": b"",
        "ragged.csv": b"a,b\n1,2\n1,2,3\n",
        "binary.csv": bytes(range(256)) * 10,
        "line.csv": b"x" * 3_000_000,
        "columns.csv": b",".join(b"c%d" % i for i in range(100_000)) + b"\n",
        "large.csv": b"a\n" + b"1\n" * 2_100_000,
    }
    for number, (name, data) in enumerate(bad.items(), start=1):
        (tmp_path / name).write_bytes(data)
        upload(tab, tmp_path / name)
        tab.wait_for_function(
            "(n) => document.querySelectorAll('.notice.error').length === n", arg=number
        )
    assert "Line 3" in tab.locator(".notice.error").nth(1).inner_text()
    assert tab.url.rstrip("/").count("/") == 2

    script = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"
    rows = "".join(
        f'"{script}","{n}","<b>{n % 3}</b>","{script if n % 2 else "no"}"\n' for n in range(40)
    )
    evil = tmp_path / "evil.csv"
    evil.write_text(f'"{script}",n,group,"<b>y</b>"\n{rows}')
    choose_data(tab, evil)
    tab.select_option("#label", "<b>y</b>")
    tab.locator("summary", has_text="The first rows").click()
    assert script in tab.locator("table.cells td").first.inner_text()
    tab.click("#next")
    tab.wait_for_selector(".facts dd")
    tab.click("#start")
    tab.wait_for_selector(".verdict")
    # Names of groups stay text in the chart, too.
    tab.wait_for_selector("#groups .chart[data-points] .xtick")
    assert "<b>0</b>" in tab.locator("#groups .xtick").all_text_contents()
    assert tab.evaluate("() => window.hacked") is None
    assert tab.locator("main img, main script").count() == 0


def worker(page: Page, run: str) -> int:
    return int(until(lambda: worker_of(page.folder / "runs" / run)))


def start_and_pause(tab: Any, page: Page, data: str) -> str:
    """Show a run whose process stands still, so that there is time to look around."""
    run = start(page, data, **SLOW)
    tab.goto(f"{page.base}/runs/{run}")
    tab.wait_for_selector("#live-list .rule")
    os.kill(worker(page, run), signal.SIGSTOP)
    return run


def test_a_second_click_throws_nothing_away_and_discarding_asks(tab: Any, page: Page) -> None:
    data = page.dataset(slow_csv(), "slow.csv")
    run = start_and_pause(tab, page, data)
    tab.dblclick("#stop")
    tab.wait_for_selector("#discard:not([hidden])")
    assert tab.is_disabled("#stop")
    assert tab.locator("dialog").count() == 0
    tab.click("#discard")
    tab.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    # The clock goes on, though there is nothing new.
    clock = "() => document.querySelector('.facts dd').innerText"
    before = tab.evaluate(clock)
    tab.wait_for_function(f"(before) => ({clock})() !== before", arg=before)
    os.kill(worker(page, run), signal.SIGCONT)
    tab.wait_for_selector("#gap")
    assert page.get(f"/api/runs/{run}")["result"]["status"] == "interrupted"

    run = start_and_pause(tab, page, data)
    tab.click("#stop")
    tab.click("#discard")
    tab.get_by_role("dialog").get_by_role("button", name="Discard").click()
    tab.wait_for_selector("#failure")
    assert "discarded" in text_of(tab, "#failure")


def test_a_list_outlives_its_search_and_a_tab_learns_that_its_run_is_gone(
    tab: Any, page: Page
) -> None:
    data = page.dataset(slow_csv(), "slow.csv")
    run = start(page, data, **SLOW)
    tab.goto(f"{page.base}/runs/{run}")
    tab.wait_for_selector("#live-list .rule >> nth=1")  # the default alone comes first
    os.kill(worker(page, run), signal.SIGKILL)
    tab.wait_for_selector("#gap")
    assert "ended unexpectedly" in text_of(tab, ".verdict")
    assert "The best list that it had found is kept" in text_of(tab, ".verdict")
    assert tab.locator("#rules .rule").count() > 1

    run = start(page, data, **SLOW)
    tab.goto(f"{page.base}/runs/{run}")
    tab.wait_for_selector("#live-list .rule")
    assert page.client.delete(f"/api/datasets/{data}").status_code == 204
    tab.wait_for_selector("section.empty")
    assert "it may have been deleted" in text_of(tab, "main")


def test_the_result_is_there_before_it_is_tested(tab: Any, page: Page) -> None:
    data = page.dataset(compas_csv(300), "people.csv")
    run = page.run(data, label="recidivated", regularization="0.05", held_out=0.2)
    page.wait(run, ("finished",))
    page.wait_for_job(run, "test", begun=True)
    tab.goto(f"{page.base}/runs/{run}")
    tab.wait_for_selector("#held-out")
    assert "on 60 rows not learned from" in text_of(tab, "#held-out")
    assert tab.locator(".matrix").count() == 2
    assert page.client.delete(f"/api/runs/{run}/jobs/test").status_code == 204
    tab.reload()
    tab.get_by_role("button", name="Test now").click()
    tab.wait_for_function(
        "() => document.querySelector('#held-out').innerText.includes('not learned from')"
    )
    assert tab.locator(".matrix").count() == 2


def test_one_row_is_one_row(tab: Any, page: Page) -> None:
    page.dataset(b"age,recidivated\n20,yes\n", "one.csv")
    tab.reload()
    card = tab.locator(".card", has_text="one.csv")
    assert "1 row, 2 columns" in card.inner_text()
    numbers = tab.evaluate(
        """async () => { const { plural } = await import('/static/js/format.js');
        return [0, 1, 2, 1000].map((n) => plural(n, 'row')); }"""
    )
    assert numbers == ["0 rows", "1 row", "2 rows", "1,000 rows"]


def test_bounds_are_rounded_down_and_gaps_up(tab: Any) -> None:
    texts = tab.evaluate(
        """async () => {
        const { decimalDown, decimalUp, fractionDown } = await import('/static/js/format.js');
        return [
          ...[0.12346, 0.12341, 0.7, 0].flatMap((n) => [decimalDown(n), decimalUp(n)]),
          ...["1319/14225", "2/3", "1/20", "0", "3"].map(fractionDown),
        ]; }"""
    )
    assert texts[:4] == ["0.1234", "0.1235", "0.1234", "0.1235"]
    assert texts[4:8] == ["0.7000", "0.7000", "0.0000", "0.0000"]
    assert texts[8:] == ["0.092724", "0.666666", "0.05", "0", "3"]


def test_the_private_file_leads_into_the_page(browser: Any, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    quiet = {**os.environ, "BROWSER": "true"}
    with serving(folder, "--browser", env=quiet) as page:
        door = folder / "open.html"
        until(door.exists)
        context = browser.new_context()
        tab = context.new_page()
        tab.goto(door.as_uri())
        tab.wait_for_selector(".drop", timeout=WAIT)
        assert tab.url == f"{page.base}/"
        assert not door.exists()
        context.close()


def test_the_keyboard_is_enough(tab: Any) -> None:
    tab.keyboard.press("Tab")
    assert tab.evaluate("() => document.activeElement.className") == "skip"
    for _ in range(40):
        tab.keyboard.press("Tab")
        if tab.evaluate("() => document.activeElement.textContent.startsWith('Iris')"):
            break
    tab.keyboard.press("Enter")
    tab.wait_for_selector("#next")
    tab.focus("#next")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("#start")
    tab.focus("#lambda")
    for _ in range(8):
        tab.keyboard.press("ArrowRight")
    assert tab.input_value("#lambda-exact") == "0.075"
    tab.wait_for_selector(".facts dd")
    tab.focus("#start")
    tab.keyboard.press("Enter")
    tab.wait_for_selector(".verdict.sure")
    # Three classes: a matrix of three by three.
    assert tab.locator(".matrix").first.locator("tbody tr").count() == 3


_LABELLED = """() => [...document.querySelectorAll('input, select, button, a, [role=slider]')]
  .filter((each) => each.getClientRects().length)
  .filter((each) => !(each.getAttribute('aria-label') || each.textContent.trim()
     || (each.labels && each.labels.length)))
  .map((each) => each.outerHTML)"""
_WIDE = "() => document.documentElement.scrollWidth > innerWidth + 1"


def test_every_page_is_labelled_and_fits_a_phone(browser: Any, page: Page) -> None:
    data = page.dataset(compas_csv(300), "people.csv")
    runs = [
        page.wait(page.run(data, label="recidivated", regularization=price))["id"]
        for price in ("0.02", "0.1")
    ]
    for scheme in ("light", "dark"):
        phone = browser.new_context(
            viewport={"width": 390, "height": 844}, color_scheme=scheme, reduced_motion="reduce"
        )
        tab = phone.new_page()
        tab.set_default_timeout(WAIT)
        tab.goto(page.url)
        tab.wait_for_selector(".drop")
        for path, ready in (
            ("/", ".run-card"),
            (f"/data/{data}", "#label"),
            (f"/data/{data}/setup", ".column-card"),
            (f"/runs/{runs[0]}", "#group-table tbody tr"),
            (f"/compare?a={runs[0]}&b={runs[1]}", "#compare-rates tbody tr"),
            ("/audit", "#audit-file"),
            ("/api", ".operation"),
        ):
            tab.goto(page.base + path)
            tab.wait_for_selector(ready)
            assert tab.evaluate(_LABELLED) == [], path
            assert not tab.evaluate(_WIDE), f"{path} is wider than a phone"
            assert tab.locator("h1").count() == 1
            assert contrast(tab) >= 4.5, (path, scheme)
            assert violations(tab) == [], (path, scheme)
        phone.close()


def contrast(tab: Any) -> float:
    """The least contrast of text, of those whose own background is known."""
    return float(
        tab.evaluate(
            """() => {
  const parse = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const light = (c) => { const f = (v) => { v /= 255; return v <= .03928 ? v / 12.92
    : ((v + .055) / 1.055) ** 2.4; }; return .2126 * f(c[0]) + .7152 * f(c[1]) + .0722 * f(c[2]); };
  let least = 21;
  for (const element of document.querySelectorAll('main *')) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !element.getClientRects().length) continue;
    if (element.closest('svg, .js-plotly-plot, :disabled')) continue;
    let back = null;
    for (let at = element; at && !back; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!colour.startsWith('rgb')) { back = 'unknown'; break; }
      const parts = parse(colour);
      if (parts.length === 3 || parts[3] === 1) back = parts;
      else if (parts[3] > 0) back = 'unknown';
    }
    if (!Array.isArray(back)) continue;
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(back)];
    least = Math.min(least, (Math.max(a, b) + .05) / (Math.min(a, b) + .05));
  }
  return least;
}"""
        )
    )


def test_a_file_can_be_dropped(tab: Any) -> None:
    tab.evaluate(
        """(text) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], 'dropped.csv'));
  for (const kind of ['dragenter', 'dragover', 'drop'])
    document.querySelector('.drop').dispatchEvent(
      new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true }));
}""",
        compas_csv(40).decode(),
    )
    tab.wait_for_url("**/data/*")
    tab.wait_for_selector("#label")
    assert text_of(tab, "h1") == "dropped.csv"


def test_light_and_dark_can_be_chosen_and_are_remembered(tab: Any) -> None:
    paper = "() => getComputedStyle(document.body).backgroundColor"
    light = tab.evaluate(paper)
    tab.click("#theme")
    tab.click("#theme")
    assert text_of(tab, "#theme") == "Theme: dark"
    dark = tab.evaluate(paper)
    assert dark != light
    tab.reload()
    tab.wait_for_selector(".drop")
    assert tab.evaluate(paper) == dark
    tab.click("#theme")
    assert tab.evaluate(paper) == light


def test_runs_and_data_can_be_deleted(tab: Any, page: Page) -> None:
    data = page.dataset(compas_csv(100), "to delete.csv")
    run = page.wait(page.run(data, label="recidivated", regularization="0.1"))
    tab.reload()
    tab.get_by_role("button", name=f"Delete the run “{run['name']}”").first.click()
    tab.get_by_role("dialog").get_by_role("button", name="Delete").click()
    tab.wait_for_function("(id) => !document.querySelector(`a[href='/runs/${id}']`)", arg=run["id"])
    assert page.client.get(f"/api/runs/{run['id']}").status_code == 404
    tab.get_by_role("button", name="Delete the data set “to delete.csv”").click()
    tab.get_by_role("dialog").get_by_role("button", name="Delete").click()
    tab.wait_for_function("(id) => !document.querySelector(`a[href='/data/${id}']`)", arg=data)


def test_an_example_that_is_clicked_twice_is_one_data_set(tab: Any, page: Page) -> None:
    before = len(page.get("/api/datasets"))
    tab.dblclick("button.example")
    tab.wait_for_url("**/data/*")
    tab.wait_for_selector("#next")
    assert len(page.get("/api/datasets")) == before + 1
    # Whoever comes back can take another one.
    tab.go_back()
    tab.wait_for_selector("button.example")
    tab.locator("button.example").nth(1).click()
    tab.wait_for_url("**/data/*")
    assert len(page.get("/api/datasets")) == before + 2
