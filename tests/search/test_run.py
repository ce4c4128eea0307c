"""A search that runs: limits, interruption, threads, progress and trace."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from problems import HARD, Column, Matrix, hard_problem, random_problem

from surelist import RuleListClassifier, UncertifiedWarning, _core
from surelist._common.progress import Progress, spaced
from surelist.problem.parameters import read_parameters

# Limits and interruption.


@pytest.mark.parametrize(
    ("limit", "status"),
    [
        ({"time_limit": 0.5}, "time_limit"),
        ({"max_prefixes": 1000}, "prefix_limit"),
        ({"memory_limit": 3_000_000}, "memory_limit"),
        ({"memory_limit": "3MB"}, "memory_limit"),
    ],
)
def test_a_limit_leaves_a_model_with_a_proven_gap(limit: dict[str, Any], status: str) -> None:
    X, y = hard_problem()
    model = RuleListClassifier(**HARD, **limit)
    started = time.process_time()
    with pytest.warns(UncertifiedWarning, match=r"not certified optimal.*objective.*lower.*gap"):
        model.fit(X, y)
    assert time.process_time() - started < 10
    assert model.status_ == status
    assert 0 <= model.lower_bound_exact_ < model.objective_exact_
    assert model.gap_ > 0
    assert model.lower_bound_ <= model.objective_
    assert model.rule_list_.objective == model.objective_exact_
    assert model.objective_ <= min(y.mean(), 1 - y.mean())
    assert model.predict(X).shape == y.shape


def test_max_prefixes_is_looked_at_before_each_expansion() -> None:
    """Once so many have entered the queue none is expanded; the last expansion comes on top."""
    X, y = hard_problem(features=12)

    def counted(limit: int, **options: Any) -> tuple[int, int, int]:
        with pytest.warns(UncertifiedWarning, match=f"its limit of {limit} prefixes"):
            model = RuleListClassifier(0.001, max_prefixes=limit, **options).fit(X, y)
        counters = model.trace_.counters
        return int(counters["queue_insertions"]), int(counters["expanded"]), len(model.antecedents_)

    assert counted(1)[:2] == (1, 0)  # the empty prefix is the first to enter
    limit = 2
    for expansions in range(1, 6):
        inserted, expanded, antecedents = counted(limit)
        assert expanded == expansions
        assert limit <= inserted < limit + antecedents
        assert counted(inserted)[:2] == (inserted, expanded)  # any limit up to here is the same
        limit = inserted + 1
    for threads in (1, 2):
        assert counted(50, n_jobs=threads, policy="depth_first")[0] >= 50


@pytest.mark.parametrize(
    ("given", "size"),
    [
        (7, 7),
        (np.int64(7), 7),
        ("7b", 7),
        ("1.5kB", 1500),
        ("500MB", 500_000_000),
        (" 2 GB ", 2 * 10**9),
        ("2GiB", 2 * 2**30),
        ("1tib", 2**40),
    ],
)
def test_memory_is_a_number_of_bytes_or_text(given: Any, size: int) -> None:
    assert read_parameters(RuleListClassifier(memory_limit=given)).memory_limit == size


def test_the_warning_names_the_reason_and_the_caller() -> None:
    X, y = hard_problem()
    with pytest.warns(UncertifiedWarning, match=r"limit of 10 prefixes") as caught:
        RuleListClassifier(**HARD, max_prefixes=10).fit(X, y)
    assert caught[0].filename == __file__


FIT_UNTIL_INTERRUPTED = """
import sys, warnings
import numpy as np
from surelist import RuleListClassifier
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
X = rng.integers(0, 2, size=(600, 40))
y = rng.integers(0, 2, size=600)
started = lambda event: print("running", flush=True)
model = RuleListClassifier(0.001, time_limit=600, progress=started).fit(X, y)
print(model.status_, model.gap_ > 0, len(model.predict(X)))
"""


@pytest.mark.slow
def test_ctrl_c_ends_the_search_and_keeps_the_model() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", FIT_UNTIL_INTERRUPTED],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert out.splitlines()[-1] == "interrupted True 600"


def test_fits_side_by_side_equal_fits_one_by_one() -> None:
    problems = [random_problem(seed, rows=300, features=10, classes=3) for seed in range(6)]

    def fit(problem: tuple[Matrix, Column]) -> RuleListClassifier:
        return RuleListClassifier(0.01).fit(*problem)

    one_by_one = [fit(problem) for problem in problems]
    with ThreadPoolExecutor(2) as pool:
        side_by_side = list(pool.map(fit, problems))
    for alone, together in zip(one_by_one, side_by_side, strict=True):
        assert together.rule_list_ == alone.rule_list_
        assert together.objective_exact_ == alone.objective_exact_
        assert together.trace_.counters["expanded"] == alone.trace_.counters["expanded"]


# Progress and trace.


def test_a_listener_hears_of_the_search() -> None:
    X, y = hard_problem()
    heard: list[Progress] = []

    def listen(moment: Progress) -> None:
        if moment.stage == "searching":  # mining has a rate of its own
            heard.append(moment)
        if len(heard) >= 5 and sum(moment.pruned.values()) > 0:
            raise KeyboardInterrupt

    with pytest.warns(UncertifiedWarning, match="was interrupted"):
        model = RuleListClassifier(**HARD, progress=listen).fit(X, y)
    assert all(later.time - earlier.time > 0.099 for earlier, later in pairwise(heard))
    for moment in heard:
        assert 0 <= moment.lower_bound <= moment.objective
        assert moment.gap == moment.objective - moment.lower_bound
        assert moment.memory > 0
        # A class for each antecedent, and one for the default.
        assert len(moment.labels) == len(moment.prefix) + 1
        assert set(moment.labels) <= {0, 1}
        assert sum(moment.queue_by_length) == moment.queue
    assert [moment.time for moment in heard] == sorted(moment.time for moment in heard)
    known = {str(antecedent) for antecedent in model.antecedents_}
    assert known.issuperset(heard[-1].prefix)
    assert sum(heard[-1].pruned.values()) > 0
    assert all(heard[-1].pruned[name] <= count for name, count in model.trace_.pruned.items())


def test_reports_that_come_too_soon_are_left_out() -> None:
    heard: list[float] = []
    report = spaced(lambda event: heard.append(event["time"]))
    for moment in (0.0, 0.05, 0.125, 0.2, 0.25, 3.0, 3.01):
        report({"time": moment})
    assert heard == [0.0, 0.125, 0.25, 3.0]


def test_an_error_in_a_listener_comes_out_of_fit() -> None:
    X, y = hard_problem()

    def listener(_: Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        RuleListClassifier(**HARD, time_limit=20, progress=listener).fit(X, y)


def test_a_listener_can_end_the_search() -> None:
    X, y = hard_problem()

    heard: list[Progress] = []

    def listener(moment: Progress) -> None:
        heard.append(moment)
        raise KeyboardInterrupt

    model = RuleListClassifier(**HARD, time_limit=20, progress=listener)
    with pytest.warns(UncertifiedWarning, match="was interrupted"):
        model.fit(X, y)
    assert model.status_ == "interrupted"
    assert model.gap_ > 0
    assert len(heard) == 1


def test_progress_writes_nothing_where_there_is_no_terminal(
    capfd: pytest.CaptureFixture[str],
) -> None:
    X, y = hard_problem()
    with pytest.warns(UncertifiedWarning):
        RuleListClassifier(**HARD, time_limit=0.5, progress=True).fit(X, y)
    assert capfd.readouterr() == ("", "")


class Terminal:
    """A stream that says it is a terminal and remembers what it shows; a while on, Ctrl-C."""

    def __init__(self) -> None:
        self.written = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> None:
        self.written += text
        if self.written.count("\r") == 3 and "\r" in text:
            raise KeyboardInterrupt

    def flush(self) -> None:
        pass


def test_progress_is_one_line_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = hard_problem()
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "120")
    with pytest.warns(UncertifiedWarning, match="was interrupted"):
        RuleListClassifier(**HARD, progress=True).fit(X, y)
    assert terminal.written.count("\n") == 1
    assert terminal.written.endswith("\n")
    states = terminal.written.strip().split("\r")
    assert len(states) >= 3
    for state in states:
        assert "objective 0." in state
        assert "lower bound" in state
        assert "prefixes" in state


def test_the_trace_has_counters_and_samples() -> None:
    X, y = hard_problem()
    with pytest.warns(UncertifiedWarning):
        model = RuleListClassifier(**HARD, max_prefixes=20_000, trace_interval=0.001).fit(X, y)
    trace = model.trace_
    assert len(trace) >= 4
    assert (np.diff(trace.time) >= 0).all()
    assert (np.diff(trace.objective) <= 0).all()
    assert (np.diff(trace.lower_bound) >= 0).all()
    assert (trace.lower_bound <= trace.objective).all()
    assert trace.objective[-1] == pytest.approx(model.objective_)
    assert trace.queue_logical.shape == trace.queue_physical.shape
    assert len(trace.queue_logical) == len(trace)
    assert set(trace.pruned_by) == set(trace.pruned) == {*_core.bound_names(), "symmetry"}
    assert all(len(column) == len(trace) for column in trace.pruned_by.values())
    assert trace.counters["expanded"] >= trace.expanded[-1] > 0
    with pytest.raises(ValueError, match="read-only"):
        trace.time[0] = 0.0


def test_without_an_interval_the_trace_has_counters_only() -> None:
    X, y = random_problem(4, rows=150, features=5)
    trace = RuleListClassifier(0.02).fit(X, y).trace_
    assert len(trace) == 0
    assert trace.counters["queue_insertions"] >= 1
    assert trace.counters["max_memory"] > 0
