"""All good lists of a run: found as a job, kept in the folder of the run, and one of them adopted.

The settings are those of the run. The request, in a file of that folder, says how far from the
optimum lists may be, and which of them is wanted as a model.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surelist.errors import InputError, UncertifiedWarning
from surelist.rule_list.rules import Antecedent
from surelist.web.dataset_files import open_source
from surelist.web.file_names import ALTERNATIVES, ALTERNATIVES_ASKED, PICKED
from surelist.web.limits import Limits
from surelist.web.run_description import parameters_of, rows_of

if TYPE_CHECKING:
    from surelist.estimators.near_optimal.result import RuleLists
    from surelist.estimators.near_optimal.source import Name
    from surelist.runs.rows import Rows

__all__ = ["adopt_alternative", "find_alternatives"]

_SECONDS = 60.0
_MOST_SHOWN = 20_000  # lists that a browser is sent


def find_alternatives(folder: Path, spec: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Find every list within the tolerance, and write them down."""
    asked = json.loads((folder / ALTERNATIVES_ASKED).read_text(encoding="utf-8"))
    rows, lists = _found(asked, spec, limits)
    if lists.complete_up_to is None:
        return {"error": "no set of lists was complete within a minute; ask for fewer rules"}
    document = _document(lists, rows, spec["settings"], asked)
    (folder / ALTERNATIVES).write_text(json.dumps(document), encoding="utf-8")
    return {name: document[name] for name in ("status", "lists", "orders", "tolerance")}


def adopt_alternative(folder: Path, spec: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Write one of the lists as a model, with a certificate of how good it is."""
    asked = json.loads((folder / ALTERNATIVES_ASKED).read_text(encoding="utf-8"))
    _, lists = _found(asked, spec, limits)
    lists = lists.written(asked["without"], asked["using"])
    index = asked["pick"]
    if not 0 <= index < len(lists):
        raise InputError("there is no such list; find the lists again")
    model = lists.model(index, certificate=True)
    model.save(folder / PICKED[0])
    model.certificate_.save(folder / PICKED[1])
    return {
        "pick": index,
        "objective": model.objective_,
        "lower_bound": model.lower_bound_,
        "status": model.status_,
    }


def _found(asked: dict[str, Any], spec: dict[str, Any], limits: Limits) -> tuple[Rows, RuleLists]:
    from surelist.estimators.near_optimal.search import near_optimal

    rows = rows_of(open_source(Path(spec["data"]), limits), spec["settings"])
    parameters = parameters_of(spec["settings"], rows) | {
        "time_limit": _SECONDS,
        "work_limit": None,
        "max_length": asked["max_length"],
        "memory_limit": limits.helper_memory // 4,
        "certificate": False,
    }
    for name in ("checkpoint", "progress", "max_prefixes", "fairness"):
        parameters.pop(name, None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        lists = near_optimal(rows.table, rows.labels, tolerance=asked["tolerance"], **parameters)
    return rows, lists


def _document(
    lists: RuleLists, rows: Rows, settings: dict[str, Any], asked: dict[str, Any]
) -> dict[str, Any]:
    """Return what the page needs to filter, sort and draw the lists by itself."""
    import numpy as np

    found = lists.found.some(slice(_MOST_SHOWN))
    used = np.unique(found.prefixes[found.prefixes >= 0]).tolist()
    place = {antecedent: index for index, antecedent in enumerate(used)}
    source, names = lists._source, lists.column_names
    accuracy = 1 - lists.rates().rate("error")[:, 0]
    return {
        "tolerance": asked["tolerance"],
        "max_length": asked["max_length"],
        "status": lists.status,
        "optimum": _number(lists.optimum),
        "complete_up_to": _number(lists.complete_up_to),
        "lists": len(lists),
        "orders": lists.n_orders,
        "predictions": lists.n_predictions,
        "classes": [str(each) for each in lists._source.classes],
        "antecedents": [source.names[a] for a in used],
        "asks": [np.flatnonzero(source.shows[:, a]).tolist() for a in used],
        "other_names": [_other_names(source.ways[a], names) for a in used],
        "columns": _columns(lists),
        "column_names": list(names),
        "ranges": [[each.name, float(each.least), float(each.greatest)] for each in lists.ranges()],
        "gaps": _gaps(lists, rows, settings),
        "prefixes": [[place[a] for a in row if a >= 0] for row in found.prefixes.tolist()],
        "labels": found.labels.tolist(),
        "objectives": found.objectives.tolist(),
        "accuracies": accuracy[:_MOST_SHOWN].tolist(),
        "n_orders": found.orders.tolist(),
    }


def _columns(lists: RuleLists) -> list[dict[str, Any]]:
    """Return what is known of each column; what all lists need is searched beyond the tolerance."""
    uses = {use.name: use for use in lists.columns()}
    needed = [name for name, use in uses.items() if use.best_without is None and use.n_lists > 0]
    without = {name: use.best_without for name, use in uses.items()}
    if needed:
        worth = lists.necessity(needed, time_limit=_SECONDS)
        without |= {use.name: use.best_without for use in worth if use.difference is not None}
    return [
        {
            "name": name,
            "lists": use.n_lists,
            "best_with": _number(use.best_with),
            "best_without": _number(without[name]),
        }
        for name, use in uses.items()
    ]


def _other_names(ways: tuple[Name, ...], columns: tuple[str, ...]) -> list[list[Any]]:
    """Return how else an antecedent can be written: text, columns, and whether it is as short."""
    place = {name: index for index, name in enumerate(columns)}
    return [
        [
            str(Antecedent(way.clauses)),
            sorted(place[name] for name in way.columns),
            len(way.clauses) <= len(ways[0].clauses),
        ]
        for way in ways[1:]
    ]


def _gaps(lists: RuleLists, rows: Rows, settings: dict[str, Any]) -> list[dict[str, Any]]:
    """Return for each protected column how far apart the rates of its groups are, by list."""
    from surelist.tables.files import plain_values

    found = []
    for name, role in (settings.get("roles") or {}).items():
        if role != "protected":
            continue
        group = plain_values(rows.source.table.named_column(name, "group"))
        rates = lists.rates(group)
        rate = "FPR" if "FPR" in rates.counts else "error"
        gaps = rates.gap(rate)[:_MOST_SHOWN].tolist()
        found.append({"column": name, "rate": rate, "gaps": gaps})
    return found


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
