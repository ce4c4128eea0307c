"""What files are called in the folders of data sets and runs."""

from __future__ import annotations

__all__ = ["ABOUT", "BEST", "DOWNLOADS", "LABELS", "OUTCOME", "READY", "RESULT", "SOURCE", "SPEC"]

# In the folder of a data set: the file as it came, a second one with labels, how to read them.
SOURCE, LABELS, ABOUT = "source", "labels", "about.json"

# In the folder of a run: what to do, the best rule list so far, what was found, how it ended.
SPEC, BEST, RESULT, OUTCOME = "spec.json", "best.json", "result.json", "outcome.json"

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
READY = ("model.json", "certificate.cert")
