"""The independent checker of proofs about fair rule lists.

It shares no code with the search: numpy, the standard library, and `surelist.checker`, which reads
the data, evaluates conditions and weighs rows. (threadpoolctl, where there is one, only keeps numpy
to one thread.) Everything else is worked out here from the data: rates, constraints, relaxed costs
and bounds. docs/fairness_proofs.md has the theorems by number; a proof consists of multipliers
(Theorem 1), values of sets (Theorem 3) and closed states. It is accepted if

(L) the list is allowed, satisfies every constraint and has the objective of the header;
(V) every listed value follows: each default reaches it, and so does each child of the set, by
    Theorem 2, by another listed value, or because its rule is not worth its price;
(C) the empty prefix is closed; and for every closed state the lists that end there are unfair, not
    allowed, or not below the bound, and so are those that end with a child; and every child is
    excluded by Theorem 2, by a listed value, by Theorem 4, or is dominated by a closed state
    (Theorem 5).

Sets shrink from child to child, so (V) is an induction on their size. (C) is one on the number of
further rules: a dominated child has at least the cost of the closed state with the same completion.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist import checker
from surelist.checker import _refuse

__all__ = ["MAGIC", "is_fair_certificate", "read_fair_header", "verify_fair"]

MAGIC = b"surelist fairness certificate 1\n"
MOST_BODY = 1 << 30
MOST_RATIO = 64
EXACT = 2**53  # sums below this are exact as floats, so that BLAS may multiply
MOST_NUMBERS = 1 << 20  # in one array
MOST_ASKED = 1 << 19  # values of children that are checked together

METRICS = {
    "statistical_parity": ("selection",),
    "equal_opportunity": ("positive",),
    "predictive_equality": ("negative",),
    "equalized_odds": ("positive", "negative"),
    "predictive_parity": ("precision",),
    "conditional_use_accuracy_equality": ("precision", "negative_precision"),
}
CLASSES = {"selection": (0, 1), "positive": (1,), "negative": (0,)}

Numbers = NDArray[Any]


# ---- The file: magic line, header, packed body with its lengths, checksum.


def is_fair_certificate(certificate: Any) -> bool:
    """Whether this is a proof about fair lists: a path, bytes, or what has either."""
    return checker._begins_with(certificate, MAGIC)


def read_fair_header(line: bytes) -> dict[str, Any]:
    """Return the header, if everything in it is as it should be.

    Raises
    ------
    VerificationError
    """
    header: dict[str, Any] = _read_claim(line).header
    return header


def _split(data: bytes) -> tuple[bytes, bytes]:
    """Return the header line and the unpacked body of a file whose checksum is right."""
    stream = io.BytesIO(data)
    if stream.read(len(MAGIC)) != MAGIC:
        _refuse(f"this is no fairness certificate: it does not begin with {MAGIC!r}")
    header = stream.readline(checker.MOST_HEADER)
    lengths = stream.read(16)
    if not header.endswith(b"\n") or len(lengths) < 16:
        _refuse("the file is cut short")
    n_packed, size = (int.from_bytes(lengths[at : at + 8], "little") for at in (0, 8))
    if not 0 < n_packed <= len(data) or not 0 < size <= MOST_BODY:
        _refuse(f"the proof has absurd lengths: {n_packed} bytes for {size}")
    if size > MOST_RATIO * n_packed:
        _refuse(f"the proof unpacks more than {MOST_RATIO}-fold")
    packed, digest = stream.read(n_packed), stream.read(32)
    whole = MAGIC + header + lengths + packed
    if len(packed) < n_packed or digest != hashlib.sha256(whole).digest() or stream.read(1):
        _refuse("the file is damaged: its checksum does not match, or it is cut short")
    try:
        unpacker = zlib.decompressobj()
        body = unpacker.decompress(packed, size + 1)
    except zlib.error as error:
        _refuse(f"the proof is damaged: {error}")
    if len(body) != size or not unpacker.eof or unpacker.unused_data:
        _refuse("the proof is not as long as it says")
    return header, body


def _share(item: Any) -> Fraction:
    share: Fraction = checker._fraction(item)
    if not 0 <= share <= 1 or share.denominator > 10**9:
        raise ValueError(f"{item!r} is no share of up to nine digits")
    return share


WHOLE = range(2**62)
SHAPE: Any = {
    "metrics": [str],
    "tolerance": (_share,),
    "ratio": (_share,),
    "majority": bool,
    "positive": range(2),
    "max_error": [(_share,)],
    "min_selection": [(_share,)],
    "max_selection": [(_share,)],
    "groups": [str],
}


def _read_claim(line: bytes) -> Any:
    """Read the header: that of a certificate, with groups and what is demanded of them."""
    header = checker._parse_header(line)
    try:
        if header["format"] != "surelist fairness certificate" or header["version"] != 1:
            raise ValueError("it is of another format or version")
        demand = checker._read(SHAPE, header["fairness"])
        members = header["sensitive"]
        if type(members) is not list or type(header["antecedents"]) is not list:
            raise TypeError("there must be lists of antecedents and of groups")
        multipliers = checker._read([WHOLE], header["multipliers"])
        unit = checker._read(range(1, 2**40), header["unit"])
        value_unit = checker._read(str, header["value_unit"])
        if not value_unit.isascii() or not value_unit.isdigit() or len(value_unit) > 400:
            raise ValueError("value_unit is no number")
        _check_demand(demand, len(members))
        if demand.groups != [_name_of(each) for each in members]:
            raise ValueError("the groups must have the names of their values")
        if len({tuple(_columns_of(each)) for each in members}) != 1:
            raise ValueError("the groups must be values of the same columns")
    except KeyError as error:
        _refuse(f"the header is not as it should be: {error} is missing")
    except (ArithmeticError, RecursionError, TypeError, ValueError) as error:
        _refuse(f"the header is not as it should be: {error}")
    if int(value_unit) == 0:
        _refuse("the header is not as it should be: value_unit is 0")
    plain = {name: header[name] for name in header if name not in ("fairness", "sensitive")}
    plain |= {
        "format": "surelist certificate",
        "version": 1,
        "antecedents": [*header["antecedents"], *members],
        "counts": {"closed_prefixes": 0},
    }
    if type(plain.get("prices")) is list:
        plain["prices"] = [*plain["prices"], *["0"] * len(members)]
    claim = checker._read_header(json.dumps(plain).encode())
    n_antecedents = len(header["antecedents"])
    limits = claim.constraints
    if len(claim.classes) != 2:
        _refuse("fair lists have two classes")
    if claim.weights.class_weight is not None:
        _refuse("class weights would change the rates of groups")
    named = (*limits.first, *limits.required, *limits.forbidden, *claim.rule_list.prefix)
    if any(s >= n_antecedents for s in named):
        _refuse("a rule asks about a sensitive group by number, which is no antecedent")
    return SimpleNamespace(
        plain=claim,
        demand=demand,
        n_antecedents=n_antecedents,
        multipliers=multipliers,
        unit=unit,
        value_unit=int(value_unit),
        header=header,
    )


def _name_of(clauses: Any) -> str:
    """Name a group by its values, since that is what the verdict calls it."""
    return ", ".join(map(_value_text, clauses))


def _value_text(clause: Any) -> str:
    condition = clause["condition"]
    if clause["negated"] is not False or condition["kind"] not in ("equals", "missing"):
        raise ValueError("a sensitive group is given by the values of columns")
    if condition["kind"] == "missing":
        return "missing"
    value = condition["value"]
    if type(value) is dict:
        number = float(value["float"])
        return str(int(number)) if number.is_integer() else str(number)
    if type(value) not in (str, bool, int):
        raise TypeError("a sensitive group has a value that is neither text nor number")
    return str(value)


def _check_demand(demand: Any, n_groups: int) -> None:
    if not 2 <= n_groups == len(demand.groups) == len(set(demand.groups)) <= 32:
        raise ValueError("there must be 2 to 32 different groups")
    for name in demand.metrics:
        if name not in METRICS:
            raise ValueError(f"{name!r} is no metric")
    for bounds in (demand.max_error, demand.min_selection, demand.max_selection):
        if len(bounds) != n_groups:
            raise ValueError("bounds on rates are one for each group, or null")
    if demand.metrics and demand.tolerance is None and demand.ratio is None:
        raise ValueError("a metric needs a tolerance or a ratio")


# ---- Constraints, from the definitions of the rates.


class _Constraints:
    """What is demanded, as inequalities between whole numbers."""

    def __init__(self, demand: Any, totals: list[int]) -> None:
        self.totals, self.n_groups = totals, len(totals) // 2
        self.linear: list[tuple[list[int], int]] = []
        self.predictive: list[tuple[bool, bool, Fraction]] = []
        rates = dict.fromkeys(rate for name in demand.metrics for rate in METRICS[name])
        for rate in rates:
            for share, as_ratio in ((demand.tolerance, False), (demand.ratio, True)):
                if share is not None and rate in CLASSES:
                    self._compare(CLASSES[rate], share, as_ratio)
                elif share is not None:
                    self.predictive.append((rate == "precision", as_ratio, share))
        bounds = (demand.max_error, demand.min_selection, demand.max_selection)
        for kind, shares in zip(("error", "least", "most"), bounds, strict=True):
            # In the order in which the header of a demand names groups.
            for a, share in enumerate(shares):
                if share is not None:
                    self._bound(kind, a, share)

    def _add(self, factors: list[int], most: int) -> None:
        common = math.gcd(*factors) or 1
        self.linear.append(([factor // common for factor in factors], most // common))

    def _compare(self, classes: tuple[int, ...], share: Fraction, as_ratio: bool) -> None:
        size = [sum(self.totals[2 * a + c] for c in classes) for a in range(self.n_groups)]
        if not all(size):
            _refuse("a group has no rows that its rate is about")
        for a in range(self.n_groups):
            for b in range(self.n_groups):
                if a == b:
                    continue
                factors = [0] * len(self.totals)
                for c in classes:
                    first = share.numerator if as_ratio else share.denominator
                    factors[2 * a + c] = first * size[b]
                    factors[2 * b + c] = -share.denominator * size[a]
                self._add(factors, 0 if as_ratio else share.numerator * size[a] * size[b])

    def _bound(self, kind: str, a: int, share: Fraction) -> None:
        negative, positive = self.totals[2 * a], self.totals[2 * a + 1]
        factors, limit = [0] * len(self.totals), share.numerator * (negative + positive)
        sign = {"error": 1, "least": -1, "most": 1}[kind]
        factors[2 * a] = sign * share.denominator
        factors[2 * a + 1] = (-1 if kind == "error" else sign) * share.denominator
        if kind == "error":
            limit -= share.denominator * positive
        self._add(factors, -limit if kind == "least" else limit)

    def hold(self, selected: list[int]) -> bool:
        """Whether a list that selects this is fair."""
        return self.may_hold(selected, [0] * len(selected))

    def may_hold(self, selected: list[int], left: list[int]) -> bool:
        """Theorem 4: whether some part of what is left makes it fair."""
        for factors, most in self.linear:
            least = sum(f * z for f, z in zip(factors, selected, strict=True))
            least += sum(min(0, f) * o for f, o in zip(factors, left, strict=True))
            if least > most:
                return False
        return all(self._predictive_may_hold(rule, selected, left) for rule in self.predictive)

    def _ranges(
        self, of_selected: bool, selected: list[int], left: list[int]
    ) -> list[tuple[int, int, int, int]]:
        """Of right and wrong predictions, the fewest and the most, by group."""
        ranges = []
        for a in range(self.n_groups):
            n, p = 2 * a, 2 * a + 1
            if of_selected:
                right, wrong = selected[p], selected[n]
                ranges.append((right, right + left[p], wrong, wrong + left[n]))
            else:
                right, wrong = self.totals[n] - selected[n], self.totals[p] - selected[p]
                ranges.append((right - left[n], right, wrong - left[p], wrong))
        return ranges

    def _predictive_may_hold(
        self, rule: tuple[bool, bool, Fraction], selected: list[int], left: list[int]
    ) -> bool:
        of_selected, as_ratio, share = rule
        ranges = self._ranges(of_selected, selected, left)
        if all(r[0] + r[2] == 0 for r in ranges):
            return True
        if any(r[1] + r[3] == 0 for r in ranges):
            return False
        lowest = [Fraction(r[0], r[0] + r[3]) if r[0] + r[3] else Fraction(1) for r in ranges]
        highest = [Fraction(r[1], r[1] + r[2]) if r[1] + r[2] else Fraction(0) for r in ranges]
        return all(
            high >= share * low if as_ratio else low - high <= share
            for a, low in enumerate(lowest)
            for b, high in enumerate(highest)
            if a != b
        )

    def no_worse(self, kept: list[int], other: list[int], left: list[int]) -> bool:
        """Theorem 5: whether one is fair after every completion after which the other is."""
        for factors, most in self.linear:
            value = sum(f * z for f, z in zip(factors, kept, strict=True))
            beside = sum(f * z for f, z in zip(factors, other, strict=True))
            reach = value + sum(max(0, f) * o for f, o in zip(factors, left, strict=True))
            if value > beside and reach > most:
                return False
        if not self.predictive or kept == other:
            return True
        return all(self._always_holds(rule, kept, left) for rule in self.predictive)

    def _always_holds(
        self, rule: tuple[bool, bool, Fraction], selected: list[int], left: list[int]
    ) -> bool:
        of_selected, as_ratio, share = rule
        ranges = self._ranges(of_selected, selected, left)
        if any(r[0] + r[2] == 0 for r in ranges):
            return False
        lowest = [Fraction(r[0], r[0] + r[3]) for r in ranges]
        highest = [Fraction(r[1], r[1] + r[2]) for r in ranges]
        return all(
            low >= share * high if as_ratio else high - low <= share
            for a, low in enumerate(lowest)
            for b, high in enumerate(highest)
            if a != b
        )


# ---- The problem in whole numbers: relaxed objectives, multiplied until all are whole.


class _Problem:
    def __init__(self, claim: Any, rows: NDArray[np.uint8], by_class: NDArray[np.int64]) -> None:
        plain, m = claim.plain, claim.n_antecedents
        n_groups = len(claim.demand.groups)
        bits = np.unpackbits(rows, axis=1, count=m + n_groups).astype(np.bool_)
        if (bits[:, m:].sum(axis=1) != 1).any():
            _refuse("some rows are in no sensitive group, or in two")
        keys, member = np.unique(bits[:, :m], axis=0, return_inverse=True)
        group = bits[:, m:].argmax(axis=1)
        self.claim, self.m, self.captures = claim, m, keys
        self.counts = np.zeros((len(keys), 2 * n_groups), np.int64)
        positive = claim.demand.positive
        for c in range(2):
            at = 2 * group + (c == positive)
            np.add.at(self.counts, (member.reshape(-1), at), by_class[:, c])
        totals = [int(n) for n in self.counts.sum(axis=0)]
        self.constraints = _Constraints(claim.demand, totals)
        order = (1 - positive, positive)
        costs = [[plain.costs.matrix[order[c]][order[q]] for q in (0, 1)] for c in (0, 1)]
        total = sum(totals) * plain.costs.unit
        prices = plain.prices[:m]
        self.per_loss = math.lcm(1, *((price * total).denominator for price in prices))
        self.scale = total * self.per_loss
        self.prices = [int(price * self.scale) for price in prices]
        labels = plain.constraints.rule_labels
        self.rule_labels = [q for q in (0, 1) if order[q] in labels]
        self.usable = np.ones(m, np.bool_)
        self.usable[list(plain.constraints.forbidden)] = False
        self.longest = plain.constraints.max_length
        self.first = list(plain.constraints.first)
        # What every list must have; those in `first`, too.
        self.demanded = frozenset((*self.first, *plain.constraints.required))
        weights = self.counts.astype(object)
        self.cost = [
            sum(weights[:, i] * costs[i % 2][q] for i in range(2 * n_groups)) for q in (0, 1)
        ]
        self._relax()

    def _relax(self) -> None:
        """Theorem 1."""
        claim, linear = self.claim, self.constraints.linear
        if len(claim.multipliers) != len(linear):
            _refuse(f"there are {len(linear)} linear constraints, but other multipliers")
        theta, kappa = [0] * self.counts.shape[1], 0
        for multiplier, (factors, most) in zip(claim.multipliers, linear, strict=True):
            largest = max(1, *map(abs, factors))
            theta = [t + multiplier * f // largest for t, f in zip(theta, factors, strict=True)]
            kappa += multiplier * most // largest
        self.theta, self.kappa, self.unit = theta, kappa, claim.unit
        weights = self.counts.astype(object)
        zero = self.unit * self.cost[0] * self.per_loss
        one = self.unit * self.cost[1] + sum(weights[:, i] * t for i, t in enumerate(theta))
        one = one * self.per_loss
        self.floor = np.minimum(zero, one)
        # What label 0, and label 1, saves in groups that are better off with it.
        saved = [np.maximum(0, one - zero), np.maximum(0, zero - one)]
        self.rule_prices = [self.unit * price for price in self.prices]
        usable = [p for p, u in zip(self.rule_prices, self.usable, strict=True) if u]
        self.least_price = min(usable, default=0)
        top = (
            sum(map(sum, saved))
            + sum(map(abs, self.floor))
            + (self.m + 2) * max([0, *self.rule_prices])
        )
        kind: Any = np.float64 if top < EXACT else object
        self.price = np.array(self.rule_prices, kind)
        self.extra = self.price - self.least_price
        self.kind = kind
        # By label: the groups where it saves something, how much, and what antecedents capture.
        self.savings = []
        for part in saved:
            groups = np.flatnonzero(part)
            values = part[groups].astype(kind)
            self.savings.append((groups, values, values[:, None] * self.captures[groups]))

    def sums(self, left: NDArray[np.bool_]) -> tuple[list[Numbers], list[Numbers]]:
        """Sum what antecedents capture of sets: saved by label 0, and by 1; and of all."""
        parts, whole = [], []
        for groups, saved, captured in self.savings:
            some = left[:, groups].astype(self.kind)
            parts.append(some @ captured)
            whole.append(some @ saved)
        return parts, whole

    def captures_some(self, left: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Say which antecedents that may be used capture something of sets."""
        captured = left.astype(np.float32) @ self.captures.astype(np.float32)
        return (captured > 0) & self.usable


def _greatest(numbers: Numbers, n: int) -> Numbers:
    """Return the greatest n numbers of each row, falling; none below 0."""
    width = numbers.shape[1]
    if n < width and numbers.dtype != object:
        numbers = np.partition(numbers, width - n, axis=1)[:, width - n :]
    greatest: Numbers = np.maximum(0, -np.sort(-numbers, axis=1)[:, :n])
    return greatest


def _most_rules(problem: _Problem, need: Numbers, rules: Numbers) -> int:
    """Return how many rules a completion below ``need`` has at most, in any of the rows."""
    most = min(problem.usable.sum(), rules.max(initial=0))
    if len(need) and problem.least_price > 0:
        most = min(most, max(0, int(need.max()) - 1) // problem.least_price)
    return int(most)


def _bounded(
    problem: _Problem,
    parts: list[Numbers],
    whole: list[Numbers],
    need: Numbers,
    rules: Numbers,
) -> NDArray[np.bool_]:
    """Theorem 2: whether completions by 1 to ``rules`` rules cost at least ``need``."""
    zero = np.zeros(1, whole[0].dtype)
    rows = np.arange(len(need))
    own = _Children(rows, rows, [zero[rows * 0]] * 2, need, rules)
    return _bounded_by(problem, parts, whole, whole, own)


def _bounded_by(
    problem: _Problem,
    parts: list[Numbers],
    whole: list[Numbers],
    left: list[Numbers],
    child: _Children,
) -> NDArray[np.bool_]:
    """Theorem 2 for children that leave ``left``, by the sums of the sets in their rows."""
    rows, need = child.rows, child.need
    good = np.ones(len(rows), np.bool_)
    usable, most = problem.usable, _most_rules(problem, need, child.rules)
    for d in (0, 1) if most else ():
        gains = (parts[1 - d] - problem.extra)[:, usable]
        nets = (parts[1 - d] - parts[d] - problem.extra)[:, usable]
        first = np.maximum(0, nets.max(axis=1))[rows] + child.own[d]
        top = _greatest(gains, most)
        before = np.zeros(len(rows), whole[0].dtype)
        for j in range(1, most + 1):
            active = good & (child.rules >= j) & (need > problem.least_price * j)
            if not active.any():
                break
            now = before + top[rows, j - 1]
            gain = np.minimum(now, first + before)
            cost = np.maximum(0, left[1 - d] - gain) + problem.least_price * j
            good &= ~active | (cost >= need)
            before = now
    return good


@dataclass(frozen=True)
class _Children:
    """Children of sets: of which row, by which antecedent, what that captures, what is needed."""

    rows: Numbers
    antecedents: Numbers
    own: list[Numbers]
    need: Numbers
    rules: Numbers

    def some(self, which: Any) -> _Children:
        own = [part[which] for part in self.own]
        rest = self.need[which], self.rules[which]
        return _Children(self.rows[which], self.antecedents[which], own, *rest)


def _bounded_by_parent(
    problem: _Problem, parts: list[Numbers], whole: list[Numbers], child: _Children
) -> NDArray[np.bool_]:
    """Theorem 2 for children, and their defaults, by the sums of their parents."""
    left = [all_of[child.rows] - own for all_of, own in zip(whole, child.own, strict=True)]
    good: NDArray[np.bool_] = np.minimum(*left) >= child.need
    return good & _bounded_by(problem, parts, whole, left, child)


# ---- Values of sets (V).


class _Values:
    """What is listed of sets, and whether it follows."""

    def __init__(self, problem: _Problem, listed: Any) -> None:
        self.problem = problem
        # A value of objectives, as a multiple of the unit of relaxed ones, rounded up.
        times = Fraction(problem.scale * problem.unit, problem.claim.value_unit)
        self.paths = [path for path, _, _ in listed]
        self.rules = np.array([math.inf if n is None else float(n) for _, n, _ in listed])
        self.least = [math.ceil(int(digits) * times) for _, _, digits in listed]
        self.known: dict[bytes, list[tuple[float, int]]] = {}
        # Sets are walked to in batches, twice: in bits, all of them might not fit into memory.
        self.step = max(1, MOST_NUMBERS // max(1, *problem.captures.shape))
        keys = (key for at in self._batches() for key in _keys(_walk(problem, self.paths[at])))
        claims = zip(self.rules.tolist(), self.least, strict=True)
        for key, claim in zip(keys, claims, strict=True):
            self.known.setdefault(key, []).append(claim)

    def _batches(self) -> Iterator[slice]:
        for at in range(0, len(self.paths), self.step):
            yield slice(at, at + self.step)

    def reaches(self, key: bytes, rules: float, need: int) -> bool:
        """Whether a listed value says that completions cost at least this much."""
        listed = self.known.get(key)
        return listed is not None and any(n >= rules and value >= need for n, value in listed)

    def check(self) -> None:
        """(V) for every listed value."""
        # What is asked of children: by set and number of rules, the greatest value.
        asked: dict[tuple[bytes, float], tuple[Any, int]] = {}
        for at in self._batches():
            self._check_some(at, asked)
            if len(asked) > MOST_ASKED:
                self._check_asked(asked)
                asked.clear()
        self._check_asked(asked)

    def _check_some(self, which: slice, asked: dict[tuple[bytes, float], tuple[Any, int]]) -> None:
        problem, rules = self.problem, self.rules[which]
        left = _walk(problem, self.paths[which])
        most = 10**400 if problem.kind is object else EXACT  # which no sum reaches
        need = np.array([min(value, most) for value in self.least[which]], problem.kind)
        parts, whole = problem.sums(left)
        if (np.minimum(*whole) < need).any():
            _refuse("a value of a set is more than its default costs")
        some = problem.captures_some(left)
        rows, children = np.nonzero(some & (rules >= 1)[:, None])
        own = [part[rows, children] for part in parts]
        label = (own[1] > own[0]).astype(np.intp)
        if len(problem.rule_labels) == 1:
            label[:] = problem.rule_labels[0]
        cost = np.where(label == 1, own[0], own[1])
        worth = np.where(label == 1, own[1], own[0])
        price = problem.price[children]
        rest = need[rows] - price - cost
        ask = (worth > price) & (rest > 0)
        child = _Children(rows, children, own, rest, rules[rows] - 1).some(ask)
        child = child.some(~_bounded_by_parent(problem, parts, whole, child))
        self._ask(left[child.rows] & ~problem.captures[:, child.antecedents].T, child, asked)

    def _ask(
        self,
        left: NDArray[np.bool_],
        child: _Children,
        asked: dict[tuple[bytes, float], tuple[Any, int]],
    ) -> None:
        """Note what is needed of children, once for each set, unless it is listed."""
        needs = [int(need) for need in child.need.tolist()]
        claims = zip(_keys(left), child.rules.tolist(), needs, strict=True)
        for row, (key, rules, need) in enumerate(claims):
            before = asked.get((key, rules))
            if (before is None or before[1] < need) and not self.reaches(key, rules, need):
                asked[key, rules] = (int(child.antecedents[row]), need)

    def _check_asked(self, asked: dict[tuple[bytes, float], tuple[Any, int]]) -> None:
        """Theorem 2, by the sums of each set itself."""
        problem, items = self.problem, list(asked.items())
        for at in range(0, len(items), 1024):
            few = items[at : at + 1024]
            packed = np.frombuffer(b"".join(key for (key, _), _ in few), np.uint8)
            n_groups = len(problem.captures)
            bits = np.unpackbits(packed.reshape(len(few), -1), axis=1, count=n_groups)
            parts, whole = problem.sums(bits.astype(np.bool_))
            need = np.array([value for _, (_, value) in few], problem.kind)
            rules = np.array([each for (_, each), _ in few])
            good = np.minimum(*whole) >= need
            good &= _bounded(problem, parts, whole, need, rules)
            if not good.all():
                antecedent = few[int(np.argmin(good))][1][0]
                _refuse(
                    "the value of a set does not follow: that of its child by antecedent "
                    f"{antecedent} is not proven"
                )


def _walk(problem: _Problem, paths: list[list[int]]) -> NDArray[np.bool_]:
    """Return the sets that prefixes leave, a row for each."""
    longest = max(map(len, paths), default=0)
    nothing = len(problem.captures.T)
    steps = np.full((len(paths), longest), nothing)
    for row, path in enumerate(paths):
        steps[row, : len(path)] = path
    kept = np.concatenate([~problem.captures.T, np.ones((1, len(problem.captures)), np.bool_)])
    left = np.ones((len(paths), len(problem.captures)), np.bool_)
    for step in steps.T:
        left &= kept[step]
    return left


def _keys(left: NDArray[np.bool_]) -> list[bytes]:
    return [line.tobytes() for line in np.packbits(left, axis=1)]


# ---- Closed states (C).


class _State:
    def __init__(self, problem: _Problem, codes: list[int]) -> None:
        self.left = np.ones(len(problem.captures), np.bool_)
        self.missing = problem.demanded - {code // 2 for code in codes}
        self.loss, self.price, self.length = 0, 0, len(codes)
        self.selected = [0] * problem.counts.shape[1]
        for code in codes:
            s, label = divmod(code, 2)
            captured = self.left & problem.captures[:, s]
            self.left &= ~captured
            self.loss += int(problem.cost[label][captured].sum())
            self.price += problem.prices[s]
            if label:
                added = problem.counts[captured].sum(axis=0)
                self.selected = [z + int(n) for z, n in zip(self.selected, added, strict=True)]

    def open(self, problem: _Problem) -> list[int]:
        return [int(n) for n in problem.counts[self.left].sum(axis=0)]

    def spent(self, problem: _Problem) -> int:
        """Relaxed objective so far, with what no label avoids in the rest."""
        prices = sum(t * z for t, z in zip(problem.theta, self.selected, strict=True))
        relaxed = problem.unit * self.loss + prices - problem.kappa
        floors = int(problem.floor[self.left].sum())
        return int(problem.per_loss * relaxed + floors + problem.unit * self.price)

    def objective(self, problem: _Problem, d: int) -> int:
        return int(problem.per_loss * (self.loss + problem.cost[d][self.left].sum()) + self.price)


class _Proof:
    def __init__(self, problem: _Problem, closed: list[list[int]], values: _Values) -> None:
        self.problem, self.values = problem, values
        self.codes = [list(codes) for codes in closed]
        self.states = [_State(problem, codes) for codes in self.codes]
        self.by_set: dict[bytes, list[_State]] = {}
        for state in self.states:
            self.by_set.setdefault(_keys(state.left[None])[0], []).append(state)
        bound = problem.claim.plain.lower_bound * problem.scale
        self.least = math.ceil(bound)  # of an objective
        self.need = problem.unit * (self.least - 1) + 1  # of a relaxed one
        self.n_children = 0

    def check(self) -> None:
        if [] not in self.codes:
            _refuse("the empty prefix is not closed")
        for codes, state in zip(self.codes, self.states, strict=True):
            if any(code // 2 != s for code, s in zip(codes, self.problem.first, strict=False)):
                _refuse(f"the closed prefix {codes} does not begin as every list must")
            self._check_lists(state, codes)
            if self.problem.longest is None or state.length < self.problem.longest:
                self._check_children(state, codes)

    def _clamped(self, need: int) -> Any:
        """Return a number that floats hold; beyond, no sum or every sum reaches it."""
        return need if self.problem.kind is object else float(max(-EXACT, min(EXACT, need)))

    def _check_lists(self, state: _State, codes: list[int]) -> None:
        problem, rest = self.problem, state.open(self.problem)
        for d in () if state.missing else (0, 1):
            if state.objective(problem, d) >= self.least or not self._may_end(state, d):
                continue
            selected = [z + n * d for z, n in zip(state.selected, rest, strict=True)]
            if problem.constraints.hold(selected):
                _refuse(f"a fair list is better than the bound: {codes} with default {d}")

    def _may_end(self, state: _State, d: int) -> bool:
        """Whether the default may have the label, where it has to be a majority."""
        if not self.problem.claim.demand.majority:
            return True
        cost = [int(self.problem.cost[q][state.left].sum()) for q in (0, 1)]
        return d == int(cost[1] < cost[0])

    def _labels(self, captured: NDArray[np.bool_]) -> list[int]:
        """Return the labels that a rule may have for what it captures."""
        problem = self.problem
        if not problem.claim.demand.majority or len(problem.rule_labels) == 1:
            return problem.rule_labels
        cost = [int(problem.cost[q][captured].sum()) for q in (0, 1)]
        return [int(cost[1] < cost[0])]

    def _followers(self, state: _State) -> NDArray[np.intp]:
        """Return what may follow: of rules that capture nothing, only those that are demanded."""
        if state.length < len(self.problem.first):
            return np.array([self.problem.first[state.length]])
        some = self.problem.captures_some(state.left[None])[0]
        some[list(state.missing)] = True
        return np.flatnonzero(some)

    def _check_children(self, state: _State, codes: list[int]) -> None:
        problem = self.problem
        parts, _ = problem.sums(state.left[None])
        spent = state.spent(problem)
        children = self._followers(state)
        left = state.left & ~problem.captures[:, children].T
        own, all_own = problem.sums(left)
        keys = _keys(left)
        rules = math.inf if problem.longest is None else problem.longest - state.length - 1
        for label in problem.rule_labels:
            cost = parts[1 - label][0][children] + problem.price[children]
            need = self._clamped(self.need - spent) - cost
            bounded = _bounded(problem, own, all_own, need, np.full(len(children), rules))
            lists = np.minimum(*all_own) >= need
            self.n_children += len(children)
            for i in np.flatnonzero(~(bounded & lists)):
                if self.values.reaches(keys[i], rules, int(need[i])):
                    continue
                code = 2 * int(children[i]) + label
                if label in self._labels(state.left & problem.captures[:, children[i]]):
                    self._check_child([*codes, code], bool(bounded[i]), rules)

    def _check_child(self, codes: list[int], bounded: bool, rules: float) -> None:
        problem, child = self.problem, _State(self.problem, codes)
        self._check_lists(child, codes)
        if (
            bounded
            or rules < 1
            or not problem.constraints.may_hold(child.selected, child.open(problem))
        ):
            return
        if not any(self._dominates(state, child) for state in self._alike(child)):
            _refuse(f"the prefix {codes} is neither closed nor excluded")

    def _alike(self, child: _State) -> list[_State]:
        return self.by_set.get(_keys(child.left[None])[0], [])

    def _dominates(self, state: _State, child: _State) -> bool:
        """Theorem 5."""
        problem = self.problem
        cost = [problem.per_loss * each.loss + each.price for each in (state, child)]
        if cost[0] > cost[1] or (problem.longest is not None and state.length > child.length):
            return False
        if not state.missing <= child.missing:
            return False
        rest = child.open(problem)
        return problem.constraints.no_worse(state.selected, child.selected, rest)


# ---- All together.


def _read_body(body: bytes, m: int) -> Any:
    try:
        proof = json.loads(body)
        closed = checker._read([[range(2 * m)]], proof["closed"])
        values = []
        for path, rules, digits in checker._read(list, proof["values"]):
            if type(path) is not list or not all(type(s) is int and 0 <= s < m for s in path):
                raise ValueError(f"{path!r} is no prefix")
            if rules is not None and (type(rules) is not int or rules not in WHOLE):
                raise ValueError(f"{rules!r} is no number of rules")
            if type(digits) is not str or not re.fullmatch("[0-9]{1,400}", digits):
                raise ValueError(f"{digits!r} is no whole number")
            values.append((path, rules, digits))
    except KeyError as error:
        _refuse(f"the proof is not as it should be: {error} is missing")
    except (RecursionError, TypeError, ValueError) as error:
        _refuse(f"the proof is not as it should be: {error}")
    for codes in closed:
        if len({code // 2 for code in codes}) < len(codes):
            _refuse("a closed prefix has an antecedent twice")
    return closed, values


def _check_list(problem: _Problem) -> None:
    """(L)."""
    claim, plain = problem.claim, problem.claim.plain
    chosen, positive = plain.rule_list, claim.demand.positive
    if len(chosen.labels) != len(chosen.prefix):
        _refuse("the rule list does not have a label for each rule")
    labels = [int(label == positive) for label in chosen.labels]
    default = int(chosen.default_label == positive)
    proof = _Proof(problem, [], _Values(problem, []))
    codes: list[int] = []
    for s, label in zip(chosen.prefix, labels, strict=True):
        captured = _State(problem, codes).left & problem.captures[:, s]
        if not problem.usable[s] or label not in proof._labels(captured):
            _refuse("the rule list has a rule that is not allowed")
        codes.append(2 * s + label)
    state = _State(problem, codes)
    if state.missing or chosen.prefix[: len(problem.first)] != problem.first:
        _refuse("the rule list does not begin with, or does not have, what every list must")
    if problem.longest is not None and state.length > problem.longest:
        _refuse(f"the rule list has {state.length} rules, more than are allowed")
    if not proof._may_end(state, default):
        _refuse("the default label is not the majority of what is left")
    rest = state.open(problem)
    selected = [z + n * default for z, n in zip(state.selected, rest, strict=True)]
    if not problem.constraints.hold(selected):
        _refuse("the rule list does not satisfy the fairness constraint on these data")
    if Fraction(state.objective(problem, default), problem.scale) != plain.objective:
        _refuse(f"the rule list does not have the objective {plain.objective}")


def _demanded(claim: Any) -> str:
    """Say what fair lists keep to, between which groups."""
    demand = claim.demand
    words = [name.replace("_", " ") for name in demand.metrics]
    within = [] if demand.tolerance is None else [f"a difference of at most {demand.tolerance}"]
    within += [] if demand.ratio is None else [f"a ratio of at least {demand.ratio}"]
    what = [f"{' and '.join(words)} within {' and '.join(within)}"] if words else []
    for name in ("max_error", "min_selection", "max_selection"):
        what += [
            f"{name} {share} for {group}"
            for group, share in zip(demand.groups, getattr(demand, name), strict=True)
            if share is not None
        ]
    # Not which class is the positive one alone, but its name: rates of the other one differ.
    positive = checker._named(claim.plain.classes[demand.positive])
    columns = " and ".join(_sensitive_columns(claim.header))
    between = f"between the groups {', '.join(demand.groups)} of {columns}"
    return f"{' and '.join(what)} {between}, where {positive} is the positive class,"


def _statement(claim: Any) -> str:
    plain = claim.plain
    labels = "majority labels" if claim.demand.majority else "any labels"
    kind = f"{checker._which(plain, claim.n_antecedents)} with {labels} and {_demanded(claim)}"
    low, at = checker._rounded(plain.lower_bound, ROUND_FLOOR), checker._at(plain)
    if plain.lower_bound == plain.objective:
        return f"Verified: no {kind} has objective below {low} {at}"
    high = checker._rounded(plain.objective, ROUND_CEILING)
    return f"Verified: the optimum over every {kind} lies between {low} and {high} {at}"


def _with_sensitive(X: Any, given: Any, names: list[str]) -> Any:
    """Add groups that were passed beside the table as columns of it."""
    if given is None:
        return X
    if isinstance(X, str | os.PathLike):
        raise checker.DataError("pass sensitive_features with columns or a data frame, not a file")
    array = np.asarray(given, dtype=object)
    array = array.reshape(len(array), -1)
    if hasattr(X, "columns") or isinstance(X, Mapping):
        table = {str(name): X[name] for name in (X.columns if hasattr(X, "columns") else X)}
    else:
        rows = np.asarray(X, dtype=object)
        table = {f"x{i}": rows[:, i].tolist() for i in range(rows.shape[1])}
    for i, name in enumerate(names):
        table[name] = array[:, i].tolist()
    return table


def _columns_of(clauses: Any) -> list[Any]:
    return [clause["condition"]["column"] for clause in clauses]


def _sensitive_columns(header: Mapping[str, Any]) -> list[str]:
    return _columns_of(header["sensitive"][0])


def verify_fair(
    certificate: Any,
    X: Any = None,
    y: Any = None,
    *,
    label: str | None = None,
    sample_weight: Any = None,
    sensitive_features: Any = None,
) -> checker.Verification:
    """Check a proof about fair lists against the data; see `surelist.verify`.

    Raises
    ------
    VerificationError
        If the certificate is refused. The message says why.
    DataError
        If the data cannot be read, so that there is nothing to check against.
    """
    with checker._open(checker._source(certificate)) as stream:
        line, body = _split(stream.read())
    claim = _read_claim(line)
    plain = claim.plain
    X = _with_sensitive(X, sensitive_features, _sensitive_columns(claim.header))
    groups = checker._read_rows(plain, X, y, label, sample_weight)
    problem = _Problem(claim, groups.rows, groups.by_class)
    if not 0 <= plain.lower_bound <= plain.objective:
        _refuse("the lower bound is above the objective")
    _check_list(problem)
    closed, listed = _read_body(body, claim.n_antecedents)
    with checker._one_thread():
        values = _Values(problem, listed)
        values.check()
        proof = _Proof(problem, closed, values)
        proof.check()
    return checker.Verification(
        _statement(claim),
        plain.objective == plain.lower_bound,
        plain.objective,
        plain.lower_bound,
        plain.regularization,
        groups.n_rows,
        len(problem.captures),
        claim.n_antecedents,
        len(closed) + len(listed),
        len(closed),
        proof.n_children,
        plain.fingerprint,
        reader=checker._reader(X),
        checker="fairness",
    )
