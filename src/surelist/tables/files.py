"""Tables in files: CSV, TSV, Parquet and Arrow, by one name and with one behaviour.

CSV needs nothing beyond the base install. Parquet and Arrow are read by pyarrow, if it is there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.decompression import DAMAGED_GZIP, unpacked_if_gzip
from surelist._common.file_kinds import ARROW_KINDS, BEGINNING, kind_of_content
from surelist._common.files import PathLike
from surelist._common.messages import shown
from surelist.errors import FormatError, InputError, Message
from surelist.tables.arrow import arrow_column, read_arrow
from surelist.tables.column_names import column_missing
from surelist.tables.csv_columns import MISSING, NotOfKindError, almost_numbers, read_column
from surelist.tables.csv_text import (
    CsvText,
    TextColumn,
    delimiter_by_name,
    parse_csv,
    read_bytes,
)
from surelist.tables.table import Column, Table, read_table

__all__ = [
    "FileTable",
    "is_text",
    "is_text_content",
    "label_values",
    "open_table",
    "plain_values",
    "table_of_bits",
]


@dataclass(eq=False)
class FileTable(Table):
    """A table that was read from a file, whose columns are interpreted when they are asked for.

    Attributes
    ----------
    path : str
    lines : ndarray of int or None
        The line on which each row begins; None for files that have no lines.
    notes : list of str
        What was decided while reading that a user may want to know.
    kinds : dict of str to str
        The kinds that some columns have to be of, by name.
    """

    path: str = ""
    lines: NDArray[np.uint32] | None = None
    notes: list[str] = field(default_factory=list)
    kinds: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return self.n_rows

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.n_rows, len(self.names)

    def column(self, index: int) -> Column:
        """Return one column."""
        if index not in self._read:
            self._read[index] = self.source[index](self)
        return self._read[index]

    def named_column(self, name: str, role: str) -> Column:
        """Return a column by its name; ``role`` says what for, such as "label"."""
        self.require(name, role)
        return self.column(self.names.index(name))

    def require(self, name: str, role: str) -> None:
        """Refuse a name that no column has, and say which there are."""
        if name not in self.names:
            raise FormatError(column_missing(name, role, self.names), self.path)

    def select(self, names: Sequence[str]) -> FileTable:
        """Return the table with these columns alone, in this order."""
        index = {name: position for position, name in enumerate(self.names)}
        return FileTable(
            source=tuple(self.source[index[name]] for name in names),
            names=tuple(names),
            named=True,
            n_rows=self.n_rows,
            path=self.path,
            lines=self.lines,
            notes=self.notes,
            kinds=self.kinds,
            _read={
                at: self._read[index[name]]
                for at, name in enumerate(names)
                if index[name] in self._read
            },
        )

    def without(self, names: Collection[str]) -> FileTable:
        """Return the table without these columns."""
        return self.select([name for name in self.names if name not in names])

    def fault(self, row: int, problem: str) -> FormatError:
        """Make the error for something wrong in a row, counted from 0."""
        if self.lines is None:
            return FormatError(f"row {row + 1}: {problem}", self.path)
        return FormatError(problem, self.path, int(self.lines[row]))


def open_table(
    path: PathLike,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    missing: Collection[str] = (),
    kinds: Mapping[str, str] | None = None,
    content: bytes | None = None,
) -> FileTable:
    r"""Read a table from a file: CSV or TSV, gzipped or not, Parquet, Arrow or Feather.

    Parameters
    ----------
    path : str or os.PathLike
        ``-`` is standard input. What the file is, its first bytes say, not its name.
    delimiter, encoding : str, optional
        Of a CSV file; see `surelist.tables.csv_text.parse_csv`.
    missing : collection of str
        More texts that stand for no value in a CSV file.
    kinds : mapping of str to str, optional
        The kind that columns of a CSV file have to be of, by name, where it is known.
    content : bytes, optional
        What the file holds, unpacked, if it has been read already.

    Returns
    -------
    FileTable
        `RuleListClassifier.fit` and `RuleList.predict` take it.

    Raises
    ------
    FormatError
        For a file that cannot be read; says in which line it breaks.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from surelist.tables.files import open_table
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "people.tsv")
    ...     _ = path.write_text("age\tsex\n25\tMale\n31\t\n")
    ...     table = open_table(path)
    >>> table.names, table.column(0).values.tolist(), table.column(1).missing.tolist()
    (('age', 'sex'), [25, 31], [False, True])
    """
    name = "standard input" if str(path) == "-" else str(path)
    data = read_bytes(path) if content is None else content
    if kind_of_content(data) in ARROW_KINDS:
        return _from_arrow(data, name)
    delimiter = delimiter or delimiter_by_name(name)
    text = parse_csv(data, name, delimiter=delimiter, encoding=encoding)
    return _from_csv(text, MISSING | set(missing), kinds or {})


def is_text(path: PathLike) -> bool:
    """Whether a file is CSV text, gzipped or not, by its first bytes; a folder is none."""
    try:
        with Path(path).open("rb") as file:
            beginning = unpacked_if_gzip(file).read(BEGINNING)
    except (OSError, ValueError, *DAMAGED_GZIP):
        return False
    return is_text_content(beginning)


def is_text_content(data: bytes) -> bool:
    """Whether what a file holds, unpacked, is CSV text."""
    return kind_of_content(data) in ("text", "gzip")


def _from_csv(text: CsvText, missing: frozenset[str], kinds: Mapping[str, str]) -> FileTable:
    if len(text.lines) == 0:
        raise FormatError("there are no rows after the header line", text.path)
    if not text.columns:
        raise FormatError("there are no columns but the row names", text.path)
    comma = text.delimiter == ";"  # as spreadsheets write where commas are decimal points

    def reader(column: TextColumn) -> Callable[[FileTable], Column]:
        return lambda table: _csv_column(table, column, missing, comma)

    return FileTable(
        source=tuple(map(reader, text.columns)),
        names=tuple(column.name for column in text.columns),
        named=True,
        n_rows=len(text.lines),
        path=text.path,
        lines=text.lines,
        notes=list(text.notes),
        kinds=kinds,
    )


def _csv_column(
    table: FileTable, column: TextColumn, missing: frozenset[str], comma: bool
) -> Column:
    kind = table.kinds.get(column.name)
    try:
        read = read_column(column, kind=kind, missing=missing, decimal_comma=comma)
    except NotOfKindError as error:
        row = int(np.argmax(column.codes == error.code))
        raise table.fault(row, f"column {column.name!r}: {error}") from None
    if kind is None and (odd := almost_numbers(column, read, missing)) >= 0:
        place = table.fault(int(np.argmax(column.codes == odd)), "")
        text = shown(column.texts[odd].strip())
        facts = {"path": place.path, "line": place.line, "column": column.name, "text": text}
        table.notes.append(Message("almost_numbers", **facts))
    return read


def _from_arrow(data: bytes, name: str) -> FileTable:
    frame = read_arrow(data, name)
    if frame.num_rows == 0:
        raise FormatError("there are no rows", name)
    try:
        table = read_table(frame)
    except InputError as error:
        raise FormatError(str(error), name) from None

    def reader(index: int) -> Callable[[FileTable], Column]:
        return lambda _: arrow_column(frame, table, index, name)

    readers = tuple(map(reader, range(len(table.names))))
    read = FileTable(readers, table.names, True, table.n_rows, path=name)
    # Where pandas writes row names.
    return read.without([column for column in read.names if column.startswith("__index_level_")])


def table_of_bits(matrix: NDArray[np.uint8], names: Sequence[str], path: str) -> FileTable:
    """Make a table of columns of 0 and 1."""
    absent = np.zeros(len(matrix), dtype=np.bool_)

    def reader(index: int) -> Callable[[FileTable], Column]:
        return lambda _: Column(names[index], "number", matrix[:, index], absent)

    readers = tuple(map(reader, range(len(names))))
    return FileTable(readers, tuple(names), True, len(matrix), path=path)


def label_values(table: FileTable, column: Column) -> Any:
    """Return one label per row; a row without one is refused by its line."""
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
