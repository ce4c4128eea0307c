"""``surelist fit --checkpoint`` and ``surelist resume``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from cli_helpers import Captured, run
from kills import problem

import surelist


def test_a_stopped_search_goes_on(tmp_path: Path, capfd: Captured) -> None:
    rows, kept, model = tmp_path / "rows.csv", tmp_path / "kept", tmp_path / "model.json"
    X, y, penalty = problem()
    names = ",".join([*(f"x{i}" for i in range(X.shape[1])), "y"])
    np.savetxt(rows, np.column_stack([X, y]), "%d", ",", header=names, comments="")
    given = ("fit", rows, "--label", "y", "--max-clauses", 1, "-r", penalty, "--json")
    stopped = run(capfd, *given, "--checkpoint", kept, "--max-prefixes", 1)
    assert stopped.code == 3
    again = run(capfd, *given, "--checkpoint", kept)
    assert again.code == 2
    assert "surelist resume" in again.err
    resumed = run(capfd, "resume", kept, "--max-prefixes", 10**9, "-o", model, "--json")
    assert resumed.code == 0
    whole = run(capfd, *given)
    assert resumed.json["objective_exact"] == whole.json["objective_exact"]
    assert resumed.json["checkpoint"] == str(kept)
    loaded = surelist.load(model)
    assert loaded.checkpoint is None
    assert loaded.feature_names_in_.tolist() == names.split(",")[:-1]
    shown = run(capfd, "resume", kept)
    assert shown.code == 0
    assert "optimal: proven" in shown.out


def test_resume_says_what_is_wrong(tmp_path: Path, capfd: Captured) -> None:
    finished = run(capfd, "resume", tmp_path / "nothing")
    assert finished.code == 2
    assert "cannot be read" in finished.error
    other = tmp_path / "other"
    other.write_text("something else\n")
    assert "no checkpoint" in run(capfd, "resume", other).error
