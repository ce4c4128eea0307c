"""Check that a proof which lists its antecedents is about every cut of some columns.

Of this package it needs `surelist.checker`, which checks the proof, and `surelist.cuts_checker`,
which finds the cuts of a column in the data; it shares no code with the search.

The claim
---------
A certificate of the general search lists its antecedents, and `surelist.checker` proves that no
allowed list of these has an objective below T. If it names columns that are cut *everywhere*, its
claim is about more antecedents: ``x < t`` and ``x ≥ t`` for each of these columns and any t between
two different values of it, the conditions that it names beside them, and, if it says so, any two of
all these, or any ``s ≤ x < t``, in one rule. Nearly all of them are in the list; others are left
out, since there is a better one. We find every cut in the *original* data, and look at those that
are not listed.

What a cut costs that is not listed: as much as one that is listed and captures the same rows, if
there is one; else at least p, the least of λ and of all prices.

Why that is enough
------------------
Let C be the rows that an antecedent captures which is not listed. In what follows ceil(W) is what
predictions of the rows W cost at most, row by row, and rulecost(W) what they cost with the best
label that a rule may have.

(a) *Listed.* If a listed antecedent that is not forbidden captures C, put it in the place of ours.
    If a list has it twice then, the later one captures nothing: strike that out.
    If only forbidden ones capture C, one of them must ask the same of the same columns: then it is
    ours, and no allowed list has it.
(b) *Too little.* If ceil(C) − rulecost(C) ≤ p, strike out the rule: the rows it captured, which are
    some of C, then cost at most their ceil, and what that is above the cost of one label is a sum
    of terms that are not negative.
(c) *Too much.* If no antecedent is required and ceil(all rows but C) ≤ p, strike out the rule and
    all that follow, and take its label as the default: the rows it left cost at most their ceil.

None of these makes a list costlier or longer. What it begins with, which is listed, stays in front;
required antecedents are listed and stay; and the rules have no new label. So to every allowed list
there is one of listed antecedents alone that costs no more, and at least T. If no case applies to a
cut, we refuse.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING or __package__:
    from surelist import checker, cuts_checker, pairs_checker
    from surelist.checker import Verification, _refuse
else:  # run alone, beside the files of these, as a bundle has them
    import cuts_checker
    import pairs_checker

    import checker
    from checker import Verification, _refuse

__all__ = ["EVERY_CUT", "speaks_of_every_cut", "verify"]

EVERY_CUT = "every_cut"  # the key of the header
SHAPE: Any = {"antecedents": str, "chains": [cuts_checker._chain]}
KINDS = (cuts_checker.CUTS, cuts_checker.PAIRS, cuts_checker.INTERVALS)

Bytes = NDArray[np.uint8]
# An antecedent as what it asks: columns, and the rows that it captures by each of them.
Asked = frozenset[tuple[str, bytes]]


def speaks_of_every_cut(certificate: Any) -> bool:
    """Whether a certificate that lists antecedents says that every cut is among them."""
    try:
        return EVERY_CUT in checker._parse_header(_line(certificate))
    except (OSError, checker.VerificationError, checker.DataError):
        return False  # whoever reads it next says why


def _line(certificate: Any) -> bytes:
    line, _ = next(checker._parts(checker._source(certificate)))
    return line


def verify(
    certificate: Any,
    X: Any = None,
    y: Any = None,
    *,
    label: str | None = None,
    sample_weight: Any = None,
    progress: bool = False,
    proof: Any = None,
    check: Callable[..., Verification] | None = None,
) -> Verification:
    """Check a proof, by `surelist.checker.verify` or ``check``, and that it is about every cut.

    Parameters are those of `surelist.verify`.

    Raises
    ------
    VerificationError
        If the certificate is refused. The message says why.
    DataError
        If the data cannot be read.
    """
    about: dict[str, Any] = {"label": label, "sample_weight": sample_weight}
    more: dict[str, Any] = {} if proof is None else {"proof": proof}
    found = (check or checker.verify)(certificate, X, y, **about, progress=progress, **more)
    line = _line(certificate)
    claim, every = checker._read_header(line), _read_every(line)
    rows = _read_rows(claim, every, X, y, **about)
    listed = _Listed(claim, rows)
    for asked, captured in _antecedents(every, rows):
        if not listed.covers(captured.tobytes(), asked):
            names = " and ".join(sorted({repr(column) for column, _ in asked}))
            _refuse(f"it is said to be about every cut, but one of column {names} is not listed")
    return replace(found, statement=checker._statement(claim, _where(claim, every)))


def _read_every(line: bytes) -> Any:
    """Read what the header says of columns that are cut everywhere."""
    try:
        every = checker._read(SHAPE, checker._parse_header(line)[EVERY_CUT])
        if every.antecedents not in KINDS:
            raise ValueError("there is no such kind of antecedents")
    except (ArithmeticError, AttributeError, KeyError, RecursionError) as error:
        _refuse(f"the header is not as it should be: {error}")
    except (TypeError, ValueError) as error:
        _refuse(f"the header is not as it should be: {error}")
    return every


def _read_rows(claim: Any, every: Any, X: Any, y: Any, **about: Any) -> Any:
    """Return the rows with the keys of all chains, and what each listed condition captures."""
    clauses = (clause for clauses in claim.antecedents for clause in clauses)
    conditions = list({each.condition.key: each.condition for each in clauses}.values())
    asked = SimpleNamespace(
        columns=claim.columns,
        classes=claim.classes,
        n_rows=claim.n_rows,
        weights=claim.weights,
        chains=every.chains,
        rule_list=SimpleNamespace(conditions=[[each] for each in conditions]),
    )
    rows = cuts_checker._read_rows(asked, X, y, about["label"], about["sample_weight"])
    packed = np.packbits(rows.captured, axis=1)
    captured = dict(zip((each.key for each in conditions), packed, strict=True))
    return SimpleNamespace(rows=rows, captured=captured)


class _Listed:
    """The antecedents of a certificate, by what they capture."""

    def __init__(self, claim: Any, rows: Any) -> None:
        self.n_rows = len(rows.rows.classes)
        forbidden = set(claim.constraints.forbidden)
        self.allowed: set[bytes] = set()
        self.forbidden: dict[bytes, list[Asked]] = {}
        everything = np.packbits(np.ones(self.n_rows, np.bool_))
        for index, clauses in enumerate(claim.antecedents):
            asked, captured = [], everything
            for clause in clauses:
                holds = rows.captured[clause.condition.key]
                asked.append(
                    (clause.condition.column, ~holds & everything if clause.negated else holds)
                )
                captured = captured & asked[-1][1]
            if index in forbidden:
                self.forbidden.setdefault(captured.tobytes(), []).append(_asked(*asked))
            else:
                self.allowed.add(captured.tobytes())
        self._weigh(claim, rows.rows)

    def _weigh(self, claim: Any, rows: Any) -> None:
        """Prepare sums of what rows cost by label, and at most, in whole numbers."""
        matrix = np.array(claim.costs.matrix, object)[rows.classes]
        costs = matrix * rows.weights.astype(object)[:, None]
        self.most = costs.max(axis=1)
        self.rule_costs = costs[:, claim.constraints.rule_labels]
        price = min([claim.regularization, *claim.prices])
        self.price = price * claim.costs.unit * int(rows.weights.sum())
        self.may_end = not claim.constraints.required

    def covers(self, captured: bytes, asked: Asked) -> bool:
        """Whether (a), (b) or (c) applies."""
        if captured in self.allowed:
            return True
        if asked in self.forbidden.get(captured, ()):
            return True
        return self._is_worthless(np.frombuffer(captured, np.uint8))

    def _is_worthless(self, packed: Bytes) -> bool:
        inside = np.unpackbits(packed, count=self.n_rows).view(np.bool_)
        most = self.most[inside].sum()
        if Fraction(most - min(self.rule_costs[inside].sum(axis=0), default=0)) <= self.price:
            return True
        return self.may_end and Fraction(self.most.sum() - most) <= self.price


def _antecedents(every: Any, rows: Any) -> Iterator[tuple[Asked, Bytes]]:
    """Give every antecedent that the claim is about, as what it asks and captures."""
    rows = rows.rows
    chains = [_cuts(keys, n) for keys, n in zip(rows.keys, rows.n_cuts, strict=True)]
    columns = [_column(every.chains[column]) for column in rows.columns]
    for captured, column in zip(chains, columns, strict=True):
        for each in captured:
            yield _asked((column, each)), each
    if every.antecedents == cuts_checker.CUTS:
        return
    pairs = pairs_checker.pairs_of_chains(len(chains))
    if every.antecedents == cuts_checker.INTERVALS:
        pairs = pairs_checker.interval_pairs(rows.columns)
    for one, other in pairs:
        if other == len(chains):  # which has no cut
            continue
        for each in chains[one]:
            for further in chains[other]:
                asked = _asked((columns[one], each), (columns[other], further))
                yield asked, each & further


def _asked(*conditions: tuple[str, Bytes]) -> Asked:
    """Put conditions on one column together."""
    found: dict[str, Bytes] = {}
    for column, captured in conditions:
        found[column] = found.get(column, captured) & captured
    return frozenset((column, captured.tobytes()) for column, captured in found.items())


def _cuts(keys: NDArray[np.int32], n_cuts: int) -> Bytes:
    """Return the rows that each cut of a chain captures."""
    step = max(1, cuts_checker.MOST_CELLS // max(1, len(keys)))
    cuts = np.arange(1, n_cuts + 1)[:, None]
    parts = [np.packbits(keys < cuts[at : at + step], axis=1) for at in range(0, n_cuts, step)]
    return np.concatenate(parts) if parts else np.zeros((0, (len(keys) + 7) // 8), np.uint8)


def _column(chain: Any) -> str:
    return str(chain.column if chain.condition is None else chain.condition.column)


def _where(claim: Any, every: Any) -> str:
    """Say over which antecedents an optimum is one."""
    n_columns = sum(chain.condition is None for chain in every.chains)
    of = cuts_checker.asked_in_words(n_columns, len(every.chains) - n_columns)
    where = {
        cuts_checker.CUTS: f"at any cut of {of}",
        cuts_checker.PAIRS: f"with any two cuts of {of} in each rule",
        cuts_checker.INTERVALS: f"at any cut or interval of {of}",
    }[every.antecedents]
    return f", {where} or by these {len(claim.antecedents)} antecedents,"


if __name__ == "__main__":
    sys.exit(checker.main(check=verify))
