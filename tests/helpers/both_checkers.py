"""`verify` by all checkers: any disagreement is a failure, whatever the certificate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from surelist import checker, fast_checker
from surelist.checker import DataError, Verification, VerificationError

__all__ = ["DisagreementError", "also_verified", "verify"]

asked = Counter[str]()  # what the verified checker said, while it is asked
is_asked = False


class DisagreementError(AssertionError):
    """One checker accepts what the other refuses."""


@contextmanager
def also_verified() -> Iterator[Counter[str]]:
    """Let `verify` ask the verified checker, too, and count what it says."""
    global is_asked
    asked.clear()
    is_asked = True
    try:
        yield asked
    finally:
        is_asked = False


def verify(certificate: Any, X: Any = None, y: Any = None, **options: Any) -> Verification:
    """Verify by the fast checker and the reference, and by the verified one while it is asked."""
    try:
        found = _verify_by_two(certificate, X, y, **options)
    except VerificationError as error:
        _expect(certificate, X, y, options, "refused", str(error))
        raise
    _expect(certificate, X, y, options, "accepted", "")
    return found


def _expect(certificate: Any, X: Any, y: Any, options: Any, wanted: str, reason: str) -> None:
    """See that the verified checker says the same."""
    if not is_asked:
        return
    said = "accepted"
    try:
        fast_checker.verify(certificate, X, y, checker="verified", **options)
    except VerificationError as error:
        said = "refused"
        if "what the reference accepts" in str(error):
            raise DisagreementError(str(error)) from error
    if said != wanted:
        raise DisagreementError(f"the verified checker {said}, the others {wanted}: {reason}")
    asked[said] += 1


def _verify_by_two(certificate: Any, X: Any, y: Any, **options: Any) -> Verification:
    """Verify by both; by the reference alone where numbers are too large for the fast one."""
    try:
        return fast_checker.verify(certificate, X, y, checker="both", **options)
    except VerificationError as error:
        if "checkers disagree" in str(error):
            raise DisagreementError(str(error)) from error
        raise
    except DataError as error:
        if "use the reference checker" not in str(error):
            raise
    return checker.verify(certificate, X, y, **options)
