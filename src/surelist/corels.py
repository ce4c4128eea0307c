"""The interface of pycorels on this engine, so that its users change one import."""

from surelist.estimators.corels.classifier import (
    CorelsClassifier,
    RuleList,
    load_from_csv,
)

__all__ = [
    "CorelsClassifier",
    "RuleList",
    "load_from_csv",
]
