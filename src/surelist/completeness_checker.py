"""The independent checker of complete sets of rule lists.

A certificate of completeness claims: the lists over these antecedents with an objective of at most
T are exactly those of a set, which it gives by number and fingerprint. This module counts them
again from the data. It shares no code with the search: numpy, the standard library, and
`surelist.checker`, which reads the claim and the data. docs/near_optimal.md says what counts as a
list, and proves the two theorems by which states are left out:

(L) a state is left if the minority weight, the price of one more rule, and what rules can gain at
    most put every longer list above T;
(S) or if what completing the same set, or the set of a sibling, is known to cost puts it there.

Every other state is entered and all its lists are taken down. So the count is the proof.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from surelist import checker
from surelist.checker import DataError, Verification, VerificationError

__all__ = ["MAGIC", "is_completeness", "read_claim", "set_fingerprint", "verify_completeness"]

MAGIC = b"surelist completeness certificate 1\n"
MOST_GAINS = 12  # rules that gains are summed for; further ones gain as much as the last of these
EXACT = 2**53  # whole numbers below this are exact as floats
_CLAIMS = {"threshold", "optimum", "n_lists", "n_orders", "n_predictions", "lists_fingerprint"}

Array = NDArray[Any]


def _refuse(reason: str) -> NoReturn:
    raise VerificationError(f"Refused: {reason}")


def is_completeness(certificate: Any) -> bool:
    """Whether this is a certificate of completeness: a path, bytes, or what has either."""
    try:
        with _open(certificate) as stream:
            return bool(stream.read(len(MAGIC)) == MAGIC)
    except (OSError, DataError):
        return False


def _open(certificate: Any) -> Any:
    source = checker._source(certificate)
    if isinstance(source, bytes):
        return io.BytesIO(source)
    if "\0" in str(os.fspath(source)):
        raise DataError("this is no path")
    return Path(source).open("rb")


def read_claim(certificate: Any) -> dict[str, Any]:
    """Return what a certificate says, if it is whole and everything is there.

    Raises
    ------
    VerificationError
    """
    with _open(certificate) as stream:
        if stream.read(len(MAGIC)) != MAGIC:
            _refuse("this is no certificate of completeness of version 1")
        line = stream.readline(checker.MOST_HEADER)
        rest = stream.read(65)
    if not line.endswith(b"\n"):
        _refuse("the header is cut short, or longer than 64 MiB")
    if rest != hashlib.sha256(MAGIC + line).hexdigest().encode():
        _refuse("the file is damaged: its checksum does not match, or something follows it")
    claim = checker._parse_header(line)
    if set(claim) != _CLAIMS | {"problem"} or type(claim["problem"]) is not dict:
        _refuse("the header is not as it should be: something is missing, or too much")
    for name in ("n_lists", "n_orders", "n_predictions"):
        if type(claim[name]) is not int or claim[name] < 0:
            _refuse(f"{name} is no number of lists")
    for name in ("threshold", "optimum"):
        if claim[name] is not None or name == "threshold":
            claim[name] = _fraction(claim[name])
    return claim


def _fraction(text: Any) -> Fraction:
    if type(text) is not str or len(text) > 200:
        _refuse("an objective is not written as it should be")
    try:
        return checker._fraction(text)
    except (ArithmeticError, TypeError, ValueError) as error:
        _refuse(f"an objective is not written as it should be: {error}")


def verify_completeness(
    certificate: Any,
    X: Any = None,
    y: Any = None,
    *,
    label: str | None = None,
    sample_weight: Any = None,
) -> Verification:
    """Count all lists within the threshold again, and compare.

    Parameters
    ----------
    certificate, X, y, label, sample_weight
        As for `surelist.verify`.

    Raises
    ------
    VerificationError
        If the set is another one. The message says in what.
    DataError
        If the data cannot be read, or have numbers that are too large to be checked.
    """
    claim = read_claim(certificate)
    text = json.dumps(claim["problem"], ensure_ascii=False, allow_nan=False)
    problem_claim = checker._read_header(text.encode() + b"\n")
    groups = checker._read_rows(problem_claim, X, y, label, sample_weight)
    problem = _Problem(problem_claim, groups.rows, groups.by_class, claim["threshold"])
    recount = _Recount(problem)
    recount.run()
    found = recount.found()
    for name, value in found.items():
        if claim[name] != value:
            _refuse(f"{name.replace('_', ' ')}: the certificate says {claim[name]}, I find {value}")
    return _verification(claim, problem_claim, groups, problem, recount, checker._reader(X))


def _verification(
    claim: Any, about: Any, groups: Any, problem: _Problem, recount: _Recount, reader: str
) -> Verification:
    objective = claim["threshold"] if claim["optimum"] is None else claim["optimum"]
    lists = f"{claim['n_lists']:,} rule lists ({claim['n_orders']:,} orders)"
    short = about.constraints.max_length
    statement = (
        f"Verified: over these {problem.m} antecedents"
        f"{'' if short is None else f' and with at most {short} rules'}, {lists} have objective "
        f"at most {checker._exactly(claim['threshold'])} at λ = "
        f"{checker._exactly(about.regularization)}{_terms(about)}, and no other"
    )
    sizes = groups.n_rows, len(problem.captures), problem.m
    counts = recount.n_states, recount.n_states, recount.n_children
    said = statement, True, objective, objective, about.regularization
    return Verification(
        *said, *sizes, *counts, about.fingerprint, reader=reader, checker="completeness"
    )


def _terms(about: Any) -> str:
    """Say what else the lists depend on; whoever made the certificate may have chosen it."""
    limits = about.constraints
    given = {
        "constraints": limits.first
        or limits.required
        or limits.forbidden
        or len(limits.rule_labels) < len(about.classes),
        "prices": set(about.prices) - {about.regularization},
        "costs": about.costs != checker._plain_costs(len(about.classes)),
        "class weights": about.weights.class_weight is not None,
        "rounded weights": about.weights.kind == "rounded",
    }
    named = [name for name, holds in given.items() if holds]
    return f" and the {' and '.join(named)} given" if named else ""


def set_fingerprint(
    prefixes: NDArray[np.int32], labels: NDArray[np.uint16], orders: NDArray[np.int64]
) -> str:
    """Return the SHA-256 of lists in order of objective, length and rules.

    Parameters
    ----------
    prefixes : array of lists × longest length
        Places of antecedents; -1 after the last rule.
    labels : array of lists × longest length + 1
        Codes of classes; that of the default from its place on.
    orders : array
        How many orders of its rules each list stands for.
    """
    digest = hashlib.sha256(b"surelist lists 1\n")
    digest.update(np.array(prefixes.shape, "<u8").tobytes())
    for values, kind in ((prefixes, "<i4"), (labels, "<u2"), (orders, "<i8")):
        digest.update(np.ascontiguousarray(values, kind).tobytes())
    return digest.hexdigest()


class _Problem:
    """Groups, costs and prices as whole numbers, all multiplied by one scale."""

    def __init__(self, claim: Any, rows: Any, by_class: Any, threshold: Fraction) -> None:
        limits, self.m = claim.constraints, len(claim.antecedents)
        self.captures = np.unpackbits(rows, axis=1, count=self.m).view(np.bool_)
        costs = by_class.astype(object) @ np.array(claim.costs.matrix, dtype=object)
        unit = claim.costs.unit * int(by_class.sum())
        factor = math.lcm(*((price * unit).denominator for price in claim.prices))
        self.scale = unit * factor
        prices = [int(price * self.scale) for price in claim.prices]
        self.threshold = math.floor(threshold * self.scale)
        costs = costs * factor
        most = int(costs.max(axis=1).sum()) + (self.m + 2) * max(prices, default=0)
        if 4 * (self.m + 1) * max(most, self.threshold) >= EXACT:
            raise DataError("the numbers are too large for this checker")
        self.costs = costs.astype(np.float64)
        self.prices = np.array(prices, np.float64)
        self.least_price = min(prices, default=0)
        self.floor = self.costs.min(axis=1)
        self.spread = self.costs.max(axis=1) - self.floor
        self.labels = sorted(limits.rule_labels)
        self.first, self.required = list(limits.first), set(limits.required)
        self.forbidden = set(limits.forbidden)
        self.longest = self.m if limits.max_length is None else min(limits.max_length, self.m)
        capturing = self.captures.astype(np.float64)
        parts = [*self.costs.T, self.floor]
        self.parts = np.concatenate([capturing * part[:, None] for part in parts], axis=1)
        self.n_classes = self.costs.shape[1]

    def sums(self, left: Array) -> tuple[Array, Array]:
        """Return by antecedent what it captures of a set: costs by label, and floor."""
        found = (left.astype(np.float64) @ self.parts).reshape(self.n_classes + 1, self.m)
        return found[:-1], found[-1]


@dataclass
class _Entry:
    objective: int
    default: int
    orders: int
    first: tuple[tuple[int, int], ...]


@dataclass
class _State:
    """A prefix: the groups that it leaves, what it costs, its rules, and what it predicts."""

    left: Array
    cost: float
    rules: tuple[tuple[int, int], ...]
    predicted: Array
    missing: frozenset[int]


@dataclass
class _Settled:
    """Children whose longer lists are known: what these cost at least above the floor."""

    antecedents: list[int] = field(default_factory=list)
    above_floor: list[float] = field(default_factory=list)


class _Children:
    """What all children of a state cost, and which of them may begin a longer list."""

    def __init__(self, problem: _Problem, state: _State, usable: Array) -> None:
        self.problem, self.usable = problem, usable
        self.costs, self.floors = problem.sums(state.left)
        self.rules = self.costs[problem.labels]
        self.cost = state.cost + problem.prices + self.rules.min(axis=0)
        totals = state.left.astype(np.float64) @ problem.costs
        self.rest = totals[:, None] - self.costs
        self.ended = self.cost + self.rest.min(axis=0)
        self.floor = float(problem.floor[state.left].sum()) - self.floors
        self.x = self.cost + self.floor

    def loss(self, a: Any) -> float:
        """Return what the rule loses."""
        return float(self.rules[:, a].min())

    def label(self, a: Any) -> int:
        """Return what it predicts: the first label among the cheapest."""
        return int(self.problem.labels[int(self.rules[:, a].argmin())])

    def default(self, a: Any) -> int:
        """Return the default label of the list that ends with it."""
        return int(self.rest[:, a].argmin())

    def without_rules(self, a: Any) -> float:
        """Return what a default alone costs on what it leaves."""
        return float(self.rest[:, a].min())

    def to_enter(self, more: int) -> list[int]:
        """Return the children that (L) does not leave out, the most promising first."""
        places = map(int, np.flatnonzero(self.usable & self._may_follow(more)))
        return sorted(places, key=lambda at: (self.x[at], at))

    def _may_follow(self, more: int) -> Array:
        """Return (L): whether a list with up to so many rules from here may be within T."""
        problem = self.problem
        may = np.zeros(problem.m, np.bool_)
        if more < 2 or problem.m == 0:
            return may
        for q in range(problem.n_classes):
            gains = np.sort(self.costs[q] - self.floors)[::-1][:MOST_GAINS].cumsum()
            first = np.minimum(self._net(q), gains[0])
            for j in range(1, more):
                base = self.cost + j * problem.least_price
                if (base + self.floor > problem.threshold).all():
                    break
                others = _extended(gains, j - 1) if j > 1 else 0.0
                gained = np.minimum(_extended(gains, j), first + others)
                reached = base + np.maximum(self.floor, self.rest[q] - gained)
                may |= reached <= problem.threshold
        return may

    def _net(self, q: int) -> Array:
        """Return what the first rule after each child gains at most against default q.

        Its net gain has grown by at most what its label costs above the floor in what the child's
        rule captures.
        """
        grown = [
            max(0.0, float((self.costs[q] - self.costs[r]).max())) + self.costs[r] - self.floors
            for r in self.problem.labels
        ]
        net: Array = np.maximum(np.max(grown, axis=0), 0.0)
        return net


class _Recount:
    """All lists within the threshold, counted once more."""

    def __init__(self, problem: _Problem) -> None:
        self.problem = problem
        self.entries: dict[tuple[Any, ...], _Entry] = {}
        self.predictions: set[bytes] = set()
        self.known: dict[bytes, tuple[float, int]] = {}
        self.n_states = self.n_children = 0

    def run(self) -> None:
        """Visit every state that may begin a list within the threshold."""
        problem = self.problem
        state = _State(
            np.ones(len(problem.captures), np.bool_),
            0.0,
            (),
            np.zeros(len(problem.captures), np.uint16),
            frozenset(problem.required),
        )
        for antecedent in problem.first:
            if antecedent in problem.forbidden:
                return
            costs, _ = problem.sums(state.left)
            state = self._child(state, antecedent, *self._rule(costs, antecedent))
        if len(state.rules) > problem.longest:
            return
        if not state.missing:
            totals = state.left.astype(np.float64) @ problem.costs
            self._take(state, int(totals.argmin()), state.cost + float(totals.min()))
        self._visit(state)

    def _rule(self, costs: Array, antecedent: int) -> tuple[float, int]:
        allowed = costs[self.problem.labels, antecedent]
        return float(allowed.min()), self.problem.labels[int(allowed.argmin())]

    def _child(self, state: _State, antecedent: int, loss: float, label: int) -> _State:
        captured = self.problem.captures[:, antecedent]
        predicted = state.predicted.copy()
        predicted[state.left & captured] = label
        return _State(
            state.left & ~captured,
            state.cost + float(self.problem.prices[antecedent]) + loss,
            (*state.rules, (antecedent, label)),
            predicted,
            state.missing - {antecedent},
        )

    def _take(self, state: _State, default: int, objective: float) -> None:
        """Take down a list if it is within the threshold."""
        if objective > self.problem.threshold:
            return
        predicted = state.predicted.copy()
        predicted[state.left] = default
        whole = predicted.tobytes()
        key = tuple(sorted(state.rules)), default, whole
        entry = self.entries.setdefault(key, _Entry(int(objective), default, 0, state.rules))
        if entry.objective != int(objective):
            _refuse("orders of the same rules cost differently: this checker is wrong")
        entry.orders += 1
        entry.first = min(entry.first, state.rules)
        self.predictions.add(whole)

    def _visit(self, state: _State) -> float:
        """Take down the longer lists; return the least objective of one, or one above T."""
        problem, beyond = self.problem, float(self.problem.threshold + 1)
        more = problem.longest - len(state.rules)
        if more <= 0:
            return beyond
        self.n_states += 1
        children = _Children(problem, state, self._usable(state))
        self.n_children += int(children.usable.sum())
        least = beyond
        for a in np.flatnonzero(children.usable & (children.ended <= problem.threshold)):
            child = self._child(state, int(a), children.loss(a), children.label(a))
            if not child.missing:
                self._take(child, children.default(a), float(children.ended[a]))
                least = min(least, float(children.ended[a]))
        settled = _Settled()
        for place in children.to_enter(more):
            if self._sibling_settles(state, place, float(children.x[place]), settled):
                continue
            child = self._child(state, place, children.loss(place), children.label(place))
            completing = self._complete(child, more - 1)
            least = min(least, child.cost + completing)
            if not problem.required:
                settled.antecedents.append(place)
                empty = children.without_rules(place) + problem.least_price
                settled.above_floor.append(min(completing, empty) - float(children.floor[place]))
        return least

    def _usable(self, state: _State) -> Array:
        """Return which antecedents may come next: not used, and capturing something or demanded."""
        usable: Array = np.any(self.problem.captures[state.left], axis=0)
        usable[list(state.missing)] = True
        usable[[a for a, _ in state.rules]] = False
        usable[list(self.problem.forbidden)] = False
        return np.asarray(usable, np.bool_)

    def _complete(self, child: _State, more: int) -> float:
        """Return what completing a set by rules costs at least; (S) for the same set."""
        problem, key = self.problem, np.packbits(child.left).tobytes()
        if not problem.required and key in self.known:
            least, known_more = self.known[key]
            if known_more >= more and child.cost + least > problem.threshold:
                return least
        completing = self._visit(child) - child.cost
        if not problem.required:
            self.known[key] = completing, more
        return completing

    def _sibling_settles(self, state: _State, a: int, x: float, settled: _Settled) -> bool:
        """Return (S) for siblings: one-sided similar support."""
        if not settled.antecedents:
            return False
        problem = self.problem
        spread = np.where(state.left & problem.captures[:, a], problem.spread, 0.0)
        outside = spread @ ~problem.captures[:, settled.antecedents]
        least = x + np.array(settled.above_floor) - outside
        return bool((least > problem.threshold).any())

    def found(self) -> dict[str, Any]:
        """Return what there is to be compared with the certificate."""
        entries = sorted(self.entries.values(), key=lambda e: (e.objective, len(e.first), e.first))
        width = max((len(entry.first) for entry in entries), default=0)
        prefixes = np.full((len(entries), width), -1, np.int32)
        labels = np.zeros((len(entries), width + 1), np.uint16)
        for row, entry in enumerate(entries):
            labels[row] = entry.default
            for place, (antecedent, label) in enumerate(entry.first):
                prefixes[row, place], labels[row, place] = antecedent, label
        orders = np.array([entry.orders for entry in entries], np.int64)
        best = Fraction(entries[0].objective, self.problem.scale) if entries else None
        return {
            "n_lists": len(entries),
            "n_orders": int(orders.sum()),
            "n_predictions": len(self.predictions),
            "optimum": best,
            "lists_fingerprint": set_fingerprint(prefixes, labels, orders),
        }


def _extended(gains: Array, j: int) -> float:
    """Return the sum of the j largest gains, or a bound on it where fewer are known."""
    if j <= len(gains):
        return float(gains[j - 1])
    last = float(gains[-1] - gains[-2]) if len(gains) > 1 else float(gains[-1])
    return float(gains[-1]) + (j - len(gains)) * last
