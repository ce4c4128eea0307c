"""The header of a certificate: what is claimed, about which data, in JSON.

docs/certificate_format.md describes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib.metadata import version
from typing import Any

import numpy as np

from surelist import _core
from surelist._shown import shown
from surelist.condition_values import value_to_json
from surelist.errors import InputError
from surelist.parameters import Parameters
from surelist.rule_list import Antecedent
from surelist.training import Prepared, TrainingData
from surelist.verify import collapse, fingerprint

__all__ = ["describe"]


def describe(
    search: _core.Search,
    prepared: Prepared,
    parameters: Parameters,
    sample_weight: Any,
    class_weight: Any,
) -> dict[str, Any]:
    """Return the header, but for the counts of what is in the file.

    Parameters
    ----------
    search, prepared, parameters
        The finished search, the problem that it searched, and how.
    sample_weight, class_weight
        As ``fit`` was given them.
    """
    data = prepared.data
    return {
        "format": "surelist certificate",
        "version": 1,
        "software": f"surelist {version('surelist')}",
        "n_rows": len(data.matrix) if data.n_rows is None else data.n_rows,
        "columns": list(data.columns or data.names),
        "classes": [_value(label) for label in data.classes.tolist()],
        "weights": _weights(data.describe_weights(sample_weight, class_weight)),
        "antecedents": [_clauses(antecedent) for antecedent in prepared.antecedents],
        "regularization": str(parameters.regularization),
        **_terms(prepared, parameters),
        "rule_list": {
            "prefix": list(search.prefix),
            "labels": list(search.labels),
            "default_label": search.default_label,
        },
        "objective": str(Fraction(search.objective, search.scale)),
        "lower_bound": str(Fraction(search.lower_bound, search.scale)),
        "status": search.status,
        "fingerprint": _fingerprint(prepared.antecedents, data),
        # How the search went about it: for readers, of no consequence for the proof.
        "search": {
            "policy": parameters.policy,
            "symmetry": parameters.symmetry,
            "bounds": list(parameters.bounds),
        },
    }


def _weights(described: Mapping[str, Any]) -> dict[str, Any]:
    factors = described["class_weight"]
    exact = None if factors is None else [_value(float(factor)) for factor in factors]
    return {**described, "class_weight": exact}


def _terms(prepared: Prepared, parameters: Parameters) -> dict[str, Any]:
    """Say what mistakes and rules cost, and what a list must be like."""
    constraints = prepared.constraints
    matrix = parameters.prices.matrix_for(prepared.data.classes.tolist())
    unit = parameters.prices.unit(matrix)
    label = constraints.rule_label
    return {
        "costs": None
        if matrix is None
        else {"matrix": [[int(cost * unit) for cost in row] for row in matrix], "unit": unit},
        "prices": constraints.costs
        and [str(parameters.regularization * cost) for cost in constraints.costs],
        "constraints": {
            "max_length": parameters.max_length,
            "rule_labels": None if label is None else [label],
            "first": list(constraints.first),
            "required": list(constraints.required),
            "forbidden": list(constraints.forbidden),
        },
    }


def _value(label: object) -> Any:
    if isinstance(label, str | bool | int | float):
        return value_to_json(label)
    raise InputError(f"a certificate cannot hold the class {shown(label)}; use text or numbers")


def _clauses(antecedent: Antecedent) -> list[dict[str, Any]]:
    return [
        {"condition": _condition(clause), "negated": clause.negated}
        for clause in antecedent.clauses
    ]


def _condition(clause: Any) -> dict[str, Any]:
    condition = getattr(clause, "condition", None)
    if condition is None:
        return {"kind": "is_true", "column": clause.name}
    return dict(condition.to_dict())


def _fingerprint(antecedents: Sequence[Antecedent], data: TrainingData) -> str:
    """Equal rows are put together first, so that antecedents are asked about few."""
    matrix, weights, n_classes = data.matrix, data.weights, len(data.classes)
    counted = np.flatnonzero(weights)
    bits = np.packbits(matrix[counted], axis=1)
    if bits.shape[1] == 0:  # no features at all: one group
        bits = np.zeros((len(counted), 1), np.uint8)
    rows, by_class = collapse(bits, data.codes[counted], weights[counted], n_classes)
    distinct = np.unpackbits(rows, axis=1, count=matrix.shape[1])
    packed = np.zeros((len(rows), max(1, (len(antecedents) + 7) // 8)), np.uint8)
    for index, antecedent in enumerate(antecedents):
        captured = antecedent.captures(distinct).view(np.uint8)
        packed[:, index // 8] |= captured << (7 - index % 8)
    group, code = np.nonzero(by_class)
    rows, by_class = collapse(packed[group], code, by_class[group, code], n_classes)
    return fingerprint(rows, by_class, len(antecedents))
