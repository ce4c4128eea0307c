"""Processes that are measured from outside, and killed if they do not end."""

from __future__ import annotations

import os
import signal
import subprocess

from benchmarks.cases import ROOT

__all__ = ["last_error", "run_apart", "without_result"]


def run_apart(command: list[str], seconds: float, **environment: str) -> tuple[int | None, str]:
    """Return the exit status of a process, None if we killed it, and its output.

    It leads a group of its own, so that ending it ends whatever it has started. ``environment`` is
    what it gets to see besides our own. Threads of numpy's linear algebra wait by spinning, for
    longer than a small problem takes, so there are none.
    """
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"} | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        _, errors = process.communicate(timeout=seconds)
    except BaseException as error:
        os.killpg(process.pid, signal.SIGKILL)
        _, errors = process.communicate()
        if isinstance(error, subprocess.TimeoutExpired):
            return None, errors.decode(errors="replace")
        raise
    return process.returncode, errors.decode(errors="replace")


def without_result(status: int | None, errors: str) -> dict[str, str]:
    """Say why a process that was to write a result has not, by what `run_apart` returned.

    Examples
    --------
    >>> without_result(1, "MemoryError: no room")
    {'status': 'memory_limit', 'note': 'MemoryError: no room'}
    >>> without_result(-11, "")
    {'status': 'failed', 'note': 'status -11'}
    """
    if status is None:
        return {"status": "time_limit", "note": "did not end"}
    if status == -signal.SIGPROF:  # its processor time was used up
        return {"status": "time_limit"}
    if status == -signal.SIGKILL:  # not by us: by the kernel, when memory is short
        return {"status": "memory_limit", "note": "killed by the system"}
    if any(sign in errors for sign in ("MemoryError", "bad_alloc", "allocate memory")):
        return {"status": "memory_limit", "note": last_error(errors)}
    return {"status": "failed", "note": last_error(errors) if errors else f"status {status}"}


def last_error(text: str) -> str:
    r"""Return the last informative line of an error.

    Examples
    --------
    >>> last_error("Traceback:\n  AttributeError: no such thing\n  [end of output]\nhint\n")
    'AttributeError: no such thing'
    >>> last_error("Killed\n")
    'Killed'
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if "Error: " in line or "ERROR: " in line]
    return (telling or lines or ["no message"])[-1][:200]
