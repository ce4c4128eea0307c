"""Certificates of completeness: these rule lists, and no others, are within a threshold.

The file describes data, antecedents, prices and constraints as a certificate of the optimum does,
and adds the number and the fingerprint of the lists. `surelist.completeness_checker` counts them
again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from surelist.certificate.header import describe, describe_antecedents
from surelist.certificate.proof_file import ProofFile
from surelist.checker import VerificationError
from surelist.completeness_checker import MAGIC, read_claim, set_fingerprint
from surelist.errors import FormatError
from surelist.problem.parameters import Parameters
from surelist.problem.prepare import Prepared

__all__ = ["CompletenessCertificate"]


class CompletenessCertificate(ProofFile):
    """A proof that a set of rule lists is complete up to an objective.

    Made by ``near_optimal(…, certificate=True)`` or read by `CompletenessCertificate.load`.

    Attributes
    ----------
    header : dict
        What is claimed, about which data.

    Examples
    --------
    >>> from surelist import near_optimal, verify
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5, ["no", "no", "yes", "no"] * 5
    >>> lists = near_optimal(X, y, tolerance=2, regularization=0.05, certificate=True)
    >>> verify(lists.certificate, X, y).optimal
    True
    """

    def __init__(self, data: bytes, header: Mapping[str, Any]) -> None:
        super().__init__(data)
        self.header = dict(header)

    @classmethod
    def of(
        cls,
        best: Any,
        lists: tuple[Any, Any, Any, int],
        uses: Sequence[tuple[int, Fraction | None, Fraction | None]],
        ends: tuple[Fraction | None, Fraction],
        prepared: Prepared,
        parameters: Parameters,
    ) -> CompletenessCertificate:
        """Describe a set of lists.

        Parameters
        ----------
        best : FoundRules
            The best list.
        lists : tuple of arrays and int
            Prefixes, labels and orders, as `set_fingerprint` takes them; and how many different
            predictions there are.
        uses : list of tuple
            For each antecedent in how many lists it is, and the best objective with and without.
        ends : tuple of Fraction
            The optimum, None where no list is within the threshold, and the threshold.
        prepared, parameters
            The problem.
        """
        prefixes, labels, orders, n_predictions = lists
        stands_for_search = SimpleNamespace(
            prefix=best.prefix,
            labels=best.labels,
            default_label=best.default_label,
            objective=best.objective,
            scale=best.scale,
            lower_bound=best.objective,
            length_proof=None,
            status="optimal",
            order=range(len(prepared.antecedents)),
        )
        search: Any = stands_for_search
        lower_bound = ends[1] if ends[0] is None else ends[0]
        header = {
            "problem": describe(search, prepared, parameters, describe_antecedents(prepared))
            | {"counts": {"closed_prefixes": 0}, "lower_bound": str(lower_bound)},
            "optimum": _text(ends[0]),
            "threshold": str(ends[1]),
            "n_lists": len(orders),
            "n_orders": int(orders.sum()),
            "n_predictions": n_predictions,
            "lists_fingerprint": set_fingerprint(prefixes, labels, orders),
            "uses": [[n, _text(best), _text(others)] for n, best, others in uses],
        }
        return cls.pack(header)

    @classmethod
    def pack(cls, header: Mapping[str, Any]) -> CompletenessCertificate:
        """Return the certificate with this header."""
        text = json.dumps(header, sort_keys=True, ensure_ascii=False, allow_nan=False)
        line = MAGIC + text.encode() + b"\n"
        return cls(line + hashlib.sha256(line).hexdigest().encode(), header)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> CompletenessCertificate:
        """Read a certificate; only `verify` says whether it is right.

        Raises
        ------
        FormatError
            For a file that is no such certificate.
        """
        data = Path(path).read_bytes()
        try:
            read_claim(data)
        except VerificationError as error:
            raise FormatError(str(error).removeprefix("Refused: "), path) from None
        return cls(data, json.loads(data[len(MAGIC) :].partition(b"\n")[0]))

    def __repr__(self) -> str:
        return (
            f"<CompletenessCertificate: {self.header['n_lists']:,} rule lists up to objective "
            f"{float(Fraction(self.header['threshold'])):.6g}, {self.n_bytes:,} bytes>"
        )


def _text(number: Fraction | None) -> str | None:
    return None if number is None else str(number)
