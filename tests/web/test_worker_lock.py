"""The lock of a run's folder: whoever looks at it must not keep a search from beginning."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from surelist.web import worker_lock
from surelist.web.worker_lock import lock_folder, worker_of

fcntl = pytest.importorskip("fcntl")


def test_a_folder_has_one_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert worker_of(tmp_path) is None
    working = lock_folder(tmp_path)
    assert working is not None
    assert worker_of(tmp_path) == os.getpid()
    monkeypatch.setattr(worker_lock, "_PATIENCE", 0.0)
    assert lock_folder(tmp_path) is None
    working.close()
    assert worker_of(tmp_path) is None


def test_who_looks_does_not_keep_a_worker_out(tmp_path: Path) -> None:
    (tmp_path / "worker").touch()
    with (tmp_path / "worker").open() as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)
        # Another who looks is not taken for a worker.
        assert worker_of(tmp_path) is None
        found = []
        waiting = threading.Thread(target=lambda: found.append(lock_folder(tmp_path)))
        waiting.start()
        assert not found
        fcntl.flock(looking, fcntl.LOCK_UN)
    waiting.join()
    assert found[0] is not None
    assert worker_of(tmp_path) == os.getpid()
    found[0].close()
