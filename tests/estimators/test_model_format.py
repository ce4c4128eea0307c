"""What is written fits the published JSON Schema, and what does not fit is not read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fitted_models import DATA, fitted
from hypothesis import given
from jsonschema import Draft202012Validator
from raw_lists import RawCase, raw_cases
from rule_lists import PAPER
from strategies import THOROUGH

from surelist import Binarizer, RuleListClassifier
from surelist.estimators.fitted_model import FittedModel
from surelist.estimators.model_json import model_to_dict

PAGE = Path(__file__).resolve().parents[2] / "docs" / "model_format.schema.json"
SCHEMA: dict[str, Any] = json.loads(PAGE.read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    VALIDATOR.validate(json.loads(DATA))
    VALIDATOR.validate(json.loads(PAPER.export("json")))


@pytest.mark.slow
@THOROUGH
@given(raw_cases())
def test_every_rule_list_fits_the_schema(case: RawCase) -> None:
    VALIDATOR.validate(json.loads(case.rule_list.export("json")))


def test_every_parameter_fits_the_schema() -> None:
    model = fitted().set_params(
        bounds={"support"},
        class_weight={"no": 2},
        binarizer=Binarizer().fit([[1], [2]]),
        initial_rule_list=fitted(),
    )
    VALIDATOR.validate(json.loads(json.dumps(model_to_dict(FittedModel.of(model)))))
    named = set(RuleListClassifier().get_params(deep=False))
    assert set(json.loads(DATA)["parameters"]) == named


@pytest.mark.parametrize("key", sorted(json.loads(DATA)))
def test_the_schema_misses_no_key(key: str) -> None:
    data = json.loads(DATA)
    data[key] = object
    assert not VALIDATOR.is_valid(data)
    if key not in ("feature_names_in", "proven_length"):
        del data[key]
        assert not VALIDATOR.is_valid(data)
