"""Exit codes, the same for every command."""

from __future__ import annotations

__all__ = [
    "BAD_INPUT",
    "DEFECT",
    "INTERRUPTED",
    "MEANING",
    "NOT_CERTIFIED",
    "NOT_WRITTEN",
    "REFUSED",
    "SUCCESS",
]

SUCCESS = 0
DEFECT = 1
BAD_INPUT = 2
NOT_CERTIFIED = 3
REFUSED = 4
NOT_WRITTEN = 5
INTERRUPTED = 130

MEANING = (
    "Exit codes: 0 success, 2 bad usage or input, 3 not certified within the limits (the model is "
    "still written), 4 verification refuses, 5 a result could not be written to its file or to "
    "standard output."
)
