"""Comparison of the rule list with other models, on the same rows and the same folds.

Each row is predicted by models that have not seen it. The rule list is learned again in each fold,
with the settings of the run, within a limit of time that the result states.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Mapping
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.files import put_files
from surelist.errors import InputError
from surelist.runs.fit import fit_rows
from surelist.runs.rows import Rows
from surelist.web.file_names import RIVALS_ROWS, progress_path
from surelist.web.group_rates import class_codes, wilson
from surelist.web.progress_file import put_json
from surelist.web.results import confusion
from surelist.web.rival_models import MODELS, Score, features_of, score_of
from surelist.web.run_description import captured_by, parameters_of

__all__ = ["OWN", "compare_models", "paired_difference"]

OWN, SCORE = "list", "score"
_Z = 1.959963984540054

Codes = NDArray[np.intp]


def compare_models(
    folder: Path, rows: Rows, settings: Mapping[str, Any], asked: Mapping[str, Any]
) -> dict[str, Any]:
    """Predict every row by every model in turn, and say how they do.

    Parameters
    ----------
    folder : Path
        That of the run: the predictions and the progress are written there.
    rows, settings
        Those of the run.
    asked : mapping
        ``folds``, ``seconds`` for each search, and ``score`` (a column, or None).
    """
    codes = class_codes(rows)
    fewest = int(np.bincount(codes).min())
    if fewest < 2:
        raise InputError(
            "some class has only one row, so not every fold can have rows of all classes"
        )
    n_folds = min(asked["folds"], fewest)
    score = None if asked["score"] is None else score_of(rows, asked["score"])
    run = _Folds(rows, settings, codes, asked["seconds"], score)
    steps = n_folds * (1 + len(MODELS))

    def tell(done: int, doing: str) -> None:
        put_json(progress_path(folder, "rivals"), {"done": done, "of": steps, "doing": doing})

    run.predict_all(n_folds, tell)
    packed = io.BytesIO()
    codes_by_model = np.array(list(run.predicted.values()), dtype=np.int16)
    np.savez_compressed(packed, names=np.array(list(run.predicted)), codes=codes_by_model)
    put_files({folder / RIVALS_ROWS: [packed.getvalue()]})
    return run.document(n_folds, asked)


class _Folds:
    """What every model predicts for the rows that it has not seen."""

    def __init__(
        self,
        rows: Rows,
        settings: Mapping[str, Any],
        codes: Codes,
        seconds: float,
        score: Score | None,
    ) -> None:
        self._rows, self._settings, self._codes = rows, settings, codes
        self._seconds, self._score = seconds, score
        self._class_weight = _class_weight(settings.get("class_weight"), rows)
        names = [OWN, *([SCORE] if score is not None else []), *(each.key for each in MODELS)]
        self.predicted: dict[str, Codes] = {name: np.full(len(codes), -1) for name in names}
        self.statuses: list[str] = []
        self.lengths: list[int] = []
        self.thresholds: list[float | None] = []

    def predict_all(self, n_folds: int, tell: Callable[[int, str], None]) -> None:
        """Go through the folds."""
        from sklearn.model_selection import StratifiedKFold
        from sklearn.utils.class_weight import compute_sample_weight

        features = features_of(self._rows)
        weights = compute_sample_weight(self._class_weight, self._codes)
        splits = StratifiedKFold(n_folds, shuffle=True, random_state=0)
        done = 0
        for fold, (train, test) in enumerate(splits.split(self._codes, self._codes), start=1):
            where = f"fold {fold} of {n_folds}"
            tell(done, f"{where}: the rule list")
            length = self._rule_list(train, test)
            if self._score is not None:
                found, threshold = self._score.predict(train, self._codes, weights, test)
                self.predicted[SCORE][test] = found
                self.thresholds.append(threshold)
            seen, unseen = (
                type(features)(features.values[part], features.categories) for part in (train, test)
            )
            for number, model in enumerate(MODELS, start=1):
                tell(done + number, f"{where}: {model.name.lower()}")
                self.predicted[model.key][test] = model.predict(
                    seen, self._codes[train], unseen, self._class_weight, length
                )
            done += 1 + len(MODELS)

    def _rule_list(self, train: Codes, test: Codes) -> int:
        """Learn the rule list from some rows and predict others; return its length."""
        parameters = parameters_of(self._settings, self._rows)
        limit = parameters["time_limit"]
        parameters["time_limit"] = self._seconds if limit is None else min(self._seconds, limit)
        model = fit_rows(self._rows.take(train), parameters)
        by = captured_by(model.rule_list_, self._rows.take(test).table)
        self.predicted[OWN][test] = model.rule_list_.label_codes[by]
        self.statuses.append(model.status_)
        self.lengths.append(len(model.rule_list_))
        return len(model.rule_list_)

    def document(self, n_folds: int, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Return how all models do."""
        names = {each.key: (each.name, each.about) for each in MODELS}
        names[OWN] = ("This rule list", "learned again in each fold")
        if asked["score"] is not None:
            names[SCORE] = (asked["score"]["column"], self._score_words())
        return {
            "folds": n_folds,
            "seconds": asked["seconds"],
            "score": asked["score"],
            "rows": len(self._codes),
            "classes": [str(label) for label in self._rows.classes],
            "weighted": self._class_weight is not None,
            "statuses": dict(Counter(self.statuses)),
            "lengths": self.lengths,
            "models": [
                {"key": key, "name": names[key][0], "about": names[key][1], **self._figures(key)}
                for key in self.predicted
            ],
        }

    def _figures(self, key: str) -> dict[str, Any]:
        own, other = self.predicted[OWN] == self._codes, self.predicted[key] == self._codes
        counts = confusion(self._codes, self.predicted[key], len(self._rows.classes))
        found: dict[str, Any] = {
            "accuracy": wilson(int(other.sum()), len(other)),
            "balanced": float(np.mean([row[code] / sum(row) for code, row in enumerate(counts)])),
            "confusion": counts,
        }
        if key != OWN:
            only_list, only_it = int((own & ~other).sum()), int((other & ~own).sum())
            found |= {
                "only_list": only_list,
                "only_it": only_it,
                "differ": int((self.predicted[OWN] != self.predicted[key]).sum()),
                "difference": paired_difference(only_it, only_list, len(own)),
            }
        return found

    def _score_words(self) -> str:
        if self._score is None or self._score.classes:
            return "a column of predictions, as it is"
        sign = "≥" if self._score.above else "≤"
        label = self._rows.classes[self._score.positive]
        if self._score.threshold is not None:
            return f"{label} where it is {sign} {self._score.threshold:.6g}"
        chosen = sorted({f"{each:.6g}" for each in self.thresholds if each is not None}, key=float)
        return f"{label} where it is {sign} {' or '.join(chosen)}, the best in training"


def _class_weight(given: Any, rows: Rows) -> Any:
    if given is None or isinstance(given, str):
        return given
    return {code: given.get(str(label), 1.0) for code, label in enumerate(rows.classes)}


def paired_difference(more: int, fewer: int, rows: int) -> dict[str, float]:
    """Return a difference of two accuracies on the same rows, and its 95 % interval.

    The interval is that of Agresti and Min (2005): half a row is added to each of the four counts
    of rows that both, one alone, or none of the two have right.

    Parameters
    ----------
    more, fewer : int
        Rows that the first alone, and that the second alone has right.
    rows : int

    Examples
    --------
    >>> from surelist.web.rivals import paired_difference
    >>> found = paired_difference(30, 10, 100)
    >>> round(found["low"], 3), found["share"], round(found["high"], 3)
    (0.079, 0.2, 0.313)
    """
    a, b, n = more + 0.5, fewer + 0.5, rows + 2
    middle = (a - b) / n
    half = _Z * sqrt(a + b - (a - b) ** 2 / n) / n
    return {"share": (more - fewer) / rows, "low": middle - half, "high": middle + half}
