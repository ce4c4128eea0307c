"""A set of near-optimal rule lists: lists by rising objective, and answers about all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import counted, shown
from surelist._common.rounding import rounded_down
from surelist.certificate.completeness import CompletenessCertificate
from surelist.errors import InputError
from surelist.estimators.near_optimal.answers import Answers, Range, uses
from surelist.estimators.near_optimal.found import FoundLists
from surelist.estimators.near_optimal.goal import exact_number
from surelist.estimators.near_optimal.groups import RATES, GroupRates, read_groups
from surelist.estimators.near_optimal.points import labels_of_rows
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
        "memory_limit" or "interrupted".
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

    def model(self, index: int) -> RuleListClassifier:
        """Return one of the lists as a fitted model: it predicts, explains, exports and saves.

        Its ``lower_bound_`` is the optimum, and ``gap_`` how much worse than that it is; where that
        is not nothing, ``status_`` is "near_optimal".
        """
        return self._source.model(self[index], self.optimum)

    def table(self, most: int | None = None) -> pd.DataFrame:
        """Return a pandas data frame with a row for each list, or for the first ``most``.

        Returns
        -------
        pandas.DataFrame
            ``objective``; ``loss``, which includes what antecedents cost beyond λ; ``length``;
            ``orders`` that its rules may have; ``predictions``, a number that lists with the same
            predictions share; and the ``rules`` as text.
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
            without the column costs, exactly; None is more than `complete_up_to` allows.
        """
        names, asks = self._source.column_names, self._source.asks
        return Answers(uses(names, asks, self.found), self._beyond())

    def antecedents(self) -> Answers:
        """Say the same as `columns`, for each antecedent that occurs in some list."""
        used = np.unique(self.found.prefixes[self.found.prefixes >= 0])
        names = tuple(self._source.names[index] for index in used)
        asks = np.zeros((len(used), len(self._source.names)), np.bool_)
        asks[np.arange(len(used)), used] = True
        return Answers(uses(names, asks, self.found), self._beyond())

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
        overall = self.rates()
        accuracy = 1 - overall.rate("error")[:, 0]
        found = [
            Range("objective", float(self.objectives.min()), float(self.objectives.max())),
            Range("length", int(self.lengths.min()), int(self.lengths.max())),
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
        rules = self._source.model(self.best, self.optimum)
        captures = self._captures(x, rules)
        labels = labels_of_rows(
            np.hstack([self.found.prefixes, np.full((len(self), 1), -1)]).astype(np.intp),
            self.found.labels,
            captures,
        )
        counts = np.bincount(labels[:, 0], minlength=len(self._source.classes))
        return {
            label: float(count) / max(1, len(self))
            for label, count in zip(self._source.classes, counts, strict=True)
        }

    def _captures(self, x: Any, model: RuleListClassifier) -> NDArray[np.bool_]:
        """Return which antecedents capture one row; the last place, -1, is the default."""
        from surelist.tables.table import read_table

        table = read_table(x)
        if table.n_rows != 1:
            raise InputError(f"explain_row takes one row; got {table.n_rows}")
        names = model.rule_list_.columns or model.rule_list_.feature_names
        if not table.named and len(table.names) != len(names):
            raise InputError(f"x has {len(table.names)} columns; the lists know {len(names)}")
        position = {n: i for i, n in enumerate(table.names if table.named else names)}
        missing = [name for name in self._source.column_names if name not in position]
        if missing:
            raise InputError(f"x has no column {missing[0]!r}, which the lists ask about")
        holds: dict[Any, bool] = {}
        captured = np.ones((len(self._source.antecedents) + 1, 1), np.bool_)
        for index, antecedent in enumerate(self._source.antecedents):
            for clause in antecedent.clauses:
                asks = clause.asks
                if asks not in holds:
                    holds[asks] = bool(table.column(position[asks.column]).fulfils(asks)[0])
                captured[index, 0] &= holds[asks] != clause.negated
        return captured

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
            Columns, or antecedents as text, that must not occur, and that must.
        max_length : int, optional
            The most rules.
        group, max_gap, rate, positive : optional
            How far apart a rate ("FPR", "FNR" or "error") may be between groups, as in `rates`.
        where : function, optional
            Of a `RuleList`; it is made for each list that the other conditions leave.
        """
        keep = np.ones(len(self), np.bool_)
        for texts, wanted in ((without, False), (using, True)):
            for text in [texts] if isinstance(texts, str) else list(texts or ()):
                keep &= self._uses(text) == wanted
        if max_length is not None:
            keep &= self.lengths <= max_length
        if (group is None) != (max_gap is None):
            raise InputError("group and max_gap belong together; give both or neither")
        if group is not None:
            if rate not in RATES:
                raise InputError(f"rate must be one of {', '.join(RATES)}; got {shown(rate)}")
            rates = self.rates(group, positive)
            if rate not in rates.counts:
                raise InputError(f"{rate} needs positive=, one of the classes")
            keep &= rates.is_gap_within(rate, exact_number("max_gap", max_gap))
        places = np.flatnonzero(keep)
        if where is not None:
            places = np.array([i for i in places if where(self[int(i)])], dtype=np.intp)
        return self._some(places)

    def _uses(self, text: str) -> NDArray[np.bool_]:
        """Return which lists use a column or an antecedent."""
        source = self._source
        if text in source.column_names:
            asks = source.asks[source.column_names.index(text)]
        else:
            bare = [name.replace("(", "").replace(")", "") for name in source.names]
            wanted = text.replace("(", "").replace(")", "")
            if wanted not in bare:
                raise InputError(
                    f"there is no column and no antecedent {text!r}; columns are "
                    f"{', '.join(source.column_names)}"
                )
            asks = np.array([name == wanted for name in bare], dtype=np.bool_)
        padded = np.append(asks, False)
        return np.asarray(padded[self.found.prefixes].any(axis=1), np.bool_)

    @property
    def column_names(self) -> tuple[str, ...]:
        """The columns that antecedents ask about, in the order of the table."""
        return self._source.column_names

    def used_columns(self) -> NDArray[np.bool_]:
        """Return which list uses which of `column_names`: lists × columns."""
        asks = np.hstack([self._source.asks, np.zeros((len(self.column_names), 1), np.bool_)])
        used = [row[self.found.prefixes].any(axis=1) for row in asks]
        return np.array(used, dtype=np.bool_).reshape(len(asks), len(self)).T

    def texts(self) -> Iterator[str]:
        """Return each list as one line of text."""
        return (self._text(self.found, index) for index in range(len(self)))

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw objective against accuracy or a gap between groups; see `plot_lists`."""
        from surelist.plot.lists import plot_lists

        return plot_lists(self, ax, **options)

    def _some(self, places: NDArray[np.intp]) -> RuleLists:
        found = self.found.some(places)
        return replace(
            self,
            found=found,
            n_orders=int(found.orders.sum()),
            n_predictions=len(np.unique(found.alike)),
            n_alike=None if self.n_alike is None else self.n_alike[places],
        )

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
        if len(self):
            ends = (float(self.found.objective(i)) for i in (0, len(self) - 1))
            text += f", objective from {next(ends):.6g} to {next(ends):.6g}"
        if self.complete_up_to is None:
            return f"{text}; nothing is complete ({self.status})"
        note = "" if self.complete else f" ({self.status})"
        return f"{text}; complete up to {rounded_down(self.complete_up_to)}{note}"

    def _repr_html_(self) -> str:
        from surelist._common.text_tables import html_table

        rows = [
            (f"{float(self.found.objective(i)):.6g}", f"{self.orders[i]:,}", f"{self[i]}\n")
            for i in range(min(_SHOWN, len(self)))
        ]
        return f"<p>{self}</p>" + html_table(("objective", "orders", "rule list"), rows)
