"""Read and write the CORELS text format."""

from surelist.estimators.corels.text_files import (
    CorelsData,
    minority_of,
    read,
    write,
)

__all__ = [
    "CorelsData",
    "minority_of",
    "read",
    "write",
]
