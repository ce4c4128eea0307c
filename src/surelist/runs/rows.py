"""The rows of a run: a table that was read, which column is what, and what to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from surelist.errors import FormatError, Message

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from surelist._common.files import PathLike
    from surelist.tables.files import FileTable

__all__ = [
    "USUAL_LABELS",
    "Columns",
    "Rows",
    "Source",
    "choose_columns",
    "kept_back",
    "read_corels",
]

# What columns of labels are usually called, in lower case.
USUAL_LABELS = ("label", "target", "class", "outcome", "y")

_MOST_NAMED = 8


@dataclass(frozen=True, eq=False)
class Source:
    """A table that was read, before anything is decided about its columns.

    Attributes
    ----------
    table : FileTable or surelist.query.Query
        A query's rows are not in memory.
    labels : ndarray, optional
        One label per row, where labels came in a file of their own, as CORELS text has them.
    labels_name : str, optional
        What that file is called.
    """

    table: Any
    labels: Any = None
    labels_name: str | None = None

    @property
    def in_memory(self) -> bool:
        """Whether the rows are in memory."""
        return not hasattr(self.table, "cut_points")

    @property
    def is_corels(self) -> bool:
        """Whether the columns are antecedents, read from CORELS text."""
        return self.labels is not None

    def label_values(self, label: str | None) -> Any:
        """Return one label per row, from the file of labels or from a column.

        Raises
        ------
        FormatError
            Where no column is named, or there is none of that name.
        """
        from surelist.tables.files import label_values

        if self.labels is not None:
            return self.labels
        if label is None:
            names = self.table.names
            known = ", ".join(map(repr, names[:_MOST_NAMED]))
            known += ", …" if len(names) > _MOST_NAMED else ""
            raise FormatError(Message("label_unnamed", known=known), self.table.path)
        return label_values(self.table, self.table.named_column(label, "label"))


def read_corels(rules: PathLike, labels: PathLike) -> Source:
    """Read antecedents and labels in the CORELS text format."""
    import numpy as np

    from surelist.estimators.corels import text_files
    from surelist.tables.files import table_of_bits

    read = text_files.read(rules, labels)
    table = table_of_bits(read.captures, read.antecedents, str(rules))
    return Source(table, np.array(read.classes)[read.labels], str(labels))


@dataclass(frozen=True)
class Columns:
    """Which columns are labels and weights, and which no rule may ask about."""

    label: str | None = None
    weight: str | None = None
    left_out: Sequence[str] = ()


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows to learn from.

    Attributes
    ----------
    table : FileTable or surelist.query.Query
        The columns that rules may ask about. A query knows labels and weights itself.
    labels, weights : ndarray or None
        One per row; None for a query, and where all rows weigh 1.
    label : str or None
        The column of labels, or the file of labels.
    source : Source
        The table with all its columns.
    """

    table: Any
    labels: Any
    weights: Any
    label: str | None
    source: Source
    _classes: list[Any] | None = field(default=None, repr=False)

    @property
    def classes(self) -> list[Any]:
        """The labels that occur, in order."""
        if self._classes is not None:
            return self._classes
        if not self.source.in_memory:
            return sorted(set(self.table.label_counts().labels.tolist()))
        from surelist.tables.labels import read_labels

        found: list[Any] = read_labels(self.labels, self.table.n_rows).classes.tolist()
        return found

    def training(self) -> dict[str, Any]:
        """Return what to fit to, by the names of the parameters of ``fit``."""
        if not self.source.in_memory:
            return {"X": self.table}
        return {"X": self.table, "y": self.labels, "sample_weight": self.weights}

    def take(self, rows: NDArray[np.intp]) -> Rows:
        """Return some of the rows; their classes are those of all rows."""
        return replace(
            self,
            table=self.table.take(rows),
            labels=self.labels[rows],
            weights=None if self.weights is None else self.weights[rows],
            source=replace(self.source, table=self.source.table.take(rows)),
            _classes=self.classes,
        )


def choose_columns(source: Source, columns: Columns) -> Rows:
    """Separate what rules may ask about from labels and weights.

    Raises
    ------
    FormatError
        Where a column is missing, is not named, or holds what it cannot hold; or none is left.
    """
    table = source.table
    if not source.in_memory:
        if columns.label is None:
            source.label_values(None)
        table.choose(columns.label, columns.weight, columns.left_out)
        return Rows(table, None, None, columns.label, source)
    labels = source.label_values(columns.label)
    weights = None if columns.weight is None else _weights(table, columns.weight)
    for name in columns.left_out:
        table.require(name, "drop")
    label = None if source.is_corels else columns.label
    out = {label, columns.weight, *columns.left_out}
    features = table.without([name for name in out if name is not None])
    if not features.names:
        raise FormatError(Message("no_column_left"), table.path)
    return Rows(features, labels, weights, label or source.labels_name, source)


def _weights(table: FileTable, name: str) -> Any:
    import numpy as np

    column = table.named_column(name, "weight")
    if column.kind != "number":
        raise FormatError(f"the weights {name!r} must be numbers", table.path)
    values = column.values.astype(float)
    wrong = column.missing | ~np.isfinite(values) | (values < 0)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise table.fault(row, f"the weight {name!r} must be a number of at least 0")
    return values


def kept_back(n_rows: int, share: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the places of rows to learn from and of those kept back: the same every time."""
    import numpy as np

    order = np.random.default_rng(0).permutation(n_rows)
    n_back = round(share * n_rows)
    return np.sort(order[n_back:]), np.sort(order[:n_back])
