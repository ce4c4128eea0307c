"""Tables 4 and 5 and their figures: the search with one optimization after the other removed.

Each variant is run twice over: removed from the paper's set of bounds, which is what the paper's
tables show, and from all of Surelist's, which shows how much the others make up for it. The
variant that matters most on a data set does not end; it gets a limit of a hundred times what the
whole takes, on one fold.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from experiments import paper
from experiments.command import run_command
from experiments.context import Context, Family, say
from experiments.numbers import mean, mean_std, span, times
from experiments.pictures import queues, seconds, traces
from experiments.report import Figure, Section, Table, save_figure
from experiments.searches import CORELS, SURELIST, Outcome, Setting, run_all

__all__ = ["VARIANTS", "full_search", "run"]

Variant = Callable[[Setting], Setting]

FULL = "CORELS"
MAP, POINTS = "No symmetry-aware map", "No equivalent points bound"
VARIANTS: dict[str, Variant] = {
    FULL: lambda whole: whole,
    "No priority queue (BFS)": lambda whole: replace(whole, policy="breadth_first"),
    "No support bounds": lambda whole: whole.without("", "support", "accurate_support"),
    "No lookahead bound": lambda whole: whole.without("", "lookahead"),
    MAP: lambda whole: replace(whole, symmetry="none"),
    POINTS: lambda whole: whole.without("", "equivalent_points"),
}


@dataclass(frozen=True)
class Problem:
    """One of the two tables."""

    title: str
    family: Family
    printed: Mapping[str, tuple[str, ...]]
    key: str  # the variant that matters most
    queue_scale: float
    time_to_optimum: str
    file: str


PROBLEMS = (
    Problem(
        "ProPublica, feature set A, λ = 0.005 (Table 4)",
        Family("A", "0.005"),
        paper.ABLATION_COMPAS,
        POINTS,
        1e6,
        "s",
        "ablation-propublica",
    ),
    Problem(
        "NYCLU, feature set E, λ = 0.01 (Table 5)",
        Family("E", "0.01", "resampled"),
        paper.ABLATION_NYCLU,
        MAP,
        1e5,
        "µs",
        "ablation-nyclu",
    ),
)

# "Orders of magnitude": at least two.
_FACTOR = 100.0


def run(context: Context) -> Section:
    """Make both tables and the figures."""
    section = context.section("What each optimization is worth (Tables 4 and 5)")
    section.add(_TEXT)
    progress = []
    for problem in PROBLEMS:
        theirs = _measure(context, problem, CORELS)
        ours = _measure(context, problem, SURELIST)
        section.add(f"### {problem.title}", _table(problem, theirs))
        section.add("The same removed from all of Surelist’s bounds:", _our_table(problem, ours))
        traced = _traced(context, problem, theirs)
        section.add(_queue_figure(context, problem, traced))
        _claim(section, problem, theirs)
        progress.append((problem, traced))
    section.add(_progress_figure(context, progress))
    return section


_TEXT = (
    "The upper table of each data set is the paper’s experiment: from its set of bounds, map and "
    "queue one is removed at a time. Slowdowns are of time; beside them, what one should compare "
    "across machines, the ratio of lower bounds evaluated. The lower table removes the same from "
    "all that Surelist has; where it hardly matters, another bound does the same work. Searches "
    "are limited to 2 GiB of memory and go on depth first where that is full. In the figures, "
    "samples take time, too: what ends in a fraction of a second in the table takes somewhat "
    "longer there. Breadth first costs the paper twice the evaluations on NYCLU; where insertions "
    "grow here and evaluations do not, what entered the queue was dropped before it was expanded."
)


def full_search(context: Context) -> Outcome:
    """Return the search with the paper's bounds on the first fold of ProPublica."""
    return _measure(context, PROBLEMS[0], CORELS)[FULL][0]


def _measure(context: Context, problem: Problem, whole: Setting) -> dict[str, list[Outcome]]:
    def measure() -> dict[str, list[Outcome]]:
        folds = context.folds(problem.family.data)[: context.options.ablation_folds]
        found: dict[str, list[Outcome]] = {}
        for name, variant in VARIANTS.items():
            is_key = name == problem.key and whole is CORELS
            limit = context.options.limit
            if is_key:
                full = found[FULL][0].counters["time"]
                limit = min(context.options.long_limit, 1.05 * _FACTOR * full)
            tasks = [
                context.task(problem.family, fold, variant(whole), time_limit=limit)
                for fold in folds[: 1 if is_key else None]
            ]
            found[name] = run_all(tasks, context.options.jobs)
            took = mean(each.counters["time"] for each in found[name])
            say(f"  {problem.family.data}, {whole.name}: {name}: {took:.2f} s")
        return found

    return context.once(("ablation", problem.title, whole.name), measure)


def _traced(
    context: Context, problem: Problem, measured: dict[str, list[Outcome]]
) -> dict[str, Outcome]:
    """Search the first fold again with samples.

    A sample walks the whole queue, so many of them would take longer than the search itself.
    """
    fold, limit = context.folds(problem.family.data)[0], context.options.limit
    tasks = [
        context.task(
            problem.family,
            fold,
            variant(CORELS),
            time_limit=limit,
            trace_interval=max(0.05, min(measured[name][0].counters["time"], limit) / 30),
        )
        for name, variant in VARIANTS.items()
    ]
    found = context.once(("traced", problem.title), lambda: run_all(tasks, context.options.jobs))
    return dict(zip(VARIANTS, found, strict=True))


def _slowdown(outcomes: Sequence[Outcome], full: Sequence[Outcome], counter: str) -> float:
    pairs = zip(outcomes, full, strict=False)
    return mean(one.counters[counter] / max(base.counters[counter], 1e-9) for one, base in pairs)


def _cells(
    outcomes: Sequence[Outcome], full: Sequence[Outcome], scale: float, unit: str
) -> list[str]:
    least = not all(outcome.is_optimal for outcome in outcomes)
    is_full = outcomes is full

    def column(name: str, by: float = 1.0) -> str:
        return mean_std((each.counters[name] for each in outcomes), by, least)

    def ratio(name: str) -> str:
        return "" if is_full else times(_slowdown(outcomes, full, name), least)

    to_optimum = 1e-6 if unit == "µs" else 1.0
    return [
        column("time"),
        ratio("time"),
        ratio("lower_bound_evaluations"),
        mean_std((each.counters["time_to_optimum"] for each in outcomes), to_optimum),
        ("≥ " if least else "") + span(each.counters["longest_prefix"] for each in outcomes),
        column("lower_bound_evaluations", 1e6),
        column("queue_insertions", scale),
        column("max_queue", scale),
    ]


def _power(scale: float) -> str:
    return f"10^{len(str(int(scale))) - 1}"


def _table(problem: Problem, measured: dict[str, list[Outcome]]) -> Table:
    rows = []
    for name, printed in problem.printed.items():
        total, slower, *rest = printed
        rows.append([name, "paper", f"{total} min", slower, "", *rest])
        outcomes = measured[name]
        cells = _cells(outcomes, measured[FULL], problem.queue_scale, problem.time_to_optimum)
        rows.append([name, f"here ({_folds(outcomes)})", f"{cells[0]} s", *cells[1:]])
    return Table(["variant", "who", *_head(problem)], rows, 2)


def _our_table(problem: Problem, measured: dict[str, list[Outcome]]) -> Table:
    rows = []
    for name, outcomes in measured.items():
        cells = _cells(outcomes, measured[FULL], problem.queue_scale, problem.time_to_optimum)
        rows.append([name.replace(FULL, "Surelist"), f"{cells[0]} s", *cells[1:]])
    return Table(["variant", *_head(problem)], rows)


def _head(problem: Problem) -> list[str]:
    power = _power(problem.queue_scale)
    return [
        *("time", "slowdown", "more evaluations", f"to optimum ({problem.time_to_optimum})"),
        *(
            "longest prefix",
            "evaluations (10^6)",
            f"insertions ({power})",
            f"longest queue ({power})",
        ),
    ]


def _folds(outcomes: Sequence[Outcome]) -> str:
    return "1 fold" if len(outcomes) == 1 else f"{len(outcomes)} folds"


# --- Figures and verdicts -------------------------------------------------------------------------


def _queue_figure(context: Context, problem: Problem, traced: dict[str, Outcome]) -> Figure:
    return save_figure(
        queues(traced),
        context.options.output,
        f"{problem.file}-queues",
        f"What waited in the queue, by length of the prefix: {problem.title}, first fold. The "
        "shade is that of the search with everything.",
    )


def _progress_figure(
    context: Context, progress: list[tuple[Problem, dict[str, Outcome]]]
) -> Figure:
    columns = [
        (
            problem.title.partition(" (")[0],
            {"CORELS": traced[FULL], problem.key: traced[problem.key]},
        )
        for problem, traced in progress
    ]
    return save_figure(
        traces(columns),
        context.options.output,
        "ablation-progress",
        "Execution progress of the search with CORELS’ bounds and without the one that matters "
        "most.",
    )


def _claim(section: Section, problem: Problem, measured: dict[str, list[Outcome]]) -> None:
    full, key = measured[FULL][:1], measured[problem.key]
    slower = _slowdown(key, full, "time")
    more = _slowdown(key, full, "queue_insertions")
    ended = key[0].is_optimal
    gap = key[0].objective - key[0].lower_bound
    stopped = "" if ended else f"; stopped after {seconds(key[0].counters['time'])}, gap {gap:.3f}"
    holds = max(slower, more) >= _FACTOR
    section.claim(
        f"{problem.title.partition(',')[0]}: {_lower(problem.key)} costs orders of magnitude",
        f"{times(slower, not ended)} the time and {times(more, not ended)} the queue insertions "
        f"on the first fold{stopped}",
        holds if ended or holds else None,
    )
    others = [name for name in measured if name not in (FULL, problem.key)]
    worst = max(others, key=lambda name: _slowdown(measured[name], measured[FULL], "time"))
    other = _slowdown(measured[worst], measured[FULL], "time")
    section.claim(
        f"{problem.title.partition(',')[0]}: no other removal costs as much",
        f"the next is “{_lower(worst)}” with {times(other)} the time",
        max(slower, more) > other,
    )


def _lower(name: str) -> str:
    return name[0].lower() + name[1:]


if __name__ == "__main__":
    sys.exit(run_command("ablation", [run]))
