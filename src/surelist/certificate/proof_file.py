"""Base classes of certificates: bytes, in memory or in a file; and the claim of an optimum."""

from __future__ import annotations

import io
import os
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO

from surelist._common.files import put_files, target_of
from surelist.checker import Verification
from surelist.errors import SurelistError
from surelist.fast_checker import verify

__all__ = ["OptimumProof", "ProofFile"]


class ProofFile:
    """The bytes of a certificate.

    Attributes
    ----------
    path : Path or None
        The file; None where the certificate is held in memory.
    """

    def __init__(self, source: bytes | str | os.PathLike[str]) -> None:
        self._data = source if isinstance(source, bytes) else None
        self.path = None if isinstance(source, bytes) else Path(source)

    @property
    def n_bytes(self) -> int:
        """Size of the certificate."""
        return len(self._data) if self._data is not None else self._file.stat().st_size

    def to_bytes(self) -> bytes:
        """Return the whole file."""
        return self._data if self._data is not None else self._file.read_bytes()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate to a file, which appears when it is complete."""
        with self._open() as source:
            blocks = iter(lambda: source.read(1 << 20), b"")
            put_files({target_of(path): blocks}, compress=False)

    def verify(self, X: Any, y: Any = None, **options: Any) -> Verification:
        """Check the certificate against data; see `surelist.verify`."""
        return verify(self.path or self._data, X, y, **options)

    @property
    def _file(self) -> Path:
        if self.path is None:
            raise SurelistError("this certificate is not in a file")
        return self.path

    def _open(self) -> BinaryIO:
        return io.BytesIO(self._data) if self._data is not None else self._file.open("rb")


class OptimumProof(ProofFile):
    """A certificate that no list is below a bound; its header names that and a list.

    Attributes
    ----------
    header : dict
        What is claimed, about which data.
    path : Path or None
        The file; None where the certificate is held in memory.
    """

    header: dict[str, Any]

    @property
    def objective(self) -> Fraction:
        """Objective of the rule list, exactly."""
        return Fraction(self.header["objective"])

    @property
    def lower_bound(self) -> Fraction:
        """What no rule list is below, exactly."""
        return Fraction(self.header["lower_bound"])

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what the antecedents see of the data."""
        return str(self.header["fingerprint"])
