"""How far one search scales over a cluster: measured, modelled and simulated.

``python -m benchmarks.scale_simulation`` runs real searches in shards, all in one process, and
takes the time of every step: lending, the shard's work, settling. A discrete-event simulation
replays these traces with any number of workers; a formula of two lines is held against it. The
page docs/scale.md quotes the figures.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from surelist import _core
from surelist.problem.arrays import pack_problem
from surelist.search.cluster.shard import ShardTask, run_shard, shard_options

__all__ = ["Shard", "Trace", "formula", "measure", "simulate"]


@dataclass(frozen=True)
class Shard:
    """One shard of a real search: seconds of each step, prefixes and bytes."""

    size: int
    lend: float
    work: float
    settle: float
    children: int
    sent: int
    returned: int


@dataclass
class Trace:
    """All shards of a search, in the order in which they were lent, and how it began."""

    name: str
    local: float
    n_open: int
    improvements: int = 0
    expanded: int = 0
    shards: list[Shard] = field(default_factory=list)

    @property
    def n_prefixes(self) -> int:
        """Prefixes that were lent."""
        return sum(shard.size for shard in self.shards)

    @property
    def work(self) -> float:
        """Seconds of work in all shards."""
        return sum(shard.work for shard in self.shards)

    @property
    def coordination(self) -> float:
        """Seconds that the coordinator needs for all of them."""
        return sum(shard.lend + shard.settle for shard in self.shards)


def measure(
    name: str, problem: _core.Problem, regularization: str, size: int, seconds: float = 60.0
) -> Trace:
    """Search a problem in shards of a generation, one after the other, taking times."""
    options: dict[str, Any] = {"regularization": regularization}
    search = _core.Search(problem, **options)
    begun = time.perf_counter()
    search.run(None, None, 500)
    trace = Trace(name, time.perf_counter() - begun, search.n_open)
    packed, own = pack_problem(problem), shard_options(options)
    while time.perf_counter() - begun < seconds:
        shard = _measure_shard(search, packed, own, size)
        if shard is None:
            break
        trace.shards.append(shard)
    trace.improvements = int(search.counters["improvements"])
    trace.expanded = int(search.counters["expanded"])
    return trace


def _measure_shard(
    search: _core.Search, packed: dict[str, Any], options: dict[str, Any], size: int
) -> Shard | None:
    # Processor time: the machine may be busy with other things.
    start = time.process_time()
    ticket, lent, prefixes = search.lend(size)
    if lent == 0:
        return None
    lending = time.process_time() - start
    task = ShardTask("", prefixes, search.prefix, lent, 1e9)
    start = time.process_time()
    told = run_shard(packed, options, False, task)
    working = time.process_time() - start
    before, start = search.n_open, time.process_time()
    search.settle(ticket, told.report, b"")
    settling = time.process_time() - start
    children = search.n_open - before
    returned = len(told.report)
    return Shard(lent, lending, working, settling, children, len(prefixes), returned)


def simulate(
    trace: Trace, workers: int, latency: float = 0.002, pieces: int = 1, seed: int = 0
) -> float:
    """Replay a trace with so many workers; return the seconds from the first loan to the end.

    One coordinator lends and settles, one thing at a time. A shard can be lent when enough prefixes
    are open, which those that were settled have left. ``latency`` is what a message takes, and
    ``pieces`` cuts each shard of the trace into so many, with its work spread at random.
    """
    chance = random.Random(seed)
    waiting = [piece for shard in trace.shards for piece in _cut(shard, pieces, chance)]
    n_open, now, free, at = trace.n_open, 0.0, workers, 0
    running: list[tuple[float, int]] = []
    while at < len(waiting) or running:
        if at < len(waiting) and free > 0 and (n_open >= waiting[at].size or not running):
            shard = waiting[at]
            now += shard.lend
            n_open -= shard.size
            free -= 1
            heapq.heappush(running, (now + 2 * latency + shard.work, at))
            at += 1
            continue
        done, which = heapq.heappop(running)
        now = max(now, done) + waiting[which].settle
        n_open += waiting[which].children
        free += 1
    return now


def _cut(shard: Shard, pieces: int, chance: random.Random) -> list[Shard]:
    pieces = min(pieces, shard.size)
    if pieces == 1:
        return [shard]
    shares = [chance.expovariate(1.0) + 1.0 for _ in range(pieces)]
    whole = sum(shares)
    cut = []
    for index, share in enumerate(shares):
        size = shard.size // pieces + (index < shard.size % pieces)
        children = shard.children // pieces + (index < shard.children % pieces)
        part = size / shard.size
        cut.append(
            Shard(size, shard.lend * part, shard.work * share / whole, shard.settle * part,
                  children, shard.sent // pieces, shard.returned // pieces)
        )  # fmt: skip
    return cut


def formula(trace: Trace, workers: int, latency: float = 0.002, pieces: int = 1) -> float:
    """Return the seconds by the model: the slower of the coordinator and the workers."""
    waiting = 2 * latency * len(trace.shards) * pieces
    return max(trace.coordination, (trace.work + waiting + trace.coordination) / workers)


# Real problems, and one that is generated, for what many antecedents do.


def problems(folder: Path) -> dict[str, tuple[_core.Problem, str]]:
    """Return the problems that can be measured here, each with its λ."""
    from surelist.estimators.corels import text_files as corels_text

    found = {"generated, 820 antecedents": (_generated(), "0.01")}
    for name, stem, penalty in (
        ("COMPAS, λ = .005", "compas/compas_train", "0.005"),
        ("NYCLU, λ = .01", "nyclu/weapon_0_train", "0.01"),
    ):
        files = [folder / f"{stem}.{kind}.gz" for kind in ("out", "label")]
        if all(file.exists() for file in files):
            data = corels_text.read(*files)
            captures = np.ascontiguousarray(data.captures, dtype=np.uint8)
            labels = np.asarray(data.labels, dtype=np.int32)
            found[name] = _core.Problem(captures, labels, None, 2), penalty
    return found


def _generated() -> _core.Problem:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(2_000, 40), dtype=np.uint8)
    pairs = [X[:, i] & X[:, j] for i in range(40) for j in range(i)]
    y = (X[:, 0] & X[:, 1]) ^ (rng.random(2_000) < 0.3)
    return _core.Problem(np.column_stack([X, *pairs]), y.astype(np.int32), None, 2)


def main() -> None:
    """Measure, simulate and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--size", type=int, default=500, help="prefixes of a shard")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each problem, at most")
    parser.add_argument("--output", type=Path, help="where to write the traces, as JSON")
    given = parser.parse_args()
    traces = []
    for name, (problem, penalty) in problems(given.data).items():
        trace = measure(name, problem, penalty, given.size, given.seconds)
        traces.append(trace)
        sys.stdout.write("\n".join(_lines(trace)) + "\n")
    if given.output is not None:
        given.output.write_text(json.dumps([asdict(trace) for trace in traces]))


def _lines(trace: Trace) -> list[str]:
    n, shards = trace.n_prefixes, len(trace.shards)
    work = np.array([shard.work / shard.size for shard in trace.shards])
    sent = sum(shard.sent + shard.returned for shard in trace.shards)
    lines = [
        f"{trace.name}: {n:,} prefixes in {shards} shards, {trace.improvements} improvements",
        f"  work {1e6 * trace.work / n:.1f} µs and coordination "
        f"{1e6 * trace.coordination / n:.2f} µs a prefix: at most "
        f"{trace.work / trace.coordination:.0f} workers; {sent / n:.0f} bytes a prefix",
        f"  work of shards by prefix: longest {work.max() / work.mean():.1f} times the mean",
        "  workers   simulated speed-up   by the formula",
    ]
    one, alone = simulate(trace, 1), formula(trace, 1)
    for workers in (1, 2, 4, 8, 16, 64, 256):
        # As on a cluster: several shards for each worker, or as many as prefixes allow.
        pieces = max(1, -(-12 * workers // shards))
        speed = one / simulate(trace, workers, pieces=pieces)
        modelled = alone / formula(trace, workers, pieces=pieces)
        lines.append(f"  {workers:7} {speed:20.1f} {modelled:16.1f}")
    return lines


if __name__ == "__main__":
    main()
