"""The header of a certificate: what is claimed, about which data, in JSON.

docs/certificate_format.md describes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist import _core
from surelist._common.messages import shown
from surelist._common.version import version
from surelist.checker import collapse, fingerprint
from surelist.conditions.values import value_to_json
from surelist.cuts_checker import CUTS, INTERVALS, PAIRS
from surelist.errors import InputError
from surelist.every_cut_checker import EVERY_CUT
from surelist.problem.parameters import Parameters, least_support
from surelist.problem.prepare import Prepared
from surelist.problem.training_data import TrainingData
from surelist.rule_list.rule_list import Antecedent
from surelist.rule_list.rules import Clause

__all__ = [
    "class_value",
    "clause_to_dict",
    "describe",
    "describe_antecedents",
    "every_cut",
    "terms",
    "weights_header",
]


def describe(
    search: _core.Search,
    prepared: Prepared,
    parameters: Parameters,
    antecedents: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the header, but for the counts of what is in the file.

    Parameters
    ----------
    search, prepared, parameters
        The finished search, the problem that it searched, and how.
    antecedents
        What `describe_antecedents` returned.
    """
    data = prepared.data
    return {
        "format": "surelist certificate",
        "version": 2,
        "software": f"surelist {version()}",
        "n_rows": len(data.matrix) if data.n_rows is None else data.n_rows,
        "columns": list(data.columns or data.names),
        "classes": [class_value(label) for label in data.classes.tolist()],
        "weights": weights_header(data.weight_description),
        "regularization": str(parameters.regularization),
        **terms(prepared, parameters),
        "rule_list": {
            "prefix": list(search.prefix),
            "labels": list(search.labels),
            "default_label": search.default_label,
        },
        "objective": str(Fraction(search.objective, search.scale)),
        **_bounds(search),
        "status": search.status,
        "order": list(search.order),
        **antecedents,
        # For readers alone: the proof does not depend on it.
        "search": {
            "policy": parameters.policy,
            "symmetry": parameters.symmetry,
            "bounds": list(parameters.bounds),
            # Where these antecedents are not all there are: the claim is about these alone.
            **({} if prepared.tried is None else {"tried_conjunctions": prepared.tried}),
        },
    }


def _bounds(search: _core.Search) -> dict[str, Any]:
    """Say what no list is below; by length, also up to how many rules none is better."""
    if search.length_proof is None:
        return {"lower_bound": str(Fraction(search.lower_bound, search.scale))}
    length, lower_bound = search.length_proof
    return {"lower_bound": str(Fraction(lower_bound, search.scale)), "proven_length": length}


def describe_antecedents(prepared: Prepared) -> dict[str, Any]:
    """Return the antecedents, and a fingerprint of what they see of the data."""
    antecedents = prepared.antecedents
    # A clause stands in many antecedents: a hundred thousand are described in a moment.
    clauses = {id(clause): clause for each in antecedents for clause in each.clauses}
    described = {key: clause_to_dict(clause) for key, clause in clauses.items()}
    return {
        "antecedents": [[described[id(clause)] for clause in a.clauses] for a in antecedents],
        "fingerprint": _fingerprint(prepared),
    }


def weights_header(described: Mapping[str, Any]) -> dict[str, Any]:
    """Return how weights came about, as the header has it."""
    factors = described["class_weight"]
    exact = None if factors is None else [class_value(float(factor)) for factor in factors]
    return {**described, "class_weight": exact}


def terms(prepared: Prepared, parameters: Parameters) -> dict[str, Any]:
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


def every_cut(prepared: Prepared, parameters: Parameters) -> dict[str, Any]:
    """Say that every cut of some columns is among the antecedents, or could not pay for a rule.

    Not where that is not so: where a greater ``min_support`` leaves some out. Nor where a forbidden
    antecedent has several names, of which the certificate gives one.
    """
    every, constraints = prepared.data.every_cut, prepared.constraints
    needed = least_support(parameters.regularization, parameters.prices)
    nameless = any(constraints.antecedents[index].aliases for index in constraints.forbidden)
    if every is None or parameters.min_support > needed or nameless:
        return {}
    kind = INTERVALS if every.intervals and parameters.max_clauses == 1 else CUTS
    if parameters.max_clauses > 1 and prepared.cut is None:
        kind = PAIRS
    return {EVERY_CUT: {"antecedents": kind, "chains": list(map(dict, every.chains))}}


def class_value(label: object) -> Any:
    """Return a class as the header has it.

    Raises
    ------
    InputError
    """
    if isinstance(label, str | bool | int | float):
        return value_to_json(label)
    raise InputError(f"a certificate cannot hold {shown(label)}; use text or numbers")


def clause_to_dict(clause: Clause) -> dict[str, Any]:
    """Return what a clause asks of a column."""
    return {"condition": dict(clause.asks.to_dict()), "negated": clause.negated}


def _fingerprint(prepared: Prepared) -> str:
    """Return the fingerprint of the groups that the problem has, with the weights of the data."""
    problem, data = prepared.problem, prepared.data
    unit, rest = divmod(int(data.weights.sum()), max(1, problem.total_weight))
    if problem.costs or rest:
        return _fingerprint_of_rows(prepared.antecedents, data)
    by_class = problem.group_weights * unit
    packed = np.packbits(problem.captures, axis=1)
    if packed.shape[1] == 0:
        packed = np.zeros((len(packed), 1), np.uint8)
    group, code = np.nonzero(by_class)
    rows, by_class = collapse(packed[group], code, by_class[group, code], by_class.shape[1])
    return fingerprint(rows, by_class, problem.n_antecedents)


def _fingerprint_of_rows(antecedents: Sequence[Antecedent], data: TrainingData) -> str:
    """Equal rows are put together first, so that antecedents are asked about few."""
    matrix, weights, n_classes = data.matrix, data.weights, len(data.classes)
    counted: slice | NDArray[np.intp] = slice(None) if weights.all() else np.flatnonzero(weights)
    codes, weights = data.codes[counted], weights[counted]
    # Features are columns in memory.
    bits = _turned(np.packbits(matrix.T[:, counted], axis=1))[: len(codes)]
    if bits.shape[1] == 0:  # no features at all: one group
        bits = np.zeros((len(codes), 1), np.uint8)
    rows, by_class = collapse(bits, codes, weights, n_classes)
    distinct = np.unpackbits(rows, axis=1, count=matrix.shape[1])
    packed = _captures(antecedents, distinct)
    group, code = np.nonzero(by_class)
    rows, by_class = collapse(packed[group], code, by_class[group, code], n_classes)
    return fingerprint(rows, by_class, len(antecedents))


_AT_ONCE = 1 << 24  # captures


def _captures(antecedents: Sequence[Antecedent], rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return for each row which antecedents capture it, eight in a byte."""
    packed = np.zeros((len(rows), max(1, (len(antecedents) + 7) // 8)), np.uint8)
    # The rows on which each literal holds; the last one holds always.
    holds = np.packbits(rows.T, axis=1)
    both = np.stack([holds, ~holds], axis=1).reshape(-1, holds.shape[1])
    sets = np.vstack([both, np.full((1, holds.shape[1]), 255, np.uint8)])
    literals = _literals(antecedents, len(sets) - 1)
    step = max(8, _AT_ONCE // max(1, len(rows)) // 8 * 8)
    for start in range(0, len(antecedents), step):
        captured = np.bitwise_and.reduce(sets[literals[start : start + step]], axis=1)
        part = _turned(captured)[: len(rows)]
        packed[:, start // 8 : start // 8 + part.shape[1]] = part
    return packed


def _turned(bits: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the columns of a matrix of bits, eight in a byte, as rows: 8 × 8 bits at a time.

    `numpy.packbits` along the columns takes ten times as long.
    """
    n_eights = (len(bits) + 7) // 8
    padded = np.zeros((8 * n_eights, bits.shape[1]), np.uint8)
    padded[: len(bits)] = bits
    # A word holds the same byte of eight rows, the last row first.
    blocks = padded.reshape(n_eights, 8, bits.shape[1])[:, ::-1].transpose(0, 2, 1)
    words = np.ascontiguousarray(blocks).view("<u8")[:, :, 0]
    for shift, mask in ((7, 0xAA00AA00AA00AA), (14, 0xCCCC0000CCCC), (28, 0xF0F0F0F0)):
        exchanged = (words ^ (words >> np.uint64(shift))) & np.uint64(mask)
        words = words ^ exchanged ^ (exchanged << np.uint64(shift))
    turned = np.ascontiguousarray(words)[:, :, None].view(np.uint8)[:, :, ::-1]
    return turned.transpose(1, 2, 0).reshape(8 * bits.shape[1], n_eights)


def _literals(antecedents: Sequence[Antecedent], always: int) -> NDArray[np.intp]:
    """Return the literals of each antecedent, twice the feature and one where it is negated."""
    width = max((len(antecedent.clauses) for antecedent in antecedents), default=0)
    return np.array(
        [
            [2 * clause.feature + clause.negated for clause in antecedent.clauses]
            + [always] * (width - len(antecedent.clauses))
            for antecedent in antecedents
        ],
        dtype=np.intp,
    ).reshape(len(antecedents), width)
