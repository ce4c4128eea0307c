"""The regularization path against the oracle, whose best losses by length give the envelope."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import warnings
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from hypothesis import given, settings
from oracle import Data, objective, optimum
from problems import hard_problem, random_problem
from repository import HELPERS
from strategies import Case, cases, random_case

from surelist import (
    InputError,
    LossByLength,
    RegularizationPath,
    RuleListClassifier,
    SurelistError,
    UncertifiedWarning,
    regularization_path,
)
from surelist._common.limits import Work
from surelist.datasets import load_breast_cancer, load_tic_tac_toe
from surelist.estimators.corels import text_files as corels_text
from surelist.estimators.path.envelope import Envelope
from surelist.estimators.path.search import _Run
from surelist.estimators.path.solver import Solver
from surelist.problem.parameters import read_parameters
from surelist.problem.training_data import read_data

SMALLEST = (Fraction(0), Fraction(1, 100), Fraction(1, 30), Fraction(1, 7), Fraction(9, 10))


def usable(case: Case) -> bool:
    """Whether two classes have weight, and there is something to choose from."""
    seen = {label for label, weight in zip(case.labels, case.weights, strict=True) if weight}
    return len(seen) > 1 and case.n_antecedents > 0


def with_support(case: Case, share: Fraction) -> Data:
    """The case with only those antecedents that are mined for a smallest λ."""
    data = case.data
    total = data.weight(range(len(data.labels)))
    kept = [
        s
        for s in range(data.n_antecedents)
        if data.weight(data.captured_by[s]) >= max(1, ceil(share * total))
    ]
    captures = tuple(tuple(row[s] for s in kept) for row in data.captures)
    return replace(data, captures=captures, n_antecedents=len(kept))


def path_of(case: Case, smallest: Fraction, **parameters: Any) -> RegularizationPath:
    captures, labels, weights = case.arrays()
    return regularization_path(
        captures, labels, sample_weight=weights, smallest=smallest, max_clauses=1, **parameters
    )


def check_path(case: Case, smallest: Fraction) -> None:
    """Compare a path with the envelope of the best losses, at its corners and between them."""
    path = path_of(case, smallest)
    losses = [optimum(case.data, Fraction(0), k) for k in range(case.n_antecedents + 1)]
    assert path.certified
    assert path.status == "optimal"
    assert path.smallest == smallest
    crossings = {
        (losses[j] - losses[k]) / (k - j)
        for j in range(len(losses))
        for k in range(j + 1, len(losses))
    }
    ends = {at for segment in path for at in (segment.start, segment.stop)}
    places = sorted(at for at in crossings | ends if path.smallest <= at <= path.largest)
    places += [(a + b) / 2 for a, b in pairwise(places)]
    for at in places:
        least = min(loss + at * k for k, loss in enumerate(losses))
        assert path.objective_at(at) == path.lower_bound_at(at) == least
        assert path.at(at).regularization == at
    for left, right in pairwise(path):
        assert left.stop == right.start
        assert left.length > right.length
        assert left.objective(left.stop) == right.objective(left.stop)
    for segment in path:
        prefix = [rule.antecedent for rule in segment.rule_list.rules]
        indices = [a.clauses[0].feature for a in prefix if a is not None]
        assert objective(case.data, segment.start, indices) == segment.objective(segment.start)


@pytest.mark.parametrize("start", range(0, 400, 50))
def test_paths_are_the_envelope(start: int) -> None:
    checked = 0
    for seed in range(start, start + 50):
        case = random_case(seed)
        if usable(case):
            check_path(case, SMALLEST[seed % len(SMALLEST)])
            checked += 1
    assert checked > 20


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(cases(most_antecedents=4, most_rows=12))
def test_paths_of_any_problem_are_the_envelope(case: Case) -> None:
    if usable(case):
        check_path(case, Fraction(0))


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_the_least_loss_of_each_length_is_the_oracles(start: int) -> None:
    for seed in range(start, start + 50):
        case = random_case(seed)
        if not usable(case):
            continue
        smallest = SMALLEST[seed % 4]
        data = with_support(case, smallest)
        path = path_of(case, smallest)
        table = path.best_loss_by_length(case.n_antecedents + 1)
        assert table.certified
        assert table.min_support == smallest
        for row in table:
            assert row.loss == row.lower_bound == optimum(data, Fraction(0), row.length)
            assert len(row.rule_list) <= row.length
            # The fewest rules with that loss.
            shorter = len(row.rule_list) - 1
            assert shorter < 0 or optimum(data, Fraction(0), shorter) > row.loss


def test_each_segment_is_what_the_estimator_finds() -> None:
    data = load_breast_cancer()
    path = regularization_path(data.X, data.y, smallest=0.01, max_clauses=1)
    assert path.certified
    for segment in path:
        middle = (segment.start + segment.stop) / 2
        model = RuleListClassifier(middle, max_clauses=1).fit(data.X, data.y)
        assert model.objective_exact_ == path.objective_at(middle)
    assert path.n_searches <= 2 * len(path) + 2


def test_a_grid_is_certified_at_its_points() -> None:
    X, y = random_problem(3, classes=3)
    grid = [0.3, 0.01, 0.05, 0.02, 0.1]
    path = regularization_path(X, y, regularizations=grid)
    assert path.status == "optimal"
    assert path.regularizations == tuple(sorted(Fraction(str(value)) for value in grid))
    assert (path.smallest, path.largest) == (Fraction(1, 100), Fraction(3, 10))
    for value in grid:
        assert path.gap_at(value) == 0
        model = RuleListClassifier(value).fit(X, y)
        assert path.objective_at(value) == model.objective_exact_
    assert path.n_searches <= len(grid) + 1


def test_largest_cuts_the_path() -> None:
    X, y = random_problem(1)
    whole = regularization_path(X, y)
    part = regularization_path(X, y, smallest=0.02, largest=0.05)
    assert part.certified
    assert (part.smallest, part.largest) == (Fraction(1, 50), Fraction(1, 20))
    for at in (0.02, 0.03, 0.05):
        assert part.objective_at(at) == whole.objective_at(at)
    single = regularization_path(X, y, smallest=0.05, largest=0.05)
    assert len(single) == 1
    assert single.certified
    beyond = regularization_path(X, y, smallest=0.8, largest=0.9)
    assert [segment.length for segment in beyond] == [0]
    assert beyond.certified


def test_max_length_holds_for_the_path() -> None:
    data = load_tic_tac_toe()
    path = regularization_path(data.X, data.y, smallest=0.005, max_clauses=1, max_length=2)
    assert path.certified
    assert max(segment.length for segment in path) <= 2
    with pytest.raises(InputError, match="made with max_length=2"):
        path.best_loss_by_length(3)


@pytest.mark.slow
def test_several_searches_at_once_find_the_same_path() -> None:
    X, y = random_problem(5, rows=200, features=8)
    one = regularization_path(X, y, smallest=0.005)
    with joblib.parallel_config("threading"):
        threads = regularization_path(X, y, smallest=0.005, n_jobs=2)
    processes = regularization_path(X, y, smallest=0.005, n_jobs=2)
    for other in (threads, processes):
        assert other.certified
        assert other.breakpoints == one.breakpoints
        assert [s.loss for s in other] == [s.loss for s in one]


def test_a_time_limit_leaves_an_honest_path() -> None:
    X, y = hard_problem()
    with pytest.warns(UncertifiedWarning, match="time limit was reached. Not proven are the λ"):
        path = regularization_path(X, y, smallest=0.002, time_limit=0.5)
    assert path.status == "time_limit"
    assert not path.certified
    assert path.gap > 0
    assert path.gap == max(segment.gap for segment in path)
    for segment in path:
        for at in (segment.start, segment.stop):
            assert 0 <= path.lower_bound_at(at) <= path.objective_at(at)
            assert path.gap_at(at) <= segment.gap
    assert "gap" in str(path)
    with pytest.warns(UncertifiedWarning, match="not certified for the lengths"):
        table = path.best_loss_by_length(5, time_limit=0.3)
    assert table[0].certified
    assert not table[5].certified
    losses = [row.loss for row in table]
    floors = [row.lower_bound for row in table]
    assert losses == sorted(losses, reverse=True)
    assert floors == sorted(floors, reverse=True)
    assert all(row.lower_bound <= row.loss for row in table)


@pytest.mark.slow
def test_proofs_come_first_where_they_are_cheap() -> None:
    data = load_breast_cancer()
    done: list[object] = []

    def watch(progress: object) -> None:
        done.append(progress)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        path = regularization_path(
            data.X, data.y, smallest=0.0005, max_clauses=2, max_prefixes=2000, progress=watch
        )
    assert path.status == "prefix_limit"
    assert path.segments[-1].certified
    assert not path.segments[0].certified
    whole = regularization_path(data.X, data.y, smallest=0.05, max_clauses=2)
    for segment in path:
        if segment.certified and segment.start >= whole.smallest:
            assert whole.objective_at(segment.start) == path.objective_at(segment.start)


def test_a_progress_function_can_end_a_path() -> None:
    X, y = hard_problem()

    def enough(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.warns(UncertifiedWarning, match="it was interrupted"):
        path = regularization_path(X, y, smallest=0.002, progress=enough)
    assert path.status == "interrupted"


PATH_UNTIL_INTERRUPTED = """
import sys, warnings
sys.path.insert(0, sys.argv[1])
from problems import hard_problem
from surelist import regularization_path
warnings.simplefilter("ignore")
started = lambda event: print("running", flush=True)
path = regularization_path(*hard_problem(), smallest=0.001, time_limit=300, progress=started)
print(path.status, path.gap > 0, len(path.at(0.01)) > 0)
"""


@pytest.mark.slow
def test_ctrl_c_ends_a_path_and_keeps_what_is_known() -> None:
    command = [sys.executable, "-c", PATH_UNTIL_INTERRUPTED, str(HELPERS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    assert out.splitlines()[-1] == "interrupted True True"


def test_a_breakpoint_too_long_for_the_engine_is_said() -> None:
    # The engine's integers are too wide for weights to get there with few antecedents, so the
    # crossing is handed to it as if it were longer than it is.
    X, y = random_problem(1)
    model = RuleListClassifier(0.01)
    solver = Solver(read_data(X, y, None, None), read_parameters(model))
    run = _Run(solver, solver.shortest(), None, solver.prepared.deadline, Work(None))
    known = Envelope(Fraction(1, 100), Fraction(1, 2))
    run.start(known)
    run.solve(known, [Fraction(10**30 + 1, 10**32)])
    assert run.stopped_by == "precision"
    assert run.n_searches == 1
    with pytest.raises(InputError, match="too many digits"):
        regularization_path(X, y, regularizations=[0.01, Fraction(10**34 + 1, 10**36)])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"smallest": 1}, "smallest must be a number"),
        ({"smallest": 0.1, "largest": 0.05}, "largest is 0.05, below smallest"),
        ({"largest": "a"}, "largest must be a number"),
        ({"regularizations": []}, "regularizations is empty"),
        ({"regularizations": "0.1"}, "regularizations must be numbers"),
        ({"regularizations": 3}, "regularizations must be numbers"),
        ({"regularizations": [2]}, "each of regularizations must be a number"),
        ({"regularization": 0.1}, "regularization is not a parameter of a path"),
        ({"initial_rule_list": []}, "initial_rule_list is not a parameter of a path"),
        ({"max_clause": 1}, "no such parameter"),
        ({"max_clauses": 0}, "max_clauses must be"),
        ({"time_limit": 0}, "time_limit must be"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    X, y = random_problem(0)
    with pytest.raises(InputError, match=message):
        regularization_path(X, y, **arguments)


def test_lambda_outside_of_the_path_is_refused() -> None:
    X, y = random_problem(0)
    path = regularization_path(X, y, smallest=0.02)
    with pytest.raises(InputError, match=r"the path goes from 0.02 to .*; 0.01 is outside of it"):
        path.at(0.01)
    for value in (-1, 2.5, True, "3"):
        with pytest.raises(InputError, match="max_length must be"):
            path.best_loss_by_length(value)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="time_limit must be"):
        path.best_loss_by_length(1, time_limit=-1)


def test_at_a_breakpoint_both_lists_are_optimal_and_the_shorter_is_given() -> None:
    data = load_tic_tac_toe()
    path = regularization_path(data.X, data.y, smallest=0.02, max_clauses=1)
    left, right = path.segments[:2]
    at = path.breakpoints[0]
    assert left.objective(at) == right.objective(at) == path.lower_bound_at(at)
    assert len(path.at(at)) == right.length
    assert at in left
    assert at in right
    assert left.start in left
    assert left.start not in right


def test_paths_are_frozen_and_travel_without_their_data() -> None:
    X, y = random_problem(0)
    path = regularization_path(X, y, smallest=0.02)
    with pytest.raises(FrozenInstanceError):
        path.status = "optimal"  # type: ignore[misc]
    again = pickle.loads(pickle.dumps(path))
    assert again == path
    assert again.at(0.03) == path.at(0.03)
    with pytest.raises(SurelistError, match="unpickled"):
        again.best_loss_by_length()


def test_tables_show_the_same_as_the_path() -> None:
    data = load_tic_tac_toe()
    path = regularization_path(data.X, data.y, smallest=0.02, max_clauses=1)
    frame = path.to_frame()
    assert frame["length"].tolist() == [3, 1, 0]
    assert frame["certified"].all()
    assert frame["loss"].tolist() == [float(segment.loss) for segment in path]
    assert frame["rule_list"][0] == path.segments[0].rule_list
    html = path._repr_html_()
    assert html.count("<tr>") == len(path) + 1
    assert "predict yes" in html
    table = path.best_loss_by_length()
    assert isinstance(table, LossByLength)
    assert len(table) == 4
    assert table.to_frame()["loss"].is_monotonic_decreasing
    assert table._repr_html_().count("<tr>") == 5


@pytest.mark.slow
def test_pictures_show_what_is_proven() -> None:
    plt = _pyplot()
    data = load_tic_tac_toe()
    path = regularization_path(data.X, data.y, smallest=0.02, max_clauses=1)
    above, below = path.plot()
    assert above.get_ylabel() == "objective"
    assert below.get_xlabel() == "regularization λ"
    assert [text.get_text() for text in above.get_legend().get_texts()] == ["optimal, proven"]
    _, pair = plt.subplots(1, 2)
    assert path.plot(pair)[0] is pair[0]
    with pytest.raises(InputError, match="two Axes"):
        path.plot(pair[0])
    ax = path.best_loss_by_length().plot()
    assert ax.get_ylabel() == "loss"
    X, y = hard_problem()
    with pytest.warns(UncertifiedWarning):
        unfinished = regularization_path(X, y, smallest=0.005, time_limit=0.2)
    above, _ = unfinished.plot()
    assert "not yet excluded" in [text.get_text() for text in above.get_legend().get_texts()]
    with pytest.warns(UncertifiedWarning):
        table = unfinished.best_loss_by_length(4, time_limit=0.1)
    _, single = plt.subplots()
    assert table.plot(single) is single
    plt.close("all")


def _pyplot() -> Any:
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    return plt


def test_compas_has_the_known_optima(data_dir: Path) -> None:
    folder = data_dir / "compas"
    data = corels_text.read(folder / "compas_train.out.gz", folder / "compas_train.label.gz")
    path = regularization_path(data.captures, data.labels, smallest=0.005, max_clauses=1)
    assert path.certified
    assert path.n_searches <= 8
    for at, value, length in ((0.02, 0.384463, 1), (0.01, 0.367973, 2), (0.005, 0.348094, 4)):
        assert float(path.objective_at(at)) == pytest.approx(value, abs=1e-6)
        assert len(path.at(at)) == length
    table = path.best_loss_by_length()
    assert table.certified
    total = path.segments[0].rule_list.total_weight
    assert [int(row.loss * total) for row in table] == sorted(
        (int(row.loss * total) for row in table), reverse=True
    )
    assert np.isclose(float(table[3].loss), 0.338573, atol=1e-6)
