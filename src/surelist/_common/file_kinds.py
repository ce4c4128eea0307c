"""What a file is, by its first bytes.

The name of a file may be wrong, and standard input has none; the first bytes are part of the
format. Every reader of this package asks here. (`surelist.checker` has its own reader, because it
shares no code with the rest.)
"""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["ARROW_KINDS", "BEGINNING", "ZIP", "is_gzip", "kind_of_content", "kind_of_file"]

BEGINNING = 16  # bytes: enough to tell all kinds apart
ZIP = b"PK\x03\x04"  # how workbooks and other archives begin

_AT_START = (
    (b"\x1f\x8b", "gzip"),
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"\xff\xff\xff\xff", "arrow stream"),
    (b"FEA1", "feather"),
    (b"SQLite format 3\0", "sqlite"),
)
# A checksum stands before the mark of DuckDB, and a version after it: four bytes, of which text
# has none that is zero.
_DUCKDB = re.compile(rb".{8}DUCK(?=.{0,3}\0)", re.DOTALL)

# Kinds of files that pyarrow reads; "arrow" and "feather" are versions 2 and 1 of Feather.
ARROW_KINDS = ("parquet", "arrow", "arrow stream", "feather")


def kind_of_content(data: bytes) -> str:
    r"""Return the kind of a file from its content, or from the first `BEGINNING` bytes of that.

    "gzip", "parquet", "arrow", "arrow stream", "feather", "sqlite" or "duckdb"; everything else is
    "text", because text has no mark.

    Examples
    --------
    >>> from surelist._common.file_kinds import kind_of_content
    >>> kind_of_content(b"age,sex\n25,Male\n"), kind_of_content(b"PAR1...")
    ('text', 'parquet')
    """
    if _DUCKDB.match(data):
        return "duckdb"
    return next((kind for mark, kind in _AT_START if data.startswith(mark)), "text")


def kind_of_file(path: str | Path) -> str:
    """Return the kind of a file on disk.

    Raises
    ------
    OSError
        Where it cannot be read.
    """
    with Path(path).open("rb") as file:
        return kind_of_content(file.read(BEGINNING))


def is_gzip(data: bytes) -> bool:
    """Whether data that begin so are gzipped; two bytes are enough.

    Examples
    --------
    >>> import gzip
    >>> from surelist._common.file_kinds import is_gzip
    >>> is_gzip(gzip.compress(b"text")), is_gzip(b"text")
    (True, False)
    """
    return data.startswith(_AT_START[0][0])
