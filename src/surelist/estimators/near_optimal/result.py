"""A set of near-optimal rule lists: lists by rising objective, and answers about all of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from numbers import Integral
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from surelist._common.limits import Deadline
from surelist._common.messages import counted, shown
from surelist._common.rounding import rounded_down
from surelist.certificate.completeness import CompletenessCertificate
from surelist.errors import InputError, UncertifiedWarning
from surelist.estimators.near_optimal.answers import Answers, Range, uses
from surelist.estimators.near_optimal.found import FoundLists
from surelist.estimators.near_optimal.goal import exact_number, read_count, read_seed
from surelist.estimators.near_optimal.groups import RATES, GroupRates, read_groups
from surelist.estimators.near_optimal.necessity import Necessity, necessity_of
from surelist.estimators.near_optimal.one_row import shares_of_row
from surelist.estimators.near_optimal.source import Source
from surelist.rule_list.rule_list import RuleList

if TYPE_CHECKING:
    import pandas as pd

    from surelist.estimators.classifier import RuleListClassifier

__all__ = ["RuleLists"]

_SHOWN = 10


@dataclass(frozen=True, eq=False)
class RuleLists:
    """Every rule list up to an objective, as `near_optimal` finds them.

    A sequence of `RuleList`, by rising objective, then length. They are kept as numbers and made
    when they are asked for.

    With distinct="predictions" each list stands for all that predict the same for the training
    rows. `columns`, `antecedents`, `ranges` and `filter` go through all of them.

    Attributes
    ----------
    distinct : str
        What counts as one list: "text" or "predictions".
    optimum : Fraction or None
        The least objective of all lists; None where a limit has kept it from being proven.
    threshold : Fraction or None
        The objective up to which lists were asked for; of the n best, that of the last.
    complete_up_to : Fraction or None
        No list with at most this objective is missing. None where no round was complete.
    status : str
        "complete", or what ended the search before the threshold: "work_limit", "time_limit",
        "memory_limit" or "interrupted"; "sample" for lists drawn at random.
    n_orders : int
        Orders of rules that make up these lists: what a search that distinguishes them would count.
    n_predictions : int
        How many different predictions of the training rows there are among the lists.
    n_alike : array of int or None
        With distinct="predictions", how many lists predict the same as each.
    time, work : float, int
        Seconds, and work as counted, of everything.
    certificate : CompletenessCertificate or None
        With certificate=True, the proof that the whole set is complete, also if this is a part.
    """

    found: FoundLists = field(repr=False)
    distinct: str
    optimum: Fraction | None
    threshold: Fraction | None
    complete_up_to: Fraction | None
    status: str
    n_orders: int
    n_predictions: int
    n_alike: NDArray[np.int64] | None = field(repr=False)
    time: float
    work: int
    certificate: CompletenessCertificate | None = field(repr=False)
    _every: FoundLists = field(repr=False)
    _source: Source = field(repr=False)

    @property
    def complete(self) -> bool:
        """Whether every list that was asked for is here."""
        return self.status == "complete"

    @property
    def best(self) -> RuleList:
        """The best rule list that is known, also where no set is complete."""
        return self._source.outcome.rule_list if len(self) == 0 else self[0]

    @property
    def objectives(self) -> NDArray[np.float64]:
        """The objective of each list, as a float; `RuleList.objective` is exact."""
        return self.found.objectives

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of rules of each list."""
        return self.found.lengths

    @property
    def orders(self) -> NDArray[np.int64]:
        """How many orders of its rules each list stands for."""
        return self.found.orders

    def __len__(self) -> int:
        return len(self.found)

    @overload
    def __getitem__(self, index: int) -> RuleList: ...
    @overload
    def __getitem__(self, index: slice) -> RuleLists: ...
    def __getitem__(self, index: int | slice) -> RuleList | RuleLists:
        if isinstance(index, slice):
            return self._some(np.arange(len(self))[index])
        place = int(index)
        if not -len(self) <= place < len(self):
            raise IndexError(f"there are {counted(len(self), 'list')}; {place} is beyond them")
        return self._source.rule_list(self.found, place % len(self))

    def __iter__(self) -> Iterator[RuleList]:
        return (self[index] for index in range(len(self)))

    def model(self, index: int, certificate: bool = False) -> RuleListClassifier:
        """Return one of the lists as a fitted model: it predicts, explains, exports and saves.

        Its ``lower_bound_`` is the optimum, and ``gap_`` how much worse than that it is; where that
        is not nothing, ``status_`` is "near_optimal".

        Parameters
        ----------
        index : int
            Which of the lists.
        certificate : bool
            Whether the model has a ``certificate_``, which `surelist.verify` checks: this list has
            this objective, and no list has less than the optimum. The proof of the optimum is
            searched once for all models.

        Raises
        ------
        SurelistError
            If a limit ended the search for the proof.
        """
        rule_list, proof = self[index], None
        if certificate:
            proof = self._source.certificate(self.found.rules(index % len(self)))
        return self._source.model(rule_list, self.optimum, proof)

    @property
    def count(self) -> int:
        """How many lists there are, as `len` says; ``n_orders`` counts every order of rules."""
        return len(self)

    def sample(self, n: int, random_state: int | None = None) -> RuleLists:
        """Draw some of the lists at random, each with the same chance, without replacement.

        The result has the ``status`` "sample", and what is in it is not complete.

        Parameters
        ----------
        n : int
            How many; all of them where there are fewer.
        random_state : int, optional
            The same number draws the same lists.
        """
        from random import Random

        drawn = Random(read_seed(random_state)).sample(
            range(len(self)), min(read_count("n", n), len(self))
        )
        some = self._some(np.array(sorted(drawn), dtype=np.intp))
        return replace(some, status="sample", complete_up_to=None)

    def table(self, most: int | None = None) -> pd.DataFrame:
        """Return a pandas data frame with a row for each list, or for the first ``most``.

        Returns
        -------
        pandas.DataFrame
            ``objective``; ``loss``, which includes what antecedents cost beyond λ; ``length``;
            ``orders`` that its rules may have; ``predictions``, a number that lists with the same
            predictions share; with distinct="predictions", how many lists are ``alike``; and the
            ``rules`` as text.
        """
        import pandas as pd

        found = self.found if most is None else self.found.some(slice(most))
        return pd.DataFrame(
            {
                "objective": found.objectives,
                "loss": found.losses / found.total,
                "length": found.lengths,
                "orders": found.orders,
                "predictions": found.alike,
                **({} if self.n_alike is None else {"alike": self.n_alike[: len(found)]}),
                "rules": [self._text(found, index) for index in range(len(found))],
            }
        )

    def columns(self) -> Answers:
        """Say for each column in how many lists it occurs, and whether it is needed.

        Returns
        -------
        Answers
            A `Use` for each column of the table that antecedents ask about: by name, in order, or
            as a data frame by ``to_frame``. Its ``best_without`` less the optimum is what doing
            without the column costs, exactly; None is more than `complete_up_to` allows, and
            `necessity` says how much. A list whose antecedents can be written with or without the
            column, because another one says the same of the training rows, counts as both.
        """
        source = self._source
        found = uses(source.column_names, source.asks, source.needs, self._every)
        return Answers(found, self._beyond())

    def antecedents(self) -> Answers:
        """Say the same as `columns`, for each antecedent that occurs in some list."""
        used = np.unique(self._every.prefixes[self._every.prefixes >= 0])
        names = tuple(self._source.names[index] for index in used)
        asks = np.zeros((len(used), len(self._source.names)), np.bool_)
        asks[np.arange(len(used)), used] = True
        return Answers(uses(names, asks, asks, self._every), self._beyond())

    def necessity(
        self,
        names: str | Iterable[str] | None = None,
        certificate: bool = False,
        time_limit: float | None = None,
    ) -> Answers:
        """Say exactly what doing without columns or antecedents costs, however much that is.

        `columns` and `antecedents` know it up to `complete_up_to`. Here the best list without is
        searched, and where the optimum does without, the best one with it. Each search has the
        limits of the set, and all of them together ``time_limit``.

        Parameters
        ----------
        names : str or list of str, optional
            Columns, or antecedents as text. None is every column.
        certificate : bool
            Whether each answer has a ``certificate``, which `surelist.verify` checks.
        time_limit : float, optional
            Seconds.

        Returns
        -------
        Answers
            A `Necessity` for each name. It is about all lists, also if this set is a part. After
            Ctrl-C those that are answered.

        Raises
        ------
        InputError
            For an unknown name.
        SurelistError
            With ``certificate``, if a limit ended a search.

        Warns
        -----
        UncertifiedWarning
            Where Ctrl-C ended it before all names were answered.
        """
        wanted = self.column_names if names is None else _texts(names)
        deadline = None if time_limit is None else Deadline.start(_seconds(time_limit))
        found: list[Necessity] = []
        try:
            for name in wanted:
                found.append(necessity_of(self._source, name, certificate, deadline))
        except KeyboardInterrupt:
            if not found:
                raise
            text = f"interrupted: {len(found)} of {counted(len(wanted), 'name')} are answered"
            warnings.warn(text, UncertifiedWarning, stacklevel=2)
        return Answers(found, "none")

    def written(
        self, without: str | Iterable[str] | None = None, using: str | Iterable[str] | None = None
    ) -> RuleLists:
        """Return the same lists, written without some columns and with others where that can be.

        Antecedents that capture the same training rows are one antecedent with several names.
        `filter` does the same, and leaves out the lists that cannot be written so.
        """
        source = self._source.named(frozenset(_texts(without)), frozenset(_texts(using)))
        return replace(self, _source=source)

    def rates(self, group: Any = None, positive: Any = None) -> GroupRates:
        """Return false positive, false negative and error rates of every list, by group.

        Parameters
        ----------
        group : array-like, optional
            For each training row, the group that it belongs to. None: all rows are one.
        positive : label, optional
            The positive class. The default is the second of two classes.
        """
        return read_groups(self._source, self.found, group, positive)

    def ranges(self, group: Any = None, positive: Any = None) -> Answers:
        """Return the least and greatest of what lists differ in: how much there is to choose.

        Objective, length and accuracy in training and, with ``group``, the rates of `rates` in each
        group and how far apart they are.
        """
        if len(self) == 0:
            return Answers([])
        objectives, lengths = self._every.objectives, self._every.lengths
        accuracy = 1 - self.rates().rate("error")[:, 0]
        found = [
            Range("objective", float(objectives.min()), float(objectives.max())),
            Range("length", int(lengths.min()), int(lengths.max())),
            Range("accuracy", float(accuracy.min()), float(accuracy.max())),
        ]
        if group is not None:
            found += self.rates(group, positive).ranges()
        return Answers(found)

    def explain_row(self, x: Any) -> dict[Any, float]:
        """Return for one row the share of lists that predict each class.

        Parameters
        ----------
        x : a data frame or array of one row
            With the columns of the training data.

        Raises
        ------
        InputError
            For anything but one row.
        """
        return shares_of_row(self._source, self.found, x)

    def filter(
        self,
        *,
        without: str | Iterable[str] | None = None,
        using: str | Iterable[str] | None = None,
        max_length: int | None = None,
        group: Any = None,
        max_gap: Any = None,
        rate: str = "FPR",
        positive: Any = None,
        where: Callable[[RuleList], bool] | None = None,
    ) -> RuleLists:
        """Return the lists that fulfil all conditions; the set stays complete in this sense.

        Parameters
        ----------
        without, using : str or list of str, optional
            Columns, or antecedents as text, that must not occur, and that must. Where an antecedent
            has other names that say the same of the training rows, it is shown by one that fits.
        max_length : int, optional
            The most rules.
        group, max_gap, rate, positive : optional
            How far apart a rate ("FPR", "FNR" or "error") may be between groups, as in `rates`.
        where : function, optional
            Of a `RuleList`; it is made for each list that the other conditions leave.
        """
        every = self._every
        keep = np.ones(len(every), np.bool_)
        avoided, wanted = _texts(without), _texts(using)
        source = self._source.named(frozenset(avoided), frozenset(wanted))
        for text in avoided:
            keep &= ~_use(source, text, every)
        for text in wanted:
            keep &= _use(source, text, every)
        if max_length is not None:
            keep &= every.lengths <= _read_length(max_length)
        if (group is None) != (max_gap is None):
            raise InputError("group and max_gap belong together; give both or neither")
        if group is not None:
            if rate not in RATES:
                raise InputError(f"rate must be one of {', '.join(RATES)}; got {shown(rate)}")
            rates = read_groups(self._source, every, group, positive)
            if rate not in rates.counts:
                raise InputError(f"{rate} needs positive=, one of the classes")
            keep &= rates.is_gap_within(rate, exact_number("max_gap", max_gap))
        places = np.flatnonzero(keep)
        if where is not None:
            chosen = [i for i in places if where(source.rule_list(every, int(i)))]
            places = np.array(chosen, dtype=np.intp)
        return replace(self, _source=source)._of(every.some(places))

    @property
    def column_names(self) -> tuple[str, ...]:
        """The columns that antecedents ask about, in the order of the table."""
        return self._source.column_names

    def used_columns(self) -> NDArray[np.bool_]:
        """Return which list, as it is shown, uses which of `column_names`: lists × columns."""
        shows = np.hstack([self._source.shows, np.zeros((len(self.column_names), 1), np.bool_)])
        used = [row[self.found.prefixes].any(axis=1) for row in shows]
        return np.array(used, dtype=np.bool_).reshape(len(shows), len(self)).T

    def texts(self) -> Iterator[str]:
        """Return each list as one line of text."""
        return (self._text(self.found, index) for index in range(len(self)))

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw objective against accuracy or a gap between groups; see `plot_lists`."""
        from surelist.plot.lists import plot_lists

        return plot_lists(self, ax, **options)

    def _of(self, every: FoundLists) -> RuleLists:
        """Return the set of these lists."""
        found, n_alike = every, None
        if self.distinct == "predictions":
            first, n_alike = every.first_of_each_prediction()
            found = every.some(first)
        return replace(
            self,
            found=found,
            n_orders=int(every.orders.sum()),
            n_predictions=len(np.unique(every.alike)),
            n_alike=n_alike,
            _every=every,
        )

    def _some(self, places: NDArray[np.intp]) -> RuleLists:
        """Return the lists at these places, in this order, and all that they stand for."""
        found = self.found.some(places)
        if self.n_alike is None:
            return self._of(found)
        alike = self._every.some(np.isin(self._every.alike, found.alike))
        return replace(self._of(alike), found=found, n_alike=self.n_alike[places])

    def _text(self, found: FoundLists, index: int) -> str:
        rules, classes = found.rules(index), self._source.classes
        parts = [
            f"if {self._source.names[antecedent]} then {classes[label]}"
            for antecedent, label in zip(rules.prefix, rules.labels, strict=True)
        ]
        return "; ".join([*parts, f"else {classes[rules.default_label]}"])

    def _beyond(self) -> str:
        if self.complete_up_to is None:
            return "?"
        return f"> {rounded_down(self.complete_up_to)}"

    def __str__(self) -> str:
        orders = "" if self.n_orders == len(self) else f" ({self.n_orders:,} orders of rules)"
        text = f"{counted(len(self), 'rule list')}{orders}"
        ends = sorted(self.found.objective(i) for i in {0, len(self) - 1} if len(self))
        if ends:
            text += f", objective from {float(ends[0]):.6g} to {float(ends[-1]):.6g}"
        if self.status == "sample":
            return f"{text}; drawn at random"
        if self.complete_up_to is None:
            return f"{text}; nothing is complete ({self.status})"
        note = "" if self.complete else f" ({self.status})"
        # Rounded down, the objective of the last list would be less than that, rounded.
        last = ends and ends[-1] == self.complete_up_to
        up_to = "the last of them" if last else rounded_down(self.complete_up_to)
        return f"{text}; complete up to {up_to}{note}"

    def _repr_html_(self) -> str:
        from surelist._common.text_tables import html_table

        rows = [
            (f"{float(self.found.objective(i)):.6g}", f"{self.orders[i]:,}", f"{self[i]}\n")
            for i in range(min(_SHOWN, len(self)))
        ]
        return f"<p>{self}</p>" + html_table(("objective", "orders", "rule list"), rows)


def _use(source: Source, text: str, lists: FoundLists) -> NDArray[np.bool_]:
    """Return which lists, as they are shown, use a column or an antecedent."""
    if text in source.column_names:
        asks = source.shows[source.column_names.index(text)]
    else:
        asks = np.arange(len(source.names)) == source.position(text)
    return np.asarray(np.append(asks, False)[lists.prefixes].any(axis=1), np.bool_)


def _texts(given: str | Iterable[str] | None) -> list[str]:
    return [given] if isinstance(given, str) else list(given or ())


def _seconds(time_limit: Any) -> float:
    return float(exact_number("time_limit", time_limit))


def _read_length(max_length: Any) -> int:
    if not isinstance(max_length, Integral) or isinstance(max_length, bool) or max_length < 0:
        raise InputError(
            f"max_length must be a whole number of at least 0; got {shown(max_length)}"
        )
    return int(max_length)
