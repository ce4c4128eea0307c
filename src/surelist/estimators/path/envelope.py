"""What is known of the optimal objective as a function of λ, from above and from below.

A rule list has the objective ``loss + λ·cost``, a straight line in λ; its cost is its length,
unless antecedents were given costs of their own. The optimal objective is the lower envelope of the
lines of all rule lists that are allowed, hence piecewise linear and concave. So whatever lists are
known bound it from above, by the lower envelope of their lines; and whatever values are proven at
single λ bound it from below, by the upper hull of these points: a concave function lies above its
chords. Where both meet at the two ends of a piece of one line, they meet in between, and that line
is optimal on all of it.

Everything is exact: fractions in, fractions out.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

__all__ = ["Envelope", "Line", "Piece"]

Point = tuple[Fraction, Fraction]


@dataclass(frozen=True, order=True)
class Line:
    """The objective of a rule list as a function of λ.

    Attributes
    ----------
    cost : Fraction
        Of its rules, in multiples of λ: their number where each costs 1.
    loss : Fraction

    Examples
    --------
    >>> from fractions import Fraction
    >>> from surelist.estimators.path.envelope import Line
    >>> Line(cost=Fraction(2), loss=Fraction(1, 10)).at(Fraction(1, 100))
    Fraction(3, 25)
    """

    cost: Fraction
    loss: Fraction

    def at(self, regularization: Fraction) -> Fraction:
        """Return the objective for one λ."""
        return self.loss + regularization * self.cost


@dataclass(frozen=True)
class Piece:
    """A range of λ on which one known line is the lowest; certified where no list is lower."""

    start: Fraction
    stop: Fraction
    line: Line
    certified: bool


class Envelope:
    """Known lines and proven lower bounds over a range of λ.

    Parameters
    ----------
    start, stop : Fraction
        The range, ends included.

    Examples
    --------
    Two lists are known to be optimal at the ends. Where their lines meet, a third may be lower:

    >>> from fractions import Fraction
    >>> from surelist.estimators.path.envelope import Envelope, Line
    >>> known = Envelope(Fraction(0), Fraction(1, 2))
    >>> known.add_line(Line(Fraction(0), Fraction(1, 2)))
    >>> known.add_line(Line(Fraction(2), Fraction(0)))
    >>> known.add_bound(Fraction(0), Fraction(0))
    >>> known.add_bound(Fraction(1, 2), Fraction(1, 2))
    >>> known.corners()
    [Fraction(0, 1), Fraction(1, 4), Fraction(1, 2)]
    >>> known.gap(Fraction(1, 4))
    Fraction(1, 4)
    """

    def __init__(self, start: Fraction, stop: Fraction) -> None:
        self.start = start
        self.stop = stop
        self._lines: set[Line] = set()
        self._bounds: dict[Fraction, Fraction] = {}
        # Made again when something was added.
        self._hull: list[Point] | None = None
        self._lowest: list[tuple[Fraction, Line]] | None = None

    def add_line(self, line: Line) -> None:
        """Add the line of a rule list that exists."""
        self._lines.add(line)
        self._lowest = None

    def add_bound(self, regularization: Fraction, value: Fraction) -> None:
        """Add a proven bound: at this λ no rule list has an objective below `value`."""
        known = self._bounds.get(regularization)
        self._bounds[regularization] = value if known is None else max(known, value)
        self._hull = None

    @property
    def hull(self) -> list[Point]:
        """The proven lower bound as the corners of a concave function, from left to right."""
        if self._hull is None:
            self._hull = _upper_hull(sorted(self._bounds.items()))
        return self._hull

    @property
    def lowest(self) -> list[tuple[Fraction, Line]]:
        """The lines of the lower envelope, each with the λ from which on it is the lowest."""
        if self._lowest is None:
            self._lowest = _lower_envelope(self._lines, self.start, self.stop)
        return self._lowest

    def corners(self) -> list[Fraction]:
        """Return both ends, and every λ at which the lowest known line changes."""
        return sorted({*(start for start, _ in self.lowest), self.stop})

    def upper(self, regularization: Fraction) -> Fraction:
        """Return the least objective of the known lists."""
        return min(line.at(regularization) for line in self._lines)

    def lower(self, regularization: Fraction) -> Fraction:
        """Return the proven lower bound; 0 outside of what was proven."""
        return interpolate(self.hull, regularization)

    def gap(self, regularization: Fraction) -> Fraction:
        """Return how much lower than the known lists another may be; 0 is a proof."""
        return self.upper(regularization) - self.lower(regularization)

    def pieces(self) -> list[Piece]:
        """Cut the range where the lowest line changes, and where what is certified ends."""
        cuts = sorted(
            {*self.corners(), *(at for at, _ in self.hull if self.start <= at <= self.stop)}
        )
        if len(cuts) == 1:
            return [Piece(cuts[0], cuts[0], self.lowest[0][1], self.gap(cuts[0]) == 0)]
        pieces: list[Piece] = []
        for start, stop in pairwise(cuts):
            line = next(line for at, line in reversed(self.lowest) if at <= start)
            certified = self.gap(start) == 0 and self.gap(stop) == 0
            last = pieces[-1] if pieces else None
            if last is not None and (last.line, last.certified) == (line, certified):
                start = pieces.pop().start
            pieces.append(Piece(start, stop, line, certified))
        return pieces


def interpolate(points: list[Point] | tuple[Point, ...], at: Fraction) -> Fraction:
    """Return the value between two points of a line of points, in order; 0 outside of them."""
    index = bisect_left(points, at, key=lambda point: point[0])
    if index == len(points):
        return Fraction(0)
    right, value = points[index]
    if right == at:
        return value
    if index == 0:
        return Fraction(0)
    left, other = points[index - 1]
    return other + (value - other) * (at - left) / (right - left)


def _upper_hull(points: list[Point]) -> list[Point]:
    """Keep the points that lie on or above every chord between two others."""
    hull: list[Point] = []
    for x, y in points:
        while len(hull) > 1:
            (x0, y0), (x1, y1) = hull[-2:]
            if (y1 - y0) * (x - x0) > (y - y0) * (x1 - x0):
                break
            hull.pop()
        hull.append((x, y))
    return hull


def _lower_envelope(
    lines: set[Line], start: Fraction, stop: Fraction
) -> list[tuple[Fraction, Line]]:
    """Walk from left to right; at each crossing, go on along the flattest of the lowest lines."""
    at = start
    line = min(lines, key=lambda line: (line.at(at), line.cost))
    lowest = [(at, line)]
    while True:
        crossings = [
            ((other.loss - line.loss) / (line.cost - other.cost), other.cost, other)
            for other in lines
            if other.cost < line.cost
        ]
        if not crossings:
            return lowest
        at, _, line = min(crossings)
        if at >= stop:
            return lowest
        lowest.append((at, line))
