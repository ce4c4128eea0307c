"""The process of one search: reads its settings, reports as it goes, leaves its results in files.

``python -m surelist.web.search_worker FOLDER`` is started by the page. A line on standard input, or
its end, stops the search, which then keeps the best rule list found and its gap. With a second
argument, which says why there is no result, it makes one of what an earlier process has left there.
"""

from __future__ import annotations

import _thread
import contextlib
import json
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any

from surelist._common.progress import Progress
from surelist.errors import FormatError, InputError
from surelist.estimators.fitted_model import FittedModel
from surelist.estimators.model_json import read_model
from surelist.estimators.result_json import result_fields
from surelist.estimators.resume import resume_model
from surelist.problem.prepare import prepare
from surelist.problem.settings import Settings
from surelist.runs.fit import fit_rows
from surelist.runs.rows import Rows
from surelist.search.run import SearchRun
from surelist.web.dataset_files import open_source
from surelist.web.file_names import BEST, CHECKPOINT, OUTCOME, RESULT, SPEC
from surelist.web.limits import SEARCH_SHARE, Limits
from surelist.web.processes import attempt, limit_memory, lower_priority, when_stopped
from surelist.web.progress_file import Reporter, put_json
from surelist.web.results import result_document
from surelist.web.run_description import parameters_of, rows_of
from surelist.web.worker_lock import lock_folder

__all__ = ["main"]

_MODEL, _CERTIFICATE = "model.json", "certificate.cert"
_SAVING_EVERY = 15.0  # seconds between two checkpoints, which take at most a tenth of the time
# Shorter searches keep no checkpoint: a part of their time would go into writing it.
_WORTH_SAVING = 60.0
# What may change from one part of a search to the next.
_CHANGES = ("progress", "time_limit", "memory_limit", "n_jobs", "checkpoint_interval")


class Stopping:
    """Ends a search on request, but never while its result is being written.

    Parameters
    ----------
    reporter : Reporter
        Ends the search at its next report.

    Attributes
    ----------
    at_once : bool
        Whether the process may end at any moment, as it may before there is a search.
    """

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self.at_once = True

    def listen(self) -> None:
        """Handle requests to stop from now on."""
        when_stopped(_thread.interrupt_main)
        signal.signal(signal.SIGINT, self._asked)
        signal.signal(signal.SIGTERM, self._asked)

    def _asked(self, _: int, frame: FrameType | None) -> None:
        self._reporter.stop = True
        while frame is not None and not self.at_once:
            # Mining and the search can be interrupted at any moment.
            if frame.f_code in (prepare.__code__, SearchRun.run.__code__):
                break
            frame = frame.f_back
        if self.at_once or frame is not None:
            raise KeyboardInterrupt


def main(arguments: list[str]) -> int:
    """Run the search that a folder describes; return the exit code."""
    began = time.monotonic()
    folder, *reason = Path(arguments[0]), *arguments[1:]
    working = lock_folder(folder)
    if working is None:
        return 1
    spec = json.loads((folder / SPEC).read_text(encoding="utf-8"))
    limits = Limits(**spec["limits"])
    settings = spec["settings"]
    limit_memory(limits.memory_of(settings))
    lower_priority(10)
    so_far = spec.get("so_far") or {}
    reporter = Reporter(folder, so_far.get("used", 0.0))
    stopping = Stopping(reporter)
    if not reason:  # writing what an earlier process left takes no time to stop
        stopping.listen()

    def search() -> dict[str, Any]:
        reporter.stage("reading")
        rows = rows_of(open_source(Path(spec["data"]), limits), settings)
        reporter.classes = rows.classes
        stopping.at_once = False
        if reason:
            found = _left_behind(folder, rows, settings, reason[0])
        else:
            stage = "resuming" if (folder / CHECKPOINT).exists() else "mining"
            reporter.stage(stage, rows=rows.table.n_rows)
            found = _search(folder, rows, settings, reporter, _seconds(settings, so_far, began))
        return found | {"seconds": reporter.used + time.monotonic() - began}

    outcome = attempt(search, "it was stopped before there was a rule list")
    if "error" in outcome and reporter.stop:
        outcome["status"] = "interrupted"
    if "granted" in so_far:
        outcome["granted"] = so_far["granted"]
    with working:
        try:
            put_json(folder / OUTCOME, outcome)
        except InputError as error:  # the page makes a result of the best list
            sys.stderr.write(f"surelist: {error}\n")
            return 1
    return 0


def _seconds(settings: dict[str, Any], so_far: dict[str, Any], began: float) -> float | None:
    """Return the seconds that are left for the search; None where there is no limit."""
    limit = so_far.get("granted") or settings.get("time_limit")
    if limit is None:
        return None
    share = SEARCH_SHARE if settings.get("held_out", 0) > 0 else 1
    used = so_far.get("used", 0.0) + time.monotonic() - began
    return float(max(limit * share - used, limit / 100))


def _search(
    folder: Path,
    rows: Rows,
    settings: dict[str, Any],
    reporter: Reporter,
    seconds: float | None,
) -> dict[str, Any]:
    parameters = parameters_of(settings, rows) | {
        "progress": reporter,
        "time_limit": seconds,
        "trace_interval": 0.1,
        # Without a folder: a checkpoint holds them, and the folder of the page may be moved.
        "certificate": _CERTIFICATE,
    }
    if _is_worth_saving(settings):
        parameters |= {"checkpoint": CHECKPOINT, "checkpoint_interval": _SAVING_EVERY}
    with contextlib.chdir(folder):
        model = _searched(rows, parameters)
    if model.status_ == "optimal":
        (folder / CHECKPOINT).unlink(missing_ok=True)
    reporter.stage("describing", found=_found(model))
    return _keep(folder, model, rows, settings)


def _found(model: FittedModel) -> dict[str, Any]:
    """Say how a search has ended, as it says how it gets on: describing the rest takes a while."""
    rule_list = model.rule_list_
    return {
        "objective": float(rule_list.objective),
        "lower_bound": float(model.lower_bound_),
        "status": model.status_,
        "rules": [
            {
                "antecedent": None if rule.antecedent is None else str(rule.antecedent),
                "label": str(rule.label),
            }
            for rule in rule_list.all_rules
        ],
    }


def _is_worth_saving(settings: dict[str, Any]) -> bool:
    """Whether to keep checkpoints; the search over all cuts has none."""
    limit = settings.get("time_limit")
    cuts = settings.get("n_cuts"), *(settings.get("columns") or {}).values()
    return (limit is None or limit >= _WORTH_SAVING) and "all" not in cuts


def _searched(rows: Rows, parameters: dict[str, Any]) -> FittedModel:
    """Continue from the checkpoint in this folder if there is one; else from the best list."""
    checkpoint, best = Path(CHECKPOINT), Path(BEST)
    if checkpoint.exists():
        try:
            return resume_model(checkpoint, **{name: parameters[name] for name in _CHANGES})
        except FormatError as error:  # damaged, or of another version
            sys.stderr.write(f"surelist: {error}\n")
            checkpoint.unlink()
    if best.exists():
        known = json.loads(best.read_text(encoding="utf-8"))
        start = read_model(_MODEL).rule_list_ if "fields" in known else known["antecedents"]
        parameters = parameters | {"initial_rule_list": start}
    return fit_rows(rows, parameters)


def _keep(
    folder: Path, model: FittedModel, rows: Rows, settings: dict[str, Any], **more: Any
) -> dict[str, Any]:
    """Write the model at once; then how well it does, which takes longer."""
    given = {"time_limit": settings.get("time_limit"), "initial_rule_list": None}
    given |= {"certificate": False, "progress": False, "checkpoint": None}
    given["checkpoint_interval"] = Settings.checkpoint_interval
    model.with_parameters(**given).save(folder / _MODEL)
    fields = result_fields(model)
    put_json(folder / BEST, {"fields": fields})
    return _describe(folder, model, fields, rows, settings, **more)


def _describe(
    folder: Path,
    model: FittedModel,
    fields: dict[str, Any],
    rows: Rows,
    settings: dict[str, Any],
    **more: Any,
) -> dict[str, Any]:
    document = result_document(model, fields, rows, settings) | more
    put_json(folder / RESULT, document)
    # Of columns that the rules ask about; the first page names them beside its badge.
    warned = [
        each["column"]
        for each in document["findings"]
        if each["used"] and each["level"] == "warning" and each["column"] is not None
    ]
    return {"warned": list(dict.fromkeys(warned))} | {
        name: document[name]
        for name in (
            *("status", "objective", "lower_bound", "gap", "length", "accuracy", "rows"),
            "proven_length",
            *("antecedents", "equivalent_groups", "regularization"),
        )
    }


def _left_behind(folder: Path, rows: Rows, settings: dict[str, Any], reason: str) -> dict[str, Any]:
    """Make a result of what a process has left that crashed or was killed."""
    best = json.loads((folder / BEST).read_text(encoding="utf-8"))
    if "fields" in best:  # the search had ended: its model and its proof are there
        return _describe(folder, read_model(folder / _MODEL), best["fields"], rows, settings)

    def enough(progress: Progress) -> None:
        if progress.stage == "searching":
            raise KeyboardInterrupt

    # A search that starts from the list, and is stopped at once; mining must not be.
    parameters = parameters_of(settings, rows) | {
        "progress": enough,
        "time_limit": None,
        "trace_interval": 0.1,
        "certificate": folder / _CERTIFICATE,
        "initial_rule_list": best["antecedents"],
    }
    kept = {"reason": reason, "lower_bound": _last_bound(folder / "progress.jsonl")}
    return _keep(folder, fit_rows(rows, parameters), rows, settings, kept=kept)


def _last_bound(path: Path) -> float | None:
    """Return the lower bound that was shown last."""
    bound = None
    for line in path.read_text(encoding="utf-8").split("\n"):
        try:
            bound = json.loads(line).get("lower_bound", bound)
        except ValueError:  # cut off by what ended the process
            continue
    return bound


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
