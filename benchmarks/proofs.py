"""What a proof costs: search, search that certifies, and what each checker takes side by side.

``python -m benchmarks.proofs [CASE ...]`` prints a table of processor seconds (``make bench``), and
in brackets how many times a plain search that is; ``--large`` adds problems that take minutes.
Reading the data is not part of any of them; the reference is left out where it takes minutes,
and the verified checker where it is not built. Set ``OPENBLAS_NUM_THREADS=1``, as make does:
threads that wait for each other in the reference take processor time for nothing.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from benchmarks.cases import Case, MissingData, all_cases
from surelist import RuleListClassifier, fast_checker
from surelist.checker import DataError, _Listed
from surelist.verified_checker import VerifiedProof, find_program

__all__ = ["main", "measure"]

CASES = (
    *("compas/0.01", "compas/0.005", "nyclu-0/0.04", "nyclu-0/0.01"),
    *("mpls-1/0.001", "mpls-2/0.005", "boards-2/0.05"),
)
LARGE = ("compas/0.0025", "nyclu-0/0.0025")
MOST_FOR_REFERENCE = 50_000  # listed prefixes
REPEATED = 3  # the least time counts


def measure(case: Case) -> dict[str, float]:
    """Return processor seconds by what was done, listed prefixes and bytes for each."""
    data = case.load()
    found: dict[str, float] = {}

    def fit(certificate: bool) -> Any:
        model = RuleListClassifier(
            Fraction(case.regularization),
            max_clauses=1,
            certificate=certificate,
            work_limit=None,
        )
        return model.fit(data.captures, data.labels)

    times = 1 if case.name in LARGE else REPEATED
    found["search"] = min(_seconds(lambda: fit(False)) for _ in range(times))
    found["certifying"] = min(_seconds(lambda: fit(True)) for _ in range(times))
    proof = fit(True).certificate_
    found |= {"listed": proof.n_closed, "bytes": proof.bytes_per_prefix}
    checks = (_checking(fast_checker._FastProof, "fast", proof, data) for _ in range(times))
    found["fast"] = min(checks)
    if proof.n_closed <= MOST_FOR_REFERENCE:
        found["reference"] = _checking(_Listed, "reference", proof, data)
    if is_verified_built() and proof.n_closed <= MOST_FOR_REFERENCE:
        checks = (_checking(VerifiedProof, "verified", proof, data) for _ in range(times))
        found["verified"] = min(checks)
    return found


def is_verified_built() -> bool:
    try:
        return bool(find_program())
    except DataError:
        return False


def _seconds(step: Callable[[], Any]) -> float:
    """Return the processor time of a step, and of programs that it ran."""
    began = _taken()
    step()
    return _taken() - began


def _taken() -> float:
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def _checking(checker: Any, name: str, proof: Any, data: Any) -> float:
    """Return how long the listed prefixes take: what the data mean is worked out before."""
    taken = 0.0
    plain = checker.read, checker.check

    def timed(step: Callable[..., Any]) -> Callable[..., Any]:
        def run(*given: Any) -> None:
            nonlocal taken
            taken += _seconds(lambda: step(*given))

        return run

    checker.read, checker.check = map(timed, plain)
    try:
        fast_checker.verify(proof, data.captures, data.labels, checker=name)
    finally:
        checker.read, checker.check = plain
    return taken


def main(names: Sequence[str] = CASES) -> None:
    """Print the table."""
    cases = {case.name: case for case in all_cases()}
    columns = "search", "certifying", "fast check", "reference", "verified", "listed", "bytes each"
    print(f"| problem | {' | '.join(columns)} |")
    print("|:---|" + "---:|" * len(columns))
    for name in names:
        try:
            found = measure(cases[name])
        except MissingData as error:
            print(f"| {name} | {error} |")
            continue
        times = [f"{found['search']:.3f}", *(_ratio(found, key) for key in _TIMES)]
        print(f"| {name} | {' | '.join(times)} | {found['listed']:,} | {found['bytes']:.2f} |")


def _ratio(found: dict[str, float], key: str) -> str:
    return f"{found[key]:.3f} ({found[key] / found['search']:.2f}×)" if key in found else "–"


_TIMES = ("certifying", "fast", "reference", "verified")

if __name__ == "__main__":
    asked = [name for name in sys.argv[1:] if name != "--large"] or [*CASES]
    main([*asked, *LARGE] if "--large" in sys.argv else asked)
