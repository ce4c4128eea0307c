"""Certificates: what a search proves, in a file that `surelist.verify` checks without the search.

While a search runs, the engine appends every prefix that it closes to a log. Afterwards the log is
packed, chunk by chunk, behind a header that says what the claim is about. Nothing here is part of
the trusted base: the checker refuses a certificate that is wrong. docs/certificate_format.md
describes the file, docs/proofs.md why it proves anything.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from surelist._common.files import put_files, target_of
from surelist.certificate.file import MAGIC, MAGICS, count_prefixes, pack, with_header
from surelist.certificate.proof_file import OptimumProof
from surelist.certificate.summary import summary
from surelist.checker import MOST_HEADER, VerificationError, read_header
from surelist.conditions.conditions import Condition, condition_from_dict
from surelist.cuts_checker import is_cut_certificate
from surelist.errors import FormatError
from surelist.every_cut_checker import EVERY_CUT

__all__ = ["Certificate", "conditions_of"]


class Certificate(OptimumProof):
    """A proof that a rule list is optimal, or of how far from optimal it is at most.

    Made by ``RuleListClassifier(certificate=True).fit(X, y)`` or read by `Certificate.load`.

    Attributes
    ----------
    header : dict
        What is claimed, about which data; see docs/certificate_format.md.
    path : Path or None
        The file; None where the certificate is held in memory.

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5, ["no", "no", "yes", "no"] * 5
    >>> model = RuleListClassifier(regularization=0.05, negations=True, certificate=True).fit(X, y)
    >>> print(model.certificate_.verify(X, y))
    Verified: no rule list over these 8 antecedents has objective below 0.05 at λ = 0.05
    """

    n_closed: int

    def __init__(
        self,
        source: bytes | str | os.PathLike[str],
        *,
        _header: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(source)
        if _header is not None:
            # What a search has just written is not refused here: its result would be lost. And to
            # read a large one again would take a while.
            self.header, self.n_closed = _header, int(_header["counts"]["closed_prefixes"])
            return
        name = "the certificate" if self.path is None else self.path
        with self._open() as stream:
            if stream.read(len(MAGIC)) not in MAGICS:
                raise FormatError("this is no certificate of version 1 or 2", name)
            line = stream.readline(MOST_HEADER)
        try:
            self.header = read_header(line)
        except VerificationError as error:
            reason = str(error).removeprefix("Refused: ")
            raise FormatError(f"its header cannot be read: {reason}", name) from None
        self.n_closed = self.header["counts"]["closed_prefixes"]

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Certificate:
        """Open a certificate; only `verify` says whether it is right.

        Raises
        ------
        FormatError
            For a file that is no certificate, or whose header is not as it should be.
        """
        if is_cut_certificate(path):
            from surelist.certificate.cut_certificate import CutCertificate

            return CutCertificate(path)
        return cls(path)

    @classmethod
    def write(
        cls,
        header: Mapping[str, Any],
        log: str | os.PathLike[str],
        path: str | os.PathLike[str] | None = None,
    ) -> Certificate:
        """Pack a log of closed prefixes behind a header.

        Parameters
        ----------
        header : dict
            What is claimed, but for the counts of what is in the file.
        log : path
            What the engine wrote. It is read a chunk at a time.
        path : path, optional
            Where to write the certificate; it appears there when it is complete. None holds it in
            memory.
        """
        header = {**header, "counts": {"closed_prefixes": count_prefixes(log)}}
        if path is None:
            return cls(b"".join(pack(header, log)), _header=header)
        put_files({target_of(path): pack(header, log)}, compress=False)
        return cls(path, _header=header)

    def of_list(
        self, prefix: list[int], labels: list[int], default: int, objective: Fraction
    ) -> Certificate:
        """Return the same proof about another list: what no list is below, and what it costs.

        Parameters
        ----------
        prefix, labels, default
            Places of antecedents, and codes of classes.
        objective
            Of that list. The checker computes it again.
        """
        rule_list = {"prefix": prefix, "labels": labels, "default_label": default}
        is_optimal = objective == self.lower_bound
        header = {
            **self.header,
            "rule_list": rule_list,
            "objective": str(objective),
            "status": self.header["status"] if is_optimal else "near_optimal",
        }
        return Certificate(with_header(self.to_bytes(), header), _header=header)

    @property
    def bytes_per_prefix(self) -> float:
        """Size for each closed prefix, the header included; NaN where none had to be closed."""
        return self.n_bytes / self.n_closed if self.n_closed else float("nan")

    def summary(self) -> str:
        """Say in plain words what is claimed, about which data and under which assumptions."""
        return summary(self)

    def __repr__(self) -> str:
        claim = "optimal" if self.objective == self.lower_bound else "gap"
        return f"<Certificate: {claim}, {self.n_closed:,} closed prefixes, {self.n_bytes:,} bytes>"

    def __str__(self) -> str:
        return self.summary()


def conditions_of(certificate: Certificate) -> list[Condition]:
    """Return what the antecedents of a certificate ask of columns.

    Raises
    ------
    FormatError
        Where they cannot be read.
    """
    from surelist.certificate.cut_certificate import CutCertificate, asked_of
    from surelist.certificate.other_proof import OtherProof

    try:
        if isinstance(certificate, CutCertificate | OtherProof):
            return certificate.conditions()
        clauses = [clause for clauses in certificate.header["antecedents"] for clause in clauses]
        found = [condition_from_dict(clause["condition"]) for clause in clauses]
        if every := certificate.header.get(EVERY_CUT):  # a cut may have another name in the list
            found += asked_of(every["chains"])
        return found
    except (ArithmeticError, KeyError, TypeError, ValueError) as error:
        name = certificate.path or "the certificate"
        raise FormatError(f"its antecedents cannot be read: {error!r}", name) from None
