"""Check a certificate against a table, with the data read by the checker itself where it can."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from surelist.certificate.certificate import Certificate, conditions_of
from surelist.fast_checker import verify
from surelist.tables.files import plain_values

if TYPE_CHECKING:
    from surelist.checker import CsvFile, Verification
    from surelist.runs.rows import Source

__all__ = ["check_certificate", "verification_fields"]


def check_certificate(
    certificate: Certificate, source: Source, label: str | None, csv: CsvFile | None = None
) -> Verification:
    """Check a certificate against a table that was read, or better against its CSV text.

    Raises
    ------
    VerificationError
        Where it is refused.
    DataError
        Where the data cannot be used.
    """
    if csv is not None:
        return verify(certificate, csv, label=label)
    columns = {
        name: plain_values(source.table.named_column(name, "the proof"))
        for name in {each.column for each in conditions_of(certificate)}
    }
    proven = verify(certificate, columns, source.label_values(label))
    reader = "the package's reader of CORELS text" if source.is_corels else "pyarrow"
    return replace(proven, reader=reader)


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
        "rows": proven.n_rows,
        "groups": proven.n_groups,
        "antecedents": proven.n_antecedents,
        "fingerprint": proven.fingerprint,
        "reader": proven.reader,
        "checker": proven.checker,
    }
