"""
The fast checker of proofs: rules (R), (C), (S), (B) and (D) on whole numbers.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


class Proof:
    """The closed prefixes of a certificate, and their check."""

    def __init__(self, captures: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], costs: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], factor: int, prices: Sequence[int], target: int, longest: int, limited: bool, labels: Sequence[int], required: Sequence[int], forbidden: Sequence[int], first: Sequence[int], format: int = 1, order: Sequence[int] = [], counting: str = '') -> None:
        """
        Take the problem. OverflowError: the numbers are too large for the fast checker.
        """

    def read(self, block: bytes) -> None:
        """Read an unpacked block. ValueError: it is damaged."""

    def check(self, n_jobs: int, watch: object | None) -> tuple[str, list[int], int, int] | None:
        """
        Check what was read: None, or why it is no proof, the prefix, antecedent, objective.
        """

    @property
    def n_closed(self) -> int:
        """Prefixes that were read."""

    @property
    def n_states(self) -> int:
        """Different states among them."""
