"""Certificates of necessity: the exact cost of doing without a column or an antecedent.

The file holds proofs of optima: of all lists, and of those that use it, or that do not.
`surelist.necessity_checker` checks that they fit together.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from surelist.certificate.certificate import Certificate
from surelist.certificate.proof_file import ProofFile
from surelist.checker import VerificationError
from surelist.errors import FormatError
from surelist.necessity_checker import packed, read_claim

__all__ = ["NecessityCertificate"]


class NecessityCertificate(ProofFile):
    """A proof of the least objective with a column or an antecedent, and of that without.

    Made by ``RuleLists.necessity(…, certificate=True)`` or read by `NecessityCertificate.load`.

    Attributes
    ----------
    column : str or None
    antecedent : int or None
        Its place among the antecedents, where it is not about a column.
    best_with, best_without : Fraction or None
        None where there is no such list.
    proofs : tuple of Certificate
        The first one is about all lists.

    Examples
    --------
    >>> from surelist import near_optimal
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5, ["no", "no", "yes", "no"] * 5
    >>> lists = near_optimal(X, y, tolerance=0, regularization=0.05)
    >>> proof = lists.necessity("x1", certificate=True)["x1"].certificate
    >>> proof
    <NecessityCertificate of 'x1': 1/10 with it, 1/4 without>
    >>> proof.verify(X, y).optimal
    True
    """

    def __init__(self, data: bytes) -> None:
        claim, proofs = read_claim(data)
        super().__init__(data)
        self.column: str | None = claim.get("column")
        self.antecedent: int | None = claim.get("antecedent")
        self.best_with: Fraction | None = claim["with"]
        self.best_without: Fraction | None = claim["without"]
        self.proofs = tuple(map(Certificate, proofs))

    @classmethod
    def of(
        cls,
        thing: str | int,
        best: tuple[Fraction | None, Fraction | None],
        proofs: Sequence[Certificate],
    ) -> NecessityCertificate:
        """Pack proofs: the first about all lists, the others about those with or without it.

        Parameters
        ----------
        thing
            The name of a column, or the place of an antecedent.
        best
            The least objective with it, and without.
        proofs
            What shows both.
        """
        texts = [None if value is None else str(value) for value in best]
        about = "column" if isinstance(thing, str) else "antecedent"
        claim = {about: thing, "with": texts[0], "without": texts[1]}
        return cls(packed(claim, [proof.to_bytes() for proof in proofs]))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> NecessityCertificate:
        """Read a certificate; only `verify` says whether it is right.

        Raises
        ------
        FormatError
            For a file that is no such certificate.
        """
        try:
            return cls(Path(path).read_bytes())
        except VerificationError as error:
            raise FormatError(str(error).removeprefix("Refused: "), path) from None

    def __repr__(self) -> str:
        thing = f"antecedent {self.antecedent}" if self.column is None else repr(self.column)
        values = [
            f"none {how}" if value is None else f"{value} {how}"
            for how, value in (("with it", self.best_with), ("without", self.best_without))
        ]
        return f"<NecessityCertificate of {thing}: {', '.join(values)}>"
