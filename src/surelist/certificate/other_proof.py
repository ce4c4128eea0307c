"""Proofs of other claims than an optimum, in the form that ``surelist verify`` shows them.

A proof about a fair list, about a set of lists or about what a column is worth has a rule list
too, columns that it asks about, and classes. So ``surelist verify`` and the page for auditors can
treat it like any other, but for the words of its claim.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from surelist._common.messages import counted, shown
from surelist.certificate.certificate import Certificate
from surelist.certificate.completeness import CompletenessCertificate
from surelist.certificate.fairness import FairCertificate
from surelist.certificate.necessity import NecessityCertificate
from surelist.certificate.proof_file import ProofFile
from surelist.checker import VerificationError, read_header
from surelist.completeness_checker import is_completeness
from surelist.conditions.conditions import Condition, condition_from_dict
from surelist.errors import FormatError
from surelist.fairness_checker import is_fair_certificate
from surelist.necessity_checker import is_necessity

__all__ = ["OtherProof", "open_proof"]


class OtherProof(Certificate):
    """A proof of another claim; `verify` says whether it holds.

    Attributes
    ----------
    header : dict
        The problem, and the list that is the best one.
    kind : str
        "fair", "complete" or "necessary".
    path : Path or None
        The file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        ProofFile.__init__(self, Path(path))
        self.n_closed = 0  # it closes no prefixes
        if is_fair_certificate(path):
            self.kind, self.header, self._claim = "fair", *_fair(path)
        elif is_completeness(path):
            self.kind, self.header, self._claim = "complete", *_complete(path)
        else:
            self.kind, self.header, self._claim = "necessary", *_necessary(path)
        # In other proofs of the file an antecedent may go by another name.
        self._asked = self.header.pop("asked", self.header["antecedents"])

    def conditions(self) -> list[Condition]:
        """Return what is asked of columns, by antecedents and by groups."""
        clauses = [clause for clauses in self._asked for clause in clauses]
        return [condition_from_dict(clause["condition"]) for clause in clauses]

    def summary(self) -> str:
        """Say in plain words what is claimed, about which data."""
        header = self.header
        classes = ", ".join(str(_plain(each)) for each in header["classes"])
        return "\n".join(
            [
                f"Certificate of {header['software']}, to be checked by `surelist verify`.",
                f"Claim: {self._claim}",
                f"Rule lists: over the {counted(len(header['antecedents']), 'antecedent')} in the "
                "file, under the constraints in it.",
                f"Data: {counted(header['n_rows'], 'row')} of the classes {classes}.",
                f"Fingerprint of the data: {header['fingerprint']}.",
            ]
        )


def open_proof(path: str | os.PathLike[str]) -> Certificate:
    """Open a certificate of any kind.

    Raises
    ------
    FormatError
        For a file that is no certificate, or whose header is not as it should be.
    """
    if is_fair_certificate(path) or is_completeness(path) or is_necessity(path):
        return OtherProof(path)
    return Certificate.load(path)


def _fair(path: str | os.PathLike[str]) -> tuple[dict[str, Any], str]:
    header = FairCertificate.load(path).header
    demand = header["fairness"]
    labels = "majority labels" if demand["majority"] else "any labels"
    what = [metric.replace("_", " ") for metric in demand["metrics"]] or ["the bounds in the file"]
    limits = [
        f"{name} {demand[key]}"
        for name, key in (("a difference of at most", "tolerance"), ("a ratio of", "ratio"))
        if demand[key] is not None
    ]
    within = f" within {' and '.join(limits)}" if limits else ""
    claim = (
        f"no list with {labels} has an objective below {_value(header['lower_bound'])} that keeps "
        f"{' and '.join(what)}{within} between the groups {', '.join(demand['groups'])}; this "
        f"one has {_value(header['objective'])}."
    )
    # Groups are asked of columns just as antecedents are.
    return header | {"asked": [*header["antecedents"], *header["sensitive"]]}, claim


def _complete(path: str | os.PathLike[str]) -> tuple[dict[str, Any], str]:
    header = CompletenessCertificate.load(path).header
    claim = (
        f"{counted(header['n_lists'], 'rule list')} with an objective of at most "
        f"{_value(header['threshold'])}, and no other. The list below is the best one."
    )
    # The checker of sets reads this part when it checks; here nothing was looked at yet.
    text = json.dumps(header["problem"], ensure_ascii=False).encode()
    try:
        return read_header(text + b"\n"), claim
    except VerificationError as error:
        reason = str(error).removeprefix("Refused: ")
        raise FormatError(f"its header cannot be read: {reason}", path) from None


def _necessary(path: str | os.PathLike[str]) -> tuple[dict[str, Any], str]:
    certificate = NecessityCertificate.load(path)
    proofs, column = certificate.proofs, certificate.column
    told = {"with": certificate.best_with, "without": certificate.best_without}
    thing = f"antecedent {certificate.antecedent}"
    if column is not None:
        thing = f"the column {shown(column)}"
    ends = [
        f"no list {how} it" if value is None else f"the best list {how} it has {_value(value)}"
        for how, value in told.items()
    ]
    asked = [clauses for proof in proofs for clauses in proof.header["antecedents"]]
    claim = f"as to {thing}, {' and '.join(ends)}. The list below is the best one of all."
    if None in told.values():
        claim = claim.replace("no list", "there is no list")
    return {**proofs[0].header, "asked": asked}, claim


def _value(exact: Any) -> str:
    return f"{float(Fraction(exact)):.6g}"


def _plain(value: Any) -> Any:
    """Return a class as it is; the header may name its type."""
    return next(iter(value.values())) if isinstance(value, Mapping) else value
