"""Limits that hold without any parameter: counted work, a share of memory, and what is proven."""

from __future__ import annotations

import json
import os
import sys
import types
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_helpers import Captured, run
from oracle import Data, optimum
from problems import HARD, hard_problem, random_problem

import surelist
from surelist import (
    Binarizer,
    InputError,
    RuleListClassifier,
    RuleListClassifierCV,
    UncertifiedWarning,
    _core,
    regularization_path,
)
from surelist._common import memory
from surelist._common import progress as progress_module
from surelist._common.limits import WORK_SECOND, Work
from surelist._common.memory import memory_of_machine, share_of_memory
from surelist._common.progress import Progress
from surelist.problem import mining, parameters
from surelist.problem.parameters import read_parameters, work_units
from surelist.problem.prepare import prepare
from surelist.search import engine, single_clauses


def _fit(X: Any, y: Any, **given: Any) -> RuleListClassifier:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        return RuleListClassifier(**given).fit(X, y)


def _found(model: RuleListClassifier) -> dict[str, Any]:
    """All that a fit finds and counts, but for time and memory."""
    counters = model.trace_.counters
    timeless = {name: counters[name] for name in counters if "time" not in name}
    return {
        "text": str(model.rule_list_),
        "status": model.status_,
        "bounds": (model.objective_exact_, model.lower_bound_exact_, model.proven_length_),
        "antecedents": model.antecedents_,
        "counters": {name: timeless[name] for name in timeless if "memory" not in name},
        "pruned": model.trace_.pruned,
    }


# Work.


def test_the_default_is_a_minute_of_work_and_a_quarter_of_the_memory() -> None:
    read = read_parameters(RuleListClassifier())
    assert (read.work_limit, read.time_limit) == (60 * WORK_SECOND, None)
    assert read.memory_limit == share_of_memory() > 0
    assert read.by_length
    lifted = read_parameters(RuleListClassifier(work_limit=None, memory_limit=None))
    assert (lifted.work_limit, lifted.memory_limit) == (None, None)


@pytest.mark.parametrize("other", [{"time_limit": 9}, {"max_prefixes": 9}, {"n_jobs": "tcp://a:1"}])
def test_another_limit_counts_alone_unless_work_is_limited_too(other: dict[str, Any]) -> None:
    assert read_parameters(RuleListClassifier(**other)).work_limit is None
    both = read_parameters(RuleListClassifier(work_limit=0.5, **other))
    assert both.work_limit == WORK_SECOND // 2
    assert both.by_length == ("time_limit" in other)


@pytest.mark.parametrize("policy", _core.policy_names())
def test_other_policies_mean_the_tree_alone(policy: str) -> None:
    read = read_parameters(RuleListClassifier(policy=policy))
    assert read.by_length == (policy == "lower_bound")


@pytest.mark.parametrize("value", [0, -1, float("inf"), float("nan"), "60", True, [1]])
def test_odd_amounts_of_work_are_refused(value: Any) -> None:
    with pytest.raises(InputError, match="work_limit must be"):
        read_parameters(RuleListClassifier(work_limit=value))


def test_amounts_of_work() -> None:
    assert work_units("auto") == work_units(60) == work_units(np.float64(60))
    assert work_units(Fraction(1, 4)) == WORK_SECOND // 4
    assert work_units(1e-30) == 1
    assert work_units(10**400) == work_units(1e9)
    work = Work(1000)
    work.spend(990)
    assert (work.left(), work.for_search(), work.passed()) == (10, 20, False)
    work.spend(20)
    assert (work.left(), work.for_search(), work.passed()) == (0, 20, True)
    assert Work(None).left() is Work(None).for_search() is Work(None).for_mining() is None
    assert not Work(None).passed()


def test_a_fit_without_parameters_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parameters, "AUTO_WORK", 1)
    X, y = hard_problem()
    with pytest.warns(UncertifiedWarning, match=r"work limit"):
        model = RuleListClassifier(0.001).fit(X, y)
    assert model.status_ == "work_limit"
    assert 0 < model.trace_.counters["work"] < 2 * WORK_SECOND
    assert model.gap_ > 0
    assert model.proven_length_ is not None


@pytest.mark.parametrize("seed", range(2))
def test_the_same_data_gives_the_same_model(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (300, 25), dtype=np.uint8)
    y = rng.integers(0, 3, 300)
    given: dict[str, Any] = {"work_limit": 0.6, **HARD}
    assert _found(_fit(X, y, **given)) == _found(_fit(X, y, **given))
    # However often it is interrupted by checkpoints, and however long these take.
    kept: dict[str, Any] = {"checkpoint_interval": 0.1, **given}
    first = _fit(X, y, checkpoint=tmp_path / "a", **kept)
    assert _found(first) == _found(_fit(X, y, checkpoint=tmp_path / "b", **kept))
    assert first.status_ == "work_limit"


def test_a_small_limit_ends_early_and_a_larger_one_goes_on() -> None:
    X, y = hard_problem(300, 20)
    models = [_fit(X, y, work_limit=work, **HARD) for work in (0.05, 0.5, 1.5)]
    counted = [model.trace_.counters["work"] for model in models]
    assert counted == sorted(counted)
    bounds = [model.lower_bound_exact_ for model in models]
    assert bounds == sorted(bounds)
    objectives = [model.objective_exact_ for model in models]
    assert objectives == sorted(objectives, reverse=True)


def test_mining_is_cut_short_by_work_always_at_the_same_place() -> None:
    X, y = hard_problem(400, 120)
    given: dict[str, Any] = {"regularization": 0.001, "work_limit": 0.01}
    model, again = _fit(X, y, **given), _fit(X, y, **given)
    whole = read_parameters(RuleListClassifier(0.001))
    n_all = len(prepare(X, y, None, None, whole).antecedents)
    assert 120 <= len(model.antecedents_) < n_all
    assert model.antecedents_ == again.antecedents_
    assert model.status_ == "work_limit"
    assert model.proven_length_ == 0, "a list over the others may be better, however short"
    assert model.lower_bound_exact_ < model.objective_exact_


def test_mining_goes_on_where_conjunctions_turn_out_to_be_rare(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No pair has support here: trying them is cheap, which is known once it is tried."""
    X = np.zeros((600, 100), np.uint8)
    X[np.arange(600), np.arange(600) % 100] = 1
    y = np.arange(600) % 2
    tried: list[int | None] = []
    mined = mining._mined

    def noted(data: Any, read: Any, deadline: Any, most: int | None) -> Any:
        tried.append(most)
        return mined(data, read, deadline, most)

    monkeypatch.setattr(mining, "_mined", noted)
    read = read_parameters(RuleListClassifier(0.005, work_limit=0.01))
    found = prepare(X, y, None, None, read)
    assert found.cut is None
    assert len(tried) > 1
    assert tried == sorted(tried, key=lambda each: each or 0)


def test_names_of_antecedents_that_capture_the_same_rows_count_as_work() -> None:
    """Three cuts of two columns: two of them are of one column, and mean the tighter one."""
    rng = np.random.default_rng(0)
    X = rng.random((150, 2))
    y = (X[:, 0] > 0.3) & (X[:, 1] < 0.6)
    given: dict[str, Any] = {"max_clauses": 3, "binarizer": Binarizer(n_cuts="all")}
    read = read_parameters(RuleListClassifier(0.01, work_limit=0.5, **given))
    found = prepare(X, y, None, None, read, binarizer=given["binarizer"])
    n_names = sum(1 + len(each.aliases) for each in found.antecedents)
    assert found.cut is not None
    assert n_names > 2 * len(found.antecedents)
    assert n_names * mining._NAME <= found.work <= 0.5 * WORK_SECOND


def test_work_beyond_what_the_engine_mines_is_cut_short_not_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mining, "_MOST_ANTECEDENTS", 400)
    monkeypatch.setattr(mining, "_MANY", 200)
    X, y = hard_problem(200, 60)
    read = read_parameters(RuleListClassifier(0.001))
    found = prepare(X, y, None, None, read)
    assert found.cut is not None
    assert found.cut.by == "work_limit"
    assert 60 <= len(found.antecedents) <= 400


# What is proven.


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("classes", [2, 3])
def test_no_list_of_the_proven_length_is_better(seed: int, classes: int) -> None:
    rng = np.random.default_rng([seed, classes])
    X = rng.integers(0, 2, (70, 24), dtype=np.uint8)
    y = rng.integers(0, classes, 70)
    model = _fit(X, y, regularization=0.001, max_clauses=1, work_limit=0.5)
    length = model.proven_length_
    assert (length is None) == (model.status_ == "optimal")
    if length is None:
        return
    rows = tuple(map(tuple, X.tolist()))
    data = Data(rows, tuple(y.tolist()), (1,) * 70, classes, 24)
    for longest in range(min(length, 2) + 1):
        assert optimum(data, Fraction(1, 1000), longest) >= model.objective_exact_
    assert model.lower_bound_exact_ < model.objective_exact_


def test_something_is_proven_by_length() -> None:
    X, y = hard_problem(200, 30)
    seen: list[Progress] = []
    model = _fit(X, y, work_limit=3, progress=seen.append, trace_interval=0.01, **HARD)
    assert model.proven_length_ is not None
    assert model.proven_length_ >= 1
    lengths = [moment.proven_length for moment in seen if moment.stage != "mining"]
    assert lengths == sorted(lengths)
    assert model.trace_.proven_length.tolist() == sorted(model.trace_.proven_length.tolist())
    assert model.trace_.proven_length[-1] == model.proven_length_
    for moment in seen:
        said = f"no better list of up to {moment.proven_length} rule"
        assert (said in str(moment)) == (moment.proven_length > 0)
    assert max(lengths) >= 1


def test_an_optimal_list_is_so_for_every_length() -> None:
    X, y = random_problem(0)
    model = RuleListClassifier(0.02).fit(X, y)
    assert (model.status_, model.proven_length_) == ("optimal", None)


def test_a_file_keeps_what_is_proven(tmp_path: Path) -> None:
    X, y = hard_problem(200, 20)
    model = _fit(X, y, work_limit=0.5, **HARD)
    path = tmp_path / "model.json"
    model.save(path)
    again = surelist.load(path)
    assert again.proven_length_ == model.proven_length_
    assert again.work_limit == 0.5
    data = json.loads(path.read_text())

    def changed(**changes: Any) -> RuleListClassifier:
        path.write_text(json.dumps({**data, **changes}))
        return surelist.load(path)

    assert changed(proven_length=2).proven_length_ == 2
    for wrong in (None, -1, 1.5, "2"):
        with pytest.raises(surelist.FormatError, match="proven_length"):
            changed(proven_length=wrong)
    # As earlier versions wrote it.
    del data["proven_length"], data["trace"]["proven_length"], data["parameters"]["work_limit"]
    old = changed()
    assert old.proven_length_ == 0
    assert (old.trace_.proven_length == 0).all()
    RuleListClassifier(0.02).fit(*random_problem(0)).save(path)
    data = json.loads(path.read_text())
    assert data["proven_length"] is None
    with pytest.raises(surelist.FormatError, match="for every length"):
        changed(proven_length=3)


def test_the_warning_says_what_was_proven_and_what_to_try() -> None:
    X, y = hard_problem(200, 30)
    with pytest.warns(UncertifiedWarning) as caught:
        model = RuleListClassifier(0.001, work_limit=3).fit(X, y)
    text = str(caught[0].message)
    assert "reached its work limit of 3" in text
    assert f"{model.objective_:.6g}" in text
    assert f"{model.lower_bound_:.6g}" in text
    assert f"none of up to {model.proven_length_} rule" in text
    assert "a regularization above 0.001" in text
    assert f"max_clauses=1 (30 antecedents instead of {len(model.antecedents_):,})" in text
    assert "max_length=" in text
    assert "a larger work_limit" in text


def test_resume_takes_another_amount_of_work(tmp_path: Path) -> None:
    X, y = hard_problem(200, 20)
    first = _fit(X, y, work_limit=0.4, checkpoint=tmp_path / "kept", **HARD)
    assert first.status_ == "work_limit"
    with pytest.warns(UncertifiedWarning):
        model = surelist.resume(tmp_path / "kept", work_limit=0.8)
    assert model.work_limit == 0.8
    assert model.trace_.counters["work"] > first.trace_.counters["work"]
    assert model.lower_bound_exact_ >= first.lower_bound_exact_
    assert model.objective_exact_ <= first.objective_exact_
    assert (model.proven_length_ or 99) >= (first.proven_length_ or 0)


# Single clauses.


def test_a_search_that_takes_long_is_no_worse_than_with_single_clauses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(5)
    X = rng.integers(0, 2, (400, 30), dtype=np.uint8)
    y = (X[:, :9].sum(axis=1) > 4) ^ (rng.random(400) < 0.05)
    single = _fit(X, y, regularization=0.004, max_clauses=1, work_limit=2)
    helped: list[list[int]] = []
    search = _core.Search

    class Noted(search):  # type: ignore[misc, valid-type]
        def run(self, *given: Any) -> str:
            helped.append([])
            return str(super().run(*given))

    monkeypatch.setattr(_core, "Search", Noted)
    monkeypatch.setattr(single_clauses, "_FROM", 1)
    model = _fit(X, y, regularization=0.004, max_clauses=2, work_limit=2)
    assert len(helped) >= 3, "the search, that of single clauses, and the search again"
    assert model.objective_exact_ <= single.objective_exact_
    assert model.trace_.counters["work"] <= 2.2 * WORK_SECOND


def test_single_clauses_know_of_constraints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single_clauses, "_FROM", 1)
    monkeypatch.setattr(single_clauses, "_FEWEST", 1)
    X, y = random_problem(3, rows=150, features=7)
    for demands in (
        {"required": ["(x1) and (x3)"]},
        {"first": ["x2"], "forbidden": ["x0", "x4"]},
        {"max_length": 1},
        {"dnf": True, "antecedent_costs": "clauses"},
        {"antecedents": ["x0 = 1 and x1 = 0"], "antecedents_only": True},
    ):
        model = RuleListClassifier(0.01, certificate=True, **demands).fit(X, y)
        assert model.status_ == "optimal"
        assert surelist.verify(model.certificate_, X, y).optimal


def test_ctrl_c_among_single_clauses_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single_clauses, "_FROM", 1)
    ran = engine.run

    def interrupted(search: Any, report: Any, *pause: Any) -> None:
        if pause:
            ran(search, report, *pause)
        else:
            engine.conclude(search, interrupted=True)

    monkeypatch.setattr(single_clauses, "run", interrupted)
    X, y = hard_problem(200, 25)
    with pytest.warns(UncertifiedWarning, match="was interrupted"):
        model = RuleListClassifier(**HARD).fit(X, y)
    assert model.status_ == "interrupted"


# Memory.


def test_a_container_has_less_memory_than_its_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 1 << 20}
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(memory, "_LIMITS", (limit, tmp_path / "none"))
    monkeypatch.setattr(os, "sysconf", pages.__getitem__)
    assert memory_of_machine() == 4 << 30
    assert share_of_memory() == 1 << 30
    for text, size in (("max\n", 4 << 30), (f"{1 << 29}\n", 1 << 29), (f"{1 << 62}", 4 << 30)):
        limit.write_text(text)
        assert memory_of_machine() == size
    limit.unlink()

    def unknown(_: str) -> int:
        raise ValueError

    monkeypatch.setattr(os, "sysconf", unknown)
    assert memory_of_machine() == 8 << 30
    monkeypatch.delattr(os, "sysconf")
    assert memory_of_machine() == 8 << 30


def test_the_warning_names_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parameters, "share_of_memory", lambda: 1000)
    with pytest.warns(UncertifiedWarning, match="memory limit of a quarter of the machine's"):
        model = RuleListClassifier(0.001).fit(*hard_problem(100, 20))
    assert model.status_ == "memory_limit"


# Progress by itself.


class _Stream:
    def __init__(self, terminal: bool) -> None:
        self._terminal = terminal
        self.text = ""

    def isatty(self) -> bool:
        return self._terminal

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass


@pytest.mark.parametrize("terminal", [True, False])
def test_a_terminal_shows_a_line_after_a_while(
    terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = hard_problem(200, 20)
    short, long = _Stream(terminal), _Stream(terminal)
    monkeypatch.setattr(sys, "stderr", short)
    _fit(X, y, work_limit=0.3, **HARD)
    monkeypatch.setattr(progress_module, "_AFTER", 0.0)
    monkeypatch.setattr(sys, "stderr", long)
    _fit(X, y, work_limit=0.3, **HARD)
    monkeypatch.undo()
    assert short.text == "" or "2." in short.text  # a busy machine may take two seconds
    assert ("objective" in long.text) == terminal
    assert not terminal or long.text.endswith(" \r"), "nothing is left behind"


def test_a_notebook_shows_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[dict[str, str]] = []

    class Handle:
        def update(self, content: dict[str, str], *, raw: bool) -> None:
            assert raw
            shown.append(content)

    def display(content: dict[str, str], *, raw: bool, display_id: bool) -> Handle:
        assert raw
        assert display_id
        shown.append(content)
        return Handle()

    shell = types.ModuleType("IPython")
    vars(shell)["get_ipython"] = lambda: types.SimpleNamespace(kernel=object())
    part = types.ModuleType("IPython.display")
    vars(part)["display"] = display
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", part)
    monkeypatch.setattr(progress_module, "_AFTER", 0.0)
    _fit(*hard_problem(200, 20), work_limit=0.5, **HARD)
    assert any("objective" in each["text/html"] for each in shown)
    assert shown[-1] == {"text/plain": "", "text/html": ""}
    shown.clear()
    vars(shell)["get_ipython"] = lambda: None
    _fit(*hard_problem(200, 20), work_limit=0.1, **HARD)
    assert shown == []


def test_odd_wishes_for_progress_are_refused() -> None:
    with pytest.raises(InputError, match="progress must be"):
        read_parameters(RuleListClassifier(progress="yes"))


# Where several searches share a limit.


def test_a_path_keeps_to_its_work() -> None:
    X, y = hard_problem(200, 20)
    given: dict[str, Any] = {"smallest": 0.002, "max_clauses": 2, "work_limit": 0.5}
    with pytest.warns(UncertifiedWarning, match="work limit"):
        path = regularization_path(X, y, **given)
    with pytest.warns(UncertifiedWarning):
        again = regularization_path(X, y, **given)
    assert path.status == "work_limit"
    assert path == again
    assert path.work == again.work < 2 * WORK_SECOND
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        table = path.best_loss_by_length(4, work_limit=0.2)
    assert [row.length for row in table] == [0, 1, 2, 3, 4]
    for row in table:
        assert row.lower_bound <= row.loss
    with pytest.raises(InputError, match="work_limit must be"):
        path.best_loss_by_length(work_limit=-1)


def test_cross_validation_keeps_to_its_work() -> None:
    X, y = hard_problem(200, 20)
    found = []
    for n_jobs in (1, 1, 2):
        model = RuleListClassifierCV(
            [0.002, 0.01, 0.1], cv=3, max_clauses=2, work_limit=1, n_jobs=n_jobs
        )
        with pytest.warns(UncertifiedWarning):
            model.fit(X, y)
        assert model.work_limit == 1
        assert model.trace_.counters["work"] < WORK_SECOND
        found.append((model.scores_.tolist(), model.regularization_, str(model.rule_list_)))
        assert (model.proven_length_ is None) == (model.status_ == "optimal")
    assert found[0] == found[1]
    assert found[0][:2] == found[2][:2], "folds do not depend on how many run at once"


# The command line.


def test_the_command_line_says_what_is_proven(tmp_path: Path, capsys: Captured) -> None:
    X, y = hard_problem(200, 20)
    table = tmp_path / "hard.csv"
    names = [*(f"f{index}" for index in range(20)), "label"]
    lines = [",".join(map(str, row)) for row in np.column_stack([X, y]).tolist()]
    table.write_text("\n".join([",".join(names), *lines]) + "\n")
    command = ["fit", str(table), "--label", "label", "--regularization", "0.001"]
    told = run(capsys, *command, "--work-limit", "0.5", "--memory-limit", "auto", "--json")
    assert told.code == 3
    assert told.json["status"] == "work_limit"
    length = told.json["proven_length"]
    assert type(length) is int
    shown = run(capsys, *command, "--work-limit", "0.5", "--memory-limit", "none")
    assert shown.code == 3
    assert "work_limit: not certified" in shown.out
    proven = f"no list of up to {length} rule" if length else "no list is below"
    assert proven in shown.out
    kept = tmp_path / "kept"
    run(capsys, *command, "--work-limit", "0.3", "--checkpoint", str(kept))
    resumed = run(capsys, "resume", str(kept), "--work-limit", "0.2", "--json")
    assert resumed.json["status"] == "work_limit"
    path = run(
        capsys, "path", *command[1:4], "--smallest", "0.002", "--work-limit", "0.3", "--json"
    )
    assert path.json["status"] == "work_limit"
    refused = run(capsys, *command, "--work-limit", "soon")
    assert refused.code == 2
    assert "--work-limit must be" in refused.err
