"""Certificates: what a search proves, in a file that `surelist.verify` checks without the search.

While a search runs, the engine appends every prefix that it closes to a log. Afterwards the log is
packed, chunk by chunk, behind a header that says what the claim is about. Nothing here has to be
trusted: a certificate that is wrong is refused by the checker. docs/certificate_format.md describes
the file, docs/proofs.md why it proves anything.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from surelist import _core
from surelist._scratch import Scratch
from surelist._shown import shown
from surelist.errors import FormatError, InputError, SurelistError
from surelist.rule_list import Antecedent
from surelist.verify import Verification, collapse, fingerprint, verify

__all__ = ["NO_CONSTRAINTS", "Certificate", "ClosedLog", "describe"]

_MAGIC = b"surelist certificate 1\n"
_MOST_RAW = 1 << 20
# A block that shrinks more than this is stored as it is: checkers refuse it otherwise, so that a
# small file never means much work.
_MOST_RATIO = 64

NO_CONSTRAINTS: Mapping[str, Any] = {
    "max_length": None,
    "rule_labels": None,
    "first": [],
    "required": [],
    "forbidden": [],
}


class Certificate:
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

    def __init__(self, source: bytes | str | os.PathLike[str]) -> None:
        self._data = source if isinstance(source, bytes) else None
        self.path = None if isinstance(source, bytes) else Path(source)
        name = "the certificate" if self.path is None else self.path
        with self._open() as stream:
            if stream.read(len(_MAGIC)) != _MAGIC:
                raise FormatError("this is no certificate of version 1", name)
            try:
                self.header: dict[str, Any] = json.loads(stream.readline())
                self.n_closed = int(self.header["counts"]["closed_prefixes"])
            except (KeyError, RecursionError, TypeError, ValueError) as error:
                raise FormatError(f"its header cannot be read: {error!r}", name) from None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Certificate:
        """Open a certificate; only `verify` says whether it is right."""
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
            What `describe` returned.
        log : path
            What the engine wrote. It is read a chunk at a time.
        path : path, optional
            Where to write the certificate; it appears there when it is complete. None holds it in
            memory.
        """
        n_closed = sum(_count_prefixes(chunk) for chunk in _chunks(log))
        header = {**header, "counts": {"closed_prefixes": n_closed}}
        if path is None:
            memory = io.BytesIO()
            _write(memory, header, log)
            return cls(memory.getvalue())
        with _replacing(path) as file:
            _write(file, header, log)
        return cls(path)

    @property
    def n_bytes(self) -> int:
        """Size of the certificate."""
        return len(self._data) if self._data is not None else self._file.stat().st_size

    @property
    def bytes_per_prefix(self) -> float:
        """Size for each closed prefix, the header included; NaN where none had to be closed."""
        return self.n_bytes / self.n_closed if self.n_closed else float("nan")

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

    def to_bytes(self) -> bytes:
        """Return the whole file."""
        return self._data if self._data is not None else self._file.read_bytes()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate to a file, which appears when it is complete."""
        with _replacing(path) as file, self._open() as source:
            shutil.copyfileobj(source, file)

    def verify(self, X: Any, y: Any = None, **options: Any) -> Verification:
        """Check the certificate against data; see `surelist.verify`."""
        return verify(self.path or self._data, X, y, **options)

    def summary(self) -> str:
        """Say in plain words what is claimed, about which data and under which assumptions."""
        return "\n".join(_summary(self))

    def __repr__(self) -> str:
        claim = "optimal" if self.objective == self.lower_bound else "gap"
        return f"<Certificate: {claim}, {self.n_closed:,} closed prefixes, {self.n_bytes:,} bytes>"

    def __str__(self) -> str:
        return self.summary()

    @property
    def _file(self) -> Path:
        if self.path is None:
            raise SurelistError("this certificate is not in a file")
        return self.path

    def _open(self) -> BinaryIO:
        return io.BytesIO(self._data) if self._data is not None else self._file.open("rb")


class ClosedLog:
    """The file for the prefixes that a search closes, while it is needed.

    Parameters
    ----------
    wanted : bool or path
        Whether there is to be a certificate: False; True, to hold it in memory; or its path.

    Attributes
    ----------
    path : str or None
        Where the engine may write; None where no certificate is wanted.

    Examples
    --------
    >>> from surelist.certificate import ClosedLog
    >>> print(ClosedLog(False).path)
    None
    """

    def __init__(self, wanted: bool | str | os.PathLike[str]) -> None:
        self._target = None if isinstance(wanted, bool) else wanted
        self.path: str | None = None
        if wanted is not False:
            self._scratch = Scratch()
            self.path = str(self._scratch.path / "closed")

    def certificate(
        self,
        search: _core.Search,
        antecedents: Sequence[Antecedent],
        data: Any,
        parameters: Any,
        *,
        sample_weight: Any = None,
        class_weight: Any = None,
        **more: Any,
    ) -> Certificate | None:
        """Return what the search proves, if that is wanted, and remove the log.

        Parameters
        ----------
        search, antecedents
            The finished search, and what it searched over.
        data : TrainingData
        parameters : Parameters
        sample_weight, class_weight
            As ``fit`` was given them.
        **more
            ``costs``, ``prices`` and ``constraints`` as in `describe`.
        """
        if self.path is None:
            return None
        limits = {"max_length": parameters.max_length, **more.pop("constraints", {})}
        header = describe(
            search=search,
            antecedents=antecedents,
            regularization=parameters.regularization,
            matrix=data.matrix,
            columns=getattr(data, "columns", None) or data.names,
            codes=data.codes,
            classes=data.classes,
            weights=data.weights,
            weighting=data.describe_weights(sample_weight, class_weight),
            n_rows=len(data.matrix) if data.n_rows is None else data.n_rows,
            constraints=limits,
            settings={
                "policy": parameters.policy,
                "symmetry": parameters.symmetry,
                "bounds": list(parameters.bounds),
            },
            **more,
        )
        made = Certificate.write(header, self.path, self._target)
        self._scratch.close()
        return made


def describe(
    *,
    search: _core.Search,
    antecedents: Sequence[Antecedent],
    regularization: Fraction,
    matrix: NDArray[np.uint8],
    columns: Sequence[str],
    codes: NDArray[np.int32],
    classes: NDArray[Any],
    weights: NDArray[np.int64],
    weighting: Mapping[str, Any],
    n_rows: int | None = None,
    costs: Mapping[str, Any] | None = None,
    prices: Sequence[Fraction] | None = None,
    constraints: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the header of a certificate.

    Parameters
    ----------
    search
        The finished search.
    antecedents, regularization
        What it searched over, and λ.
    matrix, codes, classes, weights
        The training rows: features, the class of each row, the classes, whole weights.
    columns
        Names of the columns of the raw table.
    weighting
        What `surelist.weights.describe_weights` says of the weights.
    n_rows : int, optional
        How many rows these are the groups of; None where they are the rows.
    costs : dict, optional
        "matrix", a line for each class, and "unit"; None is 1 for each mistake.
    prices : list of Fraction, optional
        Of each antecedent; None is λ for all.
    constraints : dict, optional
        Any of "max_length", "rule_labels", "first", "required" and "forbidden".
    settings : dict, optional
        How the search went about it: for readers, of no consequence for the proof.
    """
    factors = weighting["class_weight"]
    return {
        "format": "surelist certificate",
        "version": 1,
        "software": f"surelist {version('surelist')}",
        "n_rows": len(matrix) if n_rows is None else n_rows,
        "columns": list(columns),
        "classes": [_value(label) for label in classes.tolist()],
        "weights": {
            **weighting,
            "class_weight": None if factors is None else [{"float": repr(f)} for f in factors],
        },
        "costs": None if costs is None else dict(costs),
        "antecedents": [_clauses(antecedent) for antecedent in antecedents],
        "regularization": str(regularization),
        "prices": None if prices is None else [str(price) for price in prices],
        "constraints": {**NO_CONSTRAINTS, **(constraints or {})},
        "rule_list": {
            "prefix": list(search.prefix),
            "labels": list(search.labels),
            "default_label": search.default_label,
        },
        "objective": str(Fraction(search.objective, search.scale)),
        "lower_bound": str(Fraction(search.lower_bound, search.scale)),
        "status": search.status,
        "fingerprint": _fingerprint(antecedents, matrix, codes, weights, len(classes)),
        "search": dict(settings or {}),
    }


def _value(label: object) -> Any:
    if isinstance(label, str | bool | int):
        return label
    if isinstance(label, float):
        return {"float": repr(label)}
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


def _fingerprint(
    antecedents: Sequence[Antecedent],
    matrix: NDArray[np.uint8],
    codes: NDArray[np.int32],
    weights: NDArray[np.int64],
    n_classes: int,
) -> str:
    """Equal rows are put together first, so that antecedents are asked about few."""
    counted = np.flatnonzero(weights)
    bits = np.packbits(matrix[counted], axis=1)
    if bits.shape[1] == 0:  # no features at all: one group
        bits = np.zeros((len(counted), 1), np.uint8)
    rows, by_class = collapse(bits, codes[counted], weights[counted], n_classes)
    distinct = np.unpackbits(rows, axis=1, count=matrix.shape[1])
    packed = np.zeros((len(rows), max(1, (len(antecedents) + 7) // 8)), np.uint8)
    for index, antecedent in enumerate(antecedents):
        captured = antecedent.captures(distinct).view(np.uint8)
        packed[:, index // 8] |= captured << (7 - index % 8)
    group, code = np.nonzero(by_class)
    rows, by_class = collapse(packed[group], code, by_class[group, code], n_classes)
    return fingerprint(rows, by_class, len(antecedents))


def _write(file: BinaryIO, header: Mapping[str, Any], log: str | os.PathLike[str]) -> None:
    digest = hashlib.sha256()

    def put(data: bytes) -> None:
        digest.update(data)
        file.write(data)

    text = json.dumps(header, sort_keys=True, ensure_ascii=False, allow_nan=False)
    put(_MAGIC + text.encode() + b"\n")
    for chunk in _chunks(log):
        packed = zlib.compress(chunk, 6)
        if len(chunk) > _MOST_RATIO * len(packed):
            packed = zlib.compress(chunk, 0)
        put(len(packed).to_bytes(4, "little") + len(chunk).to_bytes(4, "little") + packed)
    put(bytes(8))
    file.write(digest.digest())


def _chunks(log: str | os.PathLike[str]) -> Iterator[bytes]:
    with Path(log).open("rb") as file:
        while length := file.read(4):
            chunk = file.read(int.from_bytes(length, "little"))
            if len(length) < 4 or not 0 < len(chunk) == int.from_bytes(length, "little"):
                raise SurelistError(
                    "the log of closed prefixes is cut short: please report this as a defect"
                )
            if len(chunk) > _MOST_RAW:
                raise SurelistError(
                    "a chunk of closed prefixes is too large: please report this as a defect"
                )
            yield chunk


def _count_prefixes(chunk: bytes) -> int:
    data = np.frombuffer(chunk, np.uint8)
    # Numbers end where the high bit is clear; the second of a prefix says how many follow it.
    ends = np.flatnonzero(data < 128).tolist()
    count, at, end = 0, 0, len(ends)
    while at < end:
        added = 0
        for byte in reversed(chunk[ends[at] + 1 : ends[at + 1] + 1]):
            added = added << 7 | byte & 127
        at += 2 + added
        count += 1
    return count


@contextmanager
def _replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Write beside the place, and move the file there when it is complete."""
    target = Path(path)
    try:
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise FormatError(f"cannot be written: {error.strerror}", path) from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


# Plain words.


def _summary(certificate: Certificate) -> Iterator[str]:
    header = certificate.header
    low, high = certificate.lower_bound, certificate.objective
    yield f"Certificate of {header['software']}, to be checked by `surelist verify`."
    if low == high:
        yield f"Claim: none of these rule lists has an objective below {_number(high)}; one has it."
    else:
        yield (
            f"Claim: the least objective of these rule lists lies between {_number(low)} and "
            f"{_number(high)}, which the one found has (the search ended with: {header['status']})."
        )
    yield "Rule lists: " + _lists(header) + "."
    yield "Objective: " + _objective(header) + "."
    classes = ", ".join(map(str, _classes(header)))
    yield f"Data: {header['n_rows']:,} rows of the classes {classes}."
    yield f"Fingerprint of the data: {certificate.fingerprint}."
    yield "Weights: " + _weights(header) + "."
    each = certificate.bytes_per_prefix
    size = f"{certificate.n_bytes:,} bytes" + (f", {each:.1f} each" if each == each else "")
    yield f"Proof: {certificate.n_closed:,} closed prefixes in {size}."


def _number(number: Fraction) -> str:
    return f"{float(number):.6g} (exactly {number})"


def _classes(header: Mapping[str, Any]) -> list[Any]:
    return [item["float"] if isinstance(item, dict) else item for item in header["classes"]]


def _lists(header: Mapping[str, Any]) -> str:
    limits = header["constraints"]
    text = (
        f"all over the {len(header['antecedents'])} antecedents in the file; others, say with more "
        "clauses or other cuts, are not considered"
    )
    if limits["max_length"] is not None:
        text += f"; at most {limits['max_length']} rules"
    for key, words in (
        ("first", "begins with"),
        ("required", "contains"),
        ("forbidden", "does without"),
    ):
        if limits[key]:
            text += f"; each {words} the antecedents {', '.join(map(str, limits[key]))}"
    if limits["rule_labels"] is not None:
        names = (str(_classes(header)[code]) for code in limits["rule_labels"])
        text += f"; rules predict {' or '.join(names)} only"
    return text


def _objective(header: Mapping[str, Any]) -> str:
    loss = "share of the weight that is misclassified"
    if header["costs"] is not None:
        costs = header["costs"]
        loss = f"average cost of predictions by {costs['matrix']}, in units of 1/{costs['unit']}"
    if header["prices"] is None:
        return f"{loss}, plus λ = {header['regularization']} for each rule"
    return (
        f"{loss}, plus for each rule the price of its antecedent (λ = {header['regularization']})"
    )


def _weights(header: Mapping[str, Any]) -> str:
    weights = header["weights"]
    if weights["kind"] == "unit":
        return "every row counts once"
    parts = ["sample weights"] if weights["sample_weight"] else []
    if weights["class_weight"] is not None:
        factors = ", ".join(factor["float"] for factor in weights["class_weight"])
        parts.append(f"a factor for each class ({factors})")
    text = " times ".join(parts)
    if weights["kind"] == "rounded":
        text += (
            f", times 2**{weights['exponent']}, rounded to whole numbers: the claim is about the "
            "rounded weights"
        )
    return text
