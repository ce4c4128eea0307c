"""How the weights of groups came about, where the rows themselves are not at hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Weighing"]


@dataclass(frozen=True, eq=False)
class Weighing:
    """How the label and weight of a row became a class and a whole number.

    Attributes
    ----------
    classes : ndarray
        The classes, in order.
    totals : ndarray of int
        Whole weight of all rows, by class.
    description : mapping
        As `surelist.weights.describe_weights` gives it.
    unit : float
        The whole weight that stands for a weight of 1.
    """

    classes: NDArray[Any]
    totals: NDArray[np.int64]
    description: Mapping[str, Any]
    unit: float
