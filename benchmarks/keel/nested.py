"""Whether more cuts ever give a worse list: ``python -m benchmarks.keel.nested --help``.

The features that the defaults make of a table are fitted alone, and then among others: more cuts of
its columns beside the same ones. Whatever is found among the few is there among the many, so the
objective must not be worse, though a search through many is the longer one.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from typing import Any

from benchmarks.keel import data
from benchmarks.keel.package import tables
from benchmarks.keel.prepare import fold as make_fold
from benchmarks.tables import table

__all__ = ["both", "main"]

_FOLDS = 3
_MANY_CUTS, _MANY_FEATURES = 10, 60


def both(fold: data.Fold) -> tuple[Any, Any]:
    """Return the default features of a fold, and the same with others beside them."""
    import pandas as pd

    from surelist import Binarizer, RuleListClassifier
    from surelist.problem.parameters import read_parameters
    from surelist.problem.training_data import choose_binarizer

    frame = fold.train.columns.frame()
    few = Binarizer.of(choose_binarizer(None, read_parameters(RuleListClassifier())))
    many = Binarizer(n_cuts=_MANY_CUTS, max_features=_MANY_FEATURES)
    made = []
    for binarizer in (few, many):
        features = binarizer.fit(frame, fold.train.labels).transform(frame)
        made.append(pd.DataFrame(features, columns=list(binarizer.get_feature_names_out())))
    others = made[1].drop(columns=made[0].columns, errors="ignore")
    return made[0], pd.concat([made[0], others], axis=1)


def _fit(features: Any, labels: Any, work: float) -> Any:
    from surelist import RuleListClassifier, UncertifiedWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        return RuleListClassifier(work_limit=work, progress=False).fit(features, labels)


def main(arguments: list[str] | None = None) -> int:
    """Fit both to every table, and print a table; return how many are worse with more cuts."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.keel.nested")
    add = parser.add_argument
    add("--work", type=float, default=2.0, help="work limit of each fit, in about seconds (2)")
    add("--folds", type=int, default=1, choices=range(1, _FOLDS + 1), help="of three (1)")
    add("--tables", default="", metavar="A,B", help="only these tables")
    given = parser.parse_args(arguments)
    rows, worse = [], 0
    for name, path in tables(given.tables or ",".join(data.CHOSEN)).items():
        for number in range(given.folds):
            fold = make_fold(path, number, _FOLDS)
            few, many = (_fit(each, fold.train.labels, given.work) for each in both(fold))
            is_worse = many.objective_exact_ > few.objective_exact_
            worse += is_worse
            cells = [f"{number + 1}"]
            for model in (few, many):
                cells += [f"{len(model.antecedents_):,}", f"{model.objective_:.4f}"]
            rows.append([name, *cells, "worse" if is_worse else ""])
    head = ["table", "fold", "antecedents", "objective", "with more cuts", "objective", ""]
    sys.stdout.write(table(head, rows))
    return worse


if __name__ == "__main__":
    sys.exit(main())
