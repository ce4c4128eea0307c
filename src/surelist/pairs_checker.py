"""Check a proof that no rule list is better at any pair of cuts.

A part of `surelist.cuts_checker`, which reads the certificate and finds chains, keys, classes and
weights in the data; words are explained there. Here a rule asks *two* cuts, one of each of two
chains: rows with keys below both are captured. The pairs of chains are those of the claim: any two
chains, or both sides of each column. To every chain belong cut 0, which captures nothing, and cut
n + 1, which captures all rows, so that a pair also has the rules that ask one cut alone. As cut 0
captures nothing, n rules stand for fewer, too, at a higher price.

Why a box is enough
-------------------
A *box* is a pair of chains with a range of cuts in each. Let L be what its lowest cuts capture, and
H what its highest do: every conjunction C of it has L ⊆ C ⊆ H. The loss of a set of rows, if its
best label is predicted, never falls as rows are added.

(4) *One rule.* Whatever C of the box captures and leaves of a set T, with labels a and b for them:
    the rows of T∩L that are not of a, and those of T∖H that are not of b, are lost. If a = b, that
    is no better than no rule, and loses loss(T). So loss(T∩C) + loss(T∖C) is at least the least of
    loss(T) and of these losses for any two *different* labels.
(5) *More rules.* Let some rules have left the rows S, and let a list go on by a C of a box, and
    then by n rules the first of which is of a family F. On S it costs at least λ + loss(S∩L) + V,
    where V is the least that n such rules cost on T = S∖H. For what C leaves contains T, and what
    each of the n rules captures of it, or they leave, only grows.
(6) *Parts.* If that reaches the target for F and a box, it does for every part of the box: its
    lowest cuts capture at least L, and its T is at least as large.
(7) *Few labels.* n rules and a default predict at most n + 1 labels, so on any rows they cost at
    least nλ and the weight of all classes but the n + 1 heaviest. On T that may be enough for all
    F at once, and on S for all boxes.

For lists of two rules, of three and so on, the proof is a tree of boxes for each pair of chains,
from the whole range on. A box is split in two at a cut, and before that families are named that are
settled for the box by (5), and so for all its parts. In a box that is not split, all families that
are left must be settled. A family with more than one rule to come has a tree of its own there, of
one rule less, on the rows T and with the rest of the target. If its rule is the last, we settle it
by (4): a table of counts by (bin, bin), summed along both axes, has every loss at the bounds of
bins, and a bound for each box between them; where that is below what is needed, the box gets a
table of its own, down to single cuts. So nothing is taken over from the proof but where to look.

The first table of a family has bins of about as many rows each, found once for all. The finer ones
are small and many: they wait, whichever box of the proof they are for, until there are enough of
them to be counted together.

Lists of one rule are settled in the same way, with all rows as T, and the empty list by its loss.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["PairProof", "interval_pairs", "pairs_of_chains"]

BINS = 16  # of a chain, at most
FINER_BINS = 8  # of a part of it
MOST_ENTRIES = 1 << 18  # rows and cells of tables that are counted at once
EXACT = 1 << 53  # sums of floating-point numbers below it are exact

Array = NDArray[np.int64]


def pairs_of_chains(n_chains: int) -> list[tuple[int, int]]:
    """Return every two chains; a single one has the one beyond the last beside it."""
    if n_chains == 1:
        return [(0, 1)]
    return [(one, other) for one in range(n_chains) for other in range(one + 1, n_chains)]


def interval_pairs(columns: list[int]) -> list[tuple[int, int]]:
    """Return both sides of each column; ``columns`` numbers the column of each chain."""
    pairs = []
    for at, column in enumerate(columns):
        if columns.count(column) == 1:
            pairs.append((at, len(columns)))
        elif columns[at - 1 : at] == [column]:
            pairs.append((at - 1, at))
    return pairs


@dataclass(frozen=True, eq=False)
class _Boxes:
    """Boxes of some families, each with the rows that it has to count, in their order."""

    pairs: Array  # by box: both chains
    low: Array
    high: Array
    always: Array  # by class and box: what all its cuts capture
    whole: Array  # by class and box: all rows that are left
    need: Array  # by box: what has to be lost at least
    box: NDArray[np.intp]  # by entry
    row: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class _Low:
    """Boxes in which cuts may lose less, by the places of their ends in the table of another."""

    first: Array  # by box and axis
    last: Array
    of: Array  # the box of the table


class PairProof:
    """Reads a proof, and checks it against a target.

    Parameters
    ----------
    problem
        Keys, cuts, classes and weights of rows of one class each, as `cuts_checker` has them.
    pairs
        Which two chains a rule may ask; the one beyond the last has no cut of its own.
    read
        Returns the next number of the proof, which must be below its argument, or refuses.
    """

    def __init__(self, problem: Any, pairs: list[tuple[int, int]], read: Callable[[int], int]):
        self.problem, self.read = problem, read
        n_rows = problem.keys.shape[1]
        self.keys = np.vstack([problem.keys, np.zeros((1, n_rows), problem.keys.dtype)])
        self.ends = np.array([*problem.n_cuts, 0], np.int64) + 1  # the cut that captures all rows
        self.pairs = np.array(pairs, np.int64).reshape(len(pairs), 2)
        self.weights = problem.by_class.sum(axis=1)
        self.n_classes = problem.by_class.shape[1]
        self.n_boxes = self.n_settled = 0
        self.bounds = np.array([_bounds(*each) for each in zip(self.keys, self.ends, strict=True)])
        bins = [
            np.searchsorted(bounds, keys, side="right")
            for bounds, keys in zip(self.bounds, self.keys, strict=True)
        ]
        self.places = np.array(bins, np.intp)  # by chain and row: 1 and its bin
        self.order = np.argsort(self.places, axis=1, kind="stable")
        self.starts = np.array(
            [np.searchsorted(np.sort(each), np.arange(BINS + 2)) for each in bins]
        )
        self.waiting: list[_Boxes] = []
        self.n_waiting = 0

    def holds(self, n_rules: int, target: int) -> bool:
        """Whether every list of up to so many rules costs at least the target."""
        problem, every = self.problem, np.arange(len(self.pairs))
        if problem.unit * _loss(problem.by_class.sum(axis=0)) < target:
            return False
        if n_rules == 0:
            return True
        rows = np.arange(problem.keys.shape[1])
        if not self._settled(rows, every, self._need(problem.price, target)):
            return False
        for n in range(2, n_rules + 1):
            if not all(self._tree(rows, pair, n, target) for pair in every.tolist()):
                return False
        return self._none_waits()

    def _need(self, cost: int, target: int) -> int:
        """Return what has to be lost at least, so that all costs as much as the target."""
        return int(-(-(target - cost) // self.problem.unit))

    def _tree(self, rows: NDArray[np.intp], pair: int, n_rules: int, target: int) -> bool:
        """Read the tree of a pair for n rules on some rows, and check its boxes by (5) and (6)."""
        problem = self.problem
        one, other = (self.keys[chain, rows] for chain in self.pairs[pair])
        low, high = np.zeros(2, np.int64), self.ends[self.pairs[pair]]
        stack = [(low, high, np.arange(len(self.pairs)))]
        while stack:
            low, high, waiting = stack.pop()
            self.n_boxes += 1
            least = problem.by_class[rows[(one < low[0]) & (other < low[1])]].sum(axis=0)
            rest = target - problem.price - problem.unit * _loss(least)
            left = rows[(one >= high[0]) | (other >= high[1])]
            split = self.read(4)
            if split == 3:
                if max(self._few(rows, n_rules) - target, self._few(left, n_rules - 1) - rest) < 0:
                    return False
                continue
            settled = waiting
            if split > 0:
                axis = split - 1
                cut = self.read(int(high[axis]))
                settled = self._named()
            if not self._rest(left, settled, n_rules - 1, rest):
                return False
            if split == 0:
                continue
            if cut < low[axis]:
                return False
            waiting = np.setdiff1d(waiting, settled)
            upper, lower = low.copy(), high.copy()
            upper[axis], lower[axis] = cut + 1, cut
            stack += [(upper, high, waiting), (low, lower, waiting)]
        return True

    def _few(self, rows: NDArray[np.intp], n_rules: int) -> int:
        """(7): what so many rules cost at least on some rows."""
        beyond = _beyond(self.problem.by_class[rows].sum(axis=0), n_rules + 1)
        return int(n_rules * self.problem.price + self.problem.unit * beyond)

    def _rest(
        self, rows: NDArray[np.intp], families: NDArray[np.intp], n_rules: int, target: int
    ) -> bool:
        """Whether n more rules cost at least the target, if the first is of one of the families."""
        if n_rules == 1:
            need = self._need(self.problem.price, target)
            return len(families) == 0 or self._settled(rows, families, need)
        return all(self._tree(rows, family, n_rules, target) for family in families.tolist())

    def _named(self) -> NDArray[np.intp]:
        """Read families, each as the distance from the one before."""
        found, at = [], 0
        for _ in range(self.read(len(self.pairs) + 1)):
            at += self.read(len(self.pairs) - at)
            found.append(at)
        return np.array(found, np.intp)

    def _settled(self, rows: NDArray[np.intp], families: NDArray[np.intp], need: int) -> bool:
        """(4): whether no rule of the families captures and leaves rows that lose less.

        Finer tables are kept waiting: the answer holds if they are settled, too.
        """
        by_class = self.problem.by_class[rows].sum(axis=0)
        if need <= _beyond(by_class, 2):
            return True
        if _loss(by_class) < need:  # a rule that captures nothing
            return False
        self.n_settled += len(families)
        places = self.places[:, rows]
        step = max(1, MOST_ENTRIES // (len(rows) + self.n_classes * (BINS + 1) ** 2))
        for at in range(0, len(families), step):
            pairs = self.pairs[families[at : at + step]]
            one, other = (places[pairs[:, axis]] for axis in (0, 1))
            box = np.arange(len(pairs))[:, None]
            none = np.zeros((self.n_classes, len(pairs)), np.int64)
            captured = self._captured(rows, box, (one, other), BINS + 1, none)
            bounds = [self.bounds[pairs[:, axis]].T for axis in (0, 1)]
            low = _below(captured, by_class[:, None], need, bounds)
            if low is None:
                return False
            if not self._wait(self._in_strips(rows, pairs, captured, low, need)):
                return False
        return True

    def _wait(self, parts: Iterator[_Boxes]) -> bool:
        """Keep boxes until they are worth counting; whether none of the counted ones is lost."""
        for boxes in parts:
            self.waiting.append(boxes)
            self.n_waiting += self._size(boxes)
            if self.n_waiting >= MOST_ENTRIES and not self._none_waits():
                return False
        return True

    def _size(self, boxes: _Boxes) -> int:
        return len(boxes.row) + len(boxes.pairs) * int(self.n_classes) * (FINER_BINS + 1) ** 2

    def _none_waits(self) -> bool:
        """Count what waits, and what that needs more finely; whether all of it is settled."""
        stack, self.waiting, self.n_waiting = self.waiting, [], 0
        while stack:
            together, size = [stack.pop()], 0
            while stack and (size := size + self._size(together[-1])) < MOST_ENTRIES:
                together.append(stack.pop())
            finer = self._finer(_joined(together))
            if finer is None:
                return False
            stack += finer
        return True

    def _captured(
        self,
        rows: NDArray[np.intp],
        box: NDArray[np.intp],
        places: Sequence[Array],
        side: int,
        always: Array,
    ) -> Array:
        """Return by class, both places and box what is captured at the bounds of bins."""
        shape = (self.n_classes, side, side, always.shape[1])
        at = ((self.problem.classes[rows] * side + places[0]) * side + places[1]) * shape[3] + box
        weights = np.broadcast_to(self.weights[rows], at.shape).ravel()
        size = self.n_classes * side * side * shape[3]
        if self.problem.total < EXACT:
            counts = np.bincount(at.ravel(), weights, size).astype(np.int64)
        else:
            high, low = np.divmod(weights, 1 << 30)
            sums = [np.bincount(at.ravel(), each, size).astype(np.int64) for each in (high, low)]
            counts = (sums[0] << 30) + sums[1]
        table = counts.reshape(shape)
        table[:, 0, 0] += always
        for place in range(1, side):
            table[:, place] += table[:, place - 1]
        for place in range(1, side):
            table[:, :, place] += table[:, :, place - 1]
        return np.asarray(table)

    def _in_strips(
        self, rows: NDArray[np.intp], pairs: Array, captured: Array, low: _Low, need: int
    ) -> Iterator[_Boxes]:
        """Return boxes between bounds of whole chains; the rows they divide are in two strips."""
        left = np.zeros(self.keys.shape[1], np.bool_)
        left[rows] = True
        chains = pairs[low.of]
        begin, end = (self.starts[chains, ends + 1] for ends in (low.first, low.last))
        sizes = (end - begin).sum(axis=1)
        for part in _slices(sizes + self.n_classes * (FINER_BINS + 1) ** 2):
            first, last, of, own = low.first[part], low.last[part], low.of[part], chains[part]
            found = []
            for axis in (0, 1):
                size = (end - begin)[part, axis]
                box = np.repeat(np.arange(len(of)), size)
                place = np.arange(len(box)) - np.repeat(np.cumsum(size) - size, size)
                row = self.order[own[box, axis], place + begin[part, axis][box]]
                most = last[:, 1] if axis == 0 else first[:, 0]  # rows of both are in the first
                divided = left[row] & (self.places[own[box, 1 - axis], row] <= most[box])
                found.append((box[divided], row[divided]))
            box, row = (np.concatenate(each) for each in zip(*found, strict=True))
            order = np.argsort(box, kind="stable")
            yield _Boxes(
                own,
                self.bounds[own, first],
                self.bounds[own, last],
                captured[:, first[:, 0], first[:, 1], of],
                captured[:, -1, -1, of],
                np.full(len(of), need),
                box[order],
                row[order],
            )

    def _finer(self, boxes: _Boxes) -> list[_Boxes] | None:
        """Make the table of each box; return what has to be looked at more finely, None if lost."""
        ranges = boxes.high - boxes.low
        shifts = _shifts(ranges)
        places = [self._places(boxes, axis, shifts[:, axis]) for axis in (0, 1)]
        side = int(((ranges - 1) >> shifts).max()) + 2
        captured = self._captured(boxes.row, boxes.box, places, side, boxes.always)
        steps = np.arange(side)[:, None, None] << shifts
        bounds = boxes.low + np.minimum(steps, ranges)  # by place, box and axis
        low = _below(captured, boxes.whole, boxes.need, [bounds[:, :, 0], bounds[:, :, 1]])
        return None if low is None else list(self._parts(boxes, places, bounds, captured, low))

    def _places(self, boxes: _Boxes, axis: int, shifts: Array) -> Array:
        """Return for each entry 0 for a key below its box, else 1 and its bin."""
        keys = self.keys[boxes.pairs[:, axis][boxes.box], boxes.row].astype(np.int64)
        above = keys - boxes.low[:, axis][boxes.box]
        return np.where(above < 0, 0, 1 + (above >> shifts[boxes.box]))

    def _parts(
        self, boxes: _Boxes, places: list[Array], bounds: Array, captured: Array, low: _Low
    ) -> Iterator[_Boxes]:
        """Return the boxes between bounds of bins that need a table, with the rows they divide."""
        sizes = np.bincount(boxes.box, minlength=len(boxes.pairs))
        starts = np.cumsum(sizes) - sizes
        for part in _slices(sizes[low.of] + self.n_classes * (FINER_BINS + 1) ** 2):
            (x, y), (right, top), of = low.first[part].T, low.last[part].T, low.of[part]
            size = sizes[of]
            box = np.repeat(np.arange(len(of)), size)
            entry = np.arange(len(box)) - np.repeat(np.cumsum(size) - size - starts[of], size)
            own_x, own_y = places[0][entry], places[1][entry]
            within = (own_x <= right[box]) & (own_y <= top[box])
            divided = within & ((own_x > x[box]) | (own_y > y[box]))
            yield _Boxes(
                boxes.pairs[of],
                np.column_stack([bounds[x, of, 0], bounds[y, of, 1]]),
                np.column_stack([bounds[right, of, 0], bounds[top, of, 1]]),
                captured[:, x, y, of],
                boxes.whole[:, of],
                boxes.need[of],
                box[divided],
                boxes.row[entry[divided]],
            )


def _loss(by_class: Array) -> int:
    return int(by_class.sum() - by_class.max(initial=0))


def _beyond(by_class: Array, n_labels: int) -> int:
    """Return the weight of all classes but so many, the heaviest."""
    return int(np.sort(by_class)[: max(0, len(by_class) - n_labels)].sum())


def _bounds(keys: Array, end: int) -> Array:
    """Return the cuts between bins of about as many rows each, padded by the last cut."""
    if end <= BINS:
        found = np.arange(end + 1)
    else:
        at = np.arange(1, BINS) * len(keys) // BINS
        found, times = np.unique(np.sort(keys)[at], return_counts=True)
        found = np.unique([0, *found, *(found[times > 1] + 1), end])  # many rows alone in a bin
    return np.pad(found, (0, BINS + 1 - len(found)), constant_values=end)


def _below(captured: Array, whole: Array, need: Any, bounds: Sequence[Array]) -> _Low | None:
    """(4): find boxes whose cuts may lose less, by the places of their ends; None if ends do.

    Where bounds are neighbours there is no cut between them: the lines of both are boxes then.
    """
    rest = whole[:, None, None] - captured
    if (_least(captured, rest) < need).any():
        return None
    wide, deep = (each[1:] - each[:-1] for each in bounds)
    low = _least(captured[:, :-1, :-1], rest[:, 1:, 1:]) < need
    inner = np.argwhere(low & (wide > 1)[:, None] & (deep > 1))
    along = _least(captured[:, :, :-1], rest[:, :, 1:]) < need
    upright = np.argwhere(along & _beside_one(wide)[:, None] & (deep > 1))
    along = _least(captured[:, :-1], rest[:, 1:]) < need
    level = np.argwhere(along & (wide > 1)[:, None] & _beside_one(deep))
    found = np.vstack([inner, upright, level])
    ends = found[:, :2] + 1
    ends[len(inner) : len(inner) + len(upright), 0] -= 1
    ends[len(inner) + len(upright) :, 1] -= 1
    return _Low(found[:, :2], ends, found[:, 2])


def _beside_one(widths: Array) -> NDArray[np.bool_]:
    """Say of bounds whether they are a cut beside the one before or after; once where padded."""
    single = np.zeros((len(widths) + 1, widths.shape[1]), np.bool_)
    single[:-1] |= widths == 1
    single[1:] |= widths == 1
    single[0] |= widths[0] == 0  # a line: all its bounds are one
    return single


def _least(inside: Array, outside: Array) -> Array:
    """Return what is lost at least with different labels on both sides; labels come first."""
    captured, left = inside[0].copy(), outside[0].copy()  # the most of a label so far
    right = np.zeros_like(captured)
    for own, rest in zip(inside[1:], outside[1:], strict=True):
        right = np.maximum(right, np.maximum(captured + rest, own + left))
        np.maximum(captured, own, out=captured)
        np.maximum(left, rest, out=left)
    return np.asarray(inside.sum(axis=0) + outside.sum(axis=0) - right)


def _joined(parts: list[_Boxes]) -> _Boxes:
    """Put boxes side by side."""
    before = np.cumsum([0, *(len(each.pairs) for each in parts[:-1])])

    def side(name: str, axis: int) -> Array:
        return np.concatenate([getattr(each, name) for each in parts], axis=axis)

    return _Boxes(
        pairs=side("pairs", 0),
        low=side("low", 0),
        high=side("high", 0),
        always=side("always", 1),
        whole=side("whole", 1),
        need=side("need", 0),
        box=np.concatenate([each.box + first for each, first in zip(parts, before, strict=True)]),
        row=side("row", 0),
    )


def _shifts(ranges: Array) -> Array:
    """Return the logarithm of the width of bins, so that there are at most `FINER_BINS`."""
    shifts = np.zeros_like(ranges)
    while (many := ranges > (FINER_BINS << shifts)).any():
        shifts[many] += 1
    return shifts


def _slices(sizes: Array) -> Iterator[slice]:
    """Cut a list where the sizes of its items add up to what may be counted at once."""
    begin = 0
    total = np.cumsum(sizes)
    while begin < len(total):
        before = total[begin - 1] if begin > 0 else 0
        end = max(begin + 1, int(np.searchsorted(total, before + MOST_ENTRIES, side="right")))
        yield slice(begin, end)
        begin = end
