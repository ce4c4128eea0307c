"""``surelist inspect``: what to know about a table before anything is learned from it."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from surelist._common.messages import counted
from surelist.cli.data import open_source, tell_notes, training_rows, usual_label
from surelist.cli.duckdb_rows import is_for_duckdb
from surelist.cli.options import (
    DataOptions,
    EngineOptions,
    JsonOptions,
    LabelOptions,
    RelabelOptions,
    with_flag_groups,
)
from surelist.cli.printing import is_terminal, note, on_terminal, print_json
from surelist.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from surelist.inspection.finding import Finding
    from surelist.inspection.inspection import Inspection
    from surelist.rule_list.rule_list import RuleList

__all__ = ["caution", "inspect", "tell_warnings"]

_MOST_NOTES = 8


@with_flag_groups
def inspect(
    *, data: DataOptions, columns: LabelOptions, relabel: RelabelOptions, output: JsonOptions
) -> None:
    """Look for columns that make a result worth less than it seems.

    Columns that give the label away, identifiers, dates after the event, constant and duplicate
    columns, small classes and groups, and names that speak of something protected. Nothing is
    changed; without a label, what depends on it is not looked for.
    """
    if is_for_duckdb(data, EngineOptions()):
        raise InputError(f"{data.data}: only rows in memory are inspected; name a smaller file")
    source = open_source(data)
    label = columns.label
    if label is None and not source.is_corels:
        label = usual_label(source.table)
    found = _found(source, columns, label, relabel)
    tell_notes(source.table)
    if output.json:
        print_json(found.to_dict() | {"label": label})
        return
    if label is None and not source.is_corels:
        note("no label is named by --label: what gives it away is not looked for")
    if is_terminal(sys.stdout):
        on_terminal(sys.stdout).print(found)
    else:
        sys.stdout.write(f"{found}\n")


def _found(
    source: Any, columns: LabelOptions, label: str | None, relabel: RelabelOptions
) -> Inspection:
    if label is None and not source.is_corels:
        from surelist.inspection.inspect_table import inspect as inspect_table

        out = [*(columns.drop or ()), *([columns.weight] if columns.weight else [])]
        for name in out:
            source.table.require(name, "drop")
        return inspect_table(source.table.without(out))
    from surelist.runs.inspect_rows import inspect_rows

    rows = training_rows(source, replace(columns, label=label), relabel=relabel)
    found = inspect_rows(rows)
    assert found is not None
    return found


def tell_warnings(warnings: Sequence[Finding]) -> Sequence[Finding]:
    """Print the first of some warnings as notes; return all of them."""
    for finding in warnings[:_MOST_NOTES]:
        note(finding.text)
    more = len(warnings) - _MOST_NOTES
    if more > 0:
        note(f"{counted(more, 'more column')} like these: surelist inspect lists them")
    return warnings


def caution(rule_list: RuleList, warnings: Sequence[Finding]) -> dict[str, str]:
    """Return, for people, which of the columns that a list asks about there are warnings for."""
    from surelist.rule_list.rules import used_columns

    used = set(used_columns(rule_list.rules))
    named = [str(finding.column) for finding in warnings if finding.column in used]
    if not named:
        return {}
    return {"caution": f"the rules ask about {', '.join(named)}; see the notes about that"}
