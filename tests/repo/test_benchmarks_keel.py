"""The benchmark on real tables: tables are read, fits measured once, figures and page right."""

from __future__ import annotations

import doctest
import importlib
import json
import re
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from repository import ROOT

from benchmarks import peers
from benchmarks.keel import (
    accuracy,
    data,
    figures,
    fit_surelist,
    growth,
    nested,
    page,
    prepare,
    records,
    run,
    text,
)
from benchmarks.keel.clock import processor_clock
from benchmarks.keel.records import Records, Result
from benchmarks.keel.systems import CART_SAME, DEFAULT, ONE_CLAUSE, SYSTEMS
from benchmarks.peers import Environment
from surelist.datasets import load_tic_tac_toe

MODULES = sorted(path.stem for path in (ROOT / "benchmarks" / "keel").glob("[a-z]*.py"))


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"benchmarks.keel.{name}")).failed == 0


# --- Tables -------------------------------------------------------------------------------------


def write_boards(folder: Path, width: int = 27) -> Path:
    """Write the first few columns of tic-tac-toe as such a file."""
    boards = load_tic_tac_toe()
    lines = [
        ",".join(map(str, (*row[:width], label)))
        for row, label in zip(boards.X, boards.y, strict=True)
    ]
    path = folder / "boards.dat"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_numbers_and_texts_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "table.dat"
    path.write_text("1, 0.5, a, yes\n2, 1e3, b, no\n3, -2, a, yes\n", encoding="utf-8")
    columns, labels = data.read(path)
    assert labels.tolist() == [1, 0, 1]
    assert columns.texts == (None, None, ("a", "b"))
    frame = columns.frame()
    assert [column.tolist() for _, column in frame.items()] == [
        [1, 2, 3],
        [0.5, 1000.0, -2.0],
        ["a", "b", "a"],
    ]
    assert [dtype.kind for dtype in frame.dtypes][:2] == ["i", "f"]


def test_a_row_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.dat"
    path.write_text("1,2,yes\n1,no\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"table\.dat: rows have \[2, 3\] values"):
        data.read(path)


def test_folds_are_stratified_and_their_features_come_from_training_rows(tmp_path: Path) -> None:
    path = write_boards(tmp_path)
    folds = [prepare.fold(path, number, 3) for number in range(3)]
    assert sum(len(fold.test.labels) for fold in folds) == 958
    for fold in folds:
        assert len(fold.train.labels) + len(fold.test.labels) == 958
        assert fold.train.labels.mean() == pytest.approx(fold.test.labels.mean(), abs=0.01)
        assert fold.train.features.shape[1] == fold.test.features.shape[1] > 10
        assert set(np.unique(fold.test.features)) == {0, 1}
    again = prepare.fold(path, 1, 3)
    assert (again.test.columns.values == folds[1].test.columns.values).all()


def test_more_cuts_stand_beside_the_same_features(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    values = random.normal(size=(150, 6)).round(3)
    labels = (values[:, 0] > 0.2) ^ (values[:, 1] > -0.3)
    path = tmp_path / "table.dat"
    rows = zip(values.tolist(), labels.tolist(), strict=True)
    path.write_text("".join(f"{','.join(map(str, row))},{label}\n" for row, label in rows))
    few, many = nested.both(prepare.fold(path, 0, 3))
    assert few.shape == (100, 28)
    assert list(many.columns[:28]) == list(few.columns)
    assert (many.iloc[:, :28] == few).all(axis=None)
    assert 28 < many.shape[1] <= 28 + 60
    assert many.columns.is_unique


def test_a_saved_fold_comes_back(tmp_path: Path) -> None:
    fold = prepare.fold(write_boards(tmp_path), 0, 3)
    about = data.save(fold, tmp_path / "fold.npz")
    assert (about["rows"], about["classes"]) == (958, 2)
    again = data.load(tmp_path / "fold.npz")
    for one, other in ((fold.train, again.train), (fold.test, again.test)):
        assert one.columns.texts == other.columns.texts
        assert (one.columns.values == other.columns.values).all()
        assert (one.features == other.features).all()
        assert (one.labels == other.labels).all()
    assert data.save(again, tmp_path / "again.npz") == about


# --- Clocks and courses ---------------------------------------------------------------------------


def test_the_clock_stands_still_while_a_process_sleeps(tmp_path: Path) -> None:
    clock = processor_clock(tmp_path)
    if not clock:
        pytest.skip("there is no C compiler, or this is not Linux")
    program = (
        "import time; a = time.perf_counter(), time.time(), time.monotonic(); time.sleep(0.5);"
        "b = time.perf_counter(), time.time(), time.monotonic();"
        "assert all(0 <= y - x < 0.25 for x, y in zip(a, b)), (a, b);"
        "sum(range(10**6)); assert time.perf_counter() > b[0]"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env=clock)


def test_a_course_tells_what_was_known_when(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [10.0]
    monkeypatch.setattr(fit_surelist, "processor_time", lambda: now[0])
    course = fit_surelist.Course()
    for moment, objective, proven in ((10.5, 0.4, 1), (10.9, 0.3, 2), (12.0, 0.2, 3)):
        now[0] = moment
        course(SimpleNamespace(objective=objective, proven_length=proven))
    model = SimpleNamespace(objective_=0.1, proven_length_=4)
    now[0] = 30.5
    late = course.at(model, 20.0)
    assert late["objective_after"] == {"1": 0.3, "5": 0.2, "20": 0.1}
    assert late["proven_after"] == {"1": 2, "5": 3, "20": 4}
    now[0] = 13.0
    assert course.at(model, 20.0)["objective_after"] == {"1": 0.3, "5": 0.1, "20": 0.1}
    # Before the first sample nothing was known.
    assert fit_surelist.Course().at(SimpleNamespace(objective_=0.1), 20.0)["proven_after"] == {
        "1": None,
        "5": None,
        "20": None,
    }


# --- Records --------------------------------------------------------------------------------------


def result(table: str = "a", system: str = DEFAULT, **facts: Any) -> Result:
    known: dict[str, Any] = {
        "fold": 0,
        "key": f"{table} {system}",
        "status": "time_limit",
        "problem": "p",
        "about": {"rows": 1000, "columns": 4, "features": 9, "classes": 2},
        "cpu": 20.0,
        "memory": 300_000_000,
        "counted_memory": 290_000_000,
        "objective": 0.25,
        "lower_bound": 0.15,
        "objective_after": {"1": 0.26, "5": 0.25, "20": 0.25},
        "lines": 4,
        "clauses": 5,
        "antecedents": 321,
        "test_accuracy": 0.8,
        "seconds": 20.0,
        "clock": "processor time",
        "version": "1.0",
    }
    return Result(table=table, system=system, **(known | facts))


def test_a_line_that_was_cut_off_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "results.jsonl"
    assert records.load(path) == []
    records.append(path, result("a"))
    with path.open("a", encoding="utf-8") as file:
        file.write('{"table": "b", "fo')
    records.append(path, result("c"))
    assert records.load(path) == [result("a"), result("c")]


def test_the_last_result_counts_and_objectives_compare_within_a_problem() -> None:
    found = Records([result(objective=0.3), result(objective=0.25)])
    one = found.of("a", 0, DEFAULT)
    assert one is not None
    assert one.objective == 0.25
    assert one.gap == pytest.approx(0.1)
    assert found.best_known(one) == 0.25
    found.remember(result(objective=0.1, problem="other features"))
    assert found.best_known(one) == 0.25
    found.remember(result(system=ONE_CLAUSE, objective=0.2))
    assert found.best_known(one) == 0.2
    assert found.of("a", 0, ONE_CLAUSE) is None


def test_what_is_proven_counts_for_all_folds() -> None:
    some = result(proven_length=4)
    assert figures.proven([some, result(proven_length=3)]) == 3
    assert figures.proven([some, result(status="optimal")]) == 4
    assert figures.proven([some, result(proven_length=None)]) is None
    assert text.length(figures.proven([result(status="optimal")])) == "all"
    assert some.is_proven(4)
    assert not some.is_proven(5)


def test_figures_in_sum() -> None:
    found = Records(
        [
            result("a", proven_length=4),
            result("b", status="optimal", cpu=0.1, objective=0.2, objective_after={"1": 0.2}),
            result("b", ONE_CLAUSE, objective=0.1),
            result("a", CART_SAME, test_accuracy=0.7, objective=None),
            result("c", cpu=23.0, memory=500_000_000, test_accuracy=0.5),
        ]
    )
    reached = dict(figures.goals(found))
    assert reached["certified"] == "1 of 3 fits"
    assert reached["proven up to 4 rules"] == "2 of 3 fits"
    assert reached["proven up to 5 rules"] == "1 of 3 fits"
    assert reached["objective after 5 s within 1 % of the best one known"] == "2 of 3 fits"
    assert reached["no worse than with one clause"] == "0 of 1 fits"
    assert reached["ended within 110 % of the time limit"] == "2 of 3 fits"
    assert reached["most memory of a fit"] == "500 MB"
    assert reached["mean test accuracy"] == "0.7000"
    assert figures.wins(found, DEFAULT, CART_SAME) == (1, 0, 0)


# --- What is shown --------------------------------------------------------------------------------


def canned() -> Records:
    """Make up results of every system; one has failed, one ran into its limit."""
    found = Records()
    for name in ("first", "second"):
        for number, system in enumerate(SYSTEMS):
            found.add(result(name, system.name, test_accuracy=0.7 + number / 50))
    failed = {"status": "failed", "test_accuracy": None, "lines": None, "cpu": None}
    found.add(result("second", "ripper", note="it takes two classes", **failed))
    found.add(result("second", proven_length=3))
    return found


MORE = growth.show([growth.Growth(50, 0.001, 2, True), growth.Growth(5000, 60.0, 99, False)], 0.7)


def test_the_page_renders_from_results(tmp_path: Path) -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    (tmp_path / "index.md").write_text(index.replace("\ntables\n", "\n"), encoding="utf-8")
    written = page.write(canned(), [MORE], tmp_path)
    assert {path.name for path in written} == {"tables.md", "tables.svg", "index.md"}
    shown = (tmp_path / "tables.md").read_text(encoding="utf-8")
    assert "2 tables, 1 of three folds; each fit has 20 s of processor time." in shown
    assert "| first | 1,000 | 4 | 2 | 321 | 0 of 1 | – | 0.2500 | 0.1000 |" in shown
    assert "| second | 1,000 | 4 | 2 | 321 | 0 of 1 | 3 |" in shown
    assert "| RIPPER | 1 of 2 |" in shown
    assert "- RIPPER: it takes two classes (second)" in shown
    assert "only" not in shown.partition("## Systems")[2].partition("## Without")[0]
    assert shown.endswith(MORE)
    assert "| processor time, s | 0.001 | > 60 |" in shown
    for system in SYSTEMS:
        assert system.title in shown
    assert "]({})".format("tables.svg") in shown
    assert (tmp_path / "index.md").read_text(encoding="utf-8").count("\nbenchmarks\ntables\n") == 1
    # Writing again changes nothing.
    before = {path: path.read_bytes() for path in written}
    page.write(canned(), [MORE], tmp_path)
    assert {path: path.read_bytes() for path in written} == before


def test_systems_compare_over_the_same_fits() -> None:
    found = Records(
        [
            result("a", fold=0, test_accuracy=0.6),
            result("a", fold=1, test_accuracy=0.9),
            result("a", CART_SAME, fold=0, test_accuracy=0.7, status="done"),
        ]
    )
    assert figures.wins(found, DEFAULT, CART_SAME) == (0, 0, 1)
    assert found.common_folds == {0}
    shown = page.render(found)
    assert "Measured on fold 1 only: CART, as many leaves." in shown
    assert "| Surelist | 2 of 2 | 0 | 1 | 0.7500 | 0.7500 |" in shown
    assert "| CART, as many leaves | 1 of 1 | – | 1 | 0.7000 | 0.6000 |" in shown
    assert "Only fits of fold 1, which all systems have." in shown
    assert "| a | 0.6000 | **0.7000** |" in shown


def test_lists_and_trees_are_compared_on_complete_folds(tmp_path: Path) -> None:
    def pair(table: str, fold: int, ours: float, cart: float) -> accuracy.Pair:
        return accuracy.Pair(table, fold, 1.5, 4, fold == 0, ours, cart)

    pairs = [pair("a", 0, 0.8, 0.7), pair("b", 0, 0.6, 0.7), pair("a", 1, 0.1, 0.9)]
    assert "| 2 | 1 | 0.7000 | 0.7000 | 1 | 1 | 4.0 | 100% |" in accuracy.summary(pairs)
    assert "No fold" in accuracy.summary(pairs[1:])
    kept = accuracy.kept(tmp_path / "results.jsonl")
    assert accuracy.section(tmp_path / "results.jsonl") == ""
    kept.write_text("".join(json.dumps(asdict(each)) + "\n" for each in pairs), encoding="utf-8")
    assert accuracy.summary(pairs) in accuracy.section(tmp_path / "results.jsonl")


def test_a_list_and_a_tree_are_fitted(tmp_path: Path) -> None:
    fold = prepare.fold(write_boards(tmp_path, width=9), 0, 3)
    one = accuracy.compare("boards", 0, fold, 0.05)
    assert one.lines > 1
    assert 0.5 < one.cart <= 1
    assert 0.5 < one.ours <= 1


def test_antecedents_are_settled_and_begun(tmp_path: Path) -> None:
    captures, labels = growth.conjunctions(write_boards(tmp_path))
    assert captures.shape[0] == len(labels)
    one = growth.measure(captures, labels, 20, 60)
    assert (one.antecedents, one.is_settled) == (20, True)
    assert one.expanded > 0
    assert growth.start(30) > 0


def test_a_comparison_tells_what_has_changed() -> None:
    now = Records([result(objective=0.24, memory=150_000_000, proven_length=4, status="optimal")])
    shown = text.overview(now, Records([result(), result("elsewhere")]))
    row = next(line for line in shown.splitlines() if "→" in line)
    cells = re.split(r"\s{2,}", row)
    assert cells[:3] == ["a", "0 → 1 of 1", "– → all"]
    assert cells[3:] == ["-0.0100", "+0.0000", "-0.0100", "0.50", "1.00", "+0.0000"]
    assert "other tables" in text.overview(now, Records([result("elsewhere")]))


def test_a_system_without_models_is_shown() -> None:
    failed = result("a", "ripper", status="failed", test_accuracy=None, note="broken", cpu=None)
    assert re.search(r"^RIPPER +0/1 +– +– +–$", text.overview(Records([failed]), None), re.M)
    assert text.line(failed).endswith("broken")


# --- Measuring ------------------------------------------------------------------------------------


@pytest.fixture
def boards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the package of tables have one, without installing it."""
    found = {"boards": write_boards(tmp_path, width=9)}
    monkeypatch.setattr(
        peers, "prepare", lambda name: Environment(name, error="no" if name else "")
    )
    monkeypatch.setattr(run, "_tables", lambda _: found)
    return tmp_path / "results.jsonl"


def measure(output: Path, *arguments: str) -> list[dict[str, Any]]:
    assert run.main(["--folds", "1", "--output", str(output), *arguments]) == 0
    lines = output.read_text(encoding="utf-8").splitlines() if output.is_file() else []
    return [json.loads(line) for line in lines]


def test_a_run_measures_once_and_goes_on(boards: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, tree = measure(boards, "--only", f"default,{CART_SAME}")
    assert (first["system"], first["status"], first["proven_length"]) == (DEFAULT, "optimal", None)
    assert first["objective"] == first["lower_bound"] == first["objective_after"]["20"]
    assert 0 < first["cpu"] < 20
    assert 0 < first["memory"] < 500_000_000
    assert 0 < first["counted_memory"] < 500_000_000
    assert first["clauses"] >= first["lines"] - 1 > 0
    assert 0.5 < first["test_accuracy"] <= 1
    assert tree["system"] == CART_SAME
    assert tree["lines"] <= first["lines"]
    assert measure(boards, "--only", "default", "--compare", str(boards)) == [first, tree]
    captured = capsys.readouterr()
    assert "boards" in captured.err
    assert "1 → 1 of 1" in captured.out


def test_a_limit_is_kept_and_told(boards: Path, tmp_path: Path) -> None:
    write_boards(tmp_path)
    (one,) = measure(boards, "--only", "default", "--seconds", "0.05")
    assert one["status"] == "time_limit"
    assert one["lower_bound"] < one["objective"]
    assert one["objective_after"] == {}


def test_what_cannot_be_installed_is_shown_and_tried_again(
    boards: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert measure(boards, "--only", f"gosdt-5,ripper,{CART_SAME}") == []
    captured = capsys.readouterr()
    assert captured.err.count("not installed: no") == 2
    assert "there is no rule list to compare with" in captured.err
    assert captured.out.count("0/1") == 3


def test_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = run.read_options(["--tables", "german,pima", "--only", "surelist", "--folds", "2"])
    assert (options.tables, options.folds, options.seconds) == (["german", "pima"], 2, 20.0)
    assert all(system.is_ours for system in options.only)
    for wrong in (
        ["--folds", "4"],
        ["--folds", "0"],
        ["--seconds", "0"],
        ["--seconds", "nan"],
        ["--only", "everything"],
        ["--compare", str(tmp_path / "none")],
    ):
        with pytest.raises(SystemExit):
            run.read_options(wrong)
    assert "choose from surelist, peers, default" in capsys.readouterr().err


def test_the_twenty_tables_are_twenty() -> None:
    assert len(set(data.CHOSEN)) == len(data.CHOSEN) == 20
    assert list(data.CHOSEN) == sorted(data.CHOSEN)
