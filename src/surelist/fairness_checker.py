"""The independent checker of proofs about fair rule lists.

It shares no code with the search: numpy, the standard library, and `surelist.checker`, which reads
the data, evaluates conditions and weighs rows. Everything else is worked out here from the data:
rates, constraints, relaxed costs and bounds. docs/fairness_proofs.md has the theorems by number; a
proof consists of multipliers (Theorem 1), values of sets (Theorem 3) and closed states. It is
accepted if

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
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from surelist import checker

__all__ = ["MAGIC", "is_fair_certificate", "read_fair_header", "verify_fair"]

MAGIC = b"surelist fairness certificate 1\n"
MOST_BODY = 1 << 30
MOST_RATIO = 64
EXACT = 2**53  # sums below this are exact as floats, so that BLAS may multiply

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


def _refuse(reason: str) -> NoReturn:
    raise checker.VerificationError(f"Refused: {reason}")


# ---- The file: magic line, header, packed body with its lengths, checksum.


def _bytes_of(certificate: Any) -> bytes:
    if isinstance(certificate, bytes):
        return certificate
    path = certificate if isinstance(certificate, str | os.PathLike) else certificate.path
    return certificate.to_bytes() if path is None else Path(path).read_bytes()


def is_fair_certificate(certificate: Any) -> bool:
    """Whether this is a proof about fair lists."""
    if isinstance(certificate, bytes):
        return certificate.startswith(MAGIC)
    path = certificate if isinstance(certificate, str | os.PathLike) else None
    if path is None:
        path = getattr(certificate, "path", None)
        if path is None:
            to_bytes = getattr(certificate, "to_bytes", None)
            return (
                callable(to_bytes)
                and not isinstance(certificate, int)
                and (bytes(to_bytes()[: len(MAGIC)]) == MAGIC)
            )
    try:
        with Path(path).open("rb") as stream:
            return stream.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):
        return False


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
    if limits.first or limits.required or len(claim.classes) != 2:
        _refuse("a fair list has two classes, and begins with nothing that is demanded")
    if any(s >= n_antecedents for s in (*limits.forbidden, *claim.rule_list.prefix)):
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
        self.saved = [part.astype(kind) for part in saved]
        self.price = np.array(self.rule_prices, kind)
        self.extra = self.price - self.least_price
        self.matrix = self.captures.astype(kind)
        self.kind = kind

    def sums(
        self, left: NDArray[np.bool_]
    ) -> tuple[list[Numbers], list[Numbers], NDArray[np.bool_]]:
        """Sum what antecedents capture of sets: saved by 0 and 1; of all; and whether anything."""
        kind = left.astype(self.kind)
        parts = [(kind * part) @ self.matrix for part in self.saved]
        whole = [kind @ part for part in self.saved]
        some = (left.astype(np.float32) @ self.captures.astype(np.float32)) > 0
        return parts, whole, some & self.usable


def _bounded(
    problem: _Problem,
    parts: list[Numbers],
    whole: list[Numbers],
    need: Numbers,
    rules: Numbers,
) -> NDArray[np.bool_]:
    """Theorem 2: whether completions by 1 to ``rules`` rules cost at least ``need``."""
    n = len(need)
    good = np.ones(n, np.bool_)
    usable = problem.usable
    for d in (0, 1):
        gains = (parts[1 - d] - problem.extra)[:, usable]
        nets = (parts[1 - d] - parts[d] - problem.extra)[:, usable]
        first = np.maximum(0, nets.max(axis=1)) if usable.any() else np.zeros(n)
        top = np.maximum(0, -np.sort(-gains, axis=1)) if usable.any() else np.zeros((n, 1))
        before = np.zeros(n, whole[0].dtype)
        for j in range(1, max(1, top.shape[1]) + 1):
            active = (rules >= j) & (need - problem.least_price * j > 0)
            if not active.any():
                break
            now = before + top[:, j - 1] if j <= top.shape[1] else before
            gain = np.minimum(now, first + before)
            cost = np.maximum(0, whole[1 - d] - gain) + problem.least_price * j
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
    rows = child.rows
    left = [all_of[rows] - own for all_of, own in zip(whole, child.own, strict=True)]
    good: NDArray[np.bool_] = np.minimum(*left) >= child.need
    usable = problem.usable
    for d in (0, 1):
        gains = (parts[1 - d] - problem.extra)[:, usable]
        nets = (parts[1 - d] - parts[d] - problem.extra)[:, usable]
        first = np.maximum(0, nets.max(axis=1))[rows] + child.own[d]
        top = np.maximum(0, -np.sort(-gains, axis=1))
        before = np.zeros(len(rows), whole[0].dtype)
        for j in range(1, top.shape[1] + 1):
            active = good & (child.rules >= j) & (child.need > problem.least_price * j)
            if not active.any():
                break
            now = before + top[rows, j - 1]
            gain = np.minimum(now, first + before)
            cost = np.maximum(0, left[1 - d] - gain) + problem.least_price * j
            good &= ~active | (cost >= child.need)
            before = now
    return good


# ---- Values of sets (V).


class _Values:
    """What is listed of sets, and whether it follows."""

    def __init__(self, problem: _Problem, listed: Any) -> None:
        self.problem = problem
        self.known: dict[bytes, list[tuple[float, int]]] = {}
        self.items: list[tuple[NDArray[np.bool_], float, int]] = []
        # A value of objectives, as a multiple of the unit of relaxed ones, rounded up.
        times = Fraction(problem.scale * problem.unit, problem.claim.value_unit)
        for path, rules, digits in listed:
            left = np.ones(len(problem.captures), np.bool_)
            for s in path:
                left &= ~problem.captures[:, s]
            most = math.inf if rules is None else float(rules)
            value = math.ceil(int(digits) * times)
            self.items.append((left, most, value))
            self.known.setdefault(np.packbits(left).tobytes(), []).append((most, value))

    def reaches(self, left: NDArray[np.bool_], rules: float, need: int) -> bool:
        """Whether a listed value says that completions cost at least this much."""
        listed = self.known.get(np.packbits(left).tobytes(), ())
        return any(most >= rules and value >= need for most, value in listed)

    def check(self) -> None:
        """(V) for every listed value."""
        step = max(1, (1 << 22) // max(1, self.problem.captures.size))
        for at in range(0, len(self.items), step):
            self._check_some(self.items[at : at + step])

    def _check_some(self, items: list[tuple[NDArray[np.bool_], float, int]]) -> None:
        problem = self.problem
        left = np.array([item[0] for item in items])
        rules = np.array([item[1] for item in items])
        most = 10**400 if problem.kind is object else EXACT  # which no sum reaches
        need = np.array([min(item[2], most) for item in items], problem.kind)
        parts, whole, some = problem.sums(left)
        if (np.minimum(*whole) < need).any():
            _refuse("a value of a set is more than its default costs")
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
        for start in range(0, len(child.rows), 256):
            few = child.some(slice(start, start + 256))
            self._check_children(left[few.rows], few)

    def _check_children(self, left: NDArray[np.bool_], child: _Children) -> None:
        problem = self.problem
        left = left & ~problem.captures[:, child.antecedents].T
        parts, whole, _ = problem.sums(left)
        good = np.minimum(*whole) >= child.need
        good &= _bounded(problem, parts, whole, child.need, child.rules)
        for i in np.flatnonzero(~good):
            if not self.reaches(left[i], float(child.rules[i]), int(child.need[i])):
                _refuse(
                    "the value of a set does not follow: that of its child by antecedent "
                    f"{int(child.antecedents[i])} is not proven"
                )


# ---- Closed states (C).


class _State:
    def __init__(self, problem: _Problem, codes: list[int]) -> None:
        self.left = np.ones(len(problem.captures), np.bool_)
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
            self.by_set.setdefault(np.packbits(state.left).tobytes(), []).append(state)
        bound = problem.claim.plain.lower_bound * problem.scale
        self.least = math.ceil(bound)  # of an objective
        self.need = problem.unit * (self.least - 1) + 1  # of a relaxed one
        self.n_children = 0

    def check(self) -> None:
        if [] not in self.codes:
            _refuse("the empty prefix is not closed")
        for codes, state in zip(self.codes, self.states, strict=True):
            self._check_lists(state, codes)
            if self.problem.longest is None or state.length < self.problem.longest:
                self._check_children(state, codes)

    def _clamped(self, need: int) -> Any:
        """Return a number that floats hold; beyond, no sum or every sum reaches it."""
        return need if self.problem.kind is object else float(max(-EXACT, min(EXACT, need)))

    def _check_lists(self, state: _State, codes: list[int]) -> None:
        problem, rest = self.problem, state.open(self.problem)
        for d in (0, 1):
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

    def _check_children(self, state: _State, codes: list[int]) -> None:
        problem = self.problem
        parts, _, some = problem.sums(state.left[None])
        spent, children = state.spent(problem), np.flatnonzero(some[0])
        left = state.left & ~problem.captures[:, children].T
        own, all_own, _ = problem.sums(left)
        rules = math.inf if problem.longest is None else problem.longest - state.length - 1
        for label in problem.rule_labels:
            cost = parts[1 - label][0][children] + problem.price[children]
            need = self._clamped(self.need - spent) - cost
            bounded = _bounded(problem, own, all_own, need, np.full(len(children), rules))
            lists = np.minimum(*all_own) >= need
            self.n_children += len(children)
            for i in np.flatnonzero(~(bounded & lists)):
                if self.values.reaches(left[i], rules, int(need[i])):
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
        return self.by_set.get(np.packbits(child.left).tobytes(), [])

    def _dominates(self, state: _State, child: _State) -> bool:
        """Theorem 5."""
        problem = self.problem
        cost = [problem.per_loss * each.loss + each.price for each in (state, child)]
        if cost[0] > cost[1] or (problem.longest is not None and state.length > child.length):
            return False
        rest = child.open(problem)
        return problem.constraints.no_worse(state.selected, child.selected, rest)


# ---- All together.


def _read_body(body: bytes, m: int) -> Any:
    try:
        proof = json.loads(body)
        closed = checker._read([[range(2 * m)]], proof["closed"])
        values = []
        for path, rules, digits in checker._read([list], proof["values"]):
            checker._read([range(m)], path)
            checker._read((WHOLE,), rules)
            if not isinstance(digits, str) or not digits.isascii() or not digits.isdigit():
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


def _statement(claim: Any) -> str:
    demand, plain = claim.demand, claim.plain
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
    which = f"rule list over these {claim.n_antecedents} antecedents"
    if plain.constraints.max_length is not None:
        which += f" with at most {plain.constraints.max_length} rules"
    labels = "majority labels" if demand.majority else "any labels"
    between = f"between {', '.join(demand.groups)}"
    at = f"at λ = {checker._exactly(plain.regularization)}"
    low = checker._rounded(plain.lower_bound, ROUND_FLOOR)
    kind = f"{which} with {labels} and {', '.join(what)} {between}"
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


def _sensitive_columns(header: Mapping[str, Any]) -> Iterator[str]:
    clauses = header["sensitive"][0]
    yield from (clause["condition"]["column"] for clause in clauses)


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
    line, body = _split(_bytes_of(certificate))
    claim = _read_claim(line)
    plain = claim.plain
    X = _with_sensitive(X, sensitive_features, list(_sensitive_columns(claim.header)))
    groups = checker._read_rows(plain, X, y, label, sample_weight)
    problem = _Problem(claim, groups.rows, groups.by_class)
    if not 0 <= plain.lower_bound <= plain.objective:
        _refuse("the lower bound is above the objective")
    _check_list(problem)
    closed, listed = _read_body(body, claim.n_antecedents)
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
