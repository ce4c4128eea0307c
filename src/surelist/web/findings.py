"""Findings about a table, as the page shows them: beside columns, then beside the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from surelist.errors import InputError
from surelist.inspection.inspect_table import inspect
from surelist.rule_list.rule_list import RuleList
from surelist.rule_list.rules import used_columns
from surelist.runs.inspect_rows import inspect_rows
from surelist.runs.relabel import Relabelling, relabelled
from surelist.runs.rows import Rows, Source

__all__ = ["findings_of", "result_findings"]


def findings_of(
    source: Source, label: str | None, relabel: Mapping[str, Any] | None = None
) -> list[dict[str, Any]]:
    """Inspect all columns of a data set, whatever is to become of them.

    Labels that no list can be learned from are left aside: the page says so elsewhere.
    """
    table, labels = source.table, None
    if label is not None or source.is_corels:
        try:
            changed = relabelled(source, label, Relabelling.from_dict(relabel))
            labels, table = changed.label_values(label), changed.table
        except InputError:  # rows without a label
            labels = None
        table = table if source.is_corels else table.without([str(label)])
    if not table.names:
        return []
    try:
        found = inspect(table, labels, label=label)
    except InputError:  # measurements, or one class alone
        found = inspect(table)
    return [finding.to_dict() for finding in found]


def result_findings(
    rows: Rows, settings: Mapping[str, Any], rule_list: RuleList
) -> list[dict[str, Any]]:
    """Return what to keep in mind about a result; "used" says whether a rule asks about it."""
    roles = settings.get("roles", {})
    protected = [name for name, role in roles.items() if role == "protected"]
    found = inspect_rows(rows, protected)
    used = set(used_columns(rule_list.rules))
    return [
        finding.to_dict() | {"used": finding.column in used}
        for finding in found or ()
        if finding.level == "warning"
        or finding.kind in ("small_class", "small_group")
        or (finding.kind == "protected" and finding.column in used)
    ]
