"""A compiled checker that lacks a condition, to see whether the forger gets through.

The sources in ``checker/`` are copied, a condition is made a choice for each fault, and the copy is
built; the product itself has no switch for it. The environment variable SEEDED_FAULT chooses.

``python tests/helpers/seeded_checker.py FOLDER`` builds it there, unless it is there already, and
prints for each fault the first problem whose forgeries show it (`make fuzz-certificates`).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import seeded_engine

LAST_TWO, RELAXATION, KERNELS = (
    f"checker/{name}" for name in ("last_two.hpp", "relaxation.hpp", "kernels.cpp")
)
# Where a condition is, what it says, and what it says with the fault.
FAULTS = {
    "one rule gains too much": (LAST_TWO, "found.net > one", "false"),
    "there is less room": (RELAXATION, "lacking_ - 1", "lacking_ - 1 - problem_.least_price"),
    "there is room for fewer": (RELAXATION, "n > room_", "n >= room_"),
    "what comes first is left out": (KERNELS, "turn[t] < least_turn", "turn[t] >= 0"),
    "a rule costs what it takes": (KERNELS, "gain >= cost", "gain > 2 * cost"),
    "nothing that is shared is gone": (KERNELS, "gone < own_gone ? gone : own_gone", "Lane{0}"),
    "a rule for another label ends nothing": (KERNELS, "ends_with_0 | ends_with_1", "ends_with_0"),
}
CHOOSER = """#pragma once
#include <cstdlib>
inline const int seeded = std::getenv("SEEDED_FAULT") ? std::atoi(std::getenv("SEEDED_FAULT")) : -1;
"""


def seed_faults(root: Path) -> None:
    """Make each condition in these sources a choice between right and wrong."""
    for number, (name, right, wrong) in enumerate(FAULTS.values()):
        path = root / name
        text = path.read_text(encoding="utf-8")
        if text.count(right) != 1:
            raise ValueError(f"{name} does not have once, as this test expects: {right}")
        choice = f"(seeded == {number} ? ({wrong}) : ({right}))"
        path.write_text(text.replace(right, choice), encoding="utf-8")
    header = root / "checker/problem.hpp"
    text = header.read_text(encoding="utf-8")
    header.write_text(text.replace("#pragma once\n", CHOOSER, 1), encoding="utf-8")


def build(folder: Path) -> Path:
    """Build the faulty checker in a folder, unless it is there already; return the module."""
    return seeded_engine.build(folder, seed_faults, "_checker")


def first_shown(folder: Path, number: int, seeds: int) -> int | None:
    """Return the first problem whose forgeries pass the compiled checker with a fault."""
    code = "import sys, seeded_checker; seeded_checker.forge_with(*sys.argv[1:])"
    run = subprocess.run(
        [sys.executable, "-c", code, str(build(folder)), str(seeds)],
        env=os.environ | {"SEEDED_FAULT": str(number), "PYTHONPATH": str(Path(__file__).parent)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: int | None = json.loads(run.stdout)
    return found


def forge_with(module: str, seeds: str) -> None:
    """Print the first seed at which the checkers disagree, or a forgery passes both."""
    seeded_engine.load(Path(module), "_checker")
    from unittest import mock

    import forge
    from both_checkers import DisagreementError

    forge.FORMATS = [2]
    with mock.patch.object(forge, "shrink", lambda case, _: case):
        for seed in range(forge.PLAIN, forge.PLAIN + int(seeds)):
            try:
                forge.forgeries(seed)
            except (DisagreementError, forge.ForgeryError):
                return print(seed)
    return print("null")


def main(folder: Path, seeds: int) -> None:
    shown = {
        fault: first_shown(folder, number, seeds) for number, fault in enumerate(["", *FAULTS], -1)
    }
    print(json.dumps(shown, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 100)
