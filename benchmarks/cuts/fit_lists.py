"""Fit a rule list over all cuts: ``fit_lists table.npz rules clauses seconds``.

It prints one line of JSON. The limit is of counted work, which is about seconds of a processor, so
that other programs on the machine do not matter. A list of one clause that is optimal is fitted
again with a certificate, so that the time of the first fit is that of the search alone; with two
clauses, where a search may take minutes, it is that of search and proof. The checker takes as long
as it takes.
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
MOST_MEMORY = 6 * 10**9


def fit(path: Path, rules: int, clauses: int, seconds: float) -> dict[str, Any]:
    """Return what the search found, how long it took, and whether its proof holds."""
    with np.load(path) as table:
        values, labels = table["values"], table["labels"]
    how: dict[str, Any] = {"binarizer": Binarizer(n_cuts="all"), "max_clauses": clauses}
    how |= {"work_limit": seconds, "memory_limit": MOST_MEMORY}
    at_once = clauses > 1
    model = RuleListClassifier(REGULARIZATION, max_length=rules, certificate=at_once, **how)
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
    if model.status_ == "optimal":
        if not at_once:
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
    path, rules, clauses, seconds = sys.argv[1:]
    found = fit(Path(path), int(rules), int(clauses), float(seconds))
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
