"""The main job on embedded data: ``python -m surelist.demo``.

Learns to tell malignant from benign tumours, prints the certified rule list and what its
certification took, and reads the list out for one patient it has not seen.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.rounding import bound_text, gap_text
from surelist.datasets import BinaryData, load_breast_cancer
from surelist.estimators.classifier import RuleListClassifier

__all__ = ["Demonstration", "main"]

_REGULARIZATION = 0.005


@dataclass(frozen=True, eq=False)
class Demonstration:
    """A certified rule list on three quarters of the data."""

    model: RuleListClassifier
    data: BinaryData
    held_back: NDArray[np.bool_]
    seconds: float

    @classmethod
    def run(cls, progress: Any = False) -> Demonstration:
        """Fit the model; ``progress`` is as for `RuleListClassifier`."""
        data = load_breast_cancer()
        held_back = np.arange(len(data.y)) % 4 == 0
        model = RuleListClassifier(_REGULARIZATION, max_clauses=1, progress=progress)
        started = time.perf_counter()
        model.fit(data.X[~held_back], data.y[~held_back])
        return cls(model, data, held_back, time.perf_counter() - started)

    def report(self) -> str:
        """Say what was found, how sure that is, and what it means for one patient."""
        model, data, held_back = self.model, self.data, self.held_back
        rule_list = model.rule_list_.rename(data.feature_names)
        train, test = data.X[~held_back], data.X[held_back]
        return "\n".join(
            [
                f"{data.label_name.capitalize()} of {len(train)} tumours by {data.X.shape[1]} "
                f"yes/no measurements, at {_REGULARIZATION} per rule:",
                "",
                *(f"    {line}" for line in rule_list.lines()),
                "",
                *_table(
                    {
                        "status": f"{model.status_}{_meaning(model)}",
                        "objective": f"{model.objective_:.6f} = loss {float(rule_list.loss):.6f} "
                        f"+ {_REGULARIZATION} × {len(rule_list)} rules",
                        "lower bound": bound_text(model.objective_exact_, model.lower_bound_exact_),
                        "accuracy": f"{model.score(train, data.y[~held_back]):.1%} in training, "
                        f"{model.score(test, data.y[held_back]):.1%} on {len(test)} tumours "
                        "held back",
                        "search": f"{len(model.antecedents_)} antecedents, {model.n_groups_} "
                        f"groups, {model.trace_.counters['expanded']:,} prefixes in "
                        f"{self.seconds:.1f} s",
                    }
                ),
                "",
                "The first tumour held back, explained:",
                f"    {rule_list.explain(test[:1])[0]}",
            ]
        )


def main() -> int:
    """Run the demonstration on standard output; return 0 where the result is certified."""
    demonstration = Demonstration.run(progress=True)
    sys.stdout.write(demonstration.report() + "\n")
    return 0 if demonstration.model.status_ == "optimal" else 3


def _meaning(model: RuleListClassifier) -> str:
    if model.status_ == "optimal":
        return ": proven, no rule list over these antecedents has a lower objective"
    gap = gap_text(model.objective_exact_, model.lower_bound_exact_, ".6f")
    return f": a better rule list may exist, by at most {gap}"


def _table(rows: dict[str, str]) -> list[str]:
    width = max(map(len, rows))
    return [f"{name:<{width}}   {value}" for name, value in rows.items()]


if __name__ == "__main__":
    sys.exit(main())
