"""A hundred million generated rows, from Parquet files to a certified rule list.

``make big`` generates the rows, fits a rule list to them by DuckDB, and says how long that took and
how much memory; the files go afterwards. ``BIG=--help`` shows what can be chosen.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from surelist import Binarizer, RuleListClassifier, from_query

__all__ = ["generate", "main", "measure"]

_ROWS_PER_FILE = 10_000_000

# Every value is a function of the row number: the same rows for any threads and files.
_COLUMNS = """
    18 + (u(i, 1) * 63)::INT AS age,
    round(exp(7 + 1.2 * (u(i, 2) + u(i, 3) + u(i, 4) - 1.5)), 2) AS income,
    CASE WHEN u(i, 5) < 0.04 THEN NULL ELSE (u(i, 6) ** 3 * 40)::SMALLINT END AS visits,
    u(i, 7) * 250 AS distance,
    round(u(i, 8) * 10, 1) AS score,
    (['north', 'south', 'east', 'west', 'centre'])[1 + (u(i, 9) * u(i, 10) * 5)::INT % 5] AS region,
    u(i, 11) < 0.3 AS member,
    DATE '2015-01-01' + (u(i, 12) * 3650)::INT AS since,
    (['car', 'bus', 'train', 'bicycle'])[1 + (u(i, 13) * 4)::INT % 4] AS travels,
    (u(i, 14) * 24)::TINYINT AS hour,
    u(i, 15) < 0.5 AS left_handed,
    round(50 + 9 * (u(i, 16) + u(i, 17) - 1), 1) AS weight_kg,
    (u(i, 18) * 9999)::INT AS postcode,
    u(i, 19) + u(i, 20) AS noise,
    (u(i, 21) * 7)::TINYINT AS weekday,
    (['a', 'b', 'ab', '0'])[1 + (u(i, 22) * 4)::INT % 4] AS blood,
    (u(i, 23) * 100)::TINYINT AS percentile,
    u(i, 24) < 0.05 AS rare,
    round(u(i, 25) * 100, 2) AS rate
"""
_LABEL = """
    CASE WHEN u(i, 30) < 0.1 THEN u(i, 31) < 0.5
         ELSE (age < 30 AND region = 'north') OR (income > 2500 AND member)
              OR coalesce(visits, 0) > 20
    END AS buys
"""


def generate(folder: Path, n_rows: int, threads: int) -> int:
    """Write the rows to Parquet files; return how many bytes these have."""
    import duckdb

    connection = duckdb.connect(config={"threads": threads, "memory_limit": "2GB"})
    connection.execute(
        "CREATE MACRO u(i, k) AS (hash(i * 32 + k) >> 11)::DOUBLE / 9007199254740992"
    )
    for number, first in enumerate(range(0, n_rows, _ROWS_PER_FILE)):
        last = min(n_rows, first + _ROWS_PER_FILE)
        rows = f"SELECT *, {_LABEL} FROM (SELECT i, {_COLUMNS} FROM range({first}, {last}) t(i))"
        connection.execute(
            f"COPY (SELECT * EXCLUDE (i) FROM ({rows})) TO '{folder}/part-{number:03}.parquet' "
            "(FORMAT parquet, COMPRESSION zstd)"
        )
    return sum(file.stat().st_size for file in folder.glob("*.parquet"))


def measure(folder: Path, threads: int, memory_limit: str, verify: bool) -> dict[str, Any]:
    """Fit a rule list to the files; return what came out and what it took."""
    began, worked = time.monotonic(), time.process_time()
    data = from_query(
        folder / "*.parquet",
        label="buys",
        memory_limit=memory_limit,
        threads=threads,
        temp_directory=folder,
        progress=True,
    )
    model = RuleListClassifier(
        regularization=0.01,
        binarizer=Binarizer(min_frequency=0.01, max_features=24),
        certificate=verify,
        progress=True,
    ).fit(data)
    found: dict[str, Any] = {
        "rows": data.n_rows,
        "columns": len(data.names) + 1,
        "seconds": round(time.monotonic() - began, 1),
        "processor_seconds": round(time.process_time() - worked, 1),
        "groups": model.n_groups_,
        "antecedents": len(model.antecedents_),
        "status": model.status_,
        "objective": str(model.objective_exact_),
        "sketched": sorted(name for name, how in data.cut_points.items() if how == "sketched"),
        "rule_list": str(model.rule_list_).splitlines(),
        "peak_bytes": _peak(),
    }
    if verify:
        began = time.monotonic()
        found["verified"] = model.certificate_.verify(data).statement
        found["seconds_to_verify"] = round(time.monotonic() - began, 1)
        found["peak_bytes_with_verification"] = _peak()
    return found


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print what it took as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory-limit", default="2GB", help="of DuckDB")
    parser.add_argument("--folder", type=Path, help="where to put the files, which then stay")
    parser.add_argument("--verify", action="store_true", help="check the certificate, too")
    chosen = parser.parse_args(arguments)
    folder = chosen.folder or Path(tempfile.mkdtemp(prefix="surelist-big-"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        began = time.monotonic()
        size = sum(file.stat().st_size for file in folder.glob("*.parquet"))
        size = size or generate(folder, chosen.rows, chosen.threads)
        made = {"bytes": size, "seconds_to_generate": round(time.monotonic() - began, 1)}
        found = made | measure(folder, chosen.threads, chosen.memory_limit, chosen.verify)
        json.dump(found, sys.stdout, indent=2)
        sys.stdout.write("\n")
    finally:
        if chosen.folder is None:
            shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
