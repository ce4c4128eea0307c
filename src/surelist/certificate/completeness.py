"""Certificates of completeness: these rule lists, and no others, are within a threshold.

The file holds what a certificate of the optimum says of data, antecedents, prices and constraints,
and the number and the fingerprint of the lists. `surelist.completeness_checker` counts them again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from surelist._common.files import put_files, target_of
from surelist.certificate.header import describe, describe_antecedents
from surelist.checker import Verification, VerificationError
from surelist.completeness_checker import MAGIC, read_claim, set_fingerprint, verify_completeness
from surelist.errors import FormatError
from surelist.problem.parameters import Parameters
from surelist.problem.prepare import Prepared

__all__ = ["CompletenessCertificate"]


class CompletenessCertificate:
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
        self._data = data
        self.header = dict(header)

    @classmethod
    def of(
        cls,
        best: Any,
        lists: tuple[Any, Any, Any, int],
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
        header = {
            "problem": describe(search, prepared, parameters, describe_antecedents(prepared))
            | {"counts": {"closed_prefixes": 0}},
            "optimum": None if ends[0] is None else str(ends[0]),
            "threshold": str(ends[1]),
            "n_lists": len(orders),
            "n_orders": int(orders.sum()),
            "n_predictions": n_predictions,
            "lists_fingerprint": set_fingerprint(prefixes, labels, orders),
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

    def to_bytes(self) -> bytes:
        """Return the whole file."""
        return self._data

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate to a file, which appears when it is complete."""
        put_files({target_of(path): [self._data]}, compress=False)

    def verify(self, X: Any, y: Any = None, **options: Any) -> Verification:
        """Count the lists again from the data; see `surelist.verify`."""
        return verify_completeness(self._data, X, y, **options)

    def __repr__(self) -> str:
        return (
            f"<CompletenessCertificate: {self.header['n_lists']:,} rule lists up to objective "
            f"{float(Fraction(self.header['threshold'])):.6g}, {len(self._data):,} bytes>"
        )
