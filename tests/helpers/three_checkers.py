"""Valid, mutated and forged certificates, each for three checkers, which have to agree.

``python tests/helpers/three_checkers.py 2500`` goes on until all three have gone through the
prefixes of so many: of each random problem the engine's proof, mutants of a proof, and forgeries;
of a larger one the engine's proof and mutants of that, for which no brute force says what is true.
A second number is the seed of the first problem: so a long run is split, or goes on (25 to 35 seeds
give a thousand certificates). The third checker is the program that is proven correct (`make
proof`). It says how far it is, and of how many problems the engine's proofs were accepted, by what
they had.
"""

from __future__ import annotations

import copy
import sys
from collections import Counter
from contextlib import suppress
from typing import Any

import certify
import certify_engine
import forge
import mutate
import numpy as np
from both_checkers import BEFORE, also_verified, verify

from surelist.checker import VerificationError

__all__ = ["main"]

MUTANTS = 10  # of each problem
MOST_ANTECEDENTS = 14  # of a larger one
CHANGES = (
    mutate.drop_prefix,
    mutate.drop_many,
    mutate.change_prefix,
    mutate.change_reason,
    mutate.change_order,
    mutate.raise_lower_bound,
    mutate.relax_constraint,
)
SHOWN = 5000  # after so many it says how far it is


def main(count: int, seed: int = 0) -> None:
    """Prove, mutate and forge, from the problem of a seed on."""
    kinds: Counter[str] = Counter()
    begin, shown = seed, 0
    with also_verified() as asked:
        while (judged := asked.total() - asked[BEFORE]) < count:
            if judged >= shown + SHOWN:
                shown = judged
                print(f"{_said(asked)}; seed {seed}", flush=True)
            try:
                kinds.update(_try(seed))
            except AssertionError as error:
                raise AssertionError(f"seed {seed}: {error}") from error
            seed += 1
    print(f"the engine's proofs accepted, by what {seed - begin:,} problems had: ", end="")
    print(", ".join(f"{kind} {number:,}" for kind, number in kinds.most_common()))
    print(f"three checkers agree: {_said(asked)}")


def _try(seed: int) -> list[str]:
    """Prove, mutate and forge for one seed, and return what the problem has that was proven."""
    proof = _proof(certify.draw(seed))
    case = certify.prove(certify.draw(seed), seed)
    if case is not None:
        mutate.mutants(case, seed, MUTANTS)
    forge.forgeries(seed)
    if seed % 4 == 3:
        forge.forgeries(forge.PLAIN + seed)
    _change(seed)
    return [] if proof is None else _kinds(proof)


def _said(asked: Counter[str]) -> str:
    return ", ".join(f"{number:,} {verdict}" for verdict, number in sorted(asked.items()))


def _proof(case: certify.Case, **options: Any) -> certify.Case | None:
    """Let all check the engine's proof, and return it."""
    try:
        proof = certify_engine.prove(certify_engine.one_label_at_most(case), **options)
    except ValueError:  # the engine does not count with so many digits
        return None
    certify_engine.check(proof)
    return proof


def _change(seed: int) -> None:
    """See that all say the same of changed proofs with many reasons."""
    rng = np.random.default_rng(seed)
    proof = _proof(certify.draw(seed, MOST_ANTECEDENTS), **certify_engine.options(rng))
    for _ in range(MUTANTS) if proof is not None else ():
        change: Any = CHANGES[int(rng.integers(len(CHANGES)))]
        if (mutant := change(copy.deepcopy(proof), rng)) is not None:
            data = mutant.case.columns, mutant.case.y
            with suppress(VerificationError):
                verify(mutant.data, *data, sample_weight=mutant.case.sample_weight)


def _kinds(proof: certify.Case) -> list[str]:
    """Return what a problem and its proof have."""
    limits = proof.header["constraints"]
    has = {kind: limits[kind] not in (None, []) for kind in limits}
    has |= {kind: proof.header[kind] is not None for kind in ("prices", "costs")}
    has |= {"three classes": len(proof.header["classes"]) > 2, "prefixes": bool(proof.closed)}
    has["relaxations"] = any(certify.why(path)[0] == certify.RELAXED for path in proof.closed)
    return ["any", *(kind for kind, found in has.items() if found)]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:])) if len(sys.argv) > 1 else main(2500)
