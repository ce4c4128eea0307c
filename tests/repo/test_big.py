"""The benchmark of a hundred million rows, on few."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import big


def test_a_small_benchmark(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["--rows", "20000", "--threads", "1", "--folder", str(tmp_path), "--verify"]
    assert big.main(arguments) == 0
    found = json.loads(capfd.readouterr().out)
    assert (found["rows"], found["columns"], found["status"]) == (20_000, 20, "optimal")
    assert found["verified"].startswith("Verified: ")
    assert 0 < found["groups"] < 20_000
    assert found["bytes"] == sum(file.stat().st_size for file in tmp_path.glob("*.parquet"))
    assert [file.suffix for file in tmp_path.iterdir() if file.is_file()] == [".parquet"]
