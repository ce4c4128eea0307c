"""`verify` by all checkers: any disagreement is a failure, whatever the certificate.

The fast checker and the reference always have to agree. Within `also_verified` the program that is
proven correct is asked, too: one process checks all, and is not told what the others say.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from surelist import checker, fast_checker
from surelist.checker import Verification, VerificationError
from surelist.verified_checker import VerifiedProof, find_program

__all__ = ["BEFORE", "DisagreementError", "also_verified", "verify"]

BEFORE = "refused before the prefixes"  # by what all checkers share
asked = Counter[str]()  # what the verified checker said, while it is asked
program: subprocess.Popen[bytes] | None = None  # while it is


class DisagreementError(AssertionError):
    """One checker accepts what the other refuses."""


@contextmanager
def also_verified() -> Iterator[Counter[str]]:
    """Let `verify` ask the verified checker, too, and count what it says."""
    global program
    asked.clear()
    pipe = subprocess.PIPE
    with subprocess.Popen([find_program()], stdin=pipe, stdout=pipe) as program:
        try:
            yield asked
        finally:
            program.stdin.close()  # type: ignore[union-attr]
    program = None


def verify(certificate: Any, X: Any = None, y: Any = None, **options: Any) -> Verification:
    """Verify by the fast checker and the reference, and by the verified one while it is asked."""
    before = asked.total()
    try:
        return checker.verify(certificate, X, y, **options, proof=_Proofs)
    except VerificationError as error:
        if "checkers disagree" in str(error):
            raise DisagreementError(str(error)) from error
        if asked.total() == before and program is not None:
            asked[BEFORE] += 1
        raise


class _AskedProof(VerifiedProof):
    """The listed prefixes, in the process that is already there."""

    def _accepts(self, text: bytes) -> bool:
        assert program is not None
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write(text + b"\n")
        program.stdin.flush()
        said = program.stdout.readline().decode()
        if not said.startswith(("accepted, ", "refused, ")):
            raise AssertionError(f"the verified checker gave no verdict, but {said!r}")
        return said.startswith("accepted")

    def _ask_reference(self, show: bool) -> None:
        """Do nothing: it is asked anyway."""


class _Proofs:
    """The same proof for all checkers: the reference alone where numbers are too large."""

    def __init__(self, problem: Any, source: Any) -> None:
        self.others: Any = checker._proof(problem, source)
        with suppress(fast_checker._TooLargeError):
            fast = fast_checker._FastProof(problem, source, 1, None)
            self.others = fast_checker._BothProofs(fast, self.others)
        self.asked = None if program is None else _AskedProof(problem, source)

    def __getattr__(self, name: str) -> Any:  # what is counted
        return getattr(self.others, name)

    def read(self) -> None:
        self._step(self.others.read)

    def check(self, show: bool) -> None:
        self._step(lambda: self.others.check(show))
        self._compare("accepted", "")

    def _step(self, step: Callable[[], None]) -> None:
        try:
            step()
        except VerificationError as error:
            if "checkers disagree" not in str(error):
                self._compare("refused", str(error))
            raise

    def _compare(self, wanted: str, reason: str) -> None:
        """See that the verified checker says the same."""
        if self.asked is None:
            return
        said = "accepted"
        try:
            self.asked.read()
            self.asked.check(False)
        except VerificationError:
            said = "refused"
        if said != wanted:
            raise DisagreementError(f"the verified checker {said}, the others {wanted}: {reason}")
        asked[said] += 1
