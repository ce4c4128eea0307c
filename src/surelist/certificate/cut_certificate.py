"""Certificates of a search over all cuts: what is claimed of every cut, and its proof, in a file.

`surelist.cuts_checker` checks them, and says why that proves the claim. docs/all_cuts.md describes
the file.
"""

from __future__ import annotations

import hashlib
import json
import os
import warnings
import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from surelist._common.files import put_files, target_of
from surelist._common.rounding import rounded_down
from surelist._common.version import version
from surelist.certificate.certificate import Certificate
from surelist.certificate.header import class_value, weights_header
from surelist.certificate.proof_file import ProofFile
from surelist.checker import VerificationError
from surelist.conditions.conditions import Condition, Interval, condition_from_dict
from surelist.cuts_checker import (
    INTERVALS,
    MAGIC,
    PAIRS,
    asked_in_words,
    fingerprint,
    read_file,
    read_header,
)
from surelist.errors import FormatError, InputError, UnwrittenWarning
from surelist.features.every_cut import Asked, conditions_of, described
from surelist.problem.cut_problem import CutProblem
from surelist.problem.parameters import Parameters
from surelist.rule_list.rule_list import RuleList

__all__ = ["CutCertificate", "asked_of", "certify_cuts", "pack"]

# What shrinks more than this is stored as it is: to read a small file never needs much work.
_MOST_RATIO = 900


class CutCertificate(Certificate):
    """A proof that no rule list of up to so many rules is better at any cut of any column.

    Attributes
    ----------
    header : dict
        What is claimed, about which data; see docs/all_cuts.md.
    path : Path or None
        The file; None where the certificate is held in memory.
    """

    def __init__(self, source: bytes | str | os.PathLike[str]) -> None:
        ProofFile.__init__(self, source)
        self.n_closed = 0  # a proof of another kind: it closes no prefixes
        try:
            line, _ = read_file(self.to_bytes())
            self.header = read_header(line)
        except VerificationError as error:
            reason = str(error).removeprefix("Refused: ")
            raise FormatError(reason, self.path or "the certificate") from None

    @property
    def proven_length(self) -> int:
        """No list of up to so many rules is better."""
        return int(self.header["proven_length"])

    def conditions(self) -> list[Condition]:
        """Return conditions on all columns that the proof is about: one is enough for each."""
        return list(asked_of(self.header["chains"]))

    def summary(self) -> str:
        """Say in plain words what is claimed, about which data."""
        return "\n".join(_summary(self))

    def __repr__(self) -> str:
        claim = "optimal" if self.objective == self.lower_bound else "gap"
        length = f"up to {self.proven_length} rules"
        return f"<CutCertificate: {claim}, all cuts, {length}, {self.n_bytes:,} bytes>"


def certify_cuts(
    problem: CutProblem,
    rule_list: RuleList,
    rules: Sequence[Asked],
    proof: bytes,
    proof_length: int,
    parameters: Parameters,
) -> CutCertificate:
    """Write down what a search has proven of lists of up to ``proof_length`` rules.

    A certificate that cannot be written to its path is held in memory instead, with a warning.
    """
    packed = pack(_describe(problem, rule_list, rules, proof_length, parameters), proof)
    path = parameters.certificate
    if not isinstance(path, Path):
        return CutCertificate(packed)
    try:
        put_files({target_of(path): iter([packed])}, compress=False)
    except (InputError, OSError) as error:
        warnings.warn(
            f"{error}. The certificate is in memory: certificate_.save writes it elsewhere",
            UnwrittenWarning,
            stacklevel=6,
        )
        return CutCertificate(packed)
    return CutCertificate(path)


def pack(header: Mapping[str, Any], proof: bytes) -> bytes:
    """Return the file."""
    text = json.dumps(header, sort_keys=True, ensure_ascii=False, allow_nan=False).encode()
    packed = zlib.compress(proof, 6)
    if len(proof) > _MOST_RATIO * len(packed):
        packed = zlib.compress(proof, 0)
    parts = MAGIC + text + b"\n" + len(proof).to_bytes(8, "little") + packed
    return parts + hashlib.sha256(parts).digest()


def _describe(
    problem: CutProblem,
    rule_list: RuleList,
    rules: Sequence[Asked],
    proof_length: int,
    parameters: Parameters,
) -> dict[str, Any]:
    rows, classes = problem.rows, problem.rows.classes.tolist()
    counted = np.flatnonzero(rows.weights.whole)
    keys = np.array([chain.keys[counted] for chain in problem.chains], np.int32)
    seen = fingerprint(
        keys.reshape(len(problem.chains), len(counted)),
        [chain.n_cuts for chain in problem.chains],
        rows.labels.codes[counted].astype(np.intp),
        rows.weights.whole[counted],
        len(classes),
    )
    asked = [conditions_of(problem.chains, rule) for rule in rules]
    pairs = problem.pairs
    labels = [classes.index(rule.label) for rule in (*rule_list.rules, rule_list.default)]
    kind = {"antecedents": INTERVALS if problem.intervals else PAIRS} if pairs else {}
    return kind | {
        "format": "surelist cuts certificate",
        "version": 2 if pairs else 1,
        "software": f"surelist {version()}",
        "n_rows": rows.table.n_rows,
        "columns": list(rows.table.names),
        "classes": [class_value(label) for label in classes],
        "weights": weights_header(rows.weight_description),
        "regularization": str(parameters.regularization),
        "max_length": parameters.max_length,
        "chains": list(described(problem.chains)),
        "rule_list": {
            "conditions": [_together([dict(each.to_dict()) for each in rule]) for rule in asked],
            "labels": labels[:-1],
            "default_label": labels[-1],
        },
        "objective": str(rule_list.objective),
        "lower_bound": str(_lower_bound(problem, rule_list, proof_length, parameters)),
        "proven_length": proof_length,
        "fingerprint": seen,
    }


def _together(conditions: list[dict[str, Any]]) -> Any:
    """Return what a rule asks: a condition as it is, or a list of them."""
    return conditions[0] if len(conditions) == 1 else conditions


def _lower_bound(
    problem: CutProblem, rule_list: RuleList, proof_length: int, parameters: Parameters
) -> Fraction:
    """Return what no list of any allowed length is below: longer ones pay for their rules."""
    most = parameters.max_length
    if most is not None and most <= proof_length:
        return rule_list.objective
    floor, n_groups = problem.floor()
    if n_groups <= proof_length + 1:  # more rules than that are never better
        return rule_list.objective
    longer = (proof_length + 1) * parameters.regularization + floor
    return min(rule_list.objective, longer)


def asked_of(chains: Sequence[Mapping[str, Any]]) -> Iterator[Condition]:
    """Return conditions on all columns of some chains as they are described: one for each."""
    for chain in chains:
        if "condition" in chain:
            yield condition_from_dict(chain["condition"])
        elif isinstance(chain["values"], list):
            order = tuple(chain["values"])
            yield Interval(chain["column"], order[0], order=order)
        elif chain["values"] == "moments":
            yield Interval(chain["column"], datetime(2000, 1, 1))
        else:
            yield Interval(chain["column"], 0)


def _summary(certificate: CutCertificate) -> Iterator[str]:
    header, low, high = certificate.header, certificate.lower_bound, certificate.objective
    length = certificate.proven_length
    n_cut = sum("column" in chain for chain in header["chains"])
    of = asked_in_words(n_cut, len(header["chains"]) - n_cut)
    kinds = {PAIRS: "with any two cuts in each rule,", INTERVALS: "at any cut or interval"}
    where = kinds.get(header.get("antecedents", ""), "at any cut")
    yield f"Certificate of {header.get('software', 'unknown software')}, of all cuts."
    yield (
        f"Claim: no rule list of up to {length:,} rules has an objective below "
        f"{rounded_down(high)} (exactly {high}), {where} of {of}."
    )
    if low < high:
        yield f"Longer lists: none has an objective below {rounded_down(low)} (exactly {low})."
    price = f"plus λ = {header['regularization']} for each rule"
    yield f"Objective: share of the weight that is misclassified, {price}."
    yield f"Data: {header['n_rows']:,} rows. Fingerprint: {certificate.fingerprint}."
    yield f"Proof: {certificate.n_bytes:,} bytes."
