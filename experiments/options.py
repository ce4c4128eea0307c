"""The command line that all experiments share."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from benchmarks.numbers import positive
from experiments.sources import ROOT

__all__ = ["Options", "read_options"]


@dataclass(frozen=True)
class Options:
    """What was asked for.

    Attributes
    ----------
    data : Path or None
    output : Path
        The folder for the report.
    quick : bool
    folds : int
        Folds of cross-validation.
    ablation_folds : int
        Folds on which every variant of the ablations is run.
    long_folds : int
        Folds of the searches that take a minute each.
    limit : float
        Seconds for each search that may not end.
    long_limit : float
        Seconds for the two searches without the bound that matters most, and the longest traces.
    jobs : int
        Processes side by side.
    peers : bool
        Whether C4.5, RIPPER and Bayesian rule lists are installed and measured.
    fetch : bool
    """

    data: Path | None
    output: Path
    quick: bool
    folds: int
    ablation_folds: int
    long_folds: int
    limit: float
    long_limit: float
    jobs: int
    peers: bool
    fetch: bool


def read_options(program: str, arguments: list[str] | None = None) -> Options:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog=f"python -m experiments.{program}",
        description="Make the paper's experiments again and write a report.",
    )
    add = parser.add_argument
    add("--data", type=Path, metavar="DIR", help="folder of raw data (default: SURELIST_DATA)")
    add("--fetch", action="store_true", help="fetch what is not there from its public address")
    output = ROOT / "build" / "experiments"
    add("--output", type=Path, default=output, metavar="DIR", help="folder for the report")
    add("--quick", action="store_true", help="two folds, seconds instead of minutes, no peers")
    add("--folds", type=positive, metavar="N", help="folds (default 10; with --quick 2)")
    add("--ablation-folds", type=positive, metavar="N", help="folds for ablations (3; 1)")
    add("--long-folds", type=positive, metavar="N", help="folds where one takes minutes (10; 1)")
    add("--limit", type=float, metavar="S", help="seconds for a search that may not end (60; 1)")
    add("--long-limit", type=float, metavar="S", help="seconds for the longest searches (240; 2)")
    add("--jobs", type=positive, default=1, metavar="N", help="processes side by side (1)")
    add(
        "--peers",
        action=argparse.BooleanOptionalAction,
        help="install and measure C4.5, RIPPER and Bayesian rule lists (default; not with --quick)",
    )
    given = parser.parse_args(arguments)
    usual = (2, 1, 1, 1.0, 2.0) if given.quick else (10, 3, 10, 60.0, 240.0)
    names = ("folds", "ablation_folds", "long_folds", "limit", "long_limit")
    for name, value in zip(names, usual, strict=True):
        if getattr(given, name) is None:
            setattr(given, name, value)
    if given.peers is None:
        given.peers = not given.quick
    return Options(**vars(given))
