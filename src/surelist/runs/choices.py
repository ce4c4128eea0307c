"""What a search can be told by name; a test holds the names against those that the engine has.

Nothing is imported here: the command line needs the names for its help, the page for its forms.
"""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Policy", "Strategy", "Symmetry"]


class Policy(StrEnum):
    """The order of the queue."""

    LOWER_BOUND = "lower_bound"
    BREADTH_FIRST = "breadth_first"
    DEPTH_FIRST = "depth_first"
    OBJECTIVE = "objective"
    CURIOSITY = "curiosity"
    RANDOM = "random"


class Symmetry(StrEnum):
    """The symmetry map."""

    CAPTURED = "captured"
    PERMUTATION = "permutation"
    NONE = "none"


class Strategy(StrEnum):
    """How numbers and dates are cut."""

    AUTO = "auto"
    SUPERVISED = "supervised"
    QUANTILE = "quantile"
    UNIFORM = "uniform"
