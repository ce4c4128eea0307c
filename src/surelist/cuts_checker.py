"""Check a proof that no rule list is better at any cut of any column.

Of this package it needs `surelist.checker`, which reads data and headers, and `pairs_checker`, for
rules that ask two cuts; it shares no code with the search. From the *original* data it finds the
values of every column, and checks the certificate by the rules below. If it accepts, the claim
holds, for the reason given here.

The claim
---------
An antecedent is ``x < t`` or ``x ≥ t`` for a column x that is cut everywhere, and any t between two
different values of it, or one of some conditions that the certificate names. A missing value
fulfils neither. Where a certificate is about pairs of cuts or about intervals, a rule may ask two,
and `pairs_checker` has the rest. A *list* is a sequence of antecedents, each with a label, and a
default label. It costs λ for each rule, and the share of the weight that it misclassifies. The
certificate has a list, which costs R on the data (we compute that), and a number N. **We show that
every list of at most N rules costs at least R.** Longer lists cost at least (N + 1)·λ and what rows
that no antecedent tells apart cost anyway, or no less than a shorter one, by (4); the lower bound T
for all lists may be no more than that.

Chains
------
The antecedents ``x < t`` are nested, and so are ``x ≥ t`` from the largest t on. Each side of a
column is a *chain*: every row has a *key*, and cut p of the chain captures the rows whose key is
below p, for p from 1 to the number of cuts. A condition is a chain of one cut. We add cut 0, which
captures nothing, to every chain: a list that uses it costs no less than the one without.

Rows with equal keys in all chains are always predicted alike. Of those that have all labels we take
off the least weight of a label from each: any prediction loses it on all labels but one. What is
left are rows of one class and a weight each; in what follows a prediction costs 0 or the weight.

A *state* is a set S of rows, those that a prefix has left. A *family* F is a set of completions:
those by one rule of a chain; by two rules, of a first and a last chain; or by n rules the first of
which is of a chain. Any of these may be cut 0, so n rules stand for fewer, too. V_F(S) is the least
that one costs on S, with λ for each rule.

(1) *Similar states.* V_F(A) ≥ V_F(B) − w(B∖A), w being the weight of rows.
    Take the completion of F that is cheapest on A, with its labels, and apply it to B. Rows of both
    are predicted alike; rows of A alone cost at least 0, and rows of B alone at most their weight.
(2) *Similar cuts.* Let e be a cut of a chain, and let v(e) be no more than any list costs on S that
    begins with it and goes on by F: λ + loss(S∩e) + V_F(S∖e), loss being that of the best label.
    Then one that begins with cut p costs at least
        v(e) + loss(S∩p) − loss(S∩e) − w(S∩p∖e)   if p > e,
        v(e) + loss(S∩p) − loss(S∩e)              if p < e.
    By (1), for S∖p and S∖e: what S∖e has and S∖p has not are the rows of S that p captures and e
    does not; if p < e there are none. Also, it costs at least λ + loss(S∩p), and another λ if F has
    one rule.
(3) *The last rule* is counted for all cuts of its chain, by sums along the rows sorted by key.

(4) *Few groups.* On a state of at most n groups of rows with equal keys, n rules cost at least λ
    more than the best of fewer rules. If one of them captures nothing, leave it out. If each
    captures something, they capture all; leave out the last, and take its label as the default.

A chain whose keys are those of the chain before, counted from the other end, leaves as a last rule
what that one captures and captures what that one leaves, cut n + 1 − p for cut p and 0 for 0. So it
is not counted as a last chain.

The proof
---------
For a state and up to k rules, it names pairs of chains, and for each some cuts of the first, which
we solve by (3) and extend to all cuts by (2), beginning with cut 0. For n = 3 to k it names cuts
of next rules, each with a proof for the state that it leaves and up to n − 1 rules, which (2)
extends to all cuts of their chains; and for each it names up to two other states, those of cuts of
the same chain that come before, or the state itself with up to n − 1 rules, whose bounds (1) takes
over. All bounds are what we compute from that, never what somebody claims, and the best of several
counts. A family of n rules costs at least n·λ. What a state costs with up to k rules is at least
the least of its own loss and the bounds of all families; for the state of all rows, N rules and the
target R, that is the claim. A proof that leaves something out makes some bound too low, and is
refused.

*Numbers.* Costs are multiplied by the denominator of λ and the weight of all rows. They are whole
then, and below 2**62, or the certificate is refused.
"""

from __future__ import annotations

import hashlib
import operator
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_FLOOR
from fractions import Fraction
from functools import cached_property
from itertools import islice
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING or __package__:
    from surelist import checker, pairs_checker
    from surelist.checker import DataError, Verification, _refuse
else:  # run alone, beside the files of both, as a bundle has them
    import pairs_checker

    import checker
    from checker import DataError, Verification, _refuse

__all__ = [
    "MAGIC",
    "Proof",
    "asked_in_words",
    "fingerprint",
    "is_cut_certificate",
    "read_file",
    "read_header",
    "verify",
]

MAGIC = b"surelist cuts certificate 1\n"
MOST_PROOF = 1 << 30  # bytes, unpacked
MOST_PIECE = 1 << 20  # bytes of it that are read at once
MOST_RATIO = 1000  # how far it may unpack
MOST_RULES = 64
MOST_COST = 2**60
MOST_CELLS = 1 << 22  # numbers in one array while checking
MOST_CLASSES = 4096

Array = NDArray[np.int64]
Flags = NDArray[np.bool_]


def is_cut_certificate(certificate: Any) -> bool:
    """Whether this is a certificate of all cuts: a path, bytes, or what has either."""
    return checker._begins_with(certificate, MAGIC)


def read_file(source: bytes) -> tuple[bytes, bytes]:
    """Return the line of the header, and the proof, unpacked.

    Raises
    ------
    VerificationError
    """
    if not source.startswith(MAGIC):
        _refuse(f"this is no certificate of all cuts: it does not begin with {MAGIC!r}")
    end = source.find(b"\n", len(MAGIC), len(MAGIC) + checker.MOST_HEADER) + 1
    if end == 0:
        _refuse("the header is cut short, or longer than 64 MiB")
    if len(source) < end + 40 or hashlib.sha256(source[:-32]).digest() != source[-32:]:
        _refuse("the file is damaged: its checksum does not match, or it is cut short")
    size, packed = int.from_bytes(source[end : end + 8], "little"), source[end + 8 : -32]
    if size > MOST_PROOF or size > MOST_RATIO * (len(packed) + 1):
        _refuse(f"the proof has absurd lengths: {len(packed)} bytes for {size}")
    unpacker = zlib.decompressobj()
    try:
        proof = unpacker.decompress(packed, size + 1)
    except zlib.error as error:
        _refuse(f"the proof is damaged: {error}")
    if len(proof) != size or not unpacker.eof or unpacker.unused_data:
        _refuse("the proof does not have the length it should have")
    return source[len(MAGIC) : end], proof


# ---- The header.


def _chain(item: Any) -> Any:
    """Read a column that is cut everywhere, or a condition."""
    if "condition" in item:
        return SimpleNamespace(condition=checker._condition(item["condition"]), column=None)
    values = item["values"]
    order = None
    if isinstance(values, list):
        order = checker._read([checker._value], values)
        if len(set(order)) < len(order):
            raise ValueError("an order has a value twice")
    elif values not in ("numbers", "moments"):
        raise ValueError(f"{checker._shown(values)} is no kind of values")
    column = checker._read(str, item["column"])
    return SimpleNamespace(condition=None, column=column, values=values, order=order)


def _conditions(item: Any) -> list[Any]:
    """Read what a rule asks: a condition, or a list of them."""
    found = checker._read([checker._condition], item if isinstance(item, list) else [item])
    if not found:
        raise ValueError("a rule asks nothing")
    return list(found)


CUTS: str = "cuts"
PAIRS: str = "pairs of cuts"
INTERVALS: str = "intervals"
_COUNT = range(MOST_RULES + 1)
SHAPE: Any = {
    "columns": [str],
    "classes": [checker._value],
    "n_rows": checker.POSITIVE,
    "weights": checker.SHAPE["weights"],
    "chains": [_chain],
    "antecedents": str,
    "regularization": checker._fraction,
    "max_length": (checker.NUMBER,),
    "rule_list": {
        "conditions": [_conditions],
        "labels": [checker.NUMBER],
        "default_label": checker.NUMBER,
    },
    "objective": checker._fraction,
    "lower_bound": checker._fraction,
    "proven_length": _COUNT,
    "fingerprint": str,
}


def _read_claim(line: bytes) -> Any:
    header = checker._parse_header(line)
    try:
        version = checker._read(checker.NUMBER, header["version"])
        if header["format"] != "surelist cuts certificate" or version not in (1, 2):
            raise ValueError("it is of another format or version")
        if version == 1:  # it knew no other
            header["antecedents"] = CUTS
        if type(header.get("weights")) is dict:
            header |= {"weights": {"exponent": 0, "divisor": 1} | header["weights"]}
        claim = checker._read(SHAPE, header)
        _check_claim(claim, len(claim.classes))
    except KeyError as error:
        _refuse(f"the header is not as it should be: {error} is missing")
    except (ArithmeticError, AttributeError, RecursionError, TypeError, ValueError) as error:
        _refuse(f"the header is not as it should be: {error}")
    return claim


def _check_claim(claim: Any, n: int) -> None:
    chosen, weights = claim.rule_list, claim.weights
    checker._read([range(n)], [*chosen.labels, chosen.default_label])
    given = weights.class_weight
    factors = [1.0] * n if given is None else given
    for good, reason in (
        (claim.antecedents in (CUTS, PAIRS, INTERVALS), "there is no such kind of antecedents"),
        (0 < n <= MOST_CLASSES, "there are no classes, or too many"),
        (len(set(map(str, claim.classes))) == n, "the classes are not different"),
        (len(chosen.labels) == len(chosen.conditions), "there must be a label for each rule"),
        (weights.kind in ("unit", "whole", "rounded"), "there is no such kind of weights"),
        (
            weights.kind != "unit" or not (weights.sample_weight or given),
            "weights of kind 'unit' come with no others",
        ),
        (len(factors) == n, "class_weight is not one number for each class"),
        (
            all(type(f) is float and 0 <= f < float("inf") for f in factors),
            "a class_weight is no finite number of at least 0",
        ),
        (claim.regularization < 1, "regularization must be below 1"),
        (claim.lower_bound <= claim.objective, "the lower bound is above the objective"),
    ):
        if not good:
            raise ValueError(reason)


def read_header(line: bytes) -> dict[str, Any]:
    """Return the header of a certificate, if everything in it is as it should be.

    Raises
    ------
    VerificationError
    """
    _read_claim(line)
    return checker._parse_header(line)


# ---- The data: a key for each row and chain, its class and its weight.


@dataclass(frozen=True, eq=False)
class _Rows:
    """The rows of positive weight, as they are in the data."""

    keys: NDArray[np.int32]  # by chain
    n_cuts: list[int]
    columns: list[int]  # of each chain
    classes: NDArray[np.intp]
    weights: Array
    captured: Flags  # by rule of the list


def _read_rows(claim: Any, X: Any, y: Any, label: Any, sample_weight: Any) -> _Rows:
    if X is not None and y is None and label is None:
        raise DataError("where are the labels? Pass y, or the name of their column as label")
    if not isinstance(label, str | None):
        raise DataError(f"label must be the name of a column, not {checker._shown(label)}")
    if (sample_weight is not None) != claim.weights.sample_weight:
        wanted = "with" if claim.weights.sample_weight else "without"
        _refuse(f"the certificate was made {wanted} sample weights; check it {wanted} them")
    beside: dict[object, list[Any]] = {}
    if y is not None:
        label, beside[checker.LABELS] = checker.LABELS, checker._one_each(y)
    if sample_weight is not None and not isinstance(sample_weight, str):
        beside[checker.WEIGHTS] = checker._one_each(sample_weight)
        sample_weight = checker.WEIGHTS
    needed = {name: set[str]() for name in (label, sample_weight) if isinstance(name, str)}
    for name, asks in _asked(claim):
        needed.setdefault(name, set()).update(asks)
    groups: Any = checker._Groups(SimpleNamespace(**{**vars(claim), "antecedents": []}))
    columns = _Columns(claim)
    classes, weights, n_rows = [], [], 0
    for n, table in checker._batches(X, claim.columns, needed, 1 << 16, claim.n_rows):
        for key, values in beside.items():
            table[key] = checker._distinct(values[n_rows : n_rows + n], checker._meanings)
        if len(table[label][1]) != n:
            raise DataError(f"there are {n} rows, but {len(table[label][1])} labels")
        codes = np.array([groups._class(each) for each in table[label][0]], np.intp)
        classes.append(codes[table[label][1]])
        weights.append(groups._weigh(classes[-1], table.get(sample_weight)))
        columns.add(table)
        n_rows += n
    if any(len(values) != n_rows for values in beside.values()):
        raise DataError(f"there are {n_rows} rows, but more labels or sample weights")
    if n_rows != claim.n_rows:
        _refuse(f"the data have {n_rows} rows; the certificate is about {claim.n_rows}")
    return columns.rows(np.concatenate(classes), np.concatenate(weights))


def _asked(claim: Any) -> list[tuple[str, set[str]]]:
    """Return the columns that are needed, and the kinds of values that must be in them."""
    conditions = [chain.condition for chain in claim.chains if chain.condition is not None]
    rules = [each for rule in claim.rule_list.conditions for each in rule]
    found = [(each.column, each.asks) for each in (*conditions, *rules)]
    kinds = {"numbers": {"number"}, "moments": {"moment"}}
    for chain in claim.chains:
        if chain.condition is None:
            found.append((chain.column, {"text"} if chain.order else kinds[chain.values]))
    return found


class _Columns:
    """The values of the columns, collected batch by batch."""

    def __init__(self, claim: Any) -> None:
        self.claim = claim
        self.cut = [chain for chain in claim.chains if chain.condition is None]
        self.single = [chain.condition for chain in claim.chains if chain.condition is not None]
        self.n_single = len(self.single)
        self.single += [each for rule in claim.rule_list.conditions for each in rule]
        self.values: list[dict[Any, int]] = [{} for _ in self.cut]
        self.codes: list[list[Array]] = [[] for _ in self.cut]
        self.holds: list[list[Flags]] = [[] for _ in self.single]

    def add(self, table: Any) -> None:
        """Take some rows."""
        for chain, values, codes in zip(self.cut, self.values, self.codes, strict=True):
            meanings, rows = table[chain.column]
            found = [_value_of(chain, each) for each in meanings]
            places = [-1 if v is None else values.setdefault(v, len(values)) for v in found]
            codes.append(np.array(places, np.int64)[rows])
        for condition, holds in zip(self.single, self.holds, strict=True):
            meanings, rows = table[condition.column]
            test = condition.test
            holds.append(np.array([test(each) for each in meanings], np.bool_)[rows])

    def rows(self, classes: NDArray[np.intp], weights: Array) -> _Rows:
        """Put everything together, for the rows of positive weight."""
        counted = np.flatnonzero(weights)
        holds = [np.concatenate(each)[counted] for each in self.holds]
        singles = iter(holds)
        cuts = zip(self.values, self.codes, strict=True)
        keys: list[NDArray[np.int32]] = []
        n_cuts: list[int] = []
        columns: list[int] = []
        for column, chain in enumerate(self.claim.chains):
            if chain.condition is not None:
                keys.append(np.where(next(singles), 0, 1).astype(np.int32))
                n_cuts.append(1)
                columns.append(column)
                continue
            values, codes = next(cuts)
            for side, n in _sides(values, np.concatenate(codes)[counted]):
                keys.append(side)
                n_cuts.append(n)
                columns.append(column)
        rules, asked = self.claim.rule_list.conditions, iter(holds[self.n_single :])
        captured = np.array([np.all(list(islice(asked, len(rule))), axis=0) for rule in rules])
        captured = captured.astype(np.bool_).reshape(len(rules), len(counted))
        both = np.array(keys, np.int32).reshape(len(keys), len(counted))
        return _Rows(both, n_cuts, columns, classes[counted], weights[counted], captured)


def _value_of(chain: Any, meanings: tuple[Any, ...]) -> Any:
    """Return the value that is compared, None if there is none."""
    if chain.order is not None:
        found = [chain.order.index(each) for each in meanings if each in chain.order]
    else:
        kind = datetime if chain.values == "moments" else int | float
        found = [each for each in meanings if isinstance(each, kind)]
    if meanings and len(found) != 1:
        what = f"{checker._shown(meanings)} in column {chain.column!r}"
        raise DataError(f"{what} is no value of the kind that the certificate speaks of")
    return found[0] if found else None


def _sides(values: dict[Any, int], codes: Array) -> list[tuple[NDArray[np.int32], int]]:
    """Return the keys of both sides of a column, and how many cuts there are."""
    present = set(np.unique(codes).tolist()) - {-1}
    order = [code for _, code in sorted(values.items(), key=operator.itemgetter(0))]
    order = [code for code in order if code in present]
    n = max(0, len(order) - 1)
    if n == 0:
        return []
    rank = np.full(len(values) + 1, -1, np.int64)
    rank[order] = np.arange(len(order))
    ranks = rank[codes]
    below, above = (np.where(ranks < 0, n, each).astype(np.int32) for each in (ranks, n - ranks))
    return [(below, n), (above, n)]


def _put_together(
    keys: NDArray[np.int32], classes: NDArray[np.intp], weights: Array, n_classes: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], Array]:
    """Group rows with equal keys: a row of each group, the group of each row, weights by class."""
    n_rows = len(classes)
    if len(keys):
        lines = np.ascontiguousarray(keys.T)
        void = lines.view(np.dtype((np.void, lines.dtype.itemsize * lines.shape[1]))).ravel()
        _, first, group = np.unique(void, return_index=True, return_inverse=True)
    else:
        first, group = np.zeros(1, np.intp), np.zeros(n_rows, np.intp)
    by_class = np.zeros((len(first), n_classes), np.int64)
    np.add.at(by_class, (group.ravel(), classes), weights)
    return first, group.ravel(), by_class


def fingerprint(
    keys: NDArray[np.int32],
    n_cuts: Sequence[int],
    classes: NDArray[np.intp],
    weights: Array,
    n_classes: int,
) -> str:
    """Return the SHA-256 of what the cuts see of the rows of positive weight."""
    first, _, by_class = _put_together(keys, classes, weights, n_classes)
    lines = keys[:, first].T.astype("<i4")
    order = np.lexsort(lines.T[::-1]) if lines.shape[1] else np.arange(len(lines))
    digest = hashlib.sha256(b"surelist cuts 1\n")
    digest.update(np.array([len(keys), n_classes, *n_cuts], "<i8").tobytes())
    digest.update(np.ascontiguousarray(lines[order]).tobytes())
    digest.update(np.ascontiguousarray(by_class[order].astype("<i8")).tobytes())
    return digest.hexdigest()


# ---- The problem: rows of one class each, and states of them.


class _Problem:
    """Rows after what any list loses is taken off, sorted along every chain."""

    def __init__(self, claim: Any, rows: _Rows) -> None:
        n_classes = len(claim.classes)
        first, _, by_class = _put_together(rows.keys, rows.classes, rows.weights, n_classes)
        shared = by_class.min(axis=1)
        self.base = int(shared.sum()) * (n_classes - 1)
        self.n_groups, self.total = len(first), int(rows.weights.sum())
        self.group, self.classes = group, _ = np.nonzero(by_class - shared[:, None])
        self.keys = rows.keys[:, first[group]]
        self.n_cuts = rows.n_cuts
        weights = (by_class - shared[:, None])[group, self.classes]
        self.by_class = np.zeros((len(group), n_classes), np.int64)
        self.by_class[np.arange(len(group)), self.classes] = weights
        self.signed = weights * (2 * self.classes - 1) if n_classes == 2 else None
        self.unit = claim.regularization.denominator
        self.price = claim.regularization.numerator * self.total
        if max(self.unit * self.total, self.price * (claim.proven_length + 2)) > MOST_COST:
            _refuse("the numbers of this certificate are too large to be checked")
        self.order = []
        for keys, n in zip(self.keys, self.n_cuts, strict=True):
            order = np.argsort(keys, kind="stable")
            self.order.append(order[keys[order] < n])
        self.last = [c for c in range(len(self.keys)) if not self._mirrors(c)]

    @cached_property
    def _mirrored(self) -> dict[int, bool]:
        return {}

    def _mirrors(self, c: int) -> bool:
        """Whether a chain is the one before from the other end, and that one is not itself."""
        known = self._mirrored
        if c not in known:
            same = c > 0 and not self._mirrors(c - 1) and self.n_cuts[c] == self.n_cuts[c - 1]
            known[c] = same and bool((self.keys[c] + self.keys[c - 1] == self.n_cuts[c]).all())
        return known[c]


@dataclass(frozen=True, eq=False)
class _Along:
    """The cuts of a chain that differ on a state, from cut 0 on, and what each captures."""

    keys: Array  # the keys there are; cut p of these captures the first p
    counts: Array  # by cut and class
    loss: Array
    right: Array  # minus what the best label gets right
    captured: Array

    def place(self, cut: int) -> int:
        """Return which of these cuts a cut of the whole chain is."""
        return int(np.searchsorted(self.keys, cut))


class _State:
    """A set of rows, with what it costs and sums along chains."""

    def __init__(self, problem: _Problem, left: Flags) -> None:
        self.problem, self.left = problem, left
        self.by_class = problem.by_class[left].sum(axis=0)
        self.loss = int(self.by_class.sum() - self.by_class.max(initial=0))
        self._along: dict[int, _Along] = {}
        self._rows: dict[int, Any] = {}

    def rows(self, c: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the rows that a chain captures, by key, and which of them end a key."""
        if c not in self._rows:
            order = self.problem.order[c]
            rows = order[self.left[order]]
            keys = self.problem.keys[c][rows]
            self._rows[c] = (
                rows,
                np.flatnonzero(np.append(keys[1:] != keys[:-1], True)[: len(keys)]),
            )
        found: tuple[NDArray[np.intp], NDArray[np.intp]] = self._rows[c]
        return found

    def along(self, c: int) -> _Along:
        """Return the sums along a chain."""
        if c not in self._along:
            rows, ends = self.rows(c)
            sums = np.cumsum(self.problem.by_class[rows], axis=0)[ends]
            counts = np.vstack([np.zeros((1, sums.shape[1]), np.int64), sums])
            captured, most = counts.sum(axis=1), counts.max(axis=1)
            keys = self.problem.keys[c][rows[ends]].astype(np.int64)
            self._along[c] = _Along(keys, counts, captured - most, -most, captured)
        return self._along[c]

    def forget(self) -> None:
        """Free the sums: bounds are what is needed later."""
        self._along.clear()
        self._rows.clear()

    def has_few_groups(self, n: int) -> bool:
        """(4): whether there are at most n groups of rows with equal keys."""
        groups = self.problem.group[self.left]  # in order
        return len(groups) == 0 or int(np.count_nonzero(np.diff(groups))) < n

    def without(self, c: int, cut: int) -> _State:
        """Return what a cut leaves."""
        return _State(self.problem, self.left & (self.problem.keys[c] >= cut))

    def last_losses(self, last: int, cuts: Sequence[tuple[int, int]]) -> Array:
        """(3): the loss of what each cut leaves, with the best last rule of a chain or none."""
        rows, ends = self.rows(last)
        step = max(1, MOST_CELLS // max(1, len(rows) * len(self.by_class)))
        parts = [
            self._last_losses(rows, ends, cuts[at : at + step]) for at in range(0, len(cuts), step)
        ]
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)

    def _last_losses(self, rows: Any, ends: Any, cuts: Sequence[tuple[int, int]]) -> Array:
        problem = self.problem
        counts = [self.along(c).counts[self.along(c).place(cut)] for c, cut in cuts]
        left = self.by_class - np.array(counts)  # by cut and class
        if len(ends) == 0:
            return np.asarray(left.sum(axis=1) - left.max(axis=1))
        alive = np.array([problem.keys[c][rows] >= cut for c, cut in cuts])
        if problem.signed is not None:
            sums = np.cumsum(alive * problem.signed[rows], axis=1)[:, ends]
            most, least = sums.max(axis=1).clip(min=0), sums.min(axis=1).clip(max=0)
            return np.asarray(np.minimum(left[:, 1] - most, left[:, 0] + least))
        before = np.stack(
            [
                np.cumsum(alive * problem.by_class[rows, label], axis=1)[:, ends]
                for label in range(left.shape[1])
            ]
        )
        rest = left.T[:, :, None] - before
        both = before.max(axis=0) + rest.max(axis=0)
        return np.asarray(left.sum(axis=1) - np.maximum(both.max(axis=1), left.max(axis=1)))


# ---- The proof.


class _Bounds:
    """What is proven of a state: bounds of its families, by the number of rules."""

    def __init__(self, state: _State) -> None:
        self.state = state
        self.families: dict[int, Array] = {}

    @property
    def value(self) -> int:
        """No completion by as many rules as were looked at costs less."""
        unit = self.state.problem.unit
        least = [int(each.min()) for each in self.families.values() if len(each)]
        return min([int(unit) * self.state.loss, *least])


_Sources = list[tuple[_Bounds, int]]  # what is known of other states, and how much less here


class Proof:
    """The numbers of a proof, read and checked in order."""

    name = "all cuts"

    def __init__(self, problem: _Problem, proof: bytes, show: bool = False) -> None:
        self.problem, self.show = problem, show
        self.proof, self.numbers, self.n_read = proof, _numbers(proof), 0
        self.n_states = self.n_cuts = self.n_solved = 0

    def show_share(self, n_read: int) -> None:
        """Show how far the check is, if progress was asked for."""
        if self.show:
            share = 100 * n_read // max(1, len(self.proof))
            print(f"\rchecked {share} % of the proof", end="", file=sys.stderr, flush=True)

    def hide_share(self) -> None:
        """Clear the line of progress."""
        if self.show:
            print("\r" + " " * 30 + "\r", end="", file=sys.stderr, flush=True)

    def _next(self, end: int) -> int:
        number = next(self.numbers, None)
        self.n_read += 1
        if number is None:
            _refuse("the proof is cut short")
        if number >= end:
            _refuse(f"the proof is damaged: {number} where there are only {end}")
        return number

    def check(self, n_rules: int) -> int:
        """Return the least that a list of up to so many rules may cost."""
        problem = self.problem
        state = _State(problem, np.ones(problem.keys.shape[1], np.bool_))
        try:
            bounds = self._state(state, n_rules, [])
        finally:
            self.hide_share()
        if next(self.numbers, None) is not None:
            _refuse("the proof is damaged: something follows its end")
        return bounds.value

    def check_pairs(self, pairs: list[tuple[int, int]], n_rules: int, target: int, of: int) -> None:
        """Refuse unless every list of up to so many rules of two cuts costs ``target / of``."""
        if of != 1:
            _refuse("the objective is not one that a list can have")
        proof = pairs_checker.PairProof(self.problem, pairs, self._next)
        if not proof.holds(n_rules, target):
            _refuse("the proof is not complete: some list may cost less")
        if next(self.numbers, None) is not None:
            _refuse("the proof is damaged: something follows its end")
        self.n_states, self.n_solved = proof.n_boxes, proof.n_settled
        self.n_cuts = sum(self.problem.n_cuts)

    def _state(self, state: _State, k: int, sources: _Sources) -> _Bounds:
        """Read and check the proof for a state and up to k rules."""
        self.n_states += 1
        self.show_share(self.n_read)
        problem, bounds = self.problem, _Bounds(state)
        if k >= 1:
            one = [int(state.last_losses(last, [(last, 0)])[0]) for last in problem.last]
            bounds.families[1] = problem.price + problem.unit * np.array(one, np.int64)
        if k >= 2:
            n_pairs = len(problem.keys) * len(problem.last)
            self._pairs(bounds, self._known(bounds, sources, 2, n_pairs))
        for n in range(3, k + 1):
            self._next_rules(bounds, n, self._known(bounds, sources, n, len(problem.keys)))
        state.forget()
        return bounds

    def _known(self, bounds: _Bounds, sources: _Sources, n: int, n_families: int) -> Array:
        """Return what is known of families of n rules: by (1), by (4), or by the price of rules."""
        least = n * self.problem.price
        if bounds.state.has_few_groups(n):
            least = max(least, bounds.value + self.problem.price)
        return np.asarray(np.maximum(_taken_over(sources, n, n_families), least), np.int64)

    def _pairs(self, bounds: _Bounds, two: Array) -> None:
        """Solve the named cuts of pairs by (3), all of one last chain at once; the rest by (2)."""
        problem, state = self.problem, bounds.state
        named: dict[int, list[tuple[int, list[int]]]] = {}
        for _ in range(self._next(2**62)):
            first, place = self._next(len(problem.keys)), self._next(len(problem.last))
            cuts, cut = [], 0
            for _ in range(self._next(problem.n_cuts[first] + 1)):
                cut += self._next(problem.n_cuts[first] + 1)
                cuts.append(cut)
            if cut > problem.n_cuts[first] or len(set(cuts)) < len(cuts):
                _refuse("the proof is damaged: the cuts of a pair are not in order")
            named.setdefault(place, []).append((first, cuts))
        price, unit = problem.price, problem.unit
        for place, pairs in named.items():
            solved = [(first, cut) for first, cuts in pairs for cut in cuts]
            losses = iter(state.last_losses(problem.last[place], solved).tolist())
            self.n_solved += len(solved)
            for first, cuts in pairs:
                along = state.along(first)
                places = [along.place(cut) for cut in cuts]
                own = along.loss[places].tolist()
                values = [
                    2 * price + unit * (loss + rest)
                    for loss, rest in zip(own, islice(losses, len(cuts)), strict=True)
                ]
                alone = price + int(bounds.families[1][place])
                least = self._cover(along, [0, *places], [alone, *values], 2 * price)
                family = first * len(problem.last) + place
                two[family] = max(two[family], least)
        bounds.families[2] = two

    def _next_rules(self, bounds: _Bounds, n: int, chains: Array) -> None:
        """Check the named cuts of the n-th rule from the end, and extend them to all by (2)."""
        problem, state = self.problem, bounds.state
        alone = _Bounds(state)
        alone.families = dict(bounds.families)
        solved: dict[int, list[tuple[int, int, _Bounds]]] = {}
        for _ in range(self._next(2**62)):
            chain = self._next(len(problem.keys))
            cut = self._next(problem.n_cuts[chain] + 1)
            along, before = state.along(chain), solved.setdefault(chain, [])
            place = along.place(cut)
            beside = [(0, alone) if i == 0 else before[i - 1][::2] for i in self._two(before)]
            lacking = [int(along.captured[place] - along.captured[at]) for at, _ in beside]
            sources = [
                (known, problem.unit * max(0, weight))
                for (_, known), weight in zip(beside, lacking, strict=True)
            ]
            found = self._state(state.without(chain, cut), n - 1, sources)
            value = problem.price + problem.unit * int(along.loss[place]) + found.value
            before.append((place, value, found))
            self.n_solved += 1
        price = problem.price
        for chain, cuts in solved.items():
            places, values = [0], [price + alone.value]
            for place, value, _ in cuts:
                places.append(place)
                values.append(value)
            least = self._cover(state.along(chain), places, values, price)
            chains[chain] = max(chains[chain], least)
        for chain in set(range(len(problem.keys))) - set(solved):
            if chains[chain] < alone.value:
                least = self._cover(state.along(chain), [0], [price + alone.value], price)
                chains[chain] = max(chains[chain], least)
        bounds.families[n] = chains

    def _two(self, before: Sequence[Any]) -> list[int]:
        """Read from which two states bounds are taken over; the second may be none."""
        first, second = self._next(len(before) + 1), self._next(len(before) + 1)
        return [first, second] if second > 0 else [first]

    def _cover(self, along: _Along, places: list[int], values: list[int], least_rest: int) -> int:
        """(2): the least that any cut may cost, from those that are solved, cut 0 among them."""
        unit, n = self.problem.unit, len(along.loss) - 1
        self.n_cuts += n
        solved, order = np.unique(np.array(places), return_index=True)
        value = np.array(values, np.int64)[order]
        if n == 0:
            return int(value.min())
        every = np.arange(n + 1)
        left = np.searchsorted(solved, every, side="right") - 1
        from_left = value[left] + unit * (along.right - along.right[solved[left]])
        ends = np.append(value - unit * along.loss[solved], least_rest)
        from_right = ends[np.searchsorted(solved, every, side="left")] + unit * along.loss
        return int(np.maximum(from_left, from_right).min())


def _taken_over(sources: _Sources, n: int, n_families: int) -> Array:
    """(1): what other states say of the families of n rules; nothing is said of the first ones."""
    found = np.zeros(n_families, np.int64)
    for bounds, less in sources:
        if n in bounds.families:
            found = np.maximum(found, bounds.families[n] - less)
    return found


def _numbers(proof: bytes) -> Iterator[int]:
    """Read numbers to base 128, some of the proof at a time: each takes eight times its place."""
    at = 0
    while at < len(proof):
        end = at + MOST_PIECE
        while end < len(proof) and proof[end - 1] >= 128:
            end += 1
        yield from _numbers_of(proof[at:end]).tolist()
        at = end


def _numbers_of(proof: bytes) -> Array:
    """Read numbers to base 128, the lowest digit first, the last below 128."""
    data = np.frombuffer(proof, np.uint8)
    ends = np.flatnonzero(data < 128)
    if len(ends) == 0 or ends[-1] != len(data) - 1:
        _refuse("the proof is damaged: a number does not end")
    starts = np.append(0, ends[:-1] + 1)
    if (ends - starts).max() > 7:
        _refuse("the proof is damaged: a number is too long")
    shift = 7 * (np.arange(len(data)) - np.repeat(starts, ends - starts + 1))
    digits = (data & 127).astype(np.int64) << shift
    return np.asarray(np.add.reduceat(digits, starts))


# ---- All of it.


def verify(
    certificate: Any,
    X: Any = None,
    y: Any = None,
    *,
    label: str | None = None,
    sample_weight: Any = None,
    progress: bool = False,
    proof: Callable[..., Proof] | None = None,
) -> Verification:
    """Check a certificate of all cuts against data; parameters are those of `surelist.verify`.

    ``proof`` goes through the proof: None is `Proof`, here.

    Raises
    ------
    VerificationError
        If the certificate is refused. The message says why.
    DataError
        If the data cannot be read.
    """
    source = checker._source(certificate)
    if not isinstance(source, bytes):
        with checker._open(source) as stream:
            source = stream.read()
    line, numbers = read_file(source)
    claim = _read_claim(line)
    rows = _read_rows(claim, X, y, label, sample_weight)
    if len(rows.classes) == 0:
        _refuse("no row has any weight")
    found = fingerprint(rows.keys, rows.n_cuts, rows.classes, rows.weights, len(claim.classes))
    if found != claim.fingerprint:
        both = f"{found[:16]}…, the certificate's is {claim.fingerprint[:16]}…"
        _refuse(f"the data are not those of the certificate: their fingerprint is {both}")
    _check_rule_list(claim, rows)
    problem = _Problem(claim, rows)
    shown = progress and sys.stderr is not None and sys.stderr.isatty()
    proven = (proof or Proof)(problem, numbers, shown)
    base = Fraction(problem.base, problem.total)
    pairs = _pairs(claim, rows)
    if pairs:
        target = (claim.objective - base) * problem.unit * problem.total
        proven.check_pairs(pairs, claim.proven_length, target.numerator, target.denominator)
    else:
        least = Fraction(proven.check(claim.proven_length), problem.unit * problem.total)
        if least + base < claim.objective:
            low = checker._rounded(least + base, ROUND_FLOOR)
            _refuse(f"the proof is not complete: it shows no more than {low}")
    _check_longer(claim, base, len(np.unique(problem.group)))
    n_antecedents = sum(rows.n_cuts) + _n_together(pairs, rows.n_cuts)
    return Verification(
        _statement(claim, sum(rows.n_cuts)),
        claim.objective == claim.lower_bound,
        *(claim.objective, claim.lower_bound, claim.regularization),
        *(len(rows.classes), problem.n_groups, n_antecedents),
        *(proven.n_solved, proven.n_states, proven.n_cuts),
        claim.fingerprint,
        reader=checker._reader(X),
        checker="pairs of cuts" if pairs else proven.name,
    )


def _pairs(claim: Any, rows: _Rows) -> list[tuple[int, int]]:
    """Return which two chains a rule may ask; none where it asks one."""
    if claim.antecedents == PAIRS:
        return pairs_checker.pairs_of_chains(len(rows.n_cuts))
    return pairs_checker.interval_pairs(rows.columns) if claim.antecedents == INTERVALS else []


def _n_together(pairs: list[tuple[int, int]], n_cuts: list[int]) -> int:
    """Count the rules that ask two cuts."""
    with_none = [*n_cuts, 0]
    return sum(with_none[one] * with_none[other] for one, other in pairs)


def _check_rule_list(claim: Any, rows: _Rows) -> None:
    """Compute the objective of the list again."""
    chosen = claim.rule_list
    if claim.max_length is not None and len(chosen.labels) > claim.max_length:
        _refuse("the rule list is longer than it may be")
    predicted = np.full(len(rows.classes), chosen.default_label)
    for captured, label in reversed(list(zip(rows.captured, chosen.labels, strict=True))):
        predicted[captured] = label
    wrong = int(rows.weights[predicted != rows.classes].sum())
    loss = Fraction(wrong, int(rows.weights.sum()))
    objective = loss + len(chosen.labels) * claim.regularization
    if objective != claim.objective:
        _refuse(f"the rule list has the objective {objective}, not {claim.objective}")


def _check_longer(claim: Any, base: Fraction, n_groups: int) -> None:
    """Check the bound on lists of more rules than the proof is about, if there may be any."""
    if claim.max_length is not None and claim.max_length <= claim.proven_length:
        return
    if n_groups <= claim.proven_length + 1:  # (4)
        return
    longer = (claim.proven_length + 1) * claim.regularization + base
    if claim.lower_bound > longer:
        _refuse(f"lists of more than {claim.proven_length} rules may cost as little as {longer}")


def asked_in_words(n_columns: int, n_conditions: int) -> str:
    """Return what rules may ask: columns that are cut everywhere, and other conditions."""
    columns = f"{n_columns:,} column{'s' if n_columns != 1 else ''}"
    if n_conditions == 0:
        return columns
    return f"{columns} and {n_conditions:,} other condition{'s' if n_conditions != 1 else ''}"


def _statement(claim: Any, n_antecedents: int) -> str:
    """Say in words what is proven."""
    n_columns = sum(chain.condition is None for chain in claim.chains)
    of = asked_in_words(n_columns, len(claim.chains) - n_columns)
    where = {
        CUTS: f"at any cut of {of} ({n_antecedents:,} antecedents)",
        PAIRS: f"with any two cuts of {of} in each rule ({n_antecedents:,} cuts)",
        INTERVALS: f"at any cut or interval of {of} ({n_antecedents:,} cuts)",
    }[claim.antecedents]
    which = "rule list"
    if claim.max_length is not None:
        which += f" of up to {claim.max_length} rules"
    at = f"at λ = {checker._exactly(claim.regularization)}"
    beside = {
        "class weights": claim.weights.class_weight is not None,
        "rounded weights": claim.weights.kind == "rounded",
    }
    given = [name for name, there in beside.items() if there]
    at += f" and the {' and '.join(given)} given" if given else ""
    low = checker._rounded(claim.lower_bound, ROUND_FLOOR)
    if claim.lower_bound == claim.objective:
        return f"Verified: no {which}, {where}, has objective below {low} {at}"
    high = checker._rounded(claim.objective, ROUND_FLOOR)
    short = f"rule list of up to {claim.proven_length} rules"
    return (
        f"Verified: no {short}, {where}, has objective below {high}, and none at all below {low}, "
        f"{at}"
    )


if __name__ == "__main__":
    sys.exit(checker.main(check=verify))
