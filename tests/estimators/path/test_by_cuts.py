"""Does finer cutting help? The optimum for each number of cuts, and rows that were held out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer

from surelist import Binarizer, InputError, RuleListClassifier, objective_by_cuts
from surelist.cli import main
from surelist.plot import plot_by_cuts

mpl.use("Agg")


@pytest.fixture(scope="module")
def rows() -> tuple[pd.DataFrame, pd.Series[Any]]:
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return X.iloc[:, :5], y


SHORT: dict[str, Any] = {"regularization": 0.01, "max_clauses": 1, "max_length": 2}


@pytest.mark.slow
def test_the_objective_falls_and_is_that_of_a_fit(rows: Any) -> None:
    X, y = rows
    found = objective_by_cuts(RuleListClassifier(**SHORT), X, y, cuts=(1, 10, "all"))
    objectives = [row.objective for row in found.rows]
    assert found.certified
    assert objectives[-1] == min(objectives)
    assert found.n_training + found.n_held_out == len(y)
    assert all(row.held_out is not None and 0 < row.held_out < 0.5 for row in found.rows)
    whole = objective_by_cuts(RuleListClassifier(**SHORT), X, y, cuts=["all"], held_out=0)
    model = RuleListClassifier(binarizer=Binarizer(n_cuts="all"), **SHORT).fit(X, y)
    assert whole.rows[0].objective == model.objective_exact_
    assert whole.rows[0].held_out is None


def test_a_table_and_a_picture(rows: Any) -> None:
    X, y = rows
    found = objective_by_cuts(RuleListClassifier(**SHORT), X.to_numpy(), y, cuts=(1, "all"))
    assert str(found).splitlines()[2].split()[0] == "all"
    assert "<table" in found._repr_html_()
    panel = found.plot()
    assert [tick.get_text() for tick in panel.get_xticklabels()] == ["1", "all"]
    with pytest.raises(InputError, match="objective_by_cuts"):
        plot_by_cuts("x")  # type: ignore[arg-type]


def test_what_is_not_certified_shows_its_gap(rows: Any) -> None:
    X, y = rows
    model = RuleListClassifier(0.0001, max_clauses=1, work_limit=0.05)
    found = objective_by_cuts(model, X, y, cuts=["all"])
    assert not found.certified
    assert "gap" in str(found)
    found.plot()


def test_what_makes_no_sense_is_refused(rows: Any) -> None:
    X, y = rows
    odd: list[dict[str, Any]] = [
        {"held_out": 1.0},
        {"held_out": 0.0001},
        {"cuts": "all"},
        {"cuts": []},
    ]
    for given in odd:
        with pytest.raises(InputError):
            objective_by_cuts(RuleListClassifier(**SHORT), X, y, **given)


@pytest.mark.slow
def test_the_command_line(rows: Any, tmp_path: Path, capsys: Any) -> None:
    X, y = rows
    data, picture = tmp_path / "data.csv", tmp_path / "cuts.png"
    X.assign(kind=y).to_csv(data, index=False)
    how = ["--label", "kind", "--max-clauses", "1", "--max-length", "2", "--cuts", "1,all"]
    assert main(["path", str(data), *how, "--plot", str(picture), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["n_cuts"] for each in found["cuts"]] == [1, "all"]
    assert picture.stat().st_size > 1000
    assert main(["path", str(data), *how[:-1], "1,many"]) == 2
    assert "3,10,30,all" in capsys.readouterr().err
    assert main(["path", str(data), *how, "--held-out", "0"]) == 0
    assert "cuts: all" in capsys.readouterr().out
