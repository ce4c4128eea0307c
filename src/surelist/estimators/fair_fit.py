"""Fit a fair list: settings, rows and sensitive groups in, a fitted model out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from surelist._common.limits import Deadline
from surelist.estimators.fitted_model import FittedModel, fitted_model
from surelist.problem.fair_prepare import prepare_fair
from surelist.problem.fairness import Demand
from surelist.problem.parameters import Parameters
from surelist.problem.settings import Settings
from surelist.search.fair import search_fair

__all__ = ["fit_fair"]


def fit_fair(
    settings: Settings,
    parameters: Parameters,
    demand: Demand,
    rows: tuple[Any, Any, Any, Any],
    deadline: Deadline,
    columns_of: Callable[[Any], dict[str, Any]],
) -> FittedModel:
    """Find the best fair list; ``rows`` are X, y, sample weights and sensitive features.

    Raises
    ------
    InputError
    """
    X, y, sample_weight, sensitive_features = rows
    fair = prepare_fair(
        settings, parameters, demand, X, y, sample_weight, sensitive_features, deadline
    )
    found = search_fair(fair, parameters, settings.initial_rule_list)
    model = fitted_model(settings, fair.prepared, found.outcome, columns_of(X))
    # The engine's groups of rows are split by sensitive group.
    return replace(model, fairness_=found.report, n_groups_=fair.problem.n_groups)
