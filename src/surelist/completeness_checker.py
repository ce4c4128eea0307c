"""The independent checker of complete sets of rule lists.

A certificate of completeness claims: the lists over these antecedents with an objective of at most
T are exactly those of a set, which it gives by number and fingerprint; and of each antecedent in
how many of them it is, and the least objective with it and without. This module counts them again
from the data. It shares no code with the search: numpy, the standard library, and
`surelist.checker`, which reads the claim and the data. docs/near_optimal.md says what counts as a
list, and proves the two theorems by which states are left out:

(L) a state is left if the minority weight, the price of one more rule, and what rules can gain at
    most put every longer list above T;
(S) or if what completing the same set, or the set of a sibling, is known to cost puts it there.

Every other state is entered and all its lists are taken down. So the count is the proof.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist import checker
from surelist.checker import DataError, Verification, _refuse

__all__ = ["MAGIC", "is_completeness", "read_claim", "set_fingerprint", "verify_completeness"]

MAGIC = b"surelist completeness certificate 1\n"
MOST_GAINS = 12  # rules that gains are summed for; further ones gain as much as the last of these
EXACT = 2**53  # whole numbers below this are exact as floats
_COUNTS = ("n_lists", "n_orders", "n_predictions")
_CLAIMS = {"threshold", "optimum", *_COUNTS, "lists_fingerprint", "uses"}

Array = NDArray[Any]


def is_completeness(certificate: Any) -> bool:
    """Whether this is a certificate of completeness: a path, bytes, or what has either."""
    return checker._begins_with(certificate, MAGIC)


def read_claim(certificate: Any) -> dict[str, Any]:
    """Return what a certificate says, if it is whole and everything is there.

    Raises
    ------
    VerificationError
    """
    with checker._open(checker._source(certificate)) as stream:
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
    for name in _COUNTS:
        if type(claim[name]) is not int or claim[name] < 0:
            _refuse(f"{name} is no number of lists")
    for name in ("threshold", "optimum"):
        if claim[name] is not None or name == "threshold":
            claim[name] = _fraction(claim[name])
    claim["uses"] = _uses(claim["uses"])
    return claim


def _uses(claimed: Any) -> list[tuple[int, Fraction | None, Fraction | None]]:
    """Return in how many lists each antecedent is said to be, and the best with and without it."""
    if type(claimed) is not list or any(type(use) is not list or len(use) != 3 for use in claimed):
        _refuse("it is not said in how many lists each antecedent is")
    if any(type(n) is not int or n < 0 for n, _, _ in claimed):
        _refuse("it is not said in how many lists each antecedent is")
    if any(text is not None and type(text) is not str for _, *ends in claimed for text in ends):
        _refuse("the best objective with an antecedent, or without it, is not written as it should")
    texts = {text for _, *ends in claimed for text in ends}
    known = {text: None if text is None else _fraction(text) for text in texts}
    return [(n, known[best], known[others]) for n, best, others in claimed]


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
    checker._Problem(problem_claim, groups.rows, groups.by_class).check_rule_list()
    problem = _Problem(problem_claim, groups, claim["threshold"])
    recount = _Recount(problem)
    try:
        recount.run()
    except RecursionError:
        raise DataError("the lists are too long for this checker") from None
    found = recount.found()
    best = found.pop("best")
    uses = found.pop("uses")
    for name, value in found.items():
        if claim[name] != value:
            _refuse(f"{name.replace('_', ' ')}: the certificate says {claim[name]}, I find {value}")
    if claim["uses"] != uses:
        _refuse("lists with each antecedent: the certificate says otherwise than I find")
    _check_best(claim, problem_claim, best)
    return _verification(claim, problem_claim, groups, problem, recount, checker._reader(X))


def _check_best(claim: Any, about: Any, best: Any) -> None:
    """See that the rule list of the claim is the first of the set; without one it is any list."""
    shown, end = about.rule_list, claim["threshold"] if best is None else about.objective
    if about.proven_length is not None or about.lower_bound != end:
        _refuse("the lower bound is not what the set of lists proves")
    if best is not None and (shown.prefix, shown.labels, shown.default_label) != best:
        _refuse("the rule list is not the first of the set")


def _verification(
    claim: Any, about: Any, groups: Any, problem: _Problem, recount: _Recount, reader: str
) -> Verification:
    lists = f"{_counted(claim['n_lists'], 'rule list')} ({_counted(claim['n_orders'], 'order')})"
    short = about.constraints.max_length
    have = "has" if claim["n_lists"] == 1 else "have"
    statement = (
        f"Verified: over these {problem.m} antecedents"
        f"{'' if short is None else f' and with at most {short} rules'}, {lists} {have} objective "
        f"at most {checker._exactly(claim['threshold'])} at λ = "
        f"{checker._exactly(about.regularization)}{_terms(about)}, and no other"
    )
    sizes = groups.n_rows, len(problem.captures), problem.m
    counts = recount.n_states, recount.n_states, recount.n_children
    ends = about.objective, about.lower_bound
    said = statement, ends[0] == ends[1], *ends, about.regularization
    return Verification(
        *said, *sizes, *counts, about.fingerprint, reader=reader, checker="completeness"
    )


def _counted(n: int, one: str) -> str:
    return f"{n:,} {one}{'' if n == 1 else 's'}"


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
    """Groups, costs and prices as whole numbers, all multiplied by one scale.

    Of groups it sums what each label costs, the least of that (floor), how much more the most is
    (spread), and 1, each over all groups that an antecedent captures, and over all there are.
    """

    def __init__(self, claim: Any, groups: Any, threshold: Fraction) -> None:
        limits, self.m = claim.constraints, len(claim.antecedents)
        self.captures = np.unpackbits(groups.rows, axis=1, count=self.m).view(np.bool_)
        costs = groups.by_class.astype(object) @ np.array(claim.costs.matrix, dtype=object)
        unit = claim.costs.unit * int(groups.by_class.sum())
        factor = math.lcm(*((price * unit).denominator for price in claim.prices))
        self.scale = unit * factor
        prices = [int(price * self.scale) for price in claim.prices]
        self.threshold: int = math.floor(threshold * self.scale)
        self.n_classes = costs.shape[1]
        self.floor, self.spread, self.one = range(self.n_classes, self.n_classes + 3)
        self.least_price = min(prices, default=0)
        self._choose_numbers(costs, factor, prices)
        self.prices = np.array(prices, object).astype(self.number)
        self.labels = sorted(limits.rule_labels)
        self.first, self.required = list(limits.first), set(limits.required)
        self.forbidden = set(limits.forbidden)
        self.longest = self.m if limits.max_length is None else min(limits.max_length, self.m)
        everything = np.ones((len(self.captures), 1), np.bool_)  # as if by one more antecedent
        self.capturing = np.hstack([self.captures, everything]).astype(np.float64)

    def _choose_numbers(self, costs: Array, factor: int, prices: list[int]) -> None:
        """Use floats, which are fastest, below 2**53, where they are exact; else ints.

        Sums over groups are sums of floats in any case: of numbers that are too large for that,
        each group of bits is summed by itself.
        """
        floor, n_groups = costs.min(axis=1), len(costs)
        values = np.array([*costs.T, floor, costs.max(axis=1) - floor, floor * 0 + 1], object)
        total = max(int(costs.max(axis=1).sum()), n_groups)
        most = max(factor * total + (self.m + 2) * max(prices, default=0), self.threshold)
        most *= 4 * (self.m + 1)
        self.number: Any = np.int64 if most < 2**62 else object
        if most < EXACT:
            self.number, values, factor, total = np.float64, values * factor, 1, factor * total
        self.factor = factor
        self.bits = total.bit_length() if total < EXACT else 53 - n_groups.bit_length()
        places = range(0, total.bit_length(), self.bits)
        parts = [values >> place & (1 << self.bits) - 1 for place in places]
        self.parts = np.array(parts, object).astype(np.float64)

    def sums(self, groups: Array) -> Array:
        """Return the sums over some groups, by antecedent; the last column is of all of them."""
        if 4 * np.count_nonzero(groups) > len(groups):
            return self._whole((self.parts * groups) @ self.capturing)
        few = np.flatnonzero(groups)
        return self._whole(self.parts[:, :, few] @ self.capturing[few])

    def _whole(self, sums: Array) -> Array:
        if self.number is np.float64:
            return np.asarray(sums[0])
        whole = sums.astype(np.int64).astype(self.number)
        shifted = [part * (1 << place * self.bits) for place, part in enumerate(whole)]
        return np.asarray(sum(shifted) * self.factor)


@dataclass(slots=True)
class _Entry:
    objective: int
    default: int
    orders: int
    first: tuple[tuple[int, int], ...]


@dataclass
class _State:
    """A prefix: the groups that it leaves, what it costs, its rules, and what it predicts."""

    left: Array
    sums: Array
    cost: int
    rules: tuple[tuple[int, int], ...]
    predicted: Array
    missing: frozenset[int]


class _Settled:
    """Children whose longer lists are known: what these cost at least above the floor."""

    def __init__(self, problem: _Problem) -> None:
        self.known = np.zeros(problem.m, np.bool_)
        self.above_floor = np.zeros(problem.m, problem.number)

    def add(self, antecedent: int, above_floor: int) -> None:
        self.known[antecedent], self.above_floor[antecedent] = True, above_floor


class _Children:
    """What all children of a state cost, and which of them may begin a longer list."""

    def __init__(self, problem: _Problem, state: _State) -> None:
        self.problem, self.usable = problem, self._usable(problem, state)
        n, by_antecedent, totals = problem.n_classes, state.sums[:, :-1], state.sums[:, -1]
        self.costs, self.floors = by_antecedent[:n], by_antecedent[problem.floor]
        self.rules = self.costs[problem.labels]
        self.cost = state.cost + problem.prices + self.rules.min(axis=0)
        self.rest = totals[:n, None] - self.costs
        self.ended = self.cost + self.rest.min(axis=0)
        self.floor = totals[problem.floor] - self.floors
        self.x = self.cost + self.floor

    def _usable(self, problem: _Problem, state: _State) -> Array:
        """Which antecedents may come next: not used, and capturing something or demanded."""
        usable = np.asarray(state.sums[problem.one, :-1] > 0, np.bool_)
        usable[list(state.missing)] = True
        usable[[a for a, _ in state.rules]] = False
        usable[list(problem.forbidden)] = False
        return usable

    def loss(self, a: int) -> int:
        """Return what the rule loses."""
        return int(self.rules[:, a].min())

    def label(self, a: int) -> int:
        """Return what it predicts: the first label among the cheapest."""
        return int(self.problem.labels[int(self.rules[:, a].argmin())])

    def default(self, a: int) -> int:
        """Return the default label of the list that ends with it."""
        return int(self.rest[:, a].argmin())

    def without_rules(self, a: int) -> int:
        """Return what a default alone costs on what it leaves."""
        return int(self.rest[:, a].min())

    def to_take(self) -> list[int]:
        """Return the children that end a list within T."""
        within = self.usable & (self.ended <= self.problem.threshold)
        return [int(place) for place in np.flatnonzero(within)]

    def to_enter(self, more: int) -> list[int]:
        """Return the children that (L) does not leave out, the most promising first."""
        places = np.flatnonzero(self.usable & self._may_follow(more))
        order = np.argsort(self.x[places], kind="stable")
        return [int(place) for place in places[order]]

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
                others = _extended(gains, j - 1) if j > 1 else 0
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
            max(0, int((self.costs[q] - self.costs[r]).max())) + self.costs[r] - self.floors
            for r in self.problem.labels
        ]
        net: Array = np.maximum(np.max(grown, axis=0), 0)
        return net


class _Recount:
    """All lists within the threshold, counted once more."""

    def __init__(self, problem: _Problem) -> None:
        self.problem = problem
        self.entries: dict[tuple[Any, ...], _Entry] = {}
        self.predictions: dict[bytes, int] = {}  # by the order in which they were found
        self.known: dict[bytes, tuple[int, int]] = {}
        self.n_states = self.n_children = 0

    @checker._one_thread()
    def run(self) -> None:
        """Visit every state that may begin a list within the threshold."""
        problem, n_groups = self.problem, len(self.problem.captures)
        left, predicted = np.ones(n_groups, np.bool_), np.zeros(n_groups, np.uint16)
        sums, missing = problem.sums(left), frozenset(problem.required)
        state = _State(left, sums, 0, (), predicted, missing)
        for antecedent in problem.first:
            if antecedent in problem.forbidden:
                return
            children = _Children(problem, state)
            captured = self._captured(state, antecedent)
            state = self._child(state, children, antecedent)
            state.sums = state.sums - problem.sums(captured)
        if len(state.rules) > problem.longest:
            return
        if not state.missing:
            costs = state.sums[: problem.n_classes, -1]
            objective = state.cost + int(costs.min())
            if objective <= problem.threshold:
                self._take(state.rules, self._predicted(state, costs), costs.argmin(), objective)
        self._visit(state)

    def _captured(self, state: _State, antecedent: int) -> Array:
        captured: Array = state.left & self.problem.captures[:, antecedent]
        return captured

    def _predicted(self, state: _State, costs: Array) -> Array:
        return np.where(state.left, np.uint16(costs.argmin()), state.predicted)

    def _child(self, state: _State, children: _Children, antecedent: int) -> _State:
        """Return the child; its sums are those of its parent."""
        captured, label = self._captured(state, antecedent), children.label(antecedent)
        return _State(
            state.left & ~captured,
            state.sums,
            int(children.cost[antecedent]),
            (*state.rules, (antecedent, label)),
            np.where(captured, np.uint16(label), state.predicted),
            state.missing - {antecedent},
        )

    def _take(self, rules: Any, predicted: Array, default: Any, objective: int) -> None:
        """Take down a list."""
        number = self.predictions.setdefault(predicted.tobytes(), len(self.predictions))
        key = tuple(sorted(rules)), int(default), number
        entry = self.entries.setdefault(key, _Entry(objective, int(default), 0, rules))
        if entry.objective != objective:
            _refuse("orders of the same rules cost differently: this checker is wrong")
        entry.orders += 1
        entry.first = min(entry.first, rules)

    def _take_children(self, state: _State, children: _Children) -> int:
        """Take down the lists that end with one more rule; return the least objective of one."""
        least = self.problem.threshold + 1
        for a in children.to_take():
            if state.missing - {a}:
                continue
            label, default, objective = children.label(a), children.default(a), children.ended[a]
            predicted = state.predicted.copy()
            ends = np.where(self.problem.captures[:, a], np.uint16(label), np.uint16(default))
            predicted[state.left] = ends[state.left]
            self._take((*state.rules, (a, label)), predicted, default, int(objective))
            least = min(least, int(objective))
        return least

    def _visit(self, state: _State) -> int:
        """Take down the longer lists; return the least objective of one, or one above T."""
        problem = self.problem
        more = problem.longest - len(state.rules)
        if more <= 0:
            return problem.threshold + 1
        self.n_states += 1
        children = _Children(problem, state)
        self.n_children += int(children.usable.sum())
        least = self._take_children(state, children)
        settled = _Settled(problem)
        for place in children.to_enter(more):
            child = self._child(state, children, place)
            completing = self._known(child, more - 1)
            if completing is None:
                captured = problem.sums(self._captured(state, place))
                if self._sibling_settles(int(children.x[place]), captured, settled):
                    continue
                child.sums = state.sums - captured
                completing = self._complete(child, more - 1)
            least = min(least, child.cost + completing)
            if not problem.required:
                empty = children.without_rules(place) + problem.least_price
                settled.add(place, min(completing, empty) - int(children.floor[place]))
        return least

    def _known(self, child: _State, more: int) -> int | None:
        """Return (S) for the same set: what completing it costs at least, if that is above T."""
        if self.problem.required:
            return None
        least, known_more = self.known.get(np.packbits(child.left).tobytes(), (0, -1))
        enough = known_more >= more and child.cost + least > self.problem.threshold
        return least if enough else None

    def _complete(self, child: _State, more: int) -> int:
        """Return what completing a set by rules costs at least."""
        completing = self._visit(child) - child.cost
        if not self.problem.required:
            self.known[np.packbits(child.left).tobytes()] = completing, more
        return completing

    def _sibling_settles(self, x: int, captured: Array, settled: _Settled) -> bool:
        """Return (S) for siblings: one-sided similar support, from what a child captures."""
        spread = captured[self.problem.spread]
        outside = spread[-1] - spread[:-1]
        least = x + settled.above_floor - outside
        return bool((least > self.problem.threshold)[settled.known].any())

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
        optimum = Fraction(entries[0].objective, self.problem.scale) if entries else None
        rules = [([a for a, _ in e.first], [label for _, label in e.first]) for e in entries[:1]]
        return {
            "best": (*rules[0], entries[0].default) if entries else None,
            "n_lists": len(entries),
            "n_orders": int(orders.sum()),
            "n_predictions": len(self.predictions),
            "optimum": optimum,
            "lists_fingerprint": set_fingerprint(prefixes, labels, orders),
            "uses": self._uses(entries),
        }

    def _uses(self, entries: list[_Entry]) -> list[tuple[int, Fraction | None, Fraction | None]]:
        """Return for each antecedent how many lists have it, and the best with it and without."""
        n = [0] * self.problem.m
        best: list[int | None] = [None] * self.problem.m
        others: list[int | None] = [None] * self.problem.m
        everywhere = set(range(self.problem.m))
        for entry in entries:  # by rising objective
            rules = {antecedent for antecedent, _ in entry.first}
            for antecedent in rules:
                n[antecedent] += 1
                if best[antecedent] is None:
                    best[antecedent] = entry.objective
            for antecedent in everywhere - rules:
                others[antecedent] = entry.objective
            everywhere &= rules

        def exact(value: int | None) -> Fraction | None:
            return None if value is None else Fraction(value, self.problem.scale)

        return list(zip(n, map(exact, best), map(exact, others), strict=True))


def _extended(gains: Array, j: int) -> float:
    """Return the sum of the j largest gains, or a bound on it where fewer are known."""
    if j <= len(gains):
        return float(gains[j - 1])
    last = float(gains[-1] - gains[-2]) if len(gains) > 1 else float(gains[-1])
    return float(gains[-1]) + (j - len(gains)) * last
