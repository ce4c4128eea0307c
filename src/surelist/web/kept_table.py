"""Cache of a parsed table in the folder of its data set, so that the file is read only once.

Parsing CSV text takes most of the time before a search. The parsed values are kept column by
column, so that searches, previews and jobs begin with the columns they need.
The checker reads the file itself all the same. The file of the columns is numpy's, without pickles.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np

from surelist._common.files import put_files
from surelist.errors import InputError
from surelist.tables.column import Column
from surelist.tables.files import FileTable, is_text
from surelist.web.file_names import SOURCE

__all__ = ["keep_table", "kept_table"]

_KEPT = "columns.npz"
_VERSION = 1
_MOST_CELLS = 50_000_000  # of larger tables a second copy in memory would be too much


def keep_table(folder: Path, about: Mapping[str, Any], table: FileTable) -> None:
    """Keep the columns of a table that was read from CSV text; a full disk is no error."""
    if table.n_rows * len(table.names) > _MOST_CELLS or not is_text(folder / SOURCE):
        return
    arrays: dict[str, Any] = {}
    columns = []
    for index in range(len(table.names)):
        column = table.column(index)
        texts = None if column.codes is None else column.values.tolist()
        if texts is not None and not all(isinstance(each, str) for each in texts):
            return  # categories of another type: no CSV text has them
        columns.append({"kind": column.kind, "aware": column.aware, "texts": texts})
        arrays[f"{index} missing"] = np.packbits(column.missing)
        held = column.values if column.codes is None else _small(column.codes)
        arrays[f"{index} values"] = held
    head = {
        "key": _key(folder, about),
        "names": list(table.names),
        "rows": table.n_rows,
        "notes": list(table.notes),
        "columns": columns,
        "has_lines": table.lines is not None,
    }
    arrays["head"] = np.frombuffer(json.dumps(head).encode(), np.uint8)
    if table.lines is not None:
        arrays["lines"] = table.lines
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **arrays)
    try:
        put_files({folder / _KEPT: [file.getvalue()]})
    except InputError:
        return


def kept_table(folder: Path, about: Mapping[str, Any]) -> FileTable | None:
    """Return the table that `keep_table` kept; None where there is none, or of another reading."""
    try:
        key = _key(folder, about)
        arrays = _Arrays(folder / _KEPT)
        head = json.loads(arrays.read("head").tobytes())
        if head["key"] != key:
            return None
        lines = arrays.read("lines") if head["has_lines"] else None
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None
    content = _KeptColumns(arrays, head)
    names, rows, notes = head["names"], head["rows"], head["notes"]
    return FileTable(content, names, rows, SOURCE, lines=lines, notes=notes)


class _Arrays:
    """A file of arrays that stays open, so that all of them are of one reading."""

    def __init__(self, path: Path) -> None:
        self._file = ZipFile(path)

    def read(self, name: str) -> Any:
        with self._file.open(f"{name}.npy") as part:
            return np.lib.format.read_array(part, allow_pickle=False)


def _key(folder: Path, about: Mapping[str, Any]) -> str:
    """Return what the columns depend on: the file, and how it is read."""
    status = (folder / SOURCE).stat()
    read = {name: about.get(name) for name in ("kind", "name", "missing")}
    text = json.dumps([_VERSION, status.st_size, status.st_mtime_ns, read], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _small(codes: Any) -> Any:
    """Return codes as numbers of as few bytes as they need."""
    return codes.astype(np.min_scalar_type(-int(codes.max(initial=1)) - 1))


class _KeptColumns:
    """Columns in a file, each read when it is asked for."""

    def __init__(self, arrays: _Arrays, head: Mapping[str, Any]) -> None:
        self._arrays, self._head = arrays, head

    def column(self, index: int, table: FileTable) -> Column:  # noqa: ARG002
        """Read a column."""
        about, rows = self._head["columns"][index], self._head["rows"]
        packed = np.unpackbits(self._arrays.read(f"{index} missing"), count=rows)
        missing, values = packed.astype(np.bool_), self._arrays.read(f"{index} values")
        name, kind, aware = self._head["names"][index], about["kind"], about["aware"]
        if about["texts"] is None:
            return Column(name, kind, values, missing, None, aware)
        texts = np.empty(len(about["texts"]), dtype=object)
        texts[:] = about["texts"]
        return Column(name, kind, texts, missing, values.astype(np.intp), aware)
