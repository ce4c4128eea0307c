"""The benchmarks: cases load or say why not, measuring works, statistics and report are right."""

from __future__ import annotations

import doctest
import importlib
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from repository import ROOT

from benchmarks import peers, proofs, report, run, tables
from benchmarks.aims import all_aims
from benchmarks.cases import Case, MissingData, all_cases, save
from benchmarks.generate import planted, repeated
from benchmarks.peers import Environment
from benchmarks.processes import run_apart
from benchmarks.results import SLOW, Measurement, Problem, Results, Spread, ratio
from benchmarks.threads import by_processes, threads
from surelist import _core

CASES = {case.name: case for case in all_cases()}
REAL = [case for case in CASES.values() if case.series is None and "boards" not in case.name]
MODULES = sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py"))


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    module = importlib.import_module(f"benchmarks.{name}" if name != "__init__" else "benchmarks")
    assert doctest.testmod(module).failed == 0


# --- Cases --------------------------------------------------------------------------------------


def test_names_are_distinct_and_say_the_regularization() -> None:
    assert len(CASES) == len(all_cases())
    for case in REAL:
        assert case.name.startswith("compas-a/") or case.name.endswith(f"/{case.regularization}")


@pytest.mark.parametrize(
    ("name", "antecedents", "groups", "objective"),
    [
        ("compas-a/0", 119, 117, 0.348094),
        ("compas/0.01", 155, 194, 0.367973),
        ("nyclu-0/0.04", 46, 9843, 0.404327),
        ("adult/0.01", 34, 1616, 0.229770),
        ("mpls-1/0.01", 36, 7232, 0.119843),
    ],
)
def test_real_cases_are_the_known_problems(
    data_dir: Path, name: str, antecedents: int, groups: int, objective: float
) -> None:
    assert data_dir.is_dir()
    case = CASES[name]
    data = case.load()
    assert (
        data.captures.shape
        == (data.labels.size, antecedents)
        == (
            len(data.labels),
            len(data.antecedents),
        )
    )
    problem = _core.Problem(data.captures, data.labels, None, 2)
    assert problem.n_groups == groups
    search = _core.Search(problem, case.regularization)
    assert search.run() == "optimal"
    assert search.objective / search.scale == pytest.approx(objective, abs=5e-7)


@pytest.mark.parametrize("case", REAL, ids=lambda case: case.name)
def test_a_case_without_data_says_so(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SURELIST_DATA", str(tmp_path))
    with pytest.raises(MissingData, match=r"there is no .+ in the folder"):
        case.load()


def test_skipped_cases_are_in_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SURELIST_DATA", str(tmp_path))
    results = Results(about={})
    options = run.read_options(["--quick", "--cases", "adult/0.01|boards-1/0.01"])
    jobs = run.prepare(results, options, tmp_path)
    assert [job.case.name for job in jobs] == ["boards-1/0.01"]
    assert list(results.skipped) == ["adult/0.01"]
    assert "- `adult/0.01`: there is no bench/adult" in tables.skipped(results)


def test_generated_problems_grow_in_one_thing() -> None:
    captures, labels = planted(rows=400, groups=50, antecedents=20)
    assert len(np.unique(captures, axis=0)) == 50
    again, same = planted(rows=400, groups=50, antecedents=20)
    assert (again == captures).all()
    assert (same == labels).all()
    fewer, _ = planted(rows=400, groups=50, antecedents=10)
    assert (fewer == captures[:, :10]).all()
    smaller, _ = planted(rows=40, groups=40, antecedents=20)
    assert (smaller == captures[:40]).all()
    with pytest.raises(ValueError, match="groups <= rows"):
        planted(rows=10, groups=11, antecedents=5)


def test_repeated_rows_are_the_same_search() -> None:
    counted = []
    base = planted(rows=300, groups=60, antecedents=15)
    for captures, labels in (base, repeated(*base, times=7)):
        search = _core.Search(_core.Problem(captures, labels, None, 2), "0.02")
        assert search.run() == "optimal"
        counters = search.counters
        counted.append([counters[name] for name in ("expanded", "lower_bound_evaluations")])
    assert counted[0] == counted[1]
    assert counted[0][0] > 10


def test_saved_arrays_come_back(tmp_path: Path) -> None:
    data = CASES["antecedents/50"].load()
    save(data, tmp_path / "case.npz")
    with np.load(tmp_path / "case.npz") as arrays:
        width = int(arrays["captures_width"])
        assert (np.unpackbits(arrays["captures"], axis=1, count=width) == data.captures).all()
        assert (arrays["labels"] == data.labels).all()


# --- Statistics -----------------------------------------------------------------------------------


def series(system: str, *cpu: float | None, case: str = "a", status: str = "optimal") -> Any:
    return [Measurement(case, system, n, status, cpu=each) for n, each in enumerate(cpu)]


def test_ratios_compare_measurements_of_one_round() -> None:
    # The machine was ten times slower in the second round; both systems were.
    spread = ratio(series("theirs", 8.0, 90.0, 13.0), series("ours", 1.0, 10.0, 1.0), "cpu")
    assert spread == Spread(median=9.0, low=8.0, high=13.0, count=3)


def test_rounds_that_one_system_lacks_do_not_count() -> None:
    assert ratio(series("theirs", 6.0), series("ours", 2.0, 100.0), "cpu") == Spread(3, 3, 3, 1)
    assert ratio(series("theirs", None), series("ours", 2.0), "cpu") is None
    assert ratio([], series("ours", 2.0), "cpu") is None


def test_a_limit_makes_the_ratio_a_least_one() -> None:
    cut = series("theirs", 10.0, status="time_limit")
    assert ratio(cut, series("ours", 2.0), "cpu") == Spread(5, 5, 5, 1, at_least=True)
    assert tables.times(ratio(cut, series("ours", 2.0), "cpu")) == "> 5×"
    assert ratio(series("theirs", 10.0), cut, "cpu") is None


def test_several_cases_compare_by_their_sums() -> None:
    theirs = [*series("theirs", 10.0, 10.0), *series("theirs", 30.0, 50.0, case="b")]
    ours = [*series("ours", 1.0, 1.0), *series("ours", 3.0, case="b")]
    # The second round lacks a case of ours.
    assert ratio(theirs, ours, "cpu") == Spread(10, 10, 10, 1)


def test_different_quantities_can_be_compared() -> None:
    ours = [Measurement("a", "ours", 0, "optimal", seconds=0.5, cpu=1.0, collapse=0.1)]
    spread = ratio(series("theirs", 10.0), ours, "cpu", "seconds")
    assert spread is not None
    assert spread.median == 20.0
    assert ours[0].search == pytest.approx(0.4)


# --- Report ---------------------------------------------------------------------------------------


def canned() -> Results:
    """Make up results of two rounds; the original took 100 times as much."""
    results = Results(
        about={
            "date": "2026-01-02",
            "quick": False,
            "rounds": 2,
            "threads": [1, 2],
            "processor": "Made-up Processor",
            "cores": 2,
            "system": "Linux",
            "load": 0.1,
            "versions": {"surelist": "0.1.0"},
            "optimises": {"surelist-1": "rule lists", "surelist-2": "rule lists"},
        }
    )
    anchor = {"seconds": 167.0, "memory": 592_000_000, "died": False, "mean_of": 1}
    results.problems = {
        "compas/0.005": Problem("COMPAS, M = 155", "0.005", 6489, 155, anchor=anchor),
        "rows/1000": Problem("rows", "0.02", 1000, 100, ("rows", 1000)),
        "rows/10000": Problem("rows", "0.02", 10000, 100, ("rows", 10000)),
    }
    variants = ["policy lower_bound", "policy random", "without rule_worth"]
    for case in results.problems:
        extra = ["surelist, negations", "gosdt", *variants] if case == "compas/0.005" else []
        for system in ["surelist-1", "surelist-2", *extra]:
            for number in range(2):
                results.measurements.append(measured(case, system, number))
    results.peers = [
        {"name": "gosdt", "version": "1.0", "optimises": "trees", "error": ""},
        {"name": "corels", "version": "", "optimises": "rule lists", "error": "Error: no"},
    ]
    return results


def measured(case: str, system: str, number: int) -> Measurement:
    seconds = {"without rule_worth": 5.01, "gosdt": 16.7}.get(system, 1.67)
    counters = {
        "expanded": 3000 if system == "without rule_worth" else 1000,
        "lower_bound_evaluations": 20,
        "queue_insertions": 30,
        "max_queue": 40,
        "last_rule_looks": 50,
        "max_memory": 5_000_000,
    }
    return Measurement(
        case=case,
        system=system,
        round=number,
        status="optimal",
        seconds=seconds / (2 if system == "surelist-2" else 1),
        cpu=seconds,
        memory=5_920_000,
        objective=0.348094,
        length=4,
        collapse=None if system == "gosdt" else 0.01,
        groups=194,
        counters={} if system == "gosdt" else counters,
    )


def test_the_page_renders_from_results(tmp_path: Path) -> None:
    shutil.copy(ROOT / "docs" / report.PAGE, tmp_path)
    results = canned()
    assert report.write(results, tmp_path) == [tmp_path / report.PAGE, tmp_path / report.PICTURE]
    page = (tmp_path / report.PAGE).read_text(encoding="utf-8")
    assert "Measured on 2026-01-02: Made-up Processor, 2 cores" in page
    original = "| COMPAS, M = 155, λ = 0.005 | 100× (100–100) | 200× (200–200) | 100× (100–100) |"
    assert f"{original} earlier figures |" in page
    assert "| `rule_worth` | 3× | 3× (3–3) |" in page
    assert "| corels | – | rule lists | Error: no |" in page
    assert "| COMPAS, M = 155 | 0.005 | 10× (10–10) | 1.67 |" in page
    assert "| COMPAS, M = 155 | 0.005 | optimal | 6,489 | 155 | 194 | 0.348094 | 4 |" in page
    assert f"]({report.PICTURE})" in page
    assert "issue" not in page
    # Nothing of the page that was written by hand is lost, and writing again changes nothing.
    by_hand = re.compile(r"(<!-- begin .+? -->).*?(?=<!-- end)", re.S)
    before = (ROOT / "docs" / report.PAGE).read_text(encoding="utf-8")
    assert by_hand.sub(r"\1", page) == by_hand.sub(r"\1", before)
    picture = (tmp_path / report.PICTURE).read_bytes()
    report.write(results, tmp_path)
    assert (tmp_path / report.PAGE).read_text(encoding="utf-8") == page
    assert (tmp_path / report.PICTURE).read_bytes() == picture


def test_the_page_has_a_place_for_every_table() -> None:
    page = (ROOT / "docs" / report.PAGE).read_text(encoding="utf-8")
    places = re.findall(r"^<!-- begin (.+) -->$", page, re.M)
    assert sorted(places) == sorted(report.BLOCKS)
    with pytest.raises(ValueError, match="places for"):
        report.fill(page, {})
    with pytest.raises(ValueError, match="instead of one"):
        report.fill("<!-- begin a -->\n", {"a": "text"})


def test_nothing_measured_renders_too(tmp_path: Path) -> None:
    shutil.copy(ROOT / "docs" / report.PAGE, tmp_path)
    results = canned()
    results.problems.clear()
    results.measurements.clear()
    results.peers.clear()
    assert report.write(results, tmp_path) == [tmp_path / report.PAGE]
    assert not (tmp_path / report.PICTURE).exists()
    page = (tmp_path / report.PAGE).read_text(encoding="utf-8")
    assert page.count(tables.NOT_MEASURED) == len(report.BLOCKS) - 2


def test_results_survive_a_file(tmp_path: Path) -> None:
    results = canned()
    results.skipped["b"] = "no data"
    results.save(tmp_path / "deep" / "results.json")
    again = Results.load(tmp_path / "deep" / "results.json")
    assert again == results
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["results.json"]


def test_certified_optima_that_contradict_each_other_are_reported() -> None:
    results = canned()
    assert results.disagreements() == []
    add = results.measurements.append
    add(Measurement("rows/1000", "surelist-2", 2, "optimal", objective=0.4))
    found = ["rows/1000: surelist-1 0.348094, surelist-2 0.400000"]
    assert results.disagreements() == found
    assert "**Certified optima disagree**: rows/1000" in tables.about(results)
    # A tree may be better than a rule list, never worse; without a proof it may be anything.
    results.about["optimises"]["gosdt"] = "trees"
    add(Measurement("rows/10000", "gosdt", 0, "optimal", objective=0.3))
    add(Measurement("rows/10000", "gosdt", 1, "time_limit", objective=0.9))
    assert results.disagreements() == found
    add(Measurement("rows/10000", "gosdt", 2, "optimal", objective=0.35))
    found.append("rows/10000: surelist-1 0.348094, gosdt 0.350000")
    assert results.disagreements() == found


def test_aims_are_judged_by_what_was_measured() -> None:
    aims = {aim.text: aim for aim in all_aims(canned())}
    time = aims["COMPAS, M = 155, λ = .005: 500× the original, one thread"]
    assert (time.reached, time.met) == ("100× (100–100)", False)
    memory = aims["COMPAS, M = 155, λ = .005: 1/50 of the original's memory"]
    assert (memory.reached, memory.met) == ("100× (100–100)", True)
    assert aims["NYCLU, λ = .01: 100× the original, one thread"].met is None


def test_threads_stand_beside_processes_that_share_nothing() -> None:
    results = canned()
    case = "compas/0.005"
    for number, each in enumerate((1.67, 3.34)):
        one = replace(measured(case, "surelist-1", number), system="surelist-1 by 2", seconds=each)
        results.measurements.append(replace(one, cpu=each / 2))
    assert by_processes(results, case) == Spread(1.5, 1, 2, 2)
    shown = "| COMPAS, M = 155 | 0.005 | 2 | 2× (2–2) | 1.5× (1–2) | 1.5× (1–2) |"
    assert shown in threads(results)
    assert "| rows → 1000 | 0.02 | 2 | 2× (2–2) | – | – |" in threads(results)
    results.measurements = [replace(one, seconds=SLOW / 2) for one in results.measurements]
    assert threads(results) == tables.NOT_MEASURED


def test_a_mean_of_ten_cases_is_compared_with_ten() -> None:
    results = canned()
    anchor = {"seconds": 24.0, "memory": None, "died": False, "mean_of": 10}
    for fold in range(10):
        assert tables.pooled(results).keys() == {"COMPAS, M = 155, λ = 0.005"}
        case = f"compas-a/{fold}"
        results.problems[case] = Problem("A", "0.005", 6489, 120, anchor=anchor)
        results.measurements += [measured(case, "surelist-1", number) for number in range(2)]
    title = "COMPAS A, 10 of 10 folds"
    spread = tables.against_original(results, tables.pooled(results)[title], 1)["time"]
    assert spread is not None
    assert spread.median == pytest.approx(24 / 1.67)


def test_the_original_measured_here_comes_before_earlier_figures() -> None:
    results = canned()
    case = "compas/0.005"
    results.measurements.append(Measurement(case, "original", 0, "time_limit", cpu=900.0))
    assert tables.of_original(results, [case])[1] is False
    results.measurements.append(Measurement(case, "original", 1, "optimal", cpu=3.34))
    assert tables.of_original(results, [case])[1] is True


# --- Measuring ------------------------------------------------------------------------------------


def bench(output: Path, *arguments: str) -> Results:
    fixed = ["--repeat", "1", "--no-peers", "--output", str(output)]
    assert run.main([*fixed, *arguments]) == 0
    return Results.load(output)


def test_a_process_that_does_not_end_is_ended() -> None:
    status, _ = run_apart([sys.executable, "-c", "while True: pass"], 0.3)
    assert status is None
    status, errors = run_apart([sys.executable, "-c", "raise ValueError('no')"], 60.0)
    assert status == 1
    assert "ValueError: no" in errors


def test_a_run_measures_in_processes_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = bench(tmp_path / "out.json", "--cases", "^boards-1/0.01$", "--threads", "1")
    (one,) = results.measurements
    assert (one.case, one.system, one.status) == ("boards-1/0.01", "surelist-1", "optimal")
    assert one.objective == pytest.approx(0.277996, abs=5e-7)
    assert one.length == 4
    assert one.cpu is not None
    assert 0 < one.cpu < 5
    assert one.memory is not None
    assert 0 < one.memory < 50_000_000
    assert one.counters["expanded"] > 100
    assert results.groups("boards-1/0.01") == 958
    assert results.about["rebuilt"] is False
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "boards-1/0.01" in captured.err


def test_copies_run_at_once_and_their_mean_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "SLOW", 0.0)
    results = bench(tmp_path / "out.json", "--cases", "^boards-1/0.01$")
    assert results.systems("boards-1/0.01") == ["surelist-1", "surelist-2", "surelist-1 by 2"]
    one, _, both = results.measurements
    assert (both.status, both.objective, both.counters["expanded"]) == (
        "optimal",
        one.objective,
        one.counters["expanded"],
    )
    assert both.seconds is not None
    assert 0 < both.seconds < 5


def test_copies_that_end_differently_count_for_nothing(tmp_path: Path) -> None:
    program = tmp_path / "corels"
    program.write_text(f'#!/bin/sh\nmkdir "{tmp_path}/first" || exit 3\nwhile :; do :; done\n')
    program.chmod(0o755)
    system = replace(peers.original(str(program), tmp_path, [], seconds=0.2), copies=2)
    outcome = peers.measure(system, Environment(""), "0.01", tmp_path / "none", tmp_path)
    assert outcome == {"status": "failed", "note": "ended as failed and time_limit"}


def test_the_original_is_measured_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Prints what the original prints at its end, if it was called as the original wants it.
    program = tmp_path / "corels"
    program.write_text(
        "#!/bin/sh\n"
        'test "$1 $2 $3 $4 $5 $6" = "-r 0.01 -c 2 -p 1" || exit 1\n'
        'test "$7 $8 $#" = "-n 1000000000 11" || exit 1\n'
        'grep -q "^{top-left = x} 0 " "$9" || exit 1\n'
        'echo "Exited because queue empty"\n'
        'echo "final min_objective: 0.27800"\n'
        'echo "final accuracy: 0.76200"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("SURELIST_CORELS", str(program))
    results = bench(tmp_path / "out.json", "--cases", "^boards-1/0.01$", "--threads", "1")
    one = results.first("boards-1/0.01", "original")
    assert one is not None
    assert (one.status, one.objective, one.length, one.note) == ("optimal", 0.278, 4, "")
    assert results.disagreements() == []
    assert "this run" in tables.original(results)


@pytest.mark.parametrize(
    ("script", "status", "note"),
    [
        ("while :; do :; done", "time_limit", ""),
        ("echo broken >&2; exit 3", "failed", "the program ended with status 3"),
        ("echo nothing", "failed", "the program printed no final objective"),
    ],
)
def test_a_system_that_does_not_end_well_is_recorded(
    tmp_path: Path, script: str, status: str, note: str
) -> None:
    program = tmp_path / "corels"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    system = peers.original(str(program), tmp_path, [], seconds=0.2)
    outcome = peers.measure(system, Environment(""), "0.01", tmp_path / "none", tmp_path)
    assert (outcome["status"], outcome.get("note", "")) == (status, note)
    assert outcome.get("cpu") == (0.2 if status == "time_limit" else None)


def test_a_peer_that_cannot_be_installed_is_in_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "prepare", lambda name: Environment(name, error="Error: no wheel"))
    results = Results()
    assert run.peer_systems(results, run.read_options([]), tmp_path) == []
    assert len(results.peers) == len(peers.PEERS)
    assert tables.peer_list(results).count("Error: no wheel") == len(peers.PEERS)


def test_options() -> None:
    options = run.read_options(["--threads", "1,2,2"])
    assert (options.repeat, options.threads, options.peers) == (5, (1, 2), True)
    quick = run.read_options(["--quick"])
    assert (quick.repeat, quick.peers) == (2, False)
    assert run.read_options(["--quick", "--peers", "--repeat", "3"]).peers
    for wrong in (["--repeat", "0"], ["--threads", "x"], ["--cases", "("]):
        with pytest.raises(SystemExit):
            run.read_options(wrong)


def test_what_a_proof_costs(capsys: pytest.CaptureFixture[str]) -> None:
    found = proofs.measure(CASES["boards-1/0.01"])
    verified = {"verified"} if proofs.is_verified_built() else set()
    assert set(found) == {"search", "certifying", "fast", "reference", "listed", "bytes", *verified}
    assert found["listed"] > 0
    proofs.main(["boards-1/0.01"])
    assert "| boards-1/0.01 |" in capsys.readouterr().out
