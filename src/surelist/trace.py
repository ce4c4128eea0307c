"""The trace of a search: what happened when."""

from surelist.search.trace import (
    Trace,
)

__all__ = [
    "Trace",
]
