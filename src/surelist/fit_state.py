"""What a fit began with, as a checkpoint keeps it: parameters, and the groups of the rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from surelist._json_place import parse
from surelist.checkpoint import Checkpoint
from surelist.conditions import Condition, condition_from_dict
from surelist.grouped import Weighing
from surelist.parameter_values import read_value, value_to_json
from surelist.parameters import is_cluster
from surelist.training import TrainingData
from surelist.verify import collapse

if TYPE_CHECKING:
    from surelist.classifier import RuleListClassifier

__all__ = ["describe_fit", "read_data", "read_parameter_values"]


def describe_fit(
    model: RuleListClassifier,
    data: TrainingData,
    columns: Mapping[str, Any],
    weighting: Mapping[str, Any],
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the header and the parts of a checkpoint, but for the state of the search.

    Parameters
    ----------
    model, data
        The parameters, and what came of the rows.
    columns : mapping
        ``n_features_in_`` and, where there are any, ``feature_names_in_``.
    weighting : mapping
        ``sample_weight`` and ``class_weight`` as ``fit`` was given them.
    """
    parameters = model.get_params(deep=False)
    if callable(parameters["progress"]):
        parameters["progress"] = False
    if is_cluster(parameters["n_jobs"]):
        parameters["n_jobs"] = None
    classes = data.classes
    names = columns.get("feature_names_in_")
    header = {
        "parameters": {name: value_to_json(value, name) for name, value in parameters.items()},
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
        "canonical": dict(data.canonical),
        "weighting": data.describe_weights(**weighting),
        "weight_unit": data.weight_unit(**weighting),
    }
    return header, _groups(data)


def _groups(data: TrainingData) -> dict[str, bytes]:
    """Put equal rows together: nothing depends on more than their groups."""
    counted = np.flatnonzero(data.weights)
    rows, by_class = collapse(
        np.packbits(data.matrix[counted], axis=1),
        data.codes[counted],
        data.weights[counted],
        len(data.classes),
    )
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
    top = parse(json.dumps(checkpoint.header["parameters"]))
    return {name: read_value(value) for name, value in top.fields()}


def read_data(checkpoint: Checkpoint) -> TrainingData:
    """Return what came of the training rows: their groups, with the weight of each class.

    Raises
    ------
    DamagedError
    """
    header = checkpoint.header
    values = read_value(parse(json.dumps(header["classes"])))
    classes = np.array(values, dtype=header["classes_dtype"])
    by_class = checkpoint.array("weights", "<i8").reshape(-1, len(classes))
    packed = checkpoint.array("rows", np.uint8).reshape(len(by_class), -1)
    matrix = np.unpackbits(packed, axis=1, count=len(header["names"]))
    group, code = np.nonzero(by_class)
    own = header["own"]
    return TrainingData(
        matrix=matrix[group],
        names=tuple(header["names"]),
        codes=code.astype(np.int32),
        classes=classes,
        weights=by_class[group, code],
        conditions=_conditions(header["conditions"]),
        columns=None if header["columns"] is None else tuple(header["columns"]),
        own=None if own is None else tuple(map(tuple, own)),
        own_only=header["own_only"],
        canonical=header["canonical"],
        n_rows=header["n_rows"],
        weighing=Weighing(
            classes, by_class.sum(axis=0), header["weighting"], header["weight_unit"]
        ),
    )


def _conditions(given: list[dict[str, Any]] | None) -> tuple[Condition, ...] | None:
    return None if given is None else tuple(map(condition_from_dict, given))
