"""From the settings of a run to rows and a classifier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surelist.errors import InputError
from surelist.rule_list.rule_list import RuleList, by_columns
from surelist.tables.files import FileTable
from surelist.tables.labels import read_labels
from surelist.tables.regularization import short
from surelist.web.source import Source, take_rows

if TYPE_CHECKING:
    from surelist.estimators.classifier import RuleListClassifier

__all__ = ["Rows", "captured_by", "fit", "parameters_of", "rows_of"]

_MOST_CLASSES = 100


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows to learn from.

    Attributes
    ----------
    table : FileTable
        The columns that rules may ask about.
    labels : ndarray
        One per row, as the classifier takes them.
    whole : FileTable
        All columns, those that were left out among them.
    classes : list
        The labels that occur, in order.
    """

    table: FileTable
    labels: Any
    whole: FileTable
    classes: list[Any]

    def take(self, rows: NDArray[np.intp]) -> Rows:
        """Return some of the rows."""
        return replace(
            self,
            table=take_rows(self.table, rows),
            whole=take_rows(self.whole, rows),
            labels=self.labels[rows],
        )


def rows_of(source: Source, settings: Mapping[str, Any]) -> Rows:
    """Take apart what rules may ask about and what they are to predict."""
    label, roles = settings.get("label"), settings.get("roles", {})
    labels = source.labelled(label)
    unknown = [name for name in roles if name not in source.table.names]
    if unknown:
        raise InputError(f"there is no column {unknown[0]!r}")
    out = [name for name, role in roles.items() if role in ("protected", "leave_out")]
    if source.labels is None and label is not None:
        out.append(label)
    features = source.table.without(out)
    if not features.names:
        raise InputError("no column is left to learn from; use at least one")
    _check_classes(labels)
    classes = read_labels(labels, source.table.n_rows).classes.tolist()
    return Rows(features, labels, source.table, classes)


def _check_classes(labels: Any) -> None:
    n_classes = len(np.unique(labels))
    if n_classes > _MOST_CLASSES:
        raise InputError(
            f"the label has {n_classes:,} different values, too many for classes; choose a column "
            f"with at most {_MOST_CLASSES}"
        )


def parameters_of(settings: Mapping[str, Any], rows: Rows) -> dict[str, Any]:
    """Return the parameters of `RuleListClassifier` that settings stand for."""
    from surelist.features.binarizer import Binarizer
    from surelist.problem.training_data import MAX_FEATURES, N_CUTS

    price = _number("λ", settings.get("regularization", "0.01"))
    support = settings.get("min_support")
    least = price if support is None else _number("the least support", support)
    columns = {
        name: how
        for name, how in (settings.get("columns") or {}).items()
        if name in rows.table.names
    }
    memory = settings.get("memory_limit_mb")
    return {
        "regularization": price,
        "max_clauses": settings.get("max_clauses", 2),
        "negations": settings.get("negations", False),
        "min_support": None if support is None else least,
        "max_length": settings.get("max_length"),
        "binarizer": Binarizer(
            strategy=settings.get("strategy") or "auto",
            n_cuts=settings.get("n_cuts", N_CUTS),
            min_frequency=least,
            max_features=settings.get("max_features", MAX_FEATURES),
            columns=columns or None,
        ),
        "class_weight": _class_weight(settings.get("class_weight"), rows.classes),
        "policy": settings.get("policy", "lower_bound"),
        "symmetry": settings.get("symmetry", "captured"),
        "bounds": settings.get("bounds") or "all",
        # The page has limits of time and memory: where there is none, none is meant.
        "work_limit": None,
        "time_limit": settings.get("time_limit"),
        "memory_limit": None if memory is None else int(memory * 1_000_000),
        "n_jobs": settings.get("n_jobs", 1),
    }


def _number(name: str, text: object) -> float | Decimal:
    """Read a number exactly as it was written."""
    try:
        number = Decimal(str(text))
        if not number.is_finite():
            raise ValueError
    except (InvalidOperation, ValueError):
        raise InputError(f"{name} must be a number such as 0.01; got {str(text)[:40]!r}") from None
    return short(number)


def _class_weight(given: Any, classes: list[Any]) -> Any:
    if given is None or given == "balanced":
        return given
    known = {str(label): label for label in classes}
    unknown = [text for text in given if text not in known]
    if unknown:
        raise InputError(f"class weights: {unknown[0]!r} is no label")
    return {label: float(given.get(text, 1)) for text, label in known.items()}


def fit(rows: Rows, parameters: Mapping[str, Any]) -> RuleListClassifier:
    """Fit a classifier to rows from a file."""
    import warnings

    from surelist.errors import UncertifiedWarning
    from surelist.estimators.classifier import RuleListClassifier

    model = RuleListClassifier(**parameters)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)  # the page says so itself
        return model.fit(rows.table, rows.labels)


def captured_by(rule_list: RuleList, table: FileTable) -> NDArray[np.intp]:
    """Return for each row the position of the rule that captures it; the default is last."""
    return by_columns(rule_list).captures(table)
