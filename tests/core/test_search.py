"""What a search says of itself wherever it stops, and that it can go on from there."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np
import oracle
import pytest
from own_process import words_printed_by
from strategies import Case, noise, random_case

from surelist import _core

BOUNDS = _core.bound_names()
POLICIES = _core.policy_names()
SYMMETRIES = _core.symmetry_names()
TIMES = ("time", "time_to_optimum")

# Some hundredths of a second, so that it can be stopped in the middle; and some seconds.
LIGHT, LIGHT_REGULARIZATION = noise(500, 12), "0.002"
HARD, HARD_REGULARIZATION = noise(3000, 30), "0.002"


@pytest.fixture(scope="module")
def light_optimum() -> int:
    search = _core.Search(LIGHT, LIGHT_REGULARIZATION)
    assert search.run() == "optimal"
    return search.objective


def value(search: _core.Search) -> Fraction:
    return Fraction(search.objective, search.scale)


def check_stop(search: _core.Search, case: Case, expected: Fraction) -> None:
    """Check what must hold wherever a search has stopped."""
    lower_bound = Fraction(search.lower_bound, search.scale)
    assert lower_bound <= expected <= value(search)
    assert (search.status == "optimal") == (lower_bound == value(search))
    recomputed = oracle.objective(
        case.data, case.penalty, search.prefix, search.labels, search.default_label
    )
    assert recomputed == value(search)
    assert search.loss == (recomputed - case.penalty * len(search.prefix)) * sum(case.weights)


class TestBeforeItRuns:
    def test_the_default_rule_is_the_first_incumbent(self) -> None:
        search = _core.Search(LIGHT, LIGHT_REGULARIZATION)
        assert search.status == "running"
        assert (search.prefix, search.labels) == ([], [])
        assert search.loss == min(LIGHT.class_weights)
        assert search.default_label == int(np.argmax(LIGHT.class_weights))
        assert search.lower_bound < search.objective

    def test_a_warm_start_is_the_first_incumbent(self) -> None:
        done = _core.Search(LIGHT, LIGHT_REGULARIZATION)
        done.run()
        search = _core.Search(LIGHT, LIGHT_REGULARIZATION, initial_rule_list=done.prefix)
        assert (search.prefix, search.objective) == (done.prefix, done.objective)
        assert search.run() == "optimal"
        assert (search.prefix, search.objective) == (done.prefix, done.objective)
        assert search.counters["improvements"] == 0

    def test_a_warm_start_that_is_too_long_is_left_out(self) -> None:
        done = _core.Search(LIGHT, LIGHT_REGULARIZATION)
        done.run()
        assert len(done.prefix) > 1
        search = _core.Search(
            LIGHT, LIGHT_REGULARIZATION, initial_rule_list=done.prefix, max_length=1
        )
        assert search.prefix == []

    def test_it_keeps_its_problem_alive(self) -> None:
        case = random_case(12)
        search = _core.Search(case.problem(), case.regularization)
        assert search.run() == "optimal"
        assert value(search) == oracle.optimum(case.data, case.penalty)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"policy": "best"}, "there is no policy named 'best'"),
        ({"symmetry": "all"}, "there is no symmetry named 'all'"),
        ({"bounds": ["support", "suport"]}, "there is no bound named 'suport'"),
        ({"initial_rule_list": [12]}, "initial_rule_list names an antecedent that does not exist"),
        ({"initial_rule_list": [3, 1, 3]}, "initial_rule_list .*twice|initial_rule_list repeats"),
        ({"kernels": "sse9"}, "sse9"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(_core.InputError, match=message):
        _core.Search(LIGHT, LIGHT_REGULARIZATION, **options)


class TestStops:
    @pytest.mark.parametrize(
        ("options", "status"),
        [
            ({"max_prefixes": 0}, "prefix_limit"),
            ({"max_prefixes": 1}, "prefix_limit"),
            ({"max_prefixes": 5}, "prefix_limit"),
            ({"max_prefixes": 20}, "prefix_limit"),
            ({"time_limit": 0.0}, "time_limit"),
            ({"memory_limit": 1}, "memory_limit"),
        ],
    )
    @pytest.mark.parametrize("policy", POLICIES)
    def test_what_is_proven_by_then_holds(
        self, options: dict[str, Any], status: str, policy: str
    ) -> None:
        seen = set()
        for seed in range(60):
            case = random_case(seed)
            expected = oracle.optimum(case.data, case.penalty)
            for bounds in (BOUNDS, []):
                search = _core.Search(
                    case.problem(),
                    case.regularization,
                    bounds=bounds,
                    symmetry="captured" if bounds else "none",
                    policy=policy,
                    beam_width=0,
                    **options,
                )
                assert search.run() == search.status
                assert search.status in (status, "optimal")
                seen.add(search.status)
                check_stop(search, case, expected)
        assert status in seen

    def test_no_more_prefixes_than_allowed(self) -> None:
        # The limit is looked at before each expansion, which adds one prefix per antecedent.
        for limit in (1, 10, 100, 1000):
            search = _core.Search(LIGHT, LIGHT_REGULARIZATION, max_prefixes=limit)
            assert search.run() == "prefix_limit"
            assert limit <= search.counters["queue_insertions"] <= limit + LIGHT.n_antecedents
            assert search.lower_bound < search.objective

    def test_a_limit_that_was_reached_stays_reached(self) -> None:
        search = _core.Search(LIGHT, LIGHT_REGULARIZATION, max_prefixes=100)
        assert search.run() == "prefix_limit"
        counters = search.counters
        assert search.run() == "prefix_limit"
        assert search.counters["expanded"] == counters["expanded"]

    def test_a_time_limit_is_kept(self) -> None:
        search = _core.Search(HARD, HARD_REGULARIZATION, time_limit=0.3)
        started = time.process_time()
        assert search.run() == "time_limit"
        # Generous. Without the limit it takes many times as long.
        assert time.process_time() - started < 3
        assert search.counters["time"] >= 0.3
        assert search.lower_bound < search.objective

    def test_going_on_after_each_time_limit_reaches_the_optimum(self, light_optimum: int) -> None:
        search = _core.Search(LIGHT, LIGHT_REGULARIZATION, time_limit=0.0, beam_width=0)
        lower_bounds = []
        while search.run() != "optimal":
            assert search.status == "time_limit"
            assert search.lower_bound <= light_optimum <= search.objective
            lower_bounds.append(search.lower_bound)
            assert len(lower_bounds) < 10_000
        assert len(lower_bounds) > 3
        assert lower_bounds == sorted(lower_bounds)
        assert search.objective == light_optimum

    @pytest.mark.parametrize("policy", POLICIES)
    @pytest.mark.parametrize("symmetry", SYMMETRIES)
    def test_stopped_again_and_again_it_finds_the_same(
        self, policy: str, symmetry: str, light_optimum: int
    ) -> None:
        search = _core.Search(
            LIGHT, LIGHT_REGULARIZATION, policy=policy, symmetry=symmetry, beam_width=0
        )
        n_stops = 0
        while search.run(lambda _: search.interrupt()) != "optimal":
            n_stops += 1
            assert search.status == "interrupted"
            assert search.lower_bound <= light_optimum <= search.objective
            assert n_stops < 10_000
        assert n_stops > 1
        assert search.objective == light_optimum

    def test_an_interrupt_from_another_thread(self) -> None:
        search = _core.Search(HARD, HARD_REGULARIZATION)
        timer = threading.Timer(0.1, search.interrupt)
        started = time.process_time()
        timer.start()
        assert search.run() == "interrupted"
        timer.join()
        assert time.process_time() - started < 3
        assert search.lower_bound < search.objective

    def test_once_optimal_it_stays_so(self) -> None:
        search = _core.Search(LIGHT, LIGHT_REGULARIZATION)
        assert search.run() == "optimal"
        counters = search.counters
        assert search.run() == "optimal"
        assert search.counters == counters

    @pytest.mark.parametrize("n_jobs", [1, 2])
    def test_an_exception_of_the_watcher_loses_nothing(
        self, n_jobs: int, light_optimum: int
    ) -> None:
        search = _core.Search(LIGHT, LIGHT_REGULARIZATION, beam_width=0, n_jobs=n_jobs)

        def fail(_: dict[str, Any]) -> None:
            raise RuntimeError("the display is gone")

        n_failures = 0
        while search.status != "optimal" and n_failures < 10_000:
            try:
                search.run(fail)
            except RuntimeError:
                n_failures += 1
                assert search.lower_bound <= light_optimum <= search.objective
                assert (search.status == "optimal") == (search.lower_bound == search.objective)
        # Several threads may be done before the watcher is called a second time.
        assert n_failures >= (3 if n_jobs == 1 else 1)
        assert search.objective == light_optimum == search.lower_bound


CONTROL_C = """
import os, signal, threading
from strategies import noise
from surelist import _core

search = _core.Search(noise(3000, 30), "0.002")
{press}
print(status, search.lower_bound < search.objective)
"""


@pytest.mark.parametrize(
    "press",
    [
        "threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "status = search.run()",
        # While Python code runs, it is not the engine that notices first.
        "status = search.run(lambda _: signal.raise_signal(signal.SIGINT))",
    ],
    ids=["searching", "reporting"],
)
def test_control_c_gives_what_there_is(press: str) -> None:
    # In a process of its own: a signal that comes late must not end the test run.
    assert words_printed_by(CONTROL_C.format(press=press)) == ["interrupted", "True"]


def outcome(search: _core.Search) -> dict[str, Any]:
    """Everything that must be the same in a second run."""
    status = search.run()
    counters = {name: n for name, n in search.counters.items() if name not in TIMES}
    return {
        "status": status,
        "prefix": search.prefix,
        "objective": search.objective,
        "counters": counters,
        "pruned": search.pruned,
    }


class TestRepeatability:
    @pytest.mark.parametrize("policy", POLICIES)
    @pytest.mark.parametrize("symmetry", SYMMETRIES)
    def test_the_same_options_do_the_same(self, policy: str, symmetry: str) -> None:
        first, second = (
            _core.Search(
                LIGHT,
                LIGHT_REGULARIZATION,
                policy=policy,
                symmetry=symmetry,
                beam_width=0,
                random_state=7,
            )
            for _ in range(2)
        )
        assert outcome(first) == outcome(second)

    def test_the_random_policy_goes_by_its_seed(self, light_optimum: int) -> None:
        outcomes = [
            outcome(
                _core.Search(
                    LIGHT, LIGHT_REGULARIZATION, policy="random", beam_width=0, random_state=seed
                )
            )
            for seed in range(4)
        ]
        assert {found["objective"] for found in outcomes} == {light_optimum}
        assert len({found["counters"]["expanded"] for found in outcomes}) > 1

    @pytest.mark.parametrize("kernels", ["baseline", "avx2", "avx512"])
    @pytest.mark.parametrize("n_classes", [2, 3])
    def test_every_instruction_set_does_the_same(self, kernels: str, n_classes: int) -> None:
        rng = np.random.default_rng(2)
        problem = _core.Problem(
            rng.integers(0, 2, (600, 13), dtype=np.uint8),
            rng.integers(0, n_classes, 600).astype(np.int32),
            rng.integers(1, 200, 600),
            n_classes,
        )
        try:
            search = _core.Search(problem, "0.003", kernels=kernels)
        except _core.InputError as error:
            pytest.skip(f"this processor: {error}")
        assert outcome(search) == outcome(_core.Search(problem, "0.003"))

    @pytest.mark.slow
    def test_searches_in_threads_do_the_same_as_one_by_one(self) -> None:
        problems = [noise(600, 16, seed) for seed in range(3)]
        searches = [(p, policy) for p in (problems[0], *problems) for policy in POLICIES]

        def search(chosen: tuple[_core.Problem, str]) -> dict[str, Any]:
            return outcome(_core.Search(chosen[0], "0.002", policy=chosen[1]))

        serial = [search(chosen) for chosen in searches]
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(search, searches)) == serial


class TestSeveralThreads:
    @pytest.mark.parametrize("n_jobs", [2, 3])
    @pytest.mark.parametrize("policy", POLICIES)
    def test_the_optimum_is_the_same(self, n_jobs: int, policy: str, light_optimum: int) -> None:
        search = _core.Search(
            LIGHT, LIGHT_REGULARIZATION, policy=policy, n_jobs=n_jobs, beam_width=0
        )
        assert search.run() == "optimal"
        assert search.objective == light_optimum == search.lower_bound

    @pytest.mark.parametrize("n_jobs", [2, 5])
    def test_small_problems(self, n_jobs: int) -> None:
        for seed in range(150):
            case = random_case(seed)
            expected = oracle.optimum(case.data, case.penalty)
            for symmetry in SYMMETRIES:
                search = _core.Search(
                    case.problem(),
                    case.regularization,
                    n_jobs=n_jobs,
                    symmetry=symmetry,
                    policy=POLICIES[seed % len(POLICIES)],
                    bounds=BOUNDS if seed % 2 else [],
                    beam_width=0,
                )
                assert search.run() == "optimal"
                check_stop(search, case, expected)
                assert value(search) == expected

    def test_they_stop_and_go_on(self, light_optimum: int) -> None:
        search = _core.Search(LIGHT, LIGHT_REGULARIZATION, n_jobs=2, beam_width=0)
        n_stops = 0
        while search.run(lambda _: search.interrupt()) != "optimal":
            n_stops += 1
            assert search.lower_bound <= light_optimum <= search.objective
            assert n_stops < 10_000
        assert n_stops > 0
        assert search.objective == light_optimum
