"""Check a proof that no better rule list exists, without trusting the program that found it.

This file needs Python, numpy and nothing else; it may be copied and run alone::

    python checker.py proof.cert data.csv --label y

It is written for a reader who distrusts us, and shares no code with the search. From the *original*
data it rebuilds antecedents, groups and costs, and checks the certificate by the rules below. If it
accepts, the claim holds whatever the search did, for the reason given here.

The claim
---------
There are rows, with a class and a weight, and M antecedents, each of which captures a row or does
not. A *list* is a sequence of distinct antecedents, each with a label, and a default label. It
costs the price of each antecedent (λ, unless prices differ; never negative, perhaps 0) and for each
row the cost of its prediction, by the first antecedent that captures the row or else by the
default; with plain costs that is the share of the weight that is misclassified. Lists may be
constrained: a greatest length L, antecedents that come `first`, are `required` or `forbidden`, and
the labels that rules may predict; the default may be any class, also one without rows. The
certificate has an allowed list and its objective R, which we compute again, and a number T ≤ R.
**We show that every allowed list has an objective of at least T.** If T = R, it is optimal.

A certificate may be *by length*: it names a number N, the `proven_length`. Then **we also show that
every allowed list of at most N rules has an objective of at least R.** What follows is checked with
the lesser of L and N in place of L, and R in place of T; that proves this second claim. The first
one follows: a list of at least N + 1 rules, if L and M allow any, costs at least (N + 1)·p, where
p is the least price, and the floor of all groups, so it is enough that T is no more than that.

States
------
Rows that the same antecedents capture form a *group* u. Predicting q costs cost_u(q); floor_u and
ceil_u are the least and the greatest of that over all classes. For a set S of groups, cost_q(S),
floor(S) and ceil(S) are sums; rulecost(S) is the least cost_r(S) over the labels r of rules. A
prefix matters only by its *state* (S, g, used, length): the groups it leaves, what its rules cost,
which required antecedents it has, how many it has. Nobody has to tell us: we compute all of these.
The *child* of a state by a is (S∖a, g + price_a + rulecost(S∩a), used ∪ {a}, length + 1).

A *completion* of a state is a sequence t of distinct antecedents that are not forbidden, with
labels of rules, and a default label; all required ones that are not used are in t, and t has at
most L − length members. It costs g, its prices, and its predictions for S. Antecedents of the
prefix may occur in t: they capture nothing. So which they are does not matter, and a closed prefix
may be any sequence, even with forbidden antecedents or without `first`: it is no list, but has a
state. An allowed list is a completion of the state of `first`, and costs no less than that: the
labels in the state are the cheapest.

A certificate is a set of *closed prefixes*, and so of closed states. We check:

(R) a closed state with nothing required missing has g + min_q cost_q(S) ≥ T, over all classes q;
(C) each child of a closed state shorter than L, by whatever is not forbidden, is *justified*;
(S) the state of `first` (of the empty prefix, if there is none) is closed, or justified by (B), or
    dominated by a closed state.

Children by forbidden antecedents and children of states of length L are *exempt*: no completion
begins with them. That is no proof of anything, so an exempt child never stands for another one.
Justified means one of these:

(B) *Bound.* Whatever follows, T is reached. Call s *active* if it is not forbidden, and either
    required and missing, or neither ceil(S∩s) − rulecost(S∩s) ≤ price_s, nor ceil(S∖s) ≤ price_s
    (this only with nothing required missing). Let p be the least price of all, and for a default
    label q, of all classes, with the least over the labels r of rules,
        gain_q(s) = Σ over u in S∩s of max(0, cost_u(q) − min_r cost_u(r)) − (price_s − p),
        net_q(s)  = cost_q(S∩s) − rulecost(S∩s) − (price_s − p).
    Let m be the number of required antecedents that are missing. Then for each q and each j from m
    to the lesser of L − length and the number of active antecedents
        g + j·p + max(floor(S), cost_q(S) − A) ≥ T,
    where A = 0 for j = 0, and otherwise the lesser of: max(0, greatest net_q) plus the sum of the
    j − 1 greatest gain_q; and the gain_q of all m missing ones plus the sum of the j − m greatest
    of the others, less the least gain_q − net_q of the missing ones if j = m.
    And as a rule has one label: let save_r(S) = ceil(S) − cost_r(S), and let n rules for r save at
    most the n greatest save_r(S∩s) of active s, and save_r(S); 0 if rules do not have the label r.
    R_j is the most that j rules save so, shared among the labels other than q at best. For j > 3
    each further rule adds R_3 − R_2. Then A is also at most R_j and max(0, greatest net_q) +
    R_{j−1}.
(D) *Dominated* by a closed state with the same groups, by the parent, or by a sibling that is not
    exempt and is itself justified by (B), by a closed state or by the parent. B dominates A if
    g_A + floor(S_A) − g_B − floor(S_B) ≥ Σ of ceil_u − floor_u over u in S_B∖S_A, B has used all
    required antecedents that A has, and is no longer than A if L exists.

Why acceptance implies the claim
--------------------------------
*(B) is right.* Take a completion of the state. Let a rule s of it, not required and missing,
capture C ⊆ S∩s. If ceil(S∩s) − rulecost(S∩s) ≤ price_s, strike it out: later rules keep their
labels, so C then costs at most ceil(C), and ceil(C) − rulecost(C) = max_r Σ_C (ceil_u − cost_u(r)),
a greatest sum of terms ≥ 0, is no more for C than for S∩s. If ceil(S∖s) ≤ price_s and nothing is
missing, strike out s and all that follows, and make the label of s the default: what s left costs
at most price_s more. Both ways a completion remains, shorter and no costlier. So a cheapest one has
active antecedents alone. Let it have j, and the default label q. Its prices are j·p and what each
has above p. Compared with predicting q on all of S, a rule with label r saves Σ_C (cost_u(q) −
cost_u(r)), so with its price above p at most gain_q of its antecedent; the first one captures all
of S∩s and saves at most net_q. Antecedents are distinct, and all m missing ones are among them; if
j = m, one of these is the first. And no prediction costs less than floor(S), no price less than p.
*One label a rule*: a rule with label q gains nothing over q. One with another label r that captures
C gains save_r(C) − save_q(C), no more than save_r(C), as all savings are ≥ 0. Rules for r save
together no more than save_r(S), and each no more than save_r(S∩s). So all rules gain at most R_j;
or the first one gains at most net_q, and the others R_{j−1}. What n rules for one label save grows
by less and less, so R_j is a sum of j greatest steps, the third of which is R_3 − R_2, and no later
one is greater.

*(B) by the sums of the parent.* In a child's set, a subset, gain_q is no greater, and what is not
active stays so; the child's own antecedent captures nothing there, and is not missing. So the
greatest gain_q of the parent, without the child's own antecedent, do for the child as well. And
net_q(s) of the child by a is no more than gain_q(s) of the parent, nor than the greatest over r of
cost_q(S∩s) − cost_r(S∩s) + cost_r(S∩a) − floor(S∩a), both less price_s − p: of what s captures, a
takes groups of S∩a, and each of these had at most cost_u(r) − floor_u for cost_u(r) − cost_u(q).

*(D) is right.* Let B dominate A, and complete A by t. Then t completes B as well: what is missing
in B is missing in A, so it is in t, and t is short enough. Its prices are the same. Groups in both
sets cost the same; those of S_A∖S_B cost at least their floor in A, and those of S_B∖S_A at most
their ceil in B. So cost_A(t) − floor(S_A) ≥ cost_B(t) − floor(S_B) − Σ (ceil_u − floor_u) over
S_B∖S_A, and with the inequality of (D), g_A + cost_A(t) ≥ g_B + cost_B(t). With equal groups the
inequality is g_A ≥ g_B. The parent has used less by the child's antecedent if this is required and
was missing, and then does not dominate; nor does a sibling dominate such a child.

*Induction.* P(r): completing a closed state by at most r rules costs at least T. P(0) is (R); where
something is missing, no rules are no completion. Given P(r−1), complete a closed state by a and
r−1 rules t. The labels of the child are the cheapest, so that costs no less than the child by a,
which is not exempt, completed by t. If (B) justifies the child, that is at least T. If a closed
state or the parent, which is closed, dominates it, then completing that by t costs no more, and at
least T by P(r−1). If a sibling dominates it, completing that by t costs no more, and at least T by
one of the cases just seen. Domination may be circular, but the completion gets shorter each time.
P(r) for all r and (S) give the claim.

Of closed states with equal groups, used and length only the cheapest is looked at: what holds for
its completions holds for those of the others, which cost more. Without L, length does not matter.

Format 2
--------
There each prefix has a reason. It begins with `first` and has no forbidden antecedent, so that it
and a completion are an allowed list, once repeated antecedents are struck out. Let V be the least
objective of an allowed list, and suppose V < T. Call a state *hopeless* if all its completions cost
more than V; one that (B) justifies is. We check (S), and for each prefix X by its reason:

*deletion*, *insertion* (I): X without the rule at a place behind `first`, or with an antecedent in
    front (if there is no `first`; taken from where it was, if it is in X), is a prefix B that has
    nothing forbidden and dominates X as in (D), with > instead of ≥. Every completion t of X is one
    of B, and (B, t) is an allowed list; so (X, t) costs more than V, and X is hopeless.
*closed*: with two classes, one price, all labels and nothing required, if L leaves room for two
    rules at most or g + 3·p + floor(S) ≥ T, (P): no completion by up to two rules is below T. Over
    a default q, one rule gains net(t), two gain net(t ∪ u), or net(u∖t) if the first predicts q.
    That is exact, and X is hopeless. Otherwise (R), and if X is shorter than L, each child by b
    that is not forbidden is *direct*: bounded (B), dominated by X, listed, or dominated by a listed
    prefix with the same groups; or listed as a *sibling*'s, namely dominated by the sibling that is
    named, which is not forbidden and direct; or *swapped* (O): X = (Z, a), Z is listed, a is not of
    `first`, and (Z, b, a) costs less than (Z, a, b), or as much and b is before a in `order`.
*relaxation* (M): (R); X = (Z, a), Z is listed, a not of `first`; two classes, all labels, nothing
    required; and no list that begins with X and has a rule more may be below T, as far as can be
    told from what two antecedents share in the set of Z: see `_Relaxed`. Left out of the search
    are rules for the label of a that come before a, and next to each other, two rules with one
    label that are not in the order that begins with a. Then each child of X is hopeless, dominated
    by X, or swapped. For take completions of X that cost ≤ V and begin with a rule for its cheapest
    label that is worth its price, and not for the label of a and before it. If there are none, that
    is so. Otherwise one of them with the fewest rules, and of these the first in the order that
    begins with a, is in the search: docs/proofs.md, Theorem 9, goes through what is left out.
A prefix that is listed as a sibling's counts as listed nowhere else.

*Cover.* If X is listed, not as a sibling's, and b not forbidden, then (X, b) is hopeless, or some
listed W costs no more, whatever follows. By b, from the last in `order` to the first, and for one b
by the length of X: if X is hopeless, or (X, b) hopeless or direct, or a direct sibling dominates
it, that is so. If it is swapped and costlier, (Z, b, a) makes it hopeless, as in (I). If it is
swapped and costs the same, consider (Z, b): Z is shorter. If it is hopeless, so is (Z, b, a).
Otherwise some listed W costs no more, so (W, a) costs no more than (Z, b, a); and a comes later in
`order`.
*Then* every completion of a listed prefix costs more than V: by induction on its rules, since
with none it costs at least T, and with b first it costs no less than one of W with a rule less.
By (S) the cheapest allowed list costs more than V, which is absurd. So V ≥ T.

*Numbers.* One number makes all costs and prices whole, and T is rounded up to a whole one: a list
has a whole objective. All arrays hold whole numbers, in a type that holds every sum exactly.
"""

from __future__ import annotations

import argparse
import codecs
import csv
import gzip
import hashlib
import importlib
import io
import json
import math
import operator
import os
import re
import sys
import time
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import cached_property, partial
from itertools import compress, islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

__all__ = ["CsvFile", "DataError", "Verification", "VerificationError", "collapse", "fingerprint"]
__all__ += ["main", "read_header", "verify"]

# The checkers of other proofs (fair lists, complete sets, all cuts) read files and data, and word
# numbers, by these; tests/checker/test_shared_names.py holds them to this list. The bounds by which
# a proof is judged are each checker's own.
FOR_OTHER_CHECKERS = (
    *("_source", "_open", "_read", "_shown", "_fraction", "_value", "_condition"),
    *("_parse_header", "_read_header", "_plain_costs", "_read_rows", "_reader"),
    *("_batches", "_distinct", "_meanings", "_one_each", "_Groups", "_rounded", "_exactly"),
    *("_begins_with", "_refuse", "_at", "_named", "_which", "_Problem", "_parts", "_statement"),
    "_one_thread",
)

MAGIC = b"surelist certificate %d\n"
VERSIONS = 1, 2
MOST_HEADER = 64 << 20  # bytes of the header
MOST_VALUES = 1 << 22  # values in the header
MOST_BLOCK = 1 << 20  # bytes of a block, unpacked
MOST_RATIO = 64  # how far a block may unpack, so that a small file means little work
MOST_BATCH = 1 << 22  # numbers in one array while checking
MOST_TABLE = 1 << 30  # numbers in the sums over groups that are kept
MOST_LINE = 1 << 25  # characters in a line of a CSV file
MOST_UNPACKED = 256 << 20  # bytes that a packed CSV file may have in any case
MOST_UNPACKED_RATIO = 100  # or how far it may unpack
MOST_RULES = 3  # shared among labels one by one; each further one saves as much as the last
MOST_BITS = 1 << 13  # of the number that makes all prices whole
MISSING = ("", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "NaT")  # in CSV

# Why a prefix is listed, in format 2.
CLOSED, DELETION, INSERTION, SIBLING, RELAXED = range(5)
EDITS = DELETION, INSERTION
WITH_WITNESS = *EDITS, SIBLING
BEST_FIRST = CLOSED, *EDITS, RELAXED, SIBLING  # of several reasons for one prefix, the first counts
MOST_STEPS = 128  # of one search for what rules can reach

Entry = tuple[list[int], int, int]  # a prefix, its reason and its witness
Array = Any  # of whole numbers, whether held as floats or ints: see _Problem
Flags = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Source = bytes | str | os.PathLike[str]


class VerificationError(ValueError):
    """The certificate is refused; the message is the reason."""


class DataError(ValueError):
    """Data or arguments that cannot be used, so that nothing can be said of the certificate."""


def _refuse(reason: str) -> NoReturn:
    raise VerificationError(f"Refused: {reason}")


@dataclass(frozen=True)
class Verification:
    """What an accepted certificate proves, in numbers; ``print`` it for the sentence."""

    statement: str
    optimal: bool
    objective: Fraction
    lower_bound: Fraction
    regularization: Fraction
    n_rows: int  # of positive weight
    n_groups: int
    n_antecedents: int
    n_closed: int  # prefixes in the file
    n_states: int  # different ones among them
    n_children: int  # justified
    fingerprint: str
    reader: str = field(default="", compare=False)  # who read the data
    checker: str = field(default="reference", compare=False)  # which one went through the proof

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
    proof: Any = None,
) -> Verification:
    """Check a certificate against the data it is about, and return what it proves.

    Parameters
    ----------
    certificate : path, bytes, or an object with ``to_bytes()`` or ``path``
    X : data frame, dict of columns, 2-D array, path of a CSV file, or CsvFile
        The original data. Or what `surelist.from_query` returned: its rows come in batches.
    y, label : array-like of one label per row, or the name of their column in X
    sample_weight : array-like or name of a column, optional
        If there were weights when the certificate was made.
    progress : bool
        Whether to show progress, if the standard error stream is a terminal.
    proof : type, optional
        What goes through the closed prefixes instead of this file's own `_Proof`.

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
    source = _source(certificate)
    parts = _parts(source)
    header, version = next(parts)
    for _ in parts:  # as far as the checksum, so that damage is told from a wrong proof
        pass
    claim = _read_header(header)
    if claim.version != version:
        _refuse(f"the file begins as version {version}; its header says {claim.version}")
    groups = _read_rows(claim, X, y, label, sample_weight)
    problem = _Problem(claim, groups.rows, groups.by_class)
    problem.check_rule_list()
    proof = (proof or _proof)(problem, source)
    proof.read()
    proof.check(progress and sys.stderr is not None and sys.stderr.isatty())
    fractions = claim.objective, claim.lower_bound, claim.regularization
    n_groups, n_antecedents = problem.captures.shape
    sizes = groups.n_rows, n_groups, n_antecedents
    counts = proof.n_closed, proof.n_states, proof.n_children
    optimal = claim.objective == claim.lower_bound
    said = _statement(claim), optimal, *fractions, *sizes, *counts, claim.fingerprint
    return Verification(*said, reader=_reader(X), checker=proof.name)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Keep numpy to one thread, if there is threadpoolctl.

    Matrices are small here: several threads would only wait for each other, busily.
    """
    try:
        limited = importlib.import_module("threadpoolctl").threadpool_limits(1, "blas")
    except ImportError:
        limited = nullcontext()
    with limited:
        yield


def _reader(X: Any) -> str:
    """Say who read the data: for a CSV file we do, and share no code with who made the proof."""
    if isinstance(X, str | os.PathLike | CsvFile):
        return "the checker's own CSV reader"
    return "DuckDB" if hasattr(type(X), "batches") else "whoever passed the columns"


# ---- The file: magic line, header, blocks of closed prefixes, checksum.


def _source(certificate: Any) -> Source:
    """Return the bytes or the path of a certificate, whichever it has."""
    source = certificate
    if not isinstance(source, str | bytes | os.PathLike):
        source = getattr(certificate, "path", None)
        if source is None and hasattr(certificate, "to_bytes") and not isinstance(certificate, int):
            source = certificate.to_bytes()
    if not isinstance(source, str | bytes | os.PathLike):
        raise DataError("a certificate is a path, bytes or a Certificate")
    return source


def _open(source: Source) -> Any:
    """Open the bytes of a file, or one at a path."""
    if isinstance(source, bytes):
        return io.BytesIO(source)
    if "\0" in str(os.fspath(source)):
        raise DataError(f"{_shown(str(source))} is no path")
    return Path(source).open("rb")


def _begins_with(certificate: Any, magic: bytes) -> bool:
    """Whether a certificate begins so; where it cannot be read, whoever reads it next says why."""
    try:
        with _open(_source(certificate)) as stream:
            return bool(stream.read(len(magic)) == magic)
    except (OSError, DataError):
        return False


def _parts(source: Source) -> Iterator[tuple[bytes, int]]:
    """Give header and version, then each block as packed and its unpacked length; check the sum."""
    with _open(source) as stream:
        magics = {MAGIC % version: version for version in VERSIONS}
        if (magic := stream.read(len(MAGIC % 1))) not in magics:
            known = " or ".join(map(repr, magics))
            _refuse(f"this is no certificate of version 1 or 2: it does not begin with {known}")
        header = stream.readline(MOST_HEADER)
        if not header.endswith(b"\n"):
            _refuse("the header is cut short, or longer than 64 MiB")
        digest = hashlib.sha256(magic + header)
        yield header, magics[magic]
        while any(lengths := stream.read(8)):
            n_packed, size = (int.from_bytes(lengths[at : at + 4], "little") for at in (0, 4))
            # zlib adds a few bytes where it cannot make anything smaller.
            if not 0 < size <= MOST_BLOCK or not 0 < n_packed <= size + size // 100 + 64:
                _refuse(f"a block has absurd lengths: {n_packed} bytes for {size}")
            if size > MOST_RATIO * n_packed:
                _refuse(f"a block unpacks more than {MOST_RATIO}-fold: {n_packed} bytes to {size}")
            packed = stream.read(n_packed)
            if len(packed) < n_packed:
                _refuse("the file is cut short")
            digest.update(lengths + packed)
            yield packed, size
        digest.update(lengths)
        if len(lengths) < 8 or stream.read(32) != digest.digest():
            _refuse("the file is damaged: its checksum does not match, or it is cut short")
        if stream.read(1):
            _refuse("the file is damaged: something follows its end")


def _unpack(packed: bytes, size: int) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        chunk = unpacker.decompress(packed, size + 1)
    except zlib.error as error:
        _refuse(f"a block of closed prefixes is damaged: {error}")
    if len(chunk) != size or not unpacker.eof or unpacker.unused_data:
        _refuse("a block of closed prefixes does not have the length it should have")
    return chunk


def _numbers(packed: bytes, size: int) -> Iterator[int]:
    """Unpack a block of numbers to base 128, the lowest digit first, the last below 128."""
    number = shift = 0
    for byte in _unpack(packed, size):
        number, shift = number | (byte & 127) << shift, shift + 7
        if byte < 128:
            yield number
            number = shift = 0
        elif shift > 28:
            break
    if shift:
        _refuse("a block of closed prefixes is damaged: a number does not end")


def _prefixes(source: Source, n_antecedents: int, longest: int) -> Iterator[list[int]]:
    """Give the prefixes of format 1."""
    return (path for path, _, _ in _entries(source, 1, n_antecedents, longest))


def _entries(source: Source, version: int, m: int, longest: int) -> Iterator[Entry]:
    """Give each prefix, its reason and its witness.

    A prefix: how much it shares with the one before, how much is added, what is added.
    """
    for packed, size in islice(_parts(source), 1, None):
        numbers, path = _numbers(packed, size), list[int]()
        for shared in numbers:
            added = next(numbers, size)
            if shared + added > longest and added < size:
                _refuse(f"a closed prefix has more than {longest} antecedents")
            path = path[:shared] + list(islice(numbers, added))
            if len(path) != shared + added:
                _refuse("a block of closed prefixes is damaged: a prefix is not complete")
            if max(path, default=-1) >= m:
                _refuse(f"a closed prefix names antecedent {max(path)}; of {m}")
            yield path, *(_reason(numbers, len(path), m) if version > 1 else (CLOSED, 0))


def _reason(numbers: Iterator[int], length: int, m: int) -> tuple[int, int]:
    """Read a reason and its witness: a place in the prefix for a deletion, else an antecedent."""
    reason = next(numbers, None)
    witness = next(numbers, None) if reason in WITH_WITNESS else 0
    if reason is None or witness is None:
        _refuse("a block of closed prefixes is damaged: a prefix is not complete")
    if reason not in BEST_FIRST:
        _refuse(f"a closed prefix has the reason {reason}, which does not exist")
    if reason in WITH_WITNESS and witness >= (length if reason == DELETION else m):
        _refuse(f"a closed prefix has the witness {witness}, which does not exist")
    return reason, witness


# ---- The header. A shape says of what type a value is: [type] is a list, (type,) may be null.


def _shown(item: Any) -> str:
    try:
        text = repr(item)
    except (ValueError, RecursionError):
        text = f"a {type(item).__name__}"
    return text if len(text) < 80 else text[:77] + "..."


def _read(shape: Any, item: Any) -> Any:
    """Read a value of the header as its shape says; raise if it is not of that shape."""
    if isinstance(shape, tuple):
        return None if item is None else _read(shape[0], item)
    kind = int if isinstance(shape, range) else shape if isinstance(shape, type) else type(shape)
    if isinstance(shape, range | type | list | dict) and type(item) is not kind:
        raise TypeError(f"{_shown(item)} is no {kind.__name__}")
    if isinstance(shape, range) and item not in shape:
        raise ValueError(f"{_shown(item)} is not from {shape.start} to below {shape.stop}")
    if isinstance(shape, list):
        return [_read(shape[0], each) for each in item]
    if isinstance(shape, dict):
        return SimpleNamespace(**{key: _read(each, item[key]) for key, each in shape.items()})
    return item if isinstance(shape, range | type) else shape(item)


def _fraction(item: Any) -> Fraction:
    if not re.fullmatch(r"[0-9]{1,400}(/[0-9]{1,400})?", _read(str, item)):
        raise ValueError(f"{_shown(item)} is no fraction")
    return Fraction(item)


def _value(item: Any) -> Any:
    """Text, bools and whole numbers as they are; other values say what they are."""
    if isinstance(item, str | bool | int):
        return item
    ((kind, text),) = _read(dict, item).items()
    if kind not in ("float", "date", "datetime") or len(_read(str, text)) > 400:
        raise ValueError(f"{_shown(item)} is no value")
    (value,) = _meanings(float(text) if kind == "float" else datetime.fromisoformat(text))
    return value


def _condition(item: Any) -> Any:
    """Read what a condition asks of a column, as a test of the meanings of a value."""
    kind, ends = item["kind"], None
    if kind == "interval":
        test, ends = _interval(item)
    elif kind == "missing":
        test = operator.not_
    elif kind == "is_true":
        test = _is_among([1])
    elif kind == "equals":
        test = _is_among([_value(item["value"])])
    elif kind == "one_of":
        test = _is_among(_read([_value], item["values"]))
    else:
        raise ValueError(f"{_shown(kind)} is no kind of condition")
    key = json.dumps(item, sort_keys=True)
    column, asks = _read(str, item["column"]), _asks(kind, item)
    return SimpleNamespace(column=column, test=test, ends=ends, key=key, asks=asks)


def _asks(kind: str, item: Any) -> set[str]:
    """Return the kinds of values that a condition compares with."""
    if kind in ("missing", "is_true"):
        return {"number"} if kind == "is_true" else set()
    values = [item[key] for key in ("value", "low", "high") if key in item]
    values = _read([_value], values + item.get("values", []))
    kinds = {str: "text", datetime: "moment"}
    return {kinds.get(type(value), "number") for value in values}


def _is_among(values: list[Any]) -> Callable[[tuple[Any, ...]], bool]:
    wanted = frozenset(values)
    return lambda meanings: not wanted.isdisjoint(meanings)


NUMBER, POSITIVE = range(2**62), range(1, 2**62)
SHAPE: Any = {
    "version": NUMBER,
    "order": [NUMBER],
    "columns": [str],
    "classes": [_value],
    "n_rows": POSITIVE,
    "weights": {
        "kind": str,
        "sample_weight": bool,
        "class_weight": ([_value],),
        "exponent": range(-4096, 4097),
        "divisor": POSITIVE,
    },
    "costs": ({"matrix": [[NUMBER]], "unit": POSITIVE},),
    "antecedents": [[{"condition": _condition, "negated": bool}]],
    "regularization": _fraction,
    "prices": ([_fraction],),
    "constraints": {
        "max_length": (NUMBER,),
        "rule_labels": ([NUMBER],),
        "first": [NUMBER],
        "required": [NUMBER],
        "forbidden": [NUMBER],
    },
    "rule_list": {"prefix": [NUMBER], "labels": [NUMBER], "default_label": NUMBER},
    "objective": _fraction,
    "lower_bound": _fraction,
    "proven_length": (NUMBER,),
    "counts": {"closed_prefixes": NUMBER},
    "fingerprint": str,
}


def _read_header(line: bytes) -> Any:
    """Read the claim; whatever is wrong with it, it is refused in words."""
    header = _parse_header(line)
    try:
        known = header["format"] == "surelist certificate"
        if not known or _read(NUMBER, header["version"]) not in VERSIONS:
            raise ValueError("it is of another format or version")
        if header["version"] == 1:
            header |= {"order": list(range(len(header["antecedents"])))}
        if type(header.get("weights")) is dict:  # they are as they are, unless they are rounded
            header |= {"weights": {"exponent": 0, "divisor": 1} | header["weights"]}
        claim = _read(SHAPE, {"proven_length": None} | header)
        _complete(claim, len(claim.classes), len(claim.antecedents))
    except KeyError as error:
        _refuse(f"the header is not as it should be: {error} is missing")
    except (ArithmeticError, RecursionError, TypeError, ValueError) as error:
        _refuse(f"the header is not as it should be: {error}")
    return claim


def _parse_header(line: bytes) -> dict[str, Any]:
    def no_float(text: str) -> NoReturn:
        raise ValueError(f"{text} is no whole number")

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(found := dict(pairs)) < len(pairs):
            raise ValueError("a key occurs twice")
        return found

    if sum(map(line.count, (b",", b"[", b"{"))) > MOST_VALUES:
        _refuse("the header holds too many values")
    hooks: Any = {"parse_float": no_float, "parse_constant": no_float, "object_pairs_hook": unique}
    try:
        header = json.loads(line.decode("utf-8"), **hooks)
        if b"\\ud" in line.lower():  # unpaired surrogates, which cannot be printed
            json.dumps(header, ensure_ascii=False).encode()
    except (RecursionError, ValueError) as error:
        _refuse(f"the header is no JSON as it should be: {error}")
    if type(header) is not dict:
        _refuse("the header is no JSON object")
    return header


def read_header(line: bytes) -> dict[str, Any]:
    """Return the header of a certificate, if everything in it is as it should be.

    Raises
    ------
    VerificationError
    """
    _read_header(line)
    return _parse_header(line)


def _complete(claim: Any, n: int, m: int) -> None:
    """Fill in what is null, and see that everything is of the size it should be."""
    limits, chosen = claim.constraints, claim.rule_list
    claim.costs = _plain_costs(n) if claim.costs is None else claim.costs
    claim.prices = [claim.regularization] * m if claim.prices is None else claim.prices
    limits.rule_labels = list(range(n)) if limits.rule_labels is None else limits.rule_labels
    _read([range(m)], [*limits.first, *limits.required, *limits.forbidden, *chosen.prefix])
    _read([range(n)], [*limits.rule_labels, *chosen.labels, chosen.default_label])
    for few in (*vars(limits).values(), chosen.prefix):
        if isinstance(few, list) and len(set(few)) < len(few):
            raise ValueError(f"{_shown(few)} names one twice")
    sizes = {len(claim.costs.matrix), *map(len, claim.costs.matrix)}
    kinds, given = ("unit", "whole", "rounded"), claim.weights.class_weight
    factors = [1.0] * n if given is None else given
    for good, reason in (
        (0 < n <= 4096, "there are no classes, or more than 4096"),
        (len(set(map(str, claim.classes))) == n, "the classes are not different"),
        (sizes == {n}, "the cost matrix does not have a line and a column for each class"),
        (len(claim.prices) == m, "there must be a price for each antecedent"),
        (sorted(claim.order) == list(range(m)), "the order must name each antecedent once"),
        (limits.rule_labels, "there must be a label for rules"),
        (claim.weights.kind in kinds, f"{_shown(claim.weights.kind)} is no kind of weights"),
        (
            claim.weights.kind != "unit" or not (claim.weights.sample_weight or given),
            "weights of kind 'unit' come with no others",
        ),
        (len(factors) == n, "class_weight is not one number for each class"),
        (
            all(type(f) is float and 0 <= f < math.inf for f in factors),
            "a class_weight is not a finite number of at least 0",
        ),
    ):
        if not good:
            raise ValueError(reason)


def _plain_costs(n: int) -> Any:
    """Return 1 for a mistake, 0 otherwise."""
    return SimpleNamespace(matrix=[[int(c != q) for q in range(n)] for c in range(n)], unit=1)


def _which(claim: Any, n_antecedents: int, over: str | None = None) -> str:
    """Say over which rule lists an optimum is one: over which antecedents, others may know."""
    limits = claim.constraints
    which = "rule list" + (over or f" over these {n_antecedents} antecedents")
    if limits.max_length is not None:
        which += f" with at most {limits.max_length} rules"
    for words, few in (
        ("that begins with", limits.first),
        ("that uses", sorted(limits.required)),
        ("without", sorted(limits.forbidden)),
    ):
        which += f" {words} antecedents {', '.join(map(str, few))}" if few else ""
    if len(limits.rule_labels) < len(claim.classes):
        names = " or ".join(_named(claim.classes[code]) for code in limits.rule_labels)
        which += f" whose rules predict {names}"
    return which


def _at(claim: Any) -> str:
    """Say what the objective is: whoever made the certificate has chosen its parameters."""
    at = f"at λ = {_exactly(claim.regularization)}"
    beside = {
        "prices": bool(set(claim.prices) - {claim.regularization}),
        "costs": claim.costs != _plain_costs(len(claim.classes)),
        "class weights": claim.weights.class_weight is not None,
        "rounded weights": claim.weights.kind == "rounded",
    }
    given = list(compress(beside, beside.values()))
    return at + (f" and the {' and '.join(given)} given" if given else "")


def _statement(claim: Any, over: str | None = None) -> str:
    """Say in words what is proven if the certificate is accepted."""
    which, at = _which(claim, len(claim.antecedents), over), _at(claim)
    low, high = _rounded(claim.lower_bound, ROUND_FLOOR), _rounded(claim.objective, ROUND_CEILING)
    if claim.lower_bound == claim.objective:
        return f"Verified: no {which} has objective below {low} {at}"
    if claim.proven_length is not None:
        short = f"{which} of up to {claim.proven_length} rules"
        above = _rounded(claim.objective, ROUND_FLOOR)
        return (
            f"Verified: no {short} has objective below {above}, and none at all below {low}, {at}"
        )
    return f"Verified: the optimum over every {which} lies between {low} and {high} {at}"


def _named(value: Any) -> str:
    """Write a class: texts in quotes, so that none reads like several or like words of ours."""
    return _shown(value) if isinstance(value, str) else str(value)


def _rounded(number: Fraction, way: str, digits: int = 6) -> str:
    """Write a number in few digits; rounded to the nearest, a bound might not hold any more."""
    divide = Context(digits, way).divide
    return f"{divide(Decimal(number.numerator), Decimal(number.denominator)).normalize():f}"


def _exactly(number: Fraction) -> str:
    text = _rounded(number, ROUND_FLOOR, 17)
    return text if Fraction(text) == number else str(number)


# ---- Values. One may have several meanings, as the cell "1" of a CSV file is a text and a number.
# What a column of cells is, all of them say together: the first of these notations that each has.

CSV_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
CSV_NOTATIONS = ("truth", "signed", "unsigned", "comma", "point", "date", "moment", "zoned")
CSV_REAL = re.compile(
    r"[+-]?((0|[1-9][0-9]*)((?P<mark>[.,])[0-9]*)?|(?P<bare>[.,])[0-9]+)"
    r"(?P<exponent>[eE][+-]?[0-9]{1,3})?"
)
CSV_INFINITE = re.compile(r"[+-]?[iI][nN][fF]([iI][nN][iI][tT][yY])?")
CSV_MOMENT = re.compile(
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"((?P<time>[ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?)"
    r"(?P<zone>Z| ?[+-]([01][0-9]|2[0-3]):?[0-5][0-9])?)?"
)


def _meanings(value: Any) -> tuple[Any, ...]:
    """Return what a value means: nothing if it is missing; dates are moments without time zone.

    A decimal means the float next to it: that is what conditions are asked of.
    """
    value = value.item() if isinstance(value, np.generic) else value
    if value is None or type(value).__name__ == "NAType" or value != value:
        return ()
    if isinstance(value, Decimal):
        return (float(value),)
    if isinstance(value, datetime):
        return (value if value.tzinfo is None else value.astimezone(UTC).replace(tzinfo=None),)
    if isinstance(value, date):
        return (datetime(value.year, value.month, value.day),)
    return (value,)


def _notations(text: str, comma: bool) -> dict[str, Any]:
    """Return all that a cell of a CSV file can be read as, by notation, with its value."""
    found: dict[str, Any] = {}
    if part := CSV_REAL.fullmatch(text):
        mark = part["mark"] or part["bare"]
        if mark or part["exponent"]:
            number = float(text.replace(",", "."))
            names = {".": ("point",), ",": ("comma",)}.get(mark, ("point", "comma"))
            found = {} if math.isinf(number) else dict.fromkeys(names, number)
        else:
            found = _whole(int(text) if len(text) <= 21 else 2**64)
    elif text.lower() in ("true", "false"):
        found["truth"] = text.lower() == "true"
    elif CSV_INFINITE.fullmatch(text):
        found = dict.fromkeys(("comma", "point"), float(text))
    elif part := CSV_MOMENT.fullmatch(text):
        day, time, zone = part["day"], part["time"] or "", part["zone"] or ""
        with suppress(ValueError, OverflowError):  # the 30th of February, the year 10000
            (moment,) = _meanings(datetime.fromisoformat(f"{day}{time}{zone.strip()}"))
            found = {"zoned": moment} if zone else {"moment": moment}
            found |= {} if time else {"date": moment}
    if not comma:
        found.pop("comma", None)
    return found


def _whole(number: int) -> dict[str, Any]:
    """Return the notations of a whole number: it must not lose digits in any of them."""
    found: dict[str, Any] = {"signed": number} if -(2**63) <= number < 2**63 else {}
    if 0 <= number < 2**64:
        found["unsigned"] = number
    if abs(number) <= 2**53:
        found["comma"] = found["point"] = float(number)
    return found


def _interval(item: Any) -> tuple[Callable[[tuple[Any, ...]], bool], Any]:
    """Test for values between two ends, and those; with an order, by their places in it."""
    order = _read([_value], item.get("order", []))
    ends = []
    for name, beyond in (("low", operator.gt), ("high", operator.lt)):
        if name in item:
            limit, closed = _value(item[name]), _read(bool, item[name + "_closed"])
            ends.append((order.index(limit) if order else limit, beyond, closed))
    kind = datetime if any(isinstance(limit, datetime) for limit, *_ in ends) else int | float
    if not ends or not all(isinstance(limit, kind) for limit, *_ in ends):
        raise ValueError(f"{_shown(item)} is no interval")

    def inside(value: Any) -> bool:
        if order:
            value = order.index(value) if value in order else None
        within = (beyond(value, end) or (closed and value == end) for end, beyond, closed in ends)
        return isinstance(value, kind) and all(within)

    return (lambda meanings: any(map(inside, meanings))), None if order else ends


# ---- The data: rows come in batches, and those that the same antecedents capture form groups.


def _distinct(values: list[Any], meanings: Callable[[Any], Any]) -> tuple[list[Any], Array]:
    """Return the meanings of the different values, and the position of each row's among them."""
    try:
        position = {value: index for index, value in enumerate(dict.fromkeys(values))}
    except TypeError:
        raise DataError("a column holds values that are neither text nor numbers") from None
    codes = np.fromiter(map(position.__getitem__, values), dtype=np.intp, count=len(values))
    return list(map(meanings, position)), codes


def _holds(condition: Any, meanings: list[Any], numbers: Any) -> Flags:
    """Ask a condition of different values; where floats are exact, of all of them at once."""
    ends = condition.ends
    if ends is None or numbers is None or not all(_is_exact(limit) for limit, *_ in ends):
        return np.array([condition.test(each) for each in meanings], np.bool_)
    within = np.ones(len(numbers), np.bool_)
    for limit, beyond, closed in ends:
        within &= beyond(numbers, limit) | ((numbers == limit) & closed)
    return within


def _is_exact(value: Any) -> bool:
    return isinstance(value, float) or (isinstance(value, int) and abs(value) <= 2**53)


def _floats(meanings: list[Any]) -> Any:
    """Return the number that each value means, NaN for those that mean none; None if inexact."""
    found = [[v for v in each if isinstance(v, int | float)] for each in meanings]
    exact = (len(few) < 2 and all(map(_is_exact, few)) for few in found)
    return np.array([float(*few) if few else math.nan for few in found]) if all(exact) else None


def _list(values: Any) -> list[Any]:
    if np.ma.is_masked(values):
        raise DataError("some values are masked: leave these rows out, or fill them in")
    if hasattr(values, "to_numpy") and not hasattr(values, "to_pylist"):  # Arrow's may refuse to
        values = values.to_numpy()
    found = np.asarray(values, dtype=object if isinstance(values, list) else None).reshape(-1)
    found = found.astype("datetime64[us]") if found.dtype.kind == "M" else found
    return found.tolist()


def _one_each(values: Any) -> list[Any]:
    """Return labels or weights; not those of a table, of which each row has several."""
    shape = getattr(values, "shape", ())
    several = isinstance(values, list | tuple) and any(isinstance(v, list | tuple) for v in values)
    if several or shape[1:] not in ((), (1,)):
        raise DataError("labels and sample weights are one value for each row; these are more")
    return _list(values)


def _find(columns: Mapping[str, Any], name: str) -> Any:
    if name not in columns:
        raise DataError(f"the data have no column {name!r}")
    return columns[name]


LABELS, WEIGHTS = object(), object()  # no names of columns in the data


def _batches(
    X: Any, names: list[str], needed: Mapping[str, set[str]], most: int, n_rows: int
) -> Iterator[Any]:
    """Give up to so many rows at a time: how many, and the needed columns as `_distinct` does."""
    if X is None:
        raise DataError("a certificate is checked against data: pass X and y, or a CSV file")
    if isinstance(X, str | os.PathLike):
        X = CsvFile(X)
    if isinstance(X, CsvFile):
        yield from X.tables(needed, most, n_rows)
        return
    if hasattr(type(X), "batches"):  # rows that are elsewhere: lists of the needed columns
        for columns in X.batches(sorted(needed), most):
            batch = {name: _distinct(values, _meanings) for name, values in columns.items()}
            yield len(next(iter(columns.values()))), batch
        return
    own = X if isinstance(X, Mapping) else getattr(X, "column_names", getattr(X, "columns", ()))
    if any(isinstance(name, str) for name in own) or (isinstance(X, Mapping) and not X):
        columns = {str(name): X[name] for name in own}
    else:
        if np.ma.is_masked(X):
            raise DataError("some values of X are masked: leave these rows out, or fill them in")
        try:
            array = np.asarray(X)
            if array.dtype.kind in "US" and not isinstance(X, np.ndarray):
                array = np.asarray(X, dtype=object)  # numpy would turn the numbers into text
        except ValueError as error:
            raise DataError(f"X is no table: {error}") from None
        if array.ndim != 2 or array.shape[1] != len(names):
            raise DataError(f"X must have {len(names)} columns; its shape is {array.shape}")
        columns = dict(zip(names, array.T, strict=True))
    if len(lengths := {len(values) for values in columns.values()}) != 1:
        raise DataError("X has no columns, or columns of different lengths")
    found = {name: _list(_find(columns, name)) for name in needed}
    length = lengths.pop()
    for name in (name for name, values in found.items() if len(values) != length):
        raise DataError(f"several columns of X are called {name!r}, or it holds more than a column")
    for begin in range(0, length, most):
        some = slice(begin, begin + most)
        batch = {name: _distinct(values[some], _meanings) for name, values in found.items()}
        yield min(most, length - begin), batch


@dataclass(frozen=True)
class CsvFile:
    """CSV text to check a certificate against, by the rules in docs/raw_tables.md.

    ``paths`` is a path, a list of them with the same columns, or the bytes of a file; all may be
    gzipped. ``delimiter`` and ``encoding`` are found where they are None; ``missing`` are more
    texts that stand for no value.
    """

    paths: Any
    delimiter: str | None = None
    encoding: str | None = None
    missing: Collection[str] = ()

    def names(self) -> list[str]:
        """Return the names of the columns."""
        return next(self._files())[1]

    def tables(
        self, needed: Mapping[str, set[str]], most: int, n_rows: float = math.inf
    ) -> Iterator[Any]:
        """Give up to so many rows at a time; refuse columns of another kind than is asked for.

        Where there are far more than ``n_rows``, they are not read to their end.
        """
        columns, seen = {name: _CsvColumn(self.missing) for name in needed}, 0
        for n, comma, some in self._cells(needed, most):
            for name, cells in some.items():
                columns[name].look(cells, comma)
            if (seen := seen + n) > n_rows + most:
                _refuse(f"the data have more than {seen} rows; the certificate is about {n_rows}")
        for name, column in columns.items():
            column.require(name, needed[name])
        for n, comma, some in self._cells(needed, most):
            means = {name: partial(columns[name].meanings, comma=comma) for name in some}
            yield n, {name: _distinct(cells, means[name]) for name, cells in some.items()}

    def _cells(self, needed: Collection[str], most: int) -> Iterator[tuple[int, bool, Any]]:
        """Give rows, up to so many at a time: how many, whether commas are decimal, the cells."""
        for delimiter, names, rows in self._files():
            places = {name: k for k, name in enumerate(names) if name}
            at = {name: _find(places, name) for name in needed}
            while batch := list(islice(rows, most)):
                some = {name: [row[k] for row in batch] for name, k in at.items()}
                yield len(batch), delimiter == ";", some

    def _files(self) -> Iterator[tuple[str, list[str], Iterator[list[str]]]]:
        """Give for each file its delimiter, the names of its columns, and its rows."""
        first = None
        for source in self.paths if isinstance(self.paths, list | tuple) else [self.paths]:
            name = "the CSV text" if isinstance(source, bytes) else os.fspath(source)
            with _csv_text(name, source, self.encoding) as stream:
                with _as_csv(name):
                    delimiter = self.delimiter or _delimiter(name, stream)
                rows = _csv_rows(name, delimiter, stream)
                names = next(rows)
                first = first or names
                if names != first:
                    raise DataError(f"{name} does not have the columns of the first file")
                yield delimiter, names, rows


@contextmanager
def _as_csv(name: str) -> Iterator[None]:
    try:
        yield
    except (UnicodeError, LookupError, TypeError, csv.Error, EOFError, zlib.error) as error:
        raise DataError(f"{name} is no CSV file that can be read: {error}") from None


@contextmanager
def _csv_text(name: str, source: Any, encoding: str | None) -> Iterator[io.TextIOWrapper]:
    """Open CSV text: gzip unpacked; the encoding by a mark, or UTF-8, or else Windows-1252."""
    with _open(source) as file:
        packed = file.read(2) == b"\x1f\x8b"
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        stream: Any = gzip.GzipFile(fileobj=file) if packed else file
        with _as_csv(name):
            if packed:
                _check_unpacked(stream, size)
            encoding = encoding or _encoding(stream)
            text = io.TextIOWrapper(stream, encoding, newline="")
        with text:
            yield text


def _check_unpacked(stream: Any, size: int) -> None:
    """Refuse a packed file that unpacks absurdly far, by the rules in docs/raw_tables.md."""
    allowed = os.environ.get("SURELIST_MOST_UNPACKED", "")
    most = int(allowed) if allowed.isdecimal() else max(MOST_UNPACKED, size * MOST_UNPACKED_RATIO)
    while stream.read(1 << 20):
        if stream.tell() > most:
            raise csv.Error(f"it unpacks from {size} to more than {most} bytes")
    stream.seek(0)


def _encoding(stream: Any) -> str:
    head, decoder = stream.read(4), codecs.getincrementaldecoder("utf-8")()
    stream.seek(0)
    for mark, name in CSV_MARKS:
        if head.startswith(mark):
            return name
    try:
        while chunk := stream.read(1 << 20):
            decoder.decode(chunk)
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        return "cp1252"
    finally:
        stream.seek(0)
    return "utf-8"


def _lines(stream: io.TextIOWrapper) -> Iterator[str]:
    while line := stream.readline(MOST_LINE):
        if len(line) == MOST_LINE:
            raise csv.Error(f"a line has more than {MOST_LINE} characters")
        if "\0" in line:
            raise csv.Error("it holds a NUL")
        yield line


def _delimiter(name: str, stream: io.TextIOWrapper) -> str:
    """Choose what cuts the first lines into the same number of cells, the more the better."""
    if re.search(r"(?i)\.(tsv|tab)(\.gz)?$", name):
        return "\t"
    sample, cut = stream.read(1 << 16), bool(stream.read(1))
    stream.seek(0)
    sample = sample[: sample.rfind("\n") + 1] or sample if cut else sample

    def merit(delimiter: str) -> tuple[bool, int]:
        lines = io.StringIO(sample, newline="")
        rows = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
        try:
            widths = [len(row) for row in islice(rows, 100) if row]
        except csv.Error:
            return False, 0
        widths = widths[:-1] if cut and len(widths) > 2 else widths  # the last may be cut
        return len(set(widths)) == 1 and widths[0] > 1, widths[0] if widths else 0

    return max(",;\t|", key=merit)


def _csv_rows(name: str, delimiter: str, stream: io.TextIOWrapper) -> Iterator[list[str]]:
    """Give the names of the columns, a number added where one occurs again, and then the rows."""
    with _as_csv(name):
        how: Any = {"delimiter": delimiter, "skipinitialspace": True, "strict": True}
        lines = csv.reader(_lines(stream), **how)
        rows = filter(None, lines)
        header, names = [each.strip() for each in next(rows, [])], list[str]()
        given, taken, last = set(header), set[str](), dict[str, int]()
        for each in header:
            own, number = each, last.get(each, 0)
            while own in taken or (number and own in given):
                number += 1
                own = f"{each}.{number}"
            last[each] = number
            taken.add(own)
            names.append(own)
        if "" in names[1:]:
            raise DataError(f"{name}: column {names.index('', 1) + 1} has no name")
        yield names
        for row in rows:
            if len(row) != len(names):
                where = f"{name}, line {lines.line_num}"
                raise DataError(f"{where}: {len(row)} cells, not {len(names)} as in the first line")
            yield row


class _CsvColumn:
    """What all cells of a column can be read as, and for the rest a cell that cannot."""

    def __init__(self, missing: Collection[str]) -> None:
        self.missing = frozenset(MISSING) | frozenset(missing)
        self.left, self.against, self.finite = set(CSV_NOTATIONS), dict[str, str](), False

    def look(self, cells: list[str], comma: bool) -> None:
        """See what some more cells can be read as."""
        for text in {cell.strip() for cell in cells} - self.missing if self.left else ():
            found = _notations(text, comma)
            self.finite = self.finite or not found or abs(found.get("point", 0)) < math.inf
            if not self.left <= found.keys():
                self.against |= dict.fromkeys(self.left - found.keys(), text)
                self.left &= found.keys()

    @cached_property
    def notation(self) -> str:
        """What the column is: text where nothing else holds, or there is no number but infinity."""
        found = next((each for each in CSV_NOTATIONS if each in self.left), "text")
        return found if self.finite or found not in ("comma", "point") else "text"

    def require(self, name: str, asked: set[str]) -> None:
        """Refuse a column of other values than conditions ask of it."""
        kinds = dict.fromkeys(CSV_NOTATIONS[:5], "number") | {"text": "text"}
        kind = kinds.get(self.notation, "moment")
        if len(self.left) == len(CSV_NOTATIONS):
            return  # all cells are missing
        for each in asked - {"text", kind}:
            odd = self.against.get("point" if each == "number" else "moment", "")
            raise DataError(f"column {name!r} is no column of {each}s: {_shown(odd)} is none")

    def meanings(self, cell: str, comma: bool) -> tuple[Any, ...]:
        """Return what a cell means: its text, and what the column makes of it."""
        text = cell.strip()
        if text in self.missing:
            return ()
        value = _notations(text, comma).get(self.notation)
        return (text,) if value is None else (text, value)


def _read_rows(claim: Any, X: Any, y: Any, label: Any, sample_weight: Any) -> Any:
    """Collect the groups of the data, and see that they are those of the certificate."""
    if hasattr(type(X), "batches") and y is None:  # which knows its labels and weights
        label = label or X.label
        sample_weight = X.weight if sample_weight is None else sample_weight
    if not isinstance(label, str | None):
        raise DataError(f"label must be the name of a column, not {_shown(label)}")
    if X is not None and y is None and label is None:
        raise DataError("where are the labels? Pass y, or the name of their column as label")
    if (sample_weight is not None) != claim.weights.sample_weight:
        wanted = "with" if claim.weights.sample_weight else "without"
        _refuse(f"the certificate was made {wanted} sample weights; check it {wanted} them")
    # Labels and weights are columns of the data, or come beside them under names of their own.
    beside: dict[object, list[Any]] = {}
    if y is not None:
        label, beside[LABELS] = LABELS, _one_each(y)
    if sample_weight is not None and not isinstance(sample_weight, str):
        beside[WEIGHTS], sample_weight = _one_each(sample_weight), WEIGHTS
    conditions = [clause.condition for clauses in claim.antecedents for clause in clauses]
    needed = {name: set[str]() for name in (label, sample_weight) if isinstance(name, str)}
    for condition in conditions:
        needed.setdefault(condition.column, set()).update(condition.asks)
    groups, n_rows = _Groups(claim), 0
    most = max(1, min(1 << 16, (1 << 26) // (len(conditions) + 1)))
    if isinstance(X, Mapping) and not X and not needed:  # then the labels say how many rows
        X = {"": beside[LABELS]}
    for n, table in _batches(X, claim.columns, needed, most, claim.n_rows):
        for key, values in beside.items():
            table[key] = _distinct(values[n_rows : n_rows + n], _meanings)
        groups.add(n, table, table[label], table.get(sample_weight))
        n_rows += n
    if any(len(values) != n_rows for values in beside.values()):
        raise DataError(f"there are {n_rows} rows, but more labels or sample weights")
    if n_rows != claim.n_rows:
        _refuse(f"the data have {n_rows} rows; the certificate is about {claim.n_rows}")
    found = fingerprint(groups.rows, groups.by_class, len(claim.antecedents))
    if found != claim.fingerprint:
        both = f"{found[:16]}…, the certificate's is {claim.fingerprint[:16]}…"
        _refuse(f"the data are not those of the certificate: their fingerprint is {both}")
    if not groups.n_rows:
        _refuse("no row has any weight")
    return groups


def _weight(meanings: tuple[Any, ...]) -> float:
    """Return the number that a value means, as the float next to it; NaN if there is none."""
    found = [value for value in meanings if isinstance(value, int | float)]
    try:
        return float(*found) if len(found) == 1 else math.nan
    except OverflowError:
        return math.inf


class _Groups:
    """Rows that the same antecedents capture, put together as they come."""

    def __init__(self, claim: Any) -> None:
        self.claim = claim
        self.n_rows = 0  # of positive weight
        self.rows: Bytes = np.zeros((0, max(1, (len(claim.antecedents) + 7) // 8)), np.uint8)
        self.by_class: NDArray[np.int64] = np.zeros((0, len(claim.classes)), np.int64)

    def add(self, n: int, table: Mapping[Any, Any], labels: Any, weights: Any) -> None:
        """Take some rows: columns, labels and weights, if any, as `_distinct` gives them."""
        if len(labels[1]) != n or (weights is not None and len(weights[1]) != n):
            raise DataError(f"there are {n} rows, but {len(labels[1])} labels or other weights")
        codes = np.array([self._class(meanings) for meanings in labels[0]], np.intp)[labels[1]]
        whole = self._weigh(codes, weights)
        counted = np.flatnonzero(whole)
        rows, codes, whole = self._captures(n, table)[counted], codes[counted], whole[counted]
        if len(self.rows):
            group, code = np.nonzero(self.by_class)
            rows, codes = np.r_[self.rows[group], rows], np.r_[code, codes]
            whole = np.r_[self.by_class[group, code], whole]
        if len(rows):
            self.rows, self.by_class = collapse(rows, codes, whole, self.by_class.shape[1])
        self.n_rows += len(counted)
        if self.by_class.sum() >= 2**53:
            _refuse("the weights of the rows are not as the certificate says: below 2**53")

    def _class(self, meanings: tuple[Any, ...]) -> int:
        found = [code for code, value in enumerate(self.claim.classes) if value in meanings]
        if len(found) == 1:
            return found[0]
        why = "which is two classes of the certificate" if found else "which it does not know"
        _refuse(f"the data have the label {_shown(meanings)}, {why}")

    def _weigh(self, codes: Array, given: Any) -> NDArray[np.int64]:
        """Sample weight times class weight; if need be scaled by a power of two and rounded."""
        how, weights = self.claim.weights, np.ones(len(codes))
        if given is not None:
            weights = np.array([_weight(each) for each in given[0]], np.float64)[given[1]]
        if not (np.isfinite(weights) & (weights >= 0)).all():
            raise DataError("sample weights are not one finite number of at least 0 for each row")
        with np.errstate(over="ignore", under="ignore"):
            if how.class_weight is not None:
                weights = weights * np.array(how.class_weight)[codes]
            scaled = np.rint(np.ldexp(weights, how.exponent))
        if (how.kind != "rounded" and (scaled != weights).any()) or not scaled.sum() < 2.0**53:
            _refuse("the weights of the rows are not as the certificate says: whole, below 2**53")
        whole = scaled.astype(np.int64)
        if (whole % how.divisor).any():
            _refuse("the weights of the rows cannot be divided as the certificate says")
        divided: NDArray[np.int64] = whole // how.divisor
        return divided

    def _captures(self, n: int, table: Mapping[str, Any]) -> Bytes:
        """Ask every antecedent of every row, by asking each condition of each distinct value."""
        packed = np.zeros((n, self.rows.shape[1]), np.uint8)
        holds: dict[str, Flags] = {}
        floats = {name: _floats(meanings) for name, (meanings, _) in table.items()}
        for index, clauses in enumerate(self.claim.antecedents):
            captured = np.ones(n, np.bool_)
            for clause in clauses:
                condition = clause.condition
                if condition.key not in holds:
                    meanings, codes = table[condition.column]
                    found = _holds(condition, meanings, floats[condition.column])
                    holds[condition.key] = found[codes]
                captured &= holds[condition.key] != clause.negated
            packed[:, index // 8] |= captured.view(np.uint8) << (7 - index % 8)
        return packed


def collapse(
    packed: Bytes, codes: Array, weights: Array, n_classes: int
) -> tuple[Bytes, NDArray[np.int64]]:
    """Put equal rows together: return them in order, and the weight of each class in each."""
    if packed.shape[1] > 8:
        values = _void(packed)
    else:  # as numbers, which sort faster
        padded = np.zeros((len(packed), 8), np.uint8)
        padded[:, : packed.shape[1]] = packed
        values = padded.view(">u8").reshape(-1).astype(np.uint64)
    _, first, group = np.unique(values, return_index=True, return_inverse=True)
    by_class = np.zeros((len(first), n_classes), np.int64)
    np.add.at(by_class, (group.reshape(-1), codes), weights)
    return packed[first], by_class


def fingerprint(rows: Bytes, by_class: NDArray[np.int64], n_antecedents: int) -> str:
    """Return the SHA-256 of groups in order: captures as packed bits, and weight of each class."""
    digest = hashlib.sha256(b"surelist data 1\n")
    digest.update(np.array([n_antecedents, by_class.shape[1]], "<u8").tobytes())
    group, code = np.nonzero(by_class)
    kind = [("row", "u1", rows.shape[1:]), ("code", "<u4"), ("weight", "<u8")]
    triples = np.empty(len(group), kind)
    triples["row"], triples["code"], triples["weight"] = rows[group], code, by_class[group, code]
    digest.update(triples.tobytes())
    return digest.hexdigest()


def _void(lines: Bytes) -> Array:
    """Lines of bytes as values that compare as bytes do."""
    return np.ascontiguousarray(lines).view(f"V{lines.shape[1]}").reshape(-1)


# ---- The problem in whole numbers, all multiplied by one `scale`.


class _Problem:
    """Groups, costs and prices. Arrays hold whole numbers, as floats while these are exact."""

    def __init__(self, claim: Any, rows: Bytes, by_class: NDArray[np.int64]) -> None:
        self.claim, limits, self.m = claim, claim.constraints, len(claim.antecedents)
        size = (len(rows) * (by_class.shape[1] + 2) + len(limits.required)) * (self.m + 1)
        if size > MOST_TABLE:
            raise DataError(f"{len(rows)} groups and {self.m} antecedents are too many to check")
        self.captures = np.unpackbits(rows, axis=1, count=self.m).view(np.bool_)
        costs = by_class.astype(object) @ np.array(claim.costs.matrix, dtype=object)
        unit = claim.costs.unit * int(by_class.sum())
        self.factor = 1
        for price in set(claim.prices):
            self.factor = math.lcm(self.factor, (price * unit).denominator)
            if self.factor.bit_length() > MOST_BITS:
                _refuse(f"what the prices have in common takes more than {MOST_BITS} bits")
        self.scale = unit * self.factor
        prices = [int(price * self.scale) for price in claim.prices]
        self.least_price = min(prices, default=0)
        shown = claim.lower_bound if claim.proven_length is None else claim.objective
        self.target = math.ceil(shown * self.scale)
        self.labels = limits.rule_labels
        self._choose_numbers(costs, prices)
        self.required = np.zeros((len(limits.required), self.m), np.bool_)
        self.required[range(len(limits.required)), limits.required] = True
        self.forbidden = np.isin(range(self.m), limits.forbidden)
        lengths = [n for n in (limits.max_length, claim.proven_length) if n is not None]
        self.limited = bool(lengths)
        self.longest = min(lengths, default=self.m)
        self.floor = Fraction(int(costs.min(axis=1).sum()), unit)

    def _choose_numbers(self, costs: Array, prices: list[int]) -> None:
        """Use floats, which are fastest, below 2**24 or 2**53, where they are exact; else ints."""
        total = int(costs.max(axis=1).sum())
        # Nothing is larger but sums of several gains, which are doubles where numbers are singles.
        most = self.factor * total + (self.m + 2) * max(prices, default=0) + self.target
        self.large = 4 * most
        self.number: Any = np.int64 if self.large * (self.m + 1) < 2**62 else object
        if self.large * (self.m + 1) < 2**53:
            self.number = np.float32 if self.large < 2**24 else np.float64
        # Sums over groups are floats, too, if these are exact at least before they are multiplied.
        is_float = self.number in (np.float32, np.float64)
        self.summing: Any = np.float64 if total < 2**53 and not is_float else self.number
        if self.summing is self.number or self.factor * total < 2**53:
            costs, self.factor = costs * self.factor, 1
        floor, ceil = costs.min(axis=1), costs.max(axis=1)
        rule = costs[:, self.labels].min(axis=1)
        gains = [np.maximum(column - rule, 0) for column in costs.T]
        parts = [*costs.T, floor, ceil, *(gains if len(self.labels) < costs.shape[1] else [])]
        self.costs, self.spread = costs.astype(self.summing), (ceil - floor).astype(self.summing)
        self.capturing = self.captures.astype(self.summing)
        everything = np.ones((len(costs), 1), self.summing)  # as if by one more antecedent
        columns = np.concatenate([self.capturing, everything], axis=1)
        self.parts = np.stack([columns * part[:, None].astype(self.summing) for part in parts], 1)
        self.prices = np.array(prices, dtype=object).astype(self.number)
        self.extra = self.prices - self.least_price  # above the least
        # Whether (P) applies: two classes, one price, and no conditions on rules.
        one_price = all(price == self.least_price for price in prices)
        unconditional = sorted(self.labels) == [0, 1] and not self.claim.constraints.required
        self.has_two = costs.shape[1] == 2 and unconditional  # for (M) prices may differ
        self.has_pairs = self.has_two and one_price

    def sum(self, sets: Array, parts: Array) -> Array:
        """Sum parts over sets of groups: exact numbers, to scale."""
        sums = sets.astype(self.summing) @ parts.reshape(len(parts), math.prod(parts.shape[1:]))
        if self.summing is not self.number:
            sums = sums.astype(np.int64).astype(self.number) * self.factor
        return sums.reshape(len(sets), *parts.shape[1:])

    @cached_property
    def shared(self) -> list[Array]:
        """With two classes: what predicting the other label than q saves where two capture."""
        above = self.costs - self.costs.min(axis=1, keepdims=True)
        by_label = (self.capturing * above[:, [q]] for q in range(2))
        return [self.sum(self.captures.T, part) for part in by_label]

    @cached_property
    def spreads(self) -> Array:
        """With two classes: by group, class and antecedent, the spread that it captures."""
        above = (self.costs - self.costs.min(axis=1, keepdims=True))[:, ::-1]
        return self.capturing[:, None] * above[..., None]

    def walk(self, prefixes: list[list[int]]) -> _States:
        """Return the states of prefixes."""
        width = max(map(len, prefixes))
        paths = np.array([path + [-1] * (width - len(path)) for path in prefixes], np.intp)
        left = np.ones((len(paths), len(self.captures)), np.bool_)
        cost = np.zeros(len(paths), self.number)
        used = np.zeros((len(paths), len(self.required)), np.bool_)
        for step in paths.T:
            rows = np.flatnonzero(step >= 0)
            captured = left[rows] & self.captures.T[step[rows]]
            losses = self.sum(captured, self.costs)[:, self.labels].min(axis=1)
            cost[rows] += losses + self.prices[step[rows]]
            left[rows] &= ~captured
            used[rows] |= self.required.T[step[rows]]
        # Where no length is given, it does not matter.
        return _States(self, left, cost, used, (paths >= 0).sum(axis=1) * self.limited)

    def _least_beyond(self) -> Fraction:
        """Return what lists cost at least that are longer than what is proven by length."""
        claim, n = self.claim, self.claim.proven_length
        longest = claim.constraints.max_length
        longest = self.m if longest is None else min(longest, self.m)
        if n is None or longest <= n:  # there are none
            return Fraction(claim.objective)
        least = min(claim.prices, default=Fraction(0))
        return Fraction(self.floor + (n + 1) * least)

    def check_rule_list(self) -> None:
        """Compute the objective of the rule list again, and see that it is allowed."""
        claim, limits, chosen = self.claim, self.claim.constraints, self.claim.rule_list
        prefix = chosen.prefix
        for wrong, reason in (
            (claim.lower_bound > claim.objective, "lower bound is above the objective"),
            (len(chosen.labels) != len(prefix), "rule list does not have a label for each rule"),
            (
                set(chosen.labels) - set(self.labels),
                "rule list has a label that rules may not have",
            ),
            (prefix[: len(limits.first)] != limits.first, "rule list does not begin as it must"),
            (set(limits.required) - set(prefix), "rule list lacks a required antecedent"),
            (set(limits.forbidden) & set(prefix), "rule list has a forbidden antecedent"),
            (
                limits.max_length is not None and len(prefix) > limits.max_length,
                "rule list is longer than allowed",
            ),
            (claim.lower_bound > self._least_beyond(), "lower bound is too high for longer lists"),
        ):
            if wrong:
                _refuse(f"the {reason}")
        left, total = np.ones((1, len(self.captures)), np.bool_), sum(map(int, self.prices[prefix]))
        for captures, label in zip(self.captures.T[prefix], chosen.labels, strict=True):
            total += int(self.sum(left & captures, self.costs)[0, label])
            left &= ~captures
        total += int(self.sum(left, self.costs)[0, chosen.default_label])
        if (objective := Fraction(total, self.scale)) != claim.objective:
            says = f"the certificate says {claim.objective}"
            _refuse(f"the rule list has the objective {objective} on the data; {says}")


class _States:
    """Some states, and what antecedents capture of them. Lines are states, columns antecedents."""

    def __init__(self, problem: _Problem, left: Flags, cost: Array, used: Flags, length: Array):
        self.problem = problem
        self.left = left  # the groups that the prefix leaves: S
        self.cost = cost  # of its rules: g
        self.used = used  # which of the required antecedents it has
        self.length = length  # of the prefix; 0 where there is no greatest length
        self.room = problem.longest - length  # for further rules
        self.missing = (~used).sum(axis=1)  # how many required antecedents it lacks: m
        self.needed = (~used).astype(np.intp) @ problem.required.astype(np.intp) > 0  # which ones

    def some(self, rows: Array) -> _States:
        """Return the states in some lines."""
        few = (values[rows] for values in (self.left, self.cost, self.used, self.length))
        return _States(self.problem, *few)

    def child(self, row: Array, antecedent: Array) -> _States:
        """Return children: those of the states in `row` by `antecedent`."""
        problem = self.problem
        left = self.left[row] & ~problem.captures.T[antecedent]
        used = self.used[row] | problem.required.T[antecedent]
        cost, length = self.child_cost[row, antecedent], self.length[row] + problem.limited
        return _States(problem, left, cost, used, length)

    @cached_property
    def sums(self) -> Any:
        """Sums over what each antecedent captures of each set, and (`all_…`) over the set."""
        problem, n = self.problem, self.problem.costs.shape[1]
        table = problem.sum(self.left, problem.parts).swapaxes(0, 1)
        each, (*all_cost, all_floor, all_ceil) = table[..., :-1], table[: n + 2, :, -1]
        gain = each[n + 2 :] if len(problem.labels) < n else each[:n] - each[n]
        rule = each[problem.labels].min(axis=0)
        return SimpleNamespace(
            cost=each[:n],
            floor=each[n],
            ceil=each[n + 1],
            gain=gain,
            rule=rule,
            all_cost=all_cost,
            all_floor=all_floor,
            all_ceil=all_ceil,
        )

    @cached_property
    def child_cost(self) -> Array:
        """Cost of each child's prefix."""
        return self.cost[:, None] + self.problem.prices + self.sums.rule

    @cached_property
    def child_floor(self) -> Array:
        """Least cost of each child, whatever follows it."""
        return self.child_cost + (self.sums.all_floor[:, None] - self.sums.floor)

    @cached_property
    def active(self) -> Flags:
        """Which antecedents a cheapest completion may use."""
        prices, sums = self.problem.prices, self.sums
        inactive = sums.ceil - sums.rule <= prices
        inactive |= (sums.all_ceil[:, None] - sums.ceil <= prices) & (self.missing == 0)[:, None]
        active: Flags = (~inactive | self.needed) & ~self.problem.forbidden
        return active

    def gains(self, gain: Array) -> Array:
        """Lower gain_q or net_q by prices above the least; what is not active has less than any."""
        problem = self.problem
        return np.where(self.active, gain - problem.extra, -problem.large)

    def savings(self) -> Iterator[tuple[Array, Array, Array]]:
        """Give by class what it saves: where antecedents capture, in all, and by 0 to 3 rules."""
        sums = self.sums
        for q, (cost, all_cost) in enumerate(zip(sums.cost, sums.all_cost, strict=True)):
            by_rule = np.where(self.active & (q in self.problem.labels), sums.ceil - cost, 0)
            greatest = np.maximum.accumulate(_sums_of_greatest(by_rule, MOST_RULES), axis=1)
            yield sums.ceil - cost, sums.all_ceil - all_cost, greatest

    def is_bounded(self) -> Flags:
        """(B) for each state."""
        sums, large = self.sums, self.problem.large
        most = np.minimum(self.active.sum(axis=1), self.room)
        most = self._most(most, self.cost + sums.all_floor)
        n = int(most.max(initial=0))
        saved = _Saved([(whole, greatest.T) for _, whole, greatest in self.savings()])
        bounds: list[tuple[Array, Array, Array, Array]] = []
        net: list[Array] = []
        for cost, gain in zip(sums.cost, sums.gain, strict=True):
            gains, nets = self.gains(gain), self.gains(cost - sums.rule)
            best = _sums_of_greatest(gains, n)
            net.append(nets.max(axis=1, initial=0))
            first = net[-1][:, None] + best
            others, own, harm = best, None, None
            if len(self.problem.required):
                others = _sums_of_greatest(np.where(self.needed, -large, gains), n)
                own = np.where(self.needed, gains, 0).sum(axis=1, dtype=best.dtype)
                harm = np.where(self.needed, gains - nets, large).min(axis=1)
            bounds.append((first, others, own, harm))

        def gained(q: int, j: int) -> Array:
            first, others, own, harm = bounds[q]
            most = np.minimum(
                first[:, j - 1], np.minimum(saved.by(q, j), net[q] + saved.by(q, j - 1))
            )
            if own is None:  # nothing is required
                return np.minimum(most, others[:, j])
            rest = others[np.arange(len(others)), np.maximum(j - self.missing, 0)]
            return np.minimum(most, own + rest - np.where(self.missing == j, harm, 0))

        return self._reaches(self.cost, sums.all_cost, gained, self.missing, most)

    def children_bounded(self) -> Flags:
        """(B) for each child from the sums of its parent alone.

        gain_q only falls as a set shrinks, and what is not active stays so, so the greatest gains
        of the parent, without the child's own antecedent, are no less than those of the child.
        """
        savings = self.savings()
        saved = _Saved([(all_[:, None] - own, by.T[..., None]) for own, all_, by in savings])

        def gained(q: int, j: int) -> Array:
            gains, sums = self.child_gains[q]
            return np.minimum(_without(gains, sums[:, None], j), saved.by(q, j))

        missing = self.missing[:, None] - self.needed
        pairs = zip(self.sums.all_cost, self.sums.cost, strict=True)
        default = [total[:, None] - captured for total, captured in pairs]
        return self._reaches(self.child_cost, default, gained, missing, self.child_most)

    def children_bounded_by_net(self, row: Array, antecedent: Array) -> Flags:
        """(B) for some children from the sums of their parents, with what a first rule gains.

        What a child captures changes cost_q − cost_r by at most its cost_r above the floor.
        """
        sums, own = self.sums, (row, antecedent)
        rises = [(sums.cost[r][own] - sums.floor[own])[:, None] for r in self.problem.labels]
        net: list[Array] = []
        for q, cost in enumerate(sums.cost):
            pairs = zip(self.problem.labels, rises, strict=True)
            lead = np.maximum.reduce([(cost - sums.cost[r])[row] + rise for r, rise in pairs])
            lead = np.minimum(lead - self.problem.extra, self.child_gains[q][0][row])
            lead[np.arange(len(row)), antecedent] = 0
            net.append(lead.max(axis=1, initial=0))

        def gained(q: int, j: int) -> Array:
            gains, best = (each[row] for each in self.child_gains[q])
            gains = gains[np.arange(len(row)), antecedent]
            return np.minimum(_without(gains, best, j), net[q] + _without(gains, best, j - 1))

        missing = self.missing[row] - self.needed[own]
        pairs = zip(self.sums.all_cost, self.sums.cost, strict=True)
        default = [total[row] - captured[own] for total, captured in pairs]
        return self._reaches(self.child_cost[own], default, gained, missing, self.child_most[own])

    @cached_property
    def child_most(self) -> Array:
        """How many rules may follow each child before its floor reaches the target."""
        most = np.minimum(self.active.sum(axis=1)[:, None] - self.active, self.room[:, None] - 1)
        return self._most(most, self.child_floor)

    @cached_property
    def child_gains(self) -> list[tuple[Array, Array]]:
        """By class: gain_q, and the sums of the greatest, as many as children need."""
        n = int(self.child_most.max(initial=0)) + 1
        gains = map(self.gains, self.sums.gain)
        return [(gain, _sums_of_greatest(gain, n)) for gain in gains]

    def _most(self, most: Array, least_cost: Array) -> Array:
        """Lower the number of further rules to what leaves the floor below the target."""
        short, price = self.problem.target - least_cost, self.problem.least_price
        if price == 0:
            return np.where(short > 0, most, -1)
        return np.minimum(most, -(-short // price) - 1)  # j·p < short, that is, j < short / p

    def _reaches(self, cost: Array, default: Any, gained: Any, least: Array, most: Array) -> Flags:
        """(B) for each default label q, and each number j of further rules from least to most."""
        need = self.problem.target - cost
        reached = np.ones(need.shape, np.bool_)
        for j in range(int(most.max(initial=-1)) + 1):
            settled = (j > most) | (j < least)
            for q, default_cost in enumerate(default):
                loss = default_cost - gained(q, j) if j else default_cost
                reached &= settled | (j * self.problem.least_price + loss >= need)
        return reached

    def children_dominated_by_parent(self) -> Flags:
        """(D) by the parent: the rule is not worth its price, even in the best case."""
        dominated: Flags = (self.problem.prices + self.sums.rule >= self.sums.ceil) & ~self.needed
        return dominated

    def dominated_by_sibling(self, row: Array, antecedent: Array, by: Flags) -> Flags:
        """(D) by a child of the same state, one of those in `by`."""
        problem, x = self.problem, self.child_floor
        captured = (self.left[row] & problem.captures.T[antecedent]) * problem.spread
        shared = problem.sum(captured, problem.capturing)
        own = shared[np.arange(len(row)), antecedent]
        lead = x[row, antecedent][:, None] - x[row]
        dominated: Flags = (by[row] & (lead >= own[:, None] - shared)).any(axis=1)
        dominated &= ~self.needed[row, antecedent]
        return dominated


class _Saved:
    """R_j for each default label: what j rules for other labels save, of one label each.

    By class: what it saves in all of a set (or of many), and the most that 0 to 3 rules for it do.
    """

    def __init__(self, classes: list[tuple[Array, Array]]) -> None:
        by_label = [[np.minimum(whole, saved) for saved in greatest] for whole, greatest in classes]
        none = [0 * by_label[0][0]] * (MOST_RULES + 1)
        before, after = [none], [none]
        for own in by_label[:-1]:
            before.append(self._shared(before[-1], own))
        for own in by_label[:0:-1]:
            after.append(self._shared(after[-1], own))
        self.rules = [self._shared(*both) for both in zip(before, after[::-1], strict=True)]

    @staticmethod
    def _shared(one: list[Array], other: list[Array]) -> list[Array]:
        """Return the most that 0 to 3 rules save, shared among two sets of labels at best."""
        ways = [[one[j - n] + other[n] for n in range(j + 1)] for j in range(MOST_RULES + 1)]
        return [np.maximum.reduce(sums) for sums in ways]

    def by(self, q: int, j: int) -> Array:
        """Return R_j for the default label q."""
        saved = self.rules[q]
        if j <= MOST_RULES:
            return saved[j]
        return saved[-1] + (j - MOST_RULES) * (saved[-1] - saved[-2])


def _without(own: Array, sums: Array, j: int) -> Array:
    """Return the sum of the j greatest without one's own, given the sums of the greatest."""
    if j == 0:
        return 0
    among = own >= sums[..., j] - sums[..., j - 1]
    return np.where(among, sums[..., j + 1] - own, sums[..., j])


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


class _Proof:
    """The closed states. What is left tells them apart, and then required ones used and length."""

    name = "reference"

    def __init__(self, problem: _Problem, source: Source) -> None:
        self.problem, self.source = problem, source
        # Few enough for their numbers to stay in the processor's cache, and within bounds.
        each = len(problem.parts[0]) * max(problem.captures.shape)
        self.batch = max(1, min(512, MOST_BATCH // max(each, 1)))
        self.closed: dict[bytes, dict[tuple[int, int], tuple[Any, int]]] = {}
        self.n_closed = self.n_states = self.n_children = 0

    def walks(self) -> Iterator[tuple[int, list[list[int]], _States]]:
        """Give the closed prefixes and their states, some at a time, and how many came before."""
        m, before = self.problem.m, 0
        prefixes = _prefixes(self.source, m, min(m, self.problem.longest))
        while some := list(islice(prefixes, self.batch)):
            yield before, some, self.problem.walk(some)
            before += len(some)

    def names(self, states: _States) -> Iterator[tuple[bytes, tuple[int, int], Any]]:
        """Give key, terms and cost. Sets of more than 256 groups are compared by their SHA-256."""
        left, used = np.packbits(states.left, axis=1), np.packbits(states.used, axis=1)
        short = bytes if left.shape[1] <= 32 else lambda key: hashlib.sha256(key).digest()
        uses = (int.from_bytes(line.tobytes(), "big") for line in used)
        terms = zip(uses, states.length.tolist(), strict=True)
        return zip(map(short, _void(left).tolist()), terms, states.cost.tolist(), strict=True)

    @_one_thread()
    def read(self) -> None:
        """Collect the states; of those that are alike the cheapest serves for the others."""
        for before, some, states in self.walks():
            for index, (key, terms, cost) in enumerate(self.names(states), before):
                alike = self.closed.setdefault(key, {})
                alike[terms] = min(alike.get(terms, (cost, index)), (cost, index))
            self.n_closed = before + len(some)
        self.n_states = sum(map(len, self.closed.values()))
        _expect_prefixes(self.problem, self.n_closed)

    @_one_thread()
    def check(self, show: bool) -> None:
        """(S), and then (R) and (C) for all closed states."""
        self.check_beginning()
        n_checked, began = 0, time.monotonic()
        for before, some, states in self.walks():
            names = ((*name, index) for index, name in enumerate(self.names(states), before))
            kept = [self.closed.get(k, {}).get(terms) == (cost, i) for k, terms, cost, i in names]
            self._check_closed(list(compress(some, kept)), states.some(kept))
            n_checked += sum(kept)
            if show:
                _show_progress(before + len(some), self.n_closed, began)
        if n_checked != self.n_states:
            _refuse("the file is damaged: it changed while it was read")

    def check_beginning(self) -> None:
        """(S): all lists begin with a state that is closed or bounded."""
        start = self.problem.walk([self.problem.claim.constraints.first])
        if not (self.is_closed(start) | start.is_bounded()).all():
            _refuse_beginning()

    def is_closed(self, states: _States) -> Flags:
        """(D) by a closed state with the same set."""
        found = np.zeros(len(states.cost), np.bool_)
        for row, (key, (used, length), cost) in enumerate(self.names(states)):
            for (other_used, other_length), (other_cost, _) in self.closed.get(key, {}).items():
                if other_cost <= cost and other_length <= length and not used & ~other_used:
                    found[row] = True
        return found

    def _check_closed(self, prefixes: list[list[int]], states: _States) -> None:
        """(R) and (C) for some closed states: each child is justified, in order of the work."""
        problem = self.problem
        objective = states.cost + np.min(states.sums.all_cost, axis=0)
        worse = (objective >= problem.target) | (states.missing > 0)
        for row in np.flatnonzero(~worse):
            _refuse_list(problem, prefixes[row], int(objective[row]))
        for row, antecedent in self.open_children(states):
            _refuse_child(prefixes[row], antecedent)

    def open_children(self, states: _States) -> Array:
        """Return the children, by row and antecedent, that nothing justifies."""
        # No list has these children. That proves nothing of them: they must dominate no sibling.
        exempt = (states.room <= 0)[:, None] | self.problem.forbidden
        justified = exempt | states.children_dominated_by_parent() | states.children_bounded()
        self.n_children += justified.size
        for some in self._left_over(justified):
            justified[some] = states.children_bounded_by_net(*some)
        for some in self._left_over(justified):
            child = states.child(*some)
            done = self.is_closed(child)
            rest = np.flatnonzero(~done)
            done[rest] = child.some(rest).is_bounded()
            justified[some] = done
        proven = justified & ~exempt
        for some in self._left_over(justified):
            justified[some] = states.dominated_by_sibling(*some, proven)
        return np.argwhere(~justified)

    def _left_over(self, justified: Flags) -> Iterator[tuple[Array, Array]]:
        row, antecedent = np.nonzero(~justified)
        for begin in range(0, len(row), self.batch):
            yield row[begin : begin + self.batch], antecedent[begin : begin + self.batch]


class _Listed(_Proof):
    """The prefixes of format 2, each with its reason."""

    @_one_thread()
    def read(self) -> None:
        """Collect the states that others may rest on, and what is listed below each prefix."""
        self.reasons: dict[tuple[int, ...], tuple[int, int]] = {}
        for some in self.batches(lambda *_: True):
            for prefix, reason, witness in some:
                self._expect_beginning(prefix)
                known = self.reasons.get(tuple(prefix))
                if known is None or BEST_FIRST.index(reason) < BEST_FIRST.index(known[0]):
                    self.reasons[tuple(prefix)] = reason, witness
            self.n_closed += len(some)
            if paths := [prefix for prefix, reason, _ in some if reason != SIBLING]:
                for key, terms, cost in self.names(self.problem.walk(paths)):
                    alike = self.closed.setdefault(key, {})
                    alike[terms] = min(alike.get(terms, (cost, 0)), (cost, 0))
        self.n_states = len(self.reasons)
        self.children: dict[tuple[int, ...], list[tuple[int, int, int]]] = {}
        for path, (reason, witness) in self.reasons.items():
            if path:
                self.children.setdefault(path[:-1], []).append((path[-1], reason, witness))
        _expect_prefixes(self.problem, self.n_closed)

    def batches(self, wanted: Callable[..., bool]) -> Iterator[list[Entry]]:
        """Give the entries for which `wanted` holds, some at a time."""
        problem, m = self.problem, self.problem.m
        entries = _entries(self.source, 2, m, min(m, problem.longest))
        chosen = (entry for entry in entries if wanted(*entry))
        while some := list(islice(chosen, self.batch)):
            yield some

    def _expect_beginning(self, prefix: list[int]) -> None:
        limits = self.problem.claim.constraints
        if prefix[: len(limits.first)] != limits.first:
            _refuse(f"the closed prefix {tuple(prefix)} does not begin as all lists have to")
        if not set(limits.forbidden).isdisjoint(prefix):
            _refuse(f"the closed prefix {tuple(prefix)} has a forbidden antecedent")

    @_one_thread()
    def check(self, show: bool) -> None:
        """(S), and then each prefix for its reason."""
        self.check_beginning()
        done, began = 0, time.monotonic()
        for check, reasons in (
            (self._check_closed_ones, (CLOSED,)),
            (self._check_edits, EDITS),
            (self._check_relaxed, (RELAXED,)),
        ):
            for some in self.batches(partial(self._is_due, reasons)):
                check(some)
                done += len(some)
                if show:
                    _show_progress(done, self.n_closed, began)
        if show:
            _show_progress(self.n_closed, self.n_closed, began)
        self.n_children = self.n_states * self.problem.m

    def _is_due(self, reasons: Collection[int], prefix: list[int], *why: int) -> bool:
        return why[0] in reasons and self.reasons.get(tuple(prefix)) == why

    def _stands_by_itself(self, prefix: tuple[int, ...]) -> bool:
        """Whether its children are accounted for one by one, or all are hopeless."""
        return self.reasons.get(prefix, (SIBLING, 0))[0] in (CLOSED, *EDITS)

    def _check_edits(self, entries: list[Entry]) -> None:
        """(I): what the edited prefix leaves and costs makes every list cheaper."""
        problem, limits = self.problem, self.problem.claim.constraints
        edited = [_edited(*entry) for entry in entries]
        a, b = problem.walk([prefix for prefix, _, _ in entries]), problem.walk(edited)
        n = problem.costs.shape[1]
        floor, ceil = problem.parts[:, [n], -1], problem.parts[:, [n + 1], -1]
        lead = a.cost - b.cost + problem.sum(a.left & ~b.left, floor)[:, 0]
        lead -= problem.sum(b.left & ~a.left, ceil)[:, 0]
        good = (lead > 0) & ~(a.used & ~b.used).any(axis=1) & (b.length <= a.length)
        for entry, better, ok in zip(entries, edited, good, strict=True):
            allowed = better[: len(limits.first)] == limits.first
            if not (ok and allowed and set(limits.forbidden).isdisjoint(better)):
                _refuse_reason(entry[0])

    def _check_relaxed(self, entries: list[Entry]) -> None:
        """(R) and (M), both by what the parent leaves; the parent is listed, too."""
        problem, n_first = self.problem, len(self.problem.claim.constraints.first)
        for prefix, _, _ in entries:
            parent = tuple(prefix[:-1])
            if not (self._stands_by_itself(parent) and problem.has_two and len(prefix) > n_first):
                _refuse_reason(prefix)
        parents = sorted({tuple(prefix[:-1]) for prefix, _, _ in entries})
        states = problem.walk([list(parent) for parent in parents])
        by_parent = {parent: _Relaxed(states, row) for row, parent in enumerate(parents)}
        for prefix, _, _ in entries:
            relaxed = by_parent[tuple(prefix[:-1])]
            if (objective := relaxed.objective(prefix[-1])) < problem.target:
                _refuse_list(problem, prefix, int(objective))
            if not relaxed.excludes(prefix[-1], problem.longest - len(prefix)):
                _refuse_reason(prefix)

    def _check_closed_ones(self, entries: list[Entry]) -> None:
        """(P) where at most two rules may follow; otherwise (R), and each child."""
        problem = self.problem
        prefixes = [prefix for prefix, _, _ in entries]
        states = problem.walk(prefixes)
        objective = states.cost + np.min(states.sums.all_cost, axis=0)
        below = (objective < problem.target) & (states.missing == 0)
        for row in np.flatnonzero(below):
            _refuse_list(problem, prefixes[row], int(objective[row]))
        room = problem.longest - np.array(list(map(len, prefixes)))
        few = self._have_few_rules(states, room)
        if problem.has_pairs:
            for at, antecedent in self._pairs_below(states, room, few):
                _refuse_child(prefixes[at], antecedent)
        rest = np.flatnonzero(~few & (room > 0))
        self._check_children([prefixes[row] for row in rest], states.some(rest))

    def _have_few_rules(self, states: _States, room: Array) -> Flags:
        """Whether (P) applies: at most two rules can follow."""
        problem = self.problem
        three = states.cost + 3 * problem.least_price + states.sums.all_floor
        few: Flags = ((room <= 2) | (three >= problem.target)) & problem.has_pairs
        return few

    def _pairs_below(self, states: _States, room: Array, rows: Flags) -> Iterator[Any]:
        """(P): give what is below the target with one or two rules more."""
        problem, sums = self.problem, states.sums
        usable, p = ~problem.forbidden, problem.least_price
        for q in range(2):
            up, down = sums.cost[q] - sums.floor, sums.cost[1 - q] - sums.floor
            one = (states.cost + p + sums.all_cost[q] - problem.target)[:, None]
            found = (up - down > one) & usable & (rows & (room > 0))[:, None]
            yield from np.argwhere(found)
            net, two = up - down, one + p
            half = up + np.maximum(0, net) > two
            most_up, most_net = ((each * usable).max(axis=1, initial=0) for each in (up, net))
            together = (net + most_up[:, None] > two) & (up + most_net[:, None] > two)
            half &= usable & (rows & (room > 1))[:, None] & (together | (up > two))
            for row, t in self._left_over(~half):
                may = self._may_gain(q, up, down, row, t) > two[row, 0]
                row, t = row[may], t[may]
                captured = problem.sum(states.left[row] & problem.captures.T[t], problem.parts)
                shared = captured[:, q, :-1] - captured[:, 1 - q, :-1]
                own = net[row, t][:, None]
                gained = np.maximum(own + net[row] - shared, own - shared)
                more = (gained > two[row]) & usable
                more[np.arange(len(row)), t] = False
                yield from zip(row[more.any(axis=1)], t[more.any(axis=1)], strict=True)

    def _may_gain(self, q: int, up: Array, down: Array, row: Array, t: Array) -> Array:
        """Bound what t and another gain by what both share in all groups.

        In the set, u gains outside t at most what it does in all groups; both harm at least as much
        as either, and as their sum less what they share; and behind u, t is spared at most what
        they share, and what u harms.
        """
        shared_up, shared_down = (self.problem.shared[each][t] for each in (q, 1 - q))
        whole_up = np.diagonal(self.problem.shared[q])
        own_up, own_down = up[row, t][:, None], down[row, t][:, None]
        gain = own_up + np.minimum(up[row], whole_up - shared_up)
        harm = np.maximum(own_down, down[row] + np.maximum(0, own_down - shared_down))
        behind = np.minimum(own_up, whole_up[t][:, None] - shared_up)
        behind = behind - np.maximum(0, own_down - np.minimum(shared_down, down[row]))
        return (np.maximum(gain - harm, behind) * ~self.problem.forbidden).max(axis=1, initial=0)

    def _check_children(self, prefixes: list[list[int]], states: _States) -> None:
        """Justify the children of closed prefixes."""
        if not prefixes:
            return
        proven, open_, by_sibling = self._account(prefixes, states)
        for row, antecedent in np.argwhere(open_ & ~proven):
            _refuse_child(prefixes[row], antecedent)
        for row, antecedent in self._left_over(by_sibling < 0):
            by = by_sibling[row, antecedent]
            good = proven[row, by] & self._dominated(states, row, antecedent, by)
            for at in np.flatnonzero(~good):
                _refuse_child(prefixes[row[at]], antecedent[at])

    def _account(self, prefixes: list[list[int]], states: _States) -> tuple[Flags, Flags, Array]:
        """Tell which children are direct, which have to be, and which sibling is named.

        In order of the work: what is cheap to see comes first.
        """
        problem, shape = self.problem, (len(prefixes), self.problem.m)
        listed, by_sibling = np.zeros(shape, np.bool_), np.full(shape, -1)
        for row, prefix in enumerate(prefixes):
            for antecedent, reason, witness in self.children.get(tuple(prefix), []):
                listed[row, antecedent] = reason != SIBLING
                by_sibling[row, antecedent] = witness if reason == SIBLING else -1
        named = by_sibling >= 0
        proven = states.children_dominated_by_parent() | states.children_bounded()
        proven = (proven & ~problem.forbidden & ~named) | listed
        open_ = ~(proven | named | problem.forbidden)
        open_ &= ~self._swapped(prefixes, states, np.any(open_, axis=1))
        # The siblings that are named must be proven, too.
        wanted = np.zeros(shape, np.bool_)
        wanted[np.nonzero(named)[0], by_sibling[named]] = True
        wanted &= ~(proven | named | problem.forbidden)
        proven |= self._bounded_or_closed(states, open_ | wanted)
        return proven, open_, by_sibling

    def _bounded_or_closed(self, states: _States, asked: Flags) -> Flags:
        """(B), or (D) by a listed state."""
        proven = np.zeros(asked.shape, np.bool_)
        for some in self._left_over(~asked):
            proven[some] = states.children_bounded_by_net(*some)
        for some in self._left_over(~asked | proven):
            child = states.child(*some)
            done = self.is_closed(child)
            rest = np.flatnonzero(~done)
            done[rest] = child.some(rest).is_bounded()
            proven[some] = done
        return proven

    def _dominated(self, states: _States, row: Array, antecedent: Array, by: Array) -> Flags:
        """(D) by the sibling that is named."""
        problem, x = self.problem, states.child_floor
        captured = states.left[row] & problem.captures.T[antecedent] & ~problem.captures.T[by]
        lead = x[row, antecedent] - x[row, by]
        good: Flags = lead >= problem.sum(captured, problem.spread[:, None])[:, 0]
        return good & ~states.needed[row, antecedent]

    def _swapped(self, prefixes: list[list[int]], states: _States, asked: Flags) -> Flags:
        """(O): the last two rules the other way round are cheaper, or as cheap and in order."""
        problem, found = self.problem, np.zeros((len(prefixes), self.problem.m), np.bool_)
        n_first = len(problem.claim.constraints.first)
        rows = [
            row
            for row in np.flatnonzero(asked)
            if len(prefixes[row]) > n_first and self._stands_by_itself(tuple(prefixes[row][:-1]))
        ]
        if not rows:
            return found
        before = problem.walk([prefixes[row][:-1] for row in rows])
        last = np.array([prefixes[row][-1] for row in rows])
        every = np.arange(len(rows))
        labels = np.array(problem.labels)
        cost, now = before.sums.cost[labels], states.sums.cost[labels][:, rows]
        # What the last rule captures behind the child's: all that it does, less what both do.
        behind = (cost[:, every, last][..., None] - (cost - now)).min(axis=0)
        swapped = before.sums.rule + behind
        given = before.sums.rule[every, last][:, None] + states.sums.rule[rows]
        rank = np.argsort(problem.claim.order)
        first = rank < rank[last][:, None]
        found[rows] = (swapped < given) | ((swapped == given) & first)
        return found


class _Relaxed:
    """What any number of rules can reach behind a prefix (Z, a), with two classes: (M).

    A group is of the class that costs less; its spread is what the other label costs more. Of the
    spread of class c that an antecedent t captures in the set of Z, rules have *taken* some: it is
    known only to be from `least[c, t]` to `most[c, t]`. A rule for c costs, above the floor, what
    it captures of the other class and is not taken, and takes of its own class what is not taken.
    A list that ends with the default 1 − c costs what no rule has taken of class c as well.
    """

    def __init__(self, states: _States, row: int) -> None:
        problem, sums = states.problem, states.sums
        self.problem, self.left, self.cost = problem, states.left[row], states.cost[row]
        self.rule, self.floor, self.all_floor = sums.rule[row], sums.floor[row], sums.all_floor[row]
        # By class, of which the *other* label costs more.
        self.captured = np.stack([sums.cost[1 - c][row] - self.floor for c in range(2)])
        self.whole = np.stack([sums.all_cost[1 - c][row] - self.all_floor for c in range(2)])
        little = sums.all_ceil[row] - sums.ceil[row] <= problem.prices  # Theorem 2
        self.usable = ~(problem.forbidden | little)
        self.rank = np.argsort(problem.claim.order)
        self.shared: dict[int, Array] = {}

    def _begin(self, a: int) -> Array:
        """Return what a prefix costs with a, and what it leaves at least."""
        return self.cost + self.problem.prices[a] + self.rule[a] + self.all_floor - self.floor[a]

    def objective(self, a: int) -> Array:
        """Of the prefix with a as a list."""
        return self._begin(a) + (self.whole - self.captured[:, a]).min()

    def _shared_with(self, s: int) -> Array:
        """By class: what each antecedent captures of what s captures, and the set of Z has."""
        if s not in self.shared:
            groups = np.flatnonzero(self.left & self.problem.captures.T[s])
            everything = np.ones((1, len(groups)), np.bool_)
            self.shared[s] = self.problem.sum(everything, self.problem.spreads[groups])[0]
        return self.shared[s]

    def excludes(self, a: int, room: int) -> bool:
        """Whether no list that begins with the prefix and a, and then has a rule, may be better."""
        self.room, self.n_steps = room, 0
        nothing = np.zeros_like(self.captured)
        label = int(self.captured[1, a] > self.captured[0, a])  # the cheaper; of both the first
        return not self._may_reach(1, a, label, self._begin(a), (nothing, nothing, 0 * self.whole))

    def _may_reach(self, n: int, s: int, label: int, spent: Array, taken: Any) -> bool:
        """Whether a list with the n-th rule s, a being the first, may end below the target."""
        self.n_steps += 1
        if self.n_steps > MOST_STEPS:
            return True
        problem, shared, (most, least, whole) = self.problem, self._shared_with(s), taken
        new, old = self.captured[:, [s]] - least[:, [s]], most[:, [s]]
        most = most + np.minimum(np.minimum(shared, new), self.captured - most)
        least = np.maximum(np.maximum(least, shared), least + shared - old)
        whole = np.minimum(whole + new[:, 0], self.whole)
        room = problem.target - spent - n * problem.least_price
        following: list[tuple[int, int, Array]] = []
        for next_label in range(2):
            cost = (self.captured - most)[1 - next_label]
            gain = (self.captured - least)[next_label]
            if next_label != label:  # what is better in front is in front
                fresh = np.maximum(shared - old, 0)[next_label]
                in_order = fresh <= np.minimum(shared, new)[label]
            else:  # (Z, t, a) costs as much as (Z, a, t), and is accounted for with Z
                in_order = self.rank >= self.rank[s]
            follows = in_order & self.usable & (gain > problem.prices) & (gain >= cost)
            rest = np.maximum((self.whole - whole)[next_label] - gain, 0)
            if self.room >= n and (follows & (cost + rest < room)).any():
                return True
            goes_on = follows & (cost < room - problem.least_price) & (self.room > n)
            following += [(int(t), next_label, cost[t]) for t in np.flatnonzero(goes_on)]
        taken = most, least, whole
        return any(
            self._may_reach(n + 1, t, next_label, spent + cost, taken)
            for t, next_label, cost in following
        )


def _edited(prefix: list[int], reason: int, witness: int) -> list[int]:
    """Return the prefix that is to be cheaper: without a rule, or with one in front."""
    if reason == DELETION:
        return prefix[:witness] + prefix[witness + 1 :]
    return [witness, *(antecedent for antecedent in prefix if antecedent != witness)]


def _proof(problem: _Problem, source: Source) -> _Proof:
    """Return what goes through the file, by its format."""
    return (_Proof if problem.claim.version == 1 else _Listed)(problem, source)


def _expect_prefixes(problem: _Problem, n_closed: int) -> None:
    says = problem.claim.counts.closed_prefixes
    if n_closed != says:
        _refuse(f"the file holds {n_closed} closed prefixes; its header says {says}")


def _refuse_beginning() -> NoReturn:
    _refuse("the proof is not complete: the empty prefix, or `first`, is not closed")


def _refuse_list(problem: _Problem, prefix: list[int], objective: int) -> NoReturn:
    found = f"of objective {Fraction(objective, problem.scale)}, which is below"
    where = f"the closed prefix {tuple(prefix)}"
    _refuse(f"{where} is itself a rule list {found} {problem.claim.lower_bound}")


def _refuse_child(prefix: list[int], antecedent: int) -> NoReturn:
    where = f"antecedent {antecedent} after the closed prefix {tuple(prefix)}"
    _refuse(f"the proof is not complete: nothing justifies leaving out {where}")


def _refuse_reason(prefix: Collection[int]) -> NoReturn:
    _refuse(f"the reason that is given for the closed prefix {tuple(prefix)} does not hold")


def _show_progress(done: int, total: int, began: float) -> None:
    """Write over the line on the terminal; `began` is when the first was looked at."""
    left = (time.monotonic() - began) * (total - done) / max(done, 1)
    bar = f"{'#' * (30 * done // max(total, 1)):.<30}"
    about = f"about {left:,.0f} s left" if done < total else ""
    line = f"\rchecked {done:,} of {total:,} closed prefixes [{bar}] {about:<20}"
    print(line, end="\n" * (done == total), file=sys.stderr, flush=True)


def main(
    arguments: list[str] | None = None, check: Callable[..., Verification] | None = None
) -> int:
    """Run the command line; return 0 if verified, 4 if refused, 2 for input that cannot be used.

    Another checker that reads the same data may be the one that checks.
    """
    about = "Check a certificate of optimality against the original data."
    parser = argparse.ArgumentParser(prog="verify", description=about)
    parser.add_argument("certificate", help="the certificate")
    parser.add_argument("data", help="the original data: a CSV file")
    parser.add_argument("--label", required=True, help="the column of labels")
    parser.add_argument("--sample-weight", metavar="COLUMN", help="the column of weights, if any")
    parser.add_argument("--delimiter", help="between cells; found otherwise")
    parser.add_argument("--encoding", help="of the data; found otherwise")
    parser.add_argument("--missing", action="append", default=[], help="a text for no value")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    given = parser.parse_args(arguments)
    how = {"label": given.label, "sample_weight": given.sample_weight}
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # which may lack some characters
            stream.reconfigure(errors="backslashreplace")
    try:
        data = CsvFile(given.data, given.delimiter, given.encoding, given.missing)
        found = (check or verify)(given.certificate, data, progress=True, **how)
    except VerificationError as error:
        said = json.dumps({"verified": False, "reason": str(error)}) if given.json else str(error)
        return _say(said, 4)
    except (DataError, OSError) as error:
        print(f"verify: {error}", file=sys.stderr)
        return 2
    if given.json:
        return _say(json.dumps({"verified": True, **asdict(found)}, default=str), 0)
    exactly = f"objective {found.objective}, lower bound {found.lower_bound}"
    work = f"checked {found.n_children:,} ways to go on from {found.n_states:,} closed states"
    exactly += "" if check else f"; {work}"
    return _say(f"{found}\nExactly: {exactly}.\nThe data were read by {found.reader}.", 0)


def _say(text: str, code: int) -> int:
    """Print and return the exit code; 2 where standard output takes nothing."""
    try:
        print(text, flush=True)
    except OSError as error:
        print(f"verify: standard output: {error}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nothing is tried again at the end
        return 2
    return code


if __name__ == "__main__":
    sys.exit(main())
