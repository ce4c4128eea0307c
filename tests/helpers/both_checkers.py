"""`verify` by both checkers: any disagreement is a failure, whatever the certificate."""

from __future__ import annotations

from typing import Any

from surelist import checker, fast_checker
from surelist.checker import DataError, Verification, VerificationError

__all__ = ["DisagreementError", "verify"]


class DisagreementError(AssertionError):
    """One checker accepts what the other refuses."""


def verify(certificate: Any, X: Any = None, y: Any = None, **options: Any) -> Verification:
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
