"""Who may talk to the page, and what it gives away."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from web_server import Page, compas_csv, serving

from surelist.web.downloads import safe_cell
from surelist.web.security import HEADERS


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with serving(tmp_path_factory.mktemp("page") / "kept here") as page:
        yield page


def host_of(page: Page) -> str:
    return page.base.removeprefix("http://")


def test_it_listens_on_this_machine_alone(page: Page) -> None:
    assert page.base.startswith("http://127.0.0.1:")
    assert len(page.token) >= 32


def test_nothing_is_shown_without_the_secret(page: Page) -> None:
    for path in (
        "/",
        "/api/start",
        "/api/runs",
        "/api/openapi.json",
        "/api",
        "/data/0",
        "/nowhere",
    ):
        answer = httpx.get(page.base + path)
        assert answer.status_code == 401, path
        assert page.token not in answer.text
    assert httpx.post(page.base + "/api/datasets", json={"example": "iris"}).status_code == 401
    assert httpx.get(page.base + "/?token=wrong").status_code == 401
    assert httpx.get(page.base + "/api/start?token=" + page.token).status_code == 401


def test_the_secret_is_exchanged_for_a_cookie_that_scripts_cannot_read(page: Page) -> None:
    with httpx.Client(base_url=page.base) as browser:
        answer = browser.get(f"/?token={page.token}")
        assert answer.status_code == 200
        assert 'content="0; url=/"' in answer.text
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert page.token not in cookie
        assert browser.get("/api/start").status_code == 200
        # What changes something has to say that it comes from our own page.
        assert browser.post("/api/datasets", json={"example": "iris"}).status_code == 403
        mine = {"origin": page.base}
        made = browser.post("/api/datasets", json={"example": "iris"}, headers=mine)
        assert made.status_code == 201


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1.evil.example:{port}", ""],
)
def test_another_host_is_refused(page: Page, host: str) -> None:
    port = page.base.rpartition(":")[2]
    answer = page.client.get("/api/start", headers={"host": host.format(port=port)})
    assert answer.status_code in (400, 421)


def test_localhost_is_us(page: Page) -> None:
    port = page.base.rpartition(":")[2]
    answer = page.client.get("/api/start", headers={"host": f"localhost:{port}"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_other_sites_cannot_change_anything(page: Page, headers: dict[str, str]) -> None:
    answer = page.client.post("/api/datasets", json={"example": "iris"}, headers=headers)
    assert answer.status_code == 403


def test_every_answer_carries_the_headers(page: Page) -> None:
    answers = [
        page.client.get(path)
        for path in ("/", "/api/start", "/api/runs/nothing", "/static/style.css", "/nowhere")
    ]
    answers.append(httpx.get(page.base + "/"))
    answers.append(page.client.get("/api/start", headers={"host": "evil.example"}))
    for answer in answers:
        for name, value in HEADERS.items():
            assert answer.headers[name] == value, (answer.url, name)
        assert "server" not in answer.headers
        assert "access-control-allow-origin" not in answer.headers


def test_the_policy_allows_no_inline_and_no_foreign_code() -> None:
    policy = HEADERS["content-security-policy"]
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy


def test_pages_have_no_inline_code_and_load_nothing_from_elsewhere() -> None:
    web = Path(__file__).resolve().parents[2] / "src" / "surelist" / "web"
    files = [path for kind in ("html", "css", "js") for path in web.rglob(f"*.{kind}")]
    assert web / "page.html" in files
    assert len(files) > 15
    for path in files:
        text = path.read_text(encoding="utf-8")
        foreign = set(re.findall(r"https?://[^\s\"')]+", text)) - {"http://www.w3.org/2000/svg"}
        assert not foreign, path
        if path.suffix == ".html":
            assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|\sstyle=", text), path
        if path.suffix == ".js":
            assert not re.search(
                r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function",
                text,
            ), path


def test_what_is_kept_is_for_its_owner_alone(page: Page) -> None:
    data = page.dataset(compas_csv(50))
    for folder in (page.folder, page.folder / "data", page.folder / "data" / data):
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700  # noqa: PTH116


def test_names_are_shown_but_never_paths(page: Page) -> None:
    before = {path.name for path in page.folder.iterdir()}
    for name in (
        "../../../escaped.csv",
        "/etc/escaped.csv",
        "..\\..\\escaped.csv",
        "a\0escaped.csv",
    ):
        answer = page.send(compas_csv(50), name)
        assert answer.status_code == 201
        assert answer.json()["name"].endswith("escaped.csv")
        assert "/" not in answer.json()["name"]
    assert {path.name for path in page.folder.iterdir()} == before
    assert not list(page.folder.parent.rglob("*escaped*"))


@pytest.mark.parametrize("name", ["../../etc/passwd", "%2e%2e%2fsurelist.db", "0" * 15, "Z" * 16])
def test_identifiers_are_no_paths_either(page: Page, name: str) -> None:
    for path in (f"/api/runs/{name}", f"/api/datasets/{name}", f"/api/datasets/{name}/file"):
        assert page.client.get(path).status_code == 404
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py"):
        assert page.client.get(path).status_code == 404


def test_errors_have_no_paths_and_no_tracebacks(page: Page) -> None:
    answers = [
        page.send(b"a,b\n1,2\n1\n"),
        page.send(b"\x00\x01\x02\x03"),
        page.send(b"PAR1 not really"),
        page.client.post("/api/runs", json={"dataset": "x"}),
        page.client.post("/api/runs", content=b"{", headers={"content-type": "application/json"}),
        page.client.get("/api/nowhere"),
        page.client.get("/api/runs/0123456789abcdef"),
    ]
    for answer in answers:
        assert answer.status_code >= 400
        text = answer.json()["error"]
        assert str(page.folder) not in text
        assert not re.search(r"/\w+/\w+|Traceback|\.py\b|line \d+, in", text), text


def test_large_requests_are_refused_before_they_are_read(page: Page) -> None:
    body = b'{"name": "' + b"x" * 5_000_000 + b'"}'
    answer = page.client.post(
        "/api/runs", content=body, headers={"content-type": "application/json"}
    )
    assert answer.status_code == 413

    def pieces() -> Iterator[bytes]:
        yield b"{}"

    assert page.client.post("/api/runs", content=pieces()).status_code == 411


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", " =1"])
def test_no_cell_is_a_formula(text: str) -> None:
    assert safe_cell(text) == "'" + text


@pytest.mark.parametrize("text", ["", "plain", "-5", "+1.5", "-1e9", "a=b", "x-y"])
def test_other_cells_stay_as_they_are(text: str) -> None:
    assert safe_cell(text) == text
