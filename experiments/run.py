"""Everything: ``make experiments``, or ``python -m experiments.run --help``."""

from __future__ import annotations

import sys

from experiments import (
    ablation,
    accuracy,
    authors_folds,
    data_sets,
    fairness,
    regularization,
    rule_lists,
    sparsity,
    speedup,
    weapons,
)
from experiments.command import Experiment, run_command

__all__ = ["EXPERIMENTS", "main"]

EXPERIMENTS: tuple[Experiment, ...] = (
    data_sets.run,
    rule_lists.run,
    accuracy.run,
    fairness.run,
    weapons.run,
    sparsity.run,
    regularization.run,
    authors_folds.run,
    ablation.run,
    speedup.run,
)


def main(arguments: list[str] | None = None) -> int:
    """Run every experiment and write the report."""
    return run_command("run", EXPERIMENTS, arguments)


if __name__ == "__main__":
    sys.exit(main())
