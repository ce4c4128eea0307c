"""Make one fold of one table, in a process of its own: ``python -m benchmarks.keel.prepare``.

Packages that want 0/1 features get those that Surelist's defaults make of the training rows.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from benchmarks.keel import data
from benchmarks.peer_common import write_result
from surelist import Binarizer, RuleListClassifier
from surelist.problem.parameters import read_parameters
from surelist.problem.training_data import choose_binarizer

__all__ = ["fold", "main"]

SEED = 0


def fold(path: Path, number: int, folds: int) -> data.Fold:
    """Return a fold of stratified ones, the same on every machine."""
    columns, labels = data.read(path)
    splits = StratifiedKFold(folds, shuffle=True, random_state=SEED).split(labels, labels)
    train, test = list(splits)[number]
    parts = {name: _columns(columns, rows) for name, rows in (("train", train), ("test", test))}
    binarizer = Binarizer.of(choose_binarizer(None, read_parameters(RuleListClassifier())))
    binarizer.fit(parts["train"].frame(), labels[train])
    train_rows, test_rows = (
        data.Rows(
            parts[name],
            np.asarray(binarizer.transform(parts[name].frame()), dtype=np.uint8),
            labels[rows],
        )
        for name, rows in (("train", train), ("test", test))
    )
    return data.Fold(train_rows, test_rows)


def _columns(columns: data.Columns, rows: NDArray[np.intp]) -> data.Columns:
    return data.Columns(columns.values[rows], columns.texts)


def main() -> None:
    """Read the request, write the fold and what there is to say of it."""
    asked = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    made = fold(Path(asked["table"]), asked["fold"], asked["folds"])
    about = data.save(made, Path(asked["data"]))
    regularization = str(RuleListClassifier().regularization)
    write_result(asked["result"], about | {"regularization": regularization, "status": "ready"})


if __name__ == "__main__":
    main()
