"""All limits of the page: sizes, times, memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from surelist._common.memory import memory_of_machine

__all__ = ["LONGEST_NAME", "MB", "SEARCH_SHARE", "Limits", "memory_for_searches"]

MB = 1_000_000
_LEAST_MEMORY = 256 * MB

# Characters in the name of a column: it is shown in every rule that asks about the column.
LONGEST_NAME = 1000

# Share of the time limit for the search, where a test follows: the test gets the rest.
SEARCH_SHARE = 0.75


def memory_for_searches(searches: int) -> int:
    """Return the bytes for each of so many searches: together, half of the machine's memory.

    The other half is for the page, for its helpers, and for whatever else the machine is used for.

    Examples
    --------
    >>> from surelist.web.limits import memory_for_searches
    >>> memory_for_searches(1) >= 2 * memory_for_searches(2)
    True
    """
    return max(_LEAST_MEMORY, memory_of_machine() // 2 // searches)


@dataclass(frozen=True)
class Limits:
    """Limits on uploads, and on the time and memory spent on them.

    Attributes
    ----------
    upload : int
        Bytes of one file, as sent.
    unpacked : int
        Bytes of one file once it is unpacked.
    rows, columns : int
        Of one table.
    read_seconds : float
        Reading a file, or answering any other short question.
    stall_seconds : float
        How long an upload may pause.
    upload_seconds : float
        How long it may take.
    helper_memory : int
        Bytes of a helper process.
    search_memory : int
        Bytes that a user may grant one search.
    beside : int
        Bytes that the process of a search may take beside that: for the interpreter and the table.
    searches : int
        Searches that run at once; others queue.
    queued : int
        Searches that may wait.
    """

    upload: int = 200 * MB
    unpacked: int = 1_000 * MB
    rows: int = 2_000_000
    columns: int = 2_000
    read_seconds: float = 120.0
    stall_seconds: float = 30.0
    upload_seconds: float = 900.0
    helper_memory: int = 6_000 * MB
    search_memory: int = field(default_factory=lambda: memory_for_searches(1))
    beside: int = 1_500 * MB
    searches: int = 1
    queued: int = 100

    def memory_of(self, settings: Mapping[str, Any]) -> int:
        """Return the bytes that the process of a search with these settings may take."""
        granted = settings.get("memory_limit_mb") or self.search_memory / MB
        return int(granted * MB) + self.beside
