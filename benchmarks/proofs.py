"""What a proof costs: search, search that certifies, fast check and reference check side by side.

``python -m benchmarks.proofs [CASE ...]`` prints a table of processor seconds (``make bench``).
Reading the data is not part of any of them; the reference is left out where it takes minutes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from benchmarks.cases import Case, MissingData, all_cases
from surelist import RuleListClassifier, fast_checker
from surelist.checker import _Listed

__all__ = ["main", "measure"]

CASES = ("compas/0.01", "compas/0.005", "nyclu-0/0.01")
MOST_FOR_REFERENCE = 50_000  # listed prefixes


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

    found["search"] = _seconds(lambda: fit(False))
    began = time.process_time()
    proof = fit(True).certificate_
    found["certifying"] = time.process_time() - began
    found |= {"listed": proof.n_closed, "bytes": proof.bytes_per_prefix}
    found["fast"] = _checking(fast_checker._FastProof, "fast", proof, data)
    if proof.n_closed <= MOST_FOR_REFERENCE:
        found["reference"] = _checking(_Listed, "reference", proof, data)
    return found


def _seconds(step: Callable[[], Any]) -> float:
    began = time.process_time()
    step()
    return time.process_time() - began


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
    print("| problem | search | certifying | fast check | reference | listed | bytes each |")
    print("|:---|---:|---:|---:|---:|---:|---:|")
    for name in names:
        try:
            found = measure(cases[name])
        except MissingData as error:
            print(f"| {name} | {error} |")
            continue
        times = (f"{found[key]:.3f}" if key in found else "–" for key in _TIMES)
        print(f"| {name} | {' | '.join(times)} | {found['listed']:,} | {found['bytes']:.2f} |")


_TIMES = ("search", "certifying", "fast", "reference")

if __name__ == "__main__":
    main(sys.argv[1:] or CASES)
