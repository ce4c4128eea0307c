"""What a checkpoint holds besides the state of the search: parameters and groups of rows."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import shown
from surelist._common.strict_json import Place
from surelist.checker import collapse
from surelist.conditions.conditions import condition_from_dict
from surelist.errors import InputError
from surelist.features.binarization import feature_names
from surelist.problem.parameters_json import read_value, settings_to_json, value_to_json
from surelist.problem.training_data import EveryCut, TrainingData
from surelist.search.checkpoint import Checkpoint
from surelist.tables.column_names import default_names

__all__ = ["checkpoint_contents", "read_columns", "read_data", "read_parameter_values"]

_MOST_COLUMNS = 1 << 24


def checkpoint_contents(
    settings: Mapping[str, Any], data: TrainingData, columns: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the header and the parts of a checkpoint, but for the state of the search.

    Parameters
    ----------
    settings, data
        The parameters as given, by name, and what came of the rows.
    columns : mapping
        ``n_features_in_`` and, where there are any, ``feature_names_in_``.
    """
    classes = data.classes
    names = columns.get("feature_names_in_")
    header = {
        "parameters": settings_to_json(settings),
        "n_features_in": int(columns["n_features_in_"]),
        "feature_names_in": None if names is None else names.tolist(),
        "n_rows": len(data.matrix) if data.n_rows is None else data.n_rows,
        "names": list(data.names),
        "columns": None if data.columns is None else list(data.columns),
        "conditions": None
        if data.conditions is None
        else [condition.to_dict() for condition in data.conditions],
        "classes": value_to_json(classes.tolist(), "classes"),
        "classes_dtype": classes.dtype.str if classes.dtype.kind != "O" else "object",
        "own": None if data.own is None else [list(literals) for literals in data.own],
        "own_only": data.own_only,
        "meant": {text: list(literals) for text, literals in data.meant.items()},
        "weighting": dict(data.weight_description),
        "weight_unit": data.weight_unit,
        "every_cut": None
        if data.every_cut is None
        else {"chains": list(data.every_cut.chains), "intervals": data.every_cut.intervals},
    }
    return header, _groups(data)


def _groups(data: TrainingData) -> dict[str, bytes]:
    """Group equal rows: the search depends only on the groups."""
    counted = np.flatnonzero(data.weights)
    bits = np.packbits(data.matrix[counted], axis=1)
    if bits.shape[1] == 0:  # no features at all: one group
        bits = np.zeros((len(counted), 1), np.uint8)
    rows, by_class = collapse(bits, data.codes[counted], data.weights[counted], len(data.classes))
    return {
        "rows": np.ascontiguousarray(rows).tobytes(),
        "weights": np.ascontiguousarray(by_class, dtype="<i8").tobytes(),
    }


def read_parameter_values(checkpoint: Checkpoint) -> dict[str, Any]:
    """Return the parameters of the classifier.

    Raises
    ------
    DamagedError
    """
    top = Place(checkpoint.header)["parameters"]
    given = {name: read_value(value) for name, value in top.fields()}
    if isinstance(given.get("n_jobs"), str):  # addresses of clusters are not kept
        raise top["n_jobs"].fault("expected a number of threads")
    return given


def read_columns(checkpoint: Checkpoint) -> tuple[int, list[str] | None]:
    """Return ``n_features_in_`` and, where there are any, ``feature_names_in_``.

    Raises
    ------
    DamagedError
    """
    top = Place(checkpoint.header)
    count, names = top["n_features_in"].whole(1, _MOST_COLUMNS), _texts(top["feature_names_in"])
    if names is not None and len(names) != count:
        raise top["feature_names_in"].fault(f"expected {count} names")
    return count, names


def read_data(checkpoint: Checkpoint) -> TrainingData:
    """Return what came of the training rows: their groups, with the weight of each class.

    Raises
    ------
    DamagedError
    """
    top = Place(checkpoint.header)
    names = _texts(top["names"]) or []
    classes = _read_classes(top)
    by_class = checkpoint.array("weights", "<i8", len(classes))
    packed = checkpoint.array("rows", np.uint8, max(1, (len(names) + 7) // 8))
    if len(packed) != len(by_class):
        raise top.fault("there are not as many rows as weights of rows")
    # Compared one by one: their sum might be too large.
    if not ((by_class >= 0) & (by_class < 2**53)).all() or not 0 < by_class.sum() < 2**53:
        raise top.fault("the weights of the rows are not as they should be")
    group, code = np.nonzero(by_class)
    return TrainingData(
        matrix=np.unpackbits(packed, axis=1, count=len(names))[group],
        names=tuple(names),
        codes=code.astype(np.int32),
        classes=classes,
        weights=by_class[group, code],
        **_read_raw(top, names, *read_columns(checkpoint)),
        own=_read_own(top["own"], len(names)),
        own_only=top["own_only"].flag(),
        meant={text: _read_literals(each, len(names)) for text, each in top["meant"].fields()},
        n_rows=top["n_rows"].whole(1, 2**62),
        weight_description=_read_weighting(top["weighting"], len(classes)),
        weight_unit=_read_positive(top["weight_unit"]),
        every_cut=_read_every_cut(top.get("every_cut")),
    )


def _read_every_cut(place: Place | None) -> EveryCut | None:
    """Read which columns are cut everywhere: it is passed on to the certificate as it is."""
    if place is None or place.value is None:
        return None
    place.keys({"chains", "intervals"})
    chains = tuple(dict(chain.fields()) for chain in place["chains"].items())
    plain = tuple({key: each.value for key, each in chain.items()} for chain in chains)
    return EveryCut(plain, place["intervals"].flag())


def _texts(place: Place) -> list[str] | None:
    return None if place.value is None else [item.text() for item in place.items()]


def _read_classes(top: Place) -> NDArray[Any]:
    place, dtype = top["classes"], top["classes_dtype"].text()
    values = read_value(place)
    if dtype != "object" and not re.fullmatch(r"[<>|=][biufU][0-9]{1,6}", dtype):
        raise top["classes_dtype"].fault(f"{shown(dtype)} is no type of classes")
    plain = isinstance(values, list) and all(type(v) in (bool, int, float, str) for v in values)
    try:
        classes = np.array(values if plain else [], dtype=dtype)
    except (OverflowError, TypeError, ValueError) as error:
        raise place.fault(f"these are no classes of type {dtype}: {error}") from None
    # A type that is too narrow changes them; and True is not 1.
    same = list(map(repr, classes.tolist())) == list(map(repr, values if plain else [0]))
    if not same or not 2 <= len(set(values)) == len(values):
        raise place.fault(f"expected two or more different classes of type {dtype}")
    return classes


def _read_raw(
    top: Place, names: list[str], n_columns: int, column_names: list[str] | None
) -> dict[str, Any]:
    """Read what the features ask of which columns."""
    known = set(default_names(n_columns) if column_names is None else column_names)
    columns, given = _texts(top["columns"]), top["conditions"]
    if columns is None or given.value is None:
        if columns is not None or given.value is not None or not known.issuperset(names):
            raise given.fault("the features are neither columns nor conditions on columns")
        return {"columns": None, "conditions": None}
    conditions = []
    for item in given.items():
        try:
            conditions.append(condition_from_dict(item.value))
        except (ArithmeticError, InputError, TypeError, ValueError) as error:
            raise item.fault(str(error)) from None
        if conditions[-1].column not in known.intersection(columns):
            raise item.fault(f"there is no column {shown(conditions[-1].column)}")
    if feature_names(tuple(conditions)) != tuple(names):
        raise given.fault("the features have other names")
    return {"columns": tuple(columns), "conditions": tuple(conditions)}


def _read_own(place: Place, n_features: int) -> tuple[tuple[int, ...], ...] | None:
    if place.value is None:
        return None
    return tuple(_read_literals(each, n_features) for each in place.items())


def _read_literals(place: Place, n_features: int) -> tuple[int, ...]:
    return tuple(each.whole(0, 2 * n_features) for each in place.items())


def _read_weighting(place: Place, n_classes: int) -> dict[str, Any]:
    """Read what `describe_weights` returned."""
    place.keys({"kind", "sample_weight", "class_weight"}, frozenset({"exponent", "divisor"}))
    place["sample_weight"].flag()
    if (kind := place["kind"].text()) not in ("unit", "whole", "rounded"):
        raise place["kind"].fault(f"{shown(kind)} is no kind of weights")
    if kind == "rounded":
        place["exponent"].whole(-4096, 4097)
        place["divisor"].whole(1, 2**62)
    if (factors := place.get("class_weight")) is not None:
        if len(factors.items()) != n_classes:
            raise factors.fault("expected a number for each class")
        for factor in factors.items():
            _read_positive(factor, zero=True)
    return dict(place.value)


def _read_positive(place: Place, *, zero: bool = False) -> float:
    value = place.value
    if type(value) in (int, float) and (0 < value < math.inf or (zero and value == 0)):
        with suppress(OverflowError):
            return float(value)
    raise place.fault(f"expected a finite number above 0, found {shown(value)}")
