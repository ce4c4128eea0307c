"""How hard a search will probably be: from a short trial of it, and from measured searches.

Nothing that is known before a search tells how long its proof takes: of two tables with as many
antecedents and groups one is proven at once and the other never. A trial of one second tells more.
`measured_searches.jsonl` says what usually follows: searches of real tables with the settings of
the page, by processor time (``python -m benchmarks.keel.difficulty`` makes the file anew).
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from surelist.runs.rows import Source

__all__ = ["MARKS", "measured", "outlook", "outlooks", "single_clauses", "trial"]

# Seconds after which the state of the measured searches is known.
MARKS = (1, 3, 10)
_FILE = Path(__file__).with_name("measured_searches.jsonl")
_TRIAL_SECONDS = 1.0
_TRIAL_MEMORY = 500_000_000


@cache
def measured() -> tuple[dict[str, Any], ...]:
    """Return the measured searches."""
    return tuple(map(json.loads, _FILE.read_text(encoding="utf-8").splitlines()))


def outlook(after: int) -> dict[str, Any]:
    """Say what became of the measured searches that were not proven after so many seconds.

    ``proven`` is the length up to which half of them, or more, excluded better lists in the end.

    Examples
    --------
    >>> from surelist.web.outlook import outlook
    >>> found = outlook(10)
    >>> found["ended"] <= found["going"], found["after"]
    (True, 10)
    """
    going = [each for each in measured() if str(after) in each["marks"]]
    ended = [each for each in going if each["seconds"] is not None]
    last = str(MARKS[-1])
    lengths = sorted(
        math.inf if each["seconds"] is not None else each["marks"][last]["proven"] for each in going
    )
    middle = lengths[(len(lengths) - 1) // 2] if lengths else 0
    return {
        "after": after,
        "going": len(going),
        "ended": len(ended),
        "of": len(measured()),
        "within": _within(),
        "proven": 0 if middle == math.inf else int(middle),
    }


def single_clauses() -> dict[str, Any]:
    """Say how many of the measured searches with one clause in a rule were proven."""
    found = [each for each in measured() if each["clauses"] == 1]
    ended = [each for each in found if each["seconds"] is not None]
    return {"of": len(found), "ended": len(ended), "within": _within()}


def _within() -> int:
    return int(min(each["limit"] for each in measured()))


def outlooks() -> list[dict[str, Any]]:
    """Return the outlook for every mark but the last, which is too near the end."""
    return [outlook(mark) for mark in MARKS[:-1]]


def trial(source: Source, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Search for a second with some settings; return how far that came."""
    from surelist.runs.fit import fit_rows
    from surelist.web.run_description import parameters_of, rows_of

    rows = rows_of(source, settings)
    limits = {"time_limit": _TRIAL_SECONDS, "memory_limit": _TRIAL_MEMORY, "progress": False}
    model = fit_rows(rows, parameters_of(settings, rows) | limits)
    return {
        "status": model.status_,
        "seconds": model.trace_.counters["time"],
        "limit": _TRIAL_SECONDS,
        "length": len(model.rule_list_),
        "proven_length": model.proven_length_,
        "outlook": outlook(MARKS[0]),
    }
