"""What to know about the rows of a run before it starts: the columns that rules may ask about."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from surelist.inspection.inspection import Inspection
    from surelist.runs.rows import Rows

__all__ = ["inspect_rows"]


def inspect_rows(rows: Rows, protected: Collection[str] = ()) -> Inspection | None:
    """Inspect the columns that rules may ask about; None where rows are not in memory.

    ``protected`` columns are looked at for small groups, though no rule asks about them.
    """
    if not rows.source.in_memory:
        return None
    from surelist.inspection.inspect_table import inspect

    names = [*rows.table.names, *protected]
    table = rows.table if not protected else rows.source.table.select(names)
    found = inspect(table, rows.labels, label=rows.label, protected=protected)
    about = {"small_group"}
    kept = (each for each in found if each.column not in protected or each.kind in about)
    return found.keeping(kept)
