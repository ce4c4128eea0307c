"""What every process that the page starts has in common: limits, and errors fit for a browser."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from surelist.errors import FormatError, SurelistError

__all__ = [
    "ENVIRONMENT",
    "attempt",
    "command",
    "environment",
    "json_safe",
    "limit_memory",
    "log",
    "plain",
    "said",
    "step_back",
    "when_stopped",
]

# One thread for linear algebra and few heaps: what a process maps is then what it uses.
ENVIRONMENT = {
    "MPLBACKEND": "agg",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
    "PYTHONUNBUFFERED": "1",
}

# Advice for the command line, and what it means here.
_WORDS = (
    (r", or name another --delimiter", ""),
    (r"name the right --encoding", "save the file as UTF-8"),
    (r" \(--encoding says otherwise\)", ""),
    (r", or UTF-16 \(then --encoding utf-16\)", ", or UTF-16 without a byte-order mark"),
    (r"--missing ('[^']*'|\"[^\"]*\"|\S+) makes", r"taking \1 for “missing” makes"),
    (r" \(--label names another\)", ""),
    (r" for --label", ""),
)


def command(module: str, *arguments: str) -> list[str]:
    """Return the command line of a process of ours.

    It runs without the current folder on its path: what lies there is not ours.
    """
    return [sys.executable, "-P", "-m", f"surelist.web.{module}", *arguments]


def step_back() -> None:
    """Leave the processor to the page where both want it, so that it answers beside searches."""
    if hasattr(os, "nice"):
        os.nice(10)
    # Linux may weigh whole sessions against each other, and each of our processes has its own.
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text("10", encoding="ascii")


def limit_memory(n_bytes: int) -> None:
    """Have this process refuse memory beyond a limit, where the system knows how."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    # What programs and libraries only map does not count; what is written to does.
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = n_bytes if hard == resource.RLIM_INFINITY else min(n_bytes, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def when_stopped(act: Callable[[], None]) -> None:
    """Call a function once our parent says stop, or is gone: both end our standard input."""
    # A shell may have started the page in the background, with interrupts ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)

    def wait() -> None:
        # Not through sys.stdin, whose lock this thread would hold while the interpreter ends.
        with contextlib.suppress(OSError):
            os.read(0, 1)
        act()

    threading.Thread(target=wait, daemon=True).start()


def attempt(act: Callable[[], dict[str, Any]], stopped: str) -> dict[str, Any]:
    """Return what a function returns, or under "error" why there is nothing.

    ``stopped`` is the reason where somebody stopped it.
    """
    try:
        return act()
    except KeyboardInterrupt:
        return {"error": stopped}
    except (SurelistError, MemoryError) as error:
        return {"error": said(error)}
    except Exception as error:
        log(error)
        return {"error": said(error)}


def said(error: BaseException) -> str:
    """Return what to tell a user: never a path, never a traceback.

    Examples
    --------
    >>> from surelist.errors import FormatError
    >>> from surelist.web.child import said
    >>> said(FormatError("3 fields where the header has 4", "/home/me/source", 7))
    'line 7: 3 fields where the header has 4'
    """
    if isinstance(error, FormatError):
        place = "" if error.line is None else f"line {error.line}: "
        return plain(place + error.problem)
    if isinstance(error, SurelistError) and isinstance(error.__cause__, OSError):
        reason = error.__cause__.strerror or "for an unknown reason"
        return f"a file cannot be written ({reason}); see that there is room for Surelist's folder"
    if isinstance(error, SurelistError):
        return plain(str(error))
    if isinstance(error, MemoryError):
        return "there was not enough memory within the limit"
    return "something unexpected went wrong; the terminal that runs surelist says more"


def plain(text: str) -> str:
    """Return a message without paths and without the flags of the command line."""
    text = re.sub(r"\bsource:(\d+)(?::\d+)?: ?", r"line \1: ", text)
    text = re.sub(r"\bsource: ", "", text)
    for old, new in _WORDS:
        text = re.sub(old, new, text)
    return text


def environment() -> dict[str, str]:
    """Return the environment for a process of ours."""
    return {**os.environ, **ENVIRONMENT}


def log(error: BaseException) -> None:
    """Write what went wrong to the terminal, in full."""
    import traceback

    traceback.print_exception(error, file=sys.stderr)


def json_safe(value: Any) -> Any:
    """Return a value that JSON can hold: numbers that are none become None."""
    import math

    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): json_safe(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(each) for each in value]
    if hasattr(value, "item") and not isinstance(value, str):
        return json_safe(value.item())
    return value
