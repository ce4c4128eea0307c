"""What is known of the optimal objective, against brute force over lines and chords."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surelist.estimators.path.envelope import Envelope, Line, interpolate

lines = st.lists(
    st.builds(Line, st.integers(0, 6), st.builds(Fraction, st.integers(0, 20), st.just(20))),
    min_size=1,
    max_size=8,
)
shares = st.builds(lambda n: Fraction(n, 60), st.integers(0, 59))


def envelope_of(lines: list[Line], ends: list[Fraction]) -> Envelope:
    known = Envelope(*sorted(ends))
    for line in lines:
        known.add_line(line)
    return known


@pytest.mark.slow
@given(lines, st.lists(shares, min_size=2, max_size=2, unique=True), shares)
def test_lowest_lines_are_the_minimum_everywhere(
    given_lines: list[Line], ends: list[Fraction], at: Fraction
) -> None:
    known = envelope_of(given_lines, ends)
    start, stop = sorted(ends)
    at = min(max(at, start), stop)
    lowest = next(line for begin, line in reversed(known.lowest) if begin <= at)
    assert lowest.at(at) == known.upper(at) == min(line.at(at) for line in given_lines)
    costs = [line.cost for _, line in known.lowest]
    assert costs == sorted(set(costs), reverse=True)
    corners = known.corners()
    assert corners == sorted(set(corners))
    assert (corners[0], corners[-1]) == (start, stop)


@pytest.mark.slow
@given(st.dictionaries(shares, shares, min_size=1, max_size=8), shares)
def test_the_hull_is_the_best_chord(bounds: dict[Fraction, Fraction], at: Fraction) -> None:
    known = Envelope(Fraction(0), Fraction(1))
    known.add_line(Line(Fraction(0), Fraction(1)))
    for place, value in bounds.items():
        known.add_bound(place, value)
    chords = [
        bounds[a] if a == b else bounds[a] + (bounds[b] - bounds[a]) * (at - a) / (b - a)
        for a in bounds
        for b in bounds
        if a <= at <= b
    ]
    assert known.lower(at) == max(chords, default=Fraction(0))


@pytest.mark.slow
@given(lines, st.lists(shares, min_size=2, max_size=2, unique=True), st.randoms())
def test_pieces_are_certified_exactly_where_bounds_meet_lines(
    given_lines: list[Line], ends: list[Fraction], random: object
) -> None:
    known = envelope_of(given_lines, ends)
    for at in known.corners():
        # Some corners are proven, others only half.
        proven = random.random() < 0.6  # type: ignore[attr-defined]
        known.add_bound(at, known.upper(at) * (1 if proven else Fraction(1, 2)))
    pieces = known.pieces()
    assert [pieces[0].start, pieces[-1].stop] == sorted(ends)
    for left, right in pairwise(pieces):
        assert left.stop == right.start
        assert (left.line, left.certified) != (right.line, right.certified)
    for piece in pieces:
        inside = [piece.start + (piece.stop - piece.start) * Fraction(k, 7) for k in range(1, 7)]
        for at in inside:
            assert piece.line.at(at) == known.upper(at)
            assert (known.gap(at) == 0) == (piece.certified or known.upper(at) == 0)


def test_a_later_bound_never_weakens_an_earlier_one() -> None:
    known = Envelope(Fraction(0), Fraction(1, 2))
    known.add_bound(Fraction(0), Fraction(1, 4))
    known.add_bound(Fraction(0), Fraction(1, 8))
    assert known.lower(Fraction(0)) == Fraction(1, 4)


def test_nothing_is_known_outside_of_what_was_proven() -> None:
    points = [(Fraction(1, 4), Fraction(1, 8)), (Fraction(1, 2), Fraction(1, 4))]
    assert interpolate(points, Fraction(1, 8)) == 0
    assert interpolate(points, Fraction(3, 8)) == Fraction(3, 16)
    assert interpolate(points, Fraction(3, 4)) == 0


def test_a_range_may_be_a_single_value() -> None:
    known = Envelope(Fraction(1, 4), Fraction(1, 4))
    known.add_line(Line(Fraction(1), Fraction(1, 4)))
    known.add_bound(Fraction(1, 4), Fraction(1, 2))
    (piece,) = known.pieces()
    assert piece.certified
    assert piece.start == piece.stop == Fraction(1, 4)
