"""Fit: settings and rows in, a fitted model out, without scikit-learn.

Two steps: *prepare* makes a problem of the rows (`surelist.problem.prepare`), *search* finds a rule
list for the problem and proves what it can (`surelist.search.run`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from surelist import _core
from surelist._common.limits import Deadline
from surelist.errors import InputError
from surelist.estimators.fair_fit import fit_fair
from surelist.estimators.fitted_model import FittedModel
from surelist.problem.cut_problem import read_cut_problem, serves
from surelist.problem.parameters import is_dask_frame, read_parameters
from surelist.problem.prepare import Prepared, prepare
from surelist.problem.settings import Settings
from surelist.problem.training_data import choose_binarizer
from surelist.rule_list.table import read_laplace
from surelist.search.checkpoint import refuse_unfinished
from surelist.search.checkpoint_contents import checkpoint_contents
from surelist.search.cut_search import CutOutcome, search_cuts
from surelist.search.run import Outcome, search_prepared
from surelist.sources.row_source import RowSource
from surelist.tables.table import Table

__all__ = ["columns_of_table", "cut_model", "fit_model", "fitted_model"]


def fit_model(
    settings: Settings,
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
    *,
    sensitive_features: Any = None,
    columns_of: Callable[[Any], dict[str, Any]] | None = None,
) -> FittedModel:
    """Find an optimal rule list; `RuleListClassifier.fit` describes parameters and errors.

    ``columns_of`` returns the attributes by which the model remembers the columns of X; None is
    `columns_of_table`, for a `Table` or a `RowSource`.

    Examples
    --------
    >>> from surelist.estimators.fit import fit_model
    >>> from surelist.problem.settings import Settings
    >>> from surelist.tables.table import read_table
    >>> model = fit_model(Settings(), read_table([[0], [1]] * 5), ["no", "yes"] * 5)
    >>> print(model.rule_list_)
    if (x0) then predict yes
    else predict no
    """
    parameters = read_parameters(settings)
    deadline = Deadline.start(parameters.time_limit)
    read_laplace(settings.laplace)
    if is_dask_frame(X):
        from surelist.sources.dask import DaskRows

        X, y, sample_weight = DaskRows(X, y, sample_weight), None, None
    if parameters.fairness is None and sensitive_features is not None:
        raise InputError("sensitive_features are for a model with fairness=…; it has none")
    if parameters.checkpoint is not None:
        refuse_unfinished(parameters.checkpoint)
    binarizer = choose_binarizer(settings.binarizer, parameters)
    try:
        if parameters.fairness is not None:
            rows = (X, y, sample_weight, sensitive_features)
            columns_of = columns_of or columns_of_table
            return fit_fair(settings, parameters, parameters.fairness, rows, deadline, columns_of)
        if serves(X, settings, parameters, binarizer):
            chains = read_cut_problem(X, y, sample_weight, settings, parameters, binarizer)
            if chains is not None:
                found = search_cuts(chains, parameters, deadline)
                return cut_model(settings, found, (columns_of or columns_of_table)(X))
        prepared = prepare(
            X,
            y,
            sample_weight,
            settings.class_weight,
            parameters,
            binarizer=binarizer,
            antecedents=settings.antecedents,
            deadline=deadline,
        )
        columns = (columns_of or columns_of_table)(X)
        contents = None
        if parameters.checkpoint is not None:
            contents = checkpoint_contents(settings.as_dict(), prepared.data, columns)
        outcome = search_prepared(prepared, parameters, settings.initial_rule_list, contents)
    except _core.InputError as error:
        raise InputError(str(error)) from None
    return fitted_model(settings, prepared, outcome, columns)


def columns_of_table(table: Table | RowSource) -> dict[str, Any]:
    """Return ``n_features_in_`` and, where columns have names, ``feature_names_in_``."""
    columns: dict[str, Any] = {"n_features_in_": len(table.names)}
    if isinstance(table, RowSource) or table.named:
        columns["feature_names_in_"] = np.array(table.names, dtype=object)
    return columns


def fitted_model(
    settings: Settings, prepared: Prepared, outcome: Outcome, columns: Mapping[str, Any]
) -> FittedModel:
    """Put together what the two steps found."""
    return FittedModel(
        settings.as_dict(),
        rule_list_=outcome.rule_list,
        classes_=prepared.data.classes,
        status_=outcome.status,
        objective_exact_=outcome.objective,
        lower_bound_exact_=outcome.lower_bound,
        proven_length_=outcome.proven_length,
        n_groups_=prepared.problem.n_groups,
        weight_unit_=prepared.data.weight_unit,
        trace_=outcome.trace,
        antecedents_=prepared.antecedents,
        certificate_=outcome.certificate,
        **columns,
    )


def cut_model(settings: Settings, found: CutOutcome, columns: Mapping[str, Any]) -> FittedModel:
    """Put together what a search over all cuts found; its antecedents are too many to list."""
    outcome = found.outcome
    return FittedModel(
        settings.as_dict(),
        rule_list_=outcome.rule_list,
        classes_=found.data.classes,
        status_=outcome.status,
        objective_exact_=outcome.objective,
        lower_bound_exact_=outcome.lower_bound,
        proven_length_=outcome.proven_length,
        n_groups_=found.n_groups,
        weight_unit_=found.data.weight_unit,
        trace_=outcome.trace,
        certificate_=outcome.certificate,
        **columns,
    )
