"""A fit without the estimator: the same settings, the same model."""

from __future__ import annotations

import inspect
from dataclasses import fields

import numpy as np
import pytest

from surelist import Binarizer, RuleListClassifier
from surelist.estimators.fit import fit_model
from surelist.estimators.fitted_model import FittedModel
from surelist.features.binarization import Binarization
from surelist.problem.settings import Settings
from surelist.tables.table import read_table

ROWS = [[19, "m"], [23, "f"], [31, "m"], [48, "f"], [52, "m"], [24, "m"], [33, "f"], [61, "f"]] * 5
LABELS = ["yes", "yes", "no", "no", "no", "yes", "no", "no"] * 5


@pytest.mark.parametrize(
    ("plain", "estimator"), [(Settings, RuleListClassifier), (Binarization, Binarizer)]
)
def test_plain_settings_are_those_of_the_estimator(plain: type, estimator: type) -> None:
    given = {field.name: field.default for field in fields(plain)}
    parameters = inspect.signature(estimator).parameters
    assert given == {name: each.default for name, each in parameters.items()}


def test_a_plain_fit_finds_what_the_estimator_finds() -> None:
    model = RuleListClassifier(0.02, class_weight="balanced").fit(ROWS, LABELS)
    plain = fit_model(Settings(0.02, class_weight="balanced"), read_table(ROWS), LABELS)
    found, expected = plain.attributes(), vars(model)
    for name in found.keys() - {"trace_"}:
        np.testing.assert_array_equal(found[name], expected[name], err_msg=name)
    assert expected.keys() - found.keys() == model.get_params(deep=False).keys()
    assert plain.parameters == model.get_params(deep=False)
    for name, count in plain.trace_.counters.items():
        assert "time" in name or count == model.trace_.counters[name], name


def test_an_estimator_as_plain_data_and_back() -> None:
    binarizer = Binarizer(n_cuts=1).fit(ROWS)
    model = RuleListClassifier(0.02, binarizer=binarizer).fit(ROWS, LABELS)
    again = RuleListClassifier._of(FittedModel.of(model))
    assert again.predict(ROWS).tolist() == model.predict(ROWS).tolist()
    assert isinstance(again.binarizer, Binarizer)
    assert again.binarizer.transform(ROWS).tolist() == binarizer.transform(ROWS).tolist()
