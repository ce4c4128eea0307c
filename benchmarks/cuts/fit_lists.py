"""Fit a rule list over all cuts: ``python -m benchmarks.cuts.fit_lists table.npz rules seconds``.

It prints one line of JSON. The limit is of counted work, which is about seconds of a processor, so
that other programs on the machine do not matter. The certificate is made in a second fit, so that
the time of the first is that of the search alone; the checker takes as long as it takes.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from surelist import Binarizer, RuleListClassifier, verify

__all__ = ["fit", "main"]

REGULARIZATION = 0.01


def fit(path: Path, rules: int, seconds: float, *, check: bool) -> dict[str, Any]:
    """Return what the search found, how long it took, and whether its proof holds."""
    with np.load(path) as table:
        values, labels = table["values"], table["labels"]
    how: dict[str, Any] = {"binarizer": Binarizer(n_cuts="all"), "max_clauses": 1}
    model = RuleListClassifier(
        REGULARIZATION, max_length=rules, work_limit=seconds, memory_limit=None, **how
    )
    began = time.process_time()
    with warnings.catch_warnings(action="ignore"):
        model.fit(values, labels)
    took = time.process_time() - began
    found: dict[str, Any] = {
        "seconds": took,
        "status": model.status_,
        "objective": model.objective_,
        "proven_length": rules if model.proven_length_ is None else model.proven_length_,
        "loss": 1 - model.score(values, labels),
    }
    if check and model.status_ == "optimal":
        model.set_params(certificate=True).fit(values, labels)
        began = time.process_time()
        proven = verify(model.certificate_, values, labels)
        found["checked"] = time.process_time() - began
        found["certificate"] = model.certificate_.n_bytes
        found["verified"] = proven.optimal
        found["antecedents"] = proven.n_antecedents
    return found


def main() -> None:
    """Fit what the command line says."""
    path, rules, seconds, check = sys.argv[1:]
    json.dump(fit(Path(path), int(rules), float(seconds), check=check == "check"), sys.stdout)


if __name__ == "__main__":
    main()
