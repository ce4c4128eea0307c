"""The test of a run: learn again from most of the rows, and predict the others."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from surelist.errors import InputError
from surelist.runs.fit import fit_rows
from surelist.runs.rows import Rows, kept_back
from surelist.web.results import score
from surelist.web.run_description import parameters_of

__all__ = ["held_out"]


def held_out(
    rows: Rows, settings: Mapping[str, Any], text: list[str], ends: float | None
) -> dict[str, Any]:
    """Learn from most of the rows, and test on the others.

    The model itself learned from all rows, so that its proof is about all of them. The test says
    how lists that are learned in the same way do on rows that they have not seen.

    Parameters
    ----------
    rows, settings
        Those of the run.
    text : list of str
        The rule list of the run, as it prints.
    ends : float, optional
        When the time is over, by the monotonic clock.

    Raises
    ------
    InputError
        Where there is no such test.
    """
    kept, back = kept_back(rows.table.n_rows, settings["held_out"])
    train, test = rows.take(kept), rows.take(back)
    if len(back) < 1 or len(set(train.labels.tolist())) < len(rows.classes):
        raise InputError("there are too few rows of some class to keep any back")
    parameters = parameters_of(settings, rows) | {"time_limit": None}
    if ends is not None:
        parameters["time_limit"] = ends - time.monotonic()
        if parameters["time_limit"] <= 0:
            raise InputError("the search left no time for it")
    other = fit_rows(train, parameters)
    return {
        **score(other.rule_list_, test),
        "share": settings["held_out"],
        "train_rows": train.table.n_rows,
        "train_accuracy": score(other.rule_list_, train)["accuracy"],
        "same_list": list(other.rule_list_.lines()) == text,
        "status": other.status_,
        "text": list(other.rule_list_.lines()),
    }
