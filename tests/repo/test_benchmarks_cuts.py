"""The benchmark of all cuts: its examples, and one small table from end to end."""

from __future__ import annotations

import doctest
from pathlib import Path

import numpy as np

from benchmarks.cuts import run
from benchmarks.cuts.fit_lists import fit


def test_examples_in_docstrings() -> None:
    assert doctest.testmod(run).failed == 0


def test_a_list_is_fitted_and_its_proof_is_checked(tmp_path: Path) -> None:
    chance = np.random.default_rng(0)
    values = chance.random((80, 2)).round(2)
    labels = (values[:, 0] > 0.5).astype(np.int32)
    np.savez(tmp_path / "table.npz", values=values, labels=labels)
    found = fit(tmp_path / "table.npz", 2, 1, 10.0)
    assert found["status"] == "optimal"
    assert found["verified"]
    assert found["loss"] == 0
