"""Certificates of fair lists: the claim with its groups, multipliers, closed states and values.

docs/fairness_proofs.md describes the file; `surelist.fairness_checker` checks it.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist import _core
from surelist._common.files import put_files, target_of
from surelist._common.version import version
from surelist.certificate.header import class_value, clause_to_dict, terms
from surelist.certificate.proof_file import OptimumProof
from surelist.checker import MOST_HEADER, VerificationError, collapse, fingerprint
from surelist.errors import FormatError
from surelist.fairness_checker import MAGIC, MOST_RATIO, read_fair_header
from surelist.problem.fair_prepare import FairPrepared
from surelist.problem.parameters import Parameters

__all__ = ["FairCertificate", "fair_certificate"]

_STORED = 0  # zlib's level for what shrinks so much that a checker would refuse it


class FairCertificate(OptimumProof):
    """A proof that a fair rule list is optimal, or of how far from optimal it is at most.

    Made by ``RuleListClassifier(fairness=…, certificate=True).fit(X, y)`` or read by
    `FairCertificate.load`.

    Attributes
    ----------
    header : dict
        What is claimed, about which data, groups and tolerance.
    path : Path or None
        The file; None where the certificate is held in memory.
    """

    def __init__(
        self, source: bytes | str | os.PathLike[str], *, _header: dict[str, Any] | None = None
    ) -> None:
        super().__init__(source)
        if _header is not None:
            self.header = _header
            return
        name = "the certificate" if self.path is None else self.path
        data = self.to_bytes()
        if not data.startswith(MAGIC):
            raise FormatError("this is no certificate of a fair list", name)
        end = data.find(b"\n", len(MAGIC), len(MAGIC) + MOST_HEADER) + 1
        try:
            self.header = read_fair_header(data[len(MAGIC) : end])
        except VerificationError as error:
            reason = str(error).removeprefix("Refused: ")
            raise FormatError(f"its header cannot be read: {reason}", name) from None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> FairCertificate:
        """Open a certificate; only `verify` says whether it is right.

        Raises
        ------
        FormatError
        """
        return cls(path)

    def __repr__(self) -> str:
        claim = "optimal" if self.objective == self.lower_bound else "gap"
        return f"<FairCertificate: {claim}, {self.n_bytes:,} bytes>"


def fair_certificate(
    engine: _core.FairSearch,
    fair: FairPrepared,
    parameters: Parameters,
    claim: Mapping[str, Any],
    path: str | os.PathLike[str] | None = None,
) -> FairCertificate:
    """Pack what a search has proven; ``claim`` holds list, objective, lower bound and status."""
    header = _header(engine, fair, parameters, claim)
    data = pack_fair(header, _closed(engine.closed), engine.claims)
    if path is not None:
        put_files({target_of(path): [data]}, compress=False)
        return FairCertificate(path, _header=header)
    return FairCertificate(data, _header=header)


def pack_fair(
    header: Mapping[str, Any],
    closed: Sequence[Sequence[int]],
    claims: Sequence[tuple[Sequence[int], int | None, int]],
) -> bytes:
    """Return the file: magic line, header, lengths, packed proof, checksum."""
    values = [[list(path), rules, str(least)] for path, rules, least in claims]
    body = json.dumps({"closed": closed, "values": values}, separators=(",", ":")).encode()
    packed = zlib.compress(body, 9)
    if len(body) > MOST_RATIO * len(packed):
        packed = zlib.compress(body, _STORED)
    line = json.dumps(header, sort_keys=True, ensure_ascii=False).encode() + b"\n"
    lengths = len(packed).to_bytes(8, "little") + len(body).to_bytes(8, "little")
    whole = MAGIC + line + lengths + packed
    return whole + hashlib.sha256(whole).digest()


def _closed(flat: Sequence[int]) -> list[list[int]]:
    """Return the closed prefixes, of which the engine gives lengths and rules in one row."""
    # The empty prefix is the beginning of every proof, also where nothing was expanded.
    found: list[list[int]] = [[]]
    at = 0
    while at < len(flat):
        end = at + 1 + flat[at]
        if flat[at]:
            found.append(list(flat[at + 1 : end]))
        at = end
    return found


def _header(
    engine: _core.FairSearch, fair: FairPrepared, parameters: Parameters, claim: Mapping[str, Any]
) -> dict[str, Any]:
    data = fair.data
    factors = data.weight_description["class_weight"]
    assert factors is None, "fair fits have no class weights"
    return {
        "format": "surelist fairness certificate",
        "version": 1,
        "software": f"surelist {version()}",
        "n_rows": len(data.matrix),
        "columns": list(data.columns or data.names),
        "classes": [class_value(each) for each in data.classes.tolist()],
        "weights": dict(data.weight_description),
        "regularization": str(parameters.regularization),
        **terms(fair.prepared, parameters),
        "antecedents": [
            [clause_to_dict(clause) for clause in antecedent.clauses]
            for antecedent in fair.prepared.antecedents
        ],
        "sensitive": _groups(fair),
        "fairness": _demand(fair),
        "multipliers": list(engine.multipliers),
        "unit": engine.unit,
        "value_unit": str(engine.scale * engine.unit),
        "fingerprint": _fingerprint(fair),
        **claim,
    }


def _groups(fair: FairPrepared) -> list[list[dict[str, Any]]]:
    """Return each sensitive group as a conjunction of conditions on columns."""
    width = len(fair.sensitive.values[0])
    beside = [f"sensitive_features {i}" for i in range(width)]
    columns = fair.sensitive.columns or beside

    def condition(column: str, value: Any) -> dict[str, Any]:
        if value is None:
            return {"kind": "missing", "column": column}
        return {"kind": "equals", "column": column, "value": class_value(value)}

    return [
        [
            {"condition": condition(column, value), "negated": False}
            for column, value in zip(columns, values, strict=True)
        ]
        for values in fair.sensitive.values
    ]


def _demand(fair: FairPrepared) -> dict[str, Any]:
    demand, names = fair.demand, fair.sensitive.names

    def by_group(given: Mapping[str | None, Fraction]) -> list[str | None]:
        shares = [given.get(name, given.get(None)) for name in names]
        return [None if share is None else str(share) for share in shares]

    return {
        "metrics": list(demand.metrics),
        "tolerance": None if demand.tolerance is None else str(demand.tolerance),
        "ratio": None if demand.ratio is None else str(demand.ratio),
        "majority": demand.majority,
        "positive": fair.positive,
        "max_error": by_group(demand.max_error),
        "min_selection": by_group(demand.min_selection),
        "max_selection": by_group(demand.max_selection),
        "groups": list(names),
    }


def _fingerprint(fair: FairPrepared) -> str:
    """Hash what antecedents and groups see of the rows."""
    data, antecedents = fair.data, fair.prepared.antecedents
    used = np.flatnonzero(data.weights)
    rows, inverse = _distinct(data.matrix[used])
    captures = np.zeros((len(rows), len(antecedents)), np.bool_)
    for index, antecedent in enumerate(antecedents):
        captures[:, index] = antecedent.captures(rows)
    member = np.arange(len(fair.sensitive)) == fair.sensitive.codes[used, None]
    packed = np.packbits(np.concatenate([captures[inverse], member], axis=1), axis=1)
    lines, by_class = collapse(packed, data.codes[used], data.weights[used], 2)
    return fingerprint(lines, by_class, len(antecedents) + len(fair.sensitive))


def _distinct(matrix: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    lines = np.ascontiguousarray(matrix).view(np.dtype((np.void, max(1, matrix.shape[1]))))
    _, first, inverse = np.unique(lines.reshape(-1), return_index=True, return_inverse=True)
    return matrix[first], inverse.reshape(-1)
