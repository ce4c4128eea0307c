"""Fit over all cuts: settings and rows in, a fitted model out, by the search over chains."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from surelist._common.limits import Deadline
from surelist.estimators.fitted_model import FittedModel, model_of
from surelist.features.binarization import Binarization
from surelist.problem.cut_problem import read_cut_problem
from surelist.problem.parameters import Parameters
from surelist.problem.settings import Settings
from surelist.search.cut_search import search_cuts

__all__ = ["fit_cuts"]


def fit_cuts(
    settings: Settings,
    parameters: Parameters,
    binarizer: Binarization,
    rows: tuple[Any, Any, Any],
    deadline: Deadline,
    columns_of: Callable[[Any], dict[str, Any]],
) -> FittedModel | None:
    """Find the best list over all cuts; ``rows`` are X, y and sample weights.

    None where the search over chains does not serve for these settings or rows; each cut is then an
    antecedent like any other.

    Raises
    ------
    InputError
    """
    X, y, sample_weight = rows
    chains = read_cut_problem(X, y, sample_weight, settings, parameters, binarizer)
    if chains is None:
        return None
    found = search_cuts(chains, parameters, deadline)
    return model_of(
        settings, found.outcome, found.data, found.n_groups, columns_of(X), chains.n_antecedents()
    )
