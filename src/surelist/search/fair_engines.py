"""Two searches for one fair list: over lists of every length, and over short ones.

Where the first one is hard, it spends nearly all its work on sets of rows for which long lists
might be a little better. Over lists of few rules the same problem is often solved in seconds. So,
after about two seconds, a second search by increasing length runs beside the first. It finds good
lists for both, and proves up to which length none is better, even if a limit ends the first.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from surelist import _core

__all__ = ["FairEngines"]

_ALONE = 2 * 10**9  # work of the first search until the second begins: about two seconds
_SHARE = 2  # work of the second for each unit of the first
_FIRST_LENGTH = 2


class FairEngines:
    """Searches that share what they find.

    Parameters
    ----------
    make : callable
        Returns a search, for a greatest length of lists; None: as long as they may be.
    max_length : int or None
        The greatest length that is allowed.
    least : int
        How many rules there have to be, by what is demanded.
    """

    def __init__(
        self,
        make: Callable[[int | None], _core.FairSearch],
        max_length: int | None,
        *,
        least: int = 0,
    ) -> None:
        self.main = make(max_length)
        self._make = make
        self._max_length = max_length
        self._short: _core.FairSearch | None = None
        self._length = max(_FIRST_LENGTH, least) - 1
        self._proven = 0
        self._before: dict[str, int] = {}  # counters of short searches that are over

    def step(self, work: int) -> bool:
        """Do about this much work; return False when the search is over."""
        if self._is_turn_of_main():
            return self.main.step(work)
        if self._short is None:
            self._begin()
        assert self._short is not None
        more = self._short.step(work)
        self._share()
        if not more:
            self._proven = self._length
            self._before = self._with_short()
            self._short = None
        return True

    def _is_turn_of_main(self) -> bool:
        main = self.main.counters["work"]
        if main < _ALONE:
            return True
        limit = self._max_length
        if self._short is None and limit is not None and self._length + 1 >= limit:
            return True
        return _SHARE * main < self._with_short().get("work", 0)

    def _begin(self) -> None:
        self._length += 1
        self._short = self._make(self._length)
        if self.main.found:
            self._offer(self.main, self._short)

    def _share(self) -> None:
        """Hand the better list to the other search."""
        short, main = self._short, self.main
        if short is not None and short.found:
            if not main.found or short.objective < main.objective:
                self._offer(short, main)
            elif main.objective < short.objective:
                self._offer(main, short)

    @staticmethod
    def _offer(known: _core.FairSearch, to: _core.FairSearch) -> None:
        to.offer(known.prefix, known.labels, known.default_label)

    def _with_short(self) -> dict[str, int]:
        """Counters of all short searches."""
        now = {} if self._short is None else self._short.counters
        return {
            name: self._before.get(name, 0) + now.get(name, 0) for name in {**self._before, **now}
        }

    @property
    def counters(self) -> dict[str, int]:
        """What both have done."""
        beside = self._with_short()
        return {name: n + beside.get(name, 0) for name, n in self.main.counters.items()}

    @property
    def nbytes(self) -> int:
        """Memory of both."""
        return self.main.nbytes + (0 if self._short is None else self._short.nbytes)

    @property
    def objective(self) -> Fraction:
        """Of the best list."""
        return Fraction(self.main.objective, self.main.scale)

    @property
    def proven_length(self) -> int | None:
        """No fair list of up to so many rules is better; None when the search is over."""
        proven = self.main.proven_length
        return None if proven is None else max(proven, self._proven)
