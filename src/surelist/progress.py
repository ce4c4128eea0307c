"""Showing how a search gets on: a line in a terminal, a bar in a notebook, calls to a function."""

from surelist._common.progress import (
    Line,
    Mining,
    Progress,
    reporting,
    reporting_mining,
)

__all__ = [
    "Line",
    "Mining",
    "Progress",
    "reporting",
    "reporting_mining",
]
