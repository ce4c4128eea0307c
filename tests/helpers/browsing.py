"""A real browser for tests of the page: Debian's chromium, driven by playwright.

Where there is no chromium these tests skip, saying so; `.ci/run` installs it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from repository import ROOT
from web_server import Page

__all__ = [
    "WAIT",
    "assert_accessible",
    "choose_data",
    "chromium",
    "let_in",
    "text_of",
    "upload",
    "violations",
]

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
WAIT = 180_000  # ms; generous, because the machine may be busy

_AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
_COLOURS = ("color-contrast", "link-in-text-block")


@contextmanager
def chromium() -> Iterator[Any]:
    """Start the browser; skip the test where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api")
    path = os.environ.get("SURELIST_CHROMIUM") or shutil.which("chromium")
    if path is None:
        pytest.skip("no chromium; apt-get install chromium, or set SURELIST_CHROMIUM to its path")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield started
        started.close()


@contextmanager
def let_in(browser: Any, page: Page, **more: Any) -> Iterator[Any]:
    """Open the page in a context of its own; whatever the browser complains of fails the test."""
    look = {"viewport": {"width": 1280, "height": 900}, **more}
    made = browser.new_context(accept_downloads=True, reduced_motion="reduce", **look)
    made.set_default_timeout(WAIT)
    complaints: list[str] = []

    def heard(message: Any) -> None:
        if message.type == "error":
            complaints.append(message.text)

    made.on("console", heard)
    made.on("weberror", lambda error: complaints.append(str(error.error)))
    made.on("request", lambda request: complaints.append(request.url) if foreign(request) else None)
    tab = made.new_page()
    tab.goto(page.url)
    tab.wait_for_selector(".drop")
    assert "token" not in tab.url
    yield made
    made.close()
    refused = [text for text in complaints if "status of 4" not in text]
    assert not refused


def foreign(request: Any) -> bool:
    return not request.url.startswith(("http://127.0.0.1:", "data:", "blob:"))


def upload(tab: Any, path: Path) -> None:
    tab.set_input_files("#file", str(path))


def choose_data(tab: Any, path: Path) -> None:
    upload(tab, path)
    tab.wait_for_url("**/data/*")
    tab.wait_for_selector("#label")


def text_of(tab: Any, selector: str) -> str:
    return str(tab.inner_text(selector))


def violations(tab: Any, rules: Sequence[str] = ()) -> list[str]:
    """What axe-core has against the page as it is shown; by these ``rules`` or all."""
    if not _AXE.is_file():
        pytest.skip("no axe-core; npm ci installs it")
    if not tab.evaluate("() => 'axe' in window"):
        tab.evaluate(_AXE.read_text(encoding="utf-8"))
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    found = tab.evaluate("(options) => axe.run(document, options)", options)
    return [
        f"{each['id']}: {each['help']}: {node['html'][:200]}"
        for each in found["violations"]
        for node in each["nodes"][:3]
    ]


def assert_accessible(tab: Any) -> None:
    """Hold what is shown against axe-core in both themes, and against the width of the window.

    Themes differ in colours alone, so in the second one the rules about colours are enough.
    """
    for theme, rules in (("light", ()), ("dark", _COLOURS)):
        tab.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        found = violations(tab, rules)
        assert not found, "\n".join([theme, *found])
    assert not tab.evaluate("() => document.documentElement.scrollWidth > innerWidth + 1")
