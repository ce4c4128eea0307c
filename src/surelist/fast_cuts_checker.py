"""Go through a proof over all cuts with the compiled checker, the readable one, or both.

What the claim is, what the data mean and what the rule list costs, `cuts_checker.py` works out in
any case. What takes the time are the states that the proof names: `_checker`, compiled from the
folder ``checker/``, goes through them by the same rules, with a reader and sums of its own. Proofs
over pairs of cuts have the readable checker only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from surelist.checker import DataError, VerificationError
from surelist.cuts_checker import Proof

__all__ = ["CUT_CHECKERS", "cut_proof"]

CUT_CHECKERS = (None, "fast", "reference", "both")
Tell = Callable[[int, int], object]


def cut_proof(checker: str | None, tell: Tell | None) -> Callable[..., Proof]:
    """Return the constructor of the checker: the one that was chosen, or the fastest installed.

    Raises
    ------
    DataError
        If that checker is not installed.
    """
    if checker == "reference":
        return Proof
    if checker is None and not _installed():
        return Proof
    if not _installed():
        raise DataError("the fast checker is not installed: use the reference checker")
    if checker == "both":
        return partial(_BothProofs, tell=tell)
    return partial(_FastProof, tell=tell, chosen=checker is not None)


def _installed() -> bool:
    try:
        from surelist import _checker  # noqa: F401
    except ImportError:
        return False
    return True


class _FastProof(Proof):
    """A proof in the compiled checker."""

    name = "all cuts, fast"

    def __init__(
        self, problem: Any, proof: bytes, show: bool, *, tell: Tell | None, chosen: bool
    ) -> None:
        super().__init__(problem, proof, show)
        self.tell, self.chosen = tell, chosen

    def check(self, n_rules: int) -> int:
        from surelist import _checker

        problem, n_bytes = self.problem, len(self.proof)

        def watch(done: int) -> None:
            if self.tell is not None:
                self.tell(done, n_bytes)
            self.show_share(done)

        compiled = _checker.CutProof(
            keys=np.ascontiguousarray(problem.keys, np.int32),
            n_cuts=problem.n_cuts,
            last=problem.last,
            classes=problem.classes.astype(np.uint32),
            n_classes=problem.by_class.shape[1],
            weights=problem.by_class.sum(axis=1),
            groups=problem.group.astype(np.uint32),
            unit=problem.unit,
            price=problem.price,
            proof=self.proof,
        )
        try:
            least = compiled.check(n_rules, watch if self.show or self.tell else None)
        except ValueError as error:
            raise VerificationError(f"Refused: {error}") from None
        finally:
            self.hide_share()
        self.n_states, self.n_solved = compiled.n_states, compiled.n_solved
        self.n_cuts = compiled.n_cuts
        return int(least)

    def check_pairs(self, *given: Any) -> None:
        if self.chosen:
            _refuse_choice()
        super().check_pairs(*given)


class _BothProofs(Proof):
    """The same proof for both: what one accepts and the other refuses is a defect."""

    name = "all cuts, both"

    def __init__(self, problem: Any, proof: bytes, show: bool, *, tell: Tell | None) -> None:
        super().__init__(problem, proof, show)
        self.fast = _FastProof(problem, proof, show, tell=tell, chosen=True)

    def check(self, n_rules: int) -> int:
        found = [_outcome(each, n_rules) for each in (self.fast.check, super().check)]
        counts = [(each.n_states, each.n_solved, each.n_cuts) for each in (self.fast, self)]
        refused = [isinstance(each, str) for each in found]  # whatever each says first
        if not all(refused) and (found[0] != found[1] or counts[0] != counts[1]):
            raise VerificationError(
                f"Refused: the two checkers disagree, which is a defect of one: the fast one says "
                f"{found[0]} {counts[0]}, the reference {found[1]} {counts[1]}"
            )
        if isinstance(found[1], str):
            raise VerificationError(found[1])
        return found[1]

    def check_pairs(self, *_: Any) -> None:
        _refuse_choice()


def _outcome(check: Callable[[int], int], n_rules: int) -> int | str:
    """Return the least cost, or why the proof is refused."""
    try:
        return check(n_rules)
    except VerificationError as error:
        return str(error)


def _refuse_choice() -> None:
    raise DataError("a certificate of pairs of cuts has one checker: do not choose another")
