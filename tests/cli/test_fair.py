"""``surelist fair``: the front in a terminal, as JSON and as a picture."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cli_helpers import Captured, run

from surelist import Fairness, RuleListClassifier


@pytest.fixture
def people(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    group = rng.choice(["a", "b"], 200)
    skill = rng.random(200) < np.where(group == "a", 0.7, 0.4)
    y = np.where(rng.random(200) < np.where(skill, 0.85, 0.2), "hired", "not")
    path = tmp_path / "people.csv"
    pd.DataFrame({"group": group, "skill": skill.astype(int), "y": y}).to_csv(path, index=False)
    return path


def test_a_front_is_printed_written_and_drawn(
    people: Path, tmp_path: Path, capsys: Captured
) -> None:
    flags = ["--label", "y", "--sensitive", "group", "--positive", "hired"]
    files = ["--output", tmp_path / "front.json", "--plot", tmp_path / "front.png"]
    done = run(capsys, "fair", people, *flags, *files)
    assert done.code == 0
    assert done.out.splitlines()[0].split() == [
        *("tolerance", "unfairness", "objective", "accuracy", "rules", "status")
    ]
    points = json.loads((tmp_path / "front.json").read_text(encoding="utf-8"))["points"]
    assert [point["status"] for point in points] == ["optimal"] * len(points)
    assert points[-1]["unfairness"] == "0"
    assert (tmp_path / "front.png").read_bytes().startswith(b"\x89PNG")
    again = run(capsys, "fair", people, *flags, "--tolerance", "0.1", "--json")
    assert [point["tolerance"] for point in again.json["points"]] == ["1/10"]


def test_what_is_wrong_is_said(people: Path, capsys: Captured) -> None:
    done = run(capsys, "fair", people, "--label", "y", "--sensitive", "colour")
    assert done.code == 2
    assert "there is no sensitive column 'colour'" in done.err
    flags = ["--label", "y", "--sensitive", "group", "--positive", "maybe"]
    done = run(capsys, "fair", people, *flags)
    assert done.code == 2
    assert "there is no label 'maybe'; there are hired, not" in done.err


def test_a_proof_is_verified_in_a_terminal(people: Path, tmp_path: Path, capsys: Captured) -> None:
    rows, proof = pd.read_csv(people), tmp_path / "proof.cert"
    demand = Fairness("statistical_parity", "group", 0.4)
    model = RuleListClassifier(fairness=demand, certificate=proof)
    model.fit(rows.drop(columns="y"), rows["y"])
    done = run(capsys, "verify", proof, people)
    assert done.code == 0
    assert done.out.startswith("Verified: no rule list over these")
    assert "statistical parity within a difference of at most 2/5" in done.out
    other = tmp_path / "other.csv"
    rows.assign(group=rows["group"].to_numpy()[::-1]).to_csv(other, index=False)
    assert run(capsys, "verify", proof, other, "--label", "y").code == 4
