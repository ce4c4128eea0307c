"""A fitted classifier as a file without pickle; docs/model_format.md describes it.

The file holds parameters, the rule list, what is certified about it and the trace. What the search
needed beyond that, such as the mined antecedents, is not in it. Claims of a file are checked: what
follows from the rule list is computed again, and a file that claims something else is refused.
"""

from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from surelist._common.decompression import DAMAGED_GZIP, DAMAGED_GZIP_TEXT, unpacked_if_gzip
from surelist._common.files import PathLike, put_files, target_of
from surelist._common.messages import shown
from surelist._common.strict_json import DamagedError, Place, parse
from surelist._common.version import version
from surelist.errors import FormatError
from surelist.estimators.fitted_model import FittedModel
from surelist.problem.fairness import read_fairness
from surelist.problem.fairness_report import FairnessReport, GroupRates
from surelist.problem.parameters_json import read_value, settings_to_json
from surelist.rule_list.json import check_version, read_rule_list
from surelist.rule_list.rule_list import RuleList
from surelist.search.trace_json import read_trace, trace_to_dict

__all__ = ["model_of", "model_to_dict", "read_model", "save_model"]

FORMAT = "surelist model"
VERSION = 1

_MOST_BYTES = 1 << 28
_STATUSES = (
    *("optimal", "near_optimal"),
    *("time_limit", "memory_limit", "prefix_limit", "work_limit", "interrupted"),
)
_DTYPES = (
    *("str", "object", "bool", "int8", "int16", "int32", "int64"),
    *("uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"),
)
_KEYS = {
    *("format", "version", "surelist", "parameters", "rule_list", "classes_dtype", "status"),
    *("objective", "lower_bound", "n_features_in", "n_groups", "weight_unit", "trace"),
}


def save_model(model: FittedModel, path: PathLike) -> None:
    """Write a fitted classifier to a file: whole, or not at all.

    Raises
    ------
    InputError
        Where a parameter or a class cannot be written, or the file cannot.
    """
    target = target_of(path)
    text = json.dumps(model_to_dict(model), indent=1, allow_nan=False)
    put_files({target: [text.encode(), b"\n"]})


def model_to_dict(model: FittedModel) -> dict[str, Any]:
    """Return a fitted classifier as a dictionary that JSON can hold."""
    classes = model.classes_
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "surelist": version(),
        "parameters": settings_to_json(model.parameters),
        "rule_list": model.rule_list_.to_dict(),
        "classes_dtype": {"U": "str", "O": "object"}.get(classes.dtype.kind, classes.dtype.name),
        "status": model.status_,
        "objective": _fraction_text(model.objective_exact_),
        "lower_bound": _fraction_text(model.lower_bound_exact_),
        "proven_length": model.proven_length_,
        "n_features_in": int(model.n_features_in_),
        "n_groups": int(model.n_groups_),
        "weight_unit": model.weight_unit_,
        "trace": trace_to_dict(model.trace_),
    }
    if model.fairness_ is not None:
        data["fairness"] = model.fairness_.to_dict()
    if model.feature_names_in_ is not None:
        data["feature_names_in"] = model.feature_names_in_.tolist()
    return data


def _fraction_text(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def read_model(path: PathLike) -> FittedModel:
    """Read a file that `save_model` wrote.

    Raises
    ------
    FormatError
        For a file that cannot be read, is no such file, is damaged, contradicts itself or is of a
        newer version: with the place in it.
    """
    name = os.fsdecode(path)
    try:
        return model_of(parse(_read_text(name)))
    except json.JSONDecodeError as error:
        problem = f"this is not JSON: {error.msg}"
        raise FormatError(problem, name, error.lineno, error.colno) from None
    except DamagedError as error:
        raise FormatError(str(error), name) from None


def _read_text(name: str) -> str:
    try:
        with Path(name).open("rb") as file:
            data = unpacked_if_gzip(file).read(_MOST_BYTES + 1)
    except DAMAGED_GZIP:
        raise FormatError(DAMAGED_GZIP_TEXT, name) from None
    except (OSError, ValueError) as error:
        raise FormatError(f"the file cannot be read ({error})", name) from None
    if len(data) > _MOST_BYTES:
        raise FormatError(f"the file is larger than {_MOST_BYTES >> 20} MiB: too large", name)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError("this is not UTF-8 text", name, line) from None


def model_of(top: Place) -> FittedModel:
    """Read what `model_to_dict` returned.

    Raises
    ------
    DamagedError
    """
    check_version(top, FORMAT, VERSION)
    top.keys(_KEYS, frozenset({"fairness", "feature_names_in", "proven_length"}))
    top["surelist"].text()
    rule_list = RuleList(**read_rule_list(Place(top["rule_list"].value, "rule_list")))
    parameters = {name: read_value(value) for name, value in top["parameters"].fields()}
    return FittedModel(
        parameters,
        rule_list_=rule_list,
        classes_=_read_classes(top["classes_dtype"], rule_list),
        **_read_claims(top, rule_list),
        **_read_features(top, rule_list),
        n_groups_=top["n_groups"].whole(1),
        weight_unit_=_read_unit(top["weight_unit"]),
        trace_=read_trace(top["trace"]),
        fairness_=_read_report(top.get("fairness"), parameters, rule_list),
    )


def _read_report(
    place: Place | None, parameters: dict[str, Any], rule_list: RuleList
) -> FairnessReport | None:
    """Read rates by group; rates are computed again from the counts."""
    if place is None:
        return None
    demand = read_fairness(parameters.get("fairness"))
    if demand is None:
        raise place.fault("rates by group, but the parameters have no fairness")
    place.keys({"labels", "groups", "unfairness"}, frozenset())
    positive = rule_list.classes[1] if demand.positive is None else demand.positive
    counts = ("true_positives", "false_positives", "true_negatives", "false_negatives")
    groups = tuple(
        GroupRates(group["name"].text(), *(group[name].whole(0) for name in counts))
        for group in place["groups"].items()
    )
    report = FairnessReport(groups, place["labels"].text(), positive)
    if report.to_dict() != place.value:
        raise place.fault("the rates do not follow from the counts")
    total = sum(group.weight for group in groups)
    if total != rule_list.total_weight:
        raise place.fault(f"groups weigh {total}, but the rule list {rule_list.total_weight}")
    return report


def _read_classes(place: Place, rule_list: RuleList) -> Any:
    if place.text() not in _DTYPES:
        raise place.fault(f"expected one of {', '.join(_DTYPES)}, found {shown(place.value)}")
    labels = list(rule_list.classes)
    try:
        classes = np.array(labels, dtype=place.value)
        same = classes.tolist() == labels
    except (OverflowError, TypeError, ValueError):
        same = False
    if not same or type(classes.tolist()[0]) is not type(labels[0]):
        raise place.fault(f"{place.value} cannot hold the classes {shown(labels)}")
    return classes


def _read_claims(top: Place, rule_list: RuleList) -> dict[str, Any]:
    """Read what is certified, which has to agree with the rule list and with itself."""
    status = top["status"].text()
    objective, lower_bound = top["objective"].fraction(), top["lower_bound"].fraction()
    if status not in _STATUSES:
        raise top["status"].fault(f"expected one of {', '.join(_STATUSES)}, found {shown(status)}")
    if objective != rule_list.objective:
        raise top["objective"].fault(
            f"the file says {objective}, but its rule list has {rule_list.objective}"
        )
    if not 0 <= lower_bound <= objective:
        raise top["lower_bound"].fault(f"{lower_bound} is not between 0 and the objective")
    if (status == "optimal") != (lower_bound == objective):
        raise top["status"].fault(
            f"{status!r} contradicts a gap of {objective - lower_bound}: "
            "a model is optimal exactly where the gap is 0"
        )
    return {
        "status_": status,
        "objective_exact_": objective,
        "lower_bound_exact_": lower_bound,
        "proven_length_": _read_proven_length(top, status),
    }


def _read_proven_length(top: Place, status: str) -> int | None:
    """Read up to which length no list is better: none for an optimal list, whatever the length.

    Files of earlier versions do not say; then nothing is claimed.
    """
    if "proven_length" not in top.value:
        return None if status == "optimal" else 0
    place = top["proven_length"]
    if status != "optimal":
        return place.whole(0)
    if place.value is not None:
        raise place.fault("a list that is optimal is so for every length: expected null")
    return None


def _read_features(top: Place, rule_list: RuleList) -> dict[str, Any]:
    expected = len(rule_list.feature_names if rule_list.columns is None else rule_list.columns)
    count = top["n_features_in"].whole(1)
    if count != expected:
        raise top["n_features_in"].fault(f"{count}, but the rule list knows {expected} columns")
    names = top.get("feature_names_in")
    if names is None:
        return {"n_features_in_": count}
    texts = [name.text() for name in names.items()]
    if tuple(texts) != (rule_list.columns or rule_list.feature_names):
        raise names.fault("these are not the columns that the rule list knows")
    return {"n_features_in_": count, "feature_names_in_": np.array(texts, dtype=object)}


def _read_unit(place: Place) -> float:
    value = place.value
    if type(value) not in (int, float) or not 0 < value < 2**1000:
        raise place.fault(f"expected a positive number, found {shown(value)}")
    return float(value)
