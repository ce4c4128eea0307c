"""The least loss of any rule list of at most K rules, for each K."""

from surelist.estimators.path.loss_by_length import (
    LossByLength,
    LossOfLength,
    tabulate,
)

__all__ = [
    "LossByLength",
    "LossOfLength",
    "tabulate",
]
