"""A fitted model of every kind of column, and its file."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd

from surelist import (
    RuleListClassifier,
)
from surelist.estimators.fitted_model import FittedModel
from surelist.estimators.model_json import model_to_dict

RNG = np.random.default_rng(7)


FRAME = pd.DataFrame(
    {
        "age": RNG.integers(18, 70, 120),
        "sex": RNG.choice(np.array(["Male", "Female", None]), 120),
        "λ\"'\n": np.where(RNG.random(120) < 0.2, np.nan, RNG.normal(size=120)),
        "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(RNG.integers(0, 99, 120), "D"),
    }
)


CODES = ((FRAME["age"] < 30) | (FRAME["sex"] == "Male")).to_numpy().astype(int)


CODES[:5] = 2


def labelled(classes: list[Any], dtype: Any = None) -> Any:
    return np.array(classes, dtype=dtype)[CODES % len(classes)]


def fitted(labels: Any = None, **parameters: Any) -> RuleListClassifier:
    y = labelled(["no", "yes", "maybe"]) if labels is None else labels
    return RuleListClassifier(regularization=0.02, **parameters).fit(FRAME, y)


DATA = json.dumps(model_to_dict(FittedModel.of(fitted())))
