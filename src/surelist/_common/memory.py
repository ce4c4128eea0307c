"""How much memory there is for this process: that of the machine, or of its container."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["memory_of_machine", "share_of_memory"]

_SHARE = 4
_UNKNOWN = 8 << 30  # assumed where the system does not say
# The limit of a container: cgroups, version 2 and version 1.
_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def memory_of_machine() -> int:
    """Return the bytes of memory that there are for processes like this one."""
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # Windows has no sysconf
        size = 0
    known = [size if size > 0 else _UNKNOWN]
    for path in _LIMITS:
        try:
            known.append(int(path.read_text(encoding="ascii")))
        except (OSError, ValueError):  # none there, or "max"
            continue
    return min(each for each in known if each > 0)


def share_of_memory() -> int:
    """Return the default memory limit of a search: a quarter of the memory."""
    return memory_of_machine() // _SHARE
