"""Parameters of an estimator in JSON: whatever `get_params` may return comes back equal.

Plain values stand for themselves. What JSON does not keep apart is marked by an object with one
key: ``{"tuple": [...]}``, ``{"fraction": "1/3"}``. Nothing that is read here names a class or a
function to be called, so a file can ask for nothing but values.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

import numpy as np

from surelist._common.messages import shown
from surelist._common.strict_json import Place
from surelist.conditions.conditions import condition_from_dict
from surelist.errors import InputError
from surelist.features.binarization import Binarization, feature_names
from surelist.problem.fairness import Fairness
from surelist.problem.parameters import is_cluster
from surelist.rule_list.json import read_rule_list
from surelist.rule_list.rule_list import RuleList

__all__ = [
    "binarizer_from_place",
    "binarizer_to_dict",
    "read_value",
    "settings_to_json",
    "value_to_json",
]

_DEEPEST = 20


def value_to_json(value: Any, name: str, depth: int = 0) -> Any:
    """Return a parameter as something that JSON can hold.

    Raises
    ------
    InputError
        For what cannot be written, such as a function; ``name`` says whose value it is.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from surelist.problem.parameters_json import value_to_json
    >>> value_to_json({"yes": Fraction(1, 3)}, "class_weight")
    {'dict': [['yes', {'fraction': '1/3'}]]}
    """
    value = value.tolist() if isinstance(value, np.generic | np.ndarray) else value
    value = getattr(value, "rule_list_", value)
    if isinstance(value, os.PathLike):
        value = os.fsdecode(value)
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, Decimal):
        return {"decimal": str(value)}
    if isinstance(value, Fraction):
        return {"fraction": f"{value.numerator}/{value.denominator}"}
    if isinstance(value, date):
        kind = "datetime" if isinstance(value, datetime) else "date"
        return {kind: value.isoformat()}
    if isinstance(value, RuleList):
        return {"rule_list": value.to_dict()}
    if isinstance(value, Binarization):
        return {"binarizer": binarizer_to_dict(value)}
    if isinstance(value, Fairness):
        return {"fairness": {n: value_to_json(v, f"fairness.{n}") for n, v in vars(value).items()}}
    return _collection_to_json(value, name, depth + 1)


def settings_to_json(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a model, by name, as something that JSON can hold.

    A function that watches progress is left out, and so is a cluster: neither says anything about
    the model.

    Raises
    ------
    InputError
    """
    plain = dict(settings)
    if callable(plain["progress"]):
        plain["progress"] = False
    if is_cluster(plain["n_jobs"]):
        plain["n_jobs"] = None
    return {name: value_to_json(value, name) for name, value in plain.items()}


def _collection_to_json(value: Any, name: str, depth: int) -> Any:
    if depth <= _DEEPEST:
        if isinstance(value, list | tuple):
            members = [value_to_json(member, name, depth) for member in value]
            return members if isinstance(value, list) else {"tuple": members}
        if isinstance(value, set | frozenset):
            members = [value_to_json(member, name, depth) for member in sorted(value, key=repr)]
            return {"set" if isinstance(value, set) else "frozenset": members}
        if isinstance(value, Mapping):
            pairs = [
                [value_to_json(key, name, depth), value_to_json(member, name, depth)]
                for key, member in value.items()
            ]
            return {"dict": pairs}
    raise InputError(
        f"the parameter {name} cannot be saved: {shown(value)} is a {type(value).__name__}; set it "
        "to a plain value first"
    )


def binarizer_to_dict(binarizer: Binarization) -> dict[str, Any]:
    """Return a Binarizer as something that JSON can hold: its parameters and, fitted, its state."""
    data: dict[str, Any] = {
        "parameters": {
            name: value_to_json(getattr(binarizer, name), f"binarizer.{name}")
            for name in _binarizer_parameters()
        }
    }
    state = vars(binarizer)
    if "conditions_" in state:
        data["conditions"] = [condition.to_dict() for condition in state["conditions_"]]
        data["n_features_in"] = int(state["n_features_in_"])
        if "feature_names_in_" in state:
            data["feature_names_in"] = state["feature_names_in_"].tolist()
    return data


def _binarizer_parameters() -> list[str]:
    return sorted(field.name for field in fields(Binarization))


def read_value(place: Place, depth: int = 0) -> Any:
    """Read what `value_to_json` returned.

    Raises
    ------
    DamagedError
    """
    value = place.value
    if value is None or type(value) in (bool, int, float, str):
        return value
    if depth > _DEEPEST:
        raise place.fault("values are nested too deeply")
    if isinstance(value, list):
        return [read_value(item, depth + 1) for item in place.items()]
    fields = list(place.fields())
    if len(fields) != 1 or fields[0][0] not in {*_READERS, *_COLLECTIONS}:
        raise place.fault(f"expected a value, found {shown(value)}")
    kind, inner = fields[0]
    if kind in _READERS:
        return _READERS[kind](inner)
    members = [read_value(item, depth + 1) for item in inner.items()]
    try:
        return _COLLECTIONS[kind](members)
    except (TypeError, ValueError):
        raise inner.fault(f"these cannot be the members of a {kind}") from None


def _read_float(place: Place) -> float:
    if place.text() not in ("inf", "-inf", "nan"):
        raise place.fault(f"expected 'inf', '-inf' or 'nan', found {shown(place.value)}")
    return float(place.value)


def _read_decimal(place: Place) -> Decimal:
    try:
        if len(place.text()) <= 99:
            return Decimal(place.value)
    except InvalidOperation:
        pass
    raise place.fault(f"expected a decimal number as text, found {shown(place.value)}")


def _read_date(place: Place) -> date:
    return _iso(place, date.fromisoformat)


def _read_datetime(place: Place) -> date:
    return _iso(place, datetime.fromisoformat)


def _iso(place: Place, reader: Callable[[str], date]) -> date:
    try:
        return reader(place.text())
    except ValueError:
        raise place.fault(f"expected a date as text, found {shown(place.value)}") from None


def _read_fairness(place: Place) -> Fairness:
    known = {field.name for field in fields(Fairness)}
    parameters = {}
    for name, value in place.fields():
        if name not in known:
            raise value.fault("a Fairness has no such parameter")
        parameters[name] = read_value(value)
    return Fairness(**parameters)


def _read_list_of_rules(place: Place) -> RuleList:
    return RuleList(**read_rule_list(place))


def binarizer_from_place(place: Place) -> Binarization:
    """Read what `binarizer_to_dict` returned; `surelist.Binarizer.of` makes a transformer of it.

    Raises
    ------
    DamagedError
    """
    state = frozenset({"conditions", "n_features_in", "feature_names_in"})
    place.keys({"parameters"}, state)
    known = _binarizer_parameters()
    parameters = {}
    for name, value in place["parameters"].fields():
        if name not in known:
            raise value.fault("a Binarizer has no such parameter")
        parameters[name] = read_value(value)
    binarizer = Binarization(**parameters)
    if (conditions := place.get("conditions")) is not None:
        columns = place["n_features_in"].whole(1)
        names = place.get("feature_names_in")
        texts = None if names is None else [name.text() for name in names.items()]
        if texts is not None and len(texts) != columns:
            raise place["feature_names_in"].fault(f"expected {columns} names")
        found = []
        for item in conditions.items():
            try:
                found.append(condition_from_dict(item.value))
            except InputError as error:
                raise item.fault(str(error)) from None
        own = {"conditions_": tuple(found), "_names": feature_names(tuple(found))}
        vars(binarizer).update(own, n_features_in_=columns)
        if texts is not None:
            vars(binarizer)["feature_names_in_"] = np.array(texts, dtype=object)
    return binarizer


_READERS: dict[str, Callable[[Place], Any]] = {
    "float": _read_float,
    "decimal": _read_decimal,
    "fraction": Place.fraction,
    "date": _read_date,
    "datetime": _read_datetime,
    "rule_list": _read_list_of_rules,
    "binarizer": binarizer_from_place,
    "fairness": _read_fairness,
}
_COLLECTIONS: dict[str, Callable[[list[Any]], Any]] = {
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "dict": dict,
}
