"""Counters add up, memory is accounted for and kept within its limit, totals are the paper's."""

from __future__ import annotations

import math
from typing import Any

import pytest
from own_process import words_printed_by
from problems import UNRELAXED
from strategies import noise, random_case

from surelist import _core

BOUNDS = _core.bound_names()
POLICIES = _core.policy_names()
SYMMETRIES = _core.symmetry_names()
LIGHT, LIGHT_REGULARIZATION = noise(500, 12), "0.002"


class TestCounters:
    NAMES = (
        "expanded",
        "at_once",
        "evaluated",
        "lower_bound_evaluations",
        "queue_insertions",
        "max_queue",
        "longest_prefix",
        "improvements",
        "garbage_collected",
        "time",
        "time_to_optimum",
        "memory",
        "max_memory",
    )

    @pytest.mark.parametrize("policy", POLICIES)
    def test_they_add_up(self, policy: str) -> None:
        search = _core.Search(LIGHT, LIGHT_REGULARIZATION, policy=policy, beam_width=0)
        search.run()
        counters = search.counters
        assert set(counters) >= set(self.NAMES)
        in_turn = counters["expanded"] - counters["at_once"]
        assert 0 < in_turn <= counters["queue_insertions"]
        assert 0 < counters["max_queue"] <= counters["queue_insertions"]
        assert counters["evaluated"] <= counters["lower_bound_evaluations"]
        assert counters["lower_bound_evaluations"] <= counters["expanded"] * LIGHT.n_antecedents
        assert len(search.prefix) <= counters["longest_prefix"] <= LIGHT.n_antecedents
        assert counters["garbage_collected"] <= counters["queue_insertions"]
        assert counters["improvements"] > 0
        assert 0 <= counters["time_to_optimum"] <= counters["time"]
        assert 0 < counters["memory"] <= counters["max_memory"]

    def test_some_prefixes_are_expanded_at_once(self) -> None:
        search = _core.Search(LIGHT, LIGHT_REGULARIZATION, bounds=UNRELAXED)
        search.run()
        assert 0 < search.counters["at_once"] < search.counters["expanded"]

    @pytest.mark.parametrize("n_jobs", [1, 2])
    def test_a_beam_gets_wider_where_the_search_takes_long(self, n_jobs: int) -> None:
        plain = _core.Search(LIGHT, LIGHT_REGULARIZATION, beam_width=0)
        beam = _core.Search(LIGHT, LIGHT_REGULARIZATION, beam_width=1, n_jobs=n_jobs)
        assert plain.run() == beam.run() == "optimal"
        assert beam.counters["expanded"] > 50 * 10  # for each place in the next beam
        assert plain.objective == beam.objective

    def test_pruned_names_every_bound(self) -> None:
        search = _core.Search(LIGHT, LIGHT_REGULARIZATION)
        search.run()
        assert list(search.pruned) == [*BOUNDS, "symmetry"]
        assert sum(search.pruned.values()) > 0

    @pytest.mark.parametrize("off", BOUNDS)
    def test_a_bound_that_is_off_prunes_nothing(self, off: str) -> None:
        for seed in range(40):
            case = random_case(seed)
            kept = [name for name in BOUNDS if name != off]
            search = _core.Search(case.problem(), case.regularization, bounds=kept)
            search.run()
            assert search.pruned[off] == 0

    def test_without_a_map_nothing_is_symmetric(self) -> None:
        by_map = {}
        for symmetry in SYMMETRIES:
            search = _core.Search(LIGHT, LIGHT_REGULARIZATION, symmetry=symmetry)
            search.run()
            by_map[symmetry] = search.pruned["symmetry"]
        assert by_map["none"] == 0
        assert by_map["captured"] > 0
        assert by_map["permutation"] > 0

    @pytest.mark.parametrize("n_antecedents", [1, 2, 3, 4, 5])
    def test_with_everything_off_every_rule_list_is_evaluated(self, n_antecedents: int) -> None:
        search = _core.Search(
            noise(100, n_antecedents), "0.01", bounds=[], symmetry="none", beam_width=0
        )
        search.run()
        n_lists = sum(math.perm(n_antecedents, k) for k in range(1, n_antecedents + 1))
        assert search.counters["evaluated"] == n_lists
        assert search.counters["longest_prefix"] == n_antecedents
        assert sum(search.pruned.values()) == 0

    @pytest.mark.parametrize("n_antecedents", [2, 3, 4, 5, 6])
    def test_the_permutation_map_alone_evaluates_what_the_paper_says(
        self, n_antecedents: int
    ) -> None:
        # Theorem "Upper bound on total prefix evaluations using symmetry-aware pruning"
        search = _core.Search(
            noise(100, n_antecedents),
            "0.01",
            bounds=[],
            symmetry="permutation",
            policy="breadth_first",
            beam_width=0,
        )
        search.run()
        m = n_antecedents
        assert search.counters["evaluated"] == sum(
            math.comb(m, k - 1) * (m - k + 1) for k in range(1, m + 1)
        )


MEMORY = """
import psutil
from strategies import noise
from surelist import _core

problem = noise(3000, 30)
_core.Search(problem, "0.02").run()  # whatever is allocated once
process = psutil.Process()
before = process.memory_info().rss
search = _core.Search(problem, "0.002", {limit})
status = search.run()
after = process.memory_info().rss
print(status, search.counters["max_memory"], after - before)
"""


def measure(limit: str) -> tuple[str, int, int]:
    """Search in a process of its own, where nothing else changes the resident size."""
    status, accounted, resident = words_printed_by(MEMORY.format(limit=limit))
    return status, int(accounted), int(resident)


class TestMemory:
    @pytest.mark.slow
    def test_what_is_accounted_is_what_is_used(self) -> None:
        status, accounted, resident = measure("max_prefixes=400_000")
        assert status == "prefix_limit"
        assert accounted > 30_000_000
        assert 0.7 * accounted <= resident <= 1.4 * accounted

    @pytest.mark.slow
    @pytest.mark.parametrize("limit", [6_000_000, 15_000_000])
    def test_a_limit_is_kept_and_made_use_of(self, limit: int) -> None:
        status, accounted, resident = measure(
            f"memory_limit={limit}, work_limit=10**9, bounds={UNRELAXED}"
        )
        assert status == "work_limit"
        assert 0.9 * limit <= accounted <= 1.1 * limit
        assert 0.5 * limit <= resident <= 1.3 * limit

    def test_what_does_not_even_fit_the_problem_stops_at_once(self) -> None:
        search = _core.Search(LIGHT, LIGHT_REGULARIZATION, memory_limit=LIGHT.nbytes)
        assert search.run() == "memory_limit"
        assert search.counters["expanded"] == 0
        assert search.lower_bound < search.objective

    @pytest.mark.parametrize("policy", POLICIES)
    @pytest.mark.parametrize("symmetry", SYMMETRIES)
    def test_short_of_memory_it_finds_the_same(self, policy: str, symmetry: str) -> None:
        def search(**limits: Any) -> _core.Search:
            return _core.Search(
                LIGHT,
                LIGHT_REGULARIZATION,
                policy=policy,
                symmetry=symmetry,
                beam_width=0,
                **limits,
            )

        free, empty = search(), search(max_prefixes=0)
        assert (free.run(), empty.run()) == ("optimal", "prefix_limit")
        # It cannot take less than what it holds before it begins.
        least = empty.counters["max_memory"]
        for limit in (max(free.counters["max_memory"] * 2 // 3, least), least):
            short = search(memory_limit=limit)
            assert short.run() == "optimal"
            assert short.objective == free.objective == short.lower_bound
            assert short.counters["max_memory"] <= 1.1 * limit
        assert short.counters["dived"] > 0

    @pytest.mark.slow
    @pytest.mark.parametrize("n_jobs", [1, 2])
    def test_many_open_prefixes_make_it_go_depth_first(self, n_jobs: int) -> None:
        problem = noise(500, 18)

        def search(**limits: Any) -> _core.Search:
            return _core.Search(problem, "0.003", symmetry="none", n_jobs=n_jobs, **limits)

        free = search(policy="breadth_first")
        assert free.run() == "optimal"
        crowded = search(policy="breadth_first", memory_limit=free.counters["max_memory"])
        assert crowded.run() == "optimal"
        assert crowded.objective == free.objective
        assert crowded.counters["dived"] == 0
        assert crowded.counters["max_queue"] < 0.6 * free.counters["max_queue"]
        assert crowded.counters["max_memory"] < 0.7 * free.counters["max_memory"]


class TestTotals:
    @pytest.mark.parametrize(
        ("n_antecedents", "regularization", "symmetry_aware", "expected"),
        [
            (100, "0.1", False, 9.1e9),  # the paper: M = 100 and K = 5
            (100, "0.1", True, 3.9e8),
            (1000, "0.05", False, 9.6e29),  # M = 1000 and K = 10
            (1000, "0.05", True, 2.7e24),
        ],
    )
    def test_the_papers_numbers(
        self, n_antecedents: int, regularization: str, symmetry_aware: bool, expected: float
    ) -> None:
        log10 = _core.total_prefix_evaluations(
            n_antecedents, regularization, symmetry_aware=symmetry_aware
        )
        assert 10**log10 == pytest.approx(expected, rel=0.02)

    @pytest.mark.parametrize("n_antecedents", [0, 1, 4, 12])
    @pytest.mark.parametrize(
        ("regularization", "n_classes", "longest"),
        [("0", 2, 99), ("0.1", 2, 5), ("0.11", 2, 4), ("0.1", 5, 8), ("0.6", 2, 0), ("1/3", 3, 2)],
    )
    def test_small_numbers_by_counting(
        self, n_antecedents: int, regularization: str, n_classes: int, longest: int
    ) -> None:
        m, most = n_antecedents, min(longest, n_antecedents)
        naive, symmetry_aware = (
            10 ** _core.total_prefix_evaluations(m, regularization, n_classes, aware)
            for aware in (False, True)
        )
        assert naive == pytest.approx(sum(math.perm(m, k) for k in range(most + 1)))
        assert symmetry_aware == pytest.approx(
            1 + sum(math.comb(m, k - 1) * (m - k + 1) for k in range(1, most + 1))
        )
