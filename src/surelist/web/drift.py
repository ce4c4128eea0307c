"""Drift: how the columns of a new file differ from those that a list learned from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist.tables.column import Column
from surelist.web.dataset_files import cell_texts
from surelist.web.summary import cut_text, kind_text

__all__ = ["column_drift"]

_BINS = 10
_MOST_CATEGORIES = 30
_MOST_NAMED = 5
# A column has drifted if at least this share of its rows has moved, and if the p-value of that is
# below this level.
_LEAST_SHARE, _CHANCE = 0.1, 0.001


def column_drift(old: Column, new: Column | None) -> dict[str, Any]:
    """Compare one column of a new file with the same column in training.

    Returns
    -------
    dict
        ``moved`` is the total variation distance between the two: the share of rows that would have
        to lie elsewhere. Texts and few different numbers are counted by value, other numbers
        by deciles of the training rows, and rows without a value on their own. ``chance`` is the
        p-value of a chi-squared test.
    """
    about: dict[str, Any] = {"name": old.name, "kind": kind_text(old), "problem": None}
    empty: dict[str, Any] = {
        "moved": None,
        "chance": None,
        "drifted": False,
        "outside": 0,
        "unseen": [],
    }
    if new is None:
        return about | empty | {"problem": "is not in the file", "missing": None}
    missing = [float(each.missing.mean()) if len(each.missing) else 0.0 for each in (old, new)]
    about["missing"] = missing
    both = (old.kind in ("text", "ordinal")) == (new.kind in ("text", "ordinal"))
    if not new.missing.all() and not both:
        return about | empty | {"problem": f"holds {kind_text(new)} now"}
    if old.codes is not None:
        counts, unseen, outside = _texts(old, new)
    else:
        counts, unseen, outside = _numbers(old, new)
    moved, chance = _distance(counts)
    return about | {
        "moved": moved,
        "chance": chance,
        "drifted": round(moved, 9) >= _LEAST_SHARE and chance < _CHANCE,
        "outside": outside,
        "unseen": unseen,
    }


def _numbers(old: Column, new: Column) -> tuple[NDArray[np.int64], list[str], int]:
    """Count both by the deciles of the first, and what lies outside its range."""
    values = [each.values[~each.missing] for each in (old, new)]
    if old.kind in ("date", "datetime"):
        values = [each.astype("datetime64[us]").astype(np.int64) for each in values]
    if len(values[0]) == 0:
        counts = np.zeros((2, 1), dtype=np.int64)
    else:
        edges = np.unique(values[0])
        if len(edges) > _MOST_CATEGORIES:
            edges = np.unique(np.quantile(values[0], np.linspace(0, 1, _BINS + 1)[1:-1]))
        counts = np.array(
            [
                np.bincount(np.searchsorted(edges, each, side="right"), minlength=len(edges) + 1)
                for each in values
            ]
        )
    outside = 0
    if len(values[0]):
        outside = int(((values[1] < values[0].min()) | (values[1] > values[0].max())).sum())
    return _with_missing(counts, old, new), [], outside


def _texts(old: Column, new: Column) -> tuple[NDArray[np.int64], list[str], int]:
    """Count both by category, and what was never seen."""
    texts = [
        [text for text in cell_texts(each, range(len(each.missing))) if text is not None]
        for each in (old, new)
    ]
    known, numbers = np.unique(texts[0], return_counts=True)
    frequent = known[np.argsort(-numbers, kind="stable")[:_MOST_CATEGORIES]].tolist()
    place = {text: at for at, text in enumerate(frequent)}
    counts = np.zeros((2, len(frequent) + 1), dtype=np.int64)
    for side, each in enumerate(texts):
        for text in each:
            counts[side, place.get(text, len(frequent))] += 1
    seen = set(known.tolist())
    unseen = [text for text in texts[1] if text not in seen]
    named = [cut_text(text) for text in list(dict.fromkeys(unseen))[:_MOST_NAMED]]
    return _with_missing(counts, old, new), named, len(unseen)


def _with_missing(counts: NDArray[Any], old: Column, new: Column) -> NDArray[np.int64]:
    gone = np.array([[old.missing.sum()], [new.missing.sum()]], dtype=np.int64)
    return np.hstack([counts, gone])


def _distance(counts: NDArray[np.int64]) -> tuple[float, float]:
    """Return the total variation distance, and how likely one as large is by chance."""
    from scipy.stats import chi2_contingency  # type: ignore[import-untyped]

    shares = counts / counts.sum(axis=1, keepdims=True)
    moved = float(np.abs(shares[0] - shares[1]).sum() / 2)
    filled = counts[:, counts.sum(axis=0) > 0]
    if filled.shape[1] < 2:
        return moved, 1.0
    return moved, float(chi2_contingency(filled, correction=False).pvalue)
