"""Fixtures of tests of the page: the page, a browser, and tabs in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from browsing import chromium, let_in
from web_server import Page, serving


@pytest.fixture(scope="module")
def server_flags() -> Sequence[str]:
    """Flags of ``surelist serve``; a module that needs some has its own fixture of this name."""
    return ()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, server_flags: Sequence[str]) -> Iterator[Page]:
    """The page in a process and a folder of its own."""
    with serving(tmp_path_factory.mktemp("page"), *server_flags) as page:
        yield page


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture
def tab(browser: Any, page: Page) -> Iterator[Any]:
    """A tab that was let in; whatever it complains of fails the test."""
    with let_in(browser, page) as made:
        yield made.pages[0]


@pytest.fixture
def phone(browser: Any, page: Page) -> Iterator[Any]:
    """The same, on the narrow screen of a phone."""
    with let_in(browser, page, viewport={"width": 390, "height": 844}) as made:
        yield made.pages[0]
