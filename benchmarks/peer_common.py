"""One measurement, from inside a fresh process: what every system has in common.

Runs in the environment of the system measured, so it imports numpy and nothing else that has to be
installed. The clock runs from arrays in Python to a result; importing, compiling at first use and
loading the data come before that.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Outcome",
    "Request",
    "peak",
    "processor_time",
    "quiet",
    "reset_peak",
    "serve",
    "write_result",
]

Matrix = NDArray[np.uint8]
Labels = NDArray[np.int32]
Outcome = dict[str, Any]


@dataclass(frozen=True)
class Request:
    """What to measure; the driver writes it to a file.

    Attributes
    ----------
    data : str
        A file of arrays as `benchmarks.cases.save` writes it. Empty: only see whether the system
        runs, and let it compile what it compiles once.
    matrix : str
        Which of its matrices to learn from: "captures" or "features".
    regularization : str
        λ as decimal text.
    seconds : float
        The time limit; a system that does not keep one is ended when it has had a little more.
    memory : int
        Bytes of address space that the process may have; 0 for no limit.
    options : dict
        Whatever else the system takes.
    result : str
        The file to write the result to: standard output belongs to the system.
    """

    data: str
    matrix: str
    regularization: str
    seconds: float
    memory: int
    options: dict[str, Any]
    result: str

    @property
    def penalty(self) -> float:
        """λ as a number, for systems that compute in floating point."""
        return float(self.regularization)


Fit = Callable[[Matrix, Labels, Request], Outcome]


def serve(fit: Fit) -> None:
    """Measure one fit and write the result.

    `fit` returns at least the ``status``, the ``loss`` (share misclassified) and the ``length``
    (rules of a list, splits of a tree); the objective follows from these.
    """
    request = Request(**json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    if request.memory:
        resource.setrlimit(resource.RLIMIT_AS, (request.memory, request.memory))
    # Warm up: imports, compilation at first use and caches are not measured.
    fit(*_tiny(), replace(request, regularization="0.1"))
    if not request.data:
        write_result(request.result, {"status": "ready"})
        return
    X, y = _load(request)
    baseline = reset_peak()
    # The signal is not handled, so it ends the process anywhere. The timer counts processor time,
    # because other load on the machine must not end a measurement early.
    threads = request.options.get("n_jobs", 1)
    signal.setitimer(signal.ITIMER_PROF, threads * (1.1 * request.seconds + 5))
    started, started_cpu = time.perf_counter(), processor_time()
    outcome = fit(X, y, request)
    seconds, cpu = time.perf_counter() - started, processor_time() - started_cpu
    signal.setitimer(signal.ITIMER_PROF, 0)
    measured = {"seconds": seconds, "cpu": cpu, "memory": max(0, peak() - baseline)}
    outcome.setdefault("objective", outcome["loss"] + request.penalty * outcome["length"])
    write_result(request.result, outcome | measured)


def processor_time() -> float:
    """Return the processor time of this process in seconds."""
    # Not process_time: while a timer of processor time runs, that moves in steps of milliseconds.
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def write_result(path: str, outcome: Outcome) -> None:
    """Write a result atomically."""
    temporary = Path(f"{path}.tmp")
    temporary.write_text(json.dumps(outcome), encoding="utf-8")
    temporary.replace(path)


def _tiny() -> tuple[Matrix, Labels]:
    """Return eight different rows, five times over, and a label that two rules explain."""
    X = np.unpackbits(np.arange(8, dtype=np.uint8)[:, None], axis=1)[:, 5:]
    X = np.tile(X, (5, 1))
    return X, (X[:, 0] & X[:, 1]).astype(np.int32)


def _load(request: Request) -> tuple[Matrix, Labels]:
    with np.load(request.data) as arrays:
        labels = arrays["labels"]
        width = int(arrays[f"{request.matrix}_width"])
        packed = arrays[request.matrix]
    return np.unpackbits(packed, axis=1, count=width), labels


def reset_peak() -> int:
    """Return the memory in use, and reset the peak."""
    gc.collect()
    try:
        # Return freed memory to the system; otherwise it would hide what the fit takes.
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except (AttributeError, OSError):
        pass
    return peak()


def peak() -> int:
    """Return the peak memory of this process in bytes.

    The kernel's count for the program that runs now; that of `resource.getrusage` takes in the
    process that started it, and cannot be reset.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most * (1 if sys.platform == "darwin" else 1024)
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


def quiet() -> None:
    """Discard whatever a system prints; the result goes to a file."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
