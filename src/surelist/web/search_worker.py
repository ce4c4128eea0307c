"""The process of one search: reads its settings, reports as it goes, leaves its results in files.

``python -m surelist.web.search_worker FOLDER`` is started by the page. A line on standard input, or
its end, stops the search, which then keeps the best rule list found and its gap.
"""

from __future__ import annotations

import _thread
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from surelist._files import put_files
from surelist.errors import SurelistError
from surelist.progress import Progress
from surelist.web.child import attempt, json_safe, limit_memory, step_back, when_stopped
from surelist.web.fitting import Rows, fit, parameters_of, rows_of
from surelist.web.limits import MB, Limits
from surelist.web.results import result_document, score
from surelist.web.source import open_source

__all__ = ["main"]

_SHORTEST = 0.2
_SHARE = 400


class Reporter:
    """Writes points of a search's course to a file, fewer as time goes by.

    Parameters
    ----------
    path : Path
        One JSON document a line.
    classes : list
        What labels stand for.
    """

    def __init__(self, path: Path, classes: list[Any] | None = None) -> None:
        self._file = path.open("a", encoding="utf-8")
        self._next = 0.0
        self._shown: Any = None
        self.classes = classes or []

    def stage(self, name: str, **more: Any) -> None:
        """Say what is being done."""
        self._write({"stage": name, "at": time.time(), **more})

    def __call__(self, progress: Progress) -> None:
        """Report a moment of the search."""
        rules = (progress.prefix, progress.labels)
        if progress.time < self._next and rules == self._shown:
            return
        self._next = progress.time + max(_SHORTEST, progress.time / _SHARE)
        point = {
            "time": progress.time,
            "objective": progress.objective,
            "lower_bound": progress.lower_bound,
            "expanded": progress.expanded,
            "queue": progress.queue,
            "memory": progress.memory,
            "remaining": progress.remaining,
            "queue_by_length": progress.queue_by_length,
            "pruned": {name: count for name, count in progress.pruned.items() if count},
        }
        if rules != self._shown:
            self._shown = rules
            labels = [str(self.classes[code]) for code in progress.labels]
            point["rules"] = [
                {"antecedent": text, "label": label}
                for text, label in zip((*progress.prefix, None), labels, strict=True)
            ]
        self._write(point)

    def _write(self, point: dict[str, Any]) -> None:
        self._file.write(json.dumps(json_safe(point)) + "\n")
        self._file.flush()


def main(arguments: list[str]) -> int:
    """Run the search that a folder describes; return the exit code."""
    folder = Path(arguments[0])
    spec = json.loads((folder / "spec.json").read_text(encoding="utf-8"))
    limits = Limits(**spec["limits"])
    settings = spec["settings"]
    granted = settings.get("memory_limit_mb") or limits.search_memory / MB
    limit_memory(int(granted * MB) + limits.beside)
    step_back()
    when_stopped(_thread.interrupt_main)
    reporter = Reporter(folder / "progress.jsonl")

    def search() -> dict[str, Any]:
        reporter.stage("reading")
        source = open_source(Path(spec["data"]), limits)
        return _search(folder, rows_of(source, settings), settings, reporter)

    outcome = attempt(search, "it was stopped before there was a rule list")
    _put(folder / "outcome.json", outcome)
    return 0


def _search(
    folder: Path, rows: Rows, settings: dict[str, Any], reporter: Reporter
) -> dict[str, Any]:
    reporter.classes = rows.classes
    reporter.stage("mining", rows=rows.table.n_rows)
    parameters = parameters_of(settings, rows) | {
        "progress": reporter,
        "trace_interval": 0.1,
        "certificate": folder / "certificate.cert",
    }
    model = fit(rows, parameters)
    reporter.stage("describing")
    model.set_params(certificate=False, progress=False).save(folder / "model.json")
    document = result_document(model, rows, settings)
    document["held_out"] = None
    _put(folder / "result.json", document)
    if model.status_ != "interrupted" and settings.get("held_out", 0) > 0:
        reporter.stage("testing")
        document["held_out"] = _held_out(rows, settings, model)
        _put(folder / "result.json", document)
    return {
        name: document[name]
        for name in (
            *("status", "objective", "lower_bound", "gap", "length", "accuracy", "rows"),
            *("antecedents", "equivalent_groups", "regularization", "held_out"),
        )
    }


def _held_out(rows: Rows, settings: dict[str, Any], model: Any) -> dict[str, Any] | None:
    """Learn again from most of the rows, and test on the others.

    The model itself learned from all rows, so that its proof is about all of them; this says how
    lists that are learned so do on rows that they have not seen.
    """
    n_rows = rows.table.n_rows
    order = np.random.default_rng(0).permutation(n_rows)
    n_test = round(settings["held_out"] * n_rows)
    if n_test < 1 or n_rows - n_test < 2:
        return None
    train = rows.take(np.sort(order[n_test:]))
    test = rows.take(np.sort(order[:n_test]))
    if len(set(train.labels.tolist())) < len(rows.classes):
        return None
    try:
        other = fit(train, parameters_of(settings, rows))
    except KeyboardInterrupt:
        return None
    except (SurelistError, MemoryError):  # too few rows of some class, say
        return None
    return {
        **score(other.rule_list_, test),
        "share": settings["held_out"],
        "train_rows": train.table.n_rows,
        "train_accuracy": score(other.rule_list_, train)["accuracy"],
        "same_list": other.rule_list_.lines() == model.rule_list_.lines(),
        "status": other.status_,
        "text": list(other.rule_list_.lines()),
    }


def _put(path: Path, document: dict[str, Any]) -> None:
    put_files({path: [json.dumps(json_safe(document)).encode()]})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
