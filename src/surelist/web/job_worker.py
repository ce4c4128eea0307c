"""The process of one job for a finished run: verify, find its path, test or compare it.

``python -m surelist.web.job_worker KIND FOLDER [SECONDS]`` prints one JSON document.
"""

from __future__ import annotations

import _thread
import json
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surelist.errors import UncertifiedWarning
from surelist.web.alternatives import adopt_alternative, find_alternatives
from surelist.web.dataset_files import csv_source, open_source
from surelist.web.fair_front import find_fair_front
from surelist.web.file_names import RESULT, RIVALS, SPEC, progress_path
from surelist.web.limits import Limits
from surelist.web.processes import attempt, json_safe, limit_memory, lower_priority, when_stopped
from surelist.web.progress_file import put_json
from surelist.web.run_description import least_frequency, parameters_of, rows_of

if TYPE_CHECKING:
    from surelist.checker import Verification

__all__ = ["main"]

_PATH_SECONDS = 60.0


def main(arguments: list[str]) -> int:
    """Do one job for the run in a folder."""
    began = time.monotonic()
    kind, folder, *seconds = arguments[0], Path(arguments[1]), *map(float, arguments[2:])
    spec = json.loads((folder / SPEC).read_text(encoding="utf-8"))
    limits = Limits(**spec["limits"])
    searches = kind in ("test", "rivals")
    limit_memory(limits.memory_of(spec["settings"]) if searches else limits.helper_memory)
    # A person waits for it, so it has priority over searches, also on a busy machine.
    lower_priority(5)
    when_stopped(_thread.interrupt_main)
    jobs: dict[str, Callable[..., dict[str, Any]]]
    jobs = {"verify": _verify, "path": _path, "test": _test, "rivals": _rivals}
    jobs |= {"alternatives": find_alternatives, "adopt": adopt_alternative}
    jobs["fairness"] = find_fair_front
    ends = [began + each for each in seconds]
    answer = attempt(lambda: jobs[kind](folder, spec, limits, *ends), "it was stopped")
    sys.stdout.write(json.dumps(json_safe(answer)) + "\n")
    return 0


def _verify(folder: Path, spec: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Check the certificate against the data; the checker shares no code with the search."""
    from surelist.audit.check_data import verification_fields
    from surelist.checker import DataError, VerificationError

    def tell(done: int, of: int) -> None:
        put_json(progress_path(folder, "verify"), {"done": done, "of": of})

    try:
        proven = _checked(folder / "certificate.cert", spec, limits, tell)
    except VerificationError as error:
        return {"verified": False, "reason": str(error)}
    except DataError as error:  # the data could not be read; the certificate may be right
        return {"error": str(error)}
    return verification_fields(proven)


def _checked(
    certificate: Path, spec: dict[str, Any], limits: Limits, tell: Callable[[int, int], object]
) -> Verification:
    """Check, with the data read by the checker itself where they are CSV text."""
    from surelist.audit.check_data import check_certificate
    from surelist.certificate.certificate import Certificate
    from surelist.fast_checker import verify
    from surelist.runs.relabel import MADE_LABELS, Relabelling, relabelled

    data, label = Path(spec["data"]), spec["settings"].get("label")
    how = Relabelling.from_dict(spec["settings"].get("relabel"))
    csv = None if how else csv_source(data, limits)
    if csv is not None:
        return verify(certificate, csv, label=label, progress=tell)
    source = relabelled(open_source(data, limits), label, how)
    proven = check_certificate(Certificate.load(certificate), source, label, progress=tell)
    return replace(proven, reader=MADE_LABELS) if how else proven


def _path(folder: Path, spec: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Find the optimal rule list for every λ from half the run's upwards."""
    from fractions import Fraction

    from surelist.estimators.path.search import regularization_path

    del folder
    rows = rows_of(open_source(Path(spec["data"]), limits), spec["settings"])
    parameters = parameters_of(spec["settings"], rows)
    own = Fraction(str(parameters.pop("regularization")))
    parameters.pop("time_limit")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        path = regularization_path(
            rows.table,
            rows.labels,
            smallest=own / 2 if own else Fraction(1, 100),
            time_limit=_PATH_SECONDS,
            **parameters,
        )
    return {
        "status": path.status,
        "own": float(own),
        # With it, a run with another λ has the same features.
        "min_frequency": least_frequency(spec["settings"]),
        "searches": path.n_searches,
        "seconds": path.time,
        "segments": [
            {
                "start": float(segment.start),
                "stop": float(segment.stop),
                "length": segment.length,
                "accuracy": float(1 - segment.loss),
                "certified": segment.certified,
                "gap": float(segment.gap),
                "text": list(segment.rule_list.lines()),
            }
            for segment in path.segments
        ],
    }


def _test(
    folder: Path, spec: dict[str, Any], limits: Limits, ends: float | None = None
) -> dict[str, Any]:
    """Test lists learned with the settings of the run on rows that they have not seen."""
    from surelist.web.held_out import held_out

    rows = rows_of(open_source(Path(spec["data"]), limits), spec["settings"])
    text = json.loads((folder / RESULT).read_text(encoding="utf-8"))["text"]
    return held_out(rows, spec["settings"], text, ends)


def _rivals(folder: Path, spec: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Compare the rule list with other models, on the same rows and folds."""
    from surelist.web.rivals import compare_models

    rows = rows_of(open_source(Path(spec["data"]), limits), spec["settings"])
    asked = json.loads((folder / RIVALS).read_text(encoding="utf-8"))
    return compare_models(folder, rows, spec["settings"], asked)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
