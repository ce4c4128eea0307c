"""The front of objective against unfairness of a run: every point proven, with rates by group.

The lists learn from all rows, so that their certificates are about the whole file. How lists of the
same tolerance do on rows that they have not seen is measured beside it, as in the test of a run:
learned again from most of the rows, counted on the others.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surelist.errors import InputError, UncertifiedWarning
from surelist.runs.relabel import Relabelling
from surelist.web.dataset_files import open_source
from surelist.web.file_names import FAIR_ASKED, FAIR_FRONT, fair_file, progress_path
from surelist.web.group_rates import wilson
from surelist.web.limits import Limits
from surelist.web.processes import json_safe
from surelist.web.progress_file import put_json
from surelist.web.run_description import parameters_of, rows_of

if TYPE_CHECKING:
    from surelist.estimators.fairness_path import FairnessPath, FairnessPoint
    from surelist.problem.fairness_report import FairnessReport, GroupRates
    from surelist.runs.rows import Rows

__all__ = ["find_fair_front"]

# Limits for each point, in counted work: the front is the same on a busy machine.
_WORK, _SECONDS = 15.0, 60.0
_MOST_POINTS = 12
_HELD_OUT = 0.2  # where the run itself keeps nothing back
# Settings of the other search, which the search for fair lists does not have.
_OTHER_SEARCH = ("policy", "symmetry", "bounds", "max_prefixes", "checkpoint", "progress")


def find_fair_front(folder: Path, spec: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Find the best list for every tolerance, and write down lists, rates and certificates."""
    from surelist.estimators.fairness_path import fairness_path
    from surelist.problem.fairness import METRICS
    from surelist.problem.fairness_words import caveats

    asked = json.loads((folder / FAIR_ASKED).read_text(encoding="utf-8"))
    rows, group = _rows(asked, spec, limits)
    demand, parameters = _demand(asked, rows), _parameters(spec["settings"], rows, limits)
    steps = _steps(asked)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        front = fairness_path(
            rows.table,
            rows.labels,
            fairness=demand,
            certificate=True,
            watch=_teller(folder, "front", len(steps.get("tolerances", ())) or _MOST_POINTS),
            **steps,
            **parameters,
        )
        tell = _teller(folder, "held out", len(front))
        held_out = _held_out(
            front, rows, group, spec["settings"], demand, parameters | {"watch": tell}
        )
    for index, point in enumerate(front.points):
        point.model.save(folder / fair_file(index, "json"))
        point.model.certificate_.save(folder / fair_file(index, "cert"))
    document = json_safe(
        {
            **asked,
            "ended": front.ended,
            "rates": list(METRICS[front.metric]),
            "points": [_point(each, front.metric) for each in front.points],
            "held_out": held_out,
            "caveats": caveats(front.points[0].report, [asked["sensitive"]]),
            "made_labels": bool(Relabelling.from_dict(spec["settings"].get("relabel"))),
        }
    )
    (folder / FAIR_FRONT).write_text(json.dumps(document), encoding="utf-8")
    return {"points": len(front), "certified": front.certified, "metric": front.metric}


def _rows(
    asked: Mapping[str, Any], spec: Mapping[str, Any], limits: Limits
) -> tuple[Rows, NDArray[np.str_]]:
    """Return the rows with the sensitive column among them, and the group of each row."""
    from surelist.problem.sensitive import sensitive_groups

    column = asked["sensitive"]
    settings = spec["settings"]
    if column == settings.get("label"):
        raise InputError("the column of labels cannot be the sensitive one")
    roles = {name: role for name, role in settings.get("roles", {}).items() if name != column}
    rows = rows_of(open_source(Path(spec["data"]), limits), settings | {"roles": roles})
    groups = sensitive_groups(rows.table, (column,), None, np.ones(rows.table.n_rows, np.int64))
    return rows, np.array(groups.names, dtype=object)[groups.codes]


def _demand(asked: Mapping[str, Any], rows: Rows) -> dict[str, Any]:
    positive = next((each for each in rows.classes if str(each) == asked["positive"]), None)
    if positive is None:
        known = ", ".join(map(str, rows.classes))
        raise InputError(f"there is no class {asked['positive']!r}; there are {known}")
    return {"metric": asked["metric"], "sensitive": asked["sensitive"], "positive": positive}


def _parameters(settings: Mapping[str, Any], rows: Rows, limits: Limits) -> dict[str, Any]:
    parameters = parameters_of(settings, rows)
    for name in _OTHER_SEARCH:
        parameters.pop(name, None)
    return parameters | {
        "time_limit": _SECONDS,
        "work_limit": _WORK,
        "memory_limit": limits.helper_memory // 4,
    }


def _steps(asked: Mapping[str, Any]) -> dict[str, Any]:
    if asked["tolerance"] is not None:
        return {"tolerances": [Fraction(str(asked["tolerance"]))]}
    return {"step": Fraction(str(asked["step"])), "most_points": _MOST_POINTS}


def _teller(folder: Path, doing: str, most: int) -> Callable[[FairnessPoint], None]:
    """Return what writes down how many points are found; on a front there may be fewer."""
    found = 0

    def tell(point: FairnessPoint) -> None:
        nonlocal found
        found += 1
        told = {"done": found, "of": most, "doing": doing, "unfairness": float(point.unfairness)}
        put_json(progress_path(folder, "fairness"), told)

    return tell


def _point(point: FairnessPoint, metric: str) -> dict[str, Any]:
    from surelist.problem.fairness_words import meaning

    rule_list = point.model.rule_list_
    return {
        "tolerance": float(point.tolerance),
        "unfairness": float(point.unfairness),
        "objective": float(point.objective),
        "lower_bound": float(point.lower_bound),
        "accuracy": float(rule_list.accuracy),
        "certified": point.certified,
        "status": point.status,
        "rules": [
            {
                "antecedent": " and ".join(f"({clause.text})" for clause in rule.clauses) or None,
                "label": str(rule.label),
            }
            for rule in rule_list.all_rules
        ],
        "meaning": meaning(metric, point.report),
        "groups": _groups(point.report),
    }


def _groups(report: FairnessReport) -> list[dict[str, Any]]:
    return [{"name": group.name, "rows": group.weight, **_rates(group)} for group in report.groups]


def _rates(group: GroupRates) -> dict[str, Any]:
    positives = group.true_positives + group.false_negatives
    negatives = group.false_positives + group.true_negatives
    wrong = group.false_positives + group.false_negatives
    return {
        "selection_rate": wilson(group.selected, group.weight),
        "true_positive_rate": wilson(group.true_positives, positives),
        "false_positive_rate": wilson(group.false_positives, negatives),
        "precision": wilson(group.true_positives, group.selected),
        "negative_precision": wilson(group.true_negatives, group.negative),
        "error_rate": wilson(wrong, group.weight),
    }


def _held_out(
    front: FairnessPath,
    rows: Rows,
    group: NDArray[np.str_],
    settings: Mapping[str, Any],
    demand: Mapping[str, Any],
    parameters: Mapping[str, Any],
) -> dict[str, Any]:
    """Return rates of lists for the same tolerances on rows that they did not learn from."""
    from surelist.estimators.fairness_path import fairness_path
    from surelist.runs.rows import kept_back

    kept, back = kept_back(rows.table.n_rows, settings["held_out"] or _HELD_OUT)
    if len(back) < 1:
        return {"error": "there are too few rows to keep any back"}
    train, test = rows.take(kept), rows.take(back)
    found: list[Any] = []
    for point in front.points:
        try:
            again = fairness_path(
                train.table,
                train.labels,
                fairness=demand,
                tolerances=[point.tolerance],
                **parameters,
            )
        except InputError as error:
            found.append({"error": str(error)})
            continue
        report = _report_on(again.points[0], test, group[back])
        unfairness = report.unfairness(front.metric)
        found.append(
            {
                "groups": _groups(report),
                "unfairness": None if unfairness is None else float(unfairness),
                "same_list": list(again.points[0].model.rule_list_.lines())
                == list(point.model.rule_list_.lines()),
            }
        )
    return {"rows": len(back), "points": found}


def _report_on(point: FairnessPoint, test: Rows, group: NDArray[np.str_]) -> FairnessReport:
    """Count the predictions of a point's list for other rows, by group."""
    known = np.flatnonzero(np.isin(group, [each.name for each in point.report.groups]))
    return point.on(test.take(known).table, test.labels[known], group[known])
