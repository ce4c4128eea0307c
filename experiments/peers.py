"""C4.5, RIPPER and Bayesian rule lists, in environments and processes of their own.

C4.5 and RIPPER are Weka's J48 and JRip, which the paper used through R; the package
python-weka-wrapper3 carries Weka and needs a Java runtime. The paper's SBRL is a C program; the
package pysbrl that wraps it has to be compiled with the GNU Scientific Library and does not
install without. In its place stands the Bayesian rule list of imodels, the method that SBRL made
scalable.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import prepare
from benchmarks.processes import last_error, run_apart
from experiments.context import say
from experiments.dataset import Codes
from experiments.folds import Fold

__all__ = ["Model", "PeerPrediction", "measure"]

_ENVIRONMENTS = {
    "J48": ("python-weka-wrapper3", "experiments.peer_weka"),
    "JRip": ("python-weka-wrapper3", "experiments.peer_weka"),
    "BRL": ("imodels", "experiments.peer_imodels"),
}

_ONE_THREAD = {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Model:
    """A method of a peer with one setting."""

    method: str
    setting: str
    kind: str
    options: dict[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, eq=False)
class PeerPrediction:
    """What a peer's model predicts for all rows, and for the rows to test on; its size."""

    train: Codes
    test: Codes
    size: float


Folds = Sequence[tuple[NDArray[np.intp], Fold]]


def measure(
    models: Sequence[Model], X: NDArray[np.uint8], y: Codes, folds: Folds, seconds: float
) -> tuple[dict[Model, list[PeerPrediction]], dict[str, str]]:
    """Fit every model on every fold; return predictions, and the reason for missing ones."""
    results: dict[Model, list[PeerPrediction]] = {}
    notes: dict[str, str] = {}
    for package in dict.fromkeys(_ENVIRONMENTS[model.kind][0] for model in models):
        chosen = [model for model in models if _ENVIRONMENTS[model.kind][0] == package]
        names = ", ".join(dict.fromkeys(model.method for model in chosen))
        environment = prepare(package)
        if environment.error:
            notes[names] = f"{package} does not install: {environment.error}"
            continue
        if package == "python-weka-wrapper3" and shutil.which("java") is None:
            notes[names] = f"{package} needs a Java runtime, and there is no `java`"
            continue
        module = _ENVIRONMENTS[chosen[0].kind][1]
        say(f"  {names}: {package} {environment.version}")
        found, note = _run(str(environment.python), module, chosen, X, y, folds, seconds)
        results |= found
        notes[names] = f"{package} {environment.version}" + (f" ({note})" if note else "")
    return results, notes


def _run(
    python: str,
    module: str,
    models: Sequence[Model],
    X: NDArray[np.uint8],
    y: Codes,
    folds: Folds,
    seconds: float,
) -> tuple[dict[Model, list[PeerPrediction]], str]:
    """Let one process fit everything; it stops by itself when its time is over."""
    with tempfile.TemporaryDirectory(prefix="surelist-experiments-") as name:
        folder = Path(name)
        rows = {f"train_{number}": train for number, (train, _) in enumerate(folds)}
        np.savez(folder / "data.npz", X=X, y=y, **rows)  # type: ignore[arg-type]
        request = {
            "models": [{"kind": model.kind, "options": model.options} for model in models],
            "folds": len(folds),
            "seconds": seconds,
        }
        (folder / "request.json").write_text(json.dumps(request), encoding="utf-8")
        status, errors = run_apart(
            [python, "-m", module, str(folder)], 2 * seconds + 60, **_ONE_THREAD
        )
        if status != 0:
            return {}, last_error(errors) if status is not None else "it did not end in time"
        return _read(folder, models, folds)


def _read(
    folder: Path, models: Sequence[Model], folds: Folds
) -> tuple[dict[Model, list[PeerPrediction]], str]:
    answer = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    predictions = np.load(folder / "predictions.npz")
    found, lacking = {}, []
    for index, model in enumerate(models):
        done = [
            fold for number, (_, fold) in enumerate(folds) if f"{index}_{number}" in answer["sizes"]
        ]
        if len(done) < len(folds):
            name = f"{model.method} {model.setting}".strip()
            lacking.append(f"{name}: {len(done)} of {len(folds)} folds in time")
        if done:
            keys = [f"{index}_{number}" for number in range(len(done))]
            found[model] = [
                PeerPrediction(predictions[key], predictions[key][fold.test], answer["sizes"][key])
                for key, fold in zip(keys, done, strict=True)
            ]
    return found, "; ".join(lacking)
