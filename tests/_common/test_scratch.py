"""Temporary folders: gone with their owner, or with the next process after it was killed."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from surelist._common import scratch as _scratch
from surelist._common.scratch import Scratch, remove_abandoned

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")

OWNER = """
import sys, time
from surelist._common.scratch import Scratch
scratch = Scratch(sys.argv[1])
(scratch.path / "rows").write_bytes(bytes(1000))
print(scratch.path, flush=True)
time.sleep(600)
"""
QUERY = """
import sys, time
from surelist.sources.duckdb.database import Database
database = Database(temp_directory=sys.argv[1])
database.create("AS SELECT range AS a FROM range(100000)")
print(database.folder, flush=True)
time.sleep(600)
"""


@contextmanager
def _process(program: str, place: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """Another process, and the folder that it has made."""
    command = [sys.executable, "-c", program, str(place)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, Path(process.stdout.readline().strip())
        finally:
            process.kill()


@pytest.mark.parametrize("program", [OWNER, QUERY])
def test_what_a_killed_process_left_goes_with_the_next_one(program: str, tmp_path: Path) -> None:
    if program is QUERY:
        pytest.importorskip("duckdb")
    with _process(program, tmp_path) as (process, folder):
        mine = Scratch(tmp_path)
        assert folder.parent == mine.path.parent == tmp_path
        assert any(folder.iterdir())
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert folder.is_dir()
    other = Scratch(tmp_path)
    assert not folder.exists()
    assert mine.path.is_dir()
    for scratch in (mine, other):
        scratch.close()
    assert not any(tmp_path.iterdir())


def test_what_somebody_uses_stays(tmp_path: Path) -> None:
    with _process(OWNER, tmp_path) as (_, folder):
        mine = Scratch(tmp_path)
        remove_abandoned(tmp_path)
        assert (folder / "rows").is_file()
        assert mine.path.is_dir()
        mine.close()


def test_an_owner_goes_in_order(tmp_path: Path) -> None:
    program = OWNER.replace("time.sleep(600)", "")
    with _process(program, tmp_path) as (process, folder):
        process.wait()
    assert not folder.exists()
    scratch = Scratch(tmp_path)
    folder = scratch.path
    del scratch
    assert not folder.exists()


def test_a_copy_of_the_process_removes_nothing(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path)
    _scratch._remove(str(scratch.path), None, os.getpid() + 1)
    assert scratch.path.is_dir()
    scratch.close()


def test_what_is_not_ours_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / ".owner").write_text(platform.node())
    link = tmp_path / "surelist-link"
    link.symlink_to(elsewhere)
    (tmp_path / "surelist-file").write_text("")
    unlocked = tmp_path / "surelist-without-lock"
    unlocked.mkdir()
    other = tmp_path / "other-program"
    other.mkdir()
    (other / ".owner").write_text(platform.node())
    far = tmp_path / "surelist-of-another-machine"
    far.mkdir()
    (far / ".owner").write_text("another machine")
    pointing = tmp_path / "surelist-whose-lock-points-elsewhere"
    pointing.mkdir()
    (pointing / ".owner").symlink_to(elsewhere / ".owner")
    left = tmp_path / "surelist-left"
    left.mkdir()
    (left / ".owner").write_text(platform.node())
    before = set(tmp_path.iterdir())
    with monkeypatch.context() as patch:
        patch.setattr(os, "getuid", lambda: 123456)
        remove_abandoned(tmp_path)
    assert set(tmp_path.iterdir()) == before
    remove_abandoned(tmp_path)
    assert set(tmp_path.iterdir()) == before - {left}
    assert elsewhere.is_dir()


def test_without_locks_or_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def refuse(*_: object) -> None:
        raise OSError("no locks here")

    monkeypatch.setattr(fcntl, "flock", refuse)
    scratch = Scratch(tmp_path)
    assert scratch.path.is_dir()
    remove_abandoned(tmp_path)
    assert scratch.path.is_dir()
    scratch.close()
    assert not scratch.path.exists()
    remove_abandoned(tmp_path / "nowhere")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    scratch = Scratch()
    assert scratch.path.parent == tmp_path
    scratch.close()
