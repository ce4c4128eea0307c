"""Labels as people have them: numbers that are cut, classes that are merged, rows without one.

A rule list predicts classes. Here a column becomes one of classes before anything else looks at
it, so that search, certificate, report and checker all see the same labels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from surelist._common.messages import counted
from surelist.errors import FormatError, InputError, Message

if TYPE_CHECKING:
    from surelist.runs.rows import Source
    from surelist.tables.column import Column

__all__ = ["MADE_LABELS", "Relabelling", "relabelled"]

# Who read the data, where the checker's own reader cannot: it knows no cuts of labels.
MADE_LABELS = "the package's reader, which made the labels"


@dataclass(frozen=True)
class Relabelling:
    """How a column becomes the labels.

    Attributes
    ----------
    cut : float, optional
        Numbers from here on are one class, smaller ones the other.
    merge : mapping of str to str
        What some classes, by their text, are called instead; several may be called the same.
    skip_missing : bool
        Whether rows without a label are left out.
    """

    cut: float | None = None
    merge: Mapping[str, str] = field(default_factory=dict)
    skip_missing: bool = False

    def __bool__(self) -> bool:
        return self.cut is not None or bool(self.merge) or self.skip_missing

    @classmethod
    def from_dict(cls, given: Mapping[str, Any] | None) -> Relabelling:
        """Read what `to_dict` returned; anything else of a file that is not trusted is left out."""
        given = given if isinstance(given, Mapping) else {}
        cut, merge = given.get("cut"), given.get("merge")
        number = isinstance(cut, int | float) and not isinstance(cut, bool)
        pairs = merge.items() if isinstance(merge, Mapping) else ()
        texts = {old: new for old, new in pairs if isinstance(new, str)}
        return cls(float(cut) if number else None, texts, given.get("skip_missing") is True)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        return {"cut": self.cut, "merge": dict(self.merge), "skip_missing": self.skip_missing}


def relabelled(source: Source, label: str | None, how: Relabelling) -> Source:
    """Return the table with other labels, and without the rows that have none if that is wanted.

    Raises
    ------
    FormatError
        Where a cut is wanted of what is no number, or a class is merged that there is not.
    InputError
        Where the labels are not a column of a table in memory.
    """
    if not how:
        return source
    if not source.in_memory or source.is_corels or label is None:
        raise InputError("only the labels of a table in memory can be cut, merged or left out")
    import numpy as np

    table = source.table
    column = table.named_column(label, "label")
    if how.skip_missing and column.missing.any():
        kept = np.flatnonzero(~column.missing)
        if len(kept) == 0:
            raise FormatError(f"no row has a label in {label!r}", table.path)
        n_out = table.n_rows - len(kept)
        table.notes.append(Message("rows_skipped", rows=counted(n_out, "row"), label=label))
        notes = table.notes
        table, column = table.take(kept), column.take(kept)
        table.notes = notes
    if how.cut is not None:
        column = _cut(column, how.cut, table.path)
    if how.merge:
        column = _merged(column, how.merge, table.path)
    return replace(source, table=table.with_column(column))


def _cut(column: Column, cut: float, path: str) -> Column:
    import numpy as np

    from surelist.tables.column import Column

    if column.kind != "number":
        problem = f"the label {column.name!r} can be cut at {cut:g} only if it holds numbers"
        raise FormatError(problem, path)
    high = np.zeros(len(column.missing), dtype=np.bool_)
    high[~column.missing] = column.values[~column.missing] >= cut
    codes = np.where(column.missing, -1, high.astype(np.intp))
    names = np.array([f"< {cut:.12g}", f"≥ {cut:.12g}"], dtype=object)
    return Column(column.name, "text", names, column.missing, codes)


def _merged(column: Column, merge: Mapping[str, str], path: str) -> Column:
    import numpy as np

    from surelist.tables.column import Column
    from surelist.tables.files import label_texts

    texts = label_texts(column)
    known = dict.fromkeys(text for text in texts if text is not None)
    for old in merge:
        if old not in known:
            shown = ", ".join(map(repr, list(known)[:8]))
            raise FormatError(f"there is no label {old!r} to be merged; there are {shown}", path)
    names = list(dict.fromkeys(merge.get(text, text) for text in known))
    code = {text: names.index(merge.get(text, text)) for text in known}
    codes = np.array([-1 if text is None else code[text] for text in texts], dtype=np.intp)
    return Column(column.name, "text", np.array(names, dtype=object), column.missing, codes)
