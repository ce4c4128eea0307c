"""Check a certificate by the fast checker, the reference, both, or the verified one.

What the data mean, whether the header is well-formed and what the rule list costs, `checker.py`
works out in any case. What follows takes the time: rules (R), (C), (S), (B) and (D) of its header
for every child of every closed state. `_checker`, compiled from the folder ``checker/``, checks
them on whole numbers, with a reader and data structures of its own.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from surelist.checker import (
    DataError,
    VerificationError,
    _expect_prefixes,
    _parts,
    _proof,
    _refuse,
    _refuse_beginning,
    _refuse_child,
    _refuse_list,
    _refuse_reason,
    _show_progress,
    _unpack,
)
from surelist.checker import verify as _verify
from surelist.completeness_checker import is_completeness, verify_completeness
from surelist.cuts_checker import is_cut_certificate
from surelist.cuts_checker import verify as verify_cuts
from surelist.errors import SurelistError
from surelist.every_cut_checker import speaks_of_every_cut
from surelist.every_cut_checker import verify as verify_every_cut
from surelist.fairness_checker import is_fair_certificate, verify_fair
from surelist.fast_cuts_checker import CUT_CHECKERS, cut_proof
from surelist.necessity_checker import is_necessity, verify_necessity
from surelist.verified_checker import VerifiedProof

if TYPE_CHECKING:
    from surelist.checker import Verification

__all__ = ["CHECKERS", "CertificateRefusedError", "UnusableDataError", "verify"]

CHECKERS = ("fast", "reference", "both", "verified")
FAIR, CUTS = "certificates of fair lists", "certificates of all cuts"
COMPLETE = "certificates of complete sets"
MOST_REQUIRED = 64  # antecedents: the fast checker has a bit of a word for each


class CertificateRefusedError(SurelistError, VerificationError):
    """What `verify` raises where `surelist.checker` raises a `VerificationError`."""


class UnusableDataError(SurelistError, DataError):
    """What `verify` raises where `surelist.checker` raises a `DataError`."""


class _TooLargeError(Exception):
    """The numbers of a problem are beyond those of the fast checker."""


@contextmanager
def _in_one_tree() -> Iterator[None]:
    """Raise errors of `surelist.checker`, which imports nothing from here, as a `SurelistError`."""
    try:
        yield
    except VerificationError as error:
        refused = CertificateRefusedError(*error.args)
        raise refused.with_traceback(error.__traceback__) from error.__cause__
    except DataError as error:
        unusable = UnusableDataError(*error.args)
        raise unusable.with_traceback(error.__traceback__) from error.__cause__


@_in_one_tree()
def verify(
    certificate: Any,
    X: Any = None,
    y: Any = None,
    *,
    label: str | None = None,
    sample_weight: Any = None,
    progress: bool | Callable[[int, int], object] = False,
    checker: str | None = None,
    n_jobs: int = 1,
    sensitive_features: Any = None,
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
    progress : bool or callable
        Whether to show progress, if the standard error stream is a terminal. A function is called
        by the fast checker: with how many closed states are checked, and how many there are; for a
        proof over all cuts, with how many of its bytes.
    checker : {"fast", "reference", "both", "verified"}, optional
        The compiled checker, the readable one, both, which have to agree, or the one that is proven
        correct, where it is installed. By default the fast one, or the reference where the numbers
        are beyond 62 bits.
    n_jobs : int
        Threads of the fast checker; -1 for one on each processor.
    sensitive_features : array-like, optional
        For a fair list whose groups were passed to ``fit`` beside the table.

    Raises
    ------
    VerificationError
        If the certificate is refused. The message says why.
    DataError
        If the data cannot be read, so that there is nothing to check against. Both are also a
        `surelist.SurelistError`, like every error of this package.

    Examples
    --------
    >>> from surelist import RuleListClassifier, verify
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5, ["no", "no", "yes", "no"] * 5
    >>> model = RuleListClassifier(regularization=0.05, negations=True, certificate=True).fit(X, y)
    >>> print(verify(model.certificate_, X, y))
    Verified: no rule list over these 8 antecedents has objective below 0.05 at λ = 0.05
    """
    _check_choices(checker, n_jobs)
    data: dict[str, Any] = {"label": label, "sample_weight": sample_weight}
    if is_necessity(certificate):
        how: dict[str, Any] = {"checker": checker, "n_jobs": n_jobs}
        return verify_necessity(certificate, lambda proof: verify(proof, X, y, **data, **how))
    own = _checker_of_its_own(certificate)
    if own is not None and checker not in (CUT_CHECKERS if own == CUTS else (None, "reference")):
        why = "have a checker of their own: do not choose another"
        if checker == "verified":
            raise DataError(f"the verified checker has no proof for {own}, which {why}")
        raise DataError(f"{own} {why}")
    if own == FAIR:
        return verify_fair(certificate, X, y, **data, sensitive_features=sensitive_features)
    if sensitive_features is not None:
        raise DataError("sensitive_features are for certificates of fair lists; this is none")
    if own == COMPLETE:
        return verify_completeness(certificate, X, y, **data)
    tell = progress if callable(progress) else None
    data["progress"] = bool(progress) and tell is None
    if own == CUTS:
        return verify_cuts(certificate, X, y, **data, proof=cut_proof(checker, tell))
    data["proof"] = _proof_by(checker, n_jobs, tell)
    if speaks_of_every_cut(certificate):
        return verify_every_cut(certificate, X, y, **data, check=_verify)
    return _verify(certificate, X, y, **data)


def _check_choices(checker: str | None, n_jobs: int) -> None:
    if checker not in (None, *CHECKERS):
        raise DataError(f"there is no checker {checker!r}: choose one of {', '.join(CHECKERS)}")
    if not isinstance(n_jobs, int) or isinstance(n_jobs, bool) or n_jobs == 0 or n_jobs < -1:
        raise DataError(f"n_jobs is {n_jobs!r}: it must be a positive number of threads, or -1")


def _checker_of_its_own(certificate: Any) -> str | None:
    """Return which kind of certificate this is, if only one checker checks that kind."""
    kinds = {FAIR: is_fair_certificate, COMPLETE: is_completeness, CUTS: is_cut_certificate}
    return next((kind for kind, is_kind in kinds.items() if is_kind(certificate)), None)


def _proof_by(
    checker: str | None, n_jobs: int, tell: Callable[[int, int], object] | None
) -> Callable[[Any, Any], Any]:
    """Return what hands a problem and the source of its proof to the checker that was chosen."""
    threads = n_jobs if n_jobs > 0 else os.cpu_count() or 1

    def proof(problem: Any, source: Any) -> Any:
        if checker == "reference":
            return _proof(problem, source)
        if checker == "verified":
            return VerifiedProof(problem, source)
        try:
            fast = _FastProof(problem, source, threads, tell)
        except _TooLargeError as error:
            if checker is None:
                return _proof(problem, source)
            raise DataError(f"{error}: use the reference checker") from None
        return _BothProofs(fast, _proof(problem, source)) if checker == "both" else fast

    return proof


class _FastProof:
    """The closed prefixes, in the compiled checker."""

    name = "fast"

    def __init__(
        self,
        problem: Any,
        source: Any,
        threads: int,
        tell: Callable[[int, int], object] | None = None,
    ) -> None:
        self.problem, self.source, self.threads, self.tell = problem, source, threads, tell
        self.proof = _compiled(problem)
        self.n_closed = self.n_states = self.n_children = 0

    def read(self) -> None:
        """Hand over the blocks, unpacked."""
        for packed, size in islice(_parts(self.source), 1, None):
            block = _unpack(packed, size)
            try:
                self.proof.read(block)
            except ValueError as error:
                _refuse(str(error))
        self.n_closed, self.n_states = self.proof.n_closed, self.proof.n_states
        _expect_prefixes(self.problem, self.n_closed)

    def check(self, show: bool) -> None:
        """(S), and then (R) and (C) for all closed states."""
        began = time.monotonic()

        def watch(done: int) -> None:
            if self.tell is not None:
                self.tell(done, self.n_states)
            if show:
                _show_progress(done * self.n_closed // max(self.n_states, 1), self.n_closed, began)

        try:
            failure = self.proof.check(self.threads, watch if show or self.tell else None)
        except KeyboardInterrupt:
            if show:
                print(file=sys.stderr)  # the shell goes on below the progress
            raise
        if failure is None:
            self.n_children = self.n_states * self.problem.m
            if show:
                _show_progress(self.n_closed, self.n_closed, began)
            return
        kind, prefix, antecedent, objective = failure
        if kind == "list below target":
            _refuse_list(self.problem, prefix, objective)
        if kind == "open child":
            _refuse_child(prefix, antecedent)
        if kind == "wrong reason":
            _refuse_reason(prefix)
        _refuse_beginning()


def _compiled(problem: Any) -> Any:
    """Give the compiled checker the problem as numbers."""
    try:
        from surelist import _checker
    except ImportError:
        raise _TooLargeError("the fast checker is not installed") from None
    limits = problem.claim.constraints
    if problem.number is object:
        raise _TooLargeError("the numbers of this problem are beyond the fast checker's 62 bits")
    if len(limits.required) > MOST_REQUIRED:
        raise _TooLargeError(f"more than {MOST_REQUIRED} antecedents are required")
    try:
        return _checker.Proof(
            captures=np.ascontiguousarray(problem.captures).view(np.uint8),
            costs=np.ascontiguousarray(problem.costs.astype(np.int64)),
            factor=int(problem.factor),
            prices=[int(price) for price in problem.prices],
            target=int(problem.target),
            longest=int(problem.longest),
            limited=problem.limited,
            labels=problem.labels,
            required=limits.required,
            forbidden=limits.forbidden,
            first=limits.first,
            format=problem.claim.version,
            order=problem.claim.order,
        )
    except OverflowError as error:
        raise _TooLargeError(f"the numbers of this problem are too large: {error}") from None


class _BothProofs:
    """The same proof for both checkers: what one accepts and the other refuses is a defect."""

    name = "both"

    def __init__(self, fast: _FastProof, reference: Any) -> None:
        self.fast, self.reference = fast, reference
        self.refused: dict[str, str] = {}
        self.n_closed = self.n_states = self.n_children = 0

    def read(self) -> None:
        """Read by both; what one cannot read it does not check."""
        for each in (self.fast, self.reference):
            self._try(each.name, each.read)
        self._compare()

    def check(self, show: bool) -> None:
        """Check by both."""
        for each in (self.fast, self.reference):
            self._try(each.name, lambda each=each: each.check(show))
        self._compare()
        counts = {(p.n_closed, p.n_states, p.n_children) for p in (self.fast, self.reference)}
        if len(counts) > 1:
            _refuse(f"the two checkers disagree, which is a defect of one: they count {counts}")
        ((self.n_closed, self.n_states, self.n_children),) = counts

    def _try(self, name: str, step: Any) -> None:
        try:
            step()
        except VerificationError as error:
            self.refused[name] = str(error)

    def _compare(self) -> None:
        if len(self.refused) == 2:
            raise VerificationError(self.refused["reference"])
        for name, reason in self.refused.items():
            _refuse(f"the two checkers disagree, which is a defect of one: {name} says {reason!r}")
