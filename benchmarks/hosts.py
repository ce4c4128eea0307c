"""A search on a cluster of test hosts: network namespaces of this machine, joined by a bridge.

``python -m benchmarks.hosts`` (as root, with iproute2) starts a Dask scheduler here and a worker on
each host, searches over the network, cuts one host off in the middle, and compares with a search
alone. Everything that it sets up is removed at the end.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.cluster import load
from surelist import RuleListClassifier, verify

__all__ = ["hosts", "main"]

_BRIDGE, _NET, _PORT = "surelist0", "10.77.12", 18786


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


@contextmanager
def hosts(count: int) -> Iterator[list[str]]:
    """Set up hosts, each a namespace with an address of its own; give their names."""
    with ExitStack() as undo:
        _ip("link", "add", _BRIDGE, "type", "bridge")
        undo.callback(_ip, "link", "del", _BRIDGE)
        _ip("addr", "add", f"{_NET}.1/24", "dev", _BRIDGE)
        _ip("link", "set", _BRIDGE, "up")
        names = [f"surelist-host{index}" for index in range(count)]
        for index, name in enumerate(names):
            _ip("netns", "add", name)
            undo.callback(_ip, "netns", "del", name)
            outside = f"surelist-v{index}"
            _ip("link", "add", outside, "type", "veth", "peer", "name", "eth0", "netns", name)
            _ip("link", "set", outside, "master", _BRIDGE, "up")
            _ip("-n", name, "addr", "add", f"{_NET}.{index + 10}/24", "dev", "eth0")
            _ip("-n", name, "link", "set", "eth0", "up")
            _ip("-n", name, "link", "set", "lo", "up")
        yield names


@contextmanager
def _process(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(words, stdout=quiet, stderr=quiet)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def _dask(names: list[str]) -> Iterator[str]:
    """Start a scheduler here and a worker on each host; give the scheduler's address."""
    dask = [sys.executable, "-m", "dask"]
    address = f"tcp://{_NET}.1:{_PORT}"
    at = ("--host", f"{_NET}.1", "--port", str(_PORT), "--no-dashboard")
    with ExitStack() as started:
        started.enter_context(_process(*dask, "scheduler", *at))
        for index, name in enumerate(names):
            worker = ("worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny")
            host = ("--host", f"{_NET}.{index + 10}")
            started.enter_context(_process("ip", "netns", "exec", name, *dask, *worker, *host))
        yield address


def main() -> None:
    """Search alone and over the network, and compare."""
    from distributed import Client

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--regularization", type=float, default=0.004)
    parser.add_argument("--hosts", type=int, default=3)
    parser.add_argument("--cut-after", type=float, default=1.0, help="seconds")
    given = parser.parse_args()
    X, y = load(given.data, "compas")
    how: dict[str, Any] = {
        "max_clauses": 1,
        "min_support": 0,
        "work_limit": None,
        "certificate": True,
    }
    alone = RuleListClassifier(given.regularization, **how).fit(X, y)
    with hosts(given.hosts) as names, _dask(names) as address:
        with Client(address, timeout=60) as client:
            client.wait_for_workers(given.hosts, timeout=120)
        cut = threading.Timer(given.cut_after, _ip, ("-n", names[0], "link", "set", "eth0", "down"))
        cut.start()
        begun = time.perf_counter()
        model = RuleListClassifier(given.regularization, n_jobs=address, **how).fit(X, y)
        seconds = time.perf_counter() - begun
        cut.join()
    if model.objective_exact_ != alone.objective_exact_ or model.status_ != "optimal":
        raise SystemExit(f"{model.objective_} over the network, {alone.objective_} alone")
    work = model.trace_.counters["expanded"] / alone.trace_.counters["expanded"]
    sys.stdout.write(
        f"{given.hosts} hosts, one cut off after {given.cut_after:.1f} of {seconds:.1f} s: "
        f"objective {model.objective_:.6f}, {work:.3f} times the prefixes\n"
    )
    sys.stdout.write(f"{verify(model.certificate_, X, y)}\n")


if __name__ == "__main__":
    main()
