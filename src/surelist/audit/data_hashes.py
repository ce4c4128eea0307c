"""Hashes of data: of files as they are, and of what a claim depends on in them.

The hash of a file says whether it is the same to the bit. Hashes of columns and of blocks of rows
say where two tables differ first, without holding any value. Only the labels and the columns that a
certificate asks about count: the claim does not depend on anything else in a table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from surelist._common.files import PathLike

__all__ = ["content_hashes", "first_difference", "sha256_of_file"]

_LEAST_BLOCK = 100
_MOST_BLOCKS = 2000
_DIGITS = 32


def sha256_of_file(path: PathLike) -> str:
    """Return the SHA-256 of a file, as ``sha256sum`` prints it."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def content_hashes(columns: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return hashes of columns and of blocks of rows.

    Examples
    --------
    >>> from surelist.audit.data_hashes import content_hashes
    >>> sorted(content_hashes({"age": [25, None], "label": ["no", "yes"]}))
    ['blocks', 'columns', 'rows', 'rows_per_block']
    """
    names = sorted(columns)
    texts = {name: [repr(value) for value in columns[name]] for name in names}
    n_rows = len(texts[names[0]]) if names else 0
    size = max(_LEAST_BLOCK, -(-n_rows // _MOST_BLOCKS))
    return {
        "rows": n_rows,
        "columns": {name: _digest(texts[name]) for name in names},
        "rows_per_block": size,
        "blocks": [
            _digest(text for name in names for text in texts[name][start : start + size])
            for start in range(0, n_rows, size)
        ],
    }


def _digest(texts: Any) -> str:
    found = hashlib.sha256()
    for text in texts:
        found.update(text.encode("utf-8", "surrogatepass") + b"\n")
    return found.hexdigest()[:_DIGITS]


def first_difference(expected: Mapping[str, Any], found: Mapping[str, Any]) -> str | None:
    """Say in a sentence what differs first between two tables; None where nothing does."""
    missing = [name for name in expected["columns"] if name not in found["columns"]]
    if missing:
        return f"there is no column {missing[0]!r}"
    if expected["rows"] != found["rows"]:
        return f"there are {found['rows']:,} rows instead of {expected['rows']:,}"
    other = [
        name for name, digest in expected["columns"].items() if found["columns"][name] != digest
    ]
    if not other:
        return None
    which = f"the column {other[0]!r} differs"
    if len(other) > 1:
        which = f"the columns {', '.join(map(repr, other[:4]))} differ"
    for number, (one, two) in enumerate(zip(expected["blocks"], found["blocks"], strict=False)):
        if one != two:
            start = number * expected["rows_per_block"]
            end = min(start + expected["rows_per_block"], expected["rows"])
            return f"{which}, first in rows {start + 1:,} to {end:,}"
    return which
