"""C4.5 and RIPPER: Weka's J48 and JRip."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.peer_common import Labels, Matrix, serve

_CLASSES = {"J48": "weka.classifiers.trees.J48", "JRip": "weka.classifiers.rules.JRip"}


def _instances(X: Matrix, y: Labels, weights: NDArray[np.int64]) -> Any:
    dataset = importlib.import_module("weka.core.dataset")
    names = [f"x{column}" for column in range(X.shape[1])] + ["y"]
    columns = [dataset.Attribute.create_nominal(name, ["0", "1"]) for name in names]
    found = dataset.Instances.create_instances("rows", columns, len(y))
    for row, label, weight in zip(X.tolist(), y.tolist(), weights.tolist(), strict=True):
        values = [float(value) for value in (*row, label)]
        found.add_instance(dataset.Instance.create_instance(values, weight=float(weight)))
    found.class_is_last()
    return found


def fit(
    kind: str, options: dict[str, Any], X: Matrix, y: Labels, patterns: Matrix
) -> tuple[NDArray[Any], float]:
    """Fit one model; equal rows are one with a weight, where chance plays no part."""
    classifiers = importlib.import_module("weka.classifiers")
    weights = np.ones(len(y), np.int64)
    if kind == "J48":
        joined, weights = np.unique(np.column_stack([X, y]), axis=0, return_counts=True)
        X, y = joined[:, :-1], joined[:, -1]
    words = [word for name, value in options.items() for word in (f"-{name}", str(value))]
    model = classifiers.Classifier(classname=_CLASSES[kind], options=words)
    model.build_classifier(_instances(X, y, weights))
    nothing = np.zeros(len(patterns), np.int32)
    asked = _instances(patterns, nothing, np.ones(len(patterns), np.int64))
    labels = np.array([model.classify_instance(one) for one in asked])
    java = model.jobject
    size = java.measureNumLeaves() if kind == "J48" else java.getRuleset().size()
    return labels, float(size)


if __name__ == "__main__":
    jvm = importlib.import_module("weka.core.jvm")
    jvm.start(packages=False, logging_level=40)
    try:
        serve(fit)
    finally:
        jvm.stop()
