"""Exit codes, the same for every command."""

from __future__ import annotations

__all__ = [
    "BAD_INPUT",
    "DEFECT",
    "INTERRUPTED",
    "MEANING",
    "NOT_CERTIFIED",
    "REFUSED",
    "SUCCESS",
]

SUCCESS = 0
DEFECT = 1
BAD_INPUT = 2
NOT_CERTIFIED = 3
REFUSED = 4
INTERRUPTED = 130

MEANING = (
    "Exit codes: 0 success, 2 bad usage or input, 3 not certified within the limits (the model is "
    "still written), 4 verification refuses."
)
