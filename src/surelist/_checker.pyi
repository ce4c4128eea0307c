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

class CutProof:
    """A proof over all cuts of columns, and its check."""

    def __init__(self, keys: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_cuts: Sequence[int], last: Sequence[int], classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], groups: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], unit: int, price: int, proof: bytes) -> None:
        """
        Take rows of one class each, what rules and losses cost, and the proof.
        """

    def check(self, n_rules: int, watch: object | None) -> int:
        """
        What lists of so many rules cost at least. ValueError: the proof is damaged.
        """

    @property
    def n_states(self) -> int:
        """States that were checked."""

    @property
    def n_solved(self) -> int:
        """Cuts that the proof names."""

    @property
    def n_cuts(self) -> int:
        """Cuts that these were extended to."""
