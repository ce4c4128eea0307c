from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest

from surelist import RuleListClassifier, demo
from surelist.datasets import load_breast_cancer, load_tic_tac_toe

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def test_the_demo_prints_a_certified_rule_list() -> None:
    finished = subprocess.run(
        [sys.executable, "-m", "surelist.demo"], capture_output=True, text=True, timeout=300
    )
    assert (finished.returncode, finished.stderr) == (0, "")
    text = finished.stdout
    assert re.search(r"^    if \(.+ < [\d.]+\) then predict (benign|malignant)$", text, re.M)
    assert re.search(r"^    else predict (benign|malignant)$", text, re.M)
    assert re.search(r"^status +optimal: proven", text, re.M)
    assert re.search(r"^objective +0\.\d{6} = loss", text, re.M)
    assert re.search(r"^lower bound +the same$", text, re.M)
    assert re.search(r"^accuracy +9\d\.\d% in training, \d\d\.\d% on 143 tumours", text, re.M)
    assert re.search(r"^search +\d+ antecedents, \d+ groups, [\d,]+ prefixes in", text, re.M)
    assert max(map(len, text.splitlines())) <= 100


def test_the_demo_says_what_the_model_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main() == 0
    text = capsys.readouterr().out
    data = load_breast_cancer()
    held_back = np.arange(len(data.y)) % 4 == 0
    model = RuleListClassifier(0.005, max_clauses=1).fit(data.X[~held_back], data.y[~held_back])
    for line in model.rule_list_.rename(data.feature_names).lines():
        assert f"    {line}\n" in text
    accuracy = np.mean(model.predict(data.X[held_back]) == data.y[held_back])
    assert f"{accuracy:.1%} on 143 tumours held back" in text


def test_tic_tac_toe_has_every_final_board_once() -> None:
    boards = load_tic_tac_toe()
    assert boards.X.shape == (958, 27)
    assert boards.X.dtype == np.uint8
    assert len({row.tobytes() for row in boards.X}) == 958
    assert (boards.X.reshape(958, 9, 3).sum(axis=2) == 1).all()
    assert boards.feature_names[:3] == ("top-left = x", "top-left = o", "top-left = blank")
    assert len(set(boards.feature_names)) == 27
    # The counts of the well-known data set: 626 won by x, 316 by o, 16 draws.
    x, o = boards.X[:, 0::3] == 1, boards.X[:, 1::3] == 1
    won_by_x = np.any([x[:, line].all(axis=1) for line in LINES], axis=0)
    won_by_o = np.any([o[:, line].all(axis=1) for line in LINES], axis=0)
    assert (won_by_x.sum(), won_by_o.sum(), (~won_by_x & ~won_by_o).sum()) == (626, 316, 16)
    assert not (won_by_x & won_by_o).any()
    assert ((boards.y == "yes") == won_by_x).all()
    assert (np.isin(x.sum(axis=1) - o.sum(axis=1), (0, 1))).all()


def test_breast_cancer_is_cut_at_quartiles() -> None:
    data = load_breast_cancer()
    assert data.X.shape == (569, 90)
    assert len(set(data.feature_names)) == 90
    assert sorted(set(data.y.tolist())) == ["benign", "malignant"]
    shares = data.X.mean(axis=0).reshape(30, 3)
    # Rounding the cuts to three digits moves a few rows across them.
    np.testing.assert_allclose(shares, np.tile([0.25, 0.5, 0.75], (30, 1)), atol=0.02)
    assert all(re.fullmatch(r"[a-z ]+ < \d+(\.\d+)?", name) for name in data.feature_names)


def test_the_eight_lines_are_found_on_the_boards() -> None:
    """With three clauses the first look finds what wins; the proof takes longer than a test may."""
    boards = load_tic_tac_toe()
    with pytest.warns(match="not certified optimal"):
        model = RuleListClassifier(0.01, max_clauses=3, max_prefixes=1).fit(boards.X, boards.y)
    assert model.score(boards.X, boards.y) > 0.98
    assert len(model.rule_list_) == 8
    assert 0 < model.lower_bound_ < model.objective_
