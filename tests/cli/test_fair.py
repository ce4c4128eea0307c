"""``surelist fair``: the front in a terminal, as JSON and as a picture."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cli_helpers import Captured, run

from surelist import Fairness, RuleListClassifier, load


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


def test_bundles_say_that_they_hold_no_proof_of_a_fair_list(
    people: Path, tmp_path: Path, capsys: Captured
) -> None:
    model, proof = tmp_path / "fair.json", tmp_path / "fair.cert"
    flags = ["--label", "y", "--sensitive", "group", "--positive", "hired"]
    demand = ["--fairness", "statistical_parity", "--tolerance", "0.1"]
    files = ["--output", model, "--certificate", proof]
    assert run(capsys, "fit", people, *flags, *demand, *files).code == 0
    done = run(capsys, "bundle", model, proof, people, "--output", tmp_path / "b.zip")
    assert done.code == 2
    assert "is a proof of a fair list, which bundles do not hold" in done.err
    assert run(capsys, "verify", proof, people).code == 0


def test_fit_keeps_to_a_demand_and_says_what_it_means(
    people: Path, tmp_path: Path, capsys: Captured
) -> None:
    flags = ["--label", "y", "--sensitive", "group", "--positive", "hired"]
    demand = ["--fairness", "statistical_parity", "--tolerance", "0.1", "--max-error", "a=0.45"]
    files = ["--certificate", tmp_path / "proof.cert", "--output", tmp_path / "model.json"]
    done = run(capsys, "fit", people, *flags, *demand, *files)
    assert done.code == 0
    assert "Predicted hired: " in done.out
    assert "Metrics exclude each other" in done.out
    assert "does not ask about group can still discriminate" in done.out
    report = load(tmp_path / "model.json").fairness_
    assert report.positive == "hired"
    assert report.unfairness("statistical_parity") <= Fraction(1, 10)
    assert report.groups[0].error_rate <= Fraction(45, 100)
    verdict = run(capsys, "verify", tmp_path / "proof.cert", people)
    assert verdict.code == 0
    assert "max_error 9/20 for a between the groups a, b of group" in verdict.out
    rows = pd.read_csv(people)
    same = RuleListClassifier(
        fairness=Fairness(
            "statistical_parity", "group", 0.1, positive="hired", max_error={"a": 0.45}
        )
    ).fit(rows.drop(columns="y"), rows["y"])
    again = run(capsys, "fit", people, *flags, *demand, "--json")
    assert again.json["objective"] == same.objective_
    assert again.json["fairness"] == same.fairness_.to_dict()


def test_bounds_alone_are_a_demand(people: Path, capsys: Captured) -> None:
    flags = ["--label", "y", "--sensitive", "group", "--positive", "hired", "--json"]
    done = run(capsys, "fit", people, *flags, "--min-selection", "b=0.9", "--max-selection", "1")
    group = done.json["fairness"]["groups"][1]
    assert group["name"] == "b"
    assert Fraction(group["selection_rate"]) >= Fraction(9, 10)


WRONG = [
    (["--tolerance", "0.1"], "--tolerance has no effect alone"),
    (["--fairness", "luck", "--sensitive", "group"], "metric must be one of"),
    (["--fairness", "equalized_odds"], "--sensitive COLUMN has to name"),
    (["--sensitive", "group", "--max-error", "a=x"], "--max-error"),
    (["--sensitive", "group", "--max-error", "a=.1", "--max-error", ".1"], "write GROUP=RATE"),
    (["--sensitive", "group", "--max-error", "z=.1"], "there is no group 'z'"),
    (["--fairness", "equalized_odds", "--sensitive", "group", "--positive", "x"], "no label 'x'"),
]


@pytest.mark.parametrize(("flags", "message"), WRONG)
def test_wrong_demands_are_explained(
    people: Path, capsys: Captured, flags: list[str], message: str
) -> None:
    done = run(capsys, "fit", people, "--label", "y", *flags)
    assert done.code == 2
    assert message in done.err


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


def test_rates_on_rows_that_were_held_out_are_shown_and_drawn(
    people: Path, tmp_path: Path, capsys: Captured
) -> None:
    flags = ["--label", "y", "--sensitive", "group", "--positive", "hired", "--held-out", "0.25"]
    files = ["--output", tmp_path / "front.json", "--plot", tmp_path / "front.png"]
    done = run(capsys, "fair", people, *flags, *files)
    assert done.code == 0
    assert not done.err
    front = json.loads((tmp_path / "front.json").read_text(encoding="utf-8"))
    assert done.out.count("on rows that were held out:") == len(front["points"])
    for reports, n_rows in (
        (front["held_out"], 50),
        ([p["fairness"] for p in front["points"]], 150),
    ):
        for report in reports:
            groups = report["groups"]
            counts = [v for g in groups for k, v in g.items() if k.endswith(("tives",))]
            assert sum(counts) == n_rows
    assert (tmp_path / "front.png").read_bytes().startswith(b"\x89PNG")
    done = run(capsys, "fair", people, *flags[:-1], "1.5")
    assert (done.code, "--held-out must be a share" in done.err) == (2, True)


def test_each_point_has_a_model_and_a_proof(people: Path, tmp_path: Path, capsys: Captured) -> None:
    flags = ["--label", "y", "--sensitive", "group", "--positive", "hired"]
    folder = tmp_path / "proofs"
    done = run(capsys, "fair", people, *flags, "--proofs", folder, "--json")
    assert done.code == 0
    for number, point in enumerate(done.json["points"], 1):
        model = load(folder / f"point-{number}.json")
        assert str(model.objective_exact_) == point["objective"]
        said = run(capsys, "verify", folder / f"point-{number}.cert", people, "--label", "y")
        assert (said.code, "of group, where 'hired' is the positive class" in said.out) == (0, True)
    again = run(capsys, "fair", people, *flags, "--proofs", folder)
    assert (again.code, "exists already" in again.err) == (2, True)
    # That is known before the search, which would be lost otherwise.
    assert again.out == ""
    missing = run(capsys, "fair", tmp_path / "none.csv", *flags, "--proofs", folder)
    assert (missing.code, "exists already" in missing.err) == (2, True)
    file = run(capsys, "fair", people, *flags, "--proofs", people)
    assert (file.code, "is no folder" in file.err) == (2, True)
    both = run(capsys, "fair", people, *flags, "--proofs", folder, "--held-out", "0.2")
    assert (both.code, "choose one of them" in both.err) == (2, True)
