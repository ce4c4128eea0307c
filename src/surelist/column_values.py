"""A column of a file as labels, or as plain Python values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from surelist.file_table import FileTable
    from surelist.tables import Column

__all__ = ["label_values", "plain_values"]


def label_values(table: FileTable, column: Column) -> Any:
    """Return one label per row; a row without one is refused by its line."""
    import numpy as np

    if column.missing.any():
        row = int(np.argmax(column.missing))
        raise table.fault(
            row, f"the label {column.name!r} is missing; remove the row or fill it in"
        )
    if column.codes is not None:
        return np.array([str(value) for value in column.values])[column.codes]
    if column.kind == "number":
        return column.values
    unit = "D" if column.kind == "date" else "s"
    return column.values.astype(f"datetime64[{unit}]").astype(str)


def plain_values(column: Column) -> list[Any]:
    """Return the values of a column as Python has them, None where one is missing."""
    if column.codes is not None:
        known = [*column.values.tolist(), None]  # the code of a missing value is -1
        return [known[code] for code in column.codes]
    values = column.values.astype("datetime64[D]") if column.kind == "date" else column.values
    pairs = zip(values.tolist(), column.missing.tolist(), strict=True)
    return [None if missing else value for value, missing in pairs]
