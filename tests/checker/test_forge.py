"""Forged certificates are refused; where the checker has a fault, the forger finds it."""

from __future__ import annotations

import copy
import sys
import types
from collections import Counter
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import certify
import constrained_oracle
import forge
import numpy as np
import oracle
import pytest

from surelist import RuleListClassifier, VerificationError, verify

CHECKER = import_module("surelist.checker")
SOURCE = Path(CHECKER.__file__ or "")


def test_forgeries_are_refused_and_proofs_accepted() -> None:
    outcomes: Counter[str] = Counter()
    for seed in range(40):
        outcomes += forge.forgeries(seed, 15)
    for seed in range(10):
        outcomes += forge.forgeries(forge.PLAIN + seed, 15)
    assert outcomes["refused"] > 200
    assert outcomes["refused: not complete"] > 100
    assert outcomes["proofs accepted, of the public interface"] > 5


def test_both_brute_forces_agree() -> None:
    """The forger's truth is that of an oracle that looks at every list one by one."""
    compared = 0
    for seed in range(60):
        case = forge.draw(np.random.default_rng(seed))
        header, limits = case.header, case.header["constraints"]
        labels, costs = limits["rule_labels"], header["costs"]
        problem = certify.Problem(case)
        found = problem.optimum() if problem.rows else None
        if found is None or (labels is not None and len(labels) > 1):
            continue
        m, n = len(header["antecedents"]), len(header["classes"])
        captured = problem.captured
        rows = range(len(case.y))
        data = oracle.Data(
            tuple(tuple(int(i in captured[a]) for a in range(m)) for i in rows),
            tuple(header["classes"].index(label) for label in case.y),
            tuple(problem.weight),
            n,
            m,
        )
        unit = 1 if costs is None else costs["unit"]
        matrix = [[int(c != q) for q in range(n)] for c in range(n)]
        matrix = matrix if costs is None else costs["matrix"]
        demands = constrained_oracle.Demands(
            tuple(map(Fraction, header["prices"] or [header["regularization"]] * m)),
            tuple(tuple(Fraction(cost, unit) for cost in row) for row in matrix),
            None if labels is None else labels[0],
            tuple(limits["first"]),
            frozenset(limits["required"]),
            frozenset(limits["forbidden"]),
            limits["max_length"],
        )
        assert constrained_oracle.optimum(data, demands) == found[0], seed
        compared += 1
    assert compared > 30


# A fault of the checker: where it is seeded, and a problem on which it shows. The first ones show
# in forgeries of format 1, those below in format 2.
FAULTS = {
    "a forbidden sibling dominates": ("justified & ~exempt", "justified", 22),
    "a sibling dominates what is required": (
        "dominated &= ~self.needed[row, antecedent]",
        "pass",
        3,
    ),
    "the parent dominates what is required": ("sums.ceil) & ~self.needed", "sums.ceil)", 3),
    "a closed state lacks something": (" and not used & ~other_used", "", 3),
    "a closed state is longer": (" and other_length <= length", "", 9),
    "a closed state costs more": ("other_cost <= cost and ", "", 0),
    "a sibling costs more": ("lead >= own[:, None] - shared", "lead >= -shared", 15),
    "what is required is inactive": ("(~inactive | self.needed)", "~inactive", 3),
    "rules predict any label": (
        "[:, self.labels].min(axis=1)\n            cost",
        ".min(axis=1)\n            cost",
        18,
    ),
    "gains are halved": ("_sums_of_greatest(gains, n)", "_sums_of_greatest(gains, n) // 2", 22),
    "prices count twice": (
        "self.prices - self.least_price",
        "2 * (self.prices - self.least_price)",
        22,
    ),
    "the first rule is a missing one": ("self.missing == j, harm", "self.missing <= j, harm", 83),
    "a rule more is not looked at": ("// price) - 1)", "// price) - 2)", 0),
    "the last rule is not looked at": ("self.room[:, None] - 1)", "self.room[:, None] - 2)", 3),
    "no rule is not looked at": ("for j in range(int(", "for j in range(1, int(", 0),
    "one default is not looked at": ("in enumerate(default):", "in enumerate(default[:1]):", 0),
    "closed lists are not looked at": ("worse = (objective >= problem.target)", "worse = True", 2),
    "the beginning is not looked at": ("if not (self.is_closed(start)", "if 0 * (start.room", 0),
    "sums are not to scale": ("self.summing is self.number or self.factor", "self.factor", 3),
    "the bound is rounded down": ("math.ceil(shown", "math.floor(shown", 4),
    "longer lists are not looked at": ("claim.lower_bound > self._least_beyond()", "False", 0),
    "longer lists cost a rule more": ("(n + 1) * least", "(n + 2) * least", 70),
    "short lists reach the bound": ("else claim.objective\n", "else claim.lower_bound\n", 0),
    "lists as long as is proven are left out": (
        "self.longest = min(lengths, default=self.m)",
        "self.longest = min(lengths, default=self.m) - (claim.proven_length is not None)",
        0,
    ),
    "singles are not exact": ("if self.large < 2**24", "if self.large < 2**34", 0),
    "doubles are not exact": ("(self.m + 1) < 2**53:", "(self.m + 1) < 2**72:", 18),
    "sums are not exact": ("if total < 2**53 and", "if total < 2**62 and", 344),
    "whole numbers are too large": ("< 2**62 else object", "< 2**66 else object", 426),
}
FAULTS_OF_FORMAT_2 = {
    "a sibling's prefix stands for others": (
        "for prefix, reason, _ in some if reason != SIBLING]",
        "for prefix, _, _ in some]",
        64,
    ),
    "a named sibling is not proven": (
        "good = proven[row, by] & self._dominated",
        "good = self._dominated",
        22,
    ),
    "a named sibling dominates what is required": (
        "return good & ~states.needed[row, antecedent]",
        "return good",
        3,
    ),
    "rules are swapped either way": ("((swapped == given) & first)", "(swapped == given)", 141),
    "rules are swapped at any cost": ("(swapped < given) |", "(rank[last][:, None] > rank) |", 9),
    "an edit saves nothing": ("good = (lead > 0)", "good = (lead >= 0)", 9),
    "an edit saves too little": ("lead -= problem.sum(b.left & ~a.left, ceil)[:, 0]", "pass", 22),
    "what is reached has more room": (
        "room = problem.target - spent - n",
        "room = problem.target - spent - (n + 1)",
        forge.PLAIN + 3,
    ),
    "nothing is taken": (
        "most = most + np.minimum(np.minimum(shared, new), self.captured - most)",
        "most = 1 * most",
        forge.PLAIN + 3,
    ),
    "what is left counts twice": (
        "rest = np.maximum((",
        "rest = 2 * np.maximum((",
        forge.PLAIN + 31,
    ),
    "a rule costs what it takes": ("gain >= cost)\n", "gain > 2 * cost)\n", forge.PLAIN + 7),
    "what comes first is left out": (
        "in_order = self.rank >= self.rank[s]",
        "in_order = self.rank > len(self.rank)",
        forge.PLAIN + 7,
    ),
    "an edit lacks something": (" & ~(a.used & ~b.used).any(axis=1)", "", 3),
}


FAULTS |= FAULTS_OF_FORMAT_2


def seeded(old: str, new: str) -> types.ModuleType:
    """A copy of the checker with a fault."""
    text = SOURCE.read_text(encoding="utf-8")
    assert text.count(old) == 1, "the fault is to be seeded elsewhere"
    module = sys.modules["seeded_checker"] = types.ModuleType("seeded_checker")
    exec(compile(text.replace(old, new), "seeded_checker", "exec"), module.__dict__)
    return module


@pytest.mark.parametrize("fault", FAULTS)
def test_the_forger_finds_faults(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    old, new, first = FAULTS[fault]
    module = seeded(old, new)
    monkeypatch.setattr(forge, "verify", module.verify)
    monkeypatch.setattr(forge, "VerificationError", module.VerificationError)
    monkeypatch.setattr(forge, "shrink", lambda case, _: case)
    monkeypatch.setattr(forge, "FORMATS", [2 if fault in FAULTS_OF_FORMAT_2 else 1])
    with pytest.raises((forge.ForgeryError, OverflowError)):
        all(forge.forgeries(seed) for seed in range(first, first + 100))


def test_what_is_accepted_wrongly_is_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed is a program that shows the fault, and fails on a checker without it."""
    old, new, seed = FAULTS["a forbidden sibling dominates"]
    module = seeded(old, new)
    monkeypatch.setattr(forge, "verify", module.verify)
    monkeypatch.setattr(forge, "VerificationError", module.VerificationError)
    monkeypatch.setattr(forge, "FORMATS", [1])
    with pytest.raises(forge.ForgeryError) as failed:
        forge.forgeries(seed)
    head, found = str(failed.value).split("\n", 1)
    assert f"seed {seed}: a forgery was accepted" in head
    with pytest.raises(VerificationError, match="nothing justifies leaving out antecedent"):
        exec(compile(found, "forgery", "exec"), {})
    said: dict[str, Any] = {}
    exec(compile(found.rsplit("\n", 1)[0], "forgery", "exec"), said)
    assert len(said["y"]) == 2
    assert said["closed"] == [()]


# Rules of the checker, one by one.


def test_a_forbidden_child_dominates_nothing() -> None:
    """Nobody bounds a child that no list has; x0 would serve for x1, but is forbidden."""
    columns = {"x0": [1, 1, 0], "x1": [1, 0, 0]}
    case = certify.draw(0)
    case.columns, case.y, case.sample_weight = columns, ["yes", "yes", "no"], [40.0, 10.0, 50.0]
    clauses = [{"condition": {"kind": "is_true", "column": x}, "negated": False} for x in columns]
    case.header |= {
        "columns": list(columns),
        "classes": ["no", "yes"],
        "n_rows": 3,
        "weights": {"kind": "whole", "sample_weight": True, "class_weight": None},
        "costs": None,
        "antecedents": [[clause] for clause in clauses],
        "regularization": "1/100",
        "prices": None,
        "rule_list": {"prefix": [], "labels": [], "default_label": 0},
        "objective": "1/2",
        "lower_bound": "1/2",
    }
    free: dict[str, Any] = {"max_length": None, "rule_labels": None, "first": [], "required": []}
    case.header["constraints"] = {**free, "forbidden": [0]}
    case.header["fingerprint"] = certify.fingerprint(case)
    case.closed = [()]
    assert certify.Problem(case).optimum() == (Fraction(11, 100), (1,))
    with pytest.raises(VerificationError, match="leaving out antecedent 1 after"):
        forge.check(case)


def test_numbers_at_every_threshold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Just below and above where another type of numbers begins, nothing is rounded."""
    seen = set()
    original = CHECKER._Problem._choose_numbers

    def spy(problem: Any, costs: Any, prices: list[int]) -> None:
        original(problem, costs, prices)
        seen.add((problem.number, problem.summing, problem.factor > 1))

    monkeypatch.setattr(CHECKER._Problem, "_choose_numbers", spy)
    prices = ["0", "1/1021", forge.LONG, str(10**19)]
    for seed in range(30):
        rng = np.random.default_rng(seed)
        case = forge.draw(rng)
        problem = certify.Problem(case)
        if not problem.rows or problem.optimum() is None:
            continue
        case.header["prices"] = None
        case.header["regularization"] = prices[seed % len(prices)]
        for bits in (24, 47, 51, 53, 60, 62, 64):
            large = copy.deepcopy(case)
            total = sum(problem.weight) * int(rng.integers(4, 16))
            times = 2**bits // total + int(rng.integers(-1, 2))
            if not 0 < times < 2**59:
                continue
            n = len(large.header["classes"])
            matrix = rng.integers(0, 4, (n, n)).astype(object) * times + 1
            large.header["costs"] = {"matrix": matrix.tolist(), "unit": 1}
            proven = certify.prove(large, seed)
            assert proven is not None
            forge.check(proven)
            victim = forge.Victim.of(proven, rng)
            for forged in filter(None, (forge.forge(victim, rng) for _ in range(4))):
                with pytest.raises(VerificationError):
                    forge.check(forged)
    singles, doubles = (np.float32, np.float32, False), (np.float64, np.float64, False)
    assert seen == {
        singles,
        doubles,
        *((np.int64, np.float64, multiplied) for multiplied in (False, True)),
        (np.int64, np.int64, False),
        *((object, np.float64, multiplied) for multiplied in (False, True)),
        (object, object, False),
    }


def test_sums_beyond_63_bits_are_to_scale() -> None:
    X, y = [[0], [1]] * 10, [0, 1] * 9 + [1, 0]
    weights = [float(10**13 + 1)] * 20
    model = RuleListClassifier(0.01, certificate=True, cost_matrix=[[0, 1000], [1000, 0]])
    proof = model.fit(X, y, weights).certificate_
    assert verify(proof, X, y, sample_weight=weights).objective == Fraction(10001, 100)
    header = {**proof.header, "objective": "2001/100", "lower_bound": "2001/100"}
    forged = certify.assemble(header, [forge.closed_prefixes(proof.to_bytes())])
    with pytest.raises(VerificationError, match="has the objective 10001/100"):
        verify(forged, X, y, sample_weight=weights)
