"""What every process that the page starts has in common: its environment, limits, and errors."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from surelist.errors import SurelistError
from surelist.web.wording import error_text

__all__ = [
    "attempt",
    "command",
    "environment",
    "json_safe",
    "limit_memory",
    "log",
    "lower_priority",
    "when_stopped",
]

# One thread for linear algebra and few heaps: else processes map far more memory than they use.
_ENVIRONMENT = {
    "MPLBACKEND": "agg",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
    "PYTHONUNBUFFERED": "1",
}


def command(module: str, *arguments: str) -> list[str]:
    """Return the command line of a process that runs a module of the page.

    With -P: modules in the current folder must not be imported.
    """
    return [sys.executable, "-P", "-m", f"surelist.web.{module}", *arguments]


def lower_priority(by: int) -> None:
    """Lower the priority of this process, so that the page answers while searches run.

    Each 5 steps of niceness leave about a third of the processor time when other programs compete.
    """
    if hasattr(os, "nice"):
        os.nice(by)
    # Linux may schedule by session (autogroup), and each of these processes has its own session.
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(by), encoding="ascii")


def limit_memory(n_bytes: int) -> None:
    """Limit the memory of this process, where the system can."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    # RLIMIT_DATA counts memory that is written to, not files that are only mapped.
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = n_bytes if hard == resource.RLIM_INFINITY else min(n_bytes, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def when_stopped(act: Callable[[], None]) -> None:
    """Call a function when the parent asks to stop or has ended: both close standard input."""
    # A page that a shell started in the background ignores interrupts, and so do its children.
    signal.signal(signal.SIGINT, signal.default_int_handler)

    def wait() -> None:
        # Not through sys.stdin, whose lock this thread would hold while the interpreter ends.
        with contextlib.suppress(OSError):
            os.read(0, 1)
        act()

    threading.Thread(target=wait, daemon=True).start()


def attempt(act: Callable[[], dict[str, Any]], stopped: str) -> dict[str, Any]:
    """Return what a function returns, or the reason why there is nothing under "error".

    ``stopped`` is the reason where it was interrupted.
    """
    try:
        return act()
    except KeyboardInterrupt:
        return {"error": stopped}
    except (SurelistError, MemoryError) as error:
        return {"error": error_text(error)}
    except Exception as error:
        log(error)
        return {"error": error_text(error)}


def environment() -> dict[str, str]:
    """Return the environment for such a process."""
    return {**os.environ, **_ENVIRONMENT}


def log(error: BaseException) -> None:
    """Write the traceback to the terminal."""
    import traceback

    traceback.print_exception(error, file=sys.stderr)


def json_safe(value: Any) -> Any:
    """Return a value that JSON can hold: NaN and infinity become None."""
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
