"""The folder of the page: its own, closed to others, and empty of what was deleted."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from web_server import compas_csv, serving, until

from surelist.errors import InputError
from surelist.web.folder import MARK, claimed
from surelist.web.store import Store


def contents(folder: Path) -> dict[str, bytes | None]:
    """Everything in a folder, to the byte."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


# Whose folder it is.


@pytest.mark.parametrize("name", ["thesis.txt", "runs/thesis.txt", "data/thesis/chapter.txt"])
def test_what_somebody_put_into_the_page_s_folder_is_left_alone(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "page"
    with claimed(folder):
        pass
    thesis = folder / name
    thesis.parent.mkdir(parents=True, exist_ok=True)
    thesis.write_text("years of work")
    thesis.chmod(0o644)
    with (
        pytest.raises(InputError, match=r"thesis.*not the page's; move that elsewhere"),
        claimed(folder),
    ):
        pass
    assert mode(thesis) == 0o644
    thesis.unlink()
    while thesis.parent not in (folder, folder / "runs", folder / "data"):
        thesis = thesis.parent
        thesis.rmdir()
    with claimed(folder):
        pass


@pytest.mark.parametrize(
    "files",
    [
        {"uploads/thesis.csv": b"years of work"},
        {"data/raw.csv": b"a,b\n", "uploads/0123456789abcdef": b"also mine"},
        {"notes.txt": b"mine"},
        {"lock": b"of another program"},
        {"surelist.db": b"not a database"},
        {"surelist.db": b"SQLite format 3\0", "uploads/thesis.csv": b"years of work"},
        {"surelist-page.txt": b"surelist page 2\n"},
    ],
)
def test_a_folder_with_anything_else_is_refused_and_stays_as_it_is(
    tmp_path: Path, files: dict[str, bytes]
) -> None:
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    tmp_path.chmod(0o755)
    before = contents(tmp_path)
    with pytest.raises(InputError) as refused, claimed(tmp_path):
        pass
    assert refused.value.code in ("folder_newer", "folder_shared", "folder_foreign")
    assert refused.value.facts["folder"] == tmp_path
    assert contents(tmp_path) == before
    assert mode(tmp_path) == 0o755


def test_the_command_refuses_the_folder_of_a_project(tmp_path: Path) -> None:
    thesis = tmp_path / "uploads" / "thesis.csv"
    thesis.parent.mkdir()
    thesis.write_bytes(b"years of work")
    finished = subprocess.run(
        [
            *(sys.executable, "-m", "surelist.cli", "serve", "--no-browser", "--port", "0"),
            *("--folder", str(tmp_path)),
        ],
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 2
    assert "it holds 'uploads', which is not the page's" in finished.stderr
    assert "name a new or an empty folder" in finished.stderr
    assert contents(tmp_path) == {"uploads": None, "uploads/thesis.csv": b"years of work"}


def test_the_page_deletes_only_what_it_has_made(tmp_path: Path) -> None:
    with claimed(tmp_path):
        assert (tmp_path / MARK).read_text().startswith("surelist page 1\n")
        Store(tmp_path).close()
        mine = [tmp_path / "mine.txt", tmp_path / "uploads" / "mine.csv", tmp_path / "runs" / "a"]
        for path in mine:
            path.write_bytes(b"years of work")
        for name in ("uploads/0123456789abcdef", "runs/0123456789abcdef"):
            (tmp_path / name).write_bytes(b"left by a page that was killed")
        Store(tmp_path).close()
        assert all(path.read_bytes() == b"years of work" for path in mine)
        assert not list(tmp_path.rglob("0123456789abcdef"))
    with pytest.raises(InputError, match=r"it holds 'mine\.txt'"), claimed(tmp_path):
        pass
    for path in mine:
        path.unlink()
    (tmp_path / ".DS_Store").touch()  # file managers leave such files anywhere
    with claimed(tmp_path):
        pass


def test_a_folder_from_before_there_were_marks_is_taken_over(tmp_path: Path) -> None:
    store = Store(tmp_path)
    data = store.new_id()
    store.data_folder(data).mkdir()
    store.add_dataset(data, "people.csv", "table", 1, {"rows": 1, "columns": []})
    store.close()
    (tmp_path / "lock").touch()
    with claimed(tmp_path):
        store = Store(tmp_path)
        assert [each["id"] for each in store.datasets()] == [data]
        assert store.data_folder(data).exists()
        store.close()


def test_a_page_that_was_killed_as_it_began_can_begin_again(tmp_path: Path) -> None:
    for names in ((), ("lock",), ("lock", MARK)):
        for name in names:
            (tmp_path / name).write_bytes(b"")
        with claimed(tmp_path):
            assert (tmp_path / MARK).stat().st_size > 0
        (tmp_path / MARK).unlink()


# Who may read it.


def test_nobody_else_can_read_what_is_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    with serving(folder, umask=0o022) as page:
        data = page.dataset(compas_csv(80), "people.csv")
        run = page.wait(page.run(data, label="recidivated", regularization="0.1"))["id"]
        for kind in ("rules.txt", "predictions.csv"):
            assert page.client.get(f"/api/runs/{run}/downloads/{kind}").status_code == 200
        page.client.post("/api/uploads", params={"name": "half.csv"}, content=b"a\n1\n")
        found = [folder, *folder.rglob("*")]
    assert {path.name for path in found} >= {
        "surelist.db",
        "surelist.db-wal",
        "source",
        "model.json",
    }
    for path in found:
        if path.exists():
            assert mode(path) == (0o700 if path.is_dir() else 0o600), path
    assert not list((folder / "uploads").iterdir())


def test_what_was_readable_before_is_closed(tmp_path: Path) -> None:
    Store(tmp_path).close()
    for path in (tmp_path / "surelist.db", tmp_path / "data", tmp_path):
        path.chmod(0o755 if path.is_dir() else 0o644)
    with claimed(tmp_path):
        assert mode(tmp_path) == mode(tmp_path / "data") == 0o700
        assert mode(tmp_path / "surelist.db") == 0o600


@pytest.mark.skipif(os.name != "posix", reason="browsers are opened by a shell script")
def test_the_secret_is_not_among_the_arguments_of_the_browser(tmp_path: Path) -> None:
    seen, browser, folder = tmp_path / "seen", tmp_path / "browser", tmp_path / "kept"
    browser.write_text(f'#!/bin/sh\necho "$@" > {seen}.part\nmv {seen}.part {seen}\n')
    browser.chmod(0o755)
    environment = {**os.environ, "BROWSER": f"{browser} %s"}
    with serving(folder, "--browser", umask=0o022, env=environment) as page:
        until(seen.exists)
        argument = seen.read_text().strip()
        door = folder / "open.html"
        assert argument == door.as_uri()
        assert page.token not in argument
        assert mode(door) == 0o600
        assert page.url.replace("&", "&amp;") in door.read_text()
        # It goes when it has been used.
        assert httpx.get(f"{page.base}/?token=wrong").status_code == 401
        assert door.exists()
        assert httpx.get(page.url).status_code == 200
        until(lambda: not door.exists())


# What is deleted.


def test_what_is_deleted_leaves_no_trace(tmp_path: Path) -> None:
    patient = "Wilhelmine Unverzagt"
    rows = "".join(f"{patient} {n},{n % 7},{'yes' if n % 7 > 3 else 'no'}\n" for n in range(400))
    table = f"patient,severity_of_it,outcome_of_it\n{rows}".encode()
    words = (b"Unverzagt", b"severity_of_it", b"outcome_of_it", b"clinic", b"my secret run")
    with serving(tmp_path) as page:
        stays = page.dataset(compas_csv(60), "stays.csv")
        data = page.dataset(table, "clinic.csv")
        settings = {"label": "outcome_of_it", "regularization": "0.05"}
        runs = [page.wait(page.run(data, **settings))["id"] for _ in range(2)]
        for run in runs:
            page.client.patch(f"/api/runs/{run}", json={"name": "my secret run"})
        assert page.client.get(f"/api/runs/{runs[0]}/downloads/predictions.csv").status_code == 200
        assert traces(tmp_path, words)
        # One run by itself, and the other with the data.
        assert page.client.delete(f"/api/runs/{runs[0]}").status_code == 204
        assert page.client.delete(f"/api/datasets/{data}").status_code == 204
        assert traces(tmp_path, words) == []
        assert (tmp_path / "surelist.db-wal").stat().st_size == 0
        assert [each["id"] for each in page.get("/api/datasets")] == [stays]
    assert traces(tmp_path, words) == []
    with contextlib.closing(sqlite3.connect(tmp_path / "surelist.db")) as database:
        assert database.execute("PRAGMA freelist_count").fetchone() == (0,)


def traces(folder: Path, words: tuple[bytes, ...]) -> list[tuple[str, bytes]]:
    """Every file of a folder that a word is in, by name or by content."""
    found = []
    for path in folder.rglob("*"):
        text = path.name.encode() + (path.read_bytes() if path.is_file() else b"")
        found += [(path.name, word) for word in words if word in text]
    return found


def test_a_deletion_that_was_cut_short_is_finished_by_the_next_page(tmp_path: Path) -> None:
    store = Store(tmp_path)
    data, run = store.new_id(), store.new_id()
    for folder in (store.data_folder(data), store.run_folder(run)):
        folder.mkdir()
        (folder / "file").write_bytes(b"patients")
    store.add_dataset(data, "people.csv", "table", 1, {"rows": 1, "columns": []})
    store.add_run(run, data, "run", {})
    # The database has forgotten it, and then the page was killed.
    with sqlite3.connect(tmp_path / "surelist.db") as database:
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("DELETE FROM datasets")
    database.close()
    store.close()
    Store(tmp_path).close()
    assert not store.data_folder(data).exists()
    assert not store.run_folder(run).exists()
