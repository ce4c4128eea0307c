"""The process of what is done with a finished run and may take long: verify, follow its path, test.

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
from surelist.tables.files import plain_values
from surelist.web.child import attempt, json_safe, limit_memory, step_back, when_stopped
from surelist.web.fitting import parameters_of, rows_of
from surelist.web.limits import Limits
from surelist.web.names import RESULT, SPEC
from surelist.web.source import csv_source, open_source

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
    limit_memory(limits.memory_of(spec["settings"]) if kind == "test" else limits.helper_memory)
    step_back()
    when_stopped(_thread.interrupt_main)
    jobs: dict[str, Callable[..., dict[str, Any]]]
    jobs = {"verify": _verify, "path": _path, "test": _test}
    ends = [began + each for each in seconds]
    answer = attempt(lambda: jobs[kind](folder, spec, limits, *ends), "it was stopped")
    sys.stdout.write(json.dumps(json_safe(answer)) + "\n")
    return 0


def _verify(folder: Path, spec: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Hold the certificate against the data, by the checker that shares no code with the search."""
    from surelist.checker import DataError, VerificationError

    try:
        proven = _checked(folder / "certificate.cert", spec, limits)
    except VerificationError as error:
        return {"verified": False, "reason": str(error)}
    except DataError as error:  # which says nothing of the certificate
        return {"error": str(error)}
    return {
        "verified": True,
        "statement": proven.statement,
        "optimal": proven.optimal,
        "objective": str(proven.objective),
        "lower_bound": str(proven.lower_bound),
        "closed": proven.n_closed,
        "states": proven.n_states,
        "children": proven.n_children,
        "rows": proven.n_rows,
        "groups": proven.n_groups,
        "antecedents": proven.n_antecedents,
        "fingerprint": proven.fingerprint,
        "reader": proven.reader,
        "checker": proven.checker,
    }


def _checked(certificate: Path, spec: dict[str, Any], limits: Limits) -> Verification:
    """Check, with the data read by the checker itself where they are CSV text."""
    from surelist.certificate.certificate import Certificate, conditions_of
    from surelist.fast_checker import verify

    data, label = Path(spec["data"]), spec["settings"].get("label")
    csv = csv_source(data, limits)
    if csv is not None:
        return verify(certificate, csv, label=label)
    source = open_source(data, limits)
    columns = {
        name: plain_values(source.table.named_column(name, "the proof"))
        for name in {each.column for each in conditions_of(Certificate.load(certificate))}
    }
    proven = verify(certificate, columns, source.labelled(label))
    corels = source.labels is not None
    return replace(proven, reader="the package's reader of CORELS text" if corels else "pyarrow")


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
    """See how lists that are learned as the run's was do on rows that they have not seen."""
    from surelist.web.held_out import held_out

    rows = rows_of(open_source(Path(spec["data"]), limits), spec["settings"])
    text = json.loads((folder / RESULT).read_text(encoding="utf-8"))["text"]
    return held_out(rows, spec["settings"], text, ends)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
