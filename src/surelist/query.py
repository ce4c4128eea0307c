"""Rows beyond memory: files and databases, read by DuckDB."""

from surelist.sources.duckdb import (
    Query,
    Reading,
    from_query,
)

__all__ = [
    "Query",
    "Reading",
    "from_query",
]
