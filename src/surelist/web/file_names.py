"""What files are called in the folders of data sets and runs."""

from __future__ import annotations

import re
from pathlib import Path

__all__ = [
    *("ABOUT", "ALTERNATIVES", "ALTERNATIVES_ASKED", "BEST", "CERTIFICATE", "CHECKPOINT"),
    *("DOWNLOADS", "FAIR_ASKED", "FAIR_FRONT", "LABELS", "OUTCOME", "PICKED", "READY", "RESULT"),
    *("RIVALS", "RIVALS_ROWS", "SCORED", "SCORED_ROWS", "SOURCE", "SPEC"),
    *("download_name", "fair_file", "progress_path"),
]

_LONGEST_NAME = 60

# In the folder of a data set: the file as it came, a second one with labels, how to read them.
SOURCE, LABELS, ABOUT = "source", "labels", "about.json"

# In the folder of a run: what to do, the best rule list so far, what was found, how it ended.
SPEC, BEST, RESULT, OUTCOME = "spec.json", "best.json", "result.json", "outcome.json"
# And the state of the search, from which it continues.
CHECKPOINT = "checkpoint"

# In the folder of a run: what other models are asked, what they predict.
RIVALS, RIVALS_ROWS = "rivals.json", "rivals.npz"

# In the folder of a run: how its list does on another file, and what it predicts there.
SCORED, SCORED_ROWS = "scored.json", "scored.csv"

# In the folder of a run: what can be taken away, and what a browser is told that it is. Browsers
# save all of these, and show none.
DOWNLOADS = {
    "model.json": "application/json",
    "certificate.cert": "application/octet-stream",
    "rules.txt": "text/plain; charset=utf-8",
    "rules.tex": "application/x-tex",
    "rules.py": "text/x-python; charset=utf-8",
    "rules.sql": "application/sql",
    "rules.dot": "text/vnd.graphviz",
    "rules.png": "image/png",
    "rules.svg": "image/svg+xml",
    "search.png": "image/png",
    "search.svg": "image/svg+xml",
    "predictions.csv": "text/csv; charset=utf-8",
    "report.html": "text/html; charset=utf-8",
    "bundle.zip": "application/zip",
}
# These the search itself has written.
CERTIFICATE = "certificate.cert"
READY = ("model.json", CERTIFICATE)

# In the folder of a run, all good lists: what was asked for, the lists, and the one picked.
ALTERNATIVES_ASKED, ALTERNATIVES = "alternatives_asked.json", "alternatives.json"
PICKED = ("alternative.json", "alternative.cert")

# In the folder of a run, its front of fair lists: what was asked for, the front, and of each point
# the model and the certificate.
FAIR_ASKED, FAIR_FRONT = "fair_asked.json", "fair_front.json"


def progress_path(folder: Path, kind: str) -> Path:
    """Return the file in the folder of a run where a job says how far it is."""
    return folder / f"{kind}_progress.json"


def download_name(run: str, kind: str) -> str:
    """Return what a download is called: by its run, so that those of two runs are told apart.

    Examples
    --------
    >>> from surelist.web.file_names import download_name
    >>> download_name("recidivated, λ = 0.01 (2)", "model.json")
    'recidivated-λ-0.01-2-model.json'
    >>> download_name("../..", "rules.py")
    'run-rules.py'
    """
    words = re.sub(r"[^\w.]+", "-", run).strip("-._")[:_LONGEST_NAME].strip("-._")
    return f"{words or 'run'}-{kind}"


def fair_file(index: int, kind: str) -> str:
    """Return what the model (json) or the certificate (cert) of a point of the front is called."""
    return f"fair-{index + 1}.{kind}"
