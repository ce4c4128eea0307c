"""The report's tables, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.numbers import number
from benchmarks.results import Measurement, Problem, Results, Spread, ratio

__all__ = [
    "about",
    "cases",
    "classifier",
    "counters",
    "growth",
    "original",
    "peer_objectives",
    "peer_times",
    "policies",
    "skipped",
    "table",
    "times",
    "without_bounds",
]

NOTHING = "–"
NOT_MEASURED = "Not measured in this run.\n"
REFERENCE = "policy lower_bound"
ONE = "surelist-1"
NEGATIONS = "surelist, negations"

_COUNTERS = {
    "expanded": "expanded",
    "lower_bound_evaluations": "lower bounds",
    "queue_insertions": "insertions",
    "max_queue": "longest queue",
    "last_rule_looks": "last-rule looks",
}


# --- Cells --------------------------------------------------------------------------------------


def table(head: Sequence[str], rows: Iterable[Sequence[str]], text_columns: int = 1) -> str:
    """Lay out a table; all columns but the first few are numbers and go to the right."""
    align = [":---" if index < text_columns else "---:" for index in range(len(head))]
    lines = [head, align, *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def times(spread: Spread | None) -> str:
    """Write a ratio with its spread.

    Examples
    --------
    >>> times(Spread.of([10.0, 12.0, 11.0])), times(Spread.of([3.0], at_least=True)), times(None)
    ('11× (10–12)', '> 3×', '–')
    """
    if spread is None:
        return NOTHING
    text = f"{'> ' if spread.at_least else ''}{number(spread.median)}×"
    return text if spread.count == 1 else f"{text} ({number(spread.low)}–{number(spread.high)})"


def size(bytes_: float | None) -> str:
    """Write a number of bytes in MB."""
    return NOTHING if bytes_ is None else f"{number(bytes_ / 1e6)} MB"


def median(measurements: Sequence[Measurement], quantity: str) -> float | None:
    """Return the median of what is known of a quantity."""
    known = [getattr(one, quantity) for one in measurements]
    values = [value for value in known if value is not None]
    return Spread.of(values).median if values else None


def _seconds(measurements: Sequence[Measurement]) -> str:
    middle = median(measurements, "seconds")
    return NOTHING if middle is None else number(middle)


def _whole(one: Measurement | None, name: str) -> str:
    return f"{one.counters[name]:,.0f}" if one and name in one.counters else NOTHING


# --- The run ------------------------------------------------------------------------------------


def about(results: Results) -> str:
    """Say when, where and with what; and whether all certified optima agree."""
    facts = results.about
    versions = ", ".join(f"{name} {number}" for name, number in facts["versions"].items())
    lines = [
        f"Measured on {facts['date']}: {facts['processor']}, {facts['cores']} cores, "
        f"{facts['system']}; {versions}. Rounds: {facts['rounds']}. The load of the machine "
        f"was {facts['load']:.1f} when the run began.",
    ]
    if facts["quick"]:
        lines.append(
            "**This was a quick run**: small cases and few rounds. `make bench` measures all."
        )
    if facts.get("rebuilt"):
        lines.append("**The engine was rebuilt during the run**, so its rounds do not compare.")
    wrong = results.disagreements()
    lines += [f"**Certified optima disagree**: {line}" for line in wrong]
    if not wrong:
        lines.append("Wherever two systems certified the optimum of one problem, they agree.")
    return "\n\n".join(lines) + "\n"


# --- Against the original -----------------------------------------------------------------------


def of_original(results: Results, cases: Sequence[str]) -> tuple[list[Measurement], bool]:
    """Return what the original took on some cases, and whether that was measured in this run.

    Figures measured earlier stand for it in every round. An empty list: nothing is known.
    """
    measured = {case: results.of(case, "original") for case in cases}
    flat = [one for each in measured.values() for one in each]
    if all(any(one.status == "optimal" for one in each) for each in measured.values()):
        return flat, True
    anchors = {case: results.problems[case].anchor for case in cases}
    known = [anchor for anchor in anchors.values() if anchor is not None]
    if len(known) < len(cases) or any(each["mean_of"] not in (1, len(cases)) for each in known):
        return (flat, True) if all(measured.values()) else ([], False)
    return [
        Measurement(
            case,
            "original",
            number,
            "memory_limit" if anchor["died"] else "optimal",
            anchor["seconds"],
            anchor["seconds"],
            anchor["memory"],
        )
        for case, anchor in zip(cases, known, strict=True)
        for number in range(results.about["rounds"])
    ], False


def folds(results: Results) -> tuple[str, list[str]]:
    """Return the folds of COMPAS A, and what to call them together."""
    found = [case for case in results.problems if case.startswith("compas-a/")]
    return f"COMPAS A, {len(found)} of 10 folds", found


def pooled(results: Results) -> dict[str, list[str]]:
    """Return the rows of the comparison: cases by title, the folds of COMPAS A in one."""
    title, together = folds(results)
    rows = {title: together} if together and of_original(results, together)[0] else {}
    for case, problem in results.problems.items():
        if case not in together and of_original(results, [case])[0]:
            rows[f"{problem.title}, λ = {problem.regularization}"] = [case]
    return rows


def against_original(
    results: Results, cases: Sequence[str], threads: int, entry: str = "surelist"
) -> dict[str, Spread | None]:
    """Return time and memory of the original as multiples of ours.

    With one thread, processor time is compared with processor time; with more, the original's
    processor time, which is what it takes on an idle machine, with the time that passes.
    """
    theirs, _ = of_original(results, cases)
    ours = results.of(cases, f"{entry}-{threads}")
    return {
        "time": ratio(theirs, ours, "cpu", "cpu" if threads == 1 else "seconds"),
        "memory": ratio(theirs, ours, "memory"),
    }


def original(results: Results) -> str:
    """Compare with the original C++ program."""
    threads = results.about["threads"]
    rows = []
    for title, names in pooled(results).items():
        by_threads = [against_original(results, names, each) for each in threads]
        rows.append(
            [
                title,
                *(times(each["time"]) for each in by_threads),
                times(by_threads[0]["memory"]) if by_threads else NOTHING,
                "this run" if of_original(results, names)[1] else "earlier figures",
            ]
        )
    if not rows:
        return NOT_MEASURED
    head = ["problem", *(f"time, {each} thread{'s' * (each > 1)}" for each in threads)]
    return table([*head, "memory", "against"], rows)


# --- All cases ----------------------------------------------------------------------------------


def _real(results: Results) -> dict[str, Problem]:
    return {case: each for case, each in results.problems.items() if each.series is None}


def _row(problem: Problem) -> list[str]:
    return [problem.title, problem.regularization]


def _sizes(results: Results, case: str) -> list[str]:
    problem, groups = results.problems[case], results.groups(case)
    counted = (problem.rows, problem.antecedents)
    return [*(f"{each:,}" for each in counted), NOTHING if groups is None else f"{groups:,}"]


def cases(results: Results) -> str:
    """Say what the problems are, what was found, and what more threads bring."""
    first, *more = (f"surelist-{each}" for each in results.about["threads"])
    rows = []
    for case, problem in _real(results).items():
        one = results.first(case, first)
        if one is None:
            continue
        objective = NOTHING if one.objective is None else f"{one.objective:.6f}"
        rows.append(
            [
                *_row(problem),
                one.status.replace("_", " "),
                *_sizes(results, case),
                *(objective, NOTHING if one.length is None else str(one.length)),
                *(
                    times(ratio(results.of(case, first), results.of(case, each), "seconds"))
                    for each in more
                ),
                _seconds(results.of(case, first)),
            ]
        )
    faster = [f"gain of {each.removeprefix('surelist-')} threads" for each in more]
    head = ["problem", "λ", "status", "rows", "M", "groups", "objective", "K", *faster, "seconds"]
    return table(head, rows, text_columns=3) if rows else NOT_MEASURED


def counters(results: Results) -> str:
    """Show what does not depend on the machine, and what memory was taken."""
    rows = []
    for case, problem in _real(results).items():
        one = results.first(case, ONE)
        if one is not None:
            rows.append(
                [
                    *_row(problem),
                    *(_whole(one, name) for name in _COUNTERS),
                    size(one.counters.get("max_memory")),
                    size(median(results.of(case, ONE), "memory")),
                ]
            )
    head = ["problem", "λ", *_COUNTERS.values(), "memory of the search", "of the process"]
    return table(head, rows, text_columns=2) if rows else NOT_MEASURED


def classifier(results: Results) -> str:
    """Show the estimator from columns to a rule list, against engine and original."""
    threads = results.about["threads"]
    first = f"classifier-{threads[0]}"
    names = [case for case in results.problems if results.first(case, first)]
    if not names:
        return NOT_MEASURED
    title, together = folds(results)
    rows = []
    for label, these in (
        *((results.problems[case].title, [case]) for case in names),
        (title, together),
    ):
        estimator = results.of(these, first)
        mined = sorted({one.antecedents for one in estimator if one.antecedents is not None})
        gains = [against_original(results, these, each, "classifier")["time"] for each in threads]
        engine = ratio(estimator, results.of(these, f"surelist-{threads[0]}"), "cpu")
        shown = "–".join(str(number) for number in (mined[0], mined[-1])[: len(mined)])
        rows.append([label, shown, times(engine), *map(times, gains), _seconds(estimator)])
    head = [f"original, {each} thread{'s' * (each > 1)}" for each in threads]
    return table(["problem", "antecedents mined", "engine alone", *head, "seconds"], rows)


# --- Peers --------------------------------------------------------------------------------------


def _peer_cases(results: Results) -> list[str]:
    return [case for case in results.problems if results.first(case, NEGATIONS)]


def _available(results: Results) -> list[str]:
    return [peer["name"] for peer in results.peers if not peer["error"]]


def peer_list(results: Results) -> str:
    """Say what the peers are, which version, and which could not be had."""
    rows = [
        [peer["name"], peer["version"] or NOTHING, peer["optimises"], peer["error"] or "measured"]
        for peer in results.peers
    ]
    return table(["package", "version", "finds the best of", ""], rows, 4) if rows else NOT_MEASURED


def peer_times(results: Results) -> str:
    """Show processor time as multiples of Surelist's."""
    names = _available(results)
    rows = []
    for case in _peer_cases(results):
        ours = results.of(case, NEGATIONS)
        cells = [_peer_time(results.of(case, name), ours) for name in names]
        rows.append([*_row(results.problems[case]), *cells, _seconds(ours)])
    head = ["problem", "λ", *names, "Surelist, seconds"]
    return table(head, rows, text_columns=2) if rows else NOT_MEASURED


def _peer_time(theirs: list[Measurement], ours: list[Measurement]) -> str:
    if theirs and theirs[0].status in ("failed", "memory_limit"):
        return "failed" if theirs[0].status == "failed" else "out of memory"
    return times(ratio(theirs, ours, "cpu"))


def peer_objectives(results: Results) -> str:
    """Show the objectives reached; those without a proof are in brackets."""
    names = _available(results)
    rows = [
        [*_row(results.problems[case]), *(_found(results.first(case, name)) for name in systems)]
        for case in _peer_cases(results)
        for systems in ([ONE, NEGATIONS, *names],)
    ]
    head = ["problem", "λ", "Surelist", "Surelist, negations", *names]
    return table(head, rows, text_columns=2) if rows else NOT_MEASURED


def _found(one: Measurement | None) -> str:
    if one is None or one.objective is None:
        return NOTHING
    return f"{one.objective:.4f}" if one.status == "optimal" else f"({one.objective:.4f})"


# --- Growth, ablation, policies -----------------------------------------------------------------


def series(results: Results) -> dict[str, list[str]]:
    """Return the generated cases by what grows in them."""
    found: dict[str, list[str]] = {}
    for case, problem in results.problems.items():
        if problem.series is not None and results.of(case, ONE):
            found.setdefault(problem.series[0], []).append(case)
    return found


def growth(results: Results) -> str:
    """Show counters, and times as multiples of the smallest problem's."""
    rows = []
    for what, names in series(results).items():
        smallest = results.of(names[0], ONE)
        for case in names:
            problem, these = results.problems[case], results.of(case, ONE)
            assert problem.series is not None
            rows.append(
                [
                    what,
                    f"{problem.series[1]:,}",
                    *_sizes(results, case),
                    problem.regularization,
                    _whole(these[0], "expanded"),
                    times(ratio(these, smallest, "search")),
                    times(ratio(these, smallest, "collapse")),
                    size(median(these, "memory")),
                    these[0].status.replace("_", " "),
                ]
            )
    head = ["what grows", "to", "rows", "M", "groups", "λ", "expanded"]
    return table([*head, "search", "collapse", "memory", ""], rows) if rows else NOT_MEASURED


def _varied(results: Results) -> list[str]:
    return [case for case in results.problems if results.of(case, REFERENCE)]


def _titles(results: Results, cases: Iterable[str]) -> list[str]:
    problems = (results.problems[case] for case in cases)
    return [f"{problem.title}, λ = {problem.regularization}" for problem in problems]


def _more(results: Results, case: str, system: str, name: str) -> str:
    """Write a counter as a multiple of what it is with everything on."""
    one, reference = results.first(case, system), results.first(case, REFERENCE)
    if one is None or reference is None or not one.counters or not reference.counters[name]:
        return NOTHING
    cut = "" if one.status == "optimal" else "> "
    return f"{cut}{number(one.counters[name] / reference.counters[name])}×"


def without_bounds(results: Results) -> str:
    """Show what more has to be done with one thing switched off."""
    names = _varied(results)
    if not names:
        return NOT_MEASURED
    switched = [
        system for system in results.systems(names[0]) if system.startswith(("without ", "symm"))
    ]
    rows = []
    for system in switched:
        cells = [
            (
                _more(results, case, system, "expanded"),
                times(ratio(results.of(case, system), results.of(case, REFERENCE), "cpu")),
            )
            for case in names
        ]
        word, name = system.split(" ", 1)
        shown = f"`{name}`" if word == "without" else f'`symmetry="{name}"`'
        rows.append([shown, *(cell for pair in cells for cell in pair)])
    titles = _titles(results, names)
    return table(["off", *(f"{t}: {q}" for t in titles for q in ("expanded", "time"))], rows)


def policies(results: Results) -> str:
    """Compare the orders of the queue."""
    names = _varied(results)
    if not names:
        return NOT_MEASURED
    rows = []
    for system in results.systems(names[0]):
        if not system.startswith("policy "):
            continue
        cells: list[str] = []
        for case in names:
            one = results.first(case, system)
            time = times(ratio(results.of(case, system), results.of(case, REFERENCE), "cpu"))
            cells += [_whole(one, "expanded"), time, _whole(one, "max_queue")]
        rows.append([f"`{system.removeprefix('policy ')}`", *cells])
    titles = _titles(results, names)
    columns = ("expanded", "time", "longest queue")
    return table(["policy", *(f"{title}: {each}" for title in titles for each in columns)], rows)


def skipped(results: Results) -> str:
    """List the cases that had no data."""
    if not results.skipped:
        return "Every case of this run had its data.\n"
    return "".join(f"- `{case}`: {reason}\n" for case, reason in results.skipped.items())
