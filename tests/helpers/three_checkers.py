"""Valid, mutated and forged certificates, each for three checkers, which have to agree.

``python tests/helpers/three_checkers.py 2500`` checks so many: a quarter are mutants, the others
forgeries, and each problem adds proofs that are right. The third checker is the program that is
proven correct (`make proof`).
"""

from __future__ import annotations

import sys

import forge
import mutate
from both_checkers import also_verified

__all__ = ["main"]


def main(count: int, seed: int = 0) -> None:
    """Mutate and forge, and print how often all three gave the same verdict."""
    with also_verified() as asked:
        if seed == 0:
            mutate.main(count // 4)
        forge.main(count - count // 4, seed)
    print(f"three checkers agree: {asked['accepted']:,} accepted, {asked['refused']:,} refused")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:])) if len(sys.argv) > 1 else main(2500)
