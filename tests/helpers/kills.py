"""Kill searches at random moments, resume each from its checkpoint, and compare the results.

``python tests/helpers/kills.py 50`` does it fifty times on real data where there is some. Each
search runs in a process of its own, is killed without warning (SIGKILL) again and again, and goes
on from its checkpoint until it ends; rule list, objective and certificate must be those of a search
that nothing happened to.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from surelist import RuleListClassifier, verify

__all__ = ["Killing", "problem"]

_CHILD = """
import sys, warnings
import numpy as np
import surelist
warnings.simplefilter("ignore")
data, kept, proof = sys.argv[1:4]
try:
    surelist.resume(kept)
except surelist.FormatError:
    held = np.load(data)
    surelist.RuleListClassifier(
        regularization=float(held["regularization"]), max_clauses=1, min_support=0,
        checkpoint=kept, checkpoint_interval=0.02, certificate=proof,
    ).fit(held["X"], held["y"])
"""


def problem(rows: int = 400, features: int = 14, seed: int = 0) -> tuple[Any, Any, float]:
    """Draw a problem that takes some tenths of a second to certify."""
    rng = np.random.default_rng(seed)
    X = (rng.random((rows, features)) < 0.4).astype(np.uint8)
    y = (X[:, 0] & X[:, 1]) ^ (rng.random(rows) < 0.3)
    return X, y.astype(np.int64), 0.004


class Killing:
    """One problem, and what a search that is left alone finds in it."""

    def __init__(self, folder: Path, X: Any, y: Any, regularization: float) -> None:
        self._folder = folder
        self._X, self._y = X, y
        self._data = folder / "data.npz"
        np.savez(self._data, X=X, y=y, regularization=regularization)
        begun = time.perf_counter()
        self.expected = RuleListClassifier(
            regularization=regularization, max_clauses=1, min_support=0, certificate=True
        ).fit(X, y)
        self._seconds = time.perf_counter() - begun

    def run(self, chance: random.Random, kills: int) -> int:
        """Kill a search up to so many times, let it end, and compare; return how often it was."""
        kept, proof = self._folder / "kept", self._folder / "proof"
        for path in (kept, proof):
            path.unlink(missing_ok=True)
        command = [sys.executable, "-c", _CHILD, str(self._data), str(kept), str(proof)]
        killed = 0
        while killed < kills:
            child = subprocess.Popen(command)
            try:
                child.wait(timeout=0.5 + chance.random() * 3 * self._seconds)
                break
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGKILL)
                child.wait()
                killed += 1
        subprocess.run(command, check=True)
        self._compare(kept, proof)
        return killed

    def _compare(self, kept: Path, proof: Path) -> None:
        import surelist

        model = surelist.resume(kept)
        assert model.status_ == "optimal"
        assert model.objective_exact_ == self.expected.objective_exact_
        assert model.lower_bound_exact_ == self.expected.objective_exact_
        assert verify(proof, self._X, self._y).optimal


def _main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    chance = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        killing = Killing(Path(folder), *problem(600, 18))
        killed = 0
        while killed < wanted:
            killed += killing.run(chance, min(5, wanted - killed))
            print(f"{killed} kills, every search resumed to the same result", flush=True)


if __name__ == "__main__":
    _main()
