"""The process of what is asked of a finished run and may take long: verify it, or follow its path.

``python -m surelist.web.job_worker KIND FOLDER`` prints one JSON document.
"""

from __future__ import annotations

import _thread
import json
import sys
import warnings
from pathlib import Path
from typing import Any

from surelist.column_values import plain_values
from surelist.errors import UncertifiedWarning
from surelist.web.child import attempt, json_safe, limit_memory, step_back, when_stopped
from surelist.web.fitting import parameters_of, rows_of
from surelist.web.limits import Limits
from surelist.web.source import open_source

__all__ = ["main"]

_PATH_SECONDS = 60.0


def main(arguments: list[str]) -> int:
    """Do one job for the run in a folder."""
    kind, folder = arguments[0], Path(arguments[1])
    spec = json.loads((folder / "spec.json").read_text(encoding="utf-8"))
    limits = Limits(**spec["limits"])
    limit_memory(limits.helper_memory)
    step_back()
    when_stopped(_thread.interrupt_main)
    job = {"verify": _verify, "path": _path}[kind]
    answer = attempt(lambda: job(folder, spec, limits), "it was stopped")
    sys.stdout.write(json.dumps(json_safe(answer)) + "\n")
    return 0


def _verify(folder: Path, spec: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Hold the certificate against the data, by the checker that shares no code with the search."""
    from surelist.certificate import Certificate, conditions_of
    from surelist.verify import DataError, VerificationError, verify

    source = open_source(Path(spec["data"]), limits)
    labels = source.labelled(spec["settings"].get("label"))
    certificate = folder / "certificate.cert"
    columns = {
        name: plain_values(source.table.named_column(name, "the proof"))
        for name in {each.column for each in conditions_of(Certificate.load(certificate))}
    }
    try:
        proven = verify(certificate, columns, labels)
    except (VerificationError, DataError) as error:
        return {"verified": False, "reason": str(error)}
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
    }


def _path(folder: Path, spec: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Find the optimal rule list for every λ from half the run's upwards."""
    from fractions import Fraction

    from surelist.path import regularization_path

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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
