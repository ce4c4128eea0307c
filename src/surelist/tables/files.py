"""Tables in files: CSV, TSV, Parquet and Arrow, by one name and with one behaviour.

CSV needs nothing beyond the base install. Parquet and Arrow are read by pyarrow, if it is there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from surelist._common.decompression import DAMAGED_GZIP, unpacked_if_gzip
from surelist._common.file_kinds import ARROW_KINDS, BEGINNING, ZIP, kind_of_content
from surelist._common.files import PathLike
from surelist._common.messages import shown
from surelist.errors import FormatError, InputError, Message
from surelist.tables.column import Column
from surelist.tables.column_names import column_missing
from surelist.tables.csv_columns import MISSING, NotOfKindError, almost_numbers, read_column
from surelist.tables.csv_text import (
    CsvText,
    TextColumn,
    delimiter_by_name,
    parse_csv,
    read_bytes,
)
from surelist.tables.table import Table, read_table

__all__ = [
    "FileTable",
    "is_text",
    "is_text_content",
    "label_texts",
    "label_values",
    "open_table",
    "plain_values",
    "table_of_bits",
]


class FileContent(Protocol):
    """What a file holds, by the positions of its columns."""

    def column(self, index: int, table: FileTable) -> Column:
        """Read a column; ``table`` says where the file is, and takes notes."""


class FileTable(Table):
    """A table that was read from a file, whose columns are interpreted when they are asked for.

    Parameters
    ----------
    content : FileContent
        What the file holds.
    names : sequence of str
        The columns of the table.
    n_rows : int
    path : str
    positions : sequence of int, optional
        Where each column of the table is in the file; None: in the order of the file.
    lines : ndarray of int or None
        The line on which each row begins; None for files that have no lines.
    notes : list of str
        What was decided while reading that a user may want to know.
    kinds : dict of str to str
        The kinds that some columns have to be of, by name.
    """

    keeps_all = True

    def __init__(
        self,
        content: FileContent,
        names: Sequence[str],
        n_rows: int,
        path: str,
        *,
        positions: Sequence[int] | None = None,
        lines: NDArray[np.uint32] | None = None,
        notes: list[str] | None = None,
        kinds: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(tuple(names), True, n_rows)
        self.content = content
        self.path = path
        self.positions = range(len(names)) if positions is None else positions
        self.lines = lines
        self.notes = [] if notes is None else notes
        self.kinds = kinds or {}

    def read(self, index: int) -> Column:
        """Read one column."""
        return self.content.column(self.positions[index], self)

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
        chosen = FileTable(
            self.content,
            names,
            self.n_rows,
            self.path,
            positions=[self.positions[index[name]] for name in names],
            lines=self.lines,
            notes=self.notes,
            kinds=self.kinds,
        )
        chosen._read = {
            at: self._read[index[name]]
            for at, name in enumerate(names)
            if index[name] in self._read
        }
        return chosen

    def without(self, names: Collection[str]) -> FileTable:
        """Return the table without these columns."""
        return self.select([name for name in self.names if name not in names])

    def take(self, rows: NDArray[np.intp]) -> FileTable:
        """Return the table with these rows alone."""
        return FileTable(
            _SomeRows(self, rows),
            self.names,
            len(rows),
            self.path,
            lines=None if self.lines is None else self.lines[rows],
        )

    def with_column(self, column: Column) -> FileTable:
        """Return the table with another column in the place of the one of that name."""
        return FileTable(
            _Replaced(self, self.names.index(column.name), column),
            self.names,
            self.n_rows,
            self.path,
            lines=self.lines,
            notes=self.notes,
        )

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
    r"""Read a table from a file: CSV or TSV, gzipped or not, Parquet, Arrow, Feather or .xlsx.

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
    if data.startswith(ZIP):
        return _from_workbook(data, name, missing)
    delimiter = delimiter or delimiter_by_name(name)
    text = parse_csv(data, name, delimiter=delimiter, encoding=encoding)
    return _from_csv(text, MISSING | set(missing), kinds or {})


def _from_workbook(data: bytes, name: str, missing: Collection[str]) -> FileTable:
    from surelist.tables.xlsx import NO_WORKBOOK, is_xlsx, sheet_as_csv

    if not is_xlsx(data):
        raise FormatError(NO_WORKBOOK, name)
    cells, sheet = sheet_as_csv(data, name)
    made = _from_csv(parse_csv(cells.encode(), name, delimiter=","), MISSING | set(missing), {})
    made.notes.insert(0, Message("sheet_read", path=name, sheet=sheet))
    return made


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
    return kind_of_content(data) in ("text", "gzip") and not data.startswith(ZIP)


def _from_csv(text: CsvText, missing: frozenset[str], kinds: Mapping[str, str]) -> FileTable:
    if len(text.lines) == 0:
        raise FormatError("there are no rows after the header line", text.path)
    if not text.columns:
        raise FormatError("there are no columns but the row names", text.path)
    notes = list(text.notes)
    if _looks_headerless(text.columns):
        names = ", ".join(column.name for column in text.columns[:4])
        notes.append(Message("headerless", path=text.path, names=names))
    return FileTable(
        _Csv(text.columns, missing, decimal_comma=text.delimiter == ";"),
        [column.name for column in text.columns],
        len(text.lines),
        text.path,
        lines=text.lines,
        notes=notes,
        kinds=kinds,
    )


_LOOKED_AT = 1000  # different cells of a column


def _looks_headerless(columns: Sequence[TextColumn]) -> bool:
    """Whether each name could be a cell of its column: a number above numbers, or a text in it."""
    return all(map(_could_be_cell, columns))


def _could_be_cell(column: TextColumn) -> bool:
    # Names that occur twice have a number behind them.
    names = {column.name, column.name.rpartition(".")[0]}
    some = [text for text in islice(column.texts, _LOOKED_AT) if text.strip()]
    if names & set(some):
        return True
    return any(map(_is_number, names)) and bool(some) and all(map(_is_number, some))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, eq=False)
class _Csv:
    """The texts of a CSV file; which kind of values a column holds, its texts say."""

    columns: Sequence[TextColumn]
    missing: frozenset[str]
    decimal_comma: bool
    """As spreadsheets write numbers where fields end with a semicolon."""

    def column(self, index: int, table: FileTable) -> Column:
        column, missing = self.columns[index], self.missing
        kind = table.kinds.get(column.name)
        try:
            read = read_column(column, kind=kind, missing=missing, decimal_comma=self.decimal_comma)
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
    from surelist.tables.arrow import read_arrow

    frame = read_arrow(data, name)
    if frame.num_rows == 0:
        raise FormatError("there are no rows", name)
    try:
        table = read_table(frame)
    except InputError as error:
        raise FormatError(str(error), name) from None
    read = FileTable(_Arrow(frame, table), table.names, table.n_rows, name)
    # Where pandas writes row names.
    return read.without([column for column in read.names if column.startswith("__index_level_")])


@dataclass(frozen=True, eq=False)
class _Arrow:
    """A pyarrow table, and the same as a data frame."""

    frame: Any
    table: Table

    def column(self, index: int, table: FileTable) -> Column:
        from surelist.tables.arrow import arrow_column

        return arrow_column(self.frame, self.table, index, table.path)


def table_of_bits(matrix: NDArray[np.uint8], names: Sequence[str], path: str) -> FileTable:
    """Make a table of columns of 0 and 1."""
    return FileTable(_Bits(matrix, names), names, len(matrix), path)


@dataclass(frozen=True, eq=False)
class _Bits:
    """A matrix of 0 and 1."""

    matrix: NDArray[np.uint8]
    names: Sequence[str]

    def column(self, index: int, table: FileTable) -> Column:  # noqa: ARG002
        absent = np.zeros(len(self.matrix), dtype=np.bool_)
        return Column(self.names[index], "number", self.matrix[:, index], absent)


@dataclass(frozen=True, eq=False)
class _Replaced:
    """Another table, one of whose columns is another."""

    table: FileTable
    place: int
    column_there: Column

    def column(self, index: int, table: FileTable) -> Column:  # noqa: ARG002
        return self.column_there if index == self.place else self.table.column(index)


@dataclass(frozen=True, eq=False)
class _SomeRows:
    """Some rows of another table."""

    table: FileTable
    rows: NDArray[np.intp]

    def column(self, index: int, table: FileTable) -> Column:  # noqa: ARG002
        return self.table.column(index).take(self.rows)


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


def label_texts(column: Column) -> list[str | None]:
    """Return labels as the classes that they become print, None where one is missing."""
    if column.codes is not None:
        known = [*(str(value) for value in column.values.tolist()), None]
        return [known[code] for code in column.codes]
    values = column.values
    if column.kind != "number":
        values = values.astype(f"datetime64[{'D' if column.kind == 'date' else 's'}]").astype(str)
    pairs = zip(values.tolist(), column.missing.tolist(), strict=True)
    return [None if missing else str(value) for value, missing in pairs]


def plain_values(column: Column) -> list[Any]:
    """Return the values of a column as Python has them, None where one is missing."""
    if column.codes is not None:
        known = [*column.values.tolist(), None]  # the code of a missing value is -1
        return [known[code] for code in column.codes]
    values = column.values.astype("datetime64[D]") if column.kind == "date" else column.values
    pairs = zip(values.tolist(), column.missing.tolist(), strict=True)
    return [None if missing else value for value, missing in pairs]
