"""CSV files by DuckDB: cells mean what `surelist.tables.csv_columns` says they mean.

DuckDB parses, because it is fast and needs little memory. The type of a column is decided as for a
file in memory, from its distinct texts, so that a file gives the same model both ways.
"""

from __future__ import annotations

import codecs
import csv
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from surelist._common.decompression import unpacked
from surelist._common.file_kinds import is_gzip
from surelist._common.sql import quoted_name
from surelist.errors import FormatError, InputError, Message
from surelist.sources.duckdb.conditions import literal
from surelist.sources.duckdb.database import Database
from surelist.tables.csv_columns import MISSING, PATTERNS, NotOfKindError, read_column
from surelist.tables.csv_text import TextColumn, delimiter_by_name, parse_csv

__all__ = ["CsvOptions", "copy_csv", "notation_tests", "typed_sql"]

_SNIFFED = 1 << 18
_COUNTED = 1 << 28
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_ENCODINGS = {"utf-8": "utf-8", "utf-8-sig": "utf-8", "latin-1": "latin-1", "utf-16": "utf-16"}

# For columns with more distinct texts, DuckDB decides the type.
_MOST_TEXTS = 50_000
_NUMBERS = {"b": "truth", "i": "signed", "u": "unsigned", "f": "real"}
_MEANT = {"date": "date", "datetime": "datetime", "aware": "datetime: aware"}
# DuckDB before 2.0 takes no time with a zone but without seconds.
_ZONED = (
    "regexp_replace(replace(replace(t, ' +', '+'), ' -', '-'), "
    r"'([ T]\d\d?:\d\d)([Z+-])', '\1:00\2')"
)
# Microseconds since 1970 of the first and the last datetime in Python.
_FIRST, _LAST = -62_135_596_800_000_000, 253_402_300_799_999_999


@cache
def _blanks() -> str:
    """Return every character that Python strips as white space."""
    return "".join(chr(code) for code in range(sys.maxunicode) if chr(code).isspace())


@dataclass(frozen=True)
class CsvOptions:
    """The format of CSV files; None is detected."""

    delimiter: str | None = None
    encoding: str | None = None
    missing: Collection[str] = ()
    notes: list[str] = field(default_factory=list)


def copy_csv(
    database: Database, files: Sequence[str], options: CsvOptions, kinds: Mapping[str, str]
) -> str:
    """Copy CSV files with the same header into a table of typed columns; return its name."""
    names, delimiter, encoding = _header(files, options)
    columns = ", ".join(f"{literal(name or _unnamed(names))}: 'VARCHAR'" for name in names)
    paths = ", ".join(map(literal, files))
    try:
        raw = database.create(
            f"AS SELECT * FROM read_csv([{paths}], auto_detect = false, "
            f"header = true, columns = {{{columns}}}, delim = {literal(delimiter)}, "
            f"quote = '\"', escape = '\"', encoding = {literal(encoding)})"
        )
        _refuse_ambiguous(database, raw, names)
    except InputError as error:
        where = files[0] if len(files) == 1 else f"one of {len(files)} files"
        raise FormatError(str(error), where) from None
    missing = MISSING | set(options.missing)
    typed = ", ".join(
        f"{typed_sql(database, raw, name, missing, delimiter == ';', kinds.get(name))} "
        f"AS {quoted_name(name)}"
        for name in names
        if name
    )
    table = database.create(f"AS SELECT {typed} FROM {raw}")
    database.run(f"DROP TABLE {raw}")
    return table


def _unnamed(names: Sequence[str]) -> str:
    """Return a name for the column of row names; DuckDB needs one."""
    return next(name for name in map("row {}".format, range(len(names) + 1)) if name not in names)


def _refuse_ambiguous(database: Database, table: str, names: Sequence[str]) -> None:
    """Refuse cells that DuckDB parses in another way than the reader for files in memory."""
    tests = []
    for cell in (quoted_name(name) for name in names if name):
        quote = f"starts_with({cell}, '  ') AND starts_with(ltrim({cell}, ' '), '\"')"
        odd = f"contains({cell}, chr(0)) OR length({cell}) > {csv.field_size_limit()} OR {quote}"
        tests.append(f"coalesce(bool_or({odd}), false)")
    ((*found,),) = database.rows(f"SELECT {', '.join(tests)} FROM {table}") if tests else [()]
    for name, odd in zip((name for name in names if name), found, strict=True):
        if odd:
            raise InputError(
                f"a cell of column {name!r} holds a NUL, more than {csv.field_size_limit():,} "
                "characters, or a quote after several blanks; fix it"
            )


def _header(files: Sequence[str], options: CsvOptions) -> tuple[list[str], str, str]:
    """Read the header of each file with the in-memory reader."""
    found: tuple[list[str], str, str] | None = None
    for path in files:
        data, cut = _beginning(path)
        delimiter = options.delimiter or delimiter_by_name(path)
        text = parse_csv(
            data, path, delimiter=delimiter, encoding=options.encoding, header_only=cut
        )
        if text.encoding.lower() not in _ENCODINGS:
            raise FormatError(
                f"its encoding is {text.encoding}, which DuckDB does not read; convert it to UTF-8",
                path,
            )
        _refuse_beginning(data, text.encoding, path)
        names = [column.name for column in text.columns]
        if len({name.lower() for name in names}) < len(names):
            problem = "two column names differ only by case, which DuckDB ignores; rename one"
            raise FormatError(problem, path)
        if any(isinstance(note, Message) and note.code == "row_names" for note in text.notes):
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


def _refuse_beginning(data: bytes, encoding: str, path: str) -> None:
    if data.startswith(codecs.BOM_UTF16_BE):
        raise FormatError("big-endian UTF-16, which DuckDB does not read; convert to UTF-8", path)
    if data[:8].decode(encoding, "ignore").lstrip("\ufeff")[:1] in ("\r", "\n"):
        problem = "it begins with a blank line, which DuckDB takes for the header; remove the line"
        raise FormatError(problem, path, 1)


def _beginning(path: str) -> tuple[bytes, bool]:
    """Return the first lines of a file, decompressed if necessary, and whether there are more."""
    try:
        with Path(path).open("rb") as file:
            zipped = is_gzip(file.read(2))
            file.seek(0)
            size = Path(path).stat().st_size
            stream = unpacked(file, size, path) if zipped else file
            data = stream.read(_SNIFFED)
            # Check the decompressed size before DuckDB copies it to disk; not for large files, as
            # that would decompress them twice.
            while zipped and size < _COUNTED and stream.read(_SNIFFED):
                pass
    except OSError as error:
        raise FormatError(f"cannot be read ({error}); check the path", path) from None
    cut = len(data) == _SNIFFED
    if not cut or data.startswith(_WIDE):
        return data, cut
    return data[: data.rfind(b"\n") + 1] or data, cut


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
    """Return the expression that casts a column of text to the type of all its values.

    Parameters
    ----------
    database, table, name
        The column.
    missing : collection of str
        Texts that stand for no value.
    comma : bool
        Whether 1,5 is a number.
    kind : str, optional
        The required type of the column, if known.
    only_dates : bool
        Whether numbers stay text.
    """
    trimmed = f"trim({quoted_name(name)}, {literal(_blanks())})"
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
        raise InputError(f"column {name!r} must hold only {kind} values, but some are not")
    if only_dates and not meant.startswith("date"):
        return quoted_name(name)
    return _cast(text, meant)


def _meaning(name: str, texts: list[str], comma: bool, kind: str | None) -> str:
    column = TextColumn(name, texts, np.arange(len(texts)))
    try:
        read = read_column(column, kind=kind, missing=(), decimal_comma=comma)
    except NotOfKindError as error:
        raise InputError(f"column {name!r}: {error}") from None
    if read.kind == "number":
        return f"number: {_NUMBERS[read.values.dtype.kind]}"
    return "datetime: aware" if read.aware else read.kind


def notation_tests() -> dict[str, str]:
    """Return, for each notation, an SQL test of whether the text t is written in it."""
    tests = {key: f"regexp_full_match(t, {literal(p)})" for key, p in PATTERNS.items()}
    finite = tests.pop("infinite")
    whole = tests.pop("whole")
    tests["signed"] = f"{whole} AND try_cast(t AS BIGINT) IS NOT NULL"
    tests["unsigned"] = f"{whole} AND try_cast(t AS UBIGINT) IS NOT NULL"
    # Not a number: an integer that would lose digits as a float, or a number beyond floats.
    exact = f"abs(try_cast(t AS HUGEINT)) <= {2**53}"
    for key, number in (("real", "t"), ("comma", "replace(t, ',', '.')")):
        bounded = f"(isfinite(try_cast({number} AS DOUBLE)) OR {finite})"
        tests[key] += f" AND CASE WHEN {whole} THEN coalesce({exact}, false) ELSE {bounded} END"
    # Excludes 30 February, years before 1, and years after 9999 in UTC.
    tests["date"] += " AND t >= '0001' AND try_cast(t AS DATE) IS NOT NULL"
    tests["datetime"] += " AND t >= '0001' AND try_cast(t AS TIMESTAMP) IS NOT NULL"
    zoned = f"epoch_us(try_cast({_ZONED} AS TIMESTAMPTZ))"
    tests["aware"] += f" AND t >= '0001' AND coalesce({zoned} BETWEEN {_FIRST} AND {_LAST}, false)"
    return {key: f"coalesce({test}, false)" for key, test in tests.items()}


def _meaning_of_many(database: Database, table: str, text: str, comma: bool) -> str:
    tests = notation_tests()
    asked = ", ".join(f"coalesce(bool_and({test}), false) AS {key}" for key, test in tests.items())
    present = f"(SELECT {text} AS t FROM {table}) WHERE t IS NOT NULL"
    (answers,) = database.rows(f"SELECT {asked} FROM {present}")
    holds = dict(zip(tests, answers, strict=True))
    for key in ("truth", "signed", "unsigned", "comma", "real", "date", "datetime", "aware"):
        if holds[key] and (key != "comma" or comma):
            return _MEANT.get(key, f"number: {key}")
    return "text"


def _cast(text: str, meant: str) -> str:
    casts: dict[str, Any] = {
        "number: truth": f"(lower({text}) = 'true')",
        "number: signed": f"({text})::BIGINT",
        "number: unsigned": f"({text})::UBIGINT",
        "number: real": f"replace({text}, ',', '.')::DOUBLE",
        "number: comma": f"replace({text}, ',', '.')::DOUBLE",
        "date": f"({text})::DATE",
        "datetime": f"({text})::TIMESTAMP",
        "datetime: aware": f"{_ZONED.replace('t,', f'({text}),')}::TIMESTAMPTZ",
    }
    return str(casts.get(meant, text))
