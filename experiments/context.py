"""What one run shares: options, data sets, and searches that several experiments ask for.

Searching all folds takes minutes and four experiments want the same lists, so every data set is
read once and every family of searches run once.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from experiments import compas, stops
from experiments.dataset import Dataset, Features
from experiments.folds import Fold, balanced_weights, resampled, split
from experiments.options import Options
from experiments.report import Section
from experiments.searches import SURELIST, Outcome, Setting, Task, antecedents, run_all
from experiments.sources import COMPAS, MissingDataError, Store, nypd_year

__all__ = ["Context", "Family", "say"]

T = TypeVar("T")
NYPD_YEARS = range(2008, 2013)


@dataclass(frozen=True)
class Family:
    """The same search on every fold of a data set.

    Attributes
    ----------
    data : str
        Which data set and feature set, as `Context.data` knows them.
    regularization : str
    balance : str
        How the rare class is made up for: "", "resampled" or "weights".
    """

    data: str
    regularization: str
    balance: str = ""

    @property
    def takes_long(self) -> bool:
        """Whether one fold takes a minute or so, where most take a second."""
        return self.data == "B" or self.regularization == "0.0025"


def say(text: str) -> None:
    """Report progress."""
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stderr.flush()


def rows_of(features: Features, rows: NDArray[Any]) -> Features:
    """Return some rows of all features."""
    return {clause: bits[rows] for clause, bits in features.items()}


class Context:
    """Options, data and shared results of one run."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.store = Store(options.data, fetch=options.fetch)
        self._known: dict[Any, Any] = {}

    def once(self, key: Any, make: Callable[[], T]) -> T:
        """Make something the first time it is asked for."""
        if key not in self._known:
            self._known[key] = make()
        found: T = self._known[key]
        return found

    # --- Data ---------------------------------------------------------------------------------

    @cached_property
    def compas(self) -> Dataset:
        """ProPublica, feature set B."""
        return compas.load(self.store.find(COMPAS))

    @cached_property
    def nyclu(self) -> Dataset:
        """NYCLU, the 28 features without negations."""
        return stops.load_nyclu(self.store.find(nypd_year(2014)))

    @cached_property
    def nypd(self) -> tuple[Dataset, str]:
        """NYPD, feature set C, and which years it holds."""
        try:
            paths = [self.store.find(nypd_year(year)) for year in NYPD_YEARS]
            return stops.load_nypd(paths), "2008–2012"
        except MissingDataError:
            return stops.load_nypd([self.store.find(nypd_year(2014))]), "2014"

    def data(self, name: str) -> Dataset:
        """Return a feature set by its letter in the paper.

        "two" has age and priors alone, "NYCLU-C" and "NYCLU-D" the features of C and D on NYCLU.
        """
        makers: dict[str, Callable[[], Dataset]] = {
            "A": lambda: self.compas.without([compas.RACE]),
            "B": lambda: self.compas,
            "two": lambda: compas.two_features(self.compas),
            "C": lambda: self.nypd[0],
            "D": lambda: self.nypd[0].without(stops.LOCATION_ATTRIBUTES),
            "E": lambda: _with_negations(self.nyclu),
            "NYCLU-C": lambda: self.nyclu,
            "NYCLU-D": lambda: self.nyclu.without(stops.LOCATION_ATTRIBUTES),
        }
        return self.once(("data", name), makers[name])

    def folds(self, name: str) -> list[Fold]:
        """Return the folds of a data set; feature sets of one data set share them."""
        return list(split(self.data(name).labels, self.options.folds))

    # --- Searches -----------------------------------------------------------------------------

    def task(
        self, family: Family, fold: Fold, setting: Setting = SURELIST, **limits: float | None
    ) -> Task:
        """Return the search on one fold."""
        data = self.data(family.data)
        rows = resampled(data.labels, fold) if family.balance == "resampled" else fold.train
        clauses = 2 if family.data in ("A", "B", "two") else 1
        names, captures = antecedents(rows_of(data.features, rows), clauses=clauses)
        weights = balanced_weights(data.labels[rows]) if family.balance == "weights" else None
        labels = np.ascontiguousarray(data.labels[rows])
        return Task(names, captures, labels, family.regularization, setting, weights, **limits)

    def outcomes(self, family: Family) -> list[Outcome]:
        """Search all folds with every bound; the long limit is there for a slow machine."""

        def search() -> list[Outcome]:
            started = time.perf_counter()
            folds = self.folds(family.data)
            if family.takes_long:
                folds = folds[: self.options.long_folds]
            limit = self.options.long_limit
            tasks = [self.task(family, fold, time_limit=limit) for fold in folds]
            found = run_all(tasks, self.options.jobs)
            took = time.perf_counter() - started
            how = f", {family.balance}" if family.balance else ""
            say(f"feature set {family.data}, λ = {family.regularization}{how}: {took:.1f} s")
            return found

        return self.once(family, search)

    def section(self, title: str) -> Section:
        """Begin a section."""
        say(title)
        return Section(title)


def _with_negations(data: Dataset) -> Dataset:
    features = stops.negated(data.features)
    return Dataset(data.name, features, data.labels, data.about, data.counts, data.source)
