"""Fit: settings and rows in, a fitted model out, without scikit-learn.

Two steps: *prepare* makes a problem of the rows (`surelist.problem.prepare`), *search* finds a rule
list for the problem and proves what it can (`surelist.search.run`). What only some fits need, fair
lists, all cuts and checkpoints, is imported by those: it takes as long as a small search.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from surelist import _core
from surelist._common.limits import Deadline
from surelist.errors import InputError
from surelist.estimators.fitted_model import FittedModel, fitted_model
from surelist.features.binarization import cuts_everywhere
from surelist.problem.parameters import is_dask_frame, read_parameters
from surelist.problem.prepare import prepare
from surelist.problem.settings import Settings
from surelist.problem.training_data import choose_binarizer
from surelist.rule_list.table import read_laplace
from surelist.search.checkpoint import refuse_unfinished
from surelist.search.run import search_prepared
from surelist.sources.row_source import RowSource
from surelist.tables.table import Table

__all__ = ["columns_of_table", "fit_model"]


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
    columns_of = columns_of or columns_of_table
    try:
        if parameters.fairness is not None:
            from surelist.estimators.fair_fit import fit_fair

            rows = (X, y, sample_weight, sensitive_features)
            return fit_fair(settings, parameters, parameters.fairness, rows, deadline, columns_of)
        if cuts_everywhere(binarizer):
            from surelist.estimators.cut_fit import fit_cuts

            given = (X, y, sample_weight)
            model = fit_cuts(settings, parameters, binarizer, given, deadline, columns_of)
            if model is not None:
                return model
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
        columns = columns_of(X)
        contents = None
        if parameters.checkpoint is not None:
            from surelist.search.checkpoint_contents import checkpoint_contents

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
