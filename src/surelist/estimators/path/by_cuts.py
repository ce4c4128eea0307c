"""Does finer cutting help? The certified optimum for few cuts, more, and all of them.

The same model is fitted on the same rows with columns cut at ever more places, and tried on rows
that were held out. The objective on the training rows can only fall. Whether the loss on other rows
falls, too, is the question.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import shown
from surelist._common.rounding import bound_text, rounded_up
from surelist._common.text_tables import html_table, text_table
from surelist.errors import InputError, UncertifiedWarning
from surelist.estimators.fit import fit_model
from surelist.problem.settings import Settings
from surelist.rule_list.rule_list import RuleList
from surelist.tables.files import FileTable

if TYPE_CHECKING:
    from surelist.estimators.classifier import RuleListClassifier

__all__ = ["ByCuts", "OfCuts", "objective_by_cuts"]

CUTS: tuple[int | str, ...] = (3, 10, 30, "all")


@dataclass(frozen=True)
class OfCuts:
    """The best list for so many cuts in each column.

    Attributes
    ----------
    n_cuts : int or "all"
    rule_list : RuleList
        The best one known.
    lower_bound : Fraction
        The objective that no list over these cuts goes below.
    held_out : float or None
        The share of the held-out rows that it gets wrong; None without such rows.
    """

    n_cuts: int | str
    rule_list: RuleList
    lower_bound: Fraction
    held_out: float | None

    @property
    def objective(self) -> Fraction:
        """The objective of ``rule_list`` on the training rows."""
        return self.rule_list.objective

    @property
    def certified(self) -> bool:
        """Whether no list over these cuts has a lower objective."""
        return self.lower_bound == self.objective


@dataclass(frozen=True)
class ByCuts:
    """The best list for each number of cuts; print it for a table, or draw it by `plot`.

    Attributes
    ----------
    rows : tuple of OfCuts
    n_training, n_held_out : int
        How many rows the lists were learned from, and tried on.
    """

    rows: tuple[OfCuts, ...]
    n_training: int
    n_held_out: int

    @property
    def certified(self) -> bool:
        """Whether every row is certified."""
        return all(row.certified for row in self.rows)

    def __str__(self) -> str:
        return text_table(_TITLES, [_cells(row) for row in self.rows])

    def _repr_html_(self) -> str:
        rows = [(*_cells(row), f"{row.rule_list}\n") for row in self.rows]
        return html_table((*_TITLES, "rule list"), rows)

    def plot(self, ax: Any = None) -> Any:
        """Draw the objective, and the losses in training and on held-out rows, by cuts.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; None makes a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from surelist.plot.by_cuts import plot_by_cuts

        return plot_by_cuts(self, ax)


_TITLES = ("cuts", "rules", "objective", "lower bound", "loss", "held out", "")


def _cells(row: OfCuts) -> tuple[str, ...]:
    gap = row.objective - row.lower_bound
    return (
        str(row.n_cuts),
        str(len(row.rule_list.rules)),
        f"{float(row.objective):.4f}",
        bound_text(row.objective, row.lower_bound, ".4f"),
        f"{float(row.rule_list.loss):.4f}",
        "" if row.held_out is None else f"{row.held_out:.4f}",
        "optimal" if row.certified else f"gap {rounded_up(gap)}",
    )


def objective_by_cuts(
    model: RuleListClassifier,
    X: Any,
    y: Any,
    *,
    cuts: Sequence[int | str] = CUTS,
    held_out: float = 0.3,
    random_state: int = 0,
) -> ByCuts:
    """Find the optimum for each number of cuts, in training and on held-out rows.

    Parameters
    ----------
    model : RuleListClassifier
        The settings; its binarizer's ``n_cuts`` and ``max_features`` do not count. "all" goes best
        with ``max_clauses=1`` and a ``max_length``.
    X, y
        Rows and labels, as for ``fit``; a data frame or an array.
    cuts : sequence of int or "all"
        How many cuts in each column.
    held_out : float, default=0.3
        The share of rows to try the lists on; 0 for none.
    random_state : int, default=0
        Which rows these are.

    Raises
    ------
    InputError
        For cuts or a share that cannot be used.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from surelist import RuleListClassifier, objective_by_cuts
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = RuleListClassifier(0.01, max_clauses=1, max_length=2)
    >>> found = objective_by_cuts(model, X, y, cuts=(1, "all"))
    >>> found.certified, found.rows[1].objective <= found.rows[0].objective
    (True, True)
    """
    from sklearn.model_selection import train_test_split

    if not isinstance(held_out, int | float) or not 0 <= held_out < 1:
        raise InputError(f"held_out must be a share from 0 to below 1; got {shown(held_out)}")
    if isinstance(cuts, str) or len(list(cuts)) == 0:
        raise InputError(f'cuts must be a list such as [3, 10, "all"]; got {shown(cuts)}')
    labels = np.asarray(y)
    train, test = np.arange(len(labels)), np.zeros(0, np.intp)
    if held_out > 0:
        try:
            train, test = train_test_split(
                train, test_size=held_out, random_state=random_state, stratify=labels
            )
        except ValueError as error:
            raise InputError(f"no rows can be held out: {error}") from None
    rows = tuple(_of_cuts(model, n, X, labels, np.sort(train), np.sort(test)) for n in cuts)
    return ByCuts(rows, len(train), len(test))


def _of_cuts(
    model: RuleListClassifier,
    n_cuts: int | str,
    X: Any,
    y: NDArray[Any],
    train: NDArray[np.intp],
    test: NDArray[np.intp],
) -> OfCuts:
    from sklearn.base import clone

    from surelist.features.binarizer import Binarizer

    given = model.binarizer
    binarizer = Binarizer(min_frequency=0.01) if given is None else clone(given)
    binarizer.set_params(n_cuts=n_cuts, max_features=None)
    own = clone(model).set_params(binarizer=binarizer)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)  # the table shows which are certified
        found = _fitted(own, _take(X, train), y[train])
    missed = None
    if len(test):
        missed = float(np.mean(found.rule_list_.predict(_take(X, test)) != y[test]))
    return OfCuts(n_cuts, found.rule_list_, found.lower_bound_exact_, missed)


def _fitted(model: RuleListClassifier, X: Any, y: NDArray[Any]) -> Any:
    """Fit without scikit-learn where the table was read from a file, which it does not know."""
    if isinstance(X, FileTable):
        return fit_model(Settings.of(model), X, y)
    return model.fit(X, y)


def _take(X: Any, rows: NDArray[np.intp]) -> Any:
    if isinstance(X, FileTable):
        return X.take(rows)
    from sklearn.utils import _safe_indexing

    return _safe_indexing(X, rows)
