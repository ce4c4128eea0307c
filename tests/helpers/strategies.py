"""Random small problems: from seeds, and from hypothesis (which shrinks what fails)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from oracle import Data

from surelist import _core

# λ as text: none at all, next to none, the usual, more than any list is worth, and texts that no
# floating-point number holds. "k/W" stands for k rows' worth of λ, where bounds meet with equality.
REGULARIZATIONS = (
    "0",
    "1e-12",
    "0.001",
    "0.01",
    "0.02",
    "0.05",
    "0.1",
    "0.25",
    "0.9",
    "0.0123456789012345",
    "0.09999999999999999",
    "1/3",
    "2/7",
    "1/13",
    "1/W",
    "2/W",
    "3/W",
    "1/2W",
)
BIG = 10**9 + 7


@dataclass(frozen=True)
class Case:
    """A problem as both the engine and the oracle take it."""

    captures: tuple[tuple[int, ...], ...]
    labels: tuple[int, ...]
    weights: tuple[int, ...]
    n_classes: int
    n_antecedents: int
    regularization: str

    @cached_property
    def data(self) -> Data:
        return Data(self.captures, self.labels, self.weights, self.n_classes, self.n_antecedents)

    @cached_property
    def penalty(self) -> Fraction:
        """λ as a number."""
        return Fraction(self.regularization)

    def arrays(self) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int64]]:
        captures = np.array(self.captures, np.uint8).reshape(len(self.labels), self.n_antecedents)
        return captures, np.array(self.labels, np.int32), np.array(self.weights, np.int64)

    def problem(self) -> _core.Problem:
        return _core.Problem(*self.arrays(), self.n_classes)


def _case(
    captures: NDArray[np.uint8],
    labels: NDArray[np.int32],
    weights: NDArray[np.int64],
    n_classes: int,
    regularization: str,
) -> Case:
    total = int(weights.sum())
    # At least one row must count, and λ must stay below 1 where the whole weight is small.
    text = regularization.replace("2W", str(2 * total)).replace("W", str(total))
    return Case(
        tuple(tuple(int(bit) for bit in row) for row in captures),
        tuple(int(label) for label in labels),
        tuple(int(weight) for weight in weights),
        n_classes,
        captures.shape[1],
        text if Fraction(text) < 1 else "1/3",
    )


def random_case(seed: int, most_antecedents: int = 5, most_rows: int = 30) -> Case:
    """Make the problem of a seed."""
    rng = np.random.default_rng(seed)
    n_antecedents = int(rng.integers(0, most_antecedents + 1))
    if rng.random() < 0.7:  # the small ones are soon exhausted
        n_antecedents = max(n_antecedents, most_antecedents - 1)
    n_rows = int(rng.choice([1, 2, int(rng.integers(3, 10)), int(rng.integers(10, most_rows + 1))]))
    n_classes = int(rng.choice([2, 2, 2, 3, 3, 4]))
    density = rng.choice([0.2, 0.5, 0.8], size=n_antecedents)
    captures = (rng.random((n_rows, n_antecedents)) < density).astype(np.uint8)
    labels = rng.integers(0, n_classes, n_rows).astype(np.int32)
    if n_antecedents and rng.random() < 0.5:  # labels that a rule list can learn, but for noise
        learnt = captures[:, 0] + (captures[:, -1] if n_classes > 2 else 0)
        labels = np.where(rng.random(n_rows) < 0.8, learnt % n_classes, labels).astype(np.int32)
    while n_antecedents > 1 and rng.random() < 0.4:
        _relate(captures, rng)
    regularization = str(rng.choice(REGULARIZATIONS))
    return _case(captures, labels, _weights(n_rows, rng), n_classes, regularization)


def _relate(captures: NDArray[np.uint8], rng: np.random.Generator) -> None:
    """Make a column constant, equal to or the opposite of another, a union or an intersection.

    Mining gives such columns, and random bits rarely do.
    """
    target, first, second = rng.integers(0, captures.shape[1], 3)
    a, b = captures[:, first].copy(), captures[:, second].copy()
    captures[:, target] = (0, 1, a, 1 - a, a | b, a & b)[rng.integers(0, 6)]


def _weights(n_rows: int, rng: np.random.Generator) -> NDArray[np.int64]:
    weights = np.ones(n_rows, np.int64)
    kind = rng.random()
    if kind > 0.5:
        weights = rng.integers(1, 6, n_rows)
    if kind > 0.75:
        weights[rng.random(n_rows) < 0.3] = 0
        weights[rng.integers(n_rows)] = 1
    if kind > 0.9:
        weights = weights * int(rng.choice([1000, 70_000, BIG])) + rng.integers(0, 2, n_rows)
    return weights


def noise(n_rows: int, n_antecedents: int, seed: int = 5) -> _core.Problem:
    """Make a problem with labels that nothing explains: much to search, little to find."""
    rng = np.random.default_rng(seed)
    captures = (rng.random((n_rows, n_antecedents)) < 0.3).astype(np.uint8)
    return _core.Problem(captures, rng.integers(0, 2, n_rows).astype(np.int32), None, 2)


@st.composite
def cases(draw: st.DrawFn, most_antecedents: int = 5, most_rows: int = 20) -> Case:
    """Problems for hypothesis: simplest first, and shrinking towards few rows and antecedents."""
    n_antecedents = draw(st.integers(0, most_antecedents))
    n_classes = draw(st.sampled_from([2, 2, 3, 4]))
    weight = draw(
        st.sampled_from([st.just(1), st.integers(0, 4), st.sampled_from([1, 2, BIG, 10 * BIG])])
    )
    bits = st.lists(st.integers(0, 1), min_size=n_antecedents, max_size=n_antecedents)
    row = st.tuples(bits, st.integers(0, n_classes - 1), weight)
    rows = draw(
        st.lists(row, min_size=1, max_size=most_rows).filter(lambda rows: any(r[2] for r in rows))
    )
    return _case(
        np.array([r[0] for r in rows], np.uint8).reshape(len(rows), n_antecedents),
        np.array([r[1] for r in rows], np.int32),
        np.array([r[2] for r in rows], np.int64),
        n_classes,
        draw(st.sampled_from(REGULARIZATIONS)),
    )


THOROUGH = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
