"""Fit the rows of a run, for the command line and the page: no scikit-learn, no warnings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from surelist.estimators.fit import fit_model
from surelist.estimators.fitted_model import FittedModel
from surelist.problem.settings import Settings
from surelist.runs.rows import Rows

__all__ = ["fit_rows"]


def fit_rows(rows: Rows, parameters: Mapping[str, Any]) -> FittedModel:
    """Fit a model with parameters of `surelist.RuleListClassifier`."""
    return fit_model(Settings(**parameters), **rows.training())
