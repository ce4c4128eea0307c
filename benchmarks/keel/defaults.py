"""Which defaults suit real tables: ``python -m benchmarks.keel.defaults --help``.

Every setting is fitted to every fold of every table within the same counted work, so that results
do not depend on the machine. Each is written as it comes; a run that was interrupted goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.cases import ROOT
from benchmarks.keel import data
from benchmarks.keel.package import tables
from benchmarks.keel.prepare import fold as make_fold
from benchmarks.tables import table

__all__ = ["GRID", "Outcome", "Setting", "main", "summary"]

_FOLDS = 3


@dataclass(frozen=True)
class Setting:
    """What may become a default.

    Attributes
    ----------
    regularization : str
        λ.
    n_cuts, max_features : int
        Of the binarizer.
    max_clauses : int
    """

    regularization: str = "0.01"
    n_cuts: int = 3
    max_features: int = 28
    max_clauses: int = 2


GRID = (
    Setting(),
    *(Setting(max_features=each) for each in (20, 40)),
    *(Setting(regularization=each) for each in ("0.005", "0.02")),
    *(Setting(n_cuts=each) for each in (2, 5)),
    Setting(max_clauses=1),
)


@dataclass(frozen=True)
class Outcome:
    """One fit; ``proven`` is the length up to which nothing is better, None for all lengths."""

    table: str
    fold: int
    setting: Setting
    accuracy: float
    rules: int
    antecedents: int
    proven: int | None

    def to_json(self) -> str:
        """Return one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> Outcome:
        """Read what `to_json` wrote."""
        found = json.loads(line)
        return cls(**found | {"setting": Setting(**found["setting"])})


def fit(fold: data.Fold, setting: Setting, work: float) -> dict[str, Any]:
    """Fit one setting to one fold."""
    from surelist import Binarizer, RuleListClassifier, UncertifiedWarning

    binarizer = Binarizer(
        n_cuts=setting.n_cuts,
        max_features=setting.max_features,
        min_frequency=float(setting.regularization),
    )
    model = RuleListClassifier(
        float(setting.regularization),
        max_clauses=setting.max_clauses,
        binarizer=binarizer,
        work_limit=work,
        progress=False,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)  # `proven` says it
        model.fit(fold.train.columns.frame(), fold.train.labels)
    right = model.predict(fold.test.columns.frame()) == fold.test.labels
    return {
        "accuracy": float(right.mean()),
        "rules": len(model.rule_list_),
        "antecedents": len(model.antecedents_),
        "proven": model.proven_length_,
    }


def summary(outcomes: Iterable[Outcome]) -> str:
    """Return a table of the settings: means over tables of means over folds."""
    by_setting: dict[Setting, list[Outcome]] = {}
    for one in outcomes:
        by_setting.setdefault(one.setting, []).append(one)
    head = ["λ", "cuts", "features", "clauses", "fits", "test accuracy", "rules", "antecedents"]
    head += ["certified", "proven to 4 rules"]
    rows = []
    for setting, fits in by_setting.items():
        certified = sum(one.proven is None for one in fits)
        to_four = sum(one.proven is None or one.proven >= 4 for one in fits)
        rows.append(
            [
                setting.regularization,
                f"{setting.n_cuts}",
                f"{setting.max_features}",
                f"{setting.max_clauses}",
                f"{len(fits)}",
                f"{fmean(one.accuracy for one in fits):.4f}",
                f"{fmean(one.rules for one in fits):.1f}",
                f"{fmean(one.antecedents for one in fits):,.0f}",
                f"{certified / len(fits):.0%}",
                f"{to_four / len(fits):.0%}",
            ]
        )
    return table(head, rows, 4)


def _known(path: Path) -> list[Outcome]:
    if not path.is_file():
        return []
    return [Outcome.from_json(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _measure(given: argparse.Namespace, known: list[Outcome]) -> Iterator[Outcome]:
    done = {(one.table, one.fold, one.setting) for one in known}
    found = tables(given.tables)
    for setting in GRID[: given.settings]:
        for name, path in found.items():
            for number in range(given.folds):
                if (name, number, setting) in done:
                    continue
                fold = make_fold(path, number, _FOLDS)
                yield Outcome(name, number, setting, **fit(fold, setting, given.work))


def main(arguments: list[str] | None = None) -> int:
    """Measure what is not known yet, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.keel.defaults")
    add = parser.add_argument
    add("--work", type=float, default=1.5, help="work limit of each fit, in about seconds (1.5)")
    add("--folds", type=int, default=_FOLDS, choices=range(1, _FOLDS + 1), help="of three (3)")
    add("--tables", default="", metavar="A,B", help="only these tables")
    add("--settings", type=int, default=len(GRID), metavar="N", help="only the first N settings")
    add("--output", type=Path, default=ROOT / "build" / "defaults.jsonl", metavar="FILE")
    given = parser.parse_args(arguments)
    outcomes = _known(given.output)
    given.output.parent.mkdir(parents=True, exist_ok=True)
    with given.output.open("a", encoding="utf-8") as file:
        for one in _measure(given, list(outcomes)):
            file.write(one.to_json() + "\n")
            file.flush()
            outcomes.append(one)
    sys.stdout.write(summary(outcomes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
