"""Whether an installed wheel does its main job: fit, prove, verify, keep and load.

Runs where nothing but the wheel and what it requires is installed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import surelist
from surelist import RuleListClassifier
from surelist.datasets import load_tic_tac_toe


def main() -> int:
    """Return 0 where everything is as it should be."""
    boards = load_tic_tac_toe()
    model = RuleListClassifier(regularization=0.02, max_clauses=1, certificate=True, n_jobs=2)
    model.fit(boards.X, boards.y)
    assert (model.status_, model.gap_, len(model.rule_list_)) == ("optimal", 0.0, 3)
    assert surelist.verify(model.certificate_, boards.X, boards.y).optimal
    with TemporaryDirectory() as folder:
        path = Path(folder, "model.json")
        model.save(path)
        again = surelist.load(path)
    assert (again.predict(boards.X) == model.predict(boards.X)).all()
    source = Path(surelist.__file__).parent
    sys.stdout.write(f"surelist {surelist.__version__} in {source}: {model.rule_list_.rules[0]}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
