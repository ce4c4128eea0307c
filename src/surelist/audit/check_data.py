"""Check a certificate against a table, with the data read by the checker itself where it can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from surelist._common.messages import counted
from surelist.certificate.certificate import Certificate, conditions_of
from surelist.fast_checker import verify
from surelist.tables.files import plain_values

if TYPE_CHECKING:
    from surelist.checker import CsvFile, Verification
    from surelist.runs.rows import Source

__all__ = ["check_certificate", "verification_fields", "work_done"]


def check_certificate(
    certificate: Certificate,
    source: Source,
    label: str | None,
    csv: CsvFile | None = None,
    progress: bool | Callable[[int, int], object] = False,
) -> Verification:
    """Check a certificate against a table that was read, or better against its CSV text.

    ``progress`` is that of `surelist.verify`.

    Raises
    ------
    VerificationError
        Where it is refused.
    DataError
        Where the data cannot be used.
    """
    if csv is not None:
        return verify(certificate, csv, label=label, progress=progress)
    columns = {
        name: plain_values(source.table.named_column(name, "the proof"))
        for name in {each.column for each in conditions_of(certificate)}
    }
    proven = verify(certificate, columns, source.label_values(label), progress=progress)
    reader = "the package's reader of CORELS text" if source.is_corels else "pyarrow"
    return replace(proven, reader=reader)


def work_done(proven: Verification) -> str:
    """Return the checker's work, in words.

    Examples
    --------
    >>> from surelist import Binarizer, RuleListClassifier
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1]
    >>> model = RuleListClassifier(
    ...     0.1, max_clauses=1, max_length=2, binarizer=Binarizer(n_cuts="all"), certificate=True
    ... )
    >>> work_done(model.fit(X, y).certificate_.verify(X, y))
    '0 cuts solved again in 1 state'
    """
    if proven.checker.startswith("all cuts"):
        return f"{proven.n_closed:,} cuts solved again in {counted(proven.n_states, 'state')}"
    if proven.checker == "pairs of cuts":
        return f"{proven.n_closed:,} times a pair of columns settled, in {proven.n_states:,} boxes"
    return f"checked {proven.n_children:,} ways to go on from {proven.n_states:,} closed states"


def verification_fields(proven: Verification) -> dict[str, Any]:
    """Return what an accepted certificate proves, as JSON can hold it."""
    return {
        "verified": True,
        "statement": proven.statement,
        "optimal": proven.optimal,
        "objective": str(proven.objective),
        "lower_bound": str(proven.lower_bound),
        "closed": proven.n_closed,
        "states": proven.n_states,
        "children": proven.n_children,
        "work": work_done(proven),
        "rows": proven.n_rows,
        "groups": proven.n_groups,
        "antecedents": proven.n_antecedents,
        "fingerprint": proven.fingerprint,
        "reader": proven.reader,
        "checker": proven.checker,
    }
