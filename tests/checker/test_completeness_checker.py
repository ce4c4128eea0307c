"""The checker of complete sets accepts what is complete, and refuses a set that lacks a list."""

from __future__ import annotations

import ast
from fractions import Fraction
from pathlib import Path
from typing import Any

import near_optimal_proofs
import numpy as np
import pytest
from problems import DEMANDS, random_problem
from repository import ROOT

from surelist import (
    FormatError,
    RuleLists,
    VerificationError,
    completeness_checker,
    near_optimal,
    verify,
)
from surelist._common.messages import counted
from surelist.certificate.completeness import CompletenessCertificate
from surelist.checker import DataError
from surelist.completeness_checker import set_fingerprint


def searched(seed: int, tolerance: Any = 0.3, **given: Any) -> tuple[Any, Any, RuleLists]:
    X, y = random_problem(seed, classes=given.pop("classes", 2))
    plain = {"regularization": 0.02, "max_clauses": 1, "min_support": 0, "certificate": True}
    return X, y, near_optimal(X, y, tolerance=tolerance, **(plain | given))


@pytest.mark.parametrize("given", DEMANDS, ids=str)
def test_complete_sets_are_accepted(given: dict[str, Any]) -> None:
    for seed in range(3):
        X, y, lists = searched(seed, **given)
        proven = verify(lists.certificate, X, y)
        said = f"{counted(len(lists), 'rule list')} ({counted(lists.n_orders, 'order')}) ha"
        assert said in str(proven)
        assert proven.checker == "completeness"
        assert proven.objective == lists.optimum


@pytest.mark.parametrize("checker", ["fast", "both", "verified"])
def test_there_is_one_checker_for_it(checker: str) -> None:
    X, y, lists = searched(1)
    assert verify(lists.certificate, X, y, checker="reference").optimal
    with pytest.raises(DataError, match=r"complete sets.* have a checker of their own"):
        verify(lists.certificate, X, y, checker=checker)


def test_classes_weights_and_empty_sets_are_accepted() -> None:
    X, y, lists = searched(1, classes=3)
    assert lists.certificate is not None
    assert verify(lists.certificate.to_bytes(), X, y).n_states > 0
    weights = np.arange(len(y)) % 3
    X, y = random_problem(2)
    weighted = near_optimal(
        X, y, n=10, sample_weight=weights, regularization=0.02, certificate=True
    )
    assert weighted.certificate is not None
    weighted.certificate.verify(X, y, sample_weight=weights)
    none = near_optimal(X, y, objective=0.001, regularization=0.02, certificate=True)
    assert len(none) == 0
    assert "0 rule lists" in str(verify(none.certificate, X, y))


def without(lists: RuleLists, index: int) -> dict[str, Any]:
    """The header of a set that lacks a list, and is right about itself."""
    kept = np.delete(np.arange(len(lists)), index)
    found = lists.found.some(kept)
    assert lists.certificate is not None
    return {
        **lists.certificate.header,
        "n_lists": len(found),
        "n_orders": int(found.orders.sum()),
        "n_predictions": len(np.unique(found.alike)),
        "optimum": str(found.objective(0)),
        "lists_fingerprint": set_fingerprint(found.prefixes, found.labels, found.orders),
    }


@pytest.mark.parametrize("given", DEMANDS[:6], ids=str)
def test_a_set_that_lacks_one_list_is_refused(given: dict[str, Any]) -> None:
    X, y, lists = searched(4, **given)
    assert len(lists) > 1
    for index in range(len(lists)):
        forged = CompletenessCertificate.pack(without(lists, index))
        with pytest.raises(VerificationError, match="n lists"):
            verify(forged, X, y)


def claimed(lists: RuleLists, found: Any) -> Any:
    """The certificate of other lists, which is right about itself."""
    assert lists.certificate is not None
    changed = {
        "n_lists": len(found),
        "n_orders": int(found.orders.sum()),
        "n_predictions": len(np.unique(found.alike)),
        "optimum": str(found.objective(0)),
        "lists_fingerprint": set_fingerprint(found.prefixes, found.labels, found.orders),
    }
    return CompletenessCertificate.pack({**lists.certificate.header, **changed})


@pytest.mark.parametrize("given", DEMANDS[:6], ids=str)
def test_a_set_with_one_list_more_is_refused(given: dict[str, Any]) -> None:
    X, y, lists = searched(4, **given)
    assert lists.complete_up_to is not None
    _, _, larger = searched(4, tolerance=3, **given)
    beyond = larger.found.count_within(lists.complete_up_to)
    assert beyond == len(lists) < len(larger)
    for index in range(beyond, min(len(larger), beyond + 5)):
        more = larger.found.some(np.append(np.arange(beyond), index))
        with pytest.raises(VerificationError, match="n lists"):
            verify(claimed(lists, more), X, y)


@pytest.mark.parametrize("given", DEMANDS[:6], ids=str)
def test_a_set_with_one_list_altered_is_refused(given: dict[str, Any]) -> None:
    X, y, lists = searched(4, **given)
    n = len(lists._source.antecedents)
    for index in range(len(lists)):
        for name in ("prefixes", "labels", "orders"):
            found = lists.found.some(np.arange(len(lists)))
            row = getattr(found, name)[index : index + 1].reshape(-1)
            if len(row) == 0 or row[0] < 0:
                continue  # the list without rules
            change = {"prefixes": (row[0] + 1) % n, "labels": 1 - row[0], "orders": row[0] + 1}
            row[0] = change[name]
            with pytest.raises(VerificationError, match="the certificate says"):
                verify(claimed(lists, found), X, y)


FORGERIES: dict[str, Any] = {
    "n_lists": lambda value: value + 1,
    "n_orders": lambda value: value + 1,
    "n_predictions": lambda value: value - 1,
    "optimum": lambda value: str(Fraction(value) + Fraction(1, 1000)),
    "threshold": lambda value: str(Fraction(value) * 2),
    "lists_fingerprint": lambda value: value[::-1],
    "uses": lambda value: [[value[0][0] + 1, *value[0][1:]], *value[1:]],
}


@pytest.mark.parametrize("name", FORGERIES)
def test_every_claim_is_compared(name: str) -> None:
    X, y, lists = searched(5)
    assert lists.certificate is not None
    header = lists.certificate.header
    forged = CompletenessCertificate.pack({**header, name: FORGERIES[name](header[name])})
    with pytest.raises(VerificationError, match="the certificate says"):
        verify(forged, X, y)


def test_what_antecedents_are_worth_is_compared() -> None:
    X, y, lists = searched(5)
    assert lists.certificate is not None
    header = lists.certificate.header
    for place, use in enumerate(lists.antecedents()):
        assert use.name == lists._source.names[place]
        best = [
            None if value is None else str(value) for value in (use.best_with, use.best_without)
        ]
        assert header["uses"][place] == [use.n_lists, *best]
        for changed in (
            [use.n_lists, best[0], "1"],
            [use.n_lists, "1/1000", best[1]],
            [use.n_lists, best[1], best[0]],
            [0, *best],
        ):
            uses = [*header["uses"][:place], changed, *header["uses"][place + 1 :]]
            forged = CompletenessCertificate.pack({**header, "uses": uses})
            with pytest.raises(VerificationError, match="lists with each antecedent"):
                verify(forged, X, y)
    odd: list[Any] = [None, [], [[1]], [[-1, None, None]], [[1, "x", None]]]
    for wrong in [*odd, [[1, [], None]], [[1, None, {}]], header["uses"][1:]]:
        forged = CompletenessCertificate.pack({**header, "uses": wrong})
        with pytest.raises(VerificationError):
            verify(forged, X, y)


@pytest.mark.parametrize("seed", range(1, 5))
def test_sets_and_what_columns_are_worth_equal_brute_force(seed: int) -> None:
    n_lists, n_forged = near_optimal_proofs.check(seed)
    assert n_lists > 0
    assert n_forged > 5


def test_another_problem_is_refused() -> None:
    X, y, lists = searched(6)
    assert lists.certificate is not None
    header = lists.certificate.header
    for change in (
        {"regularization": "1/40"},
        {"constraints": {**header["problem"]["constraints"], "max_length": 1}},
        {"constraints": {**header["problem"]["constraints"], "forbidden": [0]}},
        {"costs": {"matrix": [[0, 2], [1, 0]], "unit": 1}},
    ):
        forged = {**header, "problem": {**header["problem"], **change}}
        with pytest.raises(VerificationError):
            verify(CompletenessCertificate.pack(forged), X, y)
    with pytest.raises(VerificationError, match="data are not those"):
        verify(lists.certificate, X, 1 - y)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    X, y, lists = searched(7)
    assert lists.certificate is not None
    data = lists.certificate.to_bytes()
    for broken in (data[:-1], data + b"x", data[:200], data.replace(b"n_orders", b"n_order_")):
        with pytest.raises(VerificationError):
            verify(broken, X, y)
        (tmp_path / "proof").write_bytes(broken)
        with pytest.raises(FormatError):
            CompletenessCertificate.load(tmp_path / "proof")
    for change in ({"n_lists": "3"}, {"threshold": 3}, {"threshold": "x"}, {"more": 1}):
        forged = CompletenessCertificate.pack({**lists.certificate.header, **change})
        with pytest.raises(VerificationError):
            verify(forged, X, y)
    lists.certificate.save(tmp_path / "proof")
    again = CompletenessCertificate.load(tmp_path / "proof")
    assert again.header == lists.certificate.header
    assert "rule lists up to objective" in repr(again)
    assert verify(tmp_path / "proof", X, y).optimal


def header_of(lists: RuleLists) -> dict[str, Any]:
    assert lists.certificate is not None
    return dict(lists.certificate.header)


# The numbers of the checker are floats, 64-bit integers, integers of any size, and sums in parts.
@pytest.mark.parametrize("unit", [1, 10**11, 10**15, 2**60 + 1, 4 * 10**18])
@pytest.mark.parametrize("given", DEMANDS[:6], ids=str)
def test_numbers_of_any_size_are_checked(given: dict[str, Any], unit: int) -> None:
    """Costs of a mistake in smaller units say the same."""
    X, y, lists = searched(4, **given)
    small = verify(lists.certificate, X, y)
    costs = {"costs": {"matrix": [[0, unit], [unit, 0]], "unit": unit}}
    for kept in (range(len(lists)), range(len(lists) - 1)):
        header = header_of(lists) if len(kept) == len(lists) else without(lists, len(kept))
        large = CompletenessCertificate.pack({**header, "problem": {**header["problem"], **costs}})
        if len(kept) == len(lists):
            proven = verify(large, X, y)
            assert (proven.n_states, proven.objective) == (small.n_states, small.objective)
        else:
            with pytest.raises(VerificationError, match="n lists"):
                verify(large, X, y)


def test_weights_that_are_not_whole_are_checked() -> None:
    X, y = random_problem(8)
    for weights in (np.full(len(y), 2.0**45) + y, np.sqrt(np.arange(len(y)) + 1)):
        lists = near_optimal(X, y, regularization=0.02, sample_weight=weights, certificate=True)
        assert lists.certificate is not None
        assert verify(lists.certificate, X, y, sample_weight=weights).optimal
        with pytest.raises(VerificationError):
            verify(lists.certificate, X, y, sample_weight=weights[::-1])


@pytest.mark.parametrize("tolerance", [0.3, None])
def test_what_is_said_of_the_best_list_is_checked(tolerance: float | None) -> None:
    """Also of a set without lists, where it is any list, and what no list is below."""
    X, y, lists = searched(5, tolerance, **({} if tolerance else {"objective": 0.001}))
    header = header_of(lists)
    problem = header["problem"]
    proven = verify(lists.certificate, X, y)
    assert proven.optimal == (len(lists) > 0)
    assert proven.objective == Fraction(problem["objective"])
    assert proven.lower_bound == lists.optimum if len(lists) else lists.complete_up_to
    shown = problem["rule_list"]
    changes: list[dict[str, Any]] = [
        {"objective": "1/100"},
        {"lower_bound": "0"},
        {"lower_bound": str(proven.lower_bound + Fraction(1, 10**6))},
        {"proven_length": 1},
        {"rule_list": {**shown, "default_label": 1 - shown["default_label"]}},
        {"rule_list": {"prefix": [], "labels": [], "default_label": 0}, "objective": "1/2"},
        {"rule_list": {**shown, "labels": [*shown["labels"], 0]}},
    ]
    if len(lists):
        second = lists.found.rules(1)
        rules = {"prefix": list(second.prefix), "labels": list(second.labels)}
        other = {**rules, "default_label": second.default_label}
        changes.append({"rule_list": other, "objective": str(lists[1].objective)})
    for change in changes:
        forged = {**header, "problem": {**problem, **change}}
        with pytest.raises(VerificationError):
            verify(CompletenessCertificate.pack(forged), X, y)


def test_lists_that_are_too_long_are_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y, lists = searched(5)

    def never_ends(self: Any) -> None:
        self.run()

    monkeypatch.setattr(completeness_checker._Recount, "run", never_ends)
    with pytest.raises(DataError, match="too long"):
        verify(lists.certificate, X, y)


def plant_fault(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    children, recount = completeness_checker._Children, completeness_checker._Recount
    right = recount._complete

    def too_dear(self: Any, child: Any, more: int) -> float:
        found = right(self, child, more)
        for key, (least, known_more) in self.known.items():
            self.known[key] = least + self.problem.scale, known_more
        return float(found)

    def every(_: Any, problem: Any, __: Any) -> Any:
        return np.ones(problem.m, np.bool_)

    faults: dict[str, tuple[Any, str, Any]] = {
        "floor": (children, "_may_follow", lambda self, _: self.x < self.x.mean()),
        "gain": (completeness_checker, "_extended", lambda gains, _: gains[0] / 2),
        "sibling": (recount, "_sibling_settles", lambda *given: given[1] % 2 == 1),
        "set": (recount, "_complete", too_dear),
        "empty": (children, "_usable", every),
    }
    monkeypatch.setattr(*faults[fault])


@pytest.mark.parametrize("fault", ["floor", "gain", "sibling", "set", "empty"])
def test_a_checker_with_a_fault_is_found_out(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With any bound made too strong, some complete set is refused."""
    plant_fault(fault, monkeypatch)
    refused = 0
    for seed in range(12):
        X, y, lists = searched(seed, tolerance=0.6)
        try:
            verify(lists.certificate, X, y)
        except VerificationError:
            refused += 1
    assert refused > 0


def test_the_checker_shares_nothing_with_the_search() -> None:
    source = (ROOT / "src" / "surelist" / "completeness_checker.py").read_text(encoding="utf-8")
    imported = {
        node.module
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("surelist")
    }
    assert imported == {"surelist", "surelist.checker"}
    assert "from surelist import checker" in source
