"""One search alone and on a local Dask cluster: same optimum, ratios of work and time.

``make cluster`` runs it on COMPAS and NYCLU at λ = .0025; ``--kills N`` kills workers at random
moments while it runs, and ``--verify`` checks the certificate, which takes long for large ones.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from surelist import RuleListClassifier, verify
from surelist.estimators.corels import text_files as corels_text

__all__ = ["main"]

_FILES = {"compas": "compas/compas_train", "nyclu": "nyclu/weapon_0_train"}


def load(folder: Path, name: str) -> tuple[Any, Any]:
    """Read a data set in the CORELS format."""
    stem = folder / _FILES[name]
    data = corels_text.read(f"{stem}.out.gz", f"{stem}.label.gz")
    return np.ascontiguousarray(data.captures, dtype=np.uint8), np.asarray(data.labels)


def _fit(X: Any, y: Any, regularization: str, n_jobs: Any) -> tuple[RuleListClassifier, float]:
    model = RuleListClassifier(
        float(regularization),
        max_clauses=1,
        min_support=0,
        work_limit=None,
        certificate=True,
        n_jobs=n_jobs,
    )
    begun = time.perf_counter()
    model.fit(X, y)
    return model, time.perf_counter() - begun


@contextmanager
def _killing(client: Any, kills: int, every: float) -> Iterator[list[int]]:
    """Kill a random worker from time to time."""
    chance, ended = random.Random(0), threading.Event()
    killed: list[int] = []

    def kill() -> None:
        while len(killed) < kills and not ended.wait(every * (0.5 + chance.random())):
            pids = list(client.run(os.getpid, on_error="ignore").values())
            if pids:
                killed.append(chance.choice(pids))
                os.kill(killed[-1], signal.SIGKILL)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    try:
        yield killed
    finally:
        ended.set()
        thread.join(10)  # it may be waiting for an answer that never comes


def main() -> None:
    """Run the comparison and print a line for each problem."""
    from distributed import Client, LocalCluster

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="compas, nyclu, or both")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--regularization", default="0.0025")
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--every", type=float, default=5.0, help="seconds between kills, about")
    parser.add_argument("--verify", action="store_true")
    given = parser.parse_args()
    for name in given.names or _FILES:
        X, y = load(given.data, name)
        alone, seconds = _fit(X, y, given.regularization, 1)
        with (
            LocalCluster(
                n_workers=given.workers, threads_per_worker=1, dashboard_address=":0"
            ) as cluster,
            Client(cluster) as client,
            _killing(client, given.kills, given.every) as killed,
        ):
            spread, wall = _fit(X, y, given.regularization, client)
        if spread.objective_exact_ != alone.objective_exact_ or spread.status_ != "optimal":
            raise SystemExit(
                f"{name}: {spread.objective_} on the cluster, {alone.objective_} alone"
            )
        work = spread.trace_.counters["expanded"] / alone.trace_.counters["expanded"]
        sys.stdout.write(
            f"{name} λ={given.regularization}: objective {spread.objective_:.6f}, "
            f"{given.workers} workers, {len(killed)} killed: {work:.3f} times the prefixes, "
            f"{seconds / wall:.2f} times the speed\n"
        )
        if given.verify:
            sys.stdout.write(f"{verify(spread.certificate_, X, y)}\n")


if __name__ == "__main__":
    main()
