"""Limits and Ctrl-C where one step takes long: mining, and prefixes of very many children."""

from __future__ import annotations

import gc
import math
import signal
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from problems import random_problem

from surelist import RuleListClassifier, _core, regularization_path, resume
from surelist._common import progress as progress_module
from surelist._common.limits import Deadline, Pace, counting_from
from surelist._common.progress import Progress
from surelist.errors import UncertifiedWarning
from surelist.problem import prepare as preparing
from surelist.problem.mining import Cut, mine
from surelist.problem.parameters import read_parameters
from surelist.problem.prepare import prepare
from surelist.search.run import SearchRun


def _features(rows: int, features: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (rows, features), dtype=np.uint8)
    return X, rng.integers(0, 2, rows).astype(np.int32)


@pytest.mark.slow
def test_mining_looks_for_ctrl_c() -> None:
    X, y = _features(1000, 700)
    rings: list[bool] = []
    before = signal.signal(signal.SIGALRM, lambda *_: rings.append(True))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
        mined = _core.mine(
            X, y, None, 2, max_clauses=2, negations=False, min_support=1, max_support=1000
        )
        signal.setitimer(signal.ITIMER_REAL, 0)
        # However often it rings, what nobody looks for is seen once: when all is over.
        seen = len(rings)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(mined.antecedents) > 200_000
    assert seen > 1


def test_ctrl_c_ends_mining() -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    X, y = _features(1000, 400)
    before = signal.signal(signal.SIGALRM, interrupt)
    # An exception that strikes in a callback of the garbage collector (hypothesis has one) is lost.
    gc.disable()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            RuleListClassifier(0.001, max_clauses=2, time_limit=60).fit(X, y)
    finally:
        gc.enable()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.slow
def test_a_pause_waits_for_the_end_of_an_expansion() -> None:
    # Here one takes longer than from one pause to the next: abandoned, it would never end.
    X, y = _features(400, 3000)
    problem = _core.Problem(X, y, None, 2)
    search = _core.Search(problem, "0.0001", beam_width=0)
    for _ in range(20):
        search.run(None, 0.0005)
    assert search.status == "paused"
    assert search.counters["queue_insertions"] > 1


def test_a_limit_holds_while_many_children_are_compared_with_each_other() -> None:
    X, y = _features(1000, 16_000)
    search = _core.Search(_core.Problem(X, y, None, 2), "0.0001", time_limit=0.2)
    began = time.process_time()
    assert search.run() == "time_limit"
    assert time.process_time() - began < 20 * 0.2


# One clock for everything.


def _at(*moments: float) -> Callable[[], float]:
    """A clock that shows these moments, one after the other, and then stands still."""
    left = list(moments)
    return lambda: left.pop(0) if len(left) > 1 else left[0]


def test_every_step_gets_what_those_before_it_left() -> None:
    assert Deadline(10.0, 0.0, _at(4.0)).for_search() == 6.0
    assert Deadline(10.0, 0.0, _at(4.0)).for_search(0.5) == 3.0
    assert Deadline(10.0, 0.0, _at(9.95)).for_search() == pytest.approx(0.2)
    assert Deadline(10.0, 0.0, _at(1000.0)).for_search() == pytest.approx(0.2)
    assert Deadline(10.0, 0.0, _at(4.0)).for_mining() == pytest.approx(0.9)
    assert Deadline(10.0, 0.0, _at(4.0)).for_mining(with_files=True) == pytest.approx(0.36)
    assert Deadline(10.0, 0.0, _at(9.0)).left() == 1.0
    assert Deadline(10.0, 0.0, _at(11.0)).passed()
    unlimited = Deadline.start(None)
    assert unlimited.left() is unlimited.for_search() is unlimited.for_mining() is None
    assert not unlimited.passed()


def test_reading_counts_where_it_was_done_before() -> None:
    with counting_from(time.monotonic() - 1000):
        assert Deadline.start(2000.0).elapsed() >= 1000
        assert Deadline.now(2000.0).elapsed() < 1000
        with counting_from(None):
            assert Deadline.start(2000.0).elapsed() < 1000
    assert Deadline.start(2000.0).elapsed() < 1000


def test_a_time_limit_counts_from_the_first_row_on() -> None:
    X, y = random_problem(0)
    parameters = read_parameters(RuleListClassifier(0.01, time_limit=10))
    late = Deadline(10.0, time.monotonic() - 4.0)
    prepared = prepare(X, y, None, None, parameters, deadline=late)
    limit = SearchRun(prepared, parameters).parameters.time_limit
    assert limit is not None
    assert 0.2 <= limit <= 6.0
    with counting_from(time.monotonic() - 1000), pytest.warns(UncertifiedWarning):
        # Nothing is left: one look around.
        model = RuleListClassifier(0.0001, time_limit=10).fit(*_features(400, 30))
    assert model.trace_.counters["time"] < 10


def test_the_time_for_mining_ends_mining() -> None:
    X, y = _features(500, 300)
    whole = _core.mine(
        X, y, None, 2, max_clauses=2, negations=False, min_support=1, max_support=500
    )
    assert (whole.complete, whole.tried) == (True, 300 * 299 // 2)
    cut = _core.mine(
        *(X, y, None, 2),
        max_clauses=2,
        negations=False,
        min_support=1,
        max_support=500,
        seconds=0,
    )
    assert (cut.complete, cut.tried) == (False, 0)
    assert cut.antecedents == whole.antecedents[:300]  # single clauses are there in any case
    assert cut.feature_floor == whole.feature_floor <= whole.problem.minority_weight


@pytest.mark.parametrize("tried", [0, 1, 17, 1000, 10**15])
def test_mining_that_is_cut_short_gives_the_beginning(tried: int) -> None:
    rng = np.random.default_rng(3)
    X = rng.integers(0, 2, (70, 9), dtype=np.uint8)
    y = rng.integers(0, 2, 70).astype(np.int32)
    options: dict[str, Any] = {
        "max_clauses": 3,
        "negations": True,
        "min_support": 2,
        "max_support": 60,
    }
    whole = _core.mine(X, y, None, 2, **options)
    cut = _core.mine(X, y, None, 2, most_tried=tried, **options)
    assert cut.complete == (tried >= whole.tried)
    assert cut.tried == min(tried, whole.tried)
    first = [aliases[0] for aliases in whole.antecedents]
    assert [aliases[0] for aliases in cut.antecedents] == first[: len(cut.antecedents)]
    again = _core.mine(X, y, None, 2, most_tried=cut.tried, **options)
    assert again.antecedents == cut.antecedents


def test_mining_shows_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "_MINING_EVERY", 0.0)
    seen: list[Progress] = []
    model = RuleListClassifier(0.3, max_clauses=2, progress=seen.append).fit(*_features(60, 80))
    mining = [moment for moment in seen if moment.stage == "mining"]
    assert mining
    assert seen[: len(mining)] == mining
    for moment in mining:
        assert 0 <= moment.antecedents <= len(model.antecedents_)
        assert (moment.prefix, len(moment.labels)) == ((), 1)
        assert moment.objective == pytest.approx(float(model.rule_list_.loss)), "the empty list"
        assert "mining" in str(moment)


def test_a_terminal_shows_mining(capsys: pytest.CaptureFixture[str]) -> None:
    from surelist.cli.progress_display import watching

    moment = Progress(0.2, 0.4, 0.0, 0, 0, 0, (), stage="mining", antecedents=12_345)
    with watching(True) as watcher:
        watcher.progress(moment)
        watcher.progress(Progress(0.3, 0.4, 0.1, 5, 5, 5, ()))
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "surelist: 0.2 s  mining: 12,345 antecedents"
    assert "objective 0.4000" in lines[1]


def test_progress_may_end_mining(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "_MINING_EVERY", 0.0)

    def enough(moment: Progress) -> None:
        assert moment.stage == "mining"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        RuleListClassifier(0.01, progress=enough).fit(*_features(100, 50))


# What is proven where mining was cut short.


def _cut_after(monkeypatch: pytest.MonkeyPatch, tried: int) -> None:
    def cut(data: Any, parameters: Any, deadline: Any, *_: Any) -> Any:
        return whole(data, parameters, deadline, Cut(tried))

    whole = mine
    monkeypatch.setattr(preparing, "mine", cut)


DEMANDS: list[dict[str, Any]] = [
    {},
    {"regularization": 0},
    {"max_length": 1},
    {"max_length": 0},
    {"dnf": True},
    {"cost_matrix": [[0, 3], [0.5, 0]]},
    {"antecedent_costs": "clauses"},
    {"antecedent_costs": {"(x0) and (x3)": 0.1, "(x1)": 3, "(x2) and (x4)": 0}},
    {"required": ["(x1) and (x3)"]},
    {"first": ["x2"], "required": ["x4"], "forbidden": ["x0"]},
    {"forbidden": ["x0", "x1", "x2"], "max_length": 2},
]


@pytest.mark.parametrize("demands", DEMANDS)
@pytest.mark.parametrize("tried", [0, 3])
def test_the_lower_bound_is_one_for_antecedents_that_were_not_mined(
    demands: dict[str, Any], tried: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    differ = 0
    for seed in range(6):
        rng = np.random.default_rng([seed, 7])
        X = rng.integers(0, 2, (40, 5), dtype=np.uint8)
        y = (X[:, 0] & X[:, 3]) | (X[:, 1] & X[:, 4])
        y[rng.random(40) < 0.05 * seed] ^= 1
        parameters = {"regularization": 0.02, "min_support": 0, **demands}
        whole = RuleListClassifier(**parameters, certificate=True).fit(X, y)
        assert whole.status_ == "optimal"
        with monkeypatch.context() as patched, warnings.catch_warnings():
            _cut_after(patched, tried)
            warnings.simplefilter("ignore", UncertifiedWarning)
            model = RuleListClassifier(**parameters, certificate=True).fit(X, y)
        assert model.lower_bound_exact_ <= whole.objective_exact_ <= model.objective_exact_
        assert (model.status_ == "optimal") == (model.gap_ == 0)
        assert model.status_ in ("optimal", "time_limit")
        differ += whole.objective_exact_ < model.objective_exact_
        if model.proven_length_ is not None and len(whole.rule_list_) <= model.proven_length_:
            assert whole.objective_exact_ == model.objective_exact_
        # The certificate is about the antecedents that are in it.
        claim = model.certificate_
        assert claim.header["search"]["tried_conjunctions"] == tried
        assert len(claim.header["antecedents"]) == len(model.antecedents_)
        assert claim.lower_bound >= model.lower_bound_exact_
        assert claim.verify(X, y).lower_bound == claim.lower_bound
        assert "not all that there are" in claim.summary()
        assert "tried_conjunctions" not in whole.certificate_.header["search"]
    assert differ or demands  # what was not mined would have been needed


def test_a_checkpoint_says_where_mining_was_cut_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = random_problem(5, rows=200, features=9)
    model = RuleListClassifier(0.005, checkpoint=tmp_path / "kept", max_prefixes=5)
    with monkeypatch.context() as patched:
        _cut_after(patched, 11)
        with pytest.warns(UncertifiedWarning):
            model.fit(X, y)
    with pytest.warns(UncertifiedWarning):
        resumed = resume(tmp_path / "kept", max_prefixes=None)
    assert resumed.antecedents_ == model.antecedents_
    assert resumed.status_ == "time_limit"
    assert len(resumed.antecedents_) < len(RuleListClassifier(0.005).fit(X, y).antecedents_)


@pytest.mark.parametrize("demands", DEMANDS[2:])
def test_a_path_is_honest_about_antecedents_that_were_not_mined(
    demands: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = random_problem(5, rows=60, features=5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        whole = regularization_path(X, y, smallest=0.01, largest=0.9, **demands)
        with monkeypatch.context() as patched:
            _cut_after(patched, 2)
            path = regularization_path(X, y, smallest=0.01, largest=0.9, **demands)
            table = path.best_loss_by_length()
        best = whole.best_loss_by_length(max(1, len(table)) - 1 + table.rows[0].length)
    assert path.n_antecedents < whole.n_antecedents
    for k in range(21):
        at = path.smallest + (path.largest - path.smallest) * k / 20
        assert path.lower_bound_at(at) <= whole.objective_at(at) <= path.objective_at(at)
    for row, exact in zip(table, best, strict=True):
        assert row.lower_bound <= exact.loss <= row.loss


# Checkpoints.


def test_checkpoints_take_a_tenth_of_the_time_at_most() -> None:
    now = [0.0]
    pace = Pace(0.05, lambda: now[0])
    saving = 0.0
    while now[0] < 1000:
        now[0] += 0.01
        if pace.is_due():
            now[0] += 0.7
            saving += 0.7
            pace.spent(0.7)
    assert 0.05 * now[0] < saving < 0.11 * now[0]
    assert Pace(None, lambda: now[0]).until_due() == math.inf


def test_a_short_interval_does_not_outlast_the_limit(tmp_path: Path) -> None:
    X, y = _features(300, 60)
    began = time.process_time()
    with pytest.warns(UncertifiedWarning, match="time limit"):
        RuleListClassifier(
            0.001,
            time_limit=0.5,
            checkpoint=tmp_path / "kept",
            checkpoint_interval=1e-6,
            certificate=tmp_path / "proof",
        ).fit(X, y)
    assert time.process_time() - began < 20 * 0.5
