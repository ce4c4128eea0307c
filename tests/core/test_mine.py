"""Mining against every conjunction there is, and against the paper's count on COMPAS."""

from __future__ import annotations

import csv
import gzip
import tarfile
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from surelist import _core
from surelist.estimators.corels import text_files as corels_text

Bits = NDArray[np.uint8]
Name = tuple[int, ...]  # literals: 2·feature, plus one where it is negated


def conjunctions(n_features: int, max_clauses: int, negations: bool) -> Iterator[Name]:
    """Every conjunction of distinct features, shortest first."""
    for n_clauses in range(1, max_clauses + 1):
        for features in combinations(range(n_features), n_clauses):
            for signs in product((0, 1) if negations else (0,), repeat=n_clauses):
                yield tuple(2 * f + sign for f, sign in zip(features, signs, strict=True))


def captured_rows(features: Bits, name: Name) -> frozenset[int]:
    """The rows on which every literal holds, by plain Python."""
    return frozenset(
        n
        for n, row in enumerate(features.tolist())
        if all(row[literal // 2] != literal % 2 for literal in name)
    )


def expected(
    features: Bits,
    weights: list[int],
    max_clauses: int,
    negations: bool,
    min_support: int,
    max_support: int,
) -> dict[frozenset[int], list[Name]]:
    """Names by the rows they capture, leaving out rows of no weight."""
    counted = frozenset(n for n, weight in enumerate(weights) if weight > 0)
    names: dict[frozenset[int], list[Name]] = defaultdict(list)
    for name in conjunctions(features.shape[1], max_clauses, negations):
        rows = captured_rows(features, name) & counted
        if rows and min_support <= sum(weights[n] for n in rows) <= max_support:
            names[rows].append(name)
    return names


def check(
    features: Bits,
    weights: list[int] | None,
    max_clauses: int,
    negations: bool,
    min_support: int,
    max_support: int,
) -> None:
    n_rows = len(features)
    labels = (np.arange(n_rows) % 2).astype(np.int32)
    mined = _core.mine(
        features,
        labels,
        None if weights is None else np.array(weights, np.int64),
        2,
        max_clauses=max_clauses,
        negations=negations,
        min_support=min_support,
        max_support=max_support,
    )
    used = [1] * n_rows if weights is None else weights
    names = expected(features, used, max_clauses, negations, min_support, max_support)
    assert len(mined.antecedents) == len(names)
    by_rows = {}
    counted = frozenset(n for n, weight in enumerate(used) if weight > 0)
    for aliases in mined.antecedents:
        found = [tuple(name) for name in aliases]
        assert [len(name) for name in found] == sorted(len(name) for name in found)
        by_rows[captured_rows(features, found[0]) & counted] = sorted(found)
    assert by_rows == {rows: sorted(aliases) for rows, aliases in names.items()}
    check_problem(mined, features, labels, used)


def check_problem(
    mined: _core.Mined, features: Bits, labels: NDArray[np.int32], weights: list[int]
) -> None:
    """The mined problem is the one that the antecedents' captures make."""
    captures = np.zeros((len(features), len(mined.antecedents)), np.uint8)
    for s, aliases in enumerate(mined.antecedents):
        captures[sorted(captured_rows(features, tuple(aliases[0]))), s] = 1
    same = _core.Problem(captures, labels, np.array(weights, np.int64), 2)
    for name in (
        "n_rows",
        "n_groups",
        "n_antecedents",
        "n_classes",
        "total_weight",
        "minority_weight",
        "class_weights",
    ):
        assert getattr(mined.problem, name) == getattr(same, name), name
    found, wanted = (_core.Search(p, "0.01") for p in (mined.problem, same))
    assert (found.run(), found.objective) == (wanted.run(), wanted.objective)


# Rows:                a  b  c        (c is the opposite of a)
FEATURES = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1], [0, 1, 1]], np.uint8)
LABELS = np.array([0, 1, 1, 0, 1], np.int32)


def mine_small(
    max_clauses: int = 1, negations: bool = False, min_support: int = 0, max_support: int = 5
) -> list[list[list[int]]]:
    mined = _core.mine(
        FEATURES,
        LABELS,
        None,
        2,
        max_clauses=max_clauses,
        negations=negations,
        min_support=min_support,
        max_support=max_support,
    )
    return mined.antecedents


def test_single_clauses() -> None:
    assert mine_small() == [[[0]], [[2]], [[4]]]


def test_equal_captures_are_one_antecedent_with_all_its_names() -> None:
    # not a is c, not c is a
    assert mine_small(negations=True) == [[[0], [5]], [[1], [4]], [[2]], [[3]]]


def test_contradictions_are_left_out() -> None:
    names = [name for aliases in mine_small(max_clauses=2) for name in aliases]
    assert names == [[0], [2], [4], [0, 2], [2, 4]]  # a and c exclude each other


def test_both_supports_are_inclusive() -> None:
    assert mine_small(min_support=2, max_support=3) == [[[0]], [[2]], [[4]]]
    assert mine_small(min_support=3, max_support=3) == [[[2]], [[4]]]
    assert mine_small(min_support=2, max_support=2) == [[[0]]]
    assert mine_small(min_support=4) == []


def test_what_is_too_frequent_may_still_be_part_of_a_conjunction() -> None:
    features = np.array([[1, 1], [1, 0], [1, 0]], np.uint8)
    mined = _core.mine(
        features, LABELS[:3], None, 2, max_clauses=2, negations=False, min_support=1, max_support=2
    )
    assert mined.antecedents == [[[2], [0, 2]]]


def test_weights_decide_support() -> None:
    weights = np.array([10, 0, 1, 1, 1], np.int64)
    mined = _core.mine(
        FEATURES, LABELS, weights, 2, max_clauses=1, negations=False, min_support=3, max_support=13
    )
    assert mined.antecedents == [[[0]], [[4]]]
    assert mined.problem.n_antecedents == 2
    assert mined.problem.class_weights == [11, 2]


def test_nothing_to_mine_leaves_the_default_rule() -> None:
    mined = _core.mine(
        FEATURES, LABELS, None, 2, max_clauses=2, negations=True, min_support=6, max_support=9
    )
    assert mined.antecedents == []
    search = _core.Search(mined.problem, "0.01")
    assert (search.run(), search.prefix, search.loss) == ("optimal", [], 2)


def test_a_mined_problem_is_searched_by_its_antecedents() -> None:
    mined = _core.mine(
        FEATURES, LABELS, None, 2, max_clauses=1, negations=True, min_support=1, max_support=5
    )
    search = _core.Search(mined.problem, "0.01")
    assert search.run() == "optimal"
    assert search.loss == 0
    assert [mined.antecedents[s] for s in search.prefix] in ([[[2]]], [[[3]]])


@pytest.mark.parametrize("max_clauses", [1, 2, 3])
@pytest.mark.parametrize("negations", [False, True])
def test_against_every_conjunction(max_clauses: int, negations: bool) -> None:
    for seed in range(25):
        rng = np.random.default_rng([seed, max_clauses, negations])
        n_rows = int(rng.integers(1, 90))
        features = (rng.random((n_rows, int(rng.integers(0, 6)))) < 0.5).astype(np.uint8)
        weights = None if rng.random() < 0.5 else rng.integers(0, 5, n_rows).tolist()
        if weights is not None:
            weights[0] = 1
        total = n_rows if weights is None else sum(weights)
        low = int(rng.integers(0, total // 2 + 1))
        high = int(rng.integers(total // 2, total + 1))
        check(features, weights, max_clauses, negations, low, high)


@settings(max_examples=100, deadline=None)
@given(
    features=arrays(
        np.uint8, st.tuples(st.integers(1, 8), st.integers(0, 4)), elements={"max_value": 1}
    ),
    max_clauses=st.integers(1, 4),
    negations=st.booleans(),
    min_support=st.integers(0, 4),
    max_support=st.integers(4, 8),
)
def test_anything_small_against_every_conjunction(
    features: Bits, max_clauses: int, negations: bool, min_support: int, max_support: int
) -> None:
    check(features, None, max_clauses, negations, min_support, max_support)


@pytest.mark.slow
def test_more_than_a_million_antecedents_are_refused() -> None:
    # 64 independent features: 41,664 conjunctions of three, 635,376 of four, 7,624,512 of five.
    rng = np.random.default_rng(0)
    features = (rng.random((300, 64)) < 0.9).astype(np.uint8)
    labels = np.zeros(300, np.int32)
    with pytest.raises(_core.InputError, match=r"more than a million antecedents.*min_support"):
        _core.mine(
            features,
            labels,
            None,
            2,
            max_clauses=5,
            negations=False,
            min_support=1,
            max_support=300,
        )


def literals_of(table: dict[str, Bits], max_clauses: int) -> dict[frozenset[str], Bits]:
    """Mine named columns with support in [0.005, 0.995], as the paper does; captures by names."""
    names = list(table)
    features = np.stack(list(table.values()), axis=1)
    n_rows = len(features)
    mined = _core.mine(
        features,
        np.zeros(n_rows, np.int32),
        None,
        2,
        max_clauses=max_clauses,
        negations=False,
        min_support=-(-n_rows * 5 // 1000),
        max_support=n_rows * 995 // 1000,
    )
    found: dict[frozenset[str], Bits] = {}
    for aliases in mined.antecedents:
        chosen = features[:, [literal // 2 for literal in aliases[0]]]
        for name in aliases:
            found[frozenset(names[literal // 2] for literal in name)] = chosen.min(axis=1)
    return found


@pytest.fixture(scope="module")
def folds(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The CORELS authors' ten folds of COMPAS, unpacked."""
    folder = tmp_path_factory.mktemp("folds")
    with tarfile.open(data_dir / "compas" / "compas_10folds.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    return folder / "compas"


@pytest.mark.parametrize("fold", range(10))
def test_compas_gives_the_antecedents_of_the_authors_own_files(folds: Path, fold: int) -> None:
    stem = folds / f"compas_{fold}_train"
    with stem.with_suffix(".csv").open() as file:
        rows = list(csv.DictReader(file))
    columns = {
        f"{attribute}:{value}": np.array([r[attribute] == value for r in rows], np.uint8)
        for attribute in list(rows[0])[:-1]
        for value in sorted({r[attribute] for r in rows})
    }
    assert len(columns) == 19
    theirs = corels_text.read(stem.with_suffix(".out"), stem.with_suffix(".label"))
    ours = literals_of(columns, max_clauses=2)
    assert set(ours) == {frozenset(name.split(",")) for name in theirs.antecedents}
    for s, name in enumerate(theirs.antecedents):
        assert (ours[frozenset(name.split(","))] == theirs.captures[:, s]).all(), name


def test_compas_gives_as_many_antecedents_as_the_paper_says(data_dir: Path) -> None:
    # Feature set A on the paper's 6,907 rows: 6 attributes, 17 values, 122 antecedents on average.
    with gzip.open(data_dir / "compas" / "compas-binary.csv.gz", "rt") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6907
    columns = {
        name: np.array([int(r[name]) for r in rows], np.uint8) for name in list(rows[0])[:-1]
    }
    for name in [name for name in columns if name.startswith(("sex", "juvenile"))]:
        columns[f"not {name}"] = 1 - columns[name]
    assert len(columns) == 17
    found = literals_of(columns, max_clauses=2)
    assert len(found) == 122
    assert len({captures.tobytes() for captures in found.values()}) == 117
