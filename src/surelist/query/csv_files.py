"""CSV files by DuckDB, with the meaning that `surelist.csv_columns` gives to what stands in them.

DuckDB parses, because it is fast and needs little memory; what a column of text means is decided as
for a file in memory, from its different texts, so that a file gives the same model both ways.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from surelist.csv_columns import MISSING, NotOfKindError, read_column
from surelist.csv_text import TextColumn, parse_csv
from surelist.errors import FormatError, InputError
from surelist.query.conditions import identifier, literal
from surelist.query.database import Database

__all__ = ["CsvOptions", "copy_csv", "typed_sql"]

_SNIFFED = 1 << 18
_BLANKS = "".join(chr(code) for code in range(sys.maxunicode) if chr(code).isspace())
_ENCODINGS = {"utf-8": "utf-8", "utf-8-sig": "utf-8", "latin-1": "latin-1", "utf-16": "utf-16"}

# The same as in surelist.csv_columns, for columns with too many different texts to look at here.
_PATTERNS = {
    "truth": r"(?i)true|false",
    "whole": r"[+-]?(0|[1-9][0-9]{0,17})",
    "real": r"[+-]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?"
    r"|(?i:[+-]?inf(inity)?)",
    "comma": r"[+-]?(0|[1-9][0-9]*)(,[0-9]+)?",
    "date": r"[0-9]{4}-[0-9]{2}-[0-9]{2}",
    "datetime": r"[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?)?",
    "aware": r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?"
    r"(Z| ?\+[0-9]{2}:?[0-9]{2}|-[0-9]{2}:?[0-9]{2})",
}
_MOST_TEXTS = 50_000


@dataclass(frozen=True)
class CsvOptions:
    """How CSV files are written; None is found out."""

    delimiter: str | None = None
    encoding: str | None = None
    missing: Collection[str] = ()
    notes: list[str] = field(default_factory=list)


def copy_csv(
    database: Database, files: Sequence[str], options: CsvOptions, kinds: Mapping[str, str]
) -> str:
    """Copy CSV files with the same header into a table of typed columns; return its name."""
    names, delimiter, encoding = _header(files, options)
    columns = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in names)
    paths = ", ".join(map(literal, files))
    try:
        raw = database.create(
            f"AS SELECT * FROM read_csv([{paths}], auto_detect = false, "
            f"header = true, columns = {{{columns}}}, delim = {literal(delimiter)}, "
            f"quote = '\"', escape = '\"', encoding = {literal(encoding)})"
        )
    except InputError as error:
        raise FormatError(str(error), files[0]) from None
    missing = MISSING | set(options.missing)
    typed = ", ".join(
        f"{typed_sql(database, raw, name, missing, delimiter == ';', kinds.get(name))} "
        f"AS {identifier(name)}"
        for name in names
        if name
    )
    table = database.create(f"AS SELECT {typed} FROM {raw}")
    database.run(f"DROP TABLE {raw}")
    return table


def _header(files: Sequence[str], options: CsvOptions) -> tuple[list[str], str, str]:
    """Read the beginning of each file as a file in memory is read."""
    found: tuple[list[str], str, str] | None = None
    for path in files:
        data = _beginning(path)
        delimiter = options.delimiter
        if delimiter is None and _is_tsv(path):
            delimiter = "\t"
        text = parse_csv(data, path, delimiter=delimiter, encoding=options.encoding)
        if text.encoding.lower() not in _ENCODINGS:
            raise FormatError(
                f"its encoding is {text.encoding}, which DuckDB does not read; convert it to UTF-8",
                path,
            )
        names = [column.name for column in text.columns]
        if any("has no name" in note for note in text.notes):
            names = ["", *names]
        own = names, text.delimiter, _ENCODINGS[text.encoding.lower()]
        if found is None:
            found = own
            options.notes.extend(text.notes)
        elif own != found:
            raise FormatError(f"its columns or delimiter differ from those of {files[0]}", path)
    if found is None:
        raise InputError("no files are named")
    return found


def _is_tsv(path: str) -> bool:
    return PurePath(path.removesuffix(".gz")).suffix.lower() in (".tsv", ".tab")


def _beginning(path: str) -> bytes:
    """Return the first lines of a file, unpacked where it is gzipped."""
    try:
        with Path(path).open("rb") as file:
            zipped = file.read(2) == b"\x1f\x8b"
        with gzip.open(path) if zipped else Path(path).open("rb") as stream:
            data = stream.read(_SNIFFED)
    except (EOFError, OSError) as error:
        raise FormatError(f"cannot be read ({error}); check the path", path) from None
    if len(data) < _SNIFFED:
        return data
    return data[: data.rfind(b"\n") + 1] or data


# From text to values.


def typed_sql(
    database: Database,
    table: str,
    name: str,
    missing: Collection[str],
    comma: bool = False,
    kind: str | None = None,
    *,
    only_dates: bool = False,
) -> str:
    """Return the expression that reads a column of text as what all its values are.

    Parameters
    ----------
    database, table, name
        The column.
    missing : collection of str
        Texts that stand for no value.
    comma : bool
        Whether 1,5 is a number.
    kind : str, optional
        What the column has to hold, where that is known.
    only_dates : bool
        Whether numbers stay text.
    """
    trimmed = f"trim({identifier(name)}, {literal(_BLANKS)})"
    text = trimmed
    if missing:
        gone = ", ".join(map(literal, sorted(missing)))
        text = f"CASE WHEN {trimmed} IN ({gone}) THEN NULL ELSE {trimmed} END"
    found = database.fetch(
        f"SELECT DISTINCT {text} AS t FROM {table} WHERE t IS NOT NULL LIMIT {_MOST_TEXTS + 1}"
    )["t"]
    if kind == "text":
        return text
    if len(found) == 0:
        return f"{text}::VARCHAR"
    if len(found) <= _MOST_TEXTS:
        meant = _meaning(name, [str(each) for each in found.tolist()], comma, kind)
    else:
        meant = _meaning_of_many(database, table, text, comma)
    if kind is not None and not meant.startswith(kind):
        raise InputError(f"column {name!r} should hold {kind} values, but not all of them are")
    if only_dates and not meant.startswith("date"):
        return identifier(name)
    return _cast(text, meant)


def _meaning(name: str, texts: list[str], comma: bool, kind: str | None) -> str:
    column = TextColumn(name, texts, np.arange(len(texts)))
    try:
        read = read_column(column, kind=kind, missing=(), decimal_comma=comma)
    except NotOfKindError as error:
        raise InputError(f"column {name!r}: {error}") from None
    if read.kind == "number":
        return {"b": "number: truth", "i": "number: whole"}.get(
            read.values.dtype.kind, "number: real"
        )
    return "datetime: aware" if read.aware else read.kind


def _meaning_of_many(database: Database, table: str, text: str, comma: bool) -> str:
    tests = {key: f"regexp_full_match(t, {literal(p)})" for key, p in _PATTERNS.items()}
    # Not the 30th of February.
    tests["date"] += " AND try_cast(t AS DATE) IS NOT NULL"
    tests["datetime"] += " AND try_cast(t AS TIMESTAMP) IS NOT NULL"
    asked = ", ".join(f"coalesce(bool_and({test}), false) AS {key}" for key, test in tests.items())
    present = f"(SELECT {text} AS t FROM {table}) WHERE t IS NOT NULL"
    (answers,) = database.rows(f"SELECT {asked} FROM {present}")
    holds = dict(zip(tests, answers, strict=True))
    for key, meant in (
        ("truth", "number: truth"),
        ("whole", "number: whole"),
        ("comma", "number: comma"),
        ("real", "number: real"),
        ("date", "date"),
        ("datetime", "datetime"),
        ("aware", "datetime: aware"),
    ):
        if holds[key] and (key != "comma" or comma):
            return meant
    return "text"


def _cast(text: str, meant: str) -> str:
    casts: dict[str, Any] = {
        "number: truth": f"(lower({text}) = 'true')",
        "number: whole": f"({text})::BIGINT",
        "number: real": f"replace({text}, ',', '.')::DOUBLE",
        "number: comma": f"replace({text}, ',', '.')::DOUBLE",
        "date": f"({text})::DATE",
        "datetime": f"({text})::TIMESTAMP",
        "datetime: aware": f"replace({text}, ' +', '+')::TIMESTAMPTZ",
    }
    return str(casts.get(meant, text))
