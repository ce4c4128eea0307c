"""Check a proof that no better rule list exists, without trusting the program that found it.

This file needs Python, numpy and nothing else; it may be copied and run alone::

    python verify.py proof.cert data.csv --label y

It is written for a reader who distrusts us, and shares no code with the search. From the *original*
data it rebuilds antecedents, groups and costs, and checks the certificate by the rules below. If it
accepts, the claim holds whatever the search did, for the reason given here.

The claim
---------
There are rows, with a class and a weight, and M antecedents, each of which captures a row or does
not. A *list* is a sequence of distinct antecedents, each with a label, and a default label. It
costs the price of each antecedent (λ, unless prices differ) and for each row the cost of its
prediction, by the first antecedent that captures the row or else by the default; with plain costs
that is the share of the weight that is misclassified. Lists may be constrained: a greatest length
L, antecedents that come `first`, are `required` or `forbidden`, and the labels that rules may
predict. The certificate has an allowed list and its objective R, which we compute again, and a
number T ≤ R. **We show that every allowed list has an objective of at least T.** If T = R, that
list is optimal.

States
------
Rows that the same antecedents capture form a *group* u. Predicting q costs cost_u(q); floor_u and
ceil_u are the least and the greatest of that over all classes. For a set S of groups, cost_q(S),
floor(S) and ceil(S) are sums; rulecost(S) is the least cost_r(S) over the labels r of rules. A
prefix matters only by its *state* (S, g, used, length): the groups it leaves, what its rules cost,
which required antecedents it has, how many it has. Nobody has to tell us: we compute all of these.
The *child* of a state by a is (S∖a, g + price_a + rulecost(S∩a), used ∪ {a}, length + 1).

A certificate is a set of *closed prefixes*, and so of closed states. We check:

(R) a closed state with nothing required missing has g + min_q cost_q(S) ≥ T;
(C) each child of a closed state shorter than L, by whatever is not forbidden, is *justified*;
(S) the state of `first` (of the empty prefix, if there is none) is closed or justified.

Justified means one of these:

(B) *Bound.* Whatever follows, T is reached. Call s *active* if it is not forbidden, and either
    required and missing, or neither ceil(S∩s) − rulecost(S∩s) ≤ price_s, nor ceil(S∖s) ≤ price_s
    (this only with nothing required missing). Let p be the least price, and for a default label q
        gain_q(s) = Σ over u in S∩s of max(0, cost_u(q) − min_r cost_u(r)) − (price_s − p),
        net_q(s)  = cost_q(S∩s) − rulecost(S∩s) − (price_s − p).
    Let m be the number of required antecedents that are missing. Then for each q and each j from m
    to what L and the number of active antecedents allow
        g + j·p + max(floor(S), cost_q(S) − A) ≥ T,
    where A = 0 for j = 0, and otherwise the least of: the sum of the j greatest gain_q; max(0,
    greatest net_q) plus the sum of the j − 1 greatest gain_q; and the gain_q of all m missing ones
    plus the sum of the j − m greatest of the others, less the least gain_q − net_q of the missing
    ones if j = m.
(D) *Dominated* by a closed state with the same groups, by the parent, or by a sibling that is
    justified otherwise. B dominates A if g_A + floor(S_A) − g_B − floor(S_B) ≥ Σ of ceil_u −
    floor_u over u in S_B∖S_A, B has used all required antecedents that A has, and is no longer if L
    exists.

Why acceptance implies the claim
--------------------------------
*(B) is right.* Take a completion of the state by further rules. Let a rule s that is not required
capture C ⊆ S∩s. If ceil(S∩s) − rulecost(S∩s) ≤ price_s, strike it out: later rules keep their
labels, so C then costs at most ceil(C), and ceil(C) − rulecost(C) = max_r Σ_C (ceil_u − cost_u(r)),
a greatest sum of terms ≥ 0, is no more for C than for S∩s. If ceil(S∖s) ≤ price_s and nothing is
missing, strike out s and all that follows, and make the label of s the default: what s left costs
at most price_s more. Both ways the completion stays allowed and costs no more. So a cheapest one
has active antecedents alone. Let it have j, and the default label q. Compared with predicting q on
all of S, a rule gains at most gain_q of its antecedent (plus its price above p); the first one
captures all of S∩s and gains just net_q (plus the same). Antecedents are distinct, and all m
missing ones are among them; if j = m, one of these is the first. And no prediction costs less than
floor(S).

*(D) is right.* Let B dominate A, and complete A by rules t. Complete B by t without the antecedents
that B's prefix has: they capture nothing of S_B, and those required among them are in B. Groups in
both sets cost the same; those of S_A∖S_B cost at least their floor in A, and those of S_B∖S_A at
most their ceil in B. So cost_A(t) − floor(S_A) ≥ cost_B(t) − floor(S_B) − Σ (ceil_u − floor_u) over
S_B∖S_A, and with the inequality of (D), g_A + cost_A(t) ≥ g_B + cost_B(t).

*Induction.* P(r): completing a closed state by at most r rules costs at least T. P(0) is (R). Given
P(r−1), complete a closed state by a and r−1 rules t. If the child by a is justified by (B), that
costs at least T. If a closed state or the parent, which is closed, dominates it, then completing
that by t costs no more, and at least T by P(r−1). If a sibling dominates it, completing that by t
costs no more, and at least T by one of the cases just seen. What dominates what may go in circles:
the completion gets shorter all the same. P(r) for all r and (S) give the claim.

Of closed states with equal groups, used and length only the cheapest is looked at: what holds for
its completions holds for those of the others, which cost more.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import math
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from fractions import Fraction
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "DataError",
    "Verification",
    "VerificationError",
    "collapse",
    "fingerprint",
    "main",
    "verify",
]

MAGIC = b"surelist certificate 1\n"
MOST_HEADER = 64 << 20  # bytes of the header
MOST_VALUES = 1 << 22  # values in the header
MOST_BLOCK = 1 << 20  # bytes of a block, unpacked
MOST_RATIO = 64  # how far a block may unpack, so that a small file means little work
MOST_BATCH = 1 << 22  # numbers in one array while checking
MISSING_TEXTS = frozenset({"", "na", "n/a", "nan", "null", "none", "<na>"})

Array = Any  # of whole numbers, whether held as floats or ints: see _Problem
Flags = NDArray[np.bool_]


class VerificationError(ValueError):
    """The certificate is refused; the message is the reason."""


class DataError(ValueError):
    """Data or arguments that cannot be used, so that nothing can be said of the certificate."""


@dataclass(frozen=True)
class Verification:
    """What an accepted certificate proves; ``print`` it for the sentence.

    Attributes
    ----------
    statement : str
        The claim in words.
    optimal : bool
        Whether the rule list of the certificate is proven to be optimal.
    objective, lower_bound, regularization : Fraction
        Exact: of the rule list, of what no list is below, and λ.
    n_rows, n_groups, n_antecedents : int
        Size of the problem: rows of positive weight, groups of equivalent ones, antecedents.
    n_closed, n_states : int
        Closed prefixes in the file, and different states among them.
    n_children : int
        Children that were justified.
    fingerprint : str
        SHA-256 of what the antecedents see of the data.
    """

    statement: str
    optimal: bool
    objective: Fraction
    lower_bound: Fraction
    regularization: Fraction
    n_rows: int
    n_groups: int
    n_antecedents: int
    n_closed: int
    n_states: int
    n_children: int
    fingerprint: str

    def __str__(self) -> str:
        return self.statement


def verify(
    certificate: Any,
    X: Any = None,
    y: Any = None,
    *,
    label: str | None = None,
    sample_weight: Any = None,
    progress: bool = False,
) -> Verification:
    """Check a certificate against the data it is about.

    Parameters
    ----------
    certificate : path, bytes, or an object with ``to_bytes()`` or ``path``
    X : data frame, dict of columns, 2-D array, or path of a CSV file
        The original data.
    y : array-like of one label per row, optional
        Where it is not given, the column ``label`` of X.
    label : str, optional
        Name of the column of labels.
    sample_weight : array-like or name of a column, optional
        If there were weights when the certificate was made.
    progress : bool
        Whether to show progress, if the standard error stream is a terminal.

    Returns
    -------
    Verification
        What is proven.

    Raises
    ------
    VerificationError
        If the certificate is refused. The message says why.
    DataError
        If the data cannot be read, so that there is nothing to check against.

    Examples
    --------
    >>> from surelist import RuleListClassifier, verify
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5, ["no", "no", "yes", "no"] * 5
    >>> model = RuleListClassifier(regularization=0.05, negations=True, certificate=True).fit(X, y)
    >>> print(verify(model.certificate_, X, y))
    Verified: no rule list over these 8 antecedents has objective below 0.05 at λ = 0.05
    """
    file = _File(certificate)
    claim = _Claim.read(file.header)
    table = _Table.read(X, claim.columns)
    codes, weights = _rows(claim, table, y, label, sample_weight)
    groups = _Groups.collect(claim, table, codes, weights)
    if groups.fingerprint != claim.fingerprint:
        _refuse(
            "the data are not those of the certificate: their fingerprint is "
            f"{groups.fingerprint[:16]}…, the certificate's is {claim.fingerprint[:16]}…"
        )
    problem = _Problem(claim, groups)
    problem.check_rule_list()
    n_states, n_children, n_closed = _Proof(problem, file, _Bar(progress)).check()
    return Verification(
        statement=claim.statement(),
        optimal=claim.objective == claim.lower_bound,
        objective=claim.objective,
        lower_bound=claim.lower_bound,
        regularization=claim.regularization,
        n_rows=int(np.count_nonzero(weights)),
        n_groups=len(groups.captures),
        n_antecedents=len(claim.antecedents),
        n_closed=n_closed,
        n_states=n_states,
        n_children=n_children,
        fingerprint=claim.fingerprint,
    )


def _refuse(reason: str) -> NoReturn:
    raise VerificationError(f"Refused: {reason}")


# ---- The file: magic line, header, blocks of closed prefixes, checksum.


class _File:
    """A certificate whose checksum is right. Blocks are read as they are asked for."""

    def __init__(self, source: Any) -> None:
        if not isinstance(source, str | bytes | os.PathLike | int):
            path = getattr(source, "path", None)
            source = source.to_bytes() if path is None and hasattr(source, "to_bytes") else path
        if not isinstance(source, str | bytes | os.PathLike):
            raise DataError("a certificate is a path, bytes or a Certificate")
        self._source: str | bytes | os.PathLike[str] = source
        with self._open() as stream:
            header = self._check(stream)
        self.header = _parse(header)

    def _open(self) -> BinaryIO:
        if isinstance(self._source, bytes):
            return io.BytesIO(self._source)
        return Path(self._source).open("rb")

    def _check(self, stream: BinaryIO) -> bytes:
        digest = hashlib.sha256()
        magic, header = _begin(stream)
        digest.update(magic + header)
        self.n_blocks = 0
        for lengths, packed, _ in _blocks(stream):
            digest.update(lengths + packed)
            self.n_blocks += 1
        digest.update(bytes(8))
        if stream.read(32) != digest.digest():
            _refuse("the file is damaged: its checksum does not match, or it is cut short")
        if stream.read(1):
            _refuse("the file is damaged: something follows its end")
        return header

    def chunks(self) -> Iterator[bytes]:
        """Unpack block after block."""
        with self._open() as stream:
            _begin(stream)
            for _, packed, size in _blocks(stream):
                unpacker = zlib.decompressobj()
                try:
                    chunk = unpacker.decompress(packed, size + 1)
                except zlib.error as error:
                    _refuse(f"a block of closed prefixes is damaged: {error}")
                if len(chunk) != size or not unpacker.eof or unpacker.unused_data:
                    _refuse("a block of closed prefixes does not have the length it should have")
                yield chunk


def _begin(stream: BinaryIO) -> tuple[bytes, bytes]:
    magic = stream.read(len(MAGIC))
    if magic != MAGIC:
        _refuse(f"this is no certificate of version 1: it does not begin with {MAGIC!r}")
    header = stream.readline(MOST_HEADER)
    if not header.endswith(b"\n"):
        _refuse("the header is cut short, or longer than 64 MiB")
    return magic, header


def _blocks(stream: BinaryIO) -> Iterator[tuple[bytes, bytes, int]]:
    """Give the lengths as they stand in the file, the packed bytes and the unpacked length."""
    while True:
        lengths = stream.read(8)
        if len(lengths) < 8:
            _refuse("the file is cut short")
        n_packed = int.from_bytes(lengths[:4], "little")
        size = int.from_bytes(lengths[4:], "little")
        if n_packed == size == 0:
            return
        # zlib adds a few bytes where it cannot make anything smaller.
        if not 0 < size <= MOST_BLOCK or not 0 < n_packed <= size + size // 100 + 64:
            _refuse(f"a block has absurd lengths: {n_packed} bytes for {size}")
        if size > MOST_RATIO * n_packed:
            _refuse(f"a block unpacks more than {MOST_RATIO}-fold: {n_packed} bytes to {size}")
        packed = stream.read(n_packed)
        if len(packed) < n_packed:
            _refuse("the file is cut short")
        yield lengths, packed, size


def _parse(line: bytes) -> dict[str, Any]:
    def no_float(text: str) -> NoReturn:
        raise ValueError(f"{text} is no whole number")

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise ValueError("a key occurs twice")
        return found

    if line.count(b",") + line.count(b"[") + line.count(b"{") > MOST_VALUES:
        _refuse("the header holds too many values")
    try:
        header = json.loads(
            line.decode("utf-8"),
            parse_float=no_float,
            parse_constant=no_float,
            object_pairs_hook=unique,
        )
    except (RecursionError, ValueError) as error:
        _refuse(f"the header is no JSON as it should be: {error}")
    if not isinstance(header, dict):
        _refuse("the header is no JSON object")
    return header


def _paths(file: _File, n_antecedents: int, longest: int, rows: int) -> Iterator[NDArray[np.intp]]:
    """Decode the closed prefixes, a batch at a time: a line each, filled up with −1."""
    batch: list[list[int]] = []
    width = 0
    for path in chain.from_iterable(_decode(chunk, longest) for chunk in file.chunks()):
        width = max(width, len(path))
        batch.append(path)
        if len(batch) >= rows or len(batch) * width > MOST_BATCH:
            yield _filled(batch, width, n_antecedents)
            batch, width = [], 0
    if batch:
        yield _filled(batch, width, n_antecedents)


def _decode(chunk: bytes, longest: int) -> Iterator[list[int]]:
    """Each prefix: how much it shares with the one before, how much is added, what is added."""
    numbers = _varints(chunk)
    path: list[int] = []
    position, end = 0, len(numbers)
    while position < end:
        shared, added = numbers[position], numbers[position + 1] if position + 1 < end else end
        begin, position = position + 2, position + 2 + added
        if position > end or shared > len(path):
            _refuse("a block of closed prefixes is damaged: a prefix is not complete")
        if shared + added > longest:
            _refuse(f"a closed prefix has more than {longest} antecedents")
        path = path[:shared] + numbers[begin:position]
        yield path


def _varints(chunk: bytes) -> list[int]:
    """Little-endian base 128: the high bit of a byte says that another follows."""
    data = np.frombuffer(chunk, np.uint8)
    ends = np.flatnonzero(data < 128)
    if data[-1] >= 128 or (lengths := np.diff(ends, prepend=-1)).max() > 5:
        _refuse("a block of closed prefixes is damaged: a number does not end")
    starts = ends - lengths + 1
    numbers = np.zeros(len(ends), np.int64)
    for k in range(int(lengths.max())):
        longer = lengths > k
        numbers[longer] |= (data[starts[longer] + k].astype(np.int64) & 127) << (7 * k)
    return numbers.tolist()


def _filled(batch: list[list[int]], width: int, n_antecedents: int) -> NDArray[np.intp]:
    lengths = np.array([len(path) for path in batch])
    paths = np.full((len(batch), width), -1, np.intp)
    paths[np.arange(width) < lengths[:, None]] = list(chain.from_iterable(batch))
    if paths.size and paths.max() >= n_antecedents:
        _refuse(f"a closed prefix names antecedent {paths.max()}; there are {n_antecedents}")
    return paths


# ---- The claim: what the header says, each value checked for its type and range.


@dataclass(frozen=True)
class _Claim:
    columns: tuple[str, ...]
    classes: tuple[Any, ...]
    weights: Mapping[str, Any]
    costs: tuple[tuple[int, ...], ...]
    cost_unit: int
    antecedents: tuple[tuple[tuple[_Condition, bool], ...], ...]
    regularization: Fraction
    prices: tuple[Fraction, ...]
    max_length: int | None
    rule_labels: tuple[int, ...]
    first: tuple[int, ...]
    required: tuple[int, ...]
    forbidden: tuple[int, ...]
    prefix: tuple[int, ...]
    labels: tuple[int, ...]
    default_label: int
    objective: Fraction
    lower_bound: Fraction
    n_closed: int
    n_rows: int
    fingerprint: str

    @classmethod
    def read(cls, header: dict[str, Any]) -> _Claim:
        """Read the header; whatever is wrong with it, it is refused in words."""
        try:
            if header["format"] != "surelist certificate" or _whole(header["version"], 0) != 1:
                raise ValueError("it is of another format or version")
            return cls._read(header)
        except VerificationError:
            raise
        except (KeyError, IndexError) as error:
            _refuse(f"the header is not as it should be: {error} is missing")
        except (ArithmeticError, AttributeError, TypeError, ValueError) as error:
            _refuse(f"the header is not as it should be: {error}")

    @classmethod
    def _read(cls, header: dict[str, Any]) -> _Claim:
        classes = tuple(_value(item) for item in _list(header["classes"]))
        if len(classes) < 1 or len(set(map(repr, classes))) < len(classes) or len(classes) > 4096:
            raise ValueError("the classes are not different, none, or more than 4096")
        antecedents = tuple(_clauses(item) for item in _list(header["antecedents"]))
        m, labels, indices = len(antecedents), range(len(classes)), range(len(antecedents))
        costs, unit = _costs(header["costs"], len(classes))
        limits, chosen = header["constraints"], header["rule_list"]
        max_length = limits["max_length"]
        given = limits["rule_labels"]
        regularization = _fraction(header["regularization"])
        prices = header["prices"]
        claim = cls(
            columns=tuple(_text(item) for item in _list(header["columns"])),
            classes=classes,
            weights=_weighting(header["weights"], len(classes)),
            costs=costs,
            cost_unit=unit,
            antecedents=antecedents,
            regularization=regularization,
            prices=tuple(
                map(_fraction, [header["regularization"]] * m if prices is None else prices)
            ),
            max_length=None if max_length is None else _whole(max_length, 0),
            rule_labels=tuple(labels) if given is None else _choice(given, labels),
            first=_choice(limits["first"], indices),
            required=_choice(limits["required"], indices),
            forbidden=_choice(limits["forbidden"], indices),
            prefix=_choice(chosen["prefix"], indices),
            labels=tuple(_whole(item, 0, len(classes)) for item in _list(chosen["labels"])),
            default_label=_whole(chosen["default_label"], 0, len(classes)),
            objective=_fraction(header["objective"]),
            lower_bound=_fraction(header["lower_bound"]),
            n_closed=_whole(header["counts"]["closed_prefixes"], 0),
            n_rows=_whole(header["n_rows"], 1),
            fingerprint=_text(header["fingerprint"]),
        )
        if len(claim.prices) != m or not claim.rule_labels:
            raise ValueError("there must be a price for each antecedent, and a label for rules")
        return claim

    def statement(self) -> str:
        """Say in words what is proven if the certificate is accepted."""
        m, at = len(self.antecedents), f"λ = {_decimal(self.regularization)}"
        which = f"rule list over these {m} antecedents"
        if self.max_length is not None:
            which += f" with at most {self.max_length} rules"
        if self.first:
            which += f" that begins with antecedents {', '.join(map(str, self.first))}"
        if self.required:
            which += f" that uses antecedents {', '.join(map(str, sorted(self.required)))}"
        if self.forbidden:
            which += f" without antecedents {', '.join(map(str, sorted(self.forbidden)))}"
        if len(self.rule_labels) < len(self.classes):
            names = " or ".join(str(self.classes[code]) for code in self.rule_labels)
            which += f" whose rules predict {names}"
        if any(price != self.regularization for price in self.prices):
            at += " and the prices given"
        low, high = self.lower_bound, self.objective
        if low == high:
            return f"Verified: no {which} has objective below {_decimal(low)} at {at}"
        return (
            f"Verified: the optimum over every {which} lies between {_decimal(low)} and "
            f"{_decimal(high)} at {at}"
        )


def _decimal(number: Fraction) -> str:
    return f"{float(number):.6g}"


def _list(item: Any) -> list[Any]:
    if type(item) is not list:
        raise TypeError(f"{_shown(item)} is no list")
    return item


def _text(item: Any) -> str:
    if type(item) is not str:
        raise TypeError(f"{_shown(item)} is no text")
    return item


def _whole(item: Any, least: int, end: int = 2**62) -> int:
    if type(item) is not int or not least <= item < end:
        raise ValueError(f"{_shown(item)} is no whole number from {least} to below {end}")
    return item


def _choice(items: Any, allowed: range) -> tuple[int, ...]:
    chosen = tuple(_whole(item, 0, len(allowed)) for item in _list(items))
    if len(set(chosen)) < len(chosen):
        raise ValueError(f"{_shown(items)} names one twice")
    return chosen


def _fraction(item: Any) -> Fraction:
    if not re.fullmatch(r"[0-9]{1,400}(/[0-9]{1,400})?", _text(item)):
        raise ValueError(f"{_shown(item)} is no fraction")
    return Fraction(item)


def _shown(item: Any) -> str:
    try:
        text = repr(item)
    except (ValueError, RecursionError):
        text = f"a {type(item).__name__}"
    return text if len(text) < 80 else text[:77] + "..."


def _costs(item: Any, n: int) -> tuple[tuple[tuple[int, ...], ...], int]:
    """Read what predicting q (column) for a row of class c (line) costs, in parts of the unit."""
    if item is None:
        return tuple(tuple(int(c != q) for q in range(n)) for c in range(n)), 1
    matrix = tuple(tuple(_whole(cost, 0) for cost in _list(line)) for line in item["matrix"])
    if len(matrix) != n or any(len(line) != n for line in matrix):
        raise ValueError("the cost matrix does not have a line and a column for each class")
    return matrix, _whole(item["unit"], 1)


def _weighting(item: Any, n: int) -> Mapping[str, Any]:
    kind = item["kind"]
    if kind not in ("unit", "whole", "rounded"):
        raise ValueError(f"{_shown(kind)} is no kind of weights")
    factors = item["class_weight"]
    if factors is not None:
        factors = [_value(factor) for factor in _list(factors)]
        good = all(type(factor) is float and 0 <= factor < math.inf for factor in factors)
        if len(factors) != n or not good:
            raise ValueError("class_weight is not one number for each class")
    exponent = item["exponent"] if kind == "rounded" else 0
    if type(exponent) is not int or abs(exponent) > 4096:
        raise ValueError(f"{_shown(exponent)} is no exponent of weights")
    divisor = _whole(item["divisor"], 1) if kind == "rounded" else 1
    if type(item["sample_weight"]) is not bool:
        raise TypeError("weights.sample_weight is neither true nor false")
    return {**item, "class_weight": factors, "exponent": exponent, "divisor": divisor}


# ---- Conditions: what an antecedent asks of a column. A missing value fulfils none but "missing".


Test = Callable[[Any], bool]


@dataclass(frozen=True)
class _Condition:
    column: str
    kind: str
    test: Test  # of a value that is not missing
    key: str  # equal for equal conditions


def _clauses(item: Any) -> tuple[tuple[_Condition, bool], ...]:
    """Read an antecedent, which captures what fulfils all its conditions, some of them negated."""
    clauses = []
    for clause in _list(item):
        if type(clause["negated"]) is not bool:
            raise TypeError("negated is neither true nor false")
        clauses.append((_condition(clause["condition"]), clause["negated"]))
    return tuple(clauses)


def _condition(item: Any) -> _Condition:
    kind, column = item["kind"], _text(item["column"])
    if kind == "is_true":
        test: Test = _equals(1)
    elif kind == "missing":
        test = bool  # never asked: a value that is there is not missing
    elif kind == "equals":
        test = _equals(_value(item["value"]))
    elif kind == "one_of":
        test = _any_of([_value(value) for value in _list(item["values"])])
    elif kind == "interval":
        test = _interval(item)
    else:
        raise ValueError(f"{_shown(kind)} is no kind of condition")
    return _Condition(column, kind, test, json.dumps(item, sort_keys=True))


def _value(item: Any) -> Any:
    """Text, bools and whole numbers as they are; other values say what they are."""
    if isinstance(item, str | bool | int):
        return item
    readers: dict[str, Callable[[str], Any]] = {
        "float": float,
        "date": date.fromisoformat,
        "datetime": datetime.fromisoformat,
    }
    if isinstance(item, dict) and len(item) == 1:
        ((kind, text),) = item.items()
        if kind in readers and type(text) is str and len(text) < 400:
            return readers[kind](text)
    raise ValueError(f"{_shown(item)} is no value")


def _as(wanted: Any, value: Any) -> Any:
    """Return a value in the manner of the wanted one, to compare with it; None if it has none.

    A cell of a CSV file is text, and means what the condition takes it for.
    """
    if isinstance(wanted, str):
        return str(value) if isinstance(value, str) else None
    if isinstance(wanted, int | float):
        value = _number(value) if isinstance(value, _Cell) else value
        return value if isinstance(value, int | float) else None
    if isinstance(value, _Cell):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    return _moment(value) if isinstance(value, date) else None


class _Cell(str):
    """The text of a CSV cell."""

    __slots__ = ()


def _number(cell: str) -> int | float | None:
    text = cell.strip().lower()
    if text in ("true", "false"):
        return int(text == "true")
    try:
        return int(text) if re.fullmatch(r"[+-]?[0-9]{1,400}", text) else float(text)
    except ValueError:
        return None


def _moment(value: date) -> datetime:
    if not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day)
    return value if value.tzinfo is None else value.astimezone(UTC).replace(tzinfo=None)


def _wanted(value: Any) -> Any:
    return _moment(value) if isinstance(value, date) else value


def _equals(value: Any) -> Test:
    wanted = _wanted(value)
    return lambda found: bool(_as(wanted, found) == wanted)


def _any_of(values: Sequence[Any]) -> Test:
    tests = [_equals(value) for value in values]
    return lambda found: any(test(found) for test in tests)


def _interval(item: Any) -> Test:
    if "order" in item and _list(item["order"]):
        return _any_of(_members(item))
    tests: list[Test] = []
    for end, sign in (("low", 1), ("high", -1)):
        if end in item:
            limit, closed = _wanted(_value(item[end])), item[end + "_closed"]
            if type(closed) is not bool or limit != limit or isinstance(limit, str):
                raise ValueError(f"{_shown(item)} is no interval")
            tests.append(_beyond(limit, sign, closed))
    if not tests:
        raise ValueError(f"{_shown(item)} is no interval")
    return lambda found: all(test(found) for test in tests)


def _beyond(limit: Any, sign: int, closed: bool) -> Test:
    def test(found: Any) -> bool:
        value = _as(limit, found)
        if value is None:
            return False
        above = value > limit if sign > 0 else value < limit
        return bool(above or (closed and value == limit))

    return test


def _members(item: Any) -> list[Any]:
    """Return the values of an ordinal column between two of them."""
    order = [_value(value) for value in item["order"]]
    begin, end = 0, len(order)
    if "low" in item:
        begin = order.index(_value(item["low"])) + (item["low_closed"] is False)
    if "high" in item:
        end = order.index(_value(item["high"])) + (item["high_closed"] is True)
    return order[begin:end]


# ---- The data.


class _Table:
    """Columns by name. Each distinct value of a column is tested once, in plain Python."""

    def __init__(self, columns: Mapping[str, Any], n_rows: int, is_text: bool = False) -> None:
        self.columns = columns
        self.n_rows = n_rows
        self._is_text = is_text  # all values are cells of a CSV file
        self._distinct: dict[str, tuple[list[Any], Array, Flags]] = {}
        self._found: dict[str, NDArray[np.uint8]] = {}

    @classmethod
    def read(cls, X: Any, names: Sequence[str]) -> _Table:
        """Take data frames, dicts of columns, two-dimensional arrays and paths of CSV files."""
        if X is None:
            raise DataError("a certificate is checked against data: pass X and y, or a CSV file")
        if isinstance(X, str | os.PathLike):
            return cls._read_csv(Path(X))
        if isinstance(X, Mapping):
            columns = {str(name): values for name, values in X.items()}
        elif hasattr(X, "columns"):
            own = list(getattr(X, "column_names", X.columns))
            if not any(isinstance(name, str) for name in own):
                return cls.read(np.asarray(X), names)
            columns = {str(name): X[name] for name in own}
        else:
            array = np.asarray(X)
            if array.dtype.kind in "US" and not isinstance(X, np.ndarray):
                array = np.asarray(X, dtype=object)  # numpy would turn the numbers into text
            if array.ndim != 2 or array.shape[1] != len(names):
                raise DataError(f"X must have {len(names)} columns; its shape is {array.shape}")
            columns = {name: array[:, index] for index, name in enumerate(names)}
        lengths = {len(values) for values in columns.values()}
        if len(lengths) != 1:
            raise DataError("X has no columns, or columns of different lengths")
        return cls(columns, lengths.pop())

    @classmethod
    def _read_csv(cls, path: Path) -> _Table:
        try:
            with path.open(encoding="utf-8-sig", newline="") as stream:
                lines = csv.reader(stream)
                names = next(lines, [])
                cells: list[list[str]] = [[] for _ in names]
                for line in lines:
                    if len(line) != len(names):
                        if not line:
                            continue
                        raise DataError(
                            f"{path}:{lines.line_num}: {len(line)} cells, not {len(names)}"
                        )
                    for column, cell in zip(cells, line, strict=True):
                        column.append(sys.intern(cell))
        except (UnicodeDecodeError, csv.Error) as error:
            raise DataError(f"{path} is no CSV file: {error}") from None
        if len(set(names)) < len(names) or not names:
            raise DataError(f"{path} has no columns, or two of one name")
        return cls(dict(zip(names, cells, strict=True)), len(cells[0]), is_text=True)

    def column(self, name: str) -> Any:
        if name not in self.columns:
            raise DataError(f"the data have no column {name!r}")
        return self.columns[name]

    def distinct(self, name: str) -> tuple[list[Any], Array, Flags]:
        """Return the distinct values, each row's position among them, and which are missing."""
        if name not in self._distinct:
            column = self.column(name)
            column = column.to_numpy() if hasattr(column, "to_numpy") else column
            values = np.asarray(column, dtype=object if isinstance(column, list) else None)
            if values.dtype.kind == "M":
                values = values.astype("datetime64[us]")
            if values.dtype.kind in "biufM":
                found, codes = np.unique(values, return_inverse=True)
                several = found.tolist()
            else:
                several, codes = _factorize(name, values.tolist())
            if self._is_text:
                several = list(map(_Cell, several))
            missing = np.array([_is_missing(value) for value in several], dtype=np.bool_)
            self._distinct[name] = several, codes.reshape(-1), missing
        return self._distinct[name]

    def holds(self, condition: _Condition) -> Flags:
        """Return which rows fulfil a condition."""
        if condition.key not in self._found:
            values, codes, missing = self.distinct(condition.column)
            if condition.kind == "missing":
                fulfilled = missing
            else:
                pairs = zip(values, missing.tolist(), strict=True)
                fulfilled = np.array(
                    [not gone and condition.test(value) for value, gone in pairs], dtype=np.bool_
                )
            self._found[condition.key] = np.packbits(fulfilled[codes])
        return np.unpackbits(self._found[condition.key], count=self.n_rows).view(np.bool_)


def _factorize(name: str, values: list[Any]) -> tuple[list[Any], Array]:
    try:
        position = {value: index for index, value in enumerate(dict.fromkeys(values))}
    except TypeError:
        raise DataError(f"column {name!r} holds values that are neither text nor numbers") from None
    codes = np.fromiter(map(position.__getitem__, values), dtype=np.intp, count=len(values))
    return list(position), codes


def _is_missing(value: Any) -> bool:
    if isinstance(value, _Cell):
        return value.strip().lower() in MISSING_TEXTS
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and value != value


def _rows(
    claim: _Claim, table: _Table, y: Any, label: str | None, sample_weight: Any
) -> tuple[Array, NDArray[np.int64]]:
    """Return the class of each row as a position among the classes, and its whole weight."""
    if y is None:
        if label is None:
            raise DataError("where are the labels? Pass y, or the name of their column as label")
        values, found, _ = table.distinct(label)
    else:
        column = np.asarray(y, dtype=object if isinstance(y, list) else None).reshape(-1)
        values, found = _factorize("y", column.tolist())
    if len(found) != table.n_rows:
        raise DataError(f"there are {table.n_rows} rows, but {len(found)} labels")
    tests = [_equals(value) for value in claim.classes]
    codes = np.zeros(len(values), np.intp)
    for index, value in enumerate(values):
        code = next((code for code, test in enumerate(tests) if test(value)), None)
        if code is None:
            _refuse(f"the data have the label {_shown(value)}, which the certificate does not know")
        codes[index] = code
    codes = codes[found]
    if table.n_rows != claim.n_rows:
        _refuse(f"the data have {table.n_rows} rows; the certificate is about {claim.n_rows}")
    return codes, _weights(claim, table, codes, sample_weight)


def _weights(claim: _Claim, table: _Table, codes: Array, sample_weight: Any) -> NDArray[np.int64]:
    """Sample weight times class weight; if not whole, times a power of two, rounded, divided."""
    if (sample_weight is not None) != claim.weights["sample_weight"]:
        wanted = "with" if claim.weights["sample_weight"] else "without"
        _refuse(f"the certificate was made {wanted} sample weights; check it {wanted} them")
    weights = np.ones(table.n_rows)
    if isinstance(sample_weight, str):
        numbers = [_as(0.0, value) for value in table.distinct(sample_weight)[0]]
        sample_weight = np.array(numbers, np.float64)[table.distinct(sample_weight)[1]]
    if sample_weight is not None:
        try:
            weights = np.asarray(sample_weight, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise DataError(f"sample weights are not numbers: {error}") from None
    if weights.shape != (table.n_rows,) or not (np.isfinite(weights) & (weights >= 0)).all():
        raise DataError("sample weights are not one number of at least 0 for each row")
    if claim.weights["class_weight"] is not None:
        weights = weights * np.array(claim.weights["class_weight"])[codes]
    with np.errstate(over="ignore", under="ignore"):
        scaled = np.rint(np.ldexp(weights, claim.weights["exponent"]))
    exact = claim.weights["kind"] == "rounded" or bool((scaled == weights).all())
    if not exact or not scaled.sum() < 2.0**53 or not scaled.any():
        _refuse("the weights of the rows are not as the certificate says: whole, and below 2**53")
    whole = scaled.astype(np.int64)
    if (whole % claim.weights["divisor"]).any():
        _refuse("the weights of the rows cannot be divided as the certificate says")
    divided: NDArray[np.int64] = whole // claim.weights["divisor"]
    return divided


@dataclass(frozen=True)
class _Groups:
    """Rows that the same antecedents capture: what captures them, and the weight of each class."""

    captures: Flags
    weights: NDArray[np.int64]
    fingerprint: str

    @classmethod
    def collect(cls, claim: _Claim, table: _Table, codes: Array, weights: Array) -> _Groups:
        """Ask every antecedent of every row of positive weight, and put equal rows together."""
        m = len(claim.antecedents)
        counted = np.flatnonzero(weights)
        packed = np.zeros((len(counted), max(1, (m + 7) // 8)), np.uint8)
        for index, clauses in enumerate(claim.antecedents):
            captured = np.ones(table.n_rows, np.bool_)
            for condition, negated in clauses:
                captured &= table.holds(condition) != negated
            packed[:, index // 8] |= captured[counted].view(np.uint8) << (7 - index % 8)
        rows, by_class = collapse(packed, codes[counted], weights[counted], len(claim.classes))
        captures = np.unpackbits(rows, axis=1, count=m).view(np.bool_)
        return cls(captures, by_class, fingerprint(rows, by_class, m))


def collapse(
    packed: NDArray[np.uint8], codes: Array, weights: Array, n_classes: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Put equal rows together: return them in order, and the weight of each class in each."""
    if len(packed) == 0:
        _refuse("no row has any weight")
    width = packed.shape[1]
    _, first, group = np.unique(
        packed.view(f"V{width}").reshape(-1), return_index=True, return_inverse=True
    )
    by_class = np.zeros((len(first), n_classes), np.int64)
    np.add.at(by_class, (group.reshape(-1), codes), weights)
    return packed[first], by_class


def fingerprint(rows: NDArray[np.uint8], by_class: NDArray[np.int64], n_antecedents: int) -> str:
    """Return the SHA-256 of what the antecedents see of the data.

    Parameters
    ----------
    rows : ndarray of uint8
        For each group its captures as packed bits, antecedent 0 the highest of the first byte; all
        different, and in order as bytes.
    by_class : ndarray of int64
        The weight of each class in each group.
    n_antecedents : int
    """
    digest = hashlib.sha256(b"surelist data 1\n")
    digest.update(np.array([n_antecedents, by_class.shape[1]], "<u8").tobytes())
    group, code = np.nonzero(by_class)
    triples = np.empty(
        len(group), [("row", "u1", rows.shape[1:]), ("code", "<u4"), ("weight", "<u8")]
    )
    triples["row"], triples["code"], triples["weight"] = rows[group], code, by_class[group, code]
    digest.update(triples.tobytes())
    return digest.hexdigest()


# ---- The problem in whole numbers, all multiplied by one `scale`.


class _Problem:
    """Groups, costs and prices. Arrays hold whole numbers, as floats while these are exact."""

    def __init__(self, claim: _Claim, groups: _Groups) -> None:
        self.claim = claim
        self.captures = groups.captures
        self.n_groups, self.n_antecedents = groups.captures.shape
        costs = groups.weights.astype(object) @ np.array(claim.costs, dtype=object)
        unit = claim.cost_unit * int(groups.weights.sum())
        factor = math.lcm(1, *((price * unit).denominator for price in claim.prices))
        self.scale = unit * factor
        prices = [int(price * self.scale) for price in claim.prices]
        self.target = math.ceil(claim.lower_bound * self.scale)
        self.objective = claim.objective * self.scale
        self._choose_numbers(costs, factor, prices)
        self.required = np.zeros((len(claim.required), self.n_antecedents), np.bool_)
        self.required[range(len(claim.required)), claim.required] = True
        self.forbidden = np.zeros(self.n_antecedents, np.bool_)
        self.forbidden[list(claim.forbidden)] = True
        self.longest = self.n_antecedents if claim.max_length is None else claim.max_length
        self.limited = claim.max_length is not None

    def _choose_numbers(self, costs: Array, factor: int, prices: list[int]) -> None:
        """Use floats, which are fastest, below 2**24 or 2**53, where they are exact; else ints."""
        total = int(costs.max(axis=1).sum())
        # Nothing is larger but sums of several gains, which are doubles where numbers are singles.
        largest = 4 * (factor * total + (self.n_antecedents + 2) * max(prices, default=0))
        largest += 4 * abs(self.target)
        several = largest * (self.n_antecedents + 1)
        self.number: Any = object
        if largest < 2**24 and several < 2**53:
            self.number = np.float32
        elif several < 2**53:
            self.number = np.float64
        elif several < 2**62:
            self.number = np.int64
        # Sums are matrix products of floats; where they would not fit, they are scaled afterwards.
        self._float = self.number
        self._factor = 1
        if self.number in (np.int64, object):
            self._float = np.float64 if total < 2**53 else object
            self._factor = factor
            factor = 1
        rule = costs[:, list(self.claim.rule_labels)].min(axis=1)
        parts = [*costs.T, costs.min(axis=1), costs.max(axis=1)]
        parts += [np.maximum(column - rule, 0) for column in costs.T]
        self._parts = (np.array(parts, dtype=object) * factor).astype(self._float)
        self._spread = self._parts[costs.shape[1] + 1] - self._parts[costs.shape[1]]
        self._captured_parts: dict[int, Array] = {}
        self._capturing = self.captures.astype(self._float)
        self._counting = self.captures.astype(np.float32)
        self.n_classes = costs.shape[1]
        self.prices = np.array(prices, dtype=object).astype(self.number)
        self.least_price = min(prices, default=0)
        self.below_all = -largest

    def _exact(self, sums: Array) -> Array:
        """Bring sums of costs to scale, as exact numbers."""
        if self._float is self.number:
            return sums
        return (sums if self._float is object else sums.astype(np.int64)).astype(
            self.number
        ) * self._factor

    def part(self, sets: Array, k: int) -> tuple[Array, Array]:
        """Sum one part over each set, and over what each antecedent captures of each set."""
        if k not in self._captured_parts:
            self._captured_parts[k] = self._capturing * self._parts[k][:, None]
        return self._exact(sets @ self._parts[k]), self._exact(sets @ self._captured_parts[k])

    def summable(self, sets: Flags) -> Array:
        """Return sets as `part` takes them."""
        return sets.astype(self._float)

    def spread(self, sets: Flags) -> Array:
        """Sum ceil − floor over what each antecedent captures of each set."""
        return self._exact((sets * self._spread) @ self._capturing)

    def class_costs(self, sets: Flags) -> Array:
        """Sum the cost of each prediction over each set: a line for each set."""
        return self._exact(self.summable(sets) @ self._parts[: self.n_classes].T)

    def key(self, sets: Flags) -> NDArray[np.uint8]:
        """Return what tells sets apart: the set, or the antecedents that capture nothing of it.

        What a prefix leaves is what the latter do not capture, so they determine the set.
        """
        if self.n_antecedents == 0:
            return np.zeros((len(sets), 1), np.uint8)
        if self.n_groups <= self.n_antecedents:
            return np.packbits(sets, axis=1)
        return np.packbits(sets.astype(np.float32) @ self._counting == 0, axis=1)

    def sets(self, keys: NDArray[np.uint8]) -> Flags:
        """Return the sets that keys stand for."""
        if self.n_groups <= self.n_antecedents:
            return np.unpackbits(keys, axis=1, count=self.n_groups).view(np.bool_)
        closure = np.unpackbits(keys, axis=1, count=self.n_antecedents).astype(np.float32)
        left: Flags = closure @ self._counting.T == 0
        return left

    def walk(self, paths: NDArray[np.intp]) -> tuple[Flags, Array, Flags, Array]:
        """Return the states of prefixes: what they leave, cost, required ones used, lengths."""
        left = np.ones((len(paths), self.n_groups), np.bool_)
        cost = np.zeros(len(paths), self.number)
        used = np.zeros((len(paths), len(self.required)), np.bool_)
        for step in paths.T:
            rows = np.flatnonzero(step >= 0)
            chosen = step[rows]
            captured = left[rows] & self.captures.T[chosen]
            losses = self.class_costs(captured)[:, list(self.claim.rule_labels)].min(axis=1)
            cost[rows] += losses + self.prices[chosen]
            left[rows] &= ~captured
            used[rows] |= self.required.T[chosen]
        return left, cost, used, (paths >= 0).sum(axis=1)

    def check_rule_list(self) -> None:
        """Compute the objective of the rule list again, and see that it is allowed."""
        claim = self.claim
        if claim.lower_bound > claim.objective:
            _refuse("the lower bound is above the objective")
        if len(claim.labels) != len(claim.prefix):
            _refuse("the rule list does not have a label for each antecedent")
        if not set(claim.labels) <= set(claim.rule_labels):
            _refuse("the rule list has a label that rules may not predict")
        if claim.prefix[: len(claim.first)] != claim.first:
            _refuse("the rule list does not begin as the constraints say")
        if not set(claim.required) <= set(claim.prefix) or set(claim.forbidden) & set(claim.prefix):
            _refuse("the rule list lacks a required antecedent, or has a forbidden one")
        if len(claim.prefix) > self.longest:
            _refuse("the rule list is longer than allowed")
        left = np.ones((1, self.n_groups), np.bool_)
        total = 0
        for antecedent, label in zip(claim.prefix, claim.labels, strict=True):
            captured = left & self.captures[:, antecedent]
            total += int(self.class_costs(captured)[0, label]) + int(self.prices[antecedent])
            left &= ~captured
        total += int(self.class_costs(left)[0, claim.default_label])
        if total != self.objective:
            _refuse(
                f"the rule list has the objective {Fraction(total, self.scale)} on the data; "
                f"the certificate says {claim.objective}"
            )


# ---- The proof.


@dataclass
class _States:
    """Closed states in order of their identity: key of the set, required ones used, length."""

    identity: NDArray[np.uint8]
    cost: Array

    @classmethod
    def of(cls, problem: _Problem, paths: NDArray[np.intp]) -> _States:
        left, cost, used, length = problem.walk(paths)
        # Where no length is given, it does not matter.
        length = length if problem.limited else np.zeros_like(length)
        parts = [problem.key(left), np.packbits(used, axis=1)]
        parts.append(length.astype(">u4").view(np.uint8).reshape(-1, 4))
        return cls(np.ascontiguousarray(np.concatenate(parts, axis=1)), cost)

    @classmethod
    def merge(cls, several: Sequence[_States]) -> _States:
        """Sort, and keep the cheapest of those that are alike: it serves for the others."""
        identity = np.concatenate([states.identity for states in several])
        cost = np.concatenate([states.cost for states in several])
        order = np.argsort(cost, kind="stable")
        names = _void(identity[order])
        by_name = np.argsort(names, kind="stable")
        order, names = order[by_name], names[by_name]
        first = np.ones(len(order), np.bool_)
        first[1:] = names[1:] != names[:-1]
        return cls(identity[order[first]], cost[order[first]])


def _void(lines: NDArray[np.uint8]) -> Array:
    """Lines of bytes as values that compare as bytes do."""
    return np.ascontiguousarray(lines).view(f"V{lines.shape[1]}").reshape(-1)


class _Proof:
    """The closed states, and the rules (R), (C) and (S)."""

    def __init__(self, problem: _Problem, file: _File, bar: _Bar) -> None:
        self.problem = problem
        self.file = file
        self.bar = bar
        widest = max(problem.n_groups, problem.n_antecedents, 1)
        self.batch = max(1, MOST_BATCH // (4 * widest))
        self.width = problem.key(np.zeros((0, problem.n_groups), np.bool_)).shape[1]
        self.n_closed = 0
        self.n_children = 0

    def check(self) -> tuple[int, int, int]:
        """Check everything; return how many states, children and closed prefixes there are."""
        self.states = self._read()
        if self.n_closed != self.problem.claim.n_closed:
            _refuse(
                f"the file holds {self.n_closed} closed prefixes; "
                f"its header says {self.problem.claim.n_closed}"
            )
        n = len(self.states.cost)
        self.keys = _void(self.states.identity[:, : self.width])
        begins = np.flatnonzero(np.r_[True, self.keys[1:] != self.keys[:-1], True][: n + 1])
        self.most_alike = int(np.diff(begins, append=n).max(initial=0))
        self._check_start()
        for begin in range(0, n, self.batch):
            end = min(begin + self.batch, n)
            self._check_closed(slice(begin, end))
            self.bar.show(end, n)
        self.bar.end()
        return n, self.n_children, self.n_closed

    def _read(self) -> _States:
        """Collect the closed states; those that are alike are merged now and then."""
        none = _States.of(self.problem, np.empty((0, 0), np.intp))
        kept, new, n_new = none, [none], 0
        for paths in self._paths():
            self.n_closed += len(paths)
            new.append(_States.of(self.problem, paths))
            n_new += len(paths)
            if n_new > max(len(kept.cost), 1 << 16):
                kept, new, n_new = _States.merge([kept, *new]), [], 0
        return _States.merge([kept, *new])

    def _paths(self) -> Iterator[NDArray[np.intp]]:
        problem = self.problem
        longest = min(problem.n_antecedents, problem.longest)
        return _paths(self.file, problem.n_antecedents, longest, self.batch)

    def _check_start(self) -> None:
        """(S): what every list begins with is closed or justified."""
        start = np.array([self.problem.claim.first], np.intp)
        state = _Batch(self.problem, *self.problem.walk(start))
        if not (self._is_closed(state) | state.is_bounded()).all():
            _refuse("the proof is not complete: the empty prefix, or `first`, is not closed")

    def _check_closed(self, rows: slice) -> None:
        """(R) and (C) for some closed states: each child is justified, in order of the work."""
        problem = self.problem
        state = self._batch(rows)
        worse = state.cost + state.default_cost() >= problem.target
        if not (worse | (state.missing > 0)).all():
            row = int(np.argmin(worse | (state.missing > 0)))
            objective = Fraction(int((state.cost + state.default_cost())[row]), problem.scale)
            _refuse(
                f"the closed prefix {self._path(rows.start + row)} is itself a rule list of "
                f"objective {objective}, which is below {problem.claim.lower_bound}"
            )
        justified = state.children_dominated_by_parent() | state.children_bounded()
        justified |= (state.room <= 0)[:, None] | problem.forbidden
        self.n_children += justified.size
        for some in self._left_over(justified):
            child = state.child(*some)
            done = self._is_closed(child)
            rest = np.flatnonzero(~done)
            done[rest] = child.some(rest).is_bounded()
            justified[some] = done
        otherwise = justified.copy()
        for some in self._left_over(otherwise):
            justified[some] = state.dominated_by_sibling(*some, otherwise)
        if not justified.all():
            row, antecedent = np.argwhere(~justified)[0].tolist()
            _refuse(
                "the proof is not complete: nothing justifies leaving out antecedent "
                f"{antecedent} after the closed prefix {self._path(rows.start + row)}"
            )

    def _left_over(self, justified: Flags) -> Iterator[tuple[Array, Array]]:
        row, antecedent = np.nonzero(~justified)
        for begin in range(0, len(row), self.batch):
            yield row[begin : begin + self.batch], antecedent[begin : begin + self.batch]

    def _batch(self, rows: slice) -> _Batch:
        left = self.problem.sets(self.states.identity[rows, : self.width])
        return _Batch(self.problem, left, self.states.cost[rows], *self._terms(rows))

    def _is_closed(self, state: _Batch) -> Flags:
        """(D) by a closed state with the same set. Keys are compared whole, not by a hash."""
        wanted = _void(self.problem.key(state.left))
        begin = np.searchsorted(self.keys, wanted)
        found = np.zeros(len(wanted), np.bool_)
        for k in range(self.most_alike):
            at = np.minimum(begin + k, len(self.keys) - 1)
            same = (begin + k < len(self.keys)) & (self.keys[at] == wanted)
            same[same] = self.states.cost[at[same]] <= state.cost[same]
            if self.problem.limited or len(self.problem.required):
                used, length = self._terms(at[same])
                same[same] = (length <= state.length[same]) & (used | ~state.used[same]).all(axis=1)
            found |= same
        return found

    def _terms(self, rows: Array) -> tuple[Flags, Array]:
        """Return which required antecedents closed states have used, and their lengths."""
        identity = self.states.identity[rows]
        count = len(self.problem.required)
        used = np.unpackbits(identity[:, self.width : -4], axis=1, count=count).view(np.bool_)
        length = np.ascontiguousarray(identity[:, -4:]).view(">u4").reshape(-1).astype(np.intp)
        return used, length

    def _path(self, index: int) -> str:
        """Find a prefix of a closed state again, for a message."""
        for paths in self._paths():
            states = _States.of(self.problem, paths)
            same = (states.identity == self.states.identity[index]).all(axis=1)
            same &= states.cost == self.states.cost[index]
            if same.any():
                path = paths[int(np.argmax(same))]
                return f"({', '.join(map(str, path[path >= 0].tolist()))})"
        raise AssertionError("a state without a prefix")


class _Batch:
    """Some states, and what antecedents capture of them. Lines are states, columns antecedents."""

    def __init__(
        self, problem: _Problem, left: Flags, cost: Array, used: Flags, length: Array
    ) -> None:
        self.problem = problem
        self.left, self.cost, self.used, self.length = left, cost, used, length
        self.missing = (~used).sum(axis=1)
        self.needed = (~used).astype(np.intp) @ problem.required.astype(np.intp) > 0
        self.room = problem.longest - length

    def some(self, rows: Array) -> _Batch:
        """Return the states in some lines."""
        return _Batch(
            self.problem, self.left[rows], self.cost[rows], self.used[rows], self.length[rows]
        )

    def child(self, row: Array, antecedent: Array) -> _Batch:
        """Return children: those of the states in `row` by `antecedent`."""
        problem = self.problem
        left = self.left[row] & ~problem.captures.T[antecedent]
        used = self.used[row] | problem.required.T[antecedent]
        cost = self.child_cost[row, antecedent]
        return _Batch(problem, left, cost, used, self.length[row] + problem.limited)

    @cached_property
    def counts(self) -> _Counts:
        """What each antecedent captures of each set."""
        return _Counts(self.problem, self.left)

    @cached_property
    def rule_cost(self) -> Array:
        """Cost of the best label for what each antecedent captures."""
        best = self.counts.cost[self.problem.claim.rule_labels[0]]
        for label in self.problem.claim.rule_labels[1:]:
            best = np.minimum(best, self.counts.cost[label])
        return best

    @cached_property
    def child_cost(self) -> Array:
        """Cost of each child's prefix."""
        return self.cost[:, None] + self.problem.prices + self.rule_cost

    @cached_property
    def active(self) -> Flags:
        """Which antecedents a cheapest completion may use."""
        problem, counts = self.problem, self.counts
        worthless = counts.ceil - self.rule_cost <= problem.prices
        leaves_little = counts.all_ceil[:, None] - counts.ceil <= problem.prices
        inactive = worthless | (leaves_little & (self.missing == 0)[:, None])
        active: Flags = (~inactive | self.needed) & ~problem.forbidden
        return active

    def default_cost(self) -> Array:
        """Cost of the best default label for each set."""
        return np.min(self.counts.all_cost, axis=0)

    def gains(self, q: int) -> Array:
        """Return gain_q of each active antecedent; others have less than any."""
        problem = self.problem
        gain = self.counts.gain[q] - (problem.prices - problem.least_price)
        return np.where(self.active, gain, problem.below_all)

    def greatest_net(self, q: int) -> Array:
        """Return the greatest net_q of an active antecedent, at least 0."""
        problem = self.problem
        net = self.counts.cost[q] - self.rule_cost - (problem.prices - problem.least_price)
        return np.where(self.active, net, problem.below_all).max(axis=1, initial=0)

    def _with_needed(self, q: int, n: int) -> Callable[[int], Array]:
        """Return what j rules gain at most, given that the required ones are among them."""
        if not self.needed.any():
            return lambda _: -self.problem.below_all
        gains = self.gains(q)
        problem = self.problem
        own = _sums_of_greatest(np.where(self.needed, gains, 0), gains.shape[1])[:, -1]
        others = np.where(self.needed, problem.below_all, gains)
        others = _sums_of_greatest(others, n)
        harm = self.counts.gain[q] - (self.counts.cost[q] - self.rule_cost)
        harm = np.where(self.needed, harm, -problem.below_all).min(axis=1)

        def gained(j: int) -> Array:
            rest = np.maximum(j - self.missing, 0)[:, None]
            total = own + np.take_along_axis(others, rest, axis=1)[:, 0]
            return np.where(self.missing == j, total - harm, total)

        return gained

    def is_bounded(self) -> Flags:
        """(B) for each state."""
        counts, problem = self.counts, self.problem
        most = np.minimum(self.active.sum(axis=1), self.room)
        most = _fewer(problem, most, self.cost + counts.all_floor)
        n = int(most.max(initial=0))
        sums = [_sums_of_greatest(self.gains(q), n) for q in range(problem.n_classes)]
        nets = [self.greatest_net(q) for q in range(problem.n_classes)]
        needed = [self._with_needed(q, n) for q in range(problem.n_classes)]

        def taken(q: int, j: int) -> Array:
            return np.minimum(np.minimum(sums[q][:, j], nets[q] + sums[q][:, j - 1]), needed[q](j))

        need = problem.target - self.cost
        return _bounded(problem, need, counts.all_cost, taken, self.missing, most)

    def children_bounded(self) -> Flags:
        """(B) for each child from the counts of its parent alone.

        gain_q only falls as a set shrinks, and what is not active stays so, so the greatest gains
        of the parent, without the child's own antecedent, are no less than those of the child.
        """
        counts, problem = self.counts, self.problem
        most = np.minimum(self.active.sum(axis=1)[:, None] - self.active, self.room[:, None] - 1)
        floor = counts.all_floor[:, None] - counts.floor
        most = _fewer(problem, most, self.child_cost + floor)
        n = int(most.max(initial=0)) + 1
        gains = [self.gains(q) for q in range(problem.n_classes)]
        sums = [_sums_of_greatest(gain, n) for gain in gains]

        def taken(q: int, j: int) -> Array:
            among = gains[q] >= (sums[q][:, j] - sums[q][:, j - 1])[:, None]
            return np.where(among, sums[q][:, j + 1, None] - gains[q], sums[q][:, j, None])

        costs = [a[:, None] - c for a, c in zip(counts.all_cost, counts.cost, strict=True)]
        need = problem.target - self.child_cost
        return _bounded(problem, need, costs, taken, self.missing[:, None] - self.needed, most)

    def children_dominated_by_parent(self) -> Flags:
        """(D) by the parent: the rule is not worth its price, even in the best case."""
        worthless: Flags = self.problem.prices + self.rule_cost >= self.counts.ceil
        return worthless & ~self.needed

    def dominated_by_sibling(self, row: Array, antecedent: Array, by: Flags) -> Flags:
        """(D) by a child of the same state, one of those in `by`."""
        problem, counts = self.problem, self.counts
        x = self.child_cost + (counts.all_floor[:, None] - counts.floor)
        captured = self.left[row] & problem.captures.T[antecedent]
        shared = problem.spread(captured)
        own = shared[np.arange(len(row)), antecedent]
        lead = x[row, antecedent][:, None] - x[row]
        dominated: Flags = (by[row] & (lead >= own[:, None] - shared)).any(axis=1)
        return dominated & ~self.needed[row, antecedent]


class _Counts:
    """Sums over sets (`all_…`) and over what each antecedent captures of them."""

    def __init__(self, problem: _Problem, left: Flags) -> None:
        n, sets = problem.n_classes, problem.summable(left)
        pairs = [problem.part(sets, q) for q in range(n)]
        self.all_cost = [pair[0] for pair in pairs]
        self.cost = [pair[1] for pair in pairs]
        self.all_floor, self.floor = problem.part(sets, n)
        if n == 2:  # the lesser and the greater of two are both of them
            self.all_ceil = self.all_cost[0] + self.all_cost[1] - self.all_floor
            self.ceil = self.cost[0] + self.cost[1] - self.floor
        else:
            self.all_ceil, self.ceil = problem.part(sets, n + 1)
        if len(problem.claim.rule_labels) == n:
            self.gain = [cost - self.floor for cost in self.cost]
        else:
            self.gain = [problem.part(sets, n + 2 + q)[1] for q in range(n)]


def _sums_of_greatest(gains: Array, n: int) -> Array:
    """Return in column j the sum of the j greatest of each line, for j up to n."""
    greatest = -gains
    if n < gains.shape[1]:
        greatest = np.partition(greatest, n, axis=1)[:, :n]
    greatest = -np.sort(greatest, axis=1)
    # The sums may be larger than single floats are exact for.
    wide = np.float64 if gains.dtype == np.float32 else gains.dtype
    sums = np.zeros((gains.shape[0], n + 1), wide)
    np.cumsum(greatest, axis=1, dtype=wide, out=sums[:, 1 : 1 + greatest.shape[1]])
    return sums


def _fewer(problem: _Problem, most: Array, least_cost: Array) -> Array:
    """Lower the number of further rules to what leaves the floor below the target."""
    short = problem.target - least_cost
    if problem.least_price == 0:
        return np.where(short > 0, most, -1)
    # j·p < short, that is, j < short / p.
    return np.minimum(most, -(-short // problem.least_price) - 1)


def _bounded(
    problem: _Problem,
    need: Array,
    default_costs: Sequence[Array],
    taken: Callable[[int, int], Array],
    least: Array,
    most: Array,
) -> Flags:
    """(B): for each default label and each number j of further rules, from least to most."""
    bounded = np.ones(need.shape, np.bool_)
    for j in range(int(most.max(initial=-1)) + 1):
        settled = (j > most) | (j < least)
        for q, default_cost in enumerate(default_costs):
            gained = taken(q, j) if j > 0 else 0
            bounded &= settled | (j * problem.least_price + default_cost - gained >= need)
    return bounded


# ---- The command line.


class _Bar:
    """A line on a terminal that says how far the check has come."""

    def __init__(self, wanted: bool) -> None:
        self._shown = wanted and sys.stderr is not None and sys.stderr.isatty()

    def show(self, done: int, total: int) -> None:
        if self._shown:
            full = 30 * done // total
            line = f"\rchecked {done:,} of {total:,} states [{'#' * full}{'.' * (30 - full)}]"
            sys.stderr.write(line)
            sys.stderr.flush()

    def end(self) -> None:
        if self._shown:
            sys.stderr.write("\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0 if verified, 4 if refused, 2 for input that cannot be used."""
    parser = argparse.ArgumentParser(
        prog="verify", description="Check a certificate of optimality against the original data."
    )
    parser.add_argument("certificate", help="the certificate")
    parser.add_argument("data", help="the original data: a CSV file")
    parser.add_argument("--label", required=True, help="the column of labels")
    parser.add_argument("--sample-weight", metavar="COLUMN", help="the column of weights, if any")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    chosen = parser.parse_args(arguments)
    try:
        found = verify(
            chosen.certificate,
            chosen.data,
            label=chosen.label,
            sample_weight=chosen.sample_weight,
            progress=True,
        )
    except VerificationError as error:
        print(json.dumps({"verified": False, "reason": str(error)}) if chosen.json else error)
        return 4
    except (DataError, OSError) as error:
        print(f"verify: {error}", file=sys.stderr)
        return 2
    if chosen.json:
        print(json.dumps({"verified": True, **asdict(found)}, default=str, ensure_ascii=False))
    else:
        print(found)
        print(
            f"Exactly: objective {found.objective}, lower bound {found.lower_bound}; checked "
            f"{found.n_children:,} ways to go on from {found.n_states:,} closed states."
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
