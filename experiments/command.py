"""From the command line to a report: what ``python -m experiments.NAME`` does."""

from __future__ import annotations

import datetime
import platform
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version

from experiments.context import Context, say
from experiments.options import Options, read_options
from experiments.report import Section, write
from experiments.sources import MissingDataError
from surelist.errors import SurelistError

__all__ = ["Experiment", "run_command"]

Experiment = Callable[[Context], Section]


def run_command(
    name: str, experiments: Sequence[Experiment], arguments: list[str] | None = None
) -> int:
    """Run experiments and write their report; return 0, or 2 where nothing could be run."""
    options = read_options(name, arguments)
    started = time.perf_counter()
    try:
        context = Context(options)
        sections = [_run(experiment, context) for experiment in experiments]
    except SurelistError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    minutes = (time.perf_counter() - started) / 60
    file = "report" if len(experiments) > 1 else name
    for path in write(sections, options.output, _intro(options, minutes), file):
        say(f"wrote {path}")
    claims = [claim for section in sections for claim in section.claims]
    for claim in claims:
        say(f"{claim.verdict}: {claim.text}")
    return 2 if all(section.title.endswith(_SKIPPED) for section in sections) else 0


_SKIPPED = " (skipped)"


def _run(experiment: Experiment, context: Context) -> Section:
    """Run one experiment; if its data are missing, its section says so."""
    try:
        return experiment(context)
    except MissingDataError as error:
        name = experiment.__module__.rpartition(".")[2].replace("_", " ")
        say(f"{name}: {error}")
        return Section(f"{name.capitalize()}{_SKIPPED}", [f"{error}."])


def _intro(options: Options, minutes: float) -> str:
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    quick = (
        " This was a quick run: it shows that everything works, and little else." * options.quick
    )
    return (
        "The tables and figures of *Learning Certifiably Optimal Rule Lists for Categorical "
        "Data* (Angelino, Larus-Stone, Alabi, Seltzer, Rudin, JMLR 2018) beside what Surelist "
        "measures on the same problems. Where the two differ, the text says why.\n\nMade on "
        f"{today} in {minutes:.1f} minutes with surelist {version('surelist')}, Python "
        f"{platform.python_version()}, {options.folds} folds ({options.ablation_folds} for "
        f"ablations, {options.long_folds} where a fold takes a minute), {options.jobs} process(es) "
        f"at a time, one thread each.{quick} In tables, "
        "numbers are means over folds with standard deviations in parentheses, as in the paper; "
        "“>” marks searches that a limit ended. Times are wall times on a machine with other "
        "work to do: counts are what to compare. The paper’s machine was an Intel Xeon E5-2699 "
        "v4."
    )
