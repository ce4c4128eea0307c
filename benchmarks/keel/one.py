"""One fit, from inside a fresh process: what every system has in common.

Runs in the environment of the system measured, so it imports numpy and nothing else that has to be
installed. The clock runs over the fit alone; importing, compiling at first use and predicting do
not count.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.keel.data import Columns, Rows, load
from benchmarks.peer_common import Outcome, peak, processor_time, quiet, reset_peak, write_result

__all__ = ["Fit", "Fitted", "Request", "serve"]


@dataclass(frozen=True)
class Request:
    """What to fit; the driver writes it to a file.

    Attributes
    ----------
    data : str
        A fold as `benchmarks.keel.data.save` writes it.
    seconds : float
        The time limit.
    patience : float
        Seconds on a processor after which the process is ended.
    memory : str
        The memory limit of systems that keep one, as text with a unit.
    address_space : int
        Bytes that the process may have; 0 for no limit.
    regularization : str
        λ as decimal text, for systems that have one.
    options : dict
        Whatever else the system takes.
    result : str
        The file to write the result to.
    """

    data: str
    seconds: float
    patience: float
    memory: str
    address_space: int
    regularization: str
    options: dict[str, Any]
    result: str


@dataclass(frozen=True)
class Fitted:
    """A model: how it predicts, and what is to be said of it."""

    predict: Callable[[Rows], NDArray[Any]]
    facts: Outcome = field(default_factory=dict)


Fit = Callable[[Rows, Request], Fitted]


def serve(fit: Fit) -> None:
    """Fit once and write what there is to say."""
    quiet()
    request = Request(**json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    if request.address_space:
        import resource

        limit = request.address_space
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    fit(_tiny(), request)
    fold = load(Path(request.data))
    baseline = reset_peak()
    # The signal is not handled, so it ends the process anywhere.
    signal.setitimer(signal.ITIMER_PROF, request.patience)
    started = processor_time()
    fitted = fit(fold.train, request)
    cpu = processor_time() - started
    signal.setitimer(signal.ITIMER_PROF, 0)
    measured = {"cpu": cpu, "memory": max(0, peak() - baseline)}
    for name, rows in (("train", fold.train), ("test", fold.test)):
        right = np.asarray(fitted.predict(rows)) == rows.labels
        measured[f"{name}_accuracy"] = float(right.mean())
    write_result(request.result, {"status": "done"} | fitted.facts | measured)


def _tiny() -> Rows:
    """Return sixteen different rows, five times over, and a label that two rules explain."""
    features = np.unpackbits(np.arange(16, dtype=np.uint8)[:, None], axis=1)[:, 4:]
    features = np.tile(features, (5, 1))
    labels = (features[:, 0] & features[:, 1]).astype(np.int32)
    return Rows(Columns(features.astype(np.float64), (None,) * 4), features, labels)
